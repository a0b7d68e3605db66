/*
 * Simulated tournaments: whole tournaments in one process, decided by a seed.
 *
 * Schedule, runner, dispatcher, workers, match pools, matches, referees,
 * records, the store, and all code that reads from and writes to bots are the
 * code of the arena. Only the machine below them is simulated: the linker
 * replaces the clocks, pipes, processes and signals of the kernel by those of
 * this folder (see SIM_WRAPS in tests/tests.mk). A process of the arena is a
 * coroutine, and a bot is a script. The simulated time advances only when no
 * process can continue.
 *
 * The seed decides what is played, which bots play, what the bots do wrong, and
 * which calls the machine refuses and when.
 *
 * A "life" is one process that opens the run and plays it until the run ends or
 * a fault ends the process. The next life continues the run.
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
	/* lives of a run; the last one has no ending fault */
	SIM_LIVES_MAX = 6,
	SIM_LAGS_MAX = 4,
	SIM_LAG_MS_MAX = 3000,
	/* much longer than any lag, so never excused by one */
	SIM_LATE_MS = 30000,
	SIM_WAIT_MS = 90000,  /* limit of startup and of hanging */
	SIM_FD_FIRST = 100000 /* above every descriptor of the kernel */
};

#define SIM_MS INT64_C(1000000)
#define SIM_MOVE_MS 500 /* time of a move; an honest bot uses at most a third */

/* How a bot misbehaves. Everything before SIM_ILLEGAL is allowed. */
enum sim_misbehaviour {
	SIM_HONEST,
	SIM_CHATTY, /* sends many info lines, which are allowed */
	SIM_TWICE,  /* answers twice; the second answer is ignored */
	SIM_STALE,  /* first sends an answer to an earlier turn */
	SIM_LOUD,   /* writes a lot to stderr */
	SIM_PIECES, /* writes each line in several writes */
	/* From here on each is an offence. */
	SIM_ILLEGAL, /* answers with an illegal move */
	SIM_GARBAGE, /* writes bytes that are not text */
	SIM_LONG,    /* writes a line that is too long */
	SIM_FLOOD,   /* writes many lines without being asked */
	SIM_SILENT,  /* does not answer */
	SIM_LATE,    /* answers after its time */
	SIM_EXIT,    /* exits */
	SIM_CRASH,   /* is killed by a signal */
	SIM_DEAF,    /* closes stdout and continues */
	SIM_MUTE,    /* never answers the handshake */
	SIM_MISSING, /* cannot be executed */
	SIM_MISBEHAVIOUR_COUNT
};

/* What happens once in a life: a call is refused, or a process is ended. */
enum sim_failure {
	SIM_REFUSE_SPAWN,
	SIM_REFUSE_MEMORY,
	SIM_REFUSE_PIPE, /* or a timer, an epoll instance and the like */
	SIM_REFUSE_WATCH,
	/* These come at a step of the scheduler. */
	SIM_KILL_ARENA,
	SIM_KILL_WORKER,
	SIM_INTERRUPT,
	SIM_REFUSE_READ,
	SIM_REFUSE_WRITE,
	SIM_FAILURE_COUNT
};

/* What the machine does to the arena in one life of a run. */
struct sim_faults {
	/* Out of 1000 reads and writes of pipes: how many transfer only a
	 * part, fail with EAGAIN, or fail with EINTR. */
	int short_rate, again_rate, interrupt_rate;
	/* The number of the call or step, from 1; 0: it does not happen. */
	int64_t failures[SIM_FAILURE_COUNT];
	/* errno of a refused call */
	int error;
	int lag_count;
	struct {
		int64_t call; /* number of the call of clock_now_ns */
		int64_t ns;
	} lags[SIM_LAGS_MAX];
	enum fault disk; /* fault of the file system, see faults.h */
	int disk_step;
	enum fault_survivors disk_survivors;
	int64_t disk_ns; /* how long a full disk stays full */
};

/* What a seed decides about a tournament. */
struct sim_plan {
	uint64_t seed;
	char spec[64];
	struct tournament_config config;
	struct store_head head;
	enum verdict_policy policy;
	int deals;
	int concurrency, worker_count;
	size_t pipe_size;
	enum sim_misbehaviour misbehaviours[SIM_BOTS_MAX];
	/* misbehaves in one of this number of decisions */
	int misbehaviour_rates[SIM_BOTS_MAX];
};

/* How many of each a life has counted. The faults of the next lives are
 * planned within these numbers. */
struct sim_counts {
	int64_t failures[SIM_FAILURE_COUNT]; /* calls or steps so far */
	int64_t clocks, disk_steps, games, offences;
	int64_t end_ns;
};

/* --- sim_plan.c */

/* The next number of a sequence, from 0 to `limit` - 1. */
int64_t sim_below(uint64_t *state, int64_t limit);

/* A number that depends only on `a` and `b`. */
uint64_t sim_mix(uint64_t a, uint64_t b);

void sim_plan_make(struct sim_plan *plan, uint64_t seed);

/* Chooses the faults of a life. Lives are counted from 0; `counts` are those
 * of the undisturbed run. */
void sim_faults_make(struct sim_faults *faults, const struct sim_plan *plan,
    int life, const struct sim_counts *counts);

/* Print the plan, or the faults, in a few lines for a human reader. */
void sim_plan_print(const struct sim_plan *plan);
void sim_faults_print(const struct sim_faults *faults);
const char *sim_misbehaviour_name(enum sim_misbehaviour misbehaviour);

