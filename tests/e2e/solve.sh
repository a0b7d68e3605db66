# Goal: positions are solved from records and from lines of the protocol, and
# what cannot be solved is refused with the reason.
. "$SRC/tests/e2e/lib.sh"

# What an expression says of the JSON document in $out.
field() { # EXPRESSION
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
print(eval(sys.argv[2]))' "$out" "$1"
}

"$SCOPA_ARENA" match @greedy @random --rules scientifico --seed 7 --deals 2 \
	--quiet --record games.scopa >/dev/null 2>&1

scenario 'an ending of a record is solved'
run "$SCOPA_ARENA" solve games.scopa --deal 2 --play 29
expect_exit 0
expect_err_empty
expect_out '^position  match m1, deal 2, play 29; seat [1-4] .* 12 cards are left$'
expect_out '^value     [+-][0-9]+ for [AB]: A [0-9]+, B [0-9]+'
expect_out '^line '
expect_out '^moves .*[+-][0-9]+  '
expect_out '  played$'
expect_out '^work      [0-9]+ positions in '

scenario 'without --play it is the first position that is short enough'
run "$SCOPA_ARENA" solve games.scopa --plies-max 8 --json
expect_exit 0
expect test "$(field 'd["plies"], d["play"], d["deal"]')" = '(8, 33, 1)'

scenario 'the best line is as long as the deal, and worth the value'
run "$SCOPA_ARENA" solve games.scopa --deal 1 --play 29 --json
expect_exit 0
expect test "$(field 'len(d["line"])')" -eq 12
expect test "$(field 'd["line"][0] == d["moves"][0]["move"]')" = True
expect test "$(field 'd["moves"][0]["value"] == d["value"]')" = True
expect test "$(field '(d["points"]["A"] - d["points"]["B"])*(
	1 if d["team"] == "A" else -1) == d["value"]')" = True

scenario 'in the last position there is nothing but what was played'
run "$SCOPA_ARENA" solve games.scopa --deal 2 --play 40 --json
expect_exit 0
expect test "$(field 'd["line"] == [d["played"]]')" = True

bare_scenario 'the lines of the protocol give the same as the record'
cat >listener.py <<'END'
#!/usr/bin/env python3
import sys
log = open(sys.argv[1], "a")
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "usp":
        print("id name=listener\nfeature analysis=1\nuspok 1", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "legal":
        move = rest.split(" ")[0]
    elif word in ("state", "cards"):
        log.write(line)
        log.flush()
    elif word == "go":
        print("move %s %s" % (move, rest.split(" ")[0]), flush=True)
    elif word == "quit":
        break
END
chmod +x listener.py
run "$SCOPA_ARENA" match --bot cmd="./listener.py $PWD/heard" @first \
	--rules cirulla --seed 3 --deals 1 --analysis --quiet --record seen.scopa
expect_exit 0
while read -r state && read -r cards; do
	turns=$((${turns:-0} + 1))
	[ "$turns" -ge 9 ] && break
done <heard
run "$SCOPA_ARENA" solve --state "$state" --cards "$cards" --json
expect_exit 0
expect test "$(field 'd["match"]')" = None
answer=$(field 'd["value"], d["win"], d["moves"], d["line"], d["plies"]')
play=$(field '37 - d["plies"]')
run "$SCOPA_ARENA" solve seen.scopa --play "$play" --json
expect_exit 0
expect test "$answer" = \
	"$(field 'd["value"], d["win"], d["moves"], d["line"], d["plies"]')"

scenario 'a position needs both lines, and they must agree'
run "$SCOPA_ARENA" solve --state "$state"
expect_exit 2
expect_error 'state: --state and --cards go together'
run "$SCOPA_ARENA" solve --cards "$cards"
expect_exit 2
expect_error 'cards: --state and --cards go together'
run "$SCOPA_ARENA" solve --state "$state" --cards 'hands=1:7D,2:KB deck=-'
expect_exit 2
expect_error 'cards: the cards are not those that the state leaves'
run "$SCOPA_ARENA" solve --state 'state rules=scopne' --cards "$cards"
expect_exit 2
expect_error 'state: '
run "$SCOPA_ARENA" solve seen.scopa --state "$state" --cards "$cards"
expect_exit 2
expect_error 'state: a record is named, too'

scenario 'more cards than allowed are refused with the number'
run "$SCOPA_ARENA" solve games.scopa --play 2
expect_exit 2
expect_error '39 cards are still to be played: more than --plies-max 24'
expect_err 'say --plies-max 39'
run "$SCOPA_ARENA" solve games.scopa --play 29 --plies-max 11
expect_exit 2
expect_error '12 cards are still to be played'

scenario 'a whole deal is solved where hands are small'
"$SCOPA_ARENA" match @greedy @random --seed 5 --deals 1 --quiet \
	--record small.scopa >/dev/null 2>&1
run "$SCOPA_ARENA" solve small.scopa --json
expect_exit 0
expect test "$(field 'd["plies"], d["play"], len(d["line"])')" = '(36, 1, 36)'

scenario 'what is not there is refused'
run "$SCOPA_ARENA" solve games.scopa --deal 3
expect_exit 1
expect_error 'there is no deal 3 '
run "$SCOPA_ARENA" solve games.scopa --play 29 --match m2
expect_exit 1
expect_error 'no match has the id "m2"'
run "$SCOPA_ARENA" solve none.scopa
expect_exit 2
expect_error 'cannot read none.scopa'
run "$SCOPA_ARENA" solve games.scopa --memory 100K
expect_exit 2
expect_error 'memory .*1M to 64G'

scenario 'three parties are solved for the one that is to move'
"$SCOPA_ARENA" match @greedy @random @first --seed 2 --deals 1 --quiet \
	--record three.scopa >/dev/null 2>&1
run "$SCOPA_ARENA" solve three.scopa --play 25
expect_exit 0
expect_out '^value .* for [ABC], all others against it: A [0-9]+, B [0-9]+, C'

finish
