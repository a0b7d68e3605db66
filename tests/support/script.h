/*
 * Scripts of actions of bots in a match, for the fuzz target of the referee.
 *
 * A script begins with six characters: the rule set, the time control, the
 * policy, the seat that must learn nothing of hidden cards (or `-`), settings
 * as bits of a digit, and the seed of packs and moves.  Steps follow, a `;`
 * before each; impossible steps are skipped:
 *
 *	SEAT start, SEAT+ start and get ready, SEAT>LINE, SEAT<LINE as if it
 *	had arrived 200 ms before, SEAT! bytes that are no line, SEAT* flood,
 *	SEAT- exit, SEAT~ computes while others are to move, SEAT_ and SEAT^
 *	stop and continue reading, . a legal move, .LETTER another one, w wait
 *	half a second, W wait 11 s, j and J the same without meeting deadlines,
 *	d meet deadlines, l and L the arena sleeps for 300 ms or a minute,
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

/* The packs and moves of a script, to run it again with other cards. */
struct script_course {
	char moves[SCRIPT_MOVES_MAX][64];
	int move_count, move_next;
	struct mock_packs packs; /* if `again`, the moves are repeated, too */
};

/* Reads the head and the steps; false if this is no script. */
bool script_read(const uint8_t *data, size_t size, struct mock_order *order,
    char steps[SCRIPT_SIZE_MAX]);

/* Plays steps with a judge, and stores their course.  The caller closes it. */
struct mock_match *script_play(const struct mock_order *order,
    const char *steps, struct script_course *course);

/*
 * Plays the steps of a match again, with other cards that are hidden from this
 * seat, and without a judge.  NULL if there are no such cards, or if they change
 * what all may know.
 */
struct mock_match *script_again(const struct mock_match *match,
    const char *steps, int seat, struct script_course *course,
    uint64_t *random);

/*
 * Plays a script, and checks the records of all its games and that no seat is
 * sent anything about hidden cards.
 */
void script_try(const uint8_t *data, size_t size);

#endif
