/*
 * Fair dealing of a run: what is published before the first deal, what may be
 * contributed then, and what is shown at the end.
 */
#ifndef RUN_FAIR_H
#define RUN_FAIR_H

#include "run.h"
#include "run_open.h"
#include "status.h"
#include "tournament_setup.h"

/*
 * Draws up the terms of a new run from its configuration: a text for free().
 * What they say, and the commitment where the secret was drawn, goes into the
 * head; the setup is bound to it.  What is wrong is said.
 */
enum status run_fair_begin(struct tournament_setup *setup, const char *config,
    struct store_head *head, char **terms);

/* Binds the setup of a run that is there to the commitment in its head. */
void run_fair_bind(
    struct tournament_setup *setup, const struct store_head *head);

/*
 * Whether the configuration is still the one that the run began with, and its
 * seed the one that was committed to; says which line is another.  STATUS_DONE,
 * too, for a run without terms.
 */
enum status run_fair_check(const struct run_opened *opened);

/* Whether the seed is the one that was committed to, and no more. */
enum status run_fair_check_secret(const struct run_opened *opened);

/*
 * Moves the seed of a run that is not over from its configuration, where earlier
 * versions kept it, to the file of the secret.  The run is open to write.
 */
enum status run_fair_conceal(struct run_opened *opened);

/*
 * What run_fair_begin does, for a head whose store was lost: from the
 * terms and the secret in the configuration.  A run without terms has none.
 */
enum status run_fair_recall(const char *path,
    const struct tournament_setup *setup, struct store_head *head);

/*
 * Adds contributions to a run that is announced, in its configuration and its
 * store.  It must be opened anew then.
 */
enum status run_fair_contribute(
    struct run_opened *opened, const struct contributions *contributions);

/* Keeps the secret, for everybody, once no deal is left. */
void run_fair_reveal(const struct tournament_setup *setup, struct run *run);

#endif
