/*
 * Margins, scores and ranks of the bots of a block.
 */
#include "block.h"

#include "blocks.h"
#include "sample.h"
#include "support.h"
#include "test.h"

static const int bots[] = { 7, 3, 5, 0, 1, 2 };

static void
check_share(const struct block_share share, double margin, double score)
{
	assert_near(share.margin, margin, 1e-12);
	assert_near(share.score, score, 1e-12);
}

TEST(test_margin_is_own_points_less_those_of_the_others_per_deal)
{
	struct scopa_rules rules = support_rules("scopa");
	struct block_result block = blocks_make(&rules, bots, 2, 2);

	blocks_scores(&rules, &block, 0, (int[]){ 11, 5 });
	blocks_scores(&rules, &block, 1, (int[]){ 8, 11 });
	block.games[0].deal_count = 3;
	block.games[1].deal_count = 2;
	assert_false(block_share(&rules, &block, 0, 0).forfeit);
	check_share(block_share(&rules, &block, 0, 0), 2, 1);
	check_share(block_share(&rules, &block, 0, 1), -2, 0);
	check_share(block_share(&rules, &block, 1, 0), -1.5, 0);
	check_share(block_mean(&rules, &block, 0), 0.25, 0.5);
	check_share(block_mean(&rules, &block, 1), -0.25, 0.5);
}

TEST(test_margin_among_many_uses_the_mean_of_the_others)
{
	struct scopa_rules rules = support_rules("scopa,players=4,teams=ABCD");
	struct block_result block = blocks_make(&rules, bots, 4, 4);
	static const double margins[] = { 10 - 11 / 3.0, 1 - 20 / 3.0,
		5 - 16 / 3.0, 5 - 16 / 3.0 };
	static const double scores[] = { 1, 0, 0.5, 0.5 };

	for (int game = 0; game < 4; game++) {
		blocks_scores(&rules, &block, game, (int[]){ 10, 1, 5, 5 });
		block.games[game].deal_count = 1 + game;
		for (int member = 0; member < 4; member++)
			check_share(block_share(&rules, &block, game, member),
			    margins[member] / (1 + game), scores[member]);
	}
}

TEST(test_margin_is_negated_if_the_fewest_points_win)
{
	struct scopa_rules rules = support_rules("perdere");
	struct block_result block = blocks_make(&rules, bots, 2, 1);

	assert_int_equal(rules.aim, SCOPA_AIM_LEAST);
	blocks_scores(&rules, &block, 0, (int[]){ 3, 5 });
	check_share(block_share(&rules, &block, 0, 0), 2, 1);
	check_share(block_share(&rules, &block, 0, 1), -2, 0);
	check_share(block_duel(&rules, &block, 0, 1, 0), -2, 0);
}

TEST(test_forfeit_has_the_worst_margin_that_the_rules_allow)
{
	static const char *const specs[] = { "scopa", "perdere", "cirulla" };

	for (int i = 0; i < 3; i++) {
		struct scopa_rules rules = support_rules(specs[i]);
		struct block_result block = blocks_make(&rules, bots, 2, 2);
		double worst = scopa_points_max(&rules);

		/* The bot that forfeits has far more points, and loses. */
		blocks_scores(&rules, &block, 1, (int[]){ 10, 0 });
		block.games[1].deal_count = 5;
		blocks_forfeit(&rules, &block, 1, 0, OFFENCE_CRASH);
		check_share(block_share(&rules, &block, 1, 0), -worst, 0);
		check_share(block_share(&rules, &block, 1, 1), worst, 1);
		assert_true(block_share(&rules, &block, 1, 1).forfeit);
		assert_false(block_share(&rules, &block, 0, 1).forfeit);
		assert_true(block_mean(&rules, &block, 0).forfeit);
		assert_near(
		    block_mean(&rules, &block, 0).margin, -worst / 2, 1e-12);
	}
}

