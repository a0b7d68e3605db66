/*
 * How the games and the bots of a table begin and end.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "match_state.h"

/* For who has missed the limit of the start; all is over 250 ms behind it. */
#define HEAR_OUT_NS INT64_C(150000000)

int
match_start_player(struct player *player)
{
	struct match *match = player->match;
	const struct entrant *entrant = &match->entrants[player->entrant];
	const char *arguments[PROGRAM_ARGUMENTS_MAX + 1];
	struct bot_options options = {
		.path = entrant->program.path,
		.arguments = arguments,
		.environment = entrant->environment,
		.dir = entrant->dir,
		.read = entrant->read[0] ? entrant->read : NULL,
		.allows_futexes = entrant->allows_futexes,
		.walls = match->rules->walls,
		.memory_max_bytes = match->rules->memory_max_bytes,
		.stale = seal_check(&entrant->seal) == -ESTALE,
		.events = &match_bot_calls,
		.context = player,
	};
	struct referee_event event;
	int error;

	program_arguments(&entrant->program, arguments);
	error = bot_open(&player->bot, match->loop, &options);
	if (error)
		return error;
	player->frozen = player->ponders = player->held = false;
	player->received[0] = player->ending[0] = '\0';
	player->stderr_tail[0] = '\0';
	player->overfull = false;
	player->hear_out_ns = 0;
	player->work_ns = THINKER_UNKNOWN;
	match->referee.seats[player->seat].options = entrant->options;
	event = match_event(match, REFEREE_START, player->seat, clock_now_ns());
	match_take(match, &event);
	return 0;
}

int64_t
match_hear_out(struct match *match, int64_t now_ns)
{
	int64_t until_ns = 0;

	for (int seat = 0; seat < match_seat_count(match); seat++) {
		const struct referee_seat *state = &match->referee.seats[seat];
		struct player *player = match->players[seat];

		if (player->bot == NULL || bot_dead(player->bot) ||
		    state->session.phase != SESSION_HELLO ||
		    state->deadline_ns > now_ns || player->received[0] ||
		    bot_has_written(player->bot))
			continue;
		if (player->hear_out_ns == 0) {
			player->hear_out_ns = now_ns + HEAR_OUT_NS;
			bot_stop(player->bot, NULL, player->hear_out_ns);
		}
		if (player->hear_out_ns > until_ns)
			until_ns = player->hear_out_ns;
	}
	return until_ns;
}

void
match_check_gone(struct match *match)
{
	if (!match->stopping || match_bot_count(match) > 0)
		return;
	match->stopping = false;
	/* Who was sent away has left a session behind. */
	referee_init(
	    &match->referee, &match->rules->settings, match_seat_count(match));
	match->events->on_gone(match);
}

int
match_open(struct match **opened, struct loop *loop,
    const struct match_rules *rules, const struct entrant *entrants,
    const struct match_events *events, void *context)
{
	struct match *match = calloc(1, sizeof(*match));
	int error;

	if (match == NULL)
		return -ENOMEM;
	match->loop = loop;
	match->rules = rules;
	match->entrants = entrants;
	match->events = events;
	match->context = context;
	match->deadline.on_deadline = match_on_deadline;
	match->deadline.context = match;
	match->pulse.on_beat = match_on_beat;
	match->pulse.on_late = match_on_late;
	match->pulse.context = match;
	match->thinker.on_place = match_on_place;
	match->thinker.context = match;
	loop_pulse_open(loop, &match->pulse);
	match->fault.seat = -1;
	record_init(&match->record);
	referee_init(&match->referee, &rules->settings, rules->rules.players);
	outbox_init(&match->outbox, rules->rules.players);
	error = loop_deadline_open(loop, &match->deadline);
	for (int seat = 0; seat < rules->rules.players && !error; seat++) {
		match->players[seat] = calloc(1, sizeof(struct player));
		if (match->players[seat] == NULL) {
			error = -ENOMEM;
			break;
		}
		match->players[seat]->match = match;
		match->players[seat]->seat = seat;
	}
	if (error)
		match_close(match);
	else
		*opened = match;
	return error;
}

