# Goal: a bot gets a single position as it would get it in a match, and its
# answer is printed and judged.
. "$SRC/tests/e2e/lib.sh"

# Plays the first legal move, and appends the lines that it reads to $HEARD.
python_bot first.py <<'END'
import os

def hear(line):
    with open(os.environ['HEARD'], 'a') as heard:
        heard.write(line)

def turn(legal, id):
    print('info depth=1 # the first')
    return 'move {} {}'.format(os.environ.get('ANSWER', legal[0]),
                               os.environ.get('TURN', id))
END

scenario 'the bot is sent the whole deal up to the position'
turn=0
seats_of() { # PRESET
	case $1 in
	scopone* | scientifico | tren*) echo 4 ;;
	*) few_or_all "$(echo 2 3 4 6 | cut -d' ' -f$((turn % 4 + 1)))" '2 3 4 6' ;;
	esac
}
rm -f wrong
for preset in $("$SCOPA_ARENA" rules | awk '/^[a-z-]+ \(/ { print $1 }'); do
	turn=$((turn + 1))
	for seats in $(seats_of "$preset"); do
		others=$(printf '@random %.0s' $(seq 2 "$seats"))
		rm -f played
		# shellcheck disable=SC2086
		"$SCOPA_ARENA" match --bot ./first.py "env.HEARD=$PWD/played" \
			$others --sandbox off --rules "$preset" --seats "$seats" \
			--deals 1 --seed 7 --quiet >/dev/null
		grep '^state ' played >states
		last=$(wc -l <states)
		for line in $(few_or_all "$((last / 2))" \
			"2 $((last / 2)) $last"); do
			state=$(sed -n "${line}p" states)
			rm -f heard
			"$SCOPA_ARENA" ask --bot ./first.py "env.HEARD=$PWD/heard" \
				--sandbox off --state "$state" >answer 2>&1 &&
				[ "$(grep -c '^state ' heard)" = 1 ] &&
				[ "$(grep '^state ' heard)" = "$state" ] ||
				echo "$preset $seats: $state" >>wrong
			# The bot was sent all plays before the position.
			awk -v n="$line" '/^state / && ++k == n { exit } 1' played |
				grep -E '^(play|declare) ' >plays
			sed '/^go /q' heard | grep -E '^(play|declare) ' >asked
			cmp -s plays asked || echo "$preset $seats: plays" >>wrong
		done
	done
done
expect [ ! -e wrong ]
[ ! -e wrong ] || sed 's/^/# /' wrong | head -n 5

state='state rules=scopa seats=2 teams=AB target=11 you=1 hand=2C5C7B deal=3 dealer=2 turn=1 table=3S4B hands=1:3,2:3 deck=24 pile=A:AD2B5SJD,B:7D7SQDQS scopas=A:0,B:0 scores=A:4,B:2 last=2 shown=- plays=1:AD/2:2B/1:JDxAD2B5S/2:7Sx7D/1:3S/2:QSxQD'

scenario 'position, info and answer are printed'
arena 0 ask @greedy --state "$state"
expect_out '^position scopa, deal 3, seat 1 of 2 to move$' '^table    3S 4B$' \
	'^hand     2C 5C 7B$' '^legal    2C 5C 7Bx3S4B$' \
	'^answer   move 7Bx3S4B turn=[0-9a-f]{16}    after [0-9.]+ ms$'
arena 0 ask --bot ./first.py env.HEARD=/dev/null --state "$state"
expect_out '^info     depth=1 # the first$' '^answer   move 2C turn='

scenario '--quiet prints only the move, and --json prints an object'
arena 0 ask @greedy --quiet --state "${state#state }"
expect_out '^7Bx3S4B$'
expect [ "$(wc -l <"$out")" = 1 ]
echo "$state" >line
run_from line "$SCOPA_ARENA" ask @greedy --json --state -
expect_exit 0
expect_json 'd["move"] == "7Bx3S4B" and d["refused"] is None' \
	'd["legal"] == ["2C", "5C", "7Bx3S4B"]' \
	'd["bot"] == "greedy" and d["ms"] > 0'

