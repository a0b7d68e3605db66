/*
 * Estimates after a sequential test, in the stagewise ordering.
 *
 * A test that stops at a bound stops on a high or on a low: the plain mean of
 * what was seen is too far out, and its interval too narrow.  The stagewise
 * ordering (Siegmund 1978; fishtest estimates its sequential Elo so) says which
 * outcomes are worse than the one that was seen: the lower bound at any earlier
 * time, or not yet at the upper one.  An estimate is then the truth under which
 * worse outcomes have a given probability: 1/2 for the median-unbiased one.
 *
 * The LLR is taken as a Brownian motion between two bounds, which begin to
 * count at the first look.
 */
#ifndef STAGEWISE_H
#define STAGEWISE_H

#include "estimate.h"

/* What one observation adds to the LLR, on average, and its variance > 0. */
struct stagewise_walk {
	double drift, variance;
};

struct stagewise {
	double lower, upper; /* bounds of the LLR: lower < 0 < upper */
	double minimum;      /* observations before the first look; 0 or more */
	double count;        /* at the end, above 0; 0 is no outcome at all */
	double llr;          /* then; beyond a bound: it was reached earlier */
	double value;        /* the plain estimate of what is asked for.. */
	double error;        /* ..and its standard error, above 0 */
	double least, most;  /* that the truth may be */
	/* How the LLR goes under a truth. */
	struct stagewise_walk (*walk)(const void *context, double true_value);
	const void *context;
};

/*
 * Whether the test stopped at its first look, where nothing has been chosen: a
 * plain estimate is right.
 */
bool stagewise_is_first(const struct stagewise *stagewise);

/*
 * The median-unbiased estimate and its two-sided interval; an end that no truth
 * from `least` to `most` explains is that of the scale, and beyond.
 */
struct estimate stagewise_estimate(
    const struct stagewise *stagewise, double level);

/*
 * The probability of a worse outcome than: at `time` > 0 between the bounds,
 * which hold from the beginning, or at one of them, with the LLR at `llr`.
 */
double stagewise_worse(struct stagewise_walk walk, double lower, double upper,
    double time, double llr);

#endif
