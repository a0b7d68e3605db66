/*
 * Implements file_policy.h. First the folders that a bot may read are searched
 * for runs and records, which are hidden. Then the list of readable paths is
 * made without them.
 */
#include "file_policy.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "countof.h"
#include "kernel_text.h"
#include "resolve_path.h"

enum { RUN_FILES_MIN = 2 };

#define RESULTS "results.db"
#define RECORD_SUFFIX ".scopa"
#define RECORD_HEADING "%scopa-record "

/*
 * The files of a run, and those that the database has beside it while it is
 * open.
 */
static const char *const run_files[] = { RESULTS, "config.ini", HIDDEN_SECRET,
	"records.scopa", RESULTS "-wal", RESULTS "-shm", RESULTS ".lock",
	"terms.txt", "log.txt", "trace.log", "trace.jsonl" };
enum { RUN_FILES_SIGNS = 4 }; /* the first of them mark a run */

struct file_policy_search {
	struct hidden *hidden;
	int name_count;
};

/* A folder within another one is searched twice. */
static int
path_add(struct hidden *hidden, const char *path)
{
	for (int i = 0; i < hidden->count; i++)
		if (strcmp(hidden->paths[i], path) == 0)
			return 0;
	if (ARRAY_GROW(hidden->paths, hidden->count, hidden->capacity))
		return -ENOMEM;
	hidden->paths[hidden->count] = strdup(path);
	if (hidden->paths[hidden->count] == NULL)
		return -ENOMEM;
	hidden->count++;
	return 0;
}

