/*
 * The records of a run, held against its results.
 */
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record_write.h"
#include "run_state.h"

enum { CHUNK_SIZE = 65536 };

/* The file is not what the results were made from. */
static int
mismatch(const char *folder, const char *what, struct store_error *error)
{
	store_error_set(
	    error, "the records \"%s/%s\" %s", folder, RUN_RECORDS, what);
	store_error_hint(error,
	    "bring the file back from a copy, or make the results anew from "
	    "what it holds; nothing was changed");
	store_error_try(error, "scopa-arena db rebuild %s", folder);
	return -EBADMSG;
}

/* 1 where these bytes of the file have the digest, 0, or -errno. */
static int
check_digest(int fd, const struct store_place *place)
{
	unsigned char bytes[CHUNK_SIZE], digest[STORE_DIGEST_SIZE];
	int64_t done = 0;
	crypto_hash_sha256_state state;

	crypto_hash_sha256_init(&state);
	while (done < place->size) {
		int64_t left = place->size - done;
		ssize_t got = pread(fd, bytes,
		    left < CHUNK_SIZE ? (size_t)left : sizeof(bytes),
		    place->offset + done);

		if (got < 0 && errno != EINTR)
			return -errno;
		if (got == 0)
			return 0;
		if (got < 0)
			continue;
		crypto_hash_sha256_update(&state, bytes, (size_t)got);
		done += got;
	}
	crypto_hash_sha256_final(&state, digest);
	return memcmp(digest, place->digest, sizeof(digest)) == 0;
}

static int
check_records(
    int fd, const char *folder, struct store *store, struct store_error *error)
{
	static const char heading[] = RECORD_HEADING;
	char begin[sizeof(heading) - 1];
	struct store_place place;
	struct stat file;
	int status = store_last_place(store, &place, error);

	if (status)
		return status;
	if (fstat(fd, &file) < 0)
		return run_fail(-errno, "read", RUN_RECORDS, error);
	if (file.st_size < place.offset + place.size)
		return mismatch(
		    folder, "are shorter than the results say", error);
	/* The heading is written before there are results. */
	if (pread(fd, begin, sizeof(begin), 0) != (ssize_t)sizeof(begin) ||
	    memcmp(begin, heading, sizeof(begin)) != 0)
		return mismatch(folder, "do not begin as records do", error);
	if (place.size == 0)
		return 0;
	status = check_digest(fd, &place);
	if (status < 0)
		return run_fail(status, "read", RUN_RECORDS, error);
	return status ? 0
		      : mismatch(folder,
			    "are not those of the results: the record of the "
			    "last block was changed",
			    error);
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
	store_error_set(error, "there are no records in \"%s\"", folder);
	store_error_hint(error, "a run is a folder that holds %s, %s and %s",
	    RUN_CONFIG, RUN_RESULTS, RUN_RECORDS);
	return -ENOENT;
}

int
run_records_open(const char *folder, bool writable, struct store *store,
    struct store_error *error)
{
	char path[PATH_MAX];
	int fd, status;

	run_path_join(path, folder, RUN_RECORDS);
	fd = open(path, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return mismatch(folder, "are gone", error);
	if (fd < 0)
		return run_fail(-errno, "open", path, error);
	status = check_records(fd, folder, store, error);
	if (!status)
		return fd;
	close(fd);
	return status;
}
