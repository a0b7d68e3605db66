/*
 * Plays a run: from the schedule to the workers, and from their records to the
 * standings and the store, in the order of the schedule.
 *
 * What is counted, and where a sequential test stops, does not depend on how
 * many games are on at once: blocks after the last one that counts are dropped
 * and leave no record.
 */
#ifndef RUNNER_H
#define RUNNER_H

#include "dispatcher.h"
#include "run.h"
#include "tournament.h"

/*
 * The games of a run that were begun and have no result, because the arena was
 * killed, a worker died or the user interrupted them: `attempts.txt` in the
 * folder of the run.
 *
 * Its first line says how many games were begun, so that `resume` knows which
 * of them have no result.  They are played again with the same cards; each loss
 * is a line, and the game's record names its reasons.
 */
#define ATTEMPTS_FILE "attempts.txt"
#define ATTEMPTS_ABORTED "ABORTED" /* by the user */

enum { ATTEMPTS_REASON_SIZE = 16 };

/* Callbacks of the runner while it plays; each may be NULL. */
struct runner_calls {
	/* A block was counted; it is durable after the next commit. */
	void (*on_block)(void *context, const struct block_result *block);
	/* A game of a block was lost by an offence: for the log. */
	void (*on_fault)(void *context, const struct game_result *result);
	/* A bot plays no more. */
	void (*on_suspend)(void *context, int bot);
	/*
	 * No further game begins, because the disk is full (-ENOSPC) or another
	 * program holds the database (-EBUSY); 0: the run goes on.
	 */
	void (*on_hold)(
	    void *context, int error, const struct store_error *why);
	/* A signal has arrived, the `count`th. */
	void (*on_signal)(void *context, int signal, int count);
	/* The grace time after the first signal is over: games are aborted. */
	void (*on_grace_over)(void *context);
	/* Called a few times a second. */
	void (*on_tick)(void *context);
};

struct runner_config {
	struct dispatcher_config dispatcher;
	/*
	 * Plays the games as dispatcher_run() does. Its first argument is
	 * `player`. NULL: dispatcher_run() itself plays.
	 */
	struct dispatcher_outcome (*play)(const void *player,
	    const struct dispatcher_config *config,
	    const struct dispatcher_calls *calls, void *context);
	const void *player;
	const struct gate_config *gate; /* or NULL */
	/* most time to wait if results cannot be stored; 0: no limit */
	int64_t wait_max_ns;
	/*
	 * The time from the first signal until the games that are played are
	 * aborted, as by a second signal; 0: never.
	 */
	int64_t stop_grace_ns;
	const struct runner_calls *calls;
	void *context;
};

enum runner_end {
	RUNNER_DONE,        /* the schedule or the gate has ended */
	RUNNER_INTERRUPTED, /* a signal: its number is in `detail` */
	RUNNER_NOBODY,      /* too few bots are left that are not suspended */
	RUNNER_FAILED,      /* the machine refused: -errno is in `detail` */
	RUNNER_LOST,        /* a worker died: its wait status is in `detail` */
	RUNNER_STORE /* results cannot be kept: -errno is in `detail`, the
		      * reason in `error`; -ETIMEDOUT: for too long */
};

struct runner_outcome {
	enum runner_end end;
	int detail;
	int lost_count;  /* games that died with a worker */
	int64_t dropped; /* blocks that were played and are not in the store */
	struct store_error error;
};

/*
 * Counts the stored blocks of a run in a tournament, from the first one that is
 * not counted yet.  Returns false with the error if they are not what its
 * schedule plans, or if their results were changed.
 */
bool runner_catch_up(
    struct run *run, struct tournament *tournament, struct store_error *error);

/* Returns game `number` of a block, from 0, as it is given to a worker. */
struct game_spec runner_game(const struct block_plan *plan, int number);

/* Plays until the schedule or the gate ends, or the run is stopped. */
struct runner_outcome runner_run(const struct runner_config *config,
    struct run *run, struct tournament *tournament);

#endif
