/*
 * What a deal alone is worth to each party: the points that it makes where the
 * same bot, the built-in greedy one, plays every seat.
 *
 * Each seat plays by what it may see, as the bot does in a match, and nothing
 * is left to chance: the same pack always gives the same points, and they are
 * those of a match of that bot against itself.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "record_read.h"
#include "scopa/rules.h"

#define REFERENCE_NAME "@greedy"

enum { REFERENCE_DEALS_MAX = 32 };

/* One deal. */
struct reference_deal {
	uint8_t pack[SCOPA_PACK_SIZE];
	int dealer; /* seat */
	/*
	 * Of each party: its points less another party's, summed over all
	 * others.  More is better in every rule set.  Whole numbers, so that
	 * what cancels out leaves nothing.
	 */
	int64_t leads[SCOPA_PARTIES_MAX];
};

/* All deals of a game. */
struct reference {
	/* The leads of each party (the second index), by who dealt. */
	int64_t leads[SCOPA_PARTIES_MAX][SCOPA_PARTIES_MAX];
	int dealt[SCOPA_PARTIES_MAX]; /* how many deals each party dealt */
};

/*
 * Deals that were played already: the games of a block have the same packs.
 * Zero: none yet.
 */
struct reference_memory {
	bool full[REFERENCE_DEALS_MAX];
	struct reference_deal deals[REFERENCE_DEALS_MAX];
};

/*
 * Plays the deal of this pack, a permutation of the cards, and this dealer, and
 * fills the leads.  False where the rules throw such a pack in.
 */
bool reference_play(
    const struct scopa_rules *rules, struct reference_deal *deal);

/*
 * Plays all deals of a recorded game that were played to their end, each with
 * its dealer, from the packs that were not thrown in; what the memory knows is
 * not played again.  One memory is of one rule set.  False with the fault where
 * the record does not tell dealers and packs.
 */
bool reference_read(struct reference *reference,
    struct reference_memory *memory, const struct scopa_rules *rules,
    const struct record_block *block, struct record_fault *fault);

#endif
