/*
 * Bots of a few lines: @random, and @greedy, which plays by greedy.h.
 */
#ifndef SCOPA_BOT_SIMPLE_BOTS_H
#define SCOPA_BOT_SIMPLE_BOTS_H

#include "builtin.h"

/* Options of @greedy, in the order of their rows. */
enum { SIMPLE_GREEDY_BLUNDER, SIMPLE_GREEDY_OPTION_COUNT };

/* Blunders are counted of so many decisions. */
enum { SIMPLE_GREEDY_BLUNDER_MAX = 1000 };

/* Any of the legal moves, all equally likely. */
bool simple_random_choose(
    const struct builtin_turn *turn, struct scopa_text *answer);

/*
 * The greedy move, for a turn with a view.  As often as the option says, any
 * legal move instead, all equally likely: a bot that is weaker by a little.
 */
bool simple_greedy_choose(
    const struct builtin_turn *turn, struct scopa_text *answer);

#endif
