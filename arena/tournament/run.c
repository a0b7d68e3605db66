/*
 * Implements run.h: the folder of a run with its files, the terms, the secret,
 * the lock, and the blocks.  run_commit() makes blocks durable: first their
 * records, in a file that is only appended to, then their rows in the database.
 * So each row has its record, whenever the process or the machine ends.
 */
#include "run.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "buffers.h"
#include "countof.h"
#include "machine.h"
#include "match.h"
#include "program.h"
#include "record_write.h"
#include "version.h"

/* The suffix of a file that is not written completely yet. */
#define RUN_PART "part"

/*
 * Folders of runs: their names, making them, finding them.
 */

enum {
	NAME_LENGTH_MAX = 48,
	COPIES_MAX = 10000,
	/* Room for the names of files in the folder. */
	FOLDER_LENGTH_MAX = PATH_MAX - 64,
	HEADING_SIZE = sizeof(RECORD_HEADING) - 1 /* of the records */
};

/*
 * Only the owner may read the run. It contains the secret of the packs, and
 * thus all future packs. A bot that runs as another user must not read them.
 */
static const mode_t run_mode = 0700;

static const char what_is_a_run[] = "a run is a folder that holds " RUN_CONFIG
				    ", " RUN_RESULTS " and " RUN_RECORDS;

