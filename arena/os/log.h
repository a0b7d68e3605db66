/* Messages for the user, a line each: time, level, text. */
#ifndef LOG_H
#define LOG_H

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG, LOG_LEVEL_COUNT };

enum { LOG_LINE_SIZE = 2048 }; /* longer lines are cut */

/*
 * From now on messages go to the end of file `path` (NULL: to stderr), those
 * above `level` nowhere.  Before the first call: stderr, LOG_WARN.  0 or
 * -errno; the old place stays after an error.
 */
int log_open(const char *path, enum log_level level);

/* Closes the file; messages go to stderr again. */
void log_close(void);

/* `error`, `warn`, `info`, `debug`. */
const char *log_level_name(enum log_level level);

/*
 * One line by one write(2).  Bytes outside 0x20..0x7E are shown as \xNN.  That
 * it cannot be written is nobody's concern.
 */
__attribute__((format(printf, 2, 3))) void log_print(
    enum log_level level, const char *format, ...);

#endif
