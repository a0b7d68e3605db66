/*
 * Errors of ratings by what was played with the same packs.
 */
#include "ranking.h"

#include <float.h>
#include <math.h>

#include "sample.h"
#include "test.h"

enum { BOTS = 6, ROUNDS = 2000, ROWS = ROUNDS * BOTS * (BOTS - 1) / 2 };

static struct cluster_row rows[ROWS];
static int64_t starts[ROWS + 1];
static struct rating_fit fit;

/* Rates the rows as if blocks were independent, and by clusters where asked. */
static void
rate(int row_count, bool clustered)
{
	fit = sample_fit(BOTS);
	sample_rows(&fit, rows, row_count, starts);
	if (clustered)
		cluster_margin(&fit);
	else
		rating_margin(&fit);
}

/* All bots meet in every round, each with its own luck. */
static int
fill_rounds(uint64_t *random)
{
	int count = 0;

	for (int round = 0; round < ROUNDS; round++) {
		double points[BOTS];

		for (int bot = 0; bot < BOTS; bot++)
			points[bot] = bot / 10.0 + sample_normal(random);
		for (int a = 0; a < BOTS; a++) {
			for (int b = a + 1; b < BOTS; b++) {
				/* Either may be named first. */
				bool turned = (round + a + b) % 2 == 1;
				double margin = points[a] - points[b];

				rows[count++] = sample_row(round,
				    turned ? b : a, turned ? a : b,
				    turned ? -margin : margin);
			}
		}
	}
	return count;
}

TEST(test_encounters_of_a_round_say_less_than_they_seem)
{
	uint64_t random = 1;
	int count = fill_rounds(&random);

	rate(count, false);
	/* As if they were independent: too sure by a factor of sqrt 3. */
	assert_near(fit.ratings[0].error, sqrt(5.0 / 6 / ROUNDS / 3), 0.0005);
	assert_true(fit.ratings[0].freedom > DBL_MAX);
	rate(count, true);
	for (int a = 0; a < BOTS; a++) {
		assert_near(
		    fit.ratings[a].error, sqrt(5.0 / 6 / ROUNDS), 0.001);
		assert_near(fit.ratings[a].freedom, ROUNDS - 1, 0);
		for (int b = 0; b < BOTS; b++)
			if (a != b)
				assert_near(fit.errors[a * BOTS + b],
				    sqrt(2.0 / ROUNDS), 0.0015);
	}
}

/* 200 rounds of two bots with the same margin, but for the last one. */
static double
freedom_of(double margin, double last)
{
	enum { COUNT = 200 };
	struct rating_pair pair = { .first = 0, .second = 1 };

	fit = sample_fit(2);
	for (int round = 0; round < COUNT; round++) {
		double value = round < COUNT - 1 ? margin : last;

		rows[round] = sample_row(round, 0, 1, value);
		moments_add(&pair.margins, value);
	}
	fit.clusters = clusters_make(rows, COUNT, starts);
	fit.pairs[fit.pair_count++] = pair;
	cluster_margin(&fit);
	return fit.ratings[0].freedom;
}

TEST(test_equal_margins_have_no_error_whatever_their_fraction)
{
	/* Of games of three and of ten deals: floats do not hold them. */
	assert_near(freedom_of(0.5, 0.5), 0, 0);
	assert_near(freedom_of(1.0 / 3, 1.0 / 3), 0, 0);
	assert_near(freedom_of(0.1, 0.1), 0, 0);
	/* One that differs by the least step is no rounding error. */
	assert_near(freedom_of(1.0 / 3, 1.0 / 3 + 1.0 / 2000), 199, 0);
}

