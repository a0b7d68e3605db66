# Goal: group `arena` of tests/faulty/faults.tsv, faults of the arena and of its
# machine: no bot loses by them, results that were reported as stored are stored,
# and the run continues.
# Queue nobody: the processes of the user nobody are limited.
. "$SRC/tests/e2e/faults.bash"

# A core file of the arena is no failure of this test.
ulimit -c 0

bots=(@greedy @random @first)
options=(--rounds 12 --deals 1 --rules scopa --seed 11 --concurrency 2)
endless=(@greedy @random --rounds 100000 --deals 1)

# Expects that all processes end soon.
expect_soon_alone() {
	expect_soon_no_children
	expect_nothing_left
}

expect_rebuilt() { # RUN
	arena 0 db rebuild "$1"
	expect_out 'identical'
}

# Expects the records of the run without a fault: nothing was lost or played
# twice.
expect_whole() { # RUN
	expect_same_games whole "$1"
	expect_rebuilt "$1"
}

scenario 'a run without a fault is played'
arena 0 tournament "${bots[@]}" "${options[@]}" --run whole
expect_lines 72 '^match ' whole/records.scopa

# shellcheck disable=SC2016 # for the bot
shell_bot slow 'echo asked >>asked; until [ -e hurry ]; do sleep 0.05; done; answer'
for signal in INT TERM; do
	row F098 "a second SIG$signal drops the running blocks"
	rm -f hurry asked
	start "$SCOPA_ARENA" tournament ./slow @first --rounds 4 --deals 1 \
		--seed 3 --sandbox off --tc move:600 --run "twice-$signal"
	await asked asked
	kill -s "$signal" "$arena"
	await "$err" 'once more to stop at once'
	began=$(now_ms)
	kill -s "$signal" "$arena"
	reap
	expect [ $(($(now_ms) - began)) -le $((1000 + slack_ms)) ]
	expect_signalled "$signal"
	expect_err "resume twice-$signal"
	expect_soon_alone
	expect [ "$(query_results "twice-$signal" 'PRAGMA integrity_check')" = ok ]
	expect [ "$(query_results "twice-$signal" 'SELECT count(*) FROM game')" -eq 0 ]
	touch hurry
	arena 0 resume "twice-$signal" --quiet
	expect [ "$(query_results "twice-$signal" 'SELECT count(*) FROM game')" -eq 8 ]
done

for signal in SEGV ABRT BUS; do
	row F099 "a run whose arena died of SIG$signal can be resumed"
	start "$SCOPA_ARENA" tournament "${bots[@]}" "${options[@]}" \
		--run "died-$signal"
	await_results "died-$signal"
	end_by "$signal"
	expect_soon_alone
	arena 0 resume "died-$signal" --quiet
	expect_whole "died-$signal"
done

for file in results.db records.scopa; do
	row F102 "the arena ends if $file is renamed during the run"
	start "$SCOPA_ARENA" tournament "${endless[@]}" --run "moved-$file"
	await_results "moved-$file"
	mv "moved-$file/$file" "moved-$file/away"
	reap 5
	expect_err "^error: .*$file\" (is|are) not there any more"
	expect_soon_alone
	mv "moved-$file/away" "moved-$file/$file"
	# The blocks that were committed before are there.
	expect_rebuilt "moved-$file"
done

# Locks a database for writing, or reads it for a long time, as a backup does.
# It ends at the end of its input.
cat >hold.py <<'END'
import sqlite3, sys
file = sqlite3.connect(sys.argv[2], isolation_level=None, timeout=60)
if sys.argv[1] == 'write':
    file.execute('BEGIN IMMEDIATE')
else:
    file.execute('BEGIN')
    file.execute('SELECT count(*) FROM game').fetchone()
print('held', flush=True)
sys.stdin.read()
file.execute('ROLLBACK')
END

lock_database() { # HOW RUN
	coproc HOLDER { exec python3 -S hold.py "$1" "$2/results.db"; }
	read -r _ <&"${HOLDER[0]}"
}

