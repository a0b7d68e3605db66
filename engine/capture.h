/*
 * What one card may capture from the table.  The move generator, the check of a
 * move and its application all use these functions, so they cannot disagree.
 */
#ifndef SCOPA_CAPTURE_H
#define SCOPA_CAPTURE_H

#include "scopa/deal.h"

/* The 7 of cups, the wild card of Cirulla. */
#define SCOPA_MATTA ((scopa_card)(4 * 6 + SCOPA_COPPE))

/* The rules for the captures of one card in the present position. */
struct capture_terms {
	scopa_set alone;  /* table cards that may be captured alone */
	uint32_t targets; /* bit t: sets with total t add up */
	/* bit t: sets of several cards with total t are allowed */
	uint32_t several;
	bool equal;       /* a card of equal value also adds up */
	uint8_t value;    /* the value of the card played */
	bool ordinary;    /* sets that add up may be captured */
	bool ace_sweeps;  /* an ace may capture the whole table */
	bool single;      /* if any card can be captured alone, no larger set */
	bool fewest;      /* only the smallest sets */
	uint8_t size_max; /* most cards of a set */
	uint8_t held;     /* value of a wild 7 of cups on the table, or 0 */
};

/*
 * Returns the declared value of a wild 7 of cups that lies on the table, or 0.
 */
static inline uint8_t
capture_held(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	return rules->matta == SCOPA_MATTA_TABLE &&
		scopa_set_has(deal->table, SCOPA_MATTA)
	    ? deal->matta
	    : 0;
}

/* Returns the value with which the seat to move plays this card, 1 to 10. */
static inline int
capture_value(const struct scopa_deal *deal, scopa_card card)
{
	return card == SCOPA_MATTA && deal->matta ? deal->matta
						  : scopa_card_value(card);
}

/* Returns the value of a card on the table, 1 to 10. */
static inline int
capture_table_value(scopa_card card, uint8_t held)
{
	return card == SCOPA_MATTA && held ? held : scopa_card_value(card);
}

/* Returns the table cards with this value. */
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

/* Returns the totals that a card of this value may capture: bit t. */
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

/*
 * Returns the totals up to 15 of all subsets of the table: bit t.  Bit 0 is
 * always set.
 */
static inline uint32_t
capture_reach(scopa_set table, uint8_t held)
{
	uint32_t reach = 1;

	while (table)
		reach |= reach
		    << capture_table_value(scopa_set_take(&table), held);
	return reach & UINT32_C(0xFFFF);
}

/* Whether an ace that is played now captures the whole table. */
bool capture_ace_sweeps(
    const struct scopa_rules *rules, const struct scopa_deal *deal);

/* Returns the rules for the captures of this card by the seat to move. */
struct capture_terms capture_terms_of(const struct scopa_rules *rules,
    const struct scopa_deal *deal, scopa_card card);

/* Whether the set adds up, without regard to its size and to priority. */
bool capture_adds_up(const struct capture_terms *terms, scopa_set set);

/*
 * Whether this set, which adds up, is forbidden because a card can be captured
 * alone.
 */
bool capture_is_barred(const struct capture_terms *terms, scopa_set set);

/*
 * Whether the move captures the table in a way that only an ace's sweep allows.
 */
bool capture_needs_sweep(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *move);

/* Returns the size of the smallest ordinary capture; 0 when there is none. */
int capture_least(const struct capture_terms *terms, scopa_set table);

/*
 * Writes every capture by these rules in canonical order, at most `max`, as
 * copies of `move` with `captured` set.  Returns the number of captures.
 */
int capture_list(const struct capture_terms *terms, scopa_set table,
    const struct scopa_move *move, struct scopa_move *moves, int max);

#endif
