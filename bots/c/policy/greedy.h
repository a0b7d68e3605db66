/*
 * The greedy rule: looks at one move of its own and one card of the next
 * player's (the idea: Di Palma and Lanzi, arXiv 1807.06813).
 */
#ifndef SCOPA_BOT_GREEDY_H
#define SCOPA_BOT_GREEDY_H

#include "scopa/view.h"

/*
 * The move for the seat of the view: of equal ones the first in canonical
 * order.  It looks at nothing that the seat to move may not know.
 */
struct scopa_move greedy_move(
    const struct scopa_rules *rules, const struct scopa_deal *deal);

/* What it reckons with: the cards that the next seat may play from. */
scopa_set greedy_threats(
    const struct scopa_rules *rules, const struct scopa_deal *deal);

/* What it takes each card for, from 0 to a few hundred. */
void greedy_values(
    const struct scopa_rules *rules, int values[SCOPA_PACK_SIZE]);

#endif
