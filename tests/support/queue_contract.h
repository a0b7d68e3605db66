/*
 * What every queue must do: tests that run with any struct queue_calls.
 *
 * A file of tests defines how its queue is opened, and registers all of them:
 *
 * 	QUEUE_CONTRACT(setup, teardown)
 *
 * The setup makes an empty queue, and puts its struct queue_bench into *state.
 */
#ifndef QUEUE_CONTRACT_H
#define QUEUE_CONTRACT_H

#include "queue.h"
#include "test.h"

struct queue_bench {
	/* Opens a connection of an enrolled worker, or of the organiser (NULL).
	 * The tests close it. */
	struct queue *(*connect)(const char *worker);
	void (*pass)(int64_t ns); /* advances the clock of the queue */
	/* Password with which workers are enrolled, or NULL. */
	const char *password;
};

void queue_contract_register(
    const char *file, CMFixtureFunction setup, CMFixtureFunction teardown);

#define QUEUE_CONTRACT(setup, teardown)                                  \
	static void __attribute__((constructor)) contract_register(void) \
	{                                                                \
		queue_contract_register(__FILE__, setup, teardown);      \
	}

/* Fails the test unless the status is QUEUE_DONE. */
void queue_contract_must(
    enum queue_status status, const struct store_error *error);

/* Begins a run and opens it; puts `count` of its blocks. */
void queue_contract_begin(struct queue *organiser, struct queue_run *run);
void queue_contract_put(
    struct queue *organiser, int64_t run, int64_t first, int count);

/* Makes a job of two games and few keys, for tests that do not play it. */
void queue_contract_job(struct job *job, int64_t block, int copy);

/* The key of a worker in these tests. */
void queue_contract_key(const char *worker, uint8_t key[SIGNING_PUBLIC_SIZE]);

#endif