/* A gauntlet of one round: results that are equal leave no order. */
TEST(test_equal_results_have_equal_ratings)
{
	static const double margins[] = { 3.5, 3.5, -2, 0.5, 3.5 };

	for (int bots = 3; bots <= SAMPLE_BOTS_MAX; bots++) {
		fit = sample_fit(bots);
		for (int bot = 1; bot < bots; bot++)
			rows[bot - 1] = sample_row(
			    0, bot, 0, margins[bot % COUNTOF(margins)]);
		sample_rows(&fit, rows, bots - 1, starts);
		cluster_margin(&fit);
		for (int a = 1; a < bots; a++)
			for (int b = 1; b < a; b++)
				if (margins[a % COUNTOF(margins)] ==
				    margins[b % COUNTOF(margins)])
					assert_near(fit.ratings[a].value,
					    fit.ratings[b].value, 0);
	}
}

TEST(test_independent_blocks_have_the_errors_that_they_had)
{
	struct rating before[BOTS];
	uint64_t random = 2;

	for (int i = 0; i < ROWS; i++) {
		int a = i % BOTS, b = (a + 1 + i / BOTS % (BOTS - 1)) % BOTS;

		rows[i] = sample_row(i, a, b, sample_normal(&random));
	}
	rate(ROWS, false);
	for (int bot = 0; bot < BOTS; bot++)
		before[bot] = fit.ratings[bot];
	rate(ROWS, true);
	for (int bot = 0; bot < BOTS; bot++) {
		assert_true(fit.ratings[bot].error >= before[bot].error);
		assert_near(
		    fit.ratings[bot].error / before[bot].error, 1, 0.05);
	}
}

/* However often one set of packs is played, it is one. */
TEST(test_one_cluster_says_nothing_of_its_error)
{
	for (int i = 0; i < 40; i++)
		rows[i] = sample_row(7, 0, 1, 3 + i % 2);
	for (int i = 40; i < 80; i++)
		rows[i] = sample_row(i, 2, 3, 3 + i % 2);
	rate(80, true);
	assert_true(fit.ratings[0].freedom == 0 && fit.ratings[1].freedom == 0);
	assert_near(fit.ratings[0].value, 1.75, 1e-6);
	assert_near(fit.ratings[2].freedom, 39, 0);
	assert_true(fit.errors[0 * BOTS + 2] > DBL_MAX);
}

TEST(test_rows_of_several_blocks_count_as_these)
{
	struct rating before[BOTS];
	uint64_t random = 3;
	int count = fill_rounds(&random), kept;

	/* Each pair meets twice a cluster. */
	for (int i = 0; i < count; i++)
		rows[i].cluster /= 2;
	rate(count, true);
	for (int bot = 0; bot < BOTS; bot++)
		before[bot] = fit.ratings[bot];
	kept = (int)clusters_fold(rows, count);
	assert_int_equal(2 * kept, count);
	assert_true(rows[0].blocks > 1 && rows[0].games > 2);
	/* Ratings stay as they are: only the errors follow from rows. */
	fit.clusters = clusters_make(rows, kept, starts);
	cluster_margin(&fit);
	for (int bot = 0; bot < BOTS; bot++)
		assert_near(fit.ratings[bot].error, before[bot].error, 1e-6);
}

TEST(test_means_have_the_width_of_their_rounds)
{
	struct estimate means[BOTS];
	uint64_t random = 4;
	int count = fill_rounds(&random);
	double half;

	fit = sample_fit(BOTS);
	fit.clusters = clusters_make(rows, count, starts);
	cluster_means(&fit, 0.95, means);
	half = student_quantile(0.975, ROUNDS - 1) * sqrt(1.2 / ROUNDS);
	for (int bot = 0; bot < BOTS; bot++) {
		assert_near(
		    (means[bot].high - means[bot].low) / 2 / half, 1, 0.05);
		assert_false(means[bot].low_beyond || means[bot].high_beyond);
		assert_near(means[bot].value, (bot - 2.5) * 0.12, 0.1);
	}
	fit.clusters = clusters_make(rows, 15, starts);
	cluster_means(&fit, 0.95, means);
	assert_true(means[0].low_beyond && means[0].high_beyond);
}
