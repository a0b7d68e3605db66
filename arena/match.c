/*
 * What happens at a table.  The way of a move: match_on_line, match_take.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "census.h"
#include "clock.h"
#include "escape.h"
#include "log.h"
#include "match_state.h"
#include "walls.h"

enum { LOST_MAX = 2 }; /* supervisors that one bot has lost in one game */

struct referee_event
match_event(
    struct match *match, enum referee_event_kind kind, int seat, int64_t now_ns)
{
	return (struct referee_event){
		.kind = kind,
		.seat = seat,
		.now_ns = now_ns,
		.nonce = shuffle_stream_number(&match->nonces),
	};
}

void
match_fail(struct match *match, int error)
{
	match->playing = match->greeting = false;
	match_leave_line(match);
	loop_deadline_clear(&match->deadline);
	match->events->on_failure(match, error);
}

/* A bot's line: the beginning of a move's way. */
static void
match_on_line(
    struct bot *bot, const char *bytes, size_t length, int64_t received_ns)
{
	struct player *player = bot_context(bot);
	struct match *match = player->match;
	/* That we were late to read it is no time of the bot's. */
	struct referee_event event = match_event(match, REFEREE_LINE,
	    player->seat, received_ns - loop_lag_ns(match->loop, received_ns));

	/* Nobody has asked it yet: what it says is as if unasked. */
	if (match_is_early(match, player->seat))
		return;
	if (event.now_ns > match->referee.seats[player->seat].deadline_ns &&
	    !match_give_rest(match, event.now_ns) &&
	    match_void_turns(match, event.now_ns)) {
		/* That may have ended the game, and the bot sit elsewhere. */
		match = player->match;
		event.seat = player->seat;
	}
	event.read_ns = received_ns;
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

	if (flaw != BOT_FLAW_FLOOD &&
	    match_is_early(player->match, player->seat))
		return;
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
	match_set_deadline(match);
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
		if (exit->limit == SUPERVISOR_MEMORY) {
			snprintf(reason, SESSION_REASON_SIZE, "LIMIT_MEM");
			break;
		}
		snprintf(reason, SESSION_REASON_SIZE, "CRASH(%d)", exit->code);
		break;
	case BOT_END_EXEC:
	case BOT_END_HOST:
		/* Not an error of the system: the arena's own finding. */
		if (exit->code == ESTALE)
			error = "CHANGED";
		snprintf(reason, SESSION_REASON_SIZE, "EXEC_FAIL(%s)",
		    error ? error : "?");
		break;
	}
}

/* A file that was replaced between the look at it and its start. */
static void
match_on_start(struct bot *bot)
{
	struct player *player = bot_context(bot);
	const struct entrant *entrant =
	    &player->match->entrants[player->entrant];

	if (seal_check(&entrant->seal) != -ESTALE)
		return;
	lose_bot(player, "EXEC_FAIL(CHANGED)");
	bot_kill(bot);
}

/* Who was told to quit has no game to lose any more: a word for the log. */
static void
note_parting(const struct player *player, const struct bot_exit *exit)
{
	const struct match *match = player->match;

	if (match->dismissed && (exit->end != BOT_END_EXIT || exit->code != 0))
		log_print(LOG_INFO, "bot \"%s\", told to quit, %s",
		    match->referee.seats[player->seat].session.name,
		    exit->sentence);
}

/*
 * Whether a bot without its supervisor has killed that itself.  Nobody tells who
 * has sent SIGKILL; but what strikes the same bot again, and no other, in the
 * same game is taken for its own doing where it can do so.
 */
static bool
has_killed_supervisor(struct player *player, const struct bot_exit *exit)
{
	struct match *match = player->match;
	int *lost_count = match->game.lost_count;

	if (exit->end != BOT_END_HOST || exit->code != EOWNERDEAD ||
	    match->stopping)
		return false;
	lost_count[player->seat]++;
	for (int seat = 0; seat < match_seat_count(match); seat++)
		if (seat != player->seat && lost_count[seat] > 0)
			return false;
	return lost_count[player->seat] >= LOST_MAX &&
	    !walls_shut_signals(match->rules->walls);
}

static void
match_on_exit(struct bot *bot, const struct bot_exit *exit)
{
	struct player *player = bot_context(bot);
	struct match *match = player->match;
	char reason[SESSION_REASON_SIZE];
	bool own_crash = has_killed_supervisor(player, exit);

	if (player->overfull && exit->killed)
		snprintf(reason, sizeof(reason), "UNREAD");
	else if (own_crash)
		snprintf(reason, sizeof(reason), "CRASH(%d)", SIGKILL);
	else
		name_ending(exit, reason);
	/* Nobody else kills what the bot has left. */
	if (own_crash)
		(void)census_sweep();
	snprintf(player->ending, sizeof(player->ending), "%s", exit->sentence);
	match_keep_tail(player);
	note_parting(player, exit);
	if (exit->end == BOT_END_HOST && !match->stopping && !own_crash) {
		match_fail(match, -exit->code);
	} else if (!match->stopping && player->hear_out_ns > 0) {
		/* Its time was up before it ended. */
		match_on_deadline(&match->deadline, clock_now_ns());
	} else if (!match->stopping) {
		lose_bot(player, reason);
	}
	player->bot = NULL;
	bot_close(bot);
	match_check_gone(match);
}

