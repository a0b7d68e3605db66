/*
 * How much stronger: point estimates and their intervals.
 *
 * Everything here is finite, whatever the counts: where an end of an interval
 * lies beyond what a scale can say, it is clamped to ESTIMATE_ELO_MAX and
 * marked so.  Intervals are two-sided at `level` (0.95: 95 percent).
 */
#ifndef ESTIMATE_H
#define ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#include "moments.h"

#define ESTIMATE_ELO_MAX 10000.0

/* Normalised Elo of t = (mean - 1/2) / sigma of a game: 800 / ln 10. */
#define ESTIMATE_NELO_PER_T 347.43558552260146

/* A value with its interval; an end that is `beyond` was clamped. */
struct estimate {
	double value;
	double low, high;
	bool low_beyond, high_beyond;
};

/* Results of games on their own: wins, draws and losses. */
struct trinomial {
	int64_t wins, draws, losses;
};

/* Results of pairs of games: blocks that scored 0, 1/4, 1/2, 3/4 and 1. */
struct pentanomial {
	int64_t counts[5];
};

/* What a count of results says of strength. */
struct strength {
	int64_t count;         /* games, or blocks */
	struct estimate score; /* 0..1 */
	struct estimate elo;   /* logistic */
	double elo_error;      /* half the width of the interval of elo */
	struct estimate nelo;  /* normalised, a game */
	double nelo_error;     /* half the width of the interval of nelo */
	double los;            /* probability of being stronger, 0..1 */
};

/* -400 log10(1/score - 1), clamped to +-ESTIMATE_ELO_MAX. */
double elo_of_score(double score);

/* 1 / (1 + 10^(-elo/400)) */
double score_of_elo(double elo);

struct strength strength_of_trinomial(
    const struct trinomial *results, double level);
struct strength strength_of_pentanomial(
    const struct pentanomial *results, double level);

/*
 * The mean with its interval by Student's t.  Below two numbers, or where all
 * are equal, nothing is known of the spread: with fewer than two the interval
 * is the whole line (both ends beyond), with equal ones it is the mean alone.
 */
struct estimate mean_estimate(const struct moments *moments, double level);

/*
 * The probability that the true mean is above 0, by the normal distribution
 * of the mean; 1/2 where nothing is known.
 */
double mean_los(const struct moments *moments);

/* Quantile of Student's t with `freedom` > 0 degrees, 0 < p < 1. */
double student_quantile(double p, double freedom);

/* Quantile of the normal distribution, 0 < p < 1. */
double normal_quantile(double p);

/* Distribution function of the normal distribution. */
double normal_distribution(double x);

#endif