release_database() {
	local holder=$HOLDER_PID writer=${HOLDER[1]}
	exec {writer}>&-
	wait "$holder"
}

blocks_of() { # RUN
	query_results "$1" 'SELECT count(*) FROM block'
}

row F104 'another program locks the database for longer than the arena waits'
start "$SCOPA_ARENA" tournament "${endless[@]}" --run busy
await_results busy
lock_database write busy
held=$(blocks_of busy)
await "$err" 'another program holds it'
expect_err 'waits until it is free'
expect [ "$(blocks_of busy)" -eq "$held" ]
release_database
await "$err" 'it is free again'
until [ "$(blocks_of busy)" -gt "$held" ]; do
	[ -e "/proc/$arena" ] || break
	sleep 0.02
done
end_by INT 130
expect_soon_alone
expect_rebuilt busy

row F104 'another program reads the database all the time'
start "$SCOPA_ARENA" tournament "${bots[@]}" "${options[@]}" --run read
await_results read
end_by INT
lock_database read read
arena 0 resume read
release_database
expect_whole read

# Limits of processes do not hold for root.
person=()
if [ "$(id -u)" -eq 0 ]; then
	read -ra person <<<"$nobody"
fi
crowd=("${bots[@]}" "${bots[@]}")

# Plays a run under each of these limits, so that all or some bots cannot start.
# No bot loses by that: the arena ends or waits, and without the limit `resume`
# plays all games.
play_limited() { # LIMIT..
	local place limit
	place=$(mktemp -d /tmp/scopa-squeezed-XXXXXX)
	chmod 755 "$place"
	[ "${#person[@]}" -eq 0 ] || chown 65534:65534 "$place"
	for limit; do
		RUN_SECONDS=3 run env -C "$place" "${person[@]}" \
			prlimit "$limit" "$SCOPA_ARENA" \
			tournament "${crowd[@]}" "${options[@]}" --sandbox off \
			--run "$place/run"
		case $status in
		0 | 124) ;;
		*)
			expect_exit 5
			expect_err '^error: '
			;;
		esac
		expect_soon_alone
		expect_no_line '^offence' "$place/run/records.scopa"
		if [ -e "$place/run/config.ini" ]; then
			expect_run 0 env -C "$place" "${person[@]}" \
				"$SCOPA_ARENA" resume "$place/run" --quiet
			expect_same_games crowd "$place/run"
		fi
		rm -rf "$place/run"
	done
	rm -rf "$place"
}

if ! "${person[@]}" test -x "$SCOPA_ARENA" 2>/dev/null; then
	skip_row F105 'no descriptors are left' 'nobody may not run the arena'
	skip_row F106 'no processes are left' 'nobody may not run the arena'
else
	options+=(--rounds 6)
	"$SCOPA_ARENA" tournament "${crowd[@]}" "${options[@]}" --sandbox off \
		--run crowd >"$out" 2>"$err"
	row F105 'no bot loses if no descriptors are left to start bots'
	play_limited --nofile=8 --nofile=24 --nofile=40
	row F106 'no bot loses if no processes are left to start bots'
	play_limited --nproc=1 --nproc=8
	options+=(--rounds 12)

	bare_scenario 'the user is told at once that no bot can be started'
	# Four processes: the arena, its worker, one bot and its supervisor.
	place=$(mktemp -d /tmp/scopa-squeezed-XXXXXX)
	chmod 777 "$place"
	start env -C "$place" "${person[@]}" prlimit --nproc=4 "$SCOPA_ARENA" \
		tournament @random @first --concurrency 1 --run "$place/run"
	await "$err" '^ENV_ERR: a bot could not be started: no more processes'
	kill -s KILL "$arena"
	reap
	expect_soon_alone
	rm -rf "$place"
fi

