/*
 * Turns and offences.
 */
#include "turn.h"

#include <assert.h>
#include <string.h>

enum { LINE_SIZE_MAX = 65535, MOVE_SIZE_MAX = 64 };

/* Names the decision that is about to be asked for. */
static void
name_decision(struct referee_seat *seat, uint64_t nonce)
{
	static const char digits[] = "0123456789abcdef";

	for (int i = 0; i < REFEREE_TURN_SIZE; i++, nonce >>= 4)
		seat->turn_id[i] = digits[nonce & 15];
}

static void
put_state(const struct game *game, int seat, struct scopa_text *text)
{
	struct scopa_view view;

	scopa_view_make(&game->rules, &game->deal, &game->tally, seat, &view);
	scopa_state_format(&game->rules, game->preset, &view, text);
	scopa_text_char(text, '\n');
}

/* All legal moves, cut by `...` where the line would be too long. */
static void
put_legal(const struct game *game, bool declare, struct scopa_text *text)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	int count =
	    scopa_moves(&game->rules, &game->deal, moves, SCOPA_MOVES_MAX);
	size_t start = text->length;

	scopa_text_string(text, "legal");
	for (int i = 0; i < count; i++) {
		if (moves[i].declaration != SCOPA_DECLARE_NOTHING && !declare)
			continue;
		if (text->length - start > LINE_SIZE_MAX - 2 * MOVE_SIZE_MAX) {
			scopa_text_string(text, " ...");
			break;
		}
		scopa_text_char(text, ' ');
		scopa_move_format(&moves[i], text);
	}
	scopa_text_char(text, '\n');
}

/* What bots say of a decision is of no other one. */
static void
forget_info(struct referee *referee)
{
	scopa_text_init(
	    &referee->info, referee->info_bytes, sizeof(referee->info_bytes));
	referee->info_cut = false;
}

/* Asks a seat that is idle for its move. */
static void
ask(struct referee *referee, int index, const struct referee_event *event,
    struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[index];
	const struct session_features *features = &seat->session.features;
	struct scopa_text *text = &outbox->seats[index];

	if (features->state)
		put_state(&referee->game, index, text);
	if (features->legal)
		put_legal(&referee->game, features->declare, text);
	if (features->analysis)
		analysis_put_cards(referee->settings.analysis,
		    &referee->game.rules, &referee->game.deal, text);
	name_decision(seat, event->nonce);
	scopa_text_string(text, "go turn=");
	scopa_text_bytes(text, seat->turn_id, sizeof(seat->turn_id));
	budget_format_go(&seat->budget, &referee->settings.control, text);
	scopa_text_char(text, '\n');
	assert(!text->cut);
	seat->session.phase = SESSION_THINK;
	forget_info(referee);
	outbox->due[index] = true;
	seat->told = seat->held = false;
	referee_begin_time(referee, index, event->now_ns);
}

/* Everything that a seat has not heard yet may go out. */
static void
release_all(const struct referee *referee, struct outbox *outbox)
{
	for (int seat = 0; seat < referee->seat_count; seat++)
		outbox->due[seat] = true;
}

void
turn_tell_ponderers(const struct referee *referee, struct outbox *outbox)
{
	for (int index = 0; index < referee->seat_count; index++) {
		const struct referee_seat *seat = &referee->seats[index];
		const struct event event = {
			.kind = EVENT_PONDER,
			.ponder = { .seat = index,
			    .cpu_us = seat->off_cpu_ns / 1000,
			    .wall_us = seat->off_wall_ns / 1000 },
		};

		if (referee_has_pondered(seat))
			outbox_put_event(outbox, &referee->game.rules, &event);
	}
}

void
turn_advance(struct referee *referee, const struct referee_event *event,
    struct outbox *outbox)
{
	struct game *game = &referee->game;

