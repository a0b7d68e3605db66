/*
 * Levels of play: the best move, and less and less of it.
 */
#include "strength.h"

#include "scopa/scopa.h"
#include "splitmix.h"
#include "test.h"

enum { CHOICES = 6, TIMES = 20000 };

static uint64_t random_state;

/* Mean value of what a level plays of these, in points. */
static double
mean_value(int level, const struct strength_choice *choices, int count)
{
	double sum = 0;

	for (int i = 0; i < TIMES; i++)
		sum += choices[strength_choose(
				   level, choices, count, &random_state)]
			   .value;
	return sum / TIMES;
}

/* How often, of TIMES, a level plays the move of this index. */
static int
plays_of(int level, const struct strength_choice *choices, int count, int index)
{
	int plays = 0;

	for (int i = 0; i < TIMES; i++)
		plays += strength_choose(
			     level, choices, count, &random_state) == index;
	return plays;
}

TEST(test_highest_level_plays_the_move_visited_most)
{
	const struct strength_choice choices[] = {
		{ .value = 0.9, .visits = 3 },
		{ .value = 0.2, .visits = 40 },
		{ .value = 0.3, .visits = 40 },
		{ .value = 0.8, .visits = 39 },
	};

	assert_int_equal(plays_of(STRENGTH_MAX, choices, 4, 2), TIMES);
}

TEST(test_highest_level_without_a_search_plays_the_best_value)
{
	const struct strength_choice choices[] = {
		{ .value = -3 },
		{ .value = -1 },
		{ .value = -2 },
	};

	assert_int_equal(plays_of(STRENGTH_MAX, choices, 3, 1), TIMES);
}

TEST(test_only_move_is_played_at_every_level)
{
	const struct strength_choice choice = { .value = -100 };

	for (int level = STRENGTH_MIN; level <= STRENGTH_MAX; level++)
		assert_int_equal(plays_of(level, &choice, 1, 0), TIMES);
}

/* Values of all kinds: near each other, far apart, few and many cards. */
static void
choices_fill(struct strength_choice choices[CHOICES], int kind)
{
	const double spread = kind % 4 == 0 ? 0.1 : kind % 4;

	for (int i = 0; i < CHOICES; i++) {
		int cards = (int)splitmix_below(&random_state, 4);

		choices[i] = (struct strength_choice){
			.move = { .captured = (UINT64_C(1) << cards) - 1 },
			.value =
			    spread * splitmix_below(&random_state, 1000) / 1000,
			.visits = kind % 2,
		};
	}
}

TEST(test_lower_level_is_worse_in_expectation)
{
	enum { LISTS = 40 };
	double means[STRENGTH_MAX + 1] = { 0 };
	struct strength_choice choices[CHOICES];

	random_state = 5;
	for (int list = 0; list < LISTS; list++) {
		double before = -1e9;

		choices_fill(choices, list);
		for (int level = 1; level <= STRENGTH_MAX; level++) {
			double mean = mean_value(level, choices, CHOICES);

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
	struct strength_choice choices[CHOICES];
	double lowest = 0, chance = 0, best = 0;

	random_state = 6;
	for (int list = 0; list < LISTS; list++) {
		choices_fill(choices, 3);
		lowest += mean_value(STRENGTH_MIN, choices, CHOICES);
		best += mean_value(STRENGTH_MAX, choices, CHOICES);
		for (int i = 0; i < CHOICES; i++)
			chance += choices[i].value / CHOICES;
	}
	assert_true(lowest > chance + 0.1 * LISTS);
	assert_true(lowest < best - 0.5 * LISTS);
}

TEST(test_captures_of_many_cards_are_overlooked_more_often)
{
	const struct strength_choice choices[] = {
		{ .value = 5, .move = { .captured = 1 } },
		{ .value = 0 },
	};
	const struct strength_choice harder[] = {
		{ .value = 5, .move = { .captured = 7 } },
		{ .value = 0 },
	};

	random_state = 7;
	assert_true(plays_of(3, harder, 2, 0) <
	    plays_of(3, choices, 2, 0) - TIMES / 10);
	/* The middle levels see every move. */
	assert_true(plays_of(7, harder, 2, 0) == TIMES);
}

TEST(test_unvisited_move_counts_like_the_worst_visited_one)
{
	const struct strength_choice choices[] = {
		{ .value = 0, .visits = 100 },
		{ .value = 1000, .visits = 0 },
		{ .value = 1, .visits = 100 },
	};
	int plays;

	random_state = 8;
	assert_int_equal(plays_of(STRENGTH_MAX, choices, 3, 2), TIMES);
	/* At a temperature of half a point: 1 in 2 + e^2. */
	plays = plays_of(4, choices, 3, 1);
	assert_true(plays > TIMES * 5 / 100 && plays < TIMES * 20 / 100);
}

TEST(test_same_random_state_plays_the_same)
{
	struct strength_choice choices[CHOICES];
	uint64_t one = 9, other = 9;

	choices_fill(choices, 1);
	for (int i = 0; i < TIMES; i++)
		assert_int_equal(strength_choose(2, choices, CHOICES, &one),
		    strength_choose(2, choices, CHOICES, &other));
}
