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
 * What two bots made of each other in a cluster: one block, or the sum of
 * several.
 */
struct cluster_row {
	int32_t cluster; /* any number: the same for what shares packs */
	int16_t first, second;
	float blocks;
	float margin; /* points a deal of the first one, summed over blocks */
	float games;
	float score; /* of the first one, 0..1 a game, summed over games */
};

struct clusters {
	const struct cluster_row *rows; /* the caller's, sorted by cluster */
	int64_t row_count;
	const int64_t *starts; /* the caller's: first row of each cluster.. */
	int count;             /* ..starts[count] is row_count */
};

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

/* Ratings whose errors are to follow from clusters. */
struct cluster_fit {
	const struct clusters *clusters;
	int bot_count;
	struct rating *ratings;
	/* [a * bot_count + b]: standard errors of the differences of ratings,
	 * not finite where the two are of different groups. */
	double *errors;
};

/*
 * Sets the errors of ratings that rating_margin gave for these pairs, and how
 * many degrees of freedom they have: the clusters in which a bot played, less
 * one.  `inverse` are the covariances that rating_margin left at the begin of
 * its work.  fit->errors and fit->ratings come with the errors for independent
 * blocks; errors never become smaller than these, because with few clusters
 * residuals say too little.  Bots that played in one cluster, or whose margins
 * were all as expected to the last digit, have no error: freedom 0.
 */
size_t cluster_work_size(int bot_count);
void cluster_margin(const struct cluster_fit *fit,
    const struct rating_margins *pairs, int pair_count, const double *inverse,
    double *work);

/*
 * The same for Elo.  `inverse` is what rating_elo left when no variances were
 * given: the inverse of the information.
 */
void cluster_elo(
    const struct cluster_fit *fit, const double *inverse, double *work);

/*
 * Degrees of freedom of the difference of two ratings, 0 where nothing is known
 * of its error; and the probability that the first is the higher one, 1/2 where
 * that is so.
 */
double cluster_freedom(const struct cluster_fit *fit, int a, int b);
double cluster_above(const struct cluster_fit *fit, int a, int b);

/* By how much a mean margin may differ from what the ratings let expect. */
struct cluster_excess {
	double variance; /* of the mean margin less the difference of ratings */
	double freedom;  /* clusters in which the two met, less one */
};

/* The excesses of pairs, for ratings by rating_margin as above. */
void cluster_excess(const struct cluster_fit *fit,
    const struct rating_margins *pairs, int pair_count, const double *inverse,
    struct cluster_excess *excesses, double *work);

/*
 * The mean margin of each bot's blocks with its interval, by clusters: both
 * ends are beyond where there are fewer than two, or no spread.
 */
void cluster_means(const struct clusters *clusters, int bot_count, double level,
    struct estimate *estimates);

#endif
