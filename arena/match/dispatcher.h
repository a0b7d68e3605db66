/*
 * The dispatcher plays many games at once and reports them in order.  The caller
 * says which games, the referees say who wins.
 *
 * Worker processes play them, each with its bots on a core of its own where
 * there is one: a bot that is woken on the core where it was written to answers
 * in a fraction of the time that another core takes to wake.
 *
 * The caller supplies games one by one, as far ahead as workers can use them,
 * and is given results and record blocks in the order of supply, whichever end
 * first.  A bot's process plays one game after the other, with whomever it
 * meets.
 */
#ifndef DISPATCHER_H
#define DISPATCHER_H

#include "cores.h"
#include "match.h"
#include "summary.h"

enum { DISPATCHER_ENTRANTS_MAX = 2000, DISPATCHER_AT_ONCE_MAX = 1024 };

/* Which cores the workers and their bots keep to. */
enum dispatcher_pin {
	DISPATCHER_PIN_AUTO, /* a core each, as far as no other arena has it */
	DISPATCHER_PIN_NONE, /* whatever the kernel likes */
	DISPATCHER_PIN_LIST  /* those that are listed */
};

/*
 * How many bots may think at once: see cpu_slots.h.  Where time is limited: one
 * for each worker, and besides it bots that answer fast.  Else any number.
 */
enum { DISPATCHER_CPU_SLOTS_AUTO = 0, DISPATCHER_CPU_SLOTS_ALL = -1 };

struct dispatcher_config {
	struct match_rules rules;
	const struct entrant *entrants;
	int entrant_count; /* up to DISPATCHER_ENTRANTS_MAX */
	int concurrency;   /* games at once, up to DISPATCHER_AT_ONCE_MAX */
	int cpu_slots;     /* bots that may think at once, or as follows */
	enum dispatcher_pin pin;
	struct cores cores; /* of DISPATCHER_PIN_LIST: at least one */
	int64_t tick_ns;    /* between two calls of on_tick; 0: none */
	/* Given up when no bot could be started for so long; 0: BACKOFF_LIMIT_S. */
	int64_t backoff_limit_ns;
};

/* One game that has ended. */
struct game_result {
	struct summary summary;                 /* of its record */
	int entrant[SCOPA_SEATS_MAX];           /* at each seat */
	int32_t unasked_count[SCOPA_SEATS_MAX]; /* answers to no question */
	int fault_entrant; /* the bot that lost it by an offence, or -1 */
	struct match_fault fault;
};

/* What the caller answers when it is asked for a game. */
enum dispatcher_supply {
	DISPATCHER_GAME,
	DISPATCHER_WAIT,   /* ask again after the next result */
	DISPATCHER_NO_MORE /* never ask again */
};

/* What becomes of the games that are on when a series ends early. */
enum stop_mode {
	STOP_FINISH, /* they are played to their end */
	STOP_ABORT,  /* they end now: `abort` */
	STOP_KILL    /* and the bots are killed at once; no results follow */
};

enum dispatcher_end {
	DISPATCHER_DONE,    /* all games were played */
	DISPATCHER_STOPPED, /* a bot's fault ended it: the last result says it */
	DISPATCHER_INTERRUPTED, /* a signal; the number is in `detail` */
	DISPATCHER_FAILED,      /* the machine refused; -errno is in `detail` */
	/* A worker died again and again, or while the series was given up; its
	 * wait status is in `detail`. */
	DISPATCHER_LOST
};

struct dispatcher_outcome {
	enum dispatcher_end end;
	int detail;
	int lost_count; /* games that died with a worker and are not reported */
	int64_t cpu_ns; /* CPU time of the arena's processes without the bots */
};

struct dispatcher;

/* The calls.  Any but `next` and `on_result` may be NULL. */
struct dispatcher_calls {
	/* A worker has a free lane: which game is next?  Its index is the
	 * caller's. */
	enum dispatcher_supply (*next)(struct dispatcher *dispatcher,
	    void *context, struct game_spec *game);
	/*
	 * The next game in the order of supply has ended.  `block` is its
	 * record, which is empty with `unrecorded`.  When a run ends early,
	 * some games are never reported, although later ones are.
	 */
	void (*on_result)(struct dispatcher *dispatcher, void *context,
	    const struct game_result *result, const char *block, size_t size);
	/*
	 * SIGINT or SIGTERM, the `count`th, from 1.  NULL: the first one aborts
	 * the games, one that comes when the series is ending anyway kills.
	 */
	void (*on_signal)(struct dispatcher *dispatcher, void *context,
	    int signal, int count);
	void (*on_tick)(struct dispatcher *dispatcher, void *context);
};

/*
 * Plays games until there are no more.  There must be no other thread, and no
 * loop open.  All processes that it started have ended when it returns.
 */
struct dispatcher_outcome dispatcher_run(const struct dispatcher_config *config,
    const struct dispatcher_calls *calls, void *context);

/*
 * From a call: no further game begins, and those that are on end as ordered.
 * The first reason counts as the outcome; a later order may be harder.
 */
void dispatcher_end(struct dispatcher *dispatcher, enum dispatcher_end end,
    int detail, enum stop_mode order);

/* From a call: after DISPATCHER_WAIT, asks without waiting for a result. */
void dispatcher_supply_again(struct dispatcher *dispatcher);

enum { PLAN_ENTRANTS_MAX = SCOPA_SEATS_MAX };

/*
 * The games of `match`, and the entrant at each seat: a pure function of the
 * plan and the number of the game.
 *
 * A round is one set of packs.  With duplicates it is played once for each way
 * of seating the entrants, so that the luck of the deal cancels out.
 */
struct plan {
	const struct scopa_rules *rules;
	int entrant_count; /* one a seat, or one a team */
	int rounds;
	bool duplicate;
};

int64_t plan_game_count(const struct plan *plan);

/* The game of this number, from 0. */
struct game_spec plan_game(const struct plan *plan, int index);

#endif
