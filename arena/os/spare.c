/*
 * Memory: MemAvailable of /proc/meminfo; and for each control group its limit
 * less its use, where the file cache that the group could drop does not count
 * as used.  Processes: the limit of the user; and for each control group its
 * limit less its use.
 *
 * /proc/self/cgroup names the group of this process; its parents are found by
 * cutting names off the end of that path.
 */
#include "spare.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "kernel_text.h"

enum { TEXT_SIZE = 8192, FOLDER_SIZE = 2 * PATH_MAX };

/* The limit of a control group, and how much of it is used. */
struct usage {
	int64_t most, used;
};

/* Names of the files that are read, in each version of control groups. */
struct version {
	const char *mark;   /* the text before the path in /proc/self/cgroup */
	const char *folder; /* the folder where the groups are mounted */
	const char *most, *used;
	const char *stat, *cache; /* the line of droppable memory; NULL: none */
};

static const struct version memory_versions[] = {
	{ "\n0::", "/sys/fs/cgroup", "memory.max", "memory.current",
	    "memory.stat", "\ninactive_file " },
	{ ":memory:", "/sys/fs/cgroup/memory", "memory.limit_in_bytes",
	    "memory.usage_in_bytes", "memory.stat", "\ntotal_inactive_file " },
};

static const struct version process_versions[] = {
	{ "\n0::", "/sys/fs/cgroup", "pids.max", "pids.current", NULL, NULL },
	{ ":pids:", "/sys/fs/cgroup/pids", "pids.max", "pids.current", NULL,
	    NULL },
};

/* Reads a file behind a line feed, so that every line begins with one. */
static bool
read_text(const char *folder, const char *file, char text[TEXT_SIZE])
{
	char path[FOLDER_SIZE + NAME_MAX];

	snprintf(path, sizeof(path), "%s%s", folder, file);
	text[0] = '\n';
	return kernel_text_read(AT_FDCWD, path, text + 1, TEXT_SIZE - 1) > 0;
}

/*
 * Finds the number behind a mark.  Returns false if there is none, as in `max`.
 */
static bool
find_number(const char *text, const char *mark, int64_t *number)
{
	const char *at = strstr(text, mark);

	return at != NULL && sscanf(at + strlen(mark), "%" SCNd64, number) == 1;
}

static bool
read_number(const char *folder, const char *file, int64_t *number)
{
	char text[TEXT_SIZE], path[NAME_MAX];

	snprintf(path, sizeof(path), "/%s", file);
	return read_text(folder, path, text) && find_number(text, "\n", number);
}

/* Reads a group.  Returns false if the group has no limit. */
static bool
read_usage(
    const char *folder, const struct version *version, struct usage *usage)
{
	char text[TEXT_SIZE];
	int64_t cache;

	if (!read_number(folder, version->most, &usage->most) ||
	    !read_number(folder, version->used, &usage->used))
		return false;
	if (version->stat == NULL)
		return true;
	snprintf(text, sizeof(text), "/%s", version->stat);
	if (read_text(folder, text, text) &&
	    find_number(text, version->cache, &cache) && cache < usage->used)
		usage->used -= cache;
	return true;
}

/*
 * Returns the least that is left in any limited group of this process, but at
 * most `least`.
 */
static double
find_least(const char *root, const struct version versions[2],
    double (*left)(const struct usage *usage), double least)
{
	char groups[TEXT_SIZE], folder[FOLDER_SIZE];

	if (!read_text(root, "/proc/self/cgroup", groups))
		return least;
	for (int i = 0; i < 2; i++) {
		const char *at = strstr(groups, versions[i].mark);
		size_t shortest = strlen(root) + strlen(versions[i].folder);
		struct usage usage;

		if (at == NULL)
			continue;
		at += strlen(versions[i].mark);
		snprintf(folder, sizeof(folder), "%s%s%.*s", root,
		    versions[i].folder, (int)strcspn(at, "\n"), at);
		/* From the group up to the mounted folder, whose own path is
		 * "/". */
		for (char *end = folder + strlen(folder); end != NULL;
		     end = strlen(folder) > shortest ? strrchr(folder, '/')
						     : NULL) {
			*end = '\0';
			if (read_usage(folder, &versions[i], &usage) &&
			    left(&usage) < least)
				least = left(&usage);
		}
	}
	return least > 0.0 ? least : 0.0;
}

static double
part_left(const struct usage *usage)
{
	return usage->most > 0 ? 1.0 - (double)usage->used / (double)usage->most
			       : 1.0;
}

double
spare_memory(const char *root)
{
	char text[TEXT_SIZE];
	int64_t total, available;
	double part = 1.0;

	if (read_text(root, "/proc/meminfo", text) &&
	    find_number(text, "\nMemTotal:", &total) && total > 0 &&
	    find_number(text, "\nMemAvailable:", &available))
		part = (double)available / (double)total;
	return find_least(root, memory_versions, part_left, part);
}

static double
processes_left(const struct usage *usage)
{
	return (double)(usage->most - usage->used);
}

int32_t
spare_processes(const char *root)
{
	struct rlimit limit;
	double room = INT32_MAX;

	if (getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur < INT32_MAX)
		room = (double)limit.rlim_cur;
	return (int32_t)find_least(
	    root, process_versions, processes_left, room);
}
