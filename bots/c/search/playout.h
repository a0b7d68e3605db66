/*
 * Playouts: how a search plays a deal to its end, in which every seat knows its
 * own hand and what is public.
 */
#ifndef SCOPA_BOT_PLAYOUT_H
#define SCOPA_BOT_PLAYOUT_H

#include "scopa/deal.h"

/* Random moves of a playout are counted of so many. */
enum { PLAYOUT_SHARE_MAX = 1000, PLAYOUT_EPSILON = 300 };

/* What playouts of one rule set have in common. */
struct playout {
	int random_share; /* moves that are random, the others are greedy's */
	bool plain;       /* sweeps can be foreseen without trying them */
	bool equal_first; /* a card takes an equal one and nothing else */
	int16_t values[SCOPA_PACK_SIZE]; /* of cards, for greedy */
};

/*
 * Of PLAYOUT_SHARE_MAX moves so many are random, all legal ones equally likely;
 * the others are those of greedy_move.  PLAYOUT_SHARE_MAX makes the random
 * playout, 0 the greedy one and PLAYOUT_EPSILON what Di Palma and Lanzi call
 * epsilon-greedy: at every move, with probability epsilon = 0.3 a random one,
 * else that of their Greedy.
 */
void playout_init(
    struct playout *playout, const struct scopa_rules *rules, int random_share);

/* Chooses a move for struct search_playout; `context` is a struct playout. */
void playout_choose(void *context, const struct scopa_rules *rules,
    const struct scopa_deal *deal, uint64_t *random, struct scopa_move *move);

#endif
