#include "hidden.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "countof.h"

enum { CAPACITY_FIRST = 16, RUN_FILES_MIN = 2 };

#define RESULTS "results.db"
#define RECORD_SUFFIX ".scopa"
#define RECORD_HEADING "%scopa-record "

/* What a run has, and what the database has beside it while it is open. */
static const char *const run_files[] = { RESULTS, "config.ini", HIDDEN_SECRET,
	"records.scopa", RESULTS "-wal", RESULTS "-shm", RESULTS ".lock",
	"terms.txt", "log.txt" };
enum { RUN_FILES_TOLD_BY = 4 }; /* the first of them */

struct search {
	struct hidden *hidden;
	int name_count;
};

/* Folders that lie in each other are searched more than once. */
static int
path_add(struct hidden *hidden, const char *path)
{
	for (int i = 0; i < hidden->count; i++)
		if (strcmp(hidden->paths[i], path) == 0)
			return 0;
	if (hidden->count == hidden->capacity) {
		int capacity = hidden->capacity > 0 ? 2 * hidden->capacity
						    : CAPACITY_FIRST;
		char **paths =
		    realloc(hidden->paths, (size_t)capacity * sizeof(*paths));

		if (paths == NULL)
			return -ENOMEM;
		hidden->paths = paths;
		hidden->capacity = capacity;
	}
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
	for (int i = 1; i < RUN_FILES_TOLD_BY; i++)
		count += is_regular(folder_fd, run_files[i]);
	return count >= RUN_FILES_MIN;
}

static int
folder_open(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool
hidden_is_run(const char *folder)
{
	int fd = folder_open(folder);
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

bool
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

/* What has gone meanwhile, or may not be read by us, no bot will read. */
static int
pass_over(int error)
{
	return error == ENOMEM || error == EMFILE || error == ENFILE ? -error
								     : 0;
}

static int search_folder(
    struct search *search, const char *path, int depth, bool is_top);

/* Its kind, where the file system does not say so in the folder. */
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
search_entry(struct search *search, int folder_fd, const char *folder,
    const struct dirent *entry, int depth, bool is_top)
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

/* The files of a run in a folder that has other files besides. */
static int
add_run_files(struct search *search, int folder_fd, const char *folder)
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
search_folder(struct search *search, const char *path, int depth, bool is_top)
{
	int fd = folder_open(path), status = 0;
	const struct dirent *entry;
	DIR *folder;

	if (fd < 0)
		return pass_over(errno);
	if (is_run(fd)) {
		status = is_top ? add_run_files(search, fd, path)
				: path_add(search->hidden, path);
		if (status < 0 || !is_top) {
			close(fd);
			return status;
		}
	}
	folder = fdopendir(fd);
	if (folder == NULL) {
		close(fd);
		return -ENOMEM;
	}
	while (status == 0 && (entry = readdir(folder)) != NULL)
		status = search_entry(search, fd, path, entry, depth, is_top);
	closedir(folder);
	return status;
}

int
hidden_find(struct hidden *hidden, const char *folder, int depth)
{
	struct search search = { .hidden = hidden };

	return search_folder(&search, folder, depth, true);
}

void
hidden_release(struct hidden *hidden)
{
	for (int i = 0; i < hidden->count; i++)
		free(hidden->paths[i]);
	free(hidden->paths);
	*hidden = (struct hidden){ .paths = NULL };
}
