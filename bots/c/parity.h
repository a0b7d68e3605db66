/*
 * Pairs of ranks: the tradition of Scopone counts the cards of each rank that
 * have gone.
 *
 * As long as cards are taken by their like, every rank goes in pairs, and the
 * dealer, who plays last, always finds the like of what was laid before him.
 * A take by a sum unpairs ranks (the spariglio) and helps the others.
 */
#ifndef SCOPA_BOT_PARITY_H
#define SCOPA_BOT_PARITY_H

#include "scopa/deal.h"

/* How many ranks have gone by odd numbers of cards: 0 to 10. */
int parity_unpaired(const struct scopa_deal *deal);

/* Whether pairs decide anything: all cards are out, and like takes like. */
bool parity_matters(
    const struct scopa_rules *rules, const struct scopa_deal *deal);

#endif
