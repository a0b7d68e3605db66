/*
 * Margin ratings: least squares over all pairs, and how sure they are.
 */
#include "rating.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "sample.h"
#include "support.h"
#include "test.h"

enum { BOTS_MAX = 8, PAIRS_MAX = BOTS_MAX * (BOTS_MAX - 1) / 2 };
enum { WORK_SIZE = 4 * BOTS_MAX * BOTS_MAX };

static double work[WORK_SIZE];

static struct rating_margins
pair_of(int first, int second, int64_t count, double mean, double deviation)
{
	return (struct rating_margins){
		.first = first,
		.second = second,
		.margins = moments_of(count, mean, deviation),
	};
}

static void
rate(const struct rating_margins *pairs, int pair_count, int bot_count,
    struct rating *ratings)
{
	assert_true(rating_margin_work_size(bot_count) <= WORK_SIZE);
	rating_margin(pairs, pair_count, bot_count, ratings, work);
	for (int i = 0; i < bot_count; i++) {
		assert_true(isfinite(ratings[i].value));
		assert_true(isfinite(ratings[i].error));
		assert_true(ratings[i].error >= 0.0);
		assert_false(ratings[i].beyond);
	}
}

TEST(test_vectors_are_met)
{
	struct rating_margins pairs[PAIRS_MAX];
	struct rating ratings[4];
	struct csv csv;
	int pair_count = 0, rows = 0;

	csv_open(&csv, "statistics.csv");
	while (csv_next(&csv)) {
		double numbers[2 * PAIRS_MAX], tolerance;
		int count;

		if (strcmp(csv.fields[0], "MARGIN-WLS-4") != 0)
			continue;
		tolerance = strtod(csv.fields[4], NULL);
		if (strncmp(csv.fields[1], "ratings(", 8) == 0) {
			/* In the order A-B, A-C, A-D, B-C, B-D, C-D. */
			count =
			    csv_numbers(csv.fields[2], numbers, 2 * PAIRS_MAX);
			assert_int_equal(count, 12);
			for (int a = 0; a < 4; a++)
				for (int b = a + 1; b < 4; b++) {
					const double *pair = numbers +
					    (size_t)2 * (size_t)pair_count;

					pairs[pair_count++] = pair_of(a, b,
					    (int64_t)pair[1], pair[0], 2.5);
				}
			rate(pairs, pair_count, 4, ratings);
			assert_int_equal(
			    csv_numbers(csv.fields[3], numbers, 4), 4);
			for (int i = 0; i < 4; i++)
				assert_near(
				    ratings[i].value, numbers[i], tolerance);
			rows++;
		} else {
			assert_int_equal(pair_count, 6);
			assert_near(rating_difference_error(0, 1, 4, work),
			    strtod(csv.fields[3], NULL), tolerance);
			rows++;
		}
	}
	csv_close(&csv);
	assert_int_equal(rows, 2);
}

TEST(test_two_bots_stand_half_their_margin_from_zero)
{
	const struct rating_margins pair = pair_of(1, 0, 400, 0.6, 2.0);
	struct rating ratings[2];

	rate(&pair, 1, 2, ratings);
	assert_near(ratings[1].value, 0.3, 1e-12);
	assert_near(ratings[0].value, -0.3, 1e-12);
	/* 2 / sqrt(400); each of the two has half of it. */
	assert_near(rating_difference_error(1, 0, 2, work), 0.1, 1e-12);
	assert_near(ratings[0].error, 0.05, 1e-12);
	assert_near(rating_difference_error(1, 1, 2, work), 0.0, 0.0);
}

TEST(test_one_bot_is_rated_zero)
{
	struct rating rating;

	rate(NULL, 0, 1, &rating);
	assert_near(rating.value, 0.0, 0.0);
	assert_near(rating.error, 0.0, 0.0);
	assert_int_equal(rating.group, 0);
}

