"""Makes a forged result of a worker from the records of another run.

forge.py LOCAL BLOCK ATTEMPT RUN SEED KIND prints head, record and signature in
hex, one on each line.  LOCAL is the record file of a run on one machine, with two
games in each block; RUN the uid in the queue; SEED the file of the worker's key.
KIND is the kind of forgery.  openssl makes the signature.
"""
import hashlib
import re
import subprocess
import sys
import tempfile

local, block, attempt, run, seed_file, kind = sys.argv[1:7]
block = int(block)
seed = open(seed_file).read().strip()


def games_of(number):
    """Returns the games of a block as a worker writes them: without the secret."""
    text = open(local).read()
    games = re.findall(r"^match .*?^sum [^\n]*\n", text, re.M | re.S)
    return [re.sub(r" secret=\w+", "", game)
            for game in games[2 * number:2 * number + 2]]


def summed(game):
    """Returns the game with a correct `sum` line."""
    lines = re.sub(r"^sum .*\n", "", game, flags=re.M)
    return "%ssum lines=%d sha256=%s\n" % (
        lines, lines.count("\n"), hashlib.sha256(lines.encode()).hexdigest())


def sign(line, seed):
    with tempfile.TemporaryDirectory() as folder:
        key, message = folder + "/key", folder + "/line"
        prefix = "302e020100300506032b657004220420"
        open(key, "wb").write(bytes.fromhex(prefix + seed))
        open(message, "w").write(line)
        return subprocess.run(
            ["openssl", "pkeyutl", "-sign", "-keyform", "DER", "-inkey", key,
             "-rawin", "-in", message], check=True, capture_output=True).stdout


games = games_of(block + 1 if kind == "replayed" else block)
if kind == "score":
    games[0] = re.sub(r"(score A points=)\d+", r"\g<1>9", games[0])
if kind == "seats":
    games[0], games[1] = [
        re.sub(r"name=(greedy|random)", lambda match: "name=" + (
            "random" if match[1] == "greedy" else "greedy"), game)
        for game in games]
if kind == "foreign":
    seed = hashlib.sha256(seed.encode()).hexdigest()
if kind == "aborted":
    games[0] = re.sub(
        r"^play .*^(endmatch \w+) .*", r"abort match reason=interrupted\n"
        r"\1 scores=A:0,B:0 winner=- reason=abort\n", games[0],
        flags=re.M | re.S)
record = "".join(map(summed, games))
if kind == "otherrun":
    run = run[::-1]
head = """scopa-result 1
block %d copy=0 attempt=%s games=2 run=%s
record size=%d sha256=%s
game 1 unasked=0,0,0,0,0,0
game 2 unasked=0,0,0,0,0,0
end
""" % (block, attempt, run, len(record),
       hashlib.sha256(record.encode()).hexdigest())
line = "scopa-result-v1 %s\n" % hashlib.sha256(head.encode()).hexdigest()
signature = sign(line, seed)
if kind == "altered":
    record = record.replace("play 1", "play 2", 1)
print(head.encode().hex(), record.encode().hex(), signature.hex(), sep="\n")
