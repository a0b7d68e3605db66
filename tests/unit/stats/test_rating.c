/*
 * Ratings: by margins, by results (Elo), and skill from the order of many.
 */
#include "rating.h"

#include <stdlib.h>
#include <string.h>

#include "estimate.h"
#include "golden.h"
#include "sample.h"
#include "support.h"
#include "test.h"

enum { BOTS_MAX = 16, PAIRS_MAX = BOTS_MAX * (BOTS_MAX - 1) / 2 };

/* The fit and the ratings of the last bots. */
static struct rating_fit fit;
static const struct rating *ratings;

static struct rating_pair
pair_of(int first, int second, int64_t count, double mean, double deviation)
{
	return (struct rating_pair){
		.first = first,
		.second = second,
		.margins = moments_of(count, mean, deviation),
	};
}

/* Rates by margins, or by results (Elo). */
static void
rate_by(
    bool elo, const struct rating_pair *pairs, int pair_count, int bot_count)
{
	fit = sample_fit(bot_count);
	ratings = fit.ratings;
	for (; fit.pair_count < pair_count; fit.pair_count++)
		fit.pairs[fit.pair_count] = pairs[fit.pair_count];
	if (elo)
		rating_elo(&fit);
	else
		rating_margin(&fit);
	for (int i = 0; i < bot_count; i++) {
		assert_true(isfinite(ratings[i].value));
		assert_true(isfinite(ratings[i].error));
		assert_true(ratings[i].error >= 0.0);
		if (elo)
			assert_true(fabs(ratings[i].value) <= ESTIMATE_ELO_MAX);
		else
			assert_false(ratings[i].beyond);
	}
}

static void
rate(const struct rating_pair *pairs, int pair_count, int bot_count)
{
	rate_by(false, pairs, pair_count, bot_count);
}

static void
rate_elo(const struct rating_pair *pairs, int pair_count, int bot_count)
{
	rate_by(true, pairs, pair_count, bot_count);
}

static void
expect_groups(const int *groups, int count)
{
	for (int i = 0; i < count; i++)
		assert_int_equal(ratings[i].group, groups[i]);
}

TEST(test_ratings_are_those_of_the_vectors)
{
	struct rating_pair pairs[6];
	static struct golden golden;
	int rows = 0;

	while (golden_next(&golden, "statistics.tsv")) {
		double numbers[12], tolerance = strtod(golden.fields[4], NULL);

		if (strcmp(golden.fields[0], "MARGIN-WLS-4") != 0)
			continue;
		if (rows++ > 0) {
			assert_near(rating_difference_error(&fit, 0, 1),
			    strtod(golden.fields[3], NULL), tolerance);
			continue;
		}
		/* In the order A-B, A-C, A-D, B-C, B-D, C-D. */
		assert_int_equal(
		    golden_numbers(golden.fields[2], numbers, 12), 12);
		for (int a = 0, i = 0; a < 4; a++)
			for (int b = a + 1; b < 4; b++, i++)
				pairs[i] =
				    pair_of(a, b, (int64_t)numbers[2 * i + 1],
					numbers[2 * i], 2.5);
		rate(pairs, 6, 4);
		assert_int_equal(
		    golden_numbers(golden.fields[3], numbers, 4), 4);
		for (int i = 0; i < 4; i++)
			assert_near(ratings[i].value, numbers[i], tolerance);
	}
	assert_int_equal(rows, 2);
}

/*
 * As in a network of wires: in a chain each tie adds its resistance to the
 * difference of the ends; if all of a group are tied equally, the values are
 * those of b, divided by their number and the tie.
 */
TEST(test_networks_have_the_values_of_their_closed_forms)
{
	static const struct {
		int first, second;
		double tie;
	} wires[] = { { 2, 0, 0.5 }, { 0, 5, 0.25 }, { 5, 1, 1e6 }, { 3, 4, 3 },
		{ 3, 6, 3 }, { 4, 6, 3 } };
	static const double differences[] = { 2, 4, 1e-6 };
	static struct laplacian network;
	double ties[7 * 7] = { 0 };
	double values[] = { 0, -1, 1, 18, -9, 0, -9 };

	for (size_t i = 0; i < COUNTOF(wires); i++) {
		ties[wires[i].first * 7 + wires[i].second] = wires[i].tie;
		ties[wires[i].second * 7 + wires[i].first] = wires[i].tie;
	}
	laplacian_init(&network, ties, 7);
	laplacian_solve(&network, values);
	for (size_t i = 0; i < COUNTOF(differences); i++)
		assert_near(values[wires[i].first] - values[wires[i].second],
		    differences[i], 1e-14);
	assert_near(values[2] + values[0] + values[5] + values[1], 0, 1e-14);
	assert_near(values[3], 2, 1e-14);
	assert_near(values[4], -1, 1e-14);
	assert_near(values[6], -1, 1e-14);
}

