#include "solve.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>

#include "solver.h"

int
solve_plies(const struct scopa_deal *deal)
{
	int plies = SCOPA_PACK_SIZE - deal->dealt;

	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
		plies += scopa_set_count(deal->hands[seat]);
	return plies;
}

int
solve_settle(
    const struct scopa_rules *rules, const struct scopa_deal *deal, int party)
{
	int sign = rules->aim == SCOPA_AIM_LEAST ? -1 : 1, best = INT_MIN;
	struct scopa_score score;

	scopa_score_count(rules, deal, &score);
	for (int other = 0; other < scopa_party_count(rules); other++)
		if (other != party && sign * score.total[other] > best)
			best = sign * score.total[other];
	best = sign * score.total[party] - best;
	if (score.winner != SCOPA_PARTY_NONE)
		best += score.winner == party ? SOLVE_WIN : -SOLVE_WIN;
	return best;
}

/* A value of the search, for the party to move. */
static int
value_turn(const struct solver *solver, int value)
{
	int party = scopa_party_of(solver->rules, solver->deal.turn);

	return party == solver->party ? value : -value;
}

static int
root_exact(struct solver *solver, struct outlook_levels levels)
{
	return solver_exact(solver, levels, solver_guess(solver, levels), 0);
}

/* Whether a move keeps this value of the search. */
static bool
move_keeps(struct solver *solver, struct outlook_levels levels, int count,
    int index, int value)
{
	bool mine =
	    scopa_party_of(solver->rules, solver->deal.turn) == solver->party;
	struct solver_window window = { value - mine, value + !mine };
	struct solver_saved saved;
	int found;

	solver_make(solver, &solver->moves[index], &levels, &saved);
	found = solver_search(solver, levels, window, count);
	solver_unmake(solver, &saved);
	return !solver->error && (mine ? found >= value : found <= value);
}

/* The first legal move that keeps the value; false on an error. */
static bool
best_find(struct solver *solver, struct outlook_levels levels, int value,
    struct scopa_move *best)
{
	int count = solver_list(solver, 0);

	for (int i = 0; i < count && !solver->error; i++) {
		if (move_keeps(solver, levels, count, i, value)) {
			*best = solver->moves[i];
			return true;
		}
	}
	assert(solver->error);
	return false;
}

int
solve_deal(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct solve_limits *limits, struct solve_result *result)
{
	struct outlook_levels levels = outlook_levels_of(deal);
	struct scopa_move best;
	struct solver solver;
	int value, error = solver_init(&solver, rules, deal, limits);

	if (error)
		return error;
	value = root_exact(&solver, levels);
	if (solver.error || !best_find(&solver, levels, value, &best))
		return solver.error;
	*result = (struct solve_result){
		.value = value_turn(&solver, value),
		.best = best,
		.nodes = solver.nodes,
		.plies = solve_plies(deal),
	};
	return 0;
}

/* Best first; those of one value stay in canonical order. */
static void
moves_add(struct solve_move *moves, int count, struct solve_move move)
{
	while (count > 0 && moves[count - 1].value < move.value) {
		moves[count] = moves[count - 1];
		count--;
	}
	moves[count] = move;
}

int
solve_moves(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct solve_limits *limits, struct solve_move *moves, int max,
    struct solve_result *result)
{
	struct solver solver;
	int value, count, error = solver_init(&solver, rules, deal, limits);

	if (error)
		return error;
	value = root_exact(&solver, outlook_levels_of(deal));
	count = solver_list(&solver, 0);
	if (count > max)
		return -ENOBUFS;
	for (int i = 0; i < count; i++) {
		struct outlook_levels levels = outlook_levels_of(deal);
		struct solve_move move = { .move = solver.moves[i] };
		struct solver_saved saved;

		solver_make(&solver, &move.move, &levels, &saved);
		move.value = solver_exact(&solver, levels, value, count);
		solver_unmake(&solver, &saved);
		move.value = value_turn(&solver, move.value);
		moves_add(moves, i, move);
	}
	if (solver.error)
		return solver.error;
	*result = (struct solve_result){
		.value = moves[0].value,
		.best = moves[0].move,
		.nodes = solver.nodes,
		.plies = solve_plies(deal),
	};
	return count;
}

int
solve_line(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct solve_limits *limits, struct scopa_move *line,
    struct scopa_deal *end)
{
	struct outlook_levels levels = outlook_levels_of(deal);
	struct solver solver;
	int value, count = 0, error = solver_init(&solver, rules, deal, limits);

	if (error)
		return error;
	value = root_exact(&solver, levels);
	while (!scopa_deal_over(&solver.deal) && !solver.error) {
		struct solver_saved saved;

		if (!best_find(&solver, levels, value, &line[count]))
			break;
		solver_make(&solver, &line[count++], &levels, &saved);
	}
	if (solver.error)
		return solver.error;
	*end = solver.deal;
	return count;
}
