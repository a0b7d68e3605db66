/*
 * Workers are killed, or stopped for longer than their lease, and the server
 * may be restarted: each block gets exactly one result.
 *
 * Environment: CHAOS_BLOCKS, CHAOS_KILLS, CHAOS_STOPS; CHAOS_WORKERS, number of
 * processes; CHAOS_BATCH, blocks in a claim and in a finish; CHAOS_RECORD, bytes
 * of a record.  Prints `settled N` after each tenth of the blocks, so that a
 * script can restart the server meanwhile; and at the end blocks a second,
 * which measure the queue if nothing is killed or stopped.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "database.h"
#include "queue_contract.h"
#include "support.h"

enum {
	WORKERS_MAX = 3,
	WINDOW = 8 * QUEUE_BATCH_MAX,
	LEASE_S = 1,
	NAME_SIZE = 64,
	BLOCKS_MAX = 100000
};

static const char *const names[WORKERS_MAX] = { "anna", "bruno", "carla" };

/* Actions of one kind, such as kills, spread evenly over the blocks. */
struct actions {
	int all, done;
};

static struct store_error error;
static int64_t run_id;
static int worker_count, batch_size;
static struct actions kills, stops;
static char *record; /* the same in all results */
static size_t record_size;

/* False: the queue is measured. */
static bool
is_disturbed(void)
{
	return kills.all + stops.all > 0;
}

/* Memory that all processes share. */
static struct shared {
	_Atomic bool stop;
	_Atomic int64_t fenced, away;
} * shared;

static void
nap_ms(int ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000L }, NULL);
}

/*
 * A worker; each one is a process.
 */

struct batch {
	int count;
	struct queue_finish finishes[QUEUE_BATCH_MAX];
};

/* Makes a text that can be compressed about as well as a record. */
static void
record_make(void)
{
	uint32_t state = 1;

	record_size = (size_t)support_number("CHAOS_RECORD", 64);
	record = malloc(record_size);
	assert_non_null(record);
	for (size_t i = 0; i < record_size; i++) {
		state = state * 1664525 + 1013904223;
		record[i] = "move score 1234567890DCSB"[(state >> 24) % 25];
		if (i % 4 == 3)
			memcpy(record + i - 3, "play", 4);
	}
}

/* The head of a result names its block and attempt. */
static void
head_make(char head[NAME_SIZE], const struct job_name *name)
{
	snprintf(head, NAME_SIZE, "block %d attempt %d", (int)name->block,
	    name->attempt);
}

static void
on_claim(void *context, const struct queue_claim *claim)
{
	static char heads[QUEUE_BATCH_MAX][NAME_SIZE];
	struct batch *batch = context;
	char *head = heads[batch->count];

	head_make(head, &claim->name);
	batch->finishes[batch->count++] = (struct queue_finish){
		.name = claim->name,
		.head = head,
		.record = record,
		.record_size = record_size,
	};
}

static void
worker_finish(struct queue *queue, struct batch *batch)
{
	enum queue_status status = QUEUE_AWAY;

	while (status == QUEUE_AWAY && !shared->stop) {
		status = queue->calls->finish(
		    queue, run_id, batch->finishes, batch->count, &error);
		if (status == QUEUE_AWAY) {
			shared->away++;
			nap_ms(20);
		}
	}
	for (int i = 0; status == QUEUE_DONE && i < batch->count; i++)
		if (batch->finishes[i].status == QUEUE_FENCED)
			shared->fenced++;
}

static void
worker_main(const char *url)
{
	static struct batch batch;
	struct queue *queue = NULL;

	while (!shared->stop) {
		if (queue == NULL &&
		    queue_postgres_open(&queue, url, true, &error) != 0) {
			nap_ms(20);
			continue;
		}
		batch.count = 0;
		if (queue->calls->claim(queue, run_id, batch_size, false,
			on_claim, &batch, &error) != QUEUE_DONE)
			nap_ms(20);
		else if (batch.count == 0)
			(void)queue->calls->wait(
			    queue, 20 * CLOCK_NS_PER_MS, -1);
		if (is_disturbed())
			nap_ms(1);
		if (batch.count > 0)
			worker_finish(queue, &batch);
	}
	_exit(0);
}

static pid_t
worker_start(int number)
{
	const char *url = database_url(names[number]);
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		worker_main(url);
	return pid;
}

static void
worker_end(pid_t pid)
{
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0)
		assert_int_equal(errno, EINTR);
}

/*
 * The coordinator.
 */

static struct coordinator {
	struct queue *queue;
	int blocks, put, settled;
	int attempts[BLOCKS_MAX]; /* attempt of the result; 0: no result yet */
	struct job_name names[QUEUE_BATCH_MAX];
	int count;
} coordinator;

/*
 * A result may be delivered twice; two different results of a block are an
 * error.
 */
static void
on_result(void *context, const struct queue_result *result)
{
	struct coordinator *self = context;
	char head[NAME_SIZE];
	int *attempt = &self->attempts[result->name.block];

	head_make(head, &result->name);
	assert_string_equal(result->head, head);
	assert_int_equal(result->record_size, record_size);
	assert_memory_equal(result->record, record, record_size);
	assert_true(*attempt == 0 || *attempt == result->name.attempt);
	assert_false(result->conflict);
	self->settled += *attempt == 0;
	*attempt = result->name.attempt;
	self->names[self->count++] = result->name;
}

