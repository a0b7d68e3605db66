/*
 * Implements pairing.h: first the matching of a Swiss stage, then the pairs of
 * a ladder.
 */
#include "pairing.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "ranking.h"

/*
 * Matching: Edmonds' blossom algorithm.  A search grows a tree of alternating
 * paths from each unmatched node, and shrinks odd cycles.
 */

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

/* The node at which the ways of two even nodes to the root meet. */
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

/* Follows the edges of an even node.  Returns whether it found a path. */
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

/* Finds a mate for a node without one, if a change of pairs can. */
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
matching_remove(struct matching *matching, int one, int other)
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
	/*
	 * All others have a mate.  So a search from `left` ends at `right`, or
	 * there is no path.
	 */
	if (augment(matching, left))
		return true;
	matching->gone[one] = matching->gone[other] = false;
	mates[one] = left;
	mates[left] = one;
	mates[other] = right;
	mates[right] = other;
	return false;
}

/*
 * Ladder: the information that a block of two bots would give follows from the
 * variance of their rating difference (rating.h).
 */

/* A generation has a block for each bot, but not less than so many. */
enum { GENERATION_MIN = 32 };

_Static_assert(
    (int)LADDER_PICKS_MAX >= LADDER_RING_ROUNDS * TOURNAMENT_BOTS_MAX &&
	(int)LADDER_PICKS_MAX >= GENERATION_MIN,
    "a generation has room");

/* A pair that no results join yet has more than one bit. */
#define INFORMATION_UNJOINED 2.0

/* No joined pair has more: its result is one bit at most. */
#define INFORMATION_MAX 1.0

/*
 * Information is rounded to steps of so many bits.  So pairs that differ only
 * by the last digits of a sum are equal on every machine.
 */
#define INFORMATION_STEP 1e-9

static int
pair_count(int bots)
{
	return bots * (bots - 1) / 2;
}

/* In doubles, what stands before the pairs. */
static size_t
matrix_size(int bots)
{
	return rating_memory_size(bots) + (size_t)bots * (size_t)bots;
}

size_t
ladder_memory_size(int bot_count)
{
	const struct ladder *ladder;
	size_t pair = sizeof(*ladder->information) + sizeof(*ladder->pairs) +
	    sizeof(*ladder->planned) + sizeof(*ladder->worked_out);

	return matrix_size(bot_count) * sizeof(double) +
	    (size_t)pair_count(bot_count) * pair;
}

static void
memory_divide(struct ladder *ladder, void *memory)
{
	int bots = ladder->bot_count, pairs = ladder->pair_count;

	ladder->spread = (double *)memory + rating_memory_size(bots);
	ladder->information = (double *)memory + matrix_size(bots);
	ladder->pairs = (void *)(ladder->information + pairs);
	ladder->planned = (void *)(ladder->pairs + pairs);
	ladder->worked_out = ladder->planned + pairs;
	ladder->fit = (struct rating_fit){
		.bot_count = bots,
		.pairs = ladder->pairs,
		.pair_count = pairs,
		.ratings = ladder->ratings,
		.memory = rating_memory_of(memory, bots),
	};
}

static double
spread_of(const struct ladder *ladder, int one, int other)
{
	return ladder->spread[one * ladder->bot_count + other];
}

/* Pairs are numbered by the higher of the two, then by the lower one. */
static int
pair_number(int one, int other)
{
	int low = one < other ? one : other;
	int high = one < other ? other : one;

	return high * (high - 1) / 2 + low;
}

void
ladder_init(
    struct ladder *ladder, int bot_count, const bool *suspended, void *memory)
{
	ladder->bot_count = bot_count;
	ladder->pair_count = pair_count(bot_count);
	ladder->suspended = suspended;
	memory_divide(ladder, memory);
	for (int high = 1; high < ladder->bot_count; high++) {
		for (int low = 0; low < high; low++) {
			struct rating_pair *pair =
			    &ladder->pairs[pair_number(low, high)];

			pair->first = low;
			pair->second = high;
		}
	}
}

static void
pick(struct ladder *ladder, int number)
{
	int i = ladder->pick_count++;

	assert(i < LADDER_PICKS_MAX);
	ladder->picks[i] = number;
	ladder->pick_rounds[i] = ladder->planned[number]++;
}

/* Neighbours by number; the last meets the first. */
static void
draw_ring(struct ladder *ladder)
{
	int bots = ladder->bot_count;

	for (int round = 0; round < LADDER_RING_ROUNDS; round++)
		for (int bot = 0; bot < (bots == 2 ? 1 : bots); bot++)
			pick(ladder, pair_number(bot, (bot + 1) % bots));
}

/* Ratings from all results, and how sure their differences are. */
static void
ratings_fill(struct ladder *ladder)
{
	int bots = ladder->bot_count;

	rating_margin(&ladder->fit);
	for (int one = 0; one < bots; one++) {
		for (int other = 0; other < bots; other++) {
			double error =
			    rating_difference_error(&ladder->fit, one, other);

			ladder->spread[one * bots + other] =
			    error < DBL_MAX ? error * error : -1;
		}
	}
}

