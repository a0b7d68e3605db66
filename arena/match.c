/*
 * One table.  The way of a move: match_on_line, match_take.
 */
#include "match.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "escape.h"
#include "version.h"

/* A bot of this table. */
struct player {
	struct match *match;
	const struct entrant *entrant;
	struct bot *bot; /* NULL: not started, or gone */
	int seat;
	bool restart; /* as soon as it has ended */
	char name[EVENT_NAME_SIZE];
	char received[MATCH_RECEIVED_SIZE];
	char ending[BOT_SENTENCE_SIZE];
};

struct match {
	struct loop *loop;
	const struct match_rules *rules;
	const struct match_events *events;
	void *context;
	struct player players[SCOPA_SEATS_MAX];
	struct loop_deadline deadline;
	struct shuffle_stream nonces;
	struct match_game game;
	struct match_fault fault;
	struct record record;
	int pack_cursor; /* next pack of a pack file */
	bool playing;    /* between match_play and on_over */
	bool stopping;
	struct referee referee;
	struct referee_opening opening;
	struct outbox outbox;
};

static void match_take(struct match *match, const struct referee_event *event);

static struct referee_event
match_event(
    struct match *match, enum referee_event_kind kind, int seat, int64_t now_ns)
{
	struct referee_event event = {
		.kind = kind,
		.seat = seat,
		.now_ns = now_ns,
	};

	for (int byte = 0; byte < 8; byte++)
		event.nonce =
		    event.nonce << 8 | shuffle_stream_byte(&match->nonces);
	return event;
}

static int
player_count(const struct match *match)
{
	return match->rules->rules.players;
}

static struct player *
player_at(struct match *match, int seat)
{
	return &match->players[match->game.player[seat]];
}

/* A bot's line: the beginning of a move's way. */
static void
match_on_line(
    struct bot *bot, const char *bytes, size_t length, int64_t received_ns)
{
	struct player *player = bot_context(bot);
	struct match *match = player->match;
	struct referee_event event =
	    match_event(match, REFEREE_LINE, player->seat, received_ns);

	event.line = bytes;
	event.length = length;
	if (!match->referee.opened)
		snprintf(
		    player->received, sizeof(player->received), "%s", bytes);
	match_take(match, &event);
	if (match->referee.wanted && player->bot == bot)
		bot_mark(bot);
}

static void
match_on_flaw(struct bot *bot, enum bot_flaw flaw, const char *bytes,
    size_t length, int64_t received_ns)
{
	struct player *player = bot_context(bot);
	struct referee_event event = match_event(player->match,
	    flaw == BOT_FLAW_FLOOD ? REFEREE_FLOOD : REFEREE_FLAW, player->seat,
	    received_ns);
	char said[SESSION_SAID_SIZE];

	event.reason = "BAD_LINE";
	event.line = said;
	event.length = escape_bytes(bytes, length, false, said, sizeof(said));
	match_take(player->match, &event);
}

static void
match_on_flushed(struct bot *bot, int64_t handed_ns)
{
	struct player *player = bot_context(bot);
	struct match *match = player->match;

	referee_sent(&match->referee, player->seat, handed_ns);
	loop_deadline_set(match->loop, &match->deadline,
	    referee_deadline_ns(&match->referee));
}

/* The bot speaks no more: `reason` is the code of the record. */
static void
lose_bot(struct player *player, const char *reason)
{
	struct referee_event event = match_event(
	    player->match, REFEREE_EXIT, player->seat, clock_now_ns());

	event.reason = reason;
	match_take(player->match, &event);
}

static void
match_on_eof(struct bot *bot)
{
	struct player *player = bot_context(bot);

	lose_bot(player, "EOF");
	bot_kill(bot);
}

static void
name_ending(const struct bot_exit *exit, char reason[SESSION_REASON_SIZE])
{
	const char *error = strerrorname_np(exit->code);

	switch (exit->end) {
	case BOT_END_EXIT:
		snprintf(reason, SESSION_REASON_SIZE, "EXIT(%d)", exit->code);
		break;
	case BOT_END_SIGNAL:
		snprintf(reason, SESSION_REASON_SIZE, "CRASH(%d)", exit->code);
		break;
	case BOT_END_EXEC:
	case BOT_END_HOST:
		snprintf(reason, SESSION_REASON_SIZE, "EXEC_FAIL(%s)",
		    error ? error : "?");
		break;
	}
}

