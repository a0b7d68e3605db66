/*
 * What every queue must do: tests that run with any struct queue_calls.
 *
 * A file of tests says how its queue is opened and registers all of them:
 *
 *	QUEUE_CONTRACT(setup, teardown)
 *
 * The setup puts a struct queue_bench, with an empty queue, into *state.
 */
#ifndef QUEUE_CONTRACT_H
#define QUEUE_CONTRACT_H

#include "queue.h"
#include "test.h"

enum { QUEUE_CONTRACT_WORKERS = 3 };

struct queue_bench {
	/* Opens a connection of a worker that is enrolled; NULL: of the
	 * organiser.  The tests close it. */
	struct queue *(*connect)(struct queue_bench *bench, const char *worker);
	/* So much time of the queue's clock passes. */
	void (*pass)(struct queue_bench *bench, int64_t ns);
	/* To enrol workers with, or NULL. */
	const char *password;

	/* Of the tests. */
	struct queue *organiser;
	struct queue *workers[QUEUE_CONTRACT_WORKERS];
	int64_t run;
};

void queue_contract_register(
    const char *file, CMFixtureFunction setup, CMFixtureFunction teardown);

#define QUEUE_CONTRACT(setup, teardown)                                  \
	static void __attribute__((constructor)) contract_register(void) \
	{                                                                \
		queue_contract_register(__FILE__, setup, teardown);      \
	}

/* Fails the test unless all is done. */
void queue_contract_must(
    enum queue_status status, const struct store_error *error);

/* Begins a run and opens it; puts so many of its blocks. */
void queue_contract_begin(struct queue *organiser, struct queue_run *run);
void queue_contract_put(
    struct queue *organiser, int64_t run, int64_t first, int count);

/* A job of two games and few keys, for tests that do not play it. */
void queue_contract_job(struct job *job, int64_t block, int copy);

/* The key of a worker in these tests. */
void queue_contract_key(const char *worker, uint8_t key[SIGNING_PUBLIC_SIZE]);

#endif
