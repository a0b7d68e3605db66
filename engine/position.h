/*
 * Whether a view from outside can be a position of a deal at all.
 */
#ifndef POSITION_H
#define POSITION_H

#include "scopa/view.h"

/*
 * Compares table, piles, hands, deck and turn with the history of the deal,
 * which settles how many cards must be where.  Whether every move of the
 * history was legal is not looked at.  False with a sentence in `why`.
 */
bool position_check(const struct scopa_rules *rules,
    const struct scopa_view *view, struct scopa_text *why);

#endif
