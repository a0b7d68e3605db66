/*
 * The head of a block: which game this is, before any card.
 *
 * Only `match ID rules=` is needed; what else is missing follows from the
 * rules.  What contradicts is a fault.
 */
#ifndef RECORD_HEAD_H
#define RECORD_HEAD_H

#include "game.h"
#include "record_read.h"

struct record_head {
	struct scopa_rules rules;
	const struct scopa_preset *preset;
	struct game_head game;
	int deals;        /* of a game of so many deals, or 0 */
	bool target_said; /* the `match` line says the target */
};

/* Reads it; false with the fault. */
bool record_head_read(const struct record_block *block,
    struct record_head *head, struct record_fault *fault);

#endif
