/*
 * One game without a referee: the lines of its record, and how it ends.
 */
#include "game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mock_match.h"
#include "support.h"
#include "test.h"

enum { FIXTURE_RECORD_SIZE = 1 << 20 };

struct fixture {
	struct game game;
	struct outbox outbox;
	struct game_head head;
	uint64_t
	    random; /* state for packs and moves; 0 when the game is opened */
	size_t length;
	char record[FIXTURE_RECORD_SIZE]; /* lines, terminated by a NUL */
};

static struct fixture game_fixture, *const fixture = &game_fixture;

/* Moves the new record lines from the outbox to the text of the fixture. */
static void
fixture_collect(void)
{
	struct scopa_text *text = &fixture->outbox.record;

	assert_false(text->cut);
	assert_true(fixture->length + text->length < FIXTURE_RECORD_SIZE);
	memcpy(
	    fixture->record + fixture->length, text->bytes, text->length + 1);
	fixture->length += text->length;
	outbox_clear_record(&fixture->outbox);
}

/* Opens a new game with the head of the fixture. */
static void
fixture_begin(const char *spec, int dealer, int deals, int max_deals)
{
	struct scopa_rules rules = support_rules(spec);
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(spec, ","), spec);
	fixture->random = 0;
	fixture->length = 0;
	fixture->record[0] = '\0';
	strcpy(fixture->head.match.id, "m1");
	outbox_init(&fixture->outbox, 0);
	game_open(&fixture->game,
	    &(struct game_opening){
		.rules = &rules,
		.preset = scopa_preset_find(name),
		.head = &fixture->head,
		.dealer = dealer,
		.deals = deals,
		.max_deals = max_deals,
	    },
	    &fixture->outbox);
	fixture_collect();
}

/* Opens a new game; `deals` as in game_open. */
static void
fixture_open(const char *spec, int dealer, int deals)
{
	fixture_begin(spec, dealer, deals, 0);
}

/* Opens a new game to the target, of `max_deals` deals at most. */
static void
fixture_open_at_most(const char *spec, int max_deals)
{
	fixture_begin(spec, 0, 0, max_deals);
}

/* Deals a pack that begins with these cards; NULL: a random pack. */
static enum scopa_start
fixture_deal(const char *cards)
{
	struct event_pack pack = { .has_key = false };
	enum scopa_start start;

	support_pack(cards ? cards : "", pack.cards);
	if (cards == NULL)
		support_shuffle(&fixture->random, pack.cards, SCOPA_PACK_SIZE);
	start = game_deal(&fixture->game, &pack);
	fixture_collect();
	return start;
}

/* Makes a move. */
static void
fixture_move(const struct scopa_move *move)
{
	struct game_stamp stamp = { .time_us = -1 };

	game_move(&fixture->game, move, &stamp);
	fixture_collect();
}

/* Makes random moves until the deal is over. */
static void
fixture_finish_deal(void)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];

	while (fixture->game.phase == GAME_MOVE) {
		int count = scopa_moves(&fixture->game.rules,
		    &fixture->game.deal, moves, SCOPA_MOVES_MAX);

		fixture_move(
		    &moves[support_random_below(&fixture->random, count)]);
	}
}

static void
fixture_finish(void)
{
	while (fixture->game.phase != GAME_OVER) {
		fixture_deal(NULL);
		fixture_finish_deal();
	}
	game_end(&fixture->game);
	fixture_collect();
}

/* The last line with this verb. */
static const char *
fixture_last(const char *verb)
{
	static char line[EVENT_LINE_SIZE];
	size_t length = strlen(verb);
	const char *found = NULL;

	for (const char *at = fixture->record; *at; at += strcspn(at, "\n") + 1)
		if (strncmp(at, verb, length) == 0 && at[length] == ' ')
			found = at;
	assert_non_null(found);
	snprintf(line, sizeof(line), "%.*s", (int)strcspn(found, "\n"), found);
	return line;
}

static void
assert_verbs(const char *verbs)
{
	assert_string_equal(mock_verbs(fixture->record), verbs);
}

