/*
 * Implements bundle.h: makes bundles of files, reads them, and unpacks them.
 *
 * The bytes of a bundle are not trusted.  All of them are read (entries_read)
 * before a file is written.  After that it is certain that each path stays in
 * the folder to which the bundle is unpacked, that no path occurs twice, and
 * that no path is both a file and a folder: in the order of paths a file would
 * stand just before the paths that use it as a folder.
 *
 * Unpacking holds a lock on the cache.  So a folder DIGEST.part was always left
 * by a process that died.
 */
#include "bundle.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buffers.h"
#include "countof.h"
#include "file_policy.h"
#include "kernel_text.h"
#include "run.h"
#include "words.h"

#define BUNDLE_HEADING "scopa-bundle 1\n"
#define CACHE_LOCK "lock"

_Static_assert(BUNDLE_VERSION == 1, "the heading");
_Static_assert(BUNDLE_DIGEST_SIZE == crypto_hash_sha256_BYTES, "SHA-256");

void
bundle_hex(const uint8_t digest[BUNDLE_DIGEST_SIZE], char hex[BUNDLE_HEX_SIZE])
{
	sodium_bin2hex(hex, BUNDLE_HEX_SIZE, digest, BUNDLE_DIGEST_SIZE);
}

/* One file of a bundle. */
struct entry {
	char path[BUNDLE_PATH_SIZE];
	bool executable;
	int64_t size;
	const char *bytes; /* of a bundle that is read */
};

/* `/` comes before all other bytes of a path. */
static int
path_compare(const void *one, const void *other)
{
	const unsigned char *a =
	    (const void *)((const struct entry *)one)->path;
	const unsigned char *b =
	    (const void *)((const struct entry *)other)->path;

	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	return (*a == '/' ? 1 : *a) - (*b == '/' ? 1 : *b);
}

/* Whether a path may be in a bundle. */
static bool
path_is_good(const char *path)
{
	int depth = 0;

	for (const char *part = path;; part++, depth++) {
		size_t length = strcspn(part, "/");

		if (length == 0 || length > NAME_MAX ||
		    depth > BUNDLE_DEPTH_MAX ||
		    (part[0] == '.' &&
			(length == 1 || (length == 2 && part[1] == '.'))))
			return false;
		for (size_t i = 0; i < length; i++)
			if ((unsigned char)part[i] < ' ' || part[i] == 0x7F)
				return false;
		part += length;
		if (*part == '\0')
			return true;
	}
}

/*
 * Making a bundle: all files are found first, then sorted, then written.
 */

struct search {
	char root[PATH_MAX]; /* the path without links */
	/*
	 * For the check of an unpacked folder: no file is left out, and links
	 * and files that may be written to are refused.
	 */
	bool exact;
	struct entry *entries; /* owned */
	int count, capacity;
	int name_count; /* files and folders, unless `exact` */
	int64_t size;
	struct store_error *error;
};

static int
refuse(struct search *search, const char *path, const char *why)
{
	static const char hint[] = "copy the files that the bot needs into the "
				   "folder in which it runs";

	return store_fail(search->error, search->exact ? -EBADMSG : -EINVAL,
	    search->exact ? "" : hint, "\"%s/%s\" %s: %s", search->root, path,
	    search->exact ? "is not what was unpacked"
			  : "cannot be sent to other machines",
	    why);
}

static int
refuse_size(struct search *search, const char *limit)
{
	return store_fail(search->error, -EFBIG,
	    "name the files and folders that the bot needs, and no others, by "
	    "bundle=PATH[:PATH...]",
	    "too much for one bot below \"%s\": more than %s", search->root,
	    limit);
}

static int
file_add(struct search *search, const char *path, const struct stat *found)
{
	struct entry *entry;

	if (ARRAY_GROW(search->entries, search->count, search->capacity))
		return run_fail(-ENOMEM, "read", path, search->error);
	if (search->exact && (found->st_mode & 0222) != 0)
		return refuse(search, path, "it may be written to");
	search->size += found->st_size;
	if (search->size > BUNDLE_SIZE_MAX)
		return refuse_size(search, "64 MiB");
	entry = &search->entries[search->count++];
	snprintf(entry->path, sizeof(entry->path), "%s", path);
	entry->executable = (found->st_mode & 0111) != 0;
	entry->size = found->st_size;
	return 0;
}

