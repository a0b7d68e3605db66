/*
 * Sequential tests on points, on results, and by bets.
 */
#include "sprt.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "sample.h"
#include "support.h"
#include "test.h"

/* The margin model between bounds in points. */
static struct sprt
sprt_points(double low, double high)
{
	return sample_sprt(SPRT_MARGIN, SPRT_UNIT_POINTS, low, high);
}

/* A model between bounds in Elo. */
static struct sprt
sprt_between(enum sprt_model model, double low, double high)
{
	return sample_sprt(model, SPRT_UNIT_ELO, low, high);
}

static void
expect_decision(const struct sprt *sprt, const struct moments *moments,
    enum sprt_decision decision)
{
	assert_int_equal(sprt_moments(sprt, moments, true).decision, decision);
}

TEST(test_nothing_is_decided_before_the_minimum)
{
	struct sprt sprt = sprt_points(0, 0.5);

	for (int count = 2; count < 40; count++) {
		struct moments good = moments_of(count, 1, 1);
		struct moments bad = moments_of(count, -1, 1);
		struct sprt_state up = sprt_moments(&sprt, &good, true);
		struct sprt_state down = sprt_moments(&sprt, &bad, true);

		if (count < SPRT_MINIMUM_DEFAULT) {
			assert_int_equal(up.decision, SPRT_CONTINUE);
			assert_int_equal(down.decision, SPRT_CONTINUE);
			assert_true(
			    up.remaining >= SPRT_MINIMUM_DEFAULT - count);
		} else {
			assert_int_equal(up.decision, SPRT_ACCEPT_H1);
			assert_int_equal(down.decision, SPRT_ACCEPT_H0);
			assert_true(up.remaining == 0);
		}
	}
}

TEST(test_llr_equal_to_a_bound_decides)
{
	struct sprt sprt = sprt_points(0, 0.2);
	struct moments moments = moments_of(100, 0.2, 1);
	struct sprt_state test;

	sprt.minimum = 0;
	sprt.beta = 1e-300;
	test = sprt_moments(&sprt, &moments, true);
	assert_int_equal(test.decision, SPRT_CONTINUE);
	/* B = -ln alpha is slightly below the LLR, and then slightly above
	 * it. */
	sprt.alpha = exp(-test.llr) * (1 + 1e-12);
	expect_decision(&sprt, &moments, SPRT_ACCEPT_H1);
	sprt.alpha = exp(-test.llr) * (1 - 1e-12);
	expect_decision(&sprt, &moments, SPRT_CONTINUE);
}

TEST(test_equal_bots_give_no_information)
{
	struct sprt sprt = sprt_points(-0.5, 0.6);
	struct moments moments = moments_of(1000, 0, 0);
	struct sprt_state result = sprt_moments(&sprt, &moments, true);

	assert_true(result.llr == 0);
	assert_int_equal(result.decision, SPRT_CONTINUE);
	assert_true(result.remaining == -1);
}

TEST(test_remaining_blocks_lead_to_the_bound_of_the_present_drift)
{
	struct sprt sprt = sprt_points(0, 0.2);
	struct moments good = moments_of(100, 0.15, 1);
	struct moments bad = moments_of(100, 0.05, 1);
	struct sprt_state up = sprt_moments(&sprt, &good, true);
	struct sprt_state down = sprt_moments(&sprt, &bad, true);

	assert_int_equal(up.decision, SPRT_CONTINUE);
	assert_near(up.remaining, 100 * (up.upper / up.llr - 1), 1e-9);
	assert_near(down.remaining, up.remaining, 1e-9);
}

/* A bot that crashes in every game has only one margin. */
TEST(test_margins_without_variance_far_from_the_bounds_decide)
{
	static const double deviations[] = { 0, 1e-12, 0.05 };
	struct sprt points = sprt_points(0, 0.5);
	struct sprt nelo = sprt_between(SPRT_MARGIN, 0, 5);

	for (int i = 0; i < 3; i++) {
		struct moments lost = moments_of(30, -22, deviations[i]);
		struct moments won = moments_of(30, 22, deviations[i]);

		expect_decision(&nelo, &lost, SPRT_ACCEPT_H0);
		expect_decision(&points, &lost, SPRT_ACCEPT_H0);
		expect_decision(&nelo, &won, SPRT_ACCEPT_H1);
		assert_true(sprt_moments(&nelo, &lost, true).llr < -100);
		assert_true(sprt_moments(&nelo, &won, true).llr > 100);
	}
}