TEST(test_redealt_packs_are_recorded_before_their_tables)
{
	fixture_open("scopa", 1, 0);
	assert_int_equal(fixture_deal("KDKCKSAD"), SCOPA_START_KINGS);
	assert_int_equal(fixture->game.phase, GAME_PACK);
	assert_int_equal(fixture_deal("KBKCKSAD"), SCOPA_START_KINGS);
	assert_int_equal(fixture_deal("AD2D3DKD"), SCOPA_START_PLAY);
	assert_verbs(
	    "match rules seat pack deal table redeal pack table redeal "
	    "pack table give");
	mock_assert_has(fixture->record, "pack 1 cards=KD*");
	mock_assert_has(fixture->record, "pack 1 redeal=1 cards=KB*");
	mock_assert_has(fixture->record, "pack 1 redeal=2 cards=AD*");
	assert_int_equal(mock_count(fixture->record, "redeal reason=kings"), 2);
	/* The redeals of the next deal are counted from 0. */
	fixture_finish_deal();
	fixture_deal("AD2D3DKD");
	mock_assert_has(fixture->record, "pack 2 cards=AD*");
}

TEST(test_deals_are_reported_as_they_begin)
{
	static const struct {
		const char *spec;
		int dealer;
		const char *cards, *sent;
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
		size_t length = strlen(rows[i].sent), size;

		fixture_open(rows[i].spec, rows[i].dealer, 0);
		fixture_deal(rows[i].cards);
		size = strlen(fixture->record);
		assert_true(size > length);
		/* These are the last lines. */
		assert_string_equal(
		    fixture->record + size - length, rows[i].sent);
	}
}

TEST(test_tag_is_recorded_after_the_match_line)
{
	strcpy(fixture->head.tag, "utc=now event=test");
	fixture_open("scopa", 0, 0);
	fixture->head.tag[0] = '\0';
	assert_verbs("match tag rules seat");
	mock_assert_has(fixture->record, "tag utc=now event=test");
}

/* The default is in protocol.md, and not in the match line. */
TEST(test_limit_of_deals_follows_from_the_target)
{
	struct scopa_rules rules = support_rules("scopa");

	assert_int_equal(game_deals_max(&rules), 1000);
	rules.target = 1000;
	assert_int_equal(game_deals_max(&rules), 1000);
	rules.target = 1001;
	assert_int_equal(game_deals_max(&rules), 1001);
	rules.target = SCOPA_TARGET_MAX;
	assert_true(game_deals_max(&rules) <= GAME_MAX_DEALS_MAX);
	fixture_open_at_most("scopa", 1000);
	assert_null(strstr(fixture->record, "max-deals"));
	fixture_open("scopa", 0, 0);
	assert_null(strstr(fixture->record, "max-deals"));
	fixture->game.tally.deal_count = 999;
	fixture_deal(NULL);
	fixture_finish_deal();
	fixture_finish();
	assert_non_null(strstr(fixture_last("endmatch"), " reason=max-deals"));
	/* A game with a fixed number of deals has no other limit. */
	fixture_open("scopa", 0, 2000);
	fixture->game.tally.deal_count = 999;
	fixture_deal(NULL);
	fixture_finish_deal();
	assert_int_equal(fixture->game.phase, GAME_PACK);
}

/* The `endmatch` line if `team` forfeits a game with these scores. */
static const char *
forfeit(const char *spec, const int32_t *scores, int team)
{
	fixture_open(spec, 0, 0);
	fixture_deal(NULL);
	for (int i = 0; i < scopa_team_count(&fixture->game.rules); i++)
		fixture->game.tally.scores[i] = scores[i];
	game_forfeit(&fixture->game, team);
	fixture_collect();
	assert_int_equal(fixture->game.phase, GAME_OVER);
	assert_string_equal(
	    fixture_last("abort"), "abort match reason=forfeit");
	return fixture_last("endmatch");
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

TEST(test_forfeit_has_the_worst_score_and_the_leader_wins)
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
	assert_forfeit(
	    "scopa,teams=ABCABC", level, 0, "winner=- reason=forfeit by=A");
	assert_forfeit("scopa,players=3,aim=least", ahead, 0,
	    "winner=B reason=forfeit by=A");
	assert_forfeit("scopa,players=3,aim=least", level, 0,
	    "winner=- reason=forfeit by=A");
	assert_forfeit(
	    "scopa,aim=least", ahead, 1, "winner=A reason=forfeit by=B");
}

TEST(test_aborted_game_has_the_scores_before_its_last_deal_and_no_winner)
{
	fixture_open("scopa", 0, 0);
	fixture_deal(NULL);
	fixture->game.tally.scores[0] = 7;
	game_abort(&fixture->game, "interrupted");
	fixture_collect();
	assert_string_equal(
	    fixture_last("abort"), "abort match reason=interrupted");
	assert_string_equal(fixture_last("endmatch"),
	    "endmatch m1 scores=A:7,B:0 winner=- reason=abort");
	assert_int_equal(fixture->game.tally.winner, SCOPA_TEAM_NONE);
}
