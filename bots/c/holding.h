/*
 * Who may hold what: chances of the hidden cards, by counting and by negative
 * inference.
 *
 * Whoever could have swept the table with a card and played another does not
 * hold it: so the tradition says, and less strictly the same of a settebello
 * that was left lying and of any capture that was not made.  Whoever lays a
 * card may well have another of its rank, and whoever takes has it less.
 */
#ifndef SCOPA_BOT_HOLDING_H
#define SCOPA_BOT_HOLDING_H

#include "scopa/view.h"

/* Row of the cards that are not yet dealt. */
enum { HOLDING_DECK = SCOPA_SEATS_MAX, HOLDING_ROWS };

struct holding {
	/*
	 * How likely the seat holds the card, 0 to 1.  Hands that the view
	 * sees are certain; a row adds up to the cards that its seat holds.
	 */
	double chance[HOLDING_ROWS][SCOPA_PACK_SIZE];
};

void holding_guess(const struct scopa_rules *rules,
    const struct scopa_view *view, struct holding *holding);

#endif
