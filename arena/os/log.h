/*
 * Log messages for the user, one line each: time, level, text; and where a
 * module sends the sentences that it has for the log or for the user.
 */
#ifndef LOG_H
#define LOG_H

#include <stdbool.h>

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG, LOG_LEVEL_COUNT };

enum { LOG_LINE_SIZE = 2048 }; /* longer lines are cut */

/*
 * Appends all further messages to the file `path` (NULL: writes them to
 * stderr), and drops those above `level`.  Before the first call messages go to
 * stderr with LOG_WARN.  Returns 0, or -errno, and then the old destination
 * stays.
 */
int log_open(const char *path, enum log_level level);

/*
 * Closes the log file.  Further messages go to stderr.  Returns 0, or -errno if
 * this process could not write a message.
 */
int log_close(void);

/* `error`, `warn`, `info`, `debug`; NULL ends them. */
extern const char *const log_level_names[];

/*
 * Writes one line by one write(2).  Bytes outside 0x20..0x7E are written as
 * \xNN.  If this fails, log_close() returns the error.
 */
__attribute__((format(printf, 2, 3))) void log_print(
    enum log_level level, const char *format, ...);

/*
 * Where a module sends its sentences: all of them are for the log, and urgent
 * ones are shown to the user at once.
 */
struct speaker {
	/* NULL: all are for the log only. */
	void (*say)(void *context, bool urgent, const char *sentence);
	void *context;
};

/* Sends one sentence, made as printf(3) does; a longer one is cut. */
__attribute__((format(printf, 3, 4))) void speaker_say(
    const struct speaker *speaker, bool urgent, const char *format, ...);

#endif