int
match_max_deals(const struct match_rules *rules)
{
	return rules->max_deals > 0 ? rules->max_deals
				    : game_deals_max(&rules->rules);
}

void
match_take_turns(struct match *match, struct thinkers *thinkers)
{
	assert(match->thinker.state == THINKER_AWAY);
	match->thinkers = thinkers;
}

void
match_close(struct match *match)
{
	if (match == NULL)
		return;
	match_leave_line(match);
	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++) {
		if (match->players[seat])
			bot_close(match->players[seat]->bot);
		free(match->players[seat]);
	}
	loop_pulse_close(match->loop, &match->pulse);
	loop_deadline_close(match->loop, &match->deadline);
	record_release(&match->record);
	free(match);
}

int
match_bot_count(const struct match *match)
{
	int count = 0;

	for (int seat = 0; seat < match_seat_count(match); seat++)
		count += match->players[seat]->bot != NULL;
	return count;
}

int
match_descriptor_count(const struct match *match)
{
	int count = 0;

	for (int seat = 0; seat < match_seat_count(match); seat++)
		if (match->players[seat]->bot)
			count +=
			    bot_descriptor_count(match->players[seat]->bot);
	return count;
}

/* Whether a bot of the entrant is there, ready for the next game. */
static bool
waits(const struct match *match, int seat, int entrant)
{
	const struct player *player = match->players[seat];
	const struct referee_seat *state = &match->referee.seats[seat];

	return player->bot && player->entrant == entrant &&
	    state->session.phase == SESSION_IDLE && !state->kill;
}

/*
 * Finds for each seat of the game the one where its bot waits now, or an empty
 * one; returns how many bots there are.
 */
static int
find_seats(const struct match *match, const struct series_game *game,
    int from[SCOPA_SEATS_MAX])
{
	bool taken[SCOPA_SEATS_MAX] = { false };
	int count = 0, empty = 0;

	for (int seat = 0; seat < match_seat_count(match); seat++) {
		int at = 0;

		while (at < match_seat_count(match) &&
		    (taken[at] || !waits(match, at, game->entrant[seat])))
			at++;
		from[seat] = -1;
		if (at == match_seat_count(match))
			continue;
		from[seat] = at;
		taken[at] = true;
		count++;
	}
	for (int seat = 0; seat < match_seat_count(match); seat++) {
		if (from[seat] >= 0)
			continue;
		while (taken[empty])
			empty++;
		from[seat] = empty;
		taken[empty] = true;
	}
	return count;
}

bool
match_fits(const struct match *match, const struct series_game *game)
{
	int from[SCOPA_SEATS_MAX];

	return find_seats(match, game, from) == match_seat_count(match);
}

/* Puts a player down at a seat. */
static void
sit_down(struct match *match, int seat, struct player *player)
{
	match->players[seat] = player;
	player->match = match;
	player->seat = seat;
}

bool
match_fetch(struct match *match, int seat, int entrant, struct match *other)
{
	struct player *player = match->players[seat];
	int from = 0;

	assert(!match->playing && !other->playing && player->bot == NULL);
	while (from < match_seat_count(other) && !waits(other, from, entrant))
		from++;
	if (from == match_seat_count(other))
		return false;
	sit_down(match, seat, other->players[from]);
	sit_down(other, from, player);
	referee_exchange(&match->referee, seat, &other->referee, from);
	match_set_deadline(match);
	match_set_deadline(other);
	return true;
}

/*
 * The ids of decisions come from the secret, too, which no bot knows: the same
 * seed gives the same lines.
 */
static void
start_nonces(struct match *match)
{
	struct shuffle_key key;

	shuffle_deal_key(&match->rules->secret, "decisions",
	    (uint64_t)match->game.index + 1, 0, &key);
	shuffle_stream_init(&match->nonces, &key);
}

