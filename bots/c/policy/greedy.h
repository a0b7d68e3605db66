/*
 * The greedy rule: looks at one move of its own and one card of the next
 * player's (the idea: Di Palma and Lanzi, arXiv 1807.06813).
 */
#ifndef SCOPA_BOT_GREEDY_H
#define SCOPA_BOT_GREEDY_H

#include "scopa/view.h"

/* What its moves under one rule set have in common. */
struct greedy {
	bool plain;       /* sweeps can be foreseen without trying them */
	bool equal_first; /* a card takes an equal one and nothing else */
	int16_t values[SCOPA_PACK_SIZE]; /* what it takes each card for */
};

void greedy_init(struct greedy *greedy, const struct scopa_rules *rules);

/*
 * Writes the move for the seat to move: of equal ones the first in canonical
 * order.  It looks at nothing that the seat may not know.
 */
void greedy_choose(const struct greedy *greedy, const struct scopa_rules *rules,
    const struct scopa_deal *deal, struct scopa_move *move);

/* Both at once. */
struct scopa_move greedy_move(
    const struct scopa_rules *rules, const struct scopa_deal *deal);

/* In the game of frac these alone count: aces and pictures. */
extern const scopa_set frac_cards;

/*
 * Adds what the rules of a variant add to the values of the cards of the pack,
 * in hundredths of a point: as much of the points that a card helps to make as
 * it has a share in them.
 */
void extra_values_add(
    const struct scopa_rules *rules, int values[SCOPA_PACK_SIZE]);

/* The totals of the sets of these cards: bit t; bit 0 always. */
static inline uint64_t
totals_of(scopa_set cards)
{
	uint64_t totals = 1;

	while (cards != SCOPA_SET_EMPTY)
		totals |= totals << scopa_card_value(scopa_set_take(&cards));
	return totals;
}

/* The cards that take a table, which is not empty, of this total whole. */
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

/*
 * The values of the cards that take one of these totals by a sum or to fifteen:
 * bit v.
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
