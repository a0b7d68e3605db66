#include "csv_field.h"

#include <stdbool.h>
#include <string.h>

#include "utf8.h"

/* Full-width signs of East Asian keyboards count as the others do. */
static bool
begins_formula(uint32_t character)
{
	static const uint32_t signs[] = { '=', '+', '-', '@', 0xff1d, 0xff0b,
		0xff0d, 0xff20 };

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (character == signs[i])
			return true;
	return false;
}

/* What one program or another divides fields at, or leaves out before them. */
static bool
divides(uint32_t character)
{
	return character != 0 && character < 0x80 &&
	    strchr(" \t\r\n,;|\"", (int)character) != NULL;
}

void
csv_field_put(FILE *file, const char *text)
{
	bool quoted = text[strcspn(text, ",;|\"\t\r\n")] != '\0';
	bool at_start = true;
	size_t left = strlen(text);

	if (quoted)
		fputc('"', file);
	while (left > 0) {
		uint32_t character = 0;
		size_t length = utf8_read(text, left, &character);

		if (length == 0 || utf8_steers(character)) {
			length = 1;
			fprintf(file, "\\x%02x", (unsigned char)text[0]);
		} else {
			if (at_start && begins_formula(character))
				fputc('\'', file);
			if (character == '"')
				fputc('"', file);
			fwrite(text, 1, length, file);
		}
		at_start = divides(character);
		text += length;
		left -= length;
	}
	if (quoted)
		fputc('"', file);
}
