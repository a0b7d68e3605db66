/*
 * What moves leave to the others, and who may hold what.
 */
#include "reply_analysis.h"

#include <math.h>
#include <string.h>

#include "scopa/scopa.h"
#include "support.h"
#include "test.h"

static struct scopa_rules rules;
static struct scopa_deal deal;
static struct scopa_view view;
static struct reply_context context;
static struct reply_analysis replies;

/* Seat 0 of two has the move; seat 1 holds `other`, which it knows. */
static void
look(const char *spec, const char *table, const char *hand, const char *other,
    const char *move_text)
{
	struct scopa_move move = { .seat = 0 };

	rules = support_rules(spec);
	support_position(&rules, table, hand, &deal);
	support_hold(&deal, other);
	support_view(&rules, &deal, 0, &view);
	assert_int_equal(scopa_move_parse(move_text, strlen(move_text), &move),
	    SCOPA_PARSED);
	reply_context_init(&context, &rules, &view, &deal);
	reply_analysis_make(&context, &move, &replies);
}

TEST(test_cards_that_take_and_sweep_are_found)
{
	/* The hidden cards are all with seat 1: what it holds is certain. */
	look("scopa", "3C4S", "KDQD", "7SJS", "KD");
	assert_int_equal(replies.takers, support_set("7S"));
	assert_int_equal(replies.sweepers, SCOPA_SET_EMPTY);
	assert_true(replies.taken[0] > 0 && replies.swept[0] == 0);
	assert_true(fabs(replies.idle[0]) < 0.001);
	look("scopa", "3C4S", "ADQD", "JSKC", "AD");
	assert_int_equal(replies.sweepers, support_set("JS"));
	assert_true(replies.swept[0] > 0.99);
	look("quindici", "3C4S", "ADQD", "JS7C", "AD");
	assert_int_equal(replies.sweepers, support_set("7C"));
}

TEST(test_table_that_was_swept_leaves_nothing)
{
	look("scopa", "3C4S", "7DQD", "JS7C", "7Dx3C4S");
	assert_true(replies.effect.scopa);
	assert_int_equal(replies.takers, SCOPA_SET_EMPTY);
	assert_true(replies.taken[0] == 0 && replies.idle[0] == 1);
}

TEST(test_own_hand_is_looked_at_last)
{
	look("scopa", "3C4S", "KDKS", "JSQC", "KD");
	assert_true(replies.idle[0] == 1);
	assert_true(replies.taken[1] > 0 && replies.idle[1] == 0);
	assert_true(reply_analysis_chance(
			&context, &replies, 0, support_card("KS")) == 1);
	assert_true(reply_analysis_chance(
			&context, &replies, 0, support_card("KD")) == 0);
}

TEST(test_sweeps_that_do_not_score_are_none)
{
	look("frac", "3C4S", "ADQD", "JSKC", "AD");
	assert_int_equal(replies.sweepers, SCOPA_SET_EMPTY);
	look("assi", "3C4S", "KDQD", "ASKC", "QD");
	assert_int_equal(replies.sweepers, support_set("AS"));
	look("assi-noscopa", "3C4S", "KDQD", "ASKC", "QD");
	assert_int_equal(replies.sweepers, SCOPA_SET_EMPTY);
}

static struct scopa_deal deal;
static struct scopa_rules rules;

/* Deals `cards` from the front of the pack; seat 3 is the dealer. */
static void
deal_cards(const char *spec, const char *cards, int dealer)
{
	uint8_t pack[SCOPA_PACK_SIZE];

	rules = support_rules(spec);
	support_pack(cards, pack);
	assert_int_equal(
	    scopa_deal_start(&rules, pack, dealer, &deal), SCOPA_START_PLAY);
}

static void
guess(int seat, struct holding *holding)
{
	support_view(&rules, &deal, seat, &view);
	holding_guess(&rules, &view, holding);
}

/* Rows add up to hands, columns to one. */
static void
assert_adds_up(const struct holding *holding)
{
	for (int seat = 0; seat < rules.players; seat++) {
		double sum = 0;

		for (int card = 0; card < SCOPA_PACK_SIZE; card++)
			sum += holding->chance[seat][card];
		assert_true(
		    fabs(sum - scopa_set_count(deal.hands[seat])) < 0.02);
	}
}

static double
chance_of(const struct holding *holding, int seat, const char *card)
{
	return holding->chance[seat][support_card(card)];
}

TEST(test_hidden_cards_are_shared_by_what_hands_hold)
{
	struct holding holding;

	deal_cards("scopa", "2D3D4D5D", 1);
	guess(0, &holding);
	assert_adds_up(&holding);
	/* Of 33 hidden cards three are with the other player. */
	assert_true(fabs(chance_of(&holding, 1, "KS") - 3.0 / 33) < 0.001);
	assert_true(
	    fabs(chance_of(&holding, HOLDING_DECK, "KS") - 30.0 / 33) < 0.001);
	assert_true(chance_of(&holding, 1, "2D") == 0);
}

TEST(test_who_did_not_sweep_has_hardly_the_card)
{
	struct holding holding;

	/* A 5 would have swept what seat 0 left, and seat 1 lays a knave. */
	deal_cards(
	    "scopone", "AD2D2CKC KD3D4D6DQDACQCQSJD KSKB7S6S6CJCJSQB7C", 3);
	support_play(&rules, &deal, "KDxKC");
	support_play(&rules, &deal, "JC");
	guess(2, &holding);
	assert_adds_up(&holding);
	assert_true(chance_of(&holding, 1, "5D") < 0.1);
	assert_true(
	    chance_of(&holding, 0, "5D") > 3 * chance_of(&holding, 1, "5D"));
	/* An ace or a 4 would have taken something, a king nothing. */
	assert_true(
	    chance_of(&holding, 1, "4C") < chance_of(&holding, 1, "QS"));
}
