/*
 * The certainty of a ranking, and which two bots should meet next.
 */
#include "ranking.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "estimate.h"
#include "sample.h"
#include "support.h"
#include "test.h"

enum {
	BOTS = 6,
	PAIRS = BOTS * (BOTS - 1) / 2,
	ROUNDS = 2000,
	ROWS = ROUNDS * PAIRS,
	REPLICATES = 1000
};

static struct cluster_row rows[ROWS];
static int64_t starts[ROWS + 1];
static struct rating_fit fit;
static double places[BOTS * BOTS];

/* Draws places from the rows, with each pair weighted by its own blocks. */
static void
draw_places(int64_t row_count, int bot_count, uint64_t seed)
{
	const struct ranking_sample sample = { .replicate_count = REPLICATES,
		.seed = seed };

	fit = sample_fit(bot_count);
	sample_rows(&fit, rows, row_count, starts);
	ranking_places(&fit, &sample, places);
	/* Every replicate gives each bot a place, and each place a bot. */
	for (int a = 0; a < bot_count; a++) {
		double bot = 0, place = 0;

		for (int b = 0; b < bot_count; b++) {
			bot += places[a * bot_count + b];
			place += places[b * bot_count + a];
		}
		assert_near(bot, 1, 1e-12);
		assert_near(place, 1, 1e-12);
	}
}

TEST(test_rows_of_one_cluster_are_drawn_together)
{
	enum { CLUSTERS = 40 };
	uint64_t random = 6;

	/* The rows of a cluster almost cancel each other; single rows do
	 * not. */
	for (int i = 0; i < CLUSTERS; i++) {
		double margin = sample_normal(&random);

		rows[i] = sample_row(i, 0, 1, margin);
		rows[CLUSTERS + i] = sample_row(i, 1, 0, margin - 0.01);
	}
	draw_places((int64_t)2 * CLUSTERS, 2, 1);
	assert_int_equal(fit.clusters.count, CLUSTERS);
	assert_near(places[0], 1, 0);
	for (int i = 0; i < 2 * CLUSTERS; i++)
		rows[i].cluster = i;
	draw_places((int64_t)2 * CLUSTERS, 2, 1);
	assert_near(places[0], 0.5, 0.25);
}

TEST(test_clusters_are_equally_likely_for_any_number_of_rows)
{
	int filled = 0;

	/* Ten clusters of one row that bot 0 wins, ten of five rows that it
	 * loses. */
	for (int i = 0; i < 10; i++, filled++)
		rows[filled] = sample_row(i, 0, 1, 5.0);
	for (int i = 0; i < 50; i++, filled++)
		rows[filled] = sample_row(10 + i / 5, 1, 0, 1.0);
	draw_places(filled, 2, 1);
	/* The kind that is drawn more often decides, and both are equally
	 * likely. */
	assert_near(places[0], 0.5, 0.05);
}

/*
 * The share of replicates in which bot 0 is first, after clusters with this
 * mean margin in its favour.
 */
static double
share_of(int clusters, double mean)
{
	for (int i = 0; i < clusters; i++)
		rows[i] = sample_row(i, 0, 1, mean + (i % 2 == 0 ? 1 : -1));
	draw_places(clusters, 2, 1);
	return places[0];
}

/* The variance of a sample is unbiased, also with few clusters. */
TEST(test_few_clusters_give_no_false_certainty)
{
	static const int clusters[] = { 10, 40, 400 };

	for (int i = 0; i < 3; i++) {
		double n = clusters[i], error = sqrt(n / (n - 1) / n);

		assert_near(
		    share_of(clusters[i], error), normal_distribution(1), 0.04);
	}
}

