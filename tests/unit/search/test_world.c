/*
 * Worlds drawn for a view: each fits the view, and all are drawn equally often;
 * the belief, with weights from the moves of others.
 */
#include "world.h"

#include <math.h>

#include "scopa/scopa.h"
#include "support.h"
#include "test.h"
#include "world_fixture.h"

enum { DEALS = 2 };

static void
assert_worlds_fit(const char *spec, uint64_t random)
{
	const struct scopa_rules parsed = support_rules(spec), *rules = &parsed;

	for (int i = 0; i < DEALS; i++) {
		struct scopa_deal deal, world;
		struct world_uniform uniform;
		struct scopa_view view;

		support_deal_random(rules, &random, i % rules->players, &deal);
		while (!scopa_deal_over(&deal)) {
			support_view(rules, &deal, deal.turn, &view);
			assert_true(world_uniform_init(&uniform, rules, &view));
			world_uniform_draw(&uniform, &random, &world);
			world_fixture_fits(rules, &deal, &world);
			/* The world can be played to its end. */
			while (!scopa_deal_over(&world))
				support_play_random(rules, &world, &random);
			support_play_random(rules, &deal, &random);
		}
	}
}

TEST(test_worlds_fit_the_view)
{
	assert_true(support_each_spec(assert_worlds_fit) > 200);
}

/* Three seats have one of these cards each; seat 0 does not see them. */
TEST(test_all_worlds_are_equally_likely)
{
	enum { DRAWS = 60000, WORLDS = 6, SPREAD = 500 };
	const struct scopa_rules rules = support_rules("scopone");
	const scopa_set cards[] = { support_set("2S"), support_set("5D"),
		support_set("KB") };
	struct world_uniform uniform;
	struct scopa_deal deal, world;
	struct scopa_view view;
	int counts[3][3] = { { 0 } };
	uint64_t random = 4;

	support_position(&rules, "3C", "7S", &deal);
	support_hold(&deal, "2S 5D KB");
	support_view(&rules, &deal, deal.turn, &view);
	assert_true(world_uniform_init(&uniform, &rules, &view));
	for (int i = 0; i < DRAWS; i++) {
		int second = 0, third = 0;

		world_uniform_draw(&uniform, &random, &world);
		while (world.hands[1] != cards[second])
			second++;
		while (world.hands[2] != cards[third])
			third++;
		counts[second][third]++;
	}
	for (int second = 0; second < 3; second++)
		for (int third = 0; third < 3; third++)
			assert_in_range(counts[second][third],
			    second == third ? 0 : DRAWS / WORLDS - SPREAD,
			    second == third ? 0 : DRAWS / WORLDS + SPREAD);
}

/* The order of the deck is as unknown as the hand of the opponent. */
TEST(test_deck_is_shuffled_too)
{
	enum { DRAWS = 6800, UNSEEN = 33, EACH = DRAWS / UNSEEN, SPREAD = 70 };
	const struct scopa_rules rules = support_rules("scopa");
	struct world_uniform uniform;
	struct scopa_deal deal, world;
	struct scopa_view view;
	int firsts[SCOPA_PACK_SIZE] = { 0 };
	uint64_t random = 5;

	support_deal_random(&rules, &random, 1, &deal);
	support_view(&rules, &deal, deal.turn, &view);
	assert_true(world_uniform_init(&uniform, &rules, &view));
	for (int i = 0; i < DRAWS; i++) {
		world_uniform_draw(&uniform, &random, &world);
		firsts[world.pack[world.dealt]]++;
	}
	for (scopa_card card = 0; card < SCOPA_PACK_SIZE; card++) {
		bool seen = scopa_set_has(view.hand | view.table, card);

		assert_in_range(firsts[card], seen ? 0 : EACH - SPREAD,
		    seen ? 0 : EACH + SPREAD);
	}
}

/*
 * Automatic declarations are public: a hand that was not declared cannot be one
 * that declares.
 */
TEST(test_hands_with_an_automatic_declaration_are_left_out)
{
	enum { DRAWS = 3000 };
	const struct scopa_rules rules = support_rules("cirulla,declare=auto");
	struct world_uniform uniform;
	struct scopa_deal deal, world;
	struct scopa_view view;
	uint64_t random = 6;

	support_deal(&rules, "5D6D7DKS QSQBJC 4C5CKD", 1, &deal);
	support_view(&rules, &deal, deal.turn, &view);
	assert_true(world_uniform_init(&uniform, &rules, &view));
	for (int i = 0; i < DRAWS; i++) {
		scopa_set hand;

		world_uniform_draw(&uniform, &random, &world);
		hand = world.hands[1];
		if (!scopa_set_has(hand, support_card("7C")))
			assert_true(scopa_set_total(hand) > 9);
	}
}

