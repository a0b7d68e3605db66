/*
 * Folders of runs: their names, making them, finding them.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "countof.h"
#include "record_write.h"
#include "run_state.h"

enum {
	NAME_LENGTH_MAX = 48,
	DATE_SIZE = 24,
	COPIES_MAX = 10000,
	/* Room for the names of files in the folder. */
	FOLDER_LENGTH_MAX = PATH_MAX - 64
};

/*
 * The secret of the packs is in it, and those that others still have to play:
 * they are nobody else's, and least of all a bot's that runs as somebody else.
 */
static const mode_t run_mode = 0700;

int
run_fail(
    int status, const char *doing, const char *path, struct store_error *error)
{
	store_error_set(
	    error, "cannot %s \"%s\": %s", doing, path, strerror(-status));
	if (status == -ENOSPC || status == -EDQUOT)
		store_error_hint(error, "make room on the disk");
	if (status == -EROFS)
		store_error_hint(error,
		    "the file system is mounted to read only; give a folder "
		    "on another one");
	if (status == -EACCES || status == -EPERM)
		store_error_hint(error, "see who may write there");
	return status;
}

void
run_path_join(char path[PATH_MAX], const char *folder, const char *name)
{
	struct scopa_text text;

	scopa_text_init(&text, path, PATH_MAX);
	scopa_text_string(&text, folder);
	scopa_text_char(&text, '/');
	scopa_text_string(&text, name);
}

void
run_file(const struct run *run, const char *name, char path[PATH_MAX])
{
	run_path_join(path, run->path, name);
}

int
run_path_set(char folder[PATH_MAX], const char *path, struct store_error *error)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	if (length > FOLDER_LENGTH_MAX)
		return run_fail(-ENAMETOOLONG, "use the folder", path, error);
	memcpy(folder, path, length);
	folder[length] = '\0';
	return 0;
}

int
run_folder_sync(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int status = 0;

	if (fd < 0)
		return -errno;
	/* Some file systems have nothing to synchronise here. */
	if (fsync(fd) < 0 && errno != EINVAL)
		status = -errno;
	close(fd);
	return status;
}

/* Makes one folder and lets it last: 0, -EEXIST where it is there. */
static int
make_one(const char *path, mode_t mode)
{
	char parent[PATH_MAX];
	char *slash;
	int status;

	if (mkdir(path, mode) < 0)
		return -errno;
	snprintf(parent, sizeof(parent), "%s", path);
	slash = strrchr(parent, '/');
	if (slash)
		slash[slash == parent] = '\0';
	status = run_folder_sync(slash ? parent : ".");
	if (status)
		rmdir(path);
	return status;
}

/* Makes the folders above `path`. */
static int
make_parents(const char *path)
{
	char part[PATH_MAX];

	snprintf(part, sizeof(part), "%s", path);
	for (char *at = part + 1; *at; at++) {
		int status;

		if (*at != '/')
			continue;
		*at = '\0';
		status = make_one(part, 0777);
		/* Only the last one must be a folder that can be written. */
		if (status && access(part, F_OK) != 0)
			return status;
		*at = '/';
	}
	return 0;
}

/* A name of which nobody needs to think how to type it. */
static void
make_name(const char *name, char safe[NAME_LENGTH_MAX + 1])
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "._-";
	size_t length = 0;

	for (const char *at = name; *at && length < NAME_LENGTH_MAX; at++) {
		char byte = strchr(plain, *at) ? *at : '-';

		/* No row of them, and none at the ends. */
		if (byte == '-' && (length == 0 || safe[length - 1] == '-'))
			continue;
		safe[length++] = byte;
	}
	while (length > 0 && safe[length - 1] == '-')
		length--;
	safe[length] = '\0';
	if (length == 0)
		strcpy(safe, "run");
}

/* `2025-01-31T18:30:00Z` becomes `2025-01-31-183000`. */
static void
make_date(const char *created, char date[DATE_SIZE])
{
	snprintf(date, DATE_SIZE, "%.10s-%.2s%.2s%.2s", created, created + 11,
	    created + 14, created + 17);
}

