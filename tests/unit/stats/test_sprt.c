/*
 * Sequential tests: what the models say, and how often they are wrong.
 */
#include <stdint.h>
#include <string.h>

#include "sample.h"
#include "sprt.h"
#include "sprt_results.h"
#include "test.h"

static struct sprt
sprt_between(enum sprt_model model, double low, double high)
{
	return (struct sprt){
		.model = model,
		.low = low,
		.high = high,
		.alpha = 0.05,
		.beta = 0.05,
		.minimum = SPRT_MINIMUM_DEFAULT,
	};
}

/* The margin model between bounds in points. */
static struct sprt
sprt_points(double low, double high)
{
	struct sprt sprt = sprt_between(SPRT_MARGIN, low, high);

	sprt.unit = SPRT_UNIT_POINTS;
	return sprt;
}

TEST(test_names_stand_in_the_order_of_their_enums)
{
	for (int i = 0; i < SPRT_MODEL_COUNT; i++)
		assert_ptr_equal(
		    sprt_model_names[i], sprt_model_name((enum sprt_model)i));
	assert_null(sprt_model_names[SPRT_MODEL_COUNT]);
	for (int i = 0; i < SPRT_READING_COUNT; i++)
		assert_ptr_equal(sprt_reading_names[i],
		    sprt_reading_name((enum sprt_reading)i));
	assert_null(sprt_reading_names[SPRT_READING_COUNT]);
	assert_string_equal(sprt_model_name(SPRT_NORMALIZED), "normalized");
	assert_string_equal(
	    sprt_reading_name(SPRT_READING_CUTECHESS), "cutechess");
	assert_string_equal(sprt_decision_name(SPRT_ACCEPT_H0), "H0");
	assert_string_equal(sprt_decision_name(SPRT_ACCEPT_H1), "H1");
	assert_string_equal(sprt_decision_name(SPRT_CONTINUE), "continue");
}

