/*
 * A series of games on one loop.
 */
#include "series.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"

/* Descriptors of one bot: pipes, pidfd; a moment longer while it starts. */
enum { OTHER_FDS = 32 };

/* A game that has ended before one of its forerunners. */
struct finished {
	bool ready;
	struct series_result result;
	struct record record;
};

struct series {
	const struct series_config *config;
	struct loop *loop;
	struct match **lanes;
	int lane_count;
	struct match *
	    *waiting; /* lanes whose next game would be too far ahead */
	int waiting_count;
	int open_lanes; /* whose bots are not gone yet */
	int game_count;
	int next_game;             /* to start */
	int next_result;           /* to tell */
	struct finished *finished; /* ring of `window` games from next_result */
	int window;
	void (*on_result)(void *context, const struct series_result *result);
	void *context;
	enum series_end end;
	int detail;
	bool ending;
};

/* Ways of seating: of the parties where an entrant is a party, else of seats. */
static int
rotation_count(const struct series_config *config)
{
	return config->duplicate ? config->entrant_count : 1;
}

int64_t
series_game_count(const struct series_config *config)
{
	return (int64_t)config->rounds * rotation_count(config);
}

/* The game of this number: a pure function of the configuration. */
static struct match_game
plan_game(const struct series_config *config, int index)
{
	int seats = config->rules.rules.players;
	struct match_game game = {
		.index = index,
		.round = index / rotation_count(config),
		.rotation = index % rotation_count(config),
	};

	game.dealer = (seats - 1 + game.round) % seats;
	for (int seat = 0; seat < seats; seat++)
		game.player[seat] = (seat + game.rotation) % seats;
	snprintf(game.event, sizeof(game.event), "round-%d", game.round + 1);
	return game;
}

/* The entrant that plays as this player. */
static int
entrant_of(const struct series_config *config, int player)
{
	if (config->entrant_count == config->rules.rules.players)
		return player;
	return scopa_party_of(&config->rules.rules, player);
}

static void
end_series(struct series *series, enum series_end end, int detail)
{
	if (!series->ending) {
		series->ending = true;
		series->end = end;
		series->detail = detail;
	}
}

static void
fill_result(const struct series *series, struct match *match,
    struct series_result *result)
{
	const struct series_config *config = series->config;
	const struct referee *referee = match_referee(match);
	const struct game *game = &referee->game;
	const struct match_game *plan = match_game(match);

	memset(result, 0, sizeof(*result));
	result->game = plan->index;
	result->round = plan->round;
	result->fault = *match_fault(match);
	result->fault_entrant = result->fault.player < 0
	    ? -1
	    : entrant_of(config, result->fault.player);
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

		result->entrant[seat] = entrant_of(config, player);
		snprintf(result->names[result->entrant[seat]], EVENT_NAME_SIZE,
		    "%s", match_player_name(match, player));
		memcpy(result->offences[seat], state->offences,
		    sizeof(result->offences[seat]));
		result->think_ns[seat] = state->think_ns;
		result->think_longest_ns[seat] = state->think_longest_ns;
		result->decision_count[seat] = state->decision_count;
	}
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

	if (series->config->record_fd >= 0)
		error =
		    record_close(&finished->record, series->config->record_fd);
	if (error)
		end_series(series, SERIES_FAILED, error);
	series->on_result(series->context, &finished->result);
	if (stops_series(series, &finished->result))
		end_series(series, SERIES_STOPPED, 0);
	record_clear(&finished->record);
	finished->ready = false;
}

/* Gives a free lane its next game, or sends its bots away. */
static void
feed_lane(struct series *series, struct match *match)
{
	struct match_game game;

	if (series->ending || series->next_game == series->game_count) {
		match_stop(match);
		return;
	}
	if (series->next_game - series->next_result >= series->window) {
		series->waiting[series->waiting_count++] = match;
		return;
	}
	game = plan_game(series->config, series->next_game++);
	match_play(match, &game);
}

/* Tells results as far as the order allows; lanes that waited go on. */
static void
tell_results(struct series *series)
{
	int waiting_count = series->waiting_count;

	for (;;) {
		struct finished *first =
		    &series->finished[series->next_result % series->window];

		if (!first->ready)
			break;
		tell_result(series, first);
		series->next_result++;
	}
	series->waiting_count = 0;
	for (int i = 0; i < waiting_count; i++)
		feed_lane(series, series->waiting[i]);
}

