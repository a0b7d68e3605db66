/*
 * A fleet: a whole run on up to a thousand workers whose machines fail,
 * simulated in one process; a seed decides everything.
 *
 * The runner, the coordinator and the workers (remote_worker.c) are the code of
 * the arena.  The queue is the one in memory.  The clock, the machines, and the
 * dispatchers of the workers are simulated: a game is a function of its packs
 * and seeds, which takes some simulated time.  The clock advances only while
 * the coordinator waits.
 *
 * Machines crash and are restarted, stop for longer than a lease, and lose
 * their connection to the server; the server is restarted; answers of calls are
 * lost after their effect; bots hang; some machines are slow; some workers send
 * altered results.
 */
#ifndef FLEET_H
#define FLEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "queue_memory.h"
#include "remote_worker.h"
#include "result_check.h"
#include "splitmix.h"

enum {
	FLEET_WORKERS_MAX = 2000,
	FLEET_LANES_MAX = 16,
	FLEET_RECORD_SIZE = 4096,
	FLEET_BOTS = 2
};

#define FLEET_S INT64_C(1000000000)

/* The run, and its machines. */
struct fleet_plan {
	uint64_t seed;
	int worker_count, lanes; /* lanes: simultaneous games of a worker */
	int64_t rounds;
	bool gate; /* a sequential test decides */
	int lease_s;
	double game_s; /* mean length of a game at speed 1 */
	double audit_rate;

	/* Failures: mean time between them on one worker, in seconds; 0:
	 * never. */
	double crash_s, freeze_s, cut_s;
	double restart_s; /* restarts of the server */
	double hang_rate; /* share of games */
	double lost_rate; /* share of calls whose answer is lost */
	double slow_rate; /* share of machines at a quarter of the speed */
	/* shares of workers that change bytes of results, and that alter
	 * plays */
	double forger_rate, liar_rate;
};

/* What happened. */
struct fleet_counts {
	int64_t blocks, games, crashes, freezes, cuts, restarts, hangs;
	int64_t pauses;  /* pauses of blocks after too many attempts */
	int64_t refused; /* results that the check refused */
	int quarantined, honest_quarantined, liars_quarantined;
	int64_t end_ns;
	/* While the second to the eighth tenth of the results arrived: games
	 * played, and games that the running workers could play. */
	double steady_games, steady_capacity;
};

/* --- fleet_game.c: a game as a function of its packs and seeds */

/* The keys of a game, which follow from the secret. */
struct fleet_keys {
	struct shuffle_key deal, nonces;
	uint64_t seeds[SCOPA_SEATS_MAX];
};

/* Derives the keys from the secret of the run, or reads them from a slot. */
void fleet_keys_of_run(struct fleet_keys *keys, const struct match_rules *rules,
    const struct game_spec *spec);
void fleet_keys_of_slot(struct fleet_keys *keys,
    const struct deal_keys_slot *slot, const struct game_spec *spec);

/*
 * Makes the record and the summary of a game. variant 0: the correct game; else
 * one play and the points differ.  Returns the size of the record.
 */
size_t fleet_game_play(const struct game_spec *spec,
    const struct fleet_keys *keys, int variant, struct summary *summary,
    char record[FLEET_RECORD_SIZE]);

/* The check of a result by the coordinator; `context`: struct fleet_check. */
struct fleet_check {
	const struct dispatcher_config *config;
	const char *uid;
	struct fleet_counts *counts;
	char records[BLOCK_GAMES_MAX][FLEET_RECORD_SIZE];
};

int fleet_check(void *context, const struct job *job,
    const struct queue_result *result, struct result_checked *checked,
    struct scopa_text *why);

/* --- fleet_machine.c: the clock and the workers */

struct fleet_machine;

struct fleet_machine *fleet_machine_open(const struct fleet_plan *plan,
    const struct dispatcher_config *config, const struct queue_run *run,
    struct fleet_counts *counts);
struct queue_memory *fleet_machine_memory(struct fleet_machine *machine);
void fleet_machine_close(struct fleet_machine *machine);

/* Reports that a block is paused; the organiser resumes the run later. */
void fleet_machine_pause(struct fleet_machine *machine);

/* Counts the quarantined workers. */
void fleet_machine_look(struct fleet_machine *machine);

void fleet_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
extern bool fleet_verbose;

/* Prints a failure and ends the process. */
_Noreturn void fleet_fail(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

#define FLEET_MUST(condition)                                             \
	((condition) ? (void)0                                            \
		     : fleet_fail("%s:%d: false: %s", __FILE__, __LINE__, \
			   #condition))

#endif
