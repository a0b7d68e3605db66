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

finish
