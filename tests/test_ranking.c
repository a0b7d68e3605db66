/*
 * How sure a ranking is, and which two should meet next.
 */
#include "ranking.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "estimate.h"
#include "sample.h"
#include "support.h"

enum { BOTS_MAX = 6, BLOCKS_MAX = 2000, REPLICATES = 1000 };

static double work[5 * BOTS_MAX * BOTS_MAX];
static struct ranking_block blocks[BLOCKS_MAX];
static uint32_t above[BOTS_MAX * BOTS_MAX], places[BOTS_MAX * BOTS_MAX];

static void
count(int64_t block_count, int bot_count, uint64_t seed)
{
	const struct ranking_sample sample = { blocks, block_count, bot_count,
		REPLICATES, seed };

	assert_true(
	    ranking_work_size(bot_count) * sizeof(double) <= sizeof(work));
	ranking_places(&sample, above, places, work);
	/* Every replicate ranks each two, and gives everyone a place. */
	for (int a = 0; a < bot_count; a++) {
		uint32_t sum = 0;

		for (int b = 0; b < bot_count; b++) {
			sum += places[a * bot_count + b];
			assert_int_equal(
			    above[a * bot_count + b] + above[b * bot_count + a],
			    a == b ? 0 : 2 * REPLICATES);
		}
		assert_int_equal(sum, REPLICATES);
	}
}

/* A round robin, each two as often; the number of blocks. */
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

				assert_true(filled < BLOCKS_MAX);
				blocks[filled++] = (struct ranking_block){
					.first = (int16_t)a,
					.second = (int16_t)b,
					.margin = (float)margin,
				};
			}
	return filled;
}

static void
test_clear_order_is_sure(void **state)
{
	static const double strengths[] = { 0.0, 4.0, -2.0, 2.0 };
	static const int order[] = { 1, 3, 0, 2 };
	uint64_t random = 1;

	(void)state;
	count(tournament_fill(strengths, 4, 50, &random), 4, 1);
	for (int place = 0; place < 4; place++) {
		assert_int_equal(places[order[place] * 4 + place], REPLICATES);
		for (int lower = place + 1; lower < 4; lower++)
			assert_int_equal(above[order[place] * 4 + order[lower]],
			    2 * REPLICATES);
	}
}

static void
test_share_of_two_is_the_chance_of_being_better(void **state)
{
	const double strengths[] = { 0.0, 0.25 };
	struct moments margins = { 0 };
	uint64_t random = 2;
	int64_t filled = tournament_fill(strengths, 2, 100, &random);

	(void)state;
	for (int64_t i = 0; i < filled; i++)
		moments_add(&margins, (double)blocks[i].margin);
	count(filled, 2, 3);
	assert_near(
	    above[1 * 2 + 0] / (2.0 * REPLICATES), mean_los(&margins), 0.04);
	assert_near(places[1 * 2 + 0], above[1 * 2 + 0] / 2.0, 10.0);
	assert_int_equal(places[0 * 2 + 1], places[1 * 2 + 0]);
}

static void
test_same_seed_gives_the_same_counts(void **state)
{
	static const double strengths[] = { 0.0, 0.1, 0.2 };
	uint32_t first[9], alone[9];
	struct ranking_sample sample;
	uint64_t random = 4;
	int64_t filled = tournament_fill(strengths, 3, 30, &random);

	(void)state;
	count(filled, 3, 7);
	memcpy(first, above, sizeof(first));
	count(filled, 3, 7);
	assert_memory_equal(above, first, sizeof(first));
	sample = (struct ranking_sample){ blocks, filled, 3, REPLICATES, 7 };
	ranking_places(&sample, alone, NULL, work);
	assert_memory_equal(alone, first, sizeof(first));
	count(filled, 3, 7);
	memcpy(first, places, sizeof(first));
	ranking_places(&sample, NULL, alone, work);
	assert_memory_equal(alone, first, sizeof(first));
	memcpy(first, above, sizeof(first));
	count(filled, 3, 8);
	assert_memory_not_equal(above, first, sizeof(first));
}

static void
test_view_of_the_other_bot_counts_the_same(void **state)
{
	static const double strengths[] = { 0.3, 0.0, 0.1 };
	uint32_t first[9];
	uint64_t random = 5;
	int64_t filled = tournament_fill(strengths, 3, 20, &random);

	(void)state;
	count(filled, 3, 1);
	memcpy(first, above, sizeof(first));
	for (int64_t i = 0; i < filled; i += 2) {
		struct ranking_block *block = &blocks[i];
		int16_t second = block->second;

		block->second = block->first;
		block->first = second;
		block->margin = -block->margin;
	}
	count(filled, 3, 1);
	assert_memory_equal(above, first, sizeof(first));
}

static void
test_rows_of_one_block_are_drawn_together(void **state)
{
	enum { BLOCKS = 40 };
	uint64_t random = 6;

	(void)state;
	/* Each block cancels out, the rows on their own would not. */
	for (int i = 0; i < BLOCKS; i++) {
		float margin = (float)sample_normal(&random);

		blocks[3 * i] = (struct ranking_block){ 0, 1, margin, false };
		blocks[3 * i + 1] =
		    (struct ranking_block){ 1, 0, margin, true };
		blocks[3 * i + 2] = (struct ranking_block){ 0, 2, 1.0F, true };
	}
	count((int64_t)3 * BLOCKS, 3, 1);
	assert_int_equal(above[0 * 3 + 1], REPLICATES);
	assert_int_equal(above[0 * 3 + 2], 2 * REPLICATES);
	/* Lots decide who of the two equals is the first. */
	assert_near(places[0 * 3 + 0], REPLICATES / 2.0, 60.0);
	assert_int_equal(places[1 * 3 + 0] + places[0 * 3 + 0], REPLICATES);
	assert_int_equal(places[2 * 3 + 2], REPLICATES);
	for (int i = 0; i < 3 * BLOCKS; i++)
		blocks[i].joined = false;
	count((int64_t)3 * BLOCKS, 3, 1);
	assert_int_not_equal(above[0 * 3 + 1], REPLICATES);
}

