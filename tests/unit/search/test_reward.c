/*
 * What the points of a deal are worth to a search, far from the target and near
 * it.
 */
#include "reward.h"

#include <math.h>

#include "scopa/scopa.h"
#include "support.h"
#include "test.h"

static const struct scopa_score three_teams = {
	.total = { 5, 1, 3 },
	.winner = SCOPA_TEAM_NONE,
};

static void
assert_rewards(const char *spec, const struct scopa_view *view,
    const struct scopa_score *score,
    void (*count)(void *context, const struct search_end *end, double *rewards),
    const int *expected)
{
	const struct scopa_rules rules = support_rules(spec);
	const struct search_end end = { &rules, view, score };
	double rewards[SCOPA_TEAMS_MAX];

	count(NULL, &end, rewards);
	for (int team = 0; team < scopa_team_count(&rules); team++)
		if (rewards[team] != expected[team])
			fail_msg("%s, team %d: %f instead of %d", spec, team,
			    rewards[team], expected[team]);
}

TEST(test_difference_is_to_the_best_of_the_others)
{
	const struct scopa_view view = { .seat = 0 };

	assert_rewards("scopa,players=3", &view, &three_teams,
	    reward_difference, (const int[]){ 2, -4, -2 });
	assert_rewards("scopone", &view, &three_teams, reward_difference,
	    (const int[]){ 4, -4 });
	assert_rewards("scopone", &view, &three_teams, reward_points,
	    (const int[]){ 5, 1 });
}

TEST(test_bad_points_turn_the_difference_round)
{
	const struct scopa_view view = { .seat = 0 };

	assert_rewards("perdere,players=3", &view, &three_teams,
	    reward_difference, (const int[]){ -4, 2, -2 });
	assert_rewards("perdere,players=3", &view, &three_teams, reward_points,
	    (const int[]){ -5, -1, -3 });
}

TEST(test_wins_count_alike)
{
	const struct scopa_view view = { .seat = 0 };
	const struct scopa_score tie = {
		.total = { 3, 3, 1 },
		.winner = SCOPA_TEAM_NONE,
	};

	assert_rewards("scopa,players=3", &view, &three_teams, reward_win,
	    (const int[]){ 1, -1, -1 });
	assert_rewards("scopa,players=3", &view, &tie, reward_win,
	    (const int[]){ 0, 0, -1 });
}

TEST(test_match_won_at_a_blow_is_worth_the_target)
{
	const struct scopa_view view = { .scores = { 18, 2 } };
	struct scopa_score score = { .total = { 4, 5 }, .winner = 0 };

	/* The target is 21: the first is short of 3, the second of 19. */
	assert_rewards(
	    "trente", &view, &score, reward_difference, (const int[]){ 2, -2 });
	score.winner = 1;
	assert_rewards("trente", &view, &score, reward_difference,
	    (const int[]){ -20, 20 });
}

/* The worth for team A of so many points, from such scores. */
static double
worth(const char *spec, bool to_target, const int scores[2], int own, int other)
{
	const struct scopa_rules rules = support_rules(spec);
	struct match_equity equity = { .to_target = to_target };
	struct scopa_view view = { .scores = { scores[0], scores[1] } };
	struct scopa_score score = {
		.total = { (int16_t)own, (int16_t)other },
		.winner = SCOPA_TEAM_NONE,
	};
	const struct search_end end = {
		.rules = &rules,
		.view = &view,
		.score = &score,
	};
	double rewards[SCOPA_TEAMS_MAX];

	match_equity_count(&equity, &end, rewards);
	assert_true(fabs(rewards[0] + rewards[1]) < 1e-9);
	return rewards[0];
}

TEST(test_far_from_the_target_points_count)
{
	static const int even[2] = { 0, 0 };
	static const int late[2] = { 20, 20 };

	assert_true(fabs(worth("scientifico", true, even, 3, 1) - 2) < 1e-9);
	/* A fixed number of deals has no target. */
	assert_true(fabs(worth("scientifico", false, late, 3, 1) - 2) < 1e-9);
	assert_true(fabs(worth("perdere", true, late, 3, 1) + 2) < 1e-9);
}

TEST(test_near_the_target_the_match_counts)
{
	static const int ahead[2] = { 20, 15 };

	/* It is won by one point; more are hardly better. */
	assert_true(worth("scientifico", true, ahead, 1, 0) > 4);
	assert_true(worth("scientifico", true, ahead, 1, 0) < 4.2);
	assert_true(worth("scientifico", true, ahead, 2, 0) -
		worth("scientifico", true, ahead, 1, 0) <
	    0.2);
	/* Short of the target, who leads still has the better chance. */
	assert_true(worth("scientifico", true, ahead, 0, 3) > 0);
	/* The other gets past. */
	assert_true(worth("scientifico", true, ahead, 0, 7) < -4);
}
