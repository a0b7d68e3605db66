/*
 * Sequential tests; sprt.h defines the models and gives their formulas.
 *
 * The file has five parts: generalised log likelihood ratios of scores
 * (empirical likelihood), the rates of BayesElo, bets, the stagewise ordering
 * of outcomes, and the tests with their decisions and estimates.  Every LLR is
 * finite, whatever the results are.  Differences of nearly equal numbers are
 * avoided, so that bounds which lie close together lose no digits.
 */
#include "sprt.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

/* Log likelihood ratios of the models that use scores. */

/*
 * Above this value mean / sigma is practically that of a distribution without
 * spread.
 */
#define LIKELIHOOD_T_MAX 1e4

/*
 * Two solutions differ by more than this factor, or are practically the same.
 */
#define SEARCH_STEP 1.15

/*
 * At this distance from the ends of a range, as a share of it, phi has values
 * of both signs in spite of rounding.
 */
#define INSET 1e-6

/*
 * The most likely distribution with mean 0 is p = q / w with the weights w = 1
 * + theta v, where sum q v / w = 0.  All weights must be above 0, so theta is
 * between -1 / v_max and -1 / v_min.  A root next to one of these ends cannot
 * be distinguished from the end itself.  So the position between the ends is
 * given as log odds z.  With lambda = 1 / (1 + exp -z), each weight is a sum of
 * parts above 0:
 *
 * 	w = lambda (v - v_min) / -v_min + (1 - lambda) (v_max - v) / v_max.
 */
struct tilt {
	const struct likelihood *seen;
	double low, high; /* v_min < 0 < v_max */
	int low_index, high_index;
};

static struct tilt
tilt_of(const struct likelihood *seen)
{
	struct tilt tilt = { .seen = seen };

	for (int i = 1; i < seen->count; i++) {
		if (seen->values[i] < seen->values[tilt.low_index])
			tilt.low_index = i;
		if (seen->values[i] > seen->values[tilt.high_index])
			tilt.high_index = i;
	}
	tilt.low = seen->values[tilt.low_index];
	tilt.high = seen->values[tilt.high_index];
	assert(tilt.low < 0 && tilt.high > 0);
	return tilt;
}

/*
 * The weights for one z: `from_low` = lambda / -v_min, and `from_high` = (1 -
 * lambda) / v_max.
 */
struct weights {
	double from_low, from_high;
};

static struct weights
tilt_weights(const struct tilt *tilt, double z)
{
	return (struct weights){
		.from_low = 1 / (-tilt->low * (1 + exp(-z))),
		.from_high = 1 / (tilt->high * (1 + exp(z))),
	};
}

static double
weight_of(const struct tilt *tilt, struct weights weights, double value)
{
	return weights.from_low * (value - tilt->low) +
	    weights.from_high * (tilt->high - value);
}

/* The mean of the tilted frequencies; it decreases as z grows. */
static double
tilt_mean(const void *context, double z)
{
	const struct tilt *tilt = context;
	struct weights weights = tilt_weights(tilt, z);
	double mean = 0;

	for (int i = 0; i < tilt->seen->count; i++) {
		double value = tilt->seen->values[i];

		mean += tilt->seen->frequencies[i] * value /
		    weight_of(tilt, weights, value);
	}
	return mean;
}

/*
 * z of the tilt whose mean is 0.  No probability is above 1, so no weight is
 * below its frequency.  The frequency of v_max bounds lambda from below, and
 * the frequency of v_min bounds 1 - lambda from below.  The root may be on such
 * a bound; at half of the bound the sign is certain.
 */
static double
tilt_solve(const struct tilt *tilt)
{
	const double *frequencies = tilt->seen->frequencies;
	double scale = 0.5 / (tilt->high - tilt->low);
	double least = frequencies[tilt->high_index] * -tilt->low * scale;
	double rest = frequencies[tilt->low_index] * tilt->high * scale;

	return root_find(tilt_mean, tilt, log(least) - log1p(-least),
	    log1p(-rest) - log(rest), 1e-13);
}

/*
 * sum q ln w at the root.  The root is a maximum over theta, so an error of z
 * has an effect only by its square.  The logarithm of a weight near 1 is
 * computed from theta: if the bounds are close to the true value, all weights
 * are near 1, and only their distance from 1 matters.
 */
static double
tilt_divergence(const struct tilt *tilt, double z)
{
	struct weights weights = tilt_weights(tilt, z);
	double theta = weights.from_low - weights.from_high;
	double sum = 0;

	for (int i = 0; i < tilt->seen->count; i++) {
		double value = tilt->seen->values[i];
		double excess = theta * value;

		sum += tilt->seen->frequencies[i] *
		    (fabs(excess) < 0.5 ? log1p(excess)
					: log(weight_of(tilt, weights, value)));
	}
	return fmax(sum, 0);
}

double
likelihood_mean_divergence(const struct likelihood *likelihood)
{
	struct tilt tilt = tilt_of(likelihood);

	return tilt_divergence(&tilt, tilt_solve(&tilt));
}

