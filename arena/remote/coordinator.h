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
	 * Blocks in the queue.  While the next block to report waits for the
	 * slowest worker, thousands of blocks after it can be played.
	 */
	COORDINATOR_WINDOW_MAX = 32768
};

struct coordinator_config {
	struct queue *queue;
	struct queue_run *run; /* its `id` is filled in */
	const struct bundle *bundles;
	int bundle_count;
	int block_games; /* games of each block */
	/* blocks in the queue that are not reported yet */
	int window_max;
	/* share of blocks that a trusted worker plays once more; 0: none */
	double audit_rate;
	/*
	 * The run.  In its folder is logged which worker has played which
	 * block.  NULL: nothing is logged, and no counted block is replaced.
	 */
	struct run *folder;
	/*
	 * Blocks of quarantined workers that had another result when they were
	 * played again: for coordinator_replace().
	 */
	struct salvage_blocks *replaced;

	/* Checks a result, as result_check() does. */
	int (*check)(void *context, const struct job *job,
	    const struct queue_result *result, struct result_checked *checked,
	    struct scopa_text *why);
	/*
	 * The number of blocks, from the first of the schedule on, that the run
	 * has on the disk.  Their jobs and results are removed from the queue.
	 */
	int64_t (*durable)(void *context);
	/* The workers of this run, every few seconds and at the end. */
	void (*on_workers)(
	    void *context, const struct queue_worker *workers, int count);
	void *context; /* of these calls */
	struct speaker speaker;
};

/*
 * Does what dispatcher_run() does.  The first argument is a struct
 * coordinator_config; `play` has the rules and entrants of the run, and its
 * secret.
 *
 * While the server cannot be reached, the coordinator connects again and again,
 * and the ticks go on.  After the first signal workers begin no further block;
 * the blocks that they have begun are awaited, unless a callback ends the run
 * before.
 *
 * The remaining jobs stay in the queue, so that a later call can use what is
 * played meanwhile; coordinator_end() removes them.  DISPATCHER_FAILED with
 * -EREMOTEIO: the queue has refused a call, and `speaker` has said why.
 *
 * Counted blocks of quarantined workers are played again by trusted workers.
 * The run waits for them, also if no other block is left to play.  A signal
 * ends this wait (DISPATCHER_INTERRUPTED), and the next call goes on with it.
 */
struct dispatcher_outcome coordinator_run(const void *coordinator,
    const struct dispatcher_config *play, const struct dispatcher_calls *calls,
    void *context);

/*
 * To be called after coordinator_run() has ended with DISPATCHER_DONE.  False:
 * no block is replaced.  True: the results of the run now end before the first
 * block that is replaced, and the blocks from there on are salvaged.  The caller
 * opens its tournament again and calls coordinator_run().  *status is 0 or
 * -errno; if it is not 0, the next call replaces the blocks.
 */
bool coordinator_replace(const struct coordinator_config *config, int *status,
    struct store_error *error);

/*
 * Ends the work on a run, after the last coordinator_run() or without one.
 * `over`: the run has ended, and its rows are removed from the queue.
 * Otherwise workers begin no further block until the run goes on.  Errors are
 * not printed.
 */
enum queue_status coordinator_end(struct queue *queue, struct queue_run *run,
    bool over, struct store_error *error);

#endif
