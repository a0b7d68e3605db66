/*
 * Sums of cards as bits, for a quick look at what a rank can take.
 *
 * Wild cards and aces that sweep are not thought of here: scopa_moves knows.
 */
#ifndef SCOPA_BOT_SUMS_H
#define SCOPA_BOT_SUMS_H

#include "scopa/rules.h"

/* A bit a sum, up to 63. */
typedef uint64_t sum_set;

/* The sums that some of the cards, or none (0), add up to. */
sum_set sums_of(scopa_set cards);

/* The sums that a card of this value (1..10) takes. */
sum_set sums_taken(const struct scopa_rules *rules, int value);

/* Whether a card of this value takes all of a table that is not empty. */
bool sums_sweep(const struct scopa_rules *rules, scopa_set table, int value);

#endif
