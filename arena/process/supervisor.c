/*
 * Implements supervisor.h. A supervisor waits for the end of its child. Until
 * then it stops and continues the processes of the bot as the arena orders, and
 * checks their memory. In a box there are two supervisors: one outside, and the
 * first process of the PID namespace, which alone can signal the processes
 * inside.
 */
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

#include "cgroup.h"
#include "clock.h"
#include "confinement.h"
#include "cpu_usage.h"
#include "kernel_text.h"
#include "machine.h"
#include "namespaces.h"
#include "system_calls.h"
#include "tree.h"
#include "user.h"

struct supervised {
	pid_t child;
	enum tree_kill tree;
	/*
	 * In a box: whether the arena wants the bot frozen. The supervisor and
	 * the first process of the namespace share this memory. Processes in
	 * the box could send the first process a signal, but cannot write here.
	 * Otherwise NULL.
	 */
	volatile bool *frozen;
	bool is_frozen; /* the last order was to freeze the bot */
	bool is_inside; /* this is the first process of a box */
	int proc_fd;    /* /proc; in a box it may be missing, then below 0 */
	/* the control group of the bot, or NULL */
	const struct bot_cgroup *bot_cgroup;
	unsigned user;            /* the user of the bot, for TREE_USER */
	int64_t memory_max_bytes; /* of all processes; 0: not checked here */
	bool over_memory;         /* the bot was killed because of the limit */
};

enum {
	/*
	 * A process that stops late may have continued others before, so the
	 * signal is sent several times.
	 */
	STOP_ROUNDS = 3,
	/*
	 * No program fills its memory faster than this. The time of the next
	 * check follows from it and from the memory that the bot may still use.
	 */
	FILL_BYTES_PER_MS = 4 << 20,
	LOOK_MIN_MS = 10,
	LOOK_MAX_MS = 1000,
	EXIT_LOST = 125
};

/*
 * Blocks the signals that supervisor_loop() waits for, and asks for SIGTERM
 * when the parent, `arena`, dies. *before is the signal mask for the child.
 * Returns 0 or -errno.
 */
static int
supervisor_prepare(pid_t arena, sigset_t *before)
{
	sigset_t all;

	/*
	 * The supervisor must run soon after it is woken: the bot may keep all
	 * cores busy.
	 */
	scheduler_hurry();
	/*
	 * All other signals are blocked, too, so that none of them ends the
	 * supervisor.
	 */
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
 * Sends a signal to all processes of the bot, by what `tree` says that can
 * reach them. In a namespace only the first process of the namespace can do
 * that.
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
			(void)tree_freeze(supervised->proc_fd,
			    number == SIGSTOP, supervised->child,
			    SUPERVISOR_SIGNAL);
		break;
	}
}

/* Stops all processes of the bot, or continues them. */
static void
freeze(const struct supervised *supervised, bool frozen)
{
	const bool is_group = supervised->tree == TREE_NAMESPACE ||
	    supervised->tree == TREE_DOMAIN;
	const int rounds =
	    frozen && supervised->tree != TREE_SEARCH ? STOP_ROUNDS : 1;

	if (supervised->bot_cgroup != NULL) {
		bot_cgroup_freeze(supervised->bot_cgroup, frozen);
		return;
	}
	if (supervised->tree == TREE_NAMESPACE && !supervised->is_inside) {
		*supervised->frozen = frozen;
		kill(supervised->child, SUPERVISOR_SIGNAL);
		return;
	}
	/* Just after fork(2) the bot is not the user yet whose processes stop. */
	if (supervised->tree == TREE_USER)
		kill(supervised->child, frozen ? SIGSTOP : SIGCONT);
	/*
	 * No new child escapes the signal, because fork(2) fails with
	 * ERESTARTNOINTR while a signal is pending.
	 */
	for (int i = 0; i < rounds; i++) {
		if (i > 0)
			sched_yield();
		signal_all(supervised, frozen ? SIGSTOP : SIGCONT);
		if (frozen && i == 0 && is_group)
			tree_stop_threads(supervised->proc_fd);
	}
}

/*
 * Whether the memory is to be checked. That of a frozen bot does not grow, and
 * to check it could take the processor from the bot to move.
 */
static bool
checks_memory(const struct supervised *supervised)
{
	return supervised->memory_max_bytes > 0 && !supervised->is_frozen;
}

/* Waits for a signal. Returns it, or -1 when it is time to check the memory. */
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
	    &awaited, info, checks_memory(supervised) ? &wait : NULL);
}

/* Obeys the last order that has come. Earlier orders are dropped. */
static void
obey(struct supervised *supervised, siginfo_t *info)
{
	const struct timespec at_once = { 0, 0 };
	sigset_t commands;

	sigemptyset(&commands);
	sigaddset(&commands, SUPERVISOR_SIGNAL);
	while (sigtimedwait(&commands, info, &at_once) > 0)
		continue;
	supervised->is_frozen = supervised->is_inside
	    ? *supervised->frozen
	    : info->si_value.sival_int == SUPERVISOR_FREEZE;
	freeze(supervised, supervised->is_frozen);
}

/* Kills, stops or continues the bot, as the signal of the arena orders. */
static void
handle_signal(struct supervised *supervised, int number, siginfo_t *info)
{
	if (number == SIGTERM) {
		kill(supervised->child, SIGKILL);
		/*
		 * All are killed at once: among hundreds of busy processes each
		 * must wait for a time slice before it dies. The first signal
		 * reaches the bot's process group without a search.
		 */
		kill(-supervised->child, SIGKILL);
		signal_all(supervised, SIGKILL);
	} else if (number == SUPERVISOR_SIGNAL) {
		obey(supervised, info);
	}
}