/*
 * The hypothesis mean / sigma = t is the same as mean = tau rms, with tau = t /
 * sqrt(1 + t^2) and rms^2 the mean of the squares.  For t > 0:
 *
 * 	tau rms = min over r > 0 of the mean of tau (r + v^2 / r) / 2,
 *
 * reached at r = rms.  Now take the hypothesis that phi_r(v) = v - tau (r + v^2
 * / r) / 2 has mean 0.  For every r it touches the real hypothesis where rms =
 * r.  So the solution is the r whose most likely distribution has rms = r.
 * This is one equation in one unknown, between bounds where its sign is known.
 * (The usual iteration from a uniform distribution does not always converge.)
 */
struct curve {
	const struct likelihood *seen;
	double tau;
	/* Mean of the numbers seen, and of their squares. */
	double mean, square;
};

/* Sets *phi to phi_r of all the values seen, for likelihood_mean_divergence. */
static void
curve_touch(const struct curve *curve, double r, struct likelihood *phi)
{
	*phi = *curve->seen;
	for (int i = 0; i < phi->count; i++) {
		double value = phi->values[i];

		phi->values[i] =
		    value - 0.5 * curve->tau * (r + value / r * value);
	}
}

/*
 * The relative excess of the mean square over r^2, for the most likely
 * distribution for r.  It is above 0 if rms > r.
 */
static double
curve_excess(const void *context, double r)
{
	const struct curve *curve = context;
	struct likelihood phi;
	struct weights weights;
	struct tilt tilt;
	double square = 0;

	curve_touch(curve, r, &phi);
	tilt = tilt_of(&phi);
	weights = tilt_weights(&tilt, tilt_solve(&tilt));
	for (int i = 0; i < phi.count; i++) {
		double value = curve->seen->values[i] / r;

		square += phi.frequencies[i] * value * value /
		    weight_of(&tilt, weights, phi.values[i]);
	}
	return square - 1;
}

/*
 * The divergence where rms = r, between a bound where rms is above r and one
 * where it is below.
 */
static double
curve_divergence(const struct curve *curve, double low, double high)
{
	struct likelihood phi;
	double r;

	/* If the two bounds are almost equal, rounding may change the signs. */
	if (curve_excess(curve, low) <= 0)
		r = low;
	else if (curve_excess(curve, high) >= 0)
		r = high;
	else
		r = root_find(curve_excess, curve, low, high, 1e-12 * low);
	curve_touch(curve, r, &phi);
	return likelihood_mean_divergence(&phi);
}

/*
 * The least divergence of all solutions between two such bounds.  Values that
 * were seen very seldom can cause further solutions.
 */
static double
curve_search(const struct curve *curve, double low, double high)
{
	int steps = 1 + (int)(log(high / low) / log(SEARCH_STEP));
	double factor = pow(high / low, 1.0 / steps);
	double excess = curve_excess(curve, low);
	double least = HUGE_VAL;

	for (int i = 1; i < steps; i++) {
		double next = low * factor;
		double next_excess = curve_excess(curve, next);

		if (excess > 0 && next_excess <= 0)
			least = fmin(least, curve_divergence(curve, low, next));
		low = next;
		excess = next_excess;
	}
	/*
	 * In the last step the excess changes from positive to negative, unless
	 * it did so in an earlier step.
	 */
	if (excess > 0 || least == HUGE_VAL)
		least = fmin(least, curve_divergence(curve, low, high));
	return least;
}

/* The greatest magnitude of all values; the rms is never above it. */
static double
rms_max(const struct likelihood *seen)
{
	double max = 0;

	for (int i = 0; i < seen->count; i++)
		max = fmax(max, fabs(seen->values[i]));
	return max;
}

/*
 * The divergence if the numbers seen have a greater t than the hypothesis.  The
 * distributions with a smaller t are a convex set.  The r of the solution is
 * between the two r for which phi_r has mean 0 in the numbers seen.
 */
static double
divergence_below(const struct curve *curve)
{
	double middle = curve->mean / curve->tau;
	double high = middle + sqrt(fmax(middle * middle - curve->square, 0));
	double low = curve->square / high;

	high = fmin(high, rms_max(curve->seen));
	/* At the lower end itself phi may be 0 for every number seen. */
	return curve_divergence(
	    curve, low + INSET * fmin(low, high - low), high);
}

/* The next value above `value`, or HUGE_VAL after the last one. */
static double
value_above(const struct likelihood *seen, double value)
{
	double next = HUGE_VAL;

	for (int i = 0; i < seen->count; i++) {
		if (seen->values[i] > value)
			next = fmin(next, seen->values[i]);
	}
	return next;
}

/*
 * The divergence if the numbers seen have a smaller t than the hypothesis.  A
 * solution r exists only if phi_r is above 0 for some value.  With `reach` =
 * tau / (1 + sqrt(1 - tau^2)), phi_r(v) is above 0 for r from v reach to v /
 * reach.  Ranges that overlap are one range, which has a solution.  For a great
 * t there can be several ranges; the most likely of their solutions is taken.
 */
static double
divergence_above(const struct curve *curve)
{
	const struct likelihood *seen = curve->seen;
	double tau = curve->tau;
	double reach = tau / (1 + sqrt((1 - tau) * (1 + tau)));
	double first = value_above(seen, 0);
	double least = HUGE_VAL;

	while (first < HUGE_VAL) {
		double last = first;
		double next = value_above(seen, last);
		double low, high;

		while (next * reach < last / reach) {
			last = next;
			next = value_above(seen, last);
		}
		low = first * reach;
		high = fmin(last / reach, rms_max(seen));
		/*
		 * At the ends themselves all the probability is in one value.
		 */
		least = fmin(least,
		    curve_search(curve, low + INSET * (high - low),
			high - INSET * (high - low)));
		first = next;
	}
	return least;
}

