/*
 * What a bot knows: from a state line, and the true deal out of a `cards` line.
 */
#include "knowledge.h"

#include <stdio.h>
#include <string.h>

#include "analysis.h"
#include "mock_match.h"
#include "scopa/scopa.h"
#include "support.h"
#include "test.h"
#include "world.h"

static const char state_line[] =
    "state rules=scopa seats=2 teams=AB target=11 you=1 hand=7BKBQC deal=1 "
    "dealer=2 turn=1 table=3C4S7DKS hands=1:3,2:3 deck=30 pile=A:-,B:- "
    "scopas=A:0,B:0 scores=A:0,B:0 last=- shown=- plays=-";

static struct knowledge knowledge;

static const char *
moves_of(const struct knowledge *known)
{
	static char bytes[256];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	knowledge_moves(known, &text);
	assert_false(text.cut);
	return bytes;
}

TEST(test_state_line_tells_the_view_and_the_moves)
{
	assert_true(knowledge_from_state(state_line, &knowledge));
	assert_int_equal(knowledge.rules.players, 2);
	assert_int_equal(scopa_set_count(knowledge.view.hand), 3);
	assert_int_equal(knowledge.deal.turn, 0);
	assert_int_equal(scopa_set_count(knowledge.deal.hands[1]), 3);
	assert_string_equal(moves_of(&knowledge), "7Bx7D QC KBxKS");
}

TEST(test_line_without_sense_tells_nothing)
{
	char less[sizeof(state_line)];

	assert_false(knowledge_from_state("", &knowledge));
	assert_false(knowledge_from_state("state rules=scopa", &knowledge));
	/* A card is missing: these do not make forty. */
	memcpy(less, state_line, sizeof(less));
	memcpy(strstr(less, "deck=30"), "deck=29", 7);
	assert_false(knowledge_from_state(less, &knowledge));
}

/* Reads the line; the answer is that of unveil_deal. */
static bool
unveil(const char *line, const struct scopa_rules *rules,
    const struct scopa_view *view, struct scopa_deal *deal)
{
	assert_true(imagine_deal(rules, view, deal));
	return unveil_deal(
	    (struct token){ line, strlen(line) }, rules, view, deal);
}

/* The line of a deal, without verb and end. */
static const char *
line_of(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	static char bytes[512];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	analysis_put_cards(analysis_allow(), rules, deal, &text);
	assert_false(text.cut);
	bytes[text.length - 1] = '\0';
	return bytes + strlen("cards ");
}

/* Both deals go the same way to the end, whatever is played. */
static void
check_same(const struct scopa_rules *rules, struct scopa_deal one,
    struct scopa_deal two, uint64_t *random)
{
	while (!scopa_deal_over(&one)) {
		struct scopa_move moves[SCOPA_MOVES_MAX];
		int count = scopa_moves(rules, &one, moves, SCOPA_MOVES_MAX);
		const struct scopa_move *move =
		    &moves[support_random_below(random, count)];

		assert_int_equal(
		    scopa_deal_check(rules, &two, move), SCOPA_LEGAL);
		scopa_deal_apply(rules, &one, move);
		scopa_deal_apply(rules, &two, move);
		assert_memory_equal(one.hands, two.hands, sizeof(one.hands));
		assert_true(one.table == two.table);
	}
	assert_memory_equal(one.captured, two.captured, sizeof(one.captured));
}

static int decisions;

static void
visit_spec(const char *spec, uint64_t seed)
{
	struct scopa_rules rules = support_rules(spec);
	struct scopa_deal deal;

	support_deal_random(&rules, &seed, 0, &deal);
	while (!scopa_deal_over(&deal)) {
		struct scopa_move moves[SCOPA_MOVES_MAX];
		struct scopa_deal all_cards;
		struct scopa_view view;
		int count;

		support_view(&rules, &deal, deal.turn, &view);
		assert_true(
		    unveil(line_of(&rules, &deal), &rules, &view, &all_cards));
		check_same(&rules, deal, all_cards, &seed);
		count = scopa_moves(&rules, &deal, moves, SCOPA_MOVES_MAX);
		scopa_deal_apply(
		    &rules, &deal, &moves[support_random_below(&seed, count)]);
		decisions++;
	}
}

