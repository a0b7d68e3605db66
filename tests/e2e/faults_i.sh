# Goal: group I of tests/faulty/faults.tsv, faults of the arena and of its machine: no
# bot loses by them, what has been told as kept is kept, and it goes on.
# Queue nobody: the processes of the user nobody are limited.
. "$SRC/tests/e2e/lib.sh"
. "$SRC/tests/e2e/faults.bash"

bots='@greedy @random @first'
# A core file of an arena is no fault.
ulimit -c 0

options='--rounds 40 --deals 1 --rules scopa --seed 11 --concurrency 2'

# The lines of a run's records, but for times.
lines_of() { # RUN
	sed -e 's/^tag utc=[^ ]* //' -e 's/ t=[0-9.]*//' -e 's/ voided=[A-Z_,]*//' \
		-e '/^\(sum\|void\|ponder\) /d' \
		"$1/records.scopa"
}

start() { # ARGUMENT...
	run_mark=SCOPA_TEST_MARK=$$.$scenario_count.$RANDOM
	ran="in the background: $*"
	: >"$out"
	: >"$err"
	env --default-signal=INT,TERM "$run_mark" "$SCOPA_ARENA" "$@" \
		</dev/null >"$out" 2>"$err" &
	arena=$!
}

# Waits for a file to match; false where the arena has ended before.
await() { # FILE EXPRESSION
	until grep -Eqs -e "$2" "$1"; do
		[ -e "/proc/$arena" ] || {
			fail "the arena ended before this was in $1: $2"
			return 1
		}
		sleep 0.02
	done
}

# Everybody who was started has gone, and soon.
expect_soon_alone() {
	expect_soon_no_children
	expect_nothing_left
}

# The run is the one without a fault: nothing was lost or played twice.
expect_whole() { # RUN
	lines_of "$1" >"$1.lines"
	expect_same whole.lines "$1.lines"
	run "$SCOPA_ARENA" db rebuild "$1"
	expect_exit 0
	expect_out 'identical'
}

expect_resumed() { # RUN
	run "$SCOPA_ARENA" resume "$1" --quiet
	expect_exit 0
	expect_whole "$1"
}

# The answer of a database to a question.
cat >ask.py <<'END'
import sqlite3, sys
file = sqlite3.connect(f'file:{sys.argv[1]}/results.db?mode=ro', uri=True)
print(file.execute(sys.argv[2]).fetchone()[0])
END
ask() { # RUN SQL
	python3 ask.py "$@"
}

scenario 'a run without a fault'
# shellcheck disable=SC2086
run "$SCOPA_ARENA" tournament $bots $options --run whole
expect_exit 0
lines_of whole >whole.lines
expect [ "$(grep -c '^match ' whole.lines)" -eq 240 ]

elsewhere F097 e2e/runs.sh 'killed at random instants, it ends with the same results'
elsewhere F097 e2e/walls.sh 'nothing outlives an arena that is killed'
elsewhere F097 e2e/walls.sh 'control groups of an arena that is killed are gone with the next'
elsewhere F097 e2e/match_signals.sh 'nobody outlives an arena that is killed'

# The names have variables of those files in them.
# shellcheck disable=SC2016
elsewhere F098 e2e/runs.sh 'SIG$signal finishes the blocks in hand, and says how to go on'
# shellcheck disable=SC2016
elsewhere F098 e2e/match_signals.sh 'SIG$signal ends a match with $code and a whole record'

cat >slow <<'END'
#!/bin/sh
while read -r verb first rest; do
	case $verb in
	usp) printf 'id name=slow\nuspok 1\n' ;;
	isready) echo readyok ;;
	legal) move=$first ;;
	go)
		echo asked >>asked
		[ -e hurry ] || sleep 0.1
		echo "move $move $first"
		;;
	quit) exit 0 ;;
	esac
