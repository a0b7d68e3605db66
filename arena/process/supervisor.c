#include "supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "call_proxy.h"
#include "cgroup.h"
#include "clock.h"
#include "confinement.h"
#include "cpu_usage.h"
#include "kernel_text.h"
#include "namespaces.h"
#include "tree.h"
#include "user.h"

/*
 * A supervisor waits for the end of a child, and until then stops and continues
 * its processes as the arena orders, and checks their memory.  In a box there are
 * two: one outside, and the first process of the PID namespace, which alone can
 * signal what is inside.
 */

struct supervised {
	pid_t child;
	enum tree_kill tree;
	/* In a box what the arena wants, shared by its supervisor and its first
	 * process: what is inside could send that one a command, but not write
	 * this.  Else NULL. */
	volatile bool *frozen;
	bool is_inside; /* of a box: the first process */
	int proc_fd;    /* /proc; in a box below 0 where there is none */
	const struct bot_cgroup *bot_cgroup; /* that all is in, or NULL */
	unsigned user;                       /* for TREE_USER */
	int64_t memory_max_bytes; /* of all of it, or 0: it is not checked */
	bool over_memory;         /* it was killed for that */
};

enum {
	/* Those that stop last may have let others go on before. */
	STOP_ROUNDS = 3,
	/* No program fills its memory faster: when it is next looked at follows
	 * from what it still may have. */
	FILL_BYTES_PER_MS = 4 << 20,
	LOOK_MIN_MS = 10,
	LOOK_MAX_MS = 1000,
	EXIT_LOST = 125
};

/*
 * From now on the signals of supervisor_loop() are waited for, and the death of the
 * parent, which was `arena`, is one of them.  *before is what the child is to
 * have blocked.  0 or -errno.
 */
