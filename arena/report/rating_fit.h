/*
 * The memory for a fit of ratings (rating.h), for reports and for the command
 * rate.
 */
#ifndef RATING_FIT_H
#define RATING_FIT_H

#include "cluster.h"
#include "ranking.h"

/*
 * Room for so many pairs, which the caller fills in: `pairs` and
 * `pair_count`; ratings have other memory.  The rows are copied;
 * NULL: there are none.  0 or -ENOMEM, and then nothing is to be closed.
 */
int rating_fit_open(struct rating_fit *fit, int bot_count, size_t pair_max,
    const struct cluster_row *rows, int64_t row_count);
void rating_fit_close(struct rating_fit *fit);

/*
 * How often each place comes out when the clusters are drawn anew as `sample`
 * says: [bot * bot_count + place], the caller's to free.  NULL without memory.
 */
double *rating_fit_places(
    const struct rating_fit *fit, const struct ranking_sample *sample);

#endif
