#include "estimate.h"

#include <assert.h>
#include <math.h>

enum { CATEGORIES_MAX = 5 };

/* Counts of results with equal steps between their scores, from 0 to 1. */
struct tally {
	int category_count;
	int games; /* that one result is made of */
	double counts[CATEGORIES_MAX];
};

/*
 * Both shares of the points are kept, because 1 - won would forget how few the
 * lost ones are.
 */
struct shares {
	double count;
	double won, lost; /* a result, 0..1 */
	double variance;  /* of a result */
};

static double
clamp(double value, double low, double high)
{
	return fmin(fmax(value, low), high);
}

static double
elo_clamp(double elo)
{
	return clamp(elo, -ESTIMATE_ELO_MAX, ESTIMATE_ELO_MAX);
}

/* Whether this had to be clamped. */
static bool
is_beyond(double elo)
{
	return !(fabs(elo) <= ESTIMATE_ELO_MAX);
}

/* Elo of shares whose sum is 1, not clamped: they may even leave 0..1. */
static double
elo_of_shares(double won, double lost)
{
	if (won <= 0)
		return -HUGE_VAL;
	if (lost <= 0)
		return HUGE_VAL;
	return 400 * log10(won / lost);
}

double
elo_of_score(double score)
{
	assert(score >= 0 && score <= 1);
	return elo_clamp(elo_of_shares(score, 1 - score));
}

double
score_of_elo(double elo)
{
	return 1 / (1 + pow(10, -elo / 400));
}

/* The z or t of a two-sided interval: the upper half of what is left out. */
static double
upper_point(double level)
{
	assert(level > 0 && level < 1);
	return 0.5 + 0.5 * level;
}

static struct shares
tally_shares(const struct tally *tally)
{
	double step = 1.0 / (tally->category_count - 1);
	int last = tally->category_count - 1;
	struct shares shares = { 0 };

	for (int i = 0; i <= last; i++) {
		shares.count += tally->counts[i];
		shares.won += tally->counts[i] * i * step;
		shares.lost += tally->counts[i] * (last - i) * step;
	}
	if (!(shares.count > 0))
		return (struct shares){ .won = 0.5, .lost = 0.5 };
	shares.won /= shares.count;
	shares.lost /= shares.count;
	for (int i = 0; i <= last; i++) {
		/* From the nearer end of the scale. */
		double difference = shares.won < shares.lost
		    ? i * step - shares.won
		    : shares.lost - (last - i) * step;

		shares.variance += tally->counts[i] * difference * difference;
	}
	shares.variance /= shares.count;
	return shares;
}

/* The interval of scores, as shares of points at either end. */
struct range {
	double low_won, low_lost;
	double high_won, high_lost;
};

static struct range
shares_range(const struct shares *shares, double z)
{
	double half = z * sqrt(shares->variance / shares->count);
	double wilson = z * z / (shares->count + z * z);
	struct range range = {
		.low_won = shares->won - half,
		.low_lost = shares->lost + half,
		.high_won = shares->won + half,
		.high_lost = shares->lost - half,
	};

	/* Of nothing everything is possible. */
	if (!(shares->count > 0))
		return (struct range){ -1, 2, 2, -1 };
	if (shares->lost <= 0) {
		range.low_won = 1 - wilson;
		range.low_lost = wilson;
	} else if (shares->won <= 0) {
		range.high_won = wilson;
		range.high_lost = 1 - wilson;
	}
	return range;
}

static struct estimate
score_estimate(const struct shares *shares, const struct range *range)
{
	return (struct estimate){
		.value = shares->won,
		.low = fmax(range->low_won, 0),
		.high = fmin(range->high_won, 1),
		.low_beyond = range->low_won < 0,
		.high_beyond = range->high_lost < 0,
	};
}

/* The interval from low to high around a value, clamped. */
static struct estimate
elo_estimate(double value, double low, double high)
{
	return (struct estimate){
		.value = elo_clamp(value),
		.low = elo_clamp(low),
		.high = elo_clamp(high),
		.low_beyond = is_beyond(low),
		.high_beyond = is_beyond(high),
	};
}

