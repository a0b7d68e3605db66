/*
 * The notation: sets, moves and declarations that are refused, and the `state`
 * line.  tests/fuzz/fuzz_notation.c tests that what is read is written in the
 * same way.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "scopa/notation.h"
#include "support.h"
#include "test.h"

enum { SEAT = 5 };

/* The result of reading a bad move; nothing must be written to `move`. */
static enum scopa_parse
refused_move(const char *text, size_t length)
{
	struct scopa_move move, before;
	enum scopa_parse result;

	memset(&move, 0x5A, sizeof(move));
	before = move;
	result = scopa_move_parse(text, length, &move);
	assert_memory_equal(&move, &before, sizeof(move));
	return result;
}

static enum scopa_parse
refused_set(const char *text)
{
	scopa_set set = 12345;
	enum scopa_parse result = scopa_set_parse(text, strlen(text), &set);

	assert_true(set == 12345);
	return result;
}

TEST(test_bad_sets_are_refused)
{
	static const char *const cases[] = { "", "7", "7D3", "7d", "D7", "1D",
		"10D", "8D", "7H", "7D,3C", "7D 3C", " 7D", "7D ", "--", "-7D",
		"7D-", "??", "7D??", "7Dx3C", "7D3C3" };

	for (size_t i = 0; i < COUNTOF(cases); i++)
		assert_int_equal(refused_set(cases[i]), SCOPA_BAD_SYNTAX);
	assert_int_equal(refused_set("7D7D"), SCOPA_DUPLICATE);
	assert_int_equal(refused_set("3C7D4S3C"), SCOPA_DUPLICATE);
	/* Text that cannot be read is not reported as a duplicate. */
	assert_int_equal(refused_set("7D7DXX"), SCOPA_BAD_SYNTAX);
}

TEST(test_bad_moves_are_refused)
{
	static const char *const cases[] = { "", "7", "7DX3C", "7Dx", "7Dx-",
		"7Dx3", "7Dx3C4", "7D3C", "7Dx3Cx4S", "x3C", "-", "7D ", " 7D",
		"??", "7Dx??", "??x7D", "!", "!lo", "!low:", "!low:AA",
		"!low:1", "!low:X", "!lowA", "!low 7", "!three:", "!threeK",
		"!LOW", "low", "!three:10", "7D!low" };

	for (size_t i = 0; i < COUNTOF(cases); i++)
		assert_int_equal(
		    refused_move(cases[i], strlen(cases[i])), SCOPA_BAD_SYNTAX);
	assert_int_equal(refused_move("7D\0", 3), SCOPA_BAD_SYNTAX);
	assert_int_equal(refused_move("7Dx3C3C", 7), SCOPA_DUPLICATE);
	assert_int_equal(refused_move("7Dx7D", 5), SCOPA_DUPLICATE);
	assert_int_equal(refused_move("7Dx3C7D", 7), SCOPA_DUPLICATE);
}

/*
 * The `state` line: its content, and lines that describe no state of any deal.
 */

enum { LINE_SIZE = 2048 };

/* The sample deal of the protocol after two plays, as sent to seat 1. */
static const char sample[] =
    "state rules=scopa seats=2 teams=AB target=11 you=1 hand=3CKS deal=1 "
    "dealer=2 turn=1 table=7DJS hands=1:2,2:2 deck=30 pile=A:ASAB,B:5D5C "
    "scopas=A:0,B:0 scores=A:0,B:0 last=2 shown=- plays=1:ABxAS/2:5Cx5D";

/* The line of a deal of these cards after these plays; the last seat dealt. */
static const char *
state_of(const char *spec, const char *cards, const char *plays, int seat,
    const struct scopa_tally *tally)
{
	struct scopa_rules rules = support_rules(spec);
	struct scopa_text text = support_text();
	struct scopa_view view;
	struct scopa_deal deal;
	char preset[32];

	snprintf(preset, sizeof(preset), "%.*s", (int)strcspn(spec, ","), spec);
	support_deal(&rules, cards, rules.players - 1, &deal);
	support_plays(&rules, &deal, plays);
	scopa_view_make(&rules, &deal, tally, seat, &view);
	scopa_state_format(&rules, scopa_preset_find(preset), &view, &text);
	assert_false(text.cut);
	return text.bytes;
}

TEST(test_state_repeats_what_the_seat_was_sent)
{
	static struct golden golden;
	int count = 0;

	for (char **field = golden.fields;
	     golden_next(&golden, "state_lines.tsv"); count++) {
		struct scopa_tally tally = { .scores = { atoi(field[4]),
						 atoi(field[5]) },
			.deal_count = atoi(field[6]) };

		assert_string_equal(state_of(field[0], field[1], field[2],
					atoi(field[3]), &tally),
		    field[7]);
	}
	assert_int_equal(count, 7);
}

/* The sample with one part of it replaced. */
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

TEST(test_impossible_state_is_refused_with_its_reason)
{
	static struct golden golden;

	while (golden_next(&golden, "states.tsv")) {
		assert_int_equal(golden.field_count, 3);
		assert_string_equal(
		    refusal_of(changed(golden.fields[0], golden.fields[1])),
		    golden.fields[2]);
	}
	assert_true(golden.line > 50);
	/* Nobody has won at once before the first card. */
	assert_string_equal(
	    refusal_of("state rules=trente,hand=3,count=at-once seats=2 "
		       "teams=AB you=1 hand=2C3CKS dealer=2 turn=- "
		       "table=4D5D6D7D hands=1:3,2:3 deck=30 pile=A:-,B:-"),
	    "turn says that the deal is over, but plays has 0 of its 36 cards");
}

TEST(test_declared_hands_must_be_open)
{
	static const char declared[] =
	    "state rules=cirulla seats=2 teams=AB you=2 hand=5D6SKB dealer=2 "
	    "turn=1 table=2D4DQDKD hands=1:3,2:3 deck=30 pile=A:-,B:- "
	    "declared=A:3,B:0 matta=A plays=1:!low:A";
	struct scopa_text why = support_text();
	struct scopa_rules rules;
	struct scopa_view view;
	char line[LINE_SIZE];

	assert_string_equal(refusal_of(declared),
	    "the cards of seat 1 in shown must be 3 after 0 plays (not 0)");
	snprintf(line, sizeof(line), "%s/1:!low:2 shown=1:AC2C7C", declared);
	assert_string_equal(
	    refusal_of(line), "plays lets seat 1 declare the same hand twice");
	snprintf(
	    line, sizeof(line), "%s/2:!low shown=1:AC2C7C,2:5D6SQB", declared);
	assert_string_equal(
	    refusal_of(line), "shown has other cards of seat 2 than hand");
	snprintf(line, sizeof(line), "%s shown=1:AC2C7C", declared);
	assert_true(scopa_state_parse(line, &rules, &view, &why));
	assert_int_equal(view.untouched, 3);
	assert_int_equal(view.matta, 1);
	assert_true(view.shown[0] == support_set("AC2C7C"));
}

TEST(test_number_of_plays_is_limited)
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
	/* One play fewer is read, and is refused because of its content. */
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

TEST(test_optional_keys_have_default_values)
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

	for (size_t i = 0; i < COUNTOF(lines); i++) {
		struct scopa_text why = support_text();

		if (!scopa_state_parse(lines[i], &rules, &view, &why))
			fail_msg("%s: %s", lines[i], why.bytes);
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
