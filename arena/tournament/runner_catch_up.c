/*
 * The blocks that a run has already, for the tournament that goes on.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "runner.h"

/* One block of the store, on its way to the tournament. */
struct catch_up {
	struct tournament *tournament;
	struct store_error *error;
};

static int
retake(void *context, const struct block_result *block,
    const struct store_place *place)
{
	struct catch_up *catch_up = context;
	int error = tournament_retake(catch_up->tournament, block);

	(void)place;
	if (error == -EBADMSG)
		snprintf(catch_up->error->what, sizeof(catch_up->error->what),
		    "block %lld of the run is not what its configuration "
		    "plans",
		    (long long)block->plan.index + 1);
	else if (error)
		snprintf(catch_up->error->what, sizeof(catch_up->error->what),
		    "the blocks of the run cannot be read: %s",
		    strerror(-error));
	return error;
}

bool
runner_catch_up(
    struct run *run, struct tournament *tournament, struct store_error *error)
{
	struct catch_up catch_up = { tournament, error };

	memset(error, 0, sizeof(*error));
	return store_walk(run->store, 0, retake, &catch_up, error) == 0;
}
