/*
 * Failures of the machine, which are not the fault of a bot.
 *
 * If bots cannot be started, the arena pauses, and then plays fewer matches at
 * the same time. It gives up when no bot could be started for a given time. A
 * game in which the machine fails is void: the reason is noted with the game,
 * and the game is played again.
 */
#ifndef INFRA_FAILURE_H
#define INFRA_FAILURE_H

#include "match.h"

enum {
	BACKOFF_PAUSE_MS = 250,  /* between two attempts to start bots */
	BACKOFF_LIMIT_S = 5 * 60 /* time without success until it gives up */
};

struct backoff {
	int match_count;  /* matches that are wanted at the same time */
	int match_max;    /* matches that may be in use now */
	int64_t limit_ns; /* time without success until it gives up */
	int64_t since_ns; /* first refusal since a success; 0: none */
	int64_t retry_ns; /* time of the next attempt; 0: at once */
};

/* Begins with `match_count` matches. `limit_ns` 0 means BACKOFF_LIMIT_S. */
void backoff_init(struct backoff *backoff, int match_count, int64_t limit_ns);

/* Whether this error, -errno, may go away after some time. */
bool infra_failure_may_pass(int error);

/*
 * Whether bots may be started for one more match while `match_count` matches
 * are in use.
 */
bool backoff_allows(
    const struct backoff *backoff, int match_count, int64_t now_ns);

/*
 * Bots could not be started while `match_count` matches were in use. From now
 * on half as many may be in use, but at least one. Sets retry_ns. Returns false
 * if no bot could be started for limit_ns.
 */
bool backoff_begin(struct backoff *backoff, int match_count, int64_t now_ns);

/* Bots were started. One more match may be in use from now on. */
void backoff_ease(struct backoff *backoff);

/* Notes why an attempt is void. Returns false if the note is full. */
bool infra_failure_note(struct game_spec *game, const char *reason);

/*
 * The supervisor of a bot of this game was killed. Kills the processes that the
 * bot has left, and notes the reason. Returns false if the note is full,
 * because the game has been void too often.
 */
bool infra_failure_supervisor_lost(struct game_spec *game);

/*
 * If the bot of this seat has ended because its supervisor was killed, counts
 * that. Returns whether the bot itself has killed it. The kernel does not say
 * which process sent SIGKILL: if the sandbox lets a bot send it, and only this
 * bot loses its supervisor again in the same game, the arena decides that the
 * bot did it.
 */
bool infra_failure_count_supervisor(struct game_spec *game, int seat,
    const struct match_rules *rules, const struct bot_exit *exit);

#endif
