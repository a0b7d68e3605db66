#include "child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "countof.h"
#include "launcher.h"
#include "players.h"

static void
put(const char *text)
{
	size_t length = strlen(text);

	if (write(STDOUT_FILENO, text, length) != (ssize_t)length)
		_exit(99);
}

static void
nap(void)
{
	const struct timespec moment = { 0, 2000000 };

	nanosleep(&moment, NULL);
}

static int
sleep_for_ever(void)
{
	while (pause() < 0)
		;
	return 94;
}

/* Writes until there is no reader or `megabytes` are written. */
static int
write_much(int fd, const char *pattern, int megabytes)
{
	static char block[1024 * 1024];
	size_t length = strlen(pattern), done = 0;
	ssize_t written;

	for (size_t i = 0; i < sizeof(block); i++)
		block[i] = pattern[i % length];
	for (int i = 0; i < megabytes; i++)
		for (done = 0; done < sizeof(block); done += (size_t)written) {
			written = write(fd, block + done, sizeof(block) - done);
			if (written < 0)
				return 98;
		}
	return 0;
}

/* Answers each line with this line, until `quit` or the end of stdin. */
static int
play_echo(const char *argument)
{
	static char line[70000];

	(void)argument;
	while (fgets(line, sizeof(line), stdin) != NULL) {
		if (strcmp(line, "quit\n") == 0)
			return 0;
		put("echo ");
		put(line);
	}
	return 3;
}

/* Writes the argument; \n, \r and \0 in it are replaced by these bytes. */
static int
play_say(const char *argument)
{
	for (; *argument != '\0'; argument++) {
		char byte = *argument;

		if (byte == '\\') {
			argument++;
			byte = *argument == 'n' ? '\n' : '\r';
			if (*argument == '0')
				byte = '\0';
		}
		if (write(STDOUT_FILENO, &byte, 1) != 1)
			return 97;
	}
	return 0;
}

/* Writes much more than one read returns, at once, and may close stdout. */
static int
play_burst(const char *argument)
{
	static char bytes[20000];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = i % 1000 == 999 ? '\n' : 'x';
	memcpy(bytes + sizeof(bytes) - 6, "\nlast\n", 6);
	if (write(STDOUT_FILENO, bytes, sizeof(bytes)) != sizeof(bytes))
		return 95;
	if (strcmp(argument, "close") == 0)
		close(STDOUT_FILENO);
	return sleep_for_ever();
}

/*
 * Writes as play_say(), each byte as a packet of its own: from a pipe in this
 * mode, pipe(2), a read returns one packet, even if there are more.
 */
static int
play_packets(const char *argument)
{
	if (fcntl(STDOUT_FILENO, F_SETFL, O_DIRECT) != 0)
		return 95;
	play_say(argument);
	return sleep_for_ever();
}

/* Writes the argument to stderr, 64 MiB of it, and a last line. */
static int
play_noise(const char *argument)
{
	int status = write_much(STDERR_FILENO, argument, 64);

	if (status != 0)
		return status;
	if (write(STDERR_FILENO, "\033[2Jlast\n", 9) != 9)
		return 96;
	put("done\n");
	return sleep_for_ever();
}

static int
play_sleep(const char *argument)
{
	(void)argument;
	return sleep_for_ever();
}

/* Reads nothing until a signal arrives; then counts the bytes. */
static int
play_late_reader(const char *argument)
{
	static char bytes[65536];
	char text[32];
	long total = 0;
	ssize_t got;

	(void)argument;
	put("ready\n");
	for (int i = 0; i < 25; i++)
		nap();
	while ((got = read(STDIN_FILENO, bytes, sizeof(bytes))) > 0) {
		total += got;
		if (bytes[got - 1] == '\n') {
			snprintf(text, sizeof(text), "read %ld\n", total);
			put(text);
		}
	}
	return 0;
}

static int
play_close(const char *argument)
{
	put("closing\n");
	for (; *argument != '\0'; argument++)
		close(*argument - '0');
	return sleep_for_ever();
}

