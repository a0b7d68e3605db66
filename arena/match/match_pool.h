/*
 * The tables of a worker, and which bots sit where.
 *
 * A game is played where its bots sit together already.  Else they come from
 * the tables where they wait, and who is missing is started: so a bot is
 * started once and plays with everybody.  Bots are started at a few tables at
 * a time: each has a limited time to get ready, and a thousand that begin
 * together on one core would all be late.  Bots that wait beyond a limit are
 * sent away, those first that have waited longest; where there is memory for
 * them, all entrants may wait.
 *
 * A game in which the machine fails, as it starts no bot or has killed a bot's
 * supervisor, is void and played again with the same cards: see patience.h.
 */
#ifndef MATCH_POOL_H
#define MATCH_POOL_H

#include "dispatcher.h"

/* What the limits of a hall depend on. */
struct hall_wish {
	int lane_count; /* games at once */
	int seat_count; /* of each */
	int entrant_count;
	int worker_count; /* that share the machine, this one included */
};

struct hall_limits {
	int lean_max;   /* bots that play or wait where memory is short.. */
	int active_max; /* ..and elsewhere: all entrants, where it can be */
	int bot_max;    /* with those that are sent away */
};

/*
 * Raises the limit of open descriptors.  0 or -errno: -EMFILE where the hard
 * limit, or LOOP_DEADLINES_MAX, is too low for one bot at each seat.
 */
int hall_limits_raise(struct hall_limits *limits, const struct hall_wish *wish);

struct hall;
struct steal;
struct thinkers;

struct hall_room {
	int lane_count;   /* games at once */
	int worker_count; /* whose halls share the machine */
	/* Those whose turn it is to think; NULL: all of them. */
	struct thinkers *thinkers;
	struct steal *steal; /* of the loop */
};

struct hall_calls {
	/* The game of this number is over; what it was is the match's. */
	void (*on_over)(void *context, int64_t number, struct match *match);
	/* After hall_end: the last bot has ended. */
	void (*on_gone)(void *context);
	/* The machine refused something: -errno. */
	void (*on_failure)(void *context, int error);
};

/*
 * A hall of this room.  It raises the limit of open descriptors.
 * 0 or -errno: -EMFILE where the hard limit is too low.
 */
int hall_open(struct hall **hall, struct loop *loop,
    const struct series_config *config, const struct hall_room *room,
    const struct hall_calls *calls, void *context);

/* Descriptors that are open for bots. */
int hall_descriptor_count(const struct hall *hall);

/* Kills what bots there are; NULL is allowed. */
void hall_close(struct hall *hall);

/* Plays a game, as soon as there is room for its bots.  A lane is free. */
void hall_play(
    struct hall *hall, int64_t number, const struct series_game *game);

/*
 * No games follow: those that are on end as ordered, and all bots are sent
 * away.  A game that has not begun is dropped, but by SERIES_FINISH.
 */
void hall_end(struct hall *hall, enum series_order order);

#endif