static bool
is_regular(int folder_fd, const char *name)
{
	struct stat found;

	return fstatat(folder_fd, name, &found, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISREG(found.st_mode);
}

static bool
is_run(int folder_fd)
{
	int count = 0;

	if (is_regular(folder_fd, RESULTS))
		return true;
	for (int i = 1; i < RUN_FILES_SIGNS; i++)
		count += is_regular(folder_fd, run_files[i]);
	return count >= RUN_FILES_MIN;
}

static bool
hidden_is_run(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool found = fd >= 0 && is_run(fd);

	if (fd >= 0)
		close(fd);
	return found;
}

bool
hidden_is_in_run(const char *path)
{
	char folder[PATH_MAX];
	char *slash;

	if (snprintf(folder, sizeof(folder), "%s", path) >= (int)sizeof(folder))
		return false;
	for (;;) {
		if (hidden_is_run(folder))
			return true;
		slash = strrchr(folder, '/');
		if (slash == NULL || slash == folder)
			return false;
		*slash = '\0';
	}
}

static bool
hidden_is_record(const char *path)
{
	size_t length = strlen(path), suffix = strlen(RECORD_SUFFIX);

	return length > suffix &&
	    strcmp(path + length - suffix, RECORD_SUFFIX) == 0;
}

static bool
begins_as_record(int folder_fd, const char *name)
{
	char head[sizeof(RECORD_HEADING) - 1];
	int fd = openat(
	    folder_fd, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	bool begins;

	if (fd < 0)
		return false;
	begins = read(fd, head, sizeof(head)) == (ssize_t)sizeof(head) &&
	    memcmp(head, RECORD_HEADING, sizeof(head)) == 0;
	close(fd);
	return begins;
}

/*
 * A folder that cannot be read, or has been removed, is skipped. The bot cannot
 * read it either.
 */
static int
pass_over(int status)
{
	return status == -ENOMEM || status == -EMFILE || status == -ENFILE
	    ? status
	    : 0;
}

static int search_folder(struct file_policy_search *search, const char *path,
    int depth, bool is_top);

/* The file system may not know the kind of an entry, so it is looked up. */
static unsigned char
kind_of(int folder_fd, const struct dirent *entry)
{
	struct stat found;

	if (entry->d_type != DT_UNKNOWN)
		return entry->d_type;
	if (fstatat(folder_fd, entry->d_name, &found, AT_SYMLINK_NOFOLLOW) < 0)
		return DT_UNKNOWN;
	return (unsigned char)IFTODT(found.st_mode);
}

static int
search_entry(struct file_policy_search *search, int folder_fd,
    const char *folder, const struct dirent *entry, int depth, bool is_top)
{
	const unsigned char kind = kind_of(folder_fd, entry);
	char path[PATH_MAX];

	if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
		return 0;
	if (++search->name_count > HIDDEN_NAMES_MAX)
		return -E2BIG;
	if (snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name) >=
	    (int)sizeof(path))
		return 0;
	if (kind == DT_DIR)
		return depth > 0 ? search_folder(search, path, depth - 1, false)
				 : 0;
	if (kind == DT_REG &&
	    (hidden_is_record(entry->d_name) ||
		(is_top && begins_as_record(folder_fd, entry->d_name))))
		return path_add(search->hidden, path);
	return 0;
}

/* Hides the files of a run in a folder that contains other files, too. */
static int
add_run_files(
    struct file_policy_search *search, int folder_fd, const char *folder)
{
	char path[PATH_MAX];
	int status = 0;

	for (int i = 0; i < COUNTOF(run_files) && status == 0; i++)
		if (is_regular(folder_fd, run_files[i]) &&
		    snprintf(path, sizeof(path), "%s/%s", folder,
			run_files[i]) < (int)sizeof(path))
			status = path_add(search->hidden, path);
	return status;
}

static int
search_folder(
    struct file_policy_search *search, const char *path, int depth, bool is_top)
{
	DIR *folder = folder_open(AT_FDCWD, path);
	const struct dirent *entry;
	int status = 0;
	bool found;

	if (folder == NULL)
		return pass_over(-errno);
	found = is_run(dirfd(folder));
	if (found)
		status = is_top ? add_run_files(search, dirfd(folder), path)
				: path_add(search->hidden, path);
	while (status == 0 && (is_top || !found) &&
	    (entry = readdir(folder)) != NULL)
		status = search_entry(
		    search, dirfd(folder), path, entry, depth, is_top);
	closedir(folder);
	return status;
}

/* A folder that was searched, with so many levels of folders in it. */
struct searched_folder {
	char *path; /* owned */
	int depth;
};

static bool
was_searched(const struct hidden *hidden, const char *folder, int depth)
{
	for (int i = 0; i < hidden->searched_count; i++)
		if (hidden->searched[i].depth >= depth &&
		    strcmp(hidden->searched[i].path, folder) == 0)
			return true;
	return false;
}

static int
searched_add(struct hidden *hidden, const char *folder, int depth)
{
	char *path;

	if (ARRAY_GROW(hidden->searched, hidden->searched_count,
		hidden->searched_capacity))
		return -ENOMEM;
	path = strdup(folder);
	if (path == NULL)
		return -ENOMEM;
	hidden->searched[hidden->searched_count++] =
	    (struct searched_folder){ path, depth };
	return 0;
}

int
hidden_find(struct hidden *hidden, const char *folder, int depth)
{
	struct file_policy_search search = { .hidden = hidden };
	int status;

	if (was_searched(hidden, folder, depth))
		return 0;
	status = search_folder(&search, folder, depth, true);
	return status == 0 ? searched_add(hidden, folder, depth) : status;
}

void
hidden_release(struct hidden *hidden)
{
	for (int i = 0; i < hidden->count; i++)
		free(hidden->paths[i]);
	free(hidden->paths);
	for (int i = 0; i < hidden->searched_count; i++)
		free(hidden->searched[i].path);
	free(hidden->searched);
	*hidden = (struct hidden){ .paths = NULL };
}

enum { SCRIPTS_MAX = 5 /* one after another, as the kernel has it */ };

/*
 * The installed files of Debian and similar systems, without files of users.
 * Of /etc only the files that loaders, interpreters and time zones need.
 */
static const char *const installed[] = { "/usr", "/bin", "/sbin", "/lib",
	"/lib32", "/lib64", "/libx32", "/opt", "/etc/ld.so.cache",
	"/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload",
	"/etc/alternatives", "/etc/localtime", "/etc/timezone", "/etc/passwd",
	"/etc/group", "/etc/nsswitch.conf", "/etc/locale.alias",
	"/etc/java-17-openjdk", "/etc/perl", "/etc/php", "/etc/python3",
	"/etc/python3.11", "/etc/ssl/openssl.cnf",
	/* The list of cores, without their frequencies and idle times. */
	"/sys/devices/system/cpu/online", "/sys/devices/system/cpu/possible",
	"/sys/devices/system/cpu/present", "/sys/devices/system/cpu/offline",
	"/sys/devices/system/cpu/kernel_max" };

static const char *const devices[] = { "/dev/null", "/dev/zero", "/dev/full",
	"/dev/random", "/dev/urandom" };

/*
 * Folders beside a folder of programs that is not the system's. Interpreters,
 * tool chains and version managers look for their files there.
 */
static const char *const neighbours[] = { "bin", "lib", "lib64", "libexec",
	"share", "include", "versions", "version", "plugins", "shims",
	"toolchains", "pyvenv.cfg", "conf/security" };

/* So many levels of folders in them are searched. */
enum { NEIGHBOUR_DEPTH_MAX = 2 };

/*
 * The paths of an order are walked twice. First all folders that may become
 * readable are searched for files that must be hidden because of their kind.
 * Then the paths are made readable.
 */
struct lister {
	const struct file_policy_order *order;
	struct file_policy *file_policy;
	struct hidden *hidden; /* by name first, then found by kind */
	int named_count;       /* of them, by name */
	bool searching;        /* the first time */
	bool inner;
};

bool
file_policy_is_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	/* The path of the root alone ends in a slash. */
	if (strcmp(folder, "/") == 0)
		length = 0;
	return strncmp(path, folder, length) == 0 &&
	    (path[length] == '/' || path[length] == '\0');
}

