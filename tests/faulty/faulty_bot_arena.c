/*
 * What a bot without a sandbox can see of the arena: its memory, descriptors
 * and children, which show whether faulty bots cost it any of these.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faulty_bot.h"

enum { TRIES_MAX = 20, TRY_MS = 10, SAMPLES = 3, PATH_SIZE = 64 };

/* The number after `KEY:` in /proc/PID/status, or 0. */
static long
status_number(int pid, const char *key)
{
	char path[PATH_SIZE], line[256];
	long number = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	if (file == NULL)
		return 0;
	while (number == 0 && fgets(line, sizeof(line), file) != NULL)
		if (strncmp(line, key, strlen(key)) == 0)
			number = strtol(line + strlen(key) + 1, NULL, 10);
	fclose(file);
	return number;
}

/* Whether this is `scopa-arena launch`, the parent of sandboxed bots. */
static bool
is_launcher(int pid)
{
	char path[PATH_SIZE], line[256];
	size_t size, name;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	size = fread(line, 1, sizeof(line) - 1, file);
	fclose(file);
	line[size] = '\0';
	name = strlen(line) + 1;
	return name < size && strcmp(line + name, "launch") == 0;
}

int
faulty_arena(void)
{
	int pid = getppid();

	while (pid > 1 && is_launcher(pid))
		pid = (int)status_number(pid, "PPid");
	return pid;
}

/* The children of the arena except this bot. */
struct children {
	int living;
	int dead; /* zombies */
};

static void
count_children(int parent, struct children *children)
{
	char path[PATH_SIZE], state;
	struct dirent *entry;
	int pid, owner;
	DIR *folder = opendir("/proc");
	FILE *file;

	*children = (struct children){ 0, 0 };
	if (folder == NULL)
		return;
	while ((entry = readdir(folder)) != NULL) {
		pid = (int)strtol(entry->d_name, NULL, 10);
		snprintf(path, sizeof(path), "/proc/%d/stat", pid);
		file = pid > 0 && pid != getpid() ? fopen(path, "re") : NULL;
		if (file == NULL)
			continue;
		if (fscanf(file, "%*d (%*[^)]) %c %d", &state, &owner) == 2 &&
		    owner == parent) {
			children->living += state != 'Z';
			children->dead += state == 'Z';
		}
		fclose(file);
	}
	closedir(folder);
}

static int
count_descriptors(int pid)
{
	char path[PATH_SIZE];
	int count = 0;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	folder = opendir(path);
	if (folder == NULL)
		return -1;
	while (readdir(folder) != NULL)
		count++;
	closedir(folder);
	return count;
}

void
faulty_describe_arena(int fd)
{
	int arena = faulty_arena(), descriptors;
	struct children children;

	if (arena <= 1)
		return;
	dprintf(fd, "# peak=%ld\n", status_number(arena, "VmHWM"));
	/*
	 * Its other bots are about to end, and the arena is about to reap them.
	 */
	for (int i = 0; i < TRIES_MAX; i++) {
		count_children(arena, &children);
		if (children.living + children.dead == 0)
			break;
		faulty_sleep_ms(TRY_MS);
	}
	/* The arena first reaps a child and then closes its descriptors. */
	descriptors = count_descriptors(arena);
	for (int i = 0; i < SAMPLES; i++) {
		int count;

		faulty_sleep_ms(TRY_MS);
		count = count_descriptors(arena);
		descriptors = count < descriptors ? count : descriptors;
	}
	dprintf(fd, "# others=%d zombies=%d descriptors=%d\n", children.living,
	    children.dead, descriptors);
}
