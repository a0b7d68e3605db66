/*
 * What each line of a block does to the game.
 */
#include <assert.h>
#include <errno.h>
#include <string.h>

#include "replay_state.h"

static const struct record_line *
line_in_hand(const struct replay *replay)
{
	return &replay->block->lines[replay->at];
}

/* A fault of the line in hand: `sentence` is all of it. */
int
replay_blame(struct replay *replay, const char *sentence)
{
	record_fault_set(
	    replay->fault, line_in_hand(replay)->number, "%s", sentence);
	return -EBADMSG;
}

/* Moves what was said from the outbox to where it is wanted. */
int
replay_emit(struct replay *replay)
{
	struct outbox *outbox = &replay->outbox;
	int seat = replay->order.seat, error;

	if (seat == REPLAY_EVERYBODY)
		return record_step(replay->out, outbox);
	error = record_add(
	    replay->out, outbox->seats[seat].bytes, outbox->seats[seat].length);
	outbox_clear_record(outbox);
	outbox_clear_seat(outbox, seat);
	return error;
}

/* Reads the line in hand as an event. */
static int
read_event(struct replay *replay)
{
	if (!record_line_event(replay->block, line_in_hand(replay),
		&replay->event, replay->fault))
		return -EBADMSG;
	return 0;
}

static bool
line_is(const struct replay *replay, size_t at, const char *verb)
{
	const struct record_line *line = &replay->block->lines[at];

	return record_line_is(
	    record_line_bytes(replay->block, line), line->length, verb);
}

/* The seat of every line must be one of the game. */
static int
check_seat(struct replay *replay, int seat)
{
	if (seat < replay->game.rules.players)
		return 0;
	record_fault_set(replay->fault, line_in_hand(replay)->number,
	    "there is no seat %d in a game of %d", seat + 1,
	    replay->game.rules.players);
	return -EBADMSG;
}

/* What a `deal` line says against what follows from the deals before it. */
static int
check_deal(struct replay *replay)
{
	const struct dealing *dealing = &replay->dealing;
	const struct game *game = &replay->game;
	const struct event_deal *deal = &dealing->deal;
	int dealer = game->tally.dealer, players = game->rules.players;
	int first = (dealer + 1) % players;

	if (dealing->deal_line == 0)
		return 0;
	if (deal->dealer >= 0 && deal->dealer != dealer) {
		record_fault_set(replay->fault, dealing->deal_line,
		    "dealer=%d contradicts the rotation, by which seat %d "
		    "deals",
		    deal->dealer + 1, dealer + 1);
		return -EBADMSG;
	}
	if (deal->first >= 0 && deal->first != first) {
		record_fault_set(replay->fault, dealing->deal_line,
		    "first=%d contradicts the dealer: after seat %d, seat %d "
		    "plays first",
		    deal->first + 1, dealer + 1, first + 1);
		return -EBADMSG;
	}
	if (deal->party_count == 0)
		return 0;
	if (deal->party_count == scopa_party_count(&game->rules) &&
	    memcmp(deal->scores, game->tally.scores,
		(size_t)deal->party_count * sizeof(deal->scores[0])) == 0)
		return 0;
	record_fault_set(replay->fault, dealing->deal_line,
	    "scores= are not those of the deals before");
	return -EBADMSG;
}

/* Whether this is the moment for a deal of this number. */
static int
check_turn_to_deal(struct replay *replay)
{
	const struct game *game = &replay->game;

	if (replay->closed)
		return replay_blame(
		    replay, "the match has ended before this deal");
	if (game->phase == GAME_MOVE) {
		record_fault_set(replay->fault, line_in_hand(replay)->number,
		    "plays are missing before this line: deal %d is not over",
		    game->tally.deal_count + 1);
		return -EBADMSG;
	}
	if (game->phase == GAME_OVER) {
		replay->early =
		    game->drawn || game->tally.state == SCOPA_TALLY_TARGET;
		return replay_blame(replay,
		    game->drawn
			? "the match has ended before this deal: it was a "
			  "draw after max-deals= of them"
			: game->tally.state == SCOPA_TALLY_DEALS
			? "the match has ended before this deal: deals= are "
			  "played"
			: game->tally.state == SCOPA_TALLY_INSTANT
			? "the match has ended before this deal: it was won at "
			  "a blow"
			: "the match has ended before this deal: the target "
			  "was reached; a game that goes on says deals=");
	}
	if (replay->dealing.number != game->tally.deal_count + 1) {
		record_fault_set(replay->fault, line_in_hand(replay)->number,
		    "deal %d stands where deal %d is expected",
		    replay->dealing.number, game->tally.deal_count + 1);
		return -EBADMSG;
	}
	return 0;
}