double
likelihood_t_divergence(const struct likelihood *likelihood, double t)
{
	struct likelihood seen = *likelihood;
	struct curve curve = { .seen = &seen };

	t = fmin(fmax(t, -LIKELIHOOD_T_MAX), LIKELIHOOD_T_MAX);
	if (t == 0)
		return likelihood_mean_divergence(likelihood);
	for (int i = 0; i < seen.count; i++) {
		if (t < 0)
			seen.values[i] = -seen.values[i];
		curve.mean += seen.frequencies[i] * seen.values[i];
		curve.square +=
		    seen.frequencies[i] * seen.values[i] * seen.values[i];
	}
	t = fabs(t);
	curve.tau = t / sqrt(1 + t * t);
	return curve.mean > curve.tau * sqrt(curve.square)
	    ? divergence_below(&curve)
	    : divergence_above(&curve);
}

/* The count of a result that was not seen, so that no likelihood is 0. */
#define UNSEEN 1e-3

/* The change of the log odds for one Elo. */
#define LOG_ODDS_PER_ELO (2.302585092994045684 / 400)

/* 1 / (1 + exp -x) */
static double
sigmoid(double x)
{
	return 1 / (1 + exp(-x));
}

/*
 * Fills in the frequencies of results; returns the number of results.  The
 * values are differences of scores from an expected score `won`.  `lost` = 1 -
 * won is a parameter of its own, because 1 - won would lose the digits of a
 * very small `lost`.
 */
static double
likelihood_of_counts(const struct score_counts *results, double won,
    double lost, struct likelihood *likelihood)
{
	int last = results->count - 1;
	double total = 0;

	likelihood->count = results->count;
	for (int i = 0; i <= last; i++) {
		double count = results->counts[i];

		likelihood->frequencies[i] = count > 0 ? count : UNSEEN;
		total += likelihood->frequencies[i];
		/*
		 * The difference is taken from the nearer end of the scale, to
		 * lose no digits.
		 */
		likelihood->values[i] = 2 * i < last
		    ? (double)i / last - won
		    : lost - (double)(last - i) / last;
	}
	for (int i = 0; i <= last; i++)
		likelihood->frequencies[i] /= total;
	return total;
}

/*
 * Sets mean and variance of the scores, where a result that was not seen counts
 * 1e-3.  Returns the number of results.
 */
static double
score_moments(
    const struct score_counts *results, double *mean, double *variance)
{
	struct likelihood seen;
	double total = likelihood_of_counts(results, 0, 1, &seen);

	*mean = *variance = 0;
	for (int i = 0; i < seen.count; i++)
		*mean += seen.frequencies[i] * seen.values[i];
	for (int i = 0; i < seen.count; i++) {
		double difference = seen.values[i] - *mean;

		*variance += seen.frequencies[i] * difference * difference;
	}
	return total;
}

/*
 * The number of results times the divergence from all distributions with this
 * expected score.
 */
static double
score_cost(const struct score_counts *results, double won, double lost)
{
	struct likelihood likelihood;
	double total = likelihood_of_counts(results, won, lost, &likelihood);

	return total * likelihood_mean_divergence(&likelihood);
}

/* The LLR of two expected scores, given as low and high Elo. */
static double
score_llr_logistic(const struct score_counts *results, double low, double high)
{
	return score_cost(results, score_of_elo(low), score_of_elo(-low)) -
	    score_cost(results, score_of_elo(high), score_of_elo(-high));
}

/* The LLR of two values of (expected score - 1/2) / sigma, low and high. */
static double
score_llr_normalized(
    const struct score_counts *results, double low, double high)
{
	struct likelihood likelihood;
	double total = likelihood_of_counts(results, 0.5, 0.5, &likelihood);

	return total *
	    (likelihood_t_divergence(&likelihood, low) -
		likelihood_t_divergence(&likelihood, high));
}

/*
 * In the model of BayesElo win = sigmoid(x - y) and loss = sigmoid(-x - y),
 * where x is the strength and y >= 0 is drawelo, both as log odds (the model of
 * Rao and Kupper 1967).  Then draw = 1 - win - loss = (exp 2y - 1) win loss.
 * So a draw is as much evidence as a win and a loss together, whatever y is.
 */
struct bayes {
	double wins, draws, losses;
	double y;
};

static struct bayes
bayes_of(const struct score_counts *results, double extra)
{
	struct bayes bayes = {
		.wins = results->counts[2] + extra,
		.draws = results->counts[1] + extra,
		.losses = results->counts[0] + extra,
	};

	if (bayes.wins <= 0)
		bayes.wins = UNSEEN;
	if (bayes.losses <= 0)
		bayes.losses = UNSEEN;
	bayes.y = 0.5 *
	    (log1p(bayes.draws / bayes.wins) +
		log1p(bayes.draws / bayes.losses));
	return bayes;
}

