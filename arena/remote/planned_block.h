/*
 * A block that other machines play, as the coordinator stores it: its games,
 * the job that is made of them, and the result that was accepted.
 */
#ifndef PLANNED_BLOCK_H
#define PLANNED_BLOCK_H

#include "audit.h"
#include "queue.h"
#include "result_check.h"
#include "run.h"

/* A result that was accepted, in one piece of memory. */
struct accepted {
	int uses; /* references: by a block and by an audit */
	struct job_name name;
	char worker[QUEUE_NAME_SIZE];
	bool trusted; /* the worker */
	/* Without the member `fault` if there is none: see accepted_get(). */
	struct game_result *results[BLOCK_GAMES_MAX];
	char *records[BLOCK_GAMES_MAX];
	size_t record_sizes[BLOCK_GAMES_MAX];
};

/* A block that was supplied and is not reported yet. */
struct planned_block {
	int64_t number;
	int game_count; /* supplied so far */
	struct game_spec games[BLOCK_GAMES_MAX];
	int key_level;  /* from 0; higher each time that keys were too few */
	bool to_put;    /* it must be put into the queue, or replaced there */
	bool paused;    /* this was reported to the user */
	bool is_replay; /* its worker is quarantined */
	struct accepted *accepted; /* counted in its uses; NULL: not yet */
};

/*
 * The level with which the first blocks of a run begin.  In nearly all games
 * the winner makes more than a point in each deal on average.
 */
int planned_block_key_level(const struct match_rules *rules);

/*
 * Reads a stored block, which this worker has played, with its result.  Returns
 * 1; 0 if the block was skipped; or -errno.  Only after 1 it has a result.
 */
int planned_block_load(struct planned_block *block, const struct run *run,
    int64_t number, const char *worker, bool trusted,
    struct store_error *error);

/* Makes the job of a block, with its keys if `whole`. */
void planned_block_job(const struct planned_block *block,
    const struct match_rules *rules, enum job_copy copy, bool whole,
    struct job *job);

/* The next job gets keys for more deals.  False: it has all keys already. */
bool planned_block_more_keys(struct planned_block *block);

/* A block with a result, as audits compare it; it points into both. */
struct audit_copy planned_block_copy(
    const struct planned_block *block, const struct accepted *accepted);

/* Copies a result that was checked, with one use.  NULL without memory. */
struct accepted *accepted_make(
    const struct queue_result *result, const struct result_checked *checked);

/* Ends a use; NULL is allowed. */
void accepted_drop(struct accepted *accepted);

/* The result of a game as the dispatcher reports it. */
void accepted_get(
    const struct accepted *accepted, int game, struct game_result *whole);

#endif
