#include "worker.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "channel.h"
#include "clock.h"
#include "cores.h"
#include "plan.h"
#include "process.h"

/* Descriptors beside those of the bots. */
enum { OTHER_FDS = 32 };

enum lane_state { LANE_IDLE, LANE_PLAYING, LANE_STOPPING, LANE_GONE };

/* A table, its bots, and one game at a time. */
struct lane {
	struct worker *worker;
	struct match *match;
	enum lane_state state;
};

struct worker {
	const struct series_config *config;
	struct loop *loop;
	struct channel channel;
	struct lane *lanes;
	int lane_count;
	int open_lanes; /* whose bots are not gone yet */
	bool finishing; /* no further game begins */
};

static void
tell(struct worker *worker, enum worker_report kind, const void *bytes,
    size_t size)
{
	/* Without memory for this the parent must notice by the silence. */
	if (channel_send(&worker->channel, kind, bytes, size, NULL, 0))
		_exit(EXIT_FAILURE);
}

static void
stop_lane(struct lane *lane)
{
	lane->state = LANE_STOPPING;
	match_stop(lane->match);
}

/* Ends all that goes on; killing the bots where it must be quick. */
static void
end_lanes(struct worker *worker, bool kill)
{
	worker->finishing = true;
	for (int i = 0; i < worker->lane_count; i++) {
		struct lane *lane = &worker->lanes[i];

		if (lane->state == LANE_GONE)
			continue;
		if (kill) {
			lane->state = LANE_STOPPING;
			match_kill(lane->match);
		} else if (lane->state == LANE_IDLE) {
			stop_lane(lane);
		} else if (lane->state == LANE_PLAYING) {
			match_abort(lane->match, "interrupted");
		}
	}
}

static void
fail(struct worker *worker, int error)
{
	int32_t code = error;

	tell(worker, WORKER_FAILED, &code, sizeof(code));
	end_lanes(worker, true);
}

static void
fill_result(const struct series_config *config, struct match *match,
    struct series_result *result)
{
	const struct referee *referee = match_referee(match);
	const struct game *game = &referee->game;
	const struct match_game *plan = match_game(match);

	memset(result, 0, sizeof(*result));
	result->game = plan->index;
	result->round = plan->round;
	result->fault = *match_fault(match);
	result->fault_entrant = result->fault.player < 0
	    ? -1
	    : plan_entrant(config, result->fault.player);
	memcpy(result->scores, game->tally.scores, sizeof(result->scores));
	memcpy(result->item_points, game->item_points,
	    sizeof(result->item_points));
	result->winner = game->tally.winner;
	result->deal_count = game->tally.deal_count;
	snprintf(
	    result->reason, sizeof(result->reason), "%s", game->end_reason);
	for (int seat = 0; seat < config->rules.rules.players; seat++) {
		const struct referee_seat *state = &referee->seats[seat];
		int player = plan->player[seat];

		result->entrant[seat] = plan_entrant(config, player);
		snprintf(result->names[result->entrant[seat]], EVENT_NAME_SIZE,
		    "%s", match_player_name(match, player));
		memcpy(result->offences[seat], state->offences,
		    sizeof(result->offences[seat]));
		result->think_ns[seat] = state->think_ns;
		result->think_longest_ns[seat] = state->think_longest_ns;
		result->decision_count[seat] = state->decision_count;
	}
}

static void
on_over(struct match *match)
{
	struct lane *lane = match_context(match);
	struct worker *worker = lane->worker;
	struct record *record = match_record(match);
	struct series_result result;
	int error = 0;

	fill_result(worker->config, match, &result);
	if (worker->config->record_fd < 0)
		record_clear(record);
	else if (record->size > 0)
		error = record_sum(record);
	if (!error)
		error = channel_send(&worker->channel, WORKER_RESULT, &result,
		    sizeof(result), record->bytes, record->size);
	lane->state = LANE_IDLE;
	if (error)
		fail(worker, error);
	else if (worker->finishing)
		stop_lane(lane);
}

static void
on_gone(struct match *match)
{
	struct lane *lane = match_context(match);

	lane->state = LANE_GONE;
	if (--lane->worker->open_lanes == 0)
		loop_stop(lane->worker->loop);
}