TEST(test_groups_that_never_met_are_rated_separately)
{
	const struct rating_pair pairs[] = {
		pair_of(0, 2, 100, 1.0, 2.0), pair_of(1, 3, 100, 3.0, 2.0),
		pair_of(1, 0, 0, 5.0, 2.0), /* no blocks */
	};

	rate(pairs, 3, 5);
	expect_groups((int[]){ 0, 1, 0, 1, 2 }, 5);
	assert_near(ratings[0].value, 0.5, 1e-12);
	assert_near(ratings[1].value, 1.5, 1e-12);
	assert_near(ratings[4].value, 0.0, 0.0);
	assert_true(rating_difference_error(&fit, 0, 1) == HUGE_VAL);
	assert_true(rating_difference_error(&fit, 4, 1) == HUGE_VAL);
	assert_near(rating_difference_error(&fit, 0, 2), 0.2, 1e-12);
}

TEST(test_pair_without_variance_gets_the_variance_of_the_others)
{
	const struct rating_pair pairs[] = {
		pair_of(0, 1, 100, 1.0, 3.0),
		pair_of(1, 2, 1, 0.5, 0.0),
		pair_of(2, 3, 100, 0.0, 0.0),
	};
	/* 99 degrees of freedom with variance 9, and 99 with 0. */
	double pooled = 99 * 9.0 / 198;

	rate(pairs, 3, 4);
	assert_near(rating_difference_error(&fit, 1, 2), sqrt(pooled), 1e-9);
	assert_near(
	    rating_difference_error(&fit, 2, 3), sqrt(pooled / 100), 1e-9);
}

TEST(test_two_equal_blocks_do_not_outweigh_hundreds)
{
	const struct rating_pair pairs[] = {
		pair_of(0, 1, 300, 1.0, 3.0),
		pair_of(1, 2, 300, 1.0, 3.0),
		pair_of(2, 0, 2, 4.0, 1e-6),
	};

	rate(pairs, 3, 3);
	/* With their own tiny variance, they would decide that 0 is weaker than
	 * 2. */
	assert_near(ratings[0].value - ratings[2].value, 2.0, 0.1);
	assert_near(rating_variance(&pairs[2].margins, 9.0),
	    RATING_PRIOR_BLOCKS * 9.0 / (RATING_PRIOR_BLOCKS + 1), 1e-6);
	assert_near(rating_variance(&pairs[0].margins, 9.0), 9.0, 1e-9);
}

TEST(test_errors_are_correct_if_partners_change)
{
	enum { TOURNAMENTS = 2000, BOTS = 4, BLOCKS = 90 };
	static const double strengths[BOTS] = { 0.4, 0.1, -0.1, -0.4 };
	double squares = 0.0, mean = 0.0;
	uint64_t random = 14;

	for (int i = 0; i < TOURNAMENTS; i++) {
		struct rating_pair pairs[6];
		double off;

		for (int a = 0, k = 0; a < BOTS; a++)
			for (int b = 0; b < a; b++, k++)
				pairs[k] = (struct rating_pair){ .first = a,
					.second = b,
					.block_bots = BOTS };
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
		rate(pairs, 6, BOTS);
		mean += ratings[0].value;
		off = (ratings[0].value - strengths[0]) / ratings[0].error;
		squares += off * off;
	}
	assert_near(mean / TOURNAMENTS, strengths[0], 0.02);
	assert_near(squares / TOURNAMENTS, 1.0, 0.15);
}

static struct rating_pair
games_of(int first, int second, int64_t wins, int64_t draws, int64_t losses)
{
	return (struct rating_pair){
		.first = first,
		.second = second,
		.results = { .wins = wins, .draws = draws, .losses = losses },
	};
}

