/*
 * A series, as the parent of its workers sees it: hands out the games, and
 * tells their results in order.
 *
 * A worker is never given a game before a table for it is free.  One in reserve
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

/* Games that may have begun before the first of them is told, per lane. */
enum { WINDOW_PER_LANE = 4 };

/* A game that has ended before one of its forerunners. */
struct finished {
	char *bytes; /* struct worker_result, then its record; owned, or NULL */
	size_t size;
};

struct series {
	const struct series_config *config;
	const struct series_calls *calls;
	void *context;
	struct loop *loop;
	struct loop_deadline tick;
	struct crew crew;
	int64_t next_game;   /* to start: games are numbered as supplied */
	int64_t next_result; /* to tell */
	struct finished *finished; /* ring of `window` games from next_result */
	int window;
	int signal_count;
	struct series_outcome outcome;
	bool ending;    /* for a reason: the first one counts */
	bool waiting;   /* the caller has no game at the moment */
	bool all_given; /* the workers know that no games follow */
};

static struct finished *
finished_at(struct series *series, int64_t number)
{
	return &series->finished[number % series->window];
}

void
series_end(struct series *series, enum series_end end, int detail,
    enum series_order order)
{
	if (!series->ending) {
		series->ending = true;
		series->outcome.end = end;
		series->outcome.detail = detail;
	}
	crew_end(&series->crew, order);
}

/* Gives games to the workers that have room, as far as the window allows. */
static void
give_games(struct series *series)
{
	while (!series->ending && !series->waiting && !series->all_given &&
	    series->next_game - series->next_result < series->window &&
	    crew_is_free(&series->crew)) {
		struct worker_game game = { .number = series->next_game };

		switch (
		    series->calls->next(series, series->context, &game.game)) {
		case SERIES_GAME:
			if (series->ending)
				return;
			series->next_game++;
			crew_play(&series->crew, &game);
			break;
		case SERIES_WAIT:
			series->waiting = true;
			break;
		case SERIES_NO_MORE:
			series->all_given = true;
			crew_end(&series->crew, SERIES_FINISH);
			break;
		}
	}
}

void
series_supply_again(struct series *series)
{
	series->waiting = false;
}

/* Tells one game. */
static void
tell(struct series *series, const char *bytes, size_t size)
{
	struct worker_result told;

	memcpy(&told, bytes, sizeof(told));
	series->waiting = false;
	series->calls->on_result(series, series->context, &told.result,
	    bytes + sizeof(told), size - sizeof(told));
}

/* Tells one game that had to wait for others. */
static void
tell_finished(struct series *series, struct finished *finished)
{
	tell(series, finished->bytes, finished->size);
	free(finished->bytes);
	finished->bytes = NULL;
}

static void
keep(struct series *series, int64_t number, const char *bytes, size_t size)
{
	struct finished *finished = finished_at(series, number);

	assert(finished->bytes == NULL);
	finished->bytes = malloc(size);
	if (finished->bytes == NULL) {
		series_end(series, SERIES_FAILED, -ENOMEM, SERIES_ABORT);
		return;
	}
	memcpy(finished->bytes, bytes, size);
	finished->size = size;
}

static void
on_result(void *context, const char *bytes, size_t size)
{
	struct series *series = context;
	int64_t number;

	memcpy(&number, bytes + offsetof(struct worker_result, number),
	    sizeof(number));
	if (number != series->next_result) {
		keep(series, number, bytes, size);
		return;
	}
	tell(series, bytes, size);
	series->next_result++;
	while (finished_at(series, series->next_result)->bytes) {
		tell_finished(series, finished_at(series, series->next_result));
		series->next_result++;
	}
	give_games(series);
}

/* What has ended behind games that never will. */
static void
tell_rest(struct series *series)
{
	for (; series->next_result < series->next_game; series->next_result++) {
		struct finished *finished =
		    finished_at(series, series->next_result);

		if (finished->bytes)
			tell_finished(series, finished);
	}
}

static void
on_failure(void *context, int error)
{
	series_end(context, SERIES_FAILED, error, SERIES_ABORT);
}

