/*
 * The bots that search a tree: their options, their info, the strength of
 * @ismcts against greedy, the use of all cards by @oracle; and the levels of
 * strength.
 */
#include <string.h>

#include "decision.h"
#include "greedy.h"
#include "mock_match.h"
#include "now.h"
#include "players.h"
#include "solve.h"
#include "splitmix.h"
#include "strength.h"
#include "support.h"
#include "test.h"
#include "world_fixture.h"

static struct decision *ismcts, *oracle;

static int
setup(void **state)
{
	(void)state;
	ismcts = decision_open("ismcts");
	ismcts->options[TREE_ITERATIONS] = 200;
	oracle = decision_open("oracle");
	oracle->all_cards = &oracle->deal;
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	decision_close(ismcts);
	decision_close(oracle);
	return 0;
}

TEST(test_search_is_reported_and_equal_with_the_same_seed)
{
	struct decision *bots[] = { ismcts, oracle };

	oracle->options[TREE_ITERATIONS] = 200;
	for (size_t i = 0; i < COUNTOF(bots); i++) {
		struct decision *bot = bots[i], before;

		decision_deal(bot, "cirulla", 22);
		decision_ask(bot);
		assert_true(decision_info_number(bot, " nodes=") <= 200);
		assert_true(decision_info_number(bot, " m.iterations=") == 200);
		assert_in_range(
		    (int)decision_info_number(bot, " value=") + 20, 0, 40);
		/* The move played is the first one of the expected line. */
		assert_non_null(strstr(bot->info, " pv="));
		assert_memory_equal(strstr(bot->info, " pv=") + 4, bot->answer,
		    strlen(bot->answer));
		before = *bot;
		bot->random = 1;
		decision_ask(bot);
		assert_string_equal(bot->answer, before.answer);
		assert_string_equal(strstr(bot->info, " value="),
		    strstr(before.info, " value="));
		assert_true(bot->random == before.random);
	}
	assert_true(decision_info_number(ismcts, " m.worlds=") == 200);
	assert_true(decision_info_number(oracle, " m.exact=") == 0);
}

TEST(test_time_or_a_stop_ends_a_search_without_iterations)
{
	int64_t before_ns = now_ns();

	decision_deal(ismcts, "scopa", 23);
	ismcts->options[TREE_ITERATIONS] = 0;
	ismcts->options[TREE_MS] = 20;
	decision_ask(ismcts);
	assert_true(now_ns() - before_ns >= 20 * NOW_NS_PER_MS);
	assert_true(decision_info_number(ismcts, " m.iterations=") > 0);
	/* A clock with little time left takes precedence over both. */
	ismcts->options[TREE_ITERATIONS] = SEARCH_ITERATIONS_MAX;
	ismcts->options[TREE_MS] = 0;
	ismcts->turn.move_ns = 2 * NOW_NS_PER_MS;
	decision_ask(ismcts);
	assert_true(decision_info_number(ismcts, " m.iterations=") <
	    SEARCH_ITERATIONS_MAX);
	ismcts->turn.move_ns = -1;
	ismcts->options[TREE_ITERATIONS] = 0;
	ismcts->stop = true;
	decision_ask(ismcts);
	assert_true(decision_info_number(ismcts, " m.iterations=") == 16);
}

/* Each value of these options changes the search. */
TEST(test_options_change_the_search)
{
	static const struct {
		int option;
		int64_t value;
	} changes[] = {
		{ TREE_PLAYOUT, 1 },
		{ TREE_PLAYOUT, 2 },
		{ ISMCTS_REWARD, 1 },
		{ ISMCTS_REWARD, 2 },
		{ ISMCTS_EXPLORATION, 1000 },
	};
	double usual;

	decision_deal(ismcts, "scopone", 25);
	decision_ask(ismcts);
	usual = decision_info_number(ismcts, " value=");
	for (size_t i = 0; i < COUNTOF(changes); i++) {
		int64_t *option = &ismcts->options[changes[i].option];
		int64_t before = *option;

		*option = changes[i].value;
		ismcts->random = 1;
		decision_ask(ismcts);
		assert_true(decision_info_number(ismcts, " value=") != usual);
		*option = before;
	}
}

/* The lead of the bot over greedy in one deal. */
static int
lead_in(const char *spec, uint64_t seed, int team)
{
	const struct scopa_rules *rules = &ismcts->rules;
	struct scopa_deal *deal = &ismcts->deal;
	struct scopa_score score;
	int lead;

	decision_deal(ismcts, spec, seed);
	while (!scopa_deal_over(deal)) {
		struct scopa_move move = greedy_move(rules, deal);

		if (scopa_team_of(rules, deal->turn) == team)
			support_play(rules, deal, decision_ask(ismcts));
		else
			scopa_deal_apply(rules, deal, &move);
	}
	scopa_score_count(rules, deal, &score);
	lead = score.total[team] - score.total[1 - team];
	return rules->aim == SCOPA_AIM_LEAST ? -lead : lead;
}

/*
 * All games together, with a tenth of the usual iterations: about 100 points
 * are expected, with a deviation of 30.
 */
TEST(test_ismcts_beats_greedy)
{
	enum { PAIRS = 16, LEAD_MIN = 40 };
	static const char *const games[] = { "scopone", "scopa", "escoba",
		"perdere" };
	int lead = 0;

	ismcts->options[TREE_ITERATIONS] = 400;
	for (size_t i = 0; i < COUNTOF(games); i++)
		for (int game = 0; game < 2 * PAIRS; game++)
			lead += lead_in(
			    games[i], (uint64_t)(26 + game / 2), game % 2);
	assert_true(lead >= LEAD_MIN);
}

