/*
 * Buffers of bytes.  Those of a bot's pipes have a fixed size: a line reader for
 * its stdout, a write buffer for its stdin, and a ring buffer that keeps the end
 * of its stderr.  A file in memory grows: texts are written to it piece by
 * piece.
 *
 * Line reader: splits bytes into lines, with hard limits and without copying.
 * LF ends a line, and one CR before the LF is dropped.  The result does not
 * depend on how the bytes are split between reads.  A line without its LF is
 * never given out.
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
#include <stdio.h>

enum {
	LINE_SIZE_MAX = 4096, /* bytes of a line, without its line end */
	LINE_BUFFER_SIZE = 2 * (LINE_SIZE_MAX + 1),
	LINE_FLOOD_LINES = 64,        /* lines allowed since line_accept() */
	LINE_FLOOD_BYTES = 64 * 1024, /* bytes allowed since then */
};

enum line_kind {
	LINE_NONE,     /* no complete line is there */
	LINE_WHOLE,    /* bytes 0x20..0x7E and HT only */
	LINE_BAD_BYTE, /* complete, but holds some other byte (NUL included) */
	/* Over the limit; reported once, then skipped up to its LF. */
	LINE_TOO_LONG,
	/* More than LINE_FLOOD_LINES or _BYTES; reported once, all input is
	 * dropped. */
	LINE_FLOOD
};

/* Valid until the next call of line_next(), line_space() or line_accept(). */
struct line {
	/* bytes[length] is NUL; a bad line may hold other NULs */
	const char *bytes;
	/* For LINE_TOO_LONG: the first LINE_SIZE_MAX bytes only. */
	size_t length;
};

struct line_reader {
	size_t start;   /* index of the first byte that was not given out yet */
	size_t scanned; /* no LF lies between `start` and here */
	size_t end;     /* one after the last byte that was fed */
	bool discarding; /* inside a line whose rest is to be dropped */
	bool flooded;
	/* Lines given out since line_accept(), flawed ones too. */
	size_t line_count;
	size_t byte_count; /* bytes given out or dropped since line_accept() */
	char buffer[LINE_BUFFER_SIZE];
};

void line_init(struct line_reader *reader);

/*
 * Returns the address to read to, and in *size how many bytes fit there: always
 * at least half of the buffer.  Call it only after line_next() has returned
 * LINE_NONE.
 */
char *line_space(struct line_reader *reader, size_t *size);

/* Tells the reader that `size` bytes were written at line_space(). */
void line_feed(struct line_reader *reader, size_t size);

/* Gives out the next line.  For LINE_NONE and LINE_FLOOD *line is empty. */
enum line_kind line_next(struct line_reader *reader, struct line *line);

/*
 * Accepts everything that was given out so far: the counts for LINE_FLOOD start
 * again at 0.  After a flood, lines are given out again, beginning with the
 * next whole one.
 */
void line_accept(struct line_reader *reader);

/*
 * Returns how many bytes were not given out: after LINE_NONE, those of a last
 * line that has no LF yet.  They are lost if the input ends now.
 */
size_t line_pending(const struct line_reader *reader);

/*
 * Write buffer: bytes that wait until a full pipe has room.
 */

enum { WRITE_BUFFER_SIZE = 256 * 1024 };

struct write_buffer {
	size_t start; /* index of the first byte that waits */
	size_t end;   /* one after the last byte that waits */
	char bytes[WRITE_BUFFER_SIZE];
};

/* Makes the buffer empty. */
void write_buffer_init(struct write_buffer *write_buffer);

/*
 * Copies bytes after those that wait.  Returns 0; or -ENOBUFS if they do not
 * fit, and then none is copied.
 */
int write_buffer_add(
    struct write_buffer *write_buffer, const char *bytes, size_t size);

/*
 * Writes all bytes, and waits for room if another process has made the
 * descriptor non-blocking, as one with the same terminal may.  Returns 0 or
 * -errno.
 */
int write_all(int fd, const char *bytes, size_t size);

/*
 * Makes one write(2) of all bytes that wait.  Returns 0 when no byte waits any
 * more, -EAGAIN when the pipe is full, or the -errno of write(2).
 */
int write_buffer_write(struct write_buffer *write_buffer, int fd);

/*
 * Does write_buffer_add() and write_buffer_write(), but does not copy the bytes
 * that the pipe takes at once.  Returns 0, -EAGAIN, -ENOBUFS or -errno as these
 * two do.
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
	/* Bytes ever fed; the next goes to total % RING_BUFFER_SIZE. */
	uint64_t total;
	char bytes[RING_BUFFER_SIZE];
};

void ring_buffer_init(struct ring_buffer *ring_buffer);

/*
 * Returns the address to read to, and in *size how many bytes fit there: at
 * least 1.
 */
char *ring_buffer_space(struct ring_buffer *ring_buffer, size_t *size);

/* Tells the buffer that `size` bytes were written at ring_buffer_space(). */
void ring_buffer_feed(struct ring_buffer *ring_buffer, size_t size);

/*
 * Copies the end of the stream, at most `size` bytes.  If earlier bytes are
 * lost, the copy begins with `mark`, which must be shorter than `size` and
 * counts as part of it.  Returns how many bytes were written; no NUL is added.
 */
size_t ring_buffer_copy(const struct ring_buffer *ring_buffer, const char *mark,
    char *bytes, size_t size);

/*
 * Makes bytes from a bot safe to print on a terminal.
 */

enum { ESCAPE_SIZE = 4 }; /* bytes of one escape, \xNN */

/*
 * Writes `length` bytes as printable ASCII with a NUL at the end.  Every other
 * byte is written as \xNN; LF and HT are kept if `allow_lines`.  If `text_size`
 * is too small, the text ends early, never inside an escape.  Returns the
 * length of the text.
 */
size_t escape_bytes(const char *bytes, size_t length, bool allow_lines,
    char *text, size_t text_size);

/*
 * Opens a file in memory for writing.  Use it in place of open_memstream(3): if
 * there is no memory, that of glibc leaves bytes out and reports no error, and
 * with this one ferror(3) is true and fclose(3) fails.
 *
 * After fflush(3) and fclose() `*bytes` has the text, with a NUL behind it, and
 * `*size` its length without the NUL.  fseek(3) to an earlier position drops
 * what follows it.  The caller frees `*bytes` after fclose(), also if that has
 * failed.  Returns NULL, with `*bytes` NULL, if there is no memory.
 */
FILE *memory_file_open(char **bytes, size_t *size);

#endif
