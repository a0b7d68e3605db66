# Goal: a match that is interrupted ends in order: its record is whole, its
# exit code says so, and no process is left.
. "$SRC/tests/e2e/lib.sh"

# Plays slowly; writes to `moved` when it is asked, to `quit` when sent away.
cat >slow <<'END'
#!/bin/sh
while read -r verb first rest; do
	case $verb in
	usp) printf 'id name=slow\nuspok 1\n' ;;
	isready) echo readyok ;;
	legal) move=$first ;;
	go)
		echo asked >>moved
		sleep "${PAUSE:-0.02}"
		echo "move $move $first"
		;;
	abort | endmatch) echo "$verb $first $rest" >>ends ;;
	quit)
		echo quit >>quits
		[ "${1-}" != stays ] || exec sleep 1000
		exit
		;;
	esac
done
END
printf '#!/bin/sh\necho started >>moved\nexec sleep 1000\n' >mute
chmod +x slow mute

# Starts a match in the background, with the signals as in a terminal.
launch() { # ARGUMENT...
	ran="match $*"
	run_mark=SCOPA_TEST_MARK=$$.$scenario_count.$RANDOM
	rm -f moved quits ends games.scopa
	env --default-signal=INT,TERM "$run_mark" "$SCOPA_ARENA" match "$@" \
		</dev/null >"$out" 2>"$err" &
	arena=$!
}

# All blocks are whole, and this many of them were broken off.
expect_record() { # ABORTED
	"$SCOPA_ARENA" record verify games.scopa >verified 2>&1 ||
		fail "$(head -n 3 verified)"
	expect [ "$(grep -c '^match ' games.scopa)" -eq \
		"$(grep -c '^sum ' games.scopa)" ]
	expect [ "$(grep -c '^abort match reason=interrupted$' games.scopa)" \
		-eq "$1" ]
	expect [ "$(grep -c '^endmatch .* winner=- reason=abort$' \
		games.scopa)" -eq "$1" ]
}

while read -r signal code; do
	scenario_unwalled "SIG$signal ends a match with $code and a whole record"
	launch ./slow ./slow --deals 100 --record games.scopa
	await_lines moved 5
	kill -s "$signal" "$arena"
	reap
	expect_exit "$code"
	expect_no_children
	expect_record 1
	# The bots hear of it, and are sent away in good order.
	expect [ "$(grep -c '^abort match reason=interrupted' ends)" -eq 2 ]
	expect [ "$(grep -c '^endmatch .* you=draw reason=abort' ends)" -eq 2 ]
	expect [ "$(wc -l <quits)" -eq 2 ]
done <<'END'
INT 130
TERM 143
END

scenario 'games that have ended stay, and those that are on end'
launch ./slow @first --deals 1 --rounds 1000 --concurrency 3 \
	--record games.scopa --json
await_lines games.scopa 100
kill -s INT "$arena"
reap
expect_exit 130
expect_no_children
python3 -m json.tool "$out" >/dev/null || fail 'this is no JSON'
grep -q '"end": *"interrupted"' "$out" || fail 'it does not say why it ended'
games=$(grep -c ' reason=deals$' games.scopa)
expect grep -q "\"games_played\": *$games," "$out"
expect_record "$(grep -c ' reason=abort$' games.scopa)"
expect [ "$(grep -c ' reason=abort$' games.scopa)" -le 3 ]

scenario_unwalled 'an interruption before the first card leaves no block'
launch ./mute @first --record games.scopa
await_lines moved 1
kill -s INT "$arena"
reap
expect_exit 130
expect_no_children
! grep -q '^match' games.scopa || fail 'a game was recorded'

scenario_unwalled 'bots that do not go are killed, at the second signal at once'
launch './slow stays' './slow stays' --deals 100 --record games.scopa
await_lines moved 3
kill -s INT "$arena"
await_lines quits 2
kill -s INT "$arena"
reap
expect_exit 130
expect_no_children
expect_record 1

scenario_unwalled 'one signal is enough for bots that do not go'
launch './slow stays' './slow stays' --deals 100 --record games.scopa
await_lines moved 3
kill -s TERM "$arena"
reap
expect_exit 143
expect_no_children
expect_record 1

scenario 'answers on their way do no harm'
for pause in 0.1 0.15 0.2 0.25; do
	launch @random @random @first --rounds 100000 --deals 5 \
		--concurrency 2 --record games.scopa
	await_lines games.scopa 1
	sleep $pause
	kill -s INT "$arena"
	reap
	expect_exit 130
	expect_no_children
	expect_record "$(grep -c ' reason=abort$' games.scopa)"
done

scenario_unwalled 'a signal to the whole group is the same'
launch ./slow ./slow --deals 100 --record games.scopa
await_lines moved 5
# As Ctrl-C does: everybody in the foreground group hears it.
for process in "$arena" $(cat "/proc/$arena/task/$arena/children"); do
	kill -s INT "$process" 2>/dev/null
done
reap
expect_exit 130
expect_no_children
expect_record 1

scenario_unwalled 'nobody outlives an arena that is killed'
bot=slow-$$-$RANDOM
cp slow "$bot"
printf '%s' "$bot" >name
launch "./$bot" "./$bot stays" --deals 1000 --concurrency 2 --rounds 10
await_lines moved 5
kill -s KILL "$arena"
reap
expect_exit 137
expect_soon_no_children
! grep -qsaFf name /proc/[0-9]*/cmdline || fail 'a bot lives on'

scenario 'the death of a worker is told, and its games are played again'
launch ./slow @first --deals 1 --rounds 8 --concurrency 2 --record games.scopa
await_lines games.scopa 100
for signal in KILL SEGV ABRT; do
	read -r worker _ <"/proc/$arena/task/$arena/children"
	kill -s "$signal" "$worker"
	sleep 0.1
done
reap
expect_exit 0
expect_err 'ENV_ERR: worker process [0-9]+ was ended by signal [0-9]+ and is replaced'
expect_no_children
expect [ "$(grep -c '^endmatch ' games.scopa)" -eq 8 ]
"$SCOPA_ARENA" record verify games.scopa >/dev/null ||
	fail 'the record is not whole'

finish