static int start_bot(struct player *player);

static void
match_fail(struct match *match, int error)
{
	match->playing = false;
	loop_deadline_clear(&match->deadline);
	match->events->on_failure(match, error);
}

/* Tells that the last bot has ended, after match_stop. */
static void
check_gone(struct match *match)
{
	if (!match->stopping)
		return;
	for (int i = 0; i < player_count(match); i++)
		if (match->players[i].bot)
			return;
	match->stopping = false;
	match->events->on_gone(match);
}

static void
match_on_exit(struct bot *bot, const struct bot_exit *exit)
{
	struct player *player = bot_context(bot);
	struct match *match = player->match;
	char reason[SESSION_REASON_SIZE];
	int error;

	name_ending(exit, reason);
	snprintf(player->ending, sizeof(player->ending), "%s", exit->sentence);
	if (exit->end == BOT_END_HOST && !match->stopping) {
		match_fail(match, -exit->code);
	} else if (!match->stopping && !player->restart) {
		lose_bot(player, reason);
	}
	if (player->bot == bot)
		player->bot = NULL;
	bot_close(bot);
	if (player->restart && !match->stopping) {
		player->restart = false;
		error = start_bot(player);
		if (error)
			match_fail(match, error);
	}
	check_gone(match);
}

static const struct bot_events bot_calls = {
	.on_line = match_on_line,
	.on_flaw = match_on_flaw,
	.on_flushed = match_on_flushed,
	.on_eof = match_on_eof,
	.on_exit = match_on_exit,
};

/* Starts a player's program and the conversation.  0 or -errno. */
static int
start_bot(struct player *player)
{
	const struct entrant *entrant = player->entrant;
	const char *arguments[PROGRAM_ARGUMENTS_MAX + 1];
	struct match *match = player->match;
	struct bot_options options = {
		.path = entrant->program.path,
		.arguments = arguments,
		.environment = entrant->environment,
		.dir = entrant->dir,
		.events = &bot_calls,
		.context = player,
	};
	struct referee_event event;
	int error;

	program_arguments(&entrant->program, arguments);
	error = bot_open(&player->bot, match->loop, &options);
	if (error)
		return error;
	player->received[0] = player->ending[0] = '\0';
	match->referee.seats[player->seat].options = entrant->options;
	event = match_event(match, REFEREE_START, player->seat, clock_now_ns());
	match_take(match, &event);
	return 0;
}

/* The name of a player: given, or the bot's own, made unlike the others'. */
static void
name_player(struct match *match, int index)
{
	struct player *player = &match->players[index];
	const struct session *session =
	    &match->referee.seats[player->seat].session;
	const char *base = player->entrant->name[0] ? player->entrant->name
	    : session->name[0]                      ? session->name
						    : "bot";
	int same = 1;

	for (int other = 0; other < index; other++) {
		const struct player *before = &match->players[other];

		if (before->entrant == player->entrant) {
			memcpy(
			    player->name, before->name, sizeof(player->name));
			return;
		}
	}
	snprintf(player->name, sizeof(player->name), "%s", base);
	for (int other = 0; other < index; other++) {
		if (strcmp(match->players[other].name, player->name) != 0)
			continue;
		snprintf(player->name, sizeof(player->name), "%.*s-%d",
		    EVENT_NAME_SIZE - 12, base, ++same % SCOPA_SEATS_MAX);
		other = -1;
	}
}

