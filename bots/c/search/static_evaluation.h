/*
 * What a position of two teams has decided already, what is still open, and
 * what the open part depends on.
 *
 * Points that nothing can change any more are dropped from the search: what is
 * left is the same for all positions with the same key, whatever was decided on
 * the way to them.
 */
#ifndef SCOPA_BOT_STATIC_EVALUATION_H
#define SCOPA_BOT_STATIC_EVALUATION_H

#include "scopa/scopa.h"

/* How good the best primiera card of a suit is: 0 for none to 8 for a seven. */
enum { EVALUATION_LEVEL_COUNT = 9 };

/* What the rules say, in the form that is of use at every position. */
struct evaluation_terms {
	const struct scopa_rules *rules;
	int sign;  /* 1, or -1 where few points are good */
	int teams; /* with more than two nothing is dropped */
	bool counts[SCOPA_ITEM_COUNT];
	bool all_suits; /* a primiera needs all four */
	bool wild;      /* the 7 of cups may be another card */
	int16_t level_points[EVALUATION_LEVEL_COUNT]; /* in the primiera */
	int16_t run_points[SCOPA_VALUE_MAX + 1]; /* of coins from the ace on */
	uint64_t salt; /* of all that no position changes */
};

/* Best primiera card of each suit, four bits each, by team. */
struct evaluation_levels {
	uint16_t best[2];
};

/* Of one kind of result: what is decided, and the bounds of what is not. */
struct evaluation_share {
	int base, low, high;
};

struct evaluation {
	int base;      /* decided, for team A less team B */
	int low, high; /* bounds of what is to come, added to the base */

	/* What the rest is made of, for the key. */
	const struct evaluation_terms *terms;
	const struct scopa_deal *deal;
	scopa_set piles[2];
	scopa_set open; /* in no pile yet */
	struct evaluation_share points, wins;
	uint64_t counts; /* of cards that may still count, as fields of bits */
	uint64_t runs;   /* the same of sets of coins and of the primiera */
	/* Of the primiera by suit: its open ranks, and both teams' levels. */
	scopa_set ranks[SCOPA_SUIT_COUNT];
	uint16_t levels[SCOPA_SUIT_COUNT];
};

/*
 * The deal gives the undealt cards and the dealer; `root` is the team whose
 * value is searched where there are more than two.
 */
void evaluation_terms_init(struct evaluation_terms *terms,
    const struct scopa_rules *rules, const struct scopa_deal *deal, int root);

/* The levels of the piles of a deal. */
struct evaluation_levels evaluation_levels_of(const struct scopa_deal *deal);

/* The same after these cards came to a team's pile. */
void evaluation_levels_add(
    struct evaluation_levels *levels, int team, scopa_set cards);

/*
 * For a deal that may also be over by its last card, but not by a win at a
 * blow; it is referred to.
 */
void evaluation_make(const struct evaluation_terms *terms,
    const struct scopa_deal *deal, struct evaluation_levels levels,
    struct evaluation *evaluation);

/* What tells the position from all others whose future may be another. */
uint64_t evaluation_key(const struct evaluation *evaluation);

#endif