static int
supervisor_prepare(pid_t arena, sigset_t *before)
{
	sigset_t all;

	/* It is woken to stop or kill what may keep all cores busy. */
	scheduler_hurry();
	/* A signal that supervisor_loop() does not wait for ends no supervisor. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, before);
	sigdelset(before, SUPERVISOR_SIGNAL);
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0)
		return -errno;
	if (getppid() != arena)
		raise(SIGTERM);
	return 0;
}

/*
 * Sends a signal to all that the bot has started, as the way of killing it allows;
 * the first process of a box does so for its supervisor.
 */
static void
signal_all(const struct supervised *supervised, int number)
{
	switch (supervised->tree) {
	case TREE_NAMESPACE:
		if (supervised->is_inside)
			kill(-1, number);
		break;
	case TREE_DOMAIN:
		kill(-1, number);
		break;
	case TREE_USER:
		user_signal(supervised->user, number);
		break;
	case TREE_SEARCH:
		if (number == SIGKILL)
			(void)tree_kill_once(
			    supervised->proc_fd, supervised->child);
		else
			(void)tree_hold(supervised->proc_fd, number == SIGSTOP,
			    supervised->child, SUPERVISOR_SIGNAL);
		break;
	}
}

/* Stops all that the bot has started, or lets it go on. */
static void
hold(const struct supervised *supervised, bool frozen)
{
	const bool is_group = supervised->tree == TREE_NAMESPACE ||
	    supervised->tree == TREE_DOMAIN;
	const int rounds =
	    frozen && supervised->tree != TREE_SEARCH ? STOP_ROUNDS : 1;

	if (supervised->bot_cgroup != NULL) {
		bot_cgroup_hold(supervised->bot_cgroup, frozen);
		return;
	}
	if (supervised->tree == TREE_NAMESPACE && !supervised->is_inside) {
		*supervised->frozen = frozen;
		kill(supervised->child, SUPERVISOR_SIGNAL);
		return;
	}
	/*
	 * No fork escapes: fork(2) fails with ERESTARTNOINTR while a signal is
	 * pending, so that no child is added.
	 */
	for (int i = 0; i < rounds; i++) {
		if (i > 0)
			sched_yield();
		signal_all(supervised, frozen ? SIGSTOP : SIGCONT);
		if (frozen && i == 0 && is_group)
			tree_stop_threads(supervised->proc_fd);
	}
}

/* Kills where there is too much; else how long not to look again. */
static int64_t
memory_look(struct supervised *supervised)
{
	int64_t used = tree_memory(supervised->proc_fd, supervised->child,
	    supervised->memory_max_bytes);
	int64_t room_ms =
	    (supervised->memory_max_bytes - used) / FILL_BYTES_PER_MS;

	if (used > supervised->memory_max_bytes) {
		supervised->over_memory = true;
		kill(supervised->child, SIGKILL);
	}
	if (room_ms < LOOK_MIN_MS)
		return LOOK_MIN_MS;
	return room_ms > LOOK_MAX_MS ? LOOK_MAX_MS : room_ms;
}

/* The next signal, or -1 when it is time to look at the memory. */
static int
await(const struct supervised *supervised, int64_t look_ns, siginfo_t *info)
{
	int64_t wait_ns = look_ns - clock_now_ns();
	struct timespec wait = { 0, 0 };
	sigset_t awaited;

	sigemptyset(&awaited);
	sigaddset(&awaited, SIGTERM);
	sigaddset(&awaited, SIGCHLD);
	sigaddset(&awaited, SUPERVISOR_SIGNAL);
	if (wait_ns > 0) {
		wait.tv_sec = wait_ns / CLOCK_NS_PER_S;
		wait.tv_nsec = wait_ns % CLOCK_NS_PER_S;
	}
	return sigtimedwait(
	    &awaited, info, supervised->memory_max_bytes > 0 ? &wait : NULL);
}

/* Obeys the last command that has come; those before it no longer count. */
static void
obey(const struct supervised *supervised, siginfo_t *info)
{
	const struct timespec at_once = { 0, 0 };
	sigset_t commands;

	sigemptyset(&commands);
	sigaddset(&commands, SUPERVISOR_SIGNAL);
	while (sigtimedwait(&commands, info, &at_once) > 0)
		continue;
	hold(supervised,
	    supervised->is_inside
		? *supervised->frozen
		: info->si_value.sival_int == SUPERVISOR_FREEZE);
}

/*
 * Reaps until the child is dead, and kills or holds it when the arena says so.
 * Its wait status.
 */
static int
supervisor_loop(struct supervised *supervised)
{
	int64_t look_ns = clock_now_ns() + LOOK_MIN_MS * CLOCK_NS_PER_MS;
	siginfo_t info;

	for (;;) {
		int status, number;
		pid_t dead;

		while ((dead = waitpid(-1, &status, WNOHANG)) > 0)
			if (dead == supervised->child)
				return status;
		if (dead < 0 && errno == ECHILD)
			return SIGKILL;
		number = await(supervised, look_ns, &info);
		if (number == SIGTERM) {
			kill(supervised->child, SIGKILL);
			/* At once: among hundreds that compute the child takes
			 * its turn to die, as do they. */
			signal_all(supervised, SIGKILL);
		} else if (number == SUPERVISOR_SIGNAL) {
			obey(supervised, &info);
		}
		if (supervised->memory_max_bytes > 0 &&
		    clock_now_ns() >= look_ns)
			look_ns = clock_now_ns() +
			    memory_look(supervised) * CLOCK_NS_PER_MS;
	}
}

/*
 * Kills all that the bot has left, until none is there.  What lost its parent has
 * become the supervisor's child; what is stuck in the kernel is left to die there.
 */
static void
kill_rest(const struct supervised *supervised)
{
	switch (supervised->tree) {
	case TREE_NAMESPACE:
		break;
	case TREE_DOMAIN:
	case TREE_USER:
		/* Reaped in one go: a signal to all asks the kernel about each
		 * process of the machine. */
		for (;;) {
			pid_t reaped;

			signal_all(supervised, SIGKILL);
			while ((reaped = waitpid(-1, NULL, WNOHANG)) > 0)
				continue;
			if (reaped < 0 && errno == ECHILD)
				break;
			poll(NULL, 0, 1);
		}
		break;
	case TREE_SEARCH:
		if (supervised->bot_cgroup != NULL)
			bot_cgroup_kill(supervised->bot_cgroup);
		(void)tree_kill_all(supervised->proc_fd, NULL);
		break;
	}
}

/*
 * The pipes of the bot must end when it closes them: no other process may hold
 * them.
 */
static void
close_bot_files(const struct supervisor_order *order)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd <= STDERR_FILENO; fd++) {
		if (null < 0)
			close(fd);
		else
			dup2(null, fd);
	}
	if (null > STDERR_FILENO)
		close(null);
	if (order->report_fd >= 0)
		close(order->report_fd);
}

