/*
 * Misbehaviours of processes and signals: a bot that leaves processes behind,
 * or attacks others.
 */
#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faulty_bot.h"

enum { SANDBOX_PROCESSES_MAX = 8, NICENESS = 5 };

/* Starts a daemon: an orphan in a session of its own, without the pipes. */
static void
leave_daemon(void)
{
	pid_t child = fork();

	if (child != 0) {
		waitpid(child, NULL, 0);
		return;
	}
	setsid();
	if (fork() != 0)
		_exit(0);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		close(fd);
	faulty_sleep_for_ever();
}

FAULTY_ACTION(hold_daemon)
{
	leave_daemon();
	return FAULTY_HONESTLY;
}

FAULTY_ACTION(ignore_signals)
{
	sigset_t all;

	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_IGN);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	faulty_sleep_for_ever();
}

/* A wrapper, like a script that starts its program and waits for it. */
FAULTY_ACTION(stand_before_child)
{
	pid_t child = fork();

	if (child == 0)
		return FAULTY_HONESTLY;
	waitpid(child, NULL, 0);
	_exit(0);
}

/* The child has a session of its own, and the bot a group of its own. */
FAULTY_ACTION(sleep_in_own_session)
{
	pid_t child = fork();

	if (child == 0) {
		setsid();
		faulty_sleep_for_ever();
	}
	setpgid(0, 0);
	faulty_sleep_for_ever();
}

FAULTY_ACTION(leave_stopped)
{
	pid_t child = fork();

	if (child == 0) {
		fork();
		raise(SIGSTOP);
		faulty_sleep_for_ever();
	}
	return FAULTY_HONESTLY;
}

/*
 * Whether the bot sees so few processes that they can only be those of its
 * sandbox: an attack on all processes must not reach the test itself.
 */
static bool
is_boxed(void)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	int count = 0;

	if (folder == NULL)
		return false;
	while ((entry = readdir(folder)) != NULL)
		count += entry->d_name[0] >= '1' && entry->d_name[0] <= '9';
	closedir(folder);
	return count > 0 && count < SANDBOX_PROCESSES_MAX;
}

/* Attacks all processes that it can reach, and the one that started it. */
FAULTY_ACTION(strike)
{
	int deadly = is_boxed() ? SIGKILL : SIGURG;

	signal(SIGTERM, SIG_IGN);
	kill(-1, deadly);
	kill(0, SIGTERM);
	kill(getppid(), SIGKILL);
	kill(getppid(), SIGSTOP);
	return FAULTY_HONESTLY;
}

/* Without a sandbox the parent is the supervisor. */
FAULTY_ACTION(kill_parent)
{
	kill(getppid(), SIGKILL);
	/* An answer might end the game before the supervisor has died. */
	return FAULTY_SILENTLY;
}

/* Sets limits of the arena; exits with 7 if it can set one. */
FAULTY_ACTION(hinder)
{
	const struct rlimit no_time = { 1, 1 };
	pid_t victim = faulty_arena() > 1 ? faulty_arena() : getppid();
	cpu_set_t cores;

	CPU_ZERO(&cores);
	CPU_SET(0, &cores);
	if (prlimit(victim, RLIMIT_CPU, &no_time, NULL) == 0 ||
	    setpriority(PRIO_PROCESS, (id_t)victim, NICENESS) == 0 ||
	    sched_setaffinity(victim, sizeof(cores), &cores) == 0)
		_exit(7);
	return FAULTY_HONESTLY;
}

const struct misbehaviour misbehaviours_of_trees[] = {
	FAULTY_TURN("F080", "daemon", hold_daemon),
	FAULTY_AT("F081", "daemon-on-quit", FAULTY_AT_QUIT, hold_daemon),
	FAULTY_TURN("F082", "ignores-signals", ignore_signals),
	FAULTY_AT("F083", "wrapper", FAULTY_AT_START, stand_before_child),
	FAULTY_TURN("F084", "own-session", sleep_in_own_session),
	FAULTY_TURN("F085", "leaves-stopped", leave_stopped),
	FAULTY_TURN("F086", "strikes", strike),
	FAULTY_TURN("F086", "kills-supervisor", kill_parent),
	FAULTY_AT(
	    "F086", "kills-supervisor-at-hello", FAULTY_AT_HELLO, kill_parent),
	FAULTY_TURN("F087", "hinders", hinder),
	{ .id = NULL },
};
