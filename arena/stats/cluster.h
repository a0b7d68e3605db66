/*
 * Results that are not independent of each other, and what that does to the
 * errors of ratings.
 *
 * All encounters of a round are played with the same packs.  Blocks of one
 * round that have a bot in common are therefore correlated, and errors that
 * count each block as news are too small.  A cluster is everything that was
 * played with the same packs; clusters are independent of each other.  Errors
 * by clusters hold whatever the correlation within them is (Liang and Zeger
 * 1986, "Longitudinal data analysis using generalized linear models").
 *
 * No function allocates.
 */
#ifndef CLUSTER_H
#define CLUSTER_H

#include "estimate.h"
#include "rating.h"

/*
 * Sorts the rows by cluster and finds where each begins; `starts` has room for
 * row_count + 1.
 */
struct clusters clusters_make(
    struct cluster_row *rows, int64_t row_count, int64_t *starts);

/*
 * Adds up the rows of each two bots in each cluster; the number of rows that
 * are left, sorted by cluster, the lower number of the two bots first.
 */
int64_t clusters_fold(struct cluster_row *rows, int64_t row_count);

/*
 * Ratings in points a deal and in Elo (rating.h), with the errors that they and
 * their differences have by clusters, and as many degrees of freedom as clusters
 * in which a bot played, less one.  Errors never become smaller than those of
 * independent blocks, which stay where no clusters are known: with few clusters
 * residuals say too little.  Bots that played in one cluster, or whose margins
 * were all as expected to the last digit, have no error: freedom 0.  Of Elo the
 * covariances are what blocks show, and the clusters weigh by the inverse of the
 * information of the games.
 */
void cluster_margin(const struct rating_fit *fit);
void cluster_elo(const struct rating_fit *fit);

/*
 * Degrees of freedom of the difference of two ratings, 0 where nothing is known
 * of its error; and the probability that the first is the higher one, 1/2 where
 * that is so.
 */
double cluster_freedom(const struct rating_fit *fit, int a, int b);
double cluster_above(const struct rating_fit *fit, int a, int b);

/*
 * Pairs of bots whose results against each other are not what their results
 * against all others let expect: soft play, or a matter of style.
 */

enum { RESIDUAL_CLUSTERS_MIN = 10 }; /* of a pair that is judged */

/* Over all pairs together, how often honest ones may be marked. */
#define RESIDUAL_ALPHA 0.01

struct residual {
	bool judged;     /* enough clusters, and others join the two */
	bool odd;        /* z is beyond what chance gives among so many */
	double expected; /* mean margin of the first, by the others' results */
	/* How far beyond it the mean is, as a normal number that is as rare. */
	double z;
	/* Of the mean less the difference of the ratings; degrees of freedom. */
	double variance, freedom;
};

/*
 * One residual a pair of blocks of two bots alone (joint 0).  The ratings of the
 * fit are left with nothing of use.
 *
 * The fit without a pair is had from the fit with it: with e = mean - (a - b),
 * s^2 the variance of the mean that the pair is weighed by and h = var(a - b) /
 * s^2, its leverage, the others expect mean - e / (1 - h) (Cook and Weisberg
 * 1982, Residuals and Influence in Regression, 2.2).  The error of e follows
 * from clusters, and e over it has Student's distribution,
 * with one degree of freedom less than the clusters in which the two met.  Odd:
 * rarer than RESIDUAL_ALPHA shared out over the pairs that are judged
 * (Bonferroni), both sides.  As an odd pair pulls at what is expected of its
 * neighbours, the oddest one is taken out and the rest is fitted anew, until
 * none is odd; all are judged by that last fit.
 */
void residual_find(const struct rating_fit *fit, struct residual *residuals);

/*
 * The mean margin of each bot's blocks with its interval, by clusters: both
 * ends are beyond where there are fewer than two, or no spread.
 */
void cluster_means(
    const struct rating_fit *fit, double level, struct estimate *estimates);

#endif
