/*
 * Joins the runs of machines that have played the shards of one run (struct
 * shard in tournament.h) into the run that one machine would have played.
 */
#ifndef SHARD_H
#define SHARD_H

#include "gate.h"
#include "run.h"
#include "tournament.h"

struct shard_order {
	struct run *run; /* new: its blocks are added here and committed */
	const struct tournament_config *tournament; /* of the whole run */
	const struct gate_config *gate;             /* or NULL */
	int count;                                  /* of shards */
	const char *const *paths; /* of their runs, in the order of shards */
};

struct shard_report {
	int64_t blocks, games; /* that the joined run has */
	/*
	 * Games of the shards that it has not: on one machine a bot in them was
	 * suspended before.
	 */
	int64_t left_out;
	const char *state; /* of the joined run: RUN_DONE or RUN_STOPPED */
};

/*
 * Checks every game, and takes the blocks in the order of the schedule.  0 or
 * -errno with the error: -ENODATA where a shard lacks a block; -EBADMSG where a
 * record is damaged or of another run.  Then the run has some of the blocks,
 * and the caller discards it.
 */
int shard_join(const struct shard_order *order, struct shard_report *report,
    struct store_error *error);

#endif
