/*
 * The dispatcher plays many games at the same time and reports them in order.
 * The caller decides which games are played.
 *
 * Worker processes play the games. Each worker and its bots have a core of
 * their own if there are enough cores. A bot on the core of its worker answers
 * in a fraction of the time that another core takes to wake.
 *
 * The caller supplies games one by one, as far ahead as the workers can use
 * them. It is given the results and the records in the order of supply, even if
 * a later game ends first, unless it wants each at once. The process of a bot
 * is started once. It plays one game after the other, against changing
 * opponents.
 */
#ifndef DISPATCHER_H
#define DISPATCHER_H

#include "log.h"
#include "machine.h"
#include "match.h"
#include "summary.h"

enum { DISPATCHER_ENTRANTS_MAX = 2000, DISPATCHER_AT_ONCE_MAX = 1024 };

/* How workers and their bots are pinned to cores. */
enum dispatcher_pin {
	DISPATCHER_PIN_AUTO, /* one free core each; see place_workers() */
	DISPATCHER_PIN_NONE, /* not pinned: the kernel chooses */
	DISPATCHER_PIN_LIST  /* to the cores of the list */
};

/*
 * How many bots may think at the same time: see cpu_slots.h. AUTO: if time is
 * limited, one bot for each worker, and bots that answer fast; otherwise any
 * number. ALL: any number.
 */
enum { DISPATCHER_CPU_SLOTS_AUTO = 0, DISPATCHER_CPU_SLOTS_ALL = -1 };

enum { PLAN_ENTRANTS_MAX = SCOPA_SEATS_MAX };

/*
 * Games that are known from the beginning. A game and the entrant at each seat
 * depend only on the plan and on the number of the game.
 *
 * A round is one set of packs. With `duplicate`, each round is played once for
 * each seating (the entrants move on by one place), so that the luck of the
 * deal cancels out.
 */
struct plan {
	const struct scopa_rules *rules;
	int entrant_count; /* one for each seat, or one for each team */
	int rounds;
	bool duplicate;
};

/* The number of games in the plan. */
int64_t plan_game_count(const struct plan *plan);

/* The game with this index, from 0. */
struct game_spec plan_game(const struct plan *plan, int index);

struct dispatcher_config {
	struct match_rules rules;
	const struct plan *plan; /* the games; NULL: dispatcher_calls.next */
	const struct entrant *entrants;
	int entrant_count; /* up to DISPATCHER_ENTRANTS_MAX */
	int concurrency;   /* games at once, 1 to DISPATCHER_AT_ONCE_MAX */
	int cpu_slots;     /* bots that may think at once; AUTO; or ALL */
	enum dispatcher_pin pin;
	struct cores cores; /* for DISPATCHER_PIN_LIST: at least one */
	int64_t tick_ns;    /* time between two calls of on_tick; 0: no calls */
	bool unordered; /* games are reported in the order in which they end */
	/*
	 * The run fails when no bot could be started for this time. 0 means
	 * BACKOFF_LIMIT_S.
	 */
	int64_t backoff_limit_ns;
	/* For what users should know at once; called in worker processes. */
	struct speaker speaker;
};

/* One game that has ended. */
struct game_result {
	struct summary summary;                 /* made from its record */
	int entrant[SCOPA_SEATS_MAX];           /* at each seat */
	int32_t unasked_count[SCOPA_SEATS_MAX]; /* answers without question */
	int32_t stray_count[SCOPA_SEATS_MAX];   /* lines that are no message */
	/* What each bot's name lost at its first blank; see session.h. */
	char name_rest[SCOPA_SEATS_MAX][SESSION_NAME_SIZE];
	int keys; /* of its struct game_spec */
	/* It was aborted, because its slot had no key for its next deal. */
	bool lacks_keys;
	int fault_entrant; /* entrant that lost by an offence, or -1 */
	struct match_fault fault;
};

/* What the caller answers when it is asked for a game. */
enum dispatcher_supply {
	DISPATCHER_GAME,
	DISPATCHER_WAIT,   /* ask again after the next result */
	DISPATCHER_NO_MORE /* never ask again */
};

/* What happens to unfinished games when a run ends. */
enum stop_mode {
	STOP_FINISH, /* they are played to their end */
	STOP_ABORT,  /* they end now, with `endmatch reason=abort` */
	STOP_KILL    /* bots are killed at once; no results follow */
};

enum dispatcher_end {
	DISPATCHER_DONE,        /* all games were played */
	DISPATCHER_STOPPED,     /* by an offence; games may end after it */
	DISPATCHER_INTERRUPTED, /* by a signal; `detail` is its number */
	DISPATCHER_FAILED,      /* the system refused; `detail` is -errno */
	/*
	 * A worker died too often, or while games could end without being
	 * reported. `detail` is its wait status.
	 */
	DISPATCHER_LOST
};

struct dispatcher_outcome {
	enum dispatcher_end end;
	int detail;
	int lost_count; /* games that a worker had when it died; not reported */
	int64_t cpu_ns; /* CPU time of the arena's processes without the bots */
};

/*
 * The player of the games, which calls the callbacks: the workers of this
 * process, which dispatcher_run() starts, or other machines
 * (remote/coordinator.h).  Each kind begins with this struct.  Its functions do
 * what dispatcher_end() and dispatcher_supply_again() describe.
 */
struct dispatcher {
	void (*end)(struct dispatcher *dispatcher, enum dispatcher_end end,
	    int detail, enum stop_mode order);
	void (*supply_again)(struct dispatcher *dispatcher);
};

/* The callbacks. All except `on_result` may be NULL; `next` with a plan. */
struct dispatcher_calls {
	/*
	 * A worker has a free lane. For DISPATCHER_GAME the caller writes the
	 * next game, with an index of its own choice.
	 */
	enum dispatcher_supply (*next)(struct dispatcher *dispatcher,
	    void *context, struct game_spec *game);
	/*
	 * The next game in the order of supply has ended. `block` is its
	 * record, which is empty with `unrecorded`. When a run ends early, some
	 * games are never reported, although later games are.
	 */
	void (*on_result)(struct dispatcher *dispatcher, void *context,
	    const struct game_result *result, const char *block, size_t size);
	/*
	 * SIGINT or SIGTERM has arrived. `count` numbers the signals from 1. If
	 * this callback is NULL, the first signal aborts the games. A signal
	 * that arrives while the run is already ending kills the bots.
	 */
	void (*on_signal)(struct dispatcher *dispatcher, void *context,
	    int signal, int count);
	/* Called each tick_ns. */
	void (*on_tick)(struct dispatcher *dispatcher, void *context);
};

/*
 * Plays games until `next` supplies no more, or until the run ends early.
 * Returns how the run ended. The caller must have no other thread and no open
 * loop. `config` stays the caller's. All processes that the dispatcher has
 * started have ended when it returns.
 */
struct dispatcher_outcome dispatcher_run(const struct dispatcher_config *config,
    const struct dispatcher_calls *calls, void *context);

/*
 * Ends the run; only called from a callback. No further game is supplied, and
 * unfinished games end as `order` says. The first call determines the outcome.
 * A later call may give a stricter order.
 */
void dispatcher_end(struct dispatcher *dispatcher, enum dispatcher_end end,
    int detail, enum stop_mode order);

/*
 * Only called from a callback, after DISPATCHER_WAIT: the dispatcher calls
 * `next` again without waiting for a result.
 */
void dispatcher_supply_again(struct dispatcher *dispatcher);

#endif
