/*
 * The queue in PostgreSQL does what every queue must do.  The clock of the
 * server cannot be set, so the times that it has stored are moved into the
 * past.
 */
#include "database.h"
#include "queue_contract.h"

static struct queue *
bench_connect(struct queue_bench *bench, const char *worker)
{
	(void)bench;
	return database_open(worker);
}

static void
bench_pass(struct queue_bench *bench, int64_t ns)
{
	(void)bench;
	database_pass(ns);
}

static int
setup(void **state)
{
	static struct queue_bench bench;

	database_reset();
	bench = (struct queue_bench){
		.connect = bench_connect,
		.pass = bench_pass,
		.password = DATABASE_PASSWORD,
	};
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
