/*
 * Learning: the weights that made the lessons are found again; the worlds of
 * the teacher fit, better moves have greater values, and the targets of a
 * lesson add up to 1.
 */
#include "learn.h"

#include "sample.h"
#include "scopa/scopa.h"
#include "support.h"
#include "test.h"
#include "world_fixture.h"

enum { LESSONS = 4000, MOVES = 5, WORLDS = 100 };

static const double RIDGE = 1e-7;

/* Lessons with random features and the targets of a softmax. */
static void
lessons_make(struct lessons *lessons, struct policy_table *known, int count,
    uint64_t *random)
{
	STAILQ_INIT(lessons);
	*known = (struct policy_table){ 0 };
	for (int i = 0; i < POLICY_FEATURE_COUNT; i++)
		known->weights[1][i] = (float)(sample_normal(random) / 4);
	for (int number = 0; number < count; number++) {
		struct lesson *lesson = lessons_add(lessons, MOVES);
		float total = 0;

		lesson->family = POLICY_PAIR;
		lesson->phase = 1;
		lesson->held_out = number % 10 == 0;
		for (int move = 0; move < MOVES; move++) {
			double score = 0;

			for (int i = 0; i < POLICY_FEATURE_COUNT; i++) {
				double feature = sample_normal(random);

				lesson->features[move][i] = (float)feature;
				score += feature * (double)known->weights[1][i];
			}
			lesson->targets[move] = (float)exp(score);
			total += lesson->targets[move];
		}
		for (int move = 0; move < MOVES; move++)
			lesson->targets[move] /= total;
	}
}

TEST(test_known_weights_are_found_again)
{
	struct policy_table known, found = { 0 };
	struct logit_report report;
	struct lessons lessons;
	uint64_t random = 3;

	lessons_make(&lessons, &known, LESSONS, &random);
	logit_fit(&lessons, POLICY_PAIR, 1, RIDGE, &found);
	for (int i = 0; i < POLICY_FEATURE_COUNT; i++) {
		assert_near((double)found.weights[1][i],
		    (double)known.weights[1][i], 0.01);
		assert_true(found.weights[0][i] == 0);
	}
	report = logit_judge(&lessons, POLICY_PAIR, 1, &found);
	assert_int_equal(report.count, LESSONS / 10);
	assert_near(report.likelihood, report.ceiling, 1e-4);
	assert_true(report.agreement > 0.99);
	lessons_close(&lessons);
}

TEST(test_weights_without_effect_get_zero_or_are_not_changed)
{
	struct policy_table known, found = { 0 };
	struct lessons lessons;
	struct lesson *lesson;
	uint64_t random = 4;

	lessons_make(&lessons, &known, LESSONS / 4, &random);
	/* This feature is equal for all moves of a position. */
	STAILQ_FOREACH (lesson, &lessons, next)
		for (int move = 0; move < MOVES; move++)
			lesson->features[move][0] = 1;
	found.weights[1][0] = 5;
	found.weights[0][2] = 7;
	logit_fit(&lessons, POLICY_PAIR, 1, RIDGE, &found);
	assert_near((double)found.weights[1][0], 0, 0.01);
	/* There are no lessons for this phase. */
	logit_fit(&lessons, POLICY_PAIR, 0, RIDGE, &found);
	assert_true(found.weights[0][2] == 7);
	lessons_close(&lessons);
}

TEST(test_worlds_of_the_teacher_fit_the_deal)
{
	const struct scopa_rules rules = support_rules("cirulla");
	uint64_t random = 1;

	for (int i = 0; i < WORLDS; i++) {
		struct scopa_deal deal, world;

		random_deal(&rules, &random, &deal);
		random_world(&rules, &deal, &random, &world);
		world_fixture_fits(&rules, &deal, &world);
	}
}

/*
 * Seat 0 can capture with the settebello, or lay another card while the
 * opponent has a seven.
 */
TEST(test_better_move_has_the_greater_value)
{
	const struct teacher teacher = { .tables = policy_tables,
		.worlds = 40 };
	const struct scopa_rules rules = support_rules("scopa");
	struct scopa_move moves[SCOPA_MOVES_MAX];
	struct scopa_deal deal;
	double values[SCOPA_MOVES_MAX];
	uint64_t random = 3;
	int count;

	support_position(&rules, "7SQC", "7DKS", &deal);
	support_hold(&deal, "7BJD");
	deal.dealt = SCOPA_PACK_SIZE;
	count = scopa_moves(&rules, &deal, moves, SCOPA_MOVES_MAX);
	assert_int_equal(count, 2);
	assert_int_equal(moves[0].card, support_card("7D"));
	teacher_values(&teacher, &rules, &deal, moves, count, &random, values);
	assert_true(values[0] > values[1]);
}

TEST(test_result_is_the_lead_over_the_mean_of_the_others)
{
	const struct scopa_rules rules = support_rules("scopa,players=3");
	const struct scopa_rules least = support_rules("perdere,players=3");
	struct scopa_deal deal = { .turn = SCOPA_SEAT_NONE,
		.winner = SCOPA_TEAM_NONE,
		.scopas = { 3, 1, 2 } };

	assert_near(deal_result(&rules, &deal, 0), 1.5, 1e-9);
	assert_near(deal_result(&rules, &deal, 2), 0, 1e-9);
	assert_near(deal_result(&least, &deal, 0), -1.5, 1e-9);
}

TEST(test_targets_of_a_lesson_add_up)
{
	const struct teacher teacher = { .tables = policy_tables, .worlds = 2 };
	struct lessons lessons = STAILQ_HEAD_INITIALIZER(lessons);
	struct lesson *lesson;
	uint64_t random = 4;
	int held_out = 0, count = 0;

	for (int family = 0; family < POLICY_FAMILY_COUNT; family++)
		teacher_teach(&teacher, (enum policy_family)family, 11, &random,
		    &lessons);
	STAILQ_FOREACH (lesson, &lessons, next) {
		double total = 0;

		assert_true(lesson->count > 1);
		assert_in_range(lesson->phase, 0, POLICY_PHASE_COUNT - 1);
		for (int move = 0; move < lesson->count; move++)
			total += (double)lesson->targets[move];
		assert_near(total, 1, 1e-4);
		held_out += lesson->held_out;
		count++;
	}
	assert_true(count > 100);
	assert_true(held_out > 0 && held_out < count / 2);
	lessons_close(&lessons);
}