/* The quotient, with a value of its own for 0 / 0. */
static double
ratio(double a, double b)
{
	return a == 0 ? 0 : a / b;
}

/* So many standard errors above the point where both are equal. */
static double
los_of(double mean, double variance, double count)
{
	/* Where there is no spread around the mean, take that around 0. */
	double spread = variance > 0 ? sqrt(variance) : fabs(mean);

	return normal_distribution(ratio(mean, spread) * sqrt(count));
}

static struct strength
tally_strength(const struct tally *tally, double level)
{
	struct shares shares = tally_shares(tally);
	double z = normal_quantile(upper_point(level));
	double excess = 0.5 * (shares.won - shares.lost);
	double sigma = sqrt(tally->games * shares.variance);
	double nelo = ESTIMATE_NELO_PER_T * ratio(excess, sigma);
	double nelo_error =
	    ESTIMATE_NELO_PER_T * z / sqrt(tally->games * shares.count);
	struct strength strength = {
		.count = (int64_t)shares.count,
		.nelo =
		    elo_estimate(nelo, nelo - nelo_error, nelo + nelo_error),
		.nelo_error = elo_clamp(nelo_error),
		.los = los_of(excess, shares.variance, shares.count),
	};
	struct range range = shares_range(&shares, z);

	strength.score = score_estimate(&shares, &range);
	strength.elo = elo_estimate(elo_of_shares(shares.won, shares.lost),
	    elo_of_shares(range.low_won, range.low_lost),
	    elo_of_shares(range.high_won, range.high_lost));
	strength.elo_error = 0.5 * (strength.elo.high - strength.elo.low);
	return strength;
}

static double
count_check(int64_t count)
{
	assert(count >= 0 && count <= ESTIMATE_COUNT_MAX);
	return (double)count;
}

struct strength
strength_of_trinomial(const struct trinomial *results, double level)
{
	struct tally tally = {
		.category_count = 3,
		.games = 1,
		.counts = {
			count_check(results->losses),
			count_check(results->draws),
			count_check(results->wins),
		},
	};

	return tally_strength(&tally, level);
}

struct strength
strength_of_pentanomial(const struct pentanomial *results, double level)
{
	struct tally tally = { .category_count = 5, .games = 2 };

	for (int i = 0; i < 5; i++)
		tally.counts[i] = count_check(results->counts[i]);
	return tally_strength(&tally, level);
}

struct estimate
mean_estimate(const struct moments *moments, double level)
{
	struct estimate estimate = { .value = moments->mean };
	double half = HUGE_VAL;

	if (moments->count >= 2)
		half = student_quantile(
			   upper_point(level), (double)(moments->count - 1)) *
		    sqrt(moments_sample_variance(moments) /
			(double)moments->count);
	estimate.low = moments->mean - half;
	estimate.high = moments->mean + half;
	/* A mean may itself lie beyond the scale; its interval still holds
	 * it. */
	if (half > 0 && estimate.low < -ESTIMATE_ELO_MAX) {
		estimate.low = fmin(moments->mean, -ESTIMATE_ELO_MAX);
		estimate.low_beyond = true;
	}
	if (half > 0 && estimate.high > ESTIMATE_ELO_MAX) {
		estimate.high = fmax(moments->mean, ESTIMATE_ELO_MAX);
		estimate.high_beyond = true;
	}
	return estimate;
}

struct estimate
mean_nelo(const struct moments *moments, bool pair, double level)
{
	double games = pair ? 2 : 1;
	double nelo_per_t = ESTIMATE_NELO_PER_T / sqrt(games);
	double nelo =
	    nelo_per_t * ratio(moments->mean, sqrt(moments_variance(moments)));
	double error = nelo_per_t * normal_quantile(upper_point(level)) /
	    sqrt((double)moments->count);

	return elo_estimate(nelo, nelo - error, nelo + error);
}

double
mean_los(const struct moments *moments)
{
	return los_of(
	    moments->mean, moments_variance(moments), (double)moments->count);
}