/* ln(1 + exp x) */
static double
softplus(double x)
{
	return fmax(x, 0) + log1p(exp(-fabs(x)));
}

/*
 * ln win(high) - ln win(low).  For strengths that are close together it avoids
 * the difference of two logarithms, which would lose digits.
 */
static double
log_win_ratio(double low, double high, double y)
{
	if (high - low > 1)
		return softplus(y - low) - softplus(y - high);
	return log1p(expm1(high - low) * sigmoid(y - high));
}

/* The LLR of the rates of results; the strengths are log odds. */
static double
rates_llr(const struct bayes *bayes, double low, double high)
{
	return (bayes->wins + bayes->draws) *
	    log_win_ratio(low, high, bayes->y) -
	    (bayes->losses + bayes->draws) *
	    log_win_ratio(-high, -low, bayes->y);
}

/*
 * The expected score of a strength x, as log odds. bayes_score(-x, y) is 1 less
 * this score.
 */
static double
bayes_score(double x, double y)
{
	return 0.5 * (sigmoid(x - y) + sigmoid(x + y));
}

/* d Elo / d BayesElo at 0. */
static double
bayes_scale(double y)
{
	return 4 * sigmoid(y) * sigmoid(-y);
}

static double
scores_llr(const struct bayes *bayes, double low, double high)
{
	struct score_counts counts = {
		.count = 3,
		.counts = { bayes->losses, bayes->draws, bayes->wins },
	};
	double y = bayes->y;

	return score_cost(&counts, bayes_score(low, y), bayes_score(-low, y)) -
	    score_cost(&counts, bayes_score(high, y), bayes_score(-high, y));
}

/*
 * The LLR of the rates of results; `reading` says how the bounds are
 * understood.
 */
static double
score_llr_bayesian(const struct score_counts *results, double low, double high,
    enum sprt_reading reading)
{
	bool more = reading == SPRT_READING_CUTECHESS;
	struct bayes bayes = bayes_of(results, more ? 0.5 : 0);
	double scale = more ? bayes_scale(bayes.y) : 1;

	low *= LOG_ODDS_PER_ELO;
	high *= LOG_ODDS_PER_ELO;
	return reading == SPRT_READING_FASTCHESS
	    ? scores_llr(&bayes, low, high)
	    : rates_llr(&bayes, low / scale, high / scale);
}

/* Bets: the sequential test of struct betting. */

/*
 * The fraction is at most this share of the greatest fraction that cannot lose
 * more than all.
 */
#define BET_SHARE 0.75

/*
 * Before the first number, the variance is that of one number with this
 * deviation, as a share of the limit, and the mean 0.
 */
#define PRIOR_DEVIATION 0.125

struct betting
betting_start(double low, double high, double limit)
{
	assert(-limit < low && low < high && high < limit);
	return (struct betting){ .low = low, .high = high, .limit = limit };
}

/*
 * Chooses the fractions on numbers above a point; no number is more than
 * `worst` below the point.  With gain / variance the capital grows fastest
 * (Kelly 1956).  The fractions are limited by BET_SHARE.
 */
static void
fractions_choose(const struct betting *betting, double gain, double seen_gain,
    double worst, double fractions[BETTING_FRACTIONS])
{
	double prior = PRIOR_DEVIATION * betting->limit;
	double variance = (betting->seen.squares + prior * prior) /
	    (double)(betting->seen.count + 1);
	double most = BET_SHARE / worst;
	double gains[BETTING_FRACTIONS] = { gain, fmax(seen_gain, 0) };

	for (int i = 0; i < BETTING_FRACTIONS; i++)
		fractions[i] =
		    fmin(gains[i] / (variance + gains[i] * gains[i]), most);
}

void
betting_add(struct betting *betting, double number)
{
	double count = (double)betting->seen.count;
	double mean = betting->seen.mean * count / (count + 1);
	double apart = betting->high - betting->low;
	double up[BETTING_FRACTIONS], down[BETTING_FRACTIONS];

	number = fmin(fmax(number, -betting->limit), betting->limit);
	fractions_choose(betting, apart, mean - betting->low,
	    betting->limit + betting->low, up);
	fractions_choose(betting, apart, betting->high - mean,
	    betting->limit - betting->high, down);
	for (int i = 0; i < BETTING_FRACTIONS; i++) {
		betting->up[i] += log1p(up[i] * (number - betting->low));
		betting->down[i] += log1p(down[i] * (betting->high - number));
	}
	moments_add(&betting->seen, number);
}

double
betting_log(const double logs[BETTING_FRACTIONS])
{
	double high = fmax(logs[0], logs[1]);
	double low = fmin(logs[0], logs[1]);

	return high + log1p(exp(low - high)) - log(BETTING_FRACTIONS);
}

/*
 * Estimates after a sequential test, in the stagewise ordering.
 *
 * The probability of a worse outcome is computed for a Brownian motion between
 * two bounds: by reflection for short times or strong drifts, by a series of
 * sines otherwise.  If the first look is not at 0, that probability is
 * integrated over the LLR at the first look.  The estimate is the true value
 * for which the probability is the wanted one.
 */
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

/* How the LLR moves if the true mean differs from the one seen. */
struct mean_walk {
	double low, high;      /* the hypotheses */
	double mean, variance; /* as seen */
	/* The variance, widened for the error of its own estimate. */
	double spread;
};