/* Seats the players for the next game. */
static void
reseat(struct match *match, const struct series_game *game)
{
	struct player *players[SCOPA_SEATS_MAX];
	int from[SCOPA_SEATS_MAX] = { 0 };

	find_seats(match, game, from);
	memcpy(players, match->players, sizeof(players));
	match->game = *game;
	match->watched_count = 0;
	match->grid_origin_ns = match->release_ns = 0;
	start_nonces(match);
	for (int seat = 0; seat < match_seat_count(match); seat++) {
		sit_down(match, seat, players[from[seat]]);
		match->players[seat]->entrant = game->entrant[seat];
		match->players[seat]->received[0] = '\0';
		match->players[seat]->watched_ns = 0;
		match->players[seat]->ponders = false;
		match->players[seat]->held = false;
		match->players[seat]->void_count = 0;
	}
	outbox_init(&match->outbox, match_seat_count(match));
	record_clear(&match->record);
	match->playing = true;
	referee_reseat(&match->referee, from, clock_now_ns(), &match->outbox);
	match_deliver(match);
	match_set_deadline(match);
}

void
match_play(struct match *match, const struct series_game *game)
{
	assert(!match->playing && !match->stopping);
	reseat(match, game);
	if (match->rules->packs)
		match->pack_cursor = game->round *
		    (match->rules->deals ? match->rules->deals : 1) %
		    match->rules->packs->count;
	for (int seat = 0; seat < match_seat_count(match) && match->playing;
	     seat++) {
		struct player *player = match->players[seat];
		int error;

		if (match->referee.seats[seat].session.phase != SESSION_ABSENT)
			continue;
		assert(player->bot == NULL);
		error = match_start_player(player);
		if (error)
			match_fail(match, error);
	}
}

void
match_greet(struct match *match, int entrant)
{
	int error;

	assert(!match->playing && match_bot_count(match) == 0);
	outbox_init(&match->outbox, match_seat_count(match));
	if (match->players[0]->entrant != entrant)
		match->game.lost_count[0] = 0;
	match->players[0]->entrant = entrant;
	match->greeting = true;
	error = match_start_player(match->players[0]);
	if (error)
		match_fail(match, error);
}

void
match_abort(struct match *match, const char *reason)
{
	struct referee_event event =
	    match_event(match, REFEREE_ABORT, 0, clock_now_ns());

	if (!match->playing)
		return;
	if (!match->referee.opened) {
		match_stop(match);
		return;
	}
	event.reason = reason;
	match_take(match, &event);
}

/* From now on only the end of the bots is awaited. */
static void
begin_stopping(struct match *match)
{
	match->playing = match->greeting = false;
	match->stopping = true;
	match->dismissed = false;
	match->release_ns = 0;
	match_leave_line(match);
	loop_deadline_clear(&match->deadline);
}

void
match_stop(struct match *match)
{
	int64_t kill_ns = clock_now_ns() + match->rules->grace_ns;

	begin_stopping(match);
	match->dismissed = true;
	for (int seat = 0; seat < match_seat_count(match); seat++)
		if (match->players[seat]->bot)
			bot_stop(match->players[seat]->bot, "quit\n", kill_ns);
	match_check_gone(match);
}

void
match_kill(struct match *match)
{
	begin_stopping(match);
	for (int seat = 0; seat < match_seat_count(match); seat++)
		if (match->players[seat]->bot)
			bot_kill(match->players[seat]->bot);
	match_check_gone(match);
}

void *
match_context(const struct match *match)
{
	return match->context;
}

const struct series_game *
match_game(const struct match *match)
{
	return &match->game;
}

const struct referee *
match_referee(const struct match *match)
{
	return &match->referee;
}

struct record *
match_record(struct match *match)
{
	return &match->record;
}

const struct match_fault *
match_fault(const struct match *match)
{
	return &match->fault;
}

const char *
match_name(const struct match *match, int seat)
{
	return match->players[seat]->name;
}
