/*
 * Elo of many bots: expected scores equal the scores, and where no finite Elo
 * does that, the result is finite all the same and says so.
 */
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "estimate.h"
#include "rating.h"
#include "sample.h"
#include "support.h"
#include "test.h"

enum { BOTS_MAX = 16, PAIRS_MAX = BOTS_MAX * (BOTS_MAX - 1) / 2 };
enum { WORK_SIZE = 4 * BOTS_MAX * BOTS_MAX };

static double work[WORK_SIZE];

static void
rate(const struct rating_games *pairs, int pair_count, int bot_count,
    struct rating *ratings)
{
	assert_true(rating_elo_work_size(bot_count) <= WORK_SIZE);
	rating_elo(pairs, pair_count, bot_count, ratings, work);
	for (int i = 0; i < bot_count; i++) {
		assert_true(fabs(ratings[i].value) <= ESTIMATE_ELO_MAX);
		assert_true(isfinite(ratings[i].error));
		assert_true(ratings[i].error >= 0.0);
	}
}

/* By how much the expected score of a bot differs from its score. */
static double
surprise_of(const struct rating_games *pairs, int pair_count,
    const struct rating *ratings, int bot)
{
	double sum = 0.0;

	for (int i = 0; i < pair_count; i++) {
		const struct rating_games *pair = &pairs[i];
		double games =
		    (double)(pair->wins + pair->draws + pair->losses);
		double points = (double)pair->wins + (double)pair->draws / 2.0;
		double more = points -
		    games *
			score_of_elo(ratings[pair->first].value -
			    ratings[pair->second].value);

		if (pair->first == bot)
			sum += more;
		else if (pair->second == bot)
			sum -= more;
	}
	return sum;
}

TEST(test_expected_scores_equal_the_scores)
{
	uint64_t random = 1;

	for (int round = 0; round < 100; round++) {
		struct rating_games pairs[PAIRS_MAX];
		struct rating ratings[BOTS_MAX];
		int bots = 2 + support_random_below(&random, BOTS_MAX - 1);
		int count = 0;
		double sum = 0.0;

		for (int a = 0; a < bots; a++)
			for (int b = 0; b < a; b++)
				pairs[count++] = (struct rating_games){
					.first = a,
					.second = b,
					.wins =
					    support_random_below(&random, 50),
					.draws = 1 +
					    support_random_below(&random, 9),
					.losses =
					    support_random_below(&random, 9999),
				};
		rate(pairs, count, bots, ratings);
		for (int i = 0; i < bots; i++) {
			sum += ratings[i].value;
			assert_false(ratings[i].beyond);
			assert_near(
			    surprise_of(pairs, count, ratings, i), 0.0, 1e-7);
		}
		assert_near(sum, 0.0, 1e-7);
	}
}

/*
 * Reads rows such as `"Asso|Basto|1-0": 26`.  Draws make scores vary less.
 */
static void
results_read(const char *text, const char *const *names, int count,
    struct rating_games *pairs)
{
	struct rating_games *begin = pairs;
	double all = 0.0, draws = 0.0;

	while ((text = strchr(text, '"')) != NULL) {
		char first[16], second[16], result[16];
		int used = 0, games, a = 0, b = 0;

		assert_int_equal(
		    sscanf(text, "\"%15[^|]|%15[^|]|%15[^\"]\": %d%n", first,
			second, result, &games, &used),
		    4);
		while (a < count && strcmp(names[a], first) != 0)
			a++;
		while (b < count && strcmp(names[b], second) != 0)
			b++;
		assert_true(a < count && b < count);
		pairs->first = a;
		pairs->second = b;
		if (strcmp(result, "1-0") == 0)
			pairs->wins = games;
		else if (strcmp(result, "0-1") == 0)
			pairs->losses = games;
		else
			pairs->draws = games;
		all += games;
		draws += (double)pairs->draws;
		pairs++;
		text += used;
	}
	while (begin < pairs)
		begin++->variance = (1.0 - draws / all) / 4.0;
}

