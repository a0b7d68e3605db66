/*
 * What a gate says after the blocks that it has seen.
 */
#include "gate.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "test.h"

/* Standings of two bots whose blocks are counted by hand. */
struct bench {
	struct standings standings;
	struct gate_config config;
};

static int
set_up(void **state)
{
	static struct bench bench;
	const struct scopa_preset *preset = scopa_preset_find("scientifico");

	memset(&bench, 0, sizeof(bench));
	bench.config = (struct gate_config){
		.sequential = true,
		.sprt = { .model = SPRT_MARGIN,
		    .unit = SPRT_UNIT_POINTS,
		    .low = 0,
		    .high = 0.5,
		    .alpha = 0.05,
		    .beta = 0.05,
		    .minimum = SPRT_MINIMUM_DEFAULT },
		.level = 0.95,
	};
	if (standings_open(&bench.standings, &preset->rules, 2))
		return -1;
	*state = &bench;
	return 0;
}

static int
tear_down(void **state)
{
	struct bench *bench = *state;

	standings_close(&bench->standings);
	return 0;
}

/* A block of two games whose margins a deal are these, for the candidate. */
static void
add_block(struct bench *bench, int first, int second, int forfeiter)
{
	const int margins[] = { first, second };
	struct block_result block = {
		.plan = { .index = bench->standings.blocks,
		    .round = (int)bench->standings.blocks,
		    .bot_count = 2,
		    .bots = { 0, 1 },
		    .game_count = 2,
		    .seating = { { 0, 1, 0, 1 }, { 1, 0, 1, 0 } } },
	};

	for (int game = 0; game < 2; game++) {
		struct summary *summary = &block.games[game];
		int own = game; /* team of the candidate */

		*summary = (struct summary){
			.seat_count = 4,
			.team_count = 2,
			.team = { 0, 1, 0, 1 },
			.deal_count = 1,
			.winner = SCOPA_TEAM_NONE,
			.forfeiter = SCOPA_TEAM_NONE,
			.offender = -1,
			.reason = "deals",
		};
		summary->scores[own] = 10 + margins[game];
		summary->scores[1 - own] = 10;
		if (margins[game] != 0)
			summary->winner = margins[game] > 0 ? own : 1 - own;
		if (forfeiter >= 0 && game == 0) {
			summary->forfeiter = forfeiter;
			summary->winner = 1 - forfeiter;
			strcpy(summary->reason, "forfeit");
		}
	}
	assert_int_equal(standings_take(&bench->standings, &block), 0);
}

static struct gate_verdict
judge(const struct bench *bench, bool ended)
{
	return gate_judge(&bench->config, &bench->standings, ended);
}

TEST(test_better_candidate_passes_at_the_upper_bound)
{
	struct bench *bench = *state;
	struct gate_verdict verdict;

	for (int i = 0; i < 29; i++)
		add_block(bench, 3, i % 3 - 1, -1);
	verdict = judge(bench, false);
	assert_int_equal(verdict.outcome, GATE_OPEN);
	for (int i = 0; i < 30; i++)
		add_block(bench, 3, i % 3 - 1, -1);
	verdict = judge(bench, false);
	assert_int_equal(verdict.outcome, GATE_PASS);
	assert_true(verdict.final);
	assert_true(verdict.sprt.llr >= verdict.sprt.upper);
	assert_non_null(strstr(verdict.reason, "H1"));
}

TEST(test_candidate_that_forfeits_more_than_one_in_a_hundred_never_passes)
{
	struct bench *bench = *state;
	struct gate_verdict verdict;

	bench->config.sprt.high = 3;
	for (int i = 0; i < 48; i++)
		add_block(bench, 9, 9 - i % 2, -1);
	add_block(bench, 9, 9, 0);
	/* One of 98. */
	verdict = judge(bench, false);
	assert_int_equal(verdict.outcome, GATE_INCONCLUSIVE);
	assert_int_equal(verdict.clean_sprt.decision, SPRT_ACCEPT_H1);
	assert_non_null(strstr(verdict.reason, "forfeited"));
	add_block(bench, 9, 8, -1);
	/* One of 100. */
	assert_int_equal(judge(bench, false).outcome, GATE_PASS);
}

TEST(test_forfeits_of_the_base_do_not_count_against_the_candidate)
{
	struct bench *bench = *state;

	bench->config.sprt.high = 3;
	for (int i = 0; i < 60; i++)
		add_block(bench, 9, 9 - i % 2, i % 5 ? -1 : 1);
	assert_int_equal(judge(bench, false).outcome, GATE_PASS);
}

TEST(test_every_model_gives_a_verdict)
{
	struct bench *bench = *state;

	bench->config.sprt.unit = SPRT_UNIT_ELO;
	bench->config.sprt.high = 10;
	standings_bet(&bench->standings, 0, 1, 0, 0.3);
	for (int i = 0; i < 400; i++)
		add_block(bench, 3, i % 5 ? 2 : -2, -1);
	for (int model = 0; model < SPRT_MODEL_COUNT; model++) {
		bench->config.sprt.model = (enum sprt_model)model;
		assert_int_equal(judge(bench, false).outcome, GATE_PASS);
		assert_true(judge(bench, false).has_unbiased ==
		    (model != SPRT_BAYESIAN));
	}
}

