#include "sprt_results.h"

#include <assert.h>
#include <math.h>

#include "estimate.h"

/* Above it mean / sigma cannot be told from a distribution without spread. */
#define T_MAX 1e4

/* Two solutions lie farther apart than by this factor, or are as good. */
#define SEARCH_STEP 1.15

/* So far from the ends of a range phi has both signs in spite of rounding. */
#define INSET 1e-6

/*
 * The most likely distribution with mean 0 is p = q / w with the weights w = 1
 * + theta v, where sum q v / w = 0.  All weights must be above 0, so theta lies
 * between -1 / v_max and -1 / v_min, and a root next to either end cannot be
 * told from it.  So the way between the ends is measured by its log odds z:
 * with lambda = 1 / (1 + exp -z), weights are sums of parts above 0,
 *
 *	w = lambda (v - v_min) / -v_min + (1 - lambda) (v_max - v) / v_max.
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

/* The weights at one z: `from_low` = lambda / -v_min, `from_high` likewise. */
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

/* The mean of the tilted frequencies, which falls with z. */
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
 * below its frequency: that of v_max bounds lambda from below, and that of
 * v_min bounds 1 - lambda.  The root may lie on such a bound; at half of it the
 * sign is sure.
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
 * sum q ln w at the root.  It is a maximum over theta, so an error of z counts
 * by its square only.  Weights near 1 are taken from theta itself: with bounds
 * close to the truth, all of them are, and what matters is how far from 1.
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
 * sqrt(1 + t^2) and rms^2 the mean of the squares.  For t > 0 we have
 *
 *	tau rms = min over r > 0 of the mean of tau (r + v^2 / r) / 2,
 *
 * reached at r = rms.  So, whatever r is, the hypothesis that phi_r(v) = v -
 * tau (r + v^2 / r) / 2 has mean 0 touches the real one where rms = r, and the
 * solution is the r whose most likely distribution has rms = r.  That is one
 * equation in one unknown, between bounds where its sign is known.  (Iterating
 * it from a uniform distribution, as is usual, does not always converge.)
 */
struct curve {
	const struct likelihood *seen;
	double tau;
	double mean, square; /* of what was seen; `square`: of the squares */
};

/* phi_r of everything, to be solved. */
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

/* By how much the rms of the most likely distribution for r is above r. */
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

/* The divergence where rms = r, between bounds where it is above and below. */
static double
curve_divergence(const struct curve *curve, double low, double high)
{
	struct likelihood phi;
	double r;

	/* Where the two bounds meet, rounding may lose the signs. */
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
 * The least divergence of all solutions between two such bounds: values that
 * were hardly seen can give solutions of their own.
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
	/* The last step goes down unless an earlier one has. */
	if (excess > 0 || least == HUGE_VAL)
		least = fmin(least, curve_divergence(curve, low, high));
	return least;
}

/* The greatest magnitude: no rms is above it. */
static double
rms_max(const struct likelihood *seen)
{
	double max = 0;

	for (int i = 0; i < seen->count; i++)
		max = fmax(max, fabs(seen->values[i]));
	return max;
}

/*
 * What was seen has a greater t than the hypothesis.  The distributions with a
 * smaller one are a convex set, and r of the solution lies between those whose
 * phi has mean 0 in what was seen.
 */
static double
divergence_below(const struct curve *curve)
{
	double middle = curve->mean / curve->tau;
	double high = middle + sqrt(fmax(middle * middle - curve->square, 0));
	double low = curve->square / high;

	high = fmin(high, rms_max(curve->seen));
	/* At the lower end itself phi may be 0 for all that was seen. */
	return curve_divergence(
	    curve, low + INSET * fmin(low, high - low), high);
}

/* The next value above `value`; HUGE_VAL after the last. */
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
 * What was seen has a smaller t than the hypothesis.  For r to have a solution,
 * phi must be above 0 somewhere, and with `reach` = tau / (1 + sqrt(1 - tau^2))
 * that is so at v for r from v reach to v / reach.  Where these ranges overlap
 * they are one, with a solution; for a great t there can be several, of which
 * the most likely one is taken.
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
		/* At the ends themselves everything is in one point. */
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

	t = fmin(fmax(t, -T_MAX), T_MAX);
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

