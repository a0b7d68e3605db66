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
	BACKOFF_PAUSE_MS = 250,  /* between two attempts */
	BACKOFF_LIMIT_S = 5 * 60 /* without any success */
};

struct backoff {
	int match_count; /* that are wanted at once */
	int match_max;   /* that there may be at present */
	int64_t limit_ns;
	int64_t since_ns; /* nothing has succeeded; 0: nothing was refused */
	int64_t retry_ns; /* when to try again; 0: at once */
};

/* `limit_ns` 0: BACKOFF_LIMIT_S. */
void backoff_init(struct backoff *backoff, int match_count, int64_t limit_ns);

/* Whether this error, -errno, may pass if it is waited for. */
bool infra_failure_may_pass(int error);

/* Whether bots may be started for one more match than so many. */
bool backoff_allows(
    const struct backoff *backoff, int match_count, int64_t now_ns);

/*
 * Bots could not be started while so many matches were in use: half of them may
 * be from now on.  False where nothing has succeeded for too long.
 */
bool backoff_begin(struct backoff *backoff, int match_count, int64_t now_ns);

/* Bots were started: one more match may be in use. */
void backoff_ease(struct backoff *backoff);

/* Notes why an attempt is void; false where the note is full. */
bool infra_failure_note(struct game_spec *game, const char *reason);

/*
 * A bot of the game has lost its supervisor: what is left of it is killed.
 * False where that has happened too often in this game.
 */
bool infra_failure_supervisor_lost(struct game_spec *game);

/* Logs that bots cannot be started, by -errno, unless that is logged. */
void infra_failure_log_refusal(int error, bool *logged);

#endif
