/*
 * Implements log.h. A message is a single write(2), so that messages of several
 * processes do not mix.
 */
#include "log.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "buffers.h"
#include "clock.h"
#include "countof.h"

const char *const log_level_names[] = {
	[LOG_ERROR] = "error",
	[LOG_WARN] = "warn",
	[LOG_INFO] = "info",
	[LOG_DEBUG] = "debug",
	[LOG_LEVEL_COUNT] = NULL,
};
_Static_assert(
    COUNTOF(log_level_names) == LOG_LEVEL_COUNT + 1, "a name a level");

static int log_fd = STDERR_FILENO;
static enum log_level log_limit = LOG_WARN;
static int log_error; /* -errno of the first message that was lost */

int
log_open(const char *path, enum log_level level)
{
	int fd = STDERR_FILENO;

	assert(level < LOG_LEVEL_COUNT);
	if (path != NULL) {
		fd =
		    open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
		if (fd < 0)
			return -errno;
	}
	(void)log_close();
	log_fd = fd;
	log_limit = level;
	return 0;
}

int
log_close(void)
{
	int error = log_error;

	if (log_fd != STDERR_FILENO)
		close(log_fd);
	log_fd = STDERR_FILENO;
	log_error = 0;
	return error;
}

void
log_print(enum log_level level, const char *format, ...)
{
	char utc[CLOCK_UTC_SIZE], message[LOG_LINE_SIZE], line[LOG_LINE_SIZE];
	size_t length;
	ssize_t written;
	va_list arguments;
	int error = errno;

	if (level > log_limit)
		return;
	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	clock_utc(utc);
	length = (size_t)snprintf(
	    line, sizeof(line), "%s %-5s ", utc, log_level_names[level]);
	length += escape_bytes(message, strlen(message), false, line + length,
	    sizeof(line) - length - 1);
	line[length++] = '\n';
	written = write(log_fd, line, length);
	if (written != (ssize_t)length && log_error == 0)
		log_error = written < 0 ? -errno : -ENOSPC;
	/* The caller may still need the errno of the failure that it logs. */
	errno = error;
}

void
speaker_say(const struct speaker *speaker, bool urgent, const char *format, ...)
{
	char sentence[LOG_LINE_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(sentence, sizeof(sentence), format, arguments);
	va_end(arguments);
	if (speaker->say)
		speaker->say(speaker->context, urgent, sentence);
	else
		log_print(urgent ? LOG_WARN : LOG_INFO, "%s", sentence);
}
