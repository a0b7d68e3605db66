/*
 * Replaying texts that people may have written: what is filled in, and what is
 * refused with its line and the reason.
 */
#include "replay.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games.h"
#include "test.h"

/* The same for a text whose lines the test writes. */
static int
derive(const char *text)
{
	return games_derive(text, strlen(text), REPLAY_EVERYBODY, false);
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

TEST(test_what_is_missing_is_filled_in)
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
		/* A target that is reached needs no number of deals. */
		{ "match m rules=scopa,target=3\n" DEAL PLAYS,
		    { " target=3 pack=it40 ",
			"\nendmatch m scores=A:3,B:2 winner=A "
			"reason=target\n" } },
		{ "match m rules=scopa target=9 # not reached\n" DEAL PLAYS,
		    { " target=9 deals=1 pack=it40 ", " reason=deals\n" } },
		/* The first seat tells the dealer. */
		{ MATCH "deal 1 first=1\npack 1 cards=" PACK "\n" PLAYS,
		    { "\ndeal 1 dealer=2 first=1 " } },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		assert_int_equal(derive(cases[i].text), 0);
		for (int j = 0; cases[i].pieces[j] != NULL; j++)
			games_assert_derived_has(cases[i].pieces[j]);
	}
}

/* Texts that cannot be derived, the line at fault, and a piece of the reason. */
static const struct refusal {
	const char *text;
	int line;
	const char *reason;
} refusals[] = {
	{ "match\n", 1, "match" },
	{ "match rules=scopa\n", 1, "match: words missing" },
	{ "match m\n", 1, "rules= is missing" },
	{ "match m rules=scoppa\n", 1, "did you mean" },
	{ "match m rules=scopa,priority=fewst\n", 1, "priority" },
	{ "match m rules=scopone seats=3\n", 1, "contradict" },
	{ "match m rules=scopa seats=4 teams=AB\n", 1, "contradict" },
	{ "match m rules=scopa pack=fr52\n", 1, "it40" },
	{ MATCH "rules hand=3 capture=single\n", 2, "capture" },
	{ MATCH "rules hand=3 ...\n", 2, "key=value" },
	{ MATCH "rules players=4\nseat 1 team=B\n", 3, "belongs to team A" },
	{ MATCH "seat 3 name=x\n", 2, "no seat 3" },
	{ "match m rules=scopa target=11\nrules target=21\n", 2,
	    "contradicts the `match` line" },
	{ MATCH, 1, "no deal" },
	{ MATCH "play 1 7D\n", 2, "before the first deal" },
	{ MATCH "deal 2\npack 2 cards=" PACK "\n" PLAYS, 2, "deal 1 is" },
	{ MATCH "deal 1\n" PLAYS, 2, "cards of deal 1 are missing" },
	{ MATCH "deal 1 dealer=3\npack 1 cards=" PACK "\n", 2, "2 seats" },
	{ MATCH "deal 1 dealer=1 first=1\npack 1 cards=" PACK "\n", 2,
	    "first=1 contradicts" },
	{ MATCH "deal 1 scores=A:1,B:0\npack 1 cards=" PACK "\n", 2,
	    "scores=" },
	{ MATCH DEAL "deal 1\n", 4, "second line" },
	{ MATCH DEAL DEAL, 4, "second line" },
	{ MATCH "deal 1\npack 1 cards=7D\n", 3, "80 characters" },
	{ MATCH DEAL "pack 1 cards=" PACK "\n", 4, "never dealt" },
	{ MATCH DEAL, 3, "deal 1 is not over" },
	{ MATCH DEAL "play 2 5Cx5D\n", 4, "turn of seat 1" },
	{ MATCH DEAL "play 1 7D\n", 4, "not-in-hand" },
	{ MATCH DEAL "play 1 AB\n", 4, "must-capture" },
	{ MATCH DEAL "play 1 ABx7D\n", 4, "bad-sum" },
	{ MATCH DEAL "play 7 AB\n", 4, "1 to 6" },
	{ MATCH DEAL "play 1 AZ\n", 4, "a move like" },
	{ MATCH DEAL "play 1\n", 4, "words missing" },
	{ MATCH DEAL "declare 1 low\n", 4, "not over" },
	{ "match m rules=scopa,declare=ask\n" DEAL "declare 1 low\n", 4,
	    "no-declaration" },
	{ MATCH DEAL PLAYS "play 1 AB\n", 40, "after the end of deal 1" },
	{ "match m rules=scopa target=3\n" DEAL PLAYS "play 1 AB\n", 40,
	    "after the end of the match" },
	{ "match m rules=scopa deals=2\n" DEAL PLAYS, 39, "1 of 2" },
	{ "match m rules=scopa deals=1\n" DEAL PLAYS "deal 2\n", 40,
	    "deals= are played" },
	{ MATCH DEAL "play 1 KS by=arena cause=timeout\n", 4, "first legal" },
	{ MATCH DEAL "abort deal reason=x\n", 4, "cannot be replayed" },
	{ MATCH DEAL "abort match reason=forfeit\n", 4, "whose" },
	{ MATCH DEAL "abort match reason=x\nplay 1 3C\n", 5, "after the end" },
	{ MATCH DEAL "offence 4 kind=crash policy=forfeit\n", 4, "no seat 4" },
	{ MATCH DEAL "info 4 a=b\n", 4, "no seat 4" },
	{ MATCH "deal 1\ntable AS5D7DJS\ngive 2 5C5BJD\nplay 1 AB\n", 2,
	    "hand of deal 1 is missing" },
	{ MATCH "deal 1\ntable AS5D7DJS\ngive 1 AB3CKS\ngive 2 ??????\n", 5,
	    "hidden" },
	{ MATCH "deal 1\ntable AS5D7D\n", 3, "3 cards stand" },
	{ MATCH "deal 1\ntable AS5D7DJS\ngive 1 AB3C7D\n", 4, "dealt twice" },
	{ MATCH "deal 1\ntable AS5D7DJS\ngive 3 AB3C6D\n", 4, "no seat 3" },
	{ MATCH "deal 1\ntable KDKCKSAD\n", 2, "no new `table`" },
	{ MATCH "deal 1\ntable AS5D7DJS\ntable 2S5D7DJS\ngive 1 AB3CKS\n"
		"give 2 5C5BJD\n",
	    4, "never dealt" },
	{ MATCH "deal 1\ntable AS5D7DJS\ngive 1 AB3CKS\ngive 2 5C5BJD\n"
		"play 1 ABxAS\nplay 2 5Cx5D\nplay 1 KS\nplay 2 5B\n"
		"play 1 3C\nplay 2 JDxJS\nplay 1 2B\n",
	    11, "`give` lines" },
	/* Deals beyond a target count where nobody named one. */
	{ MATCH "rules target=3\n" DEAL PLAYS
		"deal 2 dealer=1\npack 2 cards=" PACK "\n",
	    42, "plays are missing behind this line: deal 2 is not over" },
	{ "match m rules=scopa target=3\n" DEAL PLAYS "deal 2 dealer=1\n", 40,
	    "the target was reached" },
};

