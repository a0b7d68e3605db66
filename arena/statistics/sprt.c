#include "sprt.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "sprt_score.h"

/* Beyond it a test is as good as endless. */
#define REMAINING_MAX 1e15

/* Numbers of a greater magnitude would let their squares overflow. */
#define T_MAX 1e100

const char *const sprt_model_names[] = {
	[SPRT_MARGIN] = "margin",
	[SPRT_LOGISTIC] = "logistic",
	[SPRT_NORMALIZED] = "normalized",
	[SPRT_BAYESIAN] = "bayesian",
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
	struct sprt_state state = {
		.llr = llr,
		.lower = log(sprt->beta) - log1p(-sprt->alpha),
		.upper = log1p(-sprt->beta) - log(sprt->alpha),
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
	assert(sprt->unit == SPRT_UNIT_ELO || sprt->model == SPRT_MARGIN);
	if (sprt->unit == SPRT_UNIT_POINTS)
		return (struct bounds){ sprt->low, sprt->high };
	return (struct bounds){
		clamp(sprt->low, SPRT_ELO_MAX),
		clamp(sprt->high, SPRT_ELO_MAX),
	};
}

/*
 * n/2 ln((1 + (t - t0)^2) / (1 + (t - t1)^2)), as the logarithm of 1 + what it
 * is above 1, which does not cancel where bounds lie close together.
 */
static double
margin_llr(double count, double t, struct bounds bounds)
{
	double excess =
	    (bounds.high - bounds.low) * (2 * t - bounds.low - bounds.high);
	double to_low = t - bounds.low;
	double to_high = t - bounds.high;

	return 0.5 * count *
	    (excess > 0 ? log1p(excess / (1 + to_high * to_high))
			: -log1p(-excess / (1 + to_low * to_low)));
}

struct sprt_state
sprt_moments(const struct sprt *sprt, const struct moments *margins, bool pair)
{
	double count = (double)margins->count;
	double sigma = sqrt(moments_variance(margins));
	struct bounds bounds = bounds_of(sprt);
	double unit = sprt->unit == SPRT_UNIT_POINTS ? sigma
	    : pair ? ESTIMATE_NELO_PER_T / sqrt(2)
		   : ESTIMATE_NELO_PER_T;

	assert(sprt->model == SPRT_MARGIN);
	if (!(sigma > 0))
		return state_of(sprt, 0, count);
	bounds.low = clamp(bounds.low / unit, T_MAX);
	bounds.high = clamp(bounds.high / unit, T_MAX);
	return state_of(sprt,
	    margin_llr(count, clamp(margins->mean / sigma, T_MAX), bounds),
	    count);
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

struct sprt_state
sprt_trinomial(const struct sprt *sprt, const struct trinomial *results)
{
	struct score_counts counts = {
		.count = 3,
		.counts = {
			(double)results->losses,
			(double)results->draws,
			(double)results->wins,
		},
	};
	struct bounds bounds = bounds_of(sprt);
	double total = total_of(&counts);

	assert(sprt->model != SPRT_MARGIN);
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
	struct score_counts counts = { .count = 5 };

	assert(sprt->model == SPRT_LOGISTIC || sprt->model == SPRT_NORMALIZED);
	for (int i = 0; i < 5; i++)
		counts.counts[i] = (double)results->counts[i];
	return sprt_scores(sprt, &counts);
}
