/*
 * The lines of a game: how a deal begins, the limit of deals, and how a game
 * ends early.
 */
#include "game.h"

#include <string.h>

#include "mock_match.h"
#include "support.h"
#include "test.h"

/* The first packs begin with the cards of `context`, which ends with NULL. */
static void
put_cards(struct mock_match *match, struct event_pack *pack)
{
	const char *const *cards = match->context;

	if (*cards == NULL)
		return;
	support_pack(*cards, pack->cards);
	match->context = (void *)(uintptr_t)(cards + 1);
}

/* A match whose first packs begin with these cards; its bots are not ready. */
static struct mock_match *
open_with(const char *spec, const char *const *cards)
{
	struct mock_match *match =
	    mock_open(&(struct mock_order){ .spec = spec, .deals = 2 });

	match->before_pack = put_cards;
	match->context = (void *)(uintptr_t)cards;
	return match;
}

TEST(test_redealt_packs_are_recorded_before_their_tables)
{
	static const char *const cards[] = { "KDKCKSAD", "KBKCKSAD", "AD2D3DKD",
		"2D3D4D5D", NULL };

	mock_run(open_with("scopa", cards),
	    "all ready; record verbs match rules seat pack deal table redeal "
	    "pack table redeal pack table give; record has pack 1 cards=KD*;"
	    "record has pack 1 redeal=1 cards=KB*;"
	    "record has pack 1 redeal=2 cards=AD*;"
	    "record counts 2 redeal reason=kings;"
	    /* The redeals of the next deal are counted from 0. */
	    "step 36; record has pack 2 cards=2D*");
}

TEST(test_deals_are_reported_as_they_begin)
{
	static const struct {
		const char *spec;
		int dealer;
		const char *cards, *lines;
	} rows[] = {
		/* The reasons for a redeal. */
		{ "scopa", 0, "KDKCKS2D", "redeal reason=kings\n" },
		{ "scopa,redeal=aces2", 0, "ADACKS2D", "redeal reason=aces\n" },
		{ "scopa,redeal=ace", 0, "AD2CKS3D", "redeal reason=ace\n" },
		/*
		 * The cards of a hand are sorted; the first to play is dealt
		 * first.
		 */
		{ "scopa,players=3", 1, "4D5D6DKD 7C2C3C KBADQS JSJBJC",
		    "deal 1 dealer=2 first=3 scores=A:0,B:0,C:0\n"
		    "table 4D5D6DKD\n"
		    "give 3 2C3C7C\ngive 1 ADQSKB\ngive 2 JCJSJB\n" },
		/* The dealer captures a table of fifteen or thirty. */
		{ "cirulla,declare=off", 1, "2D3C4S6B 7D2C2S",
		    "sweep 2 2D3C4S6B scopa=1 reason=fifteen\n" },
		{ "cirulla,declare=off", 1, "KDKC7S3D 7D2C2S",
		    "sweep 2 3D7SKDKC scopa=2 reason=thirty\n" },
		{ "cirulla,declare=off", 1, "KDKC7SAD 7D2C2S 3D4D5D",
		    "give 1 2C2S7D\ngive 2 3D4D5D\n" },
		/*
		 * Declarations are made after the dealing, in the order of
		 * seats.
		 */
		{ "cirulla,declare=auto,players=3", 2,
		    "KDKCJS4D AD2C3S 7D7S6B 5D5C5S",
		    "declare 1 low points=3\nshow 1 AD2C3S\n"
		    "declare 3 three points=10\nshow 3 5D5C5S\n" },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		const char *const cards[] = { rows[i].cards, NULL };
		struct mock_match *match = open_with(rows[i].spec, cards);
		const char *lines;

		match->opening.dealer = rows[i].dealer;
		mock_run(match, "all ready");
		lines = strstr(match->record.bytes, rows[i].lines);
		assert_non_null(lines);
		/* They are the last lines, or those before the next pack. */
		lines += strlen(rows[i].lines);
		if (*lines != '\0')
			assert_memory_equal(lines, "pack 1 redeal=1 ", 16);
	}
}

static const struct mock_order tagged = { .spec = "scopa", .analysis = true };

SCENARIO(test_tag_is_recorded_after_the_match_line, &tagged,
    "all ready; record verbs match tag rules seat pack deal table give;"
    "record has tag analysis=1")