done
END
chmod +x slow
while read -r signal code; do
	row F098 "a second SIG$signal drops the blocks in hand"
	rm -f hurry asked
	start tournament ./slow @first --rounds 4 --deals 1 --seed 3 \
		--sandbox off --run "twice-$signal"
	await asked asked
	kill -s "$signal" "$arena"
	await "$err" 'once more to stop at once'
	began=$(now_ms)
	kill -s "$signal" "$arena"
	reap
	expect [ $(($(now_ms) - began)) -le $((1000 + slack_ms)) ]
	expect_exit "$code"
	expect_err "resume twice-$signal"
	expect_soon_alone
	expect [ "$(ask "twice-$signal" 'PRAGMA integrity_check')" = ok ]
	expect [ "$(ask "twice-$signal" 'SELECT count(*) FROM game')" -eq 0 ]
	touch hurry
	run "$SCOPA_ARENA" resume "twice-$signal" --quiet
	expect_exit 0
	expect [ "$(ask "twice-$signal" 'SELECT count(*) FROM game')" -eq 8 ]
done <<'END'
INT 130
TERM 143
END

for signal in SEGV ABRT BUS; do
	row F099 "the arena dies of SIG$signal"
	# shellcheck disable=SC2086
	start tournament $bots $options --run "died-$signal"
	await "died-$signal/records.scopa" '^sum '
	kill -s "$signal" "$arena" 2>/dev/null
	reap
	expect_soon_alone
	expect_resumed "died-$signal"
done
elsewhere F099 e2e/match_signals.sh 'the death of a worker is told, and its games are played again'

# There all is dropped that was not synchronised, at each step of writing.
elsewhere F100 test_run_faults.c test_run_without_power_goes_on
elsewhere F100 test_run_faults.c test_run_goes_on_though_only_results_outlast_the_power

# shellcheck disable=SC2016
elsewhere F101 e2e/runs.sh 'a disk of $room bytes holds the run, until there is room'
elsewhere F101 e2e/runs.sh 'a run waits for room as long as --disk-wait says, and resumes'
elsewhere F101 test_run_faults.c test_full_disk_holds_the_run
elsewhere F101 test_run_faults.c test_small_disk_holds_the_run
elsewhere F101 e2e/match_errors.sh 'a disk that is full is told of, and what was there stays whole'

elsewhere F102 test_store_open.c test_what_cannot_be_written_to_is_refused_at_once
for file in results.db records.scopa; do
	row F102 "$file is renamed while the run is on"
	start tournament @greedy @random --rounds 100000 --deals 1 \
		--run "moved-$file"
	await "moved-$file/records.scopa" '^sum '
	mv "moved-$file/$file" "moved-$file/away"
	reap
	expect_exit 5
	expect_err "^error: .*$file\" (is|are) not there any more"
	expect_soon_alone
	mv "moved-$file/away" "moved-$file/$file"
	# What had been committed before is there.
	run "$SCOPA_ARENA" db rebuild "moved-$file"
	expect_exit 0
	expect_out 'identical'
done

elsewhere F103 e2e/runs.sh 'two arenas on one run: the second is refused with the pid'
elsewhere F103 test_run_lock.c test_second_writer_is_refused_with_the_pid_of_the_first

# It is given up for a moment, and longer than the arena waits at once.
cat >hold.py <<'END'
import sqlite3, sys, time
file = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)
file.execute('BEGIN IMMEDIATE')
print('held', flush=True)
time.sleep(6.5)
file.execute('ROLLBACK')
END
row F104 'another program holds the database for longer than is waited for'
start tournament @greedy @random --rounds 100000 --deals 1 --run busy
await busy/records.scopa '^sum '
python3 hold.py busy/results.db >held &
holder=$!
until [ -s held ]; do sleep 0.02; done
held=$(ask busy 'SELECT count(*) FROM block')
await "$err" 'another program holds it'
expect_err 'waits until it is free'
expect [ "$(ask busy 'SELECT count(*) FROM block')" -eq "$held" ]
wait "$holder"
await "$err" 'it is free again'
until [ "$(ask busy 'SELECT count(*) FROM block')" -gt "$held" ]; do
	[ -e "/proc/$arena" ] || break
	sleep 0.02
done
kill -s INT "$arena"
reap
expect_exit 130
expect_soon_alone
run "$SCOPA_ARENA" db rebuild busy
expect_exit 0
expect_out 'identical'

# As a copy of the file is made, or somebody looks at it for long.
cat >read.py <<'END'
import sqlite3, sys, time
file = sqlite3.connect(f'file:{sys.argv[1]}?mode=ro', uri=True,
    isolation_level=None)