/* Deals what the lines of the next deal name. */
static int
deal_cards(struct replay *replay)
{
	struct game *game = &replay->game;
	enum scopa_start start;
	int error, redeal = 0;

	if (!dealing_find(
		replay->block, replay->at, &replay->dealing, replay->fault))
		return -EBADMSG;
	error = check_turn_to_deal(replay);
	if (!error)
		error = check_deal(replay);
	if (error)
		return error;
	do {
		struct event_pack pack;

		replay->known_count =
		    dealing_pack(&replay->dealing, &game->rules,
			game->tally.dealer, redeal, &pack, replay->fault);
		if (replay->known_count < 0)
			return -EBADMSG;
		start = game_deal(game, &pack, &replay->outbox);
		error = replay_emit(replay);
		if (error)
			return error;
		redeal++;
	} while (start != SCOPA_START_PLAY);
	if (!dealing_check_packs(&replay->dealing, redeal, replay->fault))
		return -EBADMSG;
	if (game->deal.dealt > replay->known_count)
		return replay_blame(replay,
		    "the `give` lines of the first hands are missing, or a "
		    "`pack` line");
	return 0;
}

/* Whether the seat may make this move now; the fault says why not. */
static int
check_move(struct replay *replay)
{
	const struct event_play *play = &replay->event.play;
	const struct game *game = &replay->game;
	enum scopa_refusal refusal;
	char move_bytes[128];
	struct scopa_text move;

	if (replay->closed || game->phase == GAME_OVER)
		return replay_blame(
		    replay, "a play after the end of the match");
	if (game->phase == GAME_PACK && game->tally.deal_count == 0)
		return replay_blame(replay, "a play before the first deal");
	if (game->phase == GAME_PACK) {
		record_fault_set(replay->fault, line_in_hand(replay)->number,
		    "a play after the end of deal %d", game->tally.deal_count);
		return -EBADMSG;
	}
	if (play->seat != game->deal.turn) {
		record_fault_set(replay->fault, line_in_hand(replay)->number,
		    "it is the turn of seat %d, not of seat %d",
		    game->deal.turn + 1, play->seat + 1);
		return -EBADMSG;
	}
	refusal = scopa_deal_check(&game->rules, &game->deal, &play->move);
	if (refusal == SCOPA_LEGAL)
		return 0;
	scopa_text_init(&move, move_bytes, sizeof(move_bytes));
	scopa_move_format(&play->move, &move);
	record_fault_set(replay->fault, line_in_hand(replay)->number,
	    "seat %d may not play %s: %s (%s)", play->seat + 1, move_bytes,
	    scopa_refusal_sentence(refusal), scopa_refusal_name(refusal));
	return -EBADMSG;
}

/* The `legal` line of the decision that is next, of `count` moves. */
static int
put_legal(struct replay *replay, int count)
{
	static const char dots[] = " ...";
	struct scopa_text text;

	scopa_text_init(&text, replay->legal, sizeof(replay->legal));
	scopa_text_string(&text, "legal");
	for (int i = 0; i < count; i++) {
		size_t length = text.length;

		scopa_text_char(&text, ' ');
		scopa_move_format(&replay->moves[i], &text);
		if (text.length + sizeof(dots) - 1 > RECORD_LINE_SIZE_MAX) {
			text.length = length;
			scopa_text_string(&text, dots);
			break;
		}
	}
	scopa_text_char(&text, '\n');
	return record_add(replay->out, text.bytes, text.length);
}

/* A move by the arena is the first one; says all moves where wanted. */
static int
list_moves(struct replay *replay)
{
	bool legal =
	    replay->order.legal && replay->order.seat == REPLAY_EVERYBODY;
	const struct event_play *play = &replay->event.play;
	int count;

	if (!legal && !play->by_arena)
		return 0;
	count = scopa_moves(&replay->game.rules, &replay->game.deal,
	    replay->moves, SCOPA_MOVES_MAX);
	assert(count > 0 && count <= SCOPA_MOVES_MAX);
	if (play->by_arena && !scopa_move_equal(&replay->moves[0], &play->move))
		return replay_blame(replay,
		    "by=arena stands at a move that is not the first legal "
		    "one");
	return legal ? put_legal(replay, count) : 0;
}

/* Gathers the `info` lines that stand behind the line in hand. */
static int
gather_info(struct replay *replay)
{
	struct event play = replay->event;
	struct scopa_text text;
	int error = 0;

	scopa_text_init(&text, replay->info, sizeof(replay->info));
	while (!error && replay->at + 1 < replay->block->line_count &&
	    line_is(replay, replay->at + 1, "info")) {
		replay->at++;
		error = read_event(replay);
		if (!error)
			error = check_seat(replay, replay->event.info.seat);
		if (error)
			break;
		event_format(&replay->event, &text);
		scopa_text_char(&text, '\n');
		if (text.cut)
			error = replay_blame(replay,
			    "there is more `info` of one play than 64 KiB");
	}
	replay->event = play;
	return error;
}

/* Tells whoever wants to hear of the move that is in hand. */
static void
tell_decision(const struct replay *replay)
{
	const struct replay_order *order = &replay->order;
	struct replay_decision decision = {
		.game = &replay->game,
		.move = &replay->event.play.move,
		.line = line_in_hand(replay)->number,
		.by_arena = replay->event.play.by_arena,
	};

	if (order->hear)
		order->hear(order->context, &decision);
}

