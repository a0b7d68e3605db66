/*
 * Replaying texts that people may have written: which words are filled in, and
 * which texts are refused with line and reason.
 */
#include "replay.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games.h"
#include "golden.h"
#include "support.h"
#include "test.h"

/* The same for a text whose lines the test writes. */
static int
derive(const char *text)
{
	return games_derive(text, strlen(text), false);
}

/* The full record of one deal, for tests that write the lines themselves. */
#define PACK                                                                   \
	"AS7DJS5DAB3CKSJD5B5C2B6D6C6S6B4S2D7S3SAC4CQD4DADKBJBKCJC7C3DQC4BKD2C" \
	"2S7BQBQS3B5S"
#define PLAYS                                                                 \
	"play 1 ABxAS\nplay 2 5Cx5D\nplay 1 KS\nplay 2 5B\nplay 1 3C\n"       \
	"play 2 JDxJS\nplay 1 2B\nplay 2 4S\nplay 1 6Dx2B4S\nplay 2 6S\n"     \
	"play 1 6Cx6S\nplay 2 6B\nplay 1 7Sx7D\nplay 2 4C\nplay 1 3Sx3C\n"    \
	"play 2 QDx4C5B\nplay 1 2D\nplay 2 AC\nplay 1 ADxAC\n"                \
	"play 2 JBx2D6B\nplay 1 KBxKS\nplay 2 KC\nplay 1 4D\nplay 2 JC\n"     \
	"play 1 QC\nplay 2 KDxKC\nplay 1 3D\nplay 2 4Bx4D\nplay 1 7C\n"       \
	"play 2 2C\nplay 1 7Bx7C\nplay 2 QSxQC\nplay 1 2Sx2C\nplay 2 3Bx3D\n" \
	"play 1 QB\nplay 2 5S\n"
#define MATCH "match m rules=scopa\n"
#define DEAL "deal 1\npack 1 cards=" PACK "\n"

TEST(test_missing_words_are_filled_in)
{
	static const struct {
		const char *text, *pieces[5];
	} cases[] = {
		{ MATCH DEAL PLAYS,
		    { "match m rules=scopa seats=2 teams=AB target=11 deals=1 "
		      "pack=it40 tc=none\nrules players=2 ",
			"\nseat 1 team=A name=seat1\nseat 2 team=B name=seat2\n"
			"pack 1 ",
			"\ndeal 1 dealer=2 first=1 scores=A:0,B:0\n",
			"\nendmatch m scores=A:3,B:2 winner=A "
			"reason=deals\n" } },
		/* If the target is reached, the number of deals is not
		 * needed. */
		{ "match m rules=scopa,target=3\n" DEAL PLAYS,
		    { " target=3 pack=it40 ",
			"\nendmatch m scores=A:3,B:2 winner=A "
			"reason=target\n" } },
		{ "match m rules=scopa target=9 # not reached\n" DEAL PLAYS,
		    { " target=9 deals=1 pack=it40 ", " reason=deals\n" } },
		/* The dealer follows from the first seat. */
		{ MATCH "deal 1 first=1\npack 1 cards=" PACK "\n" PLAYS,
		    { "\ndeal 1 dealer=2 first=1 " } },
		/* A bot that does not start has lost, whatever the policy. */
		{ MATCH "offence 1 kind=startup policy=substitute\n",
		    { "\nendmatch m scores=A:0,B:22 winner=B reason=forfeit "
		      "by=A\n" } },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		assert_int_equal(derive(cases[i].text), 0);
		for (int j = 0; cases[i].pieces[j] != NULL; j++)
			games_assert_derived_has(cases[i].pieces[j]);
	}
}

TEST(test_text_that_cannot_be_derived_is_refused_with_line_and_reason)
{
	static struct golden golden;

	while (golden_next(&golden, "replay.tsv")) {
		char **field = golden.fields;

		assert_int_equal(golden.field_count, 3);
		if (derive(field[2]) != -EBADMSG)
			fail_msg("replay.tsv:%d was derived", golden.line);
		if (specimen.fault.line != atoi(field[0]) ||
		    !strstr(specimen.fault.text, field[1]))
			fail_msg("replay.tsv:%d: line %lld, \"%s\"",
			    golden.line, (long long)specimen.fault.line,
			    specimen.fault.text);
	}
	assert_true(golden.line > 50);
}

TEST(test_endless_info_is_refused)
{
	enum { SIZE = 200 * 1024 };
	static char text[SIZE + 4096];
	size_t length = (size_t)sprintf(text, MATCH DEAL "play 1 KS\n");

	while (length < SIZE)
		length += (size_t)sprintf(
		    text + length, "info 1 value=0.123456789 # word\n");
	assert_int_equal(games_derive(text, length, false), -EBADMSG);
	assert_non_null(strstr(specimen.fault.text, "64 KiB"));
}

