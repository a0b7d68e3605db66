/*
 * Implements line_variants.h.
 */
#include "line_variants.h"

#include <string.h>

void
vary_keys(const struct scopa_text *lines, struct scopa_text *out)
{
	const char *at = lines->bytes, *end = at + lines->length;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t size = (size_t)(newline - at);

		scopa_text_bytes(out, at, size);
		if (memchr(at, '=', size) != NULL)
			scopa_text_string(out, " x-check=1");
		scopa_text_char(out, '\n');
		at = newline + 1;
	}
}

void
vary_comments(const struct scopa_text *lines, struct scopa_text *out)
{
	for (size_t i = 0; i < lines->length; i++) {
		if (lines->bytes[i] == '\n')
			scopa_text_string(out, " # move 7D\n# quit");
		scopa_text_char(out, lines->bytes[i]);
	}
}

void
vary_blanks(const struct scopa_text *lines, struct scopa_text *out)
{
	scopa_text_char(out, ' ');
	for (size_t i = 0; i < lines->length; i++) {
		char byte = lines->bytes[i];

		if (byte == ' ')
			scopa_text_string(out, " \t");
		if (byte == '\n')
			scopa_text_string(out, " \r");
		scopa_text_char(out, byte);
	}
}

void
vary_lines(const struct scopa_text *lines, struct scopa_text *out)
{
	const char *at = lines->bytes, *end = at + lines->length;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t size = (size_t)(newline - at) + 1;

		scopa_text_string(out, "x-check a=1\n\n");
		scopa_text_bytes(out, at, size);
		at += size;
	}
}

void
vary_names(const struct scopa_text *lines, struct scopa_text *out)
{
	const char *at = lines->bytes, *end = at + lines->length;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t size = (size_t)(newline - at);
		bool is_seat = strncmp(at, "seat ", 5) == 0;

		if (is_seat)
			size = (size_t)(strstr(at, " name=") - at);
		scopa_text_bytes(out, at, size);
		if (is_seat)
			scopa_text_string(out, " name=My%20b%C3%B6t%3D%23%25");
		scopa_text_char(out, '\n');
		at = newline + 1;
	}
}
