/*
 * Worlds drawn for a view: that they fit it, and that none is drawn more often
 * than another.
 */
#include "world.h"

#include <string.h>

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
		struct scopa_move move;

		support_deal_random(rules, &random, i % rules->players, &deal);
		while (!scopa_deal_over(&deal)) {
			support_view(rules, &deal, deal.turn, &view);
			assert_true(world_uniform_init(&uniform, rules, &view));
			world_uniform_draw(&uniform, &random, &world);
			world_fixture_fits(rules, &deal, &world);
			/* And it can be played on. */
			while (!scopa_deal_over(&world)) {
				scopa_move_pick(rules, &world,
				    support_random(&random), &move);
				scopa_deal_apply(rules, &world, &move);
			}
			scopa_move_pick(
			    rules, &deal, support_random(&random), &move);
			scopa_deal_apply(rules, &deal, &move);
		}
	}
}

TEST(test_worlds_fit_the_view)
{
	assert_true(support_each_spec(assert_worlds_fit) > 200);
}

/* Three seats hold one of these cards each that seat 0 does not see. */
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

/* The stock is as unknown as the other hand, in every order. */
TEST(test_stock_is_shuffled_too)
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

/* A declared hand is public, and so are hands that would have been declared. */
TEST(test_hands_that_declare_by_themselves_are_left_out)
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

/* What the second seat of Cirulla sees; the first has declared and played. */
static void
view_fill(const struct scopa_rules *rules, struct scopa_view *view)
{
	struct scopa_deal deal;

	support_deal(rules, "3C6D6BKC AC2B3D 5D7SKB", 1, &deal);
	support_plays(rules, &deal, "!low 2Bx3CKC");
	support_view(rules, &deal, 1, view);
}

TEST(test_imagined_deal_agrees_with_the_view)
{
	const struct scopa_rules rules = support_rules("cirulla");
	struct scopa_view view;
	struct scopa_deal deal;

	view_fill(&rules, &view);
	assert_true(imagine_deal(&rules, &view, &deal));
	assert_int_equal(deal.turn, 1);
	assert_true(deal.hands[1] == support_set("5D7SKB"));
	assert_true(deal.hands[0] == support_set("AC3D"));
	assert_true(deal.table == support_set("6D6B"));
	assert_true(support_deal_is_whole(&deal));
}

TEST(test_view_with_cards_missing_is_refused)
{
	const struct scopa_rules rules = support_rules("cirulla");
	struct scopa_view views[5];
	struct world_uniform uniform;
	struct scopa_deal deal = { .dealt = 99 };

	for (size_t i = 0; i < COUNTOF(views); i++)
		view_fill(&rules, &views[i]);
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
