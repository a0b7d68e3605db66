#include "residual.h"

#include <assert.h>
#include <math.h>

#include "estimate.h"

/* A pair that alone joins two groups of bots has a leverage of 1. */
static const double leverage_max = 1.0 - 1e-9;

/* A fit, and the pairs that were taken out of it. */
struct fit {
	const struct rating_margins *pairs;
	int pair_count, bot_count;
	const struct rating *ratings;
	const double *work;
	double pooled;
};

/* By how far a pair may be out among so many. */
static double
limit_of(const struct residual *residuals, int pair_count)
{
	int judged = 0;

	for (int i = 0; i < pair_count; i++)
		judged += residuals[i].judged;
	return judged == 0
	    ? HUGE_VAL
	    : normal_quantile(1.0 - RESIDUAL_ALPHA / 2.0 / judged);
}

/* What a fit expects of a pair that is a part of it, or is not. */
static struct residual
residual_of(const struct fit *fit, const struct rating_margins *pair)
{
	double variance, error, own, excess;

	assert(pair->joint == 0);
	if (pair->margins.count < RESIDUAL_BLOCKS_MIN)
		return (struct residual){ 0 };
	variance = rating_variance(&pair->margins, fit->pooled) /
	    (double)pair->margins.count;
	error = rating_difference_error(
	    pair->first, pair->second, fit->bot_count, fit->work);
	excess = pair->margins.mean -
	    (fit->ratings[pair->first].value -
		fit->ratings[pair->second].value);
	if (pair->apart)
		return (struct residual){
			.judged = true,
			.odd = true,
			.expected = pair->margins.mean - excess,
			.z = excess / sqrt(variance + error * error),
		};
	own = 1.0 - error * error / variance;
	if (!(own > 1.0 - leverage_max))
		return (struct residual){ 0 };
	return (struct residual){
		.judged = true,
		.expected = pair->margins.mean - excess / own,
		.z = excess / sqrt(variance * own),
	};
}

static void
residuals_fill(const struct fit *fit, struct residual *residuals)
{
	for (int i = 0; i < fit->pair_count; i++) {
		const struct rating_margins *pair = &fit->pairs[i];

		/* Two that only odd pairs join are as they were found. */
		if (pair->apart &&
		    fit->ratings[pair->first].group !=
			fit->ratings[pair->second].group)
			continue;
		residuals[i] = residual_of(fit, pair);
	}
}

/* The pair that is farthest out of those that are in, or -1. */
static int
oddest_of(const struct residual *residuals, int pair_count)
{
	int found = -1;

	for (int i = 0; i < pair_count; i++)
		if (residuals[i].judged && !residuals[i].odd &&
		    (found < 0 ||
			fabs(residuals[i].z) > fabs(residuals[found].z)))
			found = i;
	return found;
}

void
residual_find(struct rating_margins *pairs, int pair_count, int bot_count,
    struct rating *ratings, double *work, struct residual *residuals)
{
	const struct fit fit = { pairs, pair_count, bot_count, ratings, work,
		rating_pooled_variance(pairs, pair_count) };

	for (;;) {
		int oddest;

		rating_margin(pairs, pair_count, bot_count, ratings, work);
		residuals_fill(&fit, residuals);
		oddest = oddest_of(residuals, pair_count);
		if (oddest < 0 ||
		    !(fabs(residuals[oddest].z) >
			limit_of(residuals, pair_count)))
			break;
		pairs[oddest].apart = true;
		residuals[oddest].odd = true;
	}
	for (int i = 0; i < pair_count; i++)
		pairs[i].apart = false;
}
