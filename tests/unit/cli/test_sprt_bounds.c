/*
 * Bounds of a sequential test as options give them.
 */
#include "cmd_sprt.h"

#include <string.h>

#include "test.h"

#define GIVEN(number)                            \
	{                                        \
		.given = true, .value = (number) \
	}

static const struct sprt plain = { .alpha = 0.05, .beta = 0.05 };

TEST(test_nothing_given_asks_for_five_elo)
{
	struct sprt_bounds bounds = { 0 };
	struct sprt sprt = plain;
	char bytes[SPRT_WHY_SIZE];
	struct scopa_text why;

	scopa_text_init(&why, bytes, sizeof(bytes));
	assert_true(sprt_bounds_set(&bounds, &sprt, &why));
	assert_int_equal(sprt.unit, SPRT_UNIT_ELO);
	assert_true(sprt.low == 0 && sprt.high == 5);
	bounds.elo0 = (struct sprt_bound)GIVEN(-3);
	assert_true(sprt_bounds_set(&bounds, &sprt, &why));
	assert_true(sprt.low == -3 && sprt.high == 5);
	assert_string_equal(bytes, "");
}

TEST(test_points_are_a_unit_of_their_own)
{
	const struct sprt_bounds bounds = {
		.points0 = GIVEN(-0.25),
		.points1 = GIVEN(0.5),
	};
	struct sprt sprt = plain;
	char bytes[SPRT_WHY_SIZE];
	struct scopa_text why;

	scopa_text_init(&why, bytes, sizeof(bytes));
	assert_true(sprt_bounds_set(&bounds, &sprt, &why));
	assert_int_equal(sprt.unit, SPRT_UNIT_POINTS);
	assert_true(sprt.low == -0.25 && sprt.high == 0.5);
}

TEST(test_contradictions_are_refused_and_set_nothing)
{
	static const struct {
		struct sprt_bounds bounds;
		enum sprt_model model;
		double alpha, beta;
		const char *why;
	} cases[] = {
		{ { .elo0 = GIVEN(5), .elo1 = GIVEN(5) }, SPRT_LOGISTIC, 0.05,
		    0.05, "elo0=5 is not below elo1=5" },
		{ { .elo0 = GIVEN(7) }, SPRT_LOGISTIC, 0.05, 0.05,
		    "elo0=7 is not below elo1=5" },
		{ { .points0 = GIVEN(1), .points1 = GIVEN(0) }, SPRT_MARGIN,
		    0.05, 0.05, "points0=1 is not below points1=0" },
		{ { .points0 = GIVEN(0), .points1 = GIVEN(1) }, SPRT_NORMALIZED,
		    0.05, 0.05,
		    "only the models margin and betting count points" },
		{ { .points1 = GIVEN(1) }, SPRT_MARGIN, 0.05, 0.05,
		    "points0 and points1 belong together" },
		{ { .elo1 = GIVEN(1), .points1 = GIVEN(1) }, SPRT_MARGIN, 0.05,
		    0.05, "bounds are in Elo or in points, not in both" },
		{ { .elo0 = { 0 } }, SPRT_MARGIN, 0, 0.05,
		    "alpha and beta are above 0 and below 0.5" },
		{ { .elo0 = { 0 } }, SPRT_MARGIN, 0.05, 0.5,
		    "alpha and beta are above 0 and below 0.5" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sprt sprt = {
			.model = cases[i].model,
			.unit = SPRT_UNIT_POINTS,
			.low = 42,
			.high = 43,
			.alpha = cases[i].alpha,
			.beta = cases[i].beta,
		};
		char bytes[SPRT_WHY_SIZE];
		struct scopa_text why;

		scopa_text_init(&why, bytes, sizeof(bytes));
		assert_false(sprt_bounds_set(&cases[i].bounds, &sprt, &why));
		assert_string_equal(bytes, cases[i].why);
		assert_int_equal(sprt.unit, SPRT_UNIT_POINTS);
		assert_true(sprt.low == 42 && sprt.high == 43);
	}
}

TEST(test_a_bound_is_a_finite_number)
{
	static const char *const bad[] = { "", "x", "1x", "nan", "inf", "0x10",
		"10001", "-10001", "1,5" };
	struct sprt_bound bound = { 0 };
	char bytes[SPRT_WHY_SIZE];
	struct scopa_text why;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		scopa_text_init(&why, bytes, sizeof(bytes));
		assert_false(sprt_bound_parse(bad[i], &bound, &why));
		assert_non_null(strstr(bytes, "-10000 to 10000"));
		assert_false(bound.given);
	}
	assert_true(sprt_bound_parse("-2.5", &bound, &why));
	assert_true(bound.given && bound.value == -2.5);
}
