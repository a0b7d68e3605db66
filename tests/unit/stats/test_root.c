/*
 * Roots between two points: found whatever the function, in few steps.
 */
#include <float.h>

#include "estimate.h"
#include "sample.h"
#include "test.h"

struct probe {
	double (*function)(double x);
	int calls;
};

/* Counts the calls, too. */
static double
probe_call(const void *context, double x)
{
	struct probe *probe = *(struct probe *const *)context;

	probe->calls++;
	return probe->function(x);
}

static double
probe_root(struct probe *probe, double low, double high, double tolerance)
{
	probe->calls = 0;
	return root_find(
	    probe_call, &(struct probe *){ probe }, low, high, tolerance);
}

static double
cubic(double x)
{
	return x * x * x - 2;
}

static double
falling(double x)
{
	return exp(-x) - 1e-300;
}

/* As flat as can be at its root. */
static double
flat(double x)
{
	return pow(x - 1, 9);
}

static double
step(double x)
{
	return x < 3 ? -1e-200 : 1e200;
}

static double
line(double x)
{
	return x;
}

TEST(test_smooth_functions_take_few_steps)
{
	struct probe probe = { .function = cubic };

	assert_near(probe_root(&probe, -10, 10, 0), cbrt(2), DBL_EPSILON);
	assert_true(probe.calls < 20);
	assert_near(probe_root(&probe, 10, -10, 0), cbrt(2), DBL_EPSILON);
}

TEST(test_ugly_functions_take_little_more_than_bisection)
{
	struct probe probe = { .function = falling };

	assert_near(probe_root(&probe, 0, 10000, 0), 300 * log(10), 1e-12);
	assert_true(probe.calls < 100);
	probe.function = flat;
	assert_near(probe_root(&probe, -1, 1e9, 1e-12), 1, 1e-1);
	assert_true(probe.calls < 200);
	probe.function = step;
	assert_near(probe_root(&probe, -1e6, 1e6, 1e-9), 3, 1e-9);
	assert_true(probe.calls < 200);
}

TEST(test_a_root_at_an_end_is_found)
{
	struct probe probe = { .function = line };

	assert_true(probe_root(&probe, 0, 5, 0) == 0);
	assert_true(probe_root(&probe, -5, 0, 0) == 0);
	assert_true(probe_root(&probe, 0, 0, 0) == 0);
}

TEST(test_the_tolerance_ends_the_search)
{
	struct probe coarse = { .function = falling };
	struct probe fine = { .function = falling };

	assert_near(probe_root(&coarse, 0, 10000, 1), 300 * log(10), 1);
	assert_near(probe_root(&fine, 0, 10000, 1e-6), 300 * log(10), 1e-6);
	assert_true(coarse.calls < fine.calls);
}