/* Whether a path lies below one of the first `count` that are hidden. */
static bool
is_hidden(const struct hidden *hidden, int count, const char *path)
{
	for (int i = 0; i < count; i++)
		if (file_policy_is_below(path, hidden->paths[i]))
			return true;
	return false;
}

static bool
hides(const struct lister *lister, const char *path)
{
	for (int i = 0; i < lister->hidden->count; i++)
		if (file_policy_is_below(lister->hidden->paths[i], path))
			return true;
	return false;
}

static int
add(const struct lister *lister, enum file_policy_kind kind, const char *path)
{
	struct file_policy *file_policy = lister->file_policy;
	struct file_policy_item *item;

	if (ARRAY_GROW(
		file_policy->items, file_policy->count, file_policy->room))
		return -ENOMEM;
	item = &file_policy->items[file_policy->count];
	*item = (struct file_policy_item){ kind, lister->inner, strdup(path) };
	if (item->path == NULL)
		return -ENOMEM;
	file_policy->count++;
	return 0;
}

/* Links in /proc are skipped: the sandbox has a /proc of its own. */
static int
link_add(void *context, const char *path)
{
	return file_policy_is_below(path, "/proc")
	    ? 0
	    : add(context, FILE_POLICY_LINK, path);
}

/*
 * Resolves a path as realpath() does, and lists the links on the way.  0 or
 * -errno.
 */
static int
resolve_listed(
    const struct lister *lister, const char *path, char resolved[PATH_MAX])
{
	struct lister copy = *lister;

	return resolve_path(path, resolved, link_add, &copy);
}

/* Whether the path is in the list already, or below a path of the list. */
static bool
is_listed(const struct file_policy *file_policy, const char *path)
{
	for (int i = 0; i < file_policy->count; i++) {
		const struct file_policy_item *item = &file_policy->items[i];

		if (item->kind == FILE_POLICY_READ &&
		    file_policy_is_below(path, item->path))
			return true;
		if (item->kind == FILE_POLICY_LIST &&
		    strcmp(path, item->path) == 0)
			return true;
	}
	return false;
}

static int allow_path(const struct lister *lister, const char *path);

/* Symbolic links are skipped: their targets are handled where they lie. */
static int
allow_entry(const struct lister *lister, const char *folder, const char *name)
{
	char path[PATH_MAX];
	struct stat found;

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	    snprintf(path, sizeof(path), "%s/%s", folder, name) >=
		(int)sizeof(path) ||
	    lstat(path, &found) < 0 || S_ISLNK(found.st_mode))
		return 0;
	return allow_path(lister, path);
}

/*
 * The right to read a folder includes everything below it. If something in a
 * folder is hidden, each of the other entries is made readable instead. All
 * names can still be listed, hidden ones too, because interpreters list folders
 * to find their modules.
 */
