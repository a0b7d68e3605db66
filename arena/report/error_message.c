#include "error_message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text_format.h"
#include "version.h"

enum { MESSAGE_SIZE = 2048 };

static struct scopa_text *copied;

void
error_copy(struct scopa_text *copy)
{
	copied = copy;
}

/* The formatted text, made fit for a terminal, as the rest of a line. */
__attribute__((format(printf, 2, 0))) static void
line_print(const char *label, const char *format, va_list arguments)
{
	char raw[MESSAGE_SIZE];
	const char *text = raw;
	struct scopa_text safe = SCOPA_TEXT(4 * MESSAGE_SIZE);

	vsnprintf(raw, sizeof(raw), format, arguments);
	/*
	 * A command to try names this program as it was called, to be copied.
	 */
	if (strcmp(label, "try") == 0 &&
	    strncmp(raw, VERSION_NAME " ", strlen(VERSION_NAME " ")) == 0) {
		text_sanitize(&safe, program_invocation_name);
		text += strlen(VERSION_NAME);
	}
	text_sanitize(&safe, text);
	fprintf(stderr, "%s\n", safe.bytes);
	if (copied != NULL)
		scopa_text_print(copied, "%s: %s\n", label, safe.bytes);
}

void
error_print(const char *format, ...)
{
	va_list arguments;

	fflush(stdout);
	fputs("error: ", stderr);
	va_start(arguments, format);
	line_print("error", format, arguments);
	va_end(arguments);
}

void
error_detail(const char *label, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "  %-8s: ", label);
	va_start(arguments, format);
	line_print(label, format, arguments);
	va_end(arguments);
}
