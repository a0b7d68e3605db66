# Goal: `solve` solves positions of records and of lines of the protocol, and
# refuses other positions with the reason.
. "$SRC/tests/e2e/lib.sh"

record_match games.scopa @greedy @random --rules scientifico --seed 7 --deals 2

scenario 'an ending of a record is solved'
arena 0 solve games.scopa --deal 2 --play 29
expect_err_empty
expect_out '^position  match m1, deal 2, play 29; seat [1-4] .* 12 cards are left$' \
	'^value     [+-][0-9]+ for [AB]: A [0-9]+, B [0-9]+' '^line ' \
	'^moves .*[+-][0-9]+  ' '  played$' '^work      [0-9]+ positions in '

scenario 'without --play the first position within the limit is solved'
arena 0 solve games.scopa --plies-max 8 --json
expect_json '(d["plies"], d["play"], d["deal"]) == (8, 33, 1)'

scenario 'the best line leads to the end of the deal, and has the printed value'
arena 0 solve games.scopa --deal 1 --play 29 --json
expect_json 'len(d["line"]) == 12 and d["line"][0] == d["moves"][0]["move"]' \
	'd["moves"][0]["value"] == d["value"] ==
	(d["points"]["A"] - d["points"]["B"]) * (1 if d["team"] == "A" else -1)'

scenario 'in the last position the only line is the play of the record'
arena 0 solve games.scopa --deal 2 --play 40 --json
expect_json 'd["line"] == [d["played"]]'

bare_scenario 'the lines of the protocol give the same as the record'
python_bot listener.py <<'END'
hello = ['feature analysis=1']

def hear(line):
    if line.startswith(('state ', 'cards ')):
        with open(sys.argv[1], 'a') as log:
            log.write(line)
END
arena 0 match --bot cmd="./listener.py $PWD/heard" @first --rules cirulla \
	--seed 3 --deals 1 --analysis --quiet --record seen.scopa
while read -r state && read -r cards; do
	turns=$((${turns:-0} + 1))
	[ "$turns" -ge 9 ] && break
done <heard
arena 0 solve --state "$state" --cards "$cards" --json
expect_json 'd["match"] is None'
cp "$out" by-lines.json
play=$((37 - $(sed 's/.*"plies": *\([0-9]*\).*/\1/' "$out" | tail -n 1)))
arena 0 solve seen.scopa --play "$play" --json
expect_json 'all(d[key] == json.load(open("by-lines.json"))[key]
	for key in ("value", "win", "moves", "line", "plies"))'

scenario 'a position needs both lines, and they must agree'
refuses '--state: it needs --cards, too$' solve --state "$state"
refuses '--cards: it needs --state, too$' solve --cards "$cards"
refuses 'cards: the cards are not those that the state leaves' solve \
	--state "$state" --cards 'hands=1:7D,2:KB deck=-'
refuses 'state: ' solve --state 'state rules=scopne' --cards "$cards"
refuses 'state: a record is named, too' solve seen.scopa --state "$state" \
	--cards "$cards"

scenario 'more cards than allowed are refused with the number'
refuses '39 cards are still to be played: more than --plies-max 24' solve \
	games.scopa --play 2
expect_err 'say --plies-max 39'
refuses '12 cards are still to be played' solve games.scopa --play 29 \
	--plies-max 11

scenario 'a whole deal is solved if the hands are small'
record_match small.scopa @greedy @random --seed 5 --deals 1
arena 0 solve small.scopa --json
expect_json '(d["plies"], d["play"], len(d["line"])) == (36, 1, 36)'

scenario 'a missing deal or play is refused'
arena 1 solve games.scopa --deal 3
expect_error 'there is no deal 3 in which a card was played$'
arena 1 solve "$SRC/tests/golden/opening-wins.scopa"
expect_error 'there is no deal 1 in which a card was played$'
arena 1 solve small.scopa --play 37
expect_error 'there is no play 37 in deal 1$'
shell_bot dies.sh "[ \$turn_count -lt 2 ] || exit
answer"
record_match begun.scopa ./dies.sh @first --rules scientifico --deals 1
arena 1 solve begun.scopa
expect_error 'every position of deal 1 has too many cards to go$'
expect_err '^  hint    : allow more with --plies-max N$'
arena 1 solve games.scopa --play 29 --match m2
expect_error 'no match has the id "m2"'
refuses 'cannot read none.scopa' solve none.scopa
refuses 'cannot read none.scopa' solve games.scopa none.scopa
refuses 'memory .*1M to 64G' solve games.scopa --memory 100K

scenario 'a game of three teams is solved for the team that is to move'
record_match three.scopa @greedy @random @first --seed 2 --deals 1
arena 0 solve three.scopa --play 25
expect_out '^value .* for [ABC], all others against it: A [0-9]+, B [0-9]+, C'

finish
