/*
 * The `state` line: what it says, and lines that are no state of any deal.
 */
#include <stdio.h>
#include <string.h>

#include "scopa/notation.h"
#include "support.h"
#include "test.h"

enum { LINE_SIZE = 2048 };

/* The sample deal of the protocol after two plays, as seat 1 hears it. */
static const char sample[] =
    "state rules=scopa seats=2 teams=AB target=11 you=1 hand=3CKS deal=1 "
    "dealer=2 turn=1 table=7DJS hands=1:2,2:2 deck=30 pile=A:ASAB,B:5D5C "
    "scopas=A:0,B:0 scores=A:0,B:0 last=2 shown=- plays=1:ABxAS/2:5Cx5D";

/* A deal in progress, its rules, and the preset that they came from. */
struct scene {
	const struct scopa_preset *preset;
	struct scopa_rules rules;
	struct scopa_tally tally;
	struct scopa_deal deal;
};

/* Deals `cards` first; the dealer is the last seat. */
static void
scene_start(struct scene *scene, const char *preset, const char *cards)
{
	uint8_t pack[SCOPA_PACK_SIZE];
	int dealer;

	scene->preset = scopa_preset_find(preset);
	scene->rules = support_rules(preset);
	dealer = scene->rules.players - 1;
	scopa_tally_init(&scene->tally, dealer, 0);
	support_pack(cards, pack);
	assert_int_equal(
	    scopa_deal_start(&scene->rules, pack, dealer, &scene->deal),
	    SCOPA_START_PLAY);
}

static const char *
line_of(const struct scene *scene, int seat)
{
	struct scopa_view view;
	struct scopa_text text = support_text();

	scopa_view_make(
	    &scene->rules, &scene->deal, &scene->tally, seat, &view);
	scopa_state_format(&scene->rules, scene->preset, &view, &text);
	assert_false(text.cut);
	return text.bytes;
}

TEST(test_state_says_what_the_seat_was_told)
{
	struct scene scene;

	scene_start(&scene, "scopa", "AS5D7DJSAB3CKS5C6C7C");
	assert_string_equal(line_of(&scene, 0),
	    "state rules=scopa seats=2 teams=AB target=11 you=1 hand=AB3CKS "
	    "deal=1 dealer=2 turn=1 table=AS5D7DJS hands=1:3,2:3 deck=30 "
	    "pile=A:-,B:- scopas=A:0,B:0 scores=A:0,B:0 last=- shown=- "
	    "plays=-");
	support_play(&scene.rules, &scene.deal, "ABxAS");
	support_play(&scene.rules, &scene.deal, "5Cx5D");
	assert_string_equal(line_of(&scene, 0), sample);
	scene.tally.scores[0] = 7;
	scene.tally.scores[1] = 12;
	scene.tally.deal_count = 4;
	assert_string_equal(line_of(&scene, 1),
	    "state rules=scopa seats=2 teams=AB target=11 you=2 hand=6C7C "
	    "deal=5 dealer=2 turn=1 table=7DJS hands=1:2,2:2 deck=30 "
	    "pile=A:ASAB,B:5D5C scopas=A:0,B:0 scores=A:7,B:12 last=2 shown=- "
	    "plays=1:ABxAS/2:5Cx5D");
}

TEST(test_state_names_overrides)
{
	struct scene scene;

	scene_start(&scene, "scopa", "AS5D7DJSAB3CKS5C6C7C");
	scene.rules.napola = SCOPA_NAPOLA_RUN;
	scene.rules.target = 21;
	assert_memory_equal(line_of(&scene, 0),
	    "state rules=scopa,napola=run seats=2 teams=AB target=21 you=1 ",
	    62);
}

/* Cirulla: the hand that was declared is open, with what its 7 of cups is. */
TEST(test_state_tells_of_declarations)
{
	struct scene scene;

	scene_start(&scene, "cirulla", "2D4DQDKDAC2C7C5D6SKB");
	support_play(&scene.rules, &scene.deal, "!low:A");
	assert_string_equal(line_of(&scene, 1),
	    "state rules=cirulla seats=2 teams=AB target=51 you=2 hand=5D6SKB "
	    "deal=1 dealer=2 turn=1 table=2D4DQDKD hands=1:3,2:3 deck=30 "
	    "pile=A:-,B:- scopas=A:0,B:0 scores=A:0,B:0 last=- "
	    "shown=1:AC2C7C plays=1:!low:A declared=A:3,B:0 matta=A "
	    "opening=0");
	support_play(&scene.rules, &scene.deal, "7Cx2D4DQDKD");
	assert_string_equal(line_of(&scene, 0),
	    "state rules=cirulla seats=2 teams=AB target=51 you=1 hand=AC2C "
	    "deal=1 dealer=2 turn=2 table=- hands=1:2,2:3 deck=30 "
	    "pile=A:2D4D7CQDKD,B:- scopas=A:1,B:0 scores=A:0,B:0 last=1 "
	    "shown=1:AC2C plays=1:!low:A/1:7Cx2D4DQDKD declared=A:3,B:0 "
	    "matta=- opening=0");
}

