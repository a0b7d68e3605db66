#include "tree_bots.h"

#include <assert.h>

#include "greedy.h"
#include "info.h"
#include "now.h"
#include "pace.h"
#include "playout.h"
#include "reward.h"
#include "scopa/notation.h"
#include "search.h"
#include "solve.h"
#include "strength.h"

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

/* Searches with these worlds, this reward and exploration; tells of it. */
static bool
search_tree(const struct builtin_turn *turn, struct search_config config,
    struct search_result *result)
{
	const int64_t *options = turn->options;
	const struct pace_limit limit =
	    pace_search_limit(turn, options[TREE_MS], options[TREE_ITERATIONS]);
	struct playout playout;
	struct info info;

	playout_init(
	    &playout, turn->rules, playout_random_share(options[TREE_PLAYOUT]));
	config.iterations = options[TREE_ITERATIONS];
	config.deadline_ns = limit.deadline_ns;
	config.eager = true;
	config.playout = (struct search_playout){ playout_choose, &playout };
	config.stopped = turn->stopped;
	config.stopped_context = turn->context;
	config.memory = turn->memory;
	config.memory_size = TREE_MEMORY_SIZE;
	if (!search_run(&config, turn->rules, turn->view, turn->random, result))
		return false;
	info_init(&info, turn->info);
	info_whole(&info, "nodes", result->nodes);
	info_whole(&info, "time", (now_ns() - turn->began_ns) / NOW_NS_PER_MS);
	info_decimal(&info, "value", result->rows[result->best].value);
	info_moves(&info, "pv", result->line, result->line_count);
	info_whole(&info, "m.iterations", result->iterations);
	if (turn->all_cards != NULL)
		info_whole(&info, "m.exact", 0);
	else
		info_whole(&info, "m.worlds", result->iterations);
	info_cut(&info, limit.by_clock && result->late);
	info_finish(&info);
	return true;
}

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

bool
ismcts_choose(const struct builtin_turn *turn, struct scopa_text *answer)
{
	/* In the order of ISMCTS_REWARDS. */
	static const struct {
		void (*count)(void *context, const struct search_end *end,
		    double *rewards);
		double unit; /* what exploration is counted in */
	} rewards[] = {
		{ reward_difference, 1 },
		{ reward_win, 0.25 },
		{ reward_points, 1 },
	};
	const int64_t *options = turn->options;
	double unit = rewards[options[ISMCTS_REWARD]].unit;
	struct world_uniform uniform;
	struct search_config config = {
		.worlds = { world_uniform_draw, &uniform },
		.reward = { rewards[options[ISMCTS_REWARD]].count, NULL },
		.exploration = (double)options[ISMCTS_EXPLORATION] / 100 *
		    unit * spread_of(turn->rules),
	};
	struct search_result result;
	const struct search_row *row;

	assert(options[ISMCTS_REWARD] < (int)COUNTOF(rewards));
	if (!world_uniform_init(&uniform, turn->rules, turn->view) ||
	    !search_tree(turn, config, &result))
		return false;
	row = strength_row(
	    &result, (int)options[ISMCTS_STRENGTH], unit, turn->random);
	scopa_move_format(&row->move, answer);
	return true;
}

static bool
choose_exactly(const struct builtin_turn *turn, struct scopa_text *answer)
{
	const struct solve_limits limits = {
		.plies_max = (int)turn->options[ORACLE_SOLVE],
		.nodes_max = ORACLE_SOLVE_NODES,
		.memory = (char *)turn->memory + TREE_MEMORY_SIZE,
		.memory_size = ORACLE_SOLVE_SIZE,
		.stopped = turn->stopped,
		.context = turn->context,
	};
	struct solve_result result;
	struct info info;

	/* What three teams make of it is not what each of them would play. */
	if (limits.plies_max == 0 || scopa_team_count(turn->rules) != 2 ||
	    solve_deal(turn->rules, turn->all_cards, &limits, &result) != 0)
		return false;
	info_init(&info, turn->info);
	info_whole(&info, "depth", result.plies);
	info_whole(&info, "nodes", result.nodes);
	info_decimal(&info, "value", result.value);
	info_whole(&info, "m.exact", 1);
	info_finish(&info);
	scopa_move_format(&result.best, answer);
	return true;
}

bool
oracle_choose(const struct builtin_turn *turn, struct scopa_text *answer)
{
	struct scopa_deal world;
	struct search_config config = {
		.worlds = { world_fixed_draw, &world },
		.reward = { reward_difference, NULL },
		.exploration = (double)turn->options[ORACLE_EXPLORATION] / 100,
	};
	struct search_result result;
	struct scopa_move move;

	if (turn->all_cards == NULL) {
		move = greedy_move(turn->rules, turn->deal);
	} else {
		if (choose_exactly(turn, answer))
			return true;
		world = *turn->all_cards;
		if (!search_tree(turn, config, &result))
			return false;
		move = result.rows[result.best].move;
	}
	scopa_move_format(&move, answer);
	return true;
}