	while (game->phase == GAME_MOVE) {
		int index = game->deal.turn;
		const struct session *session = &referee->seats[index].session;

		if (session->phase == SESSION_IDLE) {
			ask(referee, index, event, outbox);
			return;
		}
		if (session->phase != SESSION_GONE)
			return;
		turn_offend(referee, index,
		    &(struct offence){
			.kind = session->fault,
			.reason = session->reason,
			.said = session->said,
			.said_length = strlen(session->said),
		    },
		    outbox);
	}
	if (game->phase == GAME_OVER && !referee->ended) {
		turn_tell_ponderers(referee, outbox);
		game_end(game, outbox);
		referee->ended = true;
	}
	release_all(referee, outbox);
}

static void
make_move(struct referee *referee, const struct scopa_move *move,
    int64_t time_us, const char *cause, struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[referee->game.deal.turn];
	struct game_stamp stamp = {
		.time_us = time_us,
		.cause = cause,
	};

	seat->info_bytes += (int64_t)referee->info.length;
	if (referee->info.length > 0 &&
	    seat->info_bytes <= REFEREE_INFO_GAME_MAX)
		stamp.info = referee->info.bytes;
	if (cause == NULL && stamp.info != NULL && referee->info_cut)
		seat->cut_count++;
	game_move(&referee->game, move, &stamp, outbox);
	forget_info(referee);
}

/* The policy on a seat's strike number `strikes`. */
static enum verdict_policy
policy_on(const struct referee *referee, int strikes)
{
	return policy_at(
	    referee->settings.policy, strikes, referee->settings.strikes_max);
}

/* Tells the offender alone what was wrong with its move. */
static void
put_illegal(const struct referee *referee, int index, struct word word,
    const char *reason, const char *sentence, struct scopa_text *text)
{
	int strikes = referee->seats[index].strikes + 1;

	scopa_text_string(text, "illegal ");
	if (word.bytes)
		scopa_text_bytes(text, word.bytes,
		    word.length < MOVE_SIZE_MAX ? word.length : MOVE_SIZE_MAX);
	else
		scopa_text_char(text, '-');
	scopa_text_string(text, " reason=");
	scopa_text_string(text, reason);
	scopa_text_string(text, " policy=");
	scopa_text_string(text, policy_name(policy_on(referee, strikes)));
	if (referee->settings.policy == POLICY_SUBSTITUTE) {
		scopa_text_string(text, " strikes=");
		scopa_text_int(text, strikes);
	}
	scopa_text_string(text, " # ");
	scopa_text_string(text, sentence);
	scopa_text_char(text, '\n');
}

/* Why an answer is no legal move: a name and a sentence; NULL: it is one. */
static const char *
refuse_answer(const struct game *game, struct word word,
    struct scopa_move *move, const char **sentence)
{
	enum scopa_refusal refusal;

	switch (word.bytes ? scopa_move_parse(word.bytes, word.length, move)
			   : SCOPA_BAD_SYNTAX) {
	case SCOPA_PARSED:
		break;
	case SCOPA_BAD_SYNTAX:
		*sentence = "A move is written like 7D, 7Dx3C4S or !low.";
		return "syntax";
	case SCOPA_DUPLICATE:
		*sentence = "The move names a card twice.";
		return "duplicate";
	}
	refusal = scopa_deal_check(&game->rules, &game->deal, move);
	*sentence = scopa_refusal_sentence(refusal);
	return refusal == SCOPA_LEGAL ? NULL : scopa_refusal_name(refusal);
}

int64_t
turn_stop_clock(struct referee *referee, const struct referee_event *event)
{
	struct referee_seat *seat = &referee->seats[event->seat];
	int64_t used_ns = event->now_ns - seat->asked_ns;

	if (used_ns < 0)
		used_ns = 0;
	seat->session.phase = SESSION_IDLE;
	seat->deadline_ns = BUDGET_NEVER;
	budget_spend(&seat->budget, &referee->settings.control, used_ns);
	seat->decision_count++;
	seat->think_ns += used_ns;
	if (used_ns > seat->think_longest_ns)
		seat->think_longest_ns = used_ns;
	return used_ns;
}

