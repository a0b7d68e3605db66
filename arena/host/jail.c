#include "jail.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "countof.h"
#include "landlock.h"

/*
 * What Debian and its kin install, and nothing that people keep: of /etc what
 * loaders, interpreters and time zones ask for.
 */
static const char *const installed[] = { "/usr", "/bin", "/sbin", "/lib",
	"/lib32", "/lib64", "/libx32", "/opt", "/etc/ld.so.cache",
	"/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload",
	"/etc/alternatives", "/etc/localtime", "/etc/timezone", "/etc/passwd",
	"/etc/group", "/etc/nsswitch.conf", "/etc/locale.alias",
	"/etc/java-17-openjdk", "/etc/perl", "/etc/php", "/etc/python3",
	"/etc/python3.11", "/etc/ssl/openssl.cnf", "/sys/devices/system/cpu" };

static const char *const devices[] = { "/dev/null", "/dev/zero", "/dev/full",
	"/dev/random", "/dev/urandom" };

/*
 * Beside a folder of programs that is not the system's: what programs of an
 * interpreter, a tool chain, a version manager look for.
 */
static const char *const neighbours[] = { "bin", "lib", "lib64", "libexec",
	"share", "include", "versions", "version", "plugins", "shims",
	"toolchains", "pyvenv.cfg" };

struct jailer {
	const struct jail_order *order;
	struct landlock landlock;
};

static bool
is_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	return strncmp(path, folder, length) == 0 &&
	    (path[length] == '/' || path[length] == '\0');
}

static bool
is_hidden(const struct jail_order *order, const char *path)
{
	for (int i = 0; i < order->hidden_count; i++)
		if (is_below(path, order->hidden[i]))
			return true;
	return false;
}

static bool
hides(const struct jail_order *order, const char *path)
{
	for (int i = 0; i < order->hidden_count; i++)
		if (is_below(order->hidden[i], path))
			return true;
	return false;
}

static int leave_true(const struct jailer *jailer, const char *path);

/* Links are passed over: what they lead to is left where it lies, or not. */
static int
leave_entry(const struct jailer *jailer, const char *folder, const char *name)
{
	char path[PATH_MAX];
	struct stat found;

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	    snprintf(path, sizeof(path), "%s/%s", folder, name) >=
		(int)sizeof(path) ||
	    lstat(path, &found) < 0 || S_ISLNK(found.st_mode))
		return 0;
	return leave_true(jailer, path);
}

/*
 * A rule opens a folder with all below it: where something in it is hidden,
 * each of its entries is opened instead.  All names can be listed then, those
 * of what is hidden too, as interpreters look for their modules that way.
 */
static int
leave_entries(const struct jailer *jailer, const char *path)
{
	int status = landlock_leave_to_list(&jailer->landlock, path);
	const struct dirent *entry;
	DIR *folder;

	if (status < 0)
		return status;
	folder = opendir(path);
	if (folder == NULL)
		return errno == ENOMEM || errno == EMFILE ? -errno : 0;
	while (status == 0 && (entry = readdir(folder)) != NULL)
		status = leave_entry(jailer, path, entry->d_name);
	closedir(folder);
	return status;
}

/* What is there under a path in which no name is a link. */
static int
leave_true(const struct jailer *jailer, const char *path)
{
	if (is_hidden(jailer->order, path))
		return 0;
	if (hides(jailer->order, path))
		return leave_entries(jailer, path);
	return landlock_leave_to_read(&jailer->landlock, path);
}

/* By its true name, so that links do not lead around what is hidden. */
static int
leave(const struct jailer *jailer, const char *path)
{
	char truth[PATH_MAX];

	if (realpath(path, truth) == NULL || strcmp(truth, "/") == 0)
		return 0;
	return leave_true(jailer, truth);
}

/* The folder of a file, or the file alone where that is the root. */
static int
leave_parent(const struct jailer *jailer, const char *file)
{
	char truth[PATH_MAX];
	char *slash;

	if (realpath(file, truth) == NULL)
		return 0;
	slash = strrchr(truth, '/');
	if (slash != truth)
		*slash = '\0';
	return leave_true(jailer, truth);
}

/* A folder of programs, and what stands beside it. */
static int
leave_programs(const struct jailer *jailer, const char *folder)
{
	const char *slash = strrchr(folder, '/');
	char beside[PATH_MAX];
	int status = leave(jailer, folder);

	if (slash == NULL || slash == folder ||
	    (strcmp(slash, "/bin") != 0 && strcmp(slash, "/shims") != 0))
		return status;
	for (int i = 0; i < COUNTOF(neighbours) && status == 0; i++) {
		if (snprintf(beside, sizeof(beside), "%.*s/%s",
			(int)(slash - folder), folder,
			neighbours[i]) < (int)sizeof(beside))
			status = leave(jailer, beside);
	}
	return status;
}

/*
 * The program, and what stands beside the link where it is one: an interpreter
 * finds its library by the name that it was called by.
 */
