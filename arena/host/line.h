/*
 * Bytes become lines, with a hard limit and without a copy.
 *
 * LF ends a line and one CR before it is dropped.  However the bytes come in
 * pieces, the same lines and flaws come out.  A line without its LF never
 * counts.
 *
 *	char *space = line_space(&reader, &size);
 *	line_feed(&reader, read(fd, space, size));
 *	while ((kind = line_next(&reader, &line)) != LINE_NONE)
 *		...
 */
#ifndef LINE_H
#define LINE_H

#include <stdbool.h>
#include <stddef.h>

enum {
	LINE_SIZE_MAX = 4096, /* bytes of a line, its end not counted */
	LINE_BUFFER_SIZE = 8192
};

enum line_kind {
	LINE_NONE,     /* no complete line is there */
	LINE_WHOLE,    /* bytes 0x20..0x7E and HT only */
	LINE_BAD_BYTE, /* complete, but holds some other byte (NUL included) */
	LINE_TOO_LONG  /* over the limit; told once, skipped to its LF */
};

/* Valid until the next call of line_next(), line_space() or line_drop(). */
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

/* Takes the next line; *line is set unless the answer is LINE_NONE. */
enum line_kind line_next(struct line_reader *reader, struct line *line);

/* Forgets all that was fed, and the rest of the line that it broke off in. */
void line_drop(struct line_reader *reader);

/* Bytes of a line whose LF has not come: what is lost at the end of input. */
size_t line_pending(const struct line_reader *reader);

#endif
