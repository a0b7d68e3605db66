/*
 * The queue in memory, which other tests use, does what every queue must do.
 */
#include "queue_memory.h"

#include "queue_contract.h"

static struct queue_memory *memory;

static struct queue *
connect(const char *worker)
{
	return queue_memory_connect(memory, worker);
}

static void
pass(int64_t ns)
{
	queue_memory_settings(memory)->now_ns += ns;
}

static int
setup(void **state)
{
	static struct queue_bench bench = { .connect = connect, .pass = pass };

	memory = queue_memory_open();
	*state = &bench;
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	queue_memory_close(memory);
	return 0;
}

QUEUE_CONTRACT(setup, teardown)
