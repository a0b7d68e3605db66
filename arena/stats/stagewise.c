/*
 * Estimates after a sequential test, in the stagewise ordering (stagewise.h).
 *
 * The probability of a worse outcome is computed for a Brownian motion between
 * two bounds: by reflection for short times or strong drifts, by a series of
 * sines otherwise.  If the first look is not at 0, that probability is
 * integrated over the LLR at the first look.  The estimate is the true value
 * for which the probability is the wanted one.
 */
#include "stagewise.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "estimate.h"

/*
 * Above this spread the terms of the series after about the 30th have no
 * effect.
 */
#define SERIES_SPREAD_MIN 1e-2

/* exp of this number can still be multiplied by the factor that cancels it. */
#define SERIES_EXPONENT_MAX 15.0

/* Terms of the series below this are left out. */
#define TERM_MIN 1e-12

/*
 * The integral over the first look covers this number of standard deviations on
 * both sides of the mean.
 */
#define REACH 8.0

/* Number of intervals of the integral over the first look; even. */
enum { SIMPSON_INTERVALS = 80 };

/* ln of the normal distribution function. */
static double
log_normal(double x)
{
	double square = x * x;

	if (x > -30)
		return log(normal_distribution(x));
	return -0.5 * square - log(-x) - 0.5 * log(2 * M_PI) +
	    log1p(-1 / square);
}

/*
 * Counts paths that reach only one of the bounds, by reflection (Siegmund,
 * "Sequential Analysis", 1985, 3.4).  This is accurate if hardly any path
 * reaches both bounds.
 */
static double
worse_by_reflection(struct stagewise_walk walk, double lower, double upper,
    double time, double llr)
{
	double spread = sqrt(walk.variance * time);
	double shift = walk.drift * time;
	double gamma = 2 * walk.drift / walk.variance;
	double inside = normal_distribution((llr - shift) / spread);
	double from_lower =
	    exp(gamma * lower + log_normal((2 * lower - llr + shift) / spread));
	double from_upper =
	    exp(gamma * upper + log_normal((llr - 2 * upper - shift) / spread));

	return fmin(fmax(inside + from_lower - from_upper, 0), 1);
}

/*
 * The probability that a path ever reaches the lower bound before the upper
 * one.
 */
static double
lower_first(double gamma, double below, double width)
{
	double above = width - below;

	if (fabs(gamma * width) < 1e-8)
		return above / width;
	return expm1(2 * gamma * above) / expm1(2 * gamma * width);
}

/*
 * The series of eigenfunctions of the walk between its bounds.  It is the
 * correction to the probability of reaching the lower bound first, for paths
 * that end at `time` with an LLR of at most `llr`.
 */
static double
worse_by_series(struct stagewise_walk walk, double lower, double upper,
    double time, double llr)
{
	double width = upper - lower;
	double below = -lower;
	double gamma = walk.drift / walk.variance;
	double sum = 0;

	for (int n = 1; n < 1000; n++) {
		double k = n * M_PI / width;
		double decay = exp(-0.5 * time *
		    (k * k * walk.variance +
			walk.drift * walk.drift / walk.variance));
		double angle = k * (llr - lower);
		double half = sin(0.5 * angle);

		/* cos x = 1 - 2 sin^2 (x / 2) */
		sum += decay * sin(k * below) *
		    (gamma * sin(angle) - k * (1 - 2 * half * half)) /
		    (gamma * gamma + k * k);
		if (decay * exp(fabs(gamma) * width) < TERM_MIN)
			break;
	}
	return fmin(fmax(lower_first(gamma, below, width) +
			    2 / width * exp(gamma * llr) * sum,
			0),
	    1);
}

double
stagewise_worse(struct stagewise_walk walk, double lower, double upper,
    double time, double llr)
{
	double width = upper - lower;

	assert(time > 0 && walk.variance > 0);
	assert(lower < 0 && upper > 0);
	assert(llr >= lower && llr <= upper);
	if (walk.variance * time < SERIES_SPREAD_MIN * width * width ||
	    fabs(walk.drift * width) > SERIES_EXPONENT_MAX * walk.variance)
		return worse_by_reflection(walk, lower, upper, time, llr);
	return worse_by_series(walk, lower, upper, time, llr);
}

/* The end of a test, moved back to the time at which it reached the bound. */
struct ending {
	double time, llr;
	bool first; /* the test ended at its first look */
};

static struct ending
ending_of(const struct stagewise *stagewise)
{
	struct ending ending = { stagewise->count, stagewise->llr, false };

	if (ending.llr > stagewise->upper) {
		ending.time *= stagewise->upper / ending.llr;
		ending.llr = stagewise->upper;
	} else if (ending.llr < stagewise->lower) {
		ending.time *= stagewise->lower / ending.llr;
		ending.llr = stagewise->lower;
	}
	ending.first = ending.time <= stagewise->minimum;
	return ending;
}

