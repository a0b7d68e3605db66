/*
 * Estimates after a sequential test, in the stagewise ordering.
 *
 * A test that stops at a bound stops at an extreme value.  So the plain mean of
 * the results is too far from the middle, and its interval is too narrow.  The
 * stagewise ordering (Siegmund 1978; fishtest uses it for its sequential Elo)
 * says which outcomes are worse than the one that was seen.  An outcome is
 * worse if it reached the lower bound at an earlier time, or if it has not yet
 * reached the upper bound at this time.  The estimate is the true value under
 * which a worse outcome has a given probability; for the median-unbiased
 * estimate this is 1/2.
 *
 * The LLR is modelled as a Brownian motion between two bounds, which apply from
 * the first look on.
 */
#ifndef STAGEWISE_H
#define STAGEWISE_H

#include "estimate.h"

/*
 * The mean change of the LLR by one observation, and the variance of this
 * change, above 0.
 */
struct stagewise_walk {
	double drift, variance;
};

struct stagewise {
	double lower, upper; /* bounds of the LLR: lower < 0 < upper */
	double minimum;      /* observations before the first look, 0 or more */
	double count; /* observations at the end; 0: there is no outcome */
	/* At the end; beyond a bound: the bound was reached earlier. */
	double llr;
	double value;       /* plain estimate of the wanted value */
	double error;       /* standard error of the plain estimate, above 0 */
	double least, most; /* range of the true value */
	/* Gives the movement of the LLR under a true value. */
	struct stagewise_walk (*walk)(const void *context, double true_value);
	const void *context;
};

/*
 * Whether the test stopped at its first look.  No moment was chosen then, and
 * the plain estimate is right.
 */
bool stagewise_is_first(const struct stagewise *stagewise);

/*
 * The median-unbiased estimate and its two-sided interval.  If no true value
 * from `least` to `most` explains an end, that end is set to the end of this
 * range and marked as beyond.
 */
struct estimate stagewise_estimate(
    const struct stagewise *stagewise, double level);

/*
 * The probability of an outcome that is worse than an end at `time` > 0 with
 * the LLR at `llr`, between the bounds or at one of them.  The bounds apply
 * from the beginning.
 */
double stagewise_worse(struct stagewise_walk walk, double lower, double upper,
    double time, double llr);

#endif
