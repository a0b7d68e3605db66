/*
 * What a move leaves to the others: the best each card could take next.
 */
#ifndef SCOPA_BOT_PROSPECT_H
#define SCOPA_BOT_PROSPECT_H

#include "holding.h"

/* What all moves of one decision are judged by. */
struct thought {
	const struct scopa_rules *rules;
	const struct scopa_view *view;
	const struct scopa_deal *deal; /* agrees with the view */
	struct holding holding;
	double stakes[SCOPA_PACK_SIZE];
};

/* One move and what comes after it. */
struct prospect {
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
void thought_init(struct thought *thought, const struct scopa_rules *rules,
    const struct scopa_view *view, const struct scopa_deal *deal);

/* Makes the move, which plays a card, and looks at what it leaves. */
void prospect_make(const struct thought *thought, const struct scopa_move *move,
    struct prospect *prospect);

/* The chance that a seat holds a card after the move. */
double prospect_chance(const struct thought *thought,
    const struct prospect *prospect, int seat, scopa_card card);

#endif
