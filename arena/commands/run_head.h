/*
 * What a run is, as its store keeps it, from what it was told.
 */
#ifndef RUN_HEAD_H
#define RUN_HEAD_H

#include "status.h"
#include "store.h"
#include "tournament_setup.h"

/* Bots are called as in the setup.  What is wrong is said. */
enum status run_head_fill(
    const struct tournament_setup *setup, struct store_head *head);

#endif