/* Results that were not seen, so that no likelihood is 0. */
#define UNSEEN 1e-3

/* The natural logarithm of the odds that one Elo stands for. */
#define LOG_ODDS_PER_ELO (2.302585092994045684 / 400)

/* 1 / (1 + exp -x) */
static double
sigmoid(double x)
{
	return 1 / (1 + exp(-x));
}

/*
 * The frequencies of results, and their number.  The scores are differences
 * from an expected one, `won`; `lost` = 1 - won is given because it may be too
 * small to be told from won.
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
		/* From the nearer end. */
		likelihood->values[i] = 2 * i < last
		    ? (double)i / last - won
		    : lost - (double)(last - i) / last;
	}
	for (int i = 0; i <= last; i++)
		likelihood->frequencies[i] /= total;
	return total;
}

double
score_moments(
    const struct score_counts *results, double *mean, double *variance)
{
	struct likelihood seen;
	double total = likelihood_of_counts(results, 0, 1, &seen);
	double square = 0;

	*mean = 0;
	for (int i = 0; i < seen.count; i++)
		*mean += seen.frequencies[i] * seen.values[i];
	for (int i = 0; i < seen.count; i++) {
		double difference = seen.values[i] - *mean;

		square += seen.frequencies[i] * difference * difference;
	}
	*variance = square;
	return total;
}

/* n times the divergence from all distributions with this score. */
static double
score_cost(const struct score_counts *results, double won, double lost)
{
	struct likelihood likelihood;
	double total = likelihood_of_counts(results, won, lost, &likelihood);

	return total * likelihood_mean_divergence(&likelihood);
}

double
score_llr_logistic(const struct score_counts *results, double low, double high)
{
	return score_cost(results, score_of_elo(low), score_of_elo(-low)) -
	    score_cost(results, score_of_elo(high), score_of_elo(-high));
}

double
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
 * BayesElo says win = sigmoid(x - y) and loss = sigmoid(-x - y), where x is the
 * strength and y >= 0 is drawelo, both as log odds (the model of Rao and Kupper
 * 1967).  Then draw = 1 - win - loss = (exp 2y - 1) win loss, so a draw is as
 * much evidence as a win and a loss together, whatever y is.
 */
struct bayes {
	double wins, draws, losses;
	double y;
};

static struct bayes
bayes_of(const struct trinomial *results, double extra)
{
	struct bayes bayes = {
		.wins = (double)results->wins + extra,
		.draws = (double)results->draws + extra,
		.losses = (double)results->losses + extra,
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
 * ln win(high) - ln win(low): without the difference of two logarithms as long
 * as that loses digits.
 */
static double
log_win_ratio(double low, double high, double y)
{
	if (high - low > 1)
		return softplus(y - low) - softplus(y - high);
	return log1p(expm1(high - low) * sigmoid(y - high));
}

/* Of strengths as log odds. */
static double
rates_llr(const struct bayes *bayes, double low, double high)
{
	return (bayes->wins + bayes->draws) *
	    log_win_ratio(low, high, bayes->y) -
	    (bayes->losses + bayes->draws) *
	    log_win_ratio(-high, -low, bayes->y);
}

/* The expected score of a strength, as log odds; of -x it is the rest. */
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

double
score_llr_bayesian(const struct trinomial *results, double low, double high,
    enum sprt_reading reading)
{
	bool more = reading == SPRT_READING_CUTECHESS;
	struct bayes bayes = bayes_of(results, more ? 0.5 : 0);
	double scale = bayes_scale(bayes.y);

	low *= LOG_ODDS_PER_ELO;
	high *= LOG_ODDS_PER_ELO;
	switch (reading) {
	case SPRT_READING_CUTECHESS:
		return rates_llr(&bayes, low / scale, high / scale);
	case SPRT_READING_FASTCHESS:
		return scores_llr(&bayes, low, high);
	case SPRT_READING_OPENBENCH:
	case SPRT_READING_COUNT:
		break;
	}
	return rates_llr(&bayes, low, high);
}
