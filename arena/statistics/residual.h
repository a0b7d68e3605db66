/*
 * Pairs of bots whose results against each other are not what their results
 * against all others let expect: soft play, or a matter of style.
 */
#ifndef RESIDUAL_H
#define RESIDUAL_H

#include <stdbool.h>

#include "rating.h"

enum { RESIDUAL_BLOCKS_MIN = 10 }; /* of a pair that is judged */

/* Over all pairs together, how often honest ones may be marked. */
#define RESIDUAL_ALPHA 0.01

struct residual {
	bool judged;     /* enough blocks, and others join the two */
	bool odd;        /* z is beyond what chance gives among so many */
	double expected; /* mean margin of the first, by the others' results */
	double z;        /* standard errors of the mean beyond it */
};

/*
 * One residual a pair, for blocks of two bots alone (joint 0).  `ratings` and
 * `work`, as those of rating_margin, are left with nothing of use; `pairs` is
 * as before.
 *
 * The fit without a pair is had from the fit with it: with e = mean - (a - b),
 * s^2 the variance of the mean that the pair is weighed by and h = var(a - b) /
 * s^2, its leverage, the others expect mean - e / (1 - h), and z = e / (s sqrt(1
 * - h)) (Cook and Weisberg 1982, Residuals and Influence in Regression, 2.2).
 * Odd: |z| above the normal quantile of RESIDUAL_ALPHA shared out over the pairs
 * that are judged (Bonferroni), both sides.  As an odd pair pulls at what is
 * expected of its neighbours, the oddest one is taken out and the rest is fitted
 * anew, until none is odd; all are judged by that last fit.
 */
void residual_find(struct rating_margins *pairs, int pair_count, int bot_count,
    struct rating *ratings, double *work, struct residual *residuals);

#endif
