/*
 * What a move leaves to the others: what cards can take by their sums, who may
 * hold which card, and the best that each card could take next.
 */
#ifndef SCOPA_BOT_REPLY_ANALYSIS_H
#define SCOPA_BOT_REPLY_ANALYSIS_H

#include "scopa/rules.h"
#include "scopa/view.h"

/* Whether a card of this value takes all of a table that is not empty. */
bool sums_sweep(const struct scopa_rules *rules, scopa_set table, int value);

/*
 * Who may hold what: chances of the hidden cards, by counting and by negative
 * inference.
 *
 * A player that could have swept the table with a card and played another does
 * not hold it: so the tradition says, and less strictly the same of a
 * settebello that was left lying and of any capture that was not made.  A
 * player that lays a card may well have another of its rank; a player that
 * takes is less likely to.
 */

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

/* What all moves of one decision are judged by. */
struct reply_context {
	const struct scopa_rules *rules;
	const struct scopa_view *view;
	const struct scopa_deal *deal; /* agrees with the view */
	struct holding holding;
	double card_values[SCOPA_PACK_SIZE];
};

/* One move and what comes after it. */
struct reply_analysis {
	struct scopa_move move;
	struct scopa_effect effect;
	struct scopa_deal next; /* after the move */

	/* Of each card that a hand may hold: the best it takes; 0: nothing. */
	double gains[SCOPA_PACK_SIZE];
	scopa_set takers;   /* cards that take something */
	scopa_set sweepers; /* cards that sweep the table for a point */

	/*
	 * Of each player from the next one on (the last one is the mover):
	 * what the best card expected in the hand takes, sweeps aside; the
	 * chance that it sweeps; the chance that it takes nothing.
	 */
	double taken[SCOPA_SEATS_MAX];
	double swept[SCOPA_SEATS_MAX];
	double idle[SCOPA_SEATS_MAX];
};

/* The decision from the view; `deal` agrees with it. */
void reply_context_init(struct reply_context *context,
    const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_deal *deal);

/* Makes the move, which plays a card, and looks at what it leaves. */
void reply_analysis_make(const struct reply_context *context,
    const struct scopa_move *move, struct reply_analysis *replies);

/* The chance that a seat holds a card after the move. */
double reply_analysis_chance(const struct reply_context *context,
    const struct reply_analysis *replies, int seat, scopa_card card);

#endif