TEST(test_every_unit_has_its_name)
{
	static const char *const names[] = {
		[SPRT_MARGIN] = "nElo",
		[SPRT_LOGISTIC] = "Elo",
		[SPRT_NORMALIZED] = "nElo",
		[SPRT_BAYESIAN] = "BayesElo",
		[SPRT_BETTING] = "points a deal",
	};
	struct sprt sprt = sprt_points(0, 1);

	assert_string_equal(sprt_unit_name(&sprt), "points a deal");
	for (int i = 0; i < SPRT_MODEL_COUNT; i++) {
		sprt = sprt_between((enum sprt_model)i, 0, 1);
		assert_string_equal(sprt_unit_name(&sprt), names[i]);
	}
	sprt = sprt_between(SPRT_BAYESIAN, 0, 1);
	sprt.reading = SPRT_READING_CUTECHESS;
	assert_string_equal(sprt_unit_name(&sprt), "Elo");
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

TEST(test_bounds_themselves_decide)
{
	struct sprt sprt = sprt_points(0, 0.2);
	struct moments moments = moments_of(100, 0.2, 1);
	struct sprt_state test;

	sprt.minimum = 0;
	sprt.beta = 1e-300;
	test = sprt_moments(&sprt, &moments, true);
	assert_int_equal(test.decision, SPRT_CONTINUE);
	/* B = -ln alpha: just what was reached, and a little more than that. */
	sprt.alpha = exp(-test.llr) * (1 + 1e-12);
	assert_int_equal(
	    sprt_moments(&sprt, &moments, true).decision, SPRT_ACCEPT_H1);
	sprt.alpha = exp(-test.llr) * (1 - 1e-12);
	assert_int_equal(
	    sprt_moments(&sprt, &moments, true).decision, SPRT_CONTINUE);
}

TEST(test_so_many_more_as_remain_decide)
{
	struct sprt sprt = sprt_points(0, 0.2);
	struct moments moments = { .count = 100, .mean = 0.2, .squares = 100 };
	struct sprt_state test = sprt_moments(&sprt, &moments, true);

	assert_true(test.remaining > 10);
	moments.count += (int64_t)ceil(test.remaining);
	moments.squares = (double)moments.count;
	assert_int_equal(
	    sprt_moments(&sprt, &moments, true).decision, SPRT_ACCEPT_H1);
	moments.count--;
	moments.squares = (double)moments.count;
	assert_int_equal(
	    sprt_moments(&sprt, &moments, true).decision, SPRT_CONTINUE);
}

TEST(test_remaining_counts_to_the_nearer_bound)
{
	struct sprt sprt = sprt_points(0, 0.2);
	struct moments none = { 0 };
	struct moments middle = moments_of(100, 0.1, 1);
	struct moments worse = moments_of(100, -0.04, 1);
	struct sprt_state down = sprt_moments(&sprt, &worse, true);

	assert_true(sprt_moments(&sprt, &none, true).remaining == -1);
	assert_true(sprt_moments(&sprt, &middle, true).remaining == -1 ||
	    sprt_moments(&sprt, &middle, true).remaining > 1e6);
	assert_true(down.llr < 0 && down.llr > down.lower);
	assert_near(down.remaining, 100 * (down.lower / down.llr - 1), 1e-9);
}

TEST(test_bots_without_a_difference_are_no_information)
{
	struct sprt sprt = sprt_points(-0.5, 0.6);
	struct moments moments = moments_of(1000, 0, 0);
	struct sprt_state result = sprt_moments(&sprt, &moments, true);

	assert_true(result.llr == 0);
	assert_int_equal(result.decision, SPRT_CONTINUE);
	assert_true(result.remaining == -1);
}

/* A bot that crashes in every game has one margin alone. */
TEST(test_no_spread_far_from_the_bounds_decides)
{
	static const double deviations[] = { 0, 1e-12, 0.05 };
	struct sprt points = sprt_points(0, 0.5);
	struct sprt nelo = sprt_between(SPRT_MARGIN, 0, 5);

	for (int i = 0; i < 3; i++) {
		struct moments lost = moments_of(30, -22, deviations[i]);
		struct moments won = moments_of(30, 22, deviations[i]);

		assert_int_equal(
		    sprt_moments(&nelo, &lost, true).decision, SPRT_ACCEPT_H0);
		assert_int_equal(sprt_moments(&points, &lost, true).decision,
		    SPRT_ACCEPT_H0);
		assert_int_equal(
		    sprt_moments(&nelo, &won, true).decision, SPRT_ACCEPT_H1);
		assert_true(sprt_moments(&nelo, &lost, true).llr < -100);
		assert_true(sprt_moments(&nelo, &won, true).llr > 100);
	}
}

/* sigma is not less than one step off in one block makes it. */
TEST(test_sigma_has_the_floor_of_its_grid)
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

/* The first form fell again, and accepted nothing far from the bounds. */
TEST(test_llr_rises_with_the_margin)
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

				/* Equal bots say nothing. */
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

/* `@first` against `@chitarrella` in scopone, and the other way round. */
TEST(test_what_is_far_beyond_both_bounds_is_certain_at_the_minimum)
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
	assert_int_equal(
	    sprt_moments(&sprt, &bad, true).decision, SPRT_CONTINUE);
}

TEST(test_points_and_nelo_are_two_names_of_the_same_bounds)
{
	struct moments moments = moments_of(200, 0.2, 2.5);
	double sigma = sqrt(moments_variance(&moments));
	struct sprt nelo = sprt_between(SPRT_MARGIN, -3, 12);
	struct sprt points = sprt_points(
	    -3 * sigma / ESTIMATE_NELO_PER_T, 12 * sigma / ESTIMATE_NELO_PER_T);

	assert_near(sprt_moments(&nelo, &moments, false).llr,
	    sprt_moments(&points, &moments, false).llr, 1e-12);
	/* A pair is worth two games. */
	points.low *= sqrt(2);
	points.high *= sqrt(2);
	assert_near(sprt_moments(&nelo, &moments, true).llr,
	    sprt_moments(&points, &moments, true).llr, 1e-12);
}

/* No logarithm of a quotient near 1 would have a digit left. */
TEST(test_bounds_close_together_keep_their_digits)
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

TEST(test_bayesian_needs_no_draws)
{
	struct trinomial results = { .wins = 60, .losses = 40 };
	struct sprt bayesian = sprt_between(SPRT_BAYESIAN, 0, 20);
	struct sprt logistic = sprt_between(SPRT_LOGISTIC, 0, 20);

	/* Without draws BayesElo is Elo. */
	assert_near(sprt_trinomial(&bayesian, &results).llr,
	    60 * log(2 * score_of_elo(20)) + 40 * log(2 * score_of_elo(-20)),
	    1e-12);
	assert_near(sprt_trinomial(&bayesian, &results).llr,
	    sprt_trinomial(&logistic, &results).llr, 1e-3);
}

