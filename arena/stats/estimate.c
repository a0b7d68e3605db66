/*
 * Point estimates and their intervals: a root finder, moments of a stream of
 * numbers, the normal and Student's distributions, and the scales on which
 * strength is reported (score, Elo, normalised Elo, LOS). estimate.h gives the
 * formulas.
 *
 * Small probabilities are computed directly and never as 1 - p, so that they
 * lose no digits.
 */
#include "estimate.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Chandrupatla's method (Advances in Engineering Software 28, 1997).  It uses
 * inverse quadratic interpolation where three points allow it, and bisection
 * otherwise.  It never leaves the bracket and never takes much longer than
 * bisection.
 */

/*
 * Bisection alone ends within this number of steps for any bracket of doubles.
 */
enum { STEPS_MAX = 2200 };

struct point {
	double x, y;
};

/*
 * Where to look next, as a fraction of the way from the newest point (0) to the
 * opposite point (1).  It is the root of the parabola through the three points
 * if that parabola is steep enough to be trusted, else 1/2.
 */
static double
fraction_of(struct point newest, struct point opposite, struct point oldest)
{
	double xi = (newest.x - opposite.x) / (oldest.x - opposite.x);
	double phi = (newest.y - opposite.y) / (oldest.y - opposite.y);

	/*
	 * If points coincide, phi is NaN; this form of the condition then
	 * bisects, too.
	 */
	if (!(phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi))
		return 0.5;
	return newest.y / (opposite.y - newest.y) * oldest.y /
	    (opposite.y - oldest.y) +
	    (oldest.x - newest.x) / (opposite.x - newest.x) * newest.y /
	    (oldest.y - newest.y) * opposite.y / (oldest.y - opposite.y);
}

double
root_find(double (*function)(const void *context, double x),
    const void *context, double low, double high, double tolerance)
{
	struct point newest = { high, function(context, high) };
	struct point opposite = { low, function(context, low) };
	double fraction = 0.5;

	assert(tolerance >= 0);
	assert(newest.y >= 0 ? opposite.y <= 0 : opposite.y >= 0);
	for (int step = 0; step < STEPS_MAX; step++) {
		struct point best =
		    fabs(newest.y) < fabs(opposite.y) ? newest : opposite;
		double width = fabs(newest.x - opposite.x);
		double finest =
		    2 * DBL_EPSILON * fabs(best.x) + 0.5 * tolerance;
		struct point oldest, next;

		if (best.y == 0 || width <= 2 * finest)
			return best.x;
		/* A step shorter than the tolerance would bring no progress. */
		fraction =
		    fmin(fmax(fraction, finest / width), 1 - finest / width);
		next.x = newest.x + fraction * (opposite.x - newest.x);
		next.y = function(context, next.x);
		oldest = newest;
		if ((next.y > 0) == (newest.y > 0)) {
			newest = next;
		} else {
			oldest = opposite;
			opposite = newest;
			newest = next;
		}
		fraction = fraction_of(newest, opposite, oldest);
	}
	return newest.x;
}

void
moments_add(struct moments *moments, double value)
{
	double difference = value - moments->mean;

	assert(fabs(value) <= MOMENTS_VALUE_MAX);
	moments->count++;
	moments->mean += difference / (double)moments->count;
	/*
	 * One factor is from before the update of the mean and the other from
	 * after it.  So nothing cancels, and the product is never negative.
	 */
	moments->squares += difference * (value - moments->mean);
}

struct moments
moments_join(struct moments a, struct moments b)
{
	double difference = b.mean - a.mean;
	double share;

	if (a.count == 0)
		return b;
	if (b.count == 0)
		return a;
	share = (double)b.count / ((double)a.count + (double)b.count);
	return (struct moments){
		.count = a.count + b.count,
		.mean = a.mean + difference * share,
		.squares = a.squares + b.squares +
		    difference * difference * (double)a.count * share,
	};
}

struct moments
moments_of(int64_t count, double mean, double deviation)
{
	assert(count >= 0);
	assert(fabs(mean) <= MOMENTS_VALUE_MAX);
	assert(deviation >= 0 && deviation <= MOMENTS_VALUE_MAX);
	if (count == 0)
		return (struct moments){ 0 };
	return (struct moments){
		.count = count,
		.mean = mean,
		.squares = deviation * deviation * (double)(count - 1),
	};
}

