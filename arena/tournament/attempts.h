/*
 * Which games of a run were begun and lost because the arena was killed, a
 * worker died or the user interrupted them: `attempts.txt` in the folder of the
 * run.
 *
 * Its first line says how many games were begun, so that `resume` knows which
 * of them have no result.  They are played again with the same cards; each loss
 * is a line, and the game's record names its reasons.
 */
#ifndef ATTEMPTS_H
#define ATTEMPTS_H

#include "dispatcher.h"

#define ATTEMPTS_FILE "attempts.txt"
#define ATTEMPTS_ABORTED "ABORTED" /* by the user */

enum { ATTEMPTS_LOSSES_MAX = 256, ATTEMPTS_REASON_SIZE = 16 };

/* One time that games were lost: those of these numbers, from 0. */
struct attempts_loss {
	int64_t first, last;
	char reason[ATTEMPTS_REASON_SIZE]; /* a code of the arena */
};

struct attempts {
	int fd; /* -1: nothing is noted */
	int64_t begun;
	struct attempts_loss losses[ATTEMPTS_LOSSES_MAX]; /* the first ones */
	int loss_count;
};

/*
 * Opens the file at `path`, or makes it, where so many games have results.
 * Games beyond them that were begun become a loss.  0 or -errno: then nothing
 * is noted, which does no harm but to the list.
 */
int attempts_open(
    struct attempts *attempts, const char *path, int64_t done_count);
void attempts_close(struct attempts *attempts);

/* Why the last attempt ended, by the file at `path`; false where none does. */
bool attempts_last(const char *path, char reason[ATTEMPTS_REASON_SIZE]);

/* A game begins: its earlier attempts are noted with it. */
void attempts_begin(struct attempts *attempts, struct game_spec *game);

/*
 * Nothing is begun any more; what has no result is lost for this reason.  NULL:
 * nothing is lost.
 */
void attempts_end(struct attempts *attempts, const char *reason);

#endif
