/*
 * What a strong player (@maestro) thinks of a move that another one has made,
 * from what that seat knew and nothing else.
 *
 * A search of all moves finds the best one; where another one was made, either
 * gets a search of its own, so that what it is worth does not depend on how
 * often the first search cared to look at it.
 */
#ifndef SCOPA_BOT_OPINION_H
#define SCOPA_BOT_OPINION_H

#include "maestro.h"

/* What may be used. */
struct opinion_means {
	int64_t iterations; /* of all searches of a move; 0: the time decides */
	int64_t time_ns;    /* the same; nothing where iterations are said */
	struct maestro *maestro; /* room for the work, the caller's */
};

/* Values are points of the seat's party less those of the others on average. */
struct opinion {
	struct scopa_move best;
	double value; /* of the best move */
	double loss;  /* by making another one, 0 or more */
	int64_t iterations;
};

/*
 * The seat of the view is to move, and `played` is legal.  The same *random,
 * which goes on, and iterations give the same opinion.  False where the view
 * contradicts itself.
 */
bool opinion_form(const struct scopa_rules *rules,
    const struct scopa_view *view, const struct scopa_move *played,
    const struct opinion_means *means, uint64_t *random,
    struct opinion *opinion);

#endif
