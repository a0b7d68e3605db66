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

/* By how much a mean margin may differ from what the ratings let expect. */
struct cluster_excess {
	double variance; /* of the mean margin less the difference of ratings */
	double freedom;  /* clusters in which the two met, less one */
};

/* The excesses of pairs, after rating_margin. */
void cluster_excess(
    const struct rating_fit *fit, struct cluster_excess *excesses);

/*
 * The mean margin of each bot's blocks with its interval, by clusters: both
 * ends are beyond where there are fewer than two, or no spread.
 */
void cluster_means(
    const struct rating_fit *fit, double level, struct estimate *estimates);

#endif
