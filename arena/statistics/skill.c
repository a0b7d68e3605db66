/*
 * Weng and Lin, "A Bayesian approximation method for online ranking", Journal
 * of Machine Learning Research 12 (2011), algorithm 4.
 */
#include <assert.h>
#include <math.h>

#include "rating.h"

#define SKILL_BETA (25.0 / 6.0)
#define SKILL_TAU (25.0 / 300.0)

/* A game leaves at least this share of a variance. */
#define SKILL_VARIANCE_SHARE_MIN 1e-4

/* A team plays as strongly as its players together. */
struct team {
	double mu, variance;
	double strength; /* e^(mu / c), of which the strongest one has 1 */
};

/* What the game says of a team, in shares of its variance. */
struct lesson {
	double shift, narrowing;
};

/*
 * The game is taken as a draw of places from the best to the last.  The place
 * of team `q` was drawn among all that came no better than it.
 */
static struct lesson
lesson_of(
    const struct team *teams, const int *ranks, int count, int i, double c)
{
	struct lesson lesson = { 0.0, 0.0 };

	for (int q = 0; q < count; q++) {
		double sum = 0.0, chance, equals = 0.0;

		if (ranks[q] > ranks[i])
			continue;
		for (int k = 0; k < count; k++) {
			if (ranks[k] >= ranks[q])
				sum += teams[k].strength;
			if (ranks[k] == ranks[q])
				equals += 1.0;
		}
		/* All strengths may be too small to be told from 0. */
		chance = sum > 0.0 ? teams[i].strength / sum : 0.0;
		lesson.shift += ((q == i ? 1.0 : 0.0) - chance) / equals;
		lesson.narrowing += chance * (1.0 - chance) / equals;
	}
	lesson.shift /= c;
	lesson.narrowing *= sqrt(teams[i].variance) / (c * c * c);
	return lesson;
}

void
skill_update(struct skill *const *players, const int *teams, int player_count,
    const int *ranks, int team_count)
{
	struct team sums[SKILL_TEAMS_MAX] = { 0 };
	struct lesson lessons[SKILL_TEAMS_MAX];
	double square = 0.0, c, most = -HUGE_VAL;

	assert(team_count >= 2 && team_count <= SKILL_TEAMS_MAX);
	for (int i = 0; i < player_count; i++) {
		struct skill *player = players[i];
		struct team *team = &sums[teams[i]];

		assert(teams[i] >= 0 && teams[i] < team_count);
		player->sigma =
		    sqrt(player->sigma * player->sigma + SKILL_TAU * SKILL_TAU);
		team->mu += player->mu;
		team->variance += player->sigma * player->sigma;
	}
	for (int i = 0; i < team_count; i++) {
		assert(sums[i].variance > 0.0);
		square += sums[i].variance + SKILL_BETA * SKILL_BETA;
		most = fmax(most, sums[i].mu);
	}
	c = sqrt(square);
	for (int i = 0; i < team_count; i++)
		sums[i].strength = exp((sums[i].mu - most) / c);
	for (int i = 0; i < team_count; i++)
		lessons[i] = lesson_of(sums, ranks, team_count, i, c);
	for (int i = 0; i < player_count; i++) {
		struct skill *player = players[i];
		const struct lesson *lesson = &lessons[teams[i]];
		double variance = player->sigma * player->sigma;

		player->mu += variance * lesson->shift;
		player->sigma *= sqrt(fmax(1.0 - variance * lesson->narrowing,
		    SKILL_VARIANCE_SHARE_MIN));
	}
}
