/*
 * A record is replayed in two layers.
 *
 * First, `struct recorded_deal` finds the lines of one deal and builds its
 * pack.  A record gives the pack of a deal in `pack` lines, or card by card in
 * `table` and `give` lines.
 *
 * Then `replay_line` handles the lines one by one.  A line with a decision (a
 * pack, a play, a declaration, an offence) is applied to the game as in a live
 * match.  The lines that the game produces are those that the record should
 * hold.
 */
#include "replay.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "verdict.h"

enum {
	ROUNDS_MAX = SCOPA_PACK_SIZE / 3,
	/* Bytes of the `info` lines of one decision. */
	INFO_SIZE = 65536,
	LEGAL_SIZE = RECORD_LINE_SIZE_MAX + 2, /* with line end and NUL */
	TEAM_NOBODY = -1
};

/* How the number of deals in a record agrees with the end of the match. */
enum course {
	COURSE_WHOLE, /* the match ends with the last deal, or there is a fault */
	COURSE_OPEN, /* all deals are over, and the match has not ended */
	COURSE_EARLY /* a fault: the target was reached before the last deal */
};

struct replay {
	struct game game;
	struct record_head head;
	struct outbox outbox;
	struct event event; /* the current line as an event */
	char info[INFO_SIZE];
	char legal[LEGAL_SIZE];

	/* The current record and what to do with it. */
	const struct game_record *record;
	struct replay_order order;
	struct record *out;
	struct record_fault *fault;
	size_t at;                     /* index of the current line */
	struct recorded_deal recorded; /* the current deal */
	/* Cards of its pack that the lines name; the others are filled in. */
	int known_count;
	int offender;   /* team of the last offence, or TEAM_NOBODY */
	bool forfeited; /* the offence loses the match */
	bool closed;    /* the game wrote `endmatch` early */
	enum course course;
};

/* The line number `skip` of this kind in the deal, from 0, or NULL. */
static const struct record_line *
find_line(const struct recorded_deal *recorded, enum event_kind kind, int skip)
{
	for (size_t at = recorded->begin; at < recorded->end; at++) {
		const struct record_line *line = &recorded->record->lines[at];

		if (line->kind == kind && skip-- == 0)
			return line;
	}
	return NULL;
}

/*
 * The deal number of a `pack` or `deal` line, or 0 if the line has none; -1 for
 * other lines.
 */
static int
number_of(const struct game_record *record, const struct record_line *line)
{
	const char *bytes = record_line_bytes(record, line);
	struct words words;
	int64_t number;

	if (line->kind != EVENT_PACK && line->kind != EVENT_DEAL)
		return -1;
	words_split(bytes, line->length, &words);
	if (words.count < 2 ||
	    !word_to_int(words.word[1], 1, INT32_MAX, &number))
		return 0;
	return (int)number;
}

bool
recorded_deal_begins(const struct game_record *record,
    const struct record_line *line, int number)
{
	int next = number_of(record, line);

	return next >= 0 && next != number;
}

/* The number of deals that begin in a record. */
static int
recorded_deal_count(const struct game_record *record)
{
	int count = 0, last = 0;

	for (size_t i = 0; i < record->line_count; i++) {
		int number = number_of(record, &record->lines[i]);

		if (number < 0 || number == last)
			continue;
		last = number;
		count++;
	}
	return count;
}

bool
recorded_deal_find(const struct game_record *record, size_t begin,
    struct recorded_deal *recorded, struct record_fault *fault)
{
	struct event event;

	*recorded = (struct recorded_deal){ .record = record, .begin = begin };
	recorded->number = number_of(record, &record->lines[begin]);
	for (size_t i = begin; i < record->line_count; i++) {
		const struct record_line *line = &record->lines[i];

		if (i > begin &&
		    recorded_deal_begins(record, line, recorded->number))
			break;
		recorded->end = i + 1;
		recorded->pack_count += line->kind == EVENT_PACK;
		recorded->table_count += line->kind == EVENT_TABLE;
		if (line->kind != EVENT_DEAL)
			continue;
		if (recorded->deal_line != 0)
			return record_fault_set(fault, line->number,
			    "a second line `deal %d`; the first is line %jd",
			    recorded->number, recorded->deal_line);
		if (!record_line_event(record, line, &event, fault))
			return false;
		recorded->deal = event.deal;
		recorded->deal_line = line->number;
	}
	return true;
}

