/*
 * Which pairs of bots stand out from what all other results let expect.
 */
#include "residual.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sample.h"
#include "support.h"

enum { BOTS = 6, PAIRS = BOTS * (BOTS - 1) / 2, BLOCKS = 400 };

static double work[4 * BOTS * BOTS];
static struct rating_margins pairs[PAIRS];
static struct rating ratings[BOTS];
static struct residual residuals[PAIRS];

/* Every pair as strengths 0.0, 0.1, ... say, with a deviation of 2. */
static void
fill(int64_t blocks)
{
	int i = 0;

	for (int a = 0; a < BOTS; a++)
		for (int b = a + 1; b < BOTS; b++)
			pairs[i++] = (struct rating_margins){
				.first = a,
				.second = b,
				.margins = moments_of(blocks, 0.1 * (a - b), 2),
			};
}

static void
find(int pair_count)
{
	residual_find(pairs, pair_count, BOTS, ratings, work, residuals);
	for (int i = 0; i < pair_count; i++)
		assert_false(pairs[i].apart);
}

static void
test_pairs_as_expected_are_not_odd(void **state)
{
	(void)state;
	fill(BLOCKS);
	find(PAIRS);
	for (int i = 0; i < PAIRS; i++) {
		assert_true(residuals[i].judged);
		assert_false(residuals[i].odd);
		assert_near(residuals[i].z, 0.0, 1e-9);
		assert_near(residuals[i].expected, pairs[i].margins.mean, 1e-9);
	}
}

/* One bot gives another one point a deal. */
static void
test_only_the_pair_that_plays_soft_is_odd(void **state)
{
	(void)state;
	fill(BLOCKS);
	pairs[4].margins = moments_of(BLOCKS, pairs[4].margins.mean + 1, 2);
	find(PAIRS);
	assert_true(residuals[4].odd);
	assert_true(residuals[4].z > 4);
	assert_near(residuals[4].expected, -0.5, 1e-6);
	for (int i = 0; i < PAIRS; i++)
		if (i != 4)
			assert_false(residuals[i].odd);
}

/* So much that all their neighbours are pulled along. */
static void
test_odd_pairs_do_not_make_their_neighbours_odd(void **state)
{
	(void)state;
	fill(BLOCKS);
	pairs[4].margins = moments_of(BLOCKS, pairs[4].margins.mean + 4, 2);
	pairs[9].margins = moments_of(BLOCKS, pairs[9].margins.mean - 3, 2);
	find(PAIRS);
	for (int i = 0; i < PAIRS; i++)
		assert_int_equal(residuals[i].odd, i == 4 || i == 9);
	assert_near(residuals[4].expected, -0.5, 1e-6);
	assert_true(residuals[4].z > 10);
	assert_true(residuals[9].z < -10);
	assert_near(residuals[0].z, 0.0, 1e-6);
}

/* The formula gives what a fit without the pair would. */
static void
test_expectation_is_that_of_all_others(void **state)
{
	struct residual found;
	struct rating_margins left;
	double expected, error, variance;

	(void)state;
	fill(BLOCKS);
	for (int i = 0; i < PAIRS; i++)
		pairs[i].margins =
		    moments_of(100 + 30 * i, 0.05 * ((i * 7) % 5) - 0.1, 2);
	find(PAIRS);
	left = pairs[PAIRS - 1];
	found = residuals[PAIRS - 1];
	for (int i = 0; i < PAIRS; i++)
		assert_false(residuals[i].odd);
	variance = rating_variance(
		       &left.margins, rating_pooled_variance(pairs, PAIRS)) /
	    (double)left.margins.count;
	rating_margin(pairs, PAIRS - 1, BOTS, ratings, work);
	expected = ratings[left.first].value - ratings[left.second].value;
	error = rating_difference_error(left.first, left.second, BOTS, work);
	assert_near(found.expected, expected, 1e-6);
	assert_near(found.z,
	    (left.margins.mean - expected) / sqrt(variance + error * error),
	    1e-6);
}

static void
test_who_is_joined_by_nobody_else_is_not_judged(void **state)
{
	(void)state;
	fill(BLOCKS);
	/* The first bot meets the second alone, who meets the others. */
	memmove(pairs + 1, pairs + BOTS - 1,
	    sizeof(pairs) - (BOTS - 1) * sizeof(*pairs));
	find(PAIRS - BOTS + 2);
	assert_false(residuals[0].judged);
	assert_false(residuals[0].odd);
	assert_true(residuals[1].judged);
}

static void
test_few_blocks_are_not_judged(void **state)
{
	(void)state;
	fill(RESIDUAL_BLOCKS_MIN - 1);
	find(PAIRS);
	for (int i = 0; i < PAIRS; i++)
		assert_false(residuals[i].judged || residuals[i].odd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs_as_expected_are_not_odd),
		cmocka_unit_test(test_only_the_pair_that_plays_soft_is_odd),
		cmocka_unit_test(
		    test_odd_pairs_do_not_make_their_neighbours_odd),
		cmocka_unit_test(test_expectation_is_that_of_all_others),
		cmocka_unit_test(
		    test_who_is_joined_by_nobody_else_is_not_judged),
		cmocka_unit_test(test_few_blocks_are_not_judged),
	};

	return cmocka_run_group_tests_name("residual", tests, NULL, NULL);
}