static bool
is_dead(pid_t child)
{
	siginfo_t end = { .si_pid = 0 };

	return waitid(P_PID, (id_t)child, &end, WEXITED | WNOHANG | WNOWAIT) <
	    0 ||
	    end.si_pid == child;
}

/*
 * Between two parts of a long check of the memory: obeys, and waits as long as
 * the bot is frozen.
 */
static void
memory_pause(void *context)
{
	const struct timespec at_once = { 0, 0 };
	struct supervised *supervised = context;
	sigset_t orders, awaited;
	siginfo_t info;
	int number;

	sigemptyset(&orders);
	sigaddset(&orders, SIGTERM);
	sigaddset(&orders, SUPERVISOR_SIGNAL);
	awaited = orders;
	sigaddset(&awaited, SIGCHLD);
	while ((number = sigtimedwait(&orders, &info, &at_once)) > 0)
		handle_signal(supervised, number, &info);
	while (supervised->is_frozen && !is_dead(supervised->child)) {
		number = sigwaitinfo(&awaited, &info);
		handle_signal(supervised, number, &info);
	}
}

/*
 * Kills the bot if it uses too much memory. Otherwise returns the ms until the
 * next check.
 */
static int64_t
memory_look(struct supervised *supervised)
{
	/* Orphans of the bot are children of this process. */
	int64_t used = tree_memory(supervised->proc_fd,
	    supervised->memory_max_bytes, memory_pause, supervised);
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

/*
 * Reaps children until the bot is dead, and kills, stops or continues the bot
 * when the arena orders it. Returns the wait status of the bot.
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
		handle_signal(supervised, number, &info);
		if (checks_memory(supervised) && clock_now_ns() >= look_ns)
			look_ns = clock_now_ns() +
			    memory_look(supervised) * CLOCK_NS_PER_MS;
	}
}

/*
 * Kills all processes that the bot has left, until none is alive. Orphans have
 * become children of the supervisor.
 */
static void
kill_rest(const struct supervised *supervised)
{
	switch (supervised->tree) {
	case TREE_NAMESPACE:
		/* The kernel kills what is left in a box. */
		break;
	case TREE_DOMAIN:
	case TREE_USER:
		/*
		 * All dead children are reaped before the next signal, because
		 * a signal to all makes the kernel look at every process of the
		 * machine.
		 */
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
 * Closes the bot's pipes in this process. They must end when the bot closes
 * them, so no other process may have them open.
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

/* Reports to the arena how the bot has ended, and ends in the same way. */
static int
supervisor_finish(const struct supervisor_order *order,
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
	/* If this fails, the arena is dead and the report is not read. */
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

/* Reports what has failed. Returns an exit status. */
static int
fail(const struct supervisor_order *order, const char *what, int status)
{
	return order->fail(order->context, what, -status);
}

/* Runs in the process that becomes the bot. */
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

/*
 * Without a box: sets the control group and the user of the process that
 * becomes the bot.
 */
static int
child_prepare(
    const struct supervisor_order *order, const struct supervised *supervised)
{
	int status = 0;

	/*
	 * The process enters the control group before it runs anything of the
	 * bot.
	 */
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
 * Starts the child that becomes the bot, and closes the bot's files in this
 * process. If order->channel_fd is set, a thread answers system calls of the
 * bot; it is started first, so that no child is left if it cannot be started.
 * Returns 0, or an exit status. In the child it does not return.
 */
static int
child_start(const struct supervisor_order *order, struct supervised *supervised,
    const sigset_t *before)
{
	int channel[2] = { -1, -1 }, status = 0;

	if (order->channel_fd != NULL &&
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) < 0)
		return fail(order, "socket", -errno);
	if (order->channel_fd != NULL)
		status = call_proxy_start(channel[0]);
	if (status < 0)
		return fail(order, "thread", status);
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
	if (order->channel_fd != NULL)
		close(channel[1]);
	close_bot_files(order);
	return 0;
}

/*
 * The first process of a box. When it ends, the kernel kills everything in the
 * namespace. It cannot end by a signal, so it reports the end of the bot
 * through a pipe.
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
	/* The supervisor has died: the pipe has no reader any more. */
	if (poll(&end, 1, 0) != 0)
		return EXIT_LOST;
	status = namespaces_enter(order->rootfs);
	if (status < 0)
		return fail(
		    order, order->rootfs != NULL ? "root" : "/proc", status);
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
	/*
	 * The kernel kills this process with the arena, and the namespace with
	 * it. That is faster than waking a process.
	 */
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
	/*
	 * If the first process was killed, the bot is dead, too, and the pipe
	 * is empty.
	 */
	if (read(ends[0], &end, sizeof(end)) == sizeof(end))
		status = end;
	return supervisor_finish(order, supervised, status);
}

/*
 * Enters a Landlock domain in which signals reach only the bot's processes.
 * Returns false if the arena can still be signalled, so that the domain has no
 * effect.
 */
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
	struct cores cores;
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
	/* If this fails, the supervisor is slower where its core is busy. */
	if (order->cores != NULL && cores_parse(order->cores, &cores))
		(void)cores_use(&cores);
	status = supervisor_loop(supervised);
	kill_rest(supervised);
	return supervisor_finish(order, supervised, status);
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
