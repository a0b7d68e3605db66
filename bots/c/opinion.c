#include "opinion.h"

#include "imagine.h"
#include "now.h"

/* Half of all is for the first search. */
enum { SHARE_OF_FIRST = 2, SHARE_OF_EACH = 4 };

/* The work on one opinion. */
struct forming {
	const struct scopa_rules *rules;
	const struct scopa_view *view;
	const struct opinion_means *means;
	struct scopa_deal deal; /* that agrees with the view */
	uint64_t *random;
	int64_t iterations; /* done so far */
};

/* A search with a share of what is allowed. */
static bool
form_search(struct forming *forming, const struct scopa_move *only, int share)
{
	const struct opinion_means *means = forming->means;
	struct maestro_settings settings = maestro_defaults;

	settings.only = only;
	settings.iterations = means->iterations / share;
	if (means->iterations == 0)
		settings.deadline_ns = now_ns() + means->time_ns / share;
	else if (settings.iterations == 0)
		settings.iterations = 1;
	if (!maestro_think(means->maestro, &settings, forming->rules,
		forming->view, &forming->deal, forming->random))
		return false;
	forming->iterations += means->maestro->result.iterations;
	return true;
}

/* What one move is worth, by a search that looks at no other. */
static bool
form_value(
    struct forming *forming, const struct scopa_move *move, double *value)
{
	const struct search_result *result = &forming->means->maestro->result;

	if (!form_search(forming, move, SHARE_OF_EACH))
		return false;
	*value = result->rows[result->best].value;
	return true;
}

bool
opinion_form(const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_move *played, const struct opinion_means *means,
    uint64_t *random, struct opinion *opinion)
{
	const struct search_result *result = &means->maestro->result;
	struct forming forming = {
		.rules = rules,
		.view = view,
		.means = means,
		.random = random,
	};
	double best, other;

	if (!imagine_deal(rules, view, &forming.deal) ||
	    !form_search(&forming, NULL, SHARE_OF_FIRST))
		return false;
	*opinion = (struct opinion){
		.best = result->rows[result->best].move,
		.value = result->rows[result->best].value,
	};
	if (!scopa_move_equal(played, &opinion->best)) {
		if (!form_value(&forming, &opinion->best, &best) ||
		    !form_value(&forming, played, &other))
			return false;
		opinion->value = best;
		opinion->loss = best > other ? best - other : 0;
	}
	opinion->iterations = forming.iterations;
	return true;
}
