#include "report_parts.h"

#include <assert.h>
#include <math.h>

double
report_level(const struct report_view *view)
{
	return view->level > 0 ? view->level : REPORT_LEVEL;
}

double
report_freedom(const struct report_view *view, int a, int b)
{
	const struct cluster_fit fit = {
		.bot_count = report_bot_count(view),
		.ratings = view->ratings.margin,
		.errors = view->ratings.errors,
	};

	return cluster_freedom(&fit, a, b);
}

int
report_bot_count(const struct report_view *view)
{
	return view->standings->bot_count;
}

const char *
report_name(const struct report_view *view, int bot)
{
	assert(bot >= 0 && bot < view->head->bot_count);
	return view->head->bots[bot].name;
}

struct report_pair
report_pair_of(const struct report_view *view, int first, int second)
{
	const struct encounter *encounter =
	    standings_encounter(view->standings, first, second);
	double level = report_level(view);
	struct report_pair pair = {
		.encounter = encounter,
		.margin = mean_estimate(&encounter->margins, level),
		.clean = mean_estimate(&encounter->clean, level),
		.los = mean_los(&encounter->margins),
		.clean_los = mean_los(&encounter->clean),
		.games = strength_of_trinomial(&encounter->results, level),
		.base_forfeits =
		    standings_encounter(view->standings, second, first)
			->forfeits,
	};

	if (view->ratings.residuals != NULL)
		pair.residual =
		    view->ratings
			.residuals[first * report_bot_count(view) + second];
	if (encounter->paired)
		pair.pairs = strength_of_pentanomial(&encounter->pairs, level);
	return pair;
}

/* A value with an interval by its standard error; freedom 0: none is known. */
static struct estimate
estimate_by_error(
    const struct report_view *view, double value, double error, double freedom)
{
	struct estimate estimate = { .value = value };
	double half = HUGE_VAL;

	if (freedom >= 1)
		half = error *
		    (freedom < HUGE_VAL
			    ? student_quantile(
				  (1 + report_level(view)) / 2, freedom)
			    : normal_quantile((1 + report_level(view)) / 2));
	estimate.low = value - half;
	estimate.high = value + half;
	estimate.low_beyond = !(estimate.low > -ESTIMATE_ELO_MAX);
	estimate.high_beyond = !(estimate.high < ESTIMATE_ELO_MAX);
	if (estimate.low_beyond)
		estimate.low = -ESTIMATE_ELO_MAX;
	if (estimate.high_beyond)
		estimate.high = ESTIMATE_ELO_MAX;
	return estimate;
}

struct estimate
report_rating(
    const struct report_view *view, const struct rating *ratings, int bot)
{
	const struct rating *rating = &ratings[bot];

	return estimate_by_error(view, rating->value, rating->error,
	    rating->beyond ? 0 : rating->freedom);
}

struct estimate
report_gap(const struct report_view *view, int first, int second)
{
	const struct report_ratings *ratings = &view->ratings;
	double lead =
	    ratings->margin[first].value - ratings->margin[second].value;
	double error = ratings->errors[first * report_bot_count(view) + second];

	return estimate_by_error(
	    view, lead, error, report_freedom(view, first, second));
}

struct report_source
report_source_of(const struct report_view *view, int bot, enum scopa_item item)
{
	const struct standing *standing = &view->standings->bots[bot];
	int others = scopa_party_count(&view->standings->rules) - 1;
	double deals = standing->deals > 0 ? (double)standing->deals : 1.0;

	return (struct report_source){
		.own = (double)standing->item_points[item] / deals,
		.others = (double)standing->item_points_against[item] /
		    (deals * others),
	};
}

double
report_above_next(const struct report_view *view, int position)
{
	int count = report_bot_count(view);
	const int *order = view->ratings.order;

	if (position + 1 >= count)
		return -1;
	return view->ratings
	    .above[order[position] * count + order[position + 1]];
}

double
report_place_sure(const struct report_view *view, int position)
{
	int count = report_bot_count(view);
	int bot = view->ratings.order[position];

	if (view->ratings.places == NULL)
		return -1;
	return view->ratings.places[bot * count + position];
}

double
report_think_ms(const struct standing *standing)
{
	if (standing->decisions == 0)
		return -1;
	return (double)standing->think_us / (double)standing->decisions / 1e3;
}

bool
report_tells_pairs(const struct report_view *view)
{
	return view->whole || report_bot_count(view) <= REPORT_PAIRS_MAX;
}

bool
report_has_places(const struct report_view *view)
{
	if (view->places == NULL)
		return false;
	for (int bot = 0; bot < report_bot_count(view); bot++)
		if (view->places[bot] >= 0)
			return true;
	return false;
}

enum status
report_exit_status(enum gate_outcome outcome)
{
	switch (outcome) {
	case GATE_PASS:
		return STATUS_DONE;
	case GATE_REGRESSION:
		return STATUS_FAILED;
	case GATE_OPEN:
	case GATE_INCONCLUSIVE:
	case GATE_OUTCOME_COUNT:
		break;
	}
	return STATUS_INCONCLUSIVE;
}
