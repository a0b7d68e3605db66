/*
 * The greedy rule: looks at one move of its own and one card of the next
 * player's (the idea: Di Palma and Lanzi, arXiv 1807.06813).
 */
#ifndef SCOPA_BOT_GREEDY_H
#define SCOPA_BOT_GREEDY_H

#include "scopa/view.h"

/*
 * The move for the seat of the view: of equal ones the first in canonical
 * order.  `deal` agrees with the view, and the seat is to move in it.
 */
struct scopa_move greedy_move(const struct scopa_rules *rules,
    const struct scopa_view *view, const struct scopa_deal *deal);

/*
 * The same for the seat to move in a deal, of which it looks at what it may
 * know alone.
 */
struct scopa_move greedy_reply(
    const struct scopa_rules *rules, const struct scopa_deal *deal);

/* What it reckons with: the cards that the next seat may play from. */
scopa_set greedy_threats(
    const struct scopa_rules *rules, const struct scopa_deal *deal);

/* What it takes each card for, from 0 to a few hundred. */
void greedy_values(
    const struct scopa_rules *rules, int values[SCOPA_PACK_SIZE]);

#endif
