/*
 * The last cards: every world that is left is solved.
 */
#include "solve.h"

#include <math.h>
#include <stdlib.h>

#include "scopa/scopa.h"
#include "support.h"
#include "test.h"
#include "world.h"

enum { TABLE_SIZE = 1 << 22 };

static struct belief belief;
static struct search_result result;

/* Solves what seat 0 sees; `other` is in the hand of seat 1. */
static bool
solve(const char *table, const char *hand, const char *other, int plies_max)
{
	static const struct belief_config config = {
		.worlds = 8,
		.swaps = 4,
		.listed_max = 8,
	};
	static struct scopa_rules rules;
	struct solve_limits limits = {
		.plies_max = plies_max,
		.memory = calloc(1, TABLE_SIZE),
		.memory_size = TABLE_SIZE,
	};
	struct scopa_view view;
	struct scopa_deal deal, imagined;
	uint64_t random = 1;
	bool solved;

	assert_non_null(limits.memory);
	rules = support_rules("scopa");
	support_position(&rules, table, hand, &deal);
	support_hold(&deal, other);
	support_view(&rules, &deal, 0, &view);
	assert_true(imagine_deal(&rules, &view, &imagined));
	belief_draw_pool(&belief, &config, &rules, &view, &imagined, &random);
	assert_true(belief.listed);
	solved = endgame_solve(&belief, &limits, &random, &result);
	free(limits.memory);
	return solved;
}

TEST(test_one_world_is_played_exactly)
{
	/* The ace lets the other sweep three with the 3; the king does not. */
	assert_true(solve("2C", "ADKB", "3C4S", 4));
	assert_int_equal(belief.world_count, 1);
	assert_int_equal(result.row_count, 2);
	assert_int_equal(
	    result.rows[result.best].move.card, support_card("KB"));
	assert_int_equal(result.line_count, 1);
	for (int i = 0; i < result.row_count; i++)
		assert_true(
		    result.rows[i].value <= result.rows[result.best].value);
}

TEST(test_limits_are_kept)
{
	assert_false(solve("2C", "ADKB", "3C4S", 3));
}

static bool
stop(void *context)
{
	++*(int *)context;
	return true;
}

TEST(test_many_worlds_can_be_called_off)
{
	static const struct belief_config config = {
		.worlds = 8,
		.swaps = 4,
		.listed_max = 90,
	};
	static const char *const hands[] = { "ADKB", "3C4S", "6B7D", "KDKC" };
	const struct scopa_rules rules = support_rules("scopone");
	int asked = 0;
	const struct solve_limits limits = {
		.memory = calloc(1, TABLE_SIZE),
		.memory_size = TABLE_SIZE,
		.stopped = stop,
		.context = &asked,
	};
	struct scopa_view view;
	struct scopa_deal deal, imagined;
	uint64_t random = 1;

	assert_non_null(limits.memory);
	support_position(&rules, "2C", hands[0], &deal);
	for (int seat = 1; seat < rules.players; seat++) {
		deal.hands[seat] = support_set(hands[seat]);
		deal.captured[1] &= ~deal.hands[seat];
	}
	support_view(&rules, &deal, 0, &view);
	assert_true(imagine_deal(&rules, &view, &imagined));
	belief_draw_pool(&belief, &config, &rules, &view, &imagined, &random);
	assert_true(belief.listed && belief.world_count == 90);
	assert_false(endgame_solve(&belief, &limits, &random, &result));
	assert_int_equal(asked, 1);
	free(limits.memory);
}
