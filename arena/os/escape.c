#include "escape.h"

#include <assert.h>

size_t
escape_bytes(const char *bytes, size_t length, bool keep_lines, char *text,
    size_t text_size)
{
	static const char digits[] = "0123456789ABCDEF";
	size_t put = 0;

	assert(text_size > 0);
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)bytes[i];

		if ((byte >= 0x20 && byte <= 0x7e) ||
		    (keep_lines && (byte == '\n' || byte == '\t'))) {
			if (text_size - put < 2)
				break;
			text[put++] = (char)byte;
			continue;
		}
		if (text_size - put < 5)
			break;
		text[put++] = '\\';
		text[put++] = 'x';
		text[put++] = digits[byte >> 4];
		text[put++] = digits[byte & 15];
	}
	text[put] = '\0';
	return put;
}
