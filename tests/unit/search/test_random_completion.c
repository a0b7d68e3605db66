/*
 * The rest of a deal by random completion: every card goes to somebody, and
 * nobody is favoured.
 */
#include "world.h"

#include <string.h>

#include "scopa/scopa.h"
#include "support.h"
#include "test.h"

/* What one draw makes of a deal. */
static void
assert_drawn(const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t *random)
{
	int teams = scopa_team_count(rules);
	scopa_set won[SCOPA_TEAMS_MAX] = { 0 };
	scopa_set open = SCOPA_SET_ALL;
	struct random_completion completion;

	for (int team = 0; team < teams; team++)
		open &= ~deal->captured[team];
	random_completion_draw(rules, deal, random, &completion);
	for (int turn = 0; turn < teams; turn++) {
		scopa_set all = SCOPA_SET_EMPTY;
		int count = 0;

		random_completion_give(rules, deal, turn, &completion);
		assert_true(scopa_deal_over(&completion.end));
		assert_true(completion.end.table == SCOPA_SET_EMPTY);
		for (int team = 0; team < teams; team++) {
			scopa_set pile = completion.end.captured[team];

			assert_true((pile & deal->captured[team]) ==
			    deal->captured[team]);
			assert_int_equal(
			    completion.end.scopas[team], deal->scopas[team]);
			won[team] |= pile & ~deal->captured[team];
			all |= pile;
			count += scopa_set_count(pile);
		}
		assert_true(all == SCOPA_SET_ALL);
		assert_int_equal(count, SCOPA_PACK_SIZE);
	}
	for (int team = 0; team < teams; team++)
		assert_true(won[team] == open);
}

TEST(test_each_team_gets_every_open_card_once)
{
	uint64_t random = 31;

	for (int i = 0; i < scopa_preset_count; i++) {
		const struct scopa_rules *rules = &scopa_presets[i].rules;
		struct scopa_deal deal;

		support_deal_random(rules, &random, 0, &deal);
		while (!scopa_deal_over(&deal)) {
			struct scopa_move move;

			assert_drawn(rules, &deal, &random);
			scopa_move_pick(rules, &deal, random, &move);
			scopa_deal_apply(rules, &deal, &move);
		}
	}
}

TEST(test_same_random_state_draws_the_same)
{
	const struct scopa_rules rules = support_rules("scopa,players=3");
	uint64_t random = 32, first, second;
	struct scopa_deal deal;
	struct random_completion one, two;

	support_deal_random(&rules, &random, 0, &deal);
	first = second = random;
	random_completion_draw(&rules, &deal, &first, &one);
	random_completion_draw(&rules, &deal, &second, &two);
	assert_true(first == second);
	assert_memory_equal(one.shares, two.shares,
	    (size_t)scopa_team_count(&rules) * sizeof(one.shares[0]));
	random_completion_draw(&rules, &deal, &second, &two);
	assert_true(one.shares[0] != two.shares[0]);
}
