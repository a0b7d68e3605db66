/*
 * The queue in memory, which other tests use, does what every queue must do.
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
