/*
 * The results of all blocks so far, added up: by bot, and by pair of bots.
 *
 * A pure function of the blocks in schedule order.  Blocks with a forfeit are
 * in the totals; the `clean` moments leave them out.
 */
#ifndef STANDINGS_H
#define STANDINGS_H

#include "block.h"
#include "estimate.h"

/* One bot against all others. */
struct standing {
	int64_t blocks, games, deals;
	struct trinomial results; /* of games: win = beats all other parties */
	int64_t forfeits;         /* games that it lost by its own offence */
	struct moments margins, clean; /* of blocks, in points a deal */
	double score;   /* sum of the shares of games, 0..games */
	int64_t points; /* of its party */
	int64_t item_points[SCOPA_ITEM_COUNT];
	int64_t offences[OFFENCE_KIND_COUNT];
	int64_t think_us, think_longest_us, decisions;
	int startup_failures; /* games that it lost by not starting */
	struct skill skill;   /* Plackett-Luce over games */
};

/* One bot against another one, from the view of the first. */
struct encounter {
	int64_t blocks, games;
	struct moments margins, clean; /* own party less the other's, a deal */
	struct pentanomial pairs;      /* of blocks of two games, two parties */
	struct trinomial results;      /* of games */
	int64_t mirrors;  /* blocks whose games were exact mirrors */
	int64_t forfeits; /* games forfeited by the first of the two */
};

struct standings {
	struct scopa_rules rules;
	int bot_count;
	int64_t blocks, skipped, games, deals, forfeits;
	struct standing *bots;        /* bot_count */
	struct encounter *encounters; /* [a * bot_count + b]; owned */
	struct ranking_block *pairs;  /* of all blocks, for the bootstrap */
	int64_t pair_count, pair_capacity;
};

/* 0 or -ENOMEM. */
int standings_open(struct standings *standings, const struct scopa_rules *rules,
    int bot_count);
void standings_close(struct standings *standings);

/* Adds the next block.  0 or -ENOMEM: nothing was added then. */
int standings_take(
    struct standings *standings, const struct block_result *block);

const struct encounter *standings_encounter(
    const struct standings *standings, int first, int second);

#endif
