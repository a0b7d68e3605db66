/*
 * Maximum matching, compared with a search that tries all matchings; and how
 * sure a ladder is of differences, compared with a fit.
 */
#include "pairing.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "sample.h"
#include "support.h"
#include "test.h"

/* The most pairs of the nodes that are not in `used`, by trying all. */
static int
best_count(const struct matching *matching, unsigned used)
{
	int node = 0, best;

	while (node < matching->node_count &&
	    ((used >> node & 1) != 0 || matching->gone[node]))
		node++;
	if (node == matching->node_count)
		return 0;
	used |= 1U << node;
	best = best_count(matching, used);
	for (int to = node + 1; to < matching->node_count; to++) {
		int count;

		if (!matching_joined(matching, node, to) ||
		    matching->gone[to] || (used >> to & 1) != 0)
			continue;
		count = 1 + best_count(matching, used | 1U << to);
		best = count > best ? count : best;
	}
	return best;
}

/* The number of pairs; fails if one of them is no edge. */
static int
pair_count(const struct matching *matching)
{
	int count = 0;

	for (int node = 0; node < matching->node_count; node++) {
		int mate = matching->mates[node];

		if (mate < 0)
			continue;
		assert_false(matching->gone[node]);
		assert_true(matching_joined(matching, node, mate));
		assert_int_equal(matching->mates[mate], node);
		count++;
	}
	return count / 2;
}

/* The edges of the graph of the test. */
static bool edges[MATCHING_NODES_MAX * MATCHING_NODES_MAX];

static void
draw_graph(struct matching *matching, int nodes, int percent, uint64_t *random)
{
	matching_init(matching, nodes, edges);
	for (int one = 0; one < nodes; one++)
		for (int other = 0; other < one; other++)
			if (support_random_below(random, 100) < percent)
				matching_join(matching, one, other);
}

TEST(test_matching_has_the_most_pairs_possible)
{
	uint64_t random = 7;
	int complete = 0, partial = 0;

	for (int i = 0; i < 4000; i++) {
		struct matching matching;
		int nodes = support_random_below(&random, 11);
		int percent = 5 + support_random_below(&random, 60);
		bool solved;

		draw_graph(&matching, nodes, percent, &random);
		solved = matching_solve(&matching);
		assert_int_equal(
		    pair_count(&matching), best_count(&matching, 0));
		assert_int_equal(solved, pair_count(&matching) * 2 == nodes);
		if (solved)
			complete++;
		else
			partial++;
	}
	assert_true(complete > 500 && partial > 500);
}

TEST(test_nodes_are_removed_only_if_the_others_can_still_be_paired)
{
	uint64_t random = 8;
	int removed = 0, refused = 0;

	for (int i = 0; i < 2000; i++) {
		struct matching matching, before;

		draw_graph(&matching, 10, 45, &random);
		if (!matching_solve(&matching))
			continue;
		for (int left = 10; left > 0;) {
			int one = support_random_below(&random, 10);
			int other = support_random_below(&random, 10);
			bool possible;

			if (one == other ||
			    !matching_joined(&matching, one, other) ||
			    matching.gone[one] || matching.gone[other])
				continue;
			before = matching;
			before.gone[one] = before.gone[other] = true;
			possible = best_count(&before, 0) == left / 2 - 1;
			before = matching;
			assert_int_equal(
			    matching_remove(&matching, one, other), possible);
			if (possible) {
				left -= 2;
				removed++;
				assert_true(matching.gone[one]);
				assert_true(matching.gone[other]);
				assert_int_equal(
				    pair_count(&matching), left / 2);
			} else {
				refused++;
				assert_memory_equal(
				    &matching, &before, sizeof(before));
			}
		}
	}
	assert_true(removed > 1000 && refused > 100);
}

TEST(test_largest_graph_is_matched)
{
	struct matching matching;
	uint64_t random = 9;

	for (int i = 0; i < 10; i++) {
		draw_graph(&matching, MATCHING_NODES_MAX, 5, &random);
		/* A perfect matching, hidden among other edges. */
		for (int node = 0; node < MATCHING_NODES_MAX / 2; node++)
			matching_join(
			    &matching, node, MATCHING_NODES_MAX - 1 - node);
		assert_true(matching_solve(&matching));
		assert_int_equal(pair_count(&matching), MATCHING_NODES_MAX / 2);
	}
}

/*
 * Margins of 0 do not change the variance of a block, so a fit with the picked
 * blocks is an exact reference.
 */
TEST(test_picked_blocks_join_and_narrow_as_played_ones_do)
{
	enum { BOTS = 7 };
	/* Two groups, and a bot that is suspended without any result. */
	static const int played[][2] = { { 0, 3 }, { 0, 3 }, { 3, 5 }, { 1, 2 },
		{ 2, 4 }, { 2, 4 }, { 2, 4 } };
	static const bool suspended[BOTS] = { [6] = true };
	static struct ladder ladder;
	void *memory = calloc(1, ladder_memory_size(BOTS));

	assert_non_null(memory);
	ladder_init(&ladder, BOTS, suspended, memory);
	for (size_t i = 0; i < COUNTOF(played); i++)
		moments_add(
		    &ladder_pair(&ladder, played[i][0], played[i][1])->margins,
		    0);
	ladder.generation = 1;
	ladder_draw(&ladder);
	assert_true(ladder.pick_count > 0);
	for (int i = 0; i < ladder.pick_count; i++)
		moments_add(&ladder.pairs[ladder.picks[i]].margins, 0);
	rating_margin(&ladder.fit);
	for (int one = 0; one < BOTS; one++)
		for (int other = 0; other < BOTS; other++) {
			double spread = ladder.spread[one * BOTS + other];
			double error =
			    rating_difference_error(&ladder.fit, one, other);

			if (isinf(error))
				assert_true(spread < 0);
			else
				assert_near(spread, error * error, 1e-9);
		}
	free(memory);
}
