#include "ismcts.h"

#include <assert.h>

#include "info.h"
#include "now.h"
#include "pace.h"
#include "playout.h"
#include "reward.h"
#include "scopa/notation.h"
#include "search.h"
#include "strength.h"

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

/* In the order of ISMCTS_REWARDS; `unit` is what exploration is counted in. */
static const struct {
	void (*count)(
	    void *context, const struct search_end *end, double *rewards);
	double unit;
} rewards[] = {
	{ reward_difference, 1 },
	{ reward_win, 0.25 },
	{ reward_points, 1 },
};

/*
 * The paper's constant is one of Scopone.  Where fifteens are captured, sweeps
 * and special points spread the results of deals wider, and the moves at the
 * root would be given up too early.
 */
static double
spread_of(const struct scopa_rules *rules)
{
	return rules->capture == SCOPA_CAPTURE_SUM ? 1 : 2;
}

static void
result_report(const struct search_result *result, bool cut, int64_t began_ns,
    struct scopa_text *text)
{
	struct info info;

	info_init(&info, text);
	info_whole(&info, "nodes", result->nodes);
	info_whole(&info, "time", (now_ns() - began_ns) / NOW_NS_PER_MS);
	info_decimal(&info, "value", result->rows[result->best].value);
	info_moves(&info, "pv", result->line, result->line_count);
	info_whole(&info, "m.iterations", result->iterations);
	info_whole(&info, "m.worlds", result->iterations);
	info_cut(&info, cut);
	info_finish(&info);
}

bool
ismcts_choose(const struct builtin_turn *turn, struct scopa_text *answer)
{
	const int64_t *options = turn->options;
	struct search_config config = {
		.iterations = options[ISMCTS_ITERATIONS],
		.eager = true,
		.memory = turn->memory,
		.memory_size = ISMCTS_MEMORY_SIZE,
		.stopped = turn->stopped,
		.stopped_context = turn->context,
	};
	struct world_uniform uniform;
	struct playout playout;
	struct search_result result;
	const struct search_row *row;
	struct pace_limit limit;

	assert(options[ISMCTS_REWARD] < (int)COUNTOF(rewards));
	if (!world_uniform_init(&uniform, turn->rules, turn->view))
		return false;
	playout_init(&playout, turn->rules,
	    playout_random_share(options[ISMCTS_PLAYOUT]));
	limit = pace_search_limit(
	    turn, options[ISMCTS_MS], options[ISMCTS_ITERATIONS]);
	config.deadline_ns = limit.deadline_ns;
	config.worlds = (struct world_source){ world_uniform_draw, &uniform };
	config.playout = (struct search_playout){ playout_choose, &playout };
	config.reward.count = rewards[options[ISMCTS_REWARD]].count;
	config.exploration = (double)options[ISMCTS_EXPLORATION] / 100 *
	    rewards[options[ISMCTS_REWARD]].unit * spread_of(turn->rules);
	if (!search_run(
		&config, turn->rules, turn->view, turn->random, &result))
		return false;
	result_report(
	    &result, limit.by_clock && result.late, turn->began_ns, turn->info);
	row = graded_row(&result, (int)options[ISMCTS_STRENGTH],
	    rewards[options[ISMCTS_REWARD]].unit, turn->random);
	scopa_move_format(&row->move, answer);
	return true;
}
