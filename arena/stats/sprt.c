#include "sprt.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "sprt_results.h"
#include "stagewise.h"

/* Of all that may be staked without going below 0. */
#define STAKE_PART 0.75

/*
 * Before anything was seen: one number with a deviation of so much of the
 * limit, and a mean of 0.
 */
#define PRIOR_DEVIATION 0.125

struct betting
betting_start(double low, double high, double limit)
{
	assert(-limit < low && low < high && high < limit);
	return (struct betting){ .low = low, .high = high, .limit = limit };
}

/*
 * The stakes on numbers above a point, of which none is more than `worst` below
 * it: gain / variance grows fastest (Kelly 1956), as far as that is allowed.
 */
static void
stakes_choose(const struct betting *betting, double gain, double seen_gain,
    double worst, double stakes[BETTING_STAKES])
{
	double prior = PRIOR_DEVIATION * betting->limit;
	double variance = (betting->seen.squares + prior * prior) /
	    (double)(betting->seen.count + 1);
	double most = STAKE_PART / worst;
	double gains[BETTING_STAKES] = { gain, fmax(seen_gain, 0) };

	for (int i = 0; i < BETTING_STAKES; i++)
		stakes[i] =
		    fmin(gains[i] / (variance + gains[i] * gains[i]), most);
}

void
betting_add(struct betting *betting, double number)
{
	double count = (double)betting->seen.count;
	double mean = betting->seen.mean * count / (count + 1);
	double apart = betting->high - betting->low;
	double up[BETTING_STAKES], down[BETTING_STAKES];

	number = fmin(fmax(number, -betting->limit), betting->limit);
	stakes_choose(betting, apart, mean - betting->low,
	    betting->limit + betting->low, up);
	stakes_choose(betting, apart, betting->high - mean,
	    betting->limit - betting->high, down);
	for (int i = 0; i < BETTING_STAKES; i++) {
		betting->up[i] += log1p(up[i] * (number - betting->low));
		betting->down[i] += log1p(down[i] * (betting->high - number));
	}
	moments_add(&betting->seen, number);
}

/* The logarithm of the mean. */
static double
log_mean(const double logs[BETTING_STAKES])
{
	double high = fmax(logs[0], logs[1]);
	double low = fmin(logs[0], logs[1]);

	return high + log1p(exp(low - high)) - log(BETTING_STAKES);
}

double
betting_log_up(const struct betting *betting)
{
	return log_mean(betting->up);
}

double
betting_log_down(const struct betting *betting)
{
	return log_mean(betting->down);
}

/* Beyond it a test is as good as endless. */
#define REMAINING_MAX 1e15

/* Numbers of a greater magnitude would let their squares overflow. */
#define T_MAX 1e100

/* The part of alpha and beta that decisions by certainty may add. */
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

