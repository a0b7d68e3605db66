/*
 * Starts a program in a new process, behind the launcher and its supervisor: a
 * session of its own, private pipes, and a pidfd by which it is held.  The
 * arena itself is never forked for that.
 */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "supervisor.h"

enum {
	PROCESS_OBEY_MS = 2000
}; /* most time for a supervisor to kill all processes */

struct uid_pool;
struct sandbox;

struct process_order {
	const char *path;             /* file to execute */
	const char *const *arguments; /* argv, NULL ends it; [0] is a name */
	/* entries NAME=VALUE of this program, or NULL */
	const char *const *environment;
	const char *dir;               /* working folder, NULL: the arena's */
	const struct sandbox *sandbox; /* the sandbox, or NULL */
	int64_t memory_max_bytes; /* limit for all its processes; 0: none */
	bool stale; /* it must not run, because its file has changed */
	/* paths for it in a sandbox, colons between, or NULL */
	const char *read;
	/* in a sandbox it may use futexes that processes share */
	bool allows_futexes;
};

/* The pipes of a child.  The first three are its descriptors 0 to 2. */
enum process_pipe {
	PROCESS_INPUT,  /* its stdin, to write to */
	PROCESS_OUTPUT, /* its stdout, to read from */
	PROCESS_ERROR,  /* its stderr, to read from */
	/* end of file: the program runs; a struct launcher_report: it failed */
	PROCESS_REPORT,
	PROCESS_END, /* the struct supervisor_end, from the supervisor */
	PROCESS_PIPE_COUNT
};

/*
 * A child and this side of its pipes. All descriptors are O_CLOEXEC, and the
 * pipes are O_NONBLOCK. The child shares no open file description with this
 * process.
 */
struct process {
	pid_t pid; /* pid of the supervisor */
	/* readable when the supervisor, and so the program, is dead */
	int pid_fd;
	int fds[PROCESS_PIPE_COUNT];
	/* the pool that its user is from, or NULL */
	struct uid_pool *uid_pool;
	unsigned user; /* this user; it counts only with a pool */
};

/*
 * Starts the child and does not wait for it. The caller owns the descriptors
 * and must reap the child. Returns 0, or -errno (EAGAIN, ENOMEM, EMFILE..) with
 * nothing left. An error is a failure of the system and never of the program.
 */
int process_open(struct process *process, const struct process_order *order);

/* How a process has ended. */
struct process_end {
	/*
	 * The supervisor was killed, or the launcher before it became the
	 * supervisor. The other fields then describe its end. Unless `code` is
	 * SIGTERM, which only kills a launcher, processes of the program may
	 * still run as children of the caller.
	 */
	bool lost;
	enum supervisor_limit limit; /* the limit for which it was killed */
	bool by_signal;
	int code; /* the signal or the exit status */
};

/*
 * Signals the supervisor, which kills everything that the program has started.
 * Returns false, and sends nothing, if the supervisor is dead.
 */
bool process_kill(const struct process *process);

/*
 * Kills a supervisor that does not react. Without a sandbox the program may
 * have stopped it.
 */
void process_force_kill(const struct process *process);

/*
 * Stops all processes of the program, or continues them. The last order counts.
 * Returns 0, also for a dead process, or -errno: -EAGAIN if the system can
 * queue no more signals.
 */
int process_freeze(const struct process *process, bool frozen);

/*
 * Reaps a process that was killed or has ended. Waits if it is still alive, and
 * kills it if it does not end. Returns 0; or -ECHILD, with *end zeroed, if it
 * has been reaped already.
 */
int process_reap(const struct process *process, struct process_end *end);

/* Waits until the process is dead, and reaps it. Returns 0 or -errno. */
int process_wait(const struct process *process, struct process_end *end);

/* Closes the descriptors of a process that is dead and reaped. */
void process_close(struct process *process);

/*
 * Returns how many children the hard limit of descriptors allows beside so many
 * others.
 */
int process_room(int other_count);

/*
 * Raises the limit of open descriptors so that `child_count` children fit
 * beside `other_count` other descriptors. Returns 0; -EMFILE if the hard limit
 * is lower; or another -errno.
 */
int process_make_room(int child_count, int other_count);

#endif