struct moments
moments_floor(const struct moments *moments, double step)
{
	struct moments floored = *moments;
	double count = (double)moments->count;

	assert(step >= 0);
	if (count > 0)
		floored.squares =
		    fmax(floored.squares, step * step * (count - 1) / count);
	return floored;
}

double
moments_variance(const struct moments *moments)
{
	if (moments->count < 1)
		return 0;
	return moments->squares / (double)moments->count;
}

double
moments_sample_variance(const struct moments *moments)
{
	if (moments->count < 2)
		return 0;
	return moments->squares / (double)(moments->count - 1);
}

/*
 * Quantiles.  Each is the root of its distribution function.  Tails are
 * computed as tails, so that no digit is lost in 1 - p.
 */

/*
 * Above this number of degrees the expansion has at least as many correct
 * digits.
 */
#define EXPANSION_FREEDOM 3e3

double
normal_distribution(double x)
{
	return 0.5 * erfc(-x * sqrt(0.5));
}

/*
 * x with the upper tail 0 < `tail` <= 1/2.  The first guess is a rational
 * function with an error below 4.5e-4 (Abramowitz and Stegun, 26.2.23).
 * Halley's steps follow; each triples the number of correct digits.
 */
static double
normal_tail_root(double tail)
{
	double t = sqrt(-2 * log(tail));
	double x = t -
	    (2.515517 + t * (0.802853 + t * 0.010328)) /
		(1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));

	for (int step = 0; step < 3; step++) {
		double density = exp(-0.5 * x * x) / sqrt(2 * M_PI);
		double newton = (normal_distribution(-x) - tail) / density;

		x += newton / (1 - 0.5 * x * newton);
	}
	return x;
}

double
normal_quantile(double p)
{
	assert(p > 0 && p < 1);
	if (p == 0.5)
		return 0;
	return p < 0.5 ? -normal_tail_root(p) : normal_tail_root(1 - p);
}

/*
 * gamma(a + 1/2) / gamma(a), a > 0, to the last digits.  Where Stirling's
 * series of the quotient converges it is used (DLMF 5.11.13).  For smaller a
 * the recurrence of the gamma function leads to that range.  A difference of
 * two lgamma would lose all digits of a large a.
 */
static double
gamma_half_step(double a)
{
	static const double coefficients[] = { 1, -1.0 / 8, 1.0 / 128,
		5.0 / 1024, -21.0 / 32768, -399.0 / 262144, 869.0 / 4194304,
		39325.0 / 33554432 };
	enum { COUNT = sizeof(coefficients) / sizeof(*coefficients) };
	double product = 1;
	double series = 0;

	while (a < 32) {
		product *= a / (a + 0.5);
		a++;
	}
	for (int i = COUNT - 1; i >= 0; i--)
		series = series / a + coefficients[i];
	return product * sqrt(a) * series;
}

/*
 * The continued fraction of the incomplete beta function (DLMF 8.17.22) by
 * Lentz's method: B_x(a, b) = x^a (1 - x)^b / a times this fraction.  It
 * converges fast where x < (a + 1) / (a + b + 2).
 */
static double
beta_fraction(double x, double a, double b)
{
	enum { TERMS_MAX = 10000 };
	double c = 1;
	double d = 1 / (1 - (a + b) * x / (a + 1));
	double fraction = d;

	for (int m = 1; m < TERMS_MAX; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x /
		    ((a + 2 * m) * (a + 2 * m + 1));
		double factor;

		d = 1 / (1 + even * d);
		c = 1 + even / c;
		fraction *= d * c;
		d = 1 / (1 + odd * d);
		c = 1 + odd / c;
		factor = d * c;
		fraction *= factor;
		if (fabs(factor - 1) <= DBL_EPSILON)
			break;
	}
	return fraction;
}

/*
 * What student_excess compares: a part of Student's distribution with its
 * wanted logarithm.
 */
struct student {
	double freedom;
	bool tail; /* true: the part above t; false: the part between 0 and t */
	double log; /* wanted logarithm of this part */
};

