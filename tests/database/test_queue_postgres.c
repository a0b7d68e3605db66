/*
 * The queue in PostgreSQL does what every queue must do.  tests/e2e/queue.sh
 * starts a server and runs this; QUEUE_STORE is the URL of its superuser.
 */
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "pg.h"
#include "queue_contract.h"

enum { URL_SIZE = 512, SQL_SIZE = 512 };

#define PASSWORD "secret/1"
#define PASSWORD_IN_URL "secret%2F1"

static struct store_error error;

static const char *
store(void)
{
	const char *url = getenv("QUEUE_STORE");

	assert_non_null(url);
	return url;
}

/* The URL of the store for a worker. */
static void
worker_url(const char *worker, char url[URL_SIZE])
{
	char role[QUEUE_NAME_SIZE];

	assert_true(queue_postgres_role(worker, role));
	snprintf(url, URL_SIZE, "postgres://%s:%s%s", role, PASSWORD_IN_URL,
	    strchr(store(), '@'));
}

static void
run_sql(const char *sql)
{
	struct pg *pg;

	if (pg_open(&pg, store(), "SELECT 1", &error) != 0 ||
	    pg_script(pg, sql, &error) != QUEUE_DONE)
		fail_msg("%s", error.what);
	pg_close(pg);
}

static struct queue *
open_as(const char *worker)
{
	char url[URL_SIZE];
	struct queue *queue;

	if (worker != NULL)
		worker_url(worker, url);
	else
		snprintf(url, sizeof(url), "%s", store());
	if (queue_postgres_open(&queue, url, worker != NULL, &error) != 0)
		fail_msg("%s", error.what);
	return queue;
}

static struct queue *
bench_connect(struct queue_bench *bench, const char *worker)
{
	(void)bench;
	return open_as(worker);
}

/* The server's clock cannot be set, so what it has noted becomes older. */
static void
bench_pass(struct queue_bench *bench, int64_t ns)
{
	char sql[SQL_SIZE];

	(void)bench;
	snprintf(sql, sizeof(sql),
	    "UPDATE scopa.lease SET until = until - interval '%.3f s';"
	    "UPDATE scopa.run SET expire_at = expire_at - interval '%.3f s';"
	    "UPDATE scopa.worker SET seen = seen - interval '%.3f s'",
	    (double)ns / 1e9, (double)ns / 1e9, (double)ns / 1e9);
	run_sql(sql);
}

/* Roles are of the whole server, and stay. */
static int
setup(void **state)
{
	static struct queue_bench bench;

	run_sql("DROP SCHEMA IF EXISTS scopa CASCADE;"
		"DROP ROLE IF EXISTS scopa_anna;"
		"DROP ROLE IF EXISTS scopa_bruno;"
		"DROP ROLE IF EXISTS scopa_carla");
	if (queue_postgres_create(store(), &error) != 0)
		fail_msg("%s", error.what);
	bench = (struct queue_bench){
		.connect = bench_connect,
		.pass = bench_pass,
		.password = PASSWORD,
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
