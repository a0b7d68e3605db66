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
	int parties = scopa_party_count(rules);
	scopa_set won[SCOPA_PARTIES_MAX] = { 0 };
	scopa_set open = SCOPA_SET_ALL;
	struct random_completion completion;

	for (int party = 0; party < parties; party++)
		open &= ~deal->captured[party];
	random_completion_draw(rules, deal, random, &completion);
	for (int turn = 0; turn < parties; turn++) {
		scopa_set all = SCOPA_SET_EMPTY;
		int count = 0;

		random_completion_give(rules, deal, turn, &completion);
		assert_true(scopa_deal_over(&completion.end));
		assert_true(completion.end.table == SCOPA_SET_EMPTY);
		for (int party = 0; party < parties; party++) {
			scopa_set pile = completion.end.captured[party];

			assert_true((pile & deal->captured[party]) ==
			    deal->captured[party]);
			assert_int_equal(
			    completion.end.scopas[party], deal->scopas[party]);
			won[party] |= pile & ~deal->captured[party];
			all |= pile;
			count += scopa_set_count(pile);
		}
		assert_true(all == SCOPA_SET_ALL);
		assert_int_equal(count, SCOPA_PACK_SIZE);
	}
	for (int party = 0; party < parties; party++)
		assert_true(won[party] == open);
}

TEST(test_each_party_gets_every_open_card_once)
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
	    (size_t)scopa_party_count(&rules) * sizeof(one.shares[0]));
	random_completion_draw(&rules, &deal, &second, &two);
	assert_true(one.shares[0] != two.shares[0]);
}
