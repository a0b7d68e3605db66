/*
 * Implements process.h: makes the pipes, starts the launcher by posix_spawn(3),
 * and sends orders to the supervisor by signals.
 */
#include "process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child_tracker.h"
#include "launcher.h"
#include "machine.h"
#include "sandbox.h"
#include "supervisor.h"
#include "user.h"

enum {
	PROCESS_BASE_ENVIRONMENT = 3, /* PATH, LANG, HOME */
	PROCESS_DESCRIPTORS = 7,      /* of the arena for each child */
	PROCESS_DESCRIPTORS_START = 6 /* more while a child is started */
};

/* The descriptor at which the launcher finds the system call filter. */
enum { FILTER_DESCRIPTOR = PROCESS_PIPE_COUNT, CGROUP_DESCRIPTOR };

/*
 * A control group takes time to make. It is used for limits, and where no other
 * way kills all processes of a bot for certain.
 */
static bool
has_bot_cgroup(const struct sandbox *sandbox)
{
	return sandbox->cgroup.fd > 0 &&
	    (sandbox->level == SANDBOX_BOX_LIMITS ||
		(sandbox->level == SANDBOX_PROCESS &&
		    !sandbox->kill_is_certain));
}

static void
fds_close(const int fds[PROCESS_PIPE_COUNT])
{
	for (int i = 0; i < PROCESS_PIPE_COUNT; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/*
 * If the arena was started without stdin, a pipe could get descriptor 0, which
 * the child needs for its own stdin.
 */
static int
descriptor_lift(int *fd)
{
	int lifted;

	if (*fd > CGROUP_DESCRIPTOR)
		return 0;
	lifted = fcntl(*fd, F_DUPFD_CLOEXEC, CGROUP_DESCRIPTOR + 1);
	/*
	 * EINVAL means that the lowest number is beyond the limit of
	 * descriptors.
	 */
	if (lifted < 0)
		return errno == EINVAL ? -EMFILE : -errno;
	close(*fd);
	*fd = lifted;
	return 0;
}

static int
pipe_make(int *ours, int *theirs, bool to_child)
{
	int fds[2];
	int status;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	*theirs = fds[to_child ? 0 : 1];
	*ours = fds[to_child ? 1 : 0];
	status = descriptor_lift(theirs);
	if (status < 0)
		return status;
	/* The two ends of a pipe do not share their flags. */
	return fcntl(*ours, F_SETFL, O_NONBLOCK) < 0 ? -errno : 0;
}

/* If this fails, the descriptors that were not opened are -1. */
static int
pipes_make(int ours[PROCESS_PIPE_COUNT], int theirs[PROCESS_PIPE_COUNT])
{
	int status = 0;

	for (int i = 0; i < PROCESS_PIPE_COUNT; i++)
		ours[i] = theirs[i] = -1;
	for (int i = 0; i < PROCESS_PIPE_COUNT && status == 0; i++)
		status = pipe_make(&ours[i], &theirs[i], i == PROCESS_INPUT);
	return status;
}

enum {
	/*
	 * All before FILE: name, role, 17 options other than --hide, and --.
	 */
	PROCESS_OPTIONS = 20 + FILE_POLICY_HIDDEN_MAX,
	PROCESS_STRINGS = PROCESS_BASE_ENVIRONMENT + LAUNCHER_ENVIRONMENT_MAX
};
_Static_assert(PROCESS_STRINGS >= PROCESS_OPTIONS + LAUNCHER_ARGUMENTS_MAX,
    "a list has room for the command line, too");

/* Strings made for one start; freed all at once.  A NULL ends them. */
struct strings {
	char *items[PROCESS_STRINGS + 1];
	int count;
	int status; /* the first error; no further strings are made after it */
};

static void
strings_release(struct strings *strings)
{
	for (int i = 0; i < strings->count; i++)
		free(strings->items[i]);
}

__attribute__((format(printf, 2, 3))) static void
strings_add(struct strings *strings, const char *format, ...)
{
	va_list arguments;
	char *item;

	if (strings->status == 0 && strings->count == PROCESS_STRINGS)
		strings->status = -E2BIG;
	if (strings->status < 0)
		return;
	va_start(arguments, format);
	if (vasprintf(&item, format, arguments) < 0)
		strings->status = -ENOMEM;
	else
		strings->items[strings->count++] = item;
	va_end(arguments);
}

/*
 * Writes three entries of the arena, and those of the bot. The latter have a
 * prefix, so that the dynamic loader of the launcher ignores them.
 */
static void
environment_make(struct strings *environment, const char *const *own)
{
	static const char *const kept[PROCESS_BASE_ENVIRONMENT] = { "PATH",
		"LANG", "HOME" };

	for (int i = 0; i < PROCESS_BASE_ENVIRONMENT; i++) {
		const char *value = getenv(kept[i]);

		if (value != NULL)
			strings_add(environment, "%s=%s", kept[i], value);
	}
	for (int i = 0; own != NULL && own[i] != NULL; i++)
		strings_add(
		    environment, LAUNCHER_ENVIRONMENT_PREFIX "%s", own[i]);
}

/* Adds the options of the sandbox. */
static void
add_sandbox(struct strings *line, const struct sandbox *sandbox)
{
	if (sandbox == NULL || sandbox->level == SANDBOX_NONE)
		return;
	if (has_bot_cgroup(sandbox))
		strings_add(line, "--cgroup=%d", CGROUP_DESCRIPTOR);
	if (sandbox->level >= SANDBOX_BOX) {
		strings_add(line, "--box");
		if (sandbox->rooted)
			strings_add(line, "--root");
	}
	if (sandbox->scratch_kib > 0)
		strings_add(line, "--scratch=%d", sandbox->scratch_kib);
	strings_add(line, "--confine");
	strings_add(line, "--filter=%d", FILTER_DESCRIPTOR);
	for (int i = 0; i < sandbox->hidden_count; i++)
		strings_add(line, "--hide=%s", sandbox->hidden[i]);
}

/* The command line of the launcher. */
static void
command_line_make(
    struct strings *line, const struct process_order *order, unsigned user)
{
	char cores[CORES_TEXT_SIZE];

	strings_add(line, "scopa-arena");
	strings_add(line, LAUNCHER_ROLE);
	strings_add(line, "--parent=%d", getpid());
	if (cores_before_pin() != NULL) {
		cores_format(cores_before_pin(), cores, sizeof(cores));
		strings_add(line, "--cores=%s", cores);
	}
	strings_add(line, "--report=%d", PROCESS_REPORT);
	strings_add(line, "--as=%s", order->arguments[0]);
	if (order->dir != NULL)
		strings_add(line, "--dir=%s", order->dir);
	if (order->read != NULL)
		strings_add(line, "--read=%s", order->read);
	if (order->allows_futexes)
		strings_add(line, "--shared-futex");
	strings_add(line, "--end=%d", PROCESS_END);
	strings_add(line, "--memory=%lld", (long long)order->memory_max_bytes);
	if (user != 0)
		strings_add(line, "--user=%u", user);
	if (order->stale)
		strings_add(line, "--stale");
	add_sandbox(line, order->sandbox);
	strings_add(line, "--");
	strings_add(line, "%s", order->path);
	for (int i = 1; order->arguments[i] != NULL; i++) {
		if (i == LAUNCHER_ARGUMENTS_MAX)
			line->status = -E2BIG;
		strings_add(line, "%s", order->arguments[i]);
	}
}

/* Starts the launcher.  0 or -errno. */
static int
spawn(pid_t *pid, const int theirs[PROCESS_PIPE_COUNT],
    const struct sandbox *sandbox, char *const *line, char *const *environment)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t all, blocked;
	int error = 0;

	/* These calls never fail in the C libraries of Linux. */
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	for (int i = 0; i < PROCESS_PIPE_COUNT && error == 0; i++)
		error =
		    posix_spawn_file_actions_adddup2(&actions, theirs[i], i);
	if (error == 0 && sandbox != NULL && sandbox->filter_fd >= 0)
		error = posix_spawn_file_actions_adddup2(
		    &actions, sandbox->filter_fd, FILTER_DESCRIPTOR);
	if (error == 0 && sandbox != NULL && has_bot_cgroup(sandbox))
		error = posix_spawn_file_actions_adddup2(
		    &actions, sandbox->cgroup.fd, CGROUP_DESCRIPTOR);
	sigfillset(&all);
	sigemptyset(&blocked);
	/*
	 * An order may be sent before the launcher has become the supervisor.
	 */
	sigaddset(&blocked, SUPERVISOR_SIGNAL);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawnattr_setsigmask(&attributes, &blocked);
	posix_spawnattr_setflags(&attributes,
	    POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF |
		POSIX_SPAWN_SETSIGMASK);
	if (error == 0)
		error = posix_spawn(pid, "/proc/self/exe", &actions,
		    &attributes, line, environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return -error;
}

/* The pid cannot belong to another process until the child is reaped. */
static int
process_start(struct process *process, const struct process_order *order,
    const int theirs[PROCESS_PIPE_COUNT])
{
	struct strings line = { .count = 0 }, environment = { .count = 0 };
	int status;

	command_line_make(&line, order, process->user);
	environment_make(&environment, order->environment);
	status = line.status < 0 ? line.status : environment.status;
	if (status == 0)
		status = spawn(&process->pid, theirs, order->sandbox,
		    line.items, environment.items);
	strings_release(&line);
	strings_release(&environment);
	if (status < 0)
		return status;
	process->pid_fd = pidfd_open(process->pid, 0);
	status = process->pid_fd < 0 ? -errno : child_tracker_add(process->pid);
	if (status < 0) {
		if (process->pid_fd >= 0)
			close(process->pid_fd);
		/* A supervisor first kills what it has started. */
		kill(process->pid, SIGTERM);
		waitpid(process->pid, NULL, 0);
	}
	return status;
}

static int
reserve_uid(struct process *process, const struct sandbox *sandbox)
{
	if (sandbox == NULL || sandbox->uid_pool == NULL)
		return 0;
	process->uid_pool = sandbox->uid_pool;
	return uid_pool_reserve(sandbox->uid_pool, &process->user);
}

/* The user of the bot is free for another bot. */
static void
uid_give(const struct process *process)
{
	if (process->uid_pool != NULL)
		uid_pool_give(process->uid_pool, process->user);
}

int
process_open(struct process *process, const struct process_order *order)
{
	int theirs[PROCESS_PIPE_COUNT];
	struct process made = { 0 };
	int status;

	assert(order->path != NULL && order->arguments[0] != NULL);
	status = pipes_make(made.fds, theirs);
	if (status == 0)
		status = reserve_uid(&made, order->sandbox);
	if (status == 0) {
		status = process_start(&made, order, theirs);
		if (status < 0)
			uid_give(&made);
	}
	fds_close(theirs);
	if (status < 0)
		fds_close(made.fds);
	else
		*process = made;
	return status;
}

int
process_room(int other_count)
{
	rlim_t other = (rlim_t)other_count + PROCESS_DESCRIPTORS_START;
	struct rlimit limit;
	rlim_t room;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_max < other)
		return 0;
	room = (limit.rlim_max - other) / PROCESS_DESCRIPTORS;
	return room < INT_MAX ? (int)room : INT_MAX;
}

int
process_make_room(int child_count, int other_count)
{
	struct rlimit limit;
	rlim_t wanted = (rlim_t)child_count * PROCESS_DESCRIPTORS +
	    (rlim_t)other_count + PROCESS_DESCRIPTORS_START;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return -errno;
	if (limit.rlim_max < wanted)
		return -EMFILE;
	if (limit.rlim_cur < wanted)
		limit.rlim_cur = wanted;
	return setrlimit(RLIMIT_NOFILE, &limit) < 0 ? -errno : 0;
}

/*
 * How a process is frozen, killed and reaped.
 */

bool
process_kill(const struct process *process)
{
	siginfo_t info = { 0 };

	if (waitid(P_PIDFD, (id_t)process->pid_fd, &info,
		WEXITED | WNOHANG | WNOWAIT) == 0 &&
	    info.si_pid != 0)
		return false;
	pidfd_send_signal(process->pid_fd, SIGTERM, NULL, 0);
	/* The process may have been stopped by a signal. */
	pidfd_send_signal(process->pid_fd, SIGCONT, NULL, 0);
	return true;
}

void
process_force_kill(const struct process *process)
{
	pidfd_send_signal(process->pid_fd, SIGKILL, NULL, 0);
}

/*
 * Orders to the supervisor are signals with a value, which the kernel queues.
 * Signals without a value would be merged, and the last order could be lost.
 */
int
process_freeze(const struct process *process, bool frozen)
{
	siginfo_t word = {
		.si_signo = SUPERVISOR_SIGNAL,
		.si_code = SI_QUEUE,
	};

	word.si_pid = getpid();
	word.si_uid = getuid();
	word.si_value.sival_int = frozen ? SUPERVISOR_FREEZE : SUPERVISOR_THAW;
	return pidfd_send_signal(
		   process->pid_fd, SUPERVISOR_SIGNAL, &word, 0) == 0 ||
		errno == ESRCH
	    ? 0
	    : -errno;
}

/* How the program has ended, as its supervisor reports it. */
static void
read_program_end(const struct process *process, struct process_end *end)
{
	struct supervisor_end word;

	if (read(process->fds[PROCESS_END], &word, sizeof(word)) !=
	    sizeof(word)) {
		/* A launcher that has failed exits. */
		end->lost = end->by_signal;
		return;
	}
	end->limit = (enum supervisor_limit)word.limit;
	end->by_signal = WIFSIGNALED(word.wait_status);
	end->code = end->by_signal ? WTERMSIG(word.wait_status)
				   : WEXITSTATUS(word.wait_status);
}

int
process_reap(const struct process *process, struct process_end *end)
{
	struct pollfd wait = { .fd = process->pid_fd, .events = POLLIN };
	siginfo_t info = { 0 };

	*end = (struct process_end){ .code = 0 };
	if (poll(&wait, 1, PROCESS_OBEY_MS) == 0)
		process_force_kill(process);
	if (waitid(P_PIDFD, (id_t)process->pid_fd, &info, WEXITED) < 0)
		return -errno;
	child_tracker_remove(process->pid);
	end->by_signal = info.si_code != CLD_EXITED;
	end->code = info.si_status;
	read_program_end(process, end);
	/*
	 * If the supervisor was killed, processes of that user may still be
	 * alive. A supervisor blocks SIGTERM: that has killed the launcher,
	 * which had not started any process yet.
	 */
	if (!end->lost || end->code == SIGTERM)
		uid_give(process);
	return 0;
}

int
process_wait(const struct process *process, struct process_end *end)
{
	siginfo_t info = { 0 };

	while (waitid(P_PIDFD, (id_t)process->pid_fd, &info,
		   WEXITED | WNOWAIT) < 0)
		if (errno != EINTR)
			return -errno;
	return process_reap(process, end);
}

void
process_close(struct process *process)
{
	fds_close(process->fds);
	close(process->pid_fd);
}
