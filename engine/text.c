/*
 * Text that never overflows.
 */
#include "scopa/text.h"

#include <assert.h>
#include <string.h>

/* The longest number is -9223372036854775808. */
enum { NUMBER_SIZE_MAX = 20 };

void
scopa_text_init(struct scopa_text *text, char *bytes, size_t size)
{
	assert(size >= 1);
	text->bytes = bytes;
	text->size = size;
	text->length = 0;
	text->cut = false;
	bytes[0] = '\0';
}

void
scopa_text_char(struct scopa_text *text, char byte)
{
	if (text->size - text->length < 2) {
		text->cut = true;
		return;
	}
	text->bytes[text->length++] = byte;
	text->bytes[text->length] = '\0';
}

/* What is kept is always a prefix of the whole: nothing follows a gap. */
void
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

void
scopa_text_string(struct scopa_text *text, const char *string)
{
	scopa_text_bytes(text, string, strlen(string));
}

void
scopa_text_int(struct scopa_text *text, int64_t number)
{
	char digits[NUMBER_SIZE_MAX];
	size_t at = sizeof(digits);
	uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;

	if (number >= 0 && number <= 9) {
		scopa_text_char(text, (char)('0' + number));
		return;
	}
	do {
		digits[--at] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest > 0);
	if (number < 0)
		digits[--at] = '-';
	scopa_text_bytes(text, digits + at, sizeof(digits) - at);
}