static int path_add(struct search *search, const char *path, int depth);

/*
 * Names that are left out: no bot needs them, and they change from day to day.
 */
static bool
is_left_out(const char *name)
{
	return strcmp(name, ".git") == 0 || strcmp(name, "__pycache__") == 0;
}

/*
 * Adds the entries of a folder.  `resolved` is its path without links: the
 * kernel counts the links of a path twice if it has to walk the path again, and
 * refuses more than 40.
 */
static int
folder_add(
    struct search *search, const char *path, const char *resolved, int depth)
{
	DIR *folder = opendir(resolved);
	const struct dirent *entry;
	int status = 0;

	if (folder == NULL)
		return run_fail(-errno, "read", resolved, search->error);
	while (status == 0 && (errno = 0, entry = readdir(folder)) != NULL) {
		const char *name = entry->d_name;
		char below[BUNDLE_PATH_SIZE];

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
		    (!search->exact && is_left_out(name)))
			continue;
		if (snprintf(below, sizeof(below), "%s%s%s", path,
			path[0] ? "/" : "", name) >= (int)sizeof(below))
			status =
			    refuse(search, path, "paths in it are too long");
		else
			status = path_add(search, below, depth + 1);
	}
	if (status == 0 && errno != 0)
		status = run_fail(-errno, "read", resolved, search->error);
	closedir(folder);
	return status;
}

/* Adds a file, or a folder with all below it; the empty path is the root. */
static int
path_add(struct search *search, const char *path, int depth)
{
	char full[PATH_MAX + BUNDLE_PATH_SIZE], resolved[PATH_MAX];
	struct stat found;

	if (path[0] != '\0' && !path_is_good(path))
		return refuse(search, path,
		    "its path has control characters, or too many parts");
	/*
	 * An unpacked folder also has the folders above those that were
	 * searched, so there only files count.  Each folder in it has some.
	 */
	if ((search->exact ? search->count : search->name_count++) >=
	    BUNDLE_FILES_MAX)
		return refuse_size(search, "4096 files and folders");
	snprintf(full, sizeof(full), "%s/%s", search->root, path);
	if (search->exact && lstat(full, &found) == 0 && S_ISLNK(found.st_mode))
		return refuse(search, path, "it is a link");
	if (realpath(full, resolved) == NULL || stat(resolved, &found) < 0)
		return run_fail(-errno, "read", full, search->error);
	if (!file_policy_is_below(resolved, search->root))
		return refuse(
		    search, path, "it is a link that leads out of this folder");
	/* A file that is no link is in its folder, which was checked. */
	if (!search->exact &&
	    (depth == 0 || S_ISDIR(found.st_mode) ||
		strcmp(full, resolved) != 0) &&
	    hidden_is_in_run(resolved))
		return depth > 0
		    ? 0
		    : refuse(search, path,
			  "it belongs to a run, which no bot may read");
	if (S_ISDIR(found.st_mode))
		return folder_add(search, path, resolved, depth);
	if (S_ISREG(found.st_mode))
		return file_add(search, path, &found);
	return refuse(search, path, "it is a pipe, a device or a socket");
}

/*
 * Removes parts that a path may have and a bundle does not: `./`, double
 * slashes, and a slash at the end.  False if the path leaves its folder or is
 * too long.
 */
static bool
path_tidy(const char *path, char tidy[BUNDLE_PATH_SIZE])
{
	size_t put = 0;

	if (path[0] == '/')
		return false;
	for (const char *part = path; *part != '\0';) {
		size_t length = strcspn(part, "/");
		bool stays = length == 0 || (length == 1 && part[0] == '.');

		if (length == 2 && strncmp(part, "..", 2) == 0)
			return false;
		if (put + length + 2 > BUNDLE_PATH_SIZE)
			return false;
		if (!stays) {
			if (put > 0)
				tidy[put++] = '/';
			memcpy(tidy + put, part, length);
			put += length;
		}
		part += length + (part[length] == '/');
	}
	tidy[put] = '\0';
	return true;
}

