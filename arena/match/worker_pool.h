/*
 * The worker pool: the parent starts worker processes, sends them games,
 * receives the results, and replaces a worker that dies.
 *
 * The worker that replaces another plays the games whose results were missing
 * again, with the same cards.
 */
#ifndef WORKER_POOL_H
#define WORKER_POOL_H

#include "channel.h"
#include "cores.h"
#include "worker.h"

/* Deaths of a worker in a row without a game that has ended between them. */
enum { WORKER_LOSSES_MAX = 10 };

/* One worker. */
struct worker_handle {
	struct worker_pool *pool;
	struct channel channel;
	pid_t pid;
	int core;                /* -1: wherever the kernel likes */
	int order_fd, report_fd; /* until the channel has them; or -1 */
	int claim_fd;            /* of the core, or -1 */
	int lane_count;
	int cpu_slot_count; /* bots that may think at once; 0: any number */
	struct worker_game *games; /* that it has and has not reported */
	int game_count;
	int loss_count; /* deaths since a game has ended; see WORKER_LOSSES_MAX */
	int64_t cpu_ns; /* that it has used, once it is done */
	bool done;      /* it has sent WORKER_DONE */
};

/* The calls. */
struct worker_pool_events {
	/* A game has ended: struct worker_result and the bytes of its record,
	 * `size` in all, in no order and at any address. */
	void (*on_result)(void *context, const char *bytes, size_t size);
	/* The machine refused something to a worker: -errno. */
	void (*on_failure)(void *context, int error);
	/* A worker has died before its work was done, with this wait status,
	 * and is not replaced: it has died too often, or no games may end any
	 * more.  The games that it had are never reported. */
	void (*on_loss)(void *context, int wait_status, int game_count);
	/* The last worker has ended. */
	void (*on_gone)(void *context);
};

struct worker_pool {
	const struct dispatcher_config *config;
	const struct worker_pool_events *events;
	void *context;
	struct loop *loop; /* once it listens */
	pid_t pid;         /* of this process: the parent of the workers */
	struct worker_handle *workers;
	int count;
	int living;
	bool ending;   /* no games follow */
	bool dropping; /* games may end without a result */
};

/*
 * Starts workers for as many games at once as the configuration, which outlives
 * them, says.  There
 * must be no loop yet and no other thread.  0 or -errno; nothing is left then.
 */
int worker_pool_open(
    struct worker_pool *pool, const struct dispatcher_config *config);

/* From now on the loop serves them.  0 or -errno. */
int worker_pool_listen(struct worker_pool *pool, struct loop *loop,
    const struct worker_pool_events *events, void *context);

/* Ends those that still live, at once, and frees all. */
void worker_pool_close(struct worker_pool *pool);

/* Whether a worker has a free lane. */
bool worker_pool_is_free(const struct worker_pool *pool);

/* Gives a game to the idlest worker; one is free. */
void worker_pool_play(struct worker_pool *pool, const struct worker_game *game);

/* Orders all workers to end in this way. */
void worker_pool_end(struct worker_pool *pool, enum stop_mode order);

/* CPU time of the workers that are done. */
int64_t worker_pool_cpu_ns(const struct worker_pool *pool);

#endif
