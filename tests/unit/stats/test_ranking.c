/*
 * How sure a ranking is, and which two should meet next.
 */
#include "ranking.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "estimate.h"
#include "sample.h"
#include "support.h"
#include "test.h"

enum { BOTS_MAX = 6, ROWS_MAX = 2000, REPLICATES = 1000 };

static struct cluster_row rows[ROWS_MAX];
static int64_t starts[ROWS_MAX + 1];
static uint32_t places[BOTS_MAX * BOTS_MAX];

/* Draws from the rows, each pair weighed as its own blocks say. */
static void
count(int64_t row_count, int bot_count, uint64_t seed)
{
	const struct ranking_sample sample = { .replicate_count = REPLICATES,
		.seed = seed };
	struct rating_fit fit = sample_fit(bot_count);

	sample_rows(&fit, rows, row_count, starts);
	ranking_places(&fit, &sample, places);
	/* Every replicate gives everyone a place. */
	for (int a = 0; a < bot_count; a++) {
		uint32_t sum = 0;

		for (int b = 0; b < bot_count; b++)
			sum += places[a * bot_count + b];
		assert_int_equal(sum, REPLICATES);
	}
}

/* A round robin whose blocks are independent; their number. */
static int64_t
tournament_fill(
    const double *strengths, int bot_count, int rounds, uint64_t *random)
{
	int64_t filled = 0;

	for (int round = 0; round < rounds; round++)
		for (int a = 0; a < bot_count; a++)
			for (int b = 0; b < a; b++) {
				double margin = strengths[a] - strengths[b] +
				    2.0 * sample_normal(random);

				assert_true(filled < ROWS_MAX);
				rows[filled] =
				    sample_row((int)filled, a, b, margin);
				filled++;
			}
	return filled;
}

TEST(test_share_of_two_is_the_chance_of_being_better)
{
	const double strengths[] = { 0.0, 0.25 };
	struct moments margins = { 0 };
	uint64_t random = 2;
	int64_t filled = tournament_fill(strengths, 2, 100, &random);

	for (int64_t i = 0; i < filled; i++)
		moments_add(&margins, (double)rows[i].margin);
	count(filled, 2, 3);
	assert_near(
	    places[1 * 2 + 0] / (double)REPLICATES, mean_los(&margins), 0.04);
	assert_int_equal(places[0 * 2 + 1], places[1 * 2 + 0]);
}

TEST(test_rows_of_one_cluster_are_drawn_together)
{
	enum { CLUSTERS = 40 };
	uint64_t random = 6;

	/* Each cluster cancels out but for a little, the rows alone do not. */
	for (int i = 0; i < CLUSTERS; i++) {
		double margin = sample_normal(&random);

		rows[i] = sample_row(i, 0, 1, margin);
		rows[CLUSTERS + i] = sample_row(i, 1, 0, margin - 0.01);
	}
	count((int64_t)2 * CLUSTERS, 2, 1);
	assert_int_equal(places[0], REPLICATES);
	for (int i = 0; i < 2 * CLUSTERS; i++)
		rows[i].cluster = i;
	count((int64_t)2 * CLUSTERS, 2, 1);
	assert_in_range(places[0], REPLICATES / 4, REPLICATES * 3 / 4);
}

TEST(test_clusters_of_several_rows_are_as_likely_as_others)
{
	int filled = 0;

	/* Ten clusters of one row for 0, ten of five rows against it. */
	for (int i = 0; i < 10; i++, filled++)
		rows[filled] = sample_row(i, 0, 1, 5.0);
	for (int i = 0; i < 50; i++, filled++)
		rows[filled] = sample_row(10 + i / 5, 1, 0, 1.0);
	count(filled, 2, 1);
	/* Whichever is drawn more often decides: both are as likely. */
	assert_near(places[0] / (double)REPLICATES, 0.5, 0.05);
}

/* The places of 0 and 1 after so many clusters that favour 0 by so much. */
static double
share_of(int clusters, double mean)
{
	for (int i = 0; i < clusters; i++)
		rows[i] = sample_row(i, 0, 1, mean + (i % 2 == 0 ? 1 : -1));
	count(clusters, 2, 1);
	return places[0] / (double)REPLICATES;
}

/* The variance of a sample is the unbiased one, with few clusters too. */
TEST(test_few_clusters_do_not_look_too_sure)
{
	static const int clusters[] = { 10, 40, 400 };

	for (int i = 0; i < 3; i++) {
		double n = clusters[i], error = sqrt(n / (n - 1) / n);

		assert_near(
		    share_of(clusters[i], error), normal_distribution(1), 0.04);
	}
}

