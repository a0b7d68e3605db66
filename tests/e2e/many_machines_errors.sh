# Goal: a failure of a store, a worker, a clock or a disk is reported in one
# clear sentence, no result is lost, and the run continues afterwards with the
# results of one machine.
# Release: many_machines.sh and worker.sh play the same code with sanitizers.
. "$SRC/tests/e2e/many_machines.bash"

# The small disks are mounted in a mount namespace of this script, and removed at
# its end.
disks=
if [ "${OWN_MOUNTS:-}" = yes ]; then
	disks=yes
elif [ "$(id -u)" -eq 0 ] && unshare --mount true 2>/dev/null; then
	rm -f "$out" "$out".* "$err"
	OWN_MOUNTS=yes exec unshare --mount bash "$0"
fi

postgres_open 'errors of many machines'

games=(tournament @first @random --deals 1 --tc none --seed 5)

# Plays the games with the running workers, in the background.
begin() { # RUN ROUNDS [OPTION...]
	start "$SCOPA_ARENA" "${games[@]}" --rounds "$2" --run "$1" \
		--store "$postgres_url" --audit 0 "${@:3}"
}

# Interrupts the run; the workers continue to run.
interrupt() {
	kill -s INT "$arena"
	reap
}

# Expects that a run of so many rounds has the records of one machine.
expect_local() { # RUN ROUNDS
	[ -e "local$2" ] ||
		"$SCOPA_ARENA" "${games[@]}" --rounds "$2" --run "local$2" \
			>/dev/null 2>&1
	expect_same_games "local$2" "$1"
}

