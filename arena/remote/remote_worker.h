/*
 * A worker for runs of other machines: claims blocks from a queue, has a
 * dispatcher play them, and finishes them.
 *
 * While the server is away it ends the games that it has, keeps their results
 * in memory, and tries again, later and later up to 15 s.  What is lost with
 * it is played again by others: its leases end.
 */
#ifndef REMOTE_WORKER_H
#define REMOTE_WORKER_H

#include "dispatcher.h"
#include "log.h"
#include "queue.h"

struct remote_worker_config {
	struct queue *queue;
	const struct queue_run *run;
	struct queue_worker *self; /* as it is registered in the queue */
	const struct signing_key *key;
	/* A worker that has had nothing to play for this time ends; 0: never. */
	int64_t idle_ns;
	/* Its games are aborted this time after a signal; 0: no limit. */
	int64_t stop_grace_ns;
	int64_t (*now_ns)(void); /* clock_now_ns(), or the clock of a test */
	/*
	 * The number of a signal that came while no dispatcher listened; 0:
	 * none.  It counts as the first signal of the dispatcher.  Or NULL.
	 */
	int (*stopped)(void *context);
	void *context; /* of `stopped` */
	struct speaker speaker;
};

enum remote_worker_end {
	REMOTE_WORKER_IDLE,    /* the run has had nothing to play for a while */
	REMOTE_WORKER_OVER,    /* the run has ended */
	REMOTE_WORKER_STOPPED, /* by a signal: its number is in `detail` */
	REMOTE_WORKER_REFUSED, /* by the queue: see `error` */
	REMOTE_WORKER_UNFIT,   /* a bot cannot be started here: see `error` */
	REMOTE_WORKER_FAILED   /* the machine refused: -errno in `detail` */
};

struct remote_worker_outcome {
	enum remote_worker_end end;
	int detail;
	int64_t blocks; /* whose results the queue has taken */
	struct store_error error;
};

/* Plays blocks of one run; `play` has its rules and entrants. */
struct remote_worker_outcome remote_worker_run(
    const struct remote_worker_config *config,
    const struct dispatcher_config *play);

/*
 * The same in three steps, for a caller that has games played in another way:
 * it calls the functions of remote_worker_calls as a dispatcher does, with the
 * worker as their context, and with the configuration that
 * remote_worker_dispatcher() gives.
 */

struct remote_worker;

/* 0 or -ENOMEM.  What `config` points to must outlive the worker. */
int remote_worker_open(struct remote_worker **worker,
    const struct remote_worker_config *config,
    const struct dispatcher_config *play);

const struct dispatcher_config *remote_worker_dispatcher(
    const struct remote_worker *worker);

extern const struct dispatcher_calls remote_worker_calls;

/*
 * The dispatcher has ended.  Tries to send what is left, and gives back the
 * blocks that were not played; a signal, or the end of the grace time, ends
 * these tries.
 */
struct remote_worker_outcome remote_worker_close(
    struct remote_worker *worker, struct dispatcher_outcome outcome);

#endif
