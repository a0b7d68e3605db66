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
#include "cpu_usage.h"
#include "landlock.h"
#include "namespaces.h"
#include "tree.h"
#include "user.h"

/*
 * What a supervisor supervises: it waits for the end of a child, and until then
 * stops and continues its processes as the arena orders, and checks their memory.
 */

struct supervised {
	pid_t child;
	/* Stops all that is watched, or lets it go on. */
	void (*hold)(const struct supervised *supervised, bool frozen);
	/* Kills what is watched beside the child, as far as it is seen, when
	 * all is to end; NULL: that goes with the child. */
	void (*strike)(const struct supervised *supervised);
	/* In a box what the arena wants, shared by its supervisor and its first
	 * process: what is inside could send that one a word, but not write
	 * this.  Else NULL. */
	volatile bool *frozen;
	int proc_fd; /* see tree_open(); in a box below 0 where there is none */
	const struct bot_cgroup *bot_cgroup; /* that all is in, or NULL */
	unsigned user; /* of what is watched, for hold_user() */
	/* Of all that is watched, or 0: nobody looks. */
	int64_t memory_max_bytes;
	bool over_memory; /* it was killed for that */
};

enum {
	/* Those that stop last may have let others go on before. */
	STOP_ROUNDS = 3,
	/* No program fills its memory faster: when it is next looked at follows
	 * from what it still may have. */
	FILL_BYTES_PER_MS = 4 << 20,
	LOOK_MIN_MS = 10,
	LOOK_MAX_MS = 1000
};

static void
signals_await(sigset_t *awaited)
{
	sigemptyset(awaited);
	sigaddset(awaited, SIGTERM);
	sigaddset(awaited, SIGCHLD);
	sigaddset(awaited, SUPERVISOR_SIGNAL);
}

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

static void
hold_domain(const struct supervised *supervised, bool frozen)
{
	/* No fork escapes: while such a signal is pending no child is added. */
	for (int i = 0; i < (frozen ? STOP_ROUNDS : 1); i++) {
		if (i > 0)
			sched_yield();
		kill(-1, frozen ? SIGSTOP : SIGCONT);
		if (frozen && i == 0)
			tree_stop_threads(supervised->proc_fd);
	}
}

static void
hold_user(const struct supervised *supervised, bool frozen)
{
	for (int i = 0; i < (frozen ? STOP_ROUNDS : 1); i++)
		user_signal(supervised->user, frozen ? SIGSTOP : SIGCONT);
}

static void
hold_box(const struct supervised *supervised, bool frozen)
{
	*supervised->frozen = frozen;
	kill(supervised->child, SUPERVISOR_SIGNAL);
}

static void
hold_inside(const struct supervised *supervised, bool frozen)
{
	(void)frozen;
	hold_domain(supervised, *supervised->frozen);
}

static void
hold_tree(const struct supervised *supervised, bool frozen)
{
	(void)tree_hold(
	    supervised->proc_fd, frozen, supervised->child, SUPERVISOR_SIGNAL);
}

static void
strike_domain(const struct supervised *supervised)
{
	(void)supervised;
	kill(-1, SIGKILL);
}

static void
strike_user(const struct supervised *supervised)
{
	user_signal(supervised->user, SIGKILL);
}