/* The cards of a deal while its pack is built. */
struct collecting {
	const struct recorded_deal *recorded;
	const struct scopa_rules *rules;
	struct record_fault *fault;
	scopa_set table;
	scopa_set seen; /* all cards so far */
	scopa_set hands[SCOPA_SEATS_MAX][ROUNDS_MAX];
	int hand_counts[SCOPA_SEATS_MAX];
};

/*
 * Reads the cards of a line.  The line must deal `count` cards, and no card may
 * be dealt twice.
 */
static bool
collect_cards(struct collecting *collecting, const struct record_line *line,
    int count, struct event_cards *cards)
{
	struct record_fault *fault = collecting->fault;
	struct event event;
	scopa_set twice;

	if (!record_line_event(
		collecting->recorded->record, line, &event, fault))
		return false;
	*cards = event.cards;
	if (line->kind == EVENT_GIVE &&
	    cards->seat >= collecting->rules->players)
		return record_fault_set(fault, line->number,
		    "there is no seat %d in this game", cards->seat + 1);
	if (cards->hidden > 0)
		return record_fault_set(fault, line->number,
		    "the cards are hidden here; a game can only be derived "
		    "from all of them");
	if (scopa_set_count(cards->cards) != count)
		return record_fault_set(fault, line->number,
		    "there are %d cards, and the rules deal %d",
		    scopa_set_count(cards->cards), count);
	twice = collecting->seen & cards->cards;
	if (twice != SCOPA_SET_EMPTY) {
		scopa_card card = scopa_set_first(twice);

		return record_fault_set(fault, line->number,
		    "%c%c is dealt twice",
		    scopa_value_letter(scopa_card_value(card)),
		    scopa_suit_letter(scopa_card_suit(card)));
	}
	collecting->seen |= cards->cards;
	return true;
}

/* Reads the table of the deal that comes after `redeal` redealt tables. */
static bool
collect_table(struct collecting *collecting, int redeal)
{
	const struct recorded_deal *recorded = collecting->recorded;
	const struct record_line *line =
	    find_line(recorded, EVENT_TABLE, redeal);
	struct event_cards cards;

	if (collecting->rules->table == 0 && recorded->table_count == 0)
		return true;
	if (line == NULL)
		return record_fault_set(collecting->fault,
		    recorded->record->lines[recorded->begin].number,
		    redeal == 0
			? "the cards of deal %d are missing: a `pack` line, "
			  "or `table` and `give` lines"
			: "deal %d is thrown in, and no new `table` follows",
		    recorded->number);
	if (!collect_cards(collecting, line, collecting->rules->table, &cards))
		return false;
	collecting->table = cards.cards;
	return true;
}

static bool
collect_hands(struct collecting *collecting)
{
	const struct recorded_deal *recorded = collecting->recorded;

	for (size_t at = recorded->begin; at < recorded->end; at++) {
		const struct record_line *line = &recorded->record->lines[at];
		struct event_cards cards;
		int *count;

		if (line->kind != EVENT_GIVE)
			continue;
		if (!collect_cards(
			collecting, line, collecting->rules->hand, &cards))
			return false;
		/* No card is dealt twice, so no seat gets too many hands. */
		count = &collecting->hand_counts[cards.seat];
		assert(*count < ROUNDS_MAX);
		collecting->hands[cards.seat][(*count)++] = cards.cards;
	}
	return true;
}

static int
put_cards(uint8_t *cards, int count, scopa_set set)
{
	while (set != SCOPA_SET_EMPTY)
		cards[count++] = scopa_set_take(&set);
	return count;
}

