#include "oracle_bot.h"

#include "greedy.h"
#include "info.h"
#include "now.h"
#include "pace.h"
#include "playout.h"
#include "reward.h"
#include "scopa/notation.h"
#include "search.h"
#include "solve.h"

static bool
choose_exactly(const struct builtin_turn *turn, struct scopa_text *answer)
{
	const struct solve_limits limits = {
		.plies_max = (int)turn->options[ORACLE_SOLVE],
		.nodes_max = ORACLE_SOLVE_NODES,
		.memory = (char *)turn->memory + ORACLE_TREE_SIZE,
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

static void
result_report(const struct builtin_turn *turn,
    const struct search_result *result, bool cut)
{
	struct info info;

	info_init(&info, turn->info);
	info_whole(&info, "nodes", result->nodes);
	info_whole(&info, "time", (now_ns() - turn->began_ns) / NOW_NS_PER_MS);
	info_decimal(&info, "value", result->rows[result->best].value);
	info_moves(&info, "pv", result->line, result->line_count);
	info_whole(&info, "m.iterations", result->iterations);
	info_whole(&info, "m.exact", 0);
	info_cut(&info, cut);
	info_finish(&info);
}

static bool
choose_by_search(const struct builtin_turn *turn, struct scopa_text *answer)
{
	const int64_t *options = turn->options;
	const struct pace_limit limit = pace_search_limit(
	    turn, options[ORACLE_MS], options[ORACLE_ITERATIONS]);
	struct world_fixed world = { .deal = turn->all_cards };
	struct playout playout;
	struct search_result result;
	struct search_config config = {
		.iterations = options[ORACLE_ITERATIONS],
		.deadline_ns = limit.deadline_ns,
		.exploration = (double)options[ORACLE_EXPLORATION] / 100,
		.eager = true,
		.worlds = { world_fixed_draw, &world },
		.playout = { playout_choose, &playout },
		.reward = { reward_difference, NULL },
		.stopped = turn->stopped,
		.stopped_context = turn->context,
		.memory = turn->memory,
		.memory_size = ORACLE_TREE_SIZE,
	};

	playout_init(&playout, turn->rules,
	    playout_random_share(options[ORACLE_PLAYOUT]));
	if (!search_run(
		&config, turn->rules, turn->view, turn->random, &result))
		return false;
	result_report(turn, &result, limit.by_clock && result.late);
	scopa_move_format(&result.rows[result.best].move, answer);
	return true;
}

bool
oracle_choose(const struct builtin_turn *turn, struct scopa_text *answer)
{
	struct scopa_move move;

	if (turn->all_cards != NULL)
		return choose_exactly(turn, answer) ||
		    choose_by_search(turn, answer);
	move = greedy_move(turn->rules, turn->view, turn->deal);
	scopa_move_format(&move, answer);
	return true;
}