/* The view of the second seat of Cirulla; the first has declared and played. */
TEST(test_view_with_cards_missing_is_refused)
{
	const struct scopa_rules rules = support_rules("cirulla");
	struct scopa_view views[5];
	struct world_uniform uniform;
	struct scopa_deal deal;

	support_deal(&rules, "3C6D6BKC AC2B3D 5D7SKB", 1, &deal);
	support_plays(&rules, &deal, "!low 2Bx3CKC");
	for (size_t i = 0; i < COUNTOF(views); i++)
		support_view(&rules, &deal, 1, &views[i]);
	deal.dealt = 99;
	views[0].deck_count++;
	views[1].table &= views[1].table - 1;
	views[2].hand_counts[1]--;
	views[3].hand = SCOPA_SET_EMPTY;
	views[3].hand_counts[1] = 0;
	views[4].seat = SCOPA_SEAT_NONE;
	for (size_t i = 0; i < COUNTOF(views); i++) {
		assert_false(imagine_deal(&rules, &views[i], &deal));
		assert_false(world_uniform_init(&uniform, &rules, &views[i]));
	}
	assert_int_equal(deal.dealt, 99);
}

/*
 * The belief: its worlds fit the view, and their weights are equal to those of
 * a replay with each hand.
 */
enum { WORLDS = 64 };

static struct belief belief;
static struct scopa_move moves[SCOPA_MOVES_MAX];

/* Prefers high cards, and captures twice as much, with any hand. */
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

	/* A seat that can declare does so, like good players. */
	if (moves[count - 1].declaration != SCOPA_DECLARE_NOTHING)
		return moves[count - 1];
	return moves[support_random_below(random, count)];
}

