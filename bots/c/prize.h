/*
 * What the end of a deal is worth to each party, with an eye on the match.
 *
 * Far from the target that is the difference of the points.  In a deal that may
 * decide the match it is the chance to win it, scaled so that a point is worth
 * about one where all is open, and a tenth of the difference, which keeps
 * playing where the match is as good as over.
 */
#ifndef SCOPA_BOT_PRIZE_H
#define SCOPA_BOT_PRIZE_H

#include "search.h"

struct prize {
	bool to_target; /* the match goes to the target of the rules */
};

/*
 * For struct search_reward; `context` is a struct prize.  Points less the mean
 * of the others', negative where few are good; a match that is won at a blow is
 * worth more than any points.
 */
void prize_count(void *context, const struct search_end *end, double *rewards);

/* Whether it is the match that counts in this deal. */
bool prize_is_match(const struct prize *prize, const struct scopa_rules *rules,
    const struct scopa_view *view);

#endif
