/*
 * The exact solver compared with a plain search that uses only the rules,
 * without a table of positions or bounds; the last cards, for which all
 * possible worlds are solved; and the bounds of the static evaluation.
 */
#include <errno.h>
#include <limits.h>

#include "solve.h"
#include "static_evaluation.h"
#include "support.h"
#include "test.h"
#include "world_fixture.h"

enum {
	MEMORY_SIZE = 4 << 20,
	MOVES_MAX = 512,
	/* The largest number of sequences of moves that is enumerated. */
	LEAVES_MAX = 60000
};

static _Alignas(64) unsigned char memory[MEMORY_SIZE];

static struct solve_limits
limits_make(void)
{
	return (struct solve_limits){ .memory = memory,
		.memory_size = sizeof(memory) };
}

/* A position of a random deal with `plies` plies left. */
static void
position_make(const struct scopa_rules *rules, uint64_t *rng, int plies,
    struct scopa_deal *deal)
{
	do {
		support_deal_random(rules, rng,
		    support_random_below(rng, rules->players), deal);
		while (!scopa_deal_over(deal) && solve_plies(deal) > plies)
			support_play_random(rules, deal, rng);
	} while (scopa_deal_over(deal));
}

/* `leaves` counts the visited leaves down. */
struct enumeration {
	const struct scopa_rules *rules;
	int team; /* team whose value is computed, against all others */
	long leaves;
};

/* Alpha-beta search without a table and without bounds. */
static int
search_plainly(
    struct enumeration *all, const struct scopa_deal *deal, int alpha, int beta)
{
	struct scopa_move moves[MOVES_MAX];
	bool mine;
	int count;

	if (scopa_deal_over(deal)) {
		all->leaves--;
		return solve_value(all->rules, deal, all->team);
	}
	if (all->leaves < 0)
		return 0;
	mine = scopa_team_of(all->rules, deal->turn) == all->team;
	count = scopa_moves(all->rules, deal, moves, MOVES_MAX);
	assert_in_range(count, 1, MOVES_MAX);
	for (int i = 0; i < count && alpha < beta; i++) {
		struct scopa_deal next = *deal;
		int value;

		scopa_deal_apply(all->rules, &next, &moves[i]);
		value = search_plainly(all, &next, alpha, beta);
		if (mine && value > alpha)
			alpha = value;
		if (!mine && value < beta)
			beta = value;
	}
	return mine ? alpha : beta;
}

/* The line must be legal, complete, and have the given value. */
static void
assert_line(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct solve_limits *limits, int value)
{
	struct scopa_move line[SCOPA_HISTORY_MAX];
	struct scopa_deal end, replay = *deal;
	int team = scopa_team_of(rules, deal->turn);
	int count = solve_line(rules, deal, limits, line, &end);

	assert_in_range(count, 1, SCOPA_HISTORY_MAX);
	for (int i = 0; i < count; i++) {
		assert_int_equal(
		    scopa_deal_check(rules, &replay, &line[i]), SCOPA_LEGAL);
		scopa_deal_apply(rules, &replay, &line[i]);
	}
	assert_true(scopa_deal_over(&replay));
	assert_int_equal(solve_value(rules, &replay, team), value);
	assert_int_equal(solve_value(rules, &end, team), value);
}

/*
 * Compares each move of a position; false if there are too many sequences of
 * moves to enumerate.
 */
static bool
compare(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	struct solve_limits limits = limits_make();
	struct enumeration all = { .rules = rules,
		.team = scopa_team_of(rules, deal->turn),
		.leaves = LEAVES_MAX };
	struct solve_move moves[MOVES_MAX];
	struct solve_result result, again;
	int count =
	    solve_moves(rules, deal, &limits, moves, MOVES_MAX, &result);

	assert_in_range(count, 1, MOVES_MAX);
	for (int i = 0; i < count; i++) {
		struct scopa_deal next = *deal;
		int value;

		scopa_deal_apply(rules, &next, &moves[i].move);
		value = search_plainly(&all, &next, -9999, 9999);
		if (all.leaves < 0)
			return false;
		assert_int_equal(moves[i].value, value);
		assert_true(i == 0 || moves[i - 1].value >= moves[i].value);
	}
	assert_int_equal(result.value, moves[0].value);
	assert_int_equal(solve_deal(rules, deal, &limits, &again), 0);
	assert_int_equal(again.value, result.value);
	assert_true(scopa_move_equal(&again.best, &result.best));
	assert_line(rules, deal, &limits, result.value);
	return true;
}