TEST(test_share_of_many_is_that_of_tukeys_range)
{
	/* Upper 5 and 1 percent points of the range, infinite freedom. */
	static const struct {
		int bots;
		double level, range;
	} rows_known[] = {
		{ 2, 0.95, 2.772 },
		{ 3, 0.95, 3.314 },
		{ 5, 0.95, 3.858 },
		{ 10, 0.95, 4.474 },
		{ 20, 0.95, 5.012 },
		{ 100, 0.95, 6.085 },
		{ 3, 0.99, 4.120 },
		{ 10, 0.99, 5.157 },
	};

	for (size_t i = 0; i < COUNTOF(rows_known); i++) {
		double share =
		    ranking_share(rows_known[i].bots, rows_known[i].level);

		assert_near(-normal_quantile(share / 2) * sqrt(2),
		    rows_known[i].range, 0.0011);
	}
	assert_near(ranking_share(2, 0.95), 0.05, 1e-9);
}

/* Three bots, each so far above the next, with such errors. */
static void
ranges_find(double lead, double freedom, struct ranking_range ranges[3])
{
	struct rating_fit fit = sample_fit(3);

	for (int i = 0; i < 9; i++)
		fit.errors[i] = i % 4 == 0 ? 0 : 1;
	for (int i = 0; i < 3; i++)
		fit.ratings[i] = (struct rating){
			.value = -lead * i, .error = 1, .freedom = freedom
		};
	assert_int_equal(ranking_ranges(&fit, 0.95, ranges), 3);
}

TEST(test_places_are_open_as_all_comparisons_say)
{
	struct ranking_range ranges[3];

	/* 2.34 errors are enough for three at once, 1.96 for one alone. */
	ranges_find(2.0, HUGE_VAL, ranges);
	assert_int_equal(ranges[0].low, 0);
	assert_int_equal(ranges[0].high, 1);
	assert_int_equal(ranges[1].low, 0);
	assert_int_equal(ranges[1].high, 2);
	assert_int_equal(ranges[2].low, 1);
	assert_int_equal(ranges[2].high, 2);
	ranges_find(2.4, HUGE_VAL, ranges);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(ranges[i].low, i);
		assert_int_equal(ranges[i].high, i);
	}
	ranges_find(2.4, 9, ranges);
	assert_int_equal(ranges[0].high, 1);
	/* Nothing is known of the errors. */
	ranges_find(100, 0, ranges);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(ranges[i].low, 0);
		assert_int_equal(ranges[i].high, 2);
	}
}

/* The mean entropy after a block, by playing it. */
static double
information_by_play(
    double difference, double error, double sigma, uint64_t *random)
{
	enum { PLAYS = 200000 };
	double after = error * sigma / hypot(error, sigma), left = 0.0;
	double share = error * error / (error * error + sigma * sigma);
	double yes = normal_distribution(difference / error);

	for (int i = 0; i < PLAYS; i++) {
		double actual = difference + error * sample_normal(random);
		double seen = actual + sigma * sample_normal(random);
		double mean = difference + share * (seen - difference);
		double chance = normal_distribution(mean / after);

		if (chance > 0.0 && chance < 1.0)
			left -= chance * log2(chance) +
			    (1.0 - chance) * log2(1.0 - chance);
	}
	return -yes * log2(yes) - (1.0 - yes) * log2(1.0 - yes) - left / PLAYS;
}

TEST(test_information_is_what_a_block_says)
{
	static const double cases[][3] = { { 0.0, 0.5, 2.0 }, { 1.0, 0.7, 2.0 },
		{ 0.0, 2.0, 1.0 }, { -3.0, 2.0, 1.0 }, { 0.5, 1.0, 1.0 } };
	uint64_t random = 7;

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		const double *one = cases[i];

		assert_near(ranking_information(one[0], one[1], one[2]),
		    information_by_play(one[0], one[1], one[2], &random),
		    0.002);
		assert_near(ranking_information(-one[0], one[1], one[2]),
		    ranking_information(one[0], one[1], one[2]), 1e-12);
	}
	/* Both sides of the change of steps agree. */
	assert_near(ranking_information(0.3, 1.0 - 1e-9, 1.0),
	    ranking_information(0.3, 1.0 + 1e-9, 1.0), 1e-8);
}
