/*
 * The positions of a game record: every deal as it was before each decision,
 * with all its cards.
 */
#ifndef POSITIONS_H
#define POSITIONS_H

#include "record_walk.h"

/* A deal before one play or declaration of it. */
struct position {
	struct scopa_deal deal;
	struct scopa_tally tally; /* before the deal */
	struct scopa_move move;   /* that was made */
	bool by_arena;            /* and not by the seat */
	int number;               /* of the deal, from 1 */
	int play; /* of the deal, from 1: the card that is played next */
};

enum { POSITION_MOVE_SIZE = 128 };

/* A move for people to read; returns `bytes`. */
const char *position_move_text(
    const struct scopa_move *move, char bytes[POSITION_MOVE_SIZE]);

/* What of a block is wanted. */
struct positions_wish {
	int64_t deal; /* its number; 0: all */
	int64_t play; /* its number; 0: all */
};

struct positions {
	struct positions_wish wish;
	struct position *items; /* owned */
	int count, capacity;
	int64_t line; /* of the decision that was heard last */
	bool no_memory;
};

void positions_init(
    struct positions *positions, const struct positions_wish *wish);
void positions_release(struct positions *positions);

/*
 * Gathers those of a block that was found good, in place of any before: 0 or
 * -errno.  replay_head of the visit's replay then says which game it is.
 */
int positions_gather(
    struct positions *positions, const struct record_visit *visit);

#endif
