/*
 * Strength from results: Elo, intervals, moments of samples, quantiles.
 */
#include "estimate.h"

#include "sample.h"
#include "support.h"
#include "test.h"

TEST(test_all_wins_leave_the_upper_end_open)
{
	struct trinomial wins = { .wins = 10 };
	struct trinomial losses = { .losses = 10 };
	struct strength best = counts_strength(trinomial_counts(&wins), 0.95);
	struct strength worst =
	    counts_strength(trinomial_counts(&losses), 0.95);

	assert_true(best.score.value == 1 && best.score.high == 1);
	/* Wilson: 10 / (10 + z^2) */
	assert_near(best.score.low, 0.722467200137111, 1e-12);
	assert_near(best.elo.low, 166.201527183891, 1e-9);
	assert_true(best.elo.value == ESTIMATE_ELO_MAX);
	assert_true(best.elo.high_beyond && !best.elo.low_beyond);
	assert_true(best.nelo.value == ESTIMATE_ELO_MAX);
	assert_true(best.nelo.high_beyond && !best.nelo.low_beyond);
	/* The nElo of a coin with the same score. */
	assert_near(best.nelo.low,
	    ESTIMATE_NELO_PER_T * (best.score.low - 0.5) /
		sqrt(best.score.low * (1 - best.score.low)),
	    1e-9);
	assert_near(
	    best.nelo_error, (ESTIMATE_ELO_MAX - best.nelo.low) / 2, 1e-9);
	assert_near(best.los_normal, normal_distribution(sqrt(10)), 1e-15);
	assert_near(best.los, student_distribution(3, 9), 1e-15);
	assert_near(worst.elo.high, -best.elo.low, 1e-9);
	assert_true(worst.elo.low_beyond && !worst.elo.high_beyond);
	assert_near(worst.los, 1 - best.los, 1e-15);
}

TEST(test_interval_beyond_the_scale_is_marked)
{
	struct trinomial results = { .wins = 149, .draws = 1, .losses = 3 };
	struct strength strength =
	    counts_strength(trinomial_counts(&results), 0.95);

	assert_false(strength.elo.high_beyond);
	results.draws = 0;
	results.losses = 1;
	strength = counts_strength(trinomial_counts(&results), 0.95);
	assert_true(strength.elo.high_beyond);
	assert_true(strength.score.high_beyond);
	assert_true(strength.score.high == 1);
	assert_true(strength.elo.high == ESTIMATE_ELO_MAX);
}

/* Margins of two equal bots: whole points, halves, or mostly nothing. */
static double
equal_margin(uint64_t *random, int kind)
{
	double sign = sample_uniform(random) < 0.5 ? -1 : 1;
	double margin = fabs(2 * sample_normal(random));

	if (kind == 2 && sample_uniform(random) < 0.9)
		return 0;
	return sign * (kind == 0 ? floor(margin) : floor(2 * margin + 0.5) / 2);
}

/* With the normal distribution, 13.7% of pairs of blocks distinguished them. */
TEST(test_few_blocks_seldom_distinguish_equal_bots)
{
	static const int sizes[] = { 2, 3, 5, 10 };
	enum { SAMPLES = 100000, KINDS = 3 };
	uint64_t random = 11;

	for (int kind = 0; kind < KINDS; kind++) {
		for (int size = 0; size < 4; size++) {
			int certain = 0, normal = 0;

			for (int i = 0; i < SAMPLES; i++) {
				struct moments moments = { 0 };

				for (int k = 0; k < sizes[size]; k++)
					moments_add(&moments,
					    equal_margin(&random, kind));
				certain += mean_los(&moments) > 0.999;
				normal += mean_strength(&moments, false, 0.95)
					      .los_normal > 0.999;
			}
			assert_true(certain <= 0.002 * SAMPLES);
			/* Shows that the test can fail. */
			if (kind == 1 && size == 1)
				assert_true(normal > 0.01 * SAMPLES);
		}
	}
}

TEST(test_error_of_nelo_includes_the_error_of_the_variance)
{
	enum { SAMPLES = 20000, SIZE = 60 };
	const double t = 1.5;
	double actual = ESTIMATE_NELO_PER_T * t;
	uint64_t random = 12;
	int held = 0;

	for (int i = 0; i < SAMPLES; i++) {
		struct moments moments = { 0 };
		struct strength strength;
		struct estimate nelo;

		for (int k = 0; k < SIZE; k++)
			moments_add(&moments, t + sample_normal(&random));
		strength = mean_strength(&moments, false, 0.95);
		nelo = strength.nelo;
		assert_near(nelo.high - nelo.value,
		    strength.nelo_error_plain *
			sqrt(1 + pow(nelo.value / ESTIMATE_NELO_PER_T, 2) / 2),
		    1e-6);
		held += nelo.low <= actual && actual <= nelo.high;
	}
	assert_near((double)held / SAMPLES, 0.95, 0.015);
}

