/*
 * What blocks add up to where there are more than two bots at a table, and at
 * any table.
 */
#include "standings.h"

#include "blocks.h"
#include "sample.h"
#include "support.h"
#include "test.h"

static struct standings standings;

static void
start(const char *spec, int bot_count)
{
	struct scopa_rules rules = support_rules(spec);

	assert_int_equal(standings_open(&standings, &rules, bot_count), 0);
}

static int
tear_down(void **state)
{
	(void)state;
	standings_close(&standings);
	return 0;
}

static void
take(const struct block_result *block)
{
	assert_int_equal(standings_take(&standings, block), 0);
}

static void
check_counts(const struct trinomial *results, int wins, int draws, int losses)
{
	assert_int_equal(results->wins, wins);
	assert_int_equal(results->draws, draws);
	assert_int_equal(results->losses, losses);
}

static void
check_moments(const struct moments *moments, int count, double mean)
{
	assert_int_equal(moments->count, count);
	assert_near(moments->mean, mean, 1e-12);
}

TEST_WITH(test_partners_are_no_opponents, NULL, tear_down)
{
	struct block_result block;

	start("scopone,players=4,teams=ABAB", 5);
	block = blocks_make(&standings.rules, (int[]){ 4, 1, 3, 2 }, 4, 4);
	for (int game = 0; game < 4; game++) {
		blocks_score(&standings.rules, &block, game, 0, 7);
		blocks_score(&standings.rules, &block, game, 1, 4);
		block.games[game].winner =
		    block_team(&standings.rules, &block.plan, game, 0);
	}
	/* The partner of who offends loses as well, but has not offended. */
	blocks_forfeit(&standings.rules, &block, 3, 2, OFFENCE_CRASH);
	take(&block);
	assert_int_equal(standings_encounter(&standings, 4, 3)->blocks, 0);
	assert_int_equal(standings_encounter(&standings, 1, 2)->games, 0);
	assert_int_equal(standings_encounter(&standings, 4, 1)->games, 4);
	check_counts(&standings_encounter(&standings, 3, 2)->results, 3, 0, 1);
	check_counts(&standings.bots[4].results, 3, 0, 1);
	check_counts(&standings.bots[2].results, 1, 0, 3);
	assert_int_equal(standings.bots[3].forfeits, 1);
	assert_int_equal(standings.bots[4].forfeits, 0);
	assert_int_equal(standings_encounter(&standings, 3, 2)->forfeits, 1);
	assert_int_equal(standings_encounter(&standings, 4, 2)->forfeits, 0);
	assert_false(standings_encounter(&standings, 4, 1)->paired);
	assert_int_equal(standings.row_count, 4);
	for (int i = 0; i < 4; i++) {
		const struct cluster_row *pair = &standings.rows[i];

		assert_int_equal(pair->cluster, block.plan.round);
		assert_near((double)pair->blocks, 1, 0);
		assert_true((pair->first == 4 || pair->first == 3) !=
		    (pair->second == 4 || pair->second == 3));
	}
	/* Partners learn the same from the same start. */
	assert_near(standings.bots[4].skill.mu, standings.bots[3].skill.mu, 0);
	assert_true(standings.bots[4].skill.mu > standings.bots[1].skill.mu);
	assert_near(standings.bots[0].skill.mu, 25, 0);
}

TEST_WITH(test_many_teams_win_draw_or_lose, NULL, tear_down)
{
	struct block_result block;

	start("scopa,players=3", 3);
	block = blocks_make(&standings.rules, (int[]){ 0, 1, 2 }, 3, 3);
	blocks_scores(&standings.rules, &block, 0, (int[]){ 5, 3, 1 });
	blocks_scores(&standings.rules, &block, 1, (int[]){ 5, 5, 1 });
	blocks_scores(&standings.rules, &block, 2, (int[]){ 2, 2, 2 });
	take(&block);
	check_counts(&standings.bots[0].results, 1, 2, 0);
	check_counts(&standings.bots[1].results, 0, 2, 1);
	check_counts(&standings.bots[2].results, 0, 1, 2);
	assert_near(standings.bots[0].score, 1 + 0.75 + 0.5, 1e-12);
	check_moments(&standings.bots[0].margins, 1, (3 + 2 + 0) / 3.0);
	check_moments(
	    &standings_encounter(&standings, 0, 1)->margins, 1, 2 / 3.0);
	check_moments(
	    &standings_encounter(&standings, 2, 0)->margins, 1, -8 / 3.0);
	check_counts(&standings_encounter(&standings, 0, 1)->results, 1, 2, 0);
	assert_false(standings_encounter(&standings, 0, 1)->paired);
	assert_int_equal(standings.row_count, 3);
	assert_int_equal(standings.rows[1].first, 0);
	assert_int_equal(standings.rows[1].second, 2);
	assert_near((double)standings.rows[1].margin, 8 / 3.0, 1e-6);
	assert_int_equal(standings.bots[1].points, 10);
	assert_int_equal(
	    standings.bots[1].item_points_against[SCOPA_ITEM_SCOPE], 16);
	assert_true(standings.bots[0].skill.mu > standings.bots[1].skill.mu);
	assert_true(standings.bots[1].skill.mu > standings.bots[2].skill.mu);
}

