/*
 * How sure a ranking is: the bootstrap over blocks, and which pair tells most.
 */
#ifndef RANKING_H
#define RANKING_H

#include <stddef.h>
#include <stdint.h>

#include "rating.h"

/* One block of two bots: the margin of `first`, in points a deal. */
struct ranking_block {
	int16_t first, second;
	float margin;
};

/*
 * Draws `replicate_count` samples of the blocks with replacement, rates each
 * by least squares, and counts in above[a * bot_count + b] how often a stands
 * above b (ties count one half to each, so it is in halves: 0..2 *
 * replicate_count).  The same seed gives the same counts.  `work` as its size
 * says.
 */
size_t ranking_work_size(int bot_count);
void ranking_bootstrap(const struct ranking_block *blocks, int64_t block_count,
    int bot_count, int replicate_count, uint64_t seed, uint32_t *above,
    double *work);

/*
 * The expected information of one more block of two bots whose rating
 * difference is d +- error, with sigma a block: the expected fall of the
 * uncertainty of who is better (entropy of normal_distribution(d / error), in
 * bits).  0 or more.
 */
double ranking_information(double difference, double error, double sigma);

#endif