TEST(test_tags_have_4095_bytes_at_most)
{
	char text[8192], tag[4096];

	memset(tag, 'x', sizeof(tag) - 1);
	tag[sizeof(tag) - 1] = '\0';
	snprintf(text, sizeof(text), MATCH "tag %s\n" DEAL PLAYS, tag);
	assert_int_equal(derive(text), 0);
	games_assert_derived_has(tag);
	snprintf(
	    text, sizeof(text), MATCH "tag %s\ntag y\n" DEAL PLAYS, tag + 1);
	assert_int_equal(derive(text), -EBADMSG);
	assert_non_null(strstr(specimen.fault.text, "4095 bytes"));
}

/*
 * Deriving: the full record of a match follows from its least record.
 */

static void
assert_same(const struct record *a, const struct record *b)
{
	size_t size = a->size < b->size ? a->size : b->size, at = 0, line;

	if (a->size == b->size && memcmp(a->bytes, b->bytes, size) == 0)
		return;
	while (at < size && a->bytes[at] == b->bytes[at])
		at++;
	for (line = at; line > 0 && a->bytes[line - 1] != '\n';)
		line--;
	fail_msg("they differ here:\n%.*s\nor here:\n%.*s\n",
	    a->size - line < 300 ? (int)(a->size - line) : 300, a->bytes + line,
	    b->size - line < 300 ? (int)(b->size - line) : 300,
	    b->bytes + line);
}

/*
 * Plays a game, makes its least record, and derives the full record from that.
 */
static void
derive_game(const struct games_order *order, bool packs)
{
	games_play(order, &specimen.full);
	games_reduce(&specimen.full, packs, &specimen.least);
	if (games_derive(specimen.least.bytes, specimen.least.size, false) != 0)
		fail_msg("%s: line %lld: %s", order->spec,
		    (long long)specimen.fault.line, specimen.fault.text);
}

/*
 * The `match` line of the least record does not contain all rules.  Without
 * TEST_FULL each rule set plays two of the six kinds of games.
 */
static void
check_games(const char *spec, uint64_t seed)
{
	static const char *const endings[] = { "forfeit", "interrupted", NULL,
		NULL, NULL, NULL };
	int step = support_few_or_all(3, 1);

	for (int kind = (int)(seed % (uint64_t)step); kind < COUNTOF(endings);
	     kind += step) {
		struct games_order order = {
			.spec = spec,
			.seed = seed + (uint64_t)kind,
			.deals = kind % 2 ? 0 : 2,
			.keyed = kind > 3,
			.remarks = kind > 2,
			.ending = endings[kind],
		};

		derive_game(&order, true);
		assert_same(&specimen.derived, &specimen.full);
	}
	assert_int_equal(
	    games_derive(specimen.full.bytes, specimen.full.size, false), 0);
	assert_same(&specimen.derived, &specimen.full);
}

TEST(test_full_record_follows_from_the_least_one_and_from_itself)
{
	assert_true(support_each_spec(check_games) > 200);
}

/* Copies the lines of a record except the `sum` line and those of one verb. */
static void
leave_out(const struct record *record, const char *verb, struct record *rest)
{
	const char *at = record->bytes, *end = at + record->size;

	record_clear(rest);
	while (at < end) {
		const char *next =
		    (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
		size_t length = (size_t)(next - 1 - at);

		if (!record_line_is(at, length, verb) &&
		    !record_line_is(at, length, "sum"))
			record_add(rest, at, length + 1);
		at = next;
	}
}

/* The derived and the played record are equal except for these lines. */
static void
assert_same_without(const char *verb)
{
	struct record derived;

	record_init(&derived);
	leave_out(&specimen.derived, verb, &derived);
	leave_out(&specimen.full, verb, &specimen.least);
	assert_same(&derived, &specimen.least);
	record_release(&derived);
}

static void
check_given(const char *spec, uint64_t seed)
{
	struct games_order order = { .spec = spec, .seed = seed, .deals = 2 };

	derive_game(&order, false);
	/* Tables and hands are sorted, so the pack is not the one dealt. */
	assert_same_without("pack");
	if (support_rules(spec).table > 0)
		return;
	/* Without cards for the table, a `table` line is not needed. */
	games_reduce(&specimen.full, false, &specimen.derived);
	leave_out(&specimen.derived, "table", &specimen.least);
	assert_int_equal(
	    games_derive(specimen.least.bytes, specimen.least.size, false), 0);
	assert_same_without("pack");
}

TEST(test_tables_and_hands_can_replace_a_pack)
{
	assert_true(support_each_spec(check_given) > 200);
}

TEST_GROUP(games_setup, games_teardown)