void
turn_answer(struct referee *referee, struct word word,
    const struct referee_event *event, struct outbox *outbox)
{
	int64_t used_ns = turn_stop_clock(referee, event);
	const char *reason, *sentence;
	struct scopa_move move;

	reason = refuse_answer(&referee->game, word, &move, &sentence);
	if (reason == NULL) {
		make_move(referee, &move, used_ns / 1000, NULL, outbox);
	} else {
		put_illegal(referee, event->seat, word, reason, sentence,
		    &outbox->seats[event->seat]);
		outbox->due[event->seat] = true;
		turn_offend(referee, event->seat,
		    &(struct offence){
			.kind = OFFENCE_ILLEGAL,
			.reason = reason,
			.said = event->line,
			.said_length = event->length,
		    },
		    outbox);
	}
	turn_advance(referee, event, outbox);
}

void
turn_raise_barrier(struct referee *referee, const struct referee_event *event,
    struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[event->seat];

	session_ask_ready(&seat->session, &outbox->seats[event->seat]);
	seat->session.phase = SESSION_STALE;
	seat->deadline_ns = event->now_ns + referee->settings.hang_ns;
	outbox->due[event->seat] = true;
}

void
turn_miss(struct referee *referee, const struct referee_event *event,
    struct outbox *outbox)
{
	enum budget_kind kind = referee->settings.control.kind;
	bool bank = kind == BUDGET_MATCH || kind == BUDGET_DEAL;
	const char *reason = bank ? "FLAG" : "TIMEOUT";

	/* One that does not read has not even got the question. */
	if (referee->seats[event->seat].held)
		reason = "UNREAD";
	turn_stop_clock(referee, event);
	turn_raise_barrier(referee, event, outbox);
	turn_offend(referee, event->seat,
	    &(struct offence){
		.kind = OFFENCE_TIMEOUT,
		.reason = reason,
		.said = "",
	    },
	    outbox);
	turn_advance(referee, event, outbox);
}

static void
put_offence(const struct referee *referee, int index,
    const struct offence *offence, struct outbox *outbox)
{
	struct event event = { .kind = EVENT_OFFENCE };
	struct event_offence *line = &event.offence;
	int strikes = referee->seats[index].strikes;
	const char *kind = offence_name(offence->kind);
	const char *policy = policy_name(policy_on(referee, strikes));
	size_t length = offence->said_length;

	*line = (struct event_offence){ .seat = index };
	if (referee->settings.policy == POLICY_SUBSTITUTE)
		line->strikes = strikes;
	if (length >= sizeof(line->said))
		length = sizeof(line->said) - 1;
	memcpy(line->said, offence->said, length);
	memcpy(line->kind, kind, strlen(kind) + 1);
	memcpy(line->reason, offence->reason, strlen(offence->reason) + 1);
	memcpy(line->policy, policy, strlen(policy) + 1);
	outbox_put_event(outbox, &referee->game.rules, &event);
}

/* Keeps why the game was lost, for the message to the user. */
static void
note_offender(struct referee *referee, int index, const struct offence *offence)
{
	referee->offender = index;
	referee->offence = offence->kind;
	memcpy(referee->offence_reason, offence->reason,
	    strlen(offence->reason) + 1);
}

void
turn_offend(struct referee *referee, int index, const struct offence *offence,
    struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[index];
	struct game *game = &referee->game;
	struct scopa_move move;

	assert(game->phase == GAME_MOVE || offence->kind == OFFENCE_STARTUP);
	seat->strikes++;
	seat->offences[offence->kind]++;
	put_offence(referee, index, offence, outbox);
	switch (verdict_of(referee->settings.policy, offence->kind,
	    seat->strikes, referee->settings.strikes_max)) {
	case VERDICT_MOVE_FOR:
		scopa_moves(&game->rules, &game->deal, &move, 1);
		make_move(
		    referee, &move, -1, offence_name(offence->kind), outbox);
		break;
	case VERDICT_FORFEIT:
		note_offender(referee, index, offence);
		turn_tell_ponderers(referee, outbox);
		game_forfeit(game, scopa_party_of(&game->rules, index), outbox);
		referee->ended = true;
		break;
	}
}
