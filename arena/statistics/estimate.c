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
score_of_elo(double elo)
{
	return 1 / (1 + pow(10, -elo / 400));
}

double
elo_of_score(double score)
{
	return elo_clamp(elo_of_shares(score, 1 - score));
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

/*
 * Results that are all alike show no variance, but the score of a bot that has
 * won them all is not certain: that of a coin with this score varies at least
 * as much as any other in 0..1, and Wilson's interval (1927) is that of a coin.
 * All halves are left alone: so play two bots that are the same.
 *
 * Its ends are the roots of (1 + w) p^2 - (2 won + w) p + won^2, w = z^2 / n.
 * The lower one is taken from their product, which does not cancel: of no wins
 * at all it is 0.
 */
static struct range
wilson_range(const struct shares *shares, double z)
{
	double won = shares->won;
	double lost = shares->lost;
	double weight = z * z / shares->count;
	double reach =
	    0.5 * weight + sqrt(weight * (won * lost + 0.25 * weight));

	return (struct range){
		.low_won = won * won / (won + reach),
		.low_lost = (lost + reach) / (1 + weight),
		.high_won = (won + reach) / (1 + weight),
		.high_lost = lost * lost / (lost + reach),
	};
}

static bool
is_alike(const struct shares *shares)
{
	return !(shares->variance > 0) && shares->won != shares->lost;
}

static struct range
shares_range(const struct shares *shares, double z)
{
	double half = z * sqrt(shares->variance / shares->count);

	/* Of nothing everything is possible. */
	if (!(shares->count > 0))
		return (struct range){ -1, 2, 2, -1 };
	if (is_alike(shares))
		return wilson_range(shares, z);
	return (struct range){
		.low_won = shares->won - half,
		.low_lost = shares->lost + half,
		.high_won = shares->won + half,
		.high_lost = shares->lost - half,
	};
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
	struct estimate estimate = {
		.value = elo_clamp(value),
		.low = elo_clamp(low),
		.high = elo_clamp(high),
	};

	estimate.low_beyond = low < estimate.low;
	estimate.high_beyond = high > estimate.high;
	return estimate;
}

/* The quotient, with a value of its own for 0 / 0. */
static double
ratio(double a, double b)
{
	return a == 0 ? 0 : a / b;
}

/* So many standard errors above the point where both are equal. */
static double
los_normal_of(double mean, double variance, double count)
{
	/* Where there is no spread around the mean, take that around 0. */
	double spread = variance > 0 ? sqrt(variance) : fabs(mean);

	return normal_distribution(ratio(mean, spread) * sqrt(count));
}

/* The variance is divided by the count; Student's has one less. */
static double
los_of(double mean, double variance, double count)
{
	double spread = variance > 0 ? sqrt(variance) : fabs(mean);

	if (!(count >= 2))
		return 0.5;
	return student_distribution(
	    ratio(mean, spread) * sqrt(count - 1), count - 1);
}

/* Normalised Elo of a coin; it lies on the scale where it is thrown at all. */
static double
nelo_of_coin(double won, double lost, int games)
{
	return ESTIMATE_NELO_PER_T * 0.5 * (won - lost) /
	    sqrt(games * won * lost);
}

/*
 * By how much the interval of t is wider than at t = 0: the deviation that t is
 * counted in was sampled, too (its variance, by the delta method, is (1 + t^2 /
 * 2) / n of normal numbers).
 */
static double
t_widening(double t)
{
	return sqrt(1 + 0.5 * t * t);
}

/* The interval of normalised Elo; `range` is that of the score. */
static struct estimate
nelo_estimate(const struct shares *shares, const struct range *range, int games,
    double error)
{
	double excess = 0.5 * (shares->won - shares->lost);
	double nelo =
	    ESTIMATE_NELO_PER_T * ratio(excess, sqrt(games * shares->variance));

	if (!is_alike(shares))
		return elo_estimate(nelo, nelo - error, nelo + error);
	return excess > 0
	    ? elo_estimate(nelo,
		  nelo_of_coin(range->low_won, range->low_lost, games), nelo)
	    : elo_estimate(nelo, nelo,
		  nelo_of_coin(range->high_won, range->high_lost, games));
}

static struct strength
tally_strength(const struct tally *tally, double level)
{
	struct shares shares = tally_shares(tally);
	double z = normal_quantile(upper_point(level));
	double excess = 0.5 * (shares.won - shares.lost);
	double nelo_plain =
	    ESTIMATE_NELO_PER_T * z / sqrt(tally->games * shares.count);
	double nelo_half =
	    nelo_plain * t_widening(ratio(excess, sqrt(shares.variance)));
	struct range range = shares_range(&shares, z);
	struct strength strength = {
		.count = (int64_t)shares.count,
		.score = score_estimate(&shares, &range),
		.elo = elo_estimate(elo_of_shares(shares.won, shares.lost),
		    elo_of_shares(range.low_won, range.low_lost),
		    elo_of_shares(range.high_won, range.high_lost)),
		.nelo = nelo_estimate(&shares, &range, tally->games, nelo_half),
		.los = los_of(excess, shares.variance, shares.count),
		.los_normal =
		    los_normal_of(excess, shares.variance, shares.count),
	};

	strength.elo_error = 0.5 * (strength.elo.high - strength.elo.low);
	strength.nelo_error = 0.5 * (strength.nelo.high - strength.nelo.low);
	strength.nelo_error_plain = isfinite(nelo_plain) && !is_alike(&shares)
	    ? fmin(nelo_plain, ESTIMATE_ELO_MAX)
	    : strength.nelo_error;
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

	if (moments->count >= 2 && moments->squares > 0)
		half = student_quantile(
			   upper_point(level), (double)(moments->count - 1)) *
		    sqrt(moments_sample_variance(moments) /
			(double)moments->count);
	estimate.low = moments->mean - half;
	estimate.high = moments->mean + half;
	/* Even where the mean itself lies beyond the scale. */
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

static double
nelo_error(const struct moments *moments, bool pair, double level)
{
	return ESTIMATE_NELO_PER_T / sqrt(pair ? 2 : 1) *
	    normal_quantile(upper_point(level)) / sqrt((double)moments->count);
}

double
mean_nelo_error_plain(const struct moments *moments, bool pair, double level)
{
	return fmin(nelo_error(moments, pair, level), ESTIMATE_ELO_MAX);
}

struct estimate
mean_nelo(const struct moments *moments, bool pair, double level)
{
	double nelo_per_t = ESTIMATE_NELO_PER_T / sqrt(pair ? 2 : 1);
	double sigma = sqrt(moments_variance(moments));
	double nelo = nelo_per_t * ratio(moments->mean, sigma);
	double error = nelo_error(moments, pair, level);
	double wide = error * t_widening(ratio(moments->mean, sigma));

	if (sigma > 0 || moments->mean == 0)
		return elo_estimate(nelo, nelo - wide, nelo + wide);
	/* The spread around 0, which makes t = 1, for that around the mean. */
	return moments->mean > 0
	    ? elo_estimate(nelo, nelo_per_t - error, nelo)
	    : elo_estimate(nelo, nelo, -nelo_per_t + error);
}

double
mean_los(const struct moments *moments)
{
	return los_of(
	    moments->mean, moments_variance(moments), (double)moments->count);
}

double
mean_los_normal(const struct moments *moments)
{
	return los_normal_of(
	    moments->mean, moments_variance(moments), (double)moments->count);
}
