/*
 * What a run is, as its store keeps it, from what it was told.
 */
#ifndef RUN_HEAD_H
#define RUN_HEAD_H

#include "status.h"
#include "store.h"
#include "tournament_setup.h"

/*
 * Bots are called as in the setup.  What is wrong is said; a bot that is not to
 * play may be gone, and has no digest then.
 */
enum status run_head_fill(const struct tournament_setup *setup,
    enum entrant_use use, struct store_head *head);

#endif
