/*
 * What a position of two parties has decided already, what is still open, and
 * what the open part depends on.
 *
 * Points that nothing can change any more are dropped from the search: what is
 * left is the same for all positions with the same key, whatever was decided on
 * the way to them.
 */
#ifndef SCOPA_BOT_OUTLOOK_H
#define SCOPA_BOT_OUTLOOK_H

#include "scopa/scopa.h"

/* How good the best primiera card of a suit is: 0 for none to 8 for a seven. */
enum { OUTLOOK_LEVEL_COUNT = 9 };

/* What the rules say, in the form that is of use at every position. */
struct outlook_terms {
	const struct scopa_rules *rules;
	int sign;    /* 1, or -1 where few points are good */
	int parties; /* with more than two nothing is dropped */
	bool counts[SCOPA_ITEM_COUNT];
	bool all_suits; /* a primiera needs all four */
	bool wild;      /* the 7 of cups may be another card */
	int16_t level_points[OUTLOOK_LEVEL_COUNT]; /* in the primiera */
	int8_t run_points[SCOPA_VALUE_MAX + 1]; /* of coins from the ace on */
	uint64_t salt; /* of all that no position changes */
};

/* Best primiera card of each suit, four bits each, by party. */
struct outlook_levels {
	uint16_t best[2];
};

struct outlook {
	int base;      /* decided, for party A less party B */
	int low, high; /* bounds of what is to come, added to the base */
	uint64_t key;  /* of what is to come */
};

/*
 * The deal gives the undealt cards and the dealer; `root` is the party whose
 * value is searched where there are more than two.
 */
void outlook_terms_init(struct outlook_terms *terms,
    const struct scopa_rules *rules, const struct scopa_deal *deal, int root);

/* The levels of the piles of a deal. */
struct outlook_levels outlook_levels_of(const struct scopa_deal *deal);

/* The same after these cards came to a party's pile. */
void outlook_levels_add(
    struct outlook_levels *levels, int party, scopa_set cards);

/*
 * All of it for a deal that may also be over by its last card, but not by a win
 * at a blow.
 */
void outlook_make(const struct outlook_terms *terms,
    const struct scopa_deal *deal, struct outlook_levels levels,
    struct outlook *outlook);

#endif
