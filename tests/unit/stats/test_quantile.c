/*
 * Quantiles of Student and of the normal distribution, to the last digits.
 */

#include "estimate.h"
#include "sample.h"
#include "test.h"

static const double pi = 3.14159265358979323846;

/* To so much of itself. */
#define assert_close(found, expected, part) \
	assert_near((found), (expected), (part)*fabs(expected))

TEST(test_normal_quantiles_have_twelve_digits)
{
	/* By Wichura's algorithm AS 241. */
	static const struct {
		double p, quantile;
	} rows[] = {
		{ 0.6, 0.2533471031357998 },
		{ 0.75, 0.6744897501960817 },
		{ 0.9, 1.2815515655446008 },
		{ 0.975, 1.9599639845400536 },
		{ 0.995, 2.5758293035489 },
		{ 0.999999, 4.753424308817089 },
		{ 1e-10, -6.361340902404056 },
		{ 1e-50, -14.933337534788489 },
		{ 1e-300, -37.0470962993612 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_close(
		    normal_quantile(rows[i].p), rows[i].quantile, 1e-14);
	assert_true(normal_quantile(0.5) == 0);
}

TEST(test_normal_distribution_undoes_its_quantile)
{
	for (double p = 1e-300; p < 0.5; p *= 1.7) {
		double x = normal_quantile(p);

		assert_close(normal_distribution(x), p, 1e-12);
		assert_near(normal_distribution(-x), 1 - p, 1e-15);
	}
	assert_true(normal_distribution(0) == 0.5);
	assert_true(normal_distribution(-1e6) >= 0);
	assert_true(normal_distribution(1e6) == 1);
}

TEST(test_student_quantiles_have_thirteen_digits)
{
	/* Upper tails of 0.4, 0.025, 0.005 and 1e-10, from the finite sums
	 * for whole degrees (Abramowitz and Stegun 26.7.3) with 60 digits. */
	static const struct {
		double freedom, quantiles[4];
	} rows[] = {
		{ 1,
		    { 0.32491969623290634, 12.706204736174705,
			63.656741162871583, 3183098861.8379068 } },
		{ 2,
		    { 0.28867513459481287, 4.3026527297494637,
			9.9248432009182928, 70710.678108048145 } },
		{ 3,
		    { 0.27667066233268989, 3.1824463052837095,
			5.8409093097333571, 2225.7692846830932 } },
		{ 5,
		    { 0.26718086570414512, 2.5705818356363155,
			4.0321429835552278, 156.82559270889431 } },
		{ 10,
		    { 0.26018482949208022, 2.2281388519862748,
			3.1692726726169513, 25.466008021697725 } },
		{ 30,
		    { 0.25560536495191277, 2.0422724563012382,
			2.7499956535672254, 9.377489780407144 } },
		{ 100,
		    { 0.25402218245822783, 1.9839715185235522,
			2.6258905214380177, 7.0833754814007222 } },
		{ 999,
		    { 0.25341458333036737, 1.96234146113345, 2.5807596372676369,
			6.4279434796597394 } },
	};
	static const double tails[] = { 0.4, 0.025, 0.005, 1e-10 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		for (int k = 0; k < 4; k++)
			assert_close(
			    student_quantile(tails[k], rows[i].freedom),
			    -rows[i].quantiles[k], 1e-13);
	}
}

TEST(test_student_meets_its_closed_forms)
{
	for (double p = 1e-200; p < 0.5; p *= 1.9) {
		assert_close(student_quantile(p, 1), -1 / tan(pi * p), 1e-12);
		assert_close(student_quantile(p, 2),
		    (p - 0.5) * sqrt(2) / sqrt(p * (1 - p)), 1e-12);
	}
	assert_true(student_quantile(0.5, 7) == 0);
}

TEST(test_student_is_symmetric)
{
	for (double freedom = 1; freedom < 1e9; freedom *= 7) {
		/* Binary fractions: 1 - p is exact. */
		for (double p = 0x1p-20; p < 0.5; p *= 2)
			assert_true(student_quantile(p, freedom) ==
			    -student_quantile(1 - p, freedom));
	}
}

TEST(test_student_falls_to_the_normal_quantile)
{
	static const double levels[] = { 0.5001, 0.75, 0.975, 0.9999,
		1 - 1e-12 };

	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++) {
		double z = normal_quantile(levels[i]);
		double last = student_quantile(levels[i], 1);

		for (double freedom = 2; freedom < 1e9; freedom *= 1.5) {
			double t = student_quantile(levels[i], freedom);
			/* The first two terms of its expansion. */
			double near = z + (z * z * z + z) / (4 * freedom);

			assert_true(t < last && t > z);
			if (freedom > 2000)
				assert_near(t / near, 1,
				    (1 + pow(z, 4)) / (freedom * freedom) +
					1e-12);
			last = t;
		}
		assert_close(student_quantile(levels[i], 1e9), z, 1e-7);
		assert_close(student_quantile(levels[i], 1e15), z, 1e-13);
	}
}

/* Two ways of computing meet somewhere; there must be no step. */
TEST(test_student_is_smooth_in_its_freedom)
{
	for (double freedom = 500; freedom < 50000; freedom += 499.5) {
		double before = student_quantile(0.975, freedom - 0.5);
		double here = student_quantile(0.975, freedom);
		double after = student_quantile(0.975, freedom + 0.5);

		/* z + (z^3 + z) / 4 / freedom is bent by so much. */
		double bend = 0.593 / pow(freedom, 3);

		assert_near(
		    (before + after) / 2 - here, bend, 0.05 * bend + 3e-13);
	}
}

TEST(test_student_distribution_undoes_its_quantile)
{
	static const double freedoms[] = { 1, 2, 3, 9, 30, 300, 5000, 1e6,
		1e12 };

	for (size_t i = 0; i < sizeof(freedoms) / sizeof(*freedoms); i++) {
		double freedom = freedoms[i];

		for (double p = 1e-12; p < 0.49; p *= 1.9) {
			double t = student_quantile(p, freedom);

			assert_close(student_distribution(t, freedom), p, 1e-8);
			assert_near(
			    student_distribution(-t, freedom), 1 - p, 1e-12);
		}
		assert_true(student_distribution(0, freedom) == 0.5);
		assert_true(student_distribution(-1e300, freedom) >= 0);
		assert_true(student_distribution(1e300, freedom) <= 1);
	}
	assert_near(student_distribution(-2.2621571628, 9), 0.025, 1e-11);
	assert_true(
	    student_distribution(1.5, HUGE_VAL) == normal_distribution(1.5));
}