TEST(test_forfeit_makes_the_others_equal_in_points)
{
	struct scopa_rules rules = support_rules("scopa,players=3");
	struct block_result block = blocks_make(&rules, bots, 3, 6);
	double worst = scopa_points_max(&rules);

	blocks_scores(&rules, &block, 0, (int[]){ 10, 3, 1 });
	blocks_forfeit(&rules, &block, 0, 0, OFFENCE_TIMEOUT);
	/* The record names the leader of the others as the winner. */
	check_share(block_share(&rules, &block, 0, 0), -worst, 0);
	check_share(block_share(&rules, &block, 0, 1), worst / 2, 1);
	check_share(block_share(&rules, &block, 0, 2), worst / 2, 0.5);
	assert_near(block_duel(&rules, &block, 0, 0, 1).margin, -worst, 1e-12);
	assert_near(block_duel(&rules, &block, 0, 2, 0).margin, worst, 1e-12);
	assert_near(block_duel(&rules, &block, 0, 1, 2).margin, 0, 0);
}

TEST(test_duel_compares_two_bots_of_many)
{
	struct scopa_rules rules = support_rules("scopa,players=3");
	struct block_result block = blocks_make(&rules, bots, 3, 6);

	for (int game = 0; game < 3; game++) {
		blocks_scores(&rules, &block, game, (int[]){ 2, 8, 2 });
		block.games[game].deal_count = 2;
		check_share(block_duel(&rules, &block, game, 0, 1), -3, 0);
		check_share(block_duel(&rules, &block, game, 1, 2), 3, 1);
		check_share(block_duel(&rules, &block, game, 0, 2), 0, 0.5);
		check_share(block_duel(&rules, &block, game, 2, 0), 0, 0.5);
	}
}

TEST(test_ranks_follow_winner_forfeit_and_points)
{
	struct scopa_rules rules =
	    support_rules("scopa,players=6,teams=ABCDEF");
	struct block_result block = blocks_make(&rules, bots, 6, 1);
	struct summary *game = &block.games[0];
	static const int ranks[] = { 1, 3, 0, 1, 5, 4 };

	blocks_scores(&rules, &block, 0, (int[]){ 6, 4, 1, 6, 20, 3 });
	game->winner = 2; /* by an instant win */
	game->forfeiter = 4;
	for (int team = 0; team < 6; team++)
		assert_int_equal(block_rank(&rules, game, team), ranks[team]);
}

TEST(test_mirror_games_are_equal_in_each_item_of_each_seat)
{
	struct scopa_rules rules = support_rules("scopa");
	struct block_result pair = blocks_make(&rules, bots, 2, 2);
	struct block_result other;

	blocks_scores(&rules, &pair, 0, (int[]){ 11, 5 });
	blocks_scores(&rules, &pair, 1, (int[]){ 5, 11 });
	assert_true(block_mirrored(&rules, &pair));
	assert_near(block_mean(&rules, &pair, 0).margin, 0, 0);

	other = pair;
	other.games[1].item_points[0][SCOPA_ITEM_SCOPE]--;
	other.games[1].item_points[0][SCOPA_ITEM_COINS]++;
	assert_false(block_mirrored(&rules, &other));
	other = pair;
	other.games[1].scores[1]++;
	assert_false(block_mirrored(&rules, &other));
	other = pair;
	other.games[1].deal_count++;
	assert_false(block_mirrored(&rules, &other));
	other = pair;
	other.games[1].winner = SCOPA_TEAM_NONE;
	assert_false(block_mirrored(&rules, &other));
	other = pair;
	blocks_forfeit(&rules, &other, 0, 1, OFFENCE_ILLEGAL);
	assert_false(block_mirrored(&rules, &other));
	other = pair;
	blocks_scores(&rules, &other, 1, (int[]){ 11, 5 });
	assert_false(block_mirrored(&rules, &other));
	other = pair;
	other.skipped = true;
	assert_false(block_mirrored(&rules, &other));
}
