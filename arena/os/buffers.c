/*
 * The line reader keeps its bytes in one buffer of two lines: [start, end) has
 * been read from the pipe but not yet given out, and [start, scanned) is known
 * to hold no LF.  A line is given out in place, with a NUL over the byte after
 * it.  Limits are checked in the order of the bytes, so the way in which a pipe
 * cuts the stream never changes the result.
 *
 * The ring buffer needs no end marker: byte number n of the stream is stored at
 * n % RING_BUFFER_SIZE.
 */
#include "buffers.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "countof.h"

void
line_init(struct line_reader *reader)
{
	/* The buffer is left untouched until it is needed. */
	memset(reader, 0, offsetof(struct line_reader, buffer));
}

char *
line_space(struct line_reader *reader, size_t *size)
{
	size_t length = reader->end - reader->start;

	/* Most reads end with a line.  Then the buffer is empty and nothing is
	 * moved. */
	if (reader->start > 0) {
		if (length > 0)
			memmove(reader->buffer, reader->buffer + reader->start,
			    length);
		reader->start = 0;
		reader->scanned = length;
		reader->end = length;
	}
	*size = LINE_BUFFER_SIZE - reader->end;
	assert(*size >= LINE_BUFFER_SIZE / 2);
	return reader->buffer + reader->end;
}

void
line_feed(struct line_reader *reader, size_t size)
{
	assert(size <= LINE_BUFFER_SIZE - reader->end);
	reader->end += size;
}

/*
 * Tells whether eight bytes are all 0x20..0x7E.  A carry between bytes needs a
 * byte of 0x80 or more, which fails the test anyway.  A borrow can only report
 * a good byte as bad, never the reverse; the caller checks such bytes again one
 * by one.
 */
static bool
eight_plain(const char *bytes)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t eight;

	memcpy(&eight, bytes, sizeof(eight));
	return ((eight | (eight + ones) | (eight - 0x20 * ones)) &
		   0x80 * ones) == 0;
}

static bool
line_plain(const char *bytes, size_t length)
{
	size_t plain = 0;

	while (length - plain >= 8 && eight_plain(bytes + plain))
		plain += 8;
	for (size_t i = plain; i < length; i++) {
		unsigned char byte = (unsigned char)bytes[i];

		if ((byte < 0x20 || byte > 0x7e) && byte != '\t')
			return false;
	}
	return true;
}

/*
 * Drops all bytes that were fed.  If they end inside a line, the rest of that
 * line will be dropped too.
 */
static void
line_drop(struct line_reader *reader)
{
	if (reader->end == reader->start)
		return;
	reader->discarding = reader->buffer[reader->end - 1] != '\n';
	reader->byte_count += reader->end - reader->start;
	reader->start = reader->end;
	reader->scanned = reader->end;
}

static enum line_kind
line_flood(struct line_reader *reader)
{
	reader->flooded = true;
	line_drop(reader);
	return LINE_FLOOD;
}

/* Describes a line and writes a NUL after its last byte. */
static void
line_cut(struct line *line, char *begin, size_t length)
{
	begin[length] = '\0';
	line->bytes = begin;
	line->length = length;
}

/*
 * Returns how many bytes of a line prove that it is too long, or 0 if it is not
 * too long so far.  One byte over the limit is allowed while it may be the CR
 * of the line end.
 */
static size_t
line_excess(const char *begin, size_t length)
{
	if (length <= LINE_SIZE_MAX)
		return 0;
	if (begin[LINE_SIZE_MAX] != '\r')
		return LINE_SIZE_MAX + 1;
	return length == LINE_SIZE_MAX + 1 ? 0 : LINE_SIZE_MAX + 2;
}

/*
 * Gives out a line that is too long.  Only the bytes that prove this are
 * consumed, even if more bytes of the line have been read, so a flood is always
 * reported at the same byte.
 */
static enum line_kind
line_refuse(struct line_reader *reader, struct line *line, size_t excess)
{
	char *begin = reader->buffer + reader->start;

	if (reader->byte_count + excess > LINE_FLOOD_BYTES ||
	    reader->line_count == LINE_FLOOD_LINES)
		return line_flood(reader);
	reader->line_count++;
	reader->byte_count += excess;
	reader->start += excess;
	reader->discarding = true;
	line_cut(line, begin, LINE_SIZE_MAX);
	return LINE_TOO_LONG;
}

