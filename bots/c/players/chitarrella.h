/*
 * A player after the tradition of Scopone (see tradition.h).
 *
 * Where points are bad, and for what is declared, it is the greedy bot.
 */
#ifndef SCOPA_BOT_CHITARRELLA_H
#define SCOPA_BOT_CHITARRELLA_H

#include "builtin.h"

/* Options, in the order of their rows. */
enum { CHITARRELLA_ENDPLAY, CHITARRELLA_OPTION_COUNT };

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
 * order.  `deal` agrees with the view, and the seat is to move in it.  With
 * `endplay` cards or fewer left in all hands (0 to ENDPLAY_PLAYS_MAX), the end
 * is worked out.
 */
struct scopa_move chitarrella_move(const struct scopa_rules *rules,
    const struct scopa_view *view, const struct scopa_deal *deal, int endplay,
    struct chitarrella_reason *reason);

/* chitarrella_move as text, for a turn with a view; tells the reason. */
bool chitarrella_choose(
    const struct builtin_turn *turn, struct scopa_text *answer);

#endif
