/*
 * Whole tournaments in one process, from a seed.
 *
 * Schedule, runner, dispatcher, workers, match pools, matches, referees, records and the
 * store are those of the arena, and so is all that reads and writes bots.  What
 * is not real is the machine below them: the linker gives the arena these
 * clocks, pipes, processes and signals in place of the kernel's (see SIM_WRAPS
 * in the Makefile).  A process of the arena is a coroutine here, a bot is a
 * script, and time passes when nobody has anything to do.
 *
 * The seed decides what is played, who plays, what bots do wrong, and what the
 * machine refuses and when.
 */
#ifndef SIM_H
#define SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "faults.h"
#include "run.h"
#include "tournament.h"

enum {
	SIM_BOTS_MAX = 4,
	SIM_LIVES_MAX = 6, /* of a run; nothing is wrong in the last */
	SIM_LAGS_MAX = 4,
	SIM_LAG_MS_MAX = 3000,
	SIM_LATE_MS = 30000,  /* nobody takes that for the arena's sleep */
	SIM_WAIT_MS = 90000,  /* with who starts, or hangs */
	SIM_FD_FIRST = 100000 /* no descriptor of the kernel is so high */
};

#define SIM_MS INT64_C(1000000)
#define SIM_MOVE_MS 500 /* time of a move; honest bots take a third of it */

/* How a bot misbehaves. */
enum sim_vice {
	SIM_HONEST,
	SIM_CHATTY, /* says much that may be said */
	SIM_TWICE,  /* answers twice: the second one is nobody's */
	SIM_STALE,  /* answers an older question first */
	SIM_LOUD,   /* writes a lot to stderr */
	SIM_PIECES, /* writes its lines in pieces */
	/* What was before this is no offence. */
	SIM_ILLEGAL, /* makes a move that is none */
	SIM_GARBAGE, /* writes bytes that are no text */
	SIM_LONG,    /* writes a line that is too long */
	SIM_FLOOD,   /* writes lines without an end */
	SIM_SILENT,  /* does not answer */
	SIM_LATE,    /* answers too late */
	SIM_EXIT,    /* ends */
	SIM_CRASH,   /* is ended by a signal */
	SIM_DEAF,    /* closes stdout and lives on */
	SIM_MUTE,    /* never gets ready */
	SIM_MISSING, /* cannot be executed */
	SIM_VICE_COUNT
};

/* What the machine does to the arena in one life of a run. */
struct sim_faults {
	/* In a thousand reads and writes of pipes. */
	int short_rate, again_rate, interrupt_rate;
	/* At the n-th; 0: never. */
	int64_t refuse_spawn, refuse_memory, refuse_pipe, refuse_watch;
	int64_t refuse_read, refuse_write;
	int64_t kill_arena, kill_worker, interrupt; /* steps of the schedule */
	int error;                                  /* of what is refused */
	int lag_count;
	struct {
		int64_t call; /* of the clock */
		int64_t ns;
	} lags[SIM_LAGS_MAX];
	enum fault disk; /* with the files, see faults.h */
	int disk_step;
	enum fault_keep disk_keep;
	int64_t disk_ns; /* a full disk has room again after this time */
};

/* What a seed decides. */
struct sim_plan {
	uint64_t seed;
	char spec[64];
	struct tournament_config config;
	struct store_head head;
	enum verdict_policy policy;
	int deals;
	int concurrency, worker_count;
	size_t pipe_size;
	enum sim_vice vices[SIM_BOTS_MAX];
	int vice_rates[SIM_BOTS_MAX]; /* one in so many decisions */
};

/* How far a life got: what faults can be planned for. */
struct sim_counts {
	int64_t steps, clocks, spawns, allocations, pipes, watches, reads,
	    writes;
	int64_t disk_steps, games, moves, offences, lost_games;
	int64_t end_ns;
};

/* --- sim_plan.c */

/* The next number of a sequence, and one below a limit. */
uint64_t sim_random(uint64_t *state);
int64_t sim_below(uint64_t *state, int64_t limit);

/* A number that depends on two others and on nothing else. */
uint64_t sim_mix(uint64_t a, uint64_t b);

void sim_plan_make(struct sim_plan *plan, uint64_t seed);

/* Faults of a life, from 0; `counts` are those of an undisturbed one. */
void sim_faults_make(struct sim_faults *faults, const struct sim_plan *plan,
    int life, const struct sim_counts *counts);

/* Both in a few lines, for people. */
void sim_plan_print(const struct sim_plan *plan);
void sim_faults_print(const struct sim_faults *faults);
const char *sim_vice_name(enum sim_vice vice);

/* --- sim_kernel.c: time, processes and what they wait for */

struct sim_file;
struct sim_bot;
struct match;

