/*
 * Matching: as many pairs of nodes as possible, each joined by an edge and no
 * node in two pairs (Edmonds 1965: paths, trees, and flowers).
 */
#ifndef MATCHING_H
#define MATCHING_H

#include <stdbool.h>

enum { MATCHING_NODES_MAX = 2000 };

struct matching {
	int node_count;
	bool *edges; /* [a * node_count + b], symmetric; the caller's */
	bool gone[MATCHING_NODES_MAX]; /* taken out of the graph */
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

/* Finds the most pairs; true where every node that is left has a mate. */
bool matching_solve(struct matching *matching);

/*
 * Takes out two nodes that are joined, if the others can still all have mates;
 * false, and nothing has changed, where they cannot.  Before this, all have.
 */
bool matching_take(struct matching *matching, int one, int other);

#endif
