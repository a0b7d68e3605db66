/*
 * Text from strangers, such as names of bots, made fit for a terminal.
 */
#ifndef PLAIN_H
#define PLAIN_H

#include "scopa/text.h"

/* Appends it with what utf8_steers(), and what is no UTF-8, as \xNN. */
void plain_text(struct scopa_text *text, const char *string);

/* The columns that well-formed text takes: one a character. */
int plain_width(const char *string);

#endif
