# Goal: `sprt` on counts or records gives the same numbers as other
# implementations of its models, to many digits, and refuses what it cannot
# test.
. "$SRC/tests/e2e/lib.sh"

sprt() { # STATUS ARGUMENT...
	arena "$1" sprt "${@:2}"
}

# A second implementation of the model of margins.
cat >models.py <<'END_OF_MODELS'
import csv, json, math, os, subprocess

PER_T = 800 / math.log(10)

def ask(*arguments):
    return json.loads(subprocess.run(
        [os.environ["SCOPA_ARENA"], "sprt", "--json", *arguments],
        check=True, capture_output=True).stdout)

def margin(n, mean, sigma, nelo0, nelo1):
    t, unit = mean / sigma, PER_T / math.sqrt(2)
    return n * (nelo1 - nelo0) / unit * (t - (nelo0 + nelo1) / 2 / unit)

def near(found, expected, tolerance=1e-6):
    return abs(found - expected) <= tolerance * (1 + abs(expected))

def results(counts):
    if len(counts) == 5:
        return ["--penta", ",".join(map(str, counts))]
    return ["--wdl", "%d,%d,%d" % (counts[2], counts[1], counts[0])]

def margins(path, bot):
    """Of each round the margins of a bot's games."""
    export = subprocess.run([os.environ["SCOPA_ARENA"], "record", "export",
        "--csv", path], check=True, capture_output=True, text=True).stdout
    rounds = {}
    for row in csv.DictReader(export.splitlines()):
        games = rounds.setdefault(row["round"], {})
        points = int(row["points"]) * (1 if row["names"] == bot else -1)
        games[row["match"]] = games.get(row["match"], 0) + points
    return [list(games.values()) for games in rounds.values()]
END_OF_MODELS

scenario 'the numbers for games agree with a computation by hand'
sprt 0 --wdl 320,150,280 --model logistic --elo0 0 --elo1 10 --json
expect_err_empty
expect_json 'd["format"] == "scopa-arena-sprt" and d["version"] == 1' \
	'd["model"] == "logistic" and d["unit"] == "Elo" and d["n"] == 750' \
	'near(d["lower"], math.log(0.05 / 0.95)) and
	near(d["upper"], math.log(0.95 / 0.05)) and d["decision"] == "continue"' \
	'near(d["score"], 395 / 750)' \
	'near(d["elo"], -400 * math.log10(750 / 395 - 1))'
variance='(320 / 750 + 150 / 3000 - (395 / 750) ** 2)'
expect_json "near(d['nelo'],
	(395 / 750 - 0.5) / math.sqrt($variance) * 800 / math.log(10))" \
	"near(d['nelo_error'], d['peers']['nelo_error'] *
	math.sqrt(1 + (d['nelo'] * math.log(10) / 800) ** 2 / 2))" \
	"near(d['peers']['nelo_error'],
	800 / math.log(10) * 1.959963984540054 / math.sqrt(750))" \
	"near(d['peers']['los'], (1 + math.erf((395 / 750 - 0.5) /
	math.sqrt(2 * $variance / 750))) / 2)" \
	"near(d['elo_error'], (lambda half:
	200 * math.log10(1 / (1 / (395 / 750 + half) - 1)) -
	200 * math.log10(1 / (1 / (395 / 750 - half) - 1)))(
	1.959963984540054 * math.sqrt($variance / 750)))"

scenario 'bounds for points can be in points or in normalised Elo'
sprt 0 --moments 220,0.2909090909,2.148341 --points0 0 --points1 0.3 --json
expect_json 'd["model"] == "margin" and d["unit"] == "points a deal"' \
	'near(d["peers"]["llr"], 110 * math.log((1 +
	(0.2909090909 / 2.148341) ** 2) /
	(1 + ((0.2909090909 - 0.3) / 2.148341) ** 2)))' \
	'near(d["llr"], 220 * 0.3 * (0.2909090909 - 0.15) / 2.148341 ** 2)' \
	'd["score"] is None and d["elo"] is None and d["elo_error"] is None' \
	'near(d["peers"]["los"], (1 + math.erf(0.2909090909 / 2.148341 *
	math.sqrt(110))) / 2)' \
	'near(d["nelo"], 347.43558552260146 * 0.2909090909 / 2.148341 /
	math.sqrt(2))'