/* A bot that crashes in each game. */
TEST(test_certain_forfeits_are_a_regression_at_the_minimum)
{
	struct bench *bench = *state;
	struct gate_verdict verdict;

	bench->config.sprt.model = SPRT_LOGISTIC;
	bench->config.sprt.unit = SPRT_UNIT_ELO;
	bench->config.sprt.high = 1;
	for (int i = 0; i < 29; i++)
		add_block(bench, 1, 1, i % 3 ? -1 : 0);
	assert_int_equal(judge(bench, false).outcome, GATE_OPEN);
	add_block(bench, 1, 1, -1);
	verdict = judge(bench, false);
	assert_int_equal(verdict.outcome, GATE_REGRESSION);
	assert_true(verdict.final);
	assert_non_null(
	    strstr(verdict.reason, "10 of 60 games were forfeited"));
}

/* Three of at most 200 games: whatever comes, it is more than one percent. */
TEST(test_forfeits_are_certain_where_the_limit_is_near)
{
	struct bench *bench = *state;

	bench->config.sprt.unit = SPRT_UNIT_ELO;
	bench->config.sprt.high = 1;
	bench->config.blocks_max = 100;
	for (int i = 0; i < 60; i++)
		add_block(bench, i % 2, -(i % 2), i == 3 || i == 50 ? 0 : -1);
	assert_int_equal(judge(bench, false).outcome, GATE_OPEN);
	add_block(bench, 0, 0, 0);
	assert_int_equal(judge(bench, false).outcome, GATE_REGRESSION);
}

/* A lost game in a row of thousands is bad luck. */
TEST(test_few_forfeits_are_not_certain)
{
	struct bench *bench = *state;

	bench->config.sprt.unit = SPRT_UNIT_ELO;
	bench->config.sprt.high = 1;
	for (int i = 0; i < 60; i++)
		add_block(bench, i % 2, -(i % 2), i < 2 ? 0 : -1);
	assert_int_equal(judge(bench, false).outcome, GATE_OPEN);
}

TEST(test_no_verdict_is_said_before_the_minimum)
{
	struct bench *bench = *state;
	struct gate_verdict verdict;

	for (int i = 0; i < 20; i++)
		add_block(bench, 5, 4 + i % 2, -1);
	verdict = judge(bench, true);
	assert_int_equal(verdict.outcome, GATE_INCONCLUSIVE);
	assert_true(verdict.sprt.llr > verdict.sprt.upper);
	assert_null(strstr(verdict.reason, "no bound"));
	assert_non_null(strstr(verdict.reason, "no verdict before 30"));
}

TEST(test_few_differences_are_told)
{
	struct bench *bench = *state;

	for (int i = 0; i < 300; i++)
		add_block(bench, i % 11 == 0, 0, -1);
	assert_true(judge(bench, false).is_rare);
	for (int i = 0; i < 2; i++)
		add_block(bench, 1, 0, -1);
	assert_false(judge(bench, false).is_rare);
}

/* By then a bot at a bound would have differed once, but for beta. */
TEST(test_rare_differences_need_more_blocks_to_be_called_alike)
{
	struct bench *bench = *state;
	struct sprt sprt = bench->config.sprt;
	const struct scopa_rules *rules = &bench->standings.rules;
	double share;

	assert_int_equal(
	    gate_alike_blocks(&sprt, rules, true), GATE_ALIKE_BLOCKS);
	sprt.minimum = 4000;
	assert_int_equal(gate_alike_blocks(&sprt, rules, true), 4000);
	sprt.high = 0.01;
	share = 0.01 / scopa_points_max(rules);
	assert_true(
	    pow(1 - share, (double)gate_alike_blocks(&sprt, rules, true)) <=
	    sprt.beta);
	sprt.unit = SPRT_UNIT_ELO;
	sprt.high = 5;
	assert_int_equal(gate_alike_blocks(&sprt, rules, true), 7234);
	sprt.low = -10;
	assert_true(gate_alike_blocks(&sprt, rules, true) < 4001);
}

/* After stopping on a high the plain margin is too large. */
TEST(test_a_stopped_test_leads_with_the_unbiased_estimate)
{
	struct bench *bench = *state;
	struct gate_verdict verdict;
	int i = 0;

	do {
		assert_false(judge(bench, false).has_unbiased);
		add_block(bench, i % 7 ? 2 : -3, i % 3 ? -2 : 2, -1);
		i++;
		verdict = judge(bench, false);
	} while (!verdict.final);
	assert_int_equal(verdict.outcome, GATE_PASS);
	assert_true(verdict.has_unbiased && !verdict.unbiased_is_elo);
	assert_true(verdict.unbiased.value < verdict.margin.value);
	assert_true(verdict.unbiased.low < verdict.unbiased.value);
	assert_true(verdict.unbiased.high > verdict.unbiased.value);
}

/* Each block had the same margin: no interval, but no doubt either. */
TEST(test_equal_margins_are_judged_by_their_grid)
{
	struct bench *bench = *state;

	bench->config.sequential = false;
	for (int i = 0; i < 20; i++)
		add_block(bench, -3, -3, -1);
	assert_true(judge(bench, true).margin.low_beyond);
	assert_int_equal(judge(bench, true).outcome, GATE_REGRESSION);
}

TEST_EACH(set_up, tear_down)
