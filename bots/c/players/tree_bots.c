/*
 * The bots that search a tree (@ismcts and @oracle), and the choice of a move
 * below full strength.
 */
#include <assert.h>
#include <math.h>

#include "greedy.h"
#include "now.h"
#include "pace.h"
#include "players.h"
#include "scopa/notation.h"
#include "solve.h"
#include "splitmix.h"

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

/*
 * The levels.  The temperature of level 5 is a third of a point, which is about
 * the difference between the best and the second best move.
 */
static const struct {
	double temperature; /* points */
	double overlooked;  /* for each captured card */
} levels[] = {
	[1] = { 1.50, 0.40 },
	[2] = { 1.00, 0.30 },
	[3] = { 0.70, 0.22 },
	[4] = { 0.50, 0.15 },
	[5] = { 0.35, 0.08 },
	[6] = { 0.25, 0.04 },
	[7] = { 0.17, 0 },
	[8] = { 0.10, 0 },
	[9] = { 0.05, 0 },
	[STRENGTH_MAX] = { 0, 0 },
};
_Static_assert(COUNTOF(levels) == STRENGTH_MAX + 1, "every level has its row");

/* Whether a player of this level overlooks the move. */
static bool
is_overlooked(int level, const struct scopa_move *move, uint64_t *random)
{
	int cards = scopa_set_count(move->captured);

	if (levels[level].overlooked <= 0)
		return false;
	do
		if (splitmix_unit(random) < levels[level].overlooked)
			return true;
	while (--cards > 0);
	return false;
}

/* Returns a random index in proportion to the weights; -1 when all are 0. */
static int
draw(const double *weights, int count, uint64_t *random)
{
	double sum = 0, left;
	int drawn = -1;

	for (int i = 0; i < count; i++)
		sum += weights[i];
	left = splitmix_unit(random) * sum;
	for (int i = 0; i < count; i++) {
		if (weights[i] <= 0)
			continue;
		drawn = i;
		left -= weights[i];
		if (left < 0)
			break;
	}
	return drawn;
}

const struct search_row *
strength_row(const struct search_result *result, int level, double unit,
    uint64_t *random)
{
	double values[SCOPA_MOVES_MAX], weights[SCOPA_MOVES_MAX];
	double best = -(double)INFINITY, worst = (double)INFINITY;
	int count = result->row_count, drawn;

	assert(level >= STRENGTH_MIN && level <= STRENGTH_MAX);
	if (level == STRENGTH_MAX)
		return &result->rows[result->best];
	for (int i = 0; i < count; i++) {
		values[i] = result->rows[i].value / unit;
		if (result->rows[i].visits > 0)
			worst = fmin(worst, values[i]);
	}
	for (int i = 0; i < count; i++) {
		if (result->rows[i].visits <= 0)
			values[i] = worst;
		best = fmax(best, values[i]);
	}
	for (int i = 0; i < count; i++)
		weights[i] = is_overlooked(level, &result->rows[i].move, random)
		    ? 0
		    : exp((values[i] - best) / levels[level].temperature);
	drawn = draw(weights, count, random);
	if (drawn < 0)
		drawn = (int)splitmix_below(random, (uint32_t)count);
	return &result->rows[drawn];
}

/*
 * Searches with the worlds, reward and exploration of `config`, and writes an
 * `info` line.
 */
static bool
search_tree(const struct builtin_turn *turn, struct search_config config,
    struct search_result *result)
{
	const int64_t *options = turn->options;
	const struct pace_limit limit =
	    pace_search_limit(turn, options[TREE_MS], options[TREE_ITERATIONS]);
	/* By index of the option's word. */
	static const int shares[] = { PLAYOUT_EPSILON, PLAYOUT_SHARE_MAX, 0 };
	struct info info;

	config.rules = turn->rules;
	config.view = turn->view;
	config.iterations = options[TREE_ITERATIONS];
	config.deadline_ns = limit.deadline_ns;
	config.eager = true;
	config.random_share = shares[options[TREE_PLAYOUT]];
	config.stopped = turn->stopped;
	config.stopped_context = turn->context;
	config.memory = turn->memory;
	config.memory_size = TREE_MEMORY_SIZE;
	if (!search_run(&config, turn->random, result))
		return false;
	info_init(&info);
	info_whole(&info, "nodes", result->nodes);
	info_whole(&info, "time", (now_ns() - turn->began_ns) / NOW_NS_PER_MS);
	info_decimal(&info, "value", result->rows[result->best].value);
	info_moves(&info, "pv", result->line, result->line_count);
	info_whole(&info, "m.iterations", result->iterations);
	if (turn->all_cards != NULL)
		info_whole(&info, "m.exact", 0);
	else
		info_whole(&info, "m.worlds", result->iterations);
	if (limit.by_clock && result->late)
		info_whole(&info, "cut", 1);
	info_finish(&info, turn->info);
	return true;
}

/*
 * The constant in the paper is for Scopone.  When captures sum to fifteen,
 * sweeps and special points spread the results more, and the search would give
 * up moves at the root too early.
 */
static double
spread_of(const struct scopa_rules *rules)
{
	return rules->capture == SCOPA_CAPTURE_SUM ? 1 : 2;
}

bool
ismcts_choose(const struct builtin_turn *turn, struct scopa_text *answer)
{
	/* By index of the option's word. */
	static const struct {
		search_reward *count;
		double unit; /* reward of one unit of exploration */
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
		.reward = rewards[options[ISMCTS_REWARD]].count,
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

	/*
	 * With three teams the solver assumes that two of them play together,
	 * so its value is not used.
	 */
	if (limits.plies_max == 0 || scopa_team_count(turn->rules) != 2 ||
	    solve_deal(turn->rules, turn->all_cards, &limits, &result) != 0)
		return false;
	info_init(&info);
	info_whole(&info, "depth", result.plies);
	info_whole(&info, "nodes", result.nodes);
	info_decimal(&info, "value", result.value);
	info_whole(&info, "m.exact", 1);
	info_finish(&info, turn->info);
	scopa_move_format(&result.best, answer);
	return true;
}

bool
oracle_choose(const struct builtin_turn *turn, struct scopa_text *answer)
{
	struct scopa_deal world;
	struct search_config config = {
		.worlds = { world_fixed_draw, &world },
		.reward = reward_difference,
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