# The interval by Student's t, from the same numbers in the file of vectors.
expect_json 'near(d["intervals"]["points"]["low"], 0.00479710763815433, 1e-5)
	and near(d["intervals"]["points"]["high"], 0.5770210741800272, 1e-5)'
sprt 0 --moments 220,0.2909090909,2.148341 --single --json
expect_json 'near(d["nelo"], 347.43558552260146 * 0.2909090909 / 2.148341)' \
	'd["unit"] == "nElo" and d["h0"] == 0 and d["h1"] == 5'

scenario 'the bound that was reached is the decision'
sprt 0 --wdl 600,500,400 --elo0 0 --elo1 10 --json
expect_json 'd["llr"] >= d["upper"] and d["decision"] == "H1" and
	d["remaining"] == 0'
sprt 0 --wdl 400,500,600 --elo0 0 --elo1 10 --json
expect_json 'd["llr"] <= d["lower"] and d["decision"] == "H0"'
sprt 0 --wdl 600,500,400 --elo0 0 --elo1 10
expect_out '^model +logistic: ' \
	'^bounds +H0 0, H1 10 in Elo; alpha 0.05, beta 0.05$' \
	'^LLR +\+[0-9.]+ between -2\.94 and \+2\.94: H1 accepted$' \
	'^games +1500$' '^score +56\.7% \[[0-9.]+%, [0-9.]+%\]$'
sprt 0 --wdl 600,500,400 --elo0 0 --elo1 10 --alpha 0.01 --beta 0.2 --json
expect_json 'near(d["upper"], math.log(0.8 / 0.01)) and
	near(d["lower"], math.log(0.2 / 0.99))'

scenario 'margins far beyond a bound are decided at once'
sprt 0 --moments 30,-22,0
expect_out '^LLR +-[0-9.]+ between -2\.94 and \+2\.94: H0 accepted$'
sprt 0 --moments 30,-4.2,1.65
expect_out '^LLR .*: H0 accepted at once, 1[0-9]\.[0-9] standard errors beyond'
sprt 0 --moments 100000,0,0
expect_out '^LLR +0\.000 .*: continue'

scenario 'after a decision the estimate is median-unbiased'
sprt 0 --penta 379,10170,21828,10640,343 --model normalized --elo0 0 --elo1 2 \
	--json
expect_json 'near(d["unbiased"]["value"], 1.4211050400541496) and
	near(d["unbiased"]["low"], 0.14605145542271544, 1e-5) and
	near(d["unbiased"]["high"], 2.6642561166927354, 1e-5) and
	d["unbiased_unit"] == "Elo"'

scenario 'a test of margins with few blocks is not decided, and says so'
sprt 0 --moments 29,3,0.5 --points0 0 --points1 1
expect_out '^LLR .*\+.*: continue.*; no decision before 30 blocks$'
sprt 0 --moments 29,3,0.5 --points0 0 --points1 1 --json
expect_json 'd["llr"] >= d["upper"] and d["decision"] == "continue" and
	d["minimum"] == 30'
cp "$out" held.json
sprt 0 --moments 29,3,0.5 --points0 0 --points1 1 --minimum 0 --json
expect_json 'd["decision"] == "H1" and
	d["llr"] == json.load(open("held.json"))["llr"]'
sprt 0 --moments 30,3,0.5 --points0 0 --points1 1 --json
expect_json 'd["decision"] == "H1"'
sprt 0 --wdl 20,0,0 --elo0 0 --elo1 400 --json
expect_json 'd["minimum"] == 0 and d["decision"] == "H1"'