static void
strike_tree(const struct supervised *supervised)
{
	(void)tree_strike(supervised->proc_fd, supervised->child);
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
await(const struct supervised *supervised, int64_t look_ns, siginfo_t *word)
{
	int64_t wait_ns = look_ns - clock_now_ns();
	struct timespec wait;
	sigset_t awaited;

	signals_await(&awaited);
	if (supervised->memory_max_bytes == 0)
		return sigwaitinfo(&awaited, word);
	if (wait_ns < 0)
		wait_ns = 0;
	wait.tv_sec = wait_ns / CLOCK_NS_PER_S;
	wait.tv_nsec = wait_ns % CLOCK_NS_PER_S;
	return sigtimedwait(&awaited, word, &wait);
}

/* Obeys the last word that has come; those before it are of no account. */
static void
obey(const struct supervised *supervised, siginfo_t *word)
{
	const struct timespec at_once = { 0, 0 };
	sigset_t words;

	sigemptyset(&words);
	sigaddset(&words, SUPERVISOR_SIGNAL);
	while (sigtimedwait(&words, word, &at_once) > 0)
		continue;
	if (supervised->bot_cgroup != NULL)
		bot_cgroup_hold(supervised->bot_cgroup,
		    word->si_value.sival_int == SUPERVISOR_FREEZE);
	else
		supervised->hold(
		    supervised, word->si_value.sival_int == SUPERVISOR_FREEZE);
}

/*
 * At once, and not when the child is dead: among hundreds that compute it takes
 * its turn to die, as do they.
 */
static void
end_all(const struct supervised *supervised)
{
	kill(supervised->child, SIGKILL);
	if (supervised->strike != NULL)
		supervised->strike(supervised);
}

/*
 * Reaps until the child is dead, and kills or holds it when the arena says so.
 * Its wait status.
 */
static int
supervisor_loop(struct supervised *supervised)
{
	int64_t look_ns = clock_now_ns() + LOOK_MIN_MS * CLOCK_NS_PER_MS;
	siginfo_t word;

	for (;;) {
		int status, number;
		pid_t dead;

		while ((dead = waitpid(-1, &status, WNOHANG)) > 0)
			if (dead == supervised->child)
				return status;
		if (dead < 0 && errno == ECHILD)
			return SIGKILL;
		number = await(supervised, look_ns, &word);
		if (number == SIGTERM)
			end_all(supervised);
		else if (number == SUPERVISOR_SIGNAL)
			obey(supervised, &word);
		if (supervised->memory_max_bytes > 0 &&
		    clock_now_ns() >= look_ns)
			look_ns = clock_now_ns() +
			    memory_look(supervised) * CLOCK_NS_PER_MS;
	}
}

enum { EXIT_LOST = 125 };

/*
 * The pipes of the bot must end when it closes them: nobody else may hold
 * them.
 */
static void
let_go(const struct supervisor_order *order)
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

/* Ends as the bot has ended, with a last word. */
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
	/* Where nobody reads it any more it is nobody's concern. */
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

/* The two ends of what the bot hands over by what its calls are answered. */
static int
channel_open(const struct supervisor_order *order, int channel[2])
{
	channel[0] = channel[1] = -1;
	if (order->channel_fd == NULL)
		return 0;
	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) < 0
	    ? -errno
	    : 0;
}