TEST(test_readings_of_bayesian_bounds_differ)
{
	struct trinomial results = { .wins = 60, .draws = 100, .losses = 40 };
	struct sprt sprt = sprt_between(SPRT_BAYESIAN, 0, 5);
	double llr[SPRT_READING_COUNT];

	for (int i = 0; i < SPRT_READING_COUNT; i++) {
		sprt.reading = (enum sprt_reading)i;
		llr[i] = sprt_trinomial(&sprt, &results).llr;
	}
	assert_near(llr[SPRT_READING_OPENBENCH], 0.410594, 1e-6);
	assert_near(llr[SPRT_READING_CUTECHESS], 0.539931, 1e-6);
	/* The same hypotheses as OpenBench, generalised. */
	assert_near(llr[SPRT_READING_FASTCHESS], 0.4106, 1e-2);
}

/* The margin of a block as games give it: often 0, and halves of points. */
static double
margin_draw(uint64_t *random)
{
	double margin = 3.4 * sample_normal(random);

	return sample_uniform(random) < 0.3 ? 0 : floor(margin + 0.5) / 2;
}

/* n times the divergence from mean / sigma = t, for whatever was seen. */
static double
exact_cost(const int *seen, int reach, int count, double t)
{
	struct likelihood likelihood = { .count = 0 };

	for (int i = -reach; i <= reach; i++) {
		int at = likelihood.count;

		if (seen[i + reach] == 0)
			continue;
		likelihood.values[at] = 0.5 * i;
		likelihood.frequencies[at] =
		    (double)seen[i + reach] / (double)count;
		likelihood.count++;
	}
	return count * likelihood_t_divergence(&likelihood, t);
}

TEST(test_the_closed_form_agrees_with_the_exact_one_from_200_blocks)
{
	enum { REACH = 30 };
	struct sprt sprt = sprt_between(SPRT_MARGIN, 0, 20);
	uint64_t random = 5;

	for (int round = 0; round < 40; round++) {
		int seen[2 * REACH + 1] = { 0 };
		struct moments moments = { 0 };
		double shift = 0.02 * (round % 11 - 5), exact;

		for (int i = 0; i < 200 + 40 * round; i++) {
			double margin = margin_draw(&random);
			int index;

			/* Halves, so that the mean is moved in steps. */
			if (sample_uniform(&random) < fabs(2 * shift))
				margin += shift > 0 ? 0.5 : -0.5;
			index = (int)(2 * margin);
			assert_true(index >= -REACH && index <= REACH);
			seen[index + REACH]++;
			moments_add(&moments, margin);
		}
		exact = exact_cost(seen, REACH, (int)moments.count, 0) -
		    exact_cost(seen, REACH, (int)moments.count,
			20 / ESTIMATE_NELO_PER_T);
		assert_near(sprt_closed_form(&sprt, &moments, false), exact,
		    0.02 * fabs(exact));
	}
}

/* How often, of so many tests of blocks with this mean, H1 is accepted. */
static double
accepted_share(const struct sprt *sprt, double mean, int tests)
{
	uint64_t random = 2024;
	int accepted = 0;

	for (int i = 0; i < tests; i++) {
		struct moments moments = { 0 };
		struct sprt_state test;

		do {
			moments_add(&moments, margin_draw(&random) + mean);
			test = sprt_moments(sprt, &moments, true);
			assert_true(moments.count < 100000);
		} while (test.decision == SPRT_CONTINUE);
		accepted += test.decision == SPRT_ACCEPT_H1;
	}
	return (double)accepted / tests;
}

TEST(test_errors_are_no_more_often_than_agreed)
{
	enum { TESTS = 4000 };
	struct sprt sprt = sprt_points(0, 0.4);
	/* Two standard errors of the share itself. */
	double slack = 2 * sqrt(0.05 * 0.95 / TESTS);

	assert_true(accepted_share(&sprt, 0, TESTS) < 0.05 + slack);
	assert_true(accepted_share(&sprt, 0.4, TESTS) > 0.95 - slack);
	/* Farther out errors are rare, and between the two there is doubt. */
	assert_true(accepted_share(&sprt, -0.1, TESTS / 4) < 0.03);
	assert_true(accepted_share(&sprt, 0.5, TESTS / 4) > 0.97);
	assert_near(accepted_share(&sprt, 0.2, TESTS / 4), 0.5, 0.1);
}
