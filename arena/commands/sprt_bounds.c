#include "sprt_bounds.h"

#include <stdio.h>

#include "option.h"
#include "text_format.h"

/* Of tests for progress as engines are tested: none, or five Elo. */
static const double elo_low = 0, elo_high = 5;

/* Of the model betting, which has no Elo. */
static const double points_low = 0, points_high = 0.3;

bool
sprt_bound_parse(const char *value, void *field, struct scopa_text *why)
{
	const struct option row = {
		.kind = OPTION_REAL, .min = -10000, .max = 10000
	};
	double number;
	const struct option_target target = { &row, &number, "" };
	struct sprt_bound *bound = field;
	struct option_error error;

	if (!option_value_read(&target, value, &error)) {
		scopa_text_string(why, "expects a number, -10000 to 10000");
		return false;
	}
	*bound = (struct sprt_bound){ .given = true, .value = number };
	return true;
}

static bool
is_error_rate(double rate)
{
	return rate > 0 && rate < 0.5;
}

/* What the bounds have against each other, or NULL. */
static const char *
flaw_of(const struct sprt_bounds *bounds, const struct sprt *sprt)
{
	bool elo = bounds->elo0.given || bounds->elo1.given;
	bool points = bounds->points0.given || bounds->points1.given;

	if (!is_error_rate(sprt->alpha) || !is_error_rate(sprt->beta))
		return "alpha and beta are above 0 and below 0.5";
	if (elo && points)
		return "bounds are in Elo or in points, not in both";
	if (elo && sprt->model == SPRT_BETTING)
		return "the model betting counts points: give points0 and "
		       "points1";
	if (points && sprt->model != SPRT_MARGIN && sprt->model != SPRT_BETTING)
		return "only the models margin and betting count points";
	if (points && !(bounds->points0.given && bounds->points1.given))
		return "points0 and points1 belong together";
	return NULL;
}

static double
bound_or(const struct sprt_bound *bound, double fallback)
{
	return bound->given ? bound->value : fallback;
}

bool
sprt_bounds_set(
    const struct sprt_bounds *bounds, struct sprt *sprt, struct scopa_text *why)
{
	bool points = bounds->points0.given || sprt->model == SPRT_BETTING;
	double low = points ? bound_or(&bounds->points0, points_low)
			    : bound_or(&bounds->elo0, elo_low);
	double high = points ? bound_or(&bounds->points1, points_high)
			     : bound_or(&bounds->elo1, elo_high);
	const char *flaw = flaw_of(bounds, sprt);

	if (flaw != NULL) {
		scopa_text_string(why, flaw);
		return false;
	}
	if (!(low < high)) {
		figure_print(why, "%s0=%g is not below %s1=%g",
		    points ? "points" : "elo", low, points ? "points" : "elo",
		    high);
		return false;
	}
	sprt->unit = points ? SPRT_UNIT_POINTS : SPRT_UNIT_ELO;
	sprt->low = low;
	sprt->high = high;
	return true;
}
