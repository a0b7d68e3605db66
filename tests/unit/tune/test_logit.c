/*
 * Logistic regression: weights that made the lessons are found again.
 */
#include "logit.h"

#include "sample.h"
#include "test.h"

enum { LESSONS = 4000, MOVES = 5 };

static const double RIDGE = 1e-7;

/* Lessons of features at random, and what a softmax makes of them. */
static struct lessons
lessons_make(const struct policy_table *known, int count, uint64_t *random)
{
	static float features[LESSONS * MOVES][POLICY_FEATURE_COUNT];
	static float targets[LESSONS * MOVES];
	static struct lesson items[LESSONS];

	for (int move = 0; move < count * MOVES; move++) {
		double score = 0;

		for (int i = 0; i < POLICY_FEATURE_COUNT; i++) {
			features[move][i] = (float)sample_normal(random);
			score += (double)features[move][i] *
			    (double)known->weights[1][i];
		}
		targets[move] = (float)exp(score);
	}
	for (int i = 0; i < count; i++) {
		float *shares = targets + i * MOVES, total = 0;

		for (int move = 0; move < MOVES; move++)
			total += shares[move];
		for (int move = 0; move < MOVES; move++)
			shares[move] /= total;
		items[i] = (struct lesson){ .first = (size_t)(i * MOVES),
			.count = MOVES,
			.family = POLICY_PAIR,
			.phase = 1,
			.held_out = i % 10 == 0 };
	}
	return (struct lessons){ .features = features,
		.targets = targets,
		.move_count = (size_t)(count * MOVES),
		.items = items,
		.count = (size_t)count };
}

static void
known_make(struct policy_table *known, uint64_t *random)
{
	*known = (struct policy_table){ 0 };
	for (int i = 0; i < POLICY_FEATURE_COUNT; i++)
		known->weights[1][i] = (float)(sample_normal(random) / 4);
}

TEST(test_known_weights_are_found_again)
{
	struct policy_table known, found = { 0 };
	struct logit_report report;
	struct lessons lessons;
	uint64_t random = 3;

	known_make(&known, &random);
	lessons = lessons_make(&known, LESSONS, &random);
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
}

TEST(test_weights_that_do_nothing_go_to_zero)
{
	struct policy_table known, found = { 0 };
	struct lessons lessons;
	uint64_t random = 4;

	known_make(&known, &random);
	lessons = lessons_make(&known, LESSONS / 4, &random);
	/* The same for all moves of a position. */
	for (size_t move = 0; move < lessons.move_count; move++)
		lessons.features[move][0] = 1;
	found.weights[1][0] = 5;
	logit_fit(&lessons, POLICY_PAIR, 1, RIDGE, &found);
	assert_near((double)found.weights[1][0], 0, 0.01);
}

TEST(test_without_lessons_nothing_is_changed)
{
	const struct lessons lessons = { 0 };
	struct policy_table found = { 0 };

	found.weights[0][2] = 7;
	logit_fit(&lessons, POLICY_PAIR, 0, RIDGE, &found);
	assert_true(found.weights[0][2] == 7);
}