/* The buffer holds no LF, and the line is not too long so far. */
static enum line_kind
line_unfinished(struct line_reader *reader)
{
	size_t length = reader->end - reader->start;

	if (reader->byte_count + length > LINE_FLOOD_BYTES)
		return line_flood(reader);
	reader->scanned = reader->end;
	if (reader->discarding)
		line_drop(reader);
	return LINE_NONE;
}

enum line_kind
line_next(struct line_reader *reader, struct line *line)
{
	char *begin, *lf;
	size_t length, excess;

	line->bytes = "";
	line->length = 0;
	if (reader->flooded) {
		line_drop(reader);
		return LINE_NONE;
	}
	for (;;) {
		begin = reader->buffer + reader->start;
		lf = memchr(reader->buffer + reader->scanned, '\n',
		    reader->end - reader->scanned);
		length =
		    lf ? (size_t)(lf - begin) : reader->end - reader->start;
		excess = reader->discarding ? 0 : line_excess(begin, length);
		if (excess > 0) {
			reader->scanned = reader->start + length;
			return line_refuse(reader, line, excess);
		}
		if (lf == NULL)
			return line_unfinished(reader);
		if (reader->byte_count + length + 1 > LINE_FLOOD_BYTES)
			return line_flood(reader);
		if (!reader->discarding &&
		    reader->line_count == LINE_FLOOD_LINES)
			return line_flood(reader);
		reader->byte_count += length + 1;
		reader->start += length + 1;
		reader->scanned = reader->start;
		if (!reader->discarding)
			break;
		reader->discarding = false;
	}
	reader->line_count++;
	if (length > 0 && begin[length - 1] == '\r')
		length--;
	line_cut(line, begin, length);
	return line_plain(begin, length) ? LINE_WHOLE : LINE_BAD_BYTE;
}

void
line_accept(struct line_reader *reader)
{
	reader->flooded = false;
	reader->line_count = 0;
	reader->byte_count = 0;
}

size_t
line_pending(const struct line_reader *reader)
{
	return reader->discarding ? 0 : reader->end - reader->start;
}

void
write_buffer_init(struct write_buffer *write_buffer)
{
	write_buffer->start = 0;
	write_buffer->end = 0;
}

int
write_buffer_add(
    struct write_buffer *write_buffer, const char *bytes, size_t size)
{
	size_t waiting = write_buffer_waiting(write_buffer);

	if (size > WRITE_BUFFER_SIZE - waiting)
		return -ENOBUFS;
	if (size > WRITE_BUFFER_SIZE - write_buffer->end) {
		memmove(write_buffer->bytes,
		    write_buffer->bytes + write_buffer->start, waiting);
		write_buffer->start = 0;
		write_buffer->end = waiting;
	}
	memcpy(write_buffer->bytes + write_buffer->end, bytes, size);
	write_buffer->end += size;
	return 0;
}

/*
 * Writes to the pipe.  Returns how many of the `size` bytes it took, or -errno.
 */
static ssize_t
write_some(int fd, const char *bytes, size_t size)
{
	ssize_t written = size > 0 ? write(fd, bytes, size) : 0;

	if (written >= 0)
		return written;
	return errno == EINTR || errno == EAGAIN ? 0 : -errno;
}

int
write_all(int fd, const char *bytes, size_t size)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };

	while (size > 0) {
		ssize_t written = write_some(fd, bytes, size);

		if (written < 0)
			return (int)written;
		bytes += written;
		size -= (size_t)written;
		if (size > 0)
			(void)poll(&room, 1, -1);
	}
	return 0;
}

int
write_buffer_write(struct write_buffer *write_buffer, int fd)
{
	ssize_t written =
	    write_some(fd, write_buffer->bytes + write_buffer->start,
		write_buffer_waiting(write_buffer));

	if (written < 0)
		return (int)written;
	write_buffer->start += (size_t)written;
	if (write_buffer_waiting(write_buffer) > 0)
		return -EAGAIN;
	write_buffer_init(write_buffer);
	return 0;
}

int
write_buffer_send(
    struct write_buffer *write_buffer, int fd, const char *bytes, size_t size)
{
	int status;

	if (write_buffer_waiting(write_buffer) == 0 &&
	    size <= WRITE_BUFFER_SIZE) {
		ssize_t written = write_some(fd, bytes, size);

		if (written < 0)
			return (int)written;
		if (written == (ssize_t)size)
			return 0;
		bytes += written;
		size -= (size_t)written;
	}
	status = write_buffer_add(write_buffer, bytes, size);
	return status < 0 ? status : write_buffer_write(write_buffer, fd);
}

