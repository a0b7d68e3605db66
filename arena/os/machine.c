/*
 * Implements machine.h. A core is claimed by binding an abstract socket address
 * that is named after it, so that two arenas do not pin their workers to the
 * same core. The kernel releases the claim when the process ends.
 *
 * What is left of memory: MemAvailable of /proc/meminfo; and for each control
 * group its limit less its use, where the file cache that the group could drop
 * does not count as used.  What is left of processes: the limit of the user;
 * and for each control group its limit less its use.  Cores that can be busy:
 * for each control group its quota of CPU time divided by the period.
 *
 * /proc/self/cgroup names the group of this process; its parents are found by
 * cutting names off the end of that path.
 */
#include "machine.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "kernel_text.h"

/*
 * sched_getaffinity(2) fails if the set is smaller than that of the kernel,
 * which has at most 8,192 cores.
 */
enum { SETS = 8192 / CPU_SETSIZE };

int
cores_allowed(struct cores *cores)
{
	cpu_set_t sets[SETS];

	if (sched_getaffinity(0, sizeof(sets), sets) < 0)
		return -errno;
	cores->count = 0;
	for (int id = 0; id < SETS * CPU_SETSIZE; id++)
		if (CPU_ISSET_S((size_t)id, sizeof(sets), sets) &&
		    cores->count < CORES_MAX)
			cores->ids[cores->count++] = (short)id;
	return 0;
}

bool
cores_have(const struct cores *cores, int id)
{
	for (int i = 0; i < cores->count; i++)
		if (cores->ids[i] == id)
			return true;
	return false;
}

/* Reads a number without sign or blanks at *text, and moves *text after it. */
static bool
read_id(const char **text, int *id)
{
	const char *at = *text;

	for (*id = 0; *at >= '0' && *at <= '9'; at++) {
		*id = 10 * *id + (*at - '0');
		if (*id >= SETS * CPU_SETSIZE)
			return false;
	}
	if (at == *text)
		return false;
	*text = at;
	return true;
}

bool
cores_parse(const char *text, struct cores *cores)
{
	struct cores read = { .count = 0 };
	int first, last;

	do {
		if (!read_id(&text, &first))
			return false;
		last = first;
		if (*text == '-') {
			text++;
			if (!read_id(&text, &last) || last < first)
				return false;
		}
		for (int id = first; id <= last; id++) {
			if (read.count == CORES_MAX || cores_have(&read, id))
				return false;
			read.ids[read.count++] = (short)id;
		}
	} while (*text == ',' && *++text != '\0');
	if (*text != '\0' || text[-1] == ',')
		return false;
	*cores = read;
	return true;
}

void
cores_format(const struct cores *cores, char *text, size_t size)
{
	size_t length = 0;

	assert(size > 0);
	text[0] = '\0';
	for (int i = 0, last; i < cores->count && length < size; i = last + 1) {
		const char *comma = i > 0 ? "," : "";
		int put;

		for (last = i; last + 1 < cores->count &&
		     cores->ids[last + 1] == cores->ids[last] + 1;)
			last++;
		put = last > i
		    ? snprintf(text + length, size - length, "%s%d-%d", comma,
			  cores->ids[i], cores->ids[last])
		    : snprintf(text + length, size - length, "%s%d", comma,
			  cores->ids[i]);
		length += (size_t)put;
	}
}

static struct cores before_pin; /* count 0: this process was not pinned */

int
cores_pin(int id)
{
	const struct cores pinned = { .count = 1, .ids = { (short)id } };
	struct cores allowed;
	int status = cores_allowed(&allowed);

	if (status == 0)
		status = cores_use(&pinned);
	if (status == 0)
		before_pin = allowed;
	return status;
}

const struct cores *
cores_before_pin(void)
{
	return before_pin.count > 0 ? &before_pin : NULL;
}

int
cores_use(const struct cores *cores)
{
	cpu_set_t sets[SETS];

	CPU_ZERO_S(sizeof(sets), sets);
	for (int i = 0; i < cores->count; i++)
		CPU_SET_S((size_t)cores->ids[i], sizeof(sets), sets);
	return sched_setaffinity(0, sizeof(sets), sets) < 0 ? -errno : 0;
}

/*
 * Binds a socket to a name in the abstract namespace.  Only one socket can have
 * a name, and the kernel frees the name when its owner dies, for whatever
 * reason.
 */
int
cores_claim(int id)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int length = snprintf(address.sun_path + 1,
	    sizeof(address.sun_path) - 1, "scopa-arena/core-%d", id);
	socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
	    1 + (size_t)length);
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	if (bind(fd, (struct sockaddr *)&address, size) < 0) {
		int error = errno;

		close(fd);
		return -error;
	}
	return fd;
}

enum { TEXT_SIZE = 8192, FOLDER_SIZE = 2 * PATH_MAX };

/*
 * The limit of a control group, and how much of it is used.  For CPU time: the
 * quota, and the period in which it can be used.
 */
struct usage {
	int64_t most, used;
};

