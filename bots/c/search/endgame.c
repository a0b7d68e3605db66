#include "endgame.h"

#include <assert.h>

/* Worlds between questions whether to stop: many are solved without one. */
enum { STOP_INTERVAL = 8 };

/* Whether this world is not to be solved any more. */
static bool
is_stopped(const struct solve_limits *limits, int world)
{
	return world % STOP_INTERVAL == STOP_INTERVAL - 1 &&
	    limits->stopped != NULL && limits->stopped(limits->context);
}

/* Adds the values of one world to the rows. */
static bool
add_world(const struct belief *belief, int world,
    const struct solve_limits *limits, uint64_t *random,
    struct search_result *result)
{
	struct solve_move moves[SCOPA_MOVES_MAX];
	struct solve_result solved;
	struct scopa_deal deal;
	int count;

	belief_world(belief, world, random, &deal);
	count = solve_moves(
	    belief->rules, &deal, limits, moves, SCOPA_MOVES_MAX, &solved);
	if (count < 0)
		return false;
	assert(count == result->row_count);
	for (int i = 0; i < count; i++)
		for (int j = 0; j < result->row_count; j++)
			if (scopa_move_equal(
				&moves[i].move, &result->rows[j].move))
				result->rows[j].value +=
				    belief->weights[world] * moves[i].value;
	result->nodes += solved.nodes;
	return true;
}

static void
rows_fill(const struct belief *belief, struct search_result *result)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];

	result->row_count =
	    scopa_moves(belief->rules, &belief->deal, moves, SCOPA_MOVES_MAX);
	for (int i = 0; i < result->row_count; i++)
		result->rows[i] = (struct search_row){
			.move = moves[i],
			.visits = belief->world_count,
		};
}

bool
endgame_solve(const struct belief *belief, const struct solve_limits *limits,
    uint64_t *random, struct search_result *result)
{
	if (!belief->listed || scopa_team_count(belief->rules) != 2)
		return false;
	result->nodes = 0;
	result->plays = 0;
	result->memory_used = 0;
	result->iterations = belief->world_count;
	result->late = false;
	result->exact = true;
	rows_fill(belief, result);
	for (int i = 0; i < belief->world_count; i++)
		if (is_stopped(limits, i) ||
		    !add_world(belief, i, limits, random, result))
			return false;
	result->best = 0;
	for (int i = 1; i < result->row_count; i++)
		if (result->rows[i].value > result->rows[result->best].value)
			result->best = i;
	result->line_count = 1;
	result->line[0] = result->rows[result->best].move;
	return true;
}