TEST(test_state_tells_of_the_opening_table)
{
	struct scene scene;

	scene_start(&scene, "cirulla", "AD2D5D7D3C4S5C6SKBKD");
	assert_string_equal(line_of(&scene, 0),
	    "state rules=cirulla seats=2 teams=AB target=51 you=1 hand=3C4S5C "
	    "deal=1 dealer=2 turn=1 table=- hands=1:3,2:3 deck=30 "
	    "pile=A:-,B:AD2D5D7D scopas=A:0,B:1 scores=A:0,B:0 last=2 "
	    "shown=- plays=- declared=A:0,B:0 matta=- opening=1");
}

/* The sample with one piece of it replaced. */
static const char *
changed(const char *from, const char *to)
{
	static char bytes[LINE_SIZE];
	const char *at = strstr(sample, from);

	assert_non_null(at);
	snprintf(bytes, sizeof(bytes), "%.*s%s%s", (int)(at - sample), sample,
	    to, at + strlen(from));
	return bytes;
}

static const char *
refusal_of(const char *line)
{
	struct scopa_rules rules, rules_before;
	struct scopa_view view, view_before;
	struct scopa_text why = support_text();

	memset(&rules, 0x5A, sizeof(rules));
	memset(&view, 0x5A, sizeof(view));
	rules_before = rules;
	view_before = view;
	if (scopa_state_parse(line, &rules, &view, &why))
		fail_msg("%s was not refused", line);
	assert_memory_equal(&rules, &rules_before, sizeof(rules));
	assert_memory_equal(&view, &view_before, sizeof(view));
	return why.bytes;
}

/* The piece, what stands in its place, and the sentence that answers. */
static void
assert_refusals(const char *const cases[][3], size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_string_equal(
		    refusal_of(changed(cases[i][0], cases[i][1])), cases[i][2]);
}

/* Beginnings of sentences that answer more than one mistake. */
#define COUNTS "hands must be a count for each seat such as 1:3,2:3 (not "
#define PILES "pile must be cards for each team such as A:6C6D,B:- (not "
#define PLAYS "plays must be the moves so far such as 1:6Cx6D/2:2C, or - (not "
#define SHOWN "shown must be cards of some seats such as 1:AC2D, or - (not "
#define CARDS "must be cards such as 3C4S, each once, or - (not "

