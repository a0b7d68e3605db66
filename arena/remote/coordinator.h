/*
 * Plays the games of a run on other machines: the side that supplies blocks,
 * checks results and hands them on in the order of the schedule.
 *
 * It has the interface of the dispatcher (dispatcher.h), so that the runner
 * cannot tell the difference: what counts, and where a gate stops, is the same.
 */
#ifndef COORDINATOR_H
#define COORDINATOR_H

#include "dispatcher.h"
#include "queue.h"

struct coordinator_config {
	struct queue *queue;
	struct queue_run run;
	const struct bundle *bundles; /* of all bots that need one */
	int bundle_count;
	int window_max;    /* blocks in the queue and not counted */
	double audit_rate; /* share of blocks that are replayed: 0.02 to 0.05 */
	/* Each some seconds, and at the end: the workers of this run. */
	void (*on_workers)(
	    void *context, const struct queue_worker *workers, int count);
	/* A sentence for the log and, if `urgent`, for the user at once. */
	void (*say)(void *context, bool urgent, const char *sentence);
	void *context;
};

/* As dispatcher_run(); `config->entrants` and rules are those of the run. */
struct dispatcher_outcome coordinator_run(
    const struct coordinator_config *coordinator,
    const struct dispatcher_config *config,
    const struct dispatcher_calls *calls, void *context);

#endif
