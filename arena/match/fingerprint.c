/*
 * Fingerprints of the files of bots: device, inode, size and times of the file
 * (its `mark`) and the SHA-256 of its bytes.
 *
 * A check compares the mark first. It reads the file again only if the mark has
 * changed. A file with another mark but the same SHA-256 is the same file.
 */
#include "fingerprint.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK_SIZE = 65536 };

_Static_assert(FINGERPRINT_DIGEST_SIZE == crypto_hash_sha256_BYTES, "SHA-256");

/* Reads the mark of a file. Returns 0 or -errno; -EINVAL: no regular file. */
static int
mark_read(const char *path, struct stat *mark)
{
	if (stat(path, mark) < 0)
		return -errno;
	return S_ISREG(mark->st_mode) ? 0 : -EINVAL;
}

static bool
time_equal(struct timespec one, struct timespec other)
{
	return one.tv_sec == other.tv_sec && one.tv_nsec == other.tv_nsec;
}

bool
fingerprint_mark_equal(const struct stat *one, const struct stat *other)
{
	return one->st_dev == other->st_dev && one->st_ino == other->st_ino &&
	    one->st_size == other->st_size &&
	    time_equal(one->st_mtim, other->st_mtim) &&
	    time_equal(one->st_ctim, other->st_ctim);
}

/* Computes the SHA-256 of a file. Returns 0 or -errno. */
static int
digest_read(const char *path, uint8_t digest[FINGERPRINT_DIGEST_SIZE])
{
	unsigned char bytes[CHUNK_SIZE];
	crypto_hash_sha256_state state;
	/* O_NONBLOCK: open() does not wait if a FIFO replaced the file. */
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return -errno;
	crypto_hash_sha256_init(&state);
	while ((got = read(fd, bytes, sizeof(bytes))) > 0 ||
	    (got < 0 && errno == EINTR))
		if (got > 0)
			crypto_hash_sha256_update(&state, bytes, (size_t)got);
	got = got < 0 ? -errno : 0;
	close(fd);
	crypto_hash_sha256_final(&state, digest);
	return (int)got;
}

/*
 * The path that the bot would open for a word of its command. Returns false if
 * the path is too long.
 */
static bool
join(char path[PATH_MAX], const char *dir, const char *word)
{
	int length = dir == NULL || word[0] == '/'
	    ? snprintf(path, PATH_MAX, "%s", word)
	    : snprintf(path, PATH_MAX, "%s/%s", dir, word);

	return length < PATH_MAX;
}

/*
 * Finds the file of the bot, and stores its path and its mark. Returns false if
 * its mark cannot be read.
 */
static bool
find_file(struct fingerprint *fingerprint, const struct program *program,
    const char *dir)
{
	const char *arguments[PROGRAM_ARGUMENTS_MAX + 1];

	program_arguments(program, arguments);
	for (int i = 1; strchr(arguments[0], '/') == NULL; i++) {
		if (arguments[i] == NULL)
			break;
		if (join(fingerprint->path, dir, arguments[i]) &&
		    mark_read(fingerprint->path, &fingerprint->mark) == 0)
			return true;
	}
	snprintf(
	    fingerprint->path, sizeof(fingerprint->path), "%s", program->path);
	return mark_read(fingerprint->path, &fingerprint->mark) == 0;
}

void
fingerprint_make(struct fingerprint *fingerprint, const struct program *program,
    const char *dir)
{
	if (!find_file(fingerprint, program, dir)) {
		fingerprint->path[0] = '\0';
		return;
	}
	fingerprint->readable =
	    digest_read(fingerprint->path, fingerprint->digest) == 0;
}

void
fingerprint_make_file(struct fingerprint *fingerprint, const char *path)
{
	if (snprintf(fingerprint->path, sizeof(fingerprint->path), "%s",
		path) >= (int)sizeof(fingerprint->path) ||
	    mark_read(path, &fingerprint->mark) < 0) {
		fingerprint->path[0] = '\0';
		return;
	}
	fingerprint->readable = digest_read(path, fingerprint->digest) == 0;
}

/* Checks one file. Returns as fingerprint_check(). */
static int
file_check(const struct fingerprint *fingerprint)
{
	uint8_t digest[FINGERPRINT_DIGEST_SIZE];
	struct stat mark;
	int error;

	if (fingerprint->path[0] == '\0')
		return 0;
	error = mark_read(fingerprint->path, &mark);
	if (error == -EINVAL)
		return -ESTALE;
	if (error)
		return error;
	if (fingerprint_mark_equal(&mark, &fingerprint->mark))
		return 0;
	if (!fingerprint->readable)
		return -ESTALE;
	error = digest_read(fingerprint->path, digest);
	if (error)
		return error;
	return memcmp(digest, fingerprint->digest, sizeof(digest)) == 0
	    ? 0
	    : -ESTALE;
}

int
fingerprint_check(const struct fingerprint *fingerprint)
{
	int error = file_check(fingerprint);

	for (int i = 0; i < fingerprint->other_count && error == 0; i++)
		error = file_check(&fingerprint->others[i]);
	return error;
}
