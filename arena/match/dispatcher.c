/*
 * The parent's side of the workers: gives them games, as far ahead as the window
 * allows, and reports the results in the order in which games were supplied.
 *
 * A worker is given a game only when one of its lanes is free.  One in reserve
 * would save a moment between two games, but it would be played after a fault
 * that ends the series, or wait behind a long game while another worker is
 * idle.
 */
#include "dispatcher.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "worker_pool.h"

/* Games that may have begun before the first is reported, per lane. */
enum { WINDOW_PER_LANE = 4 };

/* A game that has ended before one of its forerunners. */
struct finished {
	char *bytes; /* struct worker_result, then its record; owned, or NULL */
	size_t size;
};

struct dispatcher {
	const struct dispatcher_config *config;
	const struct dispatcher_calls *calls;
	void *context;
	struct loop *loop;
	struct loop_deadline tick;
	struct worker_pool pool;
	int64_t next_game;   /* to start: games are numbered as supplied */
	int64_t next_result; /* to report */
	struct finished *finished; /* ring of `window` games from next_result */
	int window;
	int signal_count;
	struct dispatcher_outcome outcome;
	bool ending;    /* for a reason: the first one counts */
	bool waiting;   /* the caller has no game at the moment */
	bool all_given; /* the workers know that no games follow */
};

static struct finished *
finished_at(struct dispatcher *dispatcher, int64_t number)
{
	return &dispatcher->finished[number % dispatcher->window];
}

void
dispatcher_end(struct dispatcher *dispatcher, enum dispatcher_end end,
    int detail, enum stop_mode order)
{
	if (!dispatcher->ending) {
		dispatcher->ending = true;
		dispatcher->outcome.end = end;
		dispatcher->outcome.detail = detail;
	}
	worker_pool_end(&dispatcher->pool, order);
}

/* Gives games to the workers that have room, as far as the window allows. */
static void
give_games(struct dispatcher *dispatcher)
{
	while (!dispatcher->ending && !dispatcher->waiting &&
	    !dispatcher->all_given &&
	    dispatcher->next_game - dispatcher->next_result <
		dispatcher->window &&
	    worker_pool_is_free(&dispatcher->pool)) {
		struct worker_game game = { .number = dispatcher->next_game };

		switch (dispatcher->calls->next(
		    dispatcher, dispatcher->context, &game.game)) {
		case DISPATCHER_GAME:
			if (dispatcher->ending)
				return;
			dispatcher->next_game++;
			worker_pool_play(&dispatcher->pool, &game);
			break;
		case DISPATCHER_WAIT:
			dispatcher->waiting = true;
			break;
		case DISPATCHER_NO_MORE:
			dispatcher->all_given = true;
			worker_pool_end(&dispatcher->pool, STOP_FINISH);
			break;
		}
	}
}

void
dispatcher_supply_again(struct dispatcher *dispatcher)
{
	dispatcher->waiting = false;
}

/* Reports one game. */
static void
report_game(struct dispatcher *dispatcher, const char *bytes, size_t size)
{
	struct worker_result result;

	memcpy(&result, bytes, sizeof(result));
	dispatcher->waiting = false;
	dispatcher->calls->on_result(dispatcher, dispatcher->context,
	    &result.result, bytes + sizeof(result), size - sizeof(result));
}

/* Reports one game that had to wait for others. */
static void
report_finished(struct dispatcher *dispatcher, struct finished *finished)
{
	report_game(dispatcher, finished->bytes, finished->size);
	free(finished->bytes);
	finished->bytes = NULL;
}

static void
store_finished(struct dispatcher *dispatcher, int64_t number, const char *bytes,
    size_t size)
{
	struct finished *finished = finished_at(dispatcher, number);

	assert(finished->bytes == NULL);
	finished->bytes = malloc(size);
	if (finished->bytes == NULL) {
		dispatcher_end(
		    dispatcher, DISPATCHER_FAILED, -ENOMEM, STOP_ABORT);
		return;
	}
	memcpy(finished->bytes, bytes, size);
	finished->size = size;
}

static void
on_result(void *context, const char *bytes, size_t size)
{
	struct dispatcher *dispatcher = context;
	int64_t number;

	memcpy(&number, bytes + offsetof(struct worker_result, number),
	    sizeof(number));
	if (number != dispatcher->next_result) {
		store_finished(dispatcher, number, bytes, size);
		return;
	}
	report_game(dispatcher, bytes, size);
	dispatcher->next_result++;
	while (finished_at(dispatcher, dispatcher->next_result)->bytes) {
		report_finished(dispatcher,
		    finished_at(dispatcher, dispatcher->next_result));
		dispatcher->next_result++;
	}
	give_games(dispatcher);
}

/* Reports games that ended, though earlier ones never will. */
static void
report_rest(struct dispatcher *dispatcher)
{
	for (; dispatcher->next_result < dispatcher->next_game;
	     dispatcher->next_result++) {
		struct finished *finished =
		    finished_at(dispatcher, dispatcher->next_result);

		if (finished->bytes)
			report_finished(dispatcher, finished);
	}
}

static void
on_failure(void *context, int error)
{
	dispatcher_end(context, DISPATCHER_FAILED, error, STOP_ABORT);
}