void
ring_buffer_init(struct ring_buffer *ring_buffer)
{
	ring_buffer->total = 0;
}

char *
ring_buffer_space(struct ring_buffer *ring_buffer, size_t *size)
{
	size_t next = (size_t)(ring_buffer->total % RING_BUFFER_SIZE);

	*size = RING_BUFFER_SIZE - next;
	return ring_buffer->bytes + next;
}

void
ring_buffer_feed(struct ring_buffer *ring_buffer, size_t size)
{
	assert(
	    size <= RING_BUFFER_SIZE - ring_buffer->total % RING_BUFFER_SIZE);
	ring_buffer->total += size;
}

size_t
ring_buffer_copy(const struct ring_buffer *ring_buffer, const char *mark,
    char *bytes, size_t size)
{
	size_t kept = ring_buffer->total < RING_BUFFER_SIZE
	    ? (size_t)ring_buffer->total
	    : RING_BUFFER_SIZE;
	size_t put = 0, first, next;

	if (ring_buffer->total > kept || kept > size) {
		put = strlen(mark);
		assert(put < size);
		memcpy(bytes, mark, put);
	}
	if (kept > size - put)
		kept = size - put;
	next = (size_t)((ring_buffer->total - kept) % RING_BUFFER_SIZE);
	first = kept < RING_BUFFER_SIZE - next ? kept : RING_BUFFER_SIZE - next;
	memcpy(bytes + put, ring_buffer->bytes + next, first);
	memcpy(bytes + put + first, ring_buffer->bytes, kept - first);
	return put + kept;
}

size_t
escape_bytes(const char *bytes, size_t length, bool allow_lines, char *text,
    size_t text_size)
{
	static const char digits[] = "0123456789ABCDEF";
	size_t put = 0;

	assert(text_size > 0);
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)bytes[i];

		if ((byte >= 0x20 && byte <= 0x7e) ||
		    (allow_lines && (byte == '\n' || byte == '\t'))) {
			if (text_size - put < 2)
				break;
			text[put++] = (char)byte;
			continue;
		}
		if (text_size - put < ESCAPE_SIZE + 1)
			break;
		text[put++] = '\\';
		text[put++] = 'x';
		text[put++] = digits[byte >> 4];
		text[put++] = digits[byte & 15];
	}
	text[put] = '\0';
	return put;
}

/*
 * The file in memory.
 */

struct memory_file {
	char **bytes;
	size_t *size;
	size_t capacity;
	bool failed; /* there was no memory */
};

/* Sets the size, and makes room for this and the NUL.  False: no memory. */
static bool
memory_resize(struct memory_file *file, size_t size)
{
	file->failed |=
	    array_make_room(file->bytes, &file->capacity, size + 1, 1) != 0;
	if (file->failed)
		return false;
	*file->size = size;
	(*file->bytes)[size] = '\0';
	return true;
}

static ssize_t
memory_write(void *cookie, const char *bytes, size_t size)
{
	struct memory_file *file = cookie;
	size_t at = *file->size;

	if (!memory_resize(file, at + size))
		return 0;
	memcpy(*file->bytes + at, bytes, size);
	return (ssize_t)size;
}

/* Returns the position, which is always the end; or cuts the file there. */
static int
memory_seek(void *cookie, off64_t *offset, int whence)
{
	struct memory_file *file = cookie;
	off64_t at = (off64_t)*file->size;

	if (whence == SEEK_SET)
		at = *offset;
	else if (*offset != 0)
		return -1;
	if (at < 0 || at > (off64_t)*file->size ||
	    !memory_resize(file, (size_t)at))
		return -1;
	*offset = at;
	return 0;
}

static int
memory_close(void *cookie)
{
	struct memory_file *file = cookie;
	bool failed = file->failed;

	free(file);
	errno = ENOMEM;
	return failed ? -1 : 0;
}

FILE *
memory_file_open(char **bytes, size_t *size)
{
	static const cookie_io_functions_t functions = {
		.write = memory_write,
		.seek = memory_seek,
		.close = memory_close,
	};
	struct memory_file *file = calloc(1, sizeof(*file));
	FILE *stream;

	*bytes = NULL;
	if (file == NULL)
		return NULL;
	file->bytes = bytes;
	file->size = size;
	stream =
	    memory_resize(file, 0) ? fopencookie(file, "w", functions) : NULL;
	if (stream == NULL) {
		free(*bytes);
		*bytes = NULL;
		free(file);
	}
	return stream;
}
