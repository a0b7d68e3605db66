/*
 * A tournament: what comes next and how all stand, as a pure function of the
 * configuration and of the results so far.
 *
 * Schedule, standings and the rule which bots are suspended meet here and
 * nowhere else, so that a run that is live, one that is resumed and one that is
 * made anew from its records cannot differ.
 */
#ifndef TOURNAMENT_H
#define TOURNAMENT_H

#include "schedule.h"
#include "sprt.h"
#include "standings.h"
#include "store.h"

/* Games that a bot may lose by not starting until it is suspended. */
enum { TOURNAMENT_STARTUPS_MAX = 3 };

/*
 * The part of a run that one machine plays: one of each `count` blocks in a row
 * (see shard_of).  It skips the others.
 */
struct shard {
	int index; /* from 0 */
	int count; /* 0: the machine plays the whole run */
};

enum { SHARD_COUNT_MAX = 256 };

/*
 * The shard of a block with this index, if there are `count` of them.  Each has
 * one of the `count` blocks from each multiple of it on.  Which one is drawn
 * from the number of the row, so that no machine always has the same pair of a
 * round robin.
 */
int shard_of(int64_t index, int count);

struct tournament_config {
	struct schedule_config schedule;
	struct shard shard;
	/*
	 * A bot that loses a game by an offence plays no more:
	 * POLICY_DISQUALIFY.
	 */
	bool disqualify;
	struct standings_suite suite; /* where the packs are those of a file */
	const struct sprt *sprt; /* of a gate with a sequential test, or NULL */
};

struct tournament {
	struct tournament_config config;
	struct schedule *schedule; /* owned */
	struct standings standings;
	bool suspended[TOURNAMENT_BOTS_MAX]; /* by the results taken so far */
	int suspended_count;
	int64_t planned; /* blocks that tournament_next has given */
	int64_t taken;   /* and whose results were taken, skipped ones too */
};

/*
 * Opens a tournament. The configuration must have no flaw (schedule_flaw).
 * Returns 0 or -ENOMEM.
 */
int tournament_open(
    struct tournament *tournament, const struct tournament_config *config);
void tournament_close(struct tournament *tournament);

/*
 * The next block of the schedule, whether it is to be skipped or not;
 * SCHEDULE_WAIT: results first.
 */
enum schedule_answer tournament_next(
    struct tournament *tournament, struct block_plan *plan);

/*
 * Whether a block counts as skipped: it belongs to another shard, or a bot in
 * it is suspended.  The latter is known for the block whose turn it is to be
 * taken; one that is skipped now is so for ever, though it may have been played
 * meanwhile.
 */
bool tournament_skips(
    const struct tournament *tournament, const struct block_plan *plan);

/*
 * Takes the result of the next block in the order of the plans. The block is
 * `skipped` exactly if tournament_skips() says so. Bots that this suspends play
 * no more. Returns 0, or -ENOMEM with nothing taken.
 */
int tournament_take(
    struct tournament *tournament, const struct block_result *block);

/*
 * Whether a run with this head fits the configuration: the number of bots, the
 * teams, and the games of a block.
 */
bool tournament_fits(
    const struct tournament_config *config, const struct store_head *head);

/* Whether fewer bots are left than a game has seats. */
bool tournament_is_deserted(const struct tournament *tournament);

#endif