/* Draws results at any table and checks what must hold of all. */
static void
check_random_table(const char *spec, int bot_count, int members, int games)
{
	uint64_t random = 1;
	double sum = 0;
	int64_t blocks = 0;

	start(spec, bot_count);
	for (int i = 0; i < 300; i++) {
		uint8_t order[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
		int bots[SCOPA_SEATS_MAX], points[SCOPA_SEATS_MAX];
		struct block_result block;

		support_shuffle(&random, order, bot_count);
		for (int member = 0; member < members; member++)
			bots[member] = order[member];
		block = blocks_make(&standings.rules, bots, members, games);
		for (int game = 0; game < games; game++) {
			for (int member = 0; member < members; member++)
				points[member] =
				    support_random_below(&random, 5);
			blocks_scores(&standings.rules, &block, game, points);
			if (support_random_below(&random, 10) == 0)
				blocks_forfeit(&standings.rules, &block, game,
				    support_random_below(&random, members),
				    OFFENCE_CRASH);
		}
		take(&block);
	}
	for (int bot = 0; bot < bot_count; bot++) {
		const struct standing *standing = &standings.bots[bot];
		const struct trinomial *results = &standing->results;

		blocks += standing->blocks;
		sum += standing->margins.mean * (double)standing->blocks;
		assert_int_equal(
		    results->wins + results->draws + results->losses,
		    standing->games);
		assert_int_equal(standing->games, standing->blocks * games);
		assert_true(standing->clean.count < standing->margins.count);
		for (int other = 0; other < bot; other++) {
			const struct encounter *there =
			    standings_encounter(&standings, bot, other);
			const struct encounter *back =
			    standings_encounter(&standings, other, bot);

			assert_int_equal(there->blocks, back->blocks);
			assert_int_equal(there->games, back->games);
			assert_near(
			    there->margins.mean, -back->margins.mean, 1e-9);
			assert_near(there->margins.squares,
			    back->margins.squares, 1e-6);
			assert_int_equal(
			    there->results.wins, back->results.losses);
			assert_int_equal(there->clean_results.draws,
			    back->clean_results.draws);
			assert_int_equal(
			    there->pairs.counts[1], back->pairs.counts[3]);
		}
	}
	/* What one team gains the others lose. */
	assert_int_equal(blocks, 300 * members);
	assert_near(sum, 0, 1e-6);
	standings_close(&standings);
}

TEST_WITH(test_all_tables_add_up, NULL, tear_down)
{
	check_random_table("scopa", 4, 2, 2);
	check_random_table("scopa", 3, 2, 1);
	check_random_table("scopa,players=3", 5, 3, 6);
	check_random_table("scopa,players=4,teams=ABCD", 6, 4, 4);
	check_random_table("scopone,players=4,teams=ABAB", 3, 2, 2);
	check_random_table("scopone,players=4,teams=ABAB", 6, 4, 4);
	check_random_table("scopa,players=6,teams=ABCDEF", 8, 6, 6);
	check_random_table("scopa,players=6,teams=ABABAB", 7, 6, 6);
	check_random_table("scopa,players=6,teams=ABCABC", 4, 3, 6);
	check_random_table("scopa,players=6,teams=ABCABC", 7, 6, 1);
}

TEST_WITH(test_every_pair_is_kept_for_the_ranking, NULL, tear_down)
{
	enum { BLOCKS = 2000 };
	struct block_result block;

	start("scopa,players=6,teams=ABCDEF", 6);
	block =
	    blocks_make(&standings.rules, (int[]){ 0, 1, 2, 3, 4, 5 }, 6, 1);
	for (int i = 0; i < BLOCKS; i++) {
		blocks_scores(
		    &standings.rules, &block, 0, (int[]){ i, 0, 0, 0, 0, 0 });
		block.plan.round = 7 + i;
		take(&block);
	}
	assert_int_equal(standings.row_count, BLOCKS * 15);
	for (int i = 0; i < BLOCKS; i++) {
		assert_int_equal(standings.rows[15 * i].cluster, 7 + i);
		assert_int_equal(standings.rows[15 * i + 14].cluster, 7 + i);
		assert_near((double)standings.rows[15 * i].margin, i, 0);
		assert_near((double)standings.rows[15 * i + 14].margin, 0, 0);
	}
}