TEST(test_groups_that_never_met_are_rated_apart)
{
	const struct rating_margins pairs[] = {
		pair_of(0, 2, 100, 1.0, 2.0), pair_of(1, 3, 100, 3.0, 2.0),
		pair_of(1, 0, 0, 5.0, 2.0), /* nothing was played */
	};
	struct rating ratings[5];

	rate(pairs, 3, 5, ratings);
	assert_int_equal(ratings[0].group, 0);
	assert_int_equal(ratings[1].group, 1);
	assert_int_equal(ratings[2].group, 0);
	assert_int_equal(ratings[3].group, 1);
	assert_int_equal(ratings[4].group, 2);
	assert_near(ratings[0].value, 0.5, 1e-12);
	assert_near(ratings[1].value, 1.5, 1e-12);
	assert_near(ratings[4].value, 0.0, 0.0);
	assert_true(rating_difference_error(0, 1, 5, work) == DBL_MAX);
	assert_true(rating_difference_error(4, 1, 5, work) == DBL_MAX);
	assert_near(rating_difference_error(0, 2, 5, work), 0.2, 1e-12);
}

TEST(test_cycle_of_equal_margins_rates_all_the_same)
{
	const struct rating_margins pairs[] = {
		pair_of(0, 1, 50, 1.0, 2.0),
		pair_of(1, 2, 50, 1.0, 2.0),
		pair_of(2, 0, 50, 1.0, 2.0),
	};
	struct rating ratings[3];

	rate(pairs, 3, 3, ratings);
	for (int i = 0; i < 3; i++)
		assert_near(ratings[i].value, 0.0, 1e-12);
	/* Two ways, of one pair and of two: 0.08 parallel to 0.16. */
	assert_near(rating_difference_error(0, 1, 3, work),
	    sqrt(0.08 * 0.16 / 0.24), 1e-12);
}

TEST(test_pair_without_spread_takes_the_spread_of_the_others)
{
	const struct rating_margins pairs[] = {
		pair_of(0, 1, 100, 1.0, 3.0),
		pair_of(1, 2, 1, 0.5, 0.0),
		pair_of(2, 3, 100, 0.0, 0.0),
	};
	struct rating ratings[4];
	/* 99 freedoms of 9, and 99 of nothing. */
	double pooled = 99 * 9.0 / 198;

	rate(pairs, 3, 4, ratings);
	assert_near(rating_difference_error(1, 2, 4, work), sqrt(pooled), 1e-9);
	assert_near(
	    rating_difference_error(2, 3, 4, work), sqrt(pooled / 100), 1e-9);
}

TEST(test_two_lucky_blocks_do_not_outweigh_hundreds)
{
	const struct rating_margins pairs[] = {
		pair_of(0, 1, 300, 1.0, 3.0),
		pair_of(1, 2, 300, 1.0, 3.0),
		pair_of(2, 0, 2, 4.0, 1e-6),
	};
	struct rating ratings[3];

	rate(pairs, 3, 3, ratings);
	/* Taken at their word they would pull 0 below 2. */
	assert_near(ratings[0].value - ratings[2].value, 2.0, 0.1);
	assert_near(rating_variance(&pairs[2].margins, 9.0),
	    RATING_PRIOR_BLOCKS * 9.0 / (RATING_PRIOR_BLOCKS + 1), 1e-6);
	assert_near(rating_variance(&pairs[0].margins, 9.0), 9.0, 1e-9);
}

TEST(test_without_any_spread_errors_are_guessed_and_not_zero)
{
	const struct rating_margins one = pair_of(0, 1, 1, 3.0, 0.0);
	const struct rating_margins draws = pair_of(0, 1, 4, 0.0, 0.0);
	struct rating ratings[2];

	rate(&one, 1, 2, ratings);
	assert_near(ratings[0].value, 1.5, 1e-12);
	assert_near(rating_difference_error(0, 1, 2, work), 3.0, 1e-12);
	rate(&draws, 1, 2, ratings);
	assert_near(ratings[0].value, 0.0, 0.0);
	assert_near(rating_difference_error(0, 1, 2, work), 0.5, 1e-12);
}