/* sigma is at least the one of margins that differ by one step in one block. */
TEST(test_sigma_has_a_minimum_from_the_grid_of_margins)
{
	struct sprt sprt = sprt_points(0, 0.5);
	struct moments alike = moments_of(40, 2, 0), one = { 0 };

	for (int i = 0; i < 39; i++)
		moments_add(&one, 2);
	moments_add(&one, 2.25);
	one.mean = 2;
	sprt.step = 0.25;
	assert_near(sprt_moments(&sprt, &alike, true).llr,
	    sprt_moments(&sprt, &one, true).llr, 1e-6);
}

/* An LLR that decreases far from the bounds would accept nothing there. */
TEST(test_llr_increases_with_the_margin)
{
	struct sprt tests[] = {
		sprt_between(SPRT_MARGIN, 0, 5),
		sprt_between(SPRT_MARGIN, -40, -3),
		sprt_points(0, 0.3),
		sprt_points(-2, 7),
	};

	for (int i = 0; i < 4; i++) {
		for (double sigma = 0; sigma < 9; sigma = 3 * sigma + 0.01) {
			double last = -HUGE_VAL;
			int decision = -1;

			for (double mean = -30; mean <= 30; mean += 0.25) {
				struct moments moments =
				    moments_of(60, mean, sigma);
				struct sprt_state test = sprt_moments(
				    &tests[i], &moments, i % 2 == 0);
				/* H0, no decision, H1 */
				int place = test.decision == SPRT_ACCEPT_H0 ? 0
				    : test.decision == SPRT_CONTINUE        ? 1
									    : 2;

				/* Equal bots give no information. */
				if (mean == 0 && sigma == 0)
					continue;
				assert_true(test.llr > last);
				assert_true(place >= decision);
				last = test.llr;
				decision = place;
			}
			assert_int_equal(decision, 2);
		}
	}
}

/*
 * The margins of `@first` against `@chitarrella` in scopone, and the reverse.
 */
TEST(test_margin_far_beyond_both_bounds_is_certain_at_the_minimum)
{
	struct sprt sprt = sprt_between(SPRT_MARGIN, 0, 5);
	struct moments bad = moments_of(30, -4.1, 1.7);
	struct moments good = moments_of(30, 4.1, 1.7);
	struct moments doubtful = moments_of(30, 1.2, 1.7);
	struct sprt_state test = sprt_moments(&sprt, &bad, true);

	assert_int_equal(test.decision, SPRT_ACCEPT_H0);
	assert_true(test.certain && test.errors > 12 && test.errors < 14);
	assert_true(test.remaining == 0);
	test = sprt_moments(&sprt, &good, true);
	assert_int_equal(test.decision, SPRT_ACCEPT_H1);
	assert_true(test.certain);
	test = sprt_moments(&sprt, &doubtful, true);
	assert_int_equal(test.decision, SPRT_CONTINUE);
	assert_false(test.certain);
	bad.count = 29;
	expect_decision(&sprt, &bad, SPRT_CONTINUE);
}

/* A logarithm of a quotient near 1 would have no correct digit. */
TEST(test_llr_of_close_bounds_is_exact)
{
	struct sprt sprt = sprt_points(1e-9, 2e-9);
	struct moments moments = {
		.count = 1000000000000000,
		.mean = 5e-9,
		.squares = 1e15,
	};

	/* n (t1 - t0) (t - (t0 + t1) / 2) to first order */
	assert_near(sprt_moments(&sprt, &moments, false).llr,
	    1e15 * 1e-9 * 3.5e-9, 1e-12);
}

TEST(test_bayesian_model_works_without_draws)
{
	struct trinomial results = { .wins = 60, .losses = 40 };
	struct sprt bayesian = sprt_between(SPRT_BAYESIAN, 0, 20);
	struct sprt logistic = sprt_between(SPRT_LOGISTIC, 0, 20);

	/* Without draws BayesElo is Elo. */
	assert_near(sprt_counts(&bayesian, trinomial_counts(&results)).llr,
	    60 * log(2 * score_of_elo(20)) + 40 * log(2 * score_of_elo(-20)),
	    1e-12);
	assert_near(sprt_counts(&bayesian, trinomial_counts(&results)).llr,
	    sprt_counts(&logistic, trinomial_counts(&results)).llr, 1e-3);
}

TEST(test_readings_of_bayesian_bounds_differ)
{
	struct trinomial results = { .wins = 60, .draws = 100, .losses = 40 };
	struct sprt sprt = sprt_between(SPRT_BAYESIAN, 0, 5);
	double llr[SPRT_READING_COUNT];

	for (int i = 0; i < SPRT_READING_COUNT; i++) {
		sprt.reading = (enum sprt_reading)i;
		llr[i] = sprt_counts(&sprt, trinomial_counts(&results)).llr;
	}
	assert_near(llr[SPRT_READING_OPENBENCH], 0.410594, 1e-6);
	assert_near(llr[SPRT_READING_CUTECHESS], 0.539931, 1e-6);
	/* The same hypotheses as OpenBench, generalised. */
	assert_near(llr[SPRT_READING_FASTCHESS], 0.4106, 1e-2);
}

