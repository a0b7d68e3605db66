/*
 * Text that never overflows.
 */
#include "scopa/text.h"

#include <assert.h>

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
scopa_text_int(struct scopa_text *text, int64_t number)
{
	char digits[WRITE_NUMBER_SIZE_MAX];
	const char *end;

	/* Most numbers are digits. */
	if (number >= 0 && number <= 9) {
		scopa_text_char(text, (char)('0' + number));
		return;
	}
	end = write_number(digits, number);
	scopa_text_bytes(text, digits, (size_t)(end - digits));
}
