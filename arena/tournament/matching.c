/*
 * Implements matching.h: Edmonds' blossom algorithm. A search grows a tree of
 * alternating paths from each unmatched node, and shrinks odd cycles.
 */
#include "matching.h"

#include <assert.h>
#include <string.h>

/*
 * A search for a path from a node without a mate to another one, along edges
 * that are by turns outside and inside the matching.  Nodes that an even number
 * of edges joins with the root are `even`; a ring of an odd number of nodes is
 * shrunk into one, its base, and all of it is even.
 */
struct matching_search {
	struct matching *matching;
	int root;
	bool even[MATCHING_NODES_MAX];
	int parents[MATCHING_NODES_MAX]; /* of odd nodes, or -1 */
	int bases[MATCHING_NODES_MAX];
	int queue[MATCHING_NODES_MAX]; /* even nodes */
	int queue_count;
};

void
matching_init(struct matching *matching, int node_count, bool *edges)
{
	size_t count = (size_t)node_count;

	assert(node_count >= 0 && node_count <= MATCHING_NODES_MAX);
	memset(matching, 0, sizeof(*matching));
	memset(edges, 0, count * count * sizeof(*edges));
	matching->node_count = node_count;
	matching->edges = edges;
	for (int node = 0; node < node_count; node++)
		matching->mates[node] = -1;
}

void
matching_join(struct matching *matching, int one, int other)
{
	assert(one >= 0 && one < matching->node_count);
	assert(other >= 0 && other < matching->node_count && one != other);
	matching->edges[one * matching->node_count + other] = true;
	matching->edges[other * matching->node_count + one] = true;
}

static void
search_reach(struct matching_search *search, int node)
{
	if (search->even[node])
		return;
	search->even[node] = true;
	search->queue[search->queue_count++] = node;
}

/* Where the ways of two even nodes to the root meet. */
static int
search_meet(const struct matching_search *search, int one, int other)
{
	const int *mates = search->matching->mates;
	bool passed[MATCHING_NODES_MAX] = { false };

	for (;;) {
		one = search->bases[one];
		passed[one] = true;
		if (one == search->root)
			break;
		one = search->parents[mates[one]];
	}
	for (;;) {
		other = search->bases[other];
		if (passed[other])
			return other;
		other = search->parents[mates[other]];
	}
}

/* Marks the half of a ring from `node` to its base; `from` is next to it. */
static void
search_mark(
    struct matching_search *search, int node, int base, int from, bool *ring)
{
	const int *mates = search->matching->mates;

	while (search->bases[node] != base) {
		int mate = mates[node];

		ring[search->bases[node]] = ring[search->bases[mate]] = true;
		search->parents[node] = from;
		from = mate;
		node = search->parents[mate];
	}
}

/* Shrinks the odd ring that an edge between two even nodes closes. */
static void
search_shrink(struct matching_search *search, int one, int other)
{
	bool ring[MATCHING_NODES_MAX] = { false };
	int base = search_meet(search, one, other);

	search_mark(search, one, base, other, ring);
	search_mark(search, other, base, one, ring);
	for (int node = 0; node < search->matching->node_count; node++) {
		if (!ring[search->bases[node]])
			continue;
		search->bases[node] = base;
		search_reach(search, node);
	}
}

/* Turns the path from the root to a node without a mate inside out. */
static void
search_turn(struct matching_search *search, int node)
{
	int *mates = search->matching->mates;

	while (node >= 0) {
		int parent = search->parents[node];
		int next = mates[parent];

		mates[node] = parent;
		mates[parent] = node;
		node = next;
	}
}

/* Looks along the edges of an even node; true where a path was found. */
static bool
search_spread(struct matching_search *search, int node)
{
	struct matching *matching = search->matching;

	for (int to = 0; to < matching->node_count; to++) {
		int mate = matching->mates[to];

		if (!matching_joined(matching, node, to) ||
		    matching->gone[to] ||
		    search->bases[node] == search->bases[to] ||
		    matching->mates[node] == to)
			continue;
		if (search->even[to]) {
			search_shrink(search, node, to);
		} else if (search->parents[to] < 0) {
			search->parents[to] = node;
			if (mate < 0) {
				search_turn(search, to);
				return true;
			}
			search_reach(search, mate);
		}
	}
	return false;
}

/* Gives a node without a mate one, if any change of pairs can. */
static bool
augment(struct matching *matching, int root)
{
	struct matching_search search = { .matching = matching, .root = root };

	for (int node = 0; node < matching->node_count; node++) {
		search.parents[node] = -1;
		search.bases[node] = node;
	}
	search_reach(&search, root);
	for (int i = 0; i < search.queue_count; i++)
		if (search_spread(&search, search.queue[i]))
			return true;
	return false;
}

bool
matching_solve(struct matching *matching)
{
	bool complete = true;

	for (int node = 0; node < matching->node_count; node++)
		if (!matching->gone[node] && matching->mates[node] < 0 &&
		    !augment(matching, node))
			complete = false;
	return complete;
}

bool
matching_take(struct matching *matching, int one, int other)
{
	int *mates = matching->mates;
	int left = mates[one], right = mates[other];

	assert(matching_joined(matching, one, other));
	assert(left >= 0 && right >= 0);
	matching->gone[one] = matching->gone[other] = true;
	mates[one] = mates[other] = -1;
	if (left == other)
		return true;
	mates[left] = mates[right] = -1;
	/* The rest had a mate each, so these two find each other or nobody. */
	if (augment(matching, left))
		return true;
	matching->gone[one] = matching->gone[other] = false;
	mates[one] = left;
	mates[left] = one;
	mates[other] = right;
	mates[right] = other;
	return false;
}
