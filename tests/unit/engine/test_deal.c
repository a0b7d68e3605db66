#include <string.h>

#include "support.h"
#include "test.h"

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

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

static bool
scores_scopa(const char *spec, const char *table, const char *move, bool last)
{
	struct scopa_deal deal;
	struct scopa_effect effect = play_at(spec, table, move, last, &deal);

	assert_int_equal(deal.scopas[0], effect.scopa);
	assert_int_equal(effect.over, last);
	return effect.scopa;
}

TEST(test_clearing_the_table_scores_but_not_with_the_last_card)
{
	assert_true(scores_scopa("scopa", "2C5S", "7Dx2C5S", false));
	assert_false(scores_scopa("scopa", "2C5S", "7Dx2C5S", true));
	assert_true(
	    scores_scopa("scopa,last-scopa=yes", "2C5S", "7Dx2C5S", true));
	assert_false(scores_scopa("scopa", "2C5SKS", "7Dx2C5S", false));
	assert_false(scores_scopa("frac", "2C5S", "7Dx2C5S", false));
	assert_true(scores_scopa("scientifico", "2C5S", "7Dx2C5S", false));
	assert_false(scores_scopa("scientifico", "2C5S", "7Dx2C5S", true));
}

TEST(test_sweep_by_an_ace_scores_where_the_rules_say_so)
{
	assert_true(scores_scopa("assi", "2C5S", "ADx2C5S", false));
	assert_false(scores_scopa("assi", "2C5S", "ADx2C5S", true));
	assert_false(scores_scopa("assi-noscopa", "2C5S", "ADx2C5S", false));
	assert_true(scores_scopa("assi-noscopa", "AC", "ADxAC", false));
	assert_false(scores_scopa("assi-noscopa", "AC5S", "ADxAC5S", false));
	assert_true(scores_scopa("assi-noscopa", "2C5S", "7Dx2C5S", false));
	assert_true(scores_scopa(
	    "escoba,ace=sweep,ace-scopa=no", "4CKS", "ADx4CKS", false));
	assert_false(scores_scopa(
	    "escoba,ace=sweep,ace-scopa=no", "4C", "ADx4C", false));
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

TEST(test_leftovers_go_to_the_last_who_captured)
{
	struct scopa_deal deal;
	struct scopa_effect effect;

	effect = play_at("scopa", "2C5S", "KD", true, &deal);
	assert_true(effect.rest == support_set("2C5SKD"));
	assert_int_equal(effect.rest_seat, 1);
	assert_true(deal.table == 0);
	assert_true(deal.captured[1] == SCOPA_SET_ALL);
	effect = play_at("scopa", "2C5SKS", "KDxKS", true, &deal);
	assert_int_equal(effect.rest_seat, 0);
	assert_true(deal.captured[0] == support_set("2C5SKSKD"));
	effect = play_at("scopa", "KS", "KDxKS", true, &deal);
	assert_true(effect.rest == 0);
	assert_int_equal(effect.rest_seat, SCOPA_SEAT_NONE);
}

TEST(test_leftovers_go_to_the_dealer_by_option_or_for_want_of_others)
{
	struct scopa_rules rules = support_rules("scopa,leftovers=dealer");
	struct scopa_deal deal;

	assert_int_equal(
	    play_at("scopa,leftovers=dealer", "2CKS", "KDxKS", true, &deal)
		.rest_seat,
	    1);
	for (int dealer = 0; dealer < 2; dealer++) {
		rules = support_rules("scopa");
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
	static const struct {
		const char *spec, *table, *hand, *move;
		enum scopa_refusal refusal;
	} cases[] = {
		{ "scopa", "2C4S", "6D7D", "6Dx2C4S", SCOPA_LEGAL },
		{ "scopa", "2C4S", "6D7D", "7D", SCOPA_LEGAL },
		{ "scopa", "2C4S", "6D7D", "KD", SCOPA_NOT_IN_HAND },
		{ "scopa", "2C4S", "6D7D", "2Cx4S", SCOPA_NOT_IN_HAND },
		{ "scopa", "2C4S", "6D7D", "6Dx6C", SCOPA_NOT_ON_TABLE },
		{ "scopa", "2C4S", "6D7D", "6Dx2C4B", SCOPA_NOT_ON_TABLE },
		{ "scopa", "2C4S", "6D7D", "7Dx2C4S", SCOPA_BAD_SUM },
		{ "scopa", "2C4S", "6D7D", "6Dx2C", SCOPA_BAD_SUM },
		{ "escoba", "2C6SKB", "6D7D", "6Dx6S", SCOPA_BAD_SUM },
		{ "scopa", "2C4S", "6D7D", "6D", SCOPA_MUST_CAPTURE },
		{ "assi", "2C4S", "ADKD", "AD", SCOPA_MUST_CAPTURE },
		{ "cirulla", "2C4S", "ADKD", "AD", SCOPA_MUST_CAPTURE },
		{ "scopa", "2C4S6S", "6D", "6Dx2C4S", SCOPA_MUST_TAKE_SINGLE },
		{ "cirulla,cirulla-equal=first", "2C4S6SQC", "6D", "6DxQC",
		    SCOPA_LEGAL },
		{ "cirulla,cirulla-equal=first", "2C4S6SQC", "6D", "6Dx2C4S",
		    SCOPA_MUST_TAKE_SINGLE },
		{ "cirulla,priority=single", "2C4S6SQC", "6D", "6Dx2C4S",
		    SCOPA_MUST_TAKE_SINGLE },
		{ "cirulla,priority=single", "2C4S6SQC", "6D", "6DxQC",
		    SCOPA_LEGAL },
		{ "cirulla,priority=single", "2C7S6SQC", "6D", "6Dx2C7S",
		    SCOPA_MUST_TAKE_SINGLE },
		{ "cirulla,priority=single", "2C7SKC", "6D", "6Dx2C7S",
		    SCOPA_LEGAL },
		{ "escoba,priority=single", "2C7SQC", "6D", "6Dx2C7S",
		    SCOPA_MUST_TAKE_SINGLE },
		{ "escoba,priority=single", "2C7SKC", "6D", "6Dx2C7S",
		    SCOPA_LEGAL },
		{ "escoba,priority=single", "2C7SQC", "6D", "6D",
		    SCOPA_MUST_CAPTURE },
		{ "escoba,equal-fifteen=yes,priority=single", "4C6S5BQC", "6D",
		    "6DxQC", SCOPA_LEGAL },
		{ "escoba,equal-fifteen=yes,priority=single", "4C6S5B", "6D",
		    "6Dx4C5B", SCOPA_MUST_TAKE_SINGLE },
		{ "scopa,priority=any", "2C4S6S", "6D", "6Dx2C4S",
		    SCOPA_LEGAL },
		{ "scopa,priority=fewest", "2C4S6S", "6D", "6Dx2C4S",
		    SCOPA_MUST_TAKE_FEWEST },
		{ "scopa,priority=fewest", "AS2C3C4S", "6D", "6DxAS2C3C",
		    SCOPA_MUST_TAKE_FEWEST },
		{ "quindici", "2C3D5C", "KD", "KDx2C3D",
		    SCOPA_MUST_TAKE_FEWEST },
		{ "scopa,max-captured=2", "AS2C3C", "6D", "6DxAS2C3C",
		    SCOPA_TOO_MANY },
		{ "scopa,max-captured=2", "AS2C3C", "6D", "6D", SCOPA_LEGAL },
		{ "assi", "ACKC", "AD", "ADxAC", SCOPA_MUST_SWEEP },
		{ "cirulla,cirulla-ace=sweep", "4C6CKC", "AD", "ADx4CKC",
		    SCOPA_MUST_SWEEP },
		{ "scopa", "4C6CKC", "AD2D3D", "!low", SCOPA_NO_DECLARATION },
		{ "cirulla,declare=ask", "4C6CKC", "AD2D3D", "!low",
		    SCOPA_NO_DECLARATION },
	};
	bool reached[SCOPA_REFUSAL_COUNT] = { false };

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct scopa_rules rules = support_rules(cases[i].spec);
		struct scopa_deal deal;
		enum scopa_refusal refusal;
		support_position(&rules, cases[i].table, cases[i].hand, &deal);
		refusal = support_check(&rules, &deal, cases[i].move);
		if (refusal != cases[i].refusal)
			fail_msg("%s on %s by %s: %s", cases[i].move,
			    cases[i].table, cases[i].spec,
			    scopa_refusal_name(refusal));
		reached[refusal] = true;
		deal.turn = SCOPA_SEAT_NONE;
		refusal = support_check(&rules, &deal, cases[i].move);
		assert_int_equal(refusal, SCOPA_NOT_TO_MOVE);
		reached[refusal] = true;
	}
	for (int i = 0; i < SCOPA_REFUSAL_COUNT; i++)
		assert_true(reached[i]);
}