/* Copies the bytes of a file.  0 or -errno; -ESTALE if its size has changed. */
static int
file_copy(const char *path, int64_t size, FILE *to)
{
	char bytes[65536];
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	ssize_t got;
	int status = 0;

	if (fd < 0)
		return -errno;
	while ((got = read(fd, bytes, sizeof(bytes))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		size -= got;
		if (got < 0 || size < 0) {
			status = got < 0 ? -errno : -ESTALE;
			break;
		}
		fwrite(bytes, 1, (size_t)got, to);
	}
	close(fd);
	return status == 0 && size != 0 ? -ESTALE : status;
}

/*
 * Writes the bundle of the sorted entries.  A path that occurs twice is written
 * once.
 */
static int
entries_write(const struct search *search, FILE *file)
{
	const struct entry *entries = search->entries;

	fputs(BUNDLE_HEADING, file);
	for (int i = 0; i < search->count; i++)
		if (i == 0 || path_compare(&entries[i - 1], &entries[i]) != 0)
			fprintf(file, "%c %" PRId64 " %s\n",
			    entries[i].executable ? 'x' : '-', entries[i].size,
			    entries[i].path);
	fputc('\n', file);
	for (int i = 0; i < search->count; i++) {
		char full[PATH_MAX + BUNDLE_PATH_SIZE];
		int status;

		if (i > 0 && path_compare(&entries[i - 1], &entries[i]) == 0)
			continue;
		snprintf(
		    full, sizeof(full), "%s/%s", search->root, entries[i].path);
		status = file_copy(full, entries[i].size, file);
		if (status)
			return run_fail(status, "read", full, search->error);
	}
	return 0;
}

static void
digest_make(struct bundle *bundle)
{
	crypto_hash_sha256(
	    bundle->digest, (const unsigned char *)bundle->bytes, bundle->size);
}

static int
search_end(struct search *search, struct bundle *bundle)
{
	FILE *file;
	int status;

	qsort(search->entries, (size_t)search->count, sizeof(*search->entries),
	    path_compare);
	file = memory_file_open(&bundle->bytes, &bundle->size);
	if (file == NULL)
		return run_fail(-errno, "read", search->root, search->error);
	status = entries_write(search, file);
	if (fclose(file) != 0 && status == 0)
		status = run_fail(-errno, "read", search->root, search->error);
	if (status == 0 && bundle->size > BUNDLE_SIZE_MAX)
		status = refuse_size(search, "64 MiB");
	if (status)
		bundle_release(bundle);
	else
		digest_make(bundle);
	return status;
}

static int
files_bundle(struct bundle *bundle, const char *root, const char *const *paths,
    int count, bool exact, struct store_error *error)
{
	struct search search = { .exact = exact, .error = error };
	int status = 0;

	*bundle = (struct bundle){ .bytes = NULL };
	if (realpath(root, search.root) == NULL)
		return run_fail(-errno, "read", root, error);
	for (int i = 0; i < count && status == 0; i++) {
		char path[BUNDLE_PATH_SIZE];

		status = path_tidy(paths[i], path)
		    ? path_add(&search, path, 0)
		    : store_fail(error, -EINVAL,
			  "the files of a bot must be below the folder in "
			  "which it runs (dir=)",
			  "\"%s\" is not below \"%s\"", paths[i], search.root);
	}
	if (status == 0 && search.count == 0)
		status = store_fail(
		    error, -EINVAL, "", "no file lies below \"%s\"", root);
	if (status == 0)
		status = search_end(&search, bundle);
	free(search.entries);
	return status;
}

int
bundle_make(struct bundle *bundle, const char *root, const char *const *paths,
    int count, struct store_error *error)
{
	return files_bundle(bundle, root, paths, count, false, error);
}

int
bundle_make_file(struct bundle *bundle, const char *path, const char *bytes,
    size_t size, struct store_error *error)
{
	FILE *file;
	int status = 0;

	assert(path_is_good(path));
	*bundle = (struct bundle){ .bytes = NULL };
	if (size > BUNDLE_SIZE_MAX - BUNDLE_PATH_SIZE)
		return store_fail(error, -EFBIG, "",
		    "\"%s\" is too large for other machines: more than 64 MiB",
		    path);
	file = memory_file_open(&bundle->bytes, &bundle->size);
	if (file == NULL)
		return run_fail(-errno, "send", path, error);
	fprintf(file, BUNDLE_HEADING "- %zu %s\n\n", size, path);
	fwrite(bytes, 1, size, file);
	if (fclose(file) != 0)
		status = run_fail(-ENOMEM, "send", path, error);
	if (status)
		bundle_release(bundle);
	else
		digest_make(bundle);
	return status;
}

void
bundle_release(struct bundle *bundle)
{
	free(bundle->bytes);
	bundle->bytes = NULL;
	bundle->size = 0;
}

/*
 * Reading a bundle.
 */

struct entries {
	struct entry *rows; /* owned */
	int count;
};

/* Reads a line into *entry.  False: the line is malformed. */
static bool
entry_read(const char *line, size_t length, struct entry *entry)
{
	const char *size = line + 2;
	const char *end = line + length;
	const char *blank;

	if (length < 5 || (line[0] != 'x' && line[0] != '-') || line[1] != ' ')
		return false;
	blank = memchr(size, ' ', (size_t)(end - size));
	if (blank == NULL || end - blank - 1 >= BUNDLE_PATH_SIZE ||
	    memchr(line, '\0', length) != NULL ||
	    !word_to_int((struct word){ size, (size_t)(blank - size) }, 0,
		BUNDLE_SIZE_MAX, &entry->size))
		return false;
	entry->executable = line[0] == 'x';
	snprintf(entry->path, sizeof(entry->path), "%.*s",
	    (int)(end - blank - 1), blank + 1);
	return path_is_good(entry->path);
}

/* Whether the second path may follow the first one. */
static bool
paths_are_ordered(const struct entry *entry, const struct entry *next)
{
	size_t length = strlen(entry->path);

	return path_compare(entry, next) < 0 &&
	    (strncmp(entry->path, next->path, length) != 0 ||
		next->path[length] != '/');
}

/*
 * Finds the bytes of each file after the list.  The files must have all these
 * bytes.
 */
static bool
entries_place(struct entries *entries, const char *bytes, const char *end)
{
	for (int i = 0; i < entries->count; i++) {
		if (entries->rows[i].size > end - bytes)
			return false;
		entries->rows[i].bytes = bytes;
		bytes += entries->rows[i].size;
	}
	return bytes == end;
}

/*
 * Reads the list of files.  0, and the caller frees the rows; -EBADMSG if the
 * bytes are no bundle; or -ENOMEM.
 */
static int
entries_read(const struct bundle *bundle, struct entries *entries)
{
	const char *at = bundle->bytes, *end = at + bundle->size;
	const size_t heading = strlen(BUNDLE_HEADING);
	int capacity = 0, status = -EBADMSG;

	*entries = (struct entries){ .rows = NULL };
	if (bundle->size > BUNDLE_SIZE_MAX || bundle->size < heading ||
	    memcmp(at, BUNDLE_HEADING, heading) != 0)
		return status;
	for (at += heading; at < end && *at != '\n';) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));
		struct entry *row;

		if (line_end == NULL || entries->count == BUNDLE_FILES_MAX)
			goto free_rows;
		if (ARRAY_GROW(entries->rows, entries->count, capacity)) {
			status = -ENOMEM;
			goto free_rows;
		}
		row = &entries->rows[entries->count];
		if (!entry_read(at, (size_t)(line_end - at), row) ||
		    (entries->count > 0 && !paths_are_ordered(row - 1, row)))
			goto free_rows;
		entries->count++;
		at = line_end + 1;
	}
	if (at < end && entries->count > 0 &&
	    entries_place(entries, at + 1, end))
		return 0;
