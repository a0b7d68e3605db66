/*
 * Error messages for people, on stderr, all in one form:
 *
 *     error: WHAT
 *       hint    : MORE
 *       try     : NEXT COMMAND
 *
 * Bytes outside printable ASCII and UTF-8 text appear as \xNN, so that nothing
 * that a bot or a file says reaches the terminal as a command.
 */
#ifndef COMPLAINT_H
#define COMPLAINT_H

/* Prints `error: ` and the formatted text as a line. */
void complaint_say(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/*
 * Prints one line under it; labels are at most eight characters.  A `try` that
 * begins with VERSION_NAME names this program by the path it was called with.
 */
void complaint_add(const char *label, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