static int
leave_program(const struct jailer *jailer, const char *file)
{
	const char *slash = strrchr(file, '/');
	char folder[PATH_MAX];
	int status = leave_parent(jailer, file);

	if (status < 0 || slash == NULL ||
	    slash - file >= (ptrdiff_t)sizeof(folder))
		return status;
	snprintf(folder, sizeof(folder), "%.*s", (int)(slash - file), file);
	return leave_programs(jailer, folder);
}

static int
leave_search_path(const struct jailer *jailer)
{
	const char *rest = jailer->order->search_path;
	int status = 0;

	while (rest != NULL && *rest != '\0' && status == 0) {
		size_t length = strcspn(rest, ":");
		char folder[PATH_MAX];

		if (length > 0 && length < sizeof(folder) && *rest == '/') {
			snprintf(
			    folder, sizeof(folder), "%.*s", (int)length, rest);
			status = leave_programs(jailer, folder);
		}
		rest += length + (rest[length] == ':');
	}
	return status;
}

/*
 * In a box it shows the box alone; else what a process sees of itself and of
 * the machine, which run-time systems ask for.
 */
static int
leave_proc(const struct jailer *jailer)
{
	static const char *const parts[] = { "/proc/self", "/proc/cpuinfo",
		"/proc/meminfo", "/proc/stat", "/proc/filesystems",
		"/proc/sys/vm/overcommit_memory" };
	int status = 0;

	if (jailer->order->boxed)
		return landlock_leave_to_read(&jailer->landlock, "/proc");
	for (int i = 0; i < COUNTOF(parts) && status == 0; i++)
		status = landlock_leave_to_read(&jailer->landlock, parts[i]);
	return status;
}

/* The next part of a list with colons; false behind the last, and for none. */
static bool
part_take(const char **rest, char part[PATH_MAX])
{
	size_t length = strcspn(*rest, ":");

	if (length == 0 || length >= PATH_MAX)
		return false;
	memcpy(part, *rest, length);
	part[length] = '\0';
	*rest += length + ((*rest)[length] == ':');
	return true;
}

/*
 * A file, a folder, or a list of them such as a class path: words that are
 * meant otherwise do not name what exists, part by part.
 */
static int
leave_argument(const struct jailer *jailer, const char *argument)
{
	const char *rest = argument;
	char part[PATH_MAX];
	struct stat found;
	int status = 0;

	while (part_take(&rest, part))
		if (stat(part, &found) < 0 ||
		    (!S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)))
			return 0;
	if (*rest != '\0')
		return 0;
	rest = argument;
	while (status == 0 && part_take(&rest, part)) {
		if (stat(part, &found) == 0 && S_ISDIR(found.st_mode))
			status = leave(jailer, part);
		else
			status = leave_parent(jailer, part);
	}
	return status;
}

static int
leave_own(const struct jailer *jailer)
{
	const struct jail_order *order = jailer->order;
	int status = leave_program(jailer, order->file);

	if (status == 0 && order->dir != NULL)
		status = leave(jailer, order->dir);
	if (status == 0)
		status = leave_proc(jailer);
	if (order->arguments[0] == NULL)
		return status;
	for (int i = 1; order->arguments[i] != NULL && status == 0; i++)
		status = leave_argument(jailer, order->arguments[i]);
	return status;
}

static int
leave_all(const struct jailer *jailer)
{
	int status = 0;

	for (int i = 0; i < COUNTOF(installed) && status == 0; i++)
		status = leave(jailer, installed[i]);
	for (int i = 0; i < COUNTOF(devices) && status == 0; i++)
		status = landlock_leave_to_write(&jailer->landlock, devices[i]);
	if (status == 0)
		status = leave_search_path(jailer);
	return status == 0 ? leave_own(jailer) : status;
}

int
jail_files(const struct jail_order *order)
{
	struct jailer jailer = { .order = order };
	int status = landlock_open(&jailer.landlock, true, true);

	if (status < 0)
		return status;
	status = leave_all(&jailer);
	if (status == 0)
		status = landlock_enter(&jailer.landlock);
	landlock_close(&jailer.landlock);
	return status;
}

/* Sets both the limit and how far it may be raised. */
static int
limit_to(__rlimit_resource_t resource, rlim_t most)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) < 0)
		return -errno;
	if (limit.rlim_max <= most)
		return 0;
	limit = (struct rlimit){ most, most };
	return setrlimit(resource, &limit) < 0 ? -errno : 0;
}

int
jail_limit(bool boxed)
{
	enum { MIB = 1 << 20 };
	static const struct {
		__rlimit_resource_t resource;
		rlim_t most;
	} limits[] = {
		{ RLIMIT_CORE, 0 },
		{ RLIMIT_NOFILE, 64 },
		{ RLIMIT_FSIZE, 16 * MIB },
		{ RLIMIT_MEMLOCK, 0 },
		{ RLIMIT_MSGQUEUE, 0 },
		{ RLIMIT_RTPRIO, 0 },
		{ RLIMIT_SIGPENDING, 256 },
	};
	int status = 0;

	for (int i = 0; i < COUNTOF(limits) && status == 0; i++)
		status = limit_to(limits[i].resource, limits[i].most);
	/* Outside of a box those of the whole user would count. */
	if (status == 0 && boxed)
		status = limit_to(RLIMIT_NPROC, JAIL_PROCESSES);
	return status;
}
