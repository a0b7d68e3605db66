/*
 * Which move a search goes down from a node.
 */
#ifndef SCOPA_BOT_SELECTION_H
#define SCOPA_BOT_SELECTION_H

#include "branch.h"
#include "search.h"

/*
 * One of the `count` moves, at least one, that are legal in a world; `own`: it
 * is the searching seat that moves.  Another seat may be played by the prior
 * alone, as the configuration says; else the formula of struct search_config
 * decides.
 */
struct branch *selection_pick(const struct search_config *config,
    struct branch *const *legal, int count, bool own, uint64_t *random);

#endif
