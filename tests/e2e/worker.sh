# Goal: the command worker: its key, its messages if it cannot play, and bots
# from bundles in their sandbox.
. "$SRC/tests/e2e/many_machines.bash"

here='--key key --cache cache --name anna'

scenario 'without a server the key is made, stored and shown'
# shellcheck disable=SC2086 # words
arena 0 worker $here
expect_out 'workers enroll anna --key [0-9a-f]{64} --store'
expect test "$(stat -c %a key)" = 600
cp "$out" first
# shellcheck disable=SC2086
arena 0 worker $here
expect_same first "$out"

long='the name of a machine may be longer than that of a worker'
if unshare --uts true 2>/dev/null; then
	scenario "$long"
	expect_run 0 unshare --uts bash -c "hostname $(printf 'a%.0s' $(seq 60))
		exec '$SCOPA_ARENA' worker --key key"
	expect_out 'workers enroll a{40} --key '
else
	skip "$long" 'no namespace for a name here'
fi

scenario 'a key file that others can read, or that has no key, is refused'
chmod 644 key
# shellcheck disable=SC2086
refuses 'others can read or change the key key' worker $here
echo none >wrong
chmod 600 wrong
refuses 'wrong is not the key of a worker' worker --key wrong --cache cache
chmod 600 key

scenario 'wrong options are refused'
refuses 'no name of a worker' worker --key key --cache cache --name 'An na'
# shellcheck disable=SC2086
refuses '--cores 1000' worker $here --cores 1000
# shellcheck disable=SC2086
refuses 'labels: longer than 255 letters' worker $here \
	--labels "big,$(printf 'a%.0s' $(seq 255))"
# shellcheck disable=SC2086
refuses '[-]-labels "big, fast": a label is empty, or has a blank' worker $here \
	--labels 'big, fast'

postgres_open 'a worker and its queue' 127.0.0.1
# shellcheck disable=SC2034 # for lib.sh
level=$(level_of)

scenario 'a worker that is not enrolled gets the command for it'
arena 0 db create --store "$postgres_url"
# shellcheck disable=SC2086
refuses 'the user organiser is not enrolled' worker $here --store "$postgres_url"
expect_err '^  try +: .* workers enroll anna --key [0-9a-f]{64} --store URL'
# shellcheck disable=SC2086
refuses 'password authentication failed' worker $here --once \
	--store "$(postgres_url_of scopa_anna secret)"

scenario 'a key other than the enrolled one is refused'
workers_enrol anna bruno
# shellcheck disable=SC2086
refuses 'the key of worker anna is not the one that is enrolled' \
	worker $here --store "${worker_urls[anna]}"
expect_err 'workers enroll anna --replace --key [0-9a-f]{64} --store URL`'

# Runs a worker until there is nothing to play.
play_once() { # STATUS NAME [OPTION...]
	arena "$1" worker --name "$2" --key "$2/worker.key" \
		--cache "$2/cache" --store "${worker_urls[$2]}" --once "${@:3}"
}

# Begins a small gate, whose coordinator waits for workers.
begin_run() { # [OPTION...]
	start "$SCOPA_ARENA" gate @greedy --base @first --deals 1 --rounds 4 \
		--tc none --run run --store "$postgres_url" --audit 0 "$@"
	await "$err" '^run '
	postgres_await "SELECT count(*) FROM scopa.run WHERE state = 'open'" 1
}

scenario 'a worker names each run that it cannot play, and the reason'
begin_run --labels big,fast --trusted-only
play_once 0 anna --labels big
expect_err 'run "gate" is not played here: .*labels big,fast'
postgres_sql "UPDATE scopa.run SET engine = '0.0.1 usp=1'"
play_once 0 anna --labels big,fast
expect_err 'run "gate" is not played here: the run needs the program "0.0.1 usp=1"'
arena 0 workers quarantine anna --store "$postgres_url"
play_once 0 anna --labels big,fast
expect_err 'run "gate" is not played here: this worker is in quarantine'

