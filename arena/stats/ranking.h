/*
 * How certain ratings are, and the ranking that follows from them: the errors
 * of ratings from results that depend on each other, possible places of bots,
 * and which pair of bots gives most information.
 *
 * No function allocates.
 */
#ifndef RANKING_H
#define RANKING_H

#include <stdbool.h>
#include <stdint.h>

#include "estimate.h"
#include "rating.h"

/*
 * Clusters.
 *
 * All encounters of a round are played with the same packs.  Blocks of one
 * round that have a bot in common are therefore correlated, and errors that
 * count each block as independent are too small.  A cluster is everything that
 * was played with the same packs.  Clusters are independent of each other.
 * Errors by clusters hold whatever the correlation within them is (Liang and
 * Zeger 1986, "Longitudinal data analysis using generalized linear models").
 */

/*
 * Sorts the rows by cluster, puts the lower bot number of each row first, and
 * finds the first row of each cluster.  The caller owns `rows` and `starts`;
 * `starts` has room for row_count + 1 numbers.
 */
struct clusters clusters_make(
    struct cluster_row *rows, int64_t row_count, int64_t *starts);

/*
 * Adds up the rows of the same two bots in the same cluster.  Returns the
 * number of rows that are left, in the order of clusters_make().
 */
int64_t clusters_fold(struct cluster_row *rows, int64_t row_count);

/*
 * Ratings in points a deal and in Elo (rating.h).  Their errors, and those of
 * their differences, are computed by clusters.  A bot has one degree of freedom
 * less than the clusters that it played in.  Ratings in points are rounded to
 * 1e-9: bots with equal results are tied.
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
	 * The variance of the mean less the difference of the ratings, and the
	 * degrees of freedom of that variance.
	 */
	double variance, freedom;
};

/*
 * Fills in one residual for each pair; the first bot of a pair must have the
 * lower number.  Pairs that met in blocks of more bots are not judged, as their
 * margins follow from each other.  The ratings of the
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
 * its interval are marked as beyond.  A row of one bot alone has first ==
 * second.  The fit needs only its clusters and bot_count.
 */
void cluster_means(
    const struct rating_fit *fit, double level, struct estimate *estimates);

/*
 * The margins of two bots by clusters, for the estimates of estimate.h: if they
 * met in several blocks of a cluster, these count as one number.
 * rounds[first * bot_count + second] is set for each pair; the mean is that of
 * the pair, and the count is the number of clusters.
 */
void cluster_margins(const struct rating_fit *fit, struct moments *rounds);

/*
 * The ranking.
 */

/* What is drawn, and how many times. */
struct ranking_sample {
	/* Rate by the scores of games less 1/2, not by margins. */
	bool by_scores;
	int replicate_count;
	uint64_t seed;
};

/*
 * The bootstrap (Efron 1979) over clusters.  It draws samples of whole clusters
 * with replacement and rates each sample by least squares.  From n clusters a
 * sample has n - 1 (Rao and Wu 1988, "Resampling inference with complex survey
 * data"), so that a few clusters do not look more certain than they are.  The
 * same seed gives the same numbers.  Bots that a sample leaves unconnected are
 * not compared.
 *
 * places[a * bot_count + p] becomes the share of the samples in which p of the
 * bots that the sample connects with a were above a.  Between equal ratings a
 * random number decides.  The caller owns `places`, with room for bot_count *
 * bot_count numbers.
 */
void ranking_places(const struct rating_fit *fit,
    const struct ranking_sample *sample, double *places);

/*
 * The error share of the interval of one difference of ratings, if the
 * intervals of all differences between `bot_count` bots are to hold at once at
 * `level`.  It follows from Tukey's range of normal numbers (Tukey 1953), which
 * is exact in a round robin and never too large otherwise (Hayter 1984).  Half
 * an interval is then the quantile of 1 - share / 2 of Student's t, times the
 * error.  For two bots the share is 1 - level.
 */
double ranking_share(int bot_count, double level);

/* The possible places of a bot within its group, from 0. */
struct ranking_range {
	int low, high;
};

/*
 * Finds the possible places of each bot, if all comparisons are to hold at once
 * at `level`.  A bot is certainly above another one if the interval of their
 * difference, with the error share of ranking_share, does not contain 0.
 * Returns the number of comparisons, which are those between bots of the same
 * group.  The caller owns `ranges`, one for each bot.
 */
int64_t ranking_ranges(
    const struct rating_fit *fit, double level, struct ranking_range *ranges);

/*
 * The expected information of one more block of two bots, in bits.  The
 * difference of their ratings is d +- error, and sigma is the standard
 * deviation of a block.  The information is the expected decrease of the
 * entropy of the question which bot is better (entropy of normal_distribution(d
 * / error)).  The result is 0 or more.
 */
double ranking_information(double difference, double error, double sigma);

#endif
