/*
 * The `cards` line in the dialog of a bot: whoever wants all cards gets them
 * with his turn, in a match and without one, and nobody else.
 */
#include "dialog.h"

#include <stdio.h>
#include <string.h>

#include "players.h"
#include "scopa/scopa.h"
#include "test.h"

#define STATE                                                             \
	"state rules=scopa seats=2 teams=AB target=11 you=1 hand=7DJBKC " \
	"deal=1 dealer=2 turn=1 table=AD2S3BKD hands=1:3,2:3 deck=30 "    \
	"pile=A:-,B:- scopas=A:0,B:0 scores=A:0,B:0 last=- shown=- plays=-"
#define DECK "QD2DACASAB2C2B3D3C3S4D4C4B5D5C5S6C6S6B7C7S7BJDJCJSQCQSQBKSKB"
#define CARDS "cards hands=1:7DJBKC,2:4S5B6D deck=" DECK

static struct dialog dialog;
static struct scopa_deal seen;
static int seen_count, turn_count;

static bool
choose(const struct builtin_turn *turn, struct scopa_text *answer)
{
	turn_count++;
	if (turn->all_cards != NULL) {
		seen = *turn->all_cards;
		seen_count++;
	}
	return builtin_first_legal(turn, answer);
}

static const struct builtin seer = {
	.name = "seer",
	.need = BUILTIN_NEED_VIEW,
	.sees_all = true,
	.choose = choose,
};
static const struct builtin blind = {
	.name = "blind",
	.need = BUILTIN_NEED_VIEW,
	.choose = choose,
};

static const char *
hear(const char *line)
{
	static char bytes[DIALOG_ANSWER_MAX];
	struct scopa_text answer;

	scopa_text_init(&answer, bytes, sizeof(bytes));
	assert_true(dialog_hear(
	    &dialog, (struct token){ line, strlen(line) }, &answer));
	assert_false(answer.cut);
	return bytes;
}

static void
start(const struct builtin *builtin)
{
	dialog_init(&dialog, builtin);
	seen_count = turn_count = 0;
	memset(&seen, 0, sizeof(seen));
}

static scopa_set
set_of(const char *text)
{
	scopa_set set;

	assert_int_equal(
	    scopa_set_parse(text, strlen(text), &set), SCOPA_PARSED);
	return set;
}

TEST(test_only_who_wants_them_asks_for_all_cards)
{
	start(&seer);
	assert_non_null(strstr(
	    hear("usp 1"), "\nfeature position=1 analysis=1\nuspok 1\n"));
	start(&blind);
	assert_non_null(
	    strstr(hear("usp 1"), "\nfeature position=1\nuspok 1\n"));
	for (int i = 0; i < builtin_count; i++) {
		bool oracle = strcmp(builtins[i].name, "oracle") == 0;

		assert_int_equal(builtins[i].sees_all, oracle);
	}
}

TEST(test_position_without_a_match_may_have_them)
{
	start(&seer);
	hear(STATE);
	hear("legal 7D JB KCxKD");
	assert_string_equal(hear(CARDS), "");
	assert_string_equal(hear("go turn=a1"), "move 7D turn=a1\n");
	assert_int_equal(seen_count, 1);
	assert_true(seen.hands[0] == set_of("7DJBKC"));
	assert_true(seen.hands[1] == set_of("4S5B6D"));
	assert_int_equal(seen.dealt, 10);
	assert_int_equal(seen.pack[10], scopa_card_of(9, SCOPA_DENARI));
	assert_int_equal(seen.pack[39], scopa_card_of(10, SCOPA_BASTONI));
}

/* The line is of one decision: the next has its own, or none. */
TEST(test_cards_of_one_turn_are_not_those_of_the_next)
{
	start(&seer);
	hear(CARDS);
	hear(STATE);
	hear("go turn=a1");
	hear(STATE);
	hear("go turn=a2");
	assert_int_equal(turn_count, 2);
	assert_int_equal(seen_count, 1);
	hear(CARDS);
	hear("match m1 rules=scopa seats=2 teams=AB you=1 target=11 pack=it40 "
	     "tc=none seed=0000000000000001");
	hear(STATE);
	hear("go turn=a3");
	assert_int_equal(seen_count, 1);
}

TEST(test_events_and_cards_make_one_deal)
{
	start(&seer);
	hear("match m1 rules=scopa seats=2 teams=AB you=1 target=11 pack=it40 "
	     "tc=none seed=0000000000000001");
	hear("deal 1 dealer=2 first=1 scores=A:0,B:0");
	hear("table AD2S3BKD");
	hear("give 1 7DJBKC");
	hear("give 2 ??????");
	hear("legal 7D JB KCxKD");
	hear(CARDS);
	hear("go turn=a1");
	assert_int_equal(seen_count, 1);
	assert_true(seen.hands[1] == set_of("4S5B6D"));
}

TEST(test_line_that_is_wrong_or_too_long_shows_nothing)
{
	char line[2 * DIALOG_CARDS_MAX];

	start(&seer);
	hear("cards hands=1:7DJBKC,2:4S5B7D deck=" DECK);
	hear(STATE);
	hear("legal 7D JB KCxKD");
	assert_string_equal(hear("go turn=a1"), "move 7D turn=a1\n");
	snprintf(line, sizeof(line), "%s %0*d", CARDS, DIALOG_CARDS_MAX, 0);
	hear(line);
	hear(STATE);
	hear("go turn=a2");
	assert_int_equal(turn_count, 2);
	assert_int_equal(seen_count, 0);
}

TEST(test_who_does_not_want_them_skips_them_silently)
{
	start(&blind);
	hear(STATE);
	hear("legal 7D JB KCxKD");
	assert_string_equal(hear(CARDS), "");
	assert_string_equal(hear("go turn=a1"), "move 7D turn=a1\n");
	assert_int_equal(turn_count, 1);
	assert_int_equal(seen_count, 0);
}