/*
 * The logarithm of that part of the distribution.  With x = 1 / (1 + t^2 /
 * freedom) the tail is I_x(freedom / 2, 1/2) / 2 (DLMF 8.17.8 and Abramowitz
 * and Stegun 26.7.1).  The middle part is the same with 1 - x for x and with
 * the two arguments exchanged.  The fraction that converges is the one
 * computed.
 */
static double
student_log(const struct student *student, double log_t)
{
	double a = 0.5 * student->freedom;
	double log_ratio = 2 * log_t - log(student->freedom);
	/* ln x and ln(1 - x). */
	double log_x = log_ratio < 0 ? -log1p(exp(log_ratio))
				     : -log_ratio - log1p(exp(-log_ratio));
	double log_rest = log_ratio + log_x;
	double log_factor = a * log_x + 0.5 * log_rest +
	    log(gamma_half_step(a)) - 0.5 * log(M_PI);
	bool tail = exp(log_x) < (a + 1) / (a + 2.5);
	double log_part = log_factor - log(2) +
	    (tail ? log(beta_fraction(exp(log_x), a, 0.5) / a)
		  : log(beta_fraction(exp(log_rest), 0.5, a) / 0.5));

	return tail == student->tail ? log_part : log(0.5 - exp(log_part));
}

static double
student_excess(const void *context, double log_t)
{
	const struct student *student = context;

	return student_log(student, log_t) - student->log;
}

/* t > 0 with the upper tail 0 < `tail` < 1/2. */
static double
student_tail_root(double tail, double freedom)
{
	double middle = 0.5 - tail;
	struct student student = {
		.freedom = freedom,
		.tail = tail < middle,
		.log = log(fmin(tail, middle)),
	};
	/*
	 * The density of Student's distribution is never above the peak of the
	 * normal density.  So the part below this start is smaller than
	 * `middle`, even after rounding.
	 */
	double start = log(middle * sqrt(2 * M_PI)) - 1e-9;
	double step = 0.5;

	while ((student_excess(&student, start + step) > 0) == student.tail)
		step *= 2;
	return exp(root_find(
	    student_excess, &student, start, start + step, DBL_EPSILON));
}

/*
 * The same for many degrees of freedom, where the continued fraction loses
 * digits.  This is the expansion in 1 / freedom around the normal quantile
 * (Abramowitz and Stegun 26.7.5, with one more term by Goldberg and Levine
 * 1946).
 */
static double
student_tail_expand(double tail, double freedom)
{
	/*
	 * Coefficients of z, z^3, z^5, ..., over the common divisor of the
	 * term.
	 */
	static const struct {
		double divisor;
		double coefficients[6];
	} terms[] = {
		{ 368640, { 17955, -765, -1782, 930, 339, 27 } },
		{ 92160, { -945, -1920, 1482, 776, 79 } },
		{ 384, { -15, 17, 19, 3 } },
		{ 96, { 3, 16, 5 } },
		{ 4, { 1, 1 } },
		{ 1, { 1 } },
	};
	double z = normal_tail_root(tail);
	double quantile = 0;

	for (size_t i = 0; i < sizeof(terms) / sizeof(*terms); i++) {
		double term = 0;

		for (int power = 5; power >= 0; power--)
			term = term * z * z + terms[i].coefficients[power];
		quantile = quantile / freedom + term * z / terms[i].divisor;
	}
	return quantile;
}

static double
student_tail_quantile(double tail, double freedom)
{
	return freedom > EXPANSION_FREEDOM ? student_tail_expand(tail, freedom)
					   : student_tail_root(tail, freedom);
}

double
student_quantile(double p, double freedom)
{
	assert(p > 0 && p < 1);
	assert(freedom >= 1);
	if (p == 0.5)
		return 0;
	return p < 0.5 ? -student_tail_quantile(p, freedom)
		       : student_tail_quantile(1 - p, freedom);
}

/*
 * Above EXPANSION_FREEDOM the continued fraction loses digits.  So the tail is
 * found as the root of the quantile, which is within a step of the normal tail.
 */
