/*
 * Logistic regression: weights that made the lessons are found again.
 */
#include "logit.h"

#include "sample.h"
#include "test.h"

enum { LESSONS = 4000, MOVES = 5 };

static const double RIDGE = 1e-7;

/* Features at random, and what a softmax with these weights makes of them. */
static void
lesson_make(const struct policy_table *truth, bool held_out, uint64_t *random,
    struct lessons *lessons)
{
	float features[MOVES][POLICY_FEATURE_COUNT];
	float targets[MOVES];
	struct lesson lesson = {
		.family = POLICY_PAIR, .phase = 1, .held_out = held_out
	};
	double total = 0;

	for (int move = 0; move < MOVES; move++) {
		double score = 0;

		for (int i = 0; i < POLICY_FEATURE_COUNT; i++) {
			features[move][i] = (float)sample_normal(random);
			score += (double)features[move][i] *
			    (double)truth->weights[i][1];
		}
		targets[move] = (float)exp(score);
		total += exp(score);
	}
	for (int move = 0; move < MOVES; move++)
		targets[move] = (float)((double)targets[move] / total);
	assert_int_equal(
	    lessons_add(lessons, lesson, MOVES, features, targets), 0);
}

static void
truth_make(struct policy_table *truth, uint64_t *random)
{
	*truth = (struct policy_table){ 0 };
	for (int i = 0; i < POLICY_FEATURE_COUNT; i++)
		truth->weights[i][1] = (float)(sample_normal(random) / 4);
}

TEST(test_known_weights_are_found_again)
{
	struct policy_table truth, found = { 0 };
	struct logit_report report;
	struct lessons lessons;
	uint64_t random = 3;

	truth_make(&truth, &random);
	lessons_open(&lessons);
	for (int i = 0; i < LESSONS; i++)
		lesson_make(&truth, i % 10 == 0, &random, &lessons);
	assert_true(logit_fit(&lessons, POLICY_PAIR, 1, RIDGE, &found) > 1);
	for (int i = 0; i < POLICY_FEATURE_COUNT; i++) {
		assert_near((double)found.weights[i][1],
		    (double)truth.weights[i][1], 0.01);
		assert_true(found.weights[i][0] == 0);
	}
	logit_judge(&lessons, POLICY_PAIR, 1, true, &found, &report);
	assert_int_equal(report.count, LESSONS / 10);
	assert_near(report.likelihood, report.ceiling, 1e-4);
	assert_near(report.uniform, -log(MOVES), 1e-9);
	assert_near(report.chance, 1.0 / MOVES, 1e-9);
	assert_true(report.agreement > 0.99);
	lessons_close(&lessons);
}

TEST(test_weights_that_do_nothing_go_to_zero)
{
	struct policy_table truth, found = { 0 };
	struct lessons lessons;
	uint64_t random = 4;

	truth_make(&truth, &random);
	lessons_open(&lessons);
	for (int i = 0; i < LESSONS / 10; i++)
		lesson_make(&truth, false, &random, &lessons);
	/* The same for all moves of a position. */
	for (size_t move = 0; move < lessons.move_count; move++)
		lessons.features[move][0] = 1;
	found.weights[0][1] = 5;
	logit_fit(&lessons, POLICY_PAIR, 1, RIDGE, &found);
	assert_near((double)found.weights[0][1], 0, 0.01);
	lessons_close(&lessons);
}

TEST(test_without_lessons_nothing_is_changed)
{
	struct policy_table found = { 0 };
	struct lessons lessons;

	found.weights[2][0] = 7;
	lessons_open(&lessons);
	assert_int_equal(logit_fit(&lessons, POLICY_PAIR, 0, RIDGE, &found), 0);
	assert_true(found.weights[2][0] == 7);
	lessons_close(&lessons);
}
