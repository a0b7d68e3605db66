/*
 * What the points of a deal are worth to a search.
 */
#include "reward.h"

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
			fail_msg("%s, party %d: %f instead of %d", spec, team,
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
