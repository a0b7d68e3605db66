/*
 * The searching bot of the paper: what its options do, what it tells, and that
 * it is stronger than greedy.
 */
#include "players.h"

#include <stdlib.h>
#include <string.h>

#include "greedy.h"
#include "now.h"
#include "scopa/scopa.h"
#include "search_fixture.h"
#include "support.h"
#include "test.h"
#include "world.h"

enum { ANSWER_SIZE = 64, INFO_SIZE = 4096 };

/* One decision of the bot, and what came of it. */
struct decision {
	int64_t options[ISMCTS_OPTION_COUNT];
	uint64_t random;
	int64_t move_ns; /* -1: no clock */
	bool stop;
	char answer[ANSWER_SIZE];
	char info[INFO_SIZE];
};

static const struct decision plain = {
	.options = { [TREE_ITERATIONS] = 200,
	    [ISMCTS_EXPLORATION] = 300,
	    [ISMCTS_STRENGTH] = STRENGTH_MAX },
	.random = 1,
	.move_ns = -1,
};

static void *memory;

static bool
is_stopped(void *context)
{
	const struct decision *decision = context;

	return decision->stop;
}

/* The bot is the seat to move in the deal; false where it had no move. */
static bool
decide(const struct scopa_rules *rules, const struct scopa_deal *deal,
    struct decision *decision)
{
	struct scopa_text answer, info;
	struct scopa_view view;
	struct scopa_deal imagined;
	struct builtin_turn turn = {
		.rules = rules,
		.view = &view,
		.deal = &imagined,
		.random = &decision->random,
		.options = decision->options,
		.began_ns = now_ns(),
		.bank_ns = -1,
		.increment_ns = -1,
		.move_ns = decision->move_ns,
		.info = &info,
		.memory = memory,
		.stopped = is_stopped,
		.context = decision,
	};

	support_view(rules, deal, deal->turn, &view);
	assert_true(imagine_deal(rules, &view, &imagined));
	scopa_text_init(&answer, decision->answer, ANSWER_SIZE);
	scopa_text_init(&info, decision->info, INFO_SIZE);
	return ismcts_choose(&turn, &answer);
}

static struct scopa_move
decided_move(const struct decision *decision, int seat)
{
	struct scopa_move move;

	assert_int_equal(
	    scopa_move_parse(decision->answer, strlen(decision->answer), &move),
	    SCOPA_PARSED);
	move.seat = (uint8_t)seat;
	return move;
}

static int
memory_open(void **state)
{
	(void)state;
	memory = calloc(1, TREE_MEMORY_SIZE);
	return memory == NULL;
}

static int
memory_close(void **state)
{
	(void)state;
	free(memory);
	return 0;
}

/* The number after `key=` in what was told; fails without one. */
static double
told(const struct decision *decision, const char *key)
{
	const char *at = strstr(decision->info, key);

	if (at == NULL)
		fail_msg("no %s in %s", key, decision->info);
	return strtod(at + strlen(key), NULL);
}

TEST(test_search_is_told)
{
	const struct scopa_rules rules = support_rules("scopone");
	struct decision decision = plain;
	struct scopa_deal deal;
	uint64_t random = 21;

	support_deal_random(&rules, &random, 0, &deal);
	assert_true(decide(&rules, &deal, &decision));
	assert_int_equal((int)told(&decision, " nodes="), 200);
	assert_int_equal((int)told(&decision, " m.iterations="), 200);
	assert_int_equal((int)told(&decision, " m.worlds="), 200);
	assert_in_range((int)told(&decision, " value=") + 20, 0, 40);
	/* What is played stands first in the line that is expected. */
	assert_non_null(strstr(decision.info, " pv="));
	assert_memory_equal(strstr(decision.info, " pv=") + 4, decision.answer,
	    strlen(decision.answer));
}

TEST(test_same_seed_gives_the_same_move_and_tale)
{
	const struct scopa_rules rules = support_rules("cirulla");
	struct decision one = plain, two = plain;
	struct scopa_deal deal;
	uint64_t random = 22;

	support_deal_random(&rules, &random, 0, &deal);
	assert_true(decide(&rules, &deal, &one));
	assert_true(decide(&rules, &deal, &two));
	assert_string_equal(one.answer, two.answer);
	assert_true(told(&one, " value=") == told(&two, " value="));
	assert_true(one.random == two.random);
}

