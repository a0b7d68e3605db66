/*
 * Rewrites lines to a bot as the protocol allows it, to see whether the bot still
 * reads them.  Each function appends to `out` what is sent instead of the lines,
 * which are whole.
 */
#ifndef LINE_VARIANTS_H
#define LINE_VARIANTS_H

#include "scopa/text.h"

/* Appends ` x-check=1` to each line that has pairs. */
void vary_keys(const struct scopa_text *lines, struct scopa_text *out);

/* Puts a comment behind each line, and lines that are comments between. */
void vary_comments(const struct scopa_text *lines, struct scopa_text *out);

/* Puts more blanks between words, and CR before LF. */
void vary_blanks(const struct scopa_text *lines, struct scopa_text *out);

/* Puts lines with unknown verbs, and empty lines, between. */
void vary_lines(const struct scopa_text *lines, struct scopa_text *out);

/* Gives all seats a name with escaped bytes. */
void vary_names(const struct scopa_text *lines, struct scopa_text *out);

#endif
