/*
 * The fixture of a game: which events follow which, and how games end.
 */
#include "game_fixture.h"

#include <stdio.h>
#include <string.h>

#include "support.h"
#include "table.h"
#include "test.h"

static void
assert_verbs(const char *verbs)
{
	assert_string_equal(table_verbs(fixture->record), verbs);
}

/* Verbs one by one off the front of the record. */
struct reader {
	const char *at;
	int players, teams;
};

static bool
next_is(const struct reader *reader, const char *verb)
{
	size_t length = strlen(verb);

	return strncmp(reader->at, verb, length) == 0 &&
	    strchr(" \n", reader->at[length]) != NULL && reader->at[length];
}

static void
must_take(struct reader *reader, const char *verb, int count)
{
	for (int i = 0; i < count; i++) {
		if (!next_is(reader, verb))
			fail_msg("`%s` instead of %.40s", verb, reader->at);
		reader->at += strcspn(reader->at, "\n") + 1;
	}
}

static bool
may_take(struct reader *reader, const char *verb)
{
	if (!next_is(reader, verb))
		return false;
	must_take(reader, verb, 1);
	return true;
}

static void
read_declarations(struct reader *reader)
{
	while (may_take(reader, "declare"))
		must_take(reader, "show", 1);
}

/* One deal as the grammar of a record has it; the answer is its plays. */
static int
read_deal(struct reader *reader)
{
	int plays = 0;

	must_take(reader, "pack", 1);
	must_take(reader, "deal", 1);
	must_take(reader, "table", 1);
	while (may_take(reader, "redeal")) {
		must_take(reader, "pack", 1);
		must_take(reader, "table", 1);
	}
	must_take(reader, "give", reader->players);
	may_take(reader, "sweep");
	read_declarations(reader);
	while (may_take(reader, "play")) {
		plays++;
		if (next_is(reader, "give"))
			must_take(reader, "give", reader->players);
		read_declarations(reader);
	}
	may_take(reader, "rest");
	must_take(reader, "score", reader->teams);
	must_take(reader, "enddeal", 1);
	return plays;
}

static void
read_game(const char *spec, uint64_t seed)
{
	struct reader reader;

	game_fixture_open(spec, (int)(seed % 2), 0);
	fixture->random = seed;
	game_fixture_finish();
	reader = (struct reader){
		.at = fixture->record,
		.players = fixture->game.rules.players,
		.teams = scopa_team_count(&fixture->game.rules),
	};
	must_take(&reader, "match", 1);
	must_take(&reader, "rules", 1);
	must_take(&reader, "seat", reader.players);
	while (next_is(&reader, "pack")) {
		int plays = read_deal(&reader);

		if (fixture->game.rules.count == SCOPA_COUNT_END)
			assert_int_equal(
			    plays, SCOPA_PACK_SIZE - fixture->game.rules.table);
	}
	must_take(&reader, "endmatch", 1);
	assert_string_equal(reader.at, "");
}

TEST(test_events_stand_in_order_in_every_rule_set)
{
	assert_true(table_each_spec(read_game) > 100);
}

TEST(test_packs_that_are_thrown_in_stand_before_their_tables)
{
	game_fixture_open("scopa", 1, 0);
	assert_int_equal(game_fixture_deal("KDKCKSAD"), SCOPA_START_KINGS);
	assert_int_equal(fixture->game.phase, GAME_PACK);
	assert_int_equal(game_fixture_deal("KBKCKSAD"), SCOPA_START_KINGS);
	assert_int_equal(game_fixture_deal("AD2D3DKD"), SCOPA_START_PLAY);
	assert_verbs(
	    "match rules seat pack deal table redeal pack table redeal "
	    "pack table give");
	assert_int_equal(table_count(fixture->record, "pack 1 cards=KD*"), 1);
	assert_int_equal(
	    table_count(fixture->record, "pack 1 redeal=1 cards=KB*"), 1);
	assert_int_equal(
	    table_count(fixture->record, "pack 1 redeal=2 cards=AD*"), 1);
	assert_int_equal(
	    table_count(fixture->record, "redeal reason=kings"), 2);
	/* The next deal counts its own. */
	game_fixture_finish_deal();
	game_fixture_deal("AD2D3DKD");
	assert_int_equal(table_count(fixture->record, "pack 2 cards=AD*"), 1);
}

