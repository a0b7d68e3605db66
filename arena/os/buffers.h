/*
 * The buffers of a bot's pipes: a line reader for its stdout, a write buffer for
 * its stdin, and a ring buffer that keeps the end of its stderr.  Each has a fixed
 * size.
 *
 * Line reader: bytes become lines, with hard limits and without a copy.
 * LF ends a line and one CR before it is dropped.  However the bytes come in
 * pieces, the same lines and flaws come out.  A line without its LF never
 * counts.
 *
 *	char *space = line_space(&reader, &size);
 *	line_feed(&reader, read(fd, space, size));
 *	while ((kind = line_next(&reader, &line)) != LINE_NONE)
 *		...
 */
#ifndef BUFFERS_H
#define BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	LINE_SIZE_MAX = 4096, /* bytes of a line, its end not counted */
	LINE_BUFFER_SIZE = 2 * (LINE_SIZE_MAX + 1),
	LINE_FLOOD_LINES = 64,        /* so many are let pass.. */
	LINE_FLOOD_BYTES = 64 * 1024, /* ..since line_mark() */
};

enum line_kind {
	LINE_NONE,     /* no complete line is there */
	LINE_WHOLE,    /* bytes 0x20..0x7E and HT only */
	LINE_BAD_BYTE, /* complete, but holds some other byte (NUL included) */
	LINE_TOO_LONG, /* over the limit; told once, skipped to its LF */
	LINE_FLOOD     /* more than LINE_FLOOD_..; told once, all is dropped */
};

/* Valid until the next call of line_next(), line_space() or line_mark(). */
struct line {
	const char
	    *bytes;    /* NUL at bytes[length], also where a NUL is inside */
	size_t length; /* of LINE_TOO_LONG: the first LINE_SIZE_MAX bytes */
};

struct line_reader {
	size_t start;    /* first byte not yet given out */
	size_t scanned;  /* no LF between start and here */
	size_t end;      /* one after the last byte fed */
	bool discarding; /* inside a line of which the rest does not matter */
	bool flooded;
	size_t line_count; /* given out since line_mark(), flawed ones too */
	size_t byte_count; /* given out or dropped since then */
	char buffer[LINE_BUFFER_SIZE];
};

void line_init(struct line_reader *reader);

/*
 * Where to read to, and how much fits: never less than half the buffer.  Only
 * after line_next() has said LINE_NONE.
 */
char *line_space(struct line_reader *reader, size_t *size);

/* `size` bytes have been put at line_space(). */
void line_feed(struct line_reader *reader, size_t size);

/* Takes the next line; *line is of no length for LINE_NONE and LINE_FLOOD. */
enum line_kind line_next(struct line_reader *reader, struct line *line);

/*
 * All that was given out so far was wanted: the counts begin anew.  After a
 * flood lines are given out again, from the next whole one.
 */
void line_mark(struct line_reader *reader);

/* Bytes of a line whose LF has not come: what is lost at the end of input. */
size_t line_pending(const struct line_reader *reader);

/*
 * Write buffer: bytes that wait for a pipe that may be full.
 */

enum { WRITE_BUFFER_SIZE = 256 * 1024 };

struct write_buffer {
	size_t start; /* first byte that waits */
	size_t end;   /* one after the last */
	char bytes[WRITE_BUFFER_SIZE];
};

/* Empties it. */
void write_buffer_init(struct write_buffer *write_buffer);

/* Copies bytes behind those that wait.  0, or -ENOBUFS and nothing taken. */
int write_buffer_add(
    struct write_buffer *write_buffer, const char *bytes, size_t size);

/*
 * One write(2) of all that waits.  0 when nothing waits any more, -EAGAIN when
 * the pipe is full, or the -errno of write(2).
 */
int write_buffer_write(struct write_buffer *write_buffer, int fd);

/*
 * Adds and writes; bytes that go into the pipe at once are not copied.  Answers
 * of both.
 */
int write_buffer_send(
    struct write_buffer *write_buffer, int fd, const char *bytes, size_t size);

static inline size_t
write_buffer_waiting(const struct write_buffer *write_buffer)
{
	return write_buffer->end - write_buffer->start;
}

/*
 * Ring buffer: the last bytes of an endless stream.
 */

enum { RING_BUFFER_SIZE = 64 * 1024 };

struct ring_buffer {
	uint64_t
	    total; /* bytes ever fed; the next goes to total % RING_BUFFER_SIZE */
	char bytes[RING_BUFFER_SIZE];
};

void ring_buffer_init(struct ring_buffer *ring_buffer);

/* Where to read to, and how much fits there (1 or more). */
char *ring_buffer_space(struct ring_buffer *ring_buffer, size_t *size);

/* `size` bytes have been put at ring_buffer_space(). */
void ring_buffer_feed(struct ring_buffer *ring_buffer, size_t size);

/*
 * Copies the end of the stream, `size` bytes at most.  Where bytes before
 * them are missing, `mark` (shorter than `size`) stands first and counts.
 * Answers how many bytes were put.
 */
size_t ring_buffer_copy(const struct ring_buffer *ring_buffer, const char *mark,
    char *bytes, size_t size);

/*
 * Strangers' bytes made fit for a terminal.
 */

/*
 * Writes `length` bytes as printable ASCII, every other byte as \xNN, with a
 * NUL; LF and HT stay where `keep_lines`.  Where `text_size` does not suffice,
 * the text ends early, never within an escape.  The answer is the length of
 * the text.
 */
size_t escape_bytes(const char *bytes, size_t length, bool keep_lines,
    char *text, size_t text_size);

#endif