static double
entropy_part(double seen, double expected)
{
	return seen > 0 ? seen * log(seen / expected) : 0;
}

/* Values -1 and 1; `frequency` is that of 1. */
static struct likelihood
coin(double frequency)
{
	return (struct likelihood){
		.count = 2,
		.values = { -1, 1 },
		.frequencies = { 1 - frequency, frequency },
	};
}

static double
coin_divergence(double frequency, double expected)
{
	return entropy_part(frequency, expected) +
	    entropy_part(1 - frequency, 1 - expected);
}

TEST(test_divergence_of_a_coin_is_that_of_its_bias)
{
	for (double seen = 0.001; seen < 1; seen += 0.037) {
		struct likelihood likelihood = coin(seen);

		for (double t = -300; t < 300; t += 7.3) {
			/* mean = 2 p - 1, sigma^2 = 4 p (1 - p) */
			double bias = t / sqrt(1 + t * t);

			assert_near(likelihood_t_divergence(&likelihood, t),
			    coin_divergence(seen, 0.5 + bias / 2), 1e-8);
		}
	}
}

/*
 * With results that were hardly ever seen, there can be two solutions of the
 * most likely hypothesis; here 3/4 is one, and 1 the better one.
 */
TEST(test_better_of_two_solutions_is_used)
{
	double rare = 1e-3 / 50.004, often = 50 / 50.004;
	struct likelihood likelihood = {
		.count = 5,
		.values = { -0.5, -0.25, 0, 0.25, 0.5 },
		.frequencies = { rare, rare, often, rare, rare },
	};

	assert_near(50.004 * likelihood_t_divergence(&likelihood, 0.0407043),
	    0.0781939, 1e-6);
}

TEST(test_mean_near_the_end_of_the_scale_is_reached)
{
	/* Both values as far from 0 as Elo of 10000 is from an end. */
	for (double small = 1e-2; small > 1e-25; small /= 10) {
		struct likelihood likelihood = {
			.count = 2,
			.values = { -1, small },
			.frequencies = { 0.25, 0.75 },
		};
		double rare = small / (1 + small);

		assert_near(likelihood_mean_divergence(&likelihood) /
			(entropy_part(0.25, rare) +
			    entropy_part(0.75, 1 - rare)),
		    1, 1e-12);
	}
}

/*
 * Simulations of estimates after a sequential test: how often their intervals
 * contain the true value.
 */
/* The probability that the lower bound is reached first, without an end. */
TEST(test_walk_without_end_is_the_gamblers_ruin)
{
	struct stagewise_walk fair = { 0, 1 }, up = { 0.3, 2 };

	assert_near(stagewise_worse(fair, -2, 3, 1e6, -2), 0.6, 1e-9);
	assert_near(stagewise_worse(up, -2, 3, 1e6, 0),
	    expm1(0.3 * 3) / expm1(0.3 * 5), 1e-9);
}

/* At the boundary between two methods there must be no step. */
TEST(test_series_and_reflection_agree_at_their_boundary)
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

TEST(test_probability_of_worse_results_decreases_with_the_true_value)
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

/* Counts of tests on normal margins whose intervals contain the true value. */
struct coverage {
	int held, plain_held, low;
	double bias, plain_bias; /* sums over all tests */
};

static struct coverage
coverage_of(const struct sprt *sprt, double sigma, double actual, int tests)
{
	bool bets = sprt->model == SPRT_BETTING;
	struct coverage coverage = { 0 };
	uint64_t random = 77;

	for (int i = 0; i < tests; i++) {
		struct betting betting = betting_start(0, 0.3, 22);
		struct moments moments = { 0 };
		struct estimate plain, unbiased;
		struct sprt_state state;

		do {
			double margin = sigma * sample_normal(&random) + actual;

			moments_add(&moments, margin);
			betting_add(&betting, margin);
			state = bets ? sprt_betting(sprt, &betting)
				     : sprt_moments(sprt, &moments, true);
		} while (state.decision == SPRT_CONTINUE);
		plain = mean_estimate(&moments, 0.95);
		unbiased = bets
		    ? sprt_betting_estimate(sprt, &betting, 0.95)
		    : sprt_moments_estimate(sprt, &moments, true, 0.95);
		coverage.held +=
		    unbiased.low <= actual && actual <= unbiased.high;
		coverage.plain_held +=
		    plain.low <= actual && actual <= plain.high;
		coverage.low += unbiased.value < actual;
		coverage.bias += unbiased.value - actual;
		coverage.plain_bias += plain.value - actual;
	}
	return coverage;
}

