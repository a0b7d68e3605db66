/*
 * A run that is there: found, opened, and what its blocks say so far.
 */
#ifndef RUN_OPEN_H
#define RUN_OPEN_H

#include "run.h"
#include "status.h"
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
enum status run_open_complain(int error, const struct store_error *why);

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

#endif
