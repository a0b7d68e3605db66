/*
 * Deals that a seat can imagine, for the tests of bots: a deal that fits its
 * view, and a check that a deal fits.
 */
#ifndef WORLD_FIXTURE_H
#define WORLD_FIXTURE_H

#include "scopa/scopa.h"

/* The view of the seat to move, and a deal that it can imagine. */
void world_fixture_imagine(const struct scopa_rules *rules,
    const struct scopa_deal *deal, struct scopa_view *view,
    struct scopa_deal *imagined);

/*
 * Checks that the view of the seat to move is the same in both deals, and that
 * the world has each card once.
 */
void world_fixture_fits(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_deal *world);

#endif