static const char *const malformed[][3] = {
	{ "state", "sate",
	    "the line must begin with state (not "
	    "\"sate\")" },
	{ "rules=scopa ", "",
	    "rules is missing: it must be a preset "
	    "and its overrides" },
	{ "scopa ", "scoppa ",
	    "unknown preset \"scoppa\"; did you "
	    "mean \"scopa\"?" },
	{ "seats=2", "seats=5",
	    "seats must be 2, 3, 4 or 6 (not "
	    "\"5\")" },
	{ "seats=2", "seats=3",
	    "teams=AB is for 2 players, which "
	    "contradicts players=3" },
	{ " teams=AB", "",
	    "teams is missing: it must be the teams "
	    "of the seats such as ABAB" },
	{ "target=11", "target=0",
	    "target must be a number from 1 to "
	    "9999 (not \"0\")" },
	{ "you=1", "you=3",
	    "you must be a seat of this game (not "
	    "\"3\")" },
	{ "you=1", "you=-",
	    "you must be a seat of this game (not "
	    "\"-\")" },
	{ "3CKS", "3CKX", "hand " CARDS "\"3CKX\")" },
	{ "3CKS", "3C3C", "hand " CARDS "\"3C3C\")" },
	{ "3CKS", "", "hand " CARDS "\"\")" },
	{ "deal=1", "deal=0",
	    "deal must be a number from 1 on (not "
	    "\"0\")" },
	{ "dealer=2", "dealer=0",
	    "dealer must be a seat of this game "
	    "(not \"0\")" },
	{ "turn=1", "turn=x",
	    "turn must be a seat of this game, or - "
	    "(not \"x\")" },
	{ "7DJS", "7DJS??", "table " CARDS "\"7DJS??\")" },
	{ "1:2,2:2", "2,2", COUNTS "\"2,2\")" },
	{ "1:2,2:2", "1:2", COUNTS "\"1:2\")" },
	{ "1:2,2:2", "1:2,2:2,", COUNTS "\"1:2,2:2,\")" },
	{ "1:2,2:2", "2:2,1:2", COUNTS "\"2:2,1:2\")" },
	{ "1:2,2:2", "1:2,2:256", COUNTS "\"1:2,2:256\")" },
	{ "deck=30", "deck=41",
	    "deck must be a number from 0 to 40 "
	    "(not \"41\")" },
	{ "B:5D5C", "C:5D5C", PILES "\"A:ASAB,C:5D5C\")" },
	{ "B:5D5C", "B:", PILES "\"A:ASAB,B:\")" },
	{ "scopas=A:0,B:0", "scopas=A:0",
	    "scopas must be a number for each team such as A:1,B:0 "
	    "(not \"A:0\")" },
	{ "scores=A:0,", "scores=A:2147483648,",
	    "scores must be a number for each team such as A:1,B:0 "
	    "(not \"A:2147483648,B:0\")" },
	{ "last=2", "last=3",
	    "last must be a seat of this game, or - "
	    "(not \"3\")" },
	{ "shown=-", "shown=2:", SHOWN "\"2:\")" },
	{ "shown=-", "shown=2:-", SHOWN "\"2:-\")" },
	{ "shown=-", "shown=2:6C,2:7C", SHOWN "\"2:6C,2:7C\")" },
	{ "5Cx5D", "5Cx5D/", PLAYS "\"1:ABxAS/2:5Cx5D/\")" },
	{ "2:5Cx5D", "3:5Cx5D", PLAYS "\"1:ABxAS/3:5Cx5D\")" },
	{ "5Cx5D", "5Cx5D5D", PLAYS "\"1:ABxAS/2:5Cx5D5D\")" },
	{ "shown=-", "shown=- matta=X",
	    "matta must be a rank such as A, or - (not \"X\")" },
	{ "shown=-", "shown=- opening=3",
	    "opening must be 0, 1 or 2 (not \"3\")" },
	{ "deck=30", "deck=30 deck=30", "deck is given twice: say it once" },
	{ "deck=30", "deck",
	    "deck is missing: it must be a number "
	    "from 0 to 40" },
};

TEST(test_malformed_values_are_refused)
{
	assert_refusals(malformed, COUNTOF(malformed));
}

TEST(test_missing_keys_are_named)
{
	static const char *const keys[] = { "rules", "seats", "teams", "you",
		"hand", "dealer", "turn", "table", "hands", "deck", "pile" };
	char from[32], to[32], wanted[64];

	for (size_t i = 0; i < COUNTOF(keys); i++) {
		snprintf(from, sizeof(from), " %s=", keys[i]);
		snprintf(to, sizeof(to), " x-%s=", keys[i]);
		snprintf(wanted, sizeof(wanted), "%s is missing: it must be ",
		    keys[i]);
		assert_memory_equal(
		    refusal_of(changed(from, to)), wanted, strlen(wanted));
	}
}

TEST(test_positions_that_cannot_be_are_refused)
{
	static const char *const cases[][3] = {
		{ "turn=1", "turn=2", "turn must be 1 after 2 plays (not 2)" },
		{ "turn=1", "turn=-",
		    "turn says that the deal is over, but plays has 2 of its "
		    "36 cards" },
		{ "deck=30", "deck=24",
		    "deck must be 30 after 2 plays (not 24)" },
		{ "1:2,2:2", "1:3,2:2",
		    "the count of seat 1 in hands must be 2 after 2 plays (not "
		    "3)" },
		{ "3CKS", "3C",
		    "the cards of hand must be 2 after 2 plays "
		    "(not 1)" },
		{ "7DJS", "7D",
		    "the cards of table and pile must be 6 after 2 plays (not "
		    "5)" },
		{ "7DJS", "3CJS", "3C is in two places" },
		{ "A:ASAB", "A:ASABKS", "KS is in two places" },
		{ "B:5D5C", "B:5D5CAS", "AS is in two places" },
		{ "shown=-", "shown=2:JS6C", "JS is in two places" },
		{ "shown=-", "shown=1:3CKS",
		    "the cards of seat 1 in shown must be 0 after 2 plays (not "
		    "2)" },
		{ "/2:5Cx5D", "", "turn must be 2 after 1 play (not 1)" },
		{ "1:ABxAS/2:5Cx5D", "-",
		    "the count of seat 1 in hands must be 3 after 0 plays (not "
		    "2)" },
		{ "1:ABxAS", "2:ABxAS",
		    "plays has a card of seat 2 where it was the turn of seat "
		    "1" },
		{ "2:5Cx5D", "2:ABx5D", "AB is played twice in plays" },
		{ "2:5Cx5D", "2:5CxAS", "AS is captured twice in plays" },
		{ "2:5Cx5D", "2:6Cx5D",
		    "6C has been played, but is not on the table nor in a "
		    "pile" },
		{ "2:5Cx5D", "2:5CxJS",
		    "JS has been captured, but is in no pile" },
		{ "2:5Cx5D", "2:!low",
		    "plays has a declaration, but the rules say declare=off" },
	};

	assert_refusals(cases, COUNTOF(cases));
}

