# Goal: `rate` computes ratings with intervals from records of games, or from
# counts of results.
. "$SRC/tests/e2e/lib.sh"

rate() { # STATUS ARGUMENT...
	arena "$1" rate "${@:2}"
}

record_match games.scopa --deals 1 --duplicate @greedy @random --rounds 60 --seed 1
record_match games.scopa --deals 1 --duplicate --rounds 60 --seed 2 --bot cmd=@greedy \
	--bot cmd=@greedy name=dull option.blunder=300
record_match games.scopa --deals 1 --duplicate --rounds 60 --seed 3 --bot cmd=@random \
	--bot cmd=@greedy name=dull option.blunder=300

scenario 'three bots are ranked with points, Elo and places'
rate 0 games.scopa
expect_err_empty
expect_out '^scopa: 360 games in 180 blocks$' \
	'^# +name +rating +ranks +place +> next +points per deal +score +won +drawn +lost$' \
	'^1 +greedy +\+[0-9.]+ .* [5-9][0-9]\.[0-9]%( +[0-9]+){3}$' \
	'^# +name +Elo +blocks +games$' '^1 +greedy +\+[0-9.]+ \+-[0-9.]+ +120 +240$' \
	'^2 +dull ' '^3 +random +-[0-9.]+ ' \
	'^1 +greedy +\. +\+[0-9.]+ \+-[0-9.]+ \(60\) +\+.*\(60\)$'

scenario 'the JSON output has the same, with consistent numbers'
rate 0 --json games.scopa
expect_json 'd["format"] == "scopa-arena-ratings" and d["version"] == 1' \
	'[b["name"] for b in d["ranking"]] == ["greedy", "dull", "random"]' \
	'abs(sum(b["rating"]["value"] for b in d["ranking"])) < 1e-5' \
	'abs(sum(b["elo"]["value"] for b in d["ranking"])) < 1e-2' \
	'all(b["rating"]["low"] < b["rating"]["value"] < b["rating"]["high"]
	for b in d["ranking"])' \
	'sum(b["results"]["wins"] for b in d["ranking"]) ==
	sum(b["results"]["losses"] for b in d["ranking"])' \
	'all(abs(sum(b["place_probabilities"]) - 1) < 1e-3
	for b in d["ranking"])' \
	'bot["greedy"]["place_probabilities"][0] > 0.9' \
	'len(d["encounters"]) == 3' \
	'all(e["blocks"] == 60 and e["games"] == 120
	for e in d["encounters"])' \
	'd["ranking"][2]["above_next"] is None'

scenario 'the same seed gives the same samples, another seed other samples'
rate 0 --json --seed 7 games.scopa
cp "$out" one.json
rate 0 --json --seed 7 games.scopa
expect_same "$out" one.json
rate 0 --json --seed 8 games.scopa
! cmp -s "$out" one.json || fail 'another seed gives the same samples'
rate 0 --json --bootstrap 0 games.scopa
expect_json 'd["replicates"] == 0' \
	'd["ranking"][0]["place_probabilities"] is None'
rate 0 --bootstrap 0 games.scopa
expect_no_out ' place '

scenario 'the order of files and of games does not matter'
rate 0 --json --bootstrap 0 --model margin games.scopa
cp "$out" one.json
awk '/^match / { file = sprintf("game%03d", 999 - ++count) }
	file != "" { print >file }' games.scopa
rate 0 --json --bootstrap 0 --model margin game[0-9]*
expect_json 'd["blocks"] == 180 and d["games"] == 360'
python3 - one.json "$out" <<'END' || fail 'ratings depend on the order'
import json, sys
a, b = ({r["name"]: r["rating"]["value"] for r in json.load(open(f))["ranking"]}
        for f in sys.argv[1:])
sys.exit(a.keys() != b.keys() or any(abs(a[n] - b[n]) > 1e-5 for n in a))
END

scenario 'each model prints only its own columns'
rate 0 --model margin games.scopa
expect_out '^ranking by points per deal, ' '^# +name +rating '
expect_no_out 'Elo|skill'
rate 0 --model elo games.scopa
expect_out '^ranking by Elo, ' '^# .* Elo +blocks +games$'
expect_no_out 'points per deal|skill'
expect_out '^crosstable: score of the row'
rate 0 --model plackett-luce games.scopa
expect_out '^ranking by skill ' '^# .* skill \(sigma\) '
expect_no_out 'Elo|rating|place'
refuses 'model' rate --model glicko games.scopa