TEST(test_error_share_of_many_bots_is_that_of_tukeys_range)
{
	/* Upper 5 and 1 percent points of the range with infinite degrees of
	 * freedom. */
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

/* Three bots, each better than the next by `lead`, with errors of 1. */
static void
ranges_find(double lead, double freedom, struct ranking_range ranges[3])
{
	fit = sample_fit(3);
	for (int i = 0; i < 9; i++)
		fit.errors[i] = i % 4 == 0 ? 0 : 1;
	for (int i = 0; i < 3; i++)
		fit.ratings[i] = (struct rating){
			.value = -lead * i, .error = 1, .freedom = freedom
		};
	assert_int_equal(ranking_ranges(&fit, 0.95, ranges), 3);
}

static void
assert_range(const struct ranking_range *range, int low, int high)
{
	assert_int_equal(range->low, low);
	assert_int_equal(range->high, high);
}

TEST(test_ranges_of_places_hold_for_all_comparisons_together)
{
	struct ranking_range ranges[3];

	/* Three comparisons together need 2.34 errors, a single one needs
	 * 1.96. */
	ranges_find(2.0, HUGE_VAL, ranges);
	assert_range(&ranges[0], 0, 1);
	assert_range(&ranges[1], 0, 2);
	assert_range(&ranges[2], 1, 2);
	ranges_find(2.4, HUGE_VAL, ranges);
	for (int i = 0; i < 3; i++)
		assert_range(&ranges[i], i, i);
	ranges_find(2.4, 9, ranges);
	assert_range(&ranges[0], 0, 1);
	/* The errors are unknown. */
	ranges_find(100, 0, ranges);
	for (int i = 0; i < 3; i++)
		assert_range(&ranges[i], 0, 2);
}

/* The mean entropy after a block, by simulation of the block. */
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

TEST(test_information_is_the_loss_of_entropy_by_a_block)
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
	/* The values on both sides of the change of steps agree. */
	assert_near(ranking_information(0.3, 1.0 - 1e-9, 1.0),
	    ranking_information(0.3, 1.0 + 1e-9, 1.0), 1e-8);
}

/*
 * Errors of ratings from clusters, the blocks with the same packs.
 */
/* Rates the rows by clusters, or as if all blocks were independent. */
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

/* All bots meet in every round, and each has its own luck in the round. */
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
				/* Either bot can be the first of the pair. */
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

TEST(test_encounters_of_a_round_are_not_independent)
{
	uint64_t random = 1;
	int count = fill_rounds(&random);

	rate(count, false);
	/* As if blocks were independent: the errors are too small by a factor
	 * of sqrt 3. */
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

/*
 * Degrees of freedom after 200 rounds with the same margin, except the last
 * one.
 */
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
	/* Margins of games of three and of ten deals are no exact floats. */
	assert_near(freedom_of(0.5, 0.5), 0, 0);
	assert_near(freedom_of(1.0 / 3, 1.0 / 3), 0, 0);
	assert_near(freedom_of(0.1, 0.1), 0, 0);
	/* A margin that differs by the smallest step is no rounding error. */
	assert_near(freedom_of(1.0 / 3, 1.0 / 3 + 1.0 / 2000), 199, 0);
}

/*
 * A gauntlet of one round: bots with equal results get exactly equal ratings.
 */