static void
on_loss(void *context, int wait_status, int game_count)
{
	struct dispatcher *dispatcher = context;

	dispatcher->outcome.lost_count += game_count;
	dispatcher_end(dispatcher, DISPATCHER_LOST, wait_status, STOP_ABORT);
}

static void
on_gone(void *context)
{
	struct dispatcher *dispatcher = context;

	loop_stop(dispatcher->loop);
}

static const struct worker_pool_events worker_pool_calls = {
	.on_result = on_result,
	.on_failure = on_failure,
	.on_loss = on_loss,
	.on_gone = on_gone,
};

static void
on_signal(void *context, int signal)
{
	struct dispatcher *dispatcher = context;

	dispatcher->signal_count++;
	if (dispatcher->calls->on_signal)
		dispatcher->calls->on_signal(dispatcher, dispatcher->context,
		    signal, dispatcher->signal_count);
	else
		dispatcher_end(dispatcher, DISPATCHER_INTERRUPTED, signal,
		    dispatcher->ending ? STOP_KILL : STOP_ABORT);
	give_games(dispatcher);
}

static void
on_tick(struct loop_deadline *tick, int64_t now_ns)
{
	struct dispatcher *dispatcher = tick->context;

	loop_deadline_set(
	    dispatcher->loop, tick, now_ns + dispatcher->config->tick_ns);
	dispatcher->calls->on_tick(dispatcher, dispatcher->context);
	give_games(dispatcher);
}

static int
prepare(struct dispatcher *dispatcher)
{
	const struct dispatcher_config *config = dispatcher->config;
	int error;

	dispatcher->window = WINDOW_PER_LANE * config->concurrency;
	dispatcher->finished =
	    calloc((size_t)dispatcher->window, sizeof(struct finished));
	if (dispatcher->finished == NULL)
		return -ENOMEM;
	error = worker_pool_open(&dispatcher->pool, config);
	if (error)
		return error;
	error = loop_open(&dispatcher->loop);
	if (error)
		return error;
	if (config->tick_ns > 0 && dispatcher->calls->on_tick) {
		dispatcher->tick.on_deadline = on_tick;
		dispatcher->tick.context = dispatcher;
		error = loop_deadline_open(dispatcher->loop, &dispatcher->tick);
		if (error)
			return error;
		loop_deadline_set(dispatcher->loop, &dispatcher->tick,
		    clock_now_ns() + config->tick_ns);
	}
	error = loop_signals(dispatcher->loop, on_signal, dispatcher);
	return error ? error
		     : worker_pool_listen(&dispatcher->pool, dispatcher->loop,
			   &worker_pool_calls, dispatcher);
}

static void
release(struct dispatcher *dispatcher)
{
	worker_pool_close(&dispatcher->pool);
	loop_deadline_close(dispatcher->loop, &dispatcher->tick);
	loop_close(dispatcher->loop);
	for (int i = 0; dispatcher->finished != NULL && i < dispatcher->window;
	     i++)
		free(dispatcher->finished[i].bytes);
	free(dispatcher->finished);
}

struct dispatcher_outcome
dispatcher_run(const struct dispatcher_config *config,
    const struct dispatcher_calls *calls, void *context)
{
	struct dispatcher dispatcher = {
		.config = config,
		.calls = calls,
		.context = context,
		.outcome.end = DISPATCHER_DONE,
	};
	int64_t cpu_ns = clock_cpu_ns();
	int error;

	assert(config->concurrency >= 1 &&
	    config->concurrency <= DISPATCHER_AT_ONCE_MAX);
	assert(config->entrant_count <= DISPATCHER_ENTRANTS_MAX);
	error = prepare(&dispatcher);
	if (error) {
		/* There may be workers whose pipes are not served yet. */
		dispatcher.outcome.end = DISPATCHER_FAILED;
		dispatcher.outcome.detail = error;
		goto release_dispatcher;
	}
	give_games(&dispatcher);
	error = loop_run(dispatcher.loop);
	report_rest(&dispatcher);
	if (error)
		dispatcher_end(
		    &dispatcher, DISPATCHER_FAILED, error, STOP_KILL);
release_dispatcher:
	dispatcher.outcome.cpu_ns =
	    clock_cpu_ns() - cpu_ns + worker_pool_cpu_ns(&dispatcher.pool);
	release(&dispatcher);
	return dispatcher.outcome;
}

/* Ways of seating: of the teams where an entrant is a team, else of seats. */
static int
rotation_count(const struct plan *plan)
{
	return plan->duplicate ? plan->entrant_count : 1;
}

int64_t
plan_game_count(const struct plan *plan)
{
	return (int64_t)plan->rounds * rotation_count(plan);
}

struct game_spec
plan_game(const struct plan *plan, int index)
{
	int seats = plan->rules->players;
	struct game_spec game = {
		.index = index,
		.round = index / rotation_count(plan),
		.rotation = index % rotation_count(plan),
	};

	game.dealer = (seats - 1 + game.round) % seats;
	for (int seat = 0; seat < seats; seat++) {
		int place = (seat + game.rotation) % seats;

		game.entrant[seat] = plan->entrant_count == seats
		    ? place
		    : scopa_team_of(plan->rules, place);
	}
	snprintf(game.event, sizeof(game.event), "round-%d", game.round + 1);
	return game;
}