scenario 'the level decides the width of intervals'
rate 0 --json --level 0.5 games.scopa
expect_json 'd["level"] == 0.5'
half=$(python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))["ranking"][0]["rating"]
print(r["high"] - r["low"])' "$out")
rate 0 --json --level 0.99 games.scopa
expect_json "bot['greedy']['rating']['high'] - bot['greedy']['rating']['low'] >
	3.5 * $half"
refuses 'level' rate --level 1 games.scopa

scenario 'games of three have a column for Plackett-Luce'
record_match three.scopa --deals 1 --duplicate @greedy @random @first --rules scopa,players=3 --rounds 12 \
	--seed 4
rate 0 three.scopa
expect_err_empty
expect_out '^scopa: 36 games in 12 blocks$' '^# .* skill \(sigma\) +blocks' \
	'^[123] +greedy .* [0-9.]+ \([0-9.]+\) '
rate 0 --json three.scopa
expect_json 'd["blocks"] == 12 and 0 < bot["greedy"]["skill"]["sigma"] < 8' \
	'all(e["games"] == 36 for e in d["encounters"])'

scenario 'games of teams are counted, with the same and with other partners'
record_match teams.scopa --deals 1 --duplicate @greedy @random --rules scopone --rounds 8 --seed 5
rate 0 teams.scopa
expect_out '^scopone: 16 games in 8 blocks$'
record_match teams.scopa --deals 1 --duplicate @greedy @random @first @greedy --rules scopone --rounds 8 \
	--seed 6
rate 0 teams.scopa
expect_err_empty
expect_out '^scopone: 48 games in 16 blocks$' '^[1-4] +greedy-2 '

scenario 'a broken record is named and skipped, and the exit status says so'
sed '0,/^play 1 /s/^play 1 .*/play 1 KDxADACAS/' games.scopa >broken.scopa
rate 1 broken.scopa
expect_err '^broken\.scopa:[0-9]+: skipped: V[12]: '
expect_err '^warning: 1 of 180 blocks lack games: '
expect_out '^scopa: 359 games in 180 blocks$'

scenario 'records of other rules are named and skipped'
rate 1 games.scopa teams.scopa
expect_err '^teams\.scopa:2: skipped: the rules are not those of the games before'
expect_out '^scopa: 360 games in 180 blocks$'

scenario 'a record that is there twice counts once'
rate 0 games.scopa games.scopa
expect_err '^warning: records that were there twice .*: 360$'
expect_out '^scopa: 360 games in 180 blocks$'
run_from games.scopa "$SCOPA_ARENA" rate -
expect_exit 0
expect_out '^scopa: 360 games in 180 blocks$'

scenario 'forfeits are counted separately'
shell_bot quitter 'exit 3'
record_match forfeits.scopa --deals 1 --duplicate @greedy ./quitter --rounds 5 --seed 7
rate 0 --json games.scopa forfeits.scopa
expect_json 'd["forfeits"] == 10 and bot["quitter"]["forfeits"] == 10' \
	'bot["quitter"]["elo"]["beyond"] == "low"' \
	'bot["quitter"]["group"] == 1' \
	'all(b["clean_rating"]["beyond"] == "both" for b in d["ranking"])'
rate 0 games.scopa forfeits.scopa
expect_out '^# +name +rating +clean ' '\(10 games were forfeited\)' \
	'^4 +quitter .* <-[0-9.]+ \+-\? '

scenario 'records without a game are refused'
refuses 'cannot read none\.scopa' rate none.scopa
: >empty.scopa
rate 2 empty.scopa
expect_error 'holds no game record'
sed 's/winner=[AB-] reason=deals/winner=- reason=deals/' games.scopa |
	head -n 100 >cut.scopa
rate 1 cut.scopa
expect_out_empty

scenario 'counts of wins, draws and losses are rated'
printf '%s\n' '# FIRST SECOND W D L' 'ada bob 10 5 5' 'bob cid 12 2 6' '' \
	'cid ada 1 0 4 # five more' >counts.txt
