/*
 * Explains to the author of a bot how it lost a game by an offence: the
 * position, the answer of the bot, what is wrong with it, and the legal
 * answers.
 */
#ifndef FAULT_TEXT_H
#define FAULT_TEXT_H

#include <stdio.h>

#include "match.h"

/*
 * Returns the offence as a part of a sentence: `no answer within 1 s`, `exited
 * with status 1`.  Kind, reason and time control (NULL: unknown) have the form
 * of a record.  An unknown reason is returned as it is, with its kind.  The
 * text is in a static buffer that the next call uses again.
 */
const char *fault_text_reason(
    const char *kind, const char *reason, const char *tc);

/*
 * A hint for a bot whose last line, `unfinished`, had no line end.  It is in a
 * static buffer that the next call uses again.
 */
const char *fault_text_unfinished_hint(const char *unfinished);

/*
 * What to do about lines of a bot that are no messages of the protocol, by one
 * of them, or by a message at fault that came after them.
 */
const char *fault_text_stray_hint(const char *line);

/*
 * Prints lines of the form `  label   : text`, with the labels of error
 * messages.  Text of the bot is sanitized for a terminal.  A fault without a
 * position, such as a crash at the start, is printed without table, hand and
 * legal moves.
 */
void fault_text_print(const struct match_fault *fault, FILE *out);

#endif
