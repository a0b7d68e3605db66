/*
 * The queue in PostgreSQL does what every queue must do.  The clock of the
 * server cannot be set, so the times that it has stored are moved into the
 * past.
 */
#include "database.h"
#include "queue_contract.h"

static int
setup(void **state)
{
	static struct queue_bench bench = {
		.connect = database_open,
		.pass = database_pass,
		.password = DATABASE_PASSWORD,
	};

	database_reset();
	*state = &bench;
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	return 0;
}

QUEUE_CONTRACT(setup, teardown)
