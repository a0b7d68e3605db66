#!/bin/bash
# The queue of blocks in a PostgreSQL database.
. "$SRC/tests/e2e/lib.sh"
. "$SRC/tests/e2e/postgres.bash"

postgres_needed 'the queue in PostgreSQL'
postgres_open 127.0.0.1 || exit 1

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
reap_all
expect_exit 0
expect_out '^# [0-9]* blocks'

finish
