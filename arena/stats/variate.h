/*
 * Less luck where rotations are incomplete: the control variate.
 *
 * A reference bot that plays itself on the same pack says what the deal alone
 * is worth to a seat; what of the margins follows that is luck and is taken
 * out.  y - c (x - E[x]) with c = cov(x, y) / var(x) and E[x] from all packs
 * that the reference has played.  See Glasserman 2003, chapter 4.1.
 */
#ifndef VARIATE_H
#define VARIATE_H

#include "estimate.h"

/* Pairs (x, y), summed up. */
struct variate {
	int64_t count;
	double mean_x, mean_y;
	double squares_x, squares_y, products; /* around the means */
};

enum { VARIATE_PARTS_MAX = 6 };

/*
 * Such pairs as a stream, where x is made up of parts whose weights are known in
 * the end.
 */
struct variate_parts {
	int64_t count;
	/* Of the parts, then of y; products around the means. */
	double means[VARIATE_PARTS_MAX + 1];
	double products[VARIATE_PARTS_MAX + 1][VARIATE_PARTS_MAX + 1];
};

void variate_parts_add(struct variate_parts *variate,
    const double parts[VARIATE_PARTS_MAX], double y);

/* The pairs in which x is the sum of the parts, each times its weight. */
struct variate variate_parts_weigh(const struct variate_parts *variate,
    const double weights[VARIATE_PARTS_MAX]);

/* Where nothing is left of the luck, the ratio ends here. */
#define VARIATE_RATIO_MAX 1e6

/* The plain and the corrected estimate belong together: report both. */
struct variate_estimate {
	struct estimate plain, corrected;
	double coefficient;    /* c; 0 where x has no spread */
	double variance_ratio; /* plain / corrected variance, >= 1 */
};

/*
 * `expected_x` is the long-run mean of x: 0 where seats are symmetric.  Below
 * three pairs, or where x has no spread, nothing is corrected.
 */
struct variate_estimate variate_estimate(
    const struct variate *variate, double expected_x, double level);

#endif
