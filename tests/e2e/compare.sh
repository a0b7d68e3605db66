# Goal: `report --compare` shows what has changed between two runs, in every
# format, and warns of differences in bots, rules and packs.
. "$SRC/tests/e2e/lib.sh"

play() { # RUN BLUNDER ARGUMENT...
	arena 0 tournament --bot cmd=@greedy name=mine "option.blunder=$2" \
		--bot cmd=@random --bot cmd=@first --rounds 12 --deals 1 \
		--run "$1" --quiet "${@:3}"
}

scenario 'two runs with the same packs are compared round by round'
play before 0 --seed 5
play after 60 --seed 5
arena 0 report --compare before after
expect_out '^result    mine is '
expect_out '^change    points are compared round by round, .* in 12 rounds;'
expect_out '^mine  +[+-][0-9.]+ \+-[0-9.]+ .* [+-][0-9.]+ \[[+-][0-9.]+, [+-][0-9.]+\]$'
expect_out '^margin by settebello '
expect_no_out 'DIFFERS' 'offences, crash'

scenario 'differences between the configurations come first'
play other 60 --seed 6 --tc match:60
arena 0 report --compare before other
expect [ "$(head -n 1 "$out" | cut -c 1-16)" = 'DIFFERS   time: ' ]
expect_out '^change    the runs count as independent'

scenario 'JSON and CSV have the same numbers'
arena 0 report --compare before after --json
expect_json 'd["paired_rounds"] == 12 and
	[row["name"] for row in d["rows"]].count("first") ==
	[row["name"] for row in d["rows"]].count("mine") and
	all(row["low"] <= row["change"] <= row["high"] for row in d["rows"]
	    if row["low"] is not None)'
arena 0 report --compare before after --format csv
expect_out '^mine,points per deal,[0-9.-]+,[0-9.-]+,[0-9.-]+,[0-9.-]+,[0-9.-]+'
arena 0 report --compare before after --format md
expect_out '^\| mine \| .* \| .* \| .* \|$'

scenario 'the HTML page of a comparison is one file'
arena 0 report --compare before after -o page.html
expect_out '^page.html$'
expect grep -q 'Content-Security-Policy' page.html
expect grep -q 'mine is ' page.html

scenario 'a comparison needs two runs, and a report needs one'
refuses 'a comparison is of two runs' report --compare before
refuses '--table is of one run' report --compare before after --format csv \
	--table pairs
expect_err '^  hint    : leave it out: a comparison is one table$'
refuses 'a report is of one run' report before after
arena 2 report --compare before nowhere
finish
