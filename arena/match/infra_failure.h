/*
 * Failures of the machine, which are no bot's fault.
 *
 * While bots cannot be started, fewer matches are played at once, with a pause
 * before the next attempt, until the limit is reached.  A game that a failure
 * has spoilt is void: the reason is noted with it, and it is played again.
 */
#ifndef INFRA_FAILURE_H
#define INFRA_FAILURE_H

#include "match.h"

enum {
	PATIENCE_PAUSE_MS = 250,  /* between two attempts */
	PATIENCE_LIMIT_S = 5 * 60 /* without any success */
};

struct patience {
	int table_count; /* that are wanted at once */
	int table_max;   /* that there may be at present */
	int64_t limit_ns;
	int64_t since_ns; /* nothing has succeeded; 0: nothing was refused */
	int64_t retry_ns; /* when to try again; 0: at once */
};

/* `limit_ns` 0: PATIENCE_LIMIT_S. */
void patience_init(
    struct patience *patience, int table_count, int64_t limit_ns);

/* Whether this error, -errno, may pass if it is waited for. */
bool patience_is_for(int error);

/* Whether bots may be started for one more table than so many. */
bool patience_allows(
    const struct patience *patience, int table_count, int64_t now_ns);

/*
 * Bots could not be started while so many tables were in use: half of them may
 * be from now on.  False where nothing has succeeded for too long.
 */
bool patience_try(struct patience *patience, int table_count, int64_t now_ns);

/* Bots were started: one more table may be in use. */
void patience_ease(struct patience *patience);

/* Adds why an attempt does not count; false where no more has room. */
bool mishap_note(struct series_game *game, const char *reason);

/*
 * A bot of the game has lost its supervisor: what is left of it is killed.
 * False where that has happened too often in this game.
 */
bool mishap_take_loss(struct series_game *game);

/* Tells that bots cannot be started, by -errno, unless that was told. */
void mishap_tell_refusal(int error, bool *told);

#endif
