/*
 * Sins of processes and signals: a bot that starts what should not outlive it,
 * or strikes at others.
 */
#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sin.h"

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
	sin_sleep_for_ever();
}

static enum sin_course
keep_daemon(struct sinner *sinner)
{
	(void)sinner;
	leave_daemon();
	return SIN_HONESTLY;
}

static enum sin_course
ignore_signals(struct sinner *sinner)
{
	sigset_t all;

	(void)sinner;
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_IGN);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	sin_sleep_for_ever();
}

/* A script that starts its program and waits for it. */
static enum sin_course
stand_before_child(struct sinner *sinner)
{
	pid_t child = fork();

	(void)sinner;
	if (child == 0)
		return SIN_HONESTLY;
	waitpid(child, NULL, 0);
	_exit(0);
}

/* The same, but what it has started goes its own way. */
static enum sin_course
sleep_in_own_session(struct sinner *sinner)
{
	pid_t child = fork();

	(void)sinner;
	if (child == 0) {
		setsid();
		sin_sleep_for_ever();
	}
	setpgid(0, 0);
	sin_sleep_for_ever();
}

static enum sin_course
leave_stopped(struct sinner *sinner)
{
	pid_t child = fork();

	(void)sinner;
	if (child == 0) {
		fork();
		raise(SIGSTOP);
		sin_sleep_for_ever();
	}
	return SIN_HONESTLY;
}

/*
 * Whether it sees so few processes that they can only be those of its box: what
 * it does to all it can reach must not reach whoever tests it.
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
static enum sin_course
strike(struct sinner *sinner)
{
	int deadly = is_boxed() ? SIGKILL : SIGURG;

	(void)sinner;
	signal(SIGTERM, SIG_IGN);
	kill(-1, deadly);
	kill(0, SIGTERM);
	kill(getppid(), SIGKILL);
	kill(getppid(), SIGSTOP);
	return SIN_HONESTLY;
}

/* Without walls that is the process that watches it for the arena. */
static enum sin_course
kill_parent(struct sinner *sinner)
{
	(void)sinner;
	kill(getppid(), SIGKILL);
	/* Else a game may be over before the other has come to its death. */
	return SIN_SILENTLY;
}

/* The same by limits; it exits with 7 where one can be set. */
static enum sin_course
hinder(struct sinner *sinner)
{
	const struct rlimit no_time = { 1, 1 };
	pid_t victim = sin_arena() > 1 ? sin_arena() : getppid();
	cpu_set_t cores;

	(void)sinner;
	CPU_ZERO(&cores);
	CPU_SET(0, &cores);
	if (prlimit(victim, RLIMIT_CPU, &no_time, NULL) == 0 ||
	    setpriority(PRIO_PROCESS, (id_t)victim, NICENESS) == 0 ||
	    sched_setaffinity(victim, sizeof(cores), &cores) == 0)
		_exit(7);
	return SIN_HONESTLY;
}

const struct sin sins_of_trees[] = {
	SIN_TURN("F080", "daemon", keep_daemon),
	{ .id = "F081",
	    .name = "daemon-on-quit",
	    .moment = SIN_AT_QUIT,
	    .commit = keep_daemon },
	SIN_TURN("F082", "ignores-signals", ignore_signals),
	{ .id = "F083",
	    .name = "wrapper",
	    .moment = SIN_AT_START,
	    .commit = stand_before_child },
	SIN_TURN("F084", "own-session", sleep_in_own_session),
	SIN_TURN("F085", "leaves-stopped", leave_stopped),
	SIN_TURN("F086", "strikes", strike),
	SIN_TURN("F086", "kills-supervisor", kill_parent),
	{ .id = "F086",
	    .name = "kills-supervisor-at-hello",
	    .moment = SIN_AT_HELLO,
	    .commit = kill_parent },
	SIN_TURN("F087", "hinders", hinder),
};

const size_t sins_of_trees_count = SIN_COUNTOF(sins_of_trees);