file.execute('BEGIN')
file.execute('SELECT count(*) FROM game').fetchone()
print('read', flush=True)
time.sleep(60)
END
row F104 'another program reads it all the time'
# shellcheck disable=SC2086
start tournament $bots $options --run read
await read/config.ini .
python3 read.py read/results.db >reading &
reader=$!
until [ -s reading ]; do sleep 0.02; done
reap
kill "$reader"
wait "$reader" 2>/dev/null
expect_exit 0
expect_whole read

elsewhere F105 test_infra_failure.c test_want_of_descriptors_is_waited_for
elsewhere F105 test_backoff.c test_tables_are_halved_and_come_back_one_by_one
elsewhere F106 test_infra_failure.c test_want_of_processes_is_waited_for

# Limits of processes are none for root.
person=
squeezable=yes
if [ "$(id -u)" -eq 0 ]; then
	person='setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/'
	# shellcheck disable=SC2086
	$person test -x "$SCOPA_ARENA" 2>/dev/null || squeezable=
fi
crowd="$bots $bots"

# The machine refuses to start bots, or all but some of them.  No bot has lost by
# that: the arena ends or waits, and once there is room all games are played.
squeeze() { # LIMIT..
	local place limit
	place=$(mktemp -d /tmp/scopa-squeezed-XXXXXX)
	chmod 755 "$place"
	[ -z "$person" ] || chown 65534:65534 "$place"
	for limit; do
		# shellcheck disable=SC2086
		RUN_SECONDS=6 run env -C "$place" $person \
			prlimit "$limit" "$SCOPA_ARENA" \
			tournament $crowd $options --sandbox off \
			--run "$place/run"
		case $status in
		0 | 124) ;;
		*)
			expect_exit 5
			expect_err '^error: '
			;;
		esac
		expect_soon_alone
		! grep -qs '^offence' "$place/run/records.scopa" ||
			fail 'a bot was blamed'
		if [ -e "$place/run/config.ini" ]; then
			# shellcheck disable=SC2086
			run env -C "$place" $person \
				"$SCOPA_ARENA" resume "$place/run" --quiet
			expect_exit 0
			lines_of "$place/run" >squeezed.lines
			expect_same crowd.lines squeezed.lines
		fi
		rm -rf "$place/run"
	done
	rm -rf "$place"
}

if [ -z "$squeezable" ]; then
	skip_row F105 'no descriptors are left' 'nobody may not run the arena'
	skip_row F106 'no processes are left' 'nobody may not run the arena'
else
	# shellcheck disable=SC2086
	"$SCOPA_ARENA" tournament $crowd $options --sandbox off --run crowd \
		>"$out" 2>"$err"
	lines_of crowd >crowd.lines
	row F105 'no descriptors are left to start bots with'
	squeeze --nofile=8 --nofile=24 --nofile=40
	row F106 'no processes are left to start bots with'
	squeeze --nproc=1 --nproc=8
fi

# shellcheck disable=SC2016
elsewhere F107 e2e/layers.sh 'without $what there is $level ($who)'
elsewhere F107 e2e/layers.sh 'require plays nothing in a run either'
elsewhere F107 e2e/walls.sh 'walls that are required are there, or nothing is played'
elsewhere F108 e2e/layers.sh 'core|namespaces scope'
# shellcheck disable=SC2016
elsewhere F108 e2e/layers.sh '$keeps|namespaces'

# In a box of its own: should the arena believe it, all that it can reach dies.
lacking=$BUILD/tests/e2e/lacking
confined='unshare --user --map-root-user --pid --fork --mount-proc'
if ! $confined "$lacking" namespaces effect -- true 2>/dev/null; then
	skip_row F109 'Landlock claims too much' 'no namespaces, or no Landlock'
else
	row F109 'Landlock claims to scope signals, and does not'
	cat >beside <<-'END'
		#!/bin/sh
		sleep 1000 &
		"$@"
		status=$?
		kill $! && echo 'who stood beside lives' >&2
		exit $status
	END
	chmod +x beside
	# shellcheck disable=SC2086
	run $confined "$lacking" namespaces effect -- ./beside \
		"$SCOPA_ARENA" match @first @random --deals 1
	expect_exit 0
	expect_out '^walls (core|none)$'
	expect_err '^walls   no tree kill: '
	expect_err '^who stood beside lives$'
	# shellcheck disable=SC2086
	run $confined "$lacking" namespaces effect -- ./beside \
		"$SCOPA_ARENA" match @first @random --deals 1 --sandbox require
	expect_exit 5
	expect_err '^who stood beside lives$'
