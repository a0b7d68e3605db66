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
#ifndef ERROR_MESSAGE_H
#define ERROR_MESSAGE_H

#include "scopa/text.h"

/* Prints `error: ` and the formatted text as a line. */
void error_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Prints one line under it; labels are at most eight characters.  A `try` that
 * begins with VERSION_NAME names this program by the path it was called with.
 */
void error_detail(const char *label, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * From now on what is printed is also appended to `copy`, for a user who does
 * not see stderr; NULL: no more.
 */
void error_copy(struct scopa_text *copy);

#endif
