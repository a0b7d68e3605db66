#include <string.h>

#include "support.h"
#include "test.h"

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

static scopa_set
pack_cards(const struct scopa_deal *deal, int from, int count)
{
	scopa_set set = 0;

	for (int i = from; i < from + count; i++)
		set |= scopa_set_of(deal->pack[i]);
	return set;
}

/* Plays the first legal move until the deal is over; counts the dealings. */
static int
play_on(const struct scopa_rules *rules, struct scopa_deal *deal)
{
	struct scopa_move move;
	int dealings = 1;

	while (!scopa_deal_over(deal)) {
		assert_true(scopa_moves(rules, deal, &move, 1) > 0);
		dealings += scopa_deal_apply(rules, deal, &move).dealt;
	}
	return dealings;
}

/* Dealing. */

TEST(test_table_is_turned_up_and_then_hands_are_given_in_turn)
{
	struct scopa_rules rules = support_rules("scopa,players=3");
	struct scopa_deal deal;

	support_deal(&rules, "KD7S2B5C QDJDAS 4C4B6D 3S2C7D AC5D6S", 1, &deal);
	assert_true(deal.table == support_set("KD7S2B5C"));
	assert_true(deal.hands[2] == support_set("QDJDAS"));
	assert_true(deal.hands[0] == support_set("4C4B6D"));
	assert_true(deal.hands[1] == support_set("3S2C7D"));
	assert_int_equal(deal.dealt, 13);
	assert_int_equal(deal.turn, 2);
	assert_int_equal(deal.dealer, 1);
	assert_int_equal(deal.last, SCOPA_SEAT_NONE);
}

TEST(test_new_hands_follow_from_the_pack_when_all_are_empty)
{
	struct scopa_rules rules = support_rules("scopa,players=3");
	struct scopa_deal deal;
	struct scopa_move move;

	support_deal(&rules, "KD7S2B5C", 1, &deal);
	for (int play = 1; play <= 9; play++) {
		scopa_moves(&rules, &deal, &move, 1);
		assert_int_equal(
		    scopa_deal_apply(&rules, &deal, &move).dealt, play == 9);
		assert_int_equal(deal.untouched,
		    play == 9       ? 7
			: play >= 3 ? 0
			: play == 2 ? 2
				    : 3);
	}
	assert_int_equal(deal.turn, 2);
	assert_int_equal(deal.dealt, 22);
	assert_true(deal.hands[2] == pack_cards(&deal, 13, 3));
	assert_true(deal.hands[0] == pack_cards(&deal, 16, 3));
	assert_true(deal.hands[1] == pack_cards(&deal, 19, 3));
}

TEST(test_every_number_of_players_has_its_rounds_and_plays)
{
	static const struct {
		const char *spec;
		int dealings, plays;
	} cases[] = {
		{ "scopa", 6, 36 },
		{ "scopa,players=3", 4, 36 },
		{ "scopa,teams=ABAB", 3, 36 },
		{ "scopa,players=6", 2, 36 },
		{ "scopone", 1, 36 },
		{ "scientifico", 1, 40 },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct scopa_rules rules = support_rules(cases[i].spec);
		struct scopa_deal deal;
		support_deal(&rules, "KD7S2B5C", 0, &deal);
		assert_int_equal(deal.turn, 1);
		assert_int_equal(play_on(&rules, &deal), cases[i].dealings);
		assert_int_equal(deal.play_count, cases[i].plays);
		assert_int_equal(deal.history_count, cases[i].plays);
		assert_int_equal(deal.dealt, SCOPA_PACK_SIZE);
		assert_true(scopa_deal_over(&deal));
	}
}

TEST(test_scientifico_starts_with_an_empty_table)
{
	struct scopa_rules rules = support_rules("scientifico");
	struct scopa_deal deal;

	support_deal(&rules, "KDKCKSKB", 3, &deal);
	assert_true(deal.table == 0);
	for (int seat = 0; seat < 4; seat++)
		assert_true(
		    deal.hands[seat] == pack_cards(&deal, 10 * seat, 10));
}

/* How many of all tables of four cards end in `start`, or open as `opening`. */
static int
count_tables(const char *spec, enum scopa_start wanted, int opening)
{
	struct scopa_rules rules = support_rules(spec);
	struct scopa_deal deal;
	uint8_t pack[SCOPA_PACK_SIZE];
	int count = 0;

	for (scopa_set table = 15; table <= SCOPA_SET_ALL;) {
		scopa_set low = table & -table;
		scopa_set carried = table + low;
		int top = 0;
		int bottom = 4;
		for (int card = 0; card < SCOPA_PACK_SIZE; card++)
			pack[table >> card & 1 ? top++ : bottom++] =
			    (uint8_t)card;
		count += scopa_deal_start(&rules, pack, 0, &deal) == wanted &&
		    deal.opening == opening;
		/* The next set of as many bits. */
		table = ((table ^ carried) >> 2) / low | carried;
	}
	return count;
}

