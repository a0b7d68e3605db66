/*
 * The greedy rule: it looks at one own move and at one card of the next player
 * (after Di Palma and Lanzi, arXiv 1807.06813).
 */
#ifndef SCOPA_BOT_GREEDY_H
#define SCOPA_BOT_GREEDY_H

#include "scopa/view.h"

/* The rule prepared for one set of rules. */
struct greedy {
	bool plain;       /* sweeps follow from totals, without a trial */
	bool equal_first; /* a card must capture an equal one */
	int16_t values[SCOPA_PACK_SIZE]; /* of each card, for this rule */
};

/* Prepares the rule for a set of rules. */
void greedy_init(struct greedy *greedy, const struct scopa_rules *rules);

/*
 * Writes the move of the seat to move; of equal moves the first in canonical
 * order.  Uses only what the seat may know.
 */
void greedy_choose(const struct greedy *greedy, const struct scopa_rules *rules,
    const struct scopa_deal *deal, struct scopa_move *move);

/* The same, with the preparation. */
struct scopa_move greedy_move(
    const struct scopa_rules *rules, const struct scopa_deal *deal);

/* The cards that count in the game of frac: aces and pictures. */
extern const scopa_set frac_cards;

/* Primiera points of each card value; primiera_six of the rules is not used. */
extern const int8_t primiera_points[SCOPA_VALUE_MAX + 1];

/*
 * Returns how many of these cards the team has captured more than the best
 * other team; may be negative.  *left is the number of those that are in no
 * pile.
 */
int lead_in_cards(const struct scopa_rules *rules, const scopa_set *captured,
    int team, scopa_set cards, int *left);

/*
 * Adds the points of special rules to the values of the cards, in hundredths of
 * a point.  The points for a set of cards are divided among its cards.
 */
void extra_values_add(
    const struct scopa_rules *rules, int values[SCOPA_PACK_SIZE]);

/*
 * Returns the totals of all subsets of these cards: bit t for total t.  Bit 0
 * is always set.
 */
static inline uint64_t
totals_of(scopa_set cards)
{
	uint64_t totals = 1;

	while (cards != SCOPA_SET_EMPTY)
		totals |= totals << scopa_card_value(scopa_set_take(&cards));
	return totals;
}

/* The greatest total that one card captures: 14, for fifteen with an ace. */
enum { CAPTURE_TOTAL_MAX = 14 };

/* Returns the number of values of which the set has an odd number of cards. */
static inline int
values_unpaired(scopa_set set)
{
	scopa_set bits = set ^ set >> 2;

	return scopa_set_count((bits ^ bits >> 1) & SCOPA_SET_DENARI);
}

/*
 * Returns the cards that capture all of a table with this total, which is not
 * empty.
 */
static inline scopa_set
cards_sweeping(const struct scopa_rules *rules, int total)
{
	scopa_set cards = SCOPA_SET_EMPTY;

	if (rules->capture != SCOPA_CAPTURE_FIFTEEN && total <= SCOPA_VALUE_MAX)
		cards = scopa_set_of_value(total);
	if (rules->capture != SCOPA_CAPTURE_SUM && total < 15 &&
	    total >= 15 - SCOPA_VALUE_MAX)
		cards |= scopa_set_of_value(15 - total);
	return cards;
}

/* Whether an ace captures the whole table by a rule of its own. */
static inline bool
ace_sweeps(const struct scopa_rules *rules, scopa_set table)
{
	return rules->ace != SCOPA_ACE_PLAIN && table != SCOPA_SET_EMPTY &&
	    (rules->ace == SCOPA_ACE_SWEEP || !(table & scopa_set_of_value(1)));
}

/*
 * Whether a card of this value scores when it captures a whole table with this
 * total.  An ace always does if it could capture as much by its value.
 */
static inline bool
sweep_scores(const struct scopa_rules *rules, int value, int total)
{
	return value > 1 || rules->ace_scopa || rules->ace == SCOPA_ACE_PLAIN ||
	    (cards_sweeping(rules, total) & scopa_set_of_value(1));
}

/*
 * Returns the card values (bit v) that capture one of these totals, by a sum or
 * to fifteen.
 */
static inline uint32_t
values_taking(const struct scopa_rules *rules, uint64_t totals)
{
	const uint32_t all = (2U << SCOPA_VALUE_MAX) - 2;
	uint32_t values = 0;

	if (rules->capture != SCOPA_CAPTURE_FIFTEEN)
		values |= (uint32_t)totals & all;
	if (rules->capture != SCOPA_CAPTURE_SUM)
		for (int value = 1; value <= SCOPA_VALUE_MAX; value++)
			values |= (uint32_t)(totals >> (15 - value) & 1)
			    << value;
	return values;
}

#endif
