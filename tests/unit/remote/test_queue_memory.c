/*
 * The queue in memory, which other tests use, does what every queue must do,
 * and fails where a test asks for it.
 */
#include "queue_memory.h"

#include "queue_contract.h"

struct memory_bench {
	struct queue_bench bench; /* the first member */
	struct queue_memory *memory;
};

static struct memory_bench open_bench;

static struct queue *
bench_connect(struct queue_bench *bench, const char *worker)
{
	(void)bench;
	return queue_memory_connect(open_bench.memory, worker);
}

static void
bench_pass(struct queue_bench *bench, int64_t ns)
{
	(void)bench;
	queue_memory_settings(open_bench.memory)->now_ns += ns;
}

static int
setup(void **state)
{
	open_bench = (struct memory_bench){
		.bench = { .connect = bench_connect, .pass = bench_pass },
		.memory = queue_memory_open(),
	};
	*state = &open_bench.bench;
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	queue_memory_close(open_bench.memory);
	return 0;
}

QUEUE_CONTRACT(setup, teardown)

/* The kind of call that fails, and how it fails. */
static enum queue_memory_call failing;
static enum queue_memory_fault failure;

static enum queue_memory_fault
fail_call(void *context, const char *worker, enum queue_memory_call call)
{
	(void)context, (void)worker;
	return call == failing ? failure : QUEUE_MEMORY_FINE;
}

static void
count_worker(void *context, const struct queue_worker *worker)
{
	(void)worker;
	++*(int *)context;
}

TEST_WITH(test_call_can_fail_before_or_after_its_effect, setup, teardown)
{
	struct queue *queue = queue_memory_connect(open_bench.memory, NULL);
	struct queue_memory_settings *settings =
	    queue_memory_settings(open_bench.memory);
	struct queue_worker anna = { .name = "anna" }, bruno = anna;
	struct store_error error;
	int count = 0;

	bruno.name[0] = 'b';
	settings->fault = fail_call;
	failing = QUEUE_MEMORY_WORKER_SET;
	failure = QUEUE_MEMORY_BEFORE;
	assert_int_equal(
	    queue->calls->worker_set(queue, &anna, NULL, &error), QUEUE_AWAY);
	queue->calls->workers(queue, 0, count_worker, &count, &error);
	assert_int_equal(count, 0);
	failure = QUEUE_MEMORY_AFTER;
	assert_int_equal(
	    queue->calls->worker_set(queue, &bruno, NULL, &error), QUEUE_AWAY);
	queue->calls->workers(queue, 0, count_worker, &count, &error);
	assert_int_equal(count, 1);
	assert_int_equal(queue_memory_counts(open_bench.memory)
			     ->calls[QUEUE_MEMORY_WORKER_SET],
	    2);
	queue->calls->close(queue);
}