scenario 'one-sided, single, missing and very many results give finite numbers'
python3 - <<'END_OF_PYTHON' >wrong || fail "$(cat wrong)"
import sys
from models import *
always = "llr lower upper nelo nelo_error los".split()
cases = """--wdl 0,0,0|--wdl 1,0,0|--wdl 0,1,0|--wdl 0,0,40|--penta 0,0,0,0,0
--penta 0,0,0,1,0|--penta 0,0,9,0,0|--penta 5,0,0,0,5|--penta 0,7,0,0,0
--wdl 1000000000000000,0,0|--wdl 1e15,1e15,1e15|--penta 1e15,1e15,1e15,1e15,1e15
--wdl 9,1,5 --elo0 1 --elo1 1.00000000000001
--moments 0,0,0|--moments 1,3,0|--moments 900,2,0|--moments 1e15,1e6,1e-9"""
wrong = 0
for case in cases.replace("\n", "|").split("|"):
    for model in ("margin", "logistic", "normalized", "bayesian"):
        points = case.startswith("--moments")
        if points and model != "margin" or \
                case.startswith("--penta") and model == "bayesian":
            continue
        arguments = ["--model", model, *case.split()]
        found = ask(*arguments)
        keys = always + ([] if points else ["score", "elo", "elo_error"])
        text = subprocess.run(
            [os.environ["SCOPA_ARENA"], "sprt", *arguments], check=True,
            capture_output=True, text=True).stdout
        if any(type(found[key]) not in (int, float) for key in keys) or \
                "nan" in text or "inf" in text:
            print(arguments, found, text)
            wrong += 1
sys.exit(wrong > 0)
END_OF_PYTHON
sprt 0 --wdl 0,0,0 --json
expect_json 'd["llr"] == 0 and d["decision"] == "continue" and d["los"] == 0.5'
sprt 0 --wdl 12,0,0
expect_out '^Elo +>10000 \[\+[0-9.]+, >10000\]$'

# Reads rows of a reason, and of several lists of arguments that are refused with
# this reason.
expect_refused() { # ARGUMENT...
	local why lists arguments
	while IFS='|' read -r why lists; do
		while IFS= read -r arguments; do
			# The arguments are split into words.
			# shellcheck disable=SC2086
			refuses "$why" sprt "$@" $arguments
			expect_err '^  try     : '
		done <<<"${lists//|/$'\n'}"
	done
}

scenario 'wrong arguments and counts are refused with a reason'
expect_refused <<'END_OF_CASES'
no results|
three counts|--wdl 1,2|--wdl 1,x,2|--wdl 1,nan,2|--wdl 1,3,-2|--wdl 1.5,3,2
three counts|--wdl 9e15,3,2|--wdl 1,2,3,|--wdl 1,,3|--wdl 1,2,0x3
three counts|--wdl 1,2,1e999|--wdl 1,2,1000000000000001
five counts|--penta 1,2,3,4,-5|--penta 1,2,3,4|--penta 1,2,3,4,5,6
number, mean and standard deviation|--moments 10,1|--moments 10,inf,1
out of range|--moments 10,1,-1|--moments 10.5,1,1|--moments 10,1000001,1
out of range|--moments 10,1,1000001|--wdl 1,3,2 --elo0 -10001
out of range|--wdl 1,3,2 --elo1 1e99|--wdl 1,3,2 --minimum -1
not a whole number|--wdl 1,3,2 --minimum 1.5
so few blocks|--moments 1,2,3|--moments 0,1,0
choose bots of records|--moments 10,1,1 --base ada|--wdl 1,3,2 --bot ada
more than one source|--wdl 1,3,2 --penta 1,2,3,4,5
--single is about --moments|--wdl 1,3,2 --single
elo0=5 is not below elo1=5|--wdl 1,3,2 --elo0 5 --elo1 5
elo0=7 is not below elo1=5|--wdl 1,3,2 --elo0 7
not a number|--wdl 1,3,2 --elo0 nan|--wdl 1,3,2 --elo0 x
alpha and beta|--wdl 1,3,2 --alpha 0|--wdl 1,3,2 --beta 0.5
--alpha x|--wdl 1,3,2 --alpha x
--level|--wdl 1,3,2 --level 1
have no points|--wdl 1,3,2 --model margin --points0 0 --points1 1
belong together|--moments 9,1,1 --points0 0
not in both|--moments 9,1,1 --points0 0 --elo1 1
needs results|--moments 9,1,1 --model logistic
needs single games|--penta 1,2,3,4,5 --model bayesian
--reading|--wdl 1,3,2 --reading cutechess
not one of|--wdl 1,3,2 --model elo
games\.scopa|--wdl 1,3,2 games.scopa
END_OF_CASES

