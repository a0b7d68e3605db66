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

/* How many of all hands of three an automatic declaration gives this many. */
static int
wanted_count(int points)
{
	struct scopa_rules rules =
	    support_rules("scopa,redeal=none,declare=auto");
	struct scopa_deal deal;
	uint8_t pack[SCOPA_PACK_SIZE];
	int count = 0;

	for (scopa_set hand = 7; hand <= SCOPA_SET_ALL;) {
		scopa_set low = hand & -hand;
		scopa_set carried = hand + low;
		int given = 4;
		int other = 0;
		for (int card = 0; card < SCOPA_PACK_SIZE; card++) {
			if (hand >> card & 1)
				pack[given++] = (uint8_t)card;
			else
				pack[other++] = (uint8_t)card;
			if (other == 4)
				other = 7;
		}
		scopa_deal_start(&rules, pack, 1, &deal);
		count += deal.declared[0] == points;
		/* The next set of as many bits. */
		hand = ((hand ^ carried) >> 2) / low | carried;
	}
	return count;
}

TEST(test_hands_are_declared_as_often_as_counted)
{
	int low = 0;
	int three = 0;

	for (int a = 0; a < SCOPA_PACK_SIZE; a++)
		for (int b = 0; b < a; b++)
			for (int c = 0; c < b; c++) {
				scopa_set hand = scopa_set_of((scopa_card)a) |
				    scopa_set_of((scopa_card)b) |
				    scopa_set_of((scopa_card)c);
				low += scopa_set_total(hand) <= 9;
				three += a / 4 == c / 4;
			}
	assert_int_equal(low, 772);
	assert_int_equal(three, 40);
	assert_int_equal(wanted_count(10), 94);
	assert_int_equal(wanted_count(3), 942);
	assert_int_equal(wanted_count(0), 9880 - 94 - 942);
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

/* Starts a deal in which each seat is asked whether it declares. */
static void
start_asked(
    const char *pack, struct scopa_rules *rules, struct scopa_deal *deal)
{
	*rules = support_rules("cirulla,declare=ask");
	start(rules, pack, deal);
}

TEST(test_declaring_shows_the_hand_and_leaves_the_turn)
{
	struct scopa_rules rules;
	struct scopa_deal deal;
	struct scopa_effect effect;

	start_asked("4S5BQSJS 2D3S7C", &rules, &deal);
	effect = support_play(&rules, &deal, "!low:2");
	assert_false(effect.scopa || effect.dealt || effect.over);
	assert_int_equal(deal.turn, 0);
	assert_int_equal(deal.shown, 1);
	assert_int_equal(deal.matta, 2);
	assert_int_equal(deal.declared[0], 3);
	assert_int_equal(deal.play_count, 0);
	assert_int_equal(deal.history_count, 1);
	assert_declarations(&rules, &deal, "");
	support_play(&rules, &deal, "2Dx4SQS");
	assert_int_equal(deal.turn, 1);
	assert_int_equal(deal.shown, 1);
	assert_int_equal(deal.declared[0], 3);
}

TEST(test_playing_a_card_waives_the_declaration)
{
	struct scopa_rules rules;
	struct scopa_deal deal;

	start_asked("4S5BQSJS ADACAS JCQDKD", &rules, &deal);
	assert_declarations(&rules, &deal, "!three");
	/* The ace has no ace to take and sweeps. */
	support_play(&rules, &deal, "ADx4S5BJSQS");
	support_play(&rules, &deal, "JC");
	assert_int_equal(deal.turn, 0);
	assert_declarations(&rules, &deal, "");
	assert_int_equal(
	    support_check(&rules, &deal, "!three"), SCOPA_NO_DECLARATION);
	assert_int_equal(deal.declared[0], 0);
}

TEST(test_new_hand_may_be_declared_again)
{
	struct scopa_rules rules;
	struct scopa_deal deal;

	start_asked("4S5BQSJS 2D3S3C KDKCKB 2C2S2B", &rules, &deal);
	support_play(&rules, &deal, "!low");
	support_play(&rules, &deal, "2Dx4SQS");
	support_play(&rules, &deal, "!three");
	assert_int_equal(deal.declared[0], 3);
	assert_int_equal(deal.declared[1], 10);
	assert_int_equal(deal.shown, 3);
	support_play(&rules, &deal, "KBx5B");
	support_play(&rules, &deal, "3C");
	support_play(&rules, &deal, "KC");
	support_play(&rules, &deal, "3Sx3C");
	assert_true(support_play(&rules, &deal, "KDxKC").dealt);
	assert_int_equal(deal.shown, 0);
	assert_declarations(&rules, &deal, "!three");
	support_play(&rules, &deal, "!three");
	assert_int_equal(deal.declared[0], 13);
	assert_int_equal(deal.shown, 1);
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

TEST(test_three_of_a_kind_is_worth_more_and_no_low_hand_beside)
{
	struct scopa_rules rules = support_rules("cirulla,declare=auto");
	struct scopa_deal deal;

	start(&rules, "4S5BQSJS 2C2S2B", &deal);
	assert_int_equal(deal.declared[0], 10);
	start(&rules, "4S5BQSJS 2C2S7C", &deal);
	assert_int_equal(deal.declared[0], 10);
	assert_int_equal(deal.matta, 2);
	assert_int_equal(scopa_declaration_points(SCOPA_DECLARE_NOTHING), 0);
	assert_int_equal(scopa_declaration_points(SCOPA_DECLARE_LOW), 3);
	assert_int_equal(scopa_declaration_points(SCOPA_DECLARE_THREE), 10);
}

TEST(test_nobody_declares_where_it_is_off)
{
	struct scopa_rules rules = support_rules("cirulla,declare=off");
	struct scopa_deal deal;

	start(&rules, "4S5BQSJS 2C2S2B", &deal);
	assert_int_equal(deal.declared[0], 0);
	assert_int_equal(deal.history_count, 0);
	assert_declarations(&rules, &deal, "");
	assert_int_equal(
	    support_check(&rules, &deal, "!three"), SCOPA_NO_DECLARATION);
}