/* Ends as the bot has ended, and tells the arena so. */
static int
finish(const struct supervisor_order *order,
    const struct supervised *supervised, int wait_status)
{
	struct supervisor_end end = { .wait_status = wait_status };
	sigset_t all;

	if (supervised->over_memory ||
	    (supervised->bot_cgroup != NULL &&
		bot_cgroup_over_memory(supervised->bot_cgroup)))
		end.limit = SUPERVISOR_MEMORY;
	if (supervised->bot_cgroup != NULL)
		bot_cgroup_close(supervised->bot_cgroup);
	/* Where the arena is gone, it is of no use to any process. */
	if (order->end_fd >= 0 && write(order->end_fd, &end, sizeof(end)) < 0)
		return EXIT_LOST;
	if (WIFEXITED(wait_status))
		return WEXITSTATUS(wait_status);
	signal(WTERMSIG(wait_status), SIG_DFL);
	sigfillset(&all);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
	raise(WTERMSIG(wait_status));
	return EXIT_LOST;
}

/* An exit status, having reported what failed. */
static int
fail(const struct supervisor_order *order, const char *what, int status)
{
	return order->fail(order->context, what, -status);
}

/* In the process that is to become the bot. */
static int
child_become(const struct supervisor_order *order, const sigset_t *before,
    const int channel[2])
{
	if (order->channel_fd != NULL) {
		close(channel[0]);
		*order->channel_fd = channel[1];
	}
	sigprocmask(SIG_SETMASK, before, NULL);
	setsid();
	return order->become(order->context);
}

/* What the child is before it becomes the bot, where there is no box. */
static int
child_prepare(
    const struct supervisor_order *order, const struct supervised *supervised)
{
	int status = 0;

	/* Nothing of the bot is ever outside of its control group. */
	if (supervised->bot_cgroup != NULL)
		status = bot_cgroup_enter(supervised->bot_cgroup);
	if (status < 0)
		return fail(order, "control group", status);
	if (order->user != 0)
		status = user_become(order->user);
	if (status < 0)
		return fail(order, "user", status);
	return prctl(PR_SET_PDEATHSIG, SIGKILL) < 0
	    ? fail(order, "parent", -errno)
	    : 0;
}

/*
 * Starts the child that becomes the bot, with a thread that answers its system
 * calls where that is wanted, and lets go of its files.  0, or an exit status of
 * the supervisor, or of the child where the bot cannot run.
 */
static int
child_start(const struct supervisor_order *order, struct supervised *supervised,
    const sigset_t *before)
{
	int channel[2] = { -1, -1 }, status;

	if (order->channel_fd != NULL &&
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) < 0)
		return fail(order, "socket", -errno);
	supervised->child = fork();
	if (supervised->child < 0)
		return fail(order, "fork", -errno);
	if (supervised->child == 0) {
		status = supervised->is_inside
		    ? 0
		    : child_prepare(order, supervised);
		_exit(status != 0 ? status
				  : child_become(order, before, channel));
	}
	if (channel[0] >= 0) {
		close(channel[1]);
		status = call_proxy_start(channel[0]);
		if (status < 0) {
			kill(supervised->child, SIGKILL);
			return fail(order, "thread", status);
		}
	}
	close_bot_files(order);
	return 0;
}

/*
 * The first process of a box.  Whatever it does not reap dies with it.  It
 * cannot end by a signal, so the end of the bot goes through a pipe.
 */
