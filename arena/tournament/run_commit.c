/*
 * Blocks become lasting: their records first, then their results.
 */
#include <assert.h>
#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chain.h"
#include "run_state.h"

enum { BLOCKS_MIN = 16, BYTES_MIN = 65536 };

static int
grow_blocks(struct run *run)
{
	size_t capacity = run->pending_capacity > 0
	    ? 2 * (size_t)run->pending_capacity
	    : BLOCKS_MIN;
	struct block_result *pending;
	struct store_place *places;

	if (run->pending_count < run->pending_capacity)
		return 0;
	pending = reallocarray(run->pending, capacity, sizeof(*pending));
	if (!pending)
		return -ENOMEM;
	run->pending = pending;
	places = reallocarray(run->places, capacity, sizeof(*places));
	if (!places)
		return -ENOMEM;
	run->places = places;
	run->pending_capacity = (int)capacity;
	return 0;
}

static int
grow_bytes(struct run *run, size_t size)
{
	size_t capacity = run->byte_capacity ? run->byte_capacity : BYTES_MIN;
	char *bytes;

	while (capacity - run->byte_count < size)
		capacity *= 2;
	if (capacity == run->byte_capacity)
		return 0;
	bytes = realloc(run->bytes, capacity);
	if (!bytes)
		return -ENOMEM;
	run->bytes = bytes;
	run->byte_capacity = capacity;
	return 0;
}

int
run_add(struct run *run, const struct block_result *block, const char *record,
    size_t size)
{
	struct store_place *place;
	int status = grow_blocks(run);

	assert(run->lock_fd >= 0);
	assert(block->skipped == (size == 0));
	assert(block->plan.index == run->block_count + run->pending_count);
	if (!status)
		status = grow_bytes(run, size);
	if (status)
		return status;
	place = &run->places[run->pending_count];
	*place = (struct store_place){ .size = (int64_t)size };
	if (size > 0) {
		place->offset = run->record_size + (int64_t)run->byte_count;
		memcpy(run->bytes + run->byte_count, record, size);
	}
	crypto_hash_sha256(place->digest, (const unsigned char *)record, size);
	chain_add(run->chain, block, place->digest);
	memcpy(place->chain, run->chain, sizeof(place->chain));
	run->pending[run->pending_count++] = *block;
	run->byte_count += size;
	return 0;
}

/* Errors that mean: no room; and what is to be said of it. */
static int
write_failed(const struct run *run, int status, struct store_error *error)
{
	store_error_set(error, "cannot write to \"%s/%s\": %s", run->path,
	    RUN_RECORDS, strerror(-status));
	if (status != -ENOSPC && status != -EDQUOT && status != -EFBIG)
		return status;
	store_error_hint(
	    error, "nothing is lost: make room on the disk and go on");
	return -ENOSPC;
}

/* Writes what is not on the disk yet; a part is taken back. */
static int
write_records(struct run *run, struct store_error *error)
{
	size_t done = run->bytes_written;
	int status = 0;

	while (done < run->byte_count) {
		ssize_t written = pwrite(run->records_fd, run->bytes + done,
		    run->byte_count - done, run->record_size + (int64_t)done);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0) {
			status = written < 0 ? -errno : -ENOSPC;
			goto take_back;
		}
		done += (size_t)written;
	}
	if (fdatasync(run->records_fd) < 0) {
		status = -errno;
		goto take_back;
	}
	run->bytes_written = run->byte_count;
	return 0;
take_back:
	/* Should this fail, the part is cut off when the run is opened. */
	if (ftruncate(run->records_fd,
		run->record_size + (int64_t)run->bytes_written) < 0)
		status = status == -ENOSPC ? status : -errno;
	return write_failed(run, status, error);
}

/* Nobody would find what is added to a file that has lost its name. */
static int
check_place(const struct run *run, struct store_error *error)
{
	struct stat ours, there;
	char path[PATH_MAX];

	run_file(run, RUN_RECORDS, path);
	if (fstat(run->records_fd, &ours) == 0 && stat(path, &there) == 0 &&
	    ours.st_ino == there.st_ino && ours.st_dev == there.st_dev)
		return 0;
	store_error_set(
	    error, "the records \"%s\" are not there any more", path);
	store_error_hint(error, "bring them back and go on");
	return -ESTALE;
}

int
run_forget(struct run *run, struct store_error *error)
{
	int status;

	run->pending_count = 0;
	run->byte_count = run->bytes_written = 0;
	status = store_last_chain(run->store, run->chain, error);
	if (status != -ENOENT)
		return status;
	chain_begin(&run->head, run->chain);
	return 0;
}

int
run_commit(struct run *run, struct store_error *error)
{
	int status;

	if (run->broken) {
		store_error_set(error,
		    "the disk under \"%s\" failed: %s; nobody knows what is "
		    "on it",
		    run->path, strerror(-run->broken));
		store_error_hint(
		    error, "open the run again: it goes on from what is there");
		return run->broken;
	}
	if (run->pending_count == 0)
		return 0;
	status = check_place(run, error);
	/* Records that last stay where they are, whatever becomes of their
	 * results: a database that failed may hold them all the same. */
	if (!status)
		status = write_records(run, error);
	if (!status)
		status = store_add(run->store, run->pending, run->places,
		    run->pending_count, error);
	if (status) {
		run->broken = status == -EIO ? status : 0;
		return status;
	}
	run->block_count += run->pending_count;
	run->record_size += (int64_t)run->byte_count;
	run->pending_count = 0;
	run->byte_count = run->bytes_written = 0;
	return 0;
}
