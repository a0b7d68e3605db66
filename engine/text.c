/*
 * Text that never overflows.
 */
#include "scopa/text.h"

#include <assert.h>
#include <string.h>

#include "write.h"

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
	char digits[WRITE_NUMBER_SIZE_MAX];
	const char *end = write_number(digits, number);

	scopa_text_bytes(text, digits, (size_t)(end - digits));
}
