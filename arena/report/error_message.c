#include "error_message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "utf8.h"
#include "version.h"

enum { MESSAGE_SIZE = 2048 };

static void
text_print(const char *text)
{
	size_t left = strlen(text);

	while (left > 0) {
		uint32_t character;
		size_t length = utf8_read(text, left, &character);

		if (length == 0 || utf8_steers(character)) {
			length = 1;
			fprintf(stderr, "\\x%02x", (unsigned char)text[0]);
		} else {
			fwrite(text, 1, length, stderr);
		}
		text += length;
		left -= length;
	}
}

/* A command to try names this program as it was called, to be copied. */
static void
text_print_command(const char *label, const char *text)
{
	size_t length = strlen(VERSION_NAME);

	if (strcmp(label, "try") == 0 &&
	    strncmp(text, VERSION_NAME " ", length + 1) == 0) {
		text_print(program_invocation_name);
		text += length;
	}
	text_print(text);
}

void
error_print(const char *format, ...)
{
	char text[MESSAGE_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	fflush(stdout);
	fputs("error: ", stderr);
	text_print(text);
	fputc('\n', stderr);
}

void
error_detail(const char *label, const char *format, ...)
{
	char text[MESSAGE_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	fprintf(stderr, "  %-8s: ", label);
	text_print_command(label, text);
	fputc('\n', stderr);
}
