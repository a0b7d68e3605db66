/*
 * Text in the caller's buffer.  All formatters of the project write to it.
 *
 * A text never overflows and allocates no memory.  Text that does not fit is
 * left out and `cut` is set, so the caller needs only one check at the end.
 */
#ifndef SCOPA_TEXT_H
#define SCOPA_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct scopa_text {
	char *bytes;   /* the caller's buffer; always ends with a NUL */
	size_t size;   /* of the buffer, with the NUL; at least 1 */
	size_t length; /* without the NUL */
	bool cut;      /* something did not fit */
};

/*
 * Initializes an empty text whose buffer of `capacity` bytes lives as long as
 * the block that declares it: struct scopa_text text = SCOPA_TEXT(256);
 */
#define SCOPA_TEXT(capacity)                                       \
	{                                                          \
		.bytes = (char[capacity]){ 0 }, .size = (capacity) \
	}

/* Makes an empty text in the caller's buffer. */
void scopa_text_init(struct scopa_text *text, char *bytes, size_t size);

/*
 * Appends a byte if it fits.  The text is always a prefix of the whole output,
 * because all space is used before `cut` is set.
 */
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

/* Appends bytes, or as many as fit. */
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

/* Appends a string, or as much as fits. */
static inline void
scopa_text_string(struct scopa_text *text, const char *string)
{
	scopa_text_bytes(text, string, strlen(string));
}

/* Appends a number in decimal. */
void scopa_text_int(struct scopa_text *text, int64_t number);

/*
 * Appends text with a format as for printf.  Only `%s`, `%.*s`, `%c`, `%d` and
 * `%jd` are allowed.  The functions above are faster; code that runs in every
 * turn uses them.
 */
void scopa_text_print(struct scopa_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
