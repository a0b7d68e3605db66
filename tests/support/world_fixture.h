/*
 * For the tests of bots: deals that a seat can imagine, what it believes, and
 * the exact value of a deal.
 */
#ifndef WORLD_FIXTURE_H
#define WORLD_FIXTURE_H

#include "scopa/scopa.h"
#include "world.h"

/* The lead of a team if all play their best moves. */
int world_fixture_value(
    const struct scopa_rules *rules, const struct scopa_deal *deal, int team);

/* The worlds that the seat to move believes in. */
void world_fixture_believe(struct belief *belief,
    const struct belief_config *config, const struct scopa_rules *rules,
    const struct scopa_deal *deal, uint64_t *random);

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
