/*
 * Pairs of bots whose results against each other are not what their results
 * against all others let expect: soft play, or a matter of style.
 */
#ifndef RESIDUAL_H
#define RESIDUAL_H

#include <stdbool.h>

#include "cluster.h"

enum { RESIDUAL_CLUSTERS_MIN = 10 }; /* of a pair that is judged */

/* Over all pairs together, how often honest ones may be marked. */
#define RESIDUAL_ALPHA 0.01

struct residual {
	bool judged;     /* enough clusters, and others join the two */
	bool odd;        /* z is beyond what chance gives among so many */
	double expected; /* mean margin of the first, by the others' results */
	/* How far beyond it the mean is, as a normal number that is as rare. */
	double z;
};

/*
 * One residual a pair of blocks of two bots alone (joint 0).  The ratings of the
 * fit are left with nothing of use, and so are the excesses, one a pair.
 *
 * The fit without a pair is had from the fit with it: with e = mean - (a - b),
 * s^2 the variance of the mean that the pair is weighed by and h = var(a - b) /
 * s^2, its leverage, the others expect mean - e / (1 - h) (Cook and Weisberg
 * 1982, Residuals and Influence in Regression, 2.2).  The error of e follows
 * from clusters (cluster_excess), and e over it has Student's distribution,
 * with one degree of freedom less than the clusters in which the two met.  Odd:
 * rarer than RESIDUAL_ALPHA shared out over the pairs that are judged
 * (Bonferroni), both sides.  As an odd pair pulls at what is expected of its
 * neighbours, the oddest one is taken out and the rest is fitted anew, until
 * none is odd; all are judged by that last fit.
 */
void residual_find(const struct rating_fit *fit,
    struct cluster_excess *excesses, struct residual *residuals);

#endif
