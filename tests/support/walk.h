/*
 * A deal that the engine and the oracle play side by side.  Every step compares
 * all that they know; where they differ the test fails and prints the position.
 */
#ifndef WALK_H
#define WALK_H

#include "oracle.h"
#include "scopa/scopa.h"

struct walk {
	struct scopa_rules rules;
	const char *spec; /* for the report */
	struct scopa_deal deal;
	struct oracle_deal oracle;
	uint64_t rng;
	int mood; /* 0: any move, 1: rather few captured cards, 2: rather many */
};

/* False where the cards are redealt. `rules`, `rng` and `mood` are set. */
bool walk_start(
    struct walk *walk, const uint8_t pack[SCOPA_PACK_SIZE], int dealer);

/* A random legal move, made by both.  At the end of the deal, its score too. */
void walk_step(struct walk *walk);

#endif
