/*
 * Deals imagined from views.
 */
#include "world.h"

#include "support.h"
#include "test.h"

/* What the second seat of Cirulla sees; the first has declared and played. */
static void
view_fill(const struct scopa_rules *rules, struct scopa_view *view)
{
	const struct scopa_move declaration = {
		.card = SCOPA_CARD_NONE,
		.declaration = SCOPA_DECLARE_LOW,
	};
	struct scopa_deal deal;

	support_deal(rules, "3C6D6BKC AC2B3D 5D7SKB", 1, &deal);
	assert_int_equal(
	    scopa_deal_check(rules, &deal, &declaration), SCOPA_LEGAL);
	scopa_deal_apply(rules, &deal, &declaration);
	support_play(rules, &deal, "2Bx3CKC");
	support_view(rules, &deal, 1, view);
}

TEST(test_imagined_deal_agrees_with_the_view)
{
	const struct scopa_rules rules = support_rules("cirulla");
	struct scopa_view view;
	struct scopa_deal deal;
	scopa_set all;

	view_fill(&rules, &view);
	assert_true(imagine_deal(&rules, &view, &deal));
	assert_int_equal(deal.turn, 1);
	assert_true(deal.hands[1] == support_set("5D7SKB"));
	assert_true(deal.hands[0] == support_set("AC3D"));
	assert_true(deal.table == support_set("6D6B"));
	all = deal.table | deal.captured[0] | deal.hands[0] | deal.hands[1];
	for (int i = deal.dealt; i < SCOPA_PACK_SIZE; i++)
		all |= scopa_set_of(deal.pack[i]);
	assert_true(all == SCOPA_SET_ALL);
}

TEST(test_view_with_cards_missing_is_refused)
{
	const struct scopa_rules rules = support_rules("cirulla");
	struct scopa_view good, view;
	struct scopa_deal deal = { .dealt = 99 };

	view_fill(&rules, &good);
	view = good;
	view.deck_count++;
	assert_false(imagine_deal(&rules, &view, &deal));
	view = good;
	view.table &= view.table - 1;
	assert_false(imagine_deal(&rules, &view, &deal));
	view = good;
	view.hand_counts[1]--;
	assert_false(imagine_deal(&rules, &view, &deal));
	view = good;
	view.hand = SCOPA_SET_EMPTY;
	view.hand_counts[1] = 0;
	assert_false(imagine_deal(&rules, &view, &deal));
	view = good;
	view.seat = SCOPA_SEAT_NONE;
	assert_false(imagine_deal(&rules, &view, &deal));
	assert_int_equal(deal.dealt, 99);
}