static void
on_loss(void *context, int wait_status, int game_count)
{
	struct series *series = context;

	series->outcome.lost_count += game_count;
	series_end(series, SERIES_LOST, wait_status, SERIES_ABORT);
}

static void
on_gone(void *context)
{
	struct series *series = context;

	loop_stop(series->loop);
}

static const struct crew_events crew_calls = {
	.on_result = on_result,
	.on_failure = on_failure,
	.on_loss = on_loss,
	.on_gone = on_gone,
};

static void
on_signal(void *context, int signal)
{
	struct series *series = context;

	series->signal_count++;
	if (series->calls->on_signal)
		series->calls->on_signal(
		    series, series->context, signal, series->signal_count);
	else
		series_end(series, SERIES_INTERRUPTED, signal,
		    series->ending ? SERIES_KILL : SERIES_ABORT);
	give_games(series);
}

static void
on_tick(struct loop_deadline *tick, int64_t now_ns)
{
	struct series *series = tick->context;

	loop_deadline_set(series->loop, tick, now_ns + series->config->tick_ns);
	series->calls->on_tick(series, series->context);
	give_games(series);
}

static int
prepare(struct series *series)
{
	const struct series_config *config = series->config;
	int error;

	series->window = WINDOW_PER_LANE * config->concurrency;
	series->finished =
	    calloc((size_t)series->window, sizeof(struct finished));
	if (series->finished == NULL)
		return -ENOMEM;
	error = crew_open(&series->crew, config);
	if (error)
		return error;
	error = loop_open(&series->loop);
	if (error)
		return error;
	if (config->tick_ns > 0 && series->calls->on_tick) {
		series->tick.on_deadline = on_tick;
		series->tick.context = series;
		error = loop_deadline_open(series->loop, &series->tick);
		if (error)
			return error;
		loop_deadline_set(series->loop, &series->tick,
		    clock_now_ns() + config->tick_ns);
	}
	error = loop_signals(series->loop, on_signal, series);
	return error
	    ? error
	    : crew_listen(&series->crew, series->loop, &crew_calls, series);
}

static void
release(struct series *series)
{
	crew_close(&series->crew);
	loop_deadline_close(series->loop, &series->tick);
	loop_close(series->loop);
	for (int i = 0; series->finished != NULL && i < series->window; i++)
		free(series->finished[i].bytes);
	free(series->finished);
}

struct series_outcome
series_run(const struct series_config *config, const struct series_calls *calls,
    void *context)
{
	struct series series = {
		.config = config,
		.calls = calls,
		.context = context,
		.outcome.end = SERIES_DONE,
	};
	int64_t cpu_ns = clock_cpu_ns();
	int error;

	assert(config->concurrency >= 1 &&
	    config->concurrency <= SERIES_AT_ONCE_MAX);
	assert(config->entrant_count <= SERIES_ENTRANTS_MAX);
	error = prepare(&series);
	if (error) {
		/* There may be workers that nobody can speak to yet. */
		series.outcome.end = SERIES_FAILED;
		series.outcome.detail = error;
		goto release_series;
	}
	give_games(&series);
	error = loop_run(series.loop);
	tell_rest(&series);
	if (error)
		series_end(&series, SERIES_FAILED, error, SERIES_KILL);
release_series:
	series.outcome.cpu_ns =
	    clock_cpu_ns() - cpu_ns + crew_cpu_ns(&series.crew);
	release(&series);
	return series.outcome;
}

/* Ways of seating: of the parties where an entrant is a party, else of seats. */
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

struct series_game
plan_game(const struct plan *plan, int index)
{
	int seats = plan->rules->players;
	struct series_game game = {
		.index = index,
		.round = index / rotation_count(plan),
		.rotation = index % rotation_count(plan),
	};

	game.dealer = (seats - 1 + game.round) % seats;
	for (int seat = 0; seat < seats; seat++) {
		int place = (seat + game.rotation) % seats;

		game.entrant[seat] = plan->entrant_count == seats
		    ? place
		    : scopa_party_of(plan->rules, place);
	}
	snprintf(game.event, sizeof(game.event), "round-%d", game.round + 1);
	return game;
}