bool
stagewise_is_first(const struct stagewise *stagewise)
{
	return ending_of(stagewise).first;
}

/*
 * The density of the LLR at the first look, times the probability of a worse
 * outcome after it.
 */
static double
worse_after(const struct stagewise *stagewise, const struct ending *ending,
    struct stagewise_walk walk, double start)
{
	double time = stagewise->minimum;
	double spread = sqrt(walk.variance * time);
	double z = (start - walk.drift * time) / spread;
	double lower = stagewise->lower - start;
	double upper = stagewise->upper - start;
	double worse;

	if (!(lower < 0))
		worse = 1;
	else if (!(upper > 0))
		worse = 0;
	else
		worse = stagewise_worse(walk, lower, upper, ending->time - time,
		    ending->llr - start);
	return worse * exp(-0.5 * z * z) / (spread * sqrt(2 * M_PI));
}

/*
 * The probability of a worse outcome with a first look.  Samples that were
 * below the lower bound at the first look are worse.  For samples that
 * continued, stagewise_worse gives the probability.
 */
static double
worse_with_first_look(const struct stagewise *stagewise,
    const struct ending *ending, struct stagewise_walk walk)
{
	double time = stagewise->minimum;
	double middle = walk.drift * time;
	double spread = sqrt(walk.variance * time);
	double low = fmax(stagewise->lower, middle - REACH * spread);
	double high = fmin(stagewise->upper, middle + REACH * spread);
	double step = (high - low) / SIMPSON_INTERVALS;
	double sum = 0;

	if (low < high) {
		for (int i = 0; i <= SIMPSON_INTERVALS; i++) {
			double start =
			    i == SIMPSON_INTERVALS ? high : low + i * step;
			int weight = i == 0 || i == SIMPSON_INTERVALS ? 1
			    : i % 2 == 1                              ? 4
								      : 2;

			sum += weight *
			    worse_after(stagewise, ending, walk, start);
		}
	}
	return fmin(normal_distribution((stagewise->lower - middle) / spread) +
		fmax(sum * step / 3, 0),
	    1);
}

/*
 * A search for the true value under which a worse outcome has this probability.
 */
struct stagewise_search {
	const struct stagewise *stagewise;
	struct ending ending;
	double probability;
};

static double
search_excess(const void *context, double true_value)
{
	const struct stagewise_search *search = context;
	const struct stagewise *stagewise = search->stagewise;
	const struct ending *ending = &search->ending;
	struct stagewise_walk walk =
	    stagewise->walk(stagewise->context, true_value);
	double worse;

	if (ending->first)
		worse = normal_distribution(
		    (stagewise->llr - walk.drift * stagewise->count) /
		    sqrt(walk.variance * stagewise->count));
	else if (stagewise->minimum > 0)
		worse = worse_with_first_look(stagewise, ending, walk);
	else
		worse = stagewise_worse(walk, stagewise->lower,
		    stagewise->upper, ending->time, ending->llr);
	return worse - search->probability;
}

/*
 * The higher the true value, the less likely is a worse outcome.  The search
 * starts near the plain estimate, so that no walk far from the results has to
 * be computed.
 */
static double
search_true_value(const struct stagewise_search *search, double step)
{
	const struct stagewise *stagewise = search->stagewise;
	double near = stagewise->value;
	double excess = search_excess(search, near);
	bool up = excess > 0;

	while (excess != 0) {
		double far = up ? fmin(near + step, stagewise->most)
				: fmax(near - step, stagewise->least);
		double far_excess = search_excess(search, far);

		if (far == near)
			break;
		if (far_excess == 0)
			return far;
		if ((far_excess > 0) != up)
			return root_find(search_excess, search, fmin(near, far),
			    fmax(near, far),
			    1e-12 * fmax(fabs(near), fabs(far)));
		near = far;
		step *= 2;
	}
	return near;
}

struct estimate
stagewise_estimate(const struct stagewise *stagewise, double level)
{
	const double probabilities[] = { 0.5, 0.5 + 0.5 * level,
		0.5 - 0.5 * level };
	struct stagewise_search search = { .stagewise = stagewise };
	struct estimate estimate = {
		.value = stagewise->value,
		.low = stagewise->least,
		.high = stagewise->most,
		.low_beyond = true,
		.high_beyond = true,
	};
	double found[3];

	assert(level > 0 && level < 1);
	assert(stagewise->error > 0 || !(stagewise->count > 0));
	if (!(stagewise->count > 0))
		return estimate;
	search.ending = ending_of(stagewise);
	for (int i = 0; i < 3; i++) {
		search.probability = probabilities[i];
		found[i] = search_true_value(&search, stagewise->error);
	}
	estimate.value = found[0];
	estimate.low = fmin(found[1], found[0]);
	estimate.high = fmax(found[2], found[0]);
	estimate.low_beyond = estimate.low <= stagewise->least;
	estimate.high_beyond = estimate.high >= stagewise->most;
	return estimate;
}
