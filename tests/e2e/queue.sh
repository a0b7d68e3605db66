#!/bin/bash
# Goal: the queue of blocks in a real PostgreSQL database: its set-up, its
# roles, and the tests of tests/database.
. "$SRC/tests/e2e/postgres.bash"

postgres_open 'the queue in PostgreSQL' 127.0.0.1

scenario 'the queue is made once, and making it again is harmless'
arena 0 db create --store "$postgres_url"
arena 0 db create --store "$postgres_tcp"
expect_out '^the queue is there$'

scenario 'a queue of an older program of this version gets the present functions'
postgres_sql "CREATE OR REPLACE FUNCTION scopa.part_size() RETURNS bigint
	LANGUAGE sql AS 'SELECT 1::bigint'"
arena 0 db create --store "$postgres_url"
expect [ "$(postgres_sql 'SELECT scopa.part_size()')" = 4096 ]

# Expects an error that does not show the password of the URL.
store_refused() { # STATUS EXPRESSION URL
	arena "$1" db create --store "$3"
	expect_error "$2"
	expect_no_err 'organiser.1|wrong-word'
}

scenario 'an error about a store names the reason, and never the password'
refuses 'store is missing' db create
for url in sqlite:x postgres://anna:wrong-word postgres:///db?nonsense=1 \
	postgres://anna:wrong-word@/postgres?port=wrong-word \
	postgres://anna:wrong-word/1@host/db postgres://anna:wrong-word@@h/db; do
	store_refused 2 'URL of the store cannot be read' "$url"
	expect_err '^  hint    : it is postgres://USER:PASSWORD@HOST'
done
store_refused 2 'password authentication failed' \
	"$(postgres_url_of organiser wrong-word)"
store_refused 2 'password authentication failed' \
	"$(postgres_tcp_of nobody wrong-word)"
store_refused 2 'database "absent" does not exist' \
	"$(postgres_url_of organiser "$postgres_password" absent)"
expect_err '^  hint    : .*createdb'
store_refused 2 'no pg_hba.conf entry.*no encryption' \
	"${postgres_tcp/verify-full/disable}"
store_refused 5 'cannot be reached: .*No such file' \
	"${postgres_url/"$postgres_dir"//nowhere}"
postgres_sql 'UPDATE scopa.version SET version = 3'
store_refused 5 'queue of this database is of version 3.*needs version 2' \
	"$postgres_url"
postgres_sql 'UPDATE scopa.version SET version = 2'

scenario 'a user without rights cannot make a queue'
postgres_sql "CREATE ROLE guest LOGIN PASSWORD 'guest'"
postgres_sql 'CREATE DATABASE other'
store_refused 2 'permission denied' "$(postgres_url_of guest guest other)"
expect_err '^  hint    : the owner of the database'

scenario 'the role of a worker can call its functions and nothing else'
postgres_sql "SELECT scopa.worker_set('anna', 'scopa_anna', '\\x00', true,
	false, false, 'secret')"
anna=$(postgres_url_of scopa_anna secret)
expect [ "$(postgres_sql 'SELECT count(*) FROM scopa.runs()' "$anna")" = 0 ]
while IFS= read -r sql; do
	postgres_sql "$sql" "$anna" >"$out" 2>"$err" &&
		fail "a worker may do this: $sql"
	expect_err 'permission denied|must be|not allowed|only|cannot'
done <<'END'
SELECT * FROM scopa.job
SELECT * FROM scopa.worker
INSERT INTO scopa.version VALUES (3)
UPDATE scopa.worker SET trusted = true
DELETE FROM scopa.result
TRUNCATE scopa.lease
DROP SCHEMA scopa CASCADE
CREATE TABLE scopa.mine (a int)
CREATE TABLE public.mine (a int)
CREATE TEMPORARY TABLE mine (a int)
CREATE SCHEMA mine
CREATE ROLE mine
SET ROLE organiser
SET SESSION AUTHORIZATION organiser
SELECT scopa.put(1, '{}', '{}', '{}', '{}')
SELECT scopa.settle(1, '{}', '{}')
SELECT scopa.results(1, 1, 1)
SELECT scopa.worker_set('x', 'x', 'x', true, false, false, 'x')
SELECT scopa.run_set(1, 'ended')
SELECT scopa.me()
SELECT lo_create(0)
SELECT pg_read_file('/etc/passwd')
COPY (SELECT 1) TO PROGRAM 'true'
ALTER ROLE scopa_anna CONNECTION LIMIT -1
ALTER SYSTEM SET max_connections = 1
END

scenario 'a user that is not enrolled is refused'
postgres_sql 'GRANT scopa_worker TO guest'
postgres_sql 'SELECT scopa.runs()' "$(postgres_url_of guest guest)" \
	>"$out" 2>"$err"
