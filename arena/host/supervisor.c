#include "supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "box.h"
#include "landlock.h"

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

/*
 * From now on signals are waited for, and the death of the arena is a signal
 * like its wish.
 */
static int
signals_block(pid_t arena, sigset_t *before)
{
	sigset_t awaited;

	sigemptyset(&awaited);
	sigaddset(&awaited, SIGTERM);
	sigaddset(&awaited, SIGCHLD);
	sigprocmask(SIG_BLOCK, &awaited, before);
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
 * Reaps until `child` is dead, and kills it when the arena says so.  Its wait
 * status.
 */
static int
wait_for(pid_t child)
{
	sigset_t awaited;
	siginfo_t info;

	sigemptyset(&awaited);
	sigaddset(&awaited, SIGTERM);
	sigaddset(&awaited, SIGCHLD);
	for (;;) {
		int status;
		pid_t dead;

		while ((dead = waitpid(-1, &status, WNOHANG)) > 0)
			if (dead == child)
				return status;
		if (dead < 0 && errno == ECHILD)
			return SIGKILL;
		if (sigwaitinfo(&awaited, &info) == SIGTERM)
			kill(child, SIGKILL);
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
box_first(
    const struct supervisor_order *order, int end_fd, const sigset_t *before)
{
	struct pollfd end = { .fd = end_fd };
	int status;
	pid_t bot;

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return order->fail(order->context, "box", errno);
	/* The supervisor was dead before: nobody reads the pipe any more. */
	if (poll(&end, 1, 0) != 0)
		return EXIT_LOST;
	status = box_settle();
	if (status < 0)
		return order->fail(order->context, "box", -status);
	bot = fork();
	if (bot < 0)
		return order->fail(order->context, "fork", errno);
	if (bot == 0)
		return child_become(order, before);
	let_go(order);
	status = wait_for(bot);
	return write(end_fd, &status, sizeof(status)) == sizeof(status)
	    ? 0
	    : EXIT_LOST;
}

static int
supervise_box(const struct supervisor_order *order)
{
	pid_t arena = getppid(), first;
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
	first = fork();
	if (first < 0)
		return order->fail(order->context, "fork", errno);
	if (first == 0) {
		close(ends[0]);
		return box_first(order, ends[1], &before);
	}
	close(ends[1]);
	let_go(order);
	status = wait_for(first);
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
	pid_t arena = getppid(), bot;
	sigset_t before;
	int status = enter_domain(arena);

	if (status < 0)
		return order->fail(order->context, "Landlock", -status);
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return order->fail(order->context, "reaper", errno);
	status = signals_block(arena, &before);
	if (status < 0)
		return order->fail(order->context, "parent", -status);
	bot = fork();
	if (bot < 0)
		return order->fail(order->context, "fork", errno);
	if (bot == 0) {
		if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
			return order->fail(order->context, "parent", errno);
		return child_become(order, &before);
	}
	let_go(order);
	status = wait_for(bot);
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