TEST(test_every_line_gives_the_deal_that_goes_on_as_it_will)
{
	int specs = mock_each_spec(visit_spec);

	assert_true(decisions >= 30 * specs);
}

TEST(test_lines_that_contradict_the_view_or_themselves_are_refused)
{
	static const char *const lines[] = {
		"",
		"hands=1:7DJBKC,2:4S5B6D",
		"deck=-",
		/* The own hand is another one; a card is missing. */
		"hands=1:7DJB2C,2:4S5B6D deck=%s",
		"hands=1:7DJB,2:4S5B6D deck=%s",
		/* A card stands twice, or lies on the table. */
		"hands=1:7DJBKC,2:4S5B5B deck=%s",
		"hands=1:7DJBKC,2:4S5BJB deck=%s",
		"hands=1:7DJBKC,2:4S5BAD deck=%s",
		/* Seats that are not, or in disorder, or too few. */
		"hands=1:7DJBKC deck=%s",
		"hands=1:7DJBKC,2:4S5B6D, deck=%s",
		"hands=1:7DJBKC,2:4S5B6D,3:- deck=%s",
		"hands=2:4S5B6D,1:7DJBKC deck=%s",
		"hands=1:7DJBKC,3:4S5B6D deck=%s",
		"hands=1:7DJBKC;2:4S5B6D deck=%s",
		"hands=1,2 deck=%s",
		"hands= deck=%s",
		/* No deck, half a card, too many cards. */
		"hands=1:7DJBKC,2:4S5B6D deck=-",
		"hands=1:7DJBKC,2:4S5B6D deck=",
		"hands=1:7DJBKC,2:4S5B6D deck=%sA",
		"hands=1:7DJBKC,2:4S5B6D deck=%s??",
		"hands=1:7DJBKC,2:4S5B6D deck=%s%s",
		"hands=1:7DJBKC,2:?????? deck=%s",
	};
	struct scopa_rules rules = support_rules("scopa");
	struct scopa_deal deal, all_cards, imagined;
	struct scopa_view view;
	char line[512];
	const char *deck;

	support_deal(&rules, "ADAC2S3BKCJB7D4S5B6DKBQD", 1, &deal);
	support_view(&rules, &deal, 0, &view);
	assert_true(unveil(line_of(&rules, &deal), &rules, &view, &all_cards));
	assert_true(imagine_deal(&rules, &view, &imagined));
	deck = strstr(line_of(&rules, &deal), "deck=") + strlen("deck=");
	for (size_t i = 0; i < COUNTOF(lines); i++) {
		const char *rest = lines[i];
		struct scopa_text text;

		scopa_text_init(&text, line, sizeof(line));
		for (; *rest != '\0'; rest++) {
			if (rest[0] == '%') {
				scopa_text_string(&text, deck);
				rest++;
			} else {
				scopa_text_char(&text, *rest);
			}
		}
		if (unveil(line, &rules, &view, &all_cards))
			fail_msg("taken: %s", line);
		assert_memory_equal(&all_cards, &imagined, sizeof(all_cards));
	}
}

TEST(test_hands_that_were_shown_must_be_those)
{
	struct scopa_rules rules = support_rules("cirulla,declare=auto");
	struct scopa_deal deal, all_cards;
	struct scopa_view view;
	char line[512], *at;

	/* Seat 1 of the deal declares three of a kind. */
	support_deal(&rules,
	    "2D5SJCQB"
	    "KD3S4C"
	    "6D6S6C"
	    "ADAC",
	    1, &deal);
	support_view(&rules, &deal, 0, &view);
	assert_true(view.shown[1] != SCOPA_SET_EMPTY);
	strcpy(line, line_of(&rules, &deal));
	assert_true(unveil(line, &rules, &view, &all_cards));
	/* One of them changes places with the first of the deck. */
	at = strstr(line, "6D");
	memcpy(at, "AD", 2);
	memcpy(strstr(line, "deck=") + 5, "6D", 2);
	assert_false(unveil(line, &rules, &view, &all_cards));
}
