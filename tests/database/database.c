/* Implements database.h. */
#include "database.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pg.h"
#include "test.h"

enum { URL_SIZE = 512, SQL_SIZE = 512 };

#define PASSWORD_IN_URL "secret%2F1"

static struct store_error error;

const char *
database_url(const char *worker)
{
	static char url[URL_SIZE];
	char role[QUEUE_NAME_SIZE];
	const char *store = getenv("QUEUE_STORE");

	assert_non_null(store);
	if (worker == NULL)
		return store;
	assert_true(queue_role(worker, role));
	snprintf(url, sizeof(url), "postgres://%s:%s%s", role, PASSWORD_IN_URL,
	    strchr(store, '@'));
	return url;
}

void
database_run(const char *sql)
{
	struct pg *pg;

	if (pg_open(&pg, database_url(NULL), "SELECT 1", &error) != 0 ||
	    pg_script(pg, sql, &error) != QUEUE_DONE)
		fail_msg("%s", error.what);
	pg_close(pg);
}

void
database_pass(int64_t ns)
{
	char sql[SQL_SIZE];
	double seconds = (double)ns / 1e9;

	snprintf(sql, sizeof(sql),
	    "UPDATE scopa.lease SET until = until - interval '%.3f s';"
	    "UPDATE scopa.run SET expire_at = expire_at - interval '%.3f s';"
	    "UPDATE scopa.loss SET at = at - interval '%.3f s';"
	    "UPDATE scopa.worker SET seen = seen - interval '%.3f s'",
	    seconds, seconds, seconds, seconds);
	database_run(sql);
}

void
database_reset(void)
{
	database_run("DROP SCHEMA IF EXISTS scopa CASCADE;"
		     "DROP ROLE IF EXISTS scopa_anna;"
		     "DROP ROLE IF EXISTS scopa_bruno;"
		     "DROP ROLE IF EXISTS scopa_carla");
	if (queue_postgres_create(database_url(NULL), &error) != 0)
		fail_msg("%s", error.what);
}

struct queue *
database_open(const char *worker)
{
	struct queue *queue;

	if (queue_postgres_open(
		&queue, database_url(worker), worker != NULL, &error) != 0)
		fail_msg("%s", error.what);
	return queue;
}

void
database_enrol(struct queue *organiser, const char *name)
{
	struct queue_worker worker = { 0 };

	snprintf(worker.name, sizeof(worker.name), "%s", name);
	memset(worker.key, name[0], sizeof(worker.key));
	if (organiser->calls->worker_set(
		organiser, &worker, DATABASE_PASSWORD, &error) != QUEUE_DONE)
		fail_msg("%s", error.what);
}
