/*
 * Mean and variance of a stream of numbers, without keeping them: Welford's
 * update (Welford 1962) and Chan's union (Chan, Golub, LeVeque 1983).
 */
#ifndef MOMENTS_H
#define MOMENTS_H

#include <stdint.h>

/* Numbers of a greater magnitude would let their squares overflow. */
#define MOMENTS_VALUE_MAX 1e100

/* Zeroed: no number yet. */
struct moments {
	int64_t count;
	double mean;
	double squares; /* sum of squared differences from the mean */
};

/* Takes one more number, of at most MOMENTS_VALUE_MAX either way. */
void moments_add(struct moments *moments, double value);

/* What both have seen. */
struct moments moments_join(struct moments a, struct moments b);

/*
 * The moments of `count` >= 0 numbers with this mean and this sample standard
 * deviation >= 0 (divided by n - 1), both up to MOMENTS_VALUE_MAX.
 */
struct moments moments_of(int64_t count, double mean, double deviation);

/*
 * The same with at least the spread that numbers on a grid of this `step` have
 * unless all are equal: that of one number a step away from the others.  What
 * was always the same need not be so for ever.
 */
struct moments moments_floor(const struct moments *moments, double step);

/* Divided by n; 0 below one number. */
double moments_variance(const struct moments *moments);

/* Divided by n - 1; 0 below two numbers. */
double moments_sample_variance(const struct moments *moments);

#endif
