/*
 * Numbers as people read them.
 */
#include "text_format.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static char bytes[512];
static struct scopa_text text;

static struct scopa_text *
empty(void)
{
	scopa_text_init(&text, bytes, sizeof(bytes));
	return &text;
}

static void
test_zero_has_no_sign(void **state)
{
	(void)state;
	figure_signed(empty(), 0.0, 2);
	assert_string_equal(bytes, "0.00");
	figure_signed(empty(), -0.0, 2);
	assert_string_equal(bytes, "0.00");
	figure_signed(empty(), -0.004, 2);
	assert_string_equal(bytes, "0.00");
	figure_signed(empty(), -0.006, 2);
	assert_string_equal(bytes, "-0.01");
	figure_signed(empty(), 0.006, 2);
	assert_string_equal(bytes, "+0.01");
	figure_number(empty(), 12.34, 1);
	assert_string_equal(bytes, "12.3");
	figure_number(empty(), -12.34, 0);
	assert_string_equal(bytes, "-12");
}

static void
test_what_is_no_number_is_unknown(void **state)
{
	static const double wrong[] = { (double)NAN, HUGE_VAL, -HUGE_VAL };

	(void)state;
	for (int i = 0; i < 3; i++) {
		figure_signed(empty(), wrong[i], 2);
		assert_string_equal(bytes, "unknown");
		figure_percent(empty(), wrong[i]);
		assert_string_equal(bytes, "unknown%");
	}
	figure_number(empty(), DBL_MAX, 1);
	assert_int_equal(text.length, 311);
	assert_false(text.cut);
}

static void
test_intervals_have_both_ends(void **state)
{
	const struct estimate estimate = {
		.value = 0.5,
		.low = -0.25,
		.high = 1.25,
	};

	(void)state;
	figure_points(empty(), &estimate);
	assert_string_equal(bytes, "+0.500 [-0.250, +1.250]");
	figure_points_half(empty(), &estimate);
	assert_string_equal(bytes, "+0.500 +-0.750");
	figure_elo(empty(), &estimate);
	assert_string_equal(bytes, "+0.5 [-0.2, +1.2]");
	figure_elo_half(empty(), &estimate);
	assert_string_equal(bytes, "+0.5 +-0.8");
}

static void
test_ends_beyond_are_named(void **state)
{
	struct estimate estimate = {
		.value = ESTIMATE_ELO_MAX,
		.low = 100,
		.high = ESTIMATE_ELO_MAX,
		.high_beyond = true,
	};

	(void)state;
	figure_elo(empty(), &estimate);
	assert_string_equal(bytes, ">10000 [+100.0, >10000]");
	figure_elo_half(empty(), &estimate);
	assert_string_equal(bytes, ">10000 +-beyond");
	estimate.value = -ESTIMATE_ELO_MAX;
	estimate.low = -ESTIMATE_ELO_MAX;
	estimate.low_beyond = true;
	figure_elo(empty(), &estimate);
	assert_string_equal(bytes, "<-10000 [<-10000, >10000]");
	estimate.value = 1;
	figure_points(empty(), &estimate);
	assert_string_equal(bytes, "+1.000 [beyond, beyond]");
	figure_points_half(empty(), &estimate);
	assert_string_equal(bytes, "+1.000 +-beyond");
}

static void
test_probabilities_are_never_certain(void **state)
{
	(void)state;
	figure_percent(empty(), 1);
	assert_string_equal(bytes, "100.0%");
	figure_probability(empty(), 1);
	assert_string_equal(bytes, ">99.9%");
	figure_probability(empty(), 0.99895);
	assert_string_equal(bytes, "99.9%");
	figure_probability(empty(), 0.5);
	assert_string_equal(bytes, "50.0%");
	figure_probability(empty(), 0);
	assert_string_equal(bytes, "<0.1%");
	figure_probability(empty(), 0.0011);
	assert_string_equal(bytes, "0.1%");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_zero_has_no_sign),
		cmocka_unit_test(test_what_is_no_number_is_unknown),
		cmocka_unit_test(test_intervals_have_both_ends),
		cmocka_unit_test(test_ends_beyond_are_named),
		cmocka_unit_test(test_probabilities_are_never_certain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
