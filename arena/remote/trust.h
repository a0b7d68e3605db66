/*
 * How far the coordinator trusts the workers of a run: which worker has played
 * which block, which blocks are played once more, and what follows from the
 * comparison.  The folder of the run has a log of it (run_workers.h).  So
 * `resume` goes on with the audits of the run.
 *
 * Two kinds of counted blocks are played once more, by workers that the
 * organiser trusts: a random share of all blocks, to be compared (an audit, see
 * audit.h); and all blocks of a worker that is quarantined (replays).  If a
 * replay has the same result, the block stays as it is.  Replays with another
 * result replace their blocks when all replays have been played: the run is cut
 * before the first of these blocks, and goes on with the replays
 * (trust_replace).  Until then their results stay in the queue, so that nothing
 * is lost with the process.
 */
#ifndef TRUST_H
#define TRUST_H

#include "audit.h"
#include "log.h"
#include "planned_block.h"
#include "rebuild.h"
#include "run_workers.h"

enum {
	/* blocks that wait for their second copy at one time */
	TRUST_AUDITS_MAX = 256
};

struct trust_config {
	struct audit_config audit; /* rate 0: no audits */
	/* NULL: there is no log, and no counted block is replayed. */
	struct run *run;
	struct salvage_blocks *replaced; /* replays that came out otherwise */
	struct speaker speaker;
};

/* A counted block that waits for a place in `copies`. */
struct trust_due {
	int64_t number;
	bool is_replay;
	bool trusted; /* the worker */
	char worker[QUEUE_NAME_SIZE];
};

struct trust {
	struct trust_config config;
	struct audit *audit; /* NULL: there are no audits */
	/* Blocks that are played once more; their `accepted` is the copy that
	 * counts.  Owned. */
	struct planned_block *copies[TRUST_AUDITS_MAX];
	int copy_count;
	struct trust_due *dues;
	int due_count, due_capacity;
	int replay_count; /* in `dues` and `copies` */
	/* Workers whose counted blocks are to be played again. */
	char (*replayed)[QUEUE_NAME_SIZE];
	int replayed_count, replayed_capacity;
	struct audit_log log; /* fd -1: there is no log */
	int64_t logged;       /* blocks whose worker is in the log, from 0 on */
};

/*
 * Opens it, and reads the log of the run.  `found` is called with the findings
 * of earlier audits.  0, and then the caller must close it; or -errno.
 */
int trust_open(struct trust *trust, const struct trust_config *config,
    void (*found)(
	void *context, const struct audit_finding *finding, const char *worker),
    void *context);
void trust_close(struct trust *trust);

/* Logs, before a block is counted, which worker has played it. */
void trust_note_counted(
    struct trust *trust, int64_t block, const char *worker, bool trusted);

/* Makes durable what was logged: 0 or -errno. */
int trust_sync(struct trust *trust);

/* Adds a block that was counted. */
struct audit_finding trust_count(struct trust *trust,
    const struct planned_block *block, const struct accepted *accepted);

/* Whether a block whose result was accepted is to be played once more. */
bool trust_wants_audit(
    const struct trust *trust, const struct planned_block *block);

/* Adds such a block to `copies`.  Without memory there is no audit of it. */
void trust_begin_audit(struct trust *trust, const struct planned_block *block);

/* The index of a block in `copies`, or -1. */
int trust_find(const struct trust *trust, int64_t number);

/* Drops a block of `copies`, whose copy in the queue is no longer wanted. */
void trust_drop(struct trust *trust, int place);

/*
 * Judges the second copy of the block with this index in `copies`, which is
 * dropped.  *settle: its result is to be removed from the queue.  0 or -ENOMEM.
 */
int trust_judge(struct trust *trust, int place, struct accepted *again,
    struct audit_finding *finding, bool *settle);

/*
 * Plans to play the counted blocks of a quarantined worker again, unless this
 * is planned already, and ends its audits.  0 or -errno.
 */
int trust_replay(struct trust *trust, const char *worker, const char *reason);

/* Plans no more replays for a worker, which the organiser has released. */
void trust_release(struct trust *trust, const char *worker);

/*
 * Moves blocks from `dues` to `copies`, as far as there is room and they are
 * among the first `durable` blocks.  Returns their number, or -errno with the
 * error.
 */
int trust_load(struct trust *trust, int64_t durable, struct store_error *error);

/*
 * Ends the results of a run before the first replaced block, and salvages the
 * blocks from there on: see coordinator_replace().  0 or -errno.
 */
int trust_replace(struct run *run, struct salvage_blocks *replaced,
    struct store_error *error);

#endif