TEST(test_ratings_agree_with_those_of_bayeselo)
{
	enum { BOTS = 4, ROWS = 36 };
	static const char *const names[BOTS] = { "Denari", "Asso", "Coppa",
		"Basto" };
	struct csv csv;
	int rows = 0;

	csv_open(&csv, "statistics.csv");
	while (csv_next(&csv)) {
		struct rating_games pairs[ROWS] = { 0 };
		struct rating ratings[BOTS];
		double numbers[3];
		int bot = 0;

		if (strcmp(csv.fields[0], "BAYESELO-rr4") != 0 ||
		    strncmp(csv.fields[1], "rating ", 7) != 0)
			continue;
		while (strcmp(names[bot], csv.fields[1] + 7) != 0)
			assert_true(++bot < BOTS);
		results_read(strchr(csv.fields[2], '{'), names, BOTS, pairs);
		rate(pairs, ROWS, BOTS, ratings);
		assert_int_equal(csv_numbers(csv.fields[3], numbers, 3), 3);
		/*
		 * BayesElo takes the first move of chess for an advantage and
		 * has a prior: its numbers are another model's, a bit apart.
		 */
		assert_near(ratings[bot].value, numbers[0], 2.0);
		assert_near(1.96 * ratings[bot].error, numbers[1], 1.5);
		rows++;
	}
	csv_close(&csv);
	assert_int_equal(rows, BOTS);
}

TEST(test_two_bots_are_as_far_apart_as_their_score_says)
{
	const struct rating_games pair = { 0, 1, 70, 10, 20, 0.0, 0 };
	struct rating ratings[2];
	double score = 0.75,
	       error = 400 / log(10.0) / sqrt(100 * score * (1 - score));

	rate(&pair, 1, 2, ratings);
	assert_near(
	    ratings[0].value - ratings[1].value, sample_elo(score), 1e-9);
	assert_near(rating_difference_error(0, 1, 2, work), error, 1e-9);
	assert_near(ratings[0].error, error / 2.0, 1e-9);
	assert_int_equal(ratings[1].group, 0);
}

TEST(test_blocks_that_vary_less_make_errors_smaller)
{
	struct rating_games pairs[] = {
		{ 0, 1, 70, 10, 20, 0.0, 0 },
		{ 1, 2, 60, 0, 40, 0.0, 0 },
	};
	struct rating plain[3], sharp[3];
	double before;

	rate(pairs, 2, 3, plain);
	before = rating_difference_error(0, 1, 3, work);
	/* A quarter of p (1 - p). */
	pairs[0].variance = 0.75 * 0.25 / 4.0;
	rate(pairs, 2, 3, sharp);
	assert_near(rating_difference_error(0, 1, 3, work), before / 2.0, 1e-9);
	/* The other pair is what it was, and so are all values. */
	assert_near(rating_difference_error(1, 2, 3, work),
	    400 / log(10.0) / sqrt(100 * 0.6 * 0.4), 1e-9);
	for (int i = 0; i < 3; i++)
		assert_near(sharp[i].value, plain[i].value, 1e-12);
	assert_true(sharp[0].error < plain[0].error);
	/* Four that met tell of each two half as much. */
	pairs[0].joint = 4;
	rate(pairs, 2, 3, sharp);
	assert_near(
	    rating_difference_error(0, 1, 3, work), before / sqrt(2.0), 1e-9);
}

TEST(test_all_draws_rate_all_the_same)
{
	const struct rating_games pairs[] = {
		{ 0, 1, 0, 10, 0, 0.0, 0 },
		{ 1, 2, 0, 1, 0, 0.0, 0 },
		{ 2, 3, 0, 1000, 0, 0.0, 0 },
	};
	struct rating ratings[4];

	rate(pairs, 3, 4, ratings);
	for (int i = 0; i < 4; i++) {
		assert_near(ratings[i].value, 0.0, 1e-12);
		assert_true(ratings[i].error > 0.0);
		assert_false(ratings[i].beyond);
	}
}

TEST(test_cycle_rates_all_the_same)
{
	/* Nobody loses twice: without a point for the loser, and yet finite. */
	const struct rating_games pairs[] = {
		{ 0, 1, 5, 0, 0, 0.0, 0 },
		{ 1, 2, 5, 0, 0, 0.0, 0 },
		{ 2, 0, 5, 0, 0, 0.0, 0 },
	};
	struct rating ratings[3];

	rate(pairs, 3, 3, ratings);
	for (int i = 0; i < 3; i++) {
		assert_near(ratings[i].value, 0.0, 1e-9);
		assert_false(ratings[i].beyond);
	}
}

