/*
 * What one card may take from the table: shared by the move generator, the
 * check of a move and its application, so that the three cannot disagree.
 */
#ifndef SCOPA_CAPTURE_H
#define SCOPA_CAPTURE_H

#include "scopa/deal.h"

/* The 7 of cups: wild in Cirulla. */
#define SCOPA_MATTA ((scopa_card)(4 * 6 + SCOPA_COPPE))

/* Why a card may take what it may: everything that the rules say of it. */
struct capture_terms {
	scopa_set alone; /* cards that may be taken by themselves */
	uint32_t
	    targets; /* bit t: cards that total t, one or several, add up */
	uint32_t several; /* bit t: several cards that total t may be taken */
	bool equal;       /* a single card of its own value adds up, too */
	uint8_t value;    /* with which the card is played */
	bool ordinary;    /* cards that add up are allowed */
	bool sweep;       /* an ace may take the whole table */
	bool single; /* where a card may be taken alone, no set of several */
	bool fewest; /* only sets of the least size */
	uint8_t size_max; /* most cards of a set */
	uint8_t held;     /* value of a wild 7 of cups on the table, or 0 */
};

/* Value that a wild 7 of cups keeps while it lies on the table, or 0. */
static inline uint8_t
capture_held(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	return rules->matta == SCOPA_MATTA_TABLE &&
		scopa_set_has(deal->table, SCOPA_MATTA)
	    ? deal->matta
	    : 0;
}

/* Value with which the seat to move plays a card of its hand, 1 to 10. */
static inline int
capture_value(const struct scopa_deal *deal, scopa_card card)
{
	return card == SCOPA_MATTA && deal->matta ? deal->matta
						  : scopa_card_value(card);
}

/* Value of a card that lies on the table, 1 to 10. */
static inline int
capture_table_value(scopa_card card, uint8_t held)
{
	return card == SCOPA_MATTA && held ? held : scopa_card_value(card);
}

/* The cards that count as this value on the table. */
static inline scopa_set
capture_equal(scopa_set table, int value, uint8_t held)
{
	scopa_set equal = table & scopa_set_of_value(value);

	if (held) {
		equal &= ~scopa_set_of(SCOPA_MATTA);
		if (held == value)
			equal |= scopa_set_of(SCOPA_MATTA);
	}
	return equal;
}

/* The totals that a card of this value may take: bit t. */
static inline uint32_t
capture_targets(const struct scopa_rules *rules, int value)
{
	uint32_t equal = UINT32_C(1) << value;
	uint32_t fifteen = UINT32_C(1) << (15 - value);

	switch ((enum scopa_capture)rules->capture) {
	case SCOPA_CAPTURE_SUM:
		return equal;
	case SCOPA_CAPTURE_FIFTEEN:
		return fifteen;
	case SCOPA_CAPTURE_SUM_OR_FIFTEEN:
		return equal | fifteen;
	}
	return 0;
}

/* Which totals up to 15 some set of table cards has: bit t; bit 0 always. */
static inline uint32_t
capture_reach(scopa_set table, uint8_t held)
{
	uint32_t reach = 1;

	while (table)
		reach |= reach
		    << capture_table_value(scopa_set_take(&table), held);
	return reach & UINT32_C(0xFFFF);
}

/* Whether an ace played now takes the whole table. */
bool capture_ace_sweeps(
    const struct scopa_rules *rules, const struct scopa_deal *deal);

/* The terms on which the seat to move plays this card. */
struct capture_terms capture_terms_of(const struct scopa_rules *rules,
    const struct scopa_deal *deal, scopa_card card);

/* Whether the set is an ordinary capture, its size and precedence aside. */
bool capture_adds_up(const struct capture_terms *terms, scopa_set set);

/* Whether a card that may be taken alone bars this set that adds up. */
bool capture_is_barred(const struct capture_terms *terms, scopa_set set);

/* Whether an ace takes the table as it can only by its sweep. */
bool capture_is_sweep(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *move);

/* Least size of an ordinary capture; 0 where there is none. */
int capture_least(const struct capture_terms *terms, scopa_set table);

/*
 * Writes every capture on these terms, in canonical order, as copies of `move`
 * with its `captured` filled in; at most `max`.  Returns how many there are.
 */
int capture_list(const struct capture_terms *terms, scopa_set table,
    const struct scopa_move *move, struct scopa_move *moves, int max);

#endif
