/*
 * A fleet: a whole run over a thousand workers in one process, decided by a
 * seed, in which machines fail.
 *
 * The runner, the coordinator and the workers (remote_worker.c) are the code of
 * the arena.  The queue is the one in memory.  Simulated are the time, what
 * would be a dispatcher with its processes in each worker, and the machines: a
 * game is a function of its packs and seeds, which takes a while.  The time
 * goes on only while the coordinator waits.
 *
 * Machines die and come back, stop for longer than a lease, and are cut off
 * from the server; the server is started again; answers of calls are lost after
 * their effect; bots hang; some machines are slow; some workers hand in results
 * that they have altered.
 */
#ifndef FLEET_H
#define FLEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "queue_memory.h"
#include "remote_worker.h"
#include "result_check.h"

enum {
	FLEET_WORKERS_MAX = 2000,
	FLEET_LANES_MAX = 16,
	FLEET_RECORD_SIZE = 4096,
	FLEET_BOTS = 2
};

#define FLEET_S INT64_C(1000000000)

/* What is played, and on what. */
struct fleet_plan {
	uint64_t seed;
	int worker_count, lanes; /* lanes: games at once on each worker */
	int64_t rounds;
	bool gate; /* a sequential test decides */
	int window;
	int lease_s;
	double game_s; /* mean length of a game at speed 1 */
	double audit_rate;

	/* What goes wrong; means in seconds of one worker; 0: never. */
	double crash_s, freeze_s, cut_s;
	double restart_s; /* of the server */
	double hang_rate; /* share of games */
	double lost_rate; /* share of calls whose answer is lost */
	double slow_rate; /* share of machines at a quarter of the speed */
	/* shares of workers that forge results, and that alter plays */
	double forger_rate, liar_rate;
};

/* What came of it. */
struct fleet_counts {
	int64_t blocks, games, crashes, freezes, cuts, restarts, hangs;
	int64_t pauses;  /* of blocks, after too many attempts */
	int64_t refused; /* results that the check refused */
	int quarantined, honest_quarantined;
	int64_t end_ns;
	/* Of the time in which the second to the eighth tenth of the results
	 * came: games, and what the living workers could play. */
	double steady_games, steady_capacity;
};

/* --- the seed */

uint64_t fleet_random(uint64_t *state);
double fleet_draw(uint64_t *state); /* 0 <= x < 1 */
double fleet_exponential(uint64_t *state, double mean);

/* --- fleet_game.c: games as a function of what they are given */

/* What of the secret a game is given. */
struct fleet_given {
	struct shuffle_key deal, nonces;
	uint64_t seeds[SCOPA_SEATS_MAX];
};

/* From the secret of the run, as one machine has it; and from a slot. */
void fleet_given_of_run(struct fleet_given *given,
    const struct match_rules *rules, const struct game_spec *spec);
void fleet_given_of_slot(struct fleet_given *given,
    const struct deal_keys_slot *slot, const struct game_spec *spec);

/*
 * The record of a game, and its summary.  variant 0: as it is played; else one
 * play is another one, and the points, too.  The size of the record.
 */
size_t fleet_game_play(const struct game_spec *spec,
    const struct fleet_given *given, int variant, struct summary *summary,
    char record[FLEET_RECORD_SIZE]);

/* What the coordinator asks of a result; `context`: struct fleet_check. */
struct fleet_check {
	const struct dispatcher_config *config;
	const char *uid;
	struct fleet_counts *counts;
	char records[BLOCK_GAMES_MAX][FLEET_RECORD_SIZE];
};

int fleet_check(void *context, const struct job *job,
    const struct queue_result *result, struct result_checked *checked,
    struct scopa_text *why);

/* --- fleet_machine.c: time, and the workers */

struct fleet_machine;

struct fleet_machine *fleet_machine_open(const struct fleet_plan *plan,
    const struct dispatcher_config *config, const struct queue_run *run,
    struct fleet_counts *counts);
struct queue_memory *fleet_machine_memory(struct fleet_machine *machine);
void fleet_machine_close(struct fleet_machine *machine);

/* A block is paused: the organiser resumes the run after a while. */
void fleet_machine_pause(struct fleet_machine *machine);

/* Counts the workers that are in quarantine. */
void fleet_machine_look(struct fleet_machine *machine);

void fleet_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
extern bool fleet_verbose;

/* Prints a failure and ends the process. */
_Noreturn void fleet_bad(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

#define FLEET_MUST(condition)                                             \
	((condition) ? (void)0                                            \
		     : fleet_bad("%s:%d: not so: %s", __FILE__, __LINE__, \
			   #condition))

#endif