scenario 'records are tested by points, pairs and games'
record_match games.scopa --deals 1 --duplicate @greedy @random --rounds 60 --seed 1
sprt 0 --records games.scopa --json
expect_err_empty
expect_json 'd["model"] == "margin" and d["counted"] == "blocks" and
	d["n"] == 60 and d["candidate"] == "greedy" and d["base"] == "random"' \
	'd["paired"] and d["clean_llr"] == d["llr"] and
	d["forfeits"] == 0'
cp "$out" forth.json
python3 - games.scopa forth.json <<'END_OF_PYTHON' >wrong ||
import statistics, sys
from models import *
found = json.load(open(sys.argv[2]))
rounds = margins(sys.argv[1], "greedy")
scores = [[(m > 0) / 2 + (m >= 0) / 2 for m in games] for games in rounds]
blocks = [sum(games) / 2 for games in rounds]
expected = {
    "llr": margin(60, statistics.mean(blocks), statistics.pstdev(blocks), 0, 5),
    "score": statistics.mean(sum(s) / 2 for s in scores),
    "nelo": PER_T / math.sqrt(2) * statistics.mean(blocks) /
        statistics.pstdev(blocks),
}
for key, value in expected.items():
    if not near(found[key], value):
        print(key, found[key], value)
        sys.exit(1)
penta = [0] * 5
for pair in scores:
    penta[round(2 * sum(pair))] += 1
games = [s for pair in scores for s in pair]
wdl = [games.count(s) for s in (0, 0.5, 1)]
for counts, model in ((penta, "logistic"), (penta, "normalized"),
                      (wdl, "bayesian")):
    own = ask("--records", sys.argv[1], "--model", model)
    other = ask(*results(counts), "--model", model)
    for key in ("llr", "lower", "upper", "decision", "score", "elo",
                "elo_error", "nelo", "nelo_error", "los"):
        if own[key] != other[key]:
            print(model, counts, key, own[key], other[key])
            sys.exit(1)
END_OF_PYTHON
	fail "$(cat wrong)"

scenario 'the same records seen from the other bot give the same evidence'
sprt 0 --records games.scopa --bot random --elo0 -5 --elo1 0 --json
expect_json 'd["candidate"] == "random" and
	near(d["llr"], -json.load(open("forth.json"))["llr"]) and
	near(d["score"], 1 - json.load(open("forth.json"))["score"])'
run_from games.scopa "$SCOPA_ARENA" sprt --records - --json
expect_same "$out" forth.json
sprt 0 --records games.scopa --elo1 50
expect_out '^LLR +\+[0-9.]+ between .*: H1 accepted$'
expect_out '^blocks +60 of greedy against random$'
expect_out '^estimate +\+[0-9.]+ \[.*\] per deal, median-unbiased, interval of 95%$'
expect_out '^points +\+[0-9.]+ \[.*\] per deal, plain, interval of 95%$'
expect_out '^nElo .* of points$'

scenario 'bounds in points need a model that counts points'
sprt 0 --records games.scopa --points0 0 --points1 1 --json
expect_json 'd["unit"] == "points a deal" and d["decision"] == "H1"'
refuses 'only the models margin and betting count points' sprt \
	--records games.scopa --points0 0 --points1 1 --model logistic

