/*
 * A worker for runs of other machines: it claims blocks from a queue, lets a
 * dispatcher play them, and hands in their results.
 *
 * While the server cannot be reached, the worker plays its games to their end,
 * stores their results in memory, and connects again, with pauses that grow to
 * 15 s.  If the worker dies, its leases end, and others play its blocks.
 */
#ifndef REMOTE_WORKER_H
#define REMOTE_WORKER_H

#include <signal.h>

#include "dispatcher.h"
#include "log.h"
#include "queue.h"

struct remote_worker_config {
	struct queue *queue;
	const struct queue_run *run;
	struct queue_worker *self; /* as it is registered in the queue */
	const struct signing_key *key;
	/* The worker ends if it has nothing to play for this time; 0: never. */
	int64_t idle_ns;
	/* Games are aborted this time after a signal; 0: no limit. */
	int64_t stop_grace_ns;
	int64_t (*now_ns)(void); /* clock_now_ns(), or the clock of a test */
	/*
	 * The number of a signal that came before the dispatcher began to
	 * listen; 0: none.  It is read until the worker stops, and counts as
	 * the first signal.  Or NULL.
	 */
	const volatile sig_atomic_t *stop_signal;
	struct speaker speaker;
};

enum remote_worker_end {
	/*
	 * The run has had nothing to play for a while, or a bot hung; other
	 * runs may have work.
	 */
	REMOTE_WORKER_IDLE,
	REMOTE_WORKER_OVER,    /* the run has ended */
	REMOTE_WORKER_STOPPED, /* by a signal: its number is in `detail` */
	REMOTE_WORKER_REFUSED, /* the queue refused a call: see `error` */
	REMOTE_WORKER_UNFIT,   /* a bot cannot be started here: see `error` */
	REMOTE_WORKER_FAILED   /* the machine refused: -errno in `detail` */
};

struct remote_worker_outcome {
	enum remote_worker_end end;
	int detail;
	int64_t blocks; /* blocks whose results are in the queue */
	bool notified;  /* jobs were put while the worker had none */
	struct store_error error;
};

/* Plays blocks of one run; `play` has its rules and entrants. */
struct remote_worker_outcome remote_worker_run(
    const struct remote_worker_config *config,
    const struct dispatcher_config *play);

/*
 * remote_worker_run() in three steps, for a caller that plays the games itself.
 * It calls the functions of remote_worker_calls as a dispatcher does, with the
 * worker as their context, and with the configuration of
 * remote_worker_dispatcher().
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
 * To be called when the dispatcher has ended.  Tries to hand in the results
 * that are left, and gives back the blocks that were not played.  A signal, or
 * the end of the grace time, ends these tries.
 */
struct remote_worker_outcome remote_worker_close(
    struct remote_worker *worker, struct dispatcher_outcome outcome);

#endif
