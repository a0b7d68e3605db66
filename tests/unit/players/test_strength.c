/*
 * Levels of play: the best move, and less and less of it.
 */
#include "players.h"

#include "scopa/scopa.h"
#include "splitmix.h"
#include "test.h"

enum { CHOICES = 6, TIMES = 20000 };

static uint64_t random_state;

/* Mean value of what a level plays of these, in points. */
static double
mean_value(int level, const struct search_result *result)
{
	double sum = 0;

	for (int i = 0; i < TIMES; i++)
		sum += strength_row(result, level, 1, &random_state)->value;
	return sum / TIMES;
}

/* How often, of TIMES, a level plays the move of this index. */
static int
plays_of(int level, const struct search_result *result, int index)
{
	int plays = 0;

	for (int i = 0; i < TIMES; i++)
		plays += strength_row(result, level, 1, &random_state) ==
		    &result->rows[index];
	return plays;
}

/* Values of all kinds: near each other, far apart, few and many cards. */
static void
result_fill(struct search_result *result, int kind)
{
	const double spread = kind % 4 == 0 ? 0.1 : kind % 4;

	result->row_count = CHOICES;
	result->best = 0;
	for (int i = 0; i < CHOICES; i++) {
		int cards = (int)splitmix_below(&random_state, 4);

		result->rows[i] = (struct search_row){
			.move = { .captured = (UINT64_C(1) << cards) - 1 },
			.value =
			    spread * splitmix_below(&random_state, 1000) / 1000,
			.visits = 1,
		};
		if (result->rows[i].value > result->rows[result->best].value)
			result->best = i;
	}
}

TEST(test_lower_level_is_worse_in_expectation)
{
	enum { LISTS = 40 };
	double means[STRENGTH_MAX + 1] = { 0 };
	static struct search_result result;

	random_state = 5;
	for (int list = 0; list < LISTS; list++) {
		double before = -1e9;

		result_fill(&result, list);
		for (int level = 1; level <= STRENGTH_MAX; level++) {
			double mean = mean_value(level, &result);

			/* Four deviations of a mean of values up to 3. */
			assert_true(mean > before - 0.04);
			before = mean;
			means[level] += mean / LISTS;
		}
	}
	for (int level = 2; level <= STRENGTH_MAX; level++)
		assert_true(means[level] > means[level - 1] + 0.001);
}

TEST(test_lowest_level_is_better_than_chance_and_far_from_the_best)
{
	enum { LISTS = 40 };
	static struct search_result result;
	double lowest = 0, chance = 0, best = 0;

	random_state = 6;
	for (int list = 0; list < LISTS; list++) {
		result_fill(&result, 3);
		lowest += mean_value(STRENGTH_MIN, &result);
		best += mean_value(STRENGTH_MAX, &result);
		for (int i = 0; i < CHOICES; i++)
			chance += result.rows[i].value / CHOICES;
	}
	assert_true(lowest > chance + 0.1 * LISTS);
	assert_true(lowest < best - 0.5 * LISTS);
}

TEST(test_captures_of_many_cards_are_overlooked_more_often)
{
	static const struct search_result easy = {
		.row_count = 2,
		.rows = { { .value = 5, .visits = 1, .move = { .captured = 1 } },
		    { .visits = 1 } },
	}, harder = {
		.row_count = 2,
		.rows = { { .value = 5, .visits = 1, .move = { .captured = 7 } },
		    { .visits = 1 } },
	};

	random_state = 7;
	assert_true(
	    plays_of(3, &harder, 0) < plays_of(3, &easy, 0) - TIMES / 10);
	/* The middle levels see every move. */
	assert_true(plays_of(7, &harder, 0) == TIMES);
}

enum { FEW = 4000 };

/* The second row is the best, by a point, which is a quarter of reward. */
static const struct search_result two = {
	.best = 1,
	.row_count = 2,
	.rows = { { .visits = 30, .value = 0.5 },
	    { .visits = 70, .value = 0.75 } },
};

/* How often, of FEW, a level plays the best row. */
static int
bests_of(int level)
{
	uint64_t random = 1;
	int bests = 0;

	for (int i = 0; i < FEW; i++)
		bests +=
		    strength_row(&two, level, 0.25, &random) == &two.rows[1];
	return bests;
}

TEST(test_full_strength_plays_the_best_row)
{
	assert_int_equal(bests_of(STRENGTH_MAX), FEW);
}

TEST(test_less_strength_goes_by_values_in_points)
{
	int bests = bests_of(7);

	/* At a temperature of 0.17 points: all but 1 in 360. */
	assert_true(bests < FEW && bests > FEW * 99 / 100);
	assert_true(bests_of(4) < bests);
	assert_true(bests_of(1) < bests_of(4));
	assert_true(bests_of(1) > FEW / 2);
}
