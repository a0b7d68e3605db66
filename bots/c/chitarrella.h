/*
 * A player after the tradition of Scopone (see tradition.h).
 *
 * Where points are bad, and for what is declared, it is the greedy bot.
 */
#ifndef SCOPA_BOT_CHITARRELLA_H
#define SCOPA_BOT_CHITARRELLA_H

#include "builtin.h"

/* Why a move was chosen. */
struct chitarrella_reason {
	const char *rule;         /* the rule that decided, one word */
	const char *sentence;     /* and what it asks for */
	double lead;              /* points by which the move is better than */
	struct scopa_move second; /* the next best one */
	int count;                /* legal moves, of which it was chosen */
};

/*
 * The move for the seat of the view: of equal ones the first in canonical
 * order.  `deal` agrees with the view, and the seat is to move in it.
 */
struct scopa_move chitarrella_move(const struct scopa_rules *rules,
    const struct scopa_view *view, const struct scopa_deal *deal,
    struct chitarrella_reason *reason);

/* The same as text, for a turn with a view; tells the reason. */
bool chitarrella_choose(
    const struct builtin_turn *turn, struct scopa_text *answer);

#endif
