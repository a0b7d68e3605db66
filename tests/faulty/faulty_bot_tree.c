/*
 * Misbehaviours of processes and signals: a bot that starts what should not
 * outlive it, or strikes at others.
 */
#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faulty_bot.h"

enum { CROWD_MAX = 8, NICENESS = 5 };

/* In a session of its own, without its pipes, and out of its parent's sight. */
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

/* A script that starts its program and waits for it. */
FAULTY_ACTION(stand_before_child)
{
	pid_t child = fork();

	if (child == 0)
		return FAULTY_HONESTLY;
	waitpid(child, NULL, 0);
	_exit(0);
}

/* The same, but what it has started goes its own way. */
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
 * Whether it sees so few processes that they can only be those of its sandbox:
 * what it does to all it can reach must not reach the process that tests it.
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
	return count > 0 && count < CROWD_MAX;
}

/* Strikes at all that it can reach, and at whoever started it. */
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

/* Without a sandbox that is the process that watches it for the arena. */
FAULTY_ACTION(kill_parent)
{
	kill(getppid(), SIGKILL);
	/* Else a game may be over before the other has come to its death. */
	return FAULTY_SILENTLY;
}

/* The same by limits; it exits with 7 where one can be set. */
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
