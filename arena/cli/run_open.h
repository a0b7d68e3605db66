/*
 * A run that is there: found, opened, and what its blocks say so far.
 */
#ifndef RUN_OPEN_H
#define RUN_OPEN_H

#include "report.h"
#include "run.h"
#include "store.h"
#include "tournament.h"
#include "tournament_setup.h"

struct run_opened {
	struct run run;
	struct tournament_settings settings;
	struct tournament_setup setup;
	struct tournament tournament;
	const char *seed_file; /* of the run: where its seed was read */
};

/* Where the run is: as given, or the newest below runs/. */
enum status run_open_find(const char *given, char path[PATH_MAX]);

/* What a setup is to the tournament. */
struct tournament_config run_open_plan(const struct tournament_setup *setup);

/*
 * Says what is wrong with a run, or its store: STATUS_USAGE where the path is to
 * blame.
 */
enum status run_open_error(int error, const struct store_error *why);

/*
 * Opens it, to write where bots are to play, reads its configuration, and takes
 * the blocks that it has.  Where bots are to play, the configuration must be
 * the one that the run began with.  What is wrong is said.  To be closed after
 * STATUS_DONE; it must not move.
 */
enum status run_open_whole(
    struct run_opened *opened, const char *path, enum entrant_use use);
void run_open_close(struct run_opened *opened);

/* Its configuration alone, whatever its store is like; likewise. */
enum status run_open_configuration(
    struct run_opened *opened, const char *path, enum entrant_use use);

/*
 * Fair dealing of a run: what is published before the first deal, what may be
 * contributed then, and what is shown at the end.
 */

/*
 * Draws up the terms of a new run from its configuration: a text for free().
 * What they say, and the commitment where the secret was drawn, goes into the
 * head; the setup is bound to it.  What is wrong is said.
 */
enum status run_fair_begin(struct tournament_setup *setup, const char *config,
    struct store_head *head, char **terms);

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

/*
 * What a run is, as its store keeps it, from what it was told.
 */

/*
 * Bots are called as in the setup.  What is wrong is said; a bot that is not to
 * play may be gone, and has no digest then.
 */
enum status run_head_fill(const struct tournament_setup *setup,
    enum entrant_use use, struct store_head *head);

#endif
