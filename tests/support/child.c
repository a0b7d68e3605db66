#include "child.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launcher.h"
#include "players.h"

#define BUILTIN_ROLE "bot"

bool
child_is(int argc, char **argv)
{
	return argc > 1 &&
	    (strcmp(argv[1], LAUNCHER_ROLE) == 0 ||
		strcmp(argv[1], BUILTIN_ROLE) == 0);
}

int
child_run(int argc, char **argv)
{
	return strcmp(argv[1], LAUNCHER_ROLE) == 0
	    ? launcher_main(argc, argv)
	    : builtin_run(builtin_find(argv[2]));
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
	for (int i = 0; i < 30000 && child == 0; i++) {
		FILE *file = fopen(path, "re");

		if (file == NULL || fscanf(file, "%d", &child) != 1)
			usleep(2000);
		if (file != NULL)
			fclose(file);
	}
	return child;
}

void
child_sleep(void)
{
	for (;;)
		pause();
}

void
child_crowd(int count)
{
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_IGN);
	for (int i = 0; i < count; i++) {
		if (fork() != 0)
			continue;
		setsid();
		if (i % 3 == 0 && fork() != 0)
			_exit(0);
		if (i % 3 == 1)
			raise(SIGSTOP);
		child_sleep();
	}
}
