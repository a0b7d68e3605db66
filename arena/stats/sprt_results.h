/*
 * The log likelihood ratios of models that look at scores, for sprt.c.
 */
#ifndef SPRT_RESULTS_H
#define SPRT_RESULTS_H

#include "sprt.h"

/*
 * How well a hypothesis on a distribution can explain what was seen.
 *
 * What was seen are numbers and their frequencies.  Of all distributions on the
 * same numbers for which the hypothesis holds, one makes what was seen most
 * likely; the divergence is what it falls short of the frequencies themselves:
 * min over p of sum q ln(q / p), per observation, 0 or more.  A generalised log
 * likelihood ratio of n observations is n times the difference of two
 * divergences: of H0 less of H1.
 *
 * Theory: Van den Bergh, "Comments on normalized Elo" (normalized_elo_practical
 * .pdf, sections 1 and 4); Owen, "Empirical likelihood", 2001.
 */

enum { LIKELIHOOD_VALUES_MAX = 64 };

struct likelihood {
	int count;
	/* As differences from the reference; some below 0, and some above. */
	double values[LIKELIHOOD_VALUES_MAX];
	/* All above 0; their sum is 1. */
	double frequencies[LIKELIHOOD_VALUES_MAX];
};

/* Of the hypothesis that the mean is 0, the reference. */
double likelihood_mean_divergence(const struct likelihood *likelihood);

/* Of the hypothesis that mean / sigma is t, any number. */
double likelihood_t_divergence(const struct likelihood *likelihood, double t);

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
