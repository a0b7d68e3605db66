/*
 * Numbers as people read them.
 */
#include "text_format.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "test.h"

static char bytes[512];
static struct scopa_text text;

static struct scopa_text *
empty(void)
{
	scopa_text_init(&text, bytes, sizeof(bytes));
	return &text;
}

TEST(test_zero_has_no_sign)
{
	number_signed(empty(), 0.0, 2);
	assert_string_equal(bytes, "0.00");
	number_signed(empty(), -0.0, 2);
	assert_string_equal(bytes, "0.00");
	number_signed(empty(), -0.004, 2);
	assert_string_equal(bytes, "0.00");
	number_signed(empty(), -0.006, 2);
	assert_string_equal(bytes, "-0.01");
	number_signed(empty(), 0.006, 2);
	assert_string_equal(bytes, "+0.01");
	number_fixed(empty(), 12.34, 1);
	assert_string_equal(bytes, "12.3");
	number_fixed(empty(), -12.34, 0);
	assert_string_equal(bytes, "-12");
}

TEST(test_what_is_no_number_is_unknown)
{
	static const double wrong[] = { (double)NAN, HUGE_VAL, -HUGE_VAL };

	for (int i = 0; i < 3; i++) {
		number_signed(empty(), wrong[i], 2);
		assert_string_equal(bytes, "unknown");
		number_percent(empty(), wrong[i]);
		assert_string_equal(bytes, "unknown%");
	}
	number_fixed(empty(), DBL_MAX, 1);
	assert_int_equal(text.length, 311);
	assert_false(text.cut);
}

TEST(test_intervals_have_both_ends)
{
	const struct estimate estimate = {
		.value = 0.5,
		.low = -0.25,
		.high = 1.25,
	};

	number_points(empty(), &estimate);
	assert_string_equal(bytes, "+0.500 [-0.250, +1.250]");
	number_points_half(empty(), &estimate);
	assert_string_equal(bytes, "+0.500 +-0.750");
	number_elo(empty(), &estimate);
	assert_string_equal(bytes, "+0.5 [-0.2, +1.2]");
	number_elo_half(empty(), &estimate);
	assert_string_equal(bytes, "+0.5 +-0.8");
}

TEST(test_ends_beyond_are_named)
{
	struct estimate estimate = {
		.value = ESTIMATE_ELO_MAX,
		.low = 100,
		.high = ESTIMATE_ELO_MAX,
		.high_beyond = true,
	};

	number_elo(empty(), &estimate);
	assert_string_equal(bytes, ">10000 [+100.0, >10000]");
	number_elo_half(empty(), &estimate);
	assert_string_equal(bytes, ">10000 +-?");
	estimate.value = -ESTIMATE_ELO_MAX;
	estimate.low = -ESTIMATE_ELO_MAX;
	estimate.low_beyond = true;
	number_elo(empty(), &estimate);
	assert_string_equal(bytes, "<-10000 [<-10000, >10000]");
	estimate.value = 1;
	number_points(empty(), &estimate);
	assert_string_equal(bytes, "+1.000 [?, ?]");
	number_points_half(empty(), &estimate);
	assert_string_equal(bytes, "+1.000 +-?");
}

TEST(test_probabilities_are_never_certain)
{
	number_percent(empty(), 1);
	assert_string_equal(bytes, "100.0%");
	number_probability(empty(), 1);
	assert_string_equal(bytes, ">99.9%");
	number_probability(empty(), 0.99895);
	assert_string_equal(bytes, "99.9%");
	number_probability(empty(), 0.5);
	assert_string_equal(bytes, "50.0%");
	number_probability(empty(), 0);
	assert_string_equal(bytes, "<0.1%");
	number_probability(empty(), 0.0011);
	assert_string_equal(bytes, "0.1%");
}
