/*
 * Starts a program behind the launcher and its supervisor: own session, private
 * pipes, held by a pidfd.  Never forks the arena.
 */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "supervisor.h"

enum { PROCESS_OBEY_MS = 2000 }; /* for a supervisor to kill all */

struct uid_pool;
struct sandbox;

struct process_order {
	const char *path;               /* file to execute */
	const char *const *arguments;   /* argv, NULL ends it; [0] is a name */
	const char *const *environment; /* own entries NAME=VALUE, or NULL */
	const char *dir;                /* working folder, NULL: the arena's */
	const struct sandbox *sandbox;  /* around it, or NULL */
	int64_t memory_max_bytes;       /* of all that it starts; 0: any */
	bool stale; /* it must not run: its file is not what it was */
	const char
	    *read; /* paths for it in a sandbox, colons between, or NULL */
	bool allows_futexes; /* that processes share, in a sandbox */
};

/* The pipes of a child: where they are its descriptors. */
enum process_pipe {
	PROCESS_INPUT,  /* its stdin, to write to */
	PROCESS_OUTPUT, /* its stdout, to read from */
	PROCESS_ERROR,  /* its stderr, to read from */
	PROCESS_REPORT, /* end of file: runs; a struct launcher_report: failed */
	PROCESS_END,    /* to read the supervisor's last word from */
	PROCESS_PIPE_COUNT
};

/*
 * A child and this side of its pipes.  All are O_CLOEXEC and O_NONBLOCK; no
 * open file description is shared with the child.
 */
struct process {
	pid_t pid;  /* of its supervisor */
	int pid_fd; /* readable when all of it is dead */
	int fds[PROCESS_PIPE_COUNT];
	struct uid_pool *uid_pool; /* of which it has one, or NULL.. */
	unsigned user;             /* ..and which */
};

/*
 * Starts the child and does not wait for it.  The descriptors and the duty to
 * reap are the caller's.  0, or -errno (EAGAIN, ENOMEM, EMFILE..) which is
 * the machine's fault and never the program's; nothing is left then.
 */
int process_open(struct process *process, const struct process_order *order);

/* How it ended. */
struct process_end {
	/* Its supervisor was ended from outside: the rest is about that one,
	 * and some of the program may still run as children of the caller. */
	bool lost;
	enum supervisor_limit limit; /* at which it was killed */
	bool by_signal;
	int code; /* the signal or the exit status */
};

/*
 * Signals its supervisor, which kills everything that the program has started.
 * False, and nothing sent, where it is dead already.
 */
bool process_kill(const struct process *process);

/*
 * Kills the supervisor where it does not react: without a sandbox the program
 * may have stopped it.
 */
void process_force_kill(const struct process *process);

/*
 * Stops all that the program has started, or lets it go on.  The last word
 * counts.  0, also for a dead one, or -errno: -EAGAIN where the machine can hold
 * no more signals.
 */
int process_hold(const struct process *process, bool frozen);

/*
 * Reaps what was killed or has ended; waits where it still lives, but crushes
 * what does not end.  0, or -ECHILD where somebody else has reaped it: *end is
 * zero then.
 */
int process_reap(const struct process *process, struct process_end *end);

/* Waits until it is dead, and reaps it: 0 or -errno. */
int process_wait(const struct process *process, struct process_end *end);

/* Closes this side of a process that is dead and reaped. */
void process_close(struct process *process);

/* How many children the hard limit allows beside so many descriptors. */
int process_room(int other_count);

/*
 * Raises the limit of open descriptors so that `child_count` children fit
 * beside `other_count` other descriptors.  0, or -EMFILE where the hard limit
 * is lower, or -errno.
 */
int process_make_room(int child_count, int other_count);

#endif