TEST(test_declared_hands_must_be_open)
{
	static const char declared[] =
	    "state rules=cirulla seats=2 teams=AB you=2 hand=5D6SKB dealer=2 "
	    "turn=1 table=2D4DQDKD hands=1:3,2:3 deck=30 pile=A:-,B:- "
	    "declared=A:3,B:0 matta=A plays=1:!low:A";
	char line[LINE_SIZE], bytes[LINE_SIZE];
	struct scopa_rules rules;
	struct scopa_view view;
	struct scopa_text why;

	assert_string_equal(refusal_of(declared),
	    "the cards of seat 1 in shown must be 3 after 0 plays (not 0)");
	snprintf(line, sizeof(line), "%s/1:!low:2 shown=1:AC2C7C", declared);
	assert_string_equal(
	    refusal_of(line), "plays lets seat 1 declare the same hand twice");
	snprintf(
	    line, sizeof(line), "%s/2:!low shown=1:AC2C7C,2:5D6SQB", declared);
	assert_string_equal(
	    refusal_of(line), "shown has other cards of seat 2 than hand");
	scopa_text_init(&why, bytes, sizeof(bytes));
	snprintf(line, sizeof(line), "%s shown=1:AC2C7C", declared);
	assert_true(scopa_state_parse(line, &rules, &view, &why));
	assert_int_equal(view.untouched, 3);
	assert_int_equal(view.matta, 1);
	assert_true(view.shown[0] == support_set("AC2C7C"));
}

TEST(test_history_has_an_end)
{
	char line[LINE_SIZE];
	int length = snprintf(line, sizeof(line), "%.*s",
	    (int)(strstr(sample, "1:ABxAS") - sample), sample);
	const char *why;

	for (int i = 0; i < SCOPA_HISTORY_MAX; i++)
		length += snprintf(
		    line + length, sizeof(line) - (size_t)length, "1:!low/");
	snprintf(line + length, sizeof(line) - (size_t)length, "1:!low");
	why = refusal_of(line);
	assert_memory_equal(why, "plays must be ", 14);
	/* One fewer is read, and refused for what it says. */
	line[length - 1] = '\0';
	assert_string_equal(refusal_of(line),
	    "plays has a declaration, but the rules say declare=off");
}

TEST(test_more_plays_than_cards_are_refused)
{
	struct scopa_text text = support_text();

	scopa_text_bytes(
	    &text, sample, (size_t)(strstr(sample, "1:ABxAS") - sample));
	for (int i = 0; i <= SCOPA_PACK_SIZE - 4; i++) {
		scopa_text_string(&text, i == 0 ? "" : "/");
		scopa_text_string(&text, i % 2 == 0 ? "1:" : "2:");
		scopa_card_format((scopa_card)i, &text);
	}
	assert_string_equal(refusal_of(text.bytes),
	    "plays has more cards than the 36 of a deal");
}

TEST(test_what_may_be_left_out_has_a_value)
{
	static const char *const lines[] = {
		"state rules=scopa seats=2 teams=AB you=1 hand=AB3CKS dealer=2 "
		"turn=1 table=AS5D7DJS hands=1:3,2:3 deck=30 pile=A:-,B:-",
		" \tstate  pile=A:-,B:- deck=30\thands=1:3,2:3 x-mood=good "
		"zebra hand=KS3CAB table=JS7D5DAS turn=1 dealer=2 you=1 "
		"teams=AB seats=2 rules=scopa # deck=29 and so on",
	};
	struct scopa_rules rules, expected = support_rules("scopa");
	struct scopa_view view;
	struct scopa_text why;
	char bytes[LINE_SIZE];

	for (size_t i = 0; i < COUNTOF(lines); i++) {
		scopa_text_init(&why, bytes, sizeof(bytes));
		if (!scopa_state_parse(lines[i], &rules, &view, &why))
			fail_msg("%s: %s", lines[i], bytes);
		assert_memory_equal(&rules, &expected, sizeof(rules));
		assert_int_equal(view.deal_number, 1);
		assert_int_equal(view.last, SCOPA_SEAT_NONE);
		assert_int_equal(view.history_count, 0);
		assert_int_equal(view.scores[0], 0);
		assert_int_equal(view.untouched, 3);
		assert_int_equal(view.turn, 0);
		assert_int_equal(view.dealer, 1);
		assert_true(view.hand == support_set("AB3CKS"));
	}
}