scenario 'a revoked worker ends, without a hint to enrol it again'
worker_start anna
await anna.log 'is not played here'
arena 0 workers revoke anna --store "$postgres_url"
worker_reap anna
expect [ "$worker_status" = 2 ]
expect_line '^error: the organiser has revoked worker anna$' anna.log
expect_line '^  hint    : that is for good' anna.log
expect_no_line 'workers enroll' anna.log
play_once 2 anna
expect_error 'role "scopa_anna" is not permitted to log in'
expect_err '^  hint    : .*revoked'
end_by INT

scenario 'a worker that was quarantined while it played goes on soon after its release'
postgres_sql 'DELETE FROM scopa.run'
rm -r run
begin_run --rounds 100000
: >bruno.log
worker_start bruno
worker_await bruno 'run "gate" is played on'
"$SCOPA_ARENA" workers quarantine bruno --store "$postgres_url" >said 2>&1
worker_await bruno 'is not played here: this worker is in quarantine'
"$SCOPA_ARENA" workers release bruno --store "$postgres_url" >said 2>&1
begun=$SECONDS
until [ "$(grep -c 'is played on' bruno.log)" -ge 2 ] ||
	[ $((SECONDS - begun)) -ge 60 ]; do
	sleep 0.1
done
expect_lines 2 'run "gate" is played on' bruno.log
workers_end
end_by INT

