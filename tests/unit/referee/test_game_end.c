/*
 * How games end: scores, draws, wins at a blow, forfeits and breaking off.
 */
#include "game_fixture.h"

#include <stdio.h>
#include <string.h>

#include "support.h"
#include "table.h"
#include "test.h"

TEST(test_points_by_item_add_up_to_the_scores)
{
	const struct game *game = &fixture->game;

	game_fixture_open("cirulla", 0, 5);
	game_fixture_finish();
	for (int team = 0; team < 2; team++) {
		int32_t sum = 0;

		for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
			sum += game->item_points[team][item];
		assert_int_equal(sum, game->tally.scores[team]);
	}
}

TEST(test_equal_best_totals_of_a_game_of_deals_are_a_draw)
{
	int drawn = 0;

	for (uint64_t seed = 0; seed < 400 && drawn == 0; seed++) {
		const int32_t *scores = fixture->game.tally.scores;

		game_fixture_open("scopa", 0, 1);
		fixture->random = seed;
		game_fixture_finish();
		if (scores[0] != scores[1])
			continue;
		assert_non_null(strstr(
		    game_fixture_last("endmatch"), " winner=- reason=deals"));
		drawn++;
	}
	assert_int_equal(drawn, 1);
}

/* Three deals, and nobody is near the target. */
TEST(test_game_to_a_target_is_drawn_after_its_most_deals)
{
	game_fixture_open_at_most("scopa,target=500", 3);
	game_fixture_finish();
	assert_non_null(strstr(fixture->record,
	    "match m1 rules=scopa seats=2 teams=AB target=500 max-deals=3 "));
	assert_int_equal(fixture->game.tally.deal_count, 3);
	assert_int_equal(fixture->game.tally.winner, SCOPA_TEAM_NONE);
	assert_true(
	    fixture->game.tally.scores[0] != fixture->game.tally.scores[1]);
	assert_non_null(strstr(
	    game_fixture_last("endmatch"), " winner=- reason=max-deals"));
	assert_string_equal(fixture->game.end_reason, GAME_REASON_MAX_DEALS);
}

TEST(test_target_that_is_reached_with_the_last_deal_counts)
{
	int deals;

	game_fixture_open("scopa", 0, 0);
	game_fixture_finish();
	deals = fixture->game.tally.deal_count;
	game_fixture_open_at_most("scopa", deals);
	game_fixture_finish();
	assert_non_null(
	    strstr(game_fixture_last("endmatch"), " reason=target"));
	assert_int_equal(fixture->game.tally.deal_count, deals);
	game_fixture_open_at_most("scopa", deals - 1);
	game_fixture_finish();
	assert_non_null(
	    strstr(game_fixture_last("endmatch"), " reason=max-deals"));
}

/* Nobody needs to say it: it is in the page, and not in the match line. */
TEST(test_most_deals_of_a_game_follow_from_its_target)
{
	struct scopa_rules rules = support_rules("scopa");

	assert_int_equal(game_deals_max(&rules), 1000);
	rules.target = 1000;
	assert_int_equal(game_deals_max(&rules), 1000);
	rules.target = 1001;
	assert_int_equal(game_deals_max(&rules), 1001);
	rules.target = SCOPA_TARGET_MAX;
	assert_true(game_deals_max(&rules) <= GAME_MAX_DEALS_MAX);
	game_fixture_open_at_most("scopa", 1000);
	assert_null(strstr(fixture->record, "max-deals"));
	game_fixture_open("scopa", 0, 0);
	assert_null(strstr(fixture->record, "max-deals"));
	fixture->game.tally.deal_count = 999;
	game_fixture_deal(NULL);
	game_fixture_finish_deal();
	game_fixture_finish();
	assert_non_null(
	    strstr(game_fixture_last("endmatch"), " reason=max-deals"));
	/* A game of so many deals has them. */
	game_fixture_open("scopa", 0, 2000);
	fixture->game.tally.deal_count = 999;
	game_fixture_deal(NULL);
	game_fixture_finish_deal();
	assert_int_equal(fixture->game.phase, GAME_PACK);
}