/* Puts the collected cards in the order of dealing; returns their number. */
static int
put_collected(const struct collecting *collecting, int dealer, uint8_t *cards)
{
	int count = put_cards(cards, 0, collecting->table);
	int seat = dealer;

	for (int round = 0; round < ROUNDS_MAX; round++) {
		for (int i = 0; i < collecting->rules->players; i++) {
			seat = (seat + 1) % collecting->rules->players;
			if (round >= collecting->hand_counts[seat])
				return count;
			count = put_cards(
			    cards, count, collecting->hands[seat][round]);
		}
	}
	return count;
}

/*
 * Builds the pack from the `table` and `give` lines.  Returns the number of
 * cards that the lines name, or -1.
 */
static int
collect_pack(struct collecting *collecting, int dealer, int redeal,
    struct event_pack *pack)
{
	const struct recorded_deal *recorded = collecting->recorded;
	bool last = redeal + 1 >= recorded->table_count;
	int count;

	if (!collect_table(collecting, redeal) ||
	    (last && !collect_hands(collecting)))
		return -1;
	count = put_collected(collecting, dealer, pack->cards);
	if (count != scopa_set_count(collecting->seen)) {
		record_fault_set(collecting->fault,
		    recorded->record->lines[recorded->begin].number,
		    "a hand of deal %d is missing: its `give` lines are not "
		    "the same number for every seat",
		    recorded->number);
		return -1;
	}
	put_cards(pack->cards, count, SCOPA_SET_ALL & ~collecting->seen);
	return count;
}

int
recorded_deal_pack(const struct recorded_deal *recorded,
    const struct scopa_rules *rules, int dealer, int redeal,
    struct event_pack *pack, struct record_fault *fault)
{
	const struct record_line *line =
	    find_line(recorded, EVENT_PACK, redeal);
	struct event event;

	*pack = (struct event_pack){
		.number = recorded->number,
		.redeal = redeal,
	};
	if (recorded->pack_count == 0)
		return collect_pack(
		    &(struct collecting){
			.recorded = recorded, .rules = rules, .fault = fault },
		    dealer, redeal, pack);
	if (line == NULL) {
		record_fault_set(fault,
		    recorded->record->lines[recorded->begin].number,
		    "deal %d is thrown in, and the next `pack %d redeal=%d` "
		    "is missing",
		    recorded->number, recorded->number, redeal);
		return -1;
	}
	if (!record_line_event(recorded->record, line, &event, fault))
		return -1;
	if (event.pack.redeal != 0 && event.pack.redeal != redeal) {
		record_fault_set(fault, line->number,
		    "redeal=%d, but pack %d of the deal is expected",
		    event.pack.redeal, redeal);
		return -1;
	}
	*pack = event.pack;
	pack->redeal = redeal;
	return SCOPA_PACK_SIZE;
}

static const struct record_line *
current_line(const struct replay *replay)
{
	return &replay->record->lines[replay->at];
}

/* Sets a fault at a line.  The value is -EBADMSG. */
#define blame_line(replay, line, ...) \
	(record_fault_set((replay)->fault, (line), __VA_ARGS__), -EBADMSG)

/* The same for the current line. */
#define replay_blame(replay, ...) \
	blame_line(replay, current_line(replay)->number, __VA_ARGS__)

/* Moves the lines that the game wrote from the outbox to the output. */
static int
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

/* Parses the current line as an event.  Returns 0 or -EBADMSG. */
static int
read_event(struct replay *replay)
{
	if (!record_line_event(replay->record, current_line(replay),
		&replay->event, replay->fault))
		return -EBADMSG;
	return 0;
}

/* Checks that a seat is one of the game. */
static int
check_seat(struct replay *replay, int seat)
{
	return seat < replay->game.rules.players
	    ? 0
	    : replay_blame(replay, "there is no seat %d in a game of %d",
		  seat + 1, replay->game.rules.players);
}