/* Compares positions of a rule set, with as many plies as are quick. */
static void
compare_rules(const char *spec, uint64_t rng)
{
	struct scopa_rules rules = support_rules(spec);
	int most = rules.players == 4 && rules.hand > 3 ? 15 : 12;
	long positions =
	    support_number("SCOPA_TEST_POSITIONS", support_few_or_all(4, 12));

	for (long i = 0; i < positions; i++) {
		struct scopa_deal deal;
		int plies = 1 + support_random_below(&rng, most);

		do {
			position_make(&rules, &rng, plies--, &deal);
		} while (!compare(&rules, &deal));
	}
}

TEST(test_values_are_equal_to_those_of_a_plain_search)
{
	assert_true(support_each_spec(compare_rules) > 200);
}

TEST(test_values_of_longer_endings_are_equal_to_those_of_a_plain_search)
{
	static const char *const specs[] = { "scientifico", "scopone",
		"trentino", "trente", "scientifico,ponino=yes",
		"scientifico,sevens=escoba,re-bello=yes",
		"scopone,capture=fifteen,priority=any",
		"scientifico,primiera-missing=partial",
		"scientifico,aim=least,napola=run" };
	int positions = (int)support_number("SCOPA_TEST_ENDINGS", 3);
	uint64_t rng = 5;

	for (size_t i = 0; i < COUNTOF(specs); i++) {
		struct scopa_rules rules = support_rules(specs[i]);

		for (int j = 0; j < positions; j++) {
			struct solve_limits limits = limits_make();
			struct enumeration all = { .rules = &rules,
				.leaves = LONG_MAX };
			struct solve_result result;
			struct scopa_deal deal;

			position_make(&rules, &rng, 16, &deal);
			all.team = scopa_team_of(&rules, deal.turn);
			assert_int_equal(
			    solve_deal(&rules, &deal, &limits, &result), 0);
			assert_int_equal(result.plies, 16);
			assert_int_equal(result.value,
			    search_plainly(&all, &deal, -9999, 9999));
		}
	}
}

TEST(test_position_with_too_many_plies_is_refused)
{
	struct scopa_rules rules = support_rules("scientifico");
	struct scopa_move line[SCOPA_HISTORY_MAX];
	struct solve_limits limits = limits_make();
	struct solve_move moves[MOVES_MAX];
	struct solve_result result;
	struct scopa_deal deal, end;
	uint64_t rng = 6;

	position_make(&rules, &rng, 12, &deal);
	assert_int_equal(solve_plies(&deal), 12);
	limits.plies_max = 11;
	assert_int_equal(solve_deal(&rules, &deal, &limits, &result), -E2BIG);
	assert_int_equal(
	    solve_moves(&rules, &deal, &limits, moves, MOVES_MAX, &result),
	    -E2BIG);
	assert_int_equal(
	    solve_line(&rules, &deal, &limits, line, &end), -E2BIG);
	limits.plies_max = 12;
	assert_int_equal(solve_deal(&rules, &deal, &limits, &result), 0);
	assert_int_equal(
	    solve_moves(&rules, &deal, &limits, moves, 1, &result), -ENOBUFS);
}

/* Counts its calls; the third one stops the search. */
static bool
stop_soon(void *context)
{
	int *asked = context;

	return ++*asked == 3;
}

TEST(test_search_ends_at_its_limit_or_a_stop)
{
	struct scopa_rules rules = support_rules("scientifico");
	struct solve_limits limits = limits_make();
	struct solve_result result;
	struct scopa_deal deal;
	uint64_t rng = 7;
	int asked = 0;

	position_make(&rules, &rng, 40, &deal);
	limits.nodes_max = 100;
	assert_int_equal(
	    solve_deal(&rules, &deal, &limits, &result), -ECANCELED);
	limits.nodes_max = 0;
	limits.stopped = stop_soon;
	limits.context = &asked;
	assert_int_equal(
	    solve_deal(&rules, &deal, &limits, &result), -ECANCELED);
	assert_int_equal(asked, 3);
	/* The positions stored before the stop are still valid. */
	for (int i = 0; i < 20; i++) {
		position_make(&rules, &rng, 8, &deal);
		assert_true(compare(&rules, &deal));
	}
}

/* With the ace of coins team A has captured ace, 2 and 3 of coins. */
TEST(test_instant_win_counts_more_than_points)
{
	struct scopa_rules rules = support_rules("trente");
	struct solve_limits limits = limits_make();
	struct solve_move moves[MOVES_MAX];
	struct solve_result result;
	struct scopa_deal deal;

	assert_int_equal(rules.players, 4);
	support_position(&rules, "AC7D", "AD7C", &deal);
	support_hold(&deal, "KDKC JCJS QCQS");
	deal.captured[0] = support_set("2D3D");
	deal.captured[1] &= ~deal.captured[0];
	assert_int_equal(
	    solve_moves(&rules, &deal, &limits, moves, MOVES_MAX, &result), 2);
	assert_in_range(result.value, SOLVE_WIN / 2, 2 * SOLVE_WIN);
	assert_int_equal(result.best.card, support_card("AD"));
}