/* A round robin of bots of these strengths. */
static int
tournament_fill(const double *strengths, int bot_count, int blocks,
    double deviation, uint64_t *random, struct rating_margins *pairs)
{
	int count = 0;

	for (int a = 0; a < bot_count; a++)
		for (int b = 0; b < a; b++) {
			struct rating_margins *pair = &pairs[count++];

			*pair =
			    (struct rating_margins){ .first = b, .second = a };
			for (int i = 0; i < blocks; i++)
				moments_add(&pair->margins,
				    strengths[b] - strengths[a] +
					deviation * sample_normal(random));
		}
	return count;
}

TEST(test_errors_are_those_of_repeated_tournaments)
{
	enum { TOURNAMENTS = 2000, BOTS = 5, BLOCKS = 20 };
	static const double strengths[BOTS] = { 1.0, 0.4, 0.0, -0.2, -1.2 };
	struct rating_margins pairs[PAIRS_MAX];
	struct rating ratings[BOTS];
	double squares = 0.0, mean = 0.0, surprises = 0.0, difference = 0.0;
	uint64_t random = 3;

	for (int i = 0; i < TOURNAMENTS; i++) {
		int count = tournament_fill(
		    strengths, BOTS, BLOCKS, 3.0, &random, pairs);
		double lead, error;

		rate(pairs, count, BOTS, ratings);
		mean += ratings[0].value;
		squares += (ratings[0].value - 1.0) * (ratings[0].value - 1.0) /
		    (ratings[0].error * ratings[0].error);
		lead = ratings[1].value - ratings[3].value;
		error = rating_difference_error(1, 3, BOTS, work);
		difference += lead;
		surprises += (lead - 0.6) * (lead - 0.6) / (error * error);
	}
	assert_near(mean / TOURNAMENTS, 1.0, 0.03);
	assert_near(difference / TOURNAMENTS, 0.6, 0.04);
	/* Squares of standard normals: mean 1 +- 0.03. */
	assert_near(squares / TOURNAMENTS, 1.0, 0.12);
	assert_near(surprises / TOURNAMENTS, 1.0, 0.12);
}

/* Blocks of five bots at once: each has its own luck. */
static void
blocks_fill(const double *strengths, int bot_count, int blocks,
    uint64_t *random, struct rating_margins *pairs)
{
	int count = 0;

	for (int a = 0; a < bot_count; a++)
		for (int b = 0; b < a; b++)
			pairs[count++] = (struct rating_margins){
				.first = a, .second = b, .joint = bot_count
			};
	for (int i = 0; i < blocks; i++) {
		double points[BOTS_MAX];

		for (int a = 0; a < bot_count; a++)
			points[a] = strengths[a] + 2.0 * sample_normal(random);
		for (int k = 0; k < count; k++)
			moments_add(&pairs[k].margins,
			    points[pairs[k].first] - points[pairs[k].second]);
	}
}

TEST(test_errors_are_right_where_many_meet_in_one_block)
{
	enum { TOURNAMENTS = 2000, BOTS = 5, PAIRS = BOTS * (BOTS - 1) / 2 };
	static const double strengths[BOTS] = { 1.0, 0.4, 0.0, -0.2, -1.2 };
	double squares = 0.0, surprises = 0.0;
	uint64_t random = 13;

	for (int i = 0; i < TOURNAMENTS; i++) {
		struct rating_margins pairs[PAIRS];
		struct rating ratings[BOTS];
		double off, error;

		blocks_fill(strengths, BOTS, 60, &random, pairs);
		rate(pairs, PAIRS, BOTS, ratings);
		off = (ratings[0].value - 1.0) / ratings[0].error;
		squares += off * off;
		error = rating_difference_error(1, 3, BOTS, work);
		off = (ratings[1].value - ratings[3].value - 0.6) / error;
		surprises += off * off;
	}
	assert_near(squares / TOURNAMENTS, 1.0, 0.12);
	assert_near(surprises / TOURNAMENTS, 1.0, 0.12);
}