static void
test_blocks_of_several_rows_are_as_likely_as_others(void **state)
{
	int64_t filled = 0;

	(void)state;
	/* Ten blocks of one row for 0, ten of five rows that say the same. */
	for (int i = 0; i < 10; i++)
		blocks[filled++] = (struct ranking_block){ 0, 1, 5.0F, false };
	for (int i = 0; i < 50; i++)
		blocks[filled++] =
		    (struct ranking_block){ 1, 0, 1.0F, i % 5 > 0 };
	count(filled, 2, 1);
	/* Whichever is drawn more often decides: both are as likely. */
	assert_near(above[1] / (2.0 * REPLICATES), 0.5, 0.05);
}

static void
test_those_who_never_met_are_tied(void **state)
{
	(void)state;
	blocks[0] = (struct ranking_block){ 0, 2, 1.0F, false };
	count(1, 4, 1);
	assert_int_equal(above[0 * 4 + 2], 2 * REPLICATES);
	assert_int_equal(above[0 * 4 + 1], REPLICATES);
	assert_int_equal(above[3 * 4 + 1], REPLICATES);
	assert_int_equal(places[2 * 4 + 1], REPLICATES);
	assert_int_equal(places[3 * 4 + 0], REPLICATES);
	count(0, 4, 1);
	assert_int_equal(above[0 * 4 + 2], REPLICATES);
	count(0, 1, 1);
	assert_int_equal(places[0], REPLICATES);
}

static void
test_pairs_that_a_sample_misses_are_tied_in_it(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++)
		blocks[i] = (struct ranking_block){ (int16_t)(2 * i),
			(int16_t)(2 * i + 1), 1.0F, false };
	count(2, 4, 1);
	/* Three samples of four have the pair: 2 halves, else 1. */
	assert_near(above[0 * 4 + 1] / (double)REPLICATES, 1.75, 0.06);
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
		double truth = difference + error * sample_normal(random);
		double seen = truth + sigma * sample_normal(random);
		double mean = difference + share * (seen - difference);
		double chance = normal_distribution(mean / after);

		if (chance > 0.0 && chance < 1.0)
			left -= chance * log2(chance) +
			    (1.0 - chance) * log2(1.0 - chance);
	}
	return -yes * log2(yes) - (1.0 - yes) * log2(1.0 - yes) - left / PLAYS;
}

static void
test_information_is_what_a_block_tells(void **state)
{
	static const double cases[][3] = { { 0.0, 0.5, 2.0 }, { 1.0, 0.7, 2.0 },
		{ 0.0, 2.0, 1.0 }, { -3.0, 2.0, 1.0 }, { 0.5, 1.0, 1.0 } };
	uint64_t random = 7;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const double *one = cases[i];

		assert_near(ranking_information(one[0], one[1], one[2]),
		    information_by_play(one[0], one[1], one[2], &random),
		    0.002);
		assert_near(ranking_information(-one[0], one[1], one[2]),
		    ranking_information(one[0], one[1], one[2]), 1e-12);
	}
}

static void
test_information_is_greatest_where_least_is_known(void **state)
{
	(void)state;
	assert_true(ranking_information(0.0, 0.5, 2.0) >
	    ranking_information(0.5, 0.5, 2.0));
	assert_true(ranking_information(0.0, 0.6, 2.0) >
	    ranking_information(0.0, 0.5, 2.0));
	assert_true(ranking_information(0.2, 0.5, 1.0) >
	    ranking_information(0.2, 0.5, 2.0));
	/* Both sides of the change of steps agree. */
	assert_near(ranking_information(0.3, 1.0 - 1e-9, 1.0),
	    ranking_information(0.3, 1.0 + 1e-9, 1.0), 1e-8);
}

static void
test_information_stays_in_its_bounds(void **state)
{
	static const double values[] = { 0.0, 1e-300, 1e-9, 1.0, 1e9, 1e300,
		DBL_MAX };
	enum { COUNT = sizeof(values) / sizeof(values[0]) };

	(void)state;
	for (int i = 0; i < COUNT; i++)
		for (int k = 0; k < COUNT; k++)
			for (int m = 0; m < COUNT; m++) {
				double bits = ranking_information(
				    values[i], values[k], values[m]);

				assert_true(bits >= 0.0 && bits <= 1.0);
			}
	assert_near(ranking_information(0.0, DBL_MAX, 1.0), 1.0, 1e-3);
	assert_near(ranking_information(0.0, 1.0, 0.0), 1.0, 1e-3);
	assert_near(ranking_information(1.0, 0.0, 1.0), 0.0, 0.0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clear_order_is_sure),
		cmocka_unit_test(
		    test_share_of_two_is_the_chance_of_being_better),
		cmocka_unit_test(test_same_seed_gives_the_same_counts),
		cmocka_unit_test(test_view_of_the_other_bot_counts_the_same),
		cmocka_unit_test(test_rows_of_one_block_are_drawn_together),
		cmocka_unit_test(
		    test_blocks_of_several_rows_are_as_likely_as_others),
		cmocka_unit_test(test_those_who_never_met_are_tied),
		cmocka_unit_test(
		    test_pairs_that_a_sample_misses_are_tied_in_it),
		cmocka_unit_test(test_information_is_what_a_block_tells),
		cmocka_unit_test(
		    test_information_is_greatest_where_least_is_known),
		cmocka_unit_test(test_information_stays_in_its_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