free_rows:
	free(entries->rows);
	return status;
}

int
bundle_parse(struct bundle *bundle, char *bytes, size_t size,
    const uint8_t digest[BUNDLE_DIGEST_SIZE], struct store_error *error)
{
	struct bundle taken = { .bytes = bytes, .size = size };
	struct entries entries = { .rows = NULL };
	char hex[BUNDLE_HEX_SIZE];
	int status;

	bundle_hex(digest, hex);
	digest_make(&taken);
	if (memcmp(taken.digest, digest, BUNDLE_DIGEST_SIZE) != 0) {
		status = store_fail(error, -EBADMSG, "",
		    "the bundle %s was changed on its way: its SHA-256 is "
		    "another one",
		    hex);
		goto free_bytes;
	}
	status = entries_read(&taken, &entries);
	if (status) {
		store_fail(error, status, "", "the bundle %s: %s", hex,
		    status == -EBADMSG ? "this program makes no such bundle"
				       : strerror(-status));
		goto free_bytes;
	}
	free(entries.rows);
	*bundle = taken;
	return 0;
free_bytes:
	bundle_release(&taken);
	return status;
}

char **
bundle_files(const struct bundle *bundle)
{
	struct entries entries;
	char **files = NULL;
	char *put;

	if (entries_read(bundle, &entries) < 0)
		return NULL;
	files = malloc(((size_t)entries.count + 1) * sizeof(*files) +
	    (size_t)entries.count * BUNDLE_PATH_SIZE);
	if (files != NULL) {
		put = (char *)(files + entries.count + 1);
		for (int i = 0; i < entries.count; i++) {
			files[i] = strcpy(put, entries.rows[i].path);
			put += strlen(put) + 1;
		}
		files[entries.count] = NULL;
	}
	free(entries.rows);
	return files;
}

