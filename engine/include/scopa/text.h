/*
 * Text into the caller's buffer: what every formatter of the project writes to.
 *
 * A text never overflows and never allocates.  What does not fit is left out
 * and `cut` is set, so that a caller can look once, at the end.
 */
#ifndef SCOPA_TEXT_H
#define SCOPA_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct scopa_text {
	char *bytes;   /* the caller's; always ends with a NUL */
	size_t size;   /* of bytes, the NUL included; at least 1 */
	size_t length; /* without the NUL */
	bool cut;      /* something did not fit */
};

/* An empty text over the caller's buffer. */
void scopa_text_init(struct scopa_text *text, char *bytes, size_t size);

/* What is kept is always a prefix of the whole: nothing follows a gap. */
static inline void
scopa_text_char(struct scopa_text *text, char byte)
{
	if (text->size - text->length < 2) {
		text->cut = true;
		return;
	}
	text->bytes[text->length++] = byte;
	text->bytes[text->length] = '\0';
}

static inline void
scopa_text_bytes(struct scopa_text *text, const char *bytes, size_t length)
{
	size_t room = text->size - text->length - 1;

	if (length > room) {
		text->cut = true;
		length = room;
	}
	memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = '\0';
}

static inline void
scopa_text_string(struct scopa_text *text, const char *string)
{
	scopa_text_bytes(text, string, strlen(string));
}

void scopa_text_int(struct scopa_text *text, int64_t number);

/*
 * Adds a text as printf does, of which it knows `%s`, `%.*s`, `%c`, `%d` and
 * `%jd`.  The line of a turn is put together by the functions above: quicker.
 */
void scopa_text_print(struct scopa_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
