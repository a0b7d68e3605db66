/*
 * The static evaluation of a position with two teams: what is decided, what is
 * still open, and what the open part depends on.
 *
 * Points that can no longer change are left out of the search.  The rest of the
 * value is the same for all positions with the same key, whatever was decided
 * before.
 */
#ifndef SCOPA_BOT_STATIC_EVALUATION_H
#define SCOPA_BOT_STATIC_EVALUATION_H

#include "scopa/scopa.h"

/*
 * The level of the best primiera card in a suit: 0 for none to 8 for a seven.
 */
enum { EVALUATION_LEVEL_COUNT = 9 };

/* The rules, prepared for the evaluation of many positions. */
struct evaluation_terms {
	const struct scopa_rules *rules;
	int sign;  /* 1, or -1 when the rules aim for few points */
	int teams; /* with more than two, nothing is left out */
	bool counts[SCOPA_ITEM_COUNT];
	bool all_suits; /* a primiera needs all four suits */
	bool wild;      /* the 7 of cups may take another value */
	int16_t level_points[EVALUATION_LEVEL_COUNT]; /* in a primiera */
	/* of a run of coins from the ace */
	int16_t run_points[SCOPA_VALUE_MAX + 1];
	uint64_t salt; /* hash of the rules, the dealer and the deck */
};

/* The best primiera level of each suit, four bits each, by team. */
struct evaluation_levels {
	uint16_t best[2];
};

/* For one kind of result: the decided part, and bounds of the open part. */
struct evaluation_share {
	int base, low, high;
};

struct evaluation {
	int base;      /* decided points of team A less those of B */
	int low, high; /* bounds of the open part, without the base */

	/* The parts, from which the key is made. */
	const struct evaluation_terms *terms;
	const struct scopa_deal *deal;
	scopa_set piles[2];
	scopa_set open; /* cards that are in no pile yet */
	struct evaluation_share points, wins;
	uint64_t counts; /* bit fields: card counts of open items */
	uint64_t runs;   /* hash: sets of coins and primiera, if open */
	/*
	 * The primiera by suit: its open ranks, and the levels of both teams.
	 */
	scopa_set ranks[SCOPA_SUIT_COUNT];
	uint16_t levels[SCOPA_SUIT_COUNT];
};

/*
 * Prepares the rules.  The deal supplies the deck and the dealer.  `root` is
 * the team whose value is searched, with more than two teams.
 */
void evaluation_terms_init(struct evaluation_terms *terms,
    const struct scopa_rules *rules, const struct scopa_deal *deal, int root);

/* Returns the levels of the piles of a deal. */
struct evaluation_levels evaluation_levels_of(const struct scopa_deal *deal);

/* Updates the levels after these cards were added to a team's pile. */
void evaluation_levels_add(
    struct evaluation_levels *levels, int team, scopa_set cards);

/*
 * Evaluates a deal.  It may be over after its last card, but not by an instant
 * win.  `evaluation` keeps pointers to `terms` and `deal`.
 */
void evaluation_make(const struct evaluation_terms *terms,
    const struct scopa_deal *deal, struct evaluation_levels levels,
    struct evaluation *evaluation);

/* Returns a hash that is the same for positions with the same future. */
uint64_t evaluation_key(const struct evaluation *evaluation);

#endif
