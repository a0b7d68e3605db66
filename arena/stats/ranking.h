/*
 * How sure a ranking is: the bootstrap over rounds, and which pair tells most.
 */
#ifndef RANKING_H
#define RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster.h"

/* What is drawn, and how often. */
struct ranking_sample {
	bool by_scores; /* of games less 1/2, instead of margins */
	int replicate_count;
	uint64_t seed;
};

/*
 * The bootstrap (Efron 1979) over clusters: draws samples of whole clusters
 * with replacement and rates each by least squares.  Of n clusters a sample has
 * n - 1 (Rao and Wu 1988, "Resampling inference with complex survey data"), so
 * that few of them do not look surer than they are.  The same seed gives the
 * same numbers.  Bots that a sample leaves unconnected are ties.
 *
 * places[a * bot_count + p] is how often p others, of those that the sample
 * connects with a, stood above it; of equals, lots decide.
 */
void ranking_places(const struct rating_fit *fit,
    const struct ranking_sample *sample, uint32_t *places);

/*
 * Which share of errors the interval of the difference of two ratings may have,
 * for the intervals of all differences between so many bots to hold at once at
 * `level`: that of Tukey's range of so many normal numbers (Tukey 1953), which
 * is exact in a round robin and never too large otherwise (Hayter 1984).  Half
 * an interval then has the quantile of 1 - share / 2 of Student's t.  Of two
 * bots it is 1 - level.
 */
double ranking_share(int bot_count, double level);

/* The places, from 0, that are open to a bot within its group. */
struct ranking_range {
	int low, high;
};

/*
 * Which places are open to each bot when all comparisons are to hold at once at
 * `level`: one bot is surely above another where the interval of their
 * difference, with the share of above, does not hold 0.  Returns the number of
 * comparisons: of two bots of one group.
 */
int64_t ranking_ranges(
    const struct rating_fit *fit, double level, struct ranking_range *ranges);

/*
 * The expected information of one more block of two bots whose rating
 * difference is d +- error, with sigma a block: the expected fall of the
 * uncertainty which bot is better (entropy of normal_distribution(d / error),
 * in bits). 0 or more.
 */
double ranking_information(double difference, double error, double sigma);

#endif
