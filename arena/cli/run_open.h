/*
 * Finds and opens an existing run, and brings its tournament to the state of
 * the stored blocks.
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
	/* name of the file in the run folder that the seed was read from */
	const char *seed_file;
};

/* The argument RUN of a command, for run_open_find(). */
#define RUN_ARGUMENT                                                           \
	{                                                                      \
		"RUN",                                                         \
		    "The folder of a run; without it, the newest below runs/." \
	}

/*
 * Gives the path of the run: `given`, or without it the newest below runs/.
 * STATUS_DONE, or STATUS_USAGE with an error printed if there is none.
 */
enum status run_open_find(const char *given, char path[PATH_MAX]);

/*
 * Returns the part of a setup that the tournament needs.  It points into the
 * setup.
 */
struct tournament_config run_open_plan(const struct tournament_setup *setup);

/*
 * Prints what is wrong with a run or its store.  Returns STATUS_USAGE if the
 * path is wrong (`error` is -ENOENT, -ENOTDIR or -EEXIST), otherwise
 * STATUS_ENVIRONMENT.
 */
enum status run_open_error(int error, const struct store_error *why);

/*
 * Opens a run, reads its configuration, and counts its stored blocks in the
 * tournament.  The configuration must be the one that the run began with.  With
 * ENTRANT_TO_PLAY the run is opened for writing.  Errors are printed.  After
 * STATUS_DONE the caller must close `opened`, which must not move.
 */
enum status run_open_whole(
    struct run_opened *opened, const char *path, enum entrant_use use);
void run_open_close(struct run_opened *opened);

/* Whether the run has a configuration with a line that begins so. */
bool run_config_has(const char *path, const char *begin);

/*
 * Makes the edited text of a configuration (NULL: no memory) that of the run,
 * and frees both texts.  0 or -errno.
 */
int run_config_put(const struct run *run, char *config, char *edited);

/* Whether the store has this state of the run, such as RUN_DONE. */
bool run_has_state(const struct run *run, const char *state);

/*
 * Reads only the configuration and does not look at the store.  Errors, closing
 * and moving are as above.
 */
enum status run_open_configuration(
    struct run_opened *opened, const char *path, enum entrant_use use);

/*
 * Fair dealing of a run: what is published before the first deal, which
 * contributions are accepted then, and what is published at the end
 * (tournament/fair.h).
 */

/*
 * Makes the terms of a new run from its configuration: *terms is a text that
 * the caller frees.  The head gets their hash and, if the arena has drawn the
 * secret, the commitment, which the setup gets, too.  STATUS_DONE, or
 * STATUS_ENVIRONMENT with an error printed.
 */
enum status run_fair_begin(struct tournament_setup *setup, const char *config,
    struct store_head *head, char **terms);

/*
 * Fills the head of a run whose store was lost, as run_fair_begin() does, from
 * the stored terms and the secret of the setup.  A run without terms gets none.
 * STATUS_DONE, or STATUS_ENVIRONMENT with an error printed.
 */
enum status run_fair_recall(const char *path,
    const struct tournament_setup *setup, struct store_head *head);

/*
 * Adds contributions to an announced run, in its configuration and in its
 * store.  Afterwards the run must be closed and opened again.  Errors are
 * printed.
 */
enum status run_fair_contribute(
    struct run_opened *opened, const struct contributions *contributions);

/*
 * Makes a run that was announced the shard of this machine, in its
 * configuration.  Afterwards the run must be closed and opened again.  Nothing
 * is changed if it is this shard already.  Errors are printed.
 */
enum status run_share(
    const struct run_opened *opened, const struct shard *shard);

/*
 * Publishes the secret in the store and in the configuration, if the arena has
 * drawn it and no deal is left to play.  Errors go to the log.
 */
void run_fair_reveal(const struct tournament_setup *setup, struct run *run);

/*
 * The description of a run that its store holds.
 */

/*
 * Fills the head from the setup, with the names of bots in the setup.  Errors
 * are printed.  With ENTRANT_TO_READ a bot may be missing; then it has no
 * digest.
 */
enum status run_head_fill(const struct tournament_setup *setup,
    enum entrant_use use, struct store_head *head);

#endif
