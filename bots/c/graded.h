/*
 * What a searching bot plays at its strength: see strength.h.
 */
#ifndef SCOPA_BOT_GRADED_H
#define SCOPA_BOT_GRADED_H

#include "search.h"

/*
 * A row of the result, at a level from STRENGTH_MIN to STRENGTH_MAX: its best,
 * or, below, what strength_choose() takes for it.  `unit` is how much reward a
 * point of the deal is.
 */
const struct search_row *graded_row(const struct search_result *result,
    int level, double unit, uint64_t *random);

#endif
