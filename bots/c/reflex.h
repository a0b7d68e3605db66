/*
 * Bots that read nothing but the list of legal moves.
 */
#ifndef SCOPA_BOT_REFLEX_H
#define SCOPA_BOT_REFLEX_H

#include "builtin.h"
#include "token.h"

/* Stands at the end of a list that was cut at the line limit. */
#define REFLEX_CUT "..."

/* The first move of the list. */
bool reflex_first(const struct builtin_turn *turn, struct scopa_text *answer);

/* Any move of the list, all equally likely. */
bool reflex_random(const struct builtin_turn *turn, struct scopa_text *answer);

/*
 * State of a random sequence from the seed as text.  The text is hashed, so
 * that neighbouring seeds give sequences that have nothing in common.
 */
uint64_t reflex_seed(struct token seed);

#endif
