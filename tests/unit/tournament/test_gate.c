/*
 * The verdict of a gate after the blocks that were counted.
 */
#include "tournament.h"

#include <math.h>

#include "blocks.h"
#include "output.h"
#include "test.h"

static struct gate_config config;

static int
set_up(void **state)
{
	(void)state;
	config = (struct gate_config){
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
	return standings_open(
	    &standings, &scopa_preset_find("scientifico")->rules, 2);
}

/*
 * Adds a block of two games with these margins per deal of the candidate; this
 * team forfeits the first game (-1: no team does).
 */
static void
add_block(int first, int second, int forfeiter)
{
	const int points[2][2] = { { 10 + first, 10 }, { 10 + second, 10 } };
	struct block_result block =
	    blocks_make(&standings.rules, (int[]){ 0, 1 }, 2, 2);

	block.plan.index = block.plan.round = (int)standings.blocks;
	for (int game = 0; game < 2; game++)
		blocks_scores(&standings.rules, &block, game, points[game]);
	if (forfeiter >= 0)
		blocks_forfeit(
		    &standings.rules, &block, 0, forfeiter, OFFENCE_CRASH);
	assert_int_equal(standings_add(&standings, &block), 0);
}

static struct gate_verdict
judge(bool ended)
{
	return gate_judge(&config, &standings, ended);
}

/* The verdict so far, and a part of its reason. */
static void
expect(enum gate_outcome outcome, const char *reason)
{
	struct gate_verdict verdict = judge(false);

	assert_int_equal(verdict.outcome, outcome);
	assert_int_equal(verdict.final, outcome != GATE_OPEN);
	expect_parts(verdict.reason, reason);
}

TEST(test_better_candidate_passes_at_the_upper_bound)
{
	for (int i = 0; i < 29; i++)
		add_block(3, i % 3 - 1, -1);
	expect(GATE_OPEN, "");
	for (int i = 0; i < 30; i++)
		add_block(3, i % 3 - 1, -1);
	expect(GATE_PASS, "H1");
	assert_true(judge(false).sprt.llr >= judge(false).sprt.upper);
}

/* Also if a model counts games, of which a block has two. */
TEST(test_minimum_counts_blocks_in_each_model)
{
	static const enum sprt_model models[] = { SPRT_LOGISTIC,
		SPRT_BAYESIAN };

	for (size_t i = 0; i < COUNTOF(models); i++) {
		config.sprt.unit = SPRT_UNIT_ELO;
		config.sprt.high = 100;
		config.sprt.model = models[i];
		while (standings.blocks < SPRT_MINIMUM_DEFAULT - 1) {
			add_block(3, standings.blocks % 5 ? 3 : -3, -1);
			expect(GATE_OPEN, "");
		}
		add_block(3, 3, -1);
		expect(GATE_PASS, "");
		standings_close(&standings);
		set_up(NULL);
	}
}

TEST(test_llr_that_rounds_to_0_has_no_sign)
{
	config.sprt.low = -1e-4;
	config.sprt.high = 1e-4;
	add_block(-1, 0, -1);
	add_block(-1, 1, -1);
	assert_true(judge(false).sprt.llr < 0);
	expect(GATE_OPEN, "LLR 0.00 is between");
}

TEST(test_candidate_that_forfeits_more_than_one_in_a_hundred_never_passes)
{
	config.sprt.high = 3;
	for (int i = 0; i < 48; i++)
		add_block(9, 9 - i % 2, -1);
	add_block(9, 9, 0);
	/* One of 98. */
	expect(GATE_INCONCLUSIVE, "forfeited");
	assert_int_equal(judge(false).clean_sprt.decision, SPRT_ACCEPT_H1);
	add_block(9, 8, -1);
	/* One of 100. */
	expect(GATE_PASS, "");
}

TEST(test_forfeits_of_the_base_do_not_count_against_the_candidate)
{
	config.sprt.high = 3;
	for (int i = 0; i < 60; i++)
		add_block(9, 9 - i % 2, i % 5 ? -1 : 1);
	expect(GATE_PASS, "");
}

TEST(test_every_model_gives_a_verdict)
{
	config.sprt.unit = SPRT_UNIT_ELO;
	config.sprt.high = 10;
	standings_bet(&standings, 0, 1, 0, 0.3);
	for (int i = 0; i < 400; i++)
		add_block(3, i % 5 ? 2 : -2, -1);
	for (int model = 0; model < SPRT_MODEL_COUNT; model++) {
		config.sprt.model = (enum sprt_model)model;
		assert_int_equal(judge(false).outcome, GATE_PASS);
		assert_true(
		    judge(false).has_unbiased == (model != SPRT_BAYESIAN));
	}
}

/* A bot that crashes in each game. */
TEST(test_certain_forfeits_are_a_regression_at_the_minimum)
{
	config.sprt.model = SPRT_LOGISTIC;
	config.sprt.unit = SPRT_UNIT_ELO;
	config.sprt.high = 1;
	for (int i = 0; i < 29; i++)
		add_block(1, 1, i % 3 ? -1 : 0);
	expect(GATE_OPEN, "");
	add_block(1, 1, -1);
	expect(GATE_REGRESSION, "10 of 60 games were forfeited");
}

/*
 * One forfeit in thousands of games is no regression; three of at most 200 are
 * more than one percent, however the other games end.
 */
TEST(test_forfeits_beyond_the_limit_at_any_end_are_a_regression)
{
	config.sprt.unit = SPRT_UNIT_ELO;
	config.sprt.high = 1;
	for (int i = 0; i < 60; i++)
		add_block(i % 2, -(i % 2), i == 3 || i == 50 ? 0 : -1);
	expect(GATE_OPEN, "");
	config.blocks_max = 100;
	expect(GATE_OPEN, "");
	add_block(0, 0, 0);
	expect(GATE_REGRESSION, "");
	config.blocks_max = 0;
	expect(GATE_OPEN, "");
}

TEST(test_few_differences_are_reported)
{
	for (int i = 0; i < 300; i++)
		add_block(i % 11 == 0, 0, -1);
	assert_true(judge(false).few_differing);
	for (int i = 0; i < 2; i++)
		add_block(1, 0, -1);
	assert_false(judge(false).few_differing);
}

/*
 * In so many blocks a bot at a bound would have differed at least once, with
 * probability 1 - beta.
 */
TEST(test_bots_that_seldom_differ_need_more_blocks_to_be_called_alike)
{
	struct sprt sprt = config.sprt;
	const struct scopa_rules *rules = &standings.rules;
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

/* If a test has stopped at the upper bound, the plain margin is too large. */
TEST(test_stopped_test_reports_the_unbiased_estimate_first)
{
	struct gate_verdict verdict;
	int i = 0;

	do {
		assert_false(judge(false).has_unbiased);
		add_block(i % 7 ? 2 : -3, i % 3 ? -2 : 2, -1);
		i++;
		verdict = judge(false);
	} while (!verdict.final);
	assert_int_equal(verdict.outcome, GATE_PASS);
	assert_true(verdict.has_unbiased && !verdict.unbiased_is_elo);
	assert_true(verdict.unbiased.value < verdict.margin.value);
	assert_true(verdict.unbiased.low < verdict.unbiased.value);
	assert_true(verdict.unbiased.high > verdict.unbiased.value);
}

/*
 * If all blocks have the same margin, the verdict has no interval and is
 * certain.
 */
TEST(test_equal_margins_are_judged_by_the_grid_of_margins)
{
	config.sequential = false;
	for (int i = 0; i < 20; i++)
		add_block(-3, -3, -1);
	assert_true(judge(true).margin.low_beyond);
	assert_int_equal(judge(true).outcome, GATE_REGRESSION);
}

TEST_EACH(set_up, blocks_teardown)