TEST(test_nelo_of_margins_of_pairs_is_that_of_their_counts)
{
	struct pentanomial pairs = { { 5, 20, 45, 22, 8 } };
	struct strength strength =
	    counts_strength(pentanomial_counts(&pairs), 0.95);
	struct moments moments = { 0 };
	struct estimate nelo;

	for (int i = 0; i < 5; i++) {
		for (int k = 0; k < pairs.counts[i]; k++)
			moments_add(&moments, 0.25 * i - 0.5);
	}
	nelo = mean_strength(&moments, true, 0.95).nelo;
	assert_near(nelo.value, strength.nelo.value, 1e-9);
	assert_near(nelo.low, strength.nelo.low, 1e-9);
	assert_near(nelo.high, strength.nelo.high, 1e-9);
	assert_near(mean_strength(&moments, false, 0.95).nelo.value,
	    sqrt(2) * strength.nelo.value, 1e-9);
}

TEST(test_joined_moments_are_those_of_all_values)
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

static const double pi = 3.14159265358979323846;

/* Relative tolerance. */
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

	for (size_t i = 0; i < COUNTOF(rows); i++)
		assert_close(
		    normal_quantile(rows[i].p), rows[i].quantile, 1e-14);
	assert_true(normal_quantile(0.5) == 0);
}

TEST(test_student_quantiles_have_thirteen_digits)
{
	/* Degrees of freedom, and upper tails from the finite sums for whole
	 * degrees (Abramowitz and Stegun 26.7.3) with 60 digits. */
	static const double tails[] = { 0.4, 0.025, 0.005, 1e-10 };
	static const double rows[][5] = {
		{ 1, 0.32491969623290634, 12.706204736174705,
		    63.656741162871583, 3183098861.8379068 },
		{ 2, 0.28867513459481287, 4.3026527297494637,
		    9.9248432009182928, 70710.678108048145 },
		{ 3, 0.27667066233268989, 3.1824463052837095,
		    5.8409093097333571, 2225.7692846830932 },
		{ 5, 0.26718086570414512, 2.5705818356363155,
		    4.0321429835552278, 156.82559270889431 },
		{ 10, 0.26018482949208022, 2.2281388519862748,
		    3.1692726726169513, 25.466008021697725 },
		{ 30, 0.25560536495191277, 2.0422724563012382,
		    2.7499956535672254, 9.377489780407144 },
		{ 100, 0.25402218245822783, 1.9839715185235522,
		    2.6258905214380177, 7.0833754814007222 },
		{ 999, 0.25341458333036737, 1.96234146113345,
		    2.5807596372676369, 6.4279434796597394 },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		for (int k = 0; k < 4; k++)
			assert_close(student_quantile(tails[k], rows[i][0]),
			    -rows[i][k + 1], 1e-13);
	}
}

TEST(test_student_distribution_has_its_closed_forms)
{
	for (double p = 1e-200; p < 0.5; p *= 1.9) {
		assert_close(student_quantile(p, 1), -1 / tan(pi * p), 1e-12);
		assert_close(student_quantile(p, 2),
		    (p - 0.5) * sqrt(2) / sqrt(p * (1 - p)), 1e-12);
	}
	assert_true(student_quantile(0.5, 7) == 0);
}

