# Goal: a match that is interrupted ends in order: its record is whole, its
# exit code says so, and no process is left.
. "$SRC/tests/e2e/lib.sh"

# Writes to `moved` for each question, and to `quits` for `quit`.
# shellcheck disable=SC2016 # The variables are the bot's.
shell_bot slow 'echo asked >>moved; sleep 0.02; answer' '
	abort | endmatch) echo "$verb $first $rest" >>ends ;;
	quit)
		echo quit >>quits
		[ "${1-}" != stays ] || exec sleep 1000
		exit
		;;'
program mute 'echo started >>moved' 'exec sleep 1000'

# Starts a match, and waits for COUNT questions.
play() { # COUNT ARGUMENT...
	rm -f moved quits ends games.scopa
	start "$SCOPA_ARENA" match "${@:2}" --record games.scopa
	await moved . "$1"
}

# Expects the exit status of this signal, whole records, and this number of aborted
# games.
expect_ended() { # SIGNAL ABORTED
	expect_signalled "$1"
	expect_no_children
	expect_verified games.scopa
	expect_lines "$(grep -c '^sum ' games.scopa)" '^match ' games.scopa
	expect_lines "$2" '^abort match reason=interrupted$' games.scopa
	expect_lines "$2" '^endmatch .* winner=- reason=abort$' games.scopa
}

for signal in INT TERM; do
	bare_scenario "SIG$signal ends a match with its exit status and a whole record"
	play 5 ./slow ./slow --deals 100
	end_by "$signal"
	expect_ended "$signal" 1
	# The bots are sent the abort, and `quit`.
	expect_lines 2 '^abort match reason=interrupted' ends
	expect_lines 2 '^endmatch .* you=draw reason=abort' ends
	expect_lines 2 . quits
done

bare_scenario 'games that have ended are recorded, and running games are aborted'
play 80 ./slow @first --deals 1 --rounds 1000 --concurrency 3 --json
end_by INT
aborted=$(grep -c ' reason=abort$' games.scopa)
expect_ended INT "$aborted"
expect [ "$aborted" -le 3 ]
games=$(grep -c ' reason=deals$' games.scopa)
expect_json "d['end'] == 'interrupted' and d['games_played'] == $games"

bare_scenario 'the result is that of the only game that has ended'
# Each game has 18 questions for it; it hangs in its second game.
# shellcheck disable=SC2016 # The variables are the bot's.
shell_bot hangs 'echo asked >>moved; [ "$turn_count" -lt 25 ] || exec sleep 1000; answer'
play 25 ./hangs @first --deals 1 --rounds 3 --seed 5 --concurrency 1 \
	--tc move:600
end_by INT
expect_ended INT 1
expect_lines 1 '^game 1 ' "$out"
expect_out "^result +$(sed -nE 's/^game 1 +(.*)  after .*/\1/p' "$out"),"

bare_scenario 'an interruption before the first card leaves no block'
play 1 ./mute @first
end_by INT 130
expect_no_line '^match' games.scopa

bare_scenario 'bots that ignore quit are killed, by a second signal at once'
play 3 './slow stays' './slow stays' --deals 100
kill -s INT "$arena"
await quits quit 2
end_by INT
expect_ended INT 1

scenario 'a parent that ignores or blocks signals changes nothing'
for change in \
	'for number in numbers: signal.signal(number, signal.SIG_IGN)' \
	'signal.pthread_sigmask(signal.SIG_BLOCK, numbers)'; do
	expect_run 0 python3 -c "import os, signal, sys
numbers = signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}
$change
os.execvp(sys.argv[1], sys.argv[1:])" \
		"$SCOPA_ARENA" match @first @random --deals 1
	expect_out '^result '
	expect_err_empty
done

bare_scenario 'one signal is enough to end bots that ignore quit'
play 3 './slow stays' './slow stays' --deals 100
end_by TERM
expect_ended TERM 1

bare_scenario 'a signal to the whole process group has the same effect'
play 5 ./slow ./slow --deals 100
# Like Ctrl-C, which sends the signal to all processes of the foreground group.
for process in $(xargs <"/proc/$arena/task/$arena/children"); do
	kill -s INT "$process" 2>/dev/null
done
end_by INT
expect_ended INT 1

finish
