#include <stdio.h>
#include <string.h>

#include "support.h"
#include "test.h"

/* A deal whose first seat, after the dealer, is the first of two. */
static void
start(
    const struct scopa_rules *rules, const char *cards, struct scopa_deal *deal)
{
	support_deal(rules, cards, rules->players - 1, deal);
}

/* The declarations that stand at the end of the legal moves. */
static void
assert_declarations(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const char *expected)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];
	struct scopa_text text = SCOPA_TEXT(128);
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	bool seen = false;

	for (int i = 0; i < count; i++) {
		if (moves[i].declaration == SCOPA_DECLARE_NOTHING) {
			assert_false(seen);
			continue;
		}
		if (seen)
			scopa_text_char(&text, ' ');
		scopa_move_format(&moves[i], &text);
		seen = true;
	}
	assert_string_equal(text.bytes, expected);
}

TEST(test_hand_as_dealt_offers_its_declarations_after_the_cards)
{
	static const struct {
		const char *hand, *declarations, *refused;
	} cases[] = {
		{ "2D3S4C", "!low", "!low:A" },
		{ "2D3S5C", "", "!low" },
		{ "ADACAB", "!three", "!low" },
		{ "KDKCKB", "!three", "!three:K" },
		{ "KDKCQB", "", "!three" },
		{ "2D3S7C", "!low:A !low:2 !low:3 !low:4", "!low:5" },
		{ "AD2S7C", "!low:A !low:2 !low:3 !low:4 !low:5 !low:6",
		    "!low" },
		{ "3D5S7C", "!low:A", "!low:2" },
		{ "4D5S7C", "", "!low:A" },
		{ "KD5S7C", "", "!three:K" },
		{ "ADAS7C", "!three:A", "!low:A" },
		{ "KDKS7C", "!three:K", "!three" },
		{ "7D7S7C", "!three", "!three:7" },
		{ "7D7S7B", "!three", "!three:7" },
		{ "7DAS7C", "!low:A", "!three" },
		{ "7DAS7B", "", "!three:7" },
	};
	struct scopa_rules rules = support_rules("cirulla,declare=ask");

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct scopa_deal deal;
		char pack[32] = "4S5BQSJS";

		strcat(pack, cases[i].hand);
		start(&rules, pack, &deal);
		assert_declarations(&rules, &deal, cases[i].declarations);
		assert_int_equal(support_check(&rules, &deal, cases[i].refused),
		    SCOPA_NO_DECLARATION);
		assert_int_equal(deal.declared[0], 0);
		assert_int_equal(deal.shown, 0);
	}
}

TEST(test_hands_are_declared_before_their_first_card)
{
	static const char low[] = "4S5BQSJS 2D3S7C JCQDKD",
			  three[] = "4S5BQSJS ADACAS JCQDKD",
			  both[] = "4S5BQSJS 2D3S3C KDKCKB 2C2S2B";
	static const struct {
		const char *declare, *cards, *plays;
		const char *offered; /* after these plays */
		int declared[2], shown, turn;
	} cases[] = {
		/* Declaring shows the hand, and leaves the turn. */
		{ "ask", low, "!low:2", "", { 3 }, 1, 0 },
		{ "ask", low, "!low:2 2Dx4SQS", "", { 3 }, 1, 1 },
		/* Playing a card waives it; this ace sweeps. */
		{ "ask", three, "", "!three", { 0 }, 0, 0 },
		{ "ask", three, "ADx4S5BJSQS JC", "", { 0 }, 0, 0 },
		/* A new hand may be declared again. */
		{ "ask", both, "!low 2Dx4SQS !three", "", { 3, 10 }, 3, 1 },
		{ "ask", both, "!low 2Dx4SQS !three KBx5B 3C KC 3Sx3C KDxKC",
		    "!three", { 3, 10 }, 0, 0 },
		{ "ask", both,
		    "!low 2Dx4SQS !three KBx5B 3C KC 3Sx3C KDxKC !three", "",
		    { 13, 10 }, 1, 0 },
		/* Three of a kind is worth more, and is no low hand beside. */
		{ "auto", "4S5BQSJS 2C2S2B JCQDKD", "", "", { 10 }, 1, 0 },
		{ "auto", "4S5BQSJS 2C2S7C JCQDKD", "", "", { 10 }, 1, 0 },
		{ "off", "4S5BQSJS 2C2S2B JCQDKD", "", "", { 0 }, 0, 0 },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		char spec[64];
		struct scopa_rules rules;
		struct scopa_deal deal;

		snprintf(
		    spec, sizeof(spec), "cirulla,declare=%s", cases[i].declare);
		rules = support_rules(spec);
		start(&rules, cases[i].cards, &deal);
		support_plays(&rules, &deal, cases[i].plays);
		assert_declarations(&rules, &deal, cases[i].offered);
		if (*cases[i].offered == '\0')
			assert_int_equal(support_check(&rules, &deal, "!three"),
			    SCOPA_NO_DECLARATION);
		for (int team = 0; team < 2; team++)
			assert_int_equal(
			    deal.declared[team], cases[i].declared[team]);
		assert_int_equal(deal.shown, cases[i].shown);
		assert_int_equal(deal.turn, cases[i].turn);
	}
}

TEST(test_automatic_declarations_follow_the_dealing_in_turn)
{
	struct scopa_rules rules =
	    support_rules("cirulla,teams=ABAB,declare=auto");
	struct scopa_deal deal;
	struct scopa_text text = support_text();

	/* Seat 2 is the first to play; 3, 1 and, last, 2 may declare. */
	support_deal(&rules, "4S5BQSJS 2C3S3C KDKCKS 2D5C7C 6S6B4B", 0, &deal);
	for (int i = 0; i < deal.history_count; i++) {
		scopa_text_int(&text, deal.history[i].seat + 1);
		scopa_move_format(&deal.history[i], &text);
	}
	assert_string_equal(text.bytes, "2!low3!three4!low:A");
	assert_int_equal(deal.declared[0], 10);
	assert_int_equal(deal.declared[1], 6);
	assert_int_equal(deal.shown, 1 << 1 | 1 << 2 | 1 << 3);
	assert_int_equal(deal.matta, 1);
	assert_int_equal(deal.turn, 1);
	assert_int_equal(
	    support_check(&rules, &deal, "!low"), SCOPA_NO_DECLARATION);
	assert_declarations(&rules, &deal, "");
}
