/*
 * Results that depend on each other, and their effect on the errors of ratings.
 *
 * All encounters of a round are played with the same packs.  Blocks of one
 * round that have a bot in common are therefore correlated, and errors that
 * count each block as independent are too small.  A cluster is everything that
 * was played with the same packs.  Clusters are independent of each other.
 * Errors by clusters hold whatever the correlation within them is (Liang and
 * Zeger 1986, "Longitudinal data analysis using generalized linear models").
 *
 * No function allocates.
 */
#ifndef CLUSTER_H
#define CLUSTER_H

#include "estimate.h"
#include "rating.h"

/*
 * Sorts the rows by cluster and finds the first row of each cluster.  The
 * caller owns `rows` and `starts`; `starts` has room for row_count + 1 numbers.
 */
struct clusters clusters_make(
    struct cluster_row *rows, int64_t row_count, int64_t *starts);

/*
 * Adds up the rows of the same two bots in the same cluster.  Returns the
 * number of rows that are left.  They are sorted by cluster, and the lower bot
 * number is first.
 */
int64_t clusters_fold(struct cluster_row *rows, int64_t row_count);

/*
 * Ratings in points a deal and in Elo (rating.h).  Their errors, and those of
 * their differences, are computed by clusters.  A bot has one degree of freedom
 * less than the clusters that it played in.
 *
 * An error is never smaller than that of independent blocks, because the
 * residuals of few clusters say too little.  Without any clusters the errors
 * are those of independent blocks.  If a bot played in only one cluster, or all
 * its margins were as expected to the last digit, its error is unknown: freedom
 * 0.  For Elo the covariances are those that the blocks show, and the weight of
 * a cluster is the inverse of the information of the games.
 */
void cluster_margin(const struct rating_fit *fit);
void cluster_elo(const struct rating_fit *fit);

/*
 * cluster_freedom: the degrees of freedom of the difference of two ratings, or
 * 0 if its error is unknown. cluster_above: the probability that the first
 * rating is the higher one, or 1/2 if the error is unknown.
 */
double cluster_freedom(const struct rating_fit *fit, int a, int b);
double cluster_above(const struct rating_fit *fit, int a, int b);

/*
 * Pairs of bots whose results against each other differ from what their results
 * against all other bots let expect.  The cause may be soft play or a matter of
 * style.
 */

/* a pair with fewer clusters is not judged */
enum { RESIDUAL_CLUSTERS_MIN = 10 };

/* The probability that any honest pair is marked, over all pairs together. */
#define RESIDUAL_ALPHA 0.01

struct residual {
	bool judged; /* enough clusters, and other pairs link the two bots */
	bool odd; /* |z| is greater than chance explains among so many pairs */
	/* Mean margin of the first bot that the other pairs let expect. */
	double expected;
	/*
	 * The distance of the mean from `expected`, as the normal number that
	 * is equally rare.
	 */
	double z;
	/*
	 * Of the mean less the difference of the ratings: its variance, and the
	 * degrees of freedom of that variance.
	 */
	double variance, freedom;
};

/*
 * Fills in one residual for each pair.  Pairs that met in blocks of more bots
 * are not judged, as their margins follow from each other.  The ratings of the
 * fit have no meaning afterwards.
 *
 * The fit without a pair follows from the fit with it.  Let e = mean - (a - b),
 * let s^2 be the variance of the mean that gives the pair its weight, and let h
 * = var(a - b) / s^2 be its leverage.  Then the other pairs let expect mean - e
 * / (1 - h) (Cook and Weisberg 1982, Residuals and Influence in Regression,
 * 2.2).  The error of e follows from clusters. e divided by its error has
 * Student's distribution, with one degree of freedom less than the clusters in
 * which the two bots met.
 *
 * A pair is odd if its residual is rarer than RESIDUAL_ALPHA divided by the
 * number of judged pairs (Bonferroni, two-sided).  An odd pair distorts what is
 * expected of its neighbours.  So the oddest pair is taken out and the others
 * are fitted again, until no pair is odd.  That last fit judges all pairs.
 */
void residual_find(const struct rating_fit *fit, struct residual *residuals);

/*
 * The mean margin of each bot's blocks with its interval, by clusters.  If a
 * bot has fewer than two clusters, or its margins have no spread, both ends of
 * its interval are marked as beyond.
 */
void cluster_means(
    const struct rating_fit *fit, double level, struct estimate *estimates);

#endif