static int
take_play(struct replay *replay)
{
	const struct event_play *play = &replay->event.play;
	struct game *game = &replay->game;
	size_t at = replay->at;
	struct game_stamp stamp;
	int error = check_move(replay);

	if (!error)
		tell_decision(replay);
	if (!error)
		error = list_moves(replay);
	if (!error)
		error = gather_info(replay);
	if (error)
		return error;
	stamp = (struct game_stamp){
		.time_us = play->time_us,
		.cause = play->by_arena ? play->cause : NULL,
		.info = replay->info[0] ? replay->info : NULL,
	};
	game_move(game, &play->move, &stamp, &replay->outbox);
	if (game->phase == GAME_MOVE &&
	    game->deal.dealt > replay->known_count) {
		replay->at = at;
		return replay_blame(replay,
		    "the hands are empty, and the `give` lines of the next "
		    "ones are missing, or a `pack` line");
	}
	return replay_emit(replay);
}

/* A line that is said again as it is. */
static int
take_remark(struct replay *replay, int seat)
{
	int error = check_seat(replay, seat);

	if (error)
		return error;
	outbox_put_event(&replay->outbox, &replay->game.rules, &replay->event);
	return replay_emit(replay);
}

static int
take_offence(struct replay *replay)
{
	const struct event_offence *offence = &replay->event.offence;
	int error = take_remark(replay, offence->seat);

	if (error)
		return error;
	replay->offender = scopa_party_of(&replay->game.rules, offence->seat);
	if (strcmp(offence->policy, "substitute") != 0 ||
	    strcmp(offence->kind, "startup") == 0)
		replay->forfeited = true;
	return 0;
}

/* Ends the match before its time. */
int
replay_close_early(struct replay *replay, const char *reason)
{
	if (strcmp(reason, "forfeit") != 0)
		game_abort(&replay->game, reason, &replay->outbox);
	else if (replay->offender != PARTY_NOBODY)
		game_forfeit(&replay->game, replay->offender, &replay->outbox);
	else
		return replay_blame(replay,
		    "a forfeit, but no `offence` line before it says whose");
	replay->closed = true;
	return replay_emit(replay);
}

static int
take_abort(struct replay *replay)
{
	const char *reason = replay->event.abort.reason;

	if (!replay->event.abort.match)
		return replay_blame(
		    replay, "a deal that was aborted cannot be replayed");
	if (replay->closed || replay->game.phase == GAME_OVER)
		return replay_blame(
		    replay, "the match has ended before this line");
	return replay_close_early(replay, reason[0] ? reason : "interrupted");
}

/* `endmatch` follows from the rest, unless it ends a broken match. */
static int
take_endmatch(struct replay *replay)
{
	if (replay->closed || replay->game.phase == GAME_OVER)
		return 0;
	if (strcmp(replay->event.end.reason, "abort") == 0)
		return replay_close_early(replay, "interrupted");
	if (strcmp(replay->event.end.reason, "forfeit") == 0)
		return replay_close_early(replay, "forfeit");
	return 0;
}

/* Verbs that decide something; all others follow or are of the head. */
static const struct {
	const char *verb;
	enum event_kind kind;
} decisions[] = {
	{ "play", EVENT_PLAY },
	{ "declare", EVENT_DECLARE },
	{ "pack", EVENT_PACK },
	{ "deal", EVENT_DEAL },
	{ "info", EVENT_INFO },
	{ "offence", EVENT_OFFENCE },
	{ "void", EVENT_VOID },
	{ "ponder", EVENT_PONDER },
	{ "abort", EVENT_ABORT },
	{ "endmatch", EVENT_ENDMATCH },
};

/* What the line in hand decides, or EVENT_KIND_COUNT. */
static enum event_kind
kind_of(const struct replay *replay)
{
	for (size_t i = 0; i < sizeof(decisions) / sizeof(decisions[0]); i++)
		if (line_is(replay, replay->at, decisions[i].verb))
			return decisions[i].kind;
	return EVENT_KIND_COUNT;
}

int
replay_line(struct replay *replay)
{
	enum event_kind kind = kind_of(replay);
	int error;

	if (kind == EVENT_KIND_COUNT)
		return 0;
	if (kind == EVENT_DECLARE &&
	    replay->head.rules.declare != SCOPA_DECLARE_ASK)
		return 0;
	if (kind == EVENT_PACK || kind == EVENT_DEAL)
		return dealing_begins(replay->block, line_in_hand(replay),
			   replay->dealing.number)
		    ? deal_cards(replay)
		    : 0;
	error = read_event(replay);
	if (error)
		return error;
	if (kind == EVENT_PLAY || kind == EVENT_DECLARE)
		return take_play(replay);
	if (kind == EVENT_INFO)
		return take_remark(replay, replay->event.info.seat);
	if (kind == EVENT_VOID)
		return take_remark(replay, replay->event.void_turn.seat);
	if (kind == EVENT_PONDER)
		return take_remark(replay, replay->event.ponder.seat);
	if (kind == EVENT_OFFENCE)
		return take_offence(replay);
	if (kind == EVENT_ABORT)
		return take_abort(replay);
	return take_endmatch(replay);
}
