/*
 * Plays the games of a run on other machines: puts blocks into a queue, checks
 * the results that workers hand in, and reports them in the order of the
 * schedule.
 *
 * It has the interface of the dispatcher (dispatcher.h), so that what counts,
 * and where a gate stops, is the same as on one machine.
 */
#ifndef COORDINATOR_H
#define COORDINATOR_H

#include "dispatcher.h"
#include "log.h"
#include "queue.h"
#include "rebuild.h"
#include "result_check.h"
#include "run.h"

enum {
	/*
	 * Blocks in the queue.  The head of the line may wait for the slowest
	 * worker while thousands of others play on.
	 */
	COORDINATOR_WINDOW_MAX = 32768
};

struct coordinator_config {
	struct queue *queue;
	struct queue_run *run; /* its `id` is filled in */
	const struct bundle *bundles;
	int bundle_count;
	int block_games; /* games of each block */
	/* blocks in the queue that are not reported; up to the constant */
	int window_max;
	/* share of blocks that a trusted worker plays once more; 0: none */
	double audit_rate;
	/*
	 * The run in its folder, where it is logged which worker has played
	 * which block.  NULL: this is not known, and no counted block is
	 * replaced.
	 */
	struct run *folder;
	/*
	 * Blocks of quarantined workers that had another result when they were
	 * played again: for coordinator_replace().
	 */
	struct salvage_blocks *replaced;

	/* Whether a result is the one of its job: as result_check(). */
	int (*check)(void *context, const struct job *job,
	    const struct queue_result *result, struct result_checked *checked,
	    struct scopa_text *why);
	/*
	 * The number of blocks, from the first of the schedule, that the run
	 * holds durably: their jobs and results leave the queue.
	 */
	int64_t (*durable)(void *context);
	/* Every few seconds, and at the end: the workers of this run. */
	void (*on_workers)(
	    void *context, const struct queue_worker *workers, int count);
	void *context; /* of these calls */
	struct speaker speaker;
};

/*
 * As dispatcher_run(), with a struct coordinator_config as the first argument.
 * `play` has the rules and entrants of the run, and its secret.
 *
 * While the server is away, it is tried again and again, and the ticks go on.
 * After the first signal workers begin no further block; those that they have
 * begun are awaited, unless a callback ends the run before.
 *
 * The jobs that are left stay in the queue, so that a later call goes on with
 * what was played meanwhile; coordinator_end() removes them.  DISPATCHER_FAILED
 * with -EREMOTEIO: the queue has refused something, which `speaker` has said.
 *
 * Counted blocks of workers that are quarantined are played again by trusted
 * ones, which is awaited even if no block is left to play; a signal ends that,
 * too (DISPATCHER_INTERRUPTED), and the next call goes on with it.
 */
struct dispatcher_outcome coordinator_run(const void *coordinator,
    const struct dispatcher_config *play, const struct dispatcher_calls *calls,
    void *context);

/*
 * To be called after coordinator_run() has ended with DISPATCHER_DONE.  False:
 * no block is replaced.  True: the results of the run now end before the first
 * block that is replaced.  The caller opens its tournament again and calls
 * coordinator_run(), which takes the blocks behind from the salvaged ones.
 * *status is 0 or -errno; if it is not 0, the next call replaces the blocks.
 */
bool coordinator_replace(const struct coordinator_config *config, int *status,
    struct store_error *error);

/*
 * After the last coordinator_run() of a call, or without one: the run is over,
 * and its rows leave the queue; or (`over` false) workers begin no further
 * block until it goes on.  An error is left to the caller.
 */
enum queue_status coordinator_end(struct queue *queue, struct queue_run *run,
    bool over, struct store_error *error);

#endif