TEST(test_instant_win_stops_the_deal_where_it_counts_at_once)
{
	int stopped = 0;

	for (uint64_t seed = 0; seed < 200 && stopped < 5; seed++) {
		game_fixture_open("trente,count=at-once", 0, 1);
		fixture->random = seed;
		game_fixture_finish();
		/* What the last card's rest brings is won then, and told. */
		if (table_count(fixture->record, "play *") ==
		    fixture->game.rules.hand * fixture->game.rules.players)
			continue;
		assert_non_null(
		    strstr(game_fixture_last("endmatch"), " reason=instant"));
		assert_string_equal(table_verbs(fixture->record),
		    "match rules seat pack deal table give play score enddeal "
		    "endmatch");
		stopped++;
	}
	assert_int_equal(stopped, 5);
}

/* A forfeit by `team` of a game that stands at these scores. */
static const char *
forfeit(const char *spec, const int32_t *scores, int team)
{
	game_fixture_open(spec, 0, 0);
	game_fixture_deal(NULL);
	for (int i = 0; i < scopa_team_count(&fixture->game.rules); i++)
		fixture->game.tally.scores[i] = scores[i];
	game_forfeit(&fixture->game, team, &fixture->outbox);
	game_fixture_collect();
	assert_int_equal(fixture->game.phase, GAME_OVER);
	assert_string_equal(
	    game_fixture_last("abort"), "abort match reason=forfeit");
	return game_fixture_last("endmatch");
}

static void
assert_forfeit(
    const char *spec, const int32_t *scores, int team, const char *wanted_tail)
{
	const char *end = forfeit(spec, scores, team);
	int most = scopa_points_max(&fixture->game.rules);
	bool least = fixture->game.rules.aim == SCOPA_AIM_LEAST;
	char wanted[256];
	int at = snprintf(wanted, sizeof(wanted), "endmatch m1 scores=");

	for (int i = 0; i < scopa_team_count(&fixture->game.rules); i++)
		at += snprintf(wanted + at, sizeof(wanted) - (size_t)at,
		    "%s%c:%d", i ? "," : "", 'A' + i,
		    scores[i] + ((i == team) == least ? most : 0));
	snprintf(wanted + at, sizeof(wanted) - (size_t)at, " %s", wanted_tail);
	assert_string_equal(end, wanted);
}

TEST(test_forfeit_is_lost_at_the_worst_score_and_the_leader_wins)
{
	const int32_t ahead[] = { 10, 3, 5 }, level[] = { 10, 4, 4 };

	assert_forfeit("scopa", ahead, 0, "winner=B reason=forfeit by=A");
	assert_forfeit("scopa", ahead, 1, "winner=A reason=forfeit by=B");
	assert_forfeit("scopone", ahead, 0, "winner=B reason=forfeit by=A");
	assert_forfeit(
	    "scopa,players=3", ahead, 0, "winner=C reason=forfeit by=A");
	assert_forfeit(
	    "scopa,players=3", level, 0, "winner=- reason=forfeit by=A");
	assert_forfeit(
	    "scopa,players=3", level, 2, "winner=A reason=forfeit by=C");
	assert_forfeit("scopa,players=3,aim=least", ahead, 0,
	    "winner=B reason=forfeit by=A");
	assert_forfeit("scopa,players=3,aim=least", level, 0,
	    "winner=- reason=forfeit by=A");
	assert_forfeit(
	    "scopa,aim=least", ahead, 1, "winner=A reason=forfeit by=B");
}

TEST(test_broken_off_game_has_the_scores_before_its_deal_and_no_winner)
{
	game_fixture_open("scopa", 0, 0);
	game_fixture_deal(NULL);
	fixture->game.tally.scores[0] = 7;
	game_abort(&fixture->game, "interrupted", &fixture->outbox);
	game_fixture_collect();
	assert_string_equal(
	    game_fixture_last("abort"), "abort match reason=interrupted");
	assert_string_equal(game_fixture_last("endmatch"),
	    "endmatch m1 scores=A:7,B:0 winner=- reason=abort");
	assert_int_equal(fixture->game.tally.winner, SCOPA_TEAM_NONE);
}

TEST_GROUP(game_fixture_setup, game_fixture_teardown)