scenario 'the model betting agrees with a second implementation'
record_match strong.scopa --deals 1 --duplicate @greedy @random --rounds 150 --seed 1
record_match equal.scopa --deals 1 --duplicate --bot cmd=@random name=random --bot cmd=@random name=same \
	--rounds 150 --seed 2
cat >bets.py <<'END_OF_PYTHON'
import sys
from models import *
LIMIT = 22
def bets(numbers, low, high):
    """The two ways to stake against either bound: mixed half and half."""
    wealth = {(side, way): 1.0 for side in (1, -1) for way in (0, 1)}
    for n, x in enumerate(numbers):
        seen = numbers[:n]
        mean = sum(seen) / (n + 1)
        spread = sum((v - sum(seen) / n) ** 2 for v in seen) if n else 0
        variance = (spread + (LIMIT / 8) ** 2) / (n + 1)
        for (side, way) in wealth:
            bound = low if side == 1 else high
            gain = (high - low, max(side * (mean - bound), 0))[way]
            stake = min(gain / (variance + gain ** 2),
                        0.75 / (LIMIT + side * bound))
            wealth[side, way] *= 1 + stake * side * (x - bound)
    up, down = [max(math.log((wealth[s, 0] + wealth[s, 1]) / 2), 0)
                for s in (1, -1)]
    return up if up >= down else -down
d = json.load(open(sys.argv[1]))
blocks = [sum(games) / 2 for games in margins(sys.argv[2], d["candidate"])]
expected = bets(blocks, d["h0"], d["h1"])
if abs(d["llr"] - expected) > 1e-8:
    sys.exit("%s: %r is not %r" % (d["candidate"], d["llr"], expected))
END_OF_PYTHON
bet() { # FILE ARGUMENT...
	sprt 0 --records "$1" --model betting "${@:2}" --json
	expect_err_empty
	python3 -S bets.py "$out" "$1" 2>wrong || fail "$(cat wrong)"
}
bet strong.scopa
expect_json 'd["model"] == "betting" and d["unit"] == "points a deal" and
	d["h0"] == 0 and d["h1"] == 0.3 and d["counted"] == "blocks" and
	d["n"] == 150 and d["minimum"] == 0 and d["source"] == "records"' \
	'd["decision"] == "H1" and d["llr"] > d["upper"] and
	near(d["upper"], math.log(20)) and near(d["lower"], -math.log(20)) and
	d["clean_llr"] == d["llr"] and d["clean_decision"] == "H1"'
bet strong.scopa --bot random --points0 -0.2 --points1 2 --alpha 0.01
expect_json 'd["decision"] == "H0" and d["llr"] < d["lower"] and
	near(d["upper"], math.log(100))'
bet strong.scopa --minimum 151
expect_json 'd["decision"] == "continue" and d["llr"] > d["upper"]'
bet equal.scopa --points0 -0.3 --points1 0.3
expect_json 'd["decision"] == "continue" and d["candidate"] == "random"'
sprt 0 --records strong.scopa --model betting
expect_out '^model +betting: points'
expect_out '^bounds +H0 0, H1 0\.3 in points per deal; alpha 0\.05, beta 0\.05$'
expect_out '^LLR +\+[0-9.]+ between -3\.00 and \+3\.00: H1 accepted$'
expect_out '^blocks +150 of greedy against random$'
run_from strong.scopa "$SCOPA_ARENA" sprt --records - --model betting --bot greedy --base random
expect_out '^LLR +.*: H1 accepted$'

scenario 'wrong arguments of the model betting are refused'
expect_refused --model betting <<'END_OF_CASES'
points in the order of games: --records|--wdl 1,3,2|--penta 1,2,3,4,5
points in the order of games: --records|--moments 9,1,1
give points0 and points1|--records strong.scopa --elo1 5
points0=2 is not below points1=1|--records strong.scopa --points0 2 --points1 1
points0 and points1 belong together|--records strong.scopa --points0 0
beyond what a deal can give|--records strong.scopa --points0 0 --points1 22
beyond what a deal can give|--records strong.scopa --points0 -22 --points1 1
not compared with itself|--records strong.scopa --base greedy
no such bot|--records strong.scopa --bot ada
END_OF_CASES