TEST(test_tables_are_thrown_in_as_often_as_counted)
{
	assert_int_equal(count_tables("scopa", SCOPA_START_KINGS, 0), 145);
	assert_int_equal(count_tables("scopa", SCOPA_START_PLAY, 0), 91245);
	assert_int_equal(
	    count_tables("scopa,redeal=aces2", SCOPA_START_ACES, 0), 785 * 5);
	assert_int_equal(count_tables("scopa,redeal=ace", SCOPA_START_ACE, 0),
	    91390 - 36 * 35 * 34 * 33 / 24);
	assert_int_equal(
	    count_tables("scopa,redeal=none", SCOPA_START_PLAY, 0), 91390);
}

TEST(test_tables_of_fifteen_and_thirty_are_as_many_as_counted)
{
	static const char plain[] = "scopa,redeal=none,opening=plain";
	static const char wild[] = "scopa,redeal=none,opening=wild";
	static const char aces[] = "scopa,redeal=aces2,opening=plain";

	assert_int_equal(count_tables(plain, SCOPA_START_PLAY, 1), 3120);
	assert_int_equal(count_tables(plain, SCOPA_START_PLAY, 2), 2492);
	assert_int_equal(count_tables(wild, SCOPA_START_PLAY, 1), 6170);
	assert_int_equal(count_tables(wild, SCOPA_START_PLAY, 2), 4653);
	assert_int_equal(count_tables(aces, SCOPA_START_PLAY, 1), 3120 - 384);
}

TEST(test_thrown_in_cards_leave_the_table_only)
{
	struct scopa_rules rules = support_rules("scopa");
	struct scopa_deal deal;
	uint8_t pack[SCOPA_PACK_SIZE];

	support_pack("KD2CKSKB", pack);
	assert_int_equal(
	    scopa_deal_start(&rules, pack, 0, &deal), SCOPA_START_KINGS);
	assert_true(deal.table == support_set("2CKDKSKB"));
	assert_true(deal.hands[0] == 0 && deal.hands[1] == 0);
	assert_int_equal(deal.dealt, 4);
	assert_string_equal(scopa_start_name(SCOPA_START_KINGS), "kings");
	assert_string_equal(scopa_start_name(SCOPA_START_ACES), "aces");
	assert_string_equal(scopa_start_name(SCOPA_START_ACE), "ace");
	assert_null(scopa_start_name(SCOPA_START_PLAY));
}

/* The dealer's opening. */

static void
assert_opening(const char *spec, const char *table, int scopas)
{
	struct scopa_rules rules = support_rules(spec);
	struct scopa_deal deal;

	support_deal(&rules, table, 1, &deal);
	assert_int_equal(deal.opening, scopas);
	assert_int_equal(deal.scopas[1], scopas);
	assert_int_equal(deal.scopas[0], 0);
	assert_int_equal(deal.last, scopas > 0 ? 1 : SCOPA_SEAT_NONE);
	assert_true(deal.table == (scopas > 0 ? 0 : support_set(table)));
	assert_true(deal.captured[1] == (scopas > 0 ? support_set(table) : 0));
	assert_int_equal(deal.turn, 2 % rules.players);
}

TEST(test_dealer_takes_a_table_of_fifteen_or_thirty)
{
	assert_opening("cirulla", "2S3S4S6S", 1);
	assert_opening("cirulla", "5C6BQSKD", 2);
	assert_opening("cirulla", "2S3S4S7S", 0);
	assert_opening("cirulla", "AD2C2SKB", 1);
	assert_opening("cirulla,opening=off", "2S3S4S6S", 0);
	assert_opening("escoba", "2S3S4S6S", 0);
	assert_opening("escoba,opening=plain", "2S3S4S6S", 1);
	assert_opening("cirulla,players=4", "2S3S4S6S", 1);
}

TEST(test_seven_of_cups_completes_an_opening_where_it_is_wild)
{
	assert_opening("cirulla", "2S3S4S7C", 1);
	assert_opening("cirulla", "AS2S2D7C", 1);
	assert_opening("cirulla", "2D4SQS7C", 0);
	assert_opening("cirulla", "5BQSKD7C", 2);
	assert_opening("cirulla", "KSKDKC7C", 0);
	assert_opening("cirulla,opening=plain", "2S3S4S7C", 0);
	assert_opening("cirulla,opening=plain", "AS2S5D7C", 1);
}

TEST(test_opening_is_the_partner_s_too_and_two_aces_come_first)
{
	struct scopa_rules rules = support_rules("cirulla,teams=ABAB");
	struct scopa_deal deal;
	uint8_t pack[SCOPA_PACK_SIZE];

	support_deal(&rules, "2S3S4S6S", 3, &deal);
	assert_int_equal(deal.scopas[1], 1);
	assert_true(deal.captured[1] == support_set("2S3S4S6S"));
	assert_int_equal(deal.last, 3);
	support_pack("ADAC3DKS", pack);
	assert_int_equal(
	    scopa_deal_start(&rules, pack, 0, &deal), SCOPA_START_ACES);
	assert_int_equal(deal.scopas[0] + deal.scopas[1], 0);
}