fi

elsewhere F110 e2e/match_errors.sh 'an output that is closed does not stop the games'
row F110 'nobody reads the report of a run'
# shellcheck disable=SC2086
"$SCOPA_ARENA" tournament $bots $options --run unread 2>"$err" | true
expect_whole unread
row F110 'a run begins without an output'
# shellcheck disable=SC2086
"$SCOPA_ARENA" tournament $bots $options --run closed 2>"$err" >&-
expect_whole closed

# Each question for the wall clock is answered with another day.
cat >jump.c <<'END'
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int
clock_gettime(clockid_t clock, struct timespec *now)
{
	static const long days[] = { 0, 400, -3000, 1, -1 };
	static unsigned asked;
	int answer = (int)syscall(SYS_clock_gettime, clock, now);

	if (clock == CLOCK_REALTIME)
		now->tv_sec += 86400 * days[asked++ % 5];
	return answer;
}

int
gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	struct timespec precise;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &precise);
	now->tv_sec = precise.tv_sec;
	now->tv_usec = precise.tv_nsec / 1000;
	return 0;
}

time_t
time(time_t *now)
{
	struct timespec precise;

	clock_gettime(CLOCK_REALTIME, &precise);
	if (now)
		*now = precise.tv_sec;
	return precise.tv_sec;
}
END
if [ "${MODE:-}" = san ]; then
	skip_row F111 'the wall clock jumps' 'a sanitizer comes first'
elif ! "${CC:-cc}" -shared -fPIC -o jump.so jump.c 2>/dev/null; then
	skip_row F111 'the wall clock jumps' 'there is no compiler here'
else
	row F111 'the wall clock jumps by years'
	# shellcheck disable=SC2086
	run env LD_PRELOAD="$PWD/jump.so" "$SCOPA_ARENA" tournament $bots \
		$options --run jumped
	expect_exit 0
	expect_whole jumped
	# It did: games that follow on each other are years apart.
	expect [ "$(sed -n 's/^tag utc=\([0-9]*\)-.*/\1/p' \
		jumped/records.scopa | sort -u | wc -l)" -gt 2 ]
	! grep -q '^offence' jumped/records.scopa || fail 'a bot was blamed'
fi

row F112 'another locale and time zone'
locale=$(locale -a 2>/dev/null | grep -Ev '^(C|C\..*|POSIX)$' | head -n 1)
if [ -z "$locale" ] && command -v localedef >/dev/null; then
	localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 >/dev/null 2>&1 &&
		locale=de_DE.UTF-8
fi
echo "# locale: ${locale:-none but C}"
abroad="env LOCPATH=$PWD LC_ALL=${locale:-de_DE.UTF-8} TZ=Pacific/Chatham"
# shellcheck disable=SC2086
run $abroad "$SCOPA_ARENA" tournament $bots $options --tc move:2.5 --run abroad
hour=$(date -u +%Y-%m-%dT%H)
expect_exit 0
expect [ "$(grep -c ' tc=move:2500 ' abroad/records.scopa)" -eq 240 ]
# UTC, unless the hour has just turned.
[ "$(date -u +%Y-%m-%dT%H -d '1 minute ago')" != "$hour" ] ||
	expect grep -q "^tag utc=$hour:" abroad/records.scopa
lines_of abroad | sed 's/ tc=[^ ]*//' >abroad.lines
sed 's/ tc=[^ ]*//' whole.lines >whole.plain
expect_same whole.plain abroad.lines
# shellcheck disable=SC2086
run $abroad "$SCOPA_ARENA" status abroad
expect_exit 0
sed -n '/^ranking/,/^$/p' "$out" >abroad.ranking
run "$SCOPA_ARENA" status whole
sed -n '/^ranking/,/^$/p' "$out" >whole.ranking
expect [ -s whole.ranking ]
expect_same whole.ranking abroad.ranking

finish_group I
