/*
 * The belief: its worlds fit what the seat has seen, and their weights are the
 * ones that a replay with every hand gives.
 */
#include "world.h"

#include <math.h>
#include <string.h>

#include "scopa/scopa.h"
#include "support.h"
#include "test.h"
#include "world_fixture.h"

enum { WORLDS = 64 };

static struct belief belief;
static struct scopa_move moves[SCOPA_MOVES_MAX];

/* Likes high cards, and captures twice as much: no hand changes that. */
static void
judge(void *context, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *list, int count,
    float *weights)
{
	float sum = 0;

	(void)context;
	(void)rules;
	(void)deal;
	for (int i = 0; i < count; i++) {
		weights[i] = list[i].card == SCOPA_CARD_NONE
		    ? 50
		    : (float)scopa_card_value(list[i].card);
		if (list[i].captured != SCOPA_SET_EMPTY)
			weights[i] *= 2;
		sum += weights[i];
	}
	for (int i = 0; i < count; i++)
		weights[i] /= sum;
}

static const struct belief_config listing = {
	.judge = judge,
	.trust = 0.9,
	.worlds = WORLDS,
	.swaps = 8,
	.listed_max = BELIEF_WORLDS_MAX,
};

static struct scopa_move
move_random(const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t *random)
{
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);

	/* Whoever can declare does, as good players do. */
	if (moves[count - 1].declaration != SCOPA_DECLARE_NOTHING)
		return moves[count - 1];
	return moves[support_random_below(random, count)];
}

static void
believe(const struct belief_config *config, const struct scopa_rules *rules,
    const struct scopa_deal *deal, uint64_t *random)
{
	struct scopa_view view;
	struct scopa_deal imagined;

	world_fixture_imagine(rules, deal, &view, &imagined);
	belief_draw_pool(&belief, config, rules, &view, &imagined, random);
}

static void
assert_pool(const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t *random)
{
	double sum = 0;
	struct scopa_deal world;

	believe(&listing, rules, deal, random);
	assert_true(belief.world_count > 0);
	assert_true(belief.ess > 0.99);
	assert_true(belief.ess < belief.world_count + 0.01);
	for (int i = 0; i < belief.world_count; i++) {
		assert_true(belief.weights[i] > 0);
		sum += belief.weights[i];
		if (i < WORLDS) {
			belief_world(&belief, i, random, &world);
			world_fixture_fits(rules, deal, &world);
		}
	}
	assert_true(fabs(sum - 1) < 1e-9);
	for (int i = 0; i < WORLDS; i++) {
		belief_pick(&belief, random, &world);
		world_fixture_fits(rules, deal, &world);
	}
}

static void
assert_pools(const char *spec, uint64_t random)
{
	const struct scopa_rules rules = support_rules(spec);
	struct scopa_deal deal;

	support_deal_random(&rules, &random,
	    support_random_below(&random, rules.players), &deal);
	while (!scopa_deal_over(&deal)) {
		struct scopa_move move = move_random(&rules, &deal, &random);

		assert_pool(&rules, &deal, &random);
		scopa_deal_apply(&rules, &deal, &move);
	}
}

TEST(test_worlds_fit_the_view)
{
	assert_true(support_each_spec(assert_pools) > 200);
}

/* One deal with what it was before every play of the last round. */
struct story {
	struct scopa_rules rules;
	struct scopa_deal before[SCOPA_HISTORY_MAX];
	struct scopa_move made[SCOPA_HISTORY_MAX];
	int count;
	struct scopa_deal now;
};

/* Plays until the seats together hold so few cards. */
static void
story_play(struct story *story, const char *spec, int left, uint64_t *random)
{
	story->rules = support_rules(spec);
	story->count = 0;
	support_deal_random(&story->rules, random,
	    support_random_below(random, story->rules.players), &story->now);
	for (;;) {
		struct scopa_deal *now = &story->now;
		int cards = SCOPA_PACK_SIZE - now->dealt;

		for (int i = 0; i < story->rules.players; i++)
			cards += scopa_set_count(now->hands[i]);
		if (cards <= left)
			return;
		story->made[story->count] =
		    move_random(&story->rules, now, random);
		story->before[story->count] = *now;
		scopa_deal_apply(
		    &story->rules, now, &story->made[story->count]);
		story->count++;
		if (cards == 1 + story->rules.players * story->rules.hand)
			story->count = 0;
	}
}

/* The product over all plays of others, each hand replayed as a whole. */
static double
weight_by_replay(const struct story *story, const struct scopa_deal *world)
{
	float weights[SCOPA_MOVES_MAX];
	double weight = 1;

	for (int i = 0; i < story->count; i++) {
		struct scopa_deal deal = story->before[i];
		int seat = deal.turn, count;

		if (seat == story->now.turn)
			continue;
		deal.hands[seat] &= ~story->now.hands[seat];
		deal.hands[seat] |= world->hands[seat];
		count =
		    scopa_moves(&story->rules, &deal, moves, SCOPA_MOVES_MAX);
		judge(NULL, &story->rules, &deal, moves, count, weights);
		for (int j = 0; j < count; j++)
			if (scopa_move_equal(&moves[j], &story->made[i]))
				weight *=
				    0.9 * (double)weights[j] + 0.1 / count;
	}
	return weight;
}

static void
assert_weights(const struct story *story, uint64_t *random)
{
	double sum = 0;
	struct scopa_deal world;

	believe(&listing, &story->rules, &story->now, random);
	assert_true(belief.listed);
	for (int i = 0; i < belief.world_count; i++) {
		belief_world(&belief, i, random, &world);
		sum += weight_by_replay(story, &world);
	}
	for (int i = 0; i < belief.world_count; i++) {
		belief_world(&belief, i, random, &world);
		assert_true(fabs(belief.weights[i] -
				weight_by_replay(story, &world) / sum) < 1e-5);
	}
}

TEST(test_weights_are_those_of_a_replay)
{
	static const struct {
		const char *spec;
		int left, worlds;
	} cases[] = {
		{ "scopa,players=3", 3, 2 },
		{ "scopa,players=3", 6, 6 },
		{ "scientifico", 8, 90 },
		{ "scopone", 8, 90 },
		{ "scientifico", 12, 1680 },
		{ "escoba,players=3", 6, 6 },
	};
	static struct story story;
	uint64_t random = 2;

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		story_play(&story, cases[i].spec, cases[i].left, &random);
		assert_weights(&story, &random);
		assert_int_equal(belief.world_count, cases[i].worlds);
	}
}

/* The chain ends where the list begins: the same chances. */
TEST(test_chain_agrees_with_the_list)
{
	static struct belief listed;
	static struct story story;
	struct belief_config chain = listing;
	uint64_t random = 4;

	chain.listed_max = 0;
	chain.worlds = BELIEF_WORLDS_MAX;
	chain.swaps = 32;
	story_play(&story, "scientifico", 12, &random);
	believe(&listing, &story.rules, &story.now, &random);
	listed = belief;
	believe(&chain, &story.rules, &story.now, &random);
	assert_true(listed.listed);
	assert_false(belief.listed);
	for (int seat = 0; seat < story.rules.players; seat++)
		for (scopa_card card = 0; card < SCOPA_PACK_SIZE; card++)
			assert_true(
			    fabs(belief_chance(&belief, seat, card) -
				belief_chance(&listed, seat, card)) < 0.06);
}