scenario 'the old option --wld gets a hint about the order of counts'
sprt 2 --wld 320,280,150
expect_err '^  hint    : --wld is now --wdl: wins, draws, losses in this order$'

scenario 'with records of several bots two must be named'
record_match three.scopa --deals 1 --duplicate @greedy @random @first --rules scopa,players=3 --rounds 12 \
	--seed 4
refuses '3 bots in the records: which two' sprt --records three.scopa
expect_err '--bot greedy --base random'
sprt 0 --records three.scopa --bot greedy --base first --json
expect_json 'd["n"] == 12 and d["candidate"] == "greedy" and
	d["base"] == "first"'
sprt 0 --records three.scopa --bot greedy --base first --model logistic --json
expect_json 'd["counted"] == "games" and d["n"] == 36 and
	not d["paired"]'
for names in '--bot nobody' '--bot greedy --base nobody' \
	'--bot greedy --base greedy'; do
	# The names are split into words.
	# shellcheck disable=SC2086
	refuses 'no such bot|not compared with itself' sprt \
		--records three.scopa $names
done
record_match other.scopa --deals 1 --duplicate @greedy @first --rounds 2 --seed 4
cat games.scopa other.scopa >apart.scopa
refuses 'have not met' sprt --records apart.scopa --bot random --base first

scenario 'bad records are named and skipped, and the others are tested'
sed '0,/^play 1 /s/^play 1 .*/play 1 KDxADACAS/' games.scopa >broken.scopa
sprt 1 --records broken.scopa --json
expect_err '^broken\.scopa:[0-9]+: skipped: '
expect_err '^warning: 1 of 60 blocks lack games: '
expect_json 'd["n"] == 60 and not d["paired"]'
refuses 'cannot read none\.scopa' sprt --records none.scopa
: >empty.scopa
sprt 2 --records empty.scopa
expect_error 'holds no game record'

scenario 'a decision from few blocks with a difference is marked'
record_match few.scopa --deals 1 --duplicate @greedy @first --rounds 20 --seed 7
sprt 0 --records few.scopa
expect_no_out '^CAUTION'
sprt 0 --records few.scopa --minimum 5 --elo1 40 --alpha 0.4 --beta 0.4
expect_out '^LLR .*: H1 accepted'
expect_out '^CAUTION +the bots differed in [0-9]+ blocks: '

scenario 'forfeits are counted separately'
shell_bot quitter 'exit 3'
record_match forfeits.scopa --deals 1 --duplicate @greedy ./quitter --rounds 5 --seed 7
sprt 0 --records forfeits.scopa --bot quitter --json
expect_json 'd["forfeits"] == 10 and d["base_forfeits"] == 0 and d["n"] == 5' \
	'd["clean_llr"] == 0 and d["clean_decision"] == "continue"'
sprt 0 --records forfeits.scopa --bot quitter --model betting --json
expect_json 'd["llr"] < 0 and d["clean_llr"] == 0'
sprt 0 --records forfeits.scopa --bot quitter
expect_out '^forfeits +10 and 0 of the games$'
expect_out '^LLR .*, without forfeited blocks$'

scenario 'bots that are equal in each block have no spread'
record_match alike.scopa --seats 3 --deals 10 --duplicate --rounds 12 --seed 5 \
	--bot cmd=@first name=ada --bot cmd=@first name=bob --bot cmd=@first name=cid
sprt 0 --records alike.scopa --bot ada --base bob --minimum 5 --json
expect_json 'd["n"] == 12 and d["differing"] == 0 and d["few_differing"]' \
	'd["llr"] == 0 and d["nelo"] == 0 and d["los"] == 0.5' \
	'd["intervals"]["points"]["beyond"] == "both"'
arena 0 rate alike.scopa
expect_out '^1 +[a-z]+ +0\.000 \+-\? .* 0\.0 \+-\?$'

finish
