/*
 * How sure a ranking is: the bootstrap over blocks, and which pair tells most.
 */
#ifndef RANKING_H
#define RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rating.h"

/* A block from the view of two bots: the margin of `first`, a deal. */
struct ranking_block {
	int16_t first, second;
	float margin;
	/* Of the same block as the one before it: they are drawn together. */
	bool joined;
};

/* What is drawn from, and how often. */
struct ranking_sample {
	const struct ranking_block *blocks;
	int64_t block_count;
	int bot_count;
	int replicate_count;
	uint64_t seed;
};

/*
 * The bootstrap (Efron 1979): draws `replicate_count` samples of the blocks
 * with replacement, each with as many blocks as there are, and rates each by
 * least squares.  Counts in above[a * bot_count + b] how often a stands above b
 * (ties count one half to each, so it is in halves: 0..2 * replicate_count),
 * and in places[a * bot_count + p] how often p others, of those that the sample
 * connects with it, stood above a; of equals, lots decide.  Either may be NULL.
 * The same seed gives the same counts.  Bots that a sample leaves unconnected
 * are ties.  Pairs have the weights that all blocks give them.  `work` as its
 * size says.
 */
size_t ranking_work_size(int bot_count);
void ranking_places(const struct ranking_sample *sample, uint32_t *above,
    uint32_t *places, double *work);

/*
 * The expected information of one more block of two bots whose rating
 * difference is d +- error, with sigma a block: the expected fall of the
 * uncertainty of who is better (entropy of normal_distribution(d / error), in
 * bits).  0 or more.
 */
double ranking_information(double difference, double error, double sigma);

#endif