rate 0 --counts counts.txt
expect_err_empty
expect_out '^45 games, read as wins, draws, losses$'
expect_out '^1 +ada +1-[23] +[0-9.]+% +66\.0% +14 +5 +6 +\+[0-9.]+ \+-[0-9.]+ +25$'
expect_out '^3 +cid .* -[0-9.]+ \+-[0-9.]+ +25$' \
	'^ranks: the places that stay open when all 3 comparisons hold at once'
expect_no_out 'place  |points per deal'
printf '\xef\xbb\xbfada bob 10 5 5\r\n' >two.txt
rate 0 --counts two.txt
expect_out '^1 +ada '
expect_no_out 'ranks|Elo with'
run_with 'ada bob 10 5 5
bob cid 12 2 6
ada cid 4 0 1
' "$SCOPA_ARENA" rate --counts - --json
expect_json '[b["name"] for b in d["ranking"]] == ["ada", "bob", "cid"]' \
	'd["rules"] is None and d["order_by"] == "elo"'

scenario 'a bot that has won all games is listed with a mark'
printf 'ada bob 9 0 0\nbob cid 5 0 5\n' >wins.txt
rate 0 --counts wins.txt
expect_out '^1 +ada .* >\+[0-9.]+ \+-\? ' '^[23] +bob .* -[0-9.]+ \+-[0-9.]+ '
expect_no_out 'nan|inf'

scenario 'the Elo of a bot without a game is not limited'
printf 'ada bob 3 1 2\ncid dan 0 0 0\n' >nothing.txt
rate 0 --counts nothing.txt --json
expect_json '[b["elo"]["beyond"] for b in d["ranking"]] ==
	["none", "none", "both", "both"]'

scenario 'counts of margins are rated'
printf 'ada bob 100 0.5 2.0\nbob ada 100 -0.5 2.0\ndan eve 40 1 2.5\n' \
	>margins.txt
rate 0 --counts margins.txt
expect_out '^240 blocks$' '^1 +ada +\+0\.250 .* 1$' '^3 +dan +\+0\.500 .* 40 +2$'
# For two bots of different groups no result is printed.
expect_no_out '^2 .*%' '^2 +bob +-0\.250 \+-[0-9.]+ +\?'
expect_out '^group: no chain'
expect_no_out 'Elo'
rate 0 --counts margins.txt --json
expect_json 'bot["dan"]["group"] == 2 and bot["dan"]["elo"] is None'

scenario 'margins without any spread have no interval'
printf 'ada bob 10 1.5 0.0\nbob cid 2 0.0 0.0\n' >equal.txt
rate 0 --counts equal.txt
expect_out '^1 +ada +\+1\.000 \+-\? +1-3 +\? +10$' '^\?: too few blocks'
rate 0 --counts equal.txt --json
expect_json 'all(b["rating"]["beyond"] == "both" for b in d["ranking"])'
refuses 'no games' rate --counts margins.txt --model elo
# A number that is 0 has no sign.
printf 'bob cid 2 1.0 1.0\nada bob 2 0.0 1.0\n' >zero.txt
rate 0 --counts zero.txt --json
expect_no_out '-0\.0+[^0-9]'
printf 'ada bob 3 1 1\nbob cid 3 1 1\n' >zero.txt
rate 0 --counts zero.txt --csv
expect_no_out '-0\.0+,'
refuses 'no margins' rate --counts counts.txt --model margin
refuses 'order of the games' rate --counts counts.txt --model plackett-luce

scenario 'a wrong line of counts is named with its number'
while IFS='|' read -r line why; do
	printf 'ada bob 1 2 3\n%s\n' "$line" >wrong.txt
	refuses "wrong\\.txt:2: $why" rate --counts wrong.txt
	expect_err '^  hint    : '
