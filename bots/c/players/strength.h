/*
 * Weaker play, similar to human weakness: moves with nearly the same value are
 * confused, and some moves are overlooked.
 *
 * The bot first searches as well as it can, and then chooses by its level, 10
 * (always the best move) to 1.  A lower level plays worse on average, since
 * every level uses only the result of the search.
 */
#ifndef SCOPA_BOT_STRENGTH_H
#define SCOPA_BOT_STRENGTH_H

#include <stdint.h>

#include "search.h"

enum { STRENGTH_MIN = 1, STRENGTH_MAX = 10 };

/*
 * Returns the row that a level from STRENGTH_MIN to STRENGTH_MAX plays.  `unit`
 * is the reward of one point.
 *
 * STRENGTH_MAX plays the best row.  At lower levels each move may be
 * overlooked: the probability of the level is applied once for each captured
 * card, at least once.  Among the other moves, one with value v in points is
 * chosen with a probability proportional to exp(v / temperature).  A move that
 * the search has not visited counts as the worst visited one.  When all moves
 * are overlooked, a random move is played.
 */
const struct search_row *strength_row(const struct search_result *result,
    int level, double unit, uint64_t *random);

#endif
