/*
 * The greedy bot: looks at one move of its own and one card of the next
 * player's (the idea: Di Palma and Lanzi, arXiv 1807.06813).
 */
#ifndef SCOPA_BOT_GREEDY_H
#define SCOPA_BOT_GREEDY_H

#include "builtin.h"

/*
 * The move for the seat of the view: of equal ones the first in canonical
 * order.  `deal` agrees with the view, and the seat is to move in it.
 */
struct scopa_move greedy_move(const struct scopa_rules *rules,
    const struct scopa_view *view, const struct scopa_deal *deal);

/* The same as text, for a turn with a view. */
bool greedy_choose(const struct builtin_turn *turn, struct scopa_text *answer);

#endif