static void
play_with_oracle(const char *spec, uint64_t seed)
{
	decision_deal(oracle, spec, seed);
	oracle->options[TREE_ITERATIONS] = 30;
	while (!scopa_deal_over(&oracle->deal)) {
		support_play(
		    &oracle->rules, &oracle->deal, decision_ask(oracle));
		assert_non_null(
		    strstr(oracle->info, " m.iterations=30 m.exact=0"));
	}
}

/*
 * @oracle lays no king that the next player can sweep with a king, and lays it
 * if no other player has a king.
 */
TEST(test_every_rule_set_is_played_to_its_end)
{
	assert_true(support_each_spec(play_with_oracle) > 30);
}

TEST(test_oracle_uses_the_hands_of_the_others)
{
	static const char *const rows[][2] = { { "KB2D", "QC" },
		{ "QB2D", "KC" } };

	oracle->rules = support_rules("scopa");
	for (int i = 0; i < 4; i++) {
		support_position(&oracle->rules, "-", "KCQC", &oracle->deal);
		support_hold(&oracle->deal, rows[i / 2][0]);
		oracle->deal.dealt = SCOPA_PACK_SIZE;
		oracle->options[ORACLE_SOLVE] = i % 2 * 10;
		assert_string_equal(decision_ask(oracle), rows[i / 2][1]);
	}
}

TEST(test_endings_are_solved_if_the_option_says_so)
{
	const struct scopa_rules *rules = &oracle->rules;
	struct scopa_deal *deal = &oracle->deal;

	oracle->options[TREE_ITERATIONS] = 50;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		decision_deal(oracle, seed % 2 ? "scopone" : "scopa", seed);
		oracle->options[ORACLE_SOLVE] = 14;
		while (!scopa_deal_over(deal)) {
			int team = scopa_team_of(rules, deal->turn);
			bool exact = solve_plies(deal) <= 14;
			int value =
			    exact ? world_fixture_value(rules, deal, team) : 0;

			support_play(rules, deal, decision_ask(oracle));
			assert_true(
			    decision_info_number(oracle, " m.exact=") == exact);
			if (exact)
				assert_int_equal(
				    world_fixture_value(rules, deal, team),
				    value);
		}
	}
}

/* Solving the 24 cards needs far more time, and 1.5 million positions. */
TEST(test_solving_ends_with_the_time)
{
	decision_deal(oracle, "scopone", 5);
	oracle->options[TREE_ITERATIONS] = 50;
	while (solve_plies(&oracle->deal) > 24)
		support_play(
		    &oracle->rules, &oracle->deal, decision_ask(oracle));
	oracle->options[ORACLE_SOLVE] = 24;
	oracle->turn.move_ns = 2 * NOW_NS_PER_MS;
	decision_ask(oracle);
	assert_true(decision_info_number(oracle, " m.exact=") == 0);
	oracle->turn.move_ns = -1;
	oracle->options[TREE_MS] = 2;
	decision_ask(oracle);
	assert_true(decision_info_number(oracle, " m.exact=") == 0);
	oracle->options[TREE_MS] = 0;
	decision_ask(oracle);
	assert_true(decision_info_number(oracle, " m.exact=") == 1);
}

enum { CHOICES = 6, TIMES = 20000 };

/* The mean value in points of the moves that a level chooses. */
static double
mean_value(int level, const struct search_result *result, uint64_t *random)
{
	double sum = 0;

	for (int i = 0; i < TIMES; i++)
		sum += strength_row(result, level, 1, random)->value;
	return sum / TIMES;
}

/* Moves with values close together or far apart, and few or many cards. */
static void
result_fill(struct search_result *result, int kind, uint64_t *random)
{
	const double spread = kind % 4 == 0 ? 0.1 : kind % 4;

	result->row_count = CHOICES;
	result->best = 0;
	for (int i = 0; i < CHOICES; i++) {
		int cards = (int)splitmix_below(random, 4);

		result->rows[i] = (struct search_row){
			.move = { .captured = (UINT64_C(1) << cards) - 1 },
			.value = spread * splitmix_unit(random),
			.visits = 1,
		};
		if (result->rows[i].value > result->rows[result->best].value)
			result->best = i;
	}
}

TEST(test_lower_level_is_worse_in_expectation)
{
	/* A multiple of the number of kinds of lists. */
	int lists = support_few_or_all(16, 40);
	double means[STRENGTH_MAX + 1] = { 0 }, chance = 0;
	static struct search_result result;
	uint64_t random = 5;

	for (int list = 0; list < lists; list++) {
		double before = -1e9;

		result_fill(&result, list, &random);
		for (int level = 1; level <= STRENGTH_MAX; level++) {
			double mean = mean_value(level, &result, &random);

			/*
			 * Four standard deviations of a mean of values up to 3.
			 */
			assert_true(mean > before - 0.04);
			before = mean;
			means[level] += mean / lists;
		}
		for (int i = 0; i < CHOICES; i++)
			chance += result.rows[i].value / CHOICES / lists;
	}
	for (int level = 2; level <= STRENGTH_MAX; level++)
		assert_true(means[level] > means[level - 1] + 0.001);
	assert_true(means[STRENGTH_MIN] > chance + 0.03);
}

TEST_EACH(setup, teardown)