static const char *const decision_names[] = {
	[SPRT_CONTINUE] = "continue",
	[SPRT_ACCEPT_H0] = "H0",
	[SPRT_ACCEPT_H1] = "H1",
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
_Static_assert(COUNT(sprt_model_names) == SPRT_MODEL_COUNT + 1, "a name each");
_Static_assert(
    COUNT(sprt_reading_names) == SPRT_READING_COUNT + 1, "a name each");
_Static_assert(COUNT(decision_names) == SPRT_DECISION_COUNT, "a name each");

const char *
sprt_model_name(enum sprt_model model)
{
	assert(model < SPRT_MODEL_COUNT);
	return sprt_model_names[model];
}

const char *
sprt_reading_name(enum sprt_reading reading)
{
	assert(reading < SPRT_READING_COUNT);
	return sprt_reading_names[reading];
}

const char *
sprt_decision_name(enum sprt_decision decision)
{
	assert(decision < SPRT_DECISION_COUNT);
	return decision_names[decision];
}

const char *
sprt_unit_name(const struct sprt *sprt)
{
	if (sprt->unit == SPRT_UNIT_POINTS)
		return "points a deal";
	switch (sprt->model) {
	case SPRT_MARGIN:
	case SPRT_NORMALIZED:
		return "nElo";
	case SPRT_BAYESIAN:
		if (sprt->reading != SPRT_READING_CUTECHESS)
			return "BayesElo";
		break;
	case SPRT_BETTING:
		return "points a deal";
	case SPRT_LOGISTIC:
	case SPRT_MODEL_COUNT:
		break;
	}
	return "Elo";
}

/* How many more at the present drift, where there was no decision. */
static double
remaining_of(
    const struct sprt *sprt, const struct sprt_state *state, double count)
{
	double bound = state->llr > 0 ? state->upper : state->lower;
	double needed = count / state->llr * (bound - state->llr);

	/* NaN, of no results at all, says nothing either. */
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

/* Margins in units of their sigma, and the hypotheses likewise. */
struct margin_test {
	double count, sigma, t;
	struct bounds bounds;
};

/* sigma must be above 0. */
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
 * The logarithm of 1 + what the quotient is above 1, which does not cancel
 * where bounds lie close together.
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

/* By how many standard errors t lies above a bound. */
static double
errors_above(const struct margin_test *test, double bound)
{
	return (test->t - bound) *
	    sqrt((test->count - 1) / (1 + 0.5 * bound * bound));
}

/* Whether a Student's t is more than chance ever gives with 1 - a. */
static bool
is_beyond_chance(double errors, double count, double a)
{
	double z = sqrt((1 + 1 / count) * (log1p(count) - 2 * log(a)));

	return errors > z &&
	    student_distribution(-errors, count - 1) <= normal_distribution(-z);
}

/* A decision that needs no further evidence; see sprt_moments. */
static void
certainty_take(const struct sprt *sprt, const struct margin_test *test,
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

/* Bots that did not differ once say nothing. */
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
		certainty_take(sprt, &test, &state);
	return state;
}

/* The number of results. */
static double
total_of(const struct score_counts *results)
{
	double total = 0;

	for (int i = 0; i < results->count; i++) {
		assert(results->counts[i] >= 0);
		assert(results->counts[i] <= (double)ESTIMATE_COUNT_MAX);
		total += results->counts[i];
	}
	return total;
}

/* Of results whose scores are all that the model looks at. */
static struct sprt_state
sprt_scores(const struct sprt *sprt, const struct score_counts *results)
{
	struct bounds bounds = bounds_of(sprt);
	/* The score of a pair has half the variance of that of a game. */
	double games = results->count == 5 ? 2 : 1;
	double t_per_nelo = sqrt(games) / ESTIMATE_NELO_PER_T;
	double total = total_of(results);

	if (!(total > 0))
		return state_of(sprt, 0, total);
	return state_of(sprt,
	    sprt->model == SPRT_LOGISTIC
		? score_llr_logistic(results, bounds.low, bounds.high)
		: score_llr_normalized(results, bounds.low * t_per_nelo,
		      bounds.high * t_per_nelo),
	    total);
}

static struct score_counts
trinomial_counts(const struct trinomial *results)
{
	return (struct score_counts){
		.count = 3,
		.counts = {
			(double)results->losses,
			(double)results->draws,
			(double)results->wins,
		},
	};
}

static struct score_counts
pentanomial_counts(const struct pentanomial *results)
{
	struct score_counts counts = { .count = 5 };

	for (int i = 0; i < 5; i++)
		counts.counts[i] = (double)results->counts[i];
	return counts;
}

struct sprt_state
sprt_trinomial(const struct sprt *sprt, const struct trinomial *results)
{
	struct score_counts counts = trinomial_counts(results);
	struct bounds bounds = bounds_of(sprt);
	double total = total_of(&counts);

	assert(sprt->model != SPRT_MARGIN && sprt->model != SPRT_BETTING);
	if (sprt->model != SPRT_BAYESIAN)
		return sprt_scores(sprt, &counts);
	if (!(total > 0))
		return state_of(sprt, 0, total);
	return state_of(sprt,
	    score_llr_bayesian(results, bounds.low, bounds.high, sprt->reading),
	    total);
}

struct sprt_state
sprt_pentanomial(const struct sprt *sprt, const struct pentanomial *results)
{
	struct score_counts counts = pentanomial_counts(results);

	assert(sprt->model == SPRT_LOGISTIC || sprt->model == SPRT_NORMALIZED);
	return sprt_scores(sprt, &counts);
}

struct sprt_state
sprt_betting(const struct sprt *sprt, const struct betting *betting)
{
	double up = fmax(betting_log_up(betting), 0);
	double down = fmax(betting_log_down(betting), 0);

	assert(sprt->model == SPRT_BETTING);
	/* What is nearer to its bound. */
	return state_of(sprt,
	    up * log(sprt->beta) <= down * log(sprt->alpha) ? up : -down,
	    (double)betting->seen.count);
}

/* How the LLR goes where the mean is not as it was seen. */
struct mean_walk {
	double low, high;      /* the hypotheses */
	double mean, variance; /* as seen */
	double spread;         /* the variance, with what its error adds */
};

static struct stagewise_walk
mean_walk_of(const void *context, double true_value)
{
	const struct mean_walk *walk = context;
	double apart = walk->high - walk->low;

	return (struct stagewise_walk){
		.drift = apart * (true_value - 0.5 * (walk->low + walk->high)) /
		    walk->variance,
		.variance = apart * apart / walk->variance * walk->spread /
		    walk->variance,
	};
}

/* The test as it ended after so many, of a mean from `least` to `most`. */
static struct stagewise
stagewise_of(const struct sprt *sprt, const struct mean_walk *walk,
    double count, double least, double most)
{
	struct sprt_state state = state_of(sprt, 0, 0);
	/* Half of the stakes follow the LLR. */
	double half_log = sprt->model == SPRT_BETTING ? log(2) : 0;

	return (struct stagewise){
		.lower = state.lower - half_log,
		.upper = state.upper + half_log,
		.minimum = (double)sprt->minimum,
		.count = count,
		.llr = count * (walk->high - walk->low) *
		    (walk->mean - 0.5 * (walk->low + walk->high)) /
		    walk->variance,
		.value = walk->mean,
		.error = sqrt(walk->variance / count),
		.least = least,
		.most = most,
		.walk = mean_walk_of,
		.context = walk,
	};
}

/* The square of Student's quantile over that of the normal one. */
static double
student_excess(double count, double level)
{
	double p = 0.5 + 0.5 * level;
	double ratio = student_quantile(p, count - 1) / normal_quantile(p);

	return ratio * ratio;
}

struct estimate
sprt_moments_estimate(const struct sprt *sprt, const struct moments *margins,
    bool pair, double level)
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
	return stagewise_is_first(&stagewise)
	    ? mean_estimate(margins, level)
	    : stagewise_estimate(&stagewise, level);
}

/* The same of scores, in logistic Elo; the models read the bounds. */
static struct estimate
scores_estimate(
    const struct sprt *sprt, const struct score_counts *results, double level)
{
	/* As far as fishtest looks. */
	const double elo_max = 1000;
	struct bounds bounds = bounds_of(sprt);
	struct mean_walk walk = { 0 };
	struct stagewise stagewise;
	struct estimate score;
	double total = score_moments(results, &walk.mean, &walk.variance);
	double games = results->count == 5 ? 2 : 1;
	double sigma = sqrt(games * walk.variance) / ESTIMATE_NELO_PER_T;

	walk.spread = walk.variance;
	walk.low = sprt->model == SPRT_LOGISTIC ? score_of_elo(bounds.low)
						: 0.5 + bounds.low * sigma;
	walk.high = sprt->model == SPRT_LOGISTIC ? score_of_elo(bounds.high)
						 : 0.5 + bounds.high * sigma;
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

struct estimate
sprt_trinomial_estimate(
    const struct sprt *sprt, const struct trinomial *results, double level)
{
	struct score_counts counts = trinomial_counts(results);

	assert(sprt->model == SPRT_LOGISTIC || sprt->model == SPRT_NORMALIZED);
	return scores_estimate(sprt, &counts, level);
}

struct estimate
sprt_pentanomial_estimate(
    const struct sprt *sprt, const struct pentanomial *results, double level)
{
	struct score_counts counts = pentanomial_counts(results);

	assert(sprt->model == SPRT_LOGISTIC || sprt->model == SPRT_NORMALIZED);
	return scores_estimate(sprt, &counts, level);
}
