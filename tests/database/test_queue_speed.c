/*
 * Measures the blocks per second of the queue, and the size that remains in the
 * database.
 *
 * Environment: SPEED_BLOCKS, number of blocks; SPEED_BATCH, blocks in a claim
 * and in a finish; SPEED_WORKERS, number of processes; SPEED_RECORD, bytes of a
 * record.  With SPEED_BATCH=1 each block is claimed and finished alone.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "database.h"
#include "queue_contract.h"
#include "support.h"

enum { WORKERS_MAX = 3, WINDOW = 8 * QUEUE_BATCH_MAX };

static const char *const names[] = { "anna", "bruno", "carla" };

static struct store_error error;
static int64_t run_id;
static int record_size;
static char *record;
static _Atomic bool *stop;

/* Makes a text that can be compressed about as well as a record. */
static void
record_make(void)
{
	uint32_t state = 1;

	record_size = (int)support_number("SPEED_RECORD", 4096);
	record = malloc((size_t)record_size);
	assert_non_null(record);
	for (int i = 0; i < record_size; i++) {
		state = state * 1664525 + 1013904223;
		record[i] = "move score 1234567890DCSB"[(state >> 24) % 25];
		if (i % 4 == 3)
			memcpy(record + i - 3, "play", 4);
	}
}

struct batch {
	int count;
	struct queue_finish finishes[QUEUE_BATCH_MAX];
};

static void
on_claim(void *context, const struct queue_claim *claim)
{
	struct batch *batch = context;

	batch->finishes[batch->count++] = (struct queue_finish){
		.name = claim->name,
		.head = "head",
		.record = record,
		.record_size = (size_t)record_size,
	};
}

static void
worker_main(const char *name, int claim)
{
	static struct batch batch;
	struct queue *queue = database_open(name);

	while (!*stop) {
		batch.count = 0;
		if (queue->calls->claim(queue, run_id, claim, false, on_claim,
			&batch, &error) != QUEUE_DONE)
			fprintf(stderr, "claim: %s\n", error.what);
		while (batch.count > 0 && !*stop &&
		    queue->calls->finish(queue, run_id, batch.finishes,
			batch.count, &error) != QUEUE_DONE)
			fprintf(stderr, "finish: %s\n", error.what);
		if (batch.count == 0)
			(void)queue->calls->wait(
			    queue, 20 * CLOCK_NS_PER_MS, -1);
	}
	_exit(0);
}

static struct {
	int count;
	struct job_name names[QUEUE_BATCH_MAX];
} got;

static void
on_result(void *context, const struct queue_result *result)
{
	(void)context;
	got.names[got.count++] = result->name;
}

/* Puts blocks before they are needed, and settles those with results. */
static void
coordinate(struct queue *queue, int blocks)
{
	int put = 0, settled = 0;
	int64_t cursor = 0;

	while (settled < blocks) {
		if (put < blocks && put < settled + WINDOW) {
			queue_contract_put(queue, run_id, put, QUEUE_BATCH_MAX);
			put += QUEUE_BATCH_MAX;
		}
		got.count = 0;
		queue_contract_must(queue->calls->results(queue, run_id,
					&cursor, on_result, NULL, &error),
		    &error);
		if (got.count > 0)
			queue_contract_must(queue->calls->settle(queue, run_id,
						got.names, got.count, &error),
			    &error);
		else
			(void)queue->calls->wait(
			    queue, 20 * CLOCK_NS_PER_MS, -1);
		settled += got.count;
	}
}

TEST(test_speed_of_the_queue_is_measured)
{
	int blocks = (int)support_number("SPEED_BLOCKS", 2000);
	int workers = (int)support_number("SPEED_WORKERS", 2);
	int batch = (int)support_number("SPEED_BATCH", 64);
	struct queue_run run = { .spec = "", .uid = "0123" };
	struct queue *queue;
	int64_t begun_ns, ns;

	assert_true(workers <= WORKERS_MAX && batch <= QUEUE_BATCH_MAX);
	record_make();
	stop = mmap(NULL, sizeof(*stop), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(stop != MAP_FAILED);
	database_reset();
	queue = database_open(NULL);
	queue_contract_begin(queue, &run);
	run_id = run.id;
	for (int i = 0; i < workers; i++)
		database_enrol(queue, names[i], false);
	begun_ns = clock_now_ns();
	for (int i = 0; i < workers; i++)
		if (fork() == 0)
			worker_main(names[i], batch);
	coordinate(queue, blocks);
	ns = clock_now_ns() - begun_ns;
	*stop = true;
	for (int i = 0; i < workers; i++) {
		int status;

		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	printf("# %d blocks, records of %d bytes, %d workers, batches of %d: "
	       "%.0f blocks/s\n",
	    blocks, record_size, workers, batch,
	    (double)blocks * 1e9 / (double)ns);
	queue->calls->close(queue);
	munmap(stop, sizeof(*stop));
	free(record);
}