/* Compares a `deal` line with what follows from the deals before it. */
static int
check_deal(struct replay *replay)
{
	const struct recorded_deal *recorded = &replay->recorded;
	const struct game *game = &replay->game;
	const struct event_deal *deal = &recorded->deal;
	int dealer = game->tally.dealer, players = game->rules.players;
	int first = (dealer + 1) % players;

	if (recorded->deal_line == 0)
		return 0;
	if (deal->dealer >= 0 && deal->dealer != dealer)
		return blame_line(replay, recorded->deal_line,
		    "dealer=%d contradicts the rotation, by which seat %d "
		    "deals",
		    deal->dealer + 1, dealer + 1);
	if (deal->first >= 0 && deal->first != first)
		return blame_line(replay, recorded->deal_line,
		    "first=%d contradicts the dealer: after seat %d, seat %d "
		    "plays first",
		    deal->first + 1, dealer + 1, first + 1);
	if (deal->team_count != 0 &&
	    (deal->team_count != scopa_team_count(&game->rules) ||
		memcmp(deal->scores, game->tally.scores,
		    (size_t)deal->team_count * sizeof(deal->scores[0])) != 0))
		return blame_line(replay, recorded->deal_line,
		    "scores= are not those of the deals before");
	return 0;
}

/* Checks that a deal with this number can begin now. */
static int
check_turn_to_deal(struct replay *replay)
{
	const struct game *game = &replay->game;

	if (replay->closed)
		return replay_blame(
		    replay, "the match has ended before this deal");
	if (game->phase == GAME_MOVE)
		return replay_blame(replay,
		    "plays are missing before this line: deal %d is not over",
		    game->tally.deal_count + 1);
	if (game->phase == GAME_OVER) {
		if (game->drawn || game->tally.state == SCOPA_TALLY_TARGET)
			replay->course = COURSE_EARLY;
		return replay_blame(replay,
		    "the match has ended before this deal: %s",
		    game->drawn ? "it was a draw after max-deals= of them"
			: game->tally.state == SCOPA_TALLY_DEALS
			? "deals= are played"
			: game->tally.state == SCOPA_TALLY_INSTANT
			? "it was won at a blow"
			: "the target was reached; a game that goes on says "
			  "deals=");
	}
	if (replay->recorded.number != game->tally.deal_count + 1)
		return replay_blame(replay, "deal %d, but deal %d is expected",
		    replay->recorded.number, game->tally.deal_count + 1);
	return 0;
}

/* Deals the cards that the lines of the next deal name. */
static int
deal_cards(struct replay *replay)
{
	struct game *game = &replay->game;
	const struct record_line *further;
	enum scopa_start start;
	int error, redeal = 0;

	if (!recorded_deal_find(
		replay->record, replay->at, &replay->recorded, replay->fault))
		return -EBADMSG;
	error = check_turn_to_deal(replay);
	if (!error)
		error = check_deal(replay);
	if (error)
		return error;
	do {
		struct event_pack pack;

		replay->known_count =
		    recorded_deal_pack(&replay->recorded, &game->rules,
			game->tally.dealer, redeal, &pack, replay->fault);
		if (replay->known_count < 0)
			return -EBADMSG;
		start = game_deal(game, &pack);
		error = replay_emit(replay);
		if (error)
			return error;
		redeal++;
	} while (start != SCOPA_START_PLAY);
	further = find_line(&replay->recorded,
	    replay->recorded.pack_count > 0 ? EVENT_PACK : EVENT_TABLE, redeal);
	if (further != NULL)
		return blame_line(replay, further->number,
		    "this is never dealt: the cards before it were not thrown "
		    "in");
	if (game->deal.dealt > replay->known_count)
		return replay_blame(replay,
		    "the `give` lines of the first hands are missing, or a "
		    "`pack` line");
	return 0;
}

/*
 * Checks that the seat may make this move now; if not, the fault gives the
 * reason.
 */