TEST(test_equal_results_have_equal_ratings)
{
	static const double margins[] = { 3.5, 3.5, -2, 0.5, 3.5 };

	for (int bots = 3; bots <= 16; bots++) {
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

/* Blocks with the same packs are one cluster, however many they are. */
TEST(test_error_of_one_cluster_is_unknown)
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

TEST(test_folded_rows_give_the_same_errors)
{
	struct rating before[BOTS];
	uint64_t random = 3;
	int count = fill_rounds(&random), kept;

	/* Each pair meets twice in a cluster. */
	for (int i = 0; i < count; i++)
		rows[i].cluster /= 2;
	rate(count, true);
	for (int bot = 0; bot < BOTS; bot++)
		before[bot] = fit.ratings[bot];
	kept = (int)clusters_fold(rows, count);
	assert_int_equal(2 * kept, count);
	assert_true(rows[0].blocks > 1 && rows[0].games > 2);
	/* Ratings do not change: only the errors follow from rows. */
	fit.clusters = clusters_make(rows, kept, starts);
	cluster_margin(&fit);
	for (int bot = 0; bot < BOTS; bot++)
		assert_near(fit.ratings[bot].error, before[bot].error, 1e-6);
}

/* The same blocks twice in each round are as much evidence as once. */
TEST(test_margins_of_a_pair_count_by_rounds)
{
	static const double values[] = { 0, 1, 2, 5 };
	struct moments rounds[9], expected = { 0 };

	for (int i = 0; i < 8; i++)
		rows[i] = sample_row(i / 2, 1, 0, values[i / 2]);
	/* Rounds without spread, though their blocks have some. */
	for (int i = 8; i < 16; i++)
		rows[i] = sample_row(i / 2, 1, 2, i % 2 == 0 ? 3 : 7);
	fit = sample_fit(3);
	sample_rows(&fit, rows, 16, starts);
	cluster_margins(&fit, rounds);
	for (int i = 0; i < 4; i++)
		moments_add(&expected, -(double)values[i]);
	assert_int_equal(rounds[1].count, 4);
	assert_near(rounds[1].mean, expected.mean, 1e-12);
	assert_near(rounds[1].squares, expected.squares, 1e-12);
	assert_int_equal(rounds[1 * 3 + 2].count, 4);
	assert_near(rounds[1 * 3 + 2].mean, 5, 1e-12);
	assert_near(rounds[1 * 3 + 2].squares, 0, 0);
}

TEST(test_intervals_of_means_follow_from_rounds)
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
	/* Equal margins have no spread, though sums of floats are rounded. */
	for (int i = 0; i < 100; i++) {
		rows[i] = sample_row(i, 0, 1, i % 2 == 0 ? 100.0 / 3 : 100);
		rows[i].blocks = i % 2 == 0 ? 1 : 3;
	}
	fit.clusters = clusters_make(rows, 100, starts);
	cluster_means(&fit, 0.95, means);
	assert_true(means[0].low_beyond && means[0].high_beyond);
}

/*
 * Pairs of bots whose results differ from the prediction by all other results.
 */
enum { RESIDUAL_ROUNDS = 400 };

static struct rating_pair *pairs; /* the pairs of the fit */
static struct residual residuals[PAIRS];

/* The margin of every pair follows from strengths 0.0, 0.1, .... */
static void
fill(void)
{
	int i = 0;

	fit = sample_fit(BOTS);
	pairs = fit.pairs;
	for (int a = 0; a < BOTS; a++)
		for (int b = a + 1; b < BOTS; b++)
			pairs[i++] = (struct rating_pair){
				.first = a,
				.second = b,
				.margins = { .mean = 0.1 * (a - b) },
			};
}

/* The margin of each pair in each round. */
static double margins[RESIDUAL_ROUNDS][PAIRS];

/* Counts these margins, and finds the residuals of the pairs. */
static void
judge(int pair_count, int rounds)
{
	int count = 0;

	for (int i = 0; i < pair_count; i++) {
		pairs[i].margins = (struct moments){ 0 };
		for (int round = 0; round < rounds; round++) {
			rows[count] = sample_row(round, pairs[i].first,
			    pairs[i].second, margins[round][i]);
			moments_add(
			    &pairs[i].margins, (double)rows[count++].margin);
		}
	}
	fit.pair_count = pair_count;
	fit.clusters = clusters_make(rows, count, starts);
	residual_find(&fit, residuals);
	for (int i = 0; i < pair_count; i++)
		assert_false(pairs[i].apart);
}

/*
 * Plays many rounds, in which each pair gets exactly its mean, with a deviation
 * of 2.
 */
static void
find(int pair_count)
{
	for (int i = 0; i < pair_count; i++)
		for (int round = 0; round < RESIDUAL_ROUNDS; round++) {
			/* A different half of the rounds for each pair. */
			int high = __builtin_parity(
			    (unsigned)round & (unsigned)(i + 1));

			margins[round][i] =
			    pairs[i].margins.mean + (high != 0 ? 2.0 : -2.0);
		}
	judge(pair_count, RESIDUAL_ROUNDS);
}

/* One bot gives another one a point per deal. */
TEST(test_only_the_pair_that_gives_points_away_is_odd)
{
	fill();
	pairs[4].margins.mean += 1;
	find(PAIRS);
	assert_true(residuals[4].odd);
	assert_true(residuals[4].z > 4);
	assert_near(residuals[4].expected, -0.5, 1e-6);
	for (int i = 0; i < PAIRS; i++)
		if (i != 4)
			assert_false(residuals[i].odd);
}

/* Deviations so large that they change the fit of all neighbours. */
TEST(test_odd_pairs_do_not_make_their_neighbours_odd)
{
	fill();
	pairs[4].margins.mean += 4;
	pairs[9].margins.mean -= 3;
	find(PAIRS);
	for (int i = 0; i < PAIRS; i++)
		assert_int_equal(residuals[i].odd, i == 4 || i == 9);
	assert_near(residuals[4].expected, -0.5, 1e-6);
	assert_true(residuals[4].z > 10);
	assert_true(residuals[9].z < -10);
	assert_near(residuals[0].z, 0.0, 1e-6);
}

/* The formula gives the result of a fit without the pair. */
TEST(test_expectation_follows_from_all_other_pairs)
{
	struct residual found;
	struct rating_pair left;
	double expected, error, variance;

	fill();
	for (int i = 0; i < PAIRS; i++)
		pairs[i].margins.mean = 0.05 * ((i * 7) % 5) - 0.1;
	find(PAIRS);
	left = pairs[PAIRS - 1];
	found = residuals[PAIRS - 1];
	for (int i = 0; i < PAIRS; i++)
		assert_false(residuals[i].odd);
	variance =
	    rating_variance(&left.margins, rating_pooled_variance(&fit)) /
	    (double)left.margins.count;
	fit.pair_count--;
	rating_margin(&fit);
	expected =
	    fit.ratings[left.first].value - fit.ratings[left.second].value;
	error = rating_difference_error(&fit, left.first, left.second);
	assert_near(found.expected, expected, 1e-6);
	assert_near(found.z,
	    (left.margins.mean - expected) / sqrt(variance + error * error),
	    2e-3);
}

TEST(test_pair_without_other_connection_is_not_judged)
{
	fill();
	/* The first bot meets only the second one, which meets all others. */
	memmove(
	    pairs + 1, pairs + BOTS - 1, (PAIRS - BOTS + 1) * sizeof(*pairs));
	find(PAIRS - BOTS + 2);
	assert_false(residuals[0].judged);
	assert_false(residuals[0].odd);
	assert_true(residuals[1].judged);
}

/*
 * Two bots play alike, so that all their blocks end 0 to 0.  Their residual is
 * only a rounding error, and its error, too.
 */
TEST(test_bots_that_play_alike_are_not_judged)
{
	enum { TOURNAMENTS = 200, FEW = 20 };
	uint64_t random = 1;

	for (int i = 0; i < TOURNAMENTS; i++) {
		fill();
		for (int turn = 0; turn < FEW; turn++)
			for (int k = 0; k < PAIRS; k++)
				/* Pair BOTS - 1 is that of bots 1 and 2. */
				margins[turn][k] = k == 0 ? 0
				    : pairs[k].first == 1
				    ? margins[turn][k - BOTS + 2]
				    : round(2 * sample_normal(&random)) / 2;
		judge(PAIRS, FEW);
		assert_false(residuals[0].judged || residuals[0].odd);
	}
}

/* Luck that a bot has in all its encounters of a round makes no pair odd. */
TEST(test_honest_pairs_are_seldom_odd)
{
	enum { TOURNAMENTS = 1000, FEW = 12 };
	uint64_t random = 1;
	int marked = 0;

	for (int i = 0; i < TOURNAMENTS; i++) {
		int odd = 0;

		fill();
		for (int round = 0; round < FEW; round++) {
			double luck[BOTS];

			for (int bot = 0; bot < BOTS; bot++)
				luck[bot] = sample_normal(&random);
			for (int k = 0; k < PAIRS; k++)
				margins[round][k] = luck[pairs[k].first] -
				    luck[pairs[k].second] +
				    1.5 * sample_normal(&random);
		}
		judge(PAIRS, FEW);
		for (int k = 0; k < PAIRS; k++)
			odd += residuals[k].odd;
		marked += odd > 0;
	}
	printf("# %d of %d honest tournaments have an odd pair\n", marked,
	    TOURNAMENTS);
	/* RESIDUAL_ALPHA allows one in a hundred. */
	assert_in_range(marked, 2, 22);
}
