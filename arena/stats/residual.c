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
residual_of(const struct residual_order *order, double pooled, int index)
{
	const struct rating_margins *pair = &order->pairs[index];
	const struct cluster_excess *apart = &order->excesses[index];
	double variance, error, own = 1.0, excess;

	assert(pair->joint == 0);
	if (apart->freedom < RESIDUAL_CLUSTERS_MIN - 1 ||
	    !(apart->variance > 0.0))
		return (struct residual){ 0 };
	excess = pair->margins.mean -
	    (order->ratings[pair->first].value -
		order->ratings[pair->second].value);
	if (!pair->apart) {
		variance = rating_variance(&pair->margins, pooled) /
		    (double)pair->margins.count;
		error = rating_difference_error(
		    pair->first, pair->second, order->bot_count, order->work);
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

static void
residuals_fill(const struct residual_order *order, double pooled,
    struct residual *residuals)
{
	for (int i = 0; i < order->pair_count; i++) {
		const struct rating_margins *pair = &order->pairs[i];

		/* Two that only odd pairs join are as they were found. */
		if (pair->apart &&
		    order->ratings[pair->first].group !=
			order->ratings[pair->second].group)
			continue;
		residuals[i] = residual_of(order, pooled, i);
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

size_t
residual_work_size(int bot_count)
{
	return rating_margin_work_size(bot_count) +
	    cluster_work_size(bot_count);
}

/* Rates without the odd pairs, and judges all by that. */
static void
fit(const struct residual_order *order, double pooled,
    struct residual *residuals)
{
	const struct cluster_fit ratings = {
		.clusters = order->clusters,
		.bot_count = order->bot_count,
		.ratings = order->ratings,
	};

	rating_margin(order->pairs, order->pair_count, order->bot_count,
	    order->ratings, order->work);
	/* The covariances come first in the work of the ratings. */
	cluster_excess(&ratings, order->pairs, order->pair_count, order->work,
	    order->excesses,
	    order->work + rating_margin_work_size(order->bot_count));
	residuals_fill(order, pooled, residuals);
}

void
residual_find(const struct residual_order *order, struct residual *residuals)
{
	double pooled = rating_pooled_variance(order->pairs, order->pair_count);
	int count = order->pair_count;

	for (;;) {
		int oddest;

		fit(order, pooled, residuals);
		oddest = oddest_of(residuals, count);
		if (oddest < 0 ||
		    !(fabs(residuals[oddest].z) > limit_of(residuals, count)))
			break;
		order->pairs[oddest].apart = true;
		residuals[oddest].odd = true;
	}
	for (int i = 0; i < count; i++)
		order->pairs[i].apart = false;
}
