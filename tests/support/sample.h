/*
 * Functions for tests of statistics: random numbers, comparison with a
 * tolerance, and fits of ratings.  cmocka.h must be included before.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <math.h>
#include <stdint.h>

#include "ranking.h"
#include "sprt.h"

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

/*
 * A fit of `bot_count` bots without results, with memory for ratings and errors
 * that each call uses again.  The most bots are more than a word has bits.
 */
enum { SAMPLE_BOTS_MAX = 70 };
struct rating_fit sample_fit(int bot_count);

/* A test with errors of 5% each. */
struct sprt sample_sprt(
    enum sprt_model model, enum sprt_unit unit, double low, double high);

/* A block of two games. */
struct cluster_row sample_row(
    int cluster, int first, int second, double margin);

/* Sorts the rows, and adds them and the results of each pair of bots. */
void sample_rows(struct rating_fit *fit, struct cluster_row *rows,
    int64_t row_count, int64_t *starts);

#endif
