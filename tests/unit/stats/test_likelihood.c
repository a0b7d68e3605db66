/*
 * Divergences: against closed forms where there are two values, and against
 * a search of all distributions where there are three.
 */
#include <stdbool.h>

#include "sample.h"
#include "sprt_results.h"
#include "test.h"

static double
entropy_part(double seen, double expected)
{
	return seen > 0 ? seen * log(seen / expected) : 0;
}

/* Values -1 and 1, the second one so often. */
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

TEST(test_a_coin_with_mean_zero_is_fair)
{
	for (double seen = 0.001; seen < 1; seen += 0.017) {
		struct likelihood likelihood = coin(seen);

		assert_near(likelihood_mean_divergence(&likelihood),
		    coin_divergence(seen, 0.5), 1e-14);
	}
}

TEST(test_a_coin_has_one_bias_for_each_t)
{
	for (double seen = 0.001; seen < 1; seen += 0.037) {
		struct likelihood likelihood = coin(seen);

		for (double t = -300; t < 300; t += 7.3) {
			/* mean = 2 p - 1, sigma^2 = 4 p (1 - p) */
			double bias = t / sqrt(1 + t * t);
			double divergence = entropy_part(seen, 0.5 + bias / 2) +
			    entropy_part(1 - seen, 0.5 - bias / 2);

			assert_near(likelihood_t_divergence(&likelihood, t),
			    divergence, 1e-8);
		}
	}
}

TEST(test_what_was_seen_diverges_from_itself_by_nothing)
{
	struct likelihood likelihood = {
		.count = 4,
		.values = { -3, -0.5, 1, 2 },
		.frequencies = { 0.25, 0.125, 0.375, 0.25 },
	};
	double mean = 0.0625, square = 0.25 * 9 + 0.125 * 0.25 + 0.375 + 1;

	assert_near(likelihood_t_divergence(
			&likelihood, mean / sqrt(square - mean * mean)),
	    0, 1e-16);
	likelihood.values[2] -= mean / 0.375;
	assert_near(likelihood_mean_divergence(&likelihood), 0, 1e-16);
}

/*
 * Values -1, 0, 1 with mean / sigma = t: a family with one parameter, the mean
 * of squares.  Every one of it is tried.
 */
static double
search_t(const double *seen, double t)
{
	enum { STEPS = 200000 };
	double tau = t / sqrt(1 + t * t);
	double least = HUGE_VAL;

	for (int i = 1; i < STEPS; i++) {
		/* Dense at both ends. */
		double square = 0.5 - 0.5 * cos(3.141592653589793 * i / STEPS);
		double mean = tau * sqrt(square);
		double low = (square - mean) / 2, high = (square + mean) / 2;

		if (low <= 0 || high <= 0 || square >= 1)
			continue;
		least = fmin(least,
		    entropy_part(seen[0], low) +
			entropy_part(seen[1], 1 - square) +
			entropy_part(seen[2], high));
	}
	return least;
}

TEST(test_the_best_of_all_distributions_is_found)
{
	uint64_t random = 11;

	for (int round = 0; round < 60; round++) {
		double t = 3 * sample_normal(&random);
		struct likelihood likelihood = {
			.count = 3,
			.values = { -1, 0, 1 },
		};
		double total = 0, least;

		if (round % 3 == 0)
			t /= 100;
		for (int i = 0; i < 3; i++) {
			likelihood.frequencies[i] =
			    exp(-7 * sample_uniform(&random));
			total += likelihood.frequencies[i];
		}
		for (int i = 0; i < 3; i++)
			likelihood.frequencies[i] /= total;
		least = search_t(likelihood.frequencies, t);
		assert_near(likelihood_t_divergence(&likelihood, t), least,
		    1e-6 * (1 + least));
	}
}

/*
 * Of results that were hardly seen, sometimes one and sometimes the other makes
 * the hypothesis most likely; here 3/4 is a solution, and 1 the better one.
 */
TEST(test_the_better_of_two_solutions_is_taken)
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

TEST(test_divergence_grows_away_from_what_was_seen)
{
	struct likelihood likelihood = {
		.count = 5,
		.values = { -0.5, -0.25, 0, 0.25, 0.5 },
		.frequencies = { 0.01, 0.02, 1e-9, 0.27, 0.7 - 1e-9 },
	};
	double last = HUGE_VAL;
	bool rising = false;

	for (double t = -60; t <= 60; t += 0.25) {
		double divergence = likelihood_t_divergence(&likelihood, t);

		assert_true(isfinite(divergence) && divergence >= 0);
		rising = rising || divergence > last + 1e-12;
		if (rising)
			assert_true(divergence >= last - 1e-12);
		else
			assert_true(divergence <= last + 1e-12);
		last = divergence;
	}
	assert_true(rising);
}

TEST(test_a_mean_next_to_the_end_is_reached)
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

TEST(test_great_t_are_finite)
{
	struct likelihood likelihood = coin(0.25);

	assert_true(isfinite(likelihood_t_divergence(&likelihood, 1e300)));
	assert_true(isfinite(likelihood_t_divergence(&likelihood, -1e300)));
	assert_true(isfinite(likelihood_t_divergence(&likelihood, HUGE_VAL)));
	assert_near(likelihood_t_divergence(&likelihood, 1e-300),
	    likelihood_mean_divergence(&likelihood), 1e-15);
}