/* The score of a bot less its expected score. */
static double
excess_score_of(const struct rating_pair *pairs, int pair_count, int bot)
{
	double sum = 0.0;

	for (int i = 0; i < pair_count; i++) {
		const struct rating_pair *pair = &pairs[i];
		double games = (double)(pair->results.wins +
		    pair->results.draws + pair->results.losses);
		double points = (double)pair->results.wins +
		    (double)pair->results.draws / 2.0;
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
		struct rating_pair pairs[PAIRS_MAX];
		int bots = 2 + support_random_below(&random, BOTS_MAX - 1);
		int count = 0;
		double sum = 0.0;

		for (int a = 0; a < bots; a++)
			for (int b = 0; b < a; b++)
				pairs[count++] = games_of(a, b,
				    support_random_below(&random, 50),
				    1 + support_random_below(&random, 9),
				    support_random_below(&random, 9999));
		rate_elo(pairs, count, bots);
		for (int i = 0; i < bots; i++) {
			sum += ratings[i].value;
			assert_false(ratings[i].beyond);
			assert_near(
			    excess_score_of(pairs, count, i), 0.0, 1e-7);
		}
		assert_near(sum, 0.0, 1e-7);
	}
}

/*
 * Reads rows such as `"Asso|Basto|1-0": 26`.  Draws make the variance of scores
 * smaller.
 */
static void
results_read(const char *text, const char *const *names, int count,
    struct rating_pair *pairs)
{
	struct rating_pair *begin = pairs;
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
			pairs->results.wins = games;
		else if (strcmp(result, "0-1") == 0)
			pairs->results.losses = games;
		else
			pairs->results.draws = games;
		all += games;
		draws += (double)pairs->results.draws;
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
	static struct golden golden;
	int rows = 0;

	while (golden_next(&golden, "statistics.tsv")) {
		struct rating_pair pairs[ROWS] = { 0 };
		double numbers[3];
		int bot = 0;

		if (strcmp(golden.fields[0], "BAYESELO-rr4") != 0 ||
		    strncmp(golden.fields[1], "rating ", 7) != 0)
			continue;
		while (strcmp(names[bot], golden.fields[1] + 7) != 0)
			assert_true(++bot < BOTS);
		results_read(strchr(golden.fields[2], '{'), names, BOTS, pairs);
		rate_elo(pairs, ROWS, BOTS);
		assert_int_equal(
		    golden_numbers(golden.fields[3], numbers, 3), 3);
		/*
		 * BayesElo has a parameter for the advantage of the first move
		 * in chess, and a prior: it is another model, with slightly
		 * different numbers.
		 */
		assert_near(ratings[bot].value, numbers[0], 2.0);
		assert_near(1.96 * ratings[bot].error, numbers[1], 1.5);
		rows++;
	}
	assert_int_equal(rows, BOTS);
}

TEST(test_blocks_that_vary_less_make_errors_smaller)
{
	struct rating_pair pairs[] = {
		games_of(0, 1, 70, 10, 20),
		games_of(1, 2, 60, 0, 40),
	};
	struct rating plain[3];
	double before;

	rate_elo(pairs, 2, 3);
	memcpy(plain, ratings, sizeof(plain));
	before = rating_difference_error(&fit, 0, 1);
	/* A quarter of p (1 - p). */
	pairs[0].variance = 0.75 * 0.25 / 4.0;
	rate_elo(pairs, 2, 3);
	assert_near(rating_difference_error(&fit, 0, 1), before / 2.0, 1e-9);
	/* The error of the other pair and all values do not change. */
	assert_near(rating_difference_error(&fit, 1, 2),
	    400 / log(10.0) / sqrt(100 * 0.6 * 0.4), 1e-9);
	for (int i = 0; i < 3; i++)
		assert_near(ratings[i].value, plain[i].value, 1e-12);
	assert_true(ratings[0].error < plain[0].error);
	/* If four bots met in a block, each pair of them has half of the
	 * information. */
	pairs[0].block_bots = 4;
	rate_elo(pairs, 2, 3);
	assert_near(
	    rating_difference_error(&fit, 0, 1), before / sqrt(2.0), 1e-9);
}