static int
allow_entries(const struct lister *lister, const char *path)
{
	struct lister inner = *lister;
	int status = add(lister, FILE_POLICY_LIST, path);
	const struct dirent *entry;
	DIR *folder;

	if (status < 0)
		return status;
	folder = opendir(path);
	if (folder == NULL)
		return pass_over(-errno);
	inner.inner = true;
	while (status == 0 && (entry = readdir(folder)) != NULL)
		status = allow_entry(&inner, path, entry->d_name);
	closedir(folder);
	return status;
}

/* Looks up a path without symbolic links. */
static int
allow_path(const struct lister *lister, const char *path)
{
	if (is_hidden(lister->hidden, lister->hidden->count, path))
		return 0;
	if (hides(lister, path))
		return allow_entries(lister, path);
	return add(lister, FILE_POLICY_READ, path);
}

static int
allow_resolved(const struct lister *lister, const char *resolved)
{
	return strcmp(resolved, "/") == 0 ||
		is_listed(lister->file_policy, resolved)
	    ? 0
	    : allow_path(lister, resolved);
}

/* The resolved path is used, so that a link cannot bypass a hidden path. */
static int
allow(const struct lister *lister, const char *path)
{
	char resolved[PATH_MAX];
	int status = resolve_listed(lister, path, resolved);

	return status < 0 ? pass_over(status)
			  : allow_resolved(lister, resolved);
}

/*
 * Makes the folder of a file readable; only the file if that folder is the
 * root.
 */
static int
allow_parent(const struct lister *lister, const char *file)
{
	char resolved[PATH_MAX];
	char *slash;
	int status = resolve_listed(lister, file, resolved);

	if (status < 0)
		return pass_over(status);
	slash = strrchr(resolved, '/');
	if (slash != resolved)
		*slash = '\0';
	return allow_resolved(lister, resolved);
}

/*
 * Writes the path of the folder of a file; false if the path names no folder.
 */
static bool
folder_of(const char *file, char folder[PATH_MAX])
{
	const char *slash = strrchr(file, '/');

	if (slash == NULL || slash == file || slash - file >= PATH_MAX)
		return false;
	memcpy(folder, file, (size_t)(slash - file));
	folder[slash - file] = '\0';
	return true;
}

/*
 * The next part of a list with colons; false after the last one.  NULL is an
 * empty list.
 */
static bool
next_part(const char **rest, char part[PATH_MAX])
{
	size_t length = strcspn(*rest, ":");

	if (length == 0 || length >= PATH_MAX)
		return false;
	memcpy(part, *rest, length);
	part[length] = '\0';
	*rest += length + ((*rest)[length] == ':');
	return true;
}

/* The next folder of a search path; empty parts are skipped. */
static bool
next_folder(const char **rest, char folder[PATH_MAX])
{
	*rest += strspn(*rest, ":");
	return next_part(rest, folder);
}

/*
 * /proc: in a box it shows only the box.  Otherwise the files about the process
 * itself and about the machine that run-time systems read.
 */
static int
allow_proc(const struct lister *lister)
{
	static const char *const parts[] = { "/proc/self", "/proc/cpuinfo",
		"/proc/meminfo", "/proc/stat", "/proc/filesystems",
		"/proc/sys/vm/overcommit_memory" };
	int status = 0;

	if (lister->order->boxed)
		return add(lister, FILE_POLICY_READ, "/proc");
	for (int i = 0; i < COUNTOF(parts) && status == 0; i++)
		status = add(lister, FILE_POLICY_READ, parts[i]);
	return status;
}

/* Makes a named path readable. Files of runs and records stay hidden. */
static int
allow_data(const struct lister *lister, const char *path)
{
	char resolved[PATH_MAX];

	if (resolve_path(path, resolved, NULL, NULL) == 0 &&
	    (hidden_is_in_run(resolved) || hidden_is_record(resolved)))
		return 0;
	return allow(lister, path);
}

static bool
is_on_path(const char *search_path, const char *folder)
{
	char part[PATH_MAX];

	while (search_path != NULL && next_folder(&search_path, part))
		if (strcmp(part, folder) == 0)
			return true;
	return false;
}

bool
file_policy_is_installed(const char *path)
{
	for (int i = 0; i < COUNTOF(installed); i++)
		if (file_policy_is_below(path, installed[i]))
			return true;
	return false;
}