static struct stagewise_walk
mean_walk_of(const struct mean_walk *walk, double true_value)
{
	double apart = walk->high - walk->low;

	return (struct stagewise_walk){
		.drift = apart * (true_value - 0.5 * (walk->low + walk->high)) /
		    walk->variance,
		.variance = apart * apart / walk->variance * walk->spread /
		    walk->variance,
	};
}

/* The end of a test, moved back to the time at which it reached the bound. */
struct test_end {
	double time, llr;
	bool first; /* the test ended at its first look */
};

/* A test as it ended. */
struct stagewise {
	double lower, upper; /* bounds of the LLR: lower < 0 < upper */
	double minimum;      /* observations before the first look, 0 or more */
	double count;        /* observations at the end, above 0 */
	/* At the end; beyond a bound: the bound was reached earlier. */
	double llr;
	double value;       /* plain estimate of the true mean */
	double error;       /* standard error of the plain estimate, above 0 */
	double least, most; /* range of the true mean */
	const struct mean_walk *walk;
	/*
	 * Set by stagewise_estimate(): the end, and the probability of a worse
	 * outcome that is searched.
	 */
	struct test_end end;
	double probability;
};

static struct test_end
test_end_of(const struct stagewise *stagewise)
{
	struct test_end end = { stagewise->count, stagewise->llr, false };

	if (end.llr > stagewise->upper) {
		end.time *= stagewise->upper / end.llr;
		end.llr = stagewise->upper;
	} else if (end.llr < stagewise->lower) {
		end.time *= stagewise->lower / end.llr;
		end.llr = stagewise->lower;
	}
	end.first = end.time <= stagewise->minimum;
	return end;
}

/*
 * The density of the LLR at the first look, times the probability of a worse
 * outcome after it.
 */
static double
worse_after(
    const struct stagewise *stagewise, struct stagewise_walk walk, double start)
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
		worse = stagewise_worse(walk, lower, upper,
		    stagewise->end.time - time, stagewise->end.llr - start);
	return worse * exp(-0.5 * z * z) / (spread * sqrt(2 * M_PI));
}

/*
 * The probability of a worse outcome with a first look.  Samples that were
 * below the lower bound at the first look are worse.  For samples that
 * continued, stagewise_worse gives the probability.
 */
static double
worse_with_first_look(
    const struct stagewise *stagewise, struct stagewise_walk walk)
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

			sum += weight * worse_after(stagewise, walk, start);
		}
	}
	return fmin(normal_distribution((stagewise->lower - middle) / spread) +
		fmax(sum * step / 3, 0),
	    1);
}

/* The probability of a worse outcome, less the one that is searched. */
static double
search_excess(const void *context, double true_value)
{
	const struct stagewise *stagewise = context;
	const struct test_end *end = &stagewise->end;
	struct stagewise_walk walk = mean_walk_of(stagewise->walk, true_value);
	double worse;

	if (end->first)
		worse = normal_distribution(
		    (stagewise->llr - walk.drift * stagewise->count) /
		    sqrt(walk.variance * stagewise->count));
	else if (stagewise->minimum > 0)
		worse = worse_with_first_look(stagewise, walk);
	else
		worse = stagewise_worse(walk, stagewise->lower,
		    stagewise->upper, end->time, end->llr);
	return worse - stagewise->probability;
}

/*
 * The higher the true value, the less likely is a worse outcome.  The search
 * starts near the plain estimate, so that no walk far from the results has to
 * be computed.
 */
static double
search_true_value(const struct stagewise *stagewise)
{
	double near = stagewise->value, step = stagewise->error;
	double excess = search_excess(stagewise, near);
	bool up = excess > 0;

	while (excess != 0) {
		double far = up ? fmin(near + step, stagewise->most)
				: fmax(near - step, stagewise->least);
		double far_excess = search_excess(stagewise, far);

		if (far == near)
			break;
		if (far_excess == 0)
			return far;
		if ((far_excess > 0) != up)
			return root_find(search_excess, stagewise,
			    fmin(near, far), fmax(near, far),
			    1e-12 * fmax(fabs(near), fabs(far)));
		near = far;
		step *= 2;
	}
	return near;
}

/*
 * The median-unbiased estimate and its two-sided interval.  If no true mean
 * from `least` to `most` explains an end, that end is set to the end of this
 * range and marked as beyond.
 */
static struct estimate
stagewise_estimate(struct stagewise *stagewise, double level)
{
	const double probabilities[] = { 0.5, 0.5 + 0.5 * level,
		0.5 - 0.5 * level };
	struct estimate estimate;
	double found[3];

	assert(level > 0 && level < 1);
	assert(stagewise->count > 0 && stagewise->error > 0);
	stagewise->end = test_end_of(stagewise);
	for (int i = 0; i < 3; i++) {
		stagewise->probability = probabilities[i];
		found[i] = search_true_value(stagewise);
	}
	estimate.value = found[0];
	estimate.low = fmin(found[1], found[0]);
	estimate.high = fmax(found[2], found[0]);
	estimate.low_beyond = estimate.low <= stagewise->least;
	estimate.high_beyond = estimate.high >= stagewise->most;
	return estimate;
}

/* The tests, their decisions and estimates. */

