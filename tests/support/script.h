/*
 * Scripts of what bots may do at a table, for the fuzz target of the referee.
 *
 * A script begins with six characters: the rule set, the time control, the
 * policy, the seat that is looked at for what it should not know (or `-`),
 * settings as bits of a digit, and the seed of packs and moves.  Steps follow,
 * a `;` before each; what cannot be done is passed over:
 *
 *	SEAT start, SEAT+ start and get ready, SEAT>LINE, SEAT<LINE as if it
 *	had come 200 ms before, SEAT! bytes that are no line, SEAT* flood,
 *	SEAT- exit, SEAT~ computes while others are to move, SEAT_ and SEAT^
 *	stop reading and go on, . a legal move, .LETTER another one, w wait half
 *	a second, W wait 11 s, j and J the same while nobody looks at deadlines,
 *	d look at them, l and L the arena is away for 300 ms or a minute,
 *	a abort, n next game
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "judge.h"

enum {
	SCRIPT_HEAD = 6,
	SCRIPT_SIZE_MAX = 4096,
	SCRIPT_STEPS_MAX = 400,
	SCRIPT_MOVES_MAX = 512
};

/* How a script went, so that it can be run again with other cards. */
struct script_course {
	char moves[SCRIPT_MOVES_MAX][64];
	int move_count, move_next;
	struct mock_packs packs; /* `again`: the moves are these, too */
};

/*
 * Runs a script to its end under a judge, who does not look when it is run
 * again.  The table is the caller's to close; NULL where this is no script.
 */
struct mock_match *script_run(
    const uint8_t *data, size_t size, struct script_course *course);

/*
 * Runs a script, checks the records of all its games, and what it gives away.
 */
void script_try(const uint8_t *data, size_t size);

#endif
