/*
 * Which move a search goes down from a node.
 */
#ifndef SCOPA_BOT_SELECTION_H
#define SCOPA_BOT_SELECTION_H

#include "branch.h"
#include "search.h"

/*
 * One of the `count` moves, at least one, that are legal in a world: in a share
 * `model` of all visits (0 to 1) as the prior plays, else by the formula of
 * struct search_config.
 */
struct branch *selection_pick(const struct search_config *config,
    struct branch *const *legal, int count, double model, uint64_t *random);

#endif