done <<'END'
ada bob 1 2|not five words: there are too few
ada bob 1 2 3 4|not five words: there are too many
ada bob one 2 3|WINS: "one" is not a number of games
ada bob -3 2 3|WINS: "-3" is not a number of games
ada bob 3 -2 3|DRAWS: "-2" is not a number of games
ada bob 3 2 -3|LOSSES: "-3" is not a number of games
ada bob 3 2 1e3|LOSSES: "1e3" is not a number of games
ada bob 1 99999999999 3|DRAWS: "99999999999" is not a number of games
ada bob 10 5.5 3|a number with a point, where the lines before have games
ada ada 1 2 3|a bot against itself
first second wins losses draws|the columns are in another order
END
while IFS='|' read -r line why; do
	printf 'ada bob 100 0.5 1.0\n%s\n' "$line" >wrong.txt
	refuses "wrong\\.txt:2: $why" rate --counts wrong.txt
done <<'END'
ada bob 10 0.5 -1.0|SD: "-1.0" is not a mean or standard deviation
ada bob 10 nan 1.0|MEAN: "nan" is not a mean or standard deviation
ada bob 10.5 0.5 1.0|BLOCKS: "10.5" is not a number of blocks
ada bob 10 5 3|no number has a point, where the lines before have margins
END
printf 'ada bob 3 2 1\nFIRST SECOND BLOCKS MEAN SD\nada bob 9 0.5 1.0\n' >wrong.txt
refuses 'wrong\.txt:2: a heading of margins, where the lines before have games' \
	rate --counts wrong.txt
printf 'first second blocks mean sd\nfirst second wins draws losses\n' >wrong.txt
refuses 'wrong\.txt:2: a heading of games, where the lines before have margins' \
	rate --counts wrong.txt
printf 'First Second Wins Draws Losses\nada bob 3 2 1\n' >named.txt
rate 0 --counts named.txt
expect_out '^6 games, read as wins, draws, losses$' ' 3 +2 +1 '
printf '# nothing\nada bob 0 0 0\n' >wrong.txt
refuses 'holds no results' rate --counts wrong.txt
refuses 'cannot read none\.txt' rate --counts none.txt
refuses 'exclude each other' rate --counts counts.txt games.scopa

scenario 'an anchor has the rating that it is given'
rate 0 --counts counts.txt --anchor bob=1500 --json
expect_json 'bot["bob"]["elo"] == {"value": 1500, "low": 1500, "high": 1500,
	"beyond": "none"}' \
	'bot["ada"]["elo"]["value"] > 1500 > bot["cid"]["elo"]["value"]'
rate 0 games.scopa --anchor random=-1.5 --json
expect_json 'bot["random"]["rating"]["value"] == -1.5' \
	'all(b["clean_rating"] == b["rating"] for b in d["ranking"])'
# How sure the order is does not depend on the anchor, which has one block.
printf 'ada bob 100 0.5 2.0\nbob cid 100 0.5 2.0\ncid dan 1 0.5 0.0\n' >few.txt
rate 0 --counts few.txt --json
cp "$out" one.json
expect_json 'all(b["above_next"] > 0.9 for b in d["ranking"][:2])'
rate 0 --counts few.txt --anchor dan=0 --json
expect_json '[b["above_next"] for b in d["ranking"]] ==
	[b["above_next"] for b in json.load(open("one.json"))["ranking"]]'

scenario 'a bot that has won all its games to the anchor has no upper limit'
printf 'ada bob 10 0 0\nada cid 10 0 0\nbob cid 5 2 5\nbob dan 8 0 0\n' >won.txt
rate 0 --counts won.txt --json
expect_json '[b["elo"]["beyond"] for b in d["ranking"]] ==
	["high", "none", "none", "low"]'
rate 0 --counts won.txt --anchor bob=1500 --json
expect_json '[b["elo"]["beyond"] for b in d["ranking"]] ==
	["high", "none", "none", "low"]'
rate 0 --counts won.txt --anchor bob=1500
expect_out '^4 +dan .* <\+' '^Elo with > or <: no result limits it on this side'
rate 0 --counts won.txt --anchor dan=1500 --json
expect_json '[b["elo"]["beyond"] for b in d["ranking"]] ==
	["high", "high", "high", "none"]' \
	'bot["dan"]["elo"]["low"] == bot["dan"]["elo"]["high"] == 1500'
rate 0 --counts won.txt --anchor ada=1500 --json
expect_json '[b["elo"]["beyond"] for b in d["ranking"]] ==
	["none", "low", "low", "low"]'