/* Names of the files that are read, in each version of control groups. */
struct version {
	const char *mark;   /* the text before the path in /proc/self/cgroup */
	const char *folder; /* the folder where the groups are mounted */
	const char *most;
	const char *used;  /* NULL: the second number of `most` */
	const char *cache; /* the line of droppable memory; NULL: none */
};

static const struct version memory_versions[] = {
	{ "\n0::", "/sys/fs/cgroup", "/memory.max", "/memory.current",
	    "\ninactive_file " },
	{ ":memory:", "/sys/fs/cgroup/memory", "/memory.limit_in_bytes",
	    "/memory.usage_in_bytes", "\ntotal_inactive_file " },
	{ .mark = NULL },
};

static const struct version process_versions[] = {
	{ "\n0::", "/sys/fs/cgroup", "/pids.max", "/pids.current", NULL },
	{ ":pids:", "/sys/fs/cgroup/pids", "/pids.max", "/pids.current", NULL },
	{ .mark = NULL },
};

static const struct version cpu_versions[] = {
	{ "\n0::", "/sys/fs/cgroup", "/cpu.max", NULL, NULL },
	{ ":cpu:", "/sys/fs/cgroup/cpu", "/cpu.cfs_quota_us",
	    "/cpu.cfs_period_us", NULL },
	{ ":cpu,cpuacct:", "/sys/fs/cgroup/cpu,cpuacct", "/cpu.cfs_quota_us",
	    "/cpu.cfs_period_us", NULL },
	{ .mark = NULL },
};

/* Reads a file after a line feed, so that every line begins with one. */
static bool
read_text(const char *folder, const char *file, char text[TEXT_SIZE])
{
	char path[FOLDER_SIZE + NAME_MAX];

	snprintf(path, sizeof(path), "%s%s", folder, file);
	text[0] = '\n';
	return kernel_text_read(AT_FDCWD, path, text + 1, TEXT_SIZE - 1) > 0;
}

/*
 * Finds the number after a mark.  Returns false if there is none, as in `max`.
 */
static bool
find_number(const char *text, const char *mark, int64_t *number)
{
	const char *at = strstr(text, mark);

	return at != NULL && sscanf(at + strlen(mark), "%" SCNd64, number) == 1;
}

/* Reads the number after the mark in a file. */
static bool
read_number(
    const char *folder, const char *file, const char *mark, int64_t *number)
{
	char text[TEXT_SIZE];

	return read_text(folder, file, text) && find_number(text, mark, number);
}

/* Reads a group.  Returns false if the group has no limit. */
static bool
read_usage(
    const char *folder, const struct version *version, struct usage *usage)
{
	bool two_files = version->used != NULL;
	int64_t cache;

	if (!read_number(folder, version->most, "\n", &usage->most) ||
	    !read_number(folder, two_files ? version->used : version->most,
		two_files ? "\n" : " ", &usage->used))
		return false;
	if (version->cache != NULL &&
	    read_number(folder, "/memory.stat", version->cache, &cache) &&
	    cache < usage->used)
		usage->used -= cache;
	return true;
}

/*
 * Returns the least that is left in any limited group of this process, but at
 * most `least`.
 */
static double
find_least(const char *root, const struct version *version,
    double (*left)(const struct usage *usage), double least)
{
	char groups[TEXT_SIZE], folder[FOLDER_SIZE];

	if (!read_text(root, "/proc/self/cgroup", groups))
		return least;
	for (; version->mark != NULL; version++) {
		const char *at = strstr(groups, version->mark);
		size_t shortest = strlen(root) + strlen(version->folder);
		struct usage usage;

		if (at == NULL)
			continue;
		at += strlen(version->mark);
		snprintf(folder, sizeof(folder), "%s%s%.*s", root,
		    version->folder, (int)strcspn(at, "\n"), at);
		/* From the group up to the mounted folder, whose own path is
		 * "/". */
		for (char *end = folder + strlen(folder); end != NULL;
		     end = strlen(folder) > shortest ? strrchr(folder, '/')
						     : NULL) {
			*end = '\0';
			if (read_usage(folder, version, &usage) &&
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
machine_memory_left(const char *root)
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
machine_processes_left(const char *root)
{
	struct rlimit limit;
	double room = INT32_MAX;

	if (getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur < INT32_MAX)
		room = (double)limit.rlim_cur;
	return (int32_t)find_least(
	    root, process_versions, processes_left, room);
}

static double
cores_paid(const struct usage *usage)
{
	return usage->most > 0 && usage->used > 0
	    ? (double)usage->most / (double)usage->used
	    : HUGE_VAL;
}

int
machine_cores(const char *root, const struct cores *allowed)
{
	double paid = find_least(root, cpu_versions, cores_paid, HUGE_VAL);

	if (paid >= allowed->count)
		return allowed->count;
	return paid < 1.0 ? 1 : (int)paid;
}

int64_t
machine_cpu_limit_s(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_CPU, &limit) < 0 ||
	    limit.rlim_max == RLIM_INFINITY)
		return 0;
	return (int64_t)limit.rlim_max;
}

const char *
machine_room_hint(int error)
{
	if (error == -EFBIG)
		return "raise ulimit -f";
	return error == -ENOSPC || error == -EDQUOT ? "make room on the disk"
						    : NULL;
}
