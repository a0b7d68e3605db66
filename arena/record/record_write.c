/*
 * Builds game records in memory and appends them to files; record_write.h
 * describes the guarantees.
 *
 * While a record is appended, the file is locked with flock(2).  If the write
 * fails, the file is cut back to its earlier size.
 */
#include "record_write.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "outbox.h"

enum {
	ROOM_MIN = 1024,
	/* a record of this size keeps its memory for the next game */
	CAPACITY_KEPT = 1 << 20,
	SUM_LINE_SIZE = 128
};

_Static_assert(EVENT_HASH_SIZE == crypto_hash_sha256_BYTES,
    "the sum of a record is a SHA-256");

void
record_init(struct record *record)
{
	*record = (struct record){ .bytes = NULL };
}

void
record_release(struct record *record)
{
	free(record->bytes);
	record_init(record);
}

void
record_clear(struct record *record)
{
	/*
	 * Memory of one very long game is released, so that it is not held for
	 * the rest of the run.
	 */
	if (record->capacity > CAPACITY_KEPT)
		record_release(record);
	record->size = 0;
	record->line_count = 0;
}

int
record_make_room(
    void *array, size_t *capacity, size_t count, size_t more, size_t item_size)
{
	size_t room = *capacity;
	void *grown;

	if (count + more <= room)
		return 0;
	while (count + more > room)
		room = room ? 2 * room : ROOM_MIN;
	/*
	 * `array` points to a pointer of any type, so it is read and written as
	 * bytes.
	 */
	memcpy(&grown, array, sizeof(grown));
	grown = reallocarray(grown, room, item_size);
	if (!grown)
		return -ENOMEM;
	memcpy(array, &grown, sizeof(grown));
	*capacity = room;
	return 0;
}

int
record_add(struct record *record, const char *bytes, size_t size)
{
	if (size == 0)
		return 0;
	assert(bytes[size - 1] == '\n');
	if (size > RECORD_SIZE_MAX - record->size)
		return -EFBIG;
	if (record_make_room(
		&record->bytes, &record->capacity, record->size, size, 1))
		return -ENOMEM;
	memcpy(record->bytes + record->size, bytes, size);
	record->size += size;
	for (const char *at = bytes, *end = bytes + size; at < end; at++) {
		at = memchr(at, '\n', (size_t)(end - at));
		record->line_count++;
	}
	return 0;
}

int
record_step(struct record *record, struct outbox *outbox)
{
	int error;

	assert(!outbox->record.cut);
	error = record_add(record, outbox->record.bytes, outbox->record.length);
	if (!error)
		outbox_clear_record(outbox);
	return error;
}

int
record_sum(struct record *record)
{
	struct event event = {
		.kind = EVENT_SUM,
		.sum.lines = record->line_count,
	};
	struct scopa_text text = SCOPA_TEXT(SUM_LINE_SIZE);

	assert(record->size > 0);
	crypto_hash_sha256(
	    event.sum.hash, (const unsigned char *)record->bytes, record->size);
	event_format(&event, &text);
	scopa_text_char(&text, '\n');
	assert(!text.cut);
	return record_add(record, text.bytes, text.length);
}

/* Whether the first bytes of a file, or as many as there are, are these. */
static bool
begins_with(const char *head, size_t size, const char *beginning)
{
	size_t length = strlen(beginning);

	return memcmp(head, beginning, size < length ? size : length) == 0;
}

/* Whether a file is empty, or begins as records do: with or without heading. */
static bool
holds_records(int fd)
{
	char head[sizeof(RECORD_HEADING)];
	ssize_t size = pread(fd, head, sizeof(head), 0);

	return size <= 0 || begins_with(head, (size_t)size, RECORD_HEADING) ||
	    begins_with(head, (size_t)size, "match ");
}

int
record_file_open(const char *path)
{
	struct stat status;
	int fd, both;

	/*
	 * A pipe is opened for writing only.  If this process also had it open
	 * for reading, it would not notice that the real reader has closed it.
	 */
	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode))
		return fd;
	/*
	 * A regular file is read, too, to find out whether its last line is
	 * complete.
	 */
	both = open(path, O_RDWR | O_APPEND | O_CLOEXEC);
	if (both < 0)
		return fd;
	close(fd);
	if (holds_records(both))
		return both;
	close(both);
	return -EBADMSG;
}

/* The bytes that are needed between the present end of the file and a record. */
static const char *
separator(int fd, const struct stat *status)
{
	char last;

	if (!S_ISREG(status->st_mode) || status->st_size == 0)
		return RECORD_HEADING;
	/*
	 * If the last byte cannot be read, an additional empty line does no
	 * harm.
	 */
	if (pread(fd, &last, 1, status->st_size - 1) == 1 && last == '\n')
		return "";
	return "\n";
}

/* Writes all bytes.  Only pipes and similar files accept them in parts. */
static int
write_whole(int fd, struct iovec parts[2])
{
	int part = 0;

	while (part < 2) {
		ssize_t written =
		    TEMP_FAILURE_RETRY(writev(fd, parts + part, 2 - part));

		if (written < 0)
			return -errno;
		while (part < 2 && (size_t)written >= parts[part].iov_len) {
			written -= (ssize_t)parts[part].iov_len;
			part++;
		}
		if (part < 2) {
			parts[part].iov_base =
			    (char *)parts[part].iov_base + written;
			parts[part].iov_len -= (size_t)written;
		}
	}
	return 0;
}

int
record_file_append(int fd, const char *bytes, size_t size)
{
	const char *first;
	struct iovec parts[2];
	struct stat status;
	/* Not every kind of file can be locked. */
	bool locked = TEMP_FAILURE_RETRY(flock(fd, LOCK_EX)) == 0;
	int error = 0;

	if (fstat(fd, &status) < 0) {
		error = -errno;
		goto unlock;
	}
	first = separator(fd, &status);
	/* iovec has no const pointers; writev does not change the bytes. */
	parts[0] = (struct iovec){ (void *)(uintptr_t)first, strlen(first) };
	parts[1] = (struct iovec){ (void *)(uintptr_t)bytes, size };
	error = write_whole(fd, parts);
	/*
	 * A record that is incomplete, on a full disk for example, is removed
	 * again.
	 */
	if (error && locked && S_ISREG(status.st_mode) &&
	    ftruncate(fd, status.st_size) < 0)
		error = -errno;
unlock:
	if (locked)
		flock(fd, LOCK_UN);
	return error;
}
