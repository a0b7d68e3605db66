/*
 * The greedy bot: looks at one move of its own and one card of the next
 * player's (the idea: Di Palma and Lanzi, arXiv 1807.06813).
 */
#ifndef SCOPA_BOT_GREEDY_H
#define SCOPA_BOT_GREEDY_H

#include "builtin.h"

/* Options, in the order of their rows. */
enum { GREEDY_BLUNDER, GREEDY_OPTION_COUNT };

/* Blunders are counted of so many decisions. */
enum { GREEDY_BLUNDER_MAX = 1000 };

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

/*
 * The move as text, for a turn with a view.  As often as the option says, any
 * legal move instead, all equally likely: a bot that is weaker by a little.
 */
bool greedy_choose(const struct builtin_turn *turn, struct scopa_text *answer);

#endif