/* Whether the program lies in a folder of interpreters. */
static bool
lies_among_programs(const char *file, const char *search_path)
{
	char folder[PATH_MAX];
	const char *name;

	if (!folder_of(file, folder))
		return false;
	name = strrchr(folder, '/');
	return file_policy_is_installed(file) ||
	    is_on_path(search_path, folder) ||
	    (name != NULL &&
		(strcmp(name, "/bin") == 0 || strcmp(name, "/shims") == 0));
}

/*
 * Such as python3 or java: a program of the system or of PATH, by its name or
 * by where a link of that name leads, or one in a folder `bin` or `shims`. The
 * bot is then the first file that its arguments name.
 */
static bool
is_interpreter(const struct file_policy_order *order)
{
	char resolved[PATH_MAX];

	return lies_among_programs(order->file, order->search_path) ||
	    (resolve_path(order->file, resolved, NULL, NULL) == 0 &&
		lies_among_programs(resolved, order->search_path));
}

/* This is the working folder of the bot, even if the bot may not read it. */
static int
allow_working_folder(const struct lister *lister)
{
	char here[PATH_MAX];

	if (getcwd(here, sizeof(here)) == NULL || here[0] != '/')
		return 0;
	return add(lister, FILE_POLICY_FOLDER, here);
}

/*
 * A built-in bot needs only its own file, and there may be many files beside
 * it.
 */
static bool
is_arena(const struct file_policy_order *order)
{
	struct stat own, file;

	return stat("/proc/self/exe", &own) == 0 &&
	    stat(order->file, &file) == 0 && own.st_dev == file.st_dev &&
	    own.st_ino == file.st_ino;
}

/*
 * Searches a folder for files that are hidden because of their kind; of a file,
 * its folder.
 */
static int
search(struct hidden *hidden, const char *path, int depth)
{
	char resolved[PATH_MAX], folder[PATH_MAX];
	struct stat found;

	if (resolve_path(path, resolved, NULL, NULL) < 0 ||
	    file_policy_is_installed(resolved) ||
	    file_policy_is_below(resolved, "/proc") ||
	    stat(resolved, &found) < 0)
		return 0;
	if (S_ISDIR(found.st_mode))
		return hidden_find(hidden, resolved, depth);
	return folder_of(resolved, folder) && !file_policy_is_installed(folder)
	    ? hidden_find(hidden, folder, depth)
	    : 0;
}

/* A path of an order: it is searched, or made readable. */
static int
place(const struct lister *lister, const char *path, int depth,
    int (*allow_it)(const struct lister *lister, const char *path))
{
	return lister->searching ? search(lister->hidden, path, depth)
				 : allow_it(lister, path);
}

/*
 * Searches a folder of programs and the folders beside it, or makes them
 * readable.  Of the folders beside it only the upper levels are searched, and
 * if these have too many names, not all of them: they may be large.  A link
 * among them that leads elsewhere is passed over: a bot may have made it.
 */
static int
place_programs(const struct lister *lister, const char *folder, int depth)
{
	const char *slash = strrchr(folder, '/');
	char parent[PATH_MAX], beside[PATH_MAX], resolved[PATH_MAX];
	int status = place(lister, folder, depth, allow);

	if (slash == NULL || slash == folder ||
	    (strcmp(slash, "/bin") != 0 && strcmp(slash, "/shims") != 0))
		return status;
	snprintf(beside, sizeof(beside), "%.*s", (int)(slash - folder), folder);
	if (status == 0 && resolve_path(beside, parent, NULL, NULL) < 0)
		return 0;
	for (int i = 0; i < COUNTOF(neighbours) && status == 0; i++) {
		if (snprintf(beside, sizeof(beside), "%s/%s", parent,
			neighbours[i]) < (int)sizeof(beside) &&
		    resolve_path(beside, resolved, NULL, NULL) == 0 &&
		    file_policy_is_below(resolved, parent))
			status =
			    place(lister, beside, NEIGHBOUR_DEPTH_MAX, allow);
		if (status == -E2BIG && lister->searching)
			status = 0;
	}
	return status;
}

/* The folder of a program is searched, or made readable with those beside it. */
static int
place_programs_around(const struct lister *lister, const char *file)
{
	char folder[PATH_MAX];
	bool among = lies_among_programs(file, lister->order->search_path);

	return folder_of(file, folder)
	    ? place_programs(lister, folder, among ? 0 : HIDDEN_DEPTH_MAX)
	    : 0;
}