scenario 'of two processes of one worker, each is judged by its own version and labels'
postgres_sql 'DELETE FROM scopa.run'
rm -r run
begin_run --rounds 100000 --labels big
: >bruno.log
worker_start bruno --labels big
worker_await bruno 'run "gate" is played on'
play_once 0 bruno --labels small
expect_err 'run "gate" is not played here: .* the labels big$'
key=$(postgres_sql "SELECT encode(key, 'hex') FROM scopa.worker
	WHERE name = 'bruno'")
postgres_sql "SELECT scopa.hello('\\x$key', '0.0.1', 'big', 'x', 1, 1, 1, 0, 0)" \
	"${worker_urls[bruno]}" >hello
claims() {
	postgres_sql 'SELECT coalesce(max(block), -1) FROM scopa.lease
		WHERE claimed'
}
claimed=$(claims)
until [ "$(claims)" -gt "$claimed" ] ||
	grep -q 'is not played here' bruno.log; do
	sleep 0.1
done
expect_no_line 'is not played here' bruno.log
workers_end
end_by INT

scenario 'control characters that a worker sends do not reach the terminal'
postgres_sql 'DELETE FROM scopa.run'
rm -r run
begin_run
for _ in 1 2 3; do
	postgres_sql "SELECT scopa.hello('\\x$key', engine, '', 'x', 1, 1, 1, 0, 0)
		FROM scopa.runs();
		SELECT scopa.release(id, block, copy, attempt, E'\\x1b]0;x\\x07')
		FROM scopa.runs(), scopa.claim(id, 1, false)" \
		"${worker_urls[bruno]}" >released
done
await "$err" 'is paused'
expect_err 'the last: .x1b\]0;x.x07; '
end_by INT

scenario 'two runs whose coordinators are lost do not keep a worker from a third'
postgres_sql 'DELETE FROM scopa.run'
for lost in 1 2; do
	start "$SCOPA_ARENA" tournament @first @random --deals 1 --rounds 2 \
		--tc none --run "lost$lost" --store "$postgres_url" --audit 0
	postgres_await 'SELECT count(*) FROM scopa.run' "$lost"
	kill -s KILL "$arena"
	reap
done
worker_start bruno
arena 0 tournament @first @random --deals 1 --rounds 2 --tc none --run third \
	--store "$postgres_url" --audit 0
workers_end

scenario 'the login of a worker cannot begin a run'
refuses 'the user scopa_bruno is not an organiser of this queue' \
	tournament @greedy @first --run none --store "${worker_urls[bruno]}"
expect test ! -e none

without=${BUILD:?run this with make test}/tests/e2e/without
if [ "$level" != none ] &&
	"$without" namespaces landlock seccomp -- true 2>/dev/null; then
	scenario 'a worker without a sandbox declines a run that needs one'
	postgres_sql 'DELETE FROM scopa.run'
	rm -r run
	begin_run
	run "$without" namespaces landlock seccomp -- "$SCOPA_ARENA" worker \
		--name bruno --key bruno/worker.key --cache bruno/cache \
		--store "${worker_urls[bruno]}" --once
	expect_exit 5
	expect_err '^error: the run wants its bots in a sandbox, and this machine has none$'
	expect_err 'run "gate" is not played here'
	expect test "$(postgres_sql 'SELECT count(*) FROM scopa.worker
		WHERE quarantined AND NOT revoked')" = 0
	end_by INT
else
	skip 'a worker without a sandbox declines a run that needs one' \
		"sandbox: $level"
fi

scenario 'a worker on a machine that kills busy processes refuses to play'
expect_run 5 prlimit --cpu=60 "$SCOPA_ARENA" worker --name bruno \
	--key bruno/worker.key --store "${worker_urls[bruno]}" --once
expect_error 'computed for 60 s is killed'

scenario 'a server that refuses writes is reported, without a hint to enrol'
postgres_sql 'ALTER ROLE scopa_bruno SET default_transaction_read_only = on'
play_once 5 bruno
expect_error 'cannot execute UPDATE in a read-only transaction'
expect_no_err enroll
postgres_sql 'ALTER ROLE scopa_bruno RESET default_transaction_read_only'

scenario 'a queue of another version is refused'
postgres_sql 'UPDATE scopa.version SET version = 3'
play_once 5 bruno
expect_error 'version 3'
postgres_sql 'UPDATE scopa.version SET version = 2'

# A bot that exits if it can reach the server.  A file in its bundle has the
# path of the server's socket, and the port.
mkdir bot
python_bot bot/bot.py <<'END'
import os
import socket
path, port = open(os.path.join(os.path.dirname(__file__), 'server')).read().split()
def turn(*_):
    for family, place in ((socket.AF_UNIX, path),
                          (socket.AF_INET, ('127.0.0.1', int(port)))):
        try:
            socket.socket(family).connect(place)
        except OSError:
            continue
        sys.exit('the server was reached')
END
echo "$postgres_dir/.s.PGSQL.$postgres_port $postgres_port" >bot/server

play_bundle() { # STATUS RUN [OPTION...]
	worker_start bruno --sandbox "${sandbox:-auto}"
	arena "$1" tournament --bot cmd='python3 bot/bot.py' name=python bundle=bot \
		--bot cmd=@first --deals 1 --rounds 2 --tc none --run "$2" \
		--store "$postgres_url" --audit 0 "${@:3}"
	workers_end
}

if sandboxed_or_skip 'a bot is sent to the worker, and cannot reach the server'; then
	postgres_sql 'DELETE FROM scopa.run'
	play_bundle 0 bundle --sandbox require
	expect_no_line '^offence ' bundle/records.scopa
	expect_lines 4 ' name=python' bundle/records.scopa
	expect_verified bundle/records.scopa
	bot=$(find bruno/cache -name bot.py)
	expect test -n "$bot"
	expect test "$(stat -c %a "$bot")" = 555

	scenario 'a bot that was changed in the cache is not played'
	chmod 644 "$bot"
	echo 'sys.exit(1)' >>"$bot"
	play_bundle 0 again --sandbox require
	expect_no_line '^offence ' again/records.scopa
	expect_same bot/bot.py "$(find bruno/cache -name bot.py)"
fi

bare_scenario 'without a sandbox the same bot reaches the server'
sandbox=off
play_bundle 0 reached
expect_line '^offence .*reason=EXIT' reached/records.scopa
expect_out '^  stderr +: the server was reached'

finish
