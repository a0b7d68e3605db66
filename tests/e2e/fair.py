"""Checks or forges the folder of a run, by docs/fair-dealing.md alone.

    fair.py check RUN            prints how many packs follow from the secret
    fair.py sums FILE            corrects the `sum` line of each game
    fair.py sql RUN STATEMENT    changes the results
    fair.py chain RUN            corrects the chain of the results
    fair.py seeds RUN FIRST LAST gives the bots of these games seeds by their
                                 number in the block, like earlier versions

No code of the arena is used: hashes are Python's, and the cipher is here.
"""
import hashlib
import hmac
import json
import re
import sqlite3
import struct
import sys

SUITS, VALUES = "DCSB", "A234567JQK"
WORD = 0xFFFFFFFF


def sha256(text):
    data = text if isinstance(text, bytes) else text.encode()
    return hashlib.sha256(data).hexdigest()


def quarter(x, a, b, c, d):
    for one, other, three, turn in (
        (a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)
    ):
        x[one] = (x[one] + x[other]) & WORD
        x[three] ^= x[one]
        x[three] = (x[three] << turn | x[three] >> (32 - turn)) & WORD


def stream(key):
    """ChaCha20 of RFC 8439, byte by byte."""
    nonce = struct.unpack("<3L", b"LibsodiumDRG")
    begin = struct.unpack("<4L", b"expand 32-byte k")
    for counter in range(1 << 32):
        state = [*begin, *struct.unpack("<8L", key), counter, *nonce]
        x = list(state)
        for _ in range(10):
            for i in range(4):
                quarter(x, i, 4 + i, 8 + i, 12 + i)
            for i in range(4):
                quarter(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4,
                        12 + (i + 3) % 4)
        yield from struct.pack(
            "<16L", *((a + b) & WORD for a, b in zip(x, state)))


def pack_of(key):
    deck, byte = list(range(40)), stream(key)
    for i in range(39, 0, -1):
        drawn = next(b for b in byte if b < 256 - 256 % (i + 1)) % (i + 1)
        deck[i], deck[drawn] = deck[drawn], deck[i]
    return "".join(VALUES[card % 10] + SUITS[card // 10] for card in deck)


def mac(key, text):
    return hmac.new(key, text.encode(), "sha256").digest()


def read(path):
    with open(path, "rb") as file:
        return file.read()


def setting(config, key):
    found = re.search(f"^{key} = (.*)$", config, re.M)
    return found.group(1) if found else ""


def check_packs(records, key):
    """Checks every pack by the event of its game, and returns their number."""
    count, event = 0, None
    for line in records.splitlines():
        words = dict(w.split("=", 1) for w in line.split() if "=" in w)
        if line.startswith("tag "):
            event = words["event"]
        if not line.startswith("pack "):
            continue
        deal, redeal = line.split()[1], words.get("redeal", "0")
        seed = mac(key, f"scopa-arena-deal-v1|{event}|{deal}|{redeal}")
        assert words["seed"] == seed.hex(), line
        assert words["cards"] == pack_of(seed), line
        count += 1
    return count


def game_text(game):
    scores = ",".join(map(str, json.loads(game["scores"])))
    return (f"m{game['game']}:{scores}:{game['deals']}:{game['winner'] or '-'}"
            f":{game['reason']}:{game['forfeiter'] or '-'}")


def open_results(run):
    results = sqlite3.connect(f"{run}/results.db")
    results.row_factory = sqlite3.Row
    return results


def chain_of(results, records, terms):
    """Yields each block with its chain value, from records and results."""
    run = results.execute("SELECT * FROM run").fetchone()
    chain = sha256(f"scopa-arena-chain-v1 {terms} {run['commitment'] or '-'} "
                   f"{run['contributions'] or '-'}\n")
    for block in results.execute("SELECT * FROM block ORDER BY block"):
        begin = block["record_offset"]
        record = sha256(records[begin:begin + block["record_size"]])
        games = results.execute(
            "SELECT * FROM game WHERE block = ? ORDER BY game",
            (block["block"],))
        texts = ["skipped"] if block["skipped"] else map(game_text, games)
        chain = sha256(f"scopa-arena-chain-v1 {chain} {block['block']} "
                       f"{record} {' '.join(texts)}\n")
        yield block, chain


def check(run):
    config = read(f"{run}/config.ini").decode()
    terms = sha256(read(f"{run}/terms.txt"))
    records = read(f"{run}/records.scopa")
    results = open_results(run)
    row = results.execute("SELECT * FROM run").fetchone()
    seed = setting(config, "seed") or read(f"{run}/secret").decode().strip()
    assert terms == row["terms"]
    if row["commitment"]:
        assert row["commitment"] == sha256(
            f"scopa-arena-commit-v1 {seed} {terms}\n")
        assert row["secret"] in ("", seed)
    key = bytes.fromhex(seed)
    contributions = setting(config, "contribution")
    assert contributions == row["contributions"]
    if contributions:
        assert contributions.split("|") == sorted(contributions.split("|"))
        key = mac(key, "scopa-arena-mix-v1|" + contributions)
    for block, chain in chain_of(results, records, terms):
        assert block["chain"] == chain, block["block"]
    print(check_packs(records.decode(), key))


def correct_chain(run):
    records = read(f"{run}/records.scopa")
    results = open_results(run)
    terms = results.execute("SELECT terms FROM run").fetchone()[0]
    for block, chain in list(chain_of(results, records, terms)):
        results.execute("UPDATE block SET chain = ? WHERE block = ?",
                        (chain, block["block"]))
    results.commit()


def key_of(run):
    config = read(f"{run}/config.ini").decode()
    key = bytes.fromhex(setting(config, "seed"))
    contributions = setting(config, "contribution")
    return mac(key, "scopa-arena-mix-v1|" + contributions) \
        if contributions else key


def earlier_seeds(run, first, last):
    key, text, match = key_of(run), "", ""
    for line in read(f"{run}/records.scopa").decode().splitlines(True):
        if line.startswith("match "):
            number = int(line.split()[1][1:])
            match, line = line, ""
        elif match and line.startswith("tag "):
            event = re.search(r" event=(\S+)", line).group(1)
            if int(first) <= number <= int(last):
                seeds = [mac(key, "scopa-arena-seat-v1|"
                             f"{event}|{(number - 1) % 2 + 1}|{seat}")[:8].hex()
                         for seat in (1, 2)]
                match = re.sub(" seeds=[0-9a-f,]+",
                               " seeds=" + ",".join(seeds), match)
            line, match = match + line, ""
        text += line
    with open(f"{run}/records.scopa", "w") as file:
        file.write(text)
    correct_sums(f"{run}/records.scopa")


def correct_sums(path):
    text, game = b"", b""
    for line in read(path).splitlines(keepends=True):
        if line.startswith(b"match "):
            text, game = text + game, b""
        if line.startswith(b"sum "):
            lines = len(game.splitlines())
            line = f"sum lines={lines} sha256={sha256(game)}\n".encode()
        game += line
    with open(path, "wb") as file:
        file.write(text + game)


def change(run, statement):
    results = open_results(run)
    results.executescript(statement)
    results.close()


COMMANDS = {"check": check, "sums": correct_sums, "sql": change,
            "chain": correct_chain, "seeds": earlier_seeds}
COMMANDS[sys.argv[1]](*sys.argv[2:])