expect_err 'the user guest is not enrolled as a worker'

scenario 'the server ends a transaction that is left open'
expect [ "$(postgres_sql 'SHOW idle_in_transaction_session_timeout')" = 10s ]
expect [ "$(postgres_sql 'SHOW idle_in_transaction_session_timeout' \
	"$anna")" = 10s ]
expect [ "$(postgres_sql 'SHOW statement_timeout' "$anna")" = 30s ]

# Runs SQL in the background; its transaction ends a second later.
hold() { # SQL
	postgres_sql "$1; SELECT pg_sleep(1)" >held &
	arena=$! postgres_await "SELECT count(*) FROM pg_stat_activity
		WHERE wait_event = 'PgSleep'" 1
}

scenario 'a bundle that a run begins to use stays when another run ends'
for uid in old new; do
	postgres_sql "SELECT scopa.run_begin('$uid', '', '', '', false, 60, '')"
done >"$out"
postgres_sql "SELECT scopa.bundle_put(id, sha256('x'), 'x') FROM scopa.run
	WHERE uid = 'old'" >"$out"
hold "SELECT scopa.bundle_use(id, sha256('x')) FROM scopa.run
	WHERE uid = 'new'"
postgres_sql "SELECT scopa.run_set(id, 'ended') FROM scopa.run
	WHERE uid = 'old'"
wait $!
expect [ "$(postgres_sql 'SELECT count(*) FROM scopa.bundle')" = 1 ]
postgres_sql "SELECT scopa.run_set(id, 'ended') FROM scopa.run"
expect [ "$(postgres_sql 'SELECT count(*) FROM scopa.bundle')" = 0 ]

# Runs SQL twice at once; the second waits for the first.
expect_twice() { # SQL
	hold "$1"
	postgres_sql "$1" >"$out" 2>"$err" || fail "$(cat "$err")"
	wait $!
}

scenario 'partitions can be made and dropped twice at once'
postgres_sql "SELECT scopa.run_begin('parts', '', '', '', false, 60, '')" >id
expect_twice "SELECT scopa.part_make($(cat id), '{0}')"
postgres_sql "ALTER FUNCTION scopa.part_drop SET lock_timeout = '5s'"
expect_twice "SELECT scopa.part_drop($(cat id), 4096)"
postgres_sql "ALTER FUNCTION scopa.part_drop SET lock_timeout = '200ms'"

if [ -n "${TEST_FULL:-}" ]; then
	scenario 'a transaction that is idle for 10 s does not hold back the rest'
	(
		echo 'BEGIN; SELECT pg_current_xact_id();'
		sleep 30
	) | "$postgres_bin/psql" -X "$postgres_url" >idle 2>&1 &
	arena=$! await "$postgres_dir/log" \
		'terminating connection due to idle-in-transaction timeout'
	kill $! 2>/dev/null

	scenario 'the arena gives up on a server that does not answer'
	mkdir "$postgres_dir/mute"
	start python3 -IS -c '
import socket, sys, time
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1] + "/.s.PGSQL.5432")
listener.listen()
print("ready", flush=True)
time.sleep(600)' "$postgres_dir/mute"
	mute=$arena
	await "$out" ready
	store_refused 5 'cannot be reached: .*does not answer' \
		"postgres:///postgres?host=$postgres_dir/mute"
	kill "$mute"
fi

scenario 'the queue does what every queue must do'
expect_run 0 env QUEUE_STORE="$postgres_url" \
	"$BUILD/tests/database/tests" test_queue_postgres
expect_no_out '^not ok'
expect_out '^ok'

scenario 'workers die, pause, and the server restarts: each block counts once'
start env QUEUE_STORE="$postgres_url" CHAOS_BLOCKS="$(few_or_all 2000 20000)" \
	CHAOS_KILLS="$(few_or_all 10 99)" CHAOS_STOPS="$(few_or_all 2 38)" \
	"$BUILD/tests/database/tests" test_queue_chaos
await "$out" '^# settled' 2 && postgres_restart
await "$out" '^# settled' 4 && postgres_kill && postgres_start
await "$out" '^# settled' 6 && postgres_restart immediate
reap_all 0
expect_out '^# [0-9]* blocks'

scenario 'a call whose answer was lost can be repeated'
mkdir "$postgres_dir/proxy"
python3 "$SRC/tests/e2e/lossy_proxy.py" "$postgres_dir/proxy" "$postgres_dir" \
	"$postgres_port" >proxy &
proxy=$!
arena=$proxy await proxy ready
expect_run 0 env QUEUE_STORE="$postgres_url" \
	QUEUE_PROXY="$postgres_dir/proxy" \
	"$BUILD/tests/database/tests" test_queue_lost
kill "$proxy"

finish