TEST(test_intervals_contain_the_true_value_and_medians_are_unbiased)
{
	/* The tolerances are those of 2,500 tests, and wider for fewer. */
	int tests = support_few_or_all(500, 2500);
	double wider = sqrt(2500.0 / tests);
	struct sprt sprt = sample_sprt(SPRT_MARGIN, SPRT_UNIT_POINTS, 0, 0.4);
	static const double truths[] = { 0, 0.2, 0.4, 0.8 };

	for (int i = 0; i < 4; i++) {
		struct coverage coverage =
		    coverage_of(&sprt, 2, truths[i], tests);

		assert_near((double)coverage.held / tests, 0.95, 0.017 * wider);
		assert_near((double)coverage.low / tests, 0.5, 0.04 * wider);
		assert_true(fabs(coverage.bias) <=
		    fabs(coverage.plain_bias) + 0.01 * wider * tests);
		/* The plain estimate fails here. */
		if (truths[i] == 0.4) {
			assert_true(coverage.plain_held < 0.93 * tests);
			assert_true(coverage.plain_bias > 0.15 * 0.4 * tests);
		}
	}
}

/*
 * With sigma 1 the worst margin limits the bets, with sigma 4 it does not.  The
 * bounds of the LLR of normal numbers, which bets do not have, put 26 to 72% of
 * the estimates below the true value, and 86 to 100% of intervals would contain
 * it.
 */
TEST(test_estimates_after_bets_are_median_unbiased_with_valid_intervals)
{
	static const double sigmas[] = { 1, 4 };
	static const double truths[] = { 0, 0.15, 0.3 };
	int tests = support_few_or_all(200, 1000);
	struct sprt sprt = sample_sprt(SPRT_BETTING, SPRT_UNIT_POINTS, 0, 0.3);

	for (int i = 0; i < 6; i++) {
		struct coverage coverage =
		    coverage_of(&sprt, sigmas[i / 3], truths[i % 3], tests);

		assert_in_range(coverage.held, 0.89 * tests, 0.995 * tests);
		assert_near((double)coverage.low / tests, 0.5, 0.13);
		assert_true(fabs(coverage.bias) <=
		    fabs(coverage.plain_bias) + 0.01 * tests);
	}
}

/* After so many blocks, with bounds that are nearly those of the margin model. */
TEST(test_estimate_before_the_end_of_bets_is_that_of_margins)
{
	struct sprt margin = sprt_points(0, 0.3), bets = margin;
	struct betting betting = betting_start(0, 0.3, 22);
	uint64_t random = 5;

	margin.alpha = margin.beta = 1e-6;
	bets = margin;
	bets.model = SPRT_BETTING;
	for (int i = 0; i < 400; i++)
		betting_add(&betting, 0.25 + 4 * sample_normal(&random));
	assert_int_equal(sprt_betting(&bets, &betting).decision, SPRT_CONTINUE);
	assert_near(sprt_betting_estimate(&bets, &betting, 0.95).high,
	    sprt_moments_estimate(&margin, &betting.seen, false, 0.95).high,
	    1e-4);
}

TEST(test_bets_are_limited_and_follow_from_the_numbers_before)
{
	struct betting betting = betting_start(0.1, 0.2, 16);

	/* The variance before the first number is that of a deviation of 2. */
	betting_add(&betting, 3);
	assert_near(betting.up[0], log1p(0.1 / 4.01 * 2.9), 1e-12);
	assert_near(betting.up[1], 0, 0);
	assert_near(betting.down[0], log1p(0.1 / 4.01 * -2.8), 1e-12);
	assert_near(betting.down[1], log1p(0.75 / 15.8 * -2.8), 1e-12);
	/* The worst number costs three quarters of the capital. */
	betting_add(&betting, -20);
	assert_near(betting.up[0], log1p(0.1 / 4.01 * 2.9) + log(0.25), 1e-12);
	assert_near(betting.up[1], log(0.25), 1e-12);
}

/* A test that ends at its first look has a fixed number of blocks. */
TEST(test_test_that_ends_at_its_first_look_has_the_plain_estimate)
{
	struct sprt sprt = sample_sprt(SPRT_MARGIN, SPRT_UNIT_ELO, 0, 5);
	struct moments moments = moments_of(SPRT_MINIMUM_DEFAULT, -22, 0.5);
	struct estimate plain = mean_estimate(&moments, 0.95);
	struct estimate unbiased =
	    sprt_moments_estimate(&sprt, &moments, true, 0.95);

	assert_true(unbiased.value == plain.value);
	assert_true(unbiased.low == plain.low && unbiased.high == plain.high);
}