const struct bot_events match_bot_calls = {
	.on_start = match_on_start,
	.on_line = match_on_line,
	.on_flaw = match_on_flaw,
	.on_flushed = match_on_flushed,
	.on_eof = match_on_eof,
	.on_exit = match_on_exit,
};

static void
open_game(struct match *match, int64_t now_ns)
{
	struct referee_event event =
	    match_event(match, REFEREE_OPEN, 0, now_ns);

	match->opening = (struct game_opening){
		.rules = &match->rules->rules,
		.preset = match->rules->preset,
		.head = &match->head,
		.dealer = match->game.dealer,
		.deals = match->rules->deals,
		.max_deals = match->rules->max_deals,
	};
	match_fill_head(match);
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
	struct player *player = match->players[seat];
	struct scopa_text *text = &match->outbox.seats[seat];
	int64_t thaw_ns = match_thaw(match, seat);
	int64_t handed_ns;
	int error;

	match_begin_hindrance(match, seat);
	error = player->bot
	    ? bot_send(player->bot, text->bytes, text->length, &handed_ns)
	    : -EPIPE;
	outbox_clear_seat(&match->outbox, seat);
	if (error == 0)
		referee_sent(&match->referee, seat, handed_ns + thaw_ns);
	else if (error == -EAGAIN)
		referee_held(&match->referee, seat, clock_now_ns());
	else if (error == -ENOBUFS)
		match->referee.seats[seat].kill = player->overfull = true;
}

void
match_deliver(struct match *match)
{
	for (int seat = 0; seat < match_seat_count(match); seat++) {
		struct referee_seat *state = &match->referee.seats[seat];
		struct player *player = match->players[seat];

		if (match->outbox.due[seat] &&
		    match->outbox.seats[seat].length > 0 &&
		    !match_must_wait(match, seat))
			deliver_seat(match, seat);
		if (state->kill && player->bot)
			bot_kill(player->bot);
	}
}

void
match_tell_bots(struct match *match)
{
	match_deliver(match);
	match_freeze(match);
	match_set_deadline(match);
}

/* Tells of what this was the end, or the beginning; nothing may follow. */
static void
tell_owner(struct match *match, bool opened, int error)
{
	if (!match->playing) {
		match_check_greeting(match);
	} else if (error) {
		match_fail(match, error);
	} else if (match->release_ns == 0 &&
	    referee_need(&match->referee) == REFEREE_IS_OVER) {
		match->playing = false;
		match_note_fault(match);
		match->events->on_over(match);
	} else if (!opened && match->referee.opened &&
	    match->events->on_opened) {
		match->events->on_opened(match);
	}
}

/* Adds what was said to the record, if anybody wants it. */
static int
keep_record(struct match *match)
{
	if (!match->rules->unrecorded)
		return record_step(&match->record, &match->outbox);
	outbox_clear_record(&match->outbox);
	return 0;
}

/*
 * The one way of everything that happens: the referee judges it, the record
 * keeps it, the bots hear of it, and the clock is set for what comes next.
 */
void
match_take(struct match *match, const struct referee_event *event)
{
	bool opened = match->referee.opened;
	int error;

	match_end_watch(match, event);
	referee_step(&match->referee, event, &match->outbox);
	supply_referee(match, event->now_ns);
	match_end_thought(match);
	error = keep_record(match);
	if (match_must_hold(match, event)) {
		match_freeze(match);
		match_set_deadline(match);
	} else {
		match_tell_bots(match);
	}
	tell_owner(match, opened, error);
}

void
match_on_deadline(struct loop_deadline *deadline, int64_t now_ns)
{
	struct match *match = deadline->context;
	struct referee_event event;
	int64_t until_ns;

	if (match->release_ns != 0) {
		match->release_ns = 0;
		match_tell_bots(match);
		tell_owner(match, true, 0);
		return;
	}
	until_ns = match_hear_out(match, now_ns);
	if (until_ns > now_ns) {
		loop_deadline_set(match->loop, deadline, until_ns);
		return;
	}
	if (match_give_rest(match, now_ns)) {
		match_set_deadline(match);
		return;
	}
	if (match_void_turns(match, now_ns))
		return;
	event = match_event(match, REFEREE_DEADLINE, 0, now_ns);
	match_take(match, &event);
}

/* Before deadlines that passed meanwhile: they are the arena's fault. */
void
match_on_late(struct pulse *pulse, int64_t now_ns, int64_t lag_ns)
{
	struct match *match = pulse->context;
	/* It asks nothing: the ids of questions are the same with and without. */
	const struct referee_event event = {
		.kind = REFEREE_LAG,
		.now_ns = now_ns,
		.lag_ns = lag_ns,
	};

	if (match->playing || match->greeting)
		match_take(match, &event);
}