static void
fill_head(struct match *match)
{
	const struct match_rules *rules = match->rules;
	struct game_head *head = &match->opening.head;
	char hex[SHUFFLE_HEX_SIZE], utc[CLOCK_UTC_SIZE];
	struct scopa_text tc;

	memset(head, 0, sizeof(*head));
	snprintf(head->match.id, sizeof(head->match.id), "m%d",
	    match->game.index + 1);
	scopa_text_init(&tc, head->match.tc, sizeof(head->match.tc));
	budget_control_format(&rules->settings.control, &tc);
	head->match.has_seeds = true;
	clock_utc(utc);
	shuffle_key_format(&rules->secret, hex);
	snprintf(head->tag, sizeof(head->tag),
	    "utc=%s tool=" VERSION_NAME "/" VERSION_NUMBER
	    " event=%s round=%d game=%d%s%s",
	    utc, match->game.event, match->game.round + 1,
	    match->game.rotation + 1,
	    rules->packs ? "" : " secret=", rules->packs ? "" : hex);
	for (int i = 0; i < player_count(match); i++)
		name_player(match, i);
	for (int seat = 0; seat < player_count(match); seat++) {
		struct event_seat *line = &head->seats[seat];

		snprintf(line->name, sizeof(line->name), "%s",
		    player_at(match, seat)->name);
		memcpy(line->version,
		    match->referee.seats[seat].session.version,
		    sizeof(line->version));
		head->match.seeds[seat] =
		    shuffle_seat_seed(&rules->secret, match->game.event,
			(uint64_t)match->game.rotation + 1, seat);
	}
}

static void
open_game(struct match *match, int64_t now_ns)
{
	struct referee_event event =
	    match_event(match, REFEREE_OPEN, 0, now_ns);

	match->opening.rules = match->rules->rules;
	match->opening.preset = match->rules->preset;
	match->opening.dealer = match->game.dealer;
	match->opening.deals = match->rules->deals;
	fill_head(match);
	event.opening = &match->opening;
	referee_step(&match->referee, &event, &match->outbox);
}

/* Hands over the next pack, of the secret or of the file. */
static void
deal_pack(struct match *match, int64_t now_ns)
{
	const struct game *game = &match->referee.game;
	const struct packs *packs = match->rules->packs;
	struct referee_event event =
	    match_event(match, REFEREE_PACK, 0, now_ns);
	struct event_pack pack = { .has_key = packs == NULL };

	if (packs) {
		memcpy(pack.cards, packs->packs[match->pack_cursor],
		    sizeof(pack.cards));
		match->pack_cursor = (match->pack_cursor + 1) % packs->count;
	} else {
		struct shuffle_key key;

		shuffle_deal_key(&match->rules->secret, match->game.event,
		    (uint64_t)game->tally.deal_count + 1,
		    (uint64_t)game->redeal_count, &key);
		memcpy(pack.key, key.bytes, sizeof(pack.key));
		shuffle_pack(&key, pack.cards);
	}
	event.pack = &pack;
	referee_step(&match->referee, &event, &match->outbox);
}

/* Gives the referee what it needs beside the bots' answers. */
static void
supply_referee(struct match *match, int64_t now_ns)
{
	for (;;) {
		const struct packs *packs = match->rules->packs;

		switch (referee_need(&match->referee)) {
		case REFEREE_NOTHING:
		case REFEREE_IS_OVER:
			return;
		case REFEREE_NEEDS_OPEN:
			open_game(match, now_ns);
			break;
		case REFEREE_NEEDS_PACK:
			if (packs &&
			    match->referee.game.redeal_count >= packs->count) {
				/* Every pack of the file is thrown in. */
				match_fail(match, -EBADMSG);
				return;
			}
			deal_pack(match, now_ns);
			break;
		}
	}
}

/* Sends a seat what it must hear now, in one write. */
static void
deliver_seat(struct match *match, int seat)
{
	struct player *player = player_at(match, seat);
	struct scopa_text *text = &match->outbox.seats[seat];
	int64_t handed_ns;
	int error = player->bot
	    ? bot_send(player->bot, text->bytes, text->length)
	    : -EPIPE;

	outbox_clear_seat(&match->outbox, seat);
	if (error == 0)
		error = bot_flush(player->bot, &handed_ns);
	if (error == 0)
		referee_sent(&match->referee, seat, handed_ns);
	else if (error == -ENOBUFS)
		match->referee.seats[seat].kill = true;
}

