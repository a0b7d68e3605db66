#include "supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "box.h"
#include "landlock.h"

enum {
	EXIT_LOST = 125,
	/* Those that stop last may have let others go on before. */
	STOP_ROUNDS = 3
};

/* What is watched over. */
struct charge {
	pid_t child;
	/* Obeys a word of the arena. */
	void (*hold)(const struct charge *charge, const siginfo_t *word);
	/* In a box what the arena wants, shared by its supervisor and its first
	 * process: what is inside could send that one a word, but not write
	 * this. */
	volatile bool *frozen;
};

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

static void
signals_await(sigset_t *awaited)
{
	sigemptyset(awaited);
	sigaddset(awaited, SIGTERM);
	sigaddset(awaited, SIGCHLD);
	sigaddset(awaited, SUPERVISOR_SIGNAL);
}

/*
 * From now on signals are waited for, and the death of the arena is a signal
 * like its wish.
 */
static int
signals_block(pid_t arena, sigset_t *before)
{
	sigset_t awaited;

	signals_await(&awaited);
	sigprocmask(SIG_BLOCK, &awaited, before);
	sigdelset(before, SUPERVISOR_SIGNAL);
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0)
		return -errno;
	if (getppid() != arena)
		raise(SIGTERM);
	return 0;
}

/* Ends as the bot has ended. */
static int
imitate(int wait_status)
{
	sigset_t all;

	if (WIFEXITED(wait_status))
		return WEXITSTATUS(wait_status);
	signal(WTERMSIG(wait_status), SIG_DFL);
	sigfillset(&all);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
	raise(WTERMSIG(wait_status));
	return EXIT_LOST;
}

/*
 * Stops all but the caller, or lets them go on.  Only for who is alone with
 * what the bot has started, in a box or a domain.  No fork escapes: while such
 * a signal is pending no child is added.
 */
static void
hold_all(bool frozen)
{
	for (int i = 0; i < (frozen ? STOP_ROUNDS : 1); i++) {
		if (i > 0)
			sched_yield();
		kill(-1, frozen ? SIGSTOP : SIGCONT);
	}
}

static void
hold_domain(const struct charge *charge, const siginfo_t *word)
{
	(void)charge;
	hold_all(word->si_value.sival_int == SUPERVISOR_FREEZE);
}

/* The supervisor of a box tells its first process.. */
static void
hold_box(const struct charge *charge, const siginfo_t *word)
{
	*charge->frozen = word->si_value.sival_int == SUPERVISOR_FREEZE;
	kill(charge->child, SUPERVISOR_SIGNAL);
}

/* ..which is alone with the others in it. */
static void
hold_inside(const struct charge *charge, const siginfo_t *word)
{
	(void)word;
	hold_all(*charge->frozen);
}

/*
 * Reaps until the child is dead, and kills or holds it when the arena says so.
 * Its wait status.
 */
static int
wait_for(const struct charge *charge)
{
	sigset_t awaited;
	siginfo_t info;

	signals_await(&awaited);
	for (;;) {
		int status, number;
		pid_t dead;

		while ((dead = waitpid(-1, &status, WNOHANG)) > 0)
			if (dead == charge->child)
				return status;
		if (dead < 0 && errno == ECHILD)
			return SIGKILL;
		number = sigwaitinfo(&awaited, &info);
		if (number == SIGTERM)
			kill(charge->child, SIGKILL);
		else if (number == SUPERVISOR_SIGNAL)
			charge->hold(charge, &info);
	}
}

/* In the process that is to become the bot. */
static int
child_become(const struct supervisor_order *order, const sigset_t *before)
{
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
	struct charge charge = { .hold = hold_inside, .frozen = frozen };
	struct pollfd end = { .fd = end_fd };
	int status;

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return order->fail(order->context, "box", errno);
	/* The supervisor was dead before: nobody reads the pipe any more. */
	if (poll(&end, 1, 0) != 0)
		return EXIT_LOST;
	status = box_settle(order->cell);
	if (status < 0)
		return order->fail(order->context,
		    order->cell != NULL ? "root" : "box", -status);
	charge.child = fork();
	if (charge.child < 0)
		return order->fail(order->context, "fork", errno);
	if (charge.child == 0)
		return child_become(order, before);
	let_go(order);
	status = wait_for(&charge);
	return write(end_fd, &status, sizeof(status)) == sizeof(status)
	    ? 0
	    : EXIT_LOST;
}

static int
supervise_box(const struct supervisor_order *order)
{
	struct charge charge = { .hold = hold_box };
	pid_t arena = getppid();
	sigset_t before;
	int ends[2], status, end;

	status = box_make();
	if (status < 0)
		return order->fail(order->context, "namespaces", -status);
	status = signals_block(arena, &before);
	if (status < 0)
		return order->fail(order->context, "parent", -status);
	if (pipe2(ends, O_CLOEXEC) < 0)
		return order->fail(order->context, "pipe", errno);
	charge.frozen = mmap(NULL, sizeof(*charge.frozen),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (charge.frozen == MAP_FAILED)
		return order->fail(order->context, "memory", errno);
	charge.child = fork();
	if (charge.child < 0)
		return order->fail(order->context, "fork", errno);
	if (charge.child == 0) {
		close(ends[0]);
		return box_first(order, ends[1], charge.frozen, &before);
	}
	close(ends[1]);
	let_go(order);
	status = wait_for(&charge);
	/* A first process that was killed has taken the bot with it. */
	if (read(ends[0], &end, sizeof(end)) == sizeof(end))
		status = end;
	return imitate(status);
}

/*
 * All that is left of the bot is ours now, however far it has run: nothing
 * outside of the domain can be meant.
 */
static void
kill_domain(void)
{
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

static int
supervise_domain(const struct supervisor_order *order)
{
	struct charge charge = { .hold = hold_domain };
	pid_t arena = getppid();
	sigset_t before;
	int status = enter_domain(arena);

	if (status < 0)
		return order->fail(order->context, "Landlock", -status);
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return order->fail(order->context, "reaper", errno);
	status = signals_block(arena, &before);
	if (status < 0)
		return order->fail(order->context, "parent", -status);
	charge.child = fork();
	if (charge.child < 0)
		return order->fail(order->context, "fork", errno);
	if (charge.child == 0) {
		if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
			return order->fail(order->context, "parent", errno);
		return child_become(order, &before);
	}
	let_go(order);
	status = wait_for(&charge);
	kill_domain();
	return imitate(status);
}

int
supervise(const struct supervisor_order *order)
{
	switch (order->tree) {
	case TREE_BOX:
		return supervise_box(order);
	case TREE_DOMAIN:
		break;
	}
	return supervise_domain(order);
}