/* Whether a misbehaviour can lead to this offence (enum offence_kind). */
bool sim_misbehaviour_explains(enum sim_misbehaviour misbehaviour, int offence);

/* --- sim_kernel.c: time, processes and what they wait for */

struct sim_file;
struct sim_bot;
struct match;

/* A simulated process: a worker or the arena (`task` is set), or a bot
 * (`bot` is set). */
struct sim_process {
	pid_t pid, parent;
	bool dead, reaped;
	int status; /* in the format of waitpid() */
	struct sim_bot *bot;
	struct sim_task *task;
};

struct sim_machine {
	const struct sim_plan *plan;
	const struct sim_faults *faults;
	struct sim_counts *counts;
	int64_t now_ns;
	int64_t bot_ns; /* time at which the present bot acts */
	uint64_t random;
	bool on; /* the code of the arena runs on this machine */
	/* 1: log each step; 2: and each line of the bots */
	int verbose;
	int signal;            /* pending signal, or 0 */
	int64_t full_until_ns; /* end of "disk full"; 0: the disk is not full */
};

extern struct sim_machine sim_machine;

/* Counts a call or a step, and returns whether it fails by the plan. */
bool sim_fails(enum sim_failure failure);

/* Runs `main` as a process until it has returned. It is an error if another
 * process is still alive then. */
void sim_kernel_run(const struct sim_plan *plan,
    const struct sim_faults *faults, struct sim_counts *counts,
    void (*main)(void *context), void *context);

/* Suspends the present process until `ready` returns true, or until the time
 * `until_ns`. */
void sim_wait(bool (*ready)(void *context), void *context, int64_t until_ns);

/* Starts another process of the arena. It inherits the descriptors of the
 * present process. */
struct sim_process *sim_fork(void (*run)(void *context), void *context);

/* Makes `task` the present process, whose descriptors are used from now on.
 * For calls that the parent makes in place of the child. Returns the process
 * that was the present one. */
struct sim_task *sim_become(struct sim_task *task);

/* Ends the present process with an exit status. */
_Noreturn void sim_exit(int status);

struct sim_process *sim_process_add(struct sim_bot *bot);
struct sim_process *sim_process_find(pid_t pid);
void sim_process_end(struct sim_process *process, int status);

/*
 * Adds `count` (which may be negative) to the number of memory blocks that the
 * present process has allocated; sim_memory_count returns this number.
 */
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

/* The earliest time at which a timer of `files` expires; INT64_MAX: never. */
int64_t sim_files_due(const struct sim_files *files);

/* Makes a pipe between a bot and the present process. The bot's end goes to
 * `*end`; the result is the descriptor of the other end. */
int sim_pipe_open(struct sim_file **end, bool to_bot);

/* The bot reads from, or writes to, its end of a pipe. Neither call blocks.
 * They return the number of bytes, -1 if nothing can be transferred now, or
 * 0 if the other end is closed. */
ssize_t sim_pipe_read(struct sim_file *end, char *bytes, size_t size);
ssize_t sim_pipe_write(struct sim_file *end, const char *bytes, size_t size);
void sim_file_close(struct sim_file *file);

/* When the pipe became readable; INT64_MAX: a reader would have to wait. */
int64_t sim_pipe_changed_ns(const struct sim_file *end);

/* A descriptor that becomes readable when the process dies, like a pidfd. */
int sim_process_file(struct sim_process *process);

/* --- sim_bot.c: scripts */

/* Starts the bot of an entrant, which owns the given ends of the pipes. */
struct sim_process *sim_bot_open(int entrant, struct sim_file *input,
    struct sim_file *output, struct sim_file *error, struct sim_file *report);

/* sim_bot_end closes the pipes of a bot that died. sim_bot_close frees it. */
void sim_bot_end(struct sim_bot *bot);
void sim_bot_close(struct sim_bot *bot);

/* When the bot acts next; INT64_MAX: only when it receives something.
 * sim_bot_wake lets it act now. */
int64_t sim_bot_due(const struct sim_bot *bot);
void sim_bot_wake(struct sim_bot *bot);

/* Stops the bot, or continues it. */
void sim_bot_freeze(struct sim_bot *bot, bool frozen);

/* Whether the bot has misbehaved in a way that explains the offence. */
bool sim_bot_has_committed(const struct sim_bot *bot, int offence);

/* --- sim_life.c: one life of a run */

enum sim_end {
	SIM_DONE = 40,  /* the run has ended */
	SIM_AGAIN = 41, /* the run must be continued in another life */
	SIM_BAD = 42    /* a check failed, and the failure was printed */
};

/* Plays one life. Ends the calling process with an enum sim_end, or by a
 * planned SIGKILL. */
_Noreturn void sim_life(const struct sim_plan *plan, const char *path,
    const struct sim_faults *faults, struct sim_counts *counts, int verbose);

/*
 * --- sim_compare.c
 * Checks that the run at `path` has the same content as the `reference`, and
 * that its records are valid. Ends the calling process with an enum sim_end.
 */
_Noreturn void sim_compare(
    const struct sim_plan *plan, const char *reference, const char *path);

/* Prints a failure and ends the process with SIM_BAD. */
_Noreturn void sim_bad(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
void sim_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define sim_trace(...) \
	(sim_machine.verbose > 1 ? sim_log(__VA_ARGS__) : (void)0)

#define SIM_MUST(condition) \
	((condition)        \
		? (void)0   \
		: sim_bad("%s:%d: false: %s", __FILE__, __LINE__, #condition))

#endif
