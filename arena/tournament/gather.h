/*
 * Records to blocks: games that were read from files, put together again as the
 * blocks in which they were played.
 *
 * Games belong to one block where the same bots meet in the same round of the
 * same event, seated in different ways.  Blocks come in the order in which the
 * first of their games came.  All games must follow the same rules, but for
 * their length.
 */
#ifndef GATHER_H
#define GATHER_H

#include "block.h"
#include "record_read.h"

enum { GATHER_GAMES_MAX = 10000000 };

struct gather_game;
struct gather_block;

struct gather {
	struct scopa_rules rules; /* of the first game, and so of all */
	int bot_count;
	char names[TOURNAMENT_BOTS_MAX][EVENT_NAME_SIZE]; /* as first seen */
	int64_t game_count, block_count;
	int game_max;       /* the most games of a block */
	int64_t incomplete; /* blocks with fewer games than that */
	int64_t aborted;    /* games that came to no end: not counted */

	/* Its own. */
	struct gather_game *games;
	int64_t game_capacity;
	struct gather_block *blocks;
	int64_t block_capacity;
	int64_t *slots; /* of blocks by key: index + 1, 0 where empty */
	int64_t slot_count;
};

void gather_init(struct gather *gather);
void gather_release(struct gather *gather);

/*
 * Takes one game as it was read.  0; -EBADMSG with the fault where it cannot be
 * counted with the others; -ENOMEM.  Nothing is taken on failure.  That the
 * record proves what it says is record_check's to tell.
 */
int gather_take(struct gather *gather, const struct record_block *record,
    struct record_fault *fault);

/*
 * The block of that number, 0..block_count-1.  Bots are numbered as in `names`;
 * plan.index is the number of the block, and plan.dealer 0, as records do not
 * name who was to deal first where nobody got so far.
 */
void gather_get(
    const struct gather *gather, int64_t index, struct block_result *block);

/* The number of the bot of that name, or -1. */
int gather_bot_find(const struct gather *gather, const char *name);

#endif