TEST(test_throwing_in_tells_its_reason)
{
	static const struct {
		const char *spec, *cards, *line;
	} rows[] = {
		{ "scopa", "KDKCKS2D", "redeal reason=kings" },
		{ "scopa,redeal=aces2", "ADACKS2D", "redeal reason=aces" },
		{ "scopa,redeal=ace", "AD2CKS3D", "redeal reason=ace" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		game_fixture_open(rows[i].spec, 0, 0);
		game_fixture_deal(rows[i].cards);
		table_assert_has(fixture->record, rows[i].line);
	}
}

TEST(test_hands_are_dealt_sorted_from_the_first_to_play)
{
	const char *give;

	game_fixture_open("scopa,players=3", 1, 0);
	game_fixture_deal("4D5D6DKD 7C2C3C KBADQS JSJBJC");
	table_assert_has(
	    fixture->record, "deal 1 dealer=2 first=3 scores=A:0,B:0,C:0");
	table_assert_has(fixture->record, "table 4D5D6DKD");
	give = strstr(fixture->record, "give ");
	assert_string_equal(
	    give, "give 3 2C3C7C\ngive 1 ADQSKB\ngive 2 JCJSJB\n");
}

TEST(test_tag_stands_behind_the_match_line)
{
	struct scopa_rules rules = support_rules("scopa");

	game_fixture_open("scopa", 0, 0);
	fixture->length = 0;
	strcpy(fixture->head.tag, "utc=now event=test");
	game_open(&fixture->game,
	    &(struct game_opening){
		.rules = &rules,
		.preset = scopa_preset_find("scopa"),
		.head = &fixture->head,
	    },
	    &fixture->outbox);
	game_fixture_collect();
	assert_verbs("match tag rules seat");
	table_assert_has(fixture->record, "tag utc=now event=test");
}

TEST(test_game_without_opening_table_says_so)
{
	game_fixture_open("scientifico", 0, 0);
	game_fixture_deal(NULL);
	table_assert_has(fixture->record, "table -");
}

TEST(test_dealer_takes_an_opening_of_fifteen_or_thirty)
{
	game_fixture_open("cirulla,declare=off", 1, 0);
	game_fixture_deal("2D3C4S6B 7D2C2S");
	table_assert_has(
	    fixture->record, "sweep 2 2D3C4S6B scopa=1 reason=fifteen");
	assert_verbs("match rules seat pack deal table give sweep");
	assert_int_equal(fixture->game.deal.last, 1);
	game_fixture_open("cirulla,declare=off", 1, 0);
	game_fixture_deal("KDKC7SAD 7D2C2S");
	assert_null(strstr(fixture->record, "\nsweep "));
	game_fixture_open("cirulla,declare=off", 1, 0);
	game_fixture_deal("KDKC7S3D 7D2C2S");
	table_assert_has(
	    fixture->record, "sweep 2 3D7SKDKC scopa=2 reason=thirty");
}

TEST(test_declarations_are_made_after_each_dealing_in_seat_order)
{
	const char *at;

	game_fixture_open("cirulla,declare=auto,players=3", 2, 0);
	game_fixture_deal("KDKCJS4D AD2C3S 7D7S6B 5D5C5S ACAS2D JDJBQC QDQS7B");
	at = strstr(fixture->record, "declare ");
	assert_string_equal(at,
	    "declare 1 low points=3\nshow 1 AD2C3S\n"
	    "declare 3 three points=10\nshow 3 5D5C5S\n");
	for (int i = 0; i < 9; i++) {
		static struct scopa_move moves[SCOPA_MOVES_MAX];

		scopa_moves(&fixture->game.rules, &fixture->game.deal, moves,
		    SCOPA_MOVES_MAX);
		game_fixture_move(&moves[0]);
	}
	at = strstr(fixture->record, "give 1 2D");
	at = at ? at : strstr(fixture->record, "give 1 ACAS2D");
	assert_non_null(at);
	assert_string_equal(table_verbs(at), "give declare show");
}

TEST(test_asked_declaration_leaves_the_turn_where_it_is)
{
	game_fixture_open("cirulla,declare=ask", 1, 0);
	game_fixture_deal("KDKCJS4D AD2C3S 7D7S6B");
	game_fixture_play("!low");
	assert_string_equal(
	    game_fixture_last("declare"), "declare 1 low points=3");
	assert_string_equal(game_fixture_last("show"), "show 1 AD2C3S");
	assert_int_equal(fixture->game.deal.turn, 0);
	assert_int_equal(fixture->game.phase, GAME_MOVE);
}

TEST(test_rest_is_told_only_where_cards_are_left)
{
	int with = 0, without = 0;

	for (uint64_t seed = 0; seed < 400 && (!with || !without); seed++) {
		game_fixture_open("scopa", 1, 1);
		fixture->random = seed;
		game_fixture_finish();
		if (strstr(fixture->record, "\nrest ")) {
			assert_null(strstr(fixture->record, "rest 1 -"));
			with++;
		} else {
			without++;
		}
	}
	assert_true(with > 0 && without > 0);
}

TEST(test_deal_is_passed_on_in_the_direction_of_the_rules)
{
	game_fixture_open("scopa,players=3", 2, 3);
	game_fixture_finish();
	table_assert_has(fixture->record, "deal 1 dealer=3 first=1 *");
	table_assert_has(fixture->record, "deal 2 dealer=1 first=2 *");
	table_assert_has(fixture->record, "deal 3 dealer=2 first=3 *");
	game_fixture_open("scopa,players=3,rotation=against", 2, 3);
	game_fixture_finish();
	table_assert_has(fixture->record, "deal 2 dealer=2 first=3 *");
	table_assert_has(fixture->record, "deal 3 dealer=1 first=2 *");
}

TEST_GROUP(game_fixture_setup, game_fixture_teardown)
