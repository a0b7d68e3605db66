/*
 * The control variate: luck that the deal explains is taken out.
 */
#include "estimate.h"

#include <stdlib.h>

#include "sample.h"
#include "support.h"
#include "test.h"

/* A pair whose x is one part. */
static void
pair_add(struct variate_parts *pairs, double x, double y)
{
	const double parts[VARIATE_PARTS_MAX] = { x };

	variate_parts_add(pairs, parts, y);
}

static struct variate
pairs_sum(const struct variate_parts *pairs)
{
	static const double weights[VARIATE_PARTS_MAX] = { 1.0 };

	return variate_parts_weigh(pairs, weights);
}

/* Margins: a strength, the deal's part of luck, and luck of other kinds. */
static struct variate
games_play(int games, double strength, double by_deal, uint64_t *random)
{
	struct variate_parts pairs = { 0 };

	for (int i = 0; i < games; i++) {
		double deal = 2.0 * sample_normal(random);

		pair_add(&pairs, deal,
		    strength + by_deal * deal + sample_normal(random));
	}
	return pairs_sum(&pairs);
}

static double
width_of(const struct estimate *estimate)
{
	return estimate->high - estimate->low;
}

TEST(test_luck_of_the_deal_is_taken_out)
{
	uint64_t random = 1;
	struct variate variate = games_play(4000, 0.3, 1.5, &random);
	struct variate_estimate found = variate_estimate(&variate, 0.0, 0.95);

	/* Variances of 1.5^2 * 2^2 + 1 and of 1. */
	assert_near(found.coefficient, 1.5, 0.03);
	assert_near(found.variance_ratio, 10.0, 1.0);
	assert_near(width_of(&found.plain) / width_of(&found.corrected),
	    sqrt(10.0), 0.2);
	assert_near(found.corrected.value, 0.3, 0.05);
	assert_true(found.corrected.low < 0.3 && found.corrected.high > 0.3);
	assert_near(found.plain.value, variate.mean_y, 0.0);
}

TEST(test_mean_of_the_reference_shifts_the_margin)
{
	uint64_t random = 3;
	struct variate variate = games_play(100, 0.3, 1.5, &random);
	struct variate_estimate zero = variate_estimate(&variate, 0.0, 0.95);
	struct variate_estimate one = variate_estimate(&variate, 1.0, 0.95);

	assert_near(one.corrected.value - zero.corrected.value,
	    zero.coefficient, 1e-12);
	assert_near(one.plain.value, zero.plain.value, 0.0);
	/* Where the packs were far from the usual, c itself is in doubt. */
	assert_true(width_of(&one.corrected) > width_of(&zero.corrected));
}

TEST(test_stream_agrees_with_sums)
{
	static const double x[] = { 1.0, 2.0, 4.0, 7.0 };
	static const double y[] = { 3.0, 3.0, -1.0, 5.0 };
	struct variate_parts pairs = { 0 };
	struct variate variate;

	for (int i = 0; i < 4; i++)
		pair_add(&pairs, x[i], y[i]);
	variate = pairs_sum(&pairs);
	assert_int_equal(variate.count, 4);
	assert_near(variate.mean_x, 3.5, 1e-15);
	assert_near(variate.mean_y, 2.5, 1e-15);
	assert_near(variate.squares_x, 21.0, 1e-12);
	assert_near(variate.squares_y, 19.0, 1e-12);
	assert_near(variate.products, 5.0, 1e-12);
}

TEST(test_parts_are_weighed_in_the_end)
{
	static const double weights[VARIATE_PARTS_MAX] = { 2.0, -1.0, 0.5, 3.0,
		0.0, -0.25 };
	uint64_t random = 6;
	struct variate_parts parts = { 0 }, sums = { 0 };
	struct variate expected, found;

	for (int i = 0; i < 50; i++) {
		double part[VARIATE_PARTS_MAX], x = 0.0;
		double y = 5.0 + sample_normal(&random);

		for (int k = 0; k < VARIATE_PARTS_MAX; k++) {
			part[k] = 10.0 * k + sample_normal(&random);
			x += weights[k] * part[k];
		}
		y += x;
		variate_parts_add(&parts, part, y);
		pair_add(&sums, x, y);
	}
	expected = pairs_sum(&sums);
	found = variate_parts_weigh(&parts, weights);
	assert_int_equal(found.count, 50);
	assert_near(found.mean_x, expected.mean_x, 1e-10);
	assert_near(found.mean_y, expected.mean_y, 1e-10);
	assert_near(found.squares_x, expected.squares_x, 1e-8);
	assert_near(found.squares_y, expected.squares_y, 1e-8);
	assert_near(found.products, expected.products, 1e-8);
}

TEST(test_intervals_hold_as_often_as_they_say)
{
	enum { SERIES = 4000 };
	uint64_t random = 4;
	int held = 0;

	for (int i = 0; i < SERIES; i++) {
		struct variate variate = games_play(12, 0.3, 1.5, &random);
		struct variate_estimate found =
		    variate_estimate(&variate, 0.0, 0.9);

		held +=
		    found.corrected.low <= 0.3 && found.corrected.high >= 0.3;
	}
	assert_near((double)held / SERIES, 0.9, 0.02);
}

TEST(test_reference_that_knows_nothing_does_no_harm)
{
	uint64_t random = 5;

	for (int i = 0; i < 200; i++) {
		struct variate variate =
		    games_play(3 + i % 50, 0.3, 0.0, &random);
		struct variate_estimate found =
		    variate_estimate(&variate, 0.0, 0.95);

		assert_true(found.variance_ratio >= 1.0);
		assert_true(isfinite(width_of(&found.corrected)));
	}
}

TEST(test_nothing_is_corrected_where_nothing_can_be)
{
	struct variate_parts pairs = { 0 };

	for (int i = 0; i < 6; i++) {
		struct variate variate = pairs_sum(&pairs);
		struct variate_estimate found =
		    variate_estimate(&variate, 0.0, 0.95);

		assert_near(found.coefficient, 0.0, 0.0);
		assert_near(found.variance_ratio, 1.0, 0.0);
		assert_near(found.corrected.value, found.plain.value, 0.0);
		assert_near(found.corrected.low, found.plain.low, 0.0);
		/* The reference has always the same. */
		pair_add(&pairs, 1.0, i);
	}
}