static int
check_move(struct replay *replay)
{
	const struct event_play *play = &replay->event.play;
	const struct game *game = &replay->game;
	enum scopa_refusal refusal;
	struct scopa_text move = SCOPA_TEXT(128);

	if (replay->closed || game->phase == GAME_OVER)
		return replay_blame(
		    replay, "a play after the end of the match");
	if (game->phase == GAME_PACK && game->tally.deal_count == 0)
		return replay_blame(replay, "a play before the first deal");
	if (game->phase == GAME_PACK)
		return replay_blame(replay, "a play after the end of deal %d",
		    game->tally.deal_count);
	if (play->seat != game->deal.turn)
		return replay_blame(replay,
		    "it is the turn of seat %d, not of seat %d",
		    game->deal.turn + 1, play->seat + 1);
	refusal = scopa_deal_check(&game->rules, &game->deal, &play->move);
	if (refusal == SCOPA_LEGAL)
		return 0;
	scopa_move_format(&play->move, &move);
	return replay_blame(replay, "seat %d may not play %s: %s (%s)",
	    play->seat + 1, move.bytes, scopa_refusal_sentence(refusal),
	    scopa_refusal_name(refusal));
}

/*
 * Writes the `legal` line if it is wanted.  A move by the arena must be the
 * first legal one.
 */
static int
list_moves(struct replay *replay)
{
	const struct event_play *play = &replay->event.play;
	const struct game *game = &replay->game;
	struct scopa_move first;
	struct scopa_text text;

	if (play->by_arena) {
		scopa_moves(&game->rules, &game->deal, &first, 1);
		if (!scopa_move_equal(&first, &play->move))
			return replay_blame(replay,
			    "by=arena at a move that is not the first legal "
			    "one");
	}
	if (!replay->order.legal || replay->order.seat != REPLAY_EVERYBODY)
		return 0;
	scopa_text_init(&text, replay->legal, sizeof(replay->legal));
	game_put_legal(game, true, &text);
	return record_add(replay->out, text.bytes, text.length);
}

static bool
info_follows(const struct replay *replay)
{
	return replay->at + 1 < replay->record->line_count &&
	    current_line(replay)[1].kind == EVENT_INFO;
}

/*
 * Collects the `info` lines that come after the current line, whose event is
 * kept.
 */
