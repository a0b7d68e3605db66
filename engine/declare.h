/* The possible declarations of a seat, in Cirulla. */
#ifndef SCOPA_DECLARE_H
#define SCOPA_DECLARE_H

#include "scopa/deal.h"

/* Three of a kind has one form; a low hand has one for each wild value. */
enum { DECLARATIONS_MAX = SCOPA_VALUE_MAX };

/*
 * Writes the declarations that `seat` may make now and returns their number.
 * There is none unless the hand has three cards, none of it is played, and it
 * is not declared yet.
 */
int declare_list(const struct scopa_rules *rules, const struct scopa_deal *deal,
    int seat, struct scopa_move moves[DECLARATIONS_MAX]);

#endif
