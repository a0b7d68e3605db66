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
 * The watch that a supervisor keeps over a child: it waits for its end, and in
 * the meantime obeys the arena and sees to its memory.
 */

struct cage;

struct vigil {
	pid_t child;
	/* Stops all that is watched, or lets it go on. */
	void (*hold)(const struct vigil *vigil, bool frozen);
	/* Kills what is watched beside the child, as far as it is seen, when
	 * all is to end; NULL: that goes with the child. */
	void (*strike)(const struct vigil *vigil);
	/* In a box what the arena wants, shared by its supervisor and its first
	 * process: what is inside could send that one a word, but not write
	 * this.  Else NULL. */
	volatile bool *frozen;
	int proc_fd; /* see tree_open(); in a box below 0 where there is none */
	const struct cage *cage; /* that all is in, or NULL */
	unsigned user;           /* of what is watched, for vigil_hold_user() */
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
 * From now on the signals of a vigil are waited for, and the death of the
 * parent, which was `arena`, is one of them.  *before is what the child is to
 * have blocked.  0 or -errno.
 */
static int
vigil_prepare(pid_t arena, sigset_t *before)
{
	sigset_t all;

	/* It is woken to stop or kill what may keep all cores busy. */
	scheduler_hurry();
	/* A signal that vigil_keep() does not wait for ends no supervisor. */
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
vigil_hold_domain(const struct vigil *vigil, bool frozen)
{
	/* No fork escapes: while such a signal is pending no child is added. */
	for (int i = 0; i < (frozen ? STOP_ROUNDS : 1); i++) {
		if (i > 0)
			sched_yield();
		kill(-1, frozen ? SIGSTOP : SIGCONT);
		if (frozen && i == 0)
			tree_stop_threads(vigil->proc_fd);
	}
}

static void
vigil_hold_user(const struct vigil *vigil, bool frozen)
{
	for (int i = 0; i < (frozen ? STOP_ROUNDS : 1); i++)
		user_signal(vigil->user, frozen ? SIGSTOP : SIGCONT);
}

static void
vigil_hold_box(const struct vigil *vigil, bool frozen)
{
	*vigil->frozen = frozen;
	kill(vigil->child, SUPERVISOR_SIGNAL);
}

static void
vigil_hold_inside(const struct vigil *vigil, bool frozen)
{
	(void)frozen;
	vigil_hold_domain(vigil, *vigil->frozen);
}

static void
vigil_hold_tree(const struct vigil *vigil, bool frozen)
{
	(void)tree_hold(
	    vigil->proc_fd, frozen, vigil->child, SUPERVISOR_SIGNAL);
}

static void
vigil_strike_domain(const struct vigil *vigil)
{
	(void)vigil;
	kill(-1, SIGKILL);
}

static void
vigil_strike_user(const struct vigil *vigil)
{
	user_signal(vigil->user, SIGKILL);
}

static void
vigil_strike_tree(const struct vigil *vigil)
{
	(void)tree_strike(vigil->proc_fd, vigil->child);
}

/* Kills where there is too much; else how long not to look again. */
static int64_t
memory_look(struct vigil *vigil)
{
	int64_t used =
	    tree_memory(vigil->proc_fd, vigil->child, vigil->memory_max_bytes);
	int64_t room_ms = (vigil->memory_max_bytes - used) / FILL_BYTES_PER_MS;

	if (used > vigil->memory_max_bytes) {
		vigil->over_memory = true;
		kill(vigil->child, SIGKILL);
	}
	if (room_ms < LOOK_MIN_MS)
		return LOOK_MIN_MS;
	return room_ms > LOOK_MAX_MS ? LOOK_MAX_MS : room_ms;
}

/* The next signal, or -1 when it is time to look at the memory. */
static int
await(const struct vigil *vigil, int64_t look_ns, siginfo_t *word)
{
	int64_t wait_ns = look_ns - clock_now_ns();
	struct timespec wait;
	sigset_t awaited;

	signals_await(&awaited);
	if (vigil->memory_max_bytes == 0)
		return sigwaitinfo(&awaited, word);
	if (wait_ns < 0)
		wait_ns = 0;
	wait.tv_sec = wait_ns / CLOCK_NS_PER_S;
	wait.tv_nsec = wait_ns % CLOCK_NS_PER_S;
	return sigtimedwait(&awaited, word, &wait);
}

/* Obeys the last word that has come; those before it are of no account. */
static void
obey(const struct vigil *vigil, siginfo_t *word)
{
	const struct timespec at_once = { 0, 0 };
	sigset_t words;

	sigemptyset(&words);
	sigaddset(&words, SUPERVISOR_SIGNAL);
	while (sigtimedwait(&words, word, &at_once) > 0)
		continue;
	if (vigil->cage != NULL)
		cage_hold(
		    vigil->cage, word->si_value.sival_int == SUPERVISOR_FREEZE);
	else
		vigil->hold(
		    vigil, word->si_value.sival_int == SUPERVISOR_FREEZE);
}

/*
 * At once, and not when the child is dead: among hundreds that compute it takes
 * its turn to die, as do they.
 */
static void
end_all(const struct vigil *vigil)
{
	kill(vigil->child, SIGKILL);
	if (vigil->strike != NULL)
		vigil->strike(vigil);
}

/*
 * Reaps until the child is dead, and kills or holds it when the arena says so.
 * Its wait status.
 */
static int
vigil_keep(struct vigil *vigil)
{
	int64_t look_ns = clock_now_ns() + LOOK_MIN_MS * CLOCK_NS_PER_MS;
	siginfo_t word;

	for (;;) {
		int status, number;
		pid_t dead;

		while ((dead = waitpid(-1, &status, WNOHANG)) > 0)
			if (dead == vigil->child)
				return status;
		if (dead < 0 && errno == ECHILD)
			return SIGKILL;
		number = await(vigil, look_ns, &word);
		if (number == SIGTERM)
			end_all(vigil);
		else if (number == SUPERVISOR_SIGNAL)
			obey(vigil, &word);
		if (vigil->memory_max_bytes > 0 && clock_now_ns() >= look_ns)
			look_ns = clock_now_ns() +
			    memory_look(vigil) * CLOCK_NS_PER_MS;
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
finish(const struct supervisor_order *order, const struct vigil *vigil,
    int wait_status)
{
	struct supervisor_end end = { .wait_status = wait_status };
	sigset_t all;

	if (vigil->over_memory ||
	    (vigil->cage != NULL && cage_over_memory(vigil->cage)))
		end.limit = SUPERVISOR_MEMORY;
	if (vigil->cage != NULL)
		cage_close(vigil->cage);
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
box_first(const struct supervisor_order *order, int end_fd,
    volatile bool *frozen, const sigset_t *before)
{
	struct vigil vigil = { .hold = vigil_hold_inside, .frozen = frozen };
	struct pollfd end = { .fd = end_fd };
	int channel[2], status;

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return order->fail(order->context, "box", errno);
	/* The supervisor was dead before: nobody reads the pipe any more. */
	if (poll(&end, 1, 0) != 0)
		return EXIT_LOST;
	status = box_settle(order->cell);
	if (status < 0)
		return order->fail(order->context,
		    order->cell != NULL ? "root" : "box", -status);
	status = channel_open(order, channel);
	if (status < 0)
		return order->fail(order->context, "socket", -status);
	vigil.proc_fd = tree_open();
	scheduler_hurry();
	vigil.child = fork();
	if (vigil.child < 0)
		return order->fail(order->context, "fork", errno);
	if (vigil.child == 0)
		return child_become(order, before, channel);
	status = channel_serve(channel, vigil.child);
	if (status < 0)
		return order->fail(order->context, "thread", -status);
	let_go(order);
	if (order->end_fd >= 0)
		close(order->end_fd);
	status = vigil_keep(&vigil);
	return write(end_fd, &status, sizeof(status)) == sizeof(status)
	    ? 0
	    : EXIT_LOST;
}

/* The kernel sees to the limit of a control group. */
static int64_t
watched_bytes(const struct supervisor_order *order, const struct cage *cage)
{
	return cage != NULL && cage->limited ? 0 : order->memory_max_bytes;
}

/* Nothing of the bot is ever outside of its control group. */
static int
enter_cage(const struct vigil *vigil)
{
	return vigil->cage == NULL ? 0 : cage_enter(vigil->cage);
}

static int
supervise_box(const struct supervisor_order *order, const struct cage *cage)
{
	struct vigil vigil = {
		.hold = vigil_hold_box,
		.memory_max_bytes = watched_bytes(order, cage),
		.cage = cage,
		/* The box will hide it. */
		.proc_fd = tree_open(),
	};
	pid_t arena = getppid();
	sigset_t before;
	int ends[2], status, end;

	if (vigil.proc_fd < 0)
		return order->fail(order->context, "/proc", -vigil.proc_fd);
	status = box_make();
	if (status < 0)
		return order->fail(order->context, "namespaces", -status);
	status = vigil_prepare(arena, &before);
	if (status < 0)
		return order->fail(order->context, "parent", -status);
	/* The kernel does it all, sooner than anybody here is woken. */
	if (cage == NULL && prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return order->fail(order->context, "parent", errno);
	if (pipe2(ends, O_CLOEXEC) < 0)
		return order->fail(order->context, "pipe", errno);
	vigil.frozen = mmap(NULL, sizeof(*vigil.frozen), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (vigil.frozen == MAP_FAILED)
		return order->fail(order->context, "memory", errno);
	vigil.child = fork();
	if (vigil.child < 0)
		return order->fail(order->context, "fork", errno);
	if (vigil.child == 0) {
		status = enter_cage(&vigil);
		if (status < 0)
			return order->fail(
			    order->context, "control group", -status);
		close(ends[0]);
		return box_first(order, ends[1], vigil.frozen, &before);
	}
	close(ends[1]);
	let_go(order);
	status = vigil_keep(&vigil);
	/* A first process that was killed has taken the bot with it. */
	if (read(ends[0], &end, sizeof(end)) == sizeof(end))
		status = end;
	return finish(order, &vigil, status);
}

/*
 * All that is left of the bot is ours now, however far it has run: nothing
 * outside of the domain can be meant.
 */
static void
kill_domain(const struct vigil *vigil)
{
	(void)vigil;
	while (kill(-1, SIGKILL) == 0 || errno != ESRCH) {
		if (waitpid(-1, NULL, 0) < 0 && errno == ECHILD)
			break;
	}
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		continue;
}

/* A domain that the arena itself is in would be no wall. */
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
kill_tree(const struct vigil *vigil)
{
	if (vigil->cage != NULL)
		cage_kill(vigil->cage);
	(void)tree_kill_all(vigil->proc_fd, NULL);
}

/* Without a box the bot is the supervisor's own child. */
static int
supervise_child(const struct supervisor_order *order, struct vigil *vigil,
    void (*kill_rest)(const struct vigil *vigil), pid_t arena)
{
	sigset_t before;
	int channel[2], status;

	vigil->memory_max_bytes = watched_bytes(order, vigil->cage);
	vigil->proc_fd = tree_open();
	if (vigil->proc_fd < 0)
		return order->fail(order->context, "/proc", -vigil->proc_fd);
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return order->fail(order->context, "reaper", errno);
	status = vigil_prepare(arena, &before);
	if (status < 0)
		return order->fail(order->context, "parent", -status);
	status = channel_open(order, channel);
	if (status < 0)
		return order->fail(order->context, "socket", -status);
	vigil->child = fork();
	if (vigil->child < 0)
		return order->fail(order->context, "fork", errno);
	if (vigil->child == 0) {
		status = enter_cage(vigil);
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
	status = channel_serve(channel, vigil->child);
	if (status < 0)
		return order->fail(order->context, "thread", -status);
	let_go(order);
	status = vigil_keep(vigil);
	kill_rest(vigil);
	return finish(order, vigil, status);
}

static int
supervise_domain(const struct supervisor_order *order, const struct cage *cage)
{
	struct vigil vigil = {
		.hold = vigil_hold_domain,
		.strike = vigil_strike_domain,
		.cage = cage,
	};
	pid_t arena = getppid();
	int status = enter_domain(arena);

	if (status < 0)
		return order->fail(order->context, "Landlock", -status);
	return supervise_child(order, &vigil, kill_domain, arena);
}

/* Whoever is left has become our child, and one signal may not hit them all. */
static void
kill_user(const struct vigil *vigil)
{
	for (;;) {
		pid_t reaped;

		user_signal(vigil->user, SIGKILL);
		do {
			reaped = waitpid(-1, NULL, WNOHANG);
		} while (reaped > 0);
		if (reaped < 0 && errno == ECHILD)
			return;
		poll(NULL, 0, 1);
	}
}

static int
supervise_user(const struct supervisor_order *order, const struct cage *cage)
{
	struct vigil vigil = {
		.hold = vigil_hold_user,
		.strike = vigil_strike_user,
		.user = order->user,
		.cage = cage,
	};

	return supervise_child(order, &vigil, kill_user, getppid());
}

static int
supervise_tree(const struct supervisor_order *order, const struct cage *cage)
{
	struct vigil vigil = {
		.hold = vigil_hold_tree,
		.strike = vigil_strike_tree,
		.cage = cage,
	};

	return supervise_child(order, &vigil, kill_tree, getppid());
}

static int
supervise_in(const struct supervisor_order *order, const struct cage *cage)
{
	switch (order->tree) {
	case TREE_BOX:
		return supervise_box(order, cage);
	case TREE_DOMAIN:
		return supervise_domain(order, cage);
	case TREE_USER:
		return supervise_user(order, cage);
	case TREE_STOP:
		break;
	}
	return supervise_tree(order, cage);
}

int
supervise(const struct supervisor_order *order)
{
	struct cage cage;
	int status;

	if (order->cgroup_fd < 0)
		return supervise_in(order, NULL);
	status = cage_open(&cage, order->cgroup_fd, order->memory_max_bytes);
	if (status < 0)
		return order->fail(order->context, "control group", -status);
	return supervise_in(order, &cage);
}
