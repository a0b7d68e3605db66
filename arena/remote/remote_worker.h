/*
 * A worker for runs of other machines: claims blocks from a queue, has a
 * dispatcher play them, and finishes them.
 *
 * While the server is away it ends the games that it has, keeps their results,
 * and tries again, later and later up to a minute.
 */
#ifndef REMOTE_WORKER_H
#define REMOTE_WORKER_H

#include "dispatcher.h"
#include "queue.h"

struct remote_worker_config {
	struct queue *queue;
	const struct queue_run *run;
	struct queue_worker *self; /* what it tells of itself */
	const struct signing_key *key;
	const char *keep; /* folder for results that could not be sent */
	/* Lines for the log of the worker. */
	void (*say)(void *context, bool urgent, const char *sentence);
	void *context;
};

enum remote_worker_end {
	REMOTE_WORKER_IDLE,    /* the run has had nothing to play for a while */
	REMOTE_WORKER_OVER,    /* the run has ended */
	REMOTE_WORKER_STOPPED, /* by a signal: its number is in `detail` */
	REMOTE_WORKER_REFUSED, /* revoked, or not enrolled: see `error` */
	REMOTE_WORKER_FAILED   /* the machine refused: -errno in `detail` */
};

struct remote_worker_outcome {
	enum remote_worker_end end;
	int detail;
	struct store_error error;
};

/* Plays blocks of one run; `config` has its rules and entrants. */
struct remote_worker_outcome remote_worker_run(
    const struct remote_worker_config *remote,
    const struct dispatcher_config *config);

#endif
