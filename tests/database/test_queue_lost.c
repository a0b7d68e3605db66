/*
 * The answer of the server is lost, and the call is repeated.  QUEUE_PROXY is
 * the folder of tests/e2e/lossy_proxy.py, which stands before the server.
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

/* The same URL through the proxy: only its folder is another. */
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

/* The answer to the next call does not come. */
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

/* Makes a call whose answer is lost, and makes it again. */
#define TWICE(call)                                   \
	do {                                          \
		lose_answer();                        \
		assert_int_equal((call), QUEUE_AWAY); \
		assert_true(error.what[0] != '\0');   \
		assert_int_equal((call), QUEUE_DONE); \
	} while (0)

static struct {
	int count;
	struct job_name names[2];
} claimed, got;

static void
take_claim(void *context, const struct queue_claim *claim)
{
	(void)context;
	assert_int_equal(claimed.count, 0);
	claimed.names[claimed.count++] = claim->name;
}

static void
take_result(void *context, const struct queue_result *result)
{
	(void)context;
	assert_int_equal(got.count, 0);
	assert_memory_equal(result->record, "record", 6);
	got.names[got.count++] = result->name;
}

TEST(test_a_call_whose_answer_was_lost_is_repeated_without_harm)
{
	struct queue_run run = { .uid = "0123", .spec = "" };
	struct queue_renewal renewal = { .progress = 7 };
	struct queue_finish result = {
		.head = "head", .record = "record", .record_size = 6
	};
	struct queue *queue;
	struct job job;
	int64_t cursor = 0;

	/* One connection at a time: another one would lose notifications. */
	database_reset();
	queue = open_through_proxy(NULL);
	database_enrol(queue, "anna", false);
	queue_contract_job(&job, 5, JOB_COUNTS);
	TWICE(queue->calls->run_begin(queue, &run, &error));
	TWICE(queue->calls->run_set(queue, run.id, "open", &error));
	TWICE(queue->calls->put(queue, run.id, &job, 1, &error));
	queue->calls->close(queue);

	queue = open_through_proxy("anna");
	assert_int_equal(queue->calls->claim(
			     queue, run.id, 9, false, take_claim, NULL, &error),
	    QUEUE_DONE);
	assert_int_equal(claimed.count, 1);
	result.name = renewal.name = claimed.names[0];
	TWICE(queue->calls->renew(queue, run.id, &renewal, 1, &error));
	assert_false(renewal.lost);
	TWICE(queue->calls->finish(queue, run.id, &result, 1, &error));
	assert_int_equal(result.status, QUEUE_DONE);
	queue->calls->close(queue);

	/* What was given under a cursor, and got lost, is given again. */
	queue = open_through_proxy(NULL);
	TWICE(queue->calls->results(
	    queue, run.id, &cursor, take_result, NULL, &error));
	assert_int_equal(got.count, 1);
	assert_int_equal(got.names[0].attempt, 1);
	TWICE(queue->calls->settle(queue, run.id, got.names, 1, &error));
	TWICE(queue->calls->run_set(queue, run.id, "ended", &error));
	queue->calls->close(queue);
}

/* A queue with the worker `anna` and one job. */
static struct queue *
open_with_job(struct queue_run *run)
{
	struct queue *boss;
	struct job job;

	database_reset();
	boss = database_open(NULL);
	database_enrol(boss, "anna", false);
	assert_int_equal(boss->calls->run_begin(boss, run, &error), QUEUE_DONE);
	assert_int_equal(
	    boss->calls->run_set(boss, run->id, "open", &error), QUEUE_DONE);
	queue_contract_job(&job, 0, JOB_COUNTS);
	assert_int_equal(
	    boss->calls->put(boss, run->id, &job, 1, &error), QUEUE_DONE);
	return boss;
}

static void
take_worker(void *context, const struct queue_worker *worker)
{
	*(struct queue_worker *)context = *worker;
}

TEST(test_the_clock_of_a_worker_is_told_and_decides_nothing)
{
	enum { HOUR_S = 3600 };
	struct queue_run run = { .uid = "0123", .spec = "" };
	struct queue_worker self = { .cores = 1 };
	struct queue *boss, *queue;
	int64_t now_ns;
	int held;

	boss = open_with_job(&run);
	queue = database_open("anna");
	queue_contract_key("anna", self.key);
	assert_int_equal(queue->calls->now(queue, &now_ns, &error), QUEUE_DONE);
	assert_int_equal(queue->calls->hello(queue, &self,
			     now_ns - HOUR_S * CLOCK_NS_PER_S, &error),
	    QUEUE_DONE);
	assert_true(self.clock_ahead_s < -HOUR_S);
	memset(&claimed, 0, sizeof(claimed));
	assert_int_equal(queue->calls->claim(
			     queue, run.id, 1, false, take_claim, NULL, &error),
	    QUEUE_DONE);
	assert_int_equal(
	    boss->calls->held(boss, run.id, &held, &error), QUEUE_DONE);
	assert_int_equal(held, 1);
	assert_int_equal(
	    boss->calls->workers(boss, run.id, take_worker, &self, &error),
	    QUEUE_DONE);
	assert_string_equal(self.name, "anna");
	assert_true(self.clock_ahead_s < -HOUR_S);
	queue->calls->close(queue);
	boss->calls->close(boss);
}

TEST(test_a_full_disk_of_the_server_loses_nothing)
{
	struct queue_run run = { .uid = "0123", .spec = "" };
	struct queue_finish result = {
		.head = "head", .record = "record", .record_size = 6
	};
	struct queue *boss, *queue;

	boss = open_with_job(&run);
	queue = database_open("anna");
	memset(&claimed, 0, sizeof(claimed));
	assert_int_equal(queue->calls->claim(
			     queue, run.id, 1, false, take_claim, NULL, &error),
	    QUEUE_DONE);
	result.name = claimed.names[0];
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
	assert_int_equal(
	    queue->calls->finish(queue, run.id, &result, 1, &error),
	    QUEUE_DONE);
	assert_int_equal(result.status, QUEUE_DONE);
	queue->calls->close(queue);
	boss->calls->close(boss);
}
