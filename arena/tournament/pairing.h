/*
 * Which bots meet, where a schedule derives that from results: the matching of
 * a Swiss stage, and the pairs of a ladder.
 */
#ifndef PAIRING_H
#define PAIRING_H

#include <stdbool.h>

#include "block.h"
#include "ranking.h"

/*
 * Matching: as many pairs of nodes as possible, each joined by an edge and no
 * node in two pairs (Edmonds 1965: paths, trees, and flowers).
 */

enum { MATCHING_NODES_MAX = 2000 };

struct matching {
	int node_count;
	bool *edges; /* [a * node_count + b], symmetric; the caller's */
	bool gone[MATCHING_NODES_MAX]; /* removed from the graph */
	int mates[MATCHING_NODES_MAX]; /* or -1 */
};

/* Nodes without edges; `edges` has room for node_count * node_count. */
void matching_init(struct matching *matching, int node_count, bool *edges);

/* Whether there is an edge between two nodes. */
static inline bool
matching_joined(const struct matching *matching, int one, int other)
{
	return matching->edges[one * matching->node_count + other];
}

void matching_join(struct matching *matching, int one, int other);

/* Finds the most pairs.  Returns whether every node that is left has a mate. */
bool matching_solve(struct matching *matching);

/*
 * Removes two nodes that are joined, if all others can still have mates.  If
 * they cannot, it returns false and changes nothing.  Before the call all nodes
 * must have mates.
 */
bool matching_remove(struct matching *matching, int one, int other);

/*
 * Ladder: blocks go where they add most to the ranking.
 *
 * First a ring joins all bots, three times, so that something is known of the
 * spread of margins. Then blocks are chosen by generations, each from all
 * results before it: the pair with the largest expected information, then the
 * pair for which that is so when the first has met, and so on. The size of a
 * generation follows from the number of bots alone, never from how many games
 * are on.
 */

enum {
	LADDER_RING_ROUNDS = 3,
	LADDER_PICKS_MAX = 3 * TOURNAMENT_BOTS_MAX /* at a time */
};

struct ladder {
	int bot_count, pair_count;
	const bool *suspended; /* bots that play no more; not its own */
	int generation;
	int64_t generation_start; /* number of its first block */
	int pick_count; /* of the present generation; 0: to be drawn */
	int picks[LADDER_PICKS_MAX]; /* pairs, by their numbers */
	int pick_rounds[LADDER_PICKS_MAX];
	struct rating ratings[TOURNAMENT_BOTS_MAX];
	double variance; /* of a block: rating_pooled_variance */
	/* The arrays below lie in the memory of the caller. */
	struct rating_pair *pairs; /* results, by number of the pair */
	int *planned;              /* blocks that were planned for a pair */
	/*
	 * Of each pair: an upper bound of the expected information, in bits,
	 * and the pick for which it was computed.  Then it was exact.
	 */
	double *information;
	int *worked_out;
	/*
	 * [a * bot_count + b]: the variance of the difference of two ratings;
	 * below 0 if no results join them.
	 */
	double *spread;
	struct rating_fit fit; /* of the ratings */
};

/* Bytes of memory that a ladder needs beside its struct. */
size_t ladder_memory_size(int bot_count);

/* Begins without results; the struct is zeroed, and so is the memory. */
void ladder_init(
    struct ladder *ladder, int bot_count, const bool *suspended, void *memory);

/* Adds the picks of the generation; none if fewer than two bots play on. */
void ladder_draw(struct ladder *ladder);

/* The results of two bots, to which the caller adds. */
struct rating_pair *ladder_pair(struct ladder *ladder, int one, int other);

#endif