/*
 * If more results than this are needed, the remaining number is reported as
 * unknown.
 */
#define REMAINING_MAX 1e15

/* The squares of numbers above this magnitude would overflow. */
#define T_MAX 1e100

/*
 * Decisions by certainty may add at most this share of alpha and beta to the
 * errors.
 */
#define CERTAIN 1e-3

const char *const sprt_model_names[] = {
	[SPRT_MARGIN] = "margin",
	[SPRT_LOGISTIC] = "logistic",
	[SPRT_NORMALIZED] = "normalized",
	[SPRT_BAYESIAN] = "bayesian",
	[SPRT_BETTING] = "betting",
	[SPRT_MODEL_COUNT] = NULL,
};

const char *const sprt_reading_names[] = {
	[SPRT_READING_OPENBENCH] = "openbench",
	[SPRT_READING_CUTECHESS] = "cutechess",
	[SPRT_READING_FASTCHESS] = "fastchess",
	[SPRT_READING_COUNT] = NULL,
};

const char *const sprt_decision_names[] = {
	[SPRT_CONTINUE] = "continue",
	[SPRT_ACCEPT_H0] = "H0",
	[SPRT_ACCEPT_H1] = "H1",
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
_Static_assert(COUNT(sprt_model_names) == SPRT_MODEL_COUNT + 1, "a name each");
_Static_assert(
    COUNT(sprt_reading_names) == SPRT_READING_COUNT + 1, "a name each");
_Static_assert(
    COUNT(sprt_decision_names) == SPRT_DECISION_COUNT, "a name each");

const char *
sprt_unit_name(const struct sprt *sprt)
{
	static const char *const names[] = {
		[SPRT_MARGIN] = "nElo",
		[SPRT_LOGISTIC] = "Elo",
		[SPRT_NORMALIZED] = "nElo",
		[SPRT_BAYESIAN] = "BayesElo",
		[SPRT_BETTING] = "points a deal",
	};

	_Static_assert(COUNT(names) == SPRT_MODEL_COUNT, "a name each");
	if (sprt->unit == SPRT_UNIT_POINTS)
		return "points a deal";
	if (sprt->model == SPRT_BAYESIAN &&
	    sprt->reading == SPRT_READING_CUTECHESS)
		return "Elo";
	return names[sprt->model];
}

/*
 * The number of further results until a bound is reached at the present drift,
 * if there is no decision yet; -1 if it is unknown.
 */
static double
remaining_of(
    const struct sprt *sprt, const struct sprt_state *state, double count)
{
	double bound = state->llr > 0 ? state->upper : state->lower;
	double needed = count / state->llr * (bound - state->llr);

	/*
	 * Without any results `needed` is NaN, and the number is unknown, too.
	 */
	if (!(fabs(needed) <= REMAINING_MAX))
		return -1;
	return fmax(fmax(needed, (double)sprt->minimum - count), 0);
}

static struct sprt_state
state_of(const struct sprt *sprt, double llr, double count)
{
	bool betting = sprt->model == SPRT_BETTING;
	struct sprt_state state = {
		.llr = llr,
		.lower = log(sprt->beta) - (betting ? 0 : log1p(-sprt->alpha)),
		.upper = (betting ? 0 : log1p(-sprt->beta)) - log(sprt->alpha),
	};

	assert(isfinite(llr));
	if (count >= (double)sprt->minimum) {
		if (llr >= state.upper)
			state.decision = SPRT_ACCEPT_H1;
		else if (llr <= state.lower)
			state.decision = SPRT_ACCEPT_H0;
	}
	if (state.decision == SPRT_CONTINUE)
		state.remaining = remaining_of(sprt, &state, count);
	return state;
}

static double
clamp(double value, double limit)
{
	return fmin(fmax(value, -limit), limit);
}

/* The bounds in the unit of the model. */
struct bounds {
	double low, high;
};

static struct bounds
bounds_of(const struct sprt *sprt)
{
	assert(sprt->low < sprt->high);
	assert(sprt->alpha > 0 && sprt->alpha < 0.5);
	assert(sprt->beta > 0 && sprt->beta < 0.5);
	assert(sprt->unit == SPRT_UNIT_ELO || sprt->model == SPRT_MARGIN ||
	    sprt->model == SPRT_BETTING);
	if (sprt->unit == SPRT_UNIT_POINTS)
		return (struct bounds){ sprt->low, sprt->high };
	return (struct bounds){
		clamp(sprt->low, SPRT_ELO_MAX),
		clamp(sprt->high, SPRT_ELO_MAX),
	};
}

/* The margins in units of their sigma, and the hypotheses in the same unit. */
struct margin_test {
	double count, sigma, t;
	struct bounds bounds;
};

/* sigma of the margins must be above 0. */
static struct margin_test
margin_test_of(
    const struct sprt *sprt, const struct moments *margins, bool pair)
{
	double sigma = sqrt(moments_variance(margins));
	struct bounds bounds = bounds_of(sprt);
	double unit = sprt->unit == SPRT_UNIT_POINTS ? sigma
	    : pair ? ESTIMATE_NELO_PER_T / sqrt(2)
		   : ESTIMATE_NELO_PER_T;

	return (struct margin_test){
		.count = (double)margins->count,
		.sigma = sigma,
		.t = clamp(margins->mean / sigma, T_MAX),
		.bounds = {
			.low = clamp(bounds.low / unit, T_MAX),
			.high = clamp(bounds.high / unit, T_MAX),
		},
	};
}

/*
 * The quotient is written as 1 + x, and log1p(x) is computed.  This loses no
 * digits if the bounds are close together.
 */
double
sprt_closed_form(
    const struct sprt *sprt, const struct moments *margins, bool pair)
{
	struct margin_test test;
	double excess, to_low, to_high;

	if (!(margins->squares > 0))
		return 0;
	test = margin_test_of(sprt, margins, pair);
	to_low = test.t - test.bounds.low;
	to_high = test.t - test.bounds.high;
	excess = (test.bounds.high - test.bounds.low) * (to_low + to_high);
	return 0.5 * test.count *
	    (excess > 0 ? log1p(excess / (1 + to_high * to_high))
			: -log1p(-excess / (1 + to_low * to_low)));
}

/* The number of standard errors by which t is above a bound. */
static double
errors_above(const struct margin_test *test, double bound)
{
	return (test->t - bound) *
	    sqrt((test->count - 1) / (1 + 0.5 * bound * bound));
}

/*
 * Whether a t of Student's distribution is beyond everything that chance gives
 * at any look with probability 1 - a.
 */
static bool
is_beyond_chance(double errors, double count, double a)
{
	double z = sqrt((1 + 1 / count) * (log1p(count) - 2 * log(a)));

	return errors > z &&
	    student_distribution(-errors, count - 1) <= normal_distribution(-z);
}

/* Sets a decision that the LLR does not need to confirm; see sprt_moments. */
static void
certainty_set(const struct sprt *sprt, const struct margin_test *test,
    struct sprt_state *state)
{
	double above = errors_above(test, test->bounds.high);
	double below = -errors_above(test, test->bounds.low);

	if (test->count < 2 || test->count < (double)sprt->minimum)
		return;
	if (is_beyond_chance(above, test->count, CERTAIN * sprt->alpha)) {
		state->decision = SPRT_ACCEPT_H1;
		state->errors = above;
	} else if (is_beyond_chance(below, test->count, CERTAIN * sprt->beta)) {
		state->decision = SPRT_ACCEPT_H0;
		state->errors = below;
	} else {
		return;
	}
	state->certain = true;
	state->remaining = 0;
}

static struct moments
margins_floor(const struct sprt *sprt, const struct moments *margins)
{
	return moments_floor(
	    margins, sprt->step > 0 ? sprt->step : SPRT_STEP_DEFAULT);
}

/* If the bots have never differed, the margins contain no information. */
static bool
is_alike(const struct moments *margins)
{
	return margins->mean == 0 && !(margins->squares > 0);
}

struct sprt_state
sprt_moments(const struct sprt *sprt, const struct moments *margins, bool pair)
{
	struct moments floored = margins_floor(sprt, margins);
	struct margin_test test;
	struct sprt_state state;
	const struct bounds *bounds = &test.bounds;

	assert(sprt->model == SPRT_MARGIN);
	if (is_alike(margins) || !(floored.squares > 0))
		return state_of(sprt, 0, (double)margins->count);
	test = margin_test_of(sprt, &floored, pair);
	state = state_of(sprt,
	    test.count * (bounds->high - bounds->low) *
		(test.t - 0.5 * (bounds->low + bounds->high)),
	    test.count);
	if (state.decision == SPRT_CONTINUE)
		certainty_set(sprt, &test, &state);
	return state;
}

/* The number of results. */
static double
total_of(const struct score_counts *results)
{
	double total = 0;

	for (int i = 0; i < results->count; i++)
		total += results->counts[i];
	return total;
}

struct sprt_state
sprt_counts(const struct sprt *sprt, struct score_counts results)
{
	struct bounds bounds = bounds_of(sprt);
	/* The variance of the score of a pair is half that of a game. */
	double games = results.games;
	double t_per_nelo = sqrt(games) / ESTIMATE_NELO_PER_T;
	double total = total_of(&results), llr = 0;

	assert(sprt->model == SPRT_LOGISTIC || sprt->model == SPRT_NORMALIZED ||
	    (sprt->model == SPRT_BAYESIAN && results.count == 3));
	if (!(total > 0))
		return state_of(sprt, 0, total);
	if (sprt->model == SPRT_LOGISTIC)
		llr = score_llr_logistic(&results, bounds.low, bounds.high);
	else if (sprt->model == SPRT_NORMALIZED)
		llr = score_llr_normalized(&results, bounds.low * t_per_nelo,
		    bounds.high * t_per_nelo);
	else
		llr = score_llr_bayesian(
		    &results, bounds.low, bounds.high, sprt->reading);
	return state_of(sprt, llr, total);
}

struct sprt_state
sprt_betting(const struct sprt *sprt, const struct betting *betting)
{
	double up = fmax(betting_log(betting->up), 0);
	double down = fmax(betting_log(betting->down), 0);

	assert(sprt->model == SPRT_BETTING);
	/* The value that is nearer to its bound. */
	return state_of(sprt,
	    up * log(sprt->beta) <= down * log(sprt->alpha) ? up : -down,
	    (double)betting->seen.count);
}

/*
 * The test as it ended after `count` numbers; the true mean is from `least` to
 * `most`.
 */
static struct stagewise
stagewise_of(const struct sprt *sprt, const struct mean_walk *walk,
    double count, double least, double most)
{
	struct sprt_state state = state_of(sprt, 0, 0);

	return (struct stagewise){
		.lower = state.lower,
		.upper = state.upper,
		.minimum = (double)sprt->minimum,
		.count = count,
		.llr = count * (walk->high - walk->low) *
		    (walk->mean - 0.5 * (walk->low + walk->high)) /
		    walk->variance,
		.value = walk->mean,
		.error = sqrt(walk->variance / count),
		.least = least,
		.most = most,
		.walk = walk,
	};
}

/* Bounds nearer than this share of those of the LLR would have no meaning. */
#define BOUNDS_FACTOR_MIN 0.25

/* The square of Student's quantile divided by that of the normal quantile. */
static double
student_excess(double count, double level)
{
	double p = 0.5 + 0.5 * level;
	double ratio = student_quantile(p, count - 1) / normal_quantile(p);

	return ratio * ratio;
}

/*
 * When a test by bets stops, the LLR of normal numbers is not at its bounds: it
 * is beyond them where the worst margin limits the fractions, and short of them
 * where the bet at the mean so far has won.  So the bounds are moved, both by
 * the same factor, until the LLR is at one of them.  If the test has not
 * stopped, they are only moved away.
 */
static void
bounds_move(struct stagewise *stagewise, bool stopped)
{
	double factor = stagewise->llr /
	    (stagewise->llr > 0 ? stagewise->upper : stagewise->lower);

	factor = fmax(factor, stopped ? BOUNDS_FACTOR_MIN : 1);
	stagewise->lower *= factor;
	stagewise->upper *= factor;
}

/* `stopped`: a test by bets has stopped at its bounds. */
static struct estimate
moments_estimate(const struct sprt *sprt, const struct moments *margins,
    bool pair, bool stopped, double level)
{
	struct moments floored = margins_floor(sprt, margins);
	struct margin_test test;
	struct mean_walk walk;
	struct stagewise stagewise;

	if (margins->count < 2 || is_alike(margins) ||
	    fabs(margins->mean) >= ESTIMATE_ELO_MAX)
		return mean_estimate(margins, level);
	test = margin_test_of(sprt, &floored, pair);
	walk = (struct mean_walk){
		.low = test.bounds.low * test.sigma,
		.high = test.bounds.high * test.sigma,
		.mean = margins->mean,
		.variance = test.sigma * test.sigma,
		.spread = moments_sample_variance(&floored) *
		    student_excess(test.count, level),
	};
	stagewise = stagewise_of(
	    sprt, &walk, test.count, -ESTIMATE_ELO_MAX, ESTIMATE_ELO_MAX);
	if (sprt->model == SPRT_BETTING)
		bounds_move(&stagewise, stopped);
	/*
	 * If the test stopped at its first look, no moment was chosen, and the
	 * plain estimate is right.
	 */
	return test_end_of(&stagewise).first
	    ? mean_estimate(margins, level)
	    : stagewise_estimate(&stagewise, level);
}

struct estimate
sprt_moments_estimate(const struct sprt *sprt, const struct moments *margins,
    bool pair, double level)
{
	assert(sprt->model == SPRT_MARGIN);
	return moments_estimate(sprt, margins, pair, false, level);
}

struct estimate
sprt_betting_estimate(
    const struct sprt *sprt, const struct betting *betting, double level)
{
	return moments_estimate(sprt, &betting->seen, false,
	    sprt_betting(sprt, betting).decision != SPRT_CONTINUE, level);
}

struct estimate
sprt_counts_estimate(
    const struct sprt *sprt, struct score_counts results, double level)
{
	/* The limit of the scale; fishtest uses the same. */
	const double elo_max = 1000;
	struct bounds bounds = bounds_of(sprt);
	struct mean_walk walk = { 0 };
	struct stagewise stagewise;
	struct estimate score;
	double total = score_moments(&results, &walk.mean, &walk.variance);
	double games = results.games;
	double sigma = sqrt(games * walk.variance) / ESTIMATE_NELO_PER_T;

	assert(sprt->model == SPRT_LOGISTIC || sprt->model == SPRT_NORMALIZED);
	walk.spread = walk.variance;
	walk.low = sprt->model == SPRT_LOGISTIC ? score_of_elo(bounds.low)
						: 0.5 + bounds.low * sigma;
	walk.high = sprt->model == SPRT_LOGISTIC ? score_of_elo(bounds.high)
						 : 0.5 + bounds.high * sigma;
	/* Scores that a double cannot distinguish never stop a test. */
	if (!(walk.low < walk.high))
		return counts_strength(results, level).elo;
	stagewise = stagewise_of(
	    sprt, &walk, total, score_of_elo(-elo_max), score_of_elo(elo_max));
	score = stagewise_estimate(&stagewise, level);
	return (struct estimate){
		.value = elo_of_score(score.value),
		.low = elo_of_score(score.low),
		.high = elo_of_score(score.high),
		.low_beyond = score.low_beyond,
		.high_beyond = score.high_beyond,
	};
}
