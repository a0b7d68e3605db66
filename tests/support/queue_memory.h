/*
 * A queue in the memory of one process, whose clock a test sets.
 *
 * It does what queue.h describes, and the same as the queue in PostgreSQL: see
 * queue_contract.h.  Several connections share it; each belongs to the
 * organiser or to one worker.
 */
#ifndef QUEUE_MEMORY_H
#define QUEUE_MEMORY_H

#include "queue.h"

/* The calls of struct queue_calls that can fail. */
enum queue_memory_call {
	QUEUE_MEMORY_RUN_BEGIN,
	QUEUE_MEMORY_RUN_SET,
	QUEUE_MEMORY_BUNDLE_PUT,
	QUEUE_MEMORY_PUT,
	QUEUE_MEMORY_RESULTS,
	QUEUE_MEMORY_SETTLE,
	QUEUE_MEMORY_REJECT,
	QUEUE_MEMORY_CANCEL,
	QUEUE_MEMORY_PAUSED,
	QUEUE_MEMORY_HELD,
	QUEUE_MEMORY_WORKERS,
	QUEUE_MEMORY_WORKER_SET,
	QUEUE_MEMORY_HELLO,
	QUEUE_MEMORY_RUNS,
	QUEUE_MEMORY_BUNDLE_GET,
	QUEUE_MEMORY_CLAIM,
	QUEUE_MEMORY_RENEW,
	QUEUE_MEMORY_FINISH,
	QUEUE_MEMORY_RELEASE,
	QUEUE_MEMORY_CALL_COUNT
};

/*
 * How a call fails: it returns QUEUE_AWAY before it has any effect, or after
 * its whole effect.
 */
enum queue_memory_fault {
	QUEUE_MEMORY_FINE,
	QUEUE_MEMORY_BEFORE,
	QUEUE_MEMORY_AFTER
};

struct queue_memory;

/* The test may set these fields at any time. */
struct queue_memory_settings {
	int64_t now_ns; /* the clock; begins at 1 s */
	/* Decides whether a call fails; NULL: no call does.  `worker` is that
	 * of the connection, or NULL for the organiser. */
	enum queue_memory_fault (*fault)(
	    void *context, const char *worker, enum queue_memory_call call);
	/* Replaces `wait` of the queue; NULL: the clock advances by the
	 * timeout. */
	bool (*wait)(void *context, const char *worker, int64_t timeout_ns);
	void *context;
};

/* What was sent through a queue so far. */
struct queue_memory_counts {
	int64_t calls[QUEUE_MEMORY_CALL_COUNT];
	/* bytes of jobs to workers; of heads, records and signatures from
	 * them */
	int64_t job_bytes, result_bytes;
	int64_t claimed, finished, fenced;
};

struct queue_memory *queue_memory_open(void);
void queue_memory_close(struct queue_memory *memory);
struct queue_memory_settings *queue_memory_settings(
    struct queue_memory *memory);
const struct queue_memory_counts *queue_memory_counts(
    const struct queue_memory *memory);

/*
 * Opens a connection of this worker, or of the organiser (NULL).  Its `close`
 * or queue_memory_close() closes it.
 */
struct queue *queue_memory_connect(
    struct queue_memory *memory, const char *worker);

/* The number of jobs of a run that are not settled. */
int queue_memory_job_count(const struct queue_memory *memory, int64_t run);

#endif