/* A wrapper without exec: continues beside a child that writes. */
static int
play_wrapper(const char *argument)
{
	(void)argument;
	if (fork() != 0)
		return sleep_for_ever();
	for (;;)
		put("boo\n");
}

/*
 * Prints the environment, descriptors, signals and limits of a bot at its
 * start.
 */
static int
play_surroundings(const char *argument)
{
	sigset_t mask;
	int blocked = 0, ignored = 0;
	struct rlimit core, files;
	char dir[4096];

	for (char **entry = environ; *entry != NULL; entry++)
		printf("env %s\n", *entry);
	printf("descriptors %d\n", child_descriptors());
	sigprocmask(SIG_BLOCK, NULL, &mask);
	for (int number = 1; number < NSIG; number++) {
		struct sigaction action;

		blocked += sigismember(&mask, number) == 1;
		if (sigaction(number, NULL, &action) == 0)
			ignored += action.sa_handler == SIG_IGN;
	}
	printf("blocked %d ignored %d\n", blocked, ignored);
	printf("leader %d %d\n", getsid(0) == getpid(), getpgrp() == getpid());
	getrlimit(RLIMIT_CORE, &core);
	getrlimit(RLIMIT_NOFILE, &files);
	printf("core %lu files %d\n", (unsigned long)core.rlim_cur,
	    files.rlim_cur <= 1024);
	printf("batch %d\n", sched_getscheduler(0) == SCHED_BATCH);
	printf("privileges %d\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
	printf("dir %s\n", getcwd(dir, sizeof(dir)));
	printf("argument %s\n", argument);
	printf("end\n");
	fflush(stdout);
	return sleep_for_ever();
}

#define BUILTIN_ROLE "bot"

struct role {
	const char *name;
	int (*play)(const char *argument);
};

static const struct role roles[] = {
	{ "echo", play_echo },
	{ "say", play_say },
	{ "burst", play_burst },
	{ "packets", play_packets },
	{ "noise", play_noise },
	{ "sleep", play_sleep },
	{ "late-reader", play_late_reader },
	{ "close", play_close },
	{ "wrapper", play_wrapper },
	{ "surroundings", play_surroundings },
};

bool
child_is(int argc, char **argv)
{
	return argc > 1 &&
	    (strcmp(argv[1], LAUNCHER_ROLE) == 0 ||
		strcmp(argv[1], BUILTIN_ROLE) == 0 ||
		strcmp(argv[1], CHILD_ROLE) == 0);
}

int
child_run(int argc, char **argv)
{
	if (strcmp(argv[1], LAUNCHER_ROLE) == 0)
		return launcher_main(argc, argv);
	if (strcmp(argv[1], BUILTIN_ROLE) == 0)
		return builtin_run(argv[2]);
	for (size_t i = 0; argc > 2 && i < COUNTOF(roles); i++)
		if (strcmp(roles[i].name, argv[2]) == 0)
			/* Without the handlers of exit(), as after a crash. */
			_exit(roles[i].play(argc > 3 ? argv[3] : ""));
	fprintf(stderr, "no such role\n");
	return 95;
}

int
child_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int count = 0;

	if (dir == NULL)
		return -1;
	for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
		count += entry->d_name[0] != '.';
	closedir(dir);
	/* Without the descriptor of the folder that is being read. */
	return count - 1;
}

bool
child_none(void)
{
	return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD;
}

static int descriptors_before;

int
child_look_before(void **state)
{
	(void)state;
	descriptors_before = child_descriptors();
	return 0;
}

int
child_look_after(void **state)
{
	(void)state;
	return child_none() && child_descriptors() == descriptors_before ? 0
									 : -1;
}

int
child_of(int pid)
{
	char path[64];
	int child = 0;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	for (int i = 0; i < 2500 && child == 0; i++) {
		FILE *file = fopen(path, "re");

		if (file == NULL || fscanf(file, "%d", &child) != 1)
			nap();
		if (file != NULL)
			fclose(file);
	}
	return child;
}

void
child_ignore_signals(void)
{
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_IGN);
}
