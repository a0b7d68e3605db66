/*
 * Implements shard.h.
 *
 * A machine that plays a shard sees only its own results, so it suspends a bot
 * no earlier than a machine that plays all blocks.  So the shards have each
 * block that the joined run needs, and maybe more.
 */
#include "shard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rebuild.h"

enum { COMMIT_BLOCKS = 512 };

/* The joined run while it is made. */
struct joining {
	const struct shard_order *order;
	struct shard_report report;
	struct tournament tournament;
	struct reread *shards; /* the records of each; owned */
	int opened;            /* so many of them */
};

/* Takes the record of a block from its shard into the joined run. */
static int
take_record(struct joining *joining, const struct block_plan *plan,
    struct block_result *block, struct store_error *error)
{
	int index = shard_of(plan->index, joining->order->count);
	struct reread *shard = &joining->shards[index];
	struct run *run = joining->order->run;
	const struct block_place *place = &block->place;
	int64_t first = plan->index * plan->game_count;
	int status;
	char *room;

	joining->report.left_out += reread_skip(shard, first);
	status = reread_block(shard, plan, block, error);
	if (status == 0) {
		store_fail(error, -ENODATA, "",
		    "shard %d/%d, the run \"%s\", is not over: it lacks block "
		    "%lld",
		    index + 1, joining->order->count,
		    joining->order->paths[index], (long long)plan->index + 1);
		store_error_try(error, "scopa-arena resume %s",
		    joining->order->paths[index]);
		return -ENODATA;
	}
	if (status < 0)
		return status;
	room = run_record_room(run, (size_t)place->size);
	status = room == NULL ? -ENOMEM : reread_bytes(shard, place, room);
	return status ? run_fail(status, "read", shard->path, error) : 0;
}

/* Adds the next block of the schedule to the joined run. */
static int
add_block(struct joining *joining, const struct block_plan *plan,
    struct store_error *error)
{
	struct run *run = joining->order->run;
	struct block_result block = { .plan = *plan };
	int status = 0;

	block.skipped = tournament_skips(&joining->tournament, plan);
	if (!block.skipped)
		status = take_record(joining, plan, &block, error);
	if (status)
		return status;
	status = run_add(run, &block);
	if (!status)
		status = tournament_take(&joining->tournament, &block);
	if (status)
		return run_fail(status, "join", run->path, error);
	joining->report.blocks++;
	joining->report.games += block.skipped ? 0 : plan->game_count;
	return run->pending_count < COMMIT_BLOCKS ? 0 : run_commit(run, error);
}

/* The state of the run if nothing follows the blocks so far; else NULL. */
static const char *
find_end(const struct joining *joining)
{
	const struct gate_config *gate = joining->order->gate;
	const struct tournament *tournament = &joining->tournament;

	if (tournament_is_deserted(tournament))
		return RUN_STOPPED;
	return gate != NULL &&
		gate_judge(gate, &tournament->standings, false).final
	    ? RUN_DONE
	    : NULL;
}

static int
add_blocks(struct joining *joining, struct store_error *error)
{
	struct run *run = joining->order->run;
	const char *state = NULL;
	struct block_plan plan;
	int status = 0;

	while (!status && state == NULL) {
		if (tournament_next(&joining->tournament, &plan) !=
		    SCHEDULE_BLOCK) {
			state = RUN_DONE;
			break;
		}
		status = add_block(joining, &plan, error);
		if (!status)
			state = find_end(joining);
	}
	joining->report.state = state;
	if (!status)
		status = run_commit(run, error);
	return status ? status : store_set_state(run->store, state, error);
}

int
shard_join(const struct shard_order *order, struct shard_report *report,
    struct store_error *error)
{
	struct joining joining = { .order = order };
	int status = tournament_open(&joining.tournament, order->tournament);

	if (status)
		return run_fail(status, "join", order->run->path, error);
	joining.shards = calloc((size_t)order->count, sizeof(struct reread));
	if (joining.shards == NULL)
		status = run_fail(-ENOMEM, "join", order->run->path, error);
	for (; !status && joining.opened < order->count; joining.opened++) {
		status = reread_open(&joining.shards[joining.opened],
		    order->paths[joining.opened], RUN_RECORDS,
		    &order->run->head, error);
		if (status)
			break;
	}
	if (!status)
		status = add_blocks(&joining, error);
	for (int i = 0; i < joining.opened; i++) {
		joining.report.left_out +=
		    reread_skip(&joining.shards[i], INT64_MAX);
		reread_close(&joining.shards[i]);
	}
	free(joining.shards);
	tournament_close(&joining.tournament);
	if (!status)
		*report = joining.report;
	return status;
}