TEST(test_winner_of_all_games_is_beyond_the_others)
{
	const struct rating_pair pairs[] = {
		games_of(0, 1, 10, 0, 0),
		games_of(0, 2, 10, 0, 0),
		games_of(1, 2, 6, 1, 3),
	};

	rate_elo(pairs, 3, 3);
	assert_true(ratings[0].beyond);
	assert_false(ratings[1].beyond);
	assert_false(ratings[2].beyond);
	/* 20 : 0 and a draw against two bots with 6.5 : 3.5 between them. */
	assert_near(score_of_elo(ratings[0].value - ratings[1].value) * 10.5 +
		score_of_elo(ratings[0].value - ratings[2].value) * 10.5,
	    20.5, 1e-9);
	assert_true(ratings[1].value > ratings[2].value);
}

TEST(test_bots_without_limits_are_above_or_below_the_largest_class)
{
	/* 0 and 1 share points.  2 loses to both, and all others to 2. */
	const struct rating_pair pairs[] = {
		games_of(0, 1, 6, 0, 6),
		games_of(0, 2, 10, 0, 0),
		games_of(1, 2, 10, 0, 0),
		games_of(2, 3, 1000000, 0, 0),
		games_of(2, 4, 1000000, 0, 0),
		games_of(2, 5, 1000000, 0, 0),
		games_of(6, 0, 10, 0, 0),
	};
	const int beyond[] = { 0, 0, -1, -1, -1, -1, 1 };

	rate_elo(pairs, 7, 7);
	/* Bot 2 is above the mean of all bots; this does not limit its
	 * rating. */
	assert_true(ratings[2].value > 0);
	for (int i = 0; i < 7; i++) {
		assert_int_equal(ratings[i].beyond, beyond[i]);
		assert_int_equal(ratings[i].class, i < 2 ? 0 : i);
	}
}

TEST(test_winner_and_loser_of_all_games_are_both_beyond)
{
	struct rating_pair pair = games_of(0, 1, 1, 0, 0);
	double last = 0.0;

	for (; pair.results.wins < INT64_MAX / 20; pair.results.wins *= 10) {
		rate_elo(&pair, 1, 2);
		assert_int_equal(ratings[0].beyond, 1);
		assert_int_equal(ratings[1].beyond, -1);
		assert_near(ratings[0].value + ratings[1].value, 0.0, 1e-9);
		assert_near(ratings[0].value * log(10.0) / 200.0,
		    log(2.0 * (double)pair.results.wins + 1.0), 1e-9);
		assert_true(ratings[0].value > last);
		last = ratings[0].value;
	}
}

TEST(test_bots_in_a_strict_order_are_limited_by_the_scale)
{
	struct rating_pair pairs[SAMPLE_BOTS_MAX];

	for (int i = 0; i + 1 < SAMPLE_BOTS_MAX; i++)
		pairs[i] = games_of(i, i + 1, INT64_C(1000000000000), 0, 0);
	rate_elo(pairs, SAMPLE_BOTS_MAX - 1, SAMPLE_BOTS_MAX);
	for (int i = 0; i + 1 < SAMPLE_BOTS_MAX; i++) {
		assert_true(ratings[i].value >= ratings[i + 1].value);
		assert_true(ratings[i].beyond);
		assert_int_equal(ratings[i].class, i);
	}
	/* Each step is 4,920, so the first and the last bot are beyond the
	 * scale. */
	assert_near(ratings[0].value, ESTIMATE_ELO_MAX, 0.0);
	assert_near(ratings[SAMPLE_BOTS_MAX - 1].value, -ESTIMATE_ELO_MAX, 0.0);
	/* If the last bot beats the first one, all are in one class. */
	pairs[SAMPLE_BOTS_MAX - 1] = games_of(SAMPLE_BOTS_MAX - 1, 0, 1, 0, 0);
	rate_elo(pairs, SAMPLE_BOTS_MAX, SAMPLE_BOTS_MAX);
	for (int i = 0; i + 1 < SAMPLE_BOTS_MAX; i++) {
		assert_true(ratings[i].value >= ratings[i + 1].value);
		assert_int_equal(ratings[i].class, 0);
	}
	assert_near(ratings[SAMPLE_BOTS_MAX / 2 - 1].value -
		ratings[SAMPLE_BOTS_MAX / 2].value,
	    sample_elo(1.0 - 1e-12), 1.0);
}

