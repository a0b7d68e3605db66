/*
 * How a bot lost a game by an offence, explained to its author: where the game
 * stood, what the bot said, what was expected of it and what was wrong.
 */
#ifndef FAULT_TEXT_H
#define FAULT_TEXT_H

#include <stdio.h>

#include "match.h"

/*
 * Prints lines of the form `  label   : text`, labels as those of error
 * messages, and `command` in the last one, with the position.  A fault in which
 * no bot was asked, as at the start, has no position: then only what was said.
 * NULL for `command` leaves the last line out.
 */
void fault_text_print(
    const struct match_fault *fault, const char *command, FILE *out);

#endif
