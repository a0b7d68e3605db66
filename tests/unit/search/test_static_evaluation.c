/*
 * Outlooks: what is decided and bounded holds at the end of the deal, whatever
 * is played; and positions share a key where their futures are the same.
 */
#include <stdlib.h>

#include "solve.h"
#include "static_evaluation.h"
#include "support.h"
#include "test.h"

enum { DEALS = 40 };

static struct evaluation
evaluation_of(
    const struct evaluation_terms *terms, const struct scopa_deal *deal)
{
	struct evaluation evaluation;

	evaluation_make(terms, deal, evaluation_levels_of(deal), &evaluation);
	return evaluation;
}

/* Every evaluation of a deal that is played at random must hold at its end. */
static void
play_deal(const struct scopa_rules *rules, uint64_t *rng)
{
	int lows[SCOPA_HISTORY_MAX + 1], highs[SCOPA_HISTORY_MAX + 1];
	struct evaluation_terms terms;
	struct scopa_deal deal;
	int count = 0, value;

	support_deal_random(rules, rng, 0, &deal);
	evaluation_terms_init(&terms, rules, &deal, 0);
	while (!scopa_deal_over(&deal)) {
		struct evaluation evaluation = evaluation_of(&terms, &deal);
		struct scopa_move move;

		lows[count] = evaluation.base + evaluation.low;
		highs[count++] = evaluation.base + evaluation.high;
		scopa_move_pick(rules, &deal, support_random(rng), &move);
		scopa_deal_apply(rules, &deal, &move);
	}
	value = solve_settle(rules, &deal, 0);
	for (int i = 0; i < count; i++)
		assert_in_range(
		    value + 10000, lows[i] + 10000, highs[i] + 10000);
	if (deal.winner == SCOPA_TEAM_NONE)
		assert_int_equal(evaluation_of(&terms, &deal).base, value);
}

TEST(test_bounds_hold_to_the_end_in_every_preset)
{
	static const char *const others[] = { "scopa,primiera-missing=partial",
		"scopa,primiera-missing=suits-first", "trente,count=at-once",
		"frac,frac-tie=king", "scopa,ponino=yes,last-scopa=yes",
		"scopa,teams=ABAB,grande=5,piccola=7,napola=oneplus",
		"cirulla,declare=auto", "perdere,sevens=escoba" };
	uint64_t rng = 8;

	for (int i = 0; i < scopa_preset_count; i++)
		for (int j = 0; j < DEALS; j++)
			play_deal(&scopa_presets[i].rules, &rng);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct scopa_rules rules = support_rules(others[i]);

		for (int j = 0; j < DEALS; j++)
			play_deal(&rules, &rng);
	}
}

/* Six cards in four hands; the other cards lie in the piles. */
static void
position_make(const char *table, const char *hands[4], const char *pile,
    struct scopa_deal *deal)
{
	scopa_set placed = support_set(table) | support_set(pile);

	*deal = (struct scopa_deal){
		.table = support_set(table),
		.dealt = SCOPA_PACK_SIZE,
		.dealer = 3,
		.last = 0,
		.winner = SCOPA_TEAM_NONE,
		.play_count = 30,
	};
	for (int seat = 0; seat < 4; seat++) {
		deal->hands[seat] = support_set(hands[seat]);
		placed |= deal->hands[seat];
	}
	deal->captured[0] = support_set(pile);
	deal->captured[1] = SCOPA_SET_ALL & ~placed;
}

static uint64_t
key_of(const struct scopa_deal *deal)
{
	struct scopa_rules rules = support_rules("scientifico");
	struct evaluation_terms terms;
	struct evaluation evaluation;

	evaluation_terms_init(&terms, &rules, deal, 0);
	evaluation = evaluation_of(&terms, deal);
	return evaluation_key(&evaluation);
}

static const char *const pile =
    "7D6D5DAD2D3D4DJDQD7C6C5CAC7S6S5SAS7B6B5BAB2B3B4B";

TEST(test_plain_cards_that_decide_nothing_are_alike)
{
	const char *one[4] = { "KC2C", "3S", "4C", "JS" };
	const char *two[4] = { "KS2S", "3C", "4S", "JC" };
	const char *coin[4] = { "KD2S", "3C", "4S", "JC" };
	struct scopa_deal first, second, third;

	position_make("2D", one, pile, &first);
	position_make("2D", two, pile, &second);
	position_make("2D", coin, pile, &third);
	assert_true(key_of(&first) == key_of(&second));
	assert_true(key_of(&first) != key_of(&third));
}

TEST(test_who_captured_last_is_told_apart_by_team)
{
	const char *hands[4] = { "KC2C", "3S", "4C", "JS" };
	struct scopa_deal deal;
	uint64_t key;

	position_make("2D", hands, pile, &deal);
	key = key_of(&deal);
	deal.last = 2;
	assert_true(key_of(&deal) == key);
	deal.last = 1;
	assert_true(key_of(&deal) != key);
	deal.last = 3;
	assert_true(key_of(&deal) != key);
	deal.last = SCOPA_SEAT_NONE; /* then the dealer gets the rest */
	assert_true(key_of(&deal) != key);
}

/* The points of sweeps and coins are in the base, not in the key. */
TEST(test_what_is_decided_is_not_in_the_key)
{
	struct scopa_rules rules = support_rules("scientifico");
	const char *hands[4] = { "KC2C", "3S", "4C", "JS" };
	struct evaluation_terms terms;
	struct scopa_deal deal;
	struct evaluation before, after;

	position_make("2S", hands, pile, &deal);
	evaluation_terms_init(&terms, &rules, &deal, 0);
	before = evaluation_of(&terms, &deal);
	deal.scopas[0] = 2;
	deal.scopas[1] = 1;
	after = evaluation_of(&terms, &deal);
	assert_int_equal(after.base, before.base + 1);
	assert_true(evaluation_key(&after) == evaluation_key(&before));
}
