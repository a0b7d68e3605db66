/*
 * Plackett-Luce: what one game says of all who played it.
 */
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "rating.h"
#include "sample.h"
#include "support.h"
#include "test.h"

enum { PLAYERS_MAX = 12 };

/* A game as openskill takes it. */
struct game {
	struct skill skills[PLAYERS_MAX];
	struct skill *players[PLAYERS_MAX];
	int teams[PLAYERS_MAX];
	int player_count;
	int ranks[SKILL_TEAMS_MAX];
	int team_count;
};

static void
player_add(struct game *game, struct skill skill)
{
	assert_true(game->player_count < PLAYERS_MAX);
	game->skills[game->player_count] = skill;
	game->players[game->player_count] = &game->skills[game->player_count];
	game->teams[game->player_count] = game->team_count - 1;
	game->player_count++;
}

/* `{"teams": [[[mu, sigma], ...], ...], "ranks": [1, 2, ...]}` */
static void
game_read(const char *text, struct game *game)
{
	const char *at = strchr(text, '['), *ranks = strstr(text, "\"ranks\"");
	double numbers[SKILL_TEAMS_MAX];
	int depth = 0;

	*game = (struct game){ .player_count = 0 };
	assert_non_null(at);
	assert_non_null(ranks);
	for (; at < ranks; at++) {
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
	assert_int_equal(
	    csv_numbers(ranks + strlen("\"ranks\""), numbers, SKILL_TEAMS_MAX),
	    game->team_count);
	for (int i = 0; i < game->team_count; i++)
		game->ranks[i] = (int)numbers[i];
}

/* Two teams of two newcomers; these rows say no more than the points. */
static void
game_of_points(struct game *game)
{
	*game = (struct game){ .player_count = 0 };
	for (int team = 0; team < 2; team++) {
		game->team_count++;
		game->ranks[team] = team;
		player_add(game, SKILL_START);
		player_add(game, SKILL_START);
	}
}

TEST(test_vectors_of_openskill_are_met)
{
	static const char prefix[] = "OSK-PlackettLuce-";
	struct csv csv;
	int rows = 0;

	csv_open(&csv, "statistics.csv");
	while (csv_next(&csv)) {
		double numbers[2 * PLAYERS_MAX];
		double tolerance = strtod(csv.fields[4], NULL);
		struct game game;

		if (strncmp(csv.fields[0], prefix, strlen(prefix)) != 0)
			continue;
		if (strstr(csv.fields[2], "teams") != NULL)
			game_read(csv.fields[2], &game);
		else
			game_of_points(&game);
		skill_update(game.players, game.teams, game.player_count,
		    game.ranks, game.team_count);
		assert_int_equal(
		    csv_numbers(csv.fields[3], numbers, 2 * PLAYERS_MAX),
		    2 * game.player_count);
		for (int i = 0; i < game.player_count; i++) {
			const double *expected =
			    numbers + (size_t)2 * (size_t)i;

			assert_near(game.skills[i].mu, expected[0], tolerance);
			assert_near(
			    game.skills[i].sigma, expected[1], tolerance);
		}
		rows++;
	}
	csv_close(&csv);
	assert_int_equal(rows, 11);
}

/* A game in which each plays for itself. */
static void
update(struct skill *const *players, const int *ranks, int count)
{
	static const int teams[SKILL_TEAMS_MAX] = { 0, 1, 2, 3, 4, 5 };

	skill_update(players, teams, count, ranks, count);
}

TEST(test_players_may_stand_in_any_order)
{
	struct skill one[3] = { SKILL_START, { 30, 2 }, { 20, 4 } };
	struct skill two[3] = { SKILL_START, { 30, 2 }, { 20, 4 } };
	struct skill *const ones[] = { &one[0], &one[1], &one[2] };
	struct skill *const twos[] = { &two[2], &two[0], &two[1] };
	static const int ranks[] = { 1, 1, 0 }, teams[] = { 2, 0, 1 };

	update(ones, ranks, 3);
	skill_update(twos, teams, 3, ranks, 3);
	for (int i = 0; i < 3; i++) {
		assert_near(one[i].mu, two[i].mu, 1e-12);
		assert_near(one[i].sigma, two[i].sigma, 1e-12);
	}
	assert_true(one[2].mu > 20.0);
}

TEST(test_ranks_are_compared_and_nothing_else)
{
	struct skill one[2] = { SKILL_START, SKILL_START };
	struct skill two[2] = { SKILL_START, SKILL_START };
	struct skill *const ones[] = { &one[0], &one[1] };
	struct skill *const twos[] = { &two[0], &two[1] };
	static const int near[] = { 0, 1 }, far[] = { -70, 5000 };

	update(ones, near, 2);
	update(twos, far, 2);
	assert_near(one[0].mu, two[0].mu, 0.0);
	assert_near(one[1].sigma, two[1].sigma, 0.0);
}

/* Ranks of a game in which each plays as well as its strength and luck. */
static void
game_play(const double *strengths, int count, uint64_t *random, int *ranks)
{
	double results[SKILL_TEAMS_MAX];

	for (int i = 0; i < count; i++)
		results[i] = strengths[i] + 4.0 * sample_normal(random);
	for (int i = 0; i < count; i++) {
		ranks[i] = 0;
		for (int k = 0; k < count; k++)
			ranks[i] += results[k] > results[i];
	}
}

TEST(test_true_order_is_found_in_games_of_three_to_six)
{
	static const double strengths[] = { -3.0, 5.0, 1.0, 3.0, -1.0, -5.0 };
	static const int order[] = { 1, 3, 2, 4, 0, 5 };
	uint64_t random = 1;

	for (int count = 3; count <= SKILL_TEAMS_MAX; count++) {
		struct skill skills[SKILL_TEAMS_MAX];
		struct skill *players[SKILL_TEAMS_MAX];
		int ranks[SKILL_TEAMS_MAX], last = -1;

		for (int i = 0; i < count; i++) {
			skills[i] = SKILL_START;
			players[i] = &skills[i];
		}
		for (int game = 0; game < 3000; game++) {
			game_play(strengths, count, &random, ranks);
			update(players, ranks, count);
		}
		for (int i = 0; i < SKILL_TEAMS_MAX; i++) {
			if (order[i] >= count)
				continue;
			assert_true(skills[order[i]].sigma < 2.0);
			if (last >= 0)
				assert_true(
				    skills[last].mu > skills[order[i]].mu);
			last = order[i];
		}
	}
}

TEST(test_skills_stay_finite_whatever_is_played)
{
	struct skill skills[SKILL_TEAMS_MAX];
	struct skill *players[SKILL_TEAMS_MAX];
	int ranks[SKILL_TEAMS_MAX];

	for (int i = 0; i < SKILL_TEAMS_MAX; i++) {
		/* The strongest ones always lose. */
		skills[i] = (struct skill){ 1e6 * i, i % 2 ? 1e-3 : 1e3 };
		players[i] = &skills[i];
		ranks[i] = i;
	}
	for (int game = 0; game < 20000; game++) {
		update(players, ranks, SKILL_TEAMS_MAX);
		for (int i = 0; i < SKILL_TEAMS_MAX; i++) {
			assert_true(isfinite(skills[i].mu));
			assert_true(skills[i].sigma > 0.0);
			assert_true(isfinite(skills[i].sigma));
		}
	}
}