/* Answers the calls of the bot; where that cannot be the bot does not run. */
static int
channel_serve(const int channel[2], pid_t bot)
{
	int status;

	if (channel[0] < 0)
		return 0;
	close(channel[1]);
	status = call_proxy_start(channel[0]);
	if (status < 0)
		kill(bot, SIGKILL);
	return status;
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

/*
 * The first process of a box.  Whatever it does not reap dies with it.  It
 * cannot end by a signal, so the end of the bot goes through a pipe.
 */
static int
namespaces_first(const struct supervisor_order *order, int end_fd,
    volatile bool *frozen, const sigset_t *before)
{
	struct supervised supervised = { .hold = hold_inside,
		.frozen = frozen };
	struct pollfd end = { .fd = end_fd };
	int channel[2], status;

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return order->fail(order->context, "box", errno);
	/* The supervisor was dead before: nobody reads the pipe any more. */
	if (poll(&end, 1, 0) != 0)
		return EXIT_LOST;
	status = namespaces_settle(order->rootfs);
	if (status < 0)
		return order->fail(order->context,
		    order->rootfs != NULL ? "root" : "box", -status);
	status = channel_open(order, channel);
	if (status < 0)
		return order->fail(order->context, "socket", -status);
	supervised.proc_fd = tree_open();
	scheduler_hurry();
	supervised.child = fork();
	if (supervised.child < 0)
		return order->fail(order->context, "fork", errno);
	if (supervised.child == 0)
		return child_become(order, before, channel);
	status = channel_serve(channel, supervised.child);
	if (status < 0)
		return order->fail(order->context, "thread", -status);
	let_go(order);
	if (order->end_fd >= 0)
		close(order->end_fd);
	status = supervisor_loop(&supervised);
	return write(end_fd, &status, sizeof(status)) == sizeof(status)
	    ? 0
	    : EXIT_LOST;
}

/* The kernel sees to the limit of a control group. */
static int64_t
watched_bytes(
    const struct supervisor_order *order, const struct bot_cgroup *bot_cgroup)
{
	return bot_cgroup != NULL && bot_cgroup->limited
	    ? 0
	    : order->memory_max_bytes;
}

/* Nothing of the bot is ever outside of its control group. */
static int
enter_bot_cgroup(const struct supervised *supervised)
{
	return supervised->bot_cgroup == NULL
	    ? 0
	    : bot_cgroup_enter(supervised->bot_cgroup);
}

static int
supervise_box(
    const struct supervisor_order *order, const struct bot_cgroup *bot_cgroup)
{
	struct supervised supervised = {
		.hold = hold_box,
		.memory_max_bytes = watched_bytes(order, bot_cgroup),
		.bot_cgroup = bot_cgroup,
		/* The box will hide it. */
		.proc_fd = tree_open(),
	};
	pid_t arena = getppid();
	sigset_t before;
	int ends[2], status, end;

	if (supervised.proc_fd < 0)
		return order->fail(
		    order->context, "/proc", -supervised.proc_fd);
	status = namespaces_make();
	if (status < 0)
		return order->fail(order->context, "namespaces", -status);
	status = supervisor_prepare(arena, &before);
	if (status < 0)
		return order->fail(order->context, "parent", -status);
	/* The kernel does it all, sooner than anybody here is woken. */
	if (bot_cgroup == NULL && prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return order->fail(order->context, "parent", errno);
	if (pipe2(ends, O_CLOEXEC) < 0)
		return order->fail(order->context, "pipe", errno);
	supervised.frozen = mmap(NULL, sizeof(*supervised.frozen),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (supervised.frozen == MAP_FAILED)
		return order->fail(order->context, "memory", errno);
	supervised.child = fork();
	if (supervised.child < 0)
		return order->fail(order->context, "fork", errno);
	if (supervised.child == 0) {
		status = enter_bot_cgroup(&supervised);
		if (status < 0)
			return order->fail(
			    order->context, "control group", -status);
		close(ends[0]);
		return namespaces_first(
		    order, ends[1], supervised.frozen, &before);
	}
	close(ends[1]);
	let_go(order);
	status = supervisor_loop(&supervised);
	/* A first process that was killed has taken the bot with it. */
	if (read(ends[0], &end, sizeof(end)) == sizeof(end))
		status = end;
	return finish(order, &supervised, status);
}

/*
 * All that is left of the bot is ours now, however far it has run: nothing
 * outside of the domain can be meant.
 */
static void
kill_domain(const struct supervised *supervised)
{
	(void)supervised;
	while (kill(-1, SIGKILL) == 0 || errno != ESRCH) {
		if (waitpid(-1, NULL, 0) < 0 && errno == ECHILD)
			break;
	}
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		continue;
}

/* A domain that the arena itself is in would confine nothing. */
static int
enter_domain(pid_t arena)
{
	struct landlock landlock;
	int status = landlock_open(&landlock, false, true);

	if (status < 0)
		return status;
	status = landlock_enter(&landlock);
	landlock_close(&landlock);
	if (status < 0)
		return status;
	return kill(arena, 0) < 0 && errno == EPERM ? 0 : -ENOTSUP;
}

/* Who is stuck in the kernel is left to die there. */
static void
kill_tree(const struct supervised *supervised)
{
	if (supervised->bot_cgroup != NULL)
		bot_cgroup_kill(supervised->bot_cgroup);
	(void)tree_kill_all(supervised->proc_fd, NULL);
}

/* Without a box the bot is the supervisor's own child. */
static int
supervise_child(const struct supervisor_order *order,
    struct supervised *supervised,
    void (*kill_rest)(const struct supervised *supervised), pid_t arena)
{
	sigset_t before;
	int channel[2], status;

	supervised->memory_max_bytes =
	    watched_bytes(order, supervised->bot_cgroup);
	supervised->proc_fd = tree_open();
	if (supervised->proc_fd < 0)
		return order->fail(
		    order->context, "/proc", -supervised->proc_fd);
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return order->fail(order->context, "reaper", errno);
	status = supervisor_prepare(arena, &before);
	if (status < 0)
		return order->fail(order->context, "parent", -status);
	status = channel_open(order, channel);
	if (status < 0)
		return order->fail(order->context, "socket", -status);
	supervised->child = fork();
	if (supervised->child < 0)
		return order->fail(order->context, "fork", errno);
	if (supervised->child == 0) {
		status = enter_bot_cgroup(supervised);
		if (status < 0)
			return order->fail(
			    order->context, "control group", -status);
		if (order->tree == TREE_USER)
			status = user_become(order->user);
		if (status < 0)
			return order->fail(order->context, "user", -status);
		if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
			return order->fail(order->context, "parent", errno);
		return child_become(order, &before, channel);
	}
	status = channel_serve(channel, supervised->child);
	if (status < 0)
		return order->fail(order->context, "thread", -status);
	let_go(order);
	status = supervisor_loop(supervised);
	kill_rest(supervised);
	return finish(order, supervised, status);
}

static int
supervise_domain(
    const struct supervisor_order *order, const struct bot_cgroup *bot_cgroup)
{
	struct supervised supervised = {
		.hold = hold_domain,
		.strike = strike_domain,
		.bot_cgroup = bot_cgroup,
	};
	pid_t arena = getppid();
	int status = enter_domain(arena);

	if (status < 0)
		return order->fail(order->context, "Landlock", -status);
	return supervise_child(order, &supervised, kill_domain, arena);
}

/* Whoever is left has become our child, and one signal may not hit them all. */
static void
kill_user(const struct supervised *supervised)
{
	for (;;) {
		pid_t reaped;

		user_signal(supervised->user, SIGKILL);
		do {
			reaped = waitpid(-1, NULL, WNOHANG);
		} while (reaped > 0);
		if (reaped < 0 && errno == ECHILD)
			return;
		poll(NULL, 0, 1);
	}
}

static int
supervise_user(
    const struct supervisor_order *order, const struct bot_cgroup *bot_cgroup)
{
	struct supervised supervised = {
		.hold = hold_user,
		.strike = strike_user,
		.user = order->user,
		.bot_cgroup = bot_cgroup,
	};

	return supervise_child(order, &supervised, kill_user, getppid());
}

static int
supervise_tree(
    const struct supervisor_order *order, const struct bot_cgroup *bot_cgroup)
{
	struct supervised supervised = {
		.hold = hold_tree,
		.strike = strike_tree,
		.bot_cgroup = bot_cgroup,
	};

	return supervise_child(order, &supervised, kill_tree, getppid());
}

static int
supervise_in(
    const struct supervisor_order *order, const struct bot_cgroup *bot_cgroup)
{
	switch (order->tree) {
	case TREE_BOX:
		return supervise_box(order, bot_cgroup);
	case TREE_DOMAIN:
		return supervise_domain(order, bot_cgroup);
	case TREE_USER:
		return supervise_user(order, bot_cgroup);
	case TREE_STOP:
		break;
	}
	return supervise_tree(order, bot_cgroup);
}

int
supervise(const struct supervisor_order *order)
{
	struct bot_cgroup bot_cgroup;
	int status;

	if (order->cgroup_fd < 0)
		return supervise_in(order, NULL);
	status = bot_cgroup_open(
	    &bot_cgroup, order->cgroup_fd, order->memory_max_bytes);
	if (status < 0)
		return order->fail(order->context, "control group", -status);
	return supervise_in(order, &bot_cgroup);
}