/* The default is in protocol.md, and not in the match line. */
TEST(test_limit_of_deals_follows_from_the_target)
{
	struct scopa_rules rules = support_rules("scopa");
	struct mock_order order = { .spec = "scopa" };
	struct mock_match *match;

	assert_int_equal(game_deals_max(&rules), 1000);
	rules.target = 1000;
	assert_int_equal(game_deals_max(&rules), 1000);
	rules.target = 1001;
	assert_int_equal(game_deals_max(&rules), 1001);
	rules.target = SCOPA_TARGET_MAX;
	assert_true(game_deals_max(&rules) <= GAME_MAX_DEALS_MAX);
	for (int given = 0; given < 2; given++) {
		match = mock_open(&order);
		match->opening.max_deals = given ? 1000 : 0;
		mock_run(match, "all ready");
		assert_null(strstr(match->record.bytes, "max-deals"));
		match->referee.game.tally.deal_count = 999;
		mock_run(match, "finish");
		assert_non_null(
		    strstr(match->record.bytes, " reason=max-deals\n"));
	}
	/* A game with a fixed number of deals has no other limit. */
	order.deals = 2000;
	match = mock_open_ready(&order);
	match->referee.game.tally.deal_count = 999;
	mock_run(match, "step 36; record has enddeal 1000; open");
}

/* A match in its first deal, in which the teams have these points. */
static struct mock_match *
open_at(const char *spec, const int32_t scores[3])
{
	struct mock_match *match =
	    mock_open_ready(&(struct mock_order){ .spec = spec });

	memcpy(match->referee.game.tally.scores, scores, 3 * sizeof(*scores));
	return match;
}

TEST(test_forfeit_has_the_worst_score_and_the_leader_wins)
{
	static const struct {
		const char *spec;
		int32_t scores[3];
		int team;
		const char *winner;
	} rows[] = {
		{ "scopa", { 10, 3 }, 0, "B" },
		{ "scopa", { 10, 3 }, 1, "A" },
		{ "scopone", { 10, 3 }, 0, "B" },
		{ "scopa,players=3", { 10, 3, 5 }, 0, "C" },
		{ "scopa,players=3", { 10, 4, 4 }, 0, "-" },
		{ "scopa,players=3", { 10, 4, 4 }, 2, "A" },
		{ "scopa,teams=ABCABC", { 10, 4, 4 }, 0, "-" },
		{ "scopa,players=3,aim=least", { 10, 3, 5 }, 0, "B" },
		{ "scopa,players=3,aim=least", { 10, 4, 4 }, 0, "-" },
		{ "scopa,aim=least", { 10, 3 }, 1, "A" },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		struct mock_match *match =
		    open_at(rows[i].spec, rows[i].scores);
		struct game *game = &match->referee.game;
		int most = scopa_points_max(&game->rules);
		bool least = game->rules.aim == SCOPA_AIM_LEAST;
		struct scopa_text wanted = support_text();

		scopa_text_string(
		    &wanted, "abort match reason=forfeit\nendmatch m1 scores=");
		for (int team = 0; team < scopa_team_count(&game->rules);
		     team++)
			scopa_text_print(&wanted, "%s%c:%d", team ? "," : "",
			    'A' + team,
			    rows[i].scores[team] +
				((team == rows[i].team) == least ? most : 0));
		scopa_text_print(&wanted, " winner=%s reason=forfeit by=%c\n",
		    rows[i].winner, 'A' + rows[i].team);
		game_forfeit(game, rows[i].team);
		assert_int_equal(game->phase, GAME_OVER);
		assert_string_equal(match->outbox.record.bytes, wanted.bytes);
	}
}

TEST(test_aborted_game_has_the_scores_before_its_last_deal_and_no_winner)
{
	struct mock_match *match = open_at("scopa", (const int32_t[3]){ 7 });

	game_abort(&match->referee.game, "interrupted");
	assert_string_equal(match->outbox.record.bytes,
	    "abort match reason=interrupted\n"
	    "endmatch m1 scores=A:7,B:0 winner=- reason=abort\n");
	assert_int_equal(match->referee.game.tally.winner, SCOPA_TEAM_NONE);
}

TEST_EACH(NULL, mock_close_all)
