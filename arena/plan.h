/*
 * Which games a match has, and who sits where in each: a pure function of the
 * plan and the number of the game.
 *
 * A round is one set of packs.  With duplicates it is played once for each way
 * of seating the entrants, so that the luck of the deal cancels out.
 */
#ifndef PLAN_H
#define PLAN_H

#include "match.h"

enum { PLAN_ENTRANTS_MAX = SCOPA_SEATS_MAX };

struct plan {
	const struct scopa_rules *rules;
	int entrant_count; /* one a seat, or one a party */
	int rounds;
	bool duplicate;
};

int64_t plan_game_count(const struct plan *plan);

/* The game of this number, from 0. */
struct series_game plan_game(const struct plan *plan, int index);

#endif
