/*
 * Explains to the author of a bot how it lost a game by an offence: the
 * position, what the bot said, what is wrong with that, and which answers were
 * legal.
 */
#ifndef FAULT_TEXT_H
#define FAULT_TEXT_H

#include <stdio.h>

#include "match.h"

/*
 * Prints lines of the form `  label   : text`, with the labels of error
 * messages. Text of the bot is made fit for a terminal. A fault without a
 * position, such as a crash at the start, is printed without table, hand and
 * legal moves.
 */
void fault_text_print(const struct match_fault *fault, FILE *out);

#endif
