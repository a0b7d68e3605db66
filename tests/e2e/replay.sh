# Goal: `replay` sends a bot the same lines as its seat was sent in a recorded
# game, and prints its answers beside the moves that were played.
. "$SRC/tests/e2e/lib.sh"

# Answers with the first legal move, or with $ANSWER from the second question on.
python_bot first.py <<'END'
import os

count = 0

def turn(legal, id):
    global count
    count += 1
    move = os.environ.get('ANSWER', legal[0]) if count > 1 else legal[0]
    if move == 'exit':
        sys.exit(3)
    return f'move {move} {id}'
END

scenario 'a bot gives the same answers as in the game'
arena 0 match @greedy @random --seed 5 --deals 3 --record games.scopa --quiet
for deal in 1 2 3; do
	arena 0 replay games.scopa --bot @greedy --deal $deal
	expect_out '^match m1, scopa, deal '$deal', seat 1 as greedy played it$'
	expect_out '^18 decisions: 18 as played, 0 other, 0 illegal$'
done
arena 0 replay games.scopa --bot ./first.py --deal 2 --seat 2
expect_out ' as random played it$'
expect_out '^18 decisions: [0-9]+ as played, [1-9][0-9]* other, 0 illegal$'
expect_out '^ +1  '

scenario 'a bad record beside that of the deal does no harm'
record_match more.scopa @greedy @random --seed 6 --deals 1
sed '0,/^play /{/^play /d}' more.scopa | cat games.scopa - >bad.scopa
arena 0 replay bad.scopa --bot @greedy
expect_err 'bad\.scopa:'
expect_out '^18 decisions: 18 as played, 0 other, 0 illegal$'
arena 1 replay bad.scopa --bot @greedy --deal 9

scenario 'the bot is sent the events of its seat as in the record'
rm -f wrong
for preset in $("$SCOPA_ARENA" rules | awk '/^[a-z-]+ \(/ { print $1 }'); do
	rm -f one.scopa
	case $preset in
	scopone* | scientifico | tren*)
		bots='@random @random @greedy @random' ;;
	*) bots='@random @random @greedy' ;;
	esac
	# shellcheck disable=SC2086
	arena 0 match $bots --rules "$preset" --deals 1 --seed 3 --quiet \
		--record one.scopa --tc deal:5+0.1
	"$SCOPA_ARENA" replay one.scopa --bot @greedy --seat 3 --lines >lines
	"$SCOPA_ARENA" record redact one.scopa --seat 3 >redacted
	grep -Ev '^(%|tag |sum |#)' redacted | sed 's/ t=[0-9.]*//; s/ version=.*//' \
		>record
	grep -Ev '^(>|usp |isready|state |legal|go |abort |endmatch |quit)' lines |
		sed 's/ version=.*//' >sent
	grep -Ev '^(endmatch|info) ' record | cmp -s - sent ||
		echo "$preset" >>wrong
	grep -q '^go turn=[0-9a-f]* time=5000 inc=100$' lines ||
		echo "$preset: clock" >>wrong
done
expect [ ! -e wrong ]
[ ! -e wrong ] || sed 's/^/# /' wrong

scenario 'the bot has the time of the game, or the time that is given'
sent_times() { # PATTERN ARGUMENT...
	arena 0 replay one.scopa --seat 3 --lines "${@:2}"
	expect_out "^go turn=[0-9a-f]* $1\$"
}
sent_times 'time=5000 inc=100' --bot @greedy
sent_times move=3000 --bot @greedy --tc move:3
sent_times move=4000 --bot @greedy tc=move:4 --tc move:3

scenario 'the game continues as it was played, whatever the bot answers'
arena 4 replay games.scopa --bot ./first.py env.ANSWER=KDx7S
expect_out '  illegal: The card is not in your hand\.$'
expect_out '^18 decisions: .* 17 illegal$'
arena 4 replay games.scopa --bot ./first.py env.ANSWER=rubbish
expect_out ' rubbish .* illegal: This is not a move\.$'

scenario 'the question at which a game was lost is asked again'
arena 0 match --bot ./first.py env.ANSWER=7Dx7D name=twice --bot @random \
	--seed 5 --deals 1 --quiet --record lost.scopa
arena 4 replay lost.scopa --bot ./first.py env.ANSWER=7Dx7D
expect_out '  -  .*7Dx7D .* illegal: The move names a card twice\.$'
expect_err 'received: move 7Dx7D '
arena 0 replay lost.scopa --bot @greedy
expect_out '^2 decisions: '

scenario 'a bot that ends is a failure, and its answers are printed'
arena 4 replay games.scopa --bot ./first.py env.ANSWER=exit
expect_out '^1 decision: '
expect_err 'did not answer to the end: exited with status 3'

scenario 'the JSON output has each decision'
arena 0 replay games.scopa --bot @greedy --json
expect_json 'd["same"] == 18 == len(d["decisions"])' \
	'd["decisions"][0]["played"] == d["decisions"][0]["answer"]' \
	'd["decisions"][0]["refused"] is None'

scenario 'wrong arguments are refused with a reason'
refuses '0 bots are named' replay games.scopa
refuses '--seat 3: there are 2 seats' replay games.scopa --bot @greedy --seat 3
refuses 'nothing.scopa' replay nothing.scopa --bot @greedy
arena 1 replay games.scopa --bot @greedy --deal 9
expect_err 'there is no deal 9'
# Its opening table wins the match.
arena 1 replay "$SRC/tests/golden/opening-wins.scopa" --bot @greedy
expect_err 'there is no deal 1 in which a card was played$'
arena 1 replay games.scopa --bot @greedy --match m9
expect_err 'm9'
finish