/* Results and margins of all sizes, in both ratings. */
TEST(test_extremes_stay_finite)
{
	static const int64_t counts[] = { 0, 0, 0, 1, 2, 1000, 1000000000,
		INT64_MAX / 100 };
	static const int64_t blocks[] = { 0, 1, 2, 1000000, INT64_MAX / 4 };
	static const double deviations[] = { 0.0, 1e-200, 1.0, 1e9 };
	uint64_t random = 6;

	for (int round = 0; round < 2000; round++) {
		struct rating_pair pairs[PAIRS_MAX];
		int bots = 1 + support_random_below(&random, BOTS_MAX);
		int count = 0;

		for (int a = 0; a < bots; a++)
			for (int b = 0; b < a; b++, count++) {
				int64_t games[3];

				for (int i = 0; i < COUNTOF(games); i++)
					games[i] = counts[support_random_below(
					    &random, 8)];
				pairs[count] = games_of(
				    a, b, games[0], games[1], games[2]);
				pairs[count].margins = moments_of(
				    blocks[support_random_below(&random, 5)],
				    support_random_below(&random, 101) - 50,
				    deviations[support_random_below(
					&random, 4)]);
				pairs[count].variance =
				    sample_uniform(&random) / 4.0;
				pairs[count].block_bots =
				    support_random_below(&random, 7);
			}
		for (int elo = 0; elo < 2; elo++) {
			rate_by(elo != 0, pairs, count, bots);
			for (int a = 0; a < bots; a++)
				assert_true(
				    rating_difference_error(&fit, 0, a) >= 0.0);
		}
	}
}

/* A game: players, the team of each player, and the place of each team. */
struct game {
	struct skill skills[12];
	struct skill *players[12];
	int teams[12];
	int player_count;
	int ranks[SKILL_TEAMS_MAX];
	int team_count;
};

static void
player_add(struct game *game, struct skill skill)
{
	int i = game->player_count++;

	assert_true(i < 12);
	game->skills[i] = skill;
	game->players[i] = &game->skills[i];
	game->teams[i] = game->team_count - 1;
}

static void
game_update(struct game *game)
{
	skill_update(game->players, game->teams, game->player_count,
	    game->ranks, game->team_count);
}

/*
 * `{"teams": [[[mu, sigma], ...], ...], "ranks": [1, 2, ...]}`; rows without
 * these are two teams of two newcomers.
 */
static void
game_read(const char *text, struct game *game)
{
	const char *at = strchr(text, '['), *ranks = strstr(text, "\"ranks\"");
	double numbers[SKILL_TEAMS_MAX] = { 0, 1 };
	int depth = 0;

	*game = (struct game){ .player_count = 0 };
	for (; ranks != NULL && at < ranks; at++) {
		struct skill skill;

		depth += (*at == '[') - (*at == ']');
		if (*at == '[' && depth == 2)
			game->team_count++;
		if (*at != '[' || depth != 3)
			continue;
		assert_int_equal(
		    sscanf(at, "[%lf, %lf]", &skill.mu, &skill.sigma), 2);
		player_add(game, skill);
	}
	if (ranks != NULL)
		assert_int_equal(golden_numbers(ranks + strlen("\"ranks\""),
				     numbers, SKILL_TEAMS_MAX),
		    game->team_count);
	while (ranks == NULL && game->team_count < 2) {
		game->team_count++;
		player_add(game, SKILL_START);
		player_add(game, SKILL_START);
	}
	for (int i = 0; i < game->team_count; i++)
		game->ranks[i] = (int)numbers[i];
}

TEST(test_skills_are_those_of_the_vectors_of_openskill)
{
	static const char prefix[] = "OSK-PlackettLuce-";
	static struct golden golden;
	int rows = 0;

	while (golden_next(&golden, "statistics.tsv")) {
		double numbers[24];
		double tolerance = strtod(golden.fields[4], NULL);
		struct game game;

		if (strncmp(golden.fields[0], prefix, strlen(prefix)) != 0)
			continue;
		game_read(golden.fields[2], &game);
		game_update(&game);
		assert_int_equal(golden_numbers(golden.fields[3], numbers, 24),
		    2 * game.player_count);
		for (int i = 0; i < game.player_count; i++) {
			assert_near(
			    game.skills[i].mu, numbers[2 * i], tolerance);
			assert_near(game.skills[i].sigma, numbers[2 * i + 1],
			    tolerance);
		}
		rows++;
	}
	assert_int_equal(rows, 11);
}
