/*
 * The rest of a deal by lot: who is to get the cards that nobody has yet.
 *
 * What becomes of cards that are still to be dealt is luck, mostly.  To play
 * them out costs time, and one playout tells little more than whom the luck
 * favoured.  A lot gives them out at once, and favours nobody, since all parties
 * get each share in turn.  Sweeps that are still to come are left out, and who
 * would get the last table.
 */
#ifndef SCOPA_BOT_LOT_H
#define SCOPA_BOT_LOT_H

#include <stdint.h>

#include "scopa/deal.h"

struct lot {
	struct scopa_deal end; /* for lot_give() */
	scopa_set shares[SCOPA_PARTIES_MAX];
};

/*
 * Draws shares of all cards that are in no pile: in twos, as a card that takes
 * another goes with it, each two to any party alike.  `end` is the deal without
 * these cards.
 */
void lot_draw(const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t *random, struct lot *lot);

/*
 * Makes `end` the end of the deal that was drawn for, where party p gets share
 * p + `turn`.  Over all turns from 0 on each party gets each share once.
 */
void lot_give(const struct scopa_rules *rules, const struct scopa_deal *deal,
    int turn, struct lot *lot);

#endif