TEST(test_what_cannot_be_derived_says_line_and_reason)
{
	for (size_t i = 0; i < COUNTOF(refusals); i++) {
		const struct refusal *refusal = &refusals[i];

		if (derive(refusal->text) != -EBADMSG)
			fail_msg("this was derived: %s", refusal->text);
		if (specimen.fault.line != refusal->line ||
		    !strstr(specimen.fault.text, refusal->reason))
			fail_msg("%s: line %d, \"%s\" expected; it says: line "
				 "%lld, \"%s\"",
			    refusal->text, refusal->line, refusal->reason,
			    (long long)specimen.fault.line,
			    specimen.fault.text);
	}
}

TEST(test_endless_info_is_refused)
{
	size_t size = 200 * 1024, length;
	char *text = malloc(size + 4096);

	assert_non_null(text);
	length = (size_t)sprintf(text, MATCH DEAL "play 1 KS\n");
	while (length < size)
		length += (size_t)sprintf(
		    text + length, "info 1 value=0.123456789 # word\n");
	assert_int_equal(
	    games_derive(text, length, REPLAY_EVERYBODY, false), -EBADMSG);
	assert_non_null(strstr(specimen.fault.text, "64 KiB"));
	free(text);
}

TEST_GROUP(games_setup, games_teardown)