static double
student_tail_search(double t, double freedom)
{
	double low = 0, high = 0.5;

	for (int i = 0; i < 200 && high - low > DBL_EPSILON * high; i++) {
		double middle = low > 0 ? sqrt(low * high) : high / 16;

		if (student_tail_expand(middle, freedom) > t)
			low = middle;
		else
			high = middle;
		if (high < DBL_MIN)
			return 0;
	}
	return high;
}

/* The upper tail of t > 0. */
static double
student_tail(double t, double freedom)
{
	const struct student student = { .freedom = freedom, .tail = true };

	if (!(freedom < HUGE_VAL))
		return normal_distribution(-t);
	return freedom > EXPANSION_FREEDOM ? student_tail_search(t, freedom)
					   : exp(student_log(&student, log(t)));
}

double
student_distribution(double t, double freedom)
{
	assert(freedom >= 1);
	if (t == 0)
		return 0.5;
	return t < 0 ? student_tail(-t, freedom) : 1 - student_tail(t, freedom);
}

/*
 * Both shares of the points are stored, because 1 - won would lose the digits
 * of a very small share.
 */
struct shares {
	double count;
	double won, lost; /* mean of a result, 0..1 */
	double variance;  /* variance of a result */
};

static double
elo_clamp(double elo)
{
	return fmin(fmax(elo, -ESTIMATE_ELO_MAX), ESTIMATE_ELO_MAX);
}

/*
 * Elo of two shares whose sum is 1.  The value is not clamped, and the shares
 * may even be outside 0..1.
 */
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

/* The probability whose quantile is the z or t of a two-sided interval. */
static double
upper_point(double level)
{
	assert(level > 0 && level < 1);
	return 0.5 + 0.5 * level;
}

static struct shares
counts_shares(const struct score_counts *scores)
{
	double step = 1.0 / (scores->count - 1);
	int last = scores->count - 1;
	struct shares shares = { 0 };

	for (int i = 0; i <= last; i++) {
		shares.count += scores->counts[i];
		shares.won += scores->counts[i] * i * step;
		shares.lost += scores->counts[i] * (last - i) * step;
	}
	if (!(shares.count > 0))
		return (struct shares){ .won = 0.5, .lost = 0.5 };
	shares.won /= shares.count;
	shares.lost /= shares.count;
	for (int i = 0; i <= last; i++) {
		/*
		 * The difference is taken from the nearer end of the scale, to
		 * lose no digits.
		 */
		double difference = shares.won < shares.lost
		    ? i * step - shares.won
		    : shares.lost - (last - i) * step;

		shares.variance += scores->counts[i] * difference * difference;
	}
	shares.variance /= shares.count;
	return shares;
}

/* The interval of scores: the shares of points at its two ends. */
struct range {
	double low_won, low_lost;
	double high_won, high_lost;
};

/*
 * Equal results have no variance, but the score of a bot that has won every
 * game is still not certain.  A coin with this score varies at least as much as
 * any other result in 0..1, and Wilson's interval (1927) is that of a coin.
 * Results that are all 1/2 keep their variance of 0, because two identical bots
 * play so.
 *
 * The ends are the roots of (1 + w) p^2 - (2 won + w) p + won^2, w = z^2 / n.
 * The lower root is computed from the product of the two roots, which does not
 * cancel: without any win it is exactly 0.
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

	/* Without any results the interval is wider than the scale. */
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

/* An Elo value with the interval from low to high; all three are clamped. */
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

/* The quotient a / b; 0 / 0 has a value of its own. */
static double
ratio(double a, double b)
{
	return a == 0 ? 0 : a / b;
}

/*
 * The distance of the mean from 0 (equal strength) in standard deviations.  If
 * there is no spread around the mean, the spread around 0 is used.
 */
static double
t_of(double mean, double variance)
{
	return ratio(mean, variance > 0 ? sqrt(variance) : fabs(mean));
}

/* The LOS by the normal distribution. */
static double
los_normal_of(double mean, double variance, double count)
{
	return normal_distribution(t_of(mean, variance) * sqrt(count));
}

/*
 * The variance is divided by the count; Student's formula divides by the count
 * less one.
 */
static double
los_of(double mean, double variance, double count)
{
	if (!(count >= 2))
		return 0.5;
	return student_distribution(
	    t_of(mean, variance) * sqrt(count - 1), count - 1);
}

