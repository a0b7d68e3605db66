/*
 * What tests of statistics share: numbers drawn at random, and comparison with
 * a tolerance.  cmocka.h must be included before.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <math.h>
#include <stdint.h>

#define assert_near(found, expected, tolerance) \
	sample_compare((found), (expected), (tolerance), __FILE__, __LINE__)

void sample_compare(double found, double expected, double tolerance,
    const char *file, int line);

/* -400 log10(1/score - 1), 0 < score < 1. */
double sample_elo(double score);

/* 0 or more, below 1. */
double sample_uniform(uint64_t *random);

/* Normal, with mean 0 and variance 1. */
double sample_normal(uint64_t *random);

#endif