static void
deliver(struct match *match)
{
	for (int seat = 0; seat < player_count(match); seat++) {
		struct referee_seat *state = &match->referee.seats[seat];
		struct player *player = player_at(match, seat);

		if (match->outbox.due[seat] &&
		    match->outbox.seats[seat].length > 0)
			deliver_seat(match, seat);
		if (state->kill && player->bot)
			bot_kill(player->bot);
	}
}

static void
note_fault(struct match *match)
{
	int seat = match->referee.offender;
	const struct session *session;
	struct match_fault *fault = &match->fault;
	const struct player *player;

	memset(fault, 0, sizeof(*fault));
	fault->player = -1;
	if (seat == REFEREE_SEAT_NONE)
		return;
	player = player_at(match, seat);
	session = &match->referee.seats[seat].session;
	fault->player = match->game.player[seat];
	fault->kind = match->referee.offence;
	fault->phase = session->ended_in;
	memcpy(fault->reason, match->referee.offence_reason,
	    sizeof(fault->reason));
	memcpy(fault->said, session->said, sizeof(fault->said));
	memcpy(fault->received, player->received, sizeof(fault->received));
	memcpy(fault->ending, player->ending, sizeof(fault->ending));
	if (player->bot) {
		char tail[MATCH_STDERR_SIZE / 2];
		size_t size = bot_stderr(player->bot, tail, sizeof(tail));

		escape_bytes(tail, size, true, fault->stderr_tail,
		    sizeof(fault->stderr_tail));
	}
}

/*
 * The one way of everything that happens: the referee judges it, the record
 * keeps it, the bots hear of it, and the clock is set for what comes next.
 */
static void
match_take(struct match *match, const struct referee_event *event)
{
	int error;

	referee_step(&match->referee, event, &match->outbox);
	supply_referee(match, event->now_ns);
	error = record_step(&match->record, &match->outbox);
	deliver(match);
	loop_deadline_set(match->loop, &match->deadline,
	    referee_deadline_ns(&match->referee));
	if (!match->playing)
		return;
	if (error) {
		match_fail(match, error);
	} else if (referee_need(&match->referee) == REFEREE_IS_OVER) {
		match->playing = false;
		note_fault(match);
		match->events->on_over(match);
	}
}

static void
match_on_deadline(struct loop_deadline *deadline, int64_t now_ns)
{
	struct match *match = deadline->context;
	struct referee_event event =
	    match_event(match, REFEREE_DEADLINE, 0, now_ns);

	match_take(match, &event);
}

int
match_open(struct match **opened, struct loop *loop,
    const struct match_rules *rules,
    const struct entrant *const entrants[SCOPA_SEATS_MAX],
    const struct match_events *events, void *context)
{
	struct match *match = calloc(1, sizeof(*match));
	struct shuffle_key key;
	int error;

	if (match == NULL)
		return -ENOMEM;
	error = shuffle_key_draw(&key);
	if (error)
		goto free_match;
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
	shuffle_stream_init(&match->nonces, &key);
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

/* Seats the players for the next game. */
static void
reseat(struct match *match, const struct match_game *game)
{
	int from[SCOPA_SEATS_MAX] = { 0 };

	for (int seat = 0; seat < player_count(match); seat++)
		from[seat] = match->players[game->player[seat]].seat;
	match->game = *game;
	for (int seat = 0; seat < player_count(match); seat++)
		player_at(match, seat)->seat = seat;
	outbox_init(&match->outbox, player_count(match));
	record_clear(&match->record);
	match->playing = true;
	referee_reseat(&match->referee, from, clock_now_ns(), &match->outbox);
	deliver(match);
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
	for (int i = 0; i < player_count(match) && match->playing; i++) {
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
			error = start_bot(player);
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
	for (int i = 0; i < player_count(match); i++)
		if (match->players[i].bot)
			bot_stop(match->players[i].bot, "quit\n", kill_ns);
	check_gone(match);
}

void
match_kill(struct match *match)
{
	match->playing = false;
	match->stopping = true;
	loop_deadline_clear(&match->deadline);
	for (int i = 0; i < player_count(match); i++)
		if (match->players[i].bot)
			bot_kill(match->players[i].bot);
	check_gone(match);
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
