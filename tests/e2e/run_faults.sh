# Goal: report, log and status of a tournament or gate show the author of a bot
# why the bot has lost games, like the output of `match`.
. "$SRC/tests/e2e/lib.sh"

# Sends its argument as the answer to each question; M is a legal move, and ID
# the turn.
python_bot mine.py <<'END'
hello = ['option name=level type=int default=1 min=0 max=9']
count = 0

def turn(legal, id):
    global count
    answer = sys.argv[1]
    if answer == 'crash':
        raise ValueError('no such card')
    count += 1
    if answer == 'later':
        answer = 'move M ID' if count == 1 else 'move'
    return answer.replace('ID', id).replace('M', legal[0])
END

play() { # COMMAND ANSWER OPTION...
	rm -rf cup
	run "$SCOPA_ARENA" "$1" --run cup --seed 5 --rounds 2 --deals 1 \
		--tc move:0.3 --bot "cmd=python3 mine.py '$2'" option.level=3 \
		--bot cmd=@greedy "${@:3}"
}

# Expects the explanation of an offence, on stdout and in the log.
expect_explained() {
	expect_out '^  position: deal 1, play [12], seat [12] to move$' \
		'^  legal   : ' '^  expected: move MOVE turn=[0-9a-f]{16}$' \
		'^  state   : state rules=scopa seats=2 '
	expect_line 'warn  m1: mine: position: deal 1, play [12], seat' cup/log.txt
	expect_line 'warn  m4: mine: hand    : ' cup/log.txt
	expect_line 'warn  m1: mine: state   : state rules=scopa ' cup/log.txt
}

# Runs the command in the report, which shows the offence again.
expect_again() { # COMMAND
	expect_lines 1 "^  again   : [^ ]* $1 " "$out"
	run sh -c "$(sed -n 's/^  again   : //p' "$out")"
	expect_exit 4
}

for command in tournament gate; do
	scenario "an illegal move in every game of a $command is explained"
	play "$command" 'move KD ID'
	expect_out '^faults    mine lost 4 of 4 games by an offence; the first, m1: illegal move \(not-in-hand\)$'
	expect_out '^mine lost m1: illegal move \(not-in-hand\)$'
	expect_out '^  received: move KD turn='
	expect_out '^  wrong   : The card is not in your hand\.$'
	expect_out '^  log     : cup/log\.txt has all losses by offences$'
	expect_explained
	expect_line 'warn  m4: mine loses: illegal move \(not-in-hand\)$' \
		cup/log.txt

	scenario "the command in the report of a $command shows the offence again"
	expect_again ask
	expect_err '^  received: move KD turn='
	play "$command" later
	expect_again replay
	expect_err '^  position: deal 1, play [34], seat [12] to move$'
	expect_err '^  received: move$'
done

scenario 'status and --quiet name the offence in one line'
run "$SCOPA_ARENA" status cup
expect_out '^faults    mine lost 4 of 4 games by an offence; the first, m1: '
expect_no_out '^  position'
run "$SCOPA_ARENA" status cup --quiet
expect_out '^faults    mine lost 4 of 4 games by an offence; the first, m1: '
play tournament 'move KD ID' --quiet
expect_out '^faults    mine lost 4 of 4 games by an offence; the first, m1: '
expect_no_out '^  position'
run "$SCOPA_ARENA" status cup --json
expect_json 'bot["mine"]["first_forfeit"] ==
	{"match": "m1", "kind": "illegal", "reason": "not-in-hand"}' \
	'bot["greedy"]["first_forfeit"] is None'

scenario 'the traceback of a bot is shown and logged'
play tournament crash
expect_out '^mine lost m1: exited with status 1$'
expect_out '^  ended   : exited with status 1$'
expect_out '^  stderr  : Traceback \(most recent call last\):$'
expect_out '^  stderr  : ValueError: no such card$'
expect_explained
expect_line 'warn  m1: mine: stderr  : Traceback \(most' cup/log.txt
expect_line 'warn  m1: mine: stderr  : ValueError: no such card$' cup/log.txt
expect_line 'warn  m1: mine loses: exited with status 1$' cup/log.txt
run "$SCOPA_ARENA" record show --offences cup/records.scopa
expect_out 'mine +offence: exited with status 1 \(forfeit\)$'

scenario 'for a bot without an offence nothing is explained'
play tournament 'move M ID'
expect_exit 0
expect_no_out '^faults ' '^  again '
expect_no_line ' warn ' cup/log.txt

scenario 'resume explains the games that were lost since it began'
# The packs are drawn, so no card is certainly illegal: the move has a wrong
# form.
arena 0 tournament --run later --rounds 1 --deals 1 --announce --quiet \
	--bot "cmd=python3 mine.py 'move 8D ID'" --bot cmd=@greedy
run "$SCOPA_ARENA" resume later
expect_out '^mine lost m1: illegal move \(syntax\)$'
expect_out '^  wrong   : A move is written like 7D, .*; upper and lower case differ\.$'

finish
