#include "plain.h"

#include <stdbool.h>
#include <stdio.h>

#include "utf8.h"

void
plain_text(struct scopa_text *text, const char *string)
{
	size_t left = strlen(string);

	while (left > 0) {
		uint32_t character;
		size_t length = utf8_read(string, left, &character);
		char escape[8];

		if (length > 0 && !utf8_steers(character)) {
			/* A character is there as a whole or not at all. */
			if (length >= text->size - text->length) {
				text->cut = true;
				return;
			}
			scopa_text_bytes(text, string, length);
		} else {
			length = 1;
			snprintf(escape, sizeof(escape), "\\x%02x",
			    (unsigned char)string[0]);
			scopa_text_string(text, escape);
		}
		string += length;
		left -= length;
	}
}

int
plain_width(const char *string)
{
	int width = 0;

	/* Every byte but those that continue a character begins one. */
	for (; *string != '\0'; string++)
		width += ((unsigned char)*string & 0xc0) != 0x80;
	return width;
}
