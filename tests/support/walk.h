/*
 * A deal that both the engine and the oracle play.  Each step compares their
 * whole state; if they differ, the test fails and prints the position.
 */
#ifndef WALK_H
#define WALK_H

#include "oracle.h"
#include "scopa/scopa.h"

struct walk {
	struct scopa_rules rules;
	const char *spec; /* rule set for the report */
	struct scopa_deal deal;
	struct oracle_deal oracle;
	uint64_t rng;
	int mood; /* captures: 0: any, 1: mostly small, 2: mostly large */
};

/* False if the cards are redealt. `rules`, `rng` and `mood` must be set. */
bool walk_start(
    struct walk *walk, const uint8_t pack[SCOPA_PACK_SIZE], int dealer);

/*
 * Makes a random legal move in both.  At the end of the deal compares the
 * score.
 */
void walk_step(struct walk *walk);

#endif