/*
 * Unpacking.
 */

/*
 * Removes a file or a link, or a folder with all below it, read-only or not.  0
 * or -errno; what does not exist is removed.
 */
static int
tree_remove(int parent_fd, const char *name)
{
	const struct dirent *entry;
	DIR *folder;
	int status = 0;

	if (unlinkat(parent_fd, name, 0) == 0 || errno == ENOENT)
		return 0;
	/* A folder is EISDIR, or EPERM on some file systems. */
	if (errno != EISDIR && errno != EPERM)
		return -errno;
	/* Another user with write access may put a link in its place. */
	if (fchmodat(parent_fd, name, 0700, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	folder = folder_open(parent_fd, name);
	if (folder == NULL)
		return -errno;
	while (status == 0 && (entry = readdir(folder)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			status = tree_remove(dirfd(folder), entry->d_name);
	closedir(folder);
	if (status == 0 && unlinkat(parent_fd, name, AT_REMOVEDIR) < 0)
		status = -errno;
	return status;
}

static int
file_unpack(int root_fd, const struct entry *entry)
{
	int fd = openat(root_fd, entry->path,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	int status;

	if (fd < 0)
		return -errno;
	status = run_write_at(fd, entry->bytes, (size_t)entry->size, 0);
	if (status == 0 &&
	    (fchmod(fd, entry->executable ? 0555 : 0444) < 0 || fsync(fd) < 0))
		status = -errno;
	if (close(fd) < 0 && status == 0)
		status = -errno;
	return status;
}

static int
folder_make(int root_fd, const char *folder)
{
	return mkdirat(root_fd, folder, 0755) < 0 ? -errno : 0;
}

/* Makes a folder read-only and durable. */
static int
folder_close(int root_fd, const char *folder)
{
	int fd = openat(
	    root_fd, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int status = 0;

	if (fd < 0)
		return -errno;
	/* Some file systems cannot synchronise a folder, and need not. */
	if (fchmod(fd, 0555) < 0 || (fsync(fd) < 0 && errno != EINVAL))
		status = -errno;
	close(fd);
	return status;
}

/*
 * Calls `visit` for each folder of the entries once, a folder before those in
 * it: entries of one folder follow each other.
 */
static int
folders_visit(const struct entries *entries, int root_fd,
    int (*visit)(int root_fd, const char *folder))
{
	const char *last = "";
	int status = 0;

	for (int i = 0; i < entries->count; i++) {
		const char *path = entries->rows[i].path;
		char folder[BUNDLE_PATH_SIZE];

		for (const char *slash = strchr(path, '/');
		     slash != NULL && status == 0;
		     slash = strchr(slash + 1, '/')) {
			size_t length = (size_t)(slash - path);

			if (strncmp(last, path, length + 1) == 0)
				continue;
			memcpy(folder, path, length);
			folder[length] = '\0';
			status = visit(root_fd, folder);
		}
		last = path;
	}
	return status;
}

/* Writes all files below the empty folder `part`. */
static int
entries_unpack(const struct entries *entries, int cache_fd, const char *part)
{
	int status, root_fd;

	if (mkdirat(cache_fd, part, 0755) < 0)
		return -errno;
	root_fd = openat(
	    cache_fd, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (root_fd < 0)
		return -errno;
	status = folders_visit(entries, root_fd, folder_make);
	for (int i = 0; i < entries->count && status == 0; i++)
		status = file_unpack(root_fd, &entries->rows[i]);
	if (status == 0)
		status = folders_visit(entries, root_fd, folder_close);
	if (status == 0)
		status = folder_close(root_fd, ".");
	close(root_fd);
	return status;
}

/* Unpacks while the cache is locked. */
static int
unpack_alone(const struct bundle *bundle, int cache_fd, const char *hex,
    const char *path)
{
	struct store_error ignored;
	struct entries entries;
	char part[BUNDLE_HEX_SIZE + sizeof(".part")];
	int status;

	snprintf(part, sizeof(part), "%s.part", hex);
	status = tree_remove(cache_fd, part);
	if (status)
		return status;
	if (bundle_check(path, bundle->digest, NULL, &ignored) == 0)
		return 0;
	/* The folder does not have the files of its name. */
	if (renameat(cache_fd, hex, cache_fd, part) == 0)
		status = tree_remove(cache_fd, part);
	if (status)
		return status;
	status = entries_read(bundle, &entries);
	if (status)
		return status;
	status = entries_unpack(&entries, cache_fd, part);
	if (status == 0 &&
	    (renameat(cache_fd, part, cache_fd, hex) < 0 ||
		(fsync(cache_fd) < 0 && errno != EINVAL)))
		status = -errno;
	if (status)
		(void)tree_remove(cache_fd, part);
	free(entries.rows);
	return status;
}

/* Locks a cache, which may wait; a signal ends it.  A descriptor, or -errno. */
static int
cache_lock(int cache_fd)
{
	int fd = openat(cache_fd, CACHE_LOCK,
	    O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
	int error;

	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX) == 0)
		return fd;
	error = -errno;
	close(fd);
	return error;
}

int
bundle_unpack(const struct bundle *bundle, const char *cache,
    char path[PATH_MAX], struct store_error *error)
{
	char hex[BUNDLE_HEX_SIZE], unpacked[PATH_MAX];
	int cache_fd = open(cache, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int lock_fd, status;

	if (cache_fd < 0)
		return run_fail(-errno, "use the folder", cache, error);
	bundle_hex(bundle->digest, hex);
	if (snprintf(unpacked, sizeof(unpacked), "%s/%s", cache, hex) >=
	    (int)sizeof(unpacked)) {
		status = -ENAMETOOLONG;
		goto close_cache;
	}
	lock_fd = cache_lock(cache_fd);
	status = lock_fd < 0 ? lock_fd
			     : unpack_alone(bundle, cache_fd, hex, unpacked);
	if (lock_fd >= 0)
		close(lock_fd);
	if (status == 0)
		memcpy(path, unpacked, sizeof(unpacked));
close_cache:
	close(cache_fd);
	return status == 0
	    ? 0
	    : run_fail(status, "unpack a bot into", cache, error);
}

int
bundle_check(const char *path, const uint8_t digest[BUNDLE_DIGEST_SIZE],
    struct bundle *bundle, struct store_error *error)
{
	static const char *const all[] = { "." };
	struct bundle found;
	int status = files_bundle(&found, path, all, COUNTOF(all), true, error);

	if (status)
		return status;
	if (memcmp(found.digest, digest, BUNDLE_DIGEST_SIZE) != 0)
		status = store_fail(error, -EBADMSG,
		    "remove the folder: it is unpacked again",
		    "the files below \"%s\" are not those that were sent: they "
		    "were changed",
		    path);
	if (status || bundle == NULL)
		bundle_release(&found);
	else
		*bundle = found;
	return status;
}

int
bundle_hold(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat found;
	int error;

	if (fd < 0)
		return -errno;
	/* A process that removes the folder holds an exclusive lock on it. */
	if (flock(fd, LOCK_SH) < 0 || fstat(fd, &found) < 0) {
		error = -errno;
	} else if (found.st_nlink == 0) {
		error = -ENOENT;
	} else {
		/* The folder of another user keeps its time. */
		(void)futimens(fd, NULL);
		return fd;
	}
	close(fd);
	return error;
}

/* An unpacked folder, and when it was used last. */
struct unpacked {
	char name[BUNDLE_HEX_SIZE];
	struct timespec used;
};

static int
compare_used(const void *one, const void *other)
{
	const struct timespec *a = &((const struct unpacked *)one)->used;
	const struct timespec *b = &((const struct unpacked *)other)->used;

	if (a->tv_sec != b->tv_sec)
		return a->tv_sec < b->tv_sec ? 1 : -1;
	return (a->tv_nsec < b->tv_nsec) - (a->tv_nsec > b->tv_nsec);
}

/* Removes an unpacked folder, unless a process holds it. */
static void
unpacked_remove(int cache_fd, const char *name)
{
	int fd = openat(
	    cache_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	char part[BUNDLE_HEX_SIZE + sizeof(".part")];

	if (fd < 0)
		return;
	snprintf(part, sizeof(part), "%s.part", name);
	if (flock(fd, LOCK_EX | LOCK_NB) == 0 &&
	    tree_remove(cache_fd, part) == 0 &&
	    renameat(cache_fd, name, cache_fd, part) == 0)
		(void)tree_remove(cache_fd, part);
	close(fd);
}

void
bundle_cache_prune(const char *cache, int kept)
{
	const struct dirent *entry;
	struct unpacked *all = NULL;
	struct stat found;
	DIR *folder = opendir(cache);
	int count = 0, capacity = 0, lock_fd;

	if (folder == NULL)
		return;
	lock_fd = cache_lock(dirfd(folder));
	while (lock_fd >= 0 && (entry = readdir(folder)) != NULL) {
		if (strspn(entry->d_name, "0123456789abcdef") !=
			BUNDLE_HEX_SIZE - 1 ||
		    entry->d_name[BUNDLE_HEX_SIZE - 1] != '\0' ||
		    fstatat(dirfd(folder), entry->d_name, &found,
			AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		if (ARRAY_GROW(all, count, capacity))
			break;
		all[count].used = found.st_mtim;
		memcpy(all[count++].name, entry->d_name, BUNDLE_HEX_SIZE);
	}
	if (count > kept)
		qsort(all, (size_t)count, sizeof(*all), compare_used);
	for (int i = kept; i < count; i++)
		unpacked_remove(dirfd(folder), all[i].name);
	free(all);
	if (lock_fd >= 0)
		close(lock_fd);
	closedir(folder);
}

int
bundle_cache_remove(const char *cache)
{
	return tree_remove(AT_FDCWD, cache);
}
