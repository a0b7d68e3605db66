/*
 * A worker is a process that plays games. It has an event loop of its own, and
 * it and its bots may have a core of their own. The parent sends it games, and
 * it sends back results and the records of the games.
 */
#ifndef WORKER_H
#define WORKER_H

#include <sys/types.h>

#include "match_pool.h"

/* Messages from the parent to a worker. */
enum worker_order {
	WORKER_PLAY, /* struct pool_game; sent only when a lane is free */
	WORKER_END   /* int32_t, an enum stop_mode: no games follow */
};

/* Messages from a worker to the parent. */
enum worker_report {
	WORKER_RESULT, /* struct worker_result, then the bytes of the record */
	WORKER_FAILED, /* int32_t, -errno: the system refused something */
	WORKER_DONE    /* int64_t, CPU time in ns: all bots have ended */
};

struct worker_result {
	int64_t number;
	struct game_result result;
};

/* How a worker is set up. */
struct worker_place {
	pid_t parent;
	int core; /* the core that it and its bots are pinned to, or -1 */
	struct match_pool_settings pool; /* `cpu_slots` is the worker's */
	int cpu_slot_count; /* bots that may think at once; 0: any number */
	/* Pipes from and to the parent. The worker owns these ends. */
	int order_fd, report_fd;
};

/*
 * Starts a worker in a new process. The new process first calls `leave`, which
 * closes the parent's descriptors except those in `place`. Returns the pid, or
 * -errno.
 */
pid_t worker_open(const struct dispatcher_config *config,
    const struct worker_place *place, void (*leave)(const void *context),
    const void *context);

/*
 * Plays games until WORKER_END, in the process of the worker. Returns the exit
 * status of the process: EXIT_SUCCESS, or EXIT_FAILURE if the event loop or the
 * channel could not be opened.
 */
int worker_run(
    const struct dispatcher_config *config, const struct worker_place *place);

#endif
