/*
 * Who may hold what.
 */
#include "reply_analysis.h"

#include <math.h>

#include "scopa/scopa.h"
#include "support.h"
#include "test.h"

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
	struct scopa_view view;

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

TEST(test_own_and_shown_hands_are_certain)
{
	struct holding holding;

	deal_cards("cirulla", "KDQDJD6DKSKCQSAS2B4C", 1);
	support_play(&rules, &deal, "KSxKD");
	support_play(&rules, &deal, "!low");
	guess(0, &holding);
	assert_true(chance_of(&holding, 1, "AS") == 1);
	assert_true(chance_of(&holding, 1, "KB") == 0);
	assert_true(chance_of(&holding, 0, "KC") == 1);
	assert_true(chance_of(&holding, 0, "AS") == 0);
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

TEST(test_new_hand_is_not_doubted)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	struct scopa_effect effect;
	struct holding holding;

	deal_cards("scopa", "AD2D2CKC JDJCJS 6SQSQB", 1);
	do {
		scopa_moves(&rules, &deal, moves, SCOPA_MOVES_MAX);
		effect = scopa_deal_apply(&rules, &deal, &moves[0]);
	} while (!effect.dealt);
	guess(0, &holding);
	assert_true(fabs(chance_of(&holding, 1, "5S") -
			chance_of(&holding, 1, "KS")) < 0.001);
}
