/*
 * Estimates after a sequential test: how often they hold, by simulation.
 */
#include "sprt.h"

#include "sample.h"
#include "support.h"
#include "test.h"

/* P(the lower bound first), without an end. */
TEST(test_without_an_end_it_is_the_gamblers_ruin)
{
	struct stagewise_walk fair = { 0, 1 }, up = { 0.3, 2 };

	assert_near(stagewise_worse(fair, -2, 3, 1e6, -2), 0.6, 1e-9);
	assert_near(stagewise_worse(up, -2, 3, 1e6, 0),
	    expm1(0.3 * 3) / expm1(0.3 * 5), 1e-9);
}

/* Two ways of computing meet somewhere; there must be no step. */
TEST(test_series_and_reflection_agree_where_they_meet)
{
	for (double drift = -2; drift <= 2; drift += 0.25) {
		struct stagewise_walk walk = { drift, 1 };
		double time = 0.01 * 36;

		for (double llr = -3; llr <= 3; llr += 0.5)
			assert_near(
			    stagewise_worse(walk, -3, 3, time * 0.9999, llr),
			    stagewise_worse(walk, -3, 3, time * 1.0001, llr),
			    2e-4);
	}
}

TEST(test_the_greater_the_true_value_the_less_is_worse)
{
	for (double time = 0.1; time < 200; time *= 2.5) {
		for (double llr = -2; llr <= 3; llr += 1) {
			double last = 1;

			for (double drift = -3; drift <= 3; drift += 0.05) {
				struct stagewise_walk walk = { drift, 1.5 };
				double worse =
				    stagewise_worse(walk, -2, 3, time, llr);

				assert_true(worse >= 0);
				assert_true(worse <= last + 1e-9);
				last = worse;
			}
		}
	}
}

/* How often estimates of tests on normal margins hold the true value. */
struct coverage {
	int tests, held, plain_held, low;
	double bias, plain_bias; /* sums */
};

/* Counts the estimates of one test, whose true margin is `actual`. */
static void
coverage_add(struct coverage *coverage, const struct estimate *plain,
    const struct estimate *unbiased, double actual)
{
	coverage->held += unbiased->low <= actual && actual <= unbiased->high;
	coverage->plain_held += plain->low <= actual && actual <= plain->high;
	coverage->low += unbiased->value < actual;
	coverage->bias += unbiased->value - actual;
	coverage->plain_bias += plain->value - actual;
}

static struct coverage
coverage_of(const struct sprt *sprt, double actual, int tests)
{
	struct coverage coverage = { .tests = tests };
	uint64_t random = 77;

	for (int i = 0; i < tests; i++) {
		struct moments moments = { 0 };
		struct estimate plain, unbiased;

		do {
			moments_add(
			    &moments, 2 * sample_normal(&random) + actual);
		} while (sprt_moments(sprt, &moments, true).decision ==
		    SPRT_CONTINUE);
		plain = mean_estimate(&moments, 0.95);
		unbiased = sprt_moments_estimate(sprt, &moments, true, 0.95);
		coverage_add(&coverage, &plain, &unbiased, actual);
	}
	return coverage;
}

TEST(test_intervals_hold_the_true_value_and_medians_halve)
{
	/* The tolerances are those of 2,500 tests, and wider for fewer. */
	int tests = support_few_or_all(500, 2500);
	double wider = sqrt(2500.0 / tests);
	struct sprt sprt = sample_sprt(SPRT_MARGIN, SPRT_UNIT_POINTS, 0, 0.4);
	static const double truths[] = { 0, 0.2, 0.4, 0.8 };

	for (int i = 0; i < 4; i++) {
		struct coverage coverage = coverage_of(&sprt, truths[i], tests);

		assert_near((double)coverage.held / tests, 0.95, 0.017 * wider);
		assert_near((double)coverage.low / tests, 0.5, 0.04 * wider);
		assert_true(fabs(coverage.bias) <=
		    fabs(coverage.plain_bias) + 0.01 * wider * tests);
		/* What it is there for. */
		if (truths[i] == 0.4) {
			assert_true(coverage.plain_held < 0.93 * tests);
			assert_true(coverage.plain_bias > 0.15 * 0.4 * tests);
		}
	}
}

/* Tests by bets on normal margins; `actual` is the true margin. */
static struct coverage
bets_coverage_of(double sigma, double actual, int tests)
{
	const struct sprt sprt =
	    sample_sprt(SPRT_BETTING, SPRT_UNIT_POINTS, 0, 0.3);
	struct coverage coverage = { .tests = tests };
	uint64_t random = 78;

	for (int i = 0; i < tests; i++) {
		struct betting betting = betting_start(0, 0.3, 22);
		struct estimate plain, unbiased;

		do {
			betting_add(
			    &betting, sigma * sample_normal(&random) + actual);
		} while (
		    sprt_betting(&sprt, &betting).decision == SPRT_CONTINUE);
		plain = mean_estimate(&betting.seen, 0.95);
		unbiased = sprt_betting_estimate(&sprt, &betting, 0.95);
		coverage_add(&coverage, &plain, &unbiased, actual);
	}
	return coverage;
}

/*
 * With sigma 1 the worst margin limits the bets, with sigma 4 it does not.  The
 * bounds of the LLR of normal numbers, which bets do not have, put 26 to 72% of
 * the estimates below the true value, and 86 to 100% of intervals held it.
 */
TEST(test_estimates_after_bets_halve_and_their_intervals_hold)
{
	static const double sigmas[] = { 1, 4 };
	static const double truths[] = { 0, 0.15, 0.3 };
	int tests = support_few_or_all(200, 1000);

	for (int i = 0; i < 6; i++) {
		struct coverage coverage =
		    bets_coverage_of(sigmas[i / 3], truths[i % 3], tests);

		assert_in_range(coverage.held, 0.89 * tests, 0.995 * tests);
		assert_near((double)coverage.low / tests, 0.5, 0.13);
		assert_true(fabs(coverage.bias) <=
		    fabs(coverage.plain_bias) + 0.01 * tests);
	}
}

/* A test that ends with its first look is one of a fixed number of blocks. */
TEST(test_the_first_look_is_no_choice)
{
	struct sprt sprt = sample_sprt(SPRT_MARGIN, SPRT_UNIT_ELO, 0, 5);
	struct moments moments = moments_of(SPRT_MINIMUM_DEFAULT, -22, 0.5);
	struct estimate plain = mean_estimate(&moments, 0.95);
	struct estimate unbiased =
	    sprt_moments_estimate(&sprt, &moments, true, 0.95);

	assert_true(unbiased.value == plain.value);
	assert_true(unbiased.low == plain.low && unbiased.high == plain.high);
}