/* A task of the arena, or a bot. */
struct sim_process {
	pid_t pid, parent;
	bool dead, reaped;
	int status; /* as waitpid() gives it */
	struct sim_bot *bot;
	struct sim_task *task;
};

struct sim_machine {
	const struct sim_plan *plan;
	const struct sim_faults *faults;
	struct sim_counts *counts;
	int64_t now_ns;
	int64_t bot_ns; /* of the bot that does something */
	uint64_t random;
	bool on;               /* the arena is running in it */
	int verbose;           /* tells what happens; 2: and every word */
	int signal;            /* that is pending, or 0 */
	int64_t full_until_ns; /* the disk has no room; 0: it has */
};

extern struct sim_machine sim_machine;

/* Runs `main` as a process until it has returned and all others are dead. */
void sim_kernel_run(const struct sim_plan *plan,
    const struct sim_faults *faults, struct sim_counts *counts,
    void (*main)(void *context), void *context);

/* The present process waits until `ready` says so, or until that time. */
void sim_wait(bool (*ready)(void *context), void *context, int64_t until_ns);

/* Another process of the arena, with the descriptors of the present one. */
struct sim_process *sim_fork(void (*run)(void *context), void *context);

/* Within `run`, or a call of the child's: as which process descriptors are
 * meant.  The one before. */
struct sim_task *sim_become(struct sim_task *task);

/* The present process ends. */
_Noreturn void sim_exit(int status);

struct sim_process *sim_process_add(struct sim_bot *bot);
struct sim_process *sim_process_find(pid_t pid);
void sim_process_end(struct sim_process *process, int status);

/* Memory of the present process: so many pieces more or less. */
void sim_memory(int count);
int64_t sim_memory_count(void);

/* --- sim_files.c: descriptors */

enum { SIM_FILES_MAX = 4096 };

struct sim_files {
	struct sim_file *files[SIM_FILES_MAX];
};

struct sim_files *sim_files_now(void);
void sim_files_copy(struct sim_files *to, const struct sim_files *from);
void sim_files_close(struct sim_files *files);
int sim_files_count(const struct sim_files *files);

/* When the first timer of an open file rings; INT64_MAX: never. */
int64_t sim_files_due(const struct sim_files *files);

/* One end of a pipe for a bot, the other one for the present process. */
int sim_pipe_open(struct sim_file **end, bool to_bot);

/* What a bot does with its end; nothing blocks, -1: nothing can be done now,
 * 0: the other end is closed. */
ssize_t sim_pipe_read(struct sim_file *end, char *bytes, size_t size);
ssize_t sim_pipe_write(struct sim_file *end, const char *bytes, size_t size);
void sim_file_close(struct sim_file *file);

/* When there came what a reader would find; INT64_MAX: it would wait. */
int64_t sim_pipe_changed_ns(const struct sim_file *end);

/* A descriptor that is readable when the process is dead. */
int sim_process_file(struct sim_process *process);

/* --- sim_bot.c: scripts */

/* A bot of an entrant with its ends of the pipes, which it owns. */
struct sim_bot *sim_bot_open(int entrant, struct sim_file *input,
    struct sim_file *output, struct sim_file *error, struct sim_file *report);
void sim_bot_attach(struct sim_bot *bot, struct sim_process *process);

/* Closes its files: it is dead. */
void sim_bot_end(struct sim_bot *bot);
void sim_bot_close(struct sim_bot *bot);

/* When it does something by itself; INT64_MAX: when it is written to. */
int64_t sim_bot_due(const struct sim_bot *bot);
void sim_bot_wake(struct sim_bot *bot);

/* It does nothing, or goes on. */
void sim_bot_freeze(struct sim_bot *bot, bool frozen);

/* Whether it has done what may be blamed in this way (enum offence_kind). */
bool sim_bot_guilty(const struct sim_bot *bot, int offence);
bool sim_vice_guilty(enum sim_vice vice, int offence);

/* --- sim_life.c: a run, from where it is to its end or to the next fault */

enum sim_end {
	SIM_DONE = 40,  /* it is over */
	SIM_AGAIN = 41, /* it is to be gone on with */
	SIM_BAD = 42    /* something is wrong, and was said */
};

/* In a process of its own, which ends by it. */
_Noreturn void sim_life(const struct sim_plan *plan, const char *path,
    const struct sim_faults *faults, struct sim_counts *counts, int verbose);

/* Compares two runs, and checks the second. */
_Noreturn void sim_judge(
    const struct sim_plan *plan, const char *reference, const char *path);

/* Says what is wrong and ends the process. */
_Noreturn void sim_bad(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
void sim_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define sim_trace(...) \
	(sim_machine.verbose > 1 ? sim_say(__VA_ARGS__) : (void)0)

#define SIM_MUST(condition)                                             \
	((condition) ? (void)0                                          \
		     : sim_bad("%s:%d: not so: %s", __FILE__, __LINE__, \
			   #condition))

#endif