/* After an interruption: what has ended behind games that never will. */
static void
tell_rest(struct series *series)
{
	for (; series->next_result < series->next_game; series->next_result++) {
		struct finished *finished =
		    &series->finished[series->next_result % series->window];

		if (finished->ready)
			tell_result(series, finished);
	}
}

static void
on_over(struct match *match)
{
	struct series *series = match_context(match);
	int index = match_game(match)->index;
	struct finished *finished = &series->finished[index % series->window];
	struct record swap;

	assert(!finished->ready);
	fill_result(series, match, &finished->result);
	swap = finished->record;
	finished->record = *match_record(match);
	*match_record(match) = swap;
	finished->ready = true;
	tell_results(series);
	feed_lane(series, match);
}

static void
on_gone(struct match *match)
{
	struct series *series = match_context(match);

	if (--series->open_lanes == 0)
		loop_stop(series->loop);
}

static void
stop_lanes(struct series *series, const char *reason)
{
	for (int i = 0; i < series->lane_count; i++) {
		if (reason)
			match_abort(series->lanes[i], reason);
		else
			match_kill(series->lanes[i]);
	}
	tell_results(series);
}

static void
on_failure(struct match *match, int error)
{
	struct series *series = match_context(match);

	end_series(series, SERIES_FAILED, error);
	stop_lanes(series, NULL);
}

static void
on_signal(void *context, int signal)
{
	struct series *series = context;

	if (series->ending) {
		stop_lanes(series, NULL);
		return;
	}
	end_series(series, SERIES_INTERRUPTED, signal);
	stop_lanes(series, "interrupted");
}

static const struct match_events match_calls = {
	.on_over = on_over,
	.on_gone = on_gone,
	.on_failure = on_failure,
};

static int
open_lanes(struct series *series)
{
	const struct series_config *config = series->config;
	const struct entrant *players[SCOPA_SEATS_MAX];

	for (int i = 0; i < config->rules.rules.players; i++)
		players[i] = &config->entrants[entrant_of(config, i)];
	for (int i = 0; i < series->lane_count; i++) {
		int error = match_open(&series->lanes[i], series->loop,
		    &config->rules, players, &match_calls, series);

		if (error)
			return error;
	}
	return 0;
}

static void
release(struct series *series)
{
	if (series->lanes)
		for (int i = 0; i < series->lane_count; i++)
			match_close(series->lanes[i]);
	if (series->finished)
		for (int i = 0; i < series->window; i++)
			record_release(&series->finished[i].record);
	free(series->waiting);
	free(series->lanes);
	free(series->finished);
	loop_close(series->loop);
}

static int
prepare(struct series *series)
{
	const struct series_config *config = series->config;
	int error;

	series->game_count = (int)series_game_count(config);
	series->lane_count = config->concurrency < series->game_count
	    ? config->concurrency
	    : series->game_count;
	series->window = 4 * series->lane_count;
	error = process_make_room(
	    series->lane_count * config->rules.rules.players, OTHER_FDS);
	if (error)
		return error;
	error = loop_open(&series->loop);
	if (error)
		return error;
	series->lanes =
	    calloc((size_t)series->lane_count, sizeof(struct match *));
	series->waiting =
	    calloc((size_t)series->lane_count, sizeof(struct match *));
	series->finished =
	    calloc((size_t)series->window, sizeof(struct finished));
	if (!series->lanes || !series->waiting || !series->finished)
		return -ENOMEM;
	error = loop_signals(series->loop, on_signal, series);
	return error ? error : open_lanes(series);
}

enum series_end
series_run(const struct series_config *config,
    void (*on_result)(void *context, const struct series_result *result),
    void *context, int *detail)
{
	struct series series = {
		.config = config,
		.on_result = on_result,
		.context = context,
		.end = SERIES_DONE,
	};
	int error = prepare(&series);

	if (error == 0) {
		series.open_lanes = series.lane_count;
		for (int i = 0; i < series.lane_count; i++)
			feed_lane(&series, series.lanes[i]);
		error = loop_run(series.loop);
		tell_rest(&series);
	}
	if (error)
		end_series(&series, SERIES_FAILED, error);
	release(&series);
	*detail = series.detail;
	return series.end;
}
