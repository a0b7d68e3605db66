/*
 * What a Cirulla player may declare.
 */
#ifndef SCOPA_DECLARE_H
#define SCOPA_DECLARE_H

#include "scopa/deal.h"

/* Three of a kind has one form; a low hand one for each wild value. */
enum { DECLARATIONS_MAX = SCOPA_VALUE_MAX };

/*
 * Writes what `seat` may declare now and returns how many ways there are.  The
 * hand must be untouched, of three cards, and not declared yet.
 */
int declare_list(const struct scopa_rules *rules, const struct scopa_deal *deal,
    int seat, struct scopa_move moves[DECLARATIONS_MAX]);

#endif