int
run_fail(
    int status, const char *doing, const char *path, struct store_error *error)
{
	const char *hint = machine_room_hint(status);

	if (hint == NULL)
		hint = "";
	if (status == -EROFS)
		hint = "the file system is mounted to read only; give a folder "
		       "on another one";
	if (status == -EACCES || status == -EPERM)
		hint = "check the permissions of the folder";
	if (status == -ENOENT)
		hint = "check whether a folder of this path is missing, or is "
		       "a broken link";
	return store_fail(error, status, hint, "cannot %s \"%s\": %s", doing,
	    path, strerror(-status));
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

int64_t
run_cut_part_of_line(int fd)
{
	int64_t end = lseek(fd, 0, SEEK_END), size = end;
	char byte = '\0';

	while (size > 0 && byte != '\n')
		if (pread(fd, &byte, 1, --size) != 1)
			return -EIO;
	if (byte == '\n')
		size++;
	return end < 0 || (size < end && ftruncate(fd, size) < 0) ? -errno
								  : size;
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
	/* Some file systems cannot synchronise a folder, and need not. */
	if (fsync(fd) < 0 && errno != EINVAL)
		status = -errno;
	close(fd);
	return status;
}

/* Makes one folder durably. Returns 0; -EEXIST if it exists; or -errno. */
static int
make_folder(const char *path, mode_t mode)
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

int
run_make_parents(const char *path)
{
	char part[PATH_MAX];

	snprintf(part, sizeof(part), "%s", path);
	for (char *at = part + 1; *at; at++) {
		int status;

		if (*at != '/')
			continue;
		*at = '\0';
		status = make_folder(part, 0777);
		/*
		 * Only the last folder must be writable.  A name that exists
		 * and leads nowhere is a symbolic link.
		 */
		if (status && access(part, F_OK) != 0)
			return status == -EEXIST ? -errno : status;
		*at = '/';
	}
	return 0;
}

/* A folder name without blanks and special characters. */
static void
folder_name_format(const char *name, char safe[NAME_LENGTH_MAX + 1])
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "._-";
	size_t length = 0;

	for (const char *at = name; *at && length < NAME_LENGTH_MAX; at++) {
		char byte = strchr(plain, *at) ? *at : '-';

		/*
		 * Several hyphens in a row become one. There are none at the
		 * ends.
		 */
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

static int
make_default_folder(const struct store_head *head, char folder[PATH_MAX],
    struct store_error *error)
{
	const char *created = head->created;
	char name[NAME_LENGTH_MAX + 1];
	int status = -EEXIST;

	folder_name_format(head->name[0] ? head->name : head->command, name);
	for (int copy = 1; copy < COPIES_MAX && status == -EEXIST; copy++) {
		char suffix[16] = "";

		if (copy > 1)
			snprintf(suffix, sizeof(suffix), "-%d", copy);
		/* `2025-01-31T18:30:00Z` becomes `2025-01-31-183000`. */
		snprintf(folder, PATH_MAX, "%s/%.10s-%.2s%.2s%.2s-%s%s",
		    RUN_FOLDER, created, created + 11, created + 14,
		    created + 17, name, suffix);
		status = run_make_parents(folder);
		if (!status)
			status = make_folder(folder, run_mode);
	}
	return status ? run_fail(status, "make the folder", folder, error) : 0;
}

/* Files that an interrupted start of a run leaves behind, except the lock. */
static const char *const start_files[] = { RUN_RECORDS, RUN_SECRET, RUN_TERMS,
	RUN_RESULTS, RUN_RESULTS "-journal", RUN_RESULTS "-wal",
	RUN_RESULTS "-shm", RUN_PART };

/* Whether a file of this name may be left by an interrupted start. */
static bool
is_start_file(const char *folder, const char *name)
{
	char path[PATH_MAX];
	struct stat file;

	/* Records with a game belong to a run that lost its configuration. */
	if (strcmp(name, RUN_RECORDS) == 0) {
		run_path_join(path, folder, name);
		return stat(path, &file) == 0 && file.st_size <= HEADING_SIZE;
	}
	for (int i = 0; i < COUNTOF(start_files); i++)
		if (strcmp(name, start_files[i]) == 0)
			return true;
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	    strcmp(name, RUN_LOCK) == 0;
}

/*
 * Whether a run can begin in a folder. Returns 0 if it contains only a lock and
 * what an interrupted start has left; -EEXIST if it contains more; or -errno.
 */
static int
run_folder_check(const char *folder)
{
	DIR *directory = opendir(folder);
	const struct dirent *entry;
	bool is_free = true;

	if (!directory)
		return -errno;
	while (is_free && (entry = readdir(directory)) != NULL)
		is_free = is_start_file(folder, entry->d_name);
	closedir(directory);
	return is_free ? 0 : -EEXIST;
}

/* Removes what an interrupted start has left, except the lock. */
static void
run_folder_clear(const char *folder)
{
	char path[PATH_MAX];

	for (int i = 0; i < COUNTOF(start_files); i++) {
		run_path_join(path, folder, start_files[i]);
		unlink(path);
	}
}

/*
 * Makes the folder of a new run: `path`, or one below RUN_FOLDER for NULL.
 * *made says whether it is new.  0 or -errno; `folder` is where it is.
 */
static int
run_folder_make(const char *path, const struct store_head *head,
    char folder[PATH_MAX], bool *made, struct store_error *error)
{
	struct stat file;
	int status;

	*made = true;
	if (!path)
		return make_default_folder(head, folder, error);
	status = run_path_set(folder, path, error);
	if (status)
		return status;
	status = run_make_parents(folder);
	if (!status)
		status = make_folder(folder, run_mode);
	if (status != -EEXIST)
		return status
		    ? run_fail(status, "make the folder", folder, error)
		    : 0;
	*made = false;
	if (stat(folder, &file) == 0 && !S_ISDIR(file.st_mode))
		return run_fail(-ENOTDIR, "make a run in", folder, error);
	return 0;
}

void
run_created(const char *folder, char created[RUN_CREATED_SIZE])
{
	char path[PATH_MAX];
	FILE *file;

	created[0] = '\0';
	run_path_join(path, folder, RUN_TERMS);
	file = fopen(path, "re");
	if (!file)
		return;
	/* The heading of the terms, then `created TIME`. */
	if (fscanf(file, "%*s created %31s", created) != 1)
		created[0] = '\0';
	fclose(file);
}

bool
run_is_newer(const char *created, const char *name, const char *than_created,
    const char *than_name)
{
	int order = strcmp(created, than_created);

	/* Of the same time: -10 is newer than -9. */
	return order > 0 || (order == 0 && strverscmp(name, than_name) > 0);
}

bool
run_is_there(const char *folder)
{
	char file[PATH_MAX];

	run_path_join(file, folder, RUN_CONFIG);
	return access(file, F_OK) == 0 || errno == EACCES;
}

bool
run_newest(char path[PATH_MAX])
{
	DIR *directory = opendir(RUN_FOLDER);
	char newest[NAME_MAX + 1] = "", newest_created[RUN_CREATED_SIZE] = "";
	const struct dirent *entry;

	if (!directory)
		return false;
	while ((entry = readdir(directory)) != NULL) {
		char folder[PATH_MAX], created[RUN_CREATED_SIZE];

		run_path_join(folder, RUN_FOLDER, entry->d_name);
		if (entry->d_name[0] == '.' || !run_is_there(folder))
			continue;
		run_created(folder, created);
		if (run_is_newer(
			created, entry->d_name, newest_created, newest)) {
			strcpy(newest, entry->d_name);
			strcpy(newest_created, created);
		}
	}
	closedir(directory);
	if (newest[0])
		run_path_join(path, RUN_FOLDER, newest);
	return newest[0] != '\0';
}

/*
 * Small files of a run, read and written whole.
 */

enum { TEXT_SIZE_MAX = 1 << 21 };

int
run_write_at(int fd, const char *bytes, size_t size, int64_t offset)
{
	while (size > 0) {
		ssize_t written = pwrite(fd, bytes, size, offset);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return written < 0 ? -errno : -ENOSPC;
		bytes += written;
		size -= (size_t)written;
		offset += written;
	}
	return 0;
}

int
run_text_create(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	int status;

	if (fd < 0)
		return -errno;
	status = run_write_at(fd, text, strlen(text), 0);
	if (!status && fsync(fd) < 0)
		status = -errno;
	close(fd);
	if (status)
		unlink(path);
	return status;
}

int
run_text_replace(const char *folder, const char *name, const char *text)
{
	char path[PATH_MAX], part[PATH_MAX];
	int status;

	run_path_join(path, folder, name);
	run_path_join(part, folder, RUN_PART);
	/* An interrupted write has left the file. */
	unlink(part);
	status = run_text_create(part, text, 0666);
	if (!status && rename(part, path) < 0) {
		status = -errno;
		unlink(part);
	}
	return status ? status : run_folder_sync(folder);
}

int
run_file_copy(const char *from, const char *to)
{
	enum { CHUNK_SIZE = 1 << 20 };
	int in = open(from, O_RDONLY | O_CLOEXEC), out, status = 0;
	ssize_t copied;

	if (in < 0)
		return -errno;
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (out < 0) {
		status = -errno;
		goto close_in;
	}
	do
		copied = sendfile(out, in, NULL, CHUNK_SIZE);
	while (copied > 0 || (copied < 0 && errno == EINTR));
	if (copied < 0 || fsync(out) < 0)
		status = -errno;
	close(out);
	if (status)
		unlink(to);
close_in:
	close(in);
	return status;
}

/* Opens a regular file for reading. Returns NULL with errno set on failure. */
static FILE *
open_regular(const char *path)
{
	struct stat file;

	if (stat(path, &file) < 0)
		return NULL;
	/* Opening a FIFO would block. */
	errno = EINVAL;
	return S_ISREG(file.st_mode) ? fopen(path, "re") : NULL;
}

int
run_text_read(const char *folder, const char *name, char **text)
{
	char path[PATH_MAX], *bytes = calloc(1, TEXT_SIZE_MAX + 2);
	int status = 0;
	size_t size = 0;
	FILE *file;

	if (!bytes)
		return -ENOMEM;
	run_path_join(path, folder, name);
	file = open_regular(path);
	if (file)
		size = fread(bytes, 1, TEXT_SIZE_MAX + 1, file);
	if (!file || ferror(file))
		status = errno == EINVAL ? -EBADMSG : -errno;
	else if (size > TEXT_SIZE_MAX || strlen(bytes) < size)
		status = -EBADMSG;
	if (file)
		fclose(file);
	if (status)
		free(bytes);
	else
		*text = bytes;
	return status;
}

/*
 * The terms of a run.
 */

static const char terms_heading[] = "scopa-arena-terms-v1\n";
static const char terms_created[] = "created ", terms_packs[] = "packs ",
		  terms_bot[] = "bot ", committed[] = "committed",
		  given[] = "given";

static bool
begins(const char *line, const char *with)
{
	return strncmp(line, with, strlen(with)) == 0;
}

/* The configuration with changes as config_lines_replace makes them. */
static void
put_config(FILE *file, const char *config, const char *const *dropped,
    const char *line)
{
	while (*config != '\0') {
		size_t length = strcspn(config, "\n");
		int word = 0;

		while (dropped[word] != NULL && !begins(config, dropped[word]))
			word++;
		if (dropped[word] == NULL)
			fprintf(file, "%.*s\n", (int)length, config);
		if (line[0] != '\0' && config[0] == '[') {
			fprintf(file, "%s\n", line);
			line = "";
		}
		config += length + (config[length] == '\n');
	}
}

/* The text of a file in memory, which is closed; NULL without memory. */
static char *
close_text(FILE *file, char **text)
{
	if (fclose(file) == 0)
		return *text;
	free(*text);
	return NULL;
}

char *
terms_make(const char *config, const struct store_head *head)
{
	/* The terms do not contain the secret, but the commitment to it. */
	const char *const dropped[] = { "\n", "#", CONFIG_CONTRIBUTION,
		CONFIG_SHARD, head->committed ? CONFIG_SEED : NULL, NULL };
	char *text = NULL;
	size_t size;
	FILE *file = memory_file_open(&text, &size);

	if (file == NULL)
		return NULL;
	fprintf(file, "%s%s%s\n%s%s\n", terms_heading, terms_created,
	    head->created, terms_packs, head->committed ? committed : given);
	for (int bot = 0; bot < head->bot_count; bot++)
		fprintf(file, "%s%d %s %s\n", terms_bot, bot + 1,
		    head->bots[bot].digest, head->bots[bot].name);
	put_config(file, config, dropped, "");
	return close_text(file, &text);
}

char *
config_lines_replace(
    const char *config, const char *const *dropped, const char *line)
{
	char *text = NULL;
	size_t size;
	FILE *file = memory_file_open(&text, &size);

	if (file == NULL)
		return NULL;
	put_config(file, config, dropped, line);
	return close_text(file, &text);
}

int64_t
terms_diff(const char **terms, const char **others)
{
	for (int64_t number = 1; **terms != '\0' || **others != '\0';
	     number++) {
		size_t length = strcspn(*terms, "\n");

		if (length != strcspn(*others, "\n") ||
		    memcmp(*terms, *others, length) != 0 ||
		    (*terms)[length] != (*others)[length])
			return number;
		length += (*terms)[length] == '\n';
		*terms += length;
		*others += length;
	}
	return 0;
}

void
terms_digest(const char *terms, struct shuffle_key *digest)
{
	crypto_hash_sha256(
	    digest->bytes, (const unsigned char *)terms, strlen(terms));
}

/* `bot 1 SHA256 NAME` */
static void
terms_read_bot(const char *line, struct store_head *head)
{
	char *end;
	long bot = strtol(line + strlen(terms_bot), &end, 10);
	size_t length = sizeof(head->bots[0].digest) - 1;

	if (bot < 1 || bot > head->bot_count || *end++ != ' ' ||
	    strspn(end, "0123456789abcdef") != length)
		return;
	memcpy(head->bots[bot - 1].digest, end, length);
	head->bots[bot - 1].digest[length] = '\0';
}

void
terms_read(const char *terms, struct store_head *head)
{
	/* The configuration begins with its section. */
	while (*terms != '\0' && *terms != '[') {
		size_t length = strcspn(terms, "\n");

		if (begins(terms, terms_created) &&
		    length - strlen(terms_created) < sizeof(head->created))
			snprintf(head->created, sizeof(head->created), "%.*s",
			    (int)(length - strlen(terms_created)),
			    terms + strlen(terms_created));
		else if (begins(terms, terms_packs))
			head->committed =
			    begins(terms + strlen(terms_packs), committed);
		else if (begins(terms, terms_bot))
			terms_read_bot(terms, head);
		terms += length + (terms[length] == '\n');
	}
}

/*
 * The secret of a run in a file of its own.
 */

/* The comment in the configuration that replaces a secret seed. */
#define SEED_POINTER \
	"# The seed is in the file \"" RUN_SECRET "\" until the run is over."

/* How the line of the seed begins in a configuration: the seed, or no seed. */
static const char *const seed_lines[] = { CONFIG_SEED, SEED_POINTER, NULL };

int
run_secret_put(const char *folder, const struct shuffle_key *secret)
{
	char path[PATH_MAX], line[SHUFFLE_HEX_SIZE + 1];
	int status;

	shuffle_key_format(secret, line);
	strcat(line, "\n");
	run_path_join(path, folder, RUN_SECRET);
	/* A file of an earlier version may be readable by others. */
	if (unlink(path) < 0 && errno != ENOENT)
		return -errno;
	status = run_text_create(path, line, 0600);
	return status ? status : run_folder_sync(folder);
}

int
run_secret_read(const char *folder, struct shuffle_key *secret)
{
	enum { LENGTH = SHUFFLE_HEX_SIZE - 1 };
	char *text;
	int status = run_text_read(folder, RUN_SECRET, &text);

	if (status)
		return status;
	if (strlen(text) != LENGTH + 1 || text[LENGTH] != '\n')
		status = -EBADMSG;
	text[strcspn(text, "\n")] = '\0';
	if (!status && !shuffle_key_parse(text, secret))
		status = -EBADMSG;
	free(text);
	return status;
}

int
run_secret_remove(const char *folder)
{
	char path[PATH_MAX];

	run_path_join(path, folder, RUN_SECRET);
	return unlink(path) < 0 && errno != ENOENT ? -errno : 0;
}

char *
run_secret_conceal(const char *config)
{
	return config_lines_replace(config, seed_lines, SEED_POINTER);
}

char *
run_secret_show(const char *config, const struct shuffle_key *secret)
{
	char line[sizeof(CONFIG_SEED) + SHUFFLE_HEX_SIZE] = CONFIG_SEED;

	shuffle_key_format(secret, line + strlen(CONFIG_SEED));
	return config_lines_replace(config, seed_lines, line);
}

/*
 * The process that writes to a run.  The kernel holds the lock and releases it
 * when the process ends.  The text of the file is only for people.
 */

enum {
	OWNER_SIZE = 24,
	/*
	 * Workers inherit the lock.  If their parent was killed, they hold it
	 * until they end.
	 */
	LOCK_TRIES = 100,
	LOCK_PAUSE_NS = 20000000
};

/* Returns the pid in the lock file; 0 if there is none. */
static pid_t
owner_read(int fd)
{
	char text[OWNER_SIZE] = "";
	long pid = pread(fd, text, sizeof(text) - 1, 0) > 0
	    ? strtol(text, NULL, 10)
	    : 0;

	return pid >= 1 && pid <= INT32_MAX ? (pid_t)pid : 0;
}

/* Locks the file, or fails after a short time. Returns 0 or -errno. */
static int
lock_wait(int fd)
{
	const struct timespec pause = { .tv_nsec = LOCK_PAUSE_NS };

	for (int i = 0; i < LOCK_TRIES; i++) {
		pid_t pid;

		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return 0;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -errno;
		/*
		 * A process that has just taken the lock may not have written
		 * its pid yet: the first two tries do not trust the file.
		 */
		pid = owner_read(fd);
		if (i > 1 && pid > 0 && (kill(pid, 0) == 0 || errno != ESRCH))
			return -EBUSY;
		nanosleep(&pause, NULL);
	}
	return -EBUSY;
}

/* Whether the open file is the one at the path, and was not removed. */
static bool
is_at(int fd, const char *path)
{
	struct stat open_file, file;

	return fstat(fd, &open_file) == 0 && stat(path, &file) == 0 &&
	    open_file.st_ino == file.st_ino && open_file.st_dev == file.st_dev;
}

int
run_lock(const char *folder, struct store_error *error)
{
	char path[PATH_MAX], owner[OWNER_SIZE + 8] = "another process";
	int fd, status;

	run_path_join(path, folder, RUN_LOCK);
	/* run_discard() removes the file while others wait for its lock. */
	for (;;) {
		fd =
		    open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
		if (fd < 0)
			return run_fail(-errno, "lock", path, error);
		status = lock_wait(fd);
		if (status || is_at(fd, path))
			break;
		close(fd);
	}
	if (status == -EBUSY) {
		pid_t pid = owner_read(fd);

		if (pid > 0)
			snprintf(
			    owner, sizeof(owner), "process %jd", (intmax_t)pid);
		store_fail(error, status, "wait for it to end, or end it",
		    "the run \"%s\" is being written to by %s", folder, owner);
		goto close_fd;
	}
	snprintf(owner, sizeof(owner), "%jd\n", (intmax_t)getpid());
	if (!status && ftruncate(fd, 0) < 0)
		status = -errno;
	if (!status)
		status = run_write_at(fd, owner, strlen(owner), 0);
	/* The lock is valid without the pid in the file. */
	if (status == -ENOSPC || status == -EDQUOT || status == -EFBIG)
		status = 0;
	if (status) {
		run_fail(status, "lock", path, error);
		goto close_fd;
	}
	return fd;
close_fd:
	close(fd);
	return status;
}

void
run_unlock(int fd)
{
	/* Workers may have inherited the lock. It is released for them, too. */
	flock(fd, LOCK_UN);
	close(fd);
}

pid_t
run_owner(const char *path)
{
	char file[PATH_MAX];
	pid_t pid = 0;
	int fd;

	run_path_join(file, path, RUN_LOCK);
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (flock(fd, LOCK_SH | LOCK_NB) == 0) {
		flock(fd, LOCK_UN);
	} else if (errno == EWOULDBLOCK) {
		pid = owner_read(fd);
		if (pid == 0)
			pid = -1;
	}
	close(fd);
	return pid;
}

/*
 * The versions of this program and of a bot: digests of their files.  A run is
 * not resumed with another version of a bot.
 */

/* The build writes engine_digest.inc: see ENGINE_FILES in the Makefile. */
static const char engine_digest[] =
#include "engine_digest.inc"
    ;

_Static_assert(VERSION_PROTOCOL == 1, "the version of the protocol below");

const char *
engine_id(void)
{
	return VERSION_NUMBER " usp=1 sources="
#include "engine_digest.inc"
	    ;
}

enum { DIGEST_CHUNK_SIZE = 65536, DIGEST_SIZE = crypto_hash_sha256_BYTES };

/*
 * Returns 1; 0 with errno set if the file cannot be opened or is no regular
 * file; or -errno.
 */
static int
add_file(crypto_hash_sha256_state *state, const char *path)
{
	FILE *file = open_regular(path);
	unsigned char bytes[DIGEST_CHUNK_SIZE];
	size_t got;
	int status = 1;

	if (!file)
		return 0;
	while ((got = fread(bytes, 1, sizeof(bytes), file)) > 0)
		crypto_hash_sha256_update(state, bytes, got);
	if (ferror(file))
		status = -errno;
	fclose(file);
	return status;
}

int
run_bot_digest(const struct entrant *entrant, char hex[65])
{
	const char *arguments[PROGRAM_ARGUMENTS_MAX + 1];
	unsigned char digest[DIGEST_SIZE];
	crypto_hash_sha256_state state;
	int added;

	if (entrant->command[0] == '@') {
		memcpy(hex, engine_digest, sizeof(engine_digest));
		return 0;
	}
	crypto_hash_sha256_init(&state);
	added = add_file(&state, entrant->program.path);
	if (added == 0)
		return -errno;
	program_arguments(&entrant->program, arguments);
	for (int i = 1; arguments[i] && added >= 0; i++) {
		bool below = entrant->dir && arguments[i][0] != '/';
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%s%s%s",
		    below ? entrant->dir : "", below ? "/" : "", arguments[i]);
		added = add_file(&state, path);
	}
	if (added < 0)
		return added;
	crypto_hash_sha256_final(&state, digest);
	sodium_bin2hex(hex, 2 * DIGEST_SIZE + 1, digest, sizeof(digest));
	return 0;
}

/* The records of a run are compared with its results. */

/* Reports that the records are not those that the results were made from. */
static int
mismatch(const char *folder, const char *what, struct store_error *error)
{
	store_fail(error, -EBADMSG,
	    "bring the file back from a copy, or compute the results again "
	    "from it; nothing was changed",
	    "the records \"%s/%s\" %s", folder, RUN_RECORDS, what);
	store_error_try(error, "db rebuild", folder);
	return -EBADMSG;
}

int
run_read_at(int fd, void *bytes, int64_t size, int64_t offset)
{
	int64_t done = 0;

	while (done < size) {
		ssize_t got = pread(fd, (char *)bytes + done,
		    (size_t)(size - done), offset + done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? -errno : -EIO;
		done += got;
	}
	return 0;
}

/* Returns 1 if these bytes of the file have the digest; 0 if not; or -errno. */
static int
check_digest(int fd, const struct block_place *place)
{
	unsigned char *bytes = malloc((size_t)place->size);
	unsigned char digest[STORE_DIGEST_SIZE];
	int status = -ENOMEM;

	if (bytes)
		status = run_read_at(fd, bytes, place->size, place->offset);
	if (!status) {
		crypto_hash_sha256(digest, bytes, (size_t)place->size);
		status = memcmp(digest, place->digest, sizeof(digest)) == 0;
	}
	free(bytes);
	return status;
}

int
run_records_find(const char *folder, struct store_error *error)
{
	char path[PATH_MAX];

	run_path_join(path, folder, RUN_RECORDS);
	if (access(path, F_OK) == 0)
		return 0;
	if (errno != ENOENT && errno != ENOTDIR)
		return run_fail(-errno, "open", path, error);
	return store_fail(error, -ENOENT, what_is_a_run,
	    "there are no records in \"%s\"", folder);
}

/* Where the last record ends. */
static int64_t
records_end(const struct run *run)
{
	int64_t end = run->last.offset + run->last.size;

	return end > HEADING_SIZE ? end : HEADING_SIZE;
}

/*
 * Opens the records and compares them with the results. Returns 0; -EBADMSG if
 * they do not fit; or another -errno.
 */
static int
open_records(struct run *run, bool writable, struct store_error *error)
{
	const struct block_place *last = &run->last;
	char path[PATH_MAX], begin[HEADING_SIZE];
	struct stat file;
	int fd, status;

	run_path_join(path, run->path, RUN_RECORDS);
	fd = open(path, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return store_fail(error, -EBADMSG,
		    "bring the file back from a copy; nothing was changed",
		    "the records \"%s\" are missing", path);
	if (fd < 0)
		return run_fail(-errno, "open", path, error);
	run->records_fd = fd;
	if (fstat(fd, &file) < 0)
		return run_fail(-errno, "read", RUN_RECORDS, error);
	if (file.st_size - last->size < last->offset)
		return mismatch(
		    run->path, "are shorter than the results say", error);
	run->record_size = records_end(run);
	/* The heading is written before there are results. */
	if (pread(fd, begin, sizeof(begin), 0) != HEADING_SIZE ||
	    memcmp(begin, RECORD_HEADING, HEADING_SIZE) != 0)
		return mismatch(run->path, "do not begin as records do", error);
	status = last->size == 0 ? 1 : check_digest(fd, last);
	if (status < 0)
		return run_fail(status, "read", RUN_RECORDS, error);
	if (status == 0)
		return mismatch(run->path,
		    "are not those of the results: the record of the last "
		    "block was changed",
		    error);
	return 0;
}

int
run_cut_records(struct run *run, struct store_error *error)
{
	struct stat file;

	if (fstat(run->records_fd, &file) < 0)
		return run_fail(-errno, "read", RUN_RECORDS, error);
	if (file.st_size != run->record_size &&
	    (ftruncate(run->records_fd, run->record_size) < 0 ||
		fdatasync(run->records_fd) < 0))
		return run_fail(-errno, "cut the records of", run->path, error);
	return 0;
}

/* Blocks become durable: their records first, then their results. */

char *
run_record_reserve(struct run *run, size_t size)
{
	size_t begin = run->byte_count + run->next_size;

	/* One byte more, so that there is a buffer for 0 bytes. */
	if (array_make_room(
		&run->bytes, &run->byte_capacity, begin + size + 1, 1))
		return NULL;
	run->next_size += size;
	return run->bytes + begin;
}

/*
 * The pending records from a position on. If all pending blocks were skipped,
 * there is no buffer.
 */
static const void *
record_bytes(const struct run *run, size_t position)
{
	return run->bytes ? run->bytes + position : "";
}

int
run_add(struct run *run, struct block_result *block)
{
	size_t size = block->skipped ? 0 : run->next_size;
	struct block_place *place = &block->place;
	int status =
	    ARRAY_GROW(run->pending, run->pending_count, run->pending_capacity);

	assert(run->lock_fd >= 0);
	assert(block->plan.index == run->block_count + run->pending_count);
	run->next_size = 0;
	if (status)
		return status;
	assert(block->skipped == (size == 0));
	*place = (struct block_place){ .size = (int64_t)size };
	if (size > 0)
		place->offset = run->record_size + (int64_t)run->byte_count;
	crypto_hash_sha256(
	    place->digest, record_bytes(run, run->byte_count), size);
	store_chain_add(run->chain, block);
	memcpy(place->chain, run->chain, sizeof(place->chain));
	run->pending[run->pending_count++] = *block;
	run->byte_count += size;
	return 0;
}

/*
 * Writes and syncs the records that are not on the disk yet. If only a part
 * could be written, the part is cut off again.
 */
static int
write_records(struct run *run, struct store_error *error)
{
	int64_t end = run->record_size + (int64_t)run->bytes_written;
	const char *relief;
	int status;

	status =
	    run_write_at(run->records_fd, record_bytes(run, run->bytes_written),
		run->byte_count - run->bytes_written, end);
	if (!status && fdatasync(run->records_fd) < 0)
		status = -errno;
	if (!status) {
		run->bytes_written = run->byte_count;
		return 0;
	}
	/* If this fails, the part is cut off before the run goes on. */
	if (ftruncate(run->records_fd, end) < 0)
		status = status == -ENOSPC ? status : -errno;
	relief = machine_room_hint(status);
	store_fail(error, status, "", "cannot write to \"%s/%s\": %s",
	    run->path, RUN_RECORDS, strerror(-status));
	if (relief == NULL)
		return status;
	snprintf(error->hint, sizeof(error->hint),
	    "nothing is lost: %s and go on", relief);
	return -ENOSPC;
}

/* Refuses to append to a records file that was removed or renamed. */
static int
check_records_file(const struct run *run, struct store_error *error)
{
	char path[PATH_MAX];

	run_path_join(path, run->path, RUN_RECORDS);
	if (is_at(run->records_fd, path))
		return 0;
	return store_fail(error, -ESTALE, "bring them back and go on",
	    "the records \"%s\" are not there any more", path);
}

int
run_refresh(struct run *run, struct store_error *error)
{
	int status =
	    store_end(run->store, &run->block_count, &run->last, error);

	if (!status)
		memcpy(run->chain, run->last.chain, sizeof(run->chain));
	return status;
}

int
run_drop_pending(struct run *run, struct store_error *error)
{
	run->pending_count = 0;
	run->byte_count = run->bytes_written = run->next_size = 0;
	return run_refresh(run, error);
}

int
run_commit(struct run *run, struct store_error *error)
{
	int status;

	if (run->pending_count == 0)
		return 0;
	if (run->broken)
		return store_fail(error, run->broken,
		    "resume the run: it goes on from what was stored",
		    "the disk under \"%s\" failed: %s; it is unknown what "
		    "was written",
		    run->path, strerror(-run->broken));
	status = check_records_file(run, error);
	/*
	 * Records that are durable stay in the file even if the database
	 * reports an error, because the database may have stored their results.
	 */
	if (!status)
		status = write_records(run, error);
	if (!status)
		status = store_add(
		    run->store, run->pending, run->pending_count, error);
	if (status) {
		run->broken = status == -EIO ? status : 0;
		return status;
	}
	run->block_count += run->pending_count;
	run->record_size += (int64_t)run->byte_count;
	if (run->next_size > 0)
		memmove(
		    run->bytes, run->bytes + run->byte_count, run->next_size);
	run->pending_count = 0;
	run->byte_count = run->bytes_written = 0;
	return 0;
}

/* Copies the first block of a walk, and ends the walk. */
static int
copy_first(void *context, const struct block_result *block)
{
	*(struct block_result *)context = *block;
	return 1;
}

int
run_block_read(const struct run *run, int64_t number,
    struct block_result *block, char **record, struct store_error *error)
{
	int status =
	    store_walk_from(run->store, number, copy_first, block, error);
	char *bytes;

	*record = NULL;
	if (status != 1)
		return status < 0 ? status
				  : store_fail(error, -ENOENT, "",
					"the run has no block %jd", number + 1);
	if (block->skipped)
		return 0;
	bytes = malloc((size_t)block->place.size + 1);
	status = bytes == NULL ? -ENOMEM
			       : run_read_at(run->records_fd, bytes,
				     block->place.size, block->place.offset);
	if (status) {
		free(bytes);
		return run_fail(
		    status, "read the records of", run->path, error);
	}
	bytes[block->place.size] = '\0';
	*record = bytes;
	return 0;
}

int
run_cut(struct run *run, int64_t block_count, struct store_error *error)
{
	int status = store_cut(run->store, block_count, error);

	assert(run->pending_count == 0);
	run->next_size = 0;
	if (!status)
		status = run_refresh(run, error);
	if (status)
		return status;
	run->record_size = records_end(run);
	/* If this fails, run_cut_records() does it before the run goes on. */
	if (ftruncate(run->records_fd, run->record_size) < 0 ||
	    fdatasync(run->records_fd) < 0)
		return run_fail(-errno, "cut the records of", run->path, error);
	return 0;
}

static void
run_init(struct run *run)
{
	memset(run, 0, sizeof(*run));
	run->records_fd = run->lock_fd = -1;
}

void
run_close(struct run *run)
{
	store_close(run->store);
	if (run->records_fd >= 0)
		close(run->records_fd);
	/* The lock is released last, when everything else is closed. */
	if (run->lock_fd >= 0)
		run_unlock(run->lock_fd);
	free(run->pending);
	free(run->bytes);
	run_init(run);
}

/*
 * Writes the files of a new run, the configuration last. Only a folder with a
 * configuration is a run. Without it, the other files may be removed.
 */
static int
make_files(
    struct run *run, const struct run_texts *texts, struct store_error *error)
{
	char path[PATH_MAX];
	int status = run_text_replace(run->path, RUN_RECORDS, RECORD_HEADING);

	if (!status && texts->secret)
		status = run_secret_put(run->path, texts->secret);
	if (!status && texts->terms)
		status = run_text_replace(run->path, RUN_TERMS, texts->terms);
	if (status)
		return run_fail(status, "write to", run->path, error);
	run_path_join(path, run->path, RUN_RECORDS);
	run->records_fd = open(path, O_RDWR | O_CLOEXEC);
	if (run->records_fd < 0)
		return run_fail(-errno, "open", path, error);
	run_path_join(path, run->path, RUN_RESULTS);
	status = store_create(&run->store, path, &run->head, error);
	if (status)
		return status;
	status = texts->config
	    ? run_text_replace(run->path, RUN_CONFIG, texts->config)
	    : run_folder_sync(run->path);
	return status ? run_fail(status, "write to", run->path, error) : 0;
}

/* Whether a run can begin in a folder: 0, or -errno with the error. */
static int
check_free(const char *folder, struct store_error *error)
{
	int status = run_folder_check(folder);
	bool is_run = run_is_there(folder);

	if (status == 0)
		return 0;
	if (status != -EEXIST)
		return run_fail(status, "look into", folder, error);
	store_fail(error, status,
	    is_run ? "nothing was changed; name another folder, or go on with "
		     "the run that is there"
		   : "nothing was changed; name another folder, or remove this "
		     "one if a merge was interrupted",
	    "\"%s\" is not empty: a run needs a folder of its own", folder);
	if (is_run)
		store_error_try(error, "resume", folder);
	return status;
}

void
run_discard(struct run *run)
{
	static const char *const files[] = { RUN_CONFIG, RUN_LOG };
	char path[PATH_MAX], folder[PATH_MAX];
	bool new_folder = run->new_folder;

	/* A folder without a configuration is no run. */
	for (int i = 0; i < COUNTOF(files); i++) {
		run_path_join(path, run->path, files[i]);
		unlink(path);
	}
	store_close(run->store);
	run->store = NULL;
	run_folder_clear(run->path);
	run_path_join(path, run->path, RUN_LOCK);
	unlink(path);
	memcpy(folder, run->path, sizeof(folder));
	run_close(run);
	if (new_folder)
		rmdir(folder);
}

int
run_create(struct run *run, const char *path, const struct store_head *head,
    const struct run_texts *texts, struct store_error *error)
{
	int status;

	run_init(run);
	run->head = *head;
	status = run_folder_make(
	    path, &run->head, run->path, &run->new_folder, error);
	if (status)
		return status;
	status = check_free(run->path, error);
	if (status)
		goto remove_folder;
	status = run_lock(run->path, error);
	if (status < 0)
		goto remove_folder;
	run->lock_fd = status;
	/* Another process may have made and finished a run here meanwhile. */
	status = check_free(run->path, error);
	if (status) {
		run_close(run);
		return status;
	}
	run_folder_clear(run->path);
	status = make_files(run, texts, error);
	if (status) {
		run_discard(run);
		return status;
	}
	run->record_size = HEADING_SIZE;
	store_chain_begin(&run->head, run->chain);
	return 0;
remove_folder:
	if (run->new_folder)
		rmdir(run->path);
	run_close(run);
	return status;
}

/* Returns 0 if the folder contains a run, or -errno with the error. */
static int
check_folder(const char *folder, struct store_error *error)
{
	char config[PATH_MAX], results[PATH_MAX], records[PATH_MAX];
	bool has_config, has_results, has_records;

	run_path_join(config, folder, RUN_CONFIG);
	run_path_join(results, folder, RUN_RESULTS);
	run_path_join(records, folder, RUN_RECORDS);
	has_config = access(config, F_OK) == 0;
	has_results = access(results, F_OK) == 0;
	if (has_config && has_results)
		return 0;
	if (errno != ENOENT && errno != ENOTDIR)
		return run_fail(-errno, "open the run", folder, error);
	has_records = access(records, F_OK) == 0;
	if (!has_config && run_folder_check(folder) == 0)
		return store_fail(error, -ENOENT,
		    "the folder is empty; if the start of a run was "
		    "interrupted, start it again",
		    "there is no run in \"%s\"", folder);
	if (!has_config && (has_results || has_records))
		return store_fail(error, -ENOENT,
		    "bring the file back from a copy; " RUN_TERMS
		    " has all of its lines but the seed",
		    "the run \"%s\" has no configuration: \"%s\" is missing",
		    folder, RUN_CONFIG);
	if (!has_records)
		return store_fail(error, -ENOENT, what_is_a_run,
		    "there is no run in \"%s\"", folder);
	store_fail(error, -EBADMSG, "",
	    "the run \"%s\" has no results: \"%s\" is missing", folder,
	    RUN_RESULTS);
	store_error_rebuild(error, folder);
	return -EBADMSG;
}

int
run_open(
    struct run *run, const char *path, bool writable, struct store_error *error)
{
	char results[PATH_MAX];
	int status;

	run_init(run);
	status = run_path_set(run->path, path, error);
	if (!status)
		status = check_folder(run->path, error);
	if (status)
		return status;
	if (writable) {
		status = run_lock(run->path, error);
		if (status < 0)
			return status;
		run->lock_fd = status;
	}
	run_path_join(results, run->path, RUN_RESULTS);
	status = store_open(&run->store, results, writable, &run->head, error);
	if (!status)
		status = run_refresh(run, error);
	if (!status)
		status = open_records(run, writable, error);
	if (status)
		run_close(run);
	return status;
}
