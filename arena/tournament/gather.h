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

/* A hash table: the number of what is found there + 1, 0 where nothing is. */
struct gather_slots {
	int64_t *numbers;
	int64_t count;
};

struct gather {
	struct scopa_rules rules; /* of the first game, and so of all */
	const struct scopa_preset *preset; /* likewise */
	int bot_count;
	char names[TOURNAMENT_BOTS_MAX][EVENT_NAME_SIZE]; /* as first seen */
	int64_t game_count, block_count;
	/* Blocks with fewer games than others in which as many bots meet. */
	int64_t incomplete;
	/* Not counted: games that came to no end, and records that were there
	 * before, byte for byte. */
	int64_t aborted, repeated;

	/* Its own. */
	struct gather_game *games;
	struct gather_block *blocks;
	int64_t game_capacity, block_capacity;
	struct gather_slots game_slots, block_slots;
	/* Blocks of so many bots and games. */
	int64_t sizes[SCOPA_SEATS_MAX + 1][BLOCK_GAMES_MAX + 1];
};

void gather_init(struct gather *gather);
void gather_release(struct gather *gather);

/*
 * Takes one game as it was read.  0; -EBADMSG with the fault where it cannot be
 * counted with the others; -EPERM, likewise, where it was for analysis and no
 * such game counts; -ENOMEM.  Nothing is taken on failure.  That the
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
