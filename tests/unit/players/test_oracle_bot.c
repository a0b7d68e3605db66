/*
 * The bot that sees all cards.
 */
#include "players.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "greedy.h"
#include "mock_match.h"
#include "now.h"
#include "solve.h"
#include "support.h"
#include "test.h"
#include "world.h"

/* A bot at a table of its own. */
struct bench {
	struct scopa_rules rules;
	struct scopa_deal deal;
	struct scopa_tally tally;
	int64_t options[ORACLE_OPTION_COUNT];
	uint64_t random;
	void *memory;
	char info_bytes[INFO_LINE_MAX];
	char answer[256];
};

static struct bench bench;

static bool
never_stopped(void *context)
{
	(void)context;
	return false;
}

static int
setup(void **state)
{
	const struct builtin *oracle = builtin_find("oracle");

	(void)state;
	assert_non_null(oracle);
	assert_int_equal(oracle->option_count, ORACLE_OPTION_COUNT);
	builtin_options_init(bench.options, oracle);
	bench.random = 1;
	bench.memory = calloc(1, oracle->memory_size);
	return bench.memory != NULL ? 0 : -1;
}

static int
teardown(void **state)
{
	(void)state;
	free(bench.memory);
	return 0;
}

static void
start(const char *spec, uint64_t seed)
{
	bench.rules = support_rules(spec);
	support_deal_random(&bench.rules, &seed, 0, &bench.deal);
	scopa_tally_init(&bench.tally, 0, 0);
}

/* What the bot plays where `all_cards` is shown, or nothing is (NULL). */
static const char *
ask(const struct scopa_deal *all_cards)
{
	struct scopa_text info, answer;
	struct scopa_deal imagined;
	struct scopa_view view;
	const struct builtin_turn turn = {
		.rules = &bench.rules,
		.view = &view,
		.deal = &imagined,
		.random = &bench.random,
		.options = bench.options,
		.bank_ns = -1,
		.increment_ns = -1,
		.move_ns = -1,
		.began_ns = now_ns(),
		.info = &info,
		.memory = bench.memory,
		.stopped = never_stopped,
		.all_cards = all_cards,
	};

	scopa_view_make(
	    &bench.rules, &bench.deal, &bench.tally, bench.deal.turn, &view);
	assert_true(imagine_deal(&bench.rules, &view, &imagined));
	scopa_text_init(&info, bench.info_bytes, sizeof(bench.info_bytes));
	scopa_text_init(&answer, bench.answer, sizeof(bench.answer));
	assert_true(oracle_choose(&turn, &answer));
	assert_false(answer.cut);
	return bench.answer;
}

static void
play(const char *move)
{
	assert_int_equal(
	    support_check(&bench.rules, &bench.deal, move), SCOPA_LEGAL);
	support_play(&bench.rules, &bench.deal, move);
}

static void
visit_spec(const char *spec, uint64_t seed)
{
	start(spec, seed);
	bench.options[TREE_ITERATIONS] = 30;
	while (!scopa_deal_over(&bench.deal)) {
		ask(&bench.deal);
		assert_non_null(
		    strstr(bench.info_bytes, " m.iterations=30 m.exact=0"));
		play(bench.answer);
	}
}

TEST(test_every_rule_set_is_played_to_its_end)
{
	assert_true(mock_each_spec(visit_spec) > 30);
}

/*
 * Who sees that the next player holds the king leaves no king on the table to
 * be swept, and who sees that nobody does lays it.
 */
TEST(test_what_the_others_hold_decides)
{
	static const struct {
		const char *other, *wanted;
	} rows[] = { { "KB", "QC" }, { "QB", "KC" } };

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		bench.rules = support_rules("scopa");
		scopa_tally_init(&bench.tally, 0, 0);
		support_position(&bench.rules, "-", "KCQC", &bench.deal);
		bench.deal.hands[1] =
		    support_set(rows[i].other) | support_set("2D");
		bench.deal.captured[1] &= ~bench.deal.hands[1];
		bench.deal.dealt = SCOPA_PACK_SIZE;
		assert_string_equal(ask(&bench.deal), rows[i].wanted);
		bench.options[ORACLE_SOLVE] = 10;
		assert_string_equal(ask(&bench.deal), rows[i].wanted);
		bench.options[ORACLE_SOLVE] = 0;
	}
}

/* Plays with the move of the bot until so many cards are left. */
static void
go_on(int plies)
{
	while (solve_plies(&bench.deal) > plies)
		play(ask(&bench.deal));
}

TEST(test_endings_are_exact_where_that_is_wanted)
{
	struct solve_result result;
	struct solve_limits limits = { .memory_size = SOLVE_MEMORY_MIN };

	limits.memory = calloc(1, limits.memory_size);
	assert_non_null(limits.memory);
	bench.options[TREE_ITERATIONS] = 50;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		start(seed % 2 ? "scopone" : "scopa", seed);
		go_on(14);
		assert_non_null(strstr(bench.info_bytes, " m.exact=0"));
		bench.options[ORACLE_SOLVE] = 14;
		while (!scopa_deal_over(&bench.deal)) {
			struct scopa_deal next = bench.deal;
			int sign, value;

			assert_int_equal(solve_deal(&bench.rules, &bench.deal,
					     &limits, &result),
			    0);
			value = result.value;
			ask(&bench.deal);
			assert_non_null(strstr(bench.info_bytes, " m.exact=1"));
			sign = scopa_team_of(&bench.rules, bench.deal.turn);
			support_play(&bench.rules, &next, bench.answer);
			if (!scopa_deal_over(&next)) {
				assert_int_equal(solve_deal(&bench.rules, &next,
						     &limits, &result),
				    0);
				sign = sign ==
					scopa_team_of(&bench.rules, next.turn)
				    ? 1
				    : -1;
				assert_int_equal(sign * result.value, value);
			}
			bench.deal = next;
		}
		bench.options[ORACLE_SOLVE] = 0;
	}
	free(limits.memory);
}

TEST(test_same_seed_gives_the_same_move_and_says_what_it_has_found)
{
	char first[sizeof(bench.info_bytes)], *time;

	start("scopone", 3);
	for (int i = 0; i < 2; i++) {
		bench.random = 42;
		ask(&bench.deal);
		assert_non_null(strstr(bench.info_bytes, "info nodes="));
		assert_non_null(strstr(bench.info_bytes, " value="));
		assert_non_null(strstr(bench.info_bytes, " pv="));
		assert_non_null(strstr(bench.info_bytes, " m.iterations=1000"));
		time = strstr(bench.info_bytes, " time=");
		assert_non_null(time);
		memset(time + 6, '-', strcspn(time + 6, " "));
		if (i == 0)
			memcpy(first, bench.info_bytes, sizeof(first));
		else
			assert_string_equal(strstr(first, " value="),
			    strstr(bench.info_bytes, " value="));
	}
}

TEST(test_without_cards_it_plays_as_greedy_does)
{
	struct scopa_deal imagined;
	struct scopa_view view;
	struct scopa_text text;
	char bytes[256];

	start("scopone", 5);
	while (!scopa_deal_over(&bench.deal)) {
		struct scopa_move move;

		scopa_view_make(&bench.rules, &bench.deal, &bench.tally,
		    bench.deal.turn, &view);
		assert_true(imagine_deal(&bench.rules, &view, &imagined));
		move = greedy_move(&bench.rules, &imagined);
		scopa_text_init(&text, bytes, sizeof(bytes));
		scopa_move_format(&move, &text);
		assert_string_equal(ask(NULL), bytes);
		play(bench.answer);
	}
}

TEST_EACH(setup, teardown)