/*
 * The program and the files beside it.  If it is a link, also the files beside
 * the target: an interpreter finds its library by its own path or by the path
 * of the link.
 */
static int
place_executable(const struct lister *lister, const char *file)
{
	char resolved[PATH_MAX];
	int status = lister->searching ? 0 : allow_parent(lister, file);

	if (status == 0 && resolve_path(file, resolved, NULL, NULL) == 0 &&
	    strcmp(resolved, file) != 0)
		status = place_programs_around(lister, resolved);
	return status == 0 ? place_programs_around(lister, file) : status;
}

/* Finds the interpreter of a script; empty for other files. */
static int
place_interpreter(
    const struct lister *lister, const char *file, char next[PATH_MAX])
{
	char interpreter[INTERPRETER_SIZE];
	int status;

	next[0] = '\0';
	if (!interpreter_read(file, interpreter) || interpreter[0] != '/')
		return 0;
	status = place_executable(lister, interpreter);
	if (!interpreter_command(file, lister->order->search_path, next)) {
		strcpy(next, interpreter);
		return status;
	}
	return status == 0 ? place_executable(lister, next) : status;
}

/* The interpreters and the loader that the kernel starts for a file. */
static int
place_interpreters(const struct lister *lister, const char *file)
{
	char name[PATH_MAX], next[PATH_MAX], loader[PATH_MAX];
	int status = 0;

	if (snprintf(name, sizeof(name), "%s", file) >= (int)sizeof(name))
		return 0;
	for (int i = 0; i < SCRIPTS_MAX && status == 0; i++) {
		status = place_interpreter(lister, name, next);
		if (next[0] == '\0')
			break;
		strcpy(name, next);
	}
	return status == 0 && interpreter_loader(name, loader)
	    ? place(lister, loader, 0, allow_parent)
	    : status;
}

/* The folders of $PATH, which contain programs. */
static int
place_search_path(const struct lister *lister)
{
	const char *rest = lister->order->search_path;
	char folder[PATH_MAX];
	int status = 0;

	while (rest != NULL && status == 0 && next_folder(&rest, folder))
		if (folder[0] == '/' || lister->searching)
			status = place_programs(lister, folder, 0);
	return status;
}

/*
 * A path that the user names.  Of a file, the files beside it are not made
 * readable.
 */
static int
allow_named(const struct lister *lister, const char *path)
{
	return hidden_is_in_run(path) ? 0 : allow(lister, path);
}

static int
place_named(const struct lister *lister)
{
	const char *rest = lister->order->read;
	char part[PATH_MAX];
	int status = 0;

	while (rest != NULL && status == 0 && next_part(&rest, part))
		status = place(lister, part, HIDDEN_DEPTH_MAX, allow_named);
	return status;
}

/*
 * A record that the user names by itself is not hidden.  Files of runs stay
 * hidden, and so does what the order hides by name.
 */
static void
show_named(const struct lister *lister)
{
	struct hidden *hidden = lister->hidden;
	const char *rest = lister->order->read;
	char part[PATH_MAX], resolved[PATH_MAX];

	while (rest != NULL && next_part(&rest, part)) {
		if (resolve_path(part, resolved, NULL, NULL) < 0 ||
		    hidden_is_in_run(resolved))
			continue;
		for (int i = hidden->count - 1; i >= lister->named_count; i--)
			if (strcmp(hidden->paths[i], resolved) == 0) {
				free(hidden->paths[i]);
				hidden->paths[i] =
				    hidden->paths[--hidden->count];
			}
	}
}

/* Whether all parts of an argument are files or folders. */
static bool
is_list(const char *argument)
{
	char part[PATH_MAX];
	struct stat found;

	while (next_part(&argument, part))
		if (stat(part, &found) < 0 ||
		    (!S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)))
			return false;
	return *argument == '\0';
}

/*
 * An argument that is a file, a folder, or a list of them such as a class path:
 * each of its parts exists.  Other arguments are skipped, by both walks.  The
 * first file may be the script, so its whole folder is made readable.
 */
