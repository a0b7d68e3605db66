/*
 * The log likelihood ratios of models that look at scores, for sprt.c.
 */
#ifndef SPRT_SCORE_H
#define SPRT_SCORE_H

#include "sprt.h"

/* Counts of results whose scores are 0, 1 / (count - 1), ..., 1. */
struct score_counts {
	int count;
	double counts[5];
};

/* Mean and variance, where results that were not seen count 1e-3; how many. */
double score_moments(
    const struct score_counts *results, double *mean, double *variance);

/* Expected scores of low and high Elo. */
double score_llr_logistic(
    const struct score_counts *results, double low, double high);

/* (Expected score - 1/2) / sigma of low and high. */
double score_llr_normalized(
    const struct score_counts *results, double low, double high);

/* Rates of results, in BayesElo as the reading says. */
double score_llr_bayesian(const struct trinomial *results, double low,
    double high, enum sprt_reading reading);

#endif