TEST(test_bots_that_never_met_are_groups)
{
	const struct rating_games pairs[] = {
		{ 3, 1, 6, 0, 4, 0.0, 0 },
		{ 0, 2, 0, 0, 0, 0.0, 0 },
	};
	struct rating ratings[4];

	rate(pairs, 2, 4, ratings);
	assert_int_equal(ratings[0].group, 0);
	assert_int_equal(ratings[1].group, 1);
	assert_int_equal(ratings[2].group, 2);
	assert_int_equal(ratings[3].group, 1);
	assert_near(ratings[0].value, 0.0, 0.0);
	assert_near(ratings[0].error, 0.0, 0.0);
	assert_near(ratings[3].value, sample_elo(0.6) / 2.0, 1e-9);
	assert_false(ratings[0].beyond);
	rate(NULL, 0, 1, ratings);
	assert_near(ratings[0].value, 0.0, 0.0);
}

TEST(test_winner_of_all_games_is_beyond_the_others)
{
	const struct rating_games pairs[] = {
		{ 0, 1, 10, 0, 0, 0.0, 0 },
		{ 0, 2, 10, 0, 0, 0.0, 0 },
		{ 1, 2, 6, 1, 3, 0.0, 0 },
	};
	struct rating ratings[3];

	rate(pairs, 3, 3, ratings);
	assert_true(ratings[0].beyond);
	assert_false(ratings[1].beyond);
	assert_false(ratings[2].beyond);
	/* 20 : 0 and a draw against two that are 6.5 : 3.5 apart. */
	assert_near(score_of_elo(ratings[0].value - ratings[1].value) * 10.5 +
		score_of_elo(ratings[0].value - ratings[2].value) * 10.5,
	    20.5, 1e-9);
	assert_true(ratings[1].value > ratings[2].value);
}

TEST(test_of_two_of_which_one_wins_both_are_beyond)
{
	struct rating_games pair = { 0, 1, 1, 0, 0, 0.0, 0 };
	struct rating ratings[2];
	double last = 0.0;

	for (; pair.wins < INT64_MAX / 20; pair.wins *= 10) {
		rate(&pair, 1, 2, ratings);
		assert_true(ratings[0].beyond && ratings[1].beyond);
		assert_near(ratings[0].value + ratings[1].value, 0.0, 1e-9);
		assert_near(ratings[0].value * log(10.0) / 200.0,
		    log(2.0 * (double)pair.wins + 1.0), 1e-9);
		assert_true(ratings[0].value > last);
		last = ratings[0].value;
	}
}

TEST(test_ladder_of_bots_that_never_lose_downwards_ends)
{
	struct rating_games pairs[BOTS_MAX];
	struct rating ratings[BOTS_MAX];

	for (int i = 0; i + 1 < BOTS_MAX; i++)
		pairs[i] = (struct rating_games){
			.first = i,
			.second = i + 1,
			.wins = INT64_C(1000000000000),
		};
	rate(pairs, BOTS_MAX - 1, BOTS_MAX, ratings);
	for (int i = 0; i + 1 < BOTS_MAX; i++) {
		assert_true(ratings[i].value >= ratings[i + 1].value);
		assert_true(ratings[i].beyond);
	}
	/* Each step is 4,920: the ends lie beyond the scale. */
	assert_near(ratings[0].value, ESTIMATE_ELO_MAX, 0.0);
	assert_near(ratings[BOTS_MAX - 1].value, -ESTIMATE_ELO_MAX, 0.0);
	/* With a way back for the last all are of one class. */
	pairs[BOTS_MAX - 1] = (struct rating_games){
		.first = BOTS_MAX - 1,
		.second = 0,
		.wins = 1,
	};
	rate(pairs, BOTS_MAX, BOTS_MAX, ratings);
	for (int i = 0; i + 1 < BOTS_MAX; i++)
		assert_true(ratings[i].value >= ratings[i + 1].value);
	assert_near(
	    ratings[7].value - ratings[8].value, sample_elo(1.0 - 1e-12), 1.0);
}