static int
make_named(const struct store_head *head, char folder[PATH_MAX],
    struct store_error *error)
{
	char name[NAME_LENGTH_MAX + 1], date[DATE_SIZE];
	int status = -EEXIST;

	make_name(head->name[0] ? head->name : head->command, name);
	make_date(head->created, date);
	for (int copy = 1; copy < COPIES_MAX && status == -EEXIST; copy++) {
		char suffix[16] = "";

		if (copy > 1)
			snprintf(suffix, sizeof(suffix), "-%d", copy);
		snprintf(folder, PATH_MAX, RUN_FOLDER "/%s-%s%s", date, name,
		    suffix);
		status = make_parents(folder);
		if (!status)
			status = make_one(folder, run_mode);
	}
	return status ? run_fail(status, "make the folder", folder, error) : 0;
}

/* What a beginning that was cut off leaves behind, but for the lock. */
static const char *const beginnings[] = { RUN_RECORDS, RUN_SECRET, RUN_TERMS,
	RUN_RESULTS, RUN_RESULTS "-journal", RUN_RESULTS "-wal",
	RUN_RESULTS "-shm", RUN_PART };

static bool
is_beginning(const char *folder, const char *name)
{
	char path[PATH_MAX];
	struct stat file;

	if (strcmp(name, RUN_LOCK) == 0)
		return true;
	run_path_join(path, folder, name);
	/* Records with a game in them are a run that lost its configuration. */
	if (strcmp(name, RUN_RECORDS) == 0)
		return stat(path, &file) == 0 &&
		    file.st_size <= (off_t)strlen(RECORD_HEADING);
	for (int i = 0; i < COUNTOF(beginnings); i++)
		if (strcmp(name, beginnings[i]) == 0)
			return true;
	return false;
}

int
run_folder_check(const char *folder)
{
	DIR *directory = opendir(folder);
	const struct dirent *entry;
	bool is_free = true;

	if (!directory)
		return -errno;
	while (is_free && (entry = readdir(directory)) != NULL)
		is_free = strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0 ||
		    is_beginning(folder, entry->d_name);
	closedir(directory);
	return is_free ? 0 : -EEXIST;
}

void
run_folder_clear(const char *folder)
{
	char path[PATH_MAX];

	for (int i = 0; i < COUNTOF(beginnings); i++) {
		run_path_join(path, folder, beginnings[i]);
		unlink(path);
	}
}

int
run_folder_make(const char *path, const struct store_head *head,
    char folder[PATH_MAX], bool *made, struct store_error *error)
{
	struct stat file;
	int status;

	*made = true;
	if (!path)
		return make_named(head, folder, error);
	status = run_path_set(folder, path, error);
	if (status)
		return status;
	status = make_parents(folder);
	if (!status)
		status = make_one(folder, run_mode);
	if (status != -EEXIST)
		return status
		    ? run_fail(status, "make the folder", folder, error)
		    : 0;
	*made = false;
	if (stat(folder, &file) == 0 && !S_ISDIR(file.st_mode))
		return run_fail(-ENOTDIR, "make a run in", folder, error);
	return 0;
}

bool
run_newest(char path[PATH_MAX])
{
	DIR *directory = opendir(RUN_FOLDER);
	char newest[NAME_MAX + 1] = "";
	const struct dirent *entry;

	if (!directory)
		return false;
	while ((entry = readdir(directory)) != NULL) {
		char folder[PATH_MAX], file[PATH_MAX];

		/* The date comes first, and -10 is newer than -9. */
		if (entry->d_name[0] < '0' || entry->d_name[0] > '9' ||
		    strverscmp(entry->d_name, newest) <= 0)
			continue;
		run_path_join(folder, RUN_FOLDER, entry->d_name);
		run_path_join(file, folder, RUN_CONFIG);
		if (access(file, F_OK) == 0)
			strcpy(newest, entry->d_name);
	}
	closedir(directory);
	if (newest[0])
		run_path_join(path, RUN_FOLDER, newest);
	return newest[0] != '\0';
}