static void
on_failure(struct match *match, int error)
{
	struct lane *lane = match_context(match);

	fail(lane->worker, error);
}

static const struct match_events match_calls = {
	.on_over = on_over,
	.on_gone = on_gone,
	.on_failure = on_failure,
};

/* Plays a game where the bots are there already, or at a new table. */
static void
play(struct worker *worker, int index)
{
	struct match_game game = plan_game(worker->config, index);
	struct lane *lane = worker->lanes;

	if (worker->finishing)
		return;
	while (lane->state != LANE_IDLE)
		lane++;
	assert(lane < worker->lanes + worker->lane_count);
	lane->state = LANE_PLAYING;
	match_play(lane->match, &game);
}

static void
on_message(
    struct channel *channel, uint32_t kind, const char *bytes, size_t size)
{
	struct worker *worker = channel->context;
	int32_t index;

	switch ((enum worker_order)kind) {
	case WORKER_PLAY:
		assert(size == sizeof(index));
		memcpy(&index, bytes, sizeof(index));
		play(worker, index);
		break;
	case WORKER_FINISH:
		worker->finishing = true;
		for (int i = 0; i < worker->lane_count; i++)
			if (worker->lanes[i].state == LANE_IDLE)
				stop_lane(&worker->lanes[i]);
		break;
	case WORKER_ABORT:
		end_lanes(worker, false);
		break;
	case WORKER_KILL:
		end_lanes(worker, true);
		break;
	}
}

/* Without a parent there is nobody to play for. */
static void
on_end(struct channel *channel, int error)
{
	(void)error;
	end_lanes(channel->context, true);
}

static int
open_lanes(struct worker *worker, int count)
{
	const struct series_config *config = worker->config;
	const struct entrant *players[SCOPA_SEATS_MAX] = { NULL };

	worker->lanes = calloc((size_t)count, sizeof(*worker->lanes));
	if (worker->lanes == NULL)
		return -ENOMEM;
	for (int i = 0; i < config->rules.rules.players; i++)
		players[i] = &config->entrants[plan_entrant(config, i)];
	while (worker->lane_count < count) {
		struct lane *lane = &worker->lanes[worker->lane_count];
		int error = match_open(&lane->match, worker->loop,
		    &config->rules, players, &match_calls, lane);

		if (error)
			return error;
		lane->worker = worker;
		worker->lane_count++;
		worker->open_lanes++;
	}
	return 0;
}

/* It lives with its parent, and signals from the terminal are the parent's. */
static int
settle(const struct worker_place *place)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return -errno;
	if (getppid() != place->parent)
		_exit(EXIT_FAILURE);
	if (setpgid(0, 0) < 0)
		return -errno;
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	return place->core < 0 ? 0 : cores_pin(place->core);
}

/* A coverage build keeps its counts here; nothing else has this function. */
void __gcov_dump(void) __attribute__((weak));

_Noreturn void
worker_main(
    const struct series_config *config, const struct worker_place *place)
{
	struct worker worker = {
		.config = config,
		.channel = { .on_message = on_message, .on_end = on_end },
	};
	int64_t cpu_ns;
	int error = settle(place);

	worker.channel.context = &worker;
	if (loop_open(&worker.loop) < 0 ||
	    channel_open(&worker.channel, worker.loop, place->order_fd,
		place->report_fd) < 0)
		_exit(EXIT_FAILURE);
	if (!error)
		error = process_make_room(
		    place->lane_count * config->rules.rules.players, OTHER_FDS);
	if (!error)
		error = open_lanes(&worker, place->lane_count);
	if (!error)
		error = loop_run(worker.loop);
	if (error)
		fail(&worker, error);
	for (int i = 0; i < worker.lane_count; i++)
		match_close(worker.lanes[i].match);
	cpu_ns = clock_cpu_ns();
	tell(&worker, WORKER_DONE, &cpu_ns, sizeof(cpu_ns));
	channel_drain(&worker.channel);
	if (__gcov_dump)
		__gcov_dump();
	/* The parent's buffers are in this process too: they are not ours. */
	_exit(EXIT_SUCCESS);
}