TEST(test_time_ends_a_search_without_iterations)
{
	const struct scopa_rules rules = support_rules("scopa");
	struct decision decision = plain;
	struct scopa_deal deal;
	uint64_t random = 23;
	int64_t before_ns = now_ns();

	support_deal_random(&rules, &random, 0, &deal);
	decision.options[TREE_ITERATIONS] = 0;
	decision.options[TREE_MS] = 20;
	assert_true(decide(&rules, &deal, &decision));
	assert_true(now_ns() - before_ns >= 20 * NOW_NS_PER_MS);
	assert_true(told(&decision, " m.iterations=") > 0);
	/* A clock that is nearly out goes before both. */
	decision.options[TREE_ITERATIONS] = SEARCH_ITERATIONS_MAX;
	decision.options[TREE_MS] = 0;
	decision.move_ns = 2 * NOW_NS_PER_MS;
	assert_true(decide(&rules, &deal, &decision));
	assert_true(told(&decision, " m.iterations=") < SEARCH_ITERATIONS_MAX);
}

TEST(test_stop_is_answered_at_once)
{
	const struct scopa_rules rules = support_rules("scopa");
	struct decision decision = plain;
	struct scopa_deal deal;
	struct scopa_move move;
	uint64_t random = 24;

	support_deal_random(&rules, &random, 0, &deal);
	decision.stop = true;
	decision.options[TREE_ITERATIONS] = 0;
	assert_true(decide(&rules, &deal, &decision));
	move = decided_move(&decision, deal.turn);
	assert_int_equal(scopa_deal_check(&rules, &deal, &move), SCOPA_LEGAL);
	assert_true(told(&decision, " m.iterations=") == 16);
}

/* Every word of the options plays, and each in its own way. */
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
	const struct scopa_rules rules = support_rules("scopone");
	struct decision usual = plain;
	struct scopa_deal deal;
	uint64_t random = 25;

	support_deal_random(&rules, &random, 0, &deal);
	assert_true(decide(&rules, &deal, &usual));
	for (size_t i = 0; i < COUNTOF(changes); i++) {
		struct decision other = plain;

		other.options[changes[i].option] = changes[i].value;
		assert_true(decide(&rules, &deal, &other));
		assert_true(told(&usual, " value=") != told(&other, " value="));
	}
}

/* The lead of the bot over greedy in one deal. */
static int
lead_in(const struct scopa_rules *rules, uint64_t *random, int dealer, int team)
{
	struct decision decision = plain;
	struct scopa_deal deal;
	struct scopa_score score;
	int lead;

	decision.options[TREE_ITERATIONS] = 400;
	support_deal_random(rules, random, dealer, &deal);
	decision.random = *random;
	while (!scopa_deal_over(&deal)) {
		struct scopa_move move;

		if (scopa_team_of(rules, deal.turn) == team) {
			assert_true(decide(rules, &deal, &decision));
			move = decided_move(&decision, deal.turn);
			assert_int_equal(
			    scopa_deal_check(rules, &deal, &move), SCOPA_LEGAL);
		} else {
			move = greedy_move(rules, &deal);
		}
		scopa_deal_apply(rules, &deal, &move);
	}
	scopa_score_count(rules, &deal, &score);
	lead = score.total[team] - score.total[1 - team];
	return rules->aim == SCOPA_AIM_LEAST ? -lead : lead;
}

/*
 * With a tenth of the usual iterations, all games taken together: some 100
 * points are to be expected, give or take 30.
 */
TEST(test_greedy_is_beaten)
{
	enum { PAIRS = 16, LEAD_MIN = 40 };
	static const char *const games[] = { "scopone", "scopa", "escoba",
		"perdere" };
	int lead = 0;

	for (size_t i = 0; i < COUNTOF(games); i++) {
		const struct scopa_rules rules = support_rules(games[i]);
		uint64_t random = 26;

		for (int pair = 0; pair < PAIRS; pair++) {
			uint64_t again = random;

			lead += lead_in(&rules, &random, 0, 0);
			lead += lead_in(&rules, &again, 0, 1);
		}
	}
	assert_true(lead >= LEAD_MIN);
}

TEST_GROUP(memory_open, memory_close)