scenario 'a declaration is accepted as an answer'
declaring='state rules=cirulla seats=2 teams=AB target=51 you=1 hand=2B4C7C deal=1 dealer=2 turn=1 table=4S5D6DKD hands=1:3,2:3 deck=30 pile=A:-,B:- scopas=A:0,B:0 scores=A:0,B:0 last=- shown=- plays=- declared=A:0,B:0 matta=- opening=0'
arena 0 ask @greedy --state "$declaring"
expect_out '^answer   move !low:A turn=[0-9a-f]{16}    after [0-9.]+ ms$'
# The value of the wild 7 in the line must follow from its plays.
declared=$(sed 's/shown=-/shown=1:2B4C7C/; s/plays=-/plays=1:!low:A/
	s/declared=A:0/declared=A:3/' <<<"$declaring")
arena 0 ask @greedy --state "${declared/matta=-/matta=A}"
expect_out '^answer   move 7Cx4S5D6DKD '
refuses 'no course of the deal leads to this position' \
	ask @greedy --state "${declared/matta=-/matta=2}"

scenario 'the bot is sent the score and the deal number of the state line'
rm -f heard
arena 0 ask --bot ./first.py "env.HEARD=$PWD/heard" --sandbox off \
	--state "$state"
expect grep -q '^deal 3 dealer=2 first=1 scores=A:4,B:2$' heard

scenario 'an illegal answer is explained, and is a failure of the bot'
arena 4 ask --bot ./first.py env.HEARD=/dev/null env.ANSWER=7B \
	--state "$state"
expect_err 'not legal: This card can capture' '^  legal   : 2C 5C 7Bx3S4B$' \
	'^  received: move 7B turn='
arena 4 ask --bot ./first.py env.HEARD=/dev/null env.ANSWER=nonsense \
	--state "$state"
expect_err 'not legal: '

scenario 'a bot that does not answer runs out of time'
shell_bot mute :
arena 4 ask ./mute --tc move:0.2 --state "$state"
expect_err 'gave no answer' 'No answer came within the time of a move'

scenario 'an answer to another question is ignored, as in a match'
arena 4 ask --bot ./first.py env.HEARD=/dev/null env.TURN=turn=1234 \
	--tc move:0.2 --state "$state"
expect_err 'gave no answer' '^  hint    : 1 answer had another turn= than'
expect_no_out '^answer'

# Answers when it has used 0.2 s of a core.
python_bot busy.py <<'END'
import time

def turn(*_):
    while time.process_time() < busy_until:
        pass

busy_until = time.process_time() + 0.2
END

if [ -e /proc/self/schedstat ]; then
	scenario 'the time that other processes use of its core is not counted'
	core=$(cores_here | sed 's/[-,].*//')
	run_beside 2 "$core" taskset -c "$core" "$SCOPA_ARENA" ask 'python3 busy.py' \
		--tc move:0.25 --state "$state"
	expect_exit 0
	expect_out '^answer   move 2C '
else
	skip 'the time that other processes use of its core is not counted' 'no schedstat'
fi

scenario 'the exit status of a bot is not shown as a line of the bot'
program ends 'exit 3'
arena 4 ask ./ends --state "$state"
expect_err '^  ended   : exited with status 3$' '^  received: nothing$'

bare_scenario 'a bot that loses its supervisor is no reason to wait'
program killer "kill -KILL \$PPID; sleep 9"
RUN_SECONDS=20 arena 5 ask ./killer --sandbox off --state "$state"
expect_err '^error: the machine refused: Owner died$'

scenario 'a bot that gives up as soon as it is ready has given no answer'
shell_bot gives-up answer 'isready) printf "readyok\nerror fatal\n" ;;'
arena 4 ask ./gives-up --state "$state"
expect_err '^  received: error fatal$'
arena 1 check ./gives-up
expect_out '^    found   : gave up \(error fatal\)'

scenario 'a line that is no position is refused'
refuses 'no position is given' ask @greedy
refuses '--state: ' ask @greedy --state 'state rules=scopa'
refuses 'is not to move' \
	ask @greedy --state "${state/you=1/you=2}"
refuses '--state: ' \
	ask @greedy --state "${state/hand=2C/hand=3S}"
refuses 'deck must be 30' ask @greedy --state "${state% plays=*}"
refuses 'standard input has no line' ask @greedy --state - </dev/null
refuses '0 bots are named' ask --state "$state"
refuses '2 bots are named' ask @greedy @random --state "$state"
finish
