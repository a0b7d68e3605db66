#include "residual.h"

#include <assert.h>
#include <math.h>

#include "estimate.h"

/* A pair that alone joins two groups of bots has a leverage of 1. */
static const double leverage_max = 1.0 - 1e-9;

/* No number is rarer than this. */
#define SHARE_MIN 1e-300

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

/* The normal number that is as rare as a t with so many degrees of freedom. */
static double
normal_of(double t, double freedom)
{
	double share = student_distribution(-fabs(t), freedom);

	return copysign(-normal_quantile(fmax(share, SHARE_MIN)), t);
}

/* What a fit expects of a pair that is a part of it, or is not. */
static struct residual
residual_of(const struct rating_fit *fit, const struct rating_pair *pair,
    const struct cluster_excess *apart, double pooled)
{
	double variance, error, own = 1.0, excess;

	assert(pair->joint == 0);
	if (apart->freedom < RESIDUAL_CLUSTERS_MIN - 1 ||
	    !(apart->variance > 0.0))
		return (struct residual){ 0 };
	excess = pair->margins.mean -
	    (fit->ratings[pair->first].value -
		fit->ratings[pair->second].value);
	if (!pair->apart) {
		variance = rating_variance(&pair->margins, pooled) /
		    (double)pair->margins.count;
		error = rating_difference_error(fit, pair->first, pair->second);
		own = 1.0 - error * error / variance;
	}
	if (!(own > 1.0 - leverage_max))
		return (struct residual){ 0 };
	return (struct residual){
		.judged = true,
		.odd = pair->apart,
		.expected = pair->margins.mean - excess / own,
		.z = normal_of(excess / sqrt(apart->variance), apart->freedom),
	};
}

/* Rates without the odd pairs, and judges all by that. */
static void
residuals_fill(const struct rating_fit *fit, double pooled,
    struct cluster_excess *excesses, struct residual *residuals)
{
	rating_margin(fit);
	cluster_excess(fit, excesses);
	for (int i = 0; i < fit->pair_count; i++) {
		const struct rating_pair *pair = &fit->pairs[i];

		/* Two that only odd pairs join are as they were found. */
		if (pair->apart &&
		    fit->ratings[pair->first].group !=
			fit->ratings[pair->second].group)
			continue;
		residuals[i] = residual_of(fit, pair, &excesses[i], pooled);
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
residual_find(const struct rating_fit *fit, struct cluster_excess *excesses,
    struct residual *residuals)
{
	double pooled = rating_pooled_variance(fit);
	int count = fit->pair_count;

	for (;;) {
		int oddest;

		residuals_fill(fit, pooled, excesses, residuals);
		oddest = oddest_of(residuals, count);
		if (oddest < 0 ||
		    !(fabs(residuals[oddest].z) > limit_of(residuals, count)))
			break;
		fit->pairs[oddest].apart = true;
		residuals[oddest].odd = true;
	}
	for (int i = 0; i < count; i++)
		fit->pairs[i].apart = false;
}
