/*
 * Critiques: marks, phases, sums by name, and what is said of a play.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd_analyse.h"
#include "support.h"
#include "test.h"

static struct critique *critique;

static int
setup(void **state)
{
	const struct critique_settings settings = {
		.iterations = 400,
		.exact = 8,
		.seed = 3,
	};

	(void)state;
	return critique_open(&critique, &settings);
}

static int
teardown(void **state)
{
	(void)state;
	critique_close(critique);
	return 0;
}

TEST(test_marks_begin_at_half_a_point)
{
	assert_int_equal(critique_mark_of(0), CRITIQUE_FINE);
	assert_int_equal(critique_mark_of(0.49), CRITIQUE_FINE);
	assert_int_equal(critique_mark_of(0.5), CRITIQUE_MISTAKE);
	assert_int_equal(critique_mark_of(1.49), CRITIQUE_MISTAKE);
	assert_int_equal(critique_mark_of(1.5), CRITIQUE_BLUNDER);
	assert_string_equal(critique_mark_text(CRITIQUE_FINE), "");
	assert_string_equal(critique_mark_text(CRITIQUE_MISTAKE), "?");
	assert_string_equal(critique_mark_text(CRITIQUE_BLUNDER), "??");
}

/* Judges a deal of random plays; what it says of each must fit. */
TEST(test_plays_of_a_deal_are_judged_by_their_place)
{
	struct scopa_rules rules = support_rules("scientifico");
	struct position position = { .number = 1 };
	struct scopa_deal *deal = &position.deal;
	struct critique_play play, again;
	uint8_t pack[SCOPA_PACK_SIZE];
	uint64_t rng = 9;

	for (int i = 0; i < SCOPA_PACK_SIZE; i++)
		pack[i] = (uint8_t)i;
	support_shuffle(&rng, pack, SCOPA_PACK_SIZE);
	assert_int_equal(
	    scopa_deal_start(&rules, pack, 3, deal), SCOPA_START_PLAY);
	scopa_tally_init(&position.tally, 3, 0);
	while (!scopa_deal_over(deal)) {
		int made = deal->play_count;

		scopa_move_pick(
		    &rules, deal, support_random(&rng), &position.move);
		position.play = made + 1;
		critique_judge(critique, &rules, "m1", &position, &play);
		assert_int_equal(play.number, made + 1);
		assert_int_equal(play.seat, made % 4);
		assert_int_equal(play.phase, made * 3 / 40);
		assert_true(!play.forced || made >= 36);
		assert_int_equal(play.exact, made >= 32 && !play.forced);
		assert_true(play.opinion.loss >= 0);
		assert_true(play.exact_loss >= 0);
		/* One play alone is judged as it is among the others. */
		critique_judge(critique, &rules, "m1", &position, &again);
		assert_true(play.opinion.loss == again.opinion.loss);
		scopa_deal_apply(&rules, deal, &position.move);
	}
}

TEST(test_sums_are_kept_by_name)
{
	struct critique_play play = { .phase = CRITIQUE_MIDDLE,
		.opinion.loss = 0.75,
		.exact = true,
		.exact_loss = 2 };
	struct critique_count total;

	assert_int_equal(critique_add_deal(critique, "anna"), 0);
	assert_int_equal(critique_add(critique, "anna", &play), 0);
	assert_int_equal(critique_add(critique, "berta", &play), 0);
	play.phase = CRITIQUE_ENDING;
	play.exact = false;
	play.opinion.loss = 0.25;
	assert_int_equal(critique_add(critique, "anna", &play), 0);
	assert_int_equal(critique->sum_count, 2);
	assert_string_equal(critique->sums[0].name, "anna");
	assert_int_equal(critique->sums[0].deals, 1);
	assert_int_equal(critique->sums[1].deals, 0);
	total = critique_total(&critique->sums[0]);
	assert_int_equal(total.plays, 2);
	assert_true(total.loss == 1);
	assert_int_equal(total.marks[CRITIQUE_MISTAKE], 1);
	assert_int_equal(total.marks[CRITIQUE_FINE], 1);
	assert_int_equal(total.exact_plays, 1);
	assert_int_equal(total.exact_loss, 2);
	assert_int_equal(total.exact_marks[CRITIQUE_BLUNDER], 1);
}

TEST_GROUP(setup, teardown)
