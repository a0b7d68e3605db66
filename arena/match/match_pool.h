/*
 * The match pool: the matches of a worker, and the bots in them.
 *
 * A game is played in the match that has all its bots already.  Else the bots
 * that wait ready in other matches are moved there, and bots that are missing
 * are started: so a bot is started once and plays with all others.  Bots are
 * started in a few matches at a time: each has a limited time to get ready, and
 * of a thousand that begin together on one core all would be late.  When more
 * bots wait than the limit allows, those that have waited longest are stopped;
 * where there is memory for them, all entrants may wait.
 *
 * A game in which the machine fails, as it starts no bot or has killed a bot's
 * supervisor, is void and played again with the same cards: see infra_failure.h.
 */
#ifndef MATCH_POOL_H
#define MATCH_POOL_H

#include "dispatcher.h"

struct match_pool_settings {
	int lane_count;   /* games at once */
	int worker_count; /* whose match pools share the machine */
	/* For bots that think by turns; NULL: all think at once. */
	struct cpu_slots *cpu_slots;
};

struct match_pool_limits {
	int lean_max;   /* bots that play or wait where memory is short.. */
	int active_max; /* ..and elsewhere: all entrants, where it can be */
	int bot_max;    /* with those that are sent away */
};

/*
 * Raises the limit of open descriptors.  0 or -errno: -EMFILE where the hard
 * limit, or LOOP_DEADLINES_MAX, is too low for one bot at each seat.
 */
int match_pool_limits_raise(struct match_pool_limits *limits,
    const struct dispatcher_config *config,
    const struct match_pool_settings *settings);

struct match_pool;

struct match_pool_calls {
	/* The game of this number is over; the match has its result. */
	void (*on_over)(void *context, int64_t number, struct match *match);
	/* After match_pool_end: the last bot has ended. */
	void (*on_gone)(void *context);
	/* The machine refused something: -errno. */
	void (*on_failure)(void *context, int error);
};

/*
 * A match pool with these settings.  It raises the limit of open descriptors.
 * 0 or -errno: -EMFILE where the hard limit is too low.
 */
int match_pool_open(struct match_pool **pool, struct loop *loop,
    const struct dispatcher_config *config,
    const struct match_pool_settings *settings,
    const struct match_pool_calls *calls, void *context);

/* Descriptors that are open for bots. */
int match_pool_descriptor_count(const struct match_pool *pool);

/* Kills what bots there are; NULL is allowed. */
void match_pool_close(struct match_pool *pool);

/* Plays a game as soon as its bots can be started.  A lane must be free. */
void match_pool_play(
    struct match_pool *pool, int64_t number, const struct game_spec *game);

/*
 * No games follow: those that are on end as ordered, and all bots are
 * stopped.  A game that has not begun is dropped, but by STOP_FINISH.
 */
void match_pool_end(struct match_pool *pool, enum stop_mode order);

#endif
