/*
 * Outlooks: what is decided and bounded holds at the end of the deal, whatever
 * is played; and positions share a key where their futures are the same.
 */
#include "static_evaluation.h"

#include <stdlib.h>

#include "solve.h"
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
	for (size_t i = 0; i < COUNTOF(others); i++) {
		struct scopa_rules rules = support_rules(others[i]);

		for (int j = 0; j < DEALS; j++)
			play_deal(&rules, &rng);
	}
}
