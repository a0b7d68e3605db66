/*
 * What the end of a deal is worth, far from the target and near it.
 */
#include "reward.h"

#include <math.h>

#include "scopa/scopa.h"
#include "support.h"
#include "test.h"

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

TEST(test_deal_that_may_decide_is_known)
{
	const struct scopa_rules rules = support_rules("scopa");
	const struct match_equity match = { .to_target = true };
	const struct match_equity deals = { .to_target = false };
	struct scopa_view view = { .scores = { 0, 3 } };

	assert_false(match_equity_decides(&match, &rules, &view));
	view.scores[1] = 4;
	assert_true(match_equity_decides(&match, &rules, &view));
	assert_false(match_equity_decides(&deals, &rules, &view));
}
