/*
 * How certain a ranking is: the bootstrap over rounds, and which pair of bots
 * gives most information.
 */
#ifndef RANKING_H
#define RANKING_H

#include <stdbool.h>
#include <stdint.h>

#include "cluster.h"

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
 * places[a * bot_count + p] becomes the number of samples in which p of the
 * bots that the sample connects with a were above a.  Between equal ratings a
 * random number decides.  The caller owns `places`, with room for bot_count *
 * bot_count numbers.
 */
void ranking_places(const struct rating_fit *fit,
    const struct ranking_sample *sample, uint32_t *places);

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