static double
pair_variance(const struct ladder *ladder, int number)
{
	return rating_variance(
	    &ladder->pairs[number].margins, ladder->variance);
}

static double
pair_information(const struct ladder *ladder, int number)
{
	const struct rating_pair *pair = &ladder->pairs[number];
	double spread = spread_of(ladder, pair->first, pair->second);
	double bits;

	if (spread < 0)
		return INFORMATION_UNJOINED;
	bits = ranking_information(ladder->ratings[pair->first].value -
		ladder->ratings[pair->second].value,
	    sqrt(spread), sqrt(pair_variance(ladder, number)));
	return rint(bits / INFORMATION_STEP) * INFORMATION_STEP;
}

/* Two groups become one: what lies between goes over the new pair. */
static void
spread_join(struct ladder *ladder, int first, int second, double variance)
{
	double *spread = ladder->spread;
	double near[TOURNAMENT_BOTS_MAX], far[TOURNAMENT_BOTS_MAX];
	int bots = ladder->bot_count;

	for (int bot = 0; bot < bots; bot++) {
		near[bot] = spread[bot * bots + first];
		far[bot] = spread[bot * bots + second];
	}
	for (int one = 0; one < bots; one++)
		for (int other = 0; other < bots; other++)
			if (near[one] >= 0 && far[other] >= 0)
				spread[one * bots + other] =
				    spread[other * bots + one] =
					near[one] + variance + far[other];
}

/*
 * One more block of a pair narrows all differences that share something with
 * that of the pair: the step of a Kalman filter, in variances of differences.
 */
static void
spread_narrow(struct ladder *ladder, int first, int second, double variance)
{
	double *spread = ladder->spread;
	double lean[TOURNAMENT_BOTS_MAX];
	int bots = ladder->bot_count;
	double whole = spread[first * bots + second] + variance;

	/* Twice the covariance of two differences, one of them the pair's, is
	 * the difference of two of these. */
	for (int bot = 0; bot < bots; bot++)
		lean[bot] =
		    spread[bot * bots + second] - spread[bot * bots + first];
	for (int one = 0; one < bots; one++) {
		for (int other = 0; other < bots; other++) {
			double shared = (lean[one] - lean[other]) / 2;

			if (spread[one * bots + first] < 0 ||
			    spread[one * bots + other] < 0)
				continue;
			spread[one * bots + other] =
			    fmax(spread[one * bots + other] -
				    shared * shared / whole,
				0);
		}
	}
}

/*
 * Returns the pair with the largest information.  Each picked block lowers the
 * information of all pairs, so an earlier value is an upper bound, and only
 * pairs that are first by their bounds are computed again.
 */
static int
best_pair(struct ladder *ladder)
{
	const double *information = ladder->information;
	const bool *suspended = ladder->suspended;

	for (;;) {
		int best = -1;

		for (int i = 0; i < ladder->pair_count; i++) {
			const struct rating_pair *pair = &ladder->pairs[i];

			if (suspended[pair->first] || suspended[pair->second])
				continue;
			if (best < 0 || information[i] > information[best] ||
			    (information[i] == information[best] &&
				ladder->planned[i] < ladder->planned[best]))
				best = i;
		}
		if (best < 0 || ladder->worked_out[best] == ladder->pick_count)
			return best;
		ladder->information[best] = pair_information(ladder, best);
		ladder->worked_out[best] = ladder->pick_count;
	}
}

static void
choose(struct ladder *ladder)
{
	int bots = ladder->bot_count;
	int count = bots > GENERATION_MIN ? bots : GENERATION_MIN;

	ladder->variance = rating_pooled_variance(&ladder->fit);
	ratings_fill(ladder);
	for (int i = 0; i < ladder->pair_count; i++) {
		const struct rating_pair *pair = &ladder->pairs[i];
		bool joined = spread_of(ladder, pair->first, pair->second) >= 0;

		ladder->information[i] =
		    joined ? INFORMATION_MAX : INFORMATION_UNJOINED;
		ladder->worked_out[i] = -1;
	}
	while (ladder->pick_count < count) {
		int number = best_pair(ladder), one, other;
		double block;

		if (number < 0)
			return;
		one = ladder->pairs[number].first;
		other = ladder->pairs[number].second;
		block = pair_variance(ladder, number);
		if (spread_of(ladder, one, other) < 0)
			spread_join(ladder, one, other, block);
		else
			spread_narrow(ladder, one, other, block);
		pick(ladder, number);
	}
}

void
ladder_draw(struct ladder *ladder)
{
	if (ladder->generation == 0)
		draw_ring(ladder);
	else
		choose(ladder);
}

struct rating_pair *
ladder_pair(struct ladder *ladder, int one, int other)
{
	return &ladder->pairs[pair_number(one, other)];
}