static int
collect_info(struct replay *replay)
{
	struct event play;
	struct scopa_text text;
	int error = 0;

	scopa_text_init(&text, replay->info, sizeof(replay->info));
	/* Most plays have none, and an event has some KiB. */
	if (!info_follows(replay))
		return 0;
	play = replay->event;
	while (!error && info_follows(replay)) {
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

/* Calls back with the decision, or the offence, that is being replayed. */
static void
report_decision(const struct replay *replay)
{
	const struct replay_order *order = &replay->order;
	bool offence = replay->event.kind == EVENT_OFFENCE;
	struct replay_decision decision = {
		.game = &replay->game,
		.move = offence ? NULL : &replay->event.play.move,
		.line = current_line(replay)->number,
		.by_arena = !offence && replay->event.play.by_arena,
	};

	if (order->hear)
		order->hear(order->context, &decision);
}

static int
handle_play(struct replay *replay)
{
	const struct event_play *play = &replay->event.play;
	struct game *game = &replay->game;
	size_t at = replay->at;
	struct game_stamp stamp;
	int error = check_move(replay);

	if (!error)
		report_decision(replay);
	if (!error)
		error = list_moves(replay);
	if (!error)
		error = collect_info(replay);
	if (error)
		return error;
	stamp = (struct game_stamp){
		.time_us = play->time_us,
		.cause = play->by_arena ? play->cause : NULL,
		.info = replay->info[0] ? replay->info : NULL,
	};
	game_move(game, &play->move, &stamp);
	if (game->phase == GAME_MOVE &&
	    game->deal.dealt > replay->known_count) {
		replay->at = at;
		return replay_blame(replay,
		    "the hands are empty, and the `give` lines of the next "
		    "ones are missing, or a `pack` line");
	}
	return replay_emit(replay);
}

/* Writes a line again, unchanged. */
static int
handle_remark(struct replay *replay)
{
	/* In all of these events the seat is the first field. */
	int error = check_seat(replay, replay->event.info.seat);

	if (error)
		return error;
	outbox_put_event(&replay->outbox, &replay->game.rules, &replay->event);
	return replay_emit(replay);
}

static int
handle_offence(struct replay *replay)
{
	const struct event_offence *offence = &replay->event.offence;
	int error;

	if (offence_find(word_of(offence->kind)) == OFFENCE_KIND_COUNT)
		return replay_blame(replay, "there is no offence of this kind");
	error = handle_remark(replay);
	if (error)
		return error;
	if (replay->order.offences)
		report_decision(replay);
	replay->offender = scopa_team_of(&replay->game.rules, offence->seat);
	if (strcmp(offence->policy, "substitute") != 0 ||
	    strcmp(offence->kind, "startup") == 0)
		replay->forfeited = true;
	return 0;
}

/* Ends the match before its regular end. */
static int
replay_close_early(struct replay *replay, const char *reason)
{
	if (strcmp(reason, "forfeit") != 0)
		game_abort(&replay->game, reason);
	else if (replay->offender != TEAM_NOBODY)
		game_forfeit(&replay->game, replay->offender);
	else
		return replay_blame(replay,
		    "a forfeit, but no `offence` line before it says whose");
	replay->closed = true;
	return replay_emit(replay);
}

static int
handle_abort(struct replay *replay)
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

/*
 * `endmatch` follows from the game.  Only the end of an aborted or forfeited
 * match is read from the line.
 */
static int
handle_endmatch(struct replay *replay)
{
	if (replay->closed || replay->game.phase == GAME_OVER)
		return 0;
	if (strcmp(replay->event.end.reason, "abort") == 0)
		return replay_close_early(replay, "interrupted");
	if (strcmp(replay->event.end.reason, "forfeit") == 0)
		return replay_close_early(replay, "forfeit");
	return 0;
}

/*
 * Handlers of the lines that decide something.  All other lines follow from
 * these or belong to the head.
 */
static int (*const line_handlers[EVENT_KIND_COUNT])(struct replay *replay) = {
	[EVENT_PLAY] = handle_play,
	[EVENT_DECLARE] = handle_play,
	[EVENT_INFO] = handle_remark,
	[EVENT_VOID] = handle_remark,
	[EVENT_PONDER] = handle_remark,
	[EVENT_OFFENCE] = handle_offence,
	[EVENT_ABORT] = handle_abort,
	[EVENT_ENDMATCH] = handle_endmatch,
};

static int
replay_line(struct replay *replay)
{
	const struct record_line *line = current_line(replay);
	enum event_kind kind = line->kind;
	int error;

	if (kind == EVENT_PACK || kind == EVENT_DEAL)
		return recorded_deal_begins(
			   replay->record, line, replay->recorded.number)
		    ? deal_cards(replay)
		    : 0;
	if (kind == EVENT_KIND_COUNT || line_handlers[kind] == NULL)
		return 0;
	error = read_event(replay);
	/* The game itself declares for the seats if the rules say so. */
	if (error ||
	    (kind == EVENT_DECLARE &&
		replay->head.rules.declare != SCOPA_DECLARE_ASK))
		return error;
	return line_handlers[kind](replay);
}

int
replay_open(struct replay **replay)
{
	*replay = calloc(1, sizeof(**replay));
	return *replay ? 0 : -ENOMEM;
}

void
replay_close(struct replay *replay)
{
	free(replay);
}

const struct record_head *
replay_head(const struct replay *replay)
{
	return &replay->head;
}

/*
 * Finds the first dealer: the one that the first `deal` line names, or else the
 * last seat.
 */
static int
find_dealer(struct replay *replay, int *dealer)
{
	int players = replay->head.rules.players;
	struct recorded_deal recorded = { .deal_line = 0 };

	*dealer = players - 1;
	for (size_t i = 0; i < replay->record->line_count; i++) {
		if (!recorded_deal_begins(
			replay->record, &replay->record->lines[i], -1))
			continue;
		if (!recorded_deal_find(
			replay->record, i, &recorded, replay->fault))
			return -EBADMSG;
		break;
	}
	if (recorded.deal_line == 0)
		return 0;
	if (recorded.deal.dealer >= players || recorded.deal.first >= players)
		return blame_line(replay, recorded.deal_line,
		    "this game has only %d seats", players);
	if (recorded.deal.dealer >= 0)
		*dealer = recorded.deal.dealer;
	else if (recorded.deal.first >= 0)
		*dealer = (recorded.deal.first + players - 1) % players;
	return 0;
}

/* Ends the match after the last line of the record. */
static int
close_record(struct replay *replay)
{
	struct game *game = &replay->game;

	replay->at = replay->record->line_count - 1;
	if (replay->closed)
		return 0;
	if (game->phase == GAME_OVER) {
		game_end(game);
		return replay_emit(replay);
	}
	if (replay->forfeited)
		return replay_close_early(replay, "forfeit");
	if (game->phase == GAME_MOVE)
		return blame_line(replay, replay->record->last_line,
		    "plays are missing after this line: deal %d is not over",
		    game->tally.deal_count + 1);
	if (game->tally.deal_count == 0)
		return replay_blame(replay, "the match has no deal");
	replay->course = COURSE_OPEN;
	return 0;
}

/*
 * Replays the whole record as a match of `deals` deals, or to the target if
 * `deals` is 0.
 */
static int
play_record(struct replay *replay, int deals)
{
	int seat = replay->order.seat, dealer;
	int error;

	replay->course = COURSE_WHOLE;
	error = find_dealer(replay, &dealer);
	if (error)
		return error;
	record_clear(replay->out);
	replay->recorded = (struct recorded_deal){ .number = -1 };
	replay->offender = TEAM_NOBODY;
	replay->forfeited = replay->closed = false;
	outbox_init(&replay->outbox,
	    seat == REPLAY_EVERYBODY ? 0 : replay->head.rules.players);
	for (int other = 0; other < SCOPA_SEATS_MAX; other++)
		replay->outbox.hears[other] = other == seat;
	game_open(&replay->game,
	    &(struct game_opening){
		.rules = &replay->head.rules,
		.preset = replay->head.preset,
		.head = &replay->head.game,
		.dealer = dealer,
		.deals = deals,
		.max_deals = replay->head.game.match.max_deals,
	    },
	    &replay->outbox);
	error = replay_emit(replay);
	for (replay->at = 1; !error && replay->at < replay->record->line_count;
	     replay->at++)
		error = replay_line(replay);
	return error ? error : close_record(replay);
}

int
replay_run(struct replay *replay, const struct game_record *record,
    const struct replay_order *order, struct record *out,
    struct record_fault *fault)
{
	int error;

	assert(
	    record->line_count > 0 && !record->outside && !record->fault.line);
	*fault = (struct record_fault){ .line = 0 };
	replay->record = record;
	replay->order = *order;
	replay->out = out;
	replay->fault = fault;
	replay->at = 0;
	if (!record_head_read(record, &replay->head, fault))
		return -EBADMSG;
	if (order->seat >= replay->head.rules.players)
		return replay_blame(replay, "this game has no such seat");
	error = play_record(replay, replay->head.deals);
	/*
	 * If a match does not end when its target is reached, it has a fixed
	 * number of deals: it is replayed again with that number.
	 */
	if (replay->head.deals == 0 &&
	    (replay->course == COURSE_OPEN ||
		(replay->course == COURSE_EARLY &&
		    !replay->head.target_said))) {
		*fault = (struct record_fault){ .line = 0 };
		error = play_record(replay, recorded_deal_count(record));
	}
	if (!error && replay->course == COURSE_OPEN)
		return blame_line(replay, record->last_line,
		    "deals are missing after this line: there are %d of %d",
		    replay->game.tally.deal_count, replay->game.tally.deals);
	return error;
}
