/*
 * What a searching bot plays at its strength.
 */
#include "strength.h"
#include "test.h"

enum { TIMES = 4000 };

/* The second row is the best, by a point, which is a quarter of reward. */
static struct search_result result = {
	.best = 1,
	.row_count = 2,
	.rows = { { .visits = 30, .value = 0.5 },
	    { .visits = 70, .value = 0.75 } },
};

/* How often, of TIMES, a level plays the best row. */
static int
bests_of(int level)
{
	uint64_t random = 1;
	int bests = 0;

	for (int i = 0; i < TIMES; i++)
		bests += graded_row(&result, level, 0.25, &random) ==
		    &result.rows[1];
	return bests;
}

TEST(test_full_strength_plays_the_best_row)
{
	assert_int_equal(bests_of(STRENGTH_MAX), TIMES);
}

TEST(test_less_strength_goes_by_values_in_points)
{
	int bests = bests_of(7);

	/* At a temperature of 0.17 points: all but 1 in 360. */
	assert_true(bests < TIMES && bests > TIMES * 99 / 100);
	assert_true(bests_of(4) < bests);
	assert_true(bests_of(1) < bests_of(4));
	assert_true(bests_of(1) > TIMES / 2);
}