/*
 * Normalised Elo of a coin.  It is within the scale unless one of the shares is
 * 0.
 */
static double
nelo_of_coin(double won, double lost, int games)
{
	return ESTIMATE_NELO_PER_T * 0.5 * (won - lost) /
	    sqrt(games * won * lost);
}

/*
 * The factor by which the interval of t is wider than at t = 0.  The standard
 * deviation in which t is measured was itself estimated from the sample.  By
 * the delta method the variance of t is (1 + t^2 / 2) / n for normal numbers.
 */
static double
t_widening(double t)
{
	return sqrt(1 + 0.5 * t * t);
}

/* The interval of normalised Elo; `range` is the interval of the score. */
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

struct strength
counts_strength(struct score_counts scores, double level)
{
	struct shares shares = counts_shares(&scores);
	double z = normal_quantile(upper_point(level));
	double excess = 0.5 * (shares.won - shares.lost);
	double nelo_plain =
	    ESTIMATE_NELO_PER_T * z / sqrt(scores.games * shares.count);
	double nelo_half =
	    nelo_plain * t_widening(ratio(excess, sqrt(shares.variance)));
	struct range range = shares_range(&shares, z);
	struct strength strength = {
		.count = (int64_t)shares.count,
		.score = score_estimate(&shares, &range),
		.elo = elo_estimate(elo_of_shares(shares.won, shares.lost),
		    elo_of_shares(range.low_won, range.low_lost),
		    elo_of_shares(range.high_won, range.high_lost)),
		.nelo = nelo_estimate(&shares, &range, scores.games, nelo_half),
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

void
trinomial_add(struct trinomial *sum, const struct trinomial *results)
{
	sum->wins += results->wins;
	sum->draws += results->draws;
	sum->losses += results->losses;
}

struct score_counts
trinomial_counts(const struct trinomial *results)
{
	return (struct score_counts){
		.count = 3,
		.games = 1,
		.counts = {
			count_check(results->losses),
			count_check(results->draws),
			count_check(results->wins),
		},
	};
}

struct score_counts
pentanomial_counts(const struct pentanomial *results)
{
	struct score_counts scores = { .count = 5, .games = 2 };

	for (int i = 0; i < 5; i++)
		scores.counts[i] = count_check(results->counts[i]);
	return scores;
}

struct estimate
error_estimate(double value, double error, double freedom, double level)
{
	struct estimate estimate = { .value = value };
	double half = HUGE_VAL;

	if (freedom >= 1)
		half = error * student_quantile(upper_point(level), freedom);
	estimate.low = value - half;
	estimate.high = value + half;
	/*
	 * The end is clamped and marked even where the value itself is outside
	 * the scale.
	 */
	if (half > 0 && estimate.low < -ESTIMATE_ELO_MAX) {
		estimate.low = fmin(value, -ESTIMATE_ELO_MAX);
		estimate.low_beyond = true;
	}
	if (half > 0 && estimate.high > ESTIMATE_ELO_MAX) {
		estimate.high = fmax(value, ESTIMATE_ELO_MAX);
		estimate.high_beyond = true;
	}
	return estimate;
}

struct estimate
mean_estimate(const struct moments *moments, double level)
{
	double count = (double)moments->count;
	double error = sqrt(moments_sample_variance(moments) / count);

	return error_estimate(
	    moments->mean, error, moments->squares > 0 ? count - 1 : 0, level);
}

double
mean_los(const struct moments *moments)
{
	return los_of(
	    moments->mean, moments_variance(moments), (double)moments->count);
}

/* The normalised Elo, where `error` is half the width for nElo = 0. */
static struct estimate
mean_nelo(const struct moments *moments, double nelo_per_t, double error)
{
	double sigma = sqrt(moments_variance(moments));
	double t = ratio(moments->mean, sigma);
	double nelo = nelo_per_t * t, wide = error * t_widening(t);

	if (sigma > 0 || moments->mean == 0)
		return elo_estimate(nelo, nelo - wide, nelo + wide);
	/*
	 * The spread around 0, with which t = 1, replaces the spread around the
	 * mean.
	 */
	return moments->mean > 0
	    ? elo_estimate(nelo, nelo_per_t - error, nelo)
	    : elo_estimate(nelo, nelo, -nelo_per_t + error);
}

struct strength
mean_strength(const struct moments *moments, bool pair, double level)
{
	double count = (double)moments->count;
	double nelo_per_t = ESTIMATE_NELO_PER_T / sqrt(pair ? 2 : 1);
	double error =
	    nelo_per_t * normal_quantile(upper_point(level)) / sqrt(count);
	struct estimate nelo = mean_nelo(moments, nelo_per_t, error);

	return (struct strength){
		.count = moments->count,
		.nelo = nelo,
		.nelo_error = 0.5 * (nelo.high - nelo.low),
		.nelo_error_plain = fmin(error, ESTIMATE_ELO_MAX),
		.los = mean_los(moments),
		.los_normal = los_normal_of(
		    moments->mean, moments_variance(moments), count),
	};
}

/*
 * The control variate: sums over pairs of numbers, the regression coefficient,
 * and the corrected estimate.
 */

void
variate_parts_add(struct variate_parts *variate,
    const double parts[VARIATE_PARTS_MAX], double y)
{
	enum { COUNT = VARIATE_PARTS_MAX + 1 };
	double count = (double)++variate->count;
	double before[COUNT], after[COUNT];

	for (int i = 0; i < COUNT; i++) {
		double value = i < VARIATE_PARTS_MAX ? parts[i] : y;

		assert(isfinite(value));
		before[i] = value - variate->means[i];
		variate->means[i] += before[i] / count;
		after[i] = value - variate->means[i];
	}
	for (int i = 0; i < COUNT; i++)
		for (int k = 0; k < COUNT; k++)
			variate->products[i][k] += before[i] * after[k];
}

struct variate
variate_parts_weigh(const struct variate_parts *variate,
    const double weights[VARIATE_PARTS_MAX])
{
	enum { Y = VARIATE_PARTS_MAX };
	struct variate sum = {
		.count = variate->count,
		.mean_y = variate->means[Y],
		.squares_y = variate->products[Y][Y],
	};

	for (int i = 0; i < VARIATE_PARTS_MAX; i++) {
		sum.mean_x += weights[i] * variate->means[i];
		sum.products += weights[i] * variate->products[i][Y];
		for (int k = 0; k < VARIATE_PARTS_MAX; k++)
			sum.squares_x +=
			    weights[i] * weights[k] * variate->products[i][k];
	}
	/* If parts cancel, rounding must not make the sum negative. */
	sum.squares_x = fmax(sum.squares_x, 0.0);
	return sum;
}

/*
 * The coefficient is itself an estimate and costs one degree of freedom.  Its
 * error counts more if the packs were further from the average pack.
 */
static struct estimate
corrected_estimate(const struct variate *variate, double coefficient,
    double squares, double distance, double level)
{
	double count = (double)variate->count, freedom = count - 2.0;
	double error = sqrt(squares / freedom *
	    (1.0 / count + distance * distance / variate->squares_x));

	return error_estimate(
	    variate->mean_y - coefficient * distance, error, freedom, level);
}

struct variate_estimate
variate_estimate(const struct variate *variate, double expected_x, double level)
{
	const struct moments plain = {
		.count = variate->count,
		.mean = variate->mean_y,
		.squares = variate->squares_y,
	};
	struct variate_estimate estimate = {
		.plain = mean_estimate(&plain, level),
		.variance_ratio = 1.0,
	};
	double explained, left;

	assert(level > 0.0 && level < 1.0);
	estimate.corrected = estimate.plain;
	if (variate->count < 3 || !(variate->squares_x > 0.0))
		return estimate;
	estimate.coefficient = variate->products / variate->squares_x;
	explained = estimate.coefficient * variate->products;
	left = fmax(variate->squares_y - explained, 0.0);
	estimate.corrected = corrected_estimate(variate, estimate.coefficient,
	    left, variate->mean_x - expected_x, level);
	if (variate->squares_y > left * VARIATE_RATIO_MAX)
		estimate.variance_ratio = VARIATE_RATIO_MAX;
	else if (left > 0.0)
		estimate.variance_ratio = fmax(variate->squares_y / left, 1.0);
	return estimate;
}
