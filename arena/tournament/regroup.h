/*
 * Records to blocks: games that were read from files, put together again as the
 * blocks in which they were played, as a stream.
 *
 * Games belong to one block if the same bots meet with the same packs in the
 * same round of the same event, seated in different ways. on_block is called
 * for a block when it is whole, or when REGROUP_OPEN_MAX others have begun
 * since. So memory does not grow with the number of games. All games must
 * follow the same rules; only their length may differ.
 *
 * A game whose packs the same bots have played in the same seats before is no
 * new evidence: it is counted apart and belongs to no block. A game is compared
 * with at least the last REGROUP_SEEN_MIN games.
 *
 * In games of more than two bots the same two meet with the same packs in
 * several blocks, in other company. A test of these two counts the first one
 * alone: see regroup_meet.
 */
#ifndef REGROUP_H
#define REGROUP_H

#include <sys/queue.h>

#include "block.h"
#include "record_read.h"

enum {
	REGROUP_OPEN_MAX = 8192,   /* blocks that wait for further games */
	REGROUP_SEEN_MIN = 1 << 19 /* games that are found again */
};

struct regroup;
struct regroup_open;

/*
 * The next block.  Bots are numbered as in regroup->names; plan.index is the
 * number of the block, plan.round stands for its packs (equal where these were
 * the same, and 0 or more), and plan.dealer is 0, as records do not name the
 * first dealer of a game that ended before its first deal. 0 or -errno, which
 * ends the work.
 */
typedef int regroup_block_function(void *context, const struct regroup *regroup,
    const struct block_result *block);

struct regroup {
	struct scopa_rules rules; /* of the first game, and so of all */
	const struct scopa_preset *preset; /* likewise */
	int bot_count;
	char names[TOURNAMENT_BOTS_MAX][EVENT_NAME_SIZE]; /* as first seen */
	int64_t game_count, block_count; /* blocks: calls of on_block */
	/* Blocks with fewer games than others in which as many bots meet. */
	int64_t incomplete;
	/* Games that are not counted: */
	int64_t aborted;   /* they came to no end */
	int64_t repeated;  /* the same record, byte for byte, came before */
	int64_t again;     /* same packs and bots in the same seats as before */
	int64_t met_again; /* blocks for which regroup_meet said so */

	/* Not for the caller. */
	regroup_block_function *on_block;
	void *context;
	TAILQ_HEAD(, regroup_open) opens; /* from the oldest */
	void *opens_by_key;               /* the same: tsearch */
	uint64_t packs; /* hash, of the block in on_block; 0: not known */
	int open_count;
	void *seen, *seen_before; /* search trees of struct regroup_seen */
	int64_t seen_count;
	/* Blocks of so many bots and games. */
	int64_t sizes[SCOPA_SEATS_MAX + 1][BLOCK_GAMES_MAX + 1];
};

void regroup_init(
    struct regroup *regroup, regroup_block_function *on_block, void *context);
void regroup_release(struct regroup *regroup);

/*
 * Adds a game.  It must have been checked by record_check().  Returns 0;
 * -EBADMSG with the fault if the game cannot be counted with the others; -EPERM
 * with the fault if it was for analysis and no such game counts; -ENOMEM; or
 * what on_block returned.
 */
int regroup_add(struct regroup *regroup, const struct game_record *record,
    struct record_fault *fault);

/*
 * Calls on_block for the blocks that still wait for games. Returns 0 or what
 * on_block returned.
 */
int regroup_finish(struct regroup *regroup);

/*
 * To be called from on_block, once for each pair of bots of the block.  Returns
 * 1 if the two are opponents in it and were opponents with the same packs in an
 * earlier block, else 0; or -ENOMEM.  Stores that they have met with the packs.
 */
int regroup_meet(struct regroup *regroup, const struct block_result *block,
    int one, int other);

/* The number of the bot of that name, or -1. */
int regroup_bot_find(const struct regroup *regroup, const char *name);

#endif