# The arena runs in a namespace: if it trusted this Landlock, it would kill all
# processes that it can reach.
without=$BUILD/tests/e2e/without
confined=(unshare --user --map-root-user --pid --fork --mount-proc
	"$without" namespaces effect --)
if ! "${confined[@]}" true 2>/dev/null; then
	skip_row F109 'Landlock claims too much' 'no namespaces, or no Landlock'
else
	row F109 'Landlock that claims to confine signals, and does not, is detected'
	cat >beside <<-'END'
		#!/bin/sh
		sleep 1000 &
		"$@"
		status=$?
		kill $! && echo 'the process beside it lives' >&2
		exit $status
	END
	chmod +x beside
	for sandbox in auto require; do
		run "${confined[@]}" ./beside "$SCOPA_ARENA" match @first \
			@random --deals 1 --sandbox "$sandbox"
		expect_err '^the process beside it lives$'
		if [ "$sandbox" = require ]; then
			expect_exit 5
		else
			expect_exit 0
			expect_out '^sandbox (process|none)$'
			expect_err '^sandbox no tree kill: '
		fi
	done
fi

row F110 'the reader of the report of a run has ended'
"$SCOPA_ARENA" tournament "${bots[@]}" "${options[@]}" --run unread 2>"$err" |
	true
expect_whole unread
row F110 'a run begins with a closed stdout'
"$SCOPA_ARENA" tournament "${bots[@]}" "${options[@]}" --run closed \
	2>"$err" >&-
expect_whole closed

if [ "${MODE:-}" = san ]; then
	skip_row F111 'the wall clock jumps' 'a sanitizer comes first'
elif ! wrong_clock; then
	skip_row F111 'the wall clock jumps' 'there is no compiler here'
else
	row F111 'jumps of the wall clock by years change no result'
	# Each reading gives another day.
	expect_run 0 env LD_PRELOAD="$PWD/clock.so" \
		CLOCK_AHEAD='0 34560000 -259200000 86400 -86400' "$SCOPA_ARENA" \
		tournament "${bots[@]}" "${options[@]}" --run jumped
	expect_whole jumped
	# The clock has jumped: consecutive games are years apart.
	expect [ "$(sed -n 's/^tag utc=\([0-9]*\)-.*/\1/p' \
		jumped/records.scopa | sort -u | wc -l)" -gt 2 ]
	expect_no_line '^offence' jumped/records.scopa
fi

row F112 'another locale and time zone change no result'
locale=$(locale -a 2>/dev/null | grep -Ev '^(C|C\..*|POSIX)$' | head -n 1)
if [ -z "$locale" ] && command -v localedef >/dev/null; then
	# A small character set, because UTF-8 takes seconds.
	localedef -i de_DE -f ISO-8859-1 ./de_DE.ISO-8859-1 >/dev/null 2>&1 &&
		locale=de_DE.ISO-8859-1
fi
echo "# locale: ${locale:-none but C}"
abroad=(env LOCPATH="$PWD" LC_ALL="${locale:-de_DE.UTF-8}"
	TZ=Pacific/Chatham "$SCOPA_ARENA")
run "${abroad[@]}" tournament "${bots[@]}" "${options[@]}" --tc move:2.5 \
	--run abroad
hour=$(date -u +%Y-%m-%dT%H)
expect_exit 0
expect_lines 72 ' tc=move:2500 ' abroad/records.scopa
# The tag has UTC.  It is not checked if an hour has just begun.
[ "$(date -u +%Y-%m-%dT%H -d '1 minute ago')" != "$hour" ] ||
	expect_line "^tag utc=$hour:" abroad/records.scopa
expect_same_games whole abroad 's/ tc=[^ ]*//'
expect_run 0 "${abroad[@]}" status abroad --full
sed -n '/^ranking/,/^$/p' "$out" >abroad.ranking
run "$SCOPA_ARENA" status whole --full
sed -n '/^ranking/,/^$/p' "$out" >whole.ranking
expect [ -s whole.ranking ]
expect_same whole.ranking abroad.ranking

finish_groups arena
