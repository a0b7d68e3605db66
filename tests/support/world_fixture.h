/*
 * What a seat may imagine, for the tests of bots: a deal for its view, and
 * whether a deal fits what it sees.
 */
#ifndef WORLD_FIXTURE_H
#define WORLD_FIXTURE_H

#include "scopa/scopa.h"

/* What the seat to move sees, and a deal that it can imagine. */
void world_fixture_imagine(const struct scopa_rules *rules,
    const struct scopa_deal *deal, struct scopa_view *view,
    struct scopa_deal *imagined);

/*
 * The seat to move sees the same in both deals, and in the world every card is
 * there once.
 */
void world_fixture_fits(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_deal *world);

#endif
