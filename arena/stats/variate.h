/*
 * The control variate: less luck in results whose rotations of seats are
 * incomplete.
 *
 * A reference bot that plays against itself on the same pack shows what the
 * deal alone is worth to a seat.  The part of the margins that follows this
 * worth is luck and is subtracted: y - c (x - E[x]) with c = cov(x, y) /
 * var(x), where E[x] comes from all packs that the reference has played.  See
 * Glasserman 2003, chapter 4.1.
 */
#ifndef VARIATE_H
#define VARIATE_H

#include "estimate.h"

/* Sums over pairs (x, y). */
struct variate {
	int64_t count;
	double mean_x, mean_y;
	double squares_x, squares_y, products; /* sums around the means */
};

enum { VARIATE_PARTS_MAX = 6 };

/*
 * Sums over a stream of such pairs, where x is a weighted sum of parts and the
 * weights become known only at the end.
 */
struct variate_parts {
	int64_t count;
	/* First the parts, then y.  The products are around the means. */
	double means[VARIATE_PARTS_MAX + 1];
	double products[VARIATE_PARTS_MAX + 1][VARIATE_PARTS_MAX + 1];
};

void variate_parts_add(struct variate_parts *variate,
    const double parts[VARIATE_PARTS_MAX], double y);

/*
 * The sums of the pairs (x, y) in which x is the sum of the parts, each times
 * its weight.
 */
struct variate variate_parts_weigh(const struct variate_parts *variate,
    const double weights[VARIATE_PARTS_MAX]);

/* The limit of variance_ratio; it is reached if no luck is left. */
#define VARIATE_RATIO_MAX 1e6

/* The plain and the corrected estimate; reports must show both. */
struct variate_estimate {
	struct estimate plain, corrected;
	double coefficient;    /* c; 0 where x has no spread */
	double variance_ratio; /* plain / corrected variance, at least 1 */
};

/*
 * Returns both estimates.  `expected_x` is the long-run mean of x; it is 0 if
 * seats are symmetric.  With fewer than three pairs, or if x has no spread, the
 * corrected estimate is the plain one.
 */
struct variate_estimate variate_estimate(
    const struct variate *variate, double expected_x, double level);

#endif
