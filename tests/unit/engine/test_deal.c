/*
 * The course of a deal: dealing, tables that are redealt, the dealer's opening,
 * sweeps, the end, and moves that are refused.
 */
#include <string.h>

#include "golden.h"
#include "support.h"
#include "test.h"

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
	struct scopa_move move;

	support_deal(&rules,
	    "KD7S2B5C QDJDAS 4C4B6D 3S2C7D AC5D6S ADKBKS 2D2S3D", 1, &deal);
	assert_true(deal.table == support_set("KD7S2B5C"));
	assert_true(deal.hands[2] == support_set("QDJDAS"));
	assert_true(deal.hands[0] == support_set("4C4B6D"));
	assert_true(deal.hands[1] == support_set("3S2C7D"));
	assert_int_equal(deal.dealt, 13);
	assert_int_equal(deal.turn, 2);
	assert_int_equal(deal.dealer, 1);
	assert_int_equal(deal.last, SCOPA_SEAT_NONE);
	/* New hands follow when all are empty. */
	for (int play = 1; play <= 9; play++) {
		scopa_moves(&rules, &deal, &move, 1);
		assert_int_equal(
		    scopa_deal_apply(&rules, &deal, &move).dealt, play == 9);
	}
	assert_int_equal(deal.turn, 2);
	assert_true(deal.hands[2] == support_set("AC5D6S"));
	assert_true(deal.hands[0] == support_set("ADKBKS"));
	assert_true(deal.hands[1] == support_set("2D2S3D"));
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

/* How many of all tables of four cards end in `start`, or open as `opening`. */
static int
count_tables(const char *spec, enum scopa_start wanted, int opening)
{
	struct scopa_rules rules = support_rules(spec);
	struct scopa_deal deal;
	uint8_t pack[SCOPA_PACK_SIZE];
	int count = 0;

	for (scopa_set table = 15; table <= SCOPA_SET_ALL;
	     table = support_next_set(table)) {
		support_pack_with(table, 0, pack);
		count += scopa_deal_start(&rules, pack, 0, &deal) == wanted &&
		    deal.opening == opening;
	}
	return count;
}