static void
assert_pool(const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t *random)
{
	double sum = 0;
	struct scopa_deal world;

	world_fixture_believe(&belief, &listing, rules, deal, random);
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

TEST(test_worlds_of_a_belief_fit_the_view)
{
	assert_true(support_each_spec(assert_pools) > 200);
}

/* Hands that the rules would have declared are nearly left out. */
TEST(test_belief_knows_that_a_hand_was_not_declared)
{
	struct belief_config chain = listing;
	const struct scopa_rules rules = support_rules("cirulla,declare=auto");
	struct scopa_deal deal;
	uint64_t random = 6;
	int low = 0;

	chain.worlds = BELIEF_WORLDS_MAX;
	support_deal(&rules, "5D6D7DKS QSQBJC 4C5CKD", 1, &deal);
	world_fixture_believe(&belief, &chain, &rules, &deal, &random);
	for (int i = 0; i < belief.world_count; i++)
		low +=
		    !scopa_set_has(belief.worlds[i][0], support_card("7C")) &&
		    scopa_set_total(belief.worlds[i][0]) <= 9;
	assert_in_range(low, 0, 10);
}

/*
 * Each play is judged in the position in which it was made, except for hands
 * that are not public.
 */
static void
assert_replays(const char *spec, uint64_t random)
{
	const struct scopa_rules rules = support_rules(spec);
	struct scopa_deal deal, before[SCOPA_PACK_SIZE];

	support_deal_random(&rules, &random,
	    support_random_below(&random, rules.players), &deal);
	while (!scopa_deal_over(&deal)) {
		struct scopa_move move = move_random(&rules, &deal, &random);

		before[deal.play_count] = deal;
		world_fixture_believe(
		    &belief, &listing, &rules, &deal, &random);
		for (int i = 0; i < belief.holder_count; i++)
			for (int j = 0; j < belief.holders[i].play_count; j++) {
				const struct scopa_deal *judged =
				    &belief.holders[i].plays[j].before;
				const struct scopa_deal *was =
				    &before[judged->play_count];

				assert_int_equal(judged->turn, was->turn);
				assert_int_equal(judged->table, was->table);
				assert_int_equal(judged->dealt, was->dealt);
				assert_int_equal(judged->last, was->last);
				assert_int_equal(judged->matta, was->matta);
				assert_int_equal(judged->shown, was->shown);
				assert_int_equal(
				    judged->untouched, was->untouched);
				assert_memory_equal(judged->captured,
				    was->captured, sizeof(was->captured));
				assert_memory_equal(judged->scopas, was->scopas,
				    sizeof(was->scopas));
				for (int k = 0; k < rules.players; k++)
					assert_int_equal(
					    scopa_set_count(judged->hands[k]),
					    scopa_set_count(was->hands[k]));
			}
		scopa_deal_apply(&rules, &deal, &move);
	}
}

TEST(test_plays_are_judged_in_the_position_in_which_they_were_made)
{
	for (uint64_t random = 1; random < 10; random++) {
		assert_replays("cirulla", random);
		assert_replays("cirulla,players=3", random);
		assert_replays("cirulla,declare=auto", random);
		assert_replays("scopa,players=6", random);
		assert_replays("scopone", random);
	}
}

/* A deal, and its states before each play of the last round. */
struct history {
	struct scopa_rules rules;
	struct scopa_deal before[SCOPA_HISTORY_MAX];
	struct scopa_move made[SCOPA_HISTORY_MAX];
	int count;
	struct scopa_deal now;
};

/* Plays until at most `left` cards are in the hands. */
static void
history_play(
    struct history *history, const char *spec, int left, uint64_t *random)
{
	history->rules = support_rules(spec);
	history->count = 0;
	support_deal_random(&history->rules, random,
	    support_random_below(random, history->rules.players),
	    &history->now);
	for (;;) {
		struct scopa_deal *now = &history->now;
		int cards = SCOPA_PACK_SIZE - now->dealt;

		for (int i = 0; i < history->rules.players; i++)
			cards += scopa_set_count(now->hands[i]);
		if (cards <= left)
			return;
		history->made[history->count] =
		    move_random(&history->rules, now, random);
		history->before[history->count] = *now;
		scopa_deal_apply(
		    &history->rules, now, &history->made[history->count]);
		history->count++;
		if (cards == 1 + history->rules.players * history->rules.hand)
			history->count = 0;
	}
}

/*
 * The product over all plays of others, replayed with the hands of this world.
 */
static double
weight_by_replay(const struct history *history, const struct scopa_deal *world)
{
	float weights[SCOPA_MOVES_MAX];
	double weight = 1;

	for (int i = 0; i < history->count; i++) {
		struct scopa_deal deal = history->before[i];
		int seat = deal.turn, count;

		if (seat == history->now.turn)
			continue;
		deal.hands[seat] &= ~history->now.hands[seat];
		deal.hands[seat] |= world->hands[seat];
		count =
		    scopa_moves(&history->rules, &deal, moves, SCOPA_MOVES_MAX);
		judge(NULL, &history->rules, &deal, moves, count, weights);
		for (int j = 0; j < count; j++)
			if (scopa_move_equal(&moves[j], &history->made[i]))
				weight *=
				    0.9 * (double)weights[j] + 0.1 / count;
	}
	return weight;
}

static void
assert_weights(const struct history *history, uint64_t *random)
{
	double sum = 0;
	struct scopa_deal world;

	world_fixture_believe(
	    &belief, &listing, &history->rules, &history->now, random);
	assert_true(belief.listed);
	for (int i = 0; i < belief.world_count; i++) {
		belief_world(&belief, i, random, &world);
		sum += weight_by_replay(history, &world);
	}
	for (int i = 0; i < belief.world_count; i++) {
		belief_world(&belief, i, random, &world);
		assert_true(
		    fabs(belief.weights[i] -
			weight_by_replay(history, &world) / sum) < 1e-5);
	}
}

TEST(test_weights_are_equal_to_those_of_a_replay)
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
	static struct history history;
	uint64_t random = 2;

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		history_play(&history, cases[i].spec, cases[i].left, &random);
		assert_weights(&history, &random);
		assert_int_equal(belief.world_count, cases[i].worlds);
	}
}

/* The Markov chain and the list of all worlds give the same chances. */
TEST(test_markov_chain_agrees_with_the_list_of_worlds)
{
	static struct belief listed;
	static struct history history;
	struct belief_config chain = listing;
	uint64_t random = 4;

	chain.listed_max = 0;
	chain.worlds = BELIEF_WORLDS_MAX;
	chain.swaps = 32;
	history_play(&history, "scientifico", 12, &random);
	world_fixture_believe(
	    &belief, &listing, &history.rules, &history.now, &random);
	listed = belief;
	world_fixture_believe(
	    &belief, &chain, &history.rules, &history.now, &random);
	assert_true(listed.listed);
	assert_false(belief.listed);
	for (int seat = 0; seat < history.rules.players; seat++)
		for (scopa_card card = 0; card < SCOPA_PACK_SIZE; card++)
			assert_true(
			    fabs(belief_chance(&belief, seat, card) -
				belief_chance(&listed, seat, card)) < 0.06);
}
