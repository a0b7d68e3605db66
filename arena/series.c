/*
 * A series, as the parent of its workers sees it: hands out the games, and
 * tells and records their results in order.
 *
 * A worker is never given a game before a table for it is free.  One in reserve
 * would save a moment between two games, but it would be played after a fault
 * that ends the series, or wait behind a long game while another worker is
 * idle.
 */
#include "series.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "crew.h"

/* Games that may have begun before the first of them is told, per lane. */
enum { WINDOW_PER_LANE = 4 };

/* A game that has ended before one of its forerunners. */
struct finished {
	bool ready;
	struct series_result result;
	char *block; /* owned; NULL: none */
	size_t block_size;
};

struct series {
	const struct series_config *config;
	struct loop *loop;
	struct crew crew;
	int game_count;
	int next_game;             /* to start */
	int next_result;           /* to tell */
	struct finished *finished; /* ring of `window` games from next_result */
	int window;
	void (*on_result)(void *context, const struct series_result *result);
	void *context;
	struct series_outcome outcome;
	bool ending;    /* for a reason: the first one counts */
	bool all_given; /* the workers know that no games follow */
};

static struct finished *
finished_at(struct series *series, int index)
{
	return &series->finished[index % series->window];
}

/* The first reason counts; games that are on end as `order` says. */
static void
end_series(struct series *series, enum series_end end, int detail,
    enum worker_order order)
{
	if (!series->ending) {
		series->ending = true;
		series->outcome.end = end;
		series->outcome.detail = detail;
	}
	crew_end(&series->crew, order);
}

/* A fault after which the remaining games make no sense. */
static bool
stops_series(const struct series *series, const struct series_result *result)
{
	return result->fault_entrant >= 0 &&
	    (result->fault.kind == OFFENCE_STARTUP ||
		series->config->rules.settings.policy == POLICY_DISQUALIFY);
}

/* Tells one result and writes its record. */
static void
tell_result(struct series *series, struct finished *finished)
{
	int error = 0;

	if (finished->block != NULL)
		error = record_file_append(series->config->record_fd,
		    finished->block, finished->block_size);
	if (error)
		end_series(series, SERIES_FAILED, error, WORKER_FINISH);
	series->on_result(series->context, &finished->result);
	if (stops_series(series, &finished->result))
		end_series(series, SERIES_STOPPED, 0, WORKER_FINISH);
	free(finished->block);
	finished->block = NULL;
	finished->ready = false;
}

/* Gives games to the workers that have room, as far as the window allows. */
static void
give_games(struct series *series)
{
	while (!series->ending && series->next_game < series->game_count &&
	    series->next_game - series->next_result < series->window &&
	    crew_play(&series->crew, series->next_game))
		series->next_game++;
	if (series->ending || series->all_given ||
	    series->next_game < series->game_count)
		return;
	series->all_given = true;
	crew_end(&series->crew, WORKER_FINISH);
}

static void
on_result(void *context, const struct series_result *result, const char *block,
    size_t size)
{
	struct series *series = context;
	struct finished *finished = finished_at(series, result->game);

	assert(!finished->ready);
	if (size > 0) {
		finished->block = malloc(size);
		if (finished->block == NULL) {
			end_series(
			    series, SERIES_FAILED, -ENOMEM, WORKER_ABORT);
			return;
		}
		memcpy(finished->block, block, size);
		finished->block_size = size;
	}
	finished->result = *result;
	finished->ready = true;
	while (finished_at(series, series->next_result)->ready) {
		tell_result(series, finished_at(series, series->next_result));
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

		if (finished->ready)
			tell_result(series, finished);
	}
}

static void
on_failure(void *context, int error)
{
	end_series(context, SERIES_FAILED, error, WORKER_ABORT);
}

static void
on_loss(void *context, int wait_status, int game_count)
{
	struct series *series = context;

	series->outcome.lost_count += game_count;
	end_series(series, SERIES_LOST, wait_status, WORKER_ABORT);
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

/* Games are given up at the first signal; the second one kills the bots. */
static void
on_signal(void *context, int signal)
{
	struct series *series = context;

	end_series(series, SERIES_INTERRUPTED, signal,
	    series->ending ? WORKER_KILL : WORKER_ABORT);
}

static int
prepare(struct series *series)
{
	const struct series_config *config = series->config;
	int lane_count, error;

	series->game_count = (int)series_game_count(config);
	lane_count = config->concurrency < series->game_count
	    ? config->concurrency
	    : series->game_count;
	series->window = WINDOW_PER_LANE * lane_count;
	series->finished =
	    calloc((size_t)series->window, sizeof(struct finished));
	if (series->finished == NULL)
		return -ENOMEM;
	error = crew_open(&series->crew, config, lane_count);
	if (error)
		return error;
	error = loop_open(&series->loop);
	if (error)
		return error;
	error = loop_signals(series->loop, on_signal, series);
	return error
	    ? error
	    : crew_listen(&series->crew, series->loop, &crew_calls, series);
}

static void
release(struct series *series)
{
	crew_close(&series->crew);
	loop_close(series->loop);
	for (int i = 0; series->finished != NULL && i < series->window; i++)
		free(series->finished[i].block);
	free(series->finished);
}

struct series_outcome
series_run(const struct series_config *config,
    void (*on_result_told)(void *context, const struct series_result *result),
    void *context)
{
	struct series series = {
		.config = config,
		.on_result = on_result_told,
		.context = context,
		.outcome.end = SERIES_DONE,
	};
	int64_t cpu_ns = clock_cpu_ns();
	int error = prepare(&series);

	if (error == 0) {
		give_games(&series);
		error = loop_run(series.loop);
		tell_rest(&series);
	}
	if (error)
		end_series(&series, SERIES_FAILED, error, WORKER_KILL);
	series.outcome.cpu_ns =
	    clock_cpu_ns() - cpu_ns + crew_cpu_ns(&series.crew);
	release(&series);
	return series.outcome;
}