scenario 'the name of the anchor cannot contain controls of the terminal'
printf 'a\033[1m bob 1 2 3\n' >controls.txt
rate 0 --counts controls.txt --anchor $'a\033[1m=1500'
expect_out ', a\\x1b\[1m at 1500$'

scenario 'a wrong anchor is refused'
refuses 'no bot has this name' rate --counts counts.txt --anchor nobody=3
for value in x 5000.5 nan; do
	refuses 'a number from -5000 to 5000' rate --counts counts.txt \
		--anchor "bob=$value"
done

scenario 'the CSV output has the ratings'
rate 0 games.scopa --csv
expect_csv '[r["name"] for r in d] == ["greedy", "dull", "random"]' \
	'all(float(r["points_low"]) < float(r["points"]) < float(r["points_high"])
	for r in d)' \
	'all(int(r["wins"]) + int(r["draws"]) + int(r["losses"]) == 240 for r in d)' \
	'all(1 <= int(r["rank_low"]) <= int(r["rank_high"]) <= 3 for r in d)'
rate 0 games.scopa --model plackett-luce --json
expect_json 'all(b["rank_low"] is None and b["rank_high"] is None
	for b in d["ranking"])'
rate 0 --counts counts.txt --csv
expect_out '^1,ada,1,,,,[0-9.]+,'
# As in the JSON output, only the values of the model.
while read -r model points elo mu; do
	rate 0 games.scopa --model "$model" --csv
	expect_csv "[[r[k] != '' for k in ('points', 'points_high', 'elo', 'elo_low', 'mu',
		'sigma')] for r in d] == [[$points] * 2 + [$elo] * 2 + [$mu] * 2] * 3"
done <<'END'
margin True False False
elo False True False
plackett-luce False False True
all True True True
END
rate 2 --counts counts.txt --csv --json

scenario 'the same deal in two records is no new evidence'
record_match again.scopa --deals 1 --duplicate @greedy @random --rounds 60 --seed 1
rate 0 --json --model margin --bootstrap 0 games.scopa
cp "$out" one.json
rate 0 --json --model margin --bootstrap 0 games.scopa again.scopa
expect_same one.json "$out"
expect_err 'no new evidence and were left out: 120$'
run "$SCOPA_ARENA" sprt --records again.scopa --elo0 0 --elo1 10 --json
cp "$out" one.json
record_match again.scopa --deals 1 --duplicate @greedy @random --rounds 60 --seed 1
run "$SCOPA_ARENA" sprt --records again.scopa --elo0 0 --elo1 10 --json
expect_err 'no new evidence and were left out: 120$'
expect_same one.json "$out"

scenario 'the same deal under twenty-five event names counts once'
awk '/^match m1 / && count++ { exit } 1' games.scopa >once.scopa
for i in $(seq 25); do
	sed -E "s/event=[^ ]+/event=e$i/; s/ secret=[0-9a-f]+//; /^sum /d" once.scopa
done | "$SCOPA_ARENA" record derive - >many.scopa
rate 0 --bootstrap 0 many.scopa
expect_err 'left out: 2880$'
expect_out '^scopa: 120 games in 60 blocks$'

# Runs with shared packs, with three bots in a block, and with different
# partners.
bare_scenario 'games of a run are rated as in its report'
while read -r name options; do
	# shellcheck disable=SC2086 # words
	arena 0 tournament @greedy @random @first @chitarrella $options \
		--rounds 3 --deals 1 --seed 5 --tc none --quiet --run "$name"
	"$SCOPA_ARENA" status "$name" --json >report.json
	arena 0 rate "$name" --json
	expect_json '{n: (b["rating"], b["elo"]) for n, b in bot.items()} ==
		{b["name"]: (b["rating"], b["elo"])
		for b in json.load(open("report.json"))["ranking"]}'
done <<-END
	pairs
	three --rules scopa,players=3
	mixed --rules scopone --partners mixed
END

scenario 'for many bots the table of pairs is left out'
for ((a = 1; a <= 130; a++)); do
	for ((b = a + 1; b <= 130; b++)); do
		echo "b$a b$b 1 1 1"
	done
done >many.txt
arena 0 rate --counts many.txt
expect_out '^crosstable: left out of more than 64 bots; --json has it$'
expect [ "$(wc -l <"$out")" -lt 150 ]

finish
