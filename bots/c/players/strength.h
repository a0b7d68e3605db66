/*
 * Weaker play on purpose, as people are weak: what is nearly as good is taken
 * for as good, and some moves are not seen at all.
 *
 * A bot judges its moves as well as it can, and then chooses by its level, 10
 * (the best move, always) to 1.  A lower level is worse in expectation, as no
 * level looks at anything but its judgement.
 */
#ifndef SCOPA_BOT_STRENGTH_H
#define SCOPA_BOT_STRENGTH_H

#include <stdint.h>

#include "scopa/move.h"
#include "search.h"

enum { STRENGTH_MIN = 1, STRENGTH_MAX = 10 };

/*
 * The row of the result that a level from STRENGTH_MIN to STRENGTH_MAX plays;
 * `unit` is how much reward a point of the deal is.
 *
 * STRENGTH_MAX plays the best one.  Below, each move is first overlooked with
 * the level's chance, once for every card that it captures and at least once;
 * then a move of value v is chosen with a probability in proportion to
 * exp(v / temperature), the values in points.  Where the search has not visited
 * a move, it is judged like the worst that it has.  Where all is overlooked,
 * any move is played.
 */
const struct search_row *strength_row(const struct search_result *result,
    int level, double unit, uint64_t *random);

#endif
