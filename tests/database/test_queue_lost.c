/*
 * The answer of the server is lost, and the call is repeated.  QUEUE_PROXY is
 * the folder of the socket of tests/e2e/lossy_proxy.py, a proxy before the
 * server.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "database.h"
#include "queue_contract.h"

enum { URL_SIZE = 512 };

static struct store_error error;

/* The same URL through the proxy: only the folder of the socket differs. */
static struct queue *
open_through_proxy(const char *worker)
{
	const char *url = database_url(worker), *proxy = getenv("QUEUE_PROXY");
	const char *host = strstr(url, "host="), *rest;
	char through[URL_SIZE];
	struct queue *queue;

	assert_non_null(proxy);
	assert_non_null(host);
	host += strlen("host=");
	rest = strchr(host, '&');
	snprintf(through, sizeof(through), "%.*s%s%s", (int)(host - url), url,
	    proxy, rest != NULL ? rest : "");
	if (queue_postgres_open(&queue, through, worker != NULL, &error) != 0)
		fail_msg("%s", error.what);
	return queue;
}

/* The proxy drops the answer to the next call. */
static void
lose_answer(void)
{
	char path[URL_SIZE];
	int fd;

	snprintf(path, sizeof(path), "%s/lose", getenv("QUEUE_PROXY"));
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	close(fd);
}

static void
must(enum queue_status status)
{
	queue_contract_must(status, &error);
}

/* Makes a call whose answer is lost, and repeats it. */
#define TWICE(call)                                   \
	do {                                          \
		lose_answer();                        \
		assert_int_equal((call), QUEUE_AWAY); \
		assert_true(error.what[0] != '\0');   \
		assert_int_equal((call), QUEUE_DONE); \
	} while (0)

/* The block that a call has delivered. */
static struct job_name delivered;
static int delivered_count;

static void
on_claim(void *context, const struct queue_claim *claim)
{
	(void)context;
	delivered = claim->name;
	delivered_count++;
}

static void
on_result(void *context, const struct queue_result *result)
{
	(void)context;
	assert_memory_equal(result->record, "record", 6);
	delivered = result->name;
	delivered_count++;
}

static struct job_name
claim_one(struct queue *queue, int64_t run)
{
	delivered_count = 0;
	must(queue->calls->claim(queue, run, 1, false, on_claim, NULL, &error));
	assert_int_equal(delivered_count, 1);
	return delivered;
}

TEST(test_call_whose_answer_was_lost_can_be_repeated)
{
	struct queue_run run = { .uid = "0123", .spec = "" };
	struct queue_renewal renewal = { .progress = 7 };
	struct queue_finish result = {
		.head = "head", .record = "record", .record_size = 6
	};
	struct queue *queue;
	struct job job;
	int64_t cursor = 0;

	/* Only one connection is open at a time: another one would lose
	 * notifications. */
	database_reset();
	queue = open_through_proxy(NULL);
	database_enrol(queue, "anna");
	queue_contract_job(&job, 5, JOB_COUNTS);
	TWICE(queue->calls->run_begin(queue, &run, &error));
	TWICE(queue->calls->run_set(queue, run.id, "open", &error));
	TWICE(queue->calls->put(queue, run.id, &job, 1, &error));
	queue_contract_job(&job, 6, JOB_COUNTS);
	must(queue->calls->put(queue, run.id, &job, 1, &error));
	queue->calls->close(queue);

	queue = open_through_proxy("anna");
	result.name = renewal.name = claim_one(queue, run.id);
	TWICE(queue->calls->renew(queue, run.id, &renewal, 1, &error));
	assert_false(renewal.lost);
	TWICE(queue->calls->finish(queue, run.id, &result, 1, &error));
	assert_int_equal(result.status, QUEUE_DONE);
	result.name = claim_one(queue, run.id);
	must(queue->calls->finish(queue, run.id, &result, 1, &error));
	queue->calls->close(queue);

	/*
	 * Results that were lost are delivered again, one at first: so many may
	 * have been too much for the connection.
	 */
	queue = open_through_proxy(NULL);
	delivered_count = 0;
	TWICE(queue->calls->results(
	    queue, run.id, &cursor, on_result, NULL, &error));
	assert_int_equal(delivered_count, 1);
	assert_int_equal(delivered.attempt, 1);
	must(queue->calls->results(
	    queue, run.id, &cursor, on_result, NULL, &error));
	assert_int_equal(delivered_count, 2);
	TWICE(queue->calls->settle(queue, run.id, &delivered, 1, &error));
	TWICE(queue->calls->run_set(queue, run.id, "ended", &error));
	queue->calls->close(queue);
}

/* Opens a queue with the worker `anna` and one job. */
static struct queue *
open_with_job(struct queue_run *run)
{
	struct queue *boss;

	database_reset();
	boss = database_open(NULL);
	database_enrol(boss, "anna");
	queue_contract_begin(boss, run);
	queue_contract_put(boss, run->id, 0, 1);
	return boss;
}

static void
on_worker(void *context, const struct queue_worker *worker)
{
	*(struct queue_worker *)context = *worker;
}

TEST(test_clock_of_a_worker_is_reported_and_has_no_effect)
{
	enum { HOUR_S = 3600 };
	struct queue_run run = { .uid = "0123", .spec = "" };
	struct queue_worker self = { .cores = 1 };
	struct queue *boss, *queue;
	int held;

	boss = open_with_job(&run);
	queue = database_open("anna");
	queue_contract_key("anna", self.key);
	must(queue->calls->hello(
	    queue, &self, clock_wall_ns() - HOUR_S * CLOCK_NS_PER_S, &error));
	assert_true(self.clock_ahead_s < -HOUR_S);
	claim_one(queue, run.id);
	must(boss->calls->held(boss, run.id, &held, &error));
	assert_int_equal(held, 1);
	must(boss->calls->workers(boss, run.id, on_worker, &self, &error));
	assert_string_equal(self.name, "anna");
	assert_true(self.clock_ahead_s < -HOUR_S);
	queue->calls->close(queue);
	boss->calls->close(boss);
}

TEST(test_full_disk_of_the_server_loses_no_result)
{
	struct queue_run run = { .uid = "0123", .spec = "" };
	struct queue_finish result = {
		.head = "head", .record = "record", .record_size = 6
	};
	struct queue *boss, *queue;

	boss = open_with_job(&run);
	queue = database_open("anna");
	result.name = claim_one(queue, run.id);
	database_run("CREATE FUNCTION scopa.full() RETURNS trigger LANGUAGE "
		     "plpgsql AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = "
		     "'53100', MESSAGE = 'no space'; END $$;"
		     "CREATE TRIGGER full_disk BEFORE INSERT ON scopa.result "
		     "FOR EACH ROW EXECUTE FUNCTION scopa.full()");
	assert_int_equal(
	    queue->calls->finish(queue, run.id, &result, 1, &error),
	    QUEUE_AWAY);
	assert_string_equal(
	    error.what, "the disk of the database server is full");
	database_run("DROP TRIGGER full_disk ON scopa.result");
	must(queue->calls->finish(queue, run.id, &result, 1, &error));
	assert_int_equal(result.status, QUEUE_DONE);
	queue->calls->close(queue);
	boss->calls->close(boss);
}
