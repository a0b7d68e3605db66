/*
 * How the games and the bots of a table begin and end.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "match_state.h"

int
match_start_player(struct player *player)
{
	const struct entrant *entrant = player->entrant;
	const char *arguments[PROGRAM_ARGUMENTS_MAX + 1];
	struct match *match = player->match;
	struct bot_options options = {
		.path = entrant->program.path,
		.arguments = arguments,
		.environment = entrant->environment,
		.dir = entrant->dir,
		.events = &match_bot_calls,
		.context = player,
	};
	struct referee_event event;
	int error;

	program_arguments(&entrant->program, arguments);
	error = bot_open(&player->bot, match->loop, &options);
	if (error)
		return error;
	player->received[0] = player->ending[0] = '\0';
	player->stderr_tail[0] = '\0';
	match->referee.seats[player->seat].options = entrant->options;
	event = match_event(match, REFEREE_START, player->seat, clock_now_ns());
	match_take(match, &event);
	return 0;
}

void
match_check_gone(struct match *match)
{
	if (!match->stopping)
		return;
	for (int i = 0; i < match_player_count(match); i++)
		if (match->players[i].bot)
			return;
	match->stopping = false;
	match->events->on_gone(match);
}

int
match_open(struct match **opened, struct loop *loop,
    const struct match_rules *rules,
    const struct entrant *const entrants[SCOPA_SEATS_MAX],
    const struct match_events *events, void *context)
{
	struct match *match = calloc(1, sizeof(*match));
	int error;

	if (match == NULL)
		return -ENOMEM;
	match->loop = loop;
	match->rules = rules;
	match->events = events;
	match->context = context;
	match->deadline.on_deadline = match_on_deadline;
	match->deadline.context = match;
	match->fault.player = -1;
	error = loop_deadline_open(loop, &match->deadline);
	if (error)
		goto free_match;
	record_init(&match->record);
	referee_init(&match->referee, &rules->settings, rules->rules.players);
	outbox_init(&match->outbox, rules->rules.players);
	for (int i = 0; i < rules->rules.players; i++) {
		match->players[i].match = match;
		match->players[i].entrant = entrants[i];
		match->players[i].seat = match->game.player[i] = i;
	}
	*opened = match;
	return 0;
free_match:
	free(match);
	return error;
}

void
match_close(struct match *match)
{
	if (match == NULL)
		return;
	for (int i = 0; i < SCOPA_SEATS_MAX; i++)
		bot_close(match->players[i].bot);
	loop_deadline_close(match->loop, &match->deadline);
	record_release(&match->record);
	free(match);
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
reseat(struct match *match, const struct match_game *game)
{
	int from[SCOPA_SEATS_MAX] = { 0 };

	for (int seat = 0; seat < match_player_count(match); seat++)
		from[seat] = match->players[game->player[seat]].seat;
	match->game = *game;
	start_nonces(match);
	for (int seat = 0; seat < match_player_count(match); seat++)
		match_player_at(match, seat)->seat = seat;
	for (int i = 0; i < match_player_count(match); i++)
		match->players[i].received[0] = '\0';
	outbox_init(&match->outbox, match_player_count(match));
	record_clear(&match->record);
	match->playing = true;
	referee_reseat(&match->referee, from, clock_now_ns(), &match->outbox);
	match_deliver(match);
	loop_deadline_set(match->loop, &match->deadline,
	    referee_deadline_ns(&match->referee));
}

void
match_play(struct match *match, const struct match_game *game)
{
	assert(!match->playing && !match->stopping);
	reseat(match, game);
	if (match->rules->packs)
		match->pack_cursor = game->round *
		    (match->rules->deals ? match->rules->deals : 1) %
		    match->rules->packs->count;
	for (int i = 0; i < match_player_count(match) && match->playing; i++) {
		struct player *player = &match->players[i];
		const struct session *session =
		    &match->referee.seats[player->seat].session;
		int error = 0;

		if (session->phase != SESSION_ABSENT)
			continue;
		if (player->bot) {
			player->restart = true;
			bot_kill(player->bot);
		} else {
			error = match_start_player(player);
		}
		if (error)
			match_fail(match, error);
	}
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

void
match_stop(struct match *match)
{
	int64_t kill_ns = clock_now_ns() + match->rules->grace_ns;

	match->playing = false;
	match->stopping = true;
	loop_deadline_clear(&match->deadline);
	for (int i = 0; i < match_player_count(match); i++)
		if (match->players[i].bot)
			bot_stop(match->players[i].bot, "quit\n", kill_ns);
	match_check_gone(match);
}

void
match_kill(struct match *match)
{
	match->playing = false;
	match->stopping = true;
	loop_deadline_clear(&match->deadline);
	for (int i = 0; i < match_player_count(match); i++)
		if (match->players[i].bot)
			bot_kill(match->players[i].bot);
	match_check_gone(match);
}

void *
match_context(const struct match *match)
{
	return match->context;
}

const struct match_game *
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
match_player_name(const struct match *match, int player)
{
	return match->players[player].name;
}
