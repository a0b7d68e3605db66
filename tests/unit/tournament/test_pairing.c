/*
 * Matching, against a search that tries all; and a ladder, whose blocks go
 * where they tell most.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pairing.h"
#include "schedule_fixture.h"
#include "support.h"
#include "test.h"

/* The most pairs of the nodes that are not used yet, by trying all. */
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

/* The number of pairs, each of which is one. */
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

/* Of the graph of the test. */
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

TEST(test_there_are_as_many_pairs_as_can_be)
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

TEST(test_nodes_are_taken_only_if_the_others_keep_mates)
{
	uint64_t random = 8;
	int taken = 0, refused = 0;

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
				taken++;
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
	assert_true(taken > 1000 && refused > 100);
}

TEST(test_the_largest_graph_is_solved)
{
	struct matching matching;
	uint64_t random = 9;

	for (int i = 0; i < 10; i++) {
		draw_graph(&matching, MATCHING_NODES_MAX, 5, &random);
		/* A hidden way to pair all, among false ones. */
		for (int node = 0; node < MATCHING_NODES_MAX / 2; node++)
			matching_join(
			    &matching, node, MATCHING_NODES_MAX - 1 - node);
		assert_true(matching_solve(&matching));
		assert_int_equal(pair_count(&matching), MATCHING_NODES_MAX / 2);
	}
}

enum { BOTS_MAX = 128 };

/* How often each two have met, skipped or not. */
struct meetings {
	int counts[BOTS_MAX][BOTS_MAX];
};

static const struct meetings *
meetings_of(const struct schedule_fixture *fixture, int64_t from)
{
	static struct meetings meetings;

	memset(&meetings, 0, sizeof(meetings));
	for (int64_t i = from; i < fixture->count; i++) {
		const struct block_plan *plan = &fixture->plans[i];

		meetings.counts[plan->bots[0]][plan->bots[1]]++;
		meetings.counts[plan->bots[1]][plan->bots[0]]++;
	}
	return &meetings;
}

TEST(test_a_ring_joins_all_first)
{
	for (int bots = 2; bots <= 40; bots++) {
		int ring = bots == 2 ? 1 : bots;
		struct schedule_fixture *fixture = schedule_fixture_open(
		    "ladder scopa bots=%d blocks=%d noise=9", bots, 3 * ring);

		assert_int_equal(fixture->count, 3 * ring);
		for (int i = 0; i < 3 * ring; i++) {
			const struct block_plan *plan = &fixture->plans[i];
			int one = i % ring, other = (one + 1) % bots;

			assert_int_equal(
			    plan->bots[0] + plan->bots[1], one + other);
			assert_true(
			    plan->bots[0] == one || plan->bots[1] == one);
			assert_int_equal(plan->round, i / ring);
			assert_int_equal(plan->stage, 0);
		}
	}
}

TEST(test_each_block_of_a_pair_has_new_packs)
{
	struct schedule_fixture *fixture =
	    schedule_fixture_open("ladder scopa bots=7 blocks=300 noise=9");
	int rounds[7][7] = { { 0 } };

	for (int64_t i = 0; i < fixture->count; i++) {
		const struct block_plan *plan = &fixture->plans[i];

		assert_int_equal(
		    plan->round, rounds[plan->bots[0]][plan->bots[1]]++);
	}
}

/* Two are equal, the others far away from them and each other. */
TEST(test_blocks_go_to_those_that_are_hard_to_distinguish)
{
	static const char *const texts[] = { "scopa bots=6 blocks=400",
		"scopa bots=6 blocks=400 single", "perdere bots=6 blocks=400" };

	for (size_t i = 0; i < COUNTOF(texts); i++) {
		const struct meetings *meetings =
		    meetings_of(schedule_fixture_open("ladder %s noise=6 "
						      "points=0,20,40,60,40,80",
				    texts[i]),
			0);

		assert_true(meetings->counts[2][4] > 200);
		for (int one = 0; one < 6; one++)
			for (int other = 0; other < one; other++)
				if (one != 4 || other != 2)
					assert_true(
					    meetings->counts[one][other] < 40);
	}
}

TEST(test_who_is_suspended_is_chosen_no_more)
{
	/* Without these two the ring has fallen into two parts. */
	const struct meetings *meetings = meetings_of(
	    schedule_fixture_open("ladder scopa bots=6 blocks=200 "
				  "ahead=64 noise=6 out=1@0 out=4@0"),
	    18);

	for (int bot = 0; bot < 6; bot++) {
		int blocks = 0;

		assert_int_equal(meetings->counts[1][bot], 0);
		assert_int_equal(meetings->counts[4][bot], 0);
		for (int other = 0; other < 6; other++)
			blocks += meetings->counts[bot][other];
		if (bot != 1 && bot != 4)
			assert_in_range(blocks, 20, 160);
	}
}

TEST(test_one_bot_alone_is_the_end)
{
	struct schedule_fixture *fixture =
	    schedule_fixture_open("ladder scopa bots=3 blocks=200 ahead=64 "
				  "noise=6 out=2@8 out=0@20");

	/* The ring, and the generation in which the last but one left. */
	assert_int_equal(fixture->count, 9 + 32);
	assert_true(fixture->skipped[40]);
}

TEST(test_the_largest_field_is_chosen_from)
{
	struct schedule_fixture *fixture = schedule_fixture_open(
	    "ladder scopa bots=128 blocks=512 ahead=1000 noise=6 falling");
	int far = 0;

	assert_int_equal(fixture->count, 512);
	assert_int_equal(fixture->plans[511].stage, 1);
	/* In the end most blocks are those of neighbours. */
	for (int64_t i = 384; i < 512; i++)
		far += abs(fixture->plans[i].bots[0] -
			   fixture->plans[i].bots[1]) > 16;
	assert_true(far < 32);
}

TEST_EACH(NULL, schedule_fixture_teardown)