static void
put_block(struct coordinator *self, int first, int count)
{
	static struct job jobs[QUEUE_BATCH_MAX];

	for (int i = 0; i < count; i++)
		queue_contract_job(&jobs[i], first + i, JOB_COUNTS);
	while (self->queue->calls->put(
		   self->queue, run_id, jobs, count, &error) == QUEUE_AWAY)
		nap_ms(20);
}

static void
on_paused(void *context, const struct queue_paused *paused)
{
	struct coordinator *self = context;

	self->names[self->count++] = paused->name;
}

static void
coordinate(struct coordinator *self, int64_t *cursor)
{
	struct queue *queue = self->queue;
	int count;

	count = self->blocks - self->put;
	if (count > QUEUE_BATCH_MAX)
		count = QUEUE_BATCH_MAX;
	if (count > 0 && self->put + count <= self->settled + WINDOW) {
		put_block(self, self->put, count);
		self->put += count;
	}
	self->count = 0;
	(void)queue->calls->results(
	    queue, run_id, cursor, on_result, self, &error);
	if (self->count > 0)
		while (queue->calls->settle(queue, run_id, self->names,
			   self->count, &error) == QUEUE_AWAY)
			nap_ms(20);
	else
		(void)queue->calls->wait(queue, 20 * CLOCK_NS_PER_MS, -1);
	if (!is_disturbed())
		return;
	self->count = 0;
	(void)queue->calls->paused(queue, run_id, on_paused, self, &error);
	for (int i = 0; i < self->count; i++)
		put_block(self, (int)self->names[i].block, 1);
}

static bool
action_is_due(struct actions *actions, const struct coordinator *self)
{
	if (actions->done >= actions->all ||
	    self->settled * (actions->all + 1) <
		self->blocks * (actions->done + 1))
		return false;
	actions->done++;
	return true;
}

static void
begin(struct coordinator *self)
{
	struct queue_run run = { .spec = "", .lease_s = LEASE_S };

	self->blocks = (int)support_number("CHAOS_BLOCKS", 2000);
	kills.all = (int)support_number("CHAOS_KILLS", 10);
	stops.all = (int)support_number("CHAOS_STOPS", 2);
	worker_count = (int)support_number("CHAOS_WORKERS", WORKERS_MAX);
	batch_size = (int)support_number("CHAOS_BATCH", 8);
	assert_true(self->blocks <= BLOCKS_MAX && worker_count <= WORKERS_MAX &&
	    batch_size <= QUEUE_BATCH_MAX);
	record_make();
	database_reset();
	self->queue = database_open(NULL);
	strcpy(run.uid, "0123456789abcdef0123456789abcdef");
	for (int i = 0; i < worker_count; i++)
		database_enrol(self->queue, names[i]);
	queue_contract_begin(self->queue, &run);
	run_id = run.id;
}

TEST(test_each_block_has_one_result_although_workers_fail)
{
	struct coordinator *self = &coordinator;
	struct actions lines = { .all = 10 };
	pid_t pids[WORKERS_MAX];
	int64_t cursor = 0, stopped_ns = 0, attempts = 0, begun_ns;
	int stopped = -1, next = 0;

	begin(self);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(shared != MAP_FAILED);
	begun_ns = clock_now_ns();
	for (int i = 0; i < worker_count; i++)
		pids[i] = worker_start(i);
	while (self->settled < self->blocks) {
		coordinate(self, &cursor);
		if (action_is_due(&lines, self)) {
			printf("# settled %d\n", self->settled);
			fflush(stdout);
		}
		next = (next + 1) % worker_count;
		if (next != stopped && action_is_due(&kills, self)) {
			worker_end(pids[next]);
			pids[next] = worker_start(next);
		}
		if (stopped < 0 && action_is_due(&stops, self)) {
			stopped = (next + 1) % worker_count;
			kill(pids[stopped], SIGSTOP);
			stopped_ns = clock_now_ns();
		}
		if (stopped >= 0 &&
		    clock_now_ns() >=
			stopped_ns + 3 * LEASE_S * CLOCK_NS_PER_S / 2) {
			kill(pids[stopped], SIGCONT);
			stopped = -1;
		}
	}
	printf("# %.0f blocks a second\n",
	    (double)self->blocks * 1e9 / (double)(clock_now_ns() - begun_ns));
	shared->stop = true;
	for (int i = 0; i < worker_count; i++)
		worker_end(pids[i]);
	for (int i = 0; i < self->blocks; i++) {
		assert_true(self->attempts[i] > 0);
		attempts += self->attempts[i];
	}
	printf("# %d blocks, %d results, %d attempts, %d kills, %d stops, "
	       "%d fenced, %d calls lost\n",
	    self->blocks, self->settled, (int)attempts, kills.done, stops.done,
	    (int)shared->fenced, (int)shared->away);
	self->queue->calls->close(self->queue);
	munmap(shared, sizeof(*shared));
	free(record);
}