static int
namespaces_first(const struct supervisor_order *order, int end_fd,
    volatile bool *frozen, const sigset_t *before)
{
	struct supervised supervised = {
		.tree = TREE_NAMESPACE, .is_inside = true, .frozen = frozen
	};
	struct pollfd end = { .fd = end_fd };
	int status;

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return fail(order, "box", -errno);
	/* The supervisor was dead before: no process reads the pipe any more. */
	if (poll(&end, 1, 0) != 0)
		return EXIT_LOST;
	status = namespaces_settle(order->rootfs);
	if (status < 0)
		return fail(
		    order, order->rootfs != NULL ? "root" : "box", status);
	supervised.proc_fd = proc_open();
	scheduler_hurry();
	status = child_start(order, &supervised, before);
	if (status != 0)
		return status;
	if (order->end_fd >= 0)
		close(order->end_fd);
	status = supervisor_loop(&supervised);
	return write(end_fd, &status, sizeof(status)) == sizeof(status)
	    ? 0
	    : EXIT_LOST;
}

static int
supervise_box(
    const struct supervisor_order *order, struct supervised *supervised)
{
	pid_t arena = getppid();
	sigset_t before;
	int ends[2], status = namespaces_make(), end;

	if (status < 0)
		return fail(order, "namespaces", status);
	status = supervisor_prepare(arena, &before);
	if (status < 0)
		return fail(order, "parent", status);
	/* The kernel does it all, sooner than any process here is woken. */
	if (supervised->bot_cgroup == NULL &&
	    prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return fail(order, "parent", -errno);
	if (pipe2(ends, O_CLOEXEC) < 0)
		return fail(order, "pipe", -errno);
	supervised->frozen = mmap(NULL, sizeof(*supervised->frozen),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (supervised->frozen == MAP_FAILED)
		return fail(order, "memory", -errno);
	supervised->child = fork();
	if (supervised->child < 0)
		return fail(order, "fork", -errno);
	if (supervised->child == 0) {
		if (supervised->bot_cgroup != NULL)
			status = bot_cgroup_enter(supervised->bot_cgroup);
		if (status < 0)
			return fail(order, "control group", status);
		close(ends[0]);
		return namespaces_first(
		    order, ends[1], supervised->frozen, &before);
	}
	close(ends[1]);
	close_bot_files(order);
	status = supervisor_loop(supervised);
	/* A first process that was killed has taken the bot with it. */
	if (read(ends[0], &end, sizeof(end)) == sizeof(end))
		status = end;
	return finish(order, supervised, status);
}

/* False where the arena would be in the domain itself, which confines nothing. */
static bool
enter_domain(pid_t arena)
{
	struct landlock landlock;
	bool entered;

	if (landlock_open(&landlock, LANDLOCK_SIGNALS) < 0)
		return false;
	entered = landlock_enter(&landlock) == 0;
	landlock_close(&landlock);
	return entered && kill(arena, 0) < 0 && errno == EPERM;
}

/* Without a box the bot is the supervisor's own child. */
static int
supervise_child(
    const struct supervisor_order *order, struct supervised *supervised)
{
	pid_t arena = getppid();
	sigset_t before;
	int status;

	if (supervised->tree == TREE_DOMAIN && !enter_domain(arena))
		supervised->tree = order->user != 0 ? TREE_USER : TREE_SEARCH;
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return fail(order, "reaper", -errno);
	status = supervisor_prepare(arena, &before);
	if (status < 0)
		return fail(order, "parent", status);
	status = child_start(order, supervised, &before);
	if (status != 0)
		return status;
	status = supervisor_loop(supervised);
	kill_rest(supervised);
	return finish(order, supervised, status);
}

int
supervise(const struct supervisor_order *order)
{
	struct bot_cgroup bot_cgroup;
	struct supervised supervised = {
		.tree = order->tree,
		.user = order->user,
		.memory_max_bytes = order->memory_max_bytes,
		/* A box will hide it. */
		.proc_fd = proc_open(),
	};
	int status;

	if (supervised.proc_fd < 0)
		return fail(order, "/proc", supervised.proc_fd);
	if (order->cgroup_fd >= 0) {
		status = bot_cgroup_open(
		    &bot_cgroup, order->cgroup_fd, order->memory_max_bytes);
		if (status < 0)
			return fail(order, "control group", status);
		supervised.bot_cgroup = &bot_cgroup;
		/* The kernel enforces the limit of a control group. */
		if (bot_cgroup.limited)
			supervised.memory_max_bytes = 0;
	}
	return order->tree == TREE_NAMESPACE
	    ? supervise_box(order, &supervised)
	    : supervise_child(order, &supervised);
}