TEST(test_errors_are_right_where_partners_change)
{
	enum { TOURNAMENTS = 2000, BOTS = 4, BLOCKS = 90 };
	static const double strengths[BOTS] = { 0.4, 0.1, -0.1, -0.4 };
	double squares = 0.0, mean = 0.0;
	uint64_t random = 14;

	for (int i = 0; i < TOURNAMENTS; i++) {
		struct rating_margins pairs[6];
		struct rating ratings[BOTS];
		double off;

		blocks_fill(strengths, BOTS, 0, &random, pairs);
		for (int block = 0; block < BLOCKS; block++) {
			int partner = 1 + support_random_below(&random, 3);
			double lead = 2.0 * sample_normal(&random);

			for (int a = 0; a < BOTS; a++)
				lead += a == 0 || a == partner ? strengths[a]
							       : -strengths[a];
			for (int k = 0; k < 6; k++) {
				int a = pairs[k].first, b = pairs[k].second;
				bool with = a == 0 || a == partner;

				if (with != (b == 0 || b == partner))
					moments_add(&pairs[k].margins,
					    with ? lead : -lead);
			}
		}
		rate(pairs, 6, BOTS, ratings);
		mean += ratings[0].value;
		off = (ratings[0].value - strengths[0]) / ratings[0].error;
		squares += off * off;
	}
	assert_near(mean / TOURNAMENTS, strengths[0], 0.02);
	assert_near(squares / TOURNAMENTS, 1.0, 0.15);
}

TEST(test_numbers_of_bots_do_not_matter)
{
	enum { BOTS = 6 };
	static const int other[BOTS] = { 3, 5, 0, 4, 1, 2 };
	static const double strengths[BOTS] = { 0.1, 0.4, -2.0, 0.2, 0.8, 0.5 };
	struct rating_margins pairs[PAIRS_MAX];
	struct rating ratings[BOTS], relabelled[BOTS];
	uint64_t random = 4;
	int count =
	    tournament_fill(strengths, BOTS, 10, 2.0, &random, pairs) - 4;
	double error;

	rate(pairs, count, BOTS, ratings);
	error = rating_difference_error(0, 5, BOTS, work);
	for (int i = 0; i < count; i++) {
		/* From the other one's view, half of them. */
		struct rating_margins *pair = &pairs[i];
		int first = other[pair->first], second = other[pair->second];

		pair->first = i % 2 ? second : first;
		pair->second = i % 2 ? first : second;
		pair->margins.mean *= i % 2 ? -1.0 : 1.0;
	}
	rate(pairs, count, BOTS, relabelled);
	for (int i = 0; i < BOTS; i++) {
		assert_near(
		    relabelled[other[i]].value, ratings[i].value, 1e-12);
		assert_near(
		    relabelled[other[i]].error, ratings[i].error, 1e-12);
	}
	assert_near(rating_difference_error(other[0], other[5], BOTS, work),
	    error, 1e-12);
}

TEST(test_rows_of_one_pair_add_up)
{
	const struct rating_margins pairs[] = {
		pair_of(0, 1, 100, 2.0, 2.0),
		pair_of(1, 0, 100, -1.0, 2.0),
	};
	struct rating ratings[2];

	rate(pairs, 2, 2, ratings);
	assert_near(ratings[0].value - ratings[1].value, 1.5, 1e-12);
	assert_near(
	    rating_difference_error(0, 1, 2, work), 2.0 / sqrt(200.0), 1e-12);
}

TEST(test_extremes_stay_finite)
{
	static const int64_t counts[] = { 0, 1, 2, 1000000, INT64_MAX / 4 };
	static const double deviations[] = { 0.0, 1e-200, 1.0, 1e9 };
	struct rating_margins pairs[PAIRS_MAX];
	struct rating ratings[BOTS_MAX];
	uint64_t random = 5;

	for (int round = 0; round < 2000; round++) {
		int count = 0;

		for (int a = 0; a < BOTS_MAX; a++)
			for (int b = 0; b < a; b++)
				pairs[count++] = pair_of(a, b,
				    counts[support_random_below(&random, 5)],
				    support_random_below(&random, 101) - 50,
				    deviations[support_random_below(
					&random, 4)]);
		rate(pairs, count, BOTS_MAX, ratings);
		for (int a = 0; a < BOTS_MAX; a++) {
			double error =
			    rating_difference_error(0, a, BOTS_MAX, work);

			assert_true(isfinite(error) && error >= 0.0);
		}
	}
}