# A bot that hangs in its third game until the file `go` is there, so that a run
# does not end before something has happened to it.
# shellcheck disable=SC2016 # for the bot
shell_bot hangs.sh "
		until [ \"\${games:-0}\" -lt 2 ] || [ -e '$PWD/go' ]; do
			sleep 0.05
		done
		answer" 'endmatch) games=$((${games:-0} + 1)) ;;'
hanging=(tournament --bot cmd="$PWD/hangs.sh" --bot @random --deals 1 --tc none
	--seed 5)

# Begins a run of this bot, and waits for its first results.
begin_hanging() { # RUN [OPTION...]
	local games=("${hanging[@]}")
	rm -f go
	begin "$1" 30 "${@:2}"
	await_results "$1"
}

# Expects that such a run has the records of one machine.
expect_hanging() { # RUN
	local games=("${hanging[@]}")
	expect_local "$1" 30
}

# Expects that `tournament` and `worker` refuse a URL with this sentence and
# without its password, and that there is no run.
expect_refused() { # STATUS EXPRESSION URL
	arena "$1" "${games[@]}" --rounds 2 --run refused --store "$3"
	expect_error "$2"
	expect_no_err 'organiser.1|wrong-word'
	expect_no_file refused
	arena "$1" worker --name anna --key anna/worker.key --cache anna/cache \
		--once --store "$3"
	expect_error "$2"
	expect_no_err 'organiser.1|wrong-word'
}

remote_scenario 'for a database without a queue the error says how to make one'
expect_refused 5 'this database has no queue of Scopa Arena' "$postgres_url"
expect_err '^  try +: .*db create --store URL$'
arena 0 db create --store "$postgres_url"
workers_enrol anna bruno

remote_scenario 'a wrong URL is reported, and leaves no run'
# A label of more than 63 letters is no valid name, so no DNS server is asked.
expect_refused 5 'cannot be reached: could not translate host name' \
	"postgres://anna:wrong-word@$(printf 'a%.0s' $(seq 64))/arena"
expect_refused 2 'password authentication failed for user "organiser"' \
	"$(postgres_url_of organiser wrong-word)"

remote_scenario 'a run continues after a wrong password and after another schema' anna
begin_hanging resumed
interrupt
: >go
expect_exit 130
blocks=$(query_results resumed 'SELECT count(*) FROM block')
refuses 'password authentication failed' resume resumed \
	--store "$(postgres_url_of organiser wrong-word)"
postgres_sql 'UPDATE scopa.version SET version = 3'
arena 5 resume resumed --store "$postgres_url"
expect_error 'queue of this database is of version 3.*needs version 2'
postgres_sql 'UPDATE scopa.version SET version = 2'
expect [ "$(query_results resumed 'SELECT count(*) FROM block')" = "$blocks" ]
arena 0 resume resumed --store "$postgres_url"
expect_hanging resumed

remote_scenario 'a run that was removed from the queue ends, and can be resumed' anna
begin_hanging gone
postgres_sql "SELECT scopa.run_set(id, 'ended') FROM scopa.run"
reap 5
expect_err '^the queue has refused: the run has ended'
: >go
arena 0 resume gone --store "$postgres_url"
expect_hanging gone

remote_scenario 'a worker with a new key is not quarantined for results with its old key' anna
begin_hanging rekeyed
kill -s KILL "$arena"
reap
: >go
arena=$$ postgres_await 'SELECT count(*) > 1 FROM scopa.lease WHERE done' t
workers_end
rm anna/worker.key
key=$("$SCOPA_ARENA" worker --name anna --key anna/worker.key --cache anna/cache |
	sed -n 's/.* --key \([0-9a-f]*\) .*/\1/p')
arena 0 workers enroll anna --replace --key "$key" --trusted \
	--store "$postgres_url"
# shellcheck disable=SC2034 # for worker_start
worker_urls[anna]=$(postgres_url_of scopa_anna \
	"$(sed -n 's/.*PGPASSWORD=\([^ ]*\).*/\1/p' "$out")")
worker_start anna
arena 0 resume rekeyed --store "$postgres_url"
expect_no_err quarantine
expect_hanging rekeyed

remote_scenario 'a server whose clock is set back delays no run' anna
begin_hanging back --lease 1
worker_signal anna KILL
postgres_sql "UPDATE scopa.lease SET until = until + interval '1 day';
	UPDATE scopa.run SET expire_at = expire_at + interval '1 day';
	UPDATE scopa.worker SET seen = seen + interval '1 day'"
arena 0 workers --store "$postgres_url"
expect_out '^anna +here'
: >go
worker_start bruno
reap 0
expect_hanging back

remote_scenario 'connections that the server ends are reported in one sentence' anna
begin_hanging cut
postgres_sql 'SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
	WHERE pid <> pg_backend_pid() AND usename IS NOT NULL'
: >go
reap 0
expect_err '^the database server .*; the run waits, and nothing is lost$'
expect_no_err 'CONTEXT|LOCATION|SELECT'
expect_hanging cut
workers_end
grep -q 'the database server' anna.log || fail 'anna.log does not name the server'
! grep -qE 'CONTEXT|LOCATION|SELECT' anna.log || fail 'anna.log has SQL'

remote_scenario 'a worker waits until the server has started'
postgres_stop
worker_start anna
worker_await anna 'the database server cannot be reached: .*; trying again'
postgres_start
begin waited 4
reap 0
expect_local waited 4

remote_scenario 'resume shows the result of a run that has ended without the server'
postgres_stop
arena 0 resume waited --json
expect_json 'd["run"]["state"] == "done"'
expect_err '^warning: the run has ended; .* cannot be reached'
expect_local waited 4
postgres_start

# Prints how many runs the queue has.
queued() {
	postgres_sql 'SELECT count(*) FROM scopa.run'
}

remote_scenario 'a run that is resumed without its queue is removed from it'
for run in left stayed; do
	before=$(queued)
	begin "$run" 4
	postgres_await 'SELECT count(*) FROM scopa.run' "$((before + 1))"
	interrupt
	expect_exit 130
done
expect [ "$(queued)" = 2 ]
refuses 'the database server asks for a password, and none was given' resume left
expect_err '^  hint    : .*PGPASSWORD'
run env PGPASSWORD="$postgres_password" "$SCOPA_ARENA" resume left --store none
expect_exit 0
expect_no_err '^warning'
expect [ "$(queued)" = 1 ]
expect_local left 4
arena 0 resume stayed --store none
expect_err '^warning: the run was not removed from the queue: .* password'
expect_err '^  hint    : .*resume stayed --store URL'
expect_local stayed 4
expect [ "$(queued)" = 1 ]
arena 0 resume stayed --store "$postgres_url"
expect [ "$(queued)" = 0 ]

clocks='clocks that are hours wrong are reported, and change no result'
if [ "${MODE:-}" = san ]; then
	skip "$clocks" 'a sanitizer comes first'
elif ! wrong_clock; then
	skip "$clocks" 'there is no compiler here'
else
	remote_scenario "$clocks"
	LD_PRELOAD="$PWD/clock.so" CLOCK_AHEAD=18000 worker_start anna
	worker_await anna 'clock of this machine is (179[5-9][0-9]|180[0-4][0-9]) s ahead of that of the server; nothing depends on it but `utc='
	LD_PRELOAD="$PWD/clock.so" CLOCK_AHEAD=-36000 worker_start bruno
	worker_await bruno 'clock of this machine is (359[5-9][0-9]|360[0-4][0-9]) s behind that of the server'
	start env LD_PRELOAD="$PWD/clock.so" CLOCK_AHEAD=86400 "$SCOPA_ARENA" \
		"${games[@]}" --rounds 40 --run clocks --store "$postgres_url" \
		--audit 0 --lease 1
	reap 0
	expect_local clocks 40
	workers_end
fi

if [ -z "$disks" ]; then
	for disk in organiser worker server; do
		skip "the disk of the $disk is full" 'nothing can be mounted here'
	done
	finish
fi

# Mounts a disk of this size; `disk_fill` fills it, and `disk_grow` makes room.
# The disks are in memory.
disk_make() { # FOLDER SIZE
	mkdir -p "$1"
	mount -t tmpfs -o "size=$2,mode=755" none "$1"
}

disk_fill() { # FOLDER
	cat /dev/zero >"$1/filler" 2>/dev/null
}

disk_grow() { # FOLDER
	mount -o remount,size=64m "$1"
}

remote_scenario 'the run waits while the disk of the organiser is full'
disk_make organiser 250k
worker_start anna --cores 2
begin organiser/run 200
await "$err" '^error: '
expect_err 'No space left on device|there is no room left on the disk'
expect_err 'waits until there is room'
disk_grow organiser
reap 0
expect_local organiser/run 200
expect_verified organiser/run/records.scopa

remote_scenario 'a run that a full disk of the organiser stopped can be resumed' anna
disk_make stopped 250k
begin stopped/run 200
await "$err" 'waits until there is room'
interrupt
expect_exit 5
expect_err 'resume stopped/run'
expect_no_err 'they are played again'
disk_grow stopped
arena 0 resume stopped/run --store "$postgres_url"
expect_local stopped/run 200

remote_scenario 'a full disk for a run, a key, or the files of a bot is an error'
disk_make none 4k
disk_fill none
arena 5 "${games[@]}" --rounds 2 --run none/run --store "$postgres_url"
expect_error 'No space left on device|there is no room left on the disk'
arena 5 worker --name carla --key none/worker.key --cache none/cache
expect_error 'No space left on device'
mkdir bot
python_bot bot/bot.py </dev/null
head -c 200000 /dev/zero >bot/data
sent=(tournament --bot "cmd=python3 bot/bot.py" name=python bundle=bot
	--bot cmd=@first --deals 1 --tc none --seed 5 --rounds 2)
run env TMPDIR="$PWD/none" "$SCOPA_ARENA" "${sent[@]}" --run sent \
	--store "$postgres_url"
expect_exit 5
expect_error 'cannot unpack a bot into .*: No space left on device'
expect_no_file sent

remote_scenario 'a worker whose disk was full plays after there is room'
workers_end
disk_make bruno/cache 100k
start "$SCOPA_ARENA" "${sent[@]}" --run sent --store "$postgres_url" --audit 0
worker_start bruno
worker_await bruno 'error: cannot unpack a bot into .*: No space left on device'
worker_await bruno 'run "tournament" is not played here: '
expect [ "$(ls bruno/cache/bots)" = lock ]
disk_grow bruno/cache
workers_end
worker_start bruno
reap 0
expect_verified sent/records.scopa

remote_scenario 'the run waits while the disk of the server is full'
disk_make server 2m
chown postgres server
postgres_sql "CREATE TABLESPACE small LOCATION '$PWD/server'"
postgres_sql "ALTER DATABASE postgres SET default_tablespace = small"
worker_start anna
disk_fill server
begin run 200
await "$err" 'the disk of the database server is full'
disk_grow server
reap 0
expect_local run 200
workers_end

finish