static int
place_argument(const struct lister *lister, const char *argument, bool *script)
{
	char part[PATH_MAX];
	struct stat found;
	int status = 0;

	if (!is_list(argument))
		return 0;
	while (status == 0 && next_part(&argument, part)) {
		bool is_file =
		    stat(part, &found) == 0 && !S_ISDIR(found.st_mode);

		/*
		 * The folder of a file is searched only if it becomes readable.
		 */
		if (lister->searching && is_file && !*script)
			continue;
		status = place(lister, part, HIDDEN_DEPTH_MAX,
		    is_file && *script ? allow_parent : allow_data);
		if (is_file)
			*script = false;
	}
	return status;
}

static int
place_arguments(const struct lister *lister)
{
	char *const *arguments = lister->order->arguments;
	bool script = is_interpreter(lister->order);
	int status = 0;

	if (arguments[0] == NULL)
		return 0;
	for (int i = 1; arguments[i] != NULL && status == 0; i++)
		status = place_argument(lister, arguments[i], &script);
	return status;
}

/* The program, and the files that the kernel starts for it. */
static int
place_program(const struct lister *lister)
{
	const struct file_policy_order *order = lister->order;
	const char *file = order->file;
	int status = 0;

	if (!is_arena(order))
		status = place_executable(lister, file);
	else if (!lister->searching)
		status = allow(lister, file);
	if (status == 0)
		status = place_interpreters(lister, file);
	/*
	 * Makes the program of the arena readable, also if its folder is not.
	 */
	return status == 0 && !lister->searching &&
		file_policy_is_below(file, "/proc")
	    ? add(lister, FILE_POLICY_READ, file)
	    : status;
}

/* All paths of an order are searched, or made readable. */
static int
place_all(const struct lister *lister)
{
	const struct file_policy_order *order = lister->order;
	int status = place_search_path(lister);

	if (status == 0)
		status = place_program(lister);
	if (status == 0 && order->dir != NULL)
		status = place(lister, order->dir, HIDDEN_DEPTH_MAX, allow);
	if (status == 0)
		status = place_named(lister);
	if (status == 0 && !lister->searching)
		status = allow_proc(lister);
	if (status == 0 && !lister->searching)
		status = allow_working_folder(lister);
	return status == 0 ? place_arguments(lister) : status;
}

/* The hidden paths, and then the paths that every bot may read. */
static int
allow_always(const struct lister *lister)
{
	const struct hidden *hidden = lister->hidden;
	int status = 0;

	/* Files below a path that is hidden by name are hidden already. */
	for (int i = hidden->count - 1; i >= 0 && status == 0; i--)
		if (i < lister->named_count ||
		    !is_hidden(hidden, lister->named_count, hidden->paths[i]))
			status =
			    add(lister, FILE_POLICY_HIDDEN, hidden->paths[i]);
	for (int i = 0; i < COUNTOF(installed) && status == 0; i++)
		status = allow(lister, installed[i]);
	for (int i = 0; i < COUNTOF(devices) && status == 0; i++)
		status = add(lister, FILE_POLICY_WRITE, devices[i]);
	return status == 0 && lister->order->scratch_kib > 0
	    ? add(lister, FILE_POLICY_SCRATCH, FILE_POLICY_PLACE)
	    : status;
}

int
file_policy_init(
    struct file_policy *file_policy, const struct file_policy_order *order)
{
	struct file_policy made = { .scratch_kib = order->scratch_kib };
	struct hidden hidden = { .count = 0 };
	struct lister lister = {
		.order = order,
		.file_policy = &made,
		.hidden = &hidden,
		.searching = true,
	};
	char here[PATH_MAX];
	int status = 0;

	for (int i = 0; i < order->hidden_count && status == 0; i++)
		status = path_add(&hidden, order->hidden[i]);
	lister.named_count = hidden.count;
	if (status == 0)
		status = place_all(&lister);
	/* The folder of the runs may also contain installed programs. */
	if (status == 0 && getcwd(here, sizeof(here)) != NULL &&
	    file_policy_is_installed(here))
		status = hidden_find(&hidden, here, HIDDEN_DEPTH_MAX);
	show_named(&lister);
	lister.searching = false;
	if (status == 0)
		status = allow_always(&lister);
	if (status == 0)
		status = place_all(&lister);
	hidden_release(&hidden);
	if (status < 0)
		file_policy_release(&made);
	else
		*file_policy = made;
	return status;
}

void
file_policy_release(struct file_policy *file_policy)
{
	for (int i = 0; i < file_policy->count; i++)
		free(file_policy->items[i].path);
	free(file_policy->items);
}