static struct belief belief;
static struct search_result rows;

/* The worlds that seat 0 considers possible. */
static void
believe(const char *spec, const char *own, const char *hands)
{
	static const struct belief_config config = {
		.worlds = 8,
		.swaps = 4,
		.listed_max = 90,
	};
	static struct scopa_rules rules;
	struct scopa_deal deal;
	uint64_t rng = 1;

	rules = support_rules(spec);
	support_position(&rules, "2C", own, &deal);
	support_hold(&deal, hands);
	world_fixture_believe(&belief, &config, &rules, &deal, &rng);
	assert_true(belief.listed);
}

TEST(test_one_world_is_played_exactly_within_the_limits)
{
	struct solve_limits limits = limits_make();
	uint64_t rng = 1;

	/*
	 * After the ace the opponent sweeps three with the 3; after the king
	 * not.
	 */
	believe("scopa", "ADKB", "3C4S");
	assert_int_equal(belief.world_count, 1);
	limits.plies_max = 3;
	assert_false(endgame_solve(&belief, &limits, &rng, &rows));
	limits.plies_max = 4;
	assert_true(endgame_solve(&belief, &limits, &rng, &rows));
	assert_int_equal(rows.row_count, 2);
	assert_int_equal(rows.rows[rows.best].move.card, support_card("KB"));
	assert_int_equal(rows.line_count, 1);
	for (int i = 0; i < rows.row_count; i++)
		assert_true(rows.rows[i].value <= rows.rows[rows.best].value);
}

static bool
stop_at_once(void *context)
{
	++*(int *)context;
	return true;
}

TEST(test_solving_many_worlds_can_be_stopped)
{
	struct solve_limits limits = limits_make();
	uint64_t rng = 1;
	int asked = 0;

	limits.stopped = stop_at_once;
	limits.context = &asked;
	believe("scopone", "ADKB", "3C4S 6B7D KDKC");
	assert_int_equal(belief.world_count, 90);
	assert_false(endgame_solve(&belief, &limits, &rng, &rows));
	assert_int_equal(asked, 1);
}

static struct evaluation
evaluation_of(
    const struct evaluation_terms *terms, const struct scopa_deal *deal)
{
	struct evaluation evaluation;

	evaluation_make(terms, deal, evaluation_levels_of(deal), &evaluation);
	return evaluation;
}

/* Each evaluation of a random deal must be true at its end. */
static void
play_deal(const struct scopa_rules *rules, uint64_t *rng)
{
	int lows[SCOPA_HISTORY_MAX + 1], highs[SCOPA_HISTORY_MAX + 1];
	struct evaluation_terms terms;
	struct scopa_deal deal;
	int count = 0, value;

	support_deal_random(rules, rng, 0, &deal);
	evaluation_terms_init(&terms, rules, &deal, 0);
	while (!scopa_deal_over(&deal)) {
		struct evaluation evaluation = evaluation_of(&terms, &deal);

		lows[count] = evaluation.base + evaluation.low;
		highs[count++] = evaluation.base + evaluation.high;
		support_play_random(rules, &deal, rng);
	}
	value = solve_value(rules, &deal, 0);
	for (int i = 0; i < count; i++)
		assert_in_range(
		    value + 10000, lows[i] + 10000, highs[i] + 10000);
	/* With more than two teams the search prunes nothing. */
	if (deal.winner == SCOPA_TEAM_NONE && scopa_team_count(rules) == 2)
		assert_int_equal(evaluation_of(&terms, &deal).base, value);
}

static void
play_deals(const char *spec, uint64_t rng)
{
	struct scopa_rules rules = support_rules(spec);

	for (int i = 0; i < 8; i++)
		play_deal(&rules, &rng);
}

TEST(test_bounds_of_the_evaluation_contain_the_final_value)
{
	assert_true(support_each_spec(play_deals) > 200);
}

TEST(test_all_coins_with_trente_are_one_win)
{
	struct scopa_rules rules =
	    support_rules("scopa,trente=yes,all-coins=win");
	struct scopa_deal deal = { .captured = { SCOPA_SET_DENARI },
		.dealt = SCOPA_PACK_SIZE,
		.turn = SCOPA_SEAT_NONE,
		.winner = SCOPA_TEAM_NONE };
	struct evaluation_terms terms;

	evaluation_terms_init(&terms, &rules, &deal, 0);
	assert_int_equal(evaluation_of(&terms, &deal).wins.base, SOLVE_WIN);
}