TEST(test_lopsided_results_stay_finite_and_in_order)
{
	static const int64_t counts[] = { 0, 0, 0, 1, 2, 1000, 1000000000,
		INT64_MAX / 100 };
	uint64_t random = 6;

	for (int round = 0; round < 1000; round++) {
		struct rating_games pairs[PAIRS_MAX];
		struct rating ratings[BOTS_MAX];
		int bots = 1 + support_random_below(&random, BOTS_MAX);
		int count = 0;

		for (int a = 0; a < bots; a++)
			for (int b = 0; b < a; b++)
				pairs[count++] = (struct rating_games){
					a,
					b,
					counts[support_random_below(
					    &random, 8)],
					counts[support_random_below(
					    &random, 8)],
					counts[support_random_below(
					    &random, 8)],
					sample_uniform(&random) / 4.0,
					support_random_below(&random, 7),
				};
		rate(pairs, count, bots, ratings);
		for (int a = 0; a < bots; a++)
			assert_true(
			    rating_difference_error(0, a, bots, work) >= 0.0);
	}
}

/* A round robin of these strengths, in natural units. */
static void
tournament_fill(const double *strengths, int bot_count, int games,
    uint64_t *random, struct rating_games *pairs)
{
	for (int a = 0; a < bot_count; a++)
		for (int b = 0; b < a; b++) {
			double win =
			    1.0 / (1.0 + exp(strengths[b] - strengths[a]));

			*pairs =
			    (struct rating_games){ .first = a, .second = b };
			for (int i = 0; i < games; i++)
				if (sample_uniform(random) < win)
					pairs->wins++;
				else
					pairs->losses++;
			pairs++;
		}
}

TEST(test_errors_are_those_of_repeated_tournaments)
{
	enum { TOURNAMENTS = 2000, BOTS = 5, GAMES = 100 };
	static const double strengths[BOTS] = { 0.9, 0.2, 0.0, -0.1, -1.0 };
	double squares = 0.0, mean = 0.0, surprises = 0.0;
	uint64_t random = 7;

	for (int i = 0; i < TOURNAMENTS; i++) {
		struct rating_games pairs[BOTS * (BOTS - 1) / 2];
		struct rating ratings[BOTS];
		double truth = 0.9 * 400.0 / log(10.0), off, error;

		tournament_fill(strengths, BOTS, GAMES, &random, pairs);
		rate(pairs, BOTS * (BOTS - 1) / 2, BOTS, ratings);
		mean += ratings[0].value / truth;
		off = (ratings[0].value - truth) / ratings[0].error;
		squares += off * off;
		error = rating_difference_error(1, 4, BOTS, work);
		off = ratings[1].value - ratings[4].value -
		    1.2 * 400.0 / log(10.0);
		surprises += off * off / (error * error);
	}
	assert_near(mean / TOURNAMENTS, 1.0, 0.02);
	assert_near(squares / TOURNAMENTS, 1.0, 0.12);
	assert_near(surprises / TOURNAMENTS, 1.0, 0.12);
}

TEST(test_numbers_of_bots_do_not_matter)
{
	enum { BOTS = 6, PAIRS = BOTS * (BOTS - 1) / 2 };
	static const int other[BOTS] = { 3, 5, 0, 4, 1, 2 };
	static const double strengths[BOTS] = { 9.0, 0.4, -2.0, 0.2, 0.8, 0.5 };
	struct rating_games pairs[PAIRS];
	struct rating ratings[BOTS], relabelled[BOTS];
	uint64_t random = 8;

	tournament_fill(strengths, BOTS, 10, &random, pairs);
	rate(pairs, PAIRS, BOTS, ratings);
	for (int i = 0; i < PAIRS; i++) {
		struct rating_games pair = pairs[i];

		pairs[i] = (struct rating_games){
			.first = other[pair.second],
			.second = other[pair.first],
			.wins = pair.losses,
			.losses = pair.wins,
		};
	}
	rate(pairs, PAIRS, BOTS, relabelled);
	assert_true(ratings[0].beyond);
	for (int i = 0; i < BOTS; i++) {
		assert_near(relabelled[other[i]].value, ratings[i].value, 1e-8);
		assert_near(relabelled[other[i]].error, ratings[i].error, 1e-8);
		assert_int_equal(
		    relabelled[other[i]].beyond, ratings[i].beyond);
	}
}
