/*
 * A block: the same packs, played once with every seating of the bots that meet
 * (see schedule_seat()).  The unit of all statistics, because the luck of the
 * deal cancels out within it.
 */
#ifndef BLOCK_H
#define BLOCK_H

#include <stdbool.h>

#include "rating.h"
#include "scopa/rules.h"
#include "summary.h"

enum {
	BLOCK_GAMES_MAX = 6,
	TOURNAMENT_BOTS_MAX = RATING_BOTS_MAX,
	STORE_DIGEST_SIZE = 32 /* SHA-256 */
};

/* Which bots meet, and at which seats they sit. */
struct block_plan {
	int64_t index; /* in the schedule, from 0 */
	/* from 0: names the packs; equal for all encounters of a round */
	int round;
	int stage;                 /* of swiss, knockout and ladder, from 0 */
	int dealer;                /* the seat that deals first, in all games */
	int bot_count;             /* that meet: one a team, or one a seat */
	int bots[SCOPA_SEATS_MAX]; /* their numbers in the tournament */
	int game_count;
	/* [game][seat]: who sits there, as an index of `bots` */
	uint8_t seating[BLOCK_GAMES_MAX][SCOPA_SEATS_MAX];
};

/*
 * Unused elements are zero and there is no padding, so equal plans have equal
 * bytes.
 */
_Static_assert(sizeof(struct block_plan) ==
	sizeof(int64_t) + (5 + SCOPA_SEATS_MAX) * sizeof(int) +
	    BLOCK_GAMES_MAX * SCOPA_SEATS_MAX,
    "no padding");

/* Where the record of a block is, and the chain of results up to it. */
struct block_place {
	int64_t offset, size; /* in the file of records; 0, 0 when skipped */
	unsigned char digest[STORE_DIGEST_SIZE]; /* of these bytes */
	unsigned char chain[STORE_DIGEST_SIZE];  /* store_chain_add */
};

struct block_result {
	struct block_plan plan;
	struct block_place place; /* set when the block is added to a run */
	/* The block was not played, as one of its bots is suspended: no games. */
	bool skipped;
	struct summary games[BLOCK_GAMES_MAX];
};

/*
 * How one of the bots of a block came out of one of its games.  More is better
 * in every rule set: where the fewest points win, margins change their sign.
 */
struct block_share {
	double margin; /* points a deal: own less the mean of the others */
	double score;  /* 0..1: share of the other teams that it beat */
	bool forfeit;  /* somebody forfeited the game */
};

/*
 * The share of plan.bots[member] in game `game`.  A forfeited game counts as if
 * all its deals had been lost at the worst score that the rules allow.
 */
struct block_share block_share(const struct scopa_rules *rules,
    const struct block_result *block, int game, int member);

/* The mean of the shares of all games; `forfeit` is set if it is in any. */
struct block_share block_mean(const struct scopa_rules *rules,
    const struct block_result *block, int member);

/*
 * The share against one bot of another team: the points less that bot's, and a
 * score of 0, 1/2 or 1.  If a third team forfeits, the two are equal in points.
 */
struct block_share block_duel(const struct scopa_rules *rules,
    const struct block_result *block, int game, int member, int other);

/* The team that plan.bots[member] plays for in a game. */
int block_team(const struct scopa_rules *rules, const struct block_plan *plan,
    int game, int member);

/*
 * The place of a team in a game, from 0: the number of teams that came out
 * better.  Equal teams share a place.  A team that forfeited is last, a team
 * that won is first; else the points decide.  In a game that was drawn after
 * its greatest number of deals all teams share the first place.
 */
int block_rank(
    const struct scopa_rules *rules, const struct summary *game, int team);

/*
 * Whether two games of two teams went the same way although the bots had
 * changed seats: each seat made the same points, item by item.
 */
bool block_mirrored(
    const struct scopa_rules *rules, const struct block_result *block);

#endif