TEST(test_student_distribution_is_the_inverse_of_its_quantile)
{
	static const double freedoms[] = { 1, 2, 3, 9, 30, 300, 5000, 1e6,
		1e12 };

	for (size_t i = 0; i < COUNTOF(freedoms); i++) {
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

/*
 * The control variate: the part of luck that the deal explains is subtracted.
 */
/* Adds a pair whose x has only one part. */
static void
pair_add(struct variate_parts *pairs, double x, double y)
{
	const double parts[VARIATE_PARTS_MAX] = { x };

	variate_parts_add(pairs, parts, y);
}

static struct variate
pairs_sum(const struct variate_parts *pairs)
{
	static const double weights[VARIATE_PARTS_MAX] = { 1.0 };

	return variate_parts_weigh(pairs, weights);
}

/*
 * Margins: the sum of a strength, of luck that the deal explains, and of other
 * luck.
 */
static struct variate
games_play(int games, double strength, double by_deal, uint64_t *random)
{
	struct variate_parts pairs = { 0 };

	for (int i = 0; i < games; i++) {
		double deal = 2.0 * sample_normal(random);

		pair_add(&pairs, deal,
		    strength + by_deal * deal + sample_normal(random));
	}
	return pairs_sum(&pairs);
}

static double
width_of(const struct estimate *estimate)
{
	return estimate->high - estimate->low;
}

TEST(test_luck_of_the_deal_is_removed)
{
	uint64_t random = 1;
	struct variate variate = games_play(4000, 0.3, 1.5, &random);
	struct variate_estimate found = variate_estimate(&variate, 0.0, 0.95);

	/* Variances of 1.5^2 * 2^2 + 1 and of 1. */
	assert_near(found.coefficient, 1.5, 0.03);
	assert_near(found.variance_ratio, 10.0, 1.0);
	assert_near(width_of(&found.plain) / width_of(&found.corrected),
	    sqrt(10.0), 0.2);
	assert_near(found.corrected.value, 0.3, 0.05);
	assert_true(found.corrected.low < 0.3 && found.corrected.high > 0.3);
	assert_near(found.plain.value, variate.mean_y, 0.0);
}

TEST(test_mean_of_the_reference_shifts_the_margin)
{
	uint64_t random = 3;
	struct variate variate = games_play(100, 0.3, 1.5, &random);
	struct variate_estimate zero = variate_estimate(&variate, 0.0, 0.95);
	struct variate_estimate one = variate_estimate(&variate, 1.0, 0.95);

	assert_near(one.corrected.value - zero.corrected.value,
	    zero.coefficient, 1e-12);
	assert_near(one.plain.value, zero.plain.value, 0.0);
	/* If the mean of the packs is unusual, the error of c itself counts. */
	assert_true(width_of(&one.corrected) > width_of(&zero.corrected));
}

TEST(test_weights_of_parts_can_be_applied_at_the_end)
{
	static const double weights[VARIATE_PARTS_MAX] = { 2.0, -1.0, 0.5, 3.0,
		0.0, -0.25 };
	uint64_t random = 6;
	struct variate_parts parts = { 0 }, sums = { 0 };
	struct variate expected, found;

	for (int i = 0; i < 50; i++) {
		double part[VARIATE_PARTS_MAX], x = 0.0;
		double y = 5.0 + sample_normal(&random);

		for (int k = 0; k < VARIATE_PARTS_MAX; k++) {
			part[k] = 10.0 * k + sample_normal(&random);
			x += weights[k] * part[k];
		}
		y += x;
		variate_parts_add(&parts, part, y);
		pair_add(&sums, x, y);
	}
	expected = pairs_sum(&sums);
	found = variate_parts_weigh(&parts, weights);
	assert_int_equal(found.count, 50);
	assert_near(found.mean_x, expected.mean_x, 1e-10);
	assert_near(found.mean_y, expected.mean_y, 1e-10);
	assert_near(found.squares_x, expected.squares_x, 1e-8);
	assert_near(found.squares_y, expected.squares_y, 1e-8);
	assert_near(found.products, expected.products, 1e-8);
}

TEST(test_intervals_contain_the_true_value_as_often_as_their_level)
{
	enum { SERIES = 4000 };
	uint64_t random = 4;
	int held = 0;

	for (int i = 0; i < SERIES; i++) {
		struct variate variate = games_play(12, 0.3, 1.5, &random);
		struct variate_estimate found =
		    variate_estimate(&variate, 0.0, 0.9);

		held +=
		    found.corrected.low <= 0.3 && found.corrected.high >= 0.3;
	}
	assert_near((double)held / SERIES, 0.9, 0.02);
}

TEST(test_useless_reference_never_increases_the_variance)
{
	uint64_t random = 5;

	for (int i = 0; i < 200; i++) {
		struct variate variate =
		    games_play(3 + i % 50, 0.3, 0.0, &random);
		struct variate_estimate found =
		    variate_estimate(&variate, 0.0, 0.95);

		assert_true(found.variance_ratio >= 1.0);
		assert_true(isfinite(width_of(&found.corrected)));
	}
}

TEST(test_constant_reference_corrects_nothing)
{
	struct variate_parts pairs = { 0 };

	for (int i = 0; i < 6; i++) {
		struct variate variate = pairs_sum(&pairs);
		struct variate_estimate found =
		    variate_estimate(&variate, 0.0, 0.95);

		assert_near(found.coefficient, 0.0, 0.0);
		assert_near(found.variance_ratio, 1.0, 0.0);
		assert_near(found.corrected.value, found.plain.value, 0.0);
		assert_near(found.corrected.low, found.plain.low, 0.0);
		/* The reference is constant. */
		pair_add(&pairs, 1.0, i);
	}
}
