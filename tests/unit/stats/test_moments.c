/*
 * Mean and variance of streams: as exact as from all numbers at once.
 */

#include "estimate.h"
#include "sample.h"
#include "test.h"

TEST(test_a_stream_gives_mean_and_both_variances)
{
	static const double values[] = { 4, -2, 1, 0, 3, -1, -5, 2, 2 };
	struct moments moments = { 0 };

	for (int i = 0; i < 9; i++)
		moments_add(&moments, values[i]);
	assert_int_equal(moments.count, 9);
	assert_near(moments.mean, 4.0 / 9, 1e-15);
	assert_near(moments.squares, 64 - 16.0 / 9, 1e-13);
	assert_near(moments_variance(&moments), (64 - 16.0 / 9) / 9, 1e-14);
	assert_near(
	    moments_sample_variance(&moments), (64 - 16.0 / 9) / 8, 1e-14);
}

TEST(test_few_numbers_have_no_variance)
{
	struct moments moments = { 0 };

	assert_true(moments_variance(&moments) == 0);
	assert_true(moments_sample_variance(&moments) == 0);
	moments_add(&moments, 0.1);
	assert_true(moments.mean == 0.1);
	assert_true(moments_variance(&moments) == 0);
	assert_true(moments_sample_variance(&moments) == 0);
}

TEST(test_equal_numbers_have_a_variance_of_exactly_zero)
{
	struct moments moments = { 0 };

	for (int i = 0; i < 100000; i++)
		moments_add(&moments, -0.1);
	assert_true(moments.mean == -0.1);
	assert_true(moments_variance(&moments) == 0);
}

/* The sum of squares less the square of the sum would have no digit left. */
TEST(test_a_far_mean_does_not_swallow_the_variance)
{
	struct moments moments = { 0 };

	for (int i = 0; i < 30000; i++)
		moments_add(&moments, 1e9 + i % 3);
	assert_near(moments.mean, 1e9 + 1, 1e-4);
	assert_near(moments_variance(&moments), 2.0 / 3, 1e-8);
}

TEST(test_parts_join_to_the_whole)
{
	uint64_t random = 7;

	for (int cut = 0; cut <= 50; cut++) {
		struct moments whole = { 0 }, parts[2] = { { 0 }, { 0 } };
		struct moments joined;

		for (int i = 0; i < 50; i++) {
			double value = 3 + 5 * sample_normal(&random);

			moments_add(&whole, value);
			moments_add(&parts[i >= cut], value);
		}
		joined = moments_join(parts[0], parts[1]);
		assert_int_equal(joined.count, 50);
		assert_near(joined.mean, whole.mean, 1e-13);
		assert_near(joined.squares, whole.squares, 1e-10);
		joined = moments_join(parts[1], parts[0]);
		assert_near(joined.mean, whole.mean, 1e-13);
		assert_near(joined.squares, whole.squares, 1e-10);
	}
}

TEST(test_great_parts_join_without_overflow)
{
	struct moments some = moments_of(1000000000000000, 0.25, 3);
	struct moments joined = moments_join(some, some);

	assert_int_equal(joined.count, 2000000000000000);
	assert_near(joined.mean, 0.25, 0);
	assert_near(moments_variance(&joined), 9, 1e-12);
}

TEST(test_moments_come_back_from_mean_and_deviation)
{
	struct moments moments = moments_of(220, 0.2909, 2.1532);
	struct moments none = moments_of(0, 5, 1);

	assert_int_equal(moments.count, 220);
	assert_true(moments.mean == 0.2909);
	assert_near(
	    sqrt(moments_sample_variance(&moments)), 2.1532, 1e-15 * 220);
	moments = moments_of(1, 5, 1);
	assert_true(moments.squares == 0);
	assert_int_equal(none.count, 0);
	assert_true(none.mean == 0 && none.squares == 0);
}

TEST(test_the_greatest_values_stay_finite)
{
	struct moments moments = { 0 };

	for (int i = 0; i < 1000; i++)
		moments_add(&moments,
		    i % 2 == 0 ? MOMENTS_VALUE_MAX : -MOMENTS_VALUE_MAX);
	assert_true(isfinite(moments_variance(&moments)));
	assert_near(sqrt(moments_variance(&moments)), MOMENTS_VALUE_MAX,
	    1e-10 * MOMENTS_VALUE_MAX);
}