TEST(test_tables_are_thrown_in_and_opened_as_often_as_counted)
{
	static const struct {
		const char *spec;
		enum scopa_start start;
		int opening, count;
	} cases[] = {
		{ "scopa", SCOPA_START_KINGS, 0, 145 },
		{ "scopa", SCOPA_START_PLAY, 0, 91245 },
		{ "scopa,redeal=aces2", SCOPA_START_ACES, 0, 785 * 5 },
		{ "scopa,redeal=ace", SCOPA_START_ACE, 0,
		    91390 - 36 * 35 * 34 * 33 / 24 },
		{ "scopa,redeal=none", SCOPA_START_PLAY, 0, 91390 },
		/* Tables of fifteen and of thirty. */
		{ "scopa,redeal=none,opening=plain", SCOPA_START_PLAY, 1,
		    3120 },
		{ "scopa,redeal=none,opening=plain", SCOPA_START_PLAY, 2,
		    2492 },
		{ "scopa,redeal=none,opening=wild", SCOPA_START_PLAY, 1, 6170 },
		{ "scopa,redeal=none,opening=wild", SCOPA_START_PLAY, 2, 4653 },
		{ "scopa,redeal=aces2,opening=plain", SCOPA_START_PLAY, 1,
		    3120 - 384 },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++)
		assert_int_equal(count_tables(cases[i].spec, cases[i].start,
				     cases[i].opening),
		    cases[i].count);
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
	static const struct {
		const char *spec, *table;
		int scopas;
	} cases[] = {
		{ "cirulla", "2S3S4S6S", 1 },
		{ "cirulla", "5C6BQSKD", 2 },
		{ "cirulla", "2S3S4S7S", 0 },
		{ "cirulla", "AD2C2SKB", 1 },
		{ "cirulla,opening=off", "2S3S4S6S", 0 },
		{ "escoba", "2S3S4S6S", 0 },
		{ "escoba,opening=plain", "2S3S4S6S", 1 },
		{ "cirulla,players=4", "2S3S4S6S", 1 },
		/* The seven of cups completes an opening where it is wild. */
		{ "cirulla", "2S3S4S7C", 1 },
		{ "cirulla", "AS2S2D7C", 1 },
		{ "cirulla", "2D4SQS7C", 0 },
		{ "cirulla", "5BQSKD7C", 2 },
		{ "cirulla", "KSKDKC7C", 0 },
		{ "cirulla,opening=plain", "2S3S4S7C", 0 },
		{ "cirulla,opening=plain", "AS2S5D7C", 1 },
	};

	for (int i = 0; i < COUNTOF(cases); i++)
		assert_opening(cases[i].spec, cases[i].table, cases[i].scopas);
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

/* Sweeps. */

/* Plays a move of a seat that holds one card more, or the deal's last card. */
static struct scopa_effect
play_at(const char *spec, const char *table, const char *move, bool last,
    struct scopa_deal *deal)
{
	struct scopa_rules rules = support_rules(spec);
	char card[3] = { move[0], move[1], '\0' };

	support_position(&rules, table, card, deal);
	if (last) {
		deal->play_count = (uint8_t)(SCOPA_PACK_SIZE - rules.table - 1);
	} else {
		deal->play_count = (uint8_t)(SCOPA_PACK_SIZE - rules.table - 2);
		deal->hands[1] = deal->captured[1] & -deal->captured[1];
		deal->captured[1] &= ~deal->hands[1];
	}
	return support_play(&rules, deal, move);
}

TEST(test_table_is_swept_and_its_rest_goes_to_who_captured_last)
{
	static const struct {
		const char *spec, *table, *move;
		bool last, scopa;
		const char *rest; /* and who gets it */
		int rest_seat;
	} cases[] = {
		{ "scopa", "2C5S", "7Dx2C5S", false, true, "-", 0 },
		{ "scopa", "2C5S", "7Dx2C5S", true, false, "-", 0 },
		{ "scopa,last-scopa=yes", "2C5S", "7Dx2C5S", true, true, "-",
		    0 },
		{ "scopa", "2C5SKS", "7Dx2C5S", false, false, "-", 0 },
		{ "frac", "2C5S", "7Dx2C5S", false, false, "-", 0 },
		{ "scientifico", "2C5S", "7Dx2C5S", false, true, "-", 0 },
		{ "scientifico", "2C5S", "7Dx2C5S", true, false, "-", 0 },
		/* Sweeps by an ace. */
		{ "assi", "2C5S", "ADx2C5S", false, true, "-", 0 },
		{ "assi", "2C5S", "ADx2C5S", true, false, "-", 0 },
		{ "assi-noscopa", "2C5S", "ADx2C5S", false, false, "-", 0 },
		{ "assi-noscopa", "AC", "ADxAC", false, true, "-", 0 },
		{ "assi-noscopa", "AC5S", "ADxAC5S", false, false, "-", 0 },
		{ "assi-noscopa", "2C5S", "7Dx2C5S", false, true, "-", 0 },
		{ "escoba,ace=sweep,ace-scopa=no", "4CKS", "ADx4CKS", false,
		    true, "-", 0 },
		{ "escoba,ace=sweep,ace-scopa=no", "4C", "ADx4C", false, false,
		    "-", 0 },
		/* Seat 1 has captured last, and has dealt. */
		{ "scopa", "2C5S", "KD", true, false, "2C5SKD", 1 },
		{ "scopa", "2C5SKS", "KDxKS", true, false, "2C5S", 0 },
		{ "scopa", "KS", "KDxKS", true, false, "-", 0 },
		{ "scopa,leftovers=dealer", "2CKS", "KDxKS", true, false, "2C",
		    1 },
	};

	for (int i = 0; i < COUNTOF(cases); i++) {
		scopa_set rest = support_set(cases[i].rest);
		struct scopa_deal deal;
		struct scopa_effect effect = play_at(cases[i].spec,
		    cases[i].table, cases[i].move, cases[i].last, &deal);

		if (effect.scopa != cases[i].scopa || effect.rest != rest)
			fail_msg("%s on %s by %s", cases[i].move,
			    cases[i].table, cases[i].spec);
		assert_int_equal(deal.scopas[0], effect.scopa);
		assert_int_equal(effect.over, cases[i].last);
		assert_int_equal(effect.rest_seat,
		    rest ? cases[i].rest_seat : SCOPA_SEAT_NONE);
		assert_true(!effect.over || deal.table == 0);
		assert_true((deal.captured[cases[i].rest_seat] & rest) == rest);
	}
}

TEST(test_ace_on_an_empty_table_stays_or_takes_itself)
{
	struct scopa_deal deal;
	struct scopa_effect effect;

	effect = play_at("assi", "-", "AD", false, &deal);
	assert_true(deal.table == support_set("AD"));
	assert_int_equal(deal.last, 1);
	effect = play_at("assi,ace-empty=take", "-", "AD", false, &deal);
	assert_false(effect.scopa);
	assert_true(deal.table == 0);
	assert_true(deal.captured[0] == support_set("AD"));
	assert_int_equal(deal.last, 0);
	play_at("assi,ace-empty=take", "-", "2D", false, &deal);
	assert_true(deal.table == support_set("2D"));
}

/* The end. */

TEST(test_rest_goes_to_the_dealer_where_nobody_has_captured)
{
	struct scopa_rules rules = support_rules("scopa");

	for (int dealer = 0; dealer < 2; dealer++) {
		struct scopa_deal deal;

		support_position(&rules, "2C", "KD", &deal);
		deal.dealer = (uint8_t)dealer;
		deal.last = SCOPA_SEAT_NONE;
		assert_int_equal(
		    support_play(&rules, &deal, "KD").rest_seat, dealer);
	}
}

/* Gives seat 0 some of the cards that its rival had captured. */
static void
move_to_team_a(struct scopa_deal *deal, const char *cards)
{
	deal->captured[0] |= support_set(cards);
	deal->captured[1] &= ~support_set(cards);
}

TEST(test_winning_at_a_blow_stops_the_deal_where_it_counts_at_once)
{
	static const struct {
		const char *spec, *pile;
		bool wins;
	} cases[] = {
		{ "trente,count=at-once", "2D3D", true },
		{ "trente,count=at-once", "2D", false },
		{ "trente", "2D3D", false },
		{ "trentino,count=at-once", "2D3D4D5D6D7DJDQDKD", true },
		{ "trentino,count=at-once", "2D3D4D5D6D7DJDQDKC", false },
		{ "trentino", "2D3D4D5D6D7DJDQDKD", false },
		{ "scopone,count=at-once", "2D3D4D5D6D7DJDQDKD", false },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct scopa_rules rules = support_rules(cases[i].spec);
		struct scopa_deal deal;
		struct scopa_effect effect;
		support_position(&rules, "AD6C", "ASKS", &deal);
		move_to_team_a(&deal, cases[i].pile);
		support_hold(&deal, "JC");
		effect = support_play(&rules, &deal, "ASxAD");
		assert_int_equal(effect.over, cases[i].wins);
		assert_int_equal(scopa_deal_over(&deal), cases[i].wins);
		assert_int_equal(
		    deal.winner, cases[i].wins ? 0 : SCOPA_TEAM_NONE);
		assert_true(effect.rest == 0);
		assert_true(deal.table == support_set("6C"));
	}
}

/* Refusals. */

TEST(test_every_refusal_has_its_reason)
{
	bool reached[SCOPA_REFUSAL_COUNT] = { false };
	static struct golden golden;

	golden_open(&golden, "moves.tsv");
	while (golden_next(&golden)) {
		char **field = golden.fields;
		struct scopa_rules rules = support_rules(field[0]);
		struct scopa_deal deal;
		enum scopa_refusal refusal;

		assert_int_equal(golden.field_count, 5);
		support_position(&rules, field[1], field[2], &deal);
		refusal = support_check(&rules, &deal, field[3]);
		assert_string_equal(scopa_refusal_name(refusal), field[4]);
		reached[refusal] = true;
		deal.turn = SCOPA_SEAT_NONE;
		refusal = support_check(&rules, &deal, field[3]);
		assert_int_equal(refusal, SCOPA_NOT_TO_MOVE);
		reached[refusal] = true;
	}
	golden_close(&golden);
	for (int i = 0; i < SCOPA_REFUSAL_COUNT; i++)
		assert_true(reached[i]);
}
