/*
 * The referee: inputs to decisions.
 *
 * Three parts, each using those above it.  Turns and offences: which seat is
 * asked, what an answer does to the game, and the one place where an offence is
 * judged. The verbs of a bot: a table of what a line may say in which phase.
 * And the inputs: a line, a deadline, the end of a process, a pack.
 */
#include "referee.h"

#include <assert.h>
#include <string.h>

/* Turns and offences. */

/* What a seat has done. */
struct offence {
	enum offence_kind kind;
	const char *reason; /* one word, as in the record */
	const char *said;   /* the line at fault, of said_length bytes */
	size_t said_length;
	int64_t used_ns; /* from the question on; -1: none was open */
};

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
ask(struct referee *referee, int index, const struct referee_input *input,
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
	name_decision(seat, input->nonce);
	scopa_text_string(text, "go turn=");
	scopa_text_bytes(text, seat->turn_id, sizeof(seat->turn_id));
	budget_format_go(&seat->budget, &referee->settings.control, text);
	scopa_text_char(text, '\n');
	assert(!text->cut);
	seat->session.phase = SESSION_THINK;
	forget_info(referee);
	outbox->due[index] = true;
	seat->sent = seat->held = false;
	referee_begin_time(referee, index, input->now_ns);
}

/* Everything that a seat has not heard yet may go out. */
static void
release_all(const struct referee *referee, struct outbox *outbox)
{
	for (int seat = 0; seat < referee->seat_count; seat++)
		outbox->due[seat] = true;
}

/* Before the end of a game: records which bots have pondered in it. */
static void
record_ponderers(const struct referee *referee, struct outbox *outbox)
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

	*line = (struct event_offence){
		.seat = index,
		.time_us = offence->used_ns < 0 ? -1 : offence->used_ns / 1000,
	};
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

/*
 * The one place where an offence is counted, recorded and judged: the arena
 * moves for the seat, or the seat's team forfeits the game.
 */
static void
judge_offence(struct referee *referee, int index, const struct offence *offence,
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
		record_ponderers(referee, outbox);
		game_forfeit(game, scopa_team_of(&game->rules, index), outbox);
		referee->ended = true;
		break;
	}
}

/* Judges the line of an input. */
static void
judge_line(struct referee *referee, const struct referee_input *input,
    enum offence_kind kind, const char *reason, int64_t used_ns,
    struct outbox *outbox)
{
	judge_offence(referee, input->seat,
	    &(struct offence){
		.kind = kind,
		.reason = reason,
		.said = input->line,
		.said_length = input->length,
		.used_ns = used_ns,
	    },
	    outbox);
}

/* Judges why the session of a bot has ended. */
static void
judge_ended(struct referee *referee, int index, enum offence_kind kind,
    struct outbox *outbox)
{
	const struct session *session = &referee->seats[index].session;

	judge_offence(referee, index,
	    &(struct offence){
		.kind = kind,
		.reason = session->reason,
		.said = session->said,
		.said_length = strlen(session->said),
		.used_ns = -1,
	    },
	    outbox);
}

/*
 * Goes on until a bot must answer, a pack is needed or the game is over: asks
 * the seat to move, moves for a seat that is gone, ends a decided game.
 */
static void
advance_turn(struct referee *referee, const struct referee_input *input,
    struct outbox *outbox)
{
	struct game *game = &referee->game;

	while (game->phase == GAME_MOVE) {
		int index = game->deal.turn;
		const struct session *session = &referee->seats[index].session;

		if (session->phase == SESSION_IDLE) {
			ask(referee, index, input, outbox);
			return;
		}
		if (session->phase != SESSION_GONE)
			return;
		judge_ended(referee, index, session->fault, outbox);
	}
	if (game->phase == GAME_OVER && !referee->ended) {
		record_ponderers(referee, outbox);
		game_end(game, outbox);
		referee->ended = true;
	}
	release_all(referee, outbox);
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

/* The seat that is to answer has done so, well or badly: its time in ns. */
static int64_t
stop_clock(struct referee *referee, const struct referee_input *input)
{
	struct referee_seat *seat = &referee->seats[input->seat];
	int64_t used_ns = input->now_ns - seat->asked_ns;

	if (used_ns < 0)
		used_ns = 0;
	seat->session.phase = SESSION_IDLE;
	seat->deadline_ns = BUDGET_NEVER;
	budget_spend(&seat->budget, &referee->settings.control, used_ns);
	seat->decision_count++;
	seat->think_ns += used_ns;
	return used_ns;
}

/* The seat answers the open decision with this word (bytes NULL: none). */
static void
handle_answer(struct referee *referee, struct word word,
    const struct referee_input *input, struct outbox *outbox)
{
	int64_t used_ns = stop_clock(referee, input);
	const char *reason, *sentence;
	struct scopa_move move;

	reason = refuse_answer(&referee->game, word, &move, &sentence);
	if (reason == NULL) {
		make_move(referee, &move, used_ns / 1000, NULL, outbox);
	} else {
		put_illegal(referee, input->seat, word, reason, sentence,
		    &outbox->seats[input->seat]);
		outbox->due[input->seat] = true;
		judge_line(
		    referee, input, OFFENCE_ILLEGAL, reason, used_ns, outbox);
	}
	advance_turn(referee, input, outbox);
}

/*
 * Asks a seat that had a decision open whether it is ready: whatever it says
 * before belongs to that decision and is dropped.
 */
static void
raise_barrier(struct referee *referee, const struct referee_input *input,
    struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[input->seat];

	session_ask_ready(&seat->session, &outbox->seats[input->seat]);
	seat->session.phase = SESSION_STALE;
	seat->deadline_ns = input->now_ns + referee->settings.hang_ns;
	outbox->due[input->seat] = true;
}

/* The seat that is to answer has not, in time. */
static void
time_out_turn(struct referee *referee, const struct referee_input *input,
    struct outbox *outbox)
{
	enum budget_kind kind = referee->settings.control.kind;
	bool bank = kind == BUDGET_MATCH || kind == BUDGET_DEAL;
	const char *reason = bank ? "FLAG" : "TIMEOUT";
	int64_t used_ns;

	/* One that does not read has not even got the question. */
	if (referee->seats[input->seat].held)
		reason = "UNREAD";
	used_ns = stop_clock(referee, input);
	raise_barrier(referee, input, outbox);
	judge_offence(referee, input->seat,
	    &(struct offence){
		.kind = OFFENCE_TIMEOUT,
		.reason = reason,
		.said = "",
		.used_ns = used_ns,
	    },
	    outbox);
	advance_turn(referee, input, outbox);
}

/* The verbs of a bot: which seat may say what, and when. */

/* One line of a bot's. */
struct protocol_line {
	struct words words;
	const struct referee_input *input;
};

struct protocol_verb {
	const char *name;
	unsigned phases; /* bits of enum session_phase in which it may come */
	void (*handle)(struct referee *referee,
	    const struct protocol_line *line, struct outbox *outbox);
	int argument_count; /* words before the pairs */
	const char *keys;   /* of its pairs; NULL: any, or it looks itself */
};

static struct session *
session_of(struct referee *referee, const struct protocol_line *line)
{
	return &referee->seats[line->input->seat].session;
}

static struct scopa_text *
text_of(struct outbox *outbox, const struct protocol_line *line)
{
	return &outbox->seats[line->input->seat];
}

static void
handle_id(struct referee *referee, const struct protocol_line *line,
    struct outbox *outbox)
{
	session_on_id(
	    session_of(referee, line), &line->words, text_of(outbox, line));
}

static void
handle_option(struct referee *referee, const struct protocol_line *line,
    struct outbox *outbox)
{
	session_on_option(session_of(referee, line), &line->words,
	    referee->seats[line->input->seat].options, text_of(outbox, line));
}

static void
handle_feature(struct referee *referee, const struct protocol_line *line,
    struct outbox *outbox)
{
	session_on_feature(session_of(referee, line), &line->words,
	    referee->settings.observe, text_of(outbox, line));
}

static void
handle_uspok(struct referee *referee, const struct protocol_line *line,
    struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[line->input->seat];

	session_on_uspok(&seat->session, &line->words, seat->options,
	    referee->settings.analysis != NULL, text_of(outbox, line));
	if (seat->session.phase == SESSION_GONE)
		seat->deadline_ns = BUDGET_NEVER;
}

static void
handle_readyok(struct referee *referee, const struct protocol_line *line,
    struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[line->input->seat];

	session_on_readyok(&seat->session);
	seat->deadline_ns = BUDGET_NEVER;
	if (referee->opened && !referee->ended)
		advance_turn(referee, line->input, outbox);
}

/*
 * Whether the answer is one to the open decision: it names that, or nothing and
 * was written when the question was there.  Two answers that came in one piece
 * may lie on both sides of a question.
 */
static bool
names_decision(
    const struct referee_seat *seat, const struct protocol_line *line)
{
	struct word id = words_find(&line->words, "turn");
	int64_t read_ns = line->input->read_ns;

	if (id.bytes == NULL)
		return read_ns == 0 || read_ns >= seat->asked_ns;
	return id.length == sizeof(seat->turn_id) &&
	    memcmp(id.bytes, seat->turn_id, id.length) == 0;
}

static void
handle_move(struct referee *referee, const struct protocol_line *line,
    struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[line->input->seat];
	struct word word = { NULL, 0 };

	if (!names_decision(seat, line)) {
		seat->session.stale_count++;
		seat->unasked_count++;
		referee->wanted = false;
		session_error(&seat->session, "unexpected",
		    "no answer to the open decision:",
		    line->words.word[line->words.count - 1],
		    text_of(outbox, line));
		return;
	}
	if (line->words.count > 1)
		word = line->words.word[1];
	if (line->input->now_ns > seat->deadline_ns)
		time_out_turn(referee, line->input, outbox);
	else
		handle_answer(referee, word, line->input, outbox);
}

static void
handle_info(struct referee *referee, const struct protocol_line *line,
    struct outbox *outbox)
{
	const struct words *words = &line->words;
	size_t skip, length;

	(void)outbox;
	if (words->count < 2)
		return;
	skip = (size_t)(words->word[1].bytes - words->word[0].bytes);
	length = words->line_length - skip;
	if (referee->info.length + length + 16 > sizeof(referee->info_bytes)) {
		referee->wanted = false;
		return;
	}
	for (int i = 1; i < words->count; i++)
		referee->info_cut |= word_is(words->word[i], "cut=1");
	scopa_text_string(&referee->info, "info ");
	scopa_text_int(&referee->info, line->input->seat + 1);
	scopa_text_char(&referee->info, ' ');
	scopa_text_bytes(&referee->info, words->word[1].bytes, length);
	scopa_text_char(&referee->info, '\n');
}

static void
handle_error(struct referee *referee, const struct protocol_line *line,
    struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[line->input->seat];
	bool starting = seat->session.phase & (SESSION_HELLO | SESSION_SETUP);
	struct word code = { "", 0 };

	if (line->words.count > 1)
		code = line->words.word[1];
	if (word_is(code, "option") &&
	    session_on_option_error(
		&seat->session, line->input->line, line->input->length)) {
		seat->deadline_ns = BUDGET_NEVER;
		return;
	}
	if (!word_is(code, "fatal")) {
		/* `error` lines of a bot count towards its limit of unasked lines. */
		referee->wanted = false;
		return;
	}
	session_end(&seat->session, starting ? OFFENCE_STARTUP : OFFENCE_CRASH,
	    starting ? "HS_BAD(FATAL)" : "FATAL", line->input->line,
	    line->input->length);
	seat->deadline_ns = BUDGET_NEVER;
	seat->kill = true;
	outbox->hears[line->input->seat] = false;
	if (referee->opened && !referee->ended)
		advance_turn(referee, line->input, outbox);
}

enum { LIVING = SESSION_HELLO | SESSION_SETUP | SESSION_IDLE | SESSION_THINK };

static const struct protocol_verb protocol_verbs[] = {
	{ "move", SESSION_THINK, handle_move, 1, "turn" },
	{ "info", SESSION_THINK, handle_info, 0, NULL },
	{ "readyok", SESSION_SETUP | SESSION_STALE, handle_readyok, 0, "" },
	{ "id", SESSION_HELLO, handle_id, 0, "name version author url" },
	{ "option", SESSION_HELLO, handle_option, 0,
	    "name type default min max values" },
	{ "feature", SESSION_HELLO, handle_feature, 0, NULL },
	{ "uspok", SESSION_HELLO, handle_uspok, 1, "" },
	{ "error", LIVING, handle_error, 0, NULL },
};

static const int protocol_verb_count =
    (int)(sizeof(protocol_verbs) / sizeof(protocol_verbs[0]));

/* Names the words that a line has and its verb does not know. */
static void
report_unknown_words(const struct protocol_verb *verb, struct session *session,
    const struct words *words, struct scopa_text *out)
{
	for (int i = 1 + verb->argument_count; i < words->count; i++)
		if (!word_is_known(words->word[i], verb->keys))
			session_error(
			    session, "unknown", "skipped", words->word[i], out);
}

/*
 * Judges a line by the phase its bot is in: handles it, or reports it with an
 * `error` line.  Lines of a bot that is stale or gone are dropped.
 */
static void
handle_line(struct referee *referee, const struct referee_input *input,
    struct outbox *outbox)
{
	struct session *session = &referee->seats[input->seat].session;
	struct protocol_line line; /* its words need no zeroes */
	const char *code = "unknown", *words = "no message of a bot is";
	int error_count;

	referee->wanted = false;
	if (session->phase == SESSION_GONE || session->phase == SESSION_ABSENT)
		return;
	line.input = input;
	words_split(input->line, input->length, &line.words);
	if (line.words.count == 0)
		return;
	for (int i = 0; i < protocol_verb_count; i++) {
		const struct protocol_verb *verb = &protocol_verbs[i];

		if (*verb->name != *line.words.word[0].bytes ||
		    !word_is(line.words.word[0], verb->name))
			continue;
		if (verb->phases & session->phase) {
			referee->wanted = true;
			if (verb->keys)
				report_unknown_words(verb, session, &line.words,
				    text_of(outbox, &line));
			error_count = session->error_count;
			verb->handle(referee, &line, outbox);
			/* A line of the handshake that was refused is one that
			 * nobody asked for. */
			if (verb->phases == SESSION_HELLO &&
			    session->error_count != error_count)
				referee->wanted = false;
			return;
		}
		if (verb->handle == handle_move &&
		    session->phase == SESSION_IDLE)
			referee->seats[input->seat].unasked_count++;
		code = "unexpected";
		words = "not now:";
	}
	if (session->phase == SESSION_STALE)
		session->stale_count++;
	else
		session_error(session, code, words, line.words.word[0],
		    &outbox->seats[input->seat]);
}

const char *
referee_verb(int index)
{
	return index < protocol_verb_count ? protocol_verbs[index].name : NULL;
}

/* Inputs. */

enum { STARTING = SESSION_HELLO | SESSION_SETUP };

/* By so much, at least, a time is made longer. */
#define REST_MIN_NS INT64_C(500000)

void
referee_init(struct referee *referee, const struct referee_settings *settings,
    int seat_count)
{
	assert(seat_count >= 2 && seat_count <= SCOPA_SEATS_MAX);
	memset(referee, 0, sizeof(*referee));
	referee->settings = *settings;
	referee->seat_count = seat_count;
	referee->offender = REFEREE_SEAT_NONE;
	scopa_text_init(
	    &referee->info, referee->info_bytes, sizeof(referee->info_bytes));
	for (int seat = 0; seat < seat_count; seat++) {
		referee->seats[seat].session.phase = SESSION_ABSENT;
		referee->seats[seat].deadline_ns = BUDGET_NEVER;
	}
}

void
referee_reseat(struct referee *referee, const int from[SCOPA_SEATS_MAX],
    int64_t now_ns, struct outbox *outbox)
{
	struct referee_seat before[SCOPA_SEATS_MAX];

	memcpy(before, referee->seats, sizeof(before));
	referee->opened = referee->ended = false;
	referee->offender = REFEREE_SEAT_NONE;
	referee->void_count = 0;
	referee->lag_longest_ns = 0;
	for (int index = 0; index < referee->seat_count; index++) {
		struct referee_seat *seat = &referee->seats[index];
		const struct referee_seat *old = &before[from[index]];

		*seat = (struct referee_seat){
			.session = old->session,
			.options = old->options,
			.deadline_ns = old->deadline_ns,
			.kill = old->kill,
		};
		if (seat->session.phase == SESSION_GONE)
			seat->session.phase = SESSION_ABSENT;
		if (seat->session.phase == SESSION_IDLE) {
			session_ask_ready(
			    &seat->session, &outbox->seats[index]);
			seat->deadline_ns =
			    now_ns + referee->settings.startup_ns;
			outbox->due[index] = true;
		}
	}
}

void
referee_exchange(
    struct referee *referee, int seat, struct referee *other, int other_seat)
{
	struct referee_seat moved = referee->seats[seat];

	referee->seats[seat] = other->seats[other_seat];
	other->seats[other_seat] = moved;
}

static void
start_seat(struct referee *referee, const struct referee_input *input,
    struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[input->seat];

	session_start(&seat->session, referee->settings.arena,
	    &outbox->seats[input->seat]);
	seat->kill = false;
	seat->deadline_ns = input->now_ns + referee->settings.startup_ns;
	outbox->due[input->seat] = true;
}

/* Keeps for the record that a limit of the seat began anew. */
static void
note_void(struct referee *referee, int index, int64_t lag_ns, int by,
    struct outbox *outbox)
{
	const int64_t most_us = INT64_C(1000000) * WORD_SECONDS_MAX;
	const struct event event = {
		.kind = EVENT_VOID,
		.void_turn = { .seat = index,
		    .lag_us = lag_ns / 1000 < most_us ? lag_ns / 1000 : most_us,
		    .by = by },
	};

	referee->void_count++;
	if (lag_ns > referee->lag_longest_ns)
		referee->lag_longest_ns = lag_ns;
	outbox_put_event(outbox, &referee->game.rules, &event);
}

static void
open_game(struct referee *referee, const struct referee_input *input,
    struct outbox *outbox)
{
	assert(referee_need(referee) == REFEREE_NEEDS_OPEN);
	referee->opened = true;
	for (int index = 0; index < referee->seat_count; index++) {
		struct referee_seat *seat = &referee->seats[index];

		outbox->hears[index] = seat->session.features.events &&
		    seat->session.phase != SESSION_GONE;
		budget_start_match(&seat->budget, &referee->settings.control);
	}
	game_open(&referee->game, input->opening, outbox);
	/* Before any offence, which may end the game. */
	for (int index = 0; index < referee->seat_count; index++) {
		int64_t lag_ns = referee->seats[index].start_lag_ns;

		if (lag_ns > 0)
			note_void(referee, index, lag_ns, 0, outbox);
	}
	for (int index = 0; index < referee->seat_count; index++) {
		const struct session *session = &referee->seats[index].session;

		if (session->phase != SESSION_GONE || referee->ended)
			continue;
		judge_ended(referee, index, OFFENCE_STARTUP, outbox);
	}
	if (referee->ended)
		advance_turn(referee, input, outbox);
}

static void
deal_pack(struct referee *referee, const struct referee_input *input,
    struct outbox *outbox)
{
	enum scopa_start start;

	assert(referee_need(referee) == REFEREE_NEEDS_PACK);
	start = game_deal(&referee->game, input->pack, outbox);
	if (start != SCOPA_START_PLAY)
		return;
	for (int seat = 0; seat < referee->seat_count; seat++)
		budget_start_deal(
		    &referee->seats[seat].budget, &referee->settings.control);
	advance_turn(referee, input, outbox);
}

/* Nobody listens to the bot any more; the game goes on by its policy. */
static void
end_session(struct referee *referee, const struct referee_input *input,
    enum offence_kind fault, const char *reason, struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[input->seat];

	if (seat->session.phase == SESSION_GONE)
		return;
	session_end(&seat->session, fault, reason,
	    input->line ? input->line : "", input->line ? input->length : 0);
	seat->deadline_ns = BUDGET_NEVER;
	outbox->hears[input->seat] = false;
	if (referee->opened && !referee->ended)
		advance_turn(referee, input, outbox);
}

/* `EXIT(3)` before the first match is `HS_EXIT(3)`. */
static void
handle_exit(struct referee *referee, const struct referee_input *input,
    struct outbox *outbox)
{
	const struct session *session = &referee->seats[input->seat].session;
	char bytes[SESSION_REASON_SIZE];
	struct scopa_text reason;

	if (!(session->phase & STARTING)) {
		end_session(
		    referee, input, OFFENCE_CRASH, input->reason, outbox);
		return;
	}
	scopa_text_init(&reason, bytes, sizeof(bytes));
	if (strncmp(input->reason, "EXEC_FAIL", 9) != 0)
		scopa_text_string(&reason, "HS_");
	scopa_text_string(&reason, input->reason);
	end_session(referee, input, OFFENCE_STARTUP, bytes, outbox);
}

/* A line that is none: an offence where the bot was to say something. */
static void
handle_flaw(struct referee *referee, const struct referee_input *input,
    struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[input->seat];
	static const struct word no_word = { "", 0 };

	if (seat->session.phase == SESSION_THINK) {
		int64_t used_ns = stop_clock(referee, input);

		judge_line(referee, input, OFFENCE_PROTOCOL, input->reason,
		    used_ns, outbox);
		advance_turn(referee, input, outbox);
	} else if (seat->session.phase & STARTING) {
		seat->kill = true;
		end_session(referee, input, OFFENCE_STARTUP, "HS_BAD", outbox);
	} else if (seat->session.phase == SESSION_IDLE) {
		session_error(&seat->session, "toolong",
		    "too long, or bytes outside 0x20..0x7E", no_word,
		    &outbox->seats[input->seat]);
	}
}

static void
handle_flood(struct referee *referee, const struct referee_input *input,
    struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[input->seat];
	bool starting = seat->session.phase & STARTING;

	seat->kill = true;
	end_session(referee, input,
	    starting ? OFFENCE_STARTUP : OFFENCE_PROTOCOL,
	    starting ? "HS_BAD" : "FLOOD", outbox);
}

static void
handle_deadline(struct referee *referee, const struct referee_input *input,
    struct outbox *outbox)
{
	unsigned due = 0;

	/*
	 * A seat whose question comes from another seat's time-out has just
	 * been asked: it is not late.
	 */
	for (int index = 0; index < referee->seat_count; index++)
		if (referee->seats[index].deadline_ns <= input->now_ns)
			due |= 1u << index;
	for (int index = 0; index < referee->seat_count; index++) {
		struct referee_seat *seat = &referee->seats[index];
		struct referee_input late = *input;

		if (!(due & 1u << index) || seat->deadline_ns > input->now_ns)
			continue;
		late.seat = index;
		if (seat->session.phase == SESSION_THINK) {
			time_out_turn(referee, &late, outbox);
			continue;
		}
		seat->kill = true;
		if (seat->session.phase & STARTING)
			end_session(referee, &late, OFFENCE_STARTUP,
			    "HS_TIMEOUT", outbox);
		else
			end_session(
			    referee, &late, OFFENCE_CRASH, "HANG", outbox);
	}
}

/*
 * The arena was away, and so may have been the machine: how long a bot has
 * taken since it was asked is not known.  Time that began before the lag begins
 * again.  No second question is sent: the bot has the first one.
 */
static void
handle_lag(struct referee *referee, const struct referee_input *input,
    struct outbox *outbox)
{
	const struct referee_settings *settings = &referee->settings;

	for (int index = 0; index < referee->seat_count; index++) {
		struct referee_seat *seat = &referee->seats[index];
		bool starting = seat->session.phase & STARTING;
		int64_t limit_ns =
		    starting ? settings->startup_ns : settings->hang_ns;

		if (seat->session.phase == SESSION_THINK) {
			if (seat->asked_ns >= input->now_ns)
				continue;
			referee_begin_time(referee, index, input->now_ns);
		} else if (starting || seat->session.phase == SESSION_STALE) {
			if (seat->deadline_ns - limit_ns >= input->now_ns)
				continue;
			seat->deadline_ns = input->now_ns + limit_ns;
		} else {
			continue;
		}
		if (referee->opened && !referee->ended)
			note_void(referee, index, input->lag_ns, 0, outbox);
		else if (input->lag_ns > seat->start_lag_ns)
			seat->start_lag_ns = input->lag_ns;
	}
}

/* The bot was kept from its answer by another bot: its time begins again. */
static void
handle_void(struct referee *referee, const struct referee_input *input,
    struct outbox *outbox)
{
	assert(referee->opened && !referee->ended);
	assert(referee->seats[input->seat].session.phase == SESSION_THINK);
	referee_begin_time(referee, input->seat, input->now_ns);
	note_void(referee, input->seat, 0, input->by + 1, outbox);
}

/* Nothing else stops it from computing on the time of others. */
static void
handle_ponder(struct referee *referee, const struct referee_input *input,
    struct outbox *outbox)
{
	referee->seats[input->seat].kill = true;
	end_session(referee, input, OFFENCE_PROTOCOL, "PONDER", outbox);
}

static void
handle_abort(struct referee *referee, const struct referee_input *input,
    struct outbox *outbox)
{
	if (!referee->opened || referee->ended)
		return;
	record_ponderers(referee, outbox);
	game_abort(&referee->game, input->reason, outbox);
	referee->ended = true;
	for (int index = 0; index < referee->seat_count; index++) {
		struct referee_input open = *input;

		open.seat = index;
		if (referee->seats[index].session.phase == SESSION_THINK)
			raise_barrier(referee, &open, outbox);
	}
	advance_turn(referee, input, outbox);
}

/* Bots that asked for it hear everything at once; so do those that start. */
static void
release_observers(const struct referee *referee, struct outbox *outbox)
{
	for (int index = 0; index < referee->seat_count; index++) {
		const struct session *session = &referee->seats[index].session;

		if (outbox->seats[index].length > 0 &&
		    (session->features.observe || session->phase & STARTING))
			outbox->due[index] = true;
	}
}

static void (*const steps[])(struct referee *referee,
    const struct referee_input *input, struct outbox *outbox) = {
	[REFEREE_START] = start_seat,
	[REFEREE_OPEN] = open_game,
	[REFEREE_PACK] = deal_pack,
	[REFEREE_LINE] = handle_line,
	[REFEREE_FLAW] = handle_flaw,
	[REFEREE_FLOOD] = handle_flood,
	[REFEREE_EXIT] = handle_exit,
	[REFEREE_DEADLINE] = handle_deadline,
	[REFEREE_LAG] = handle_lag,
	[REFEREE_VOID] = handle_void,
	[REFEREE_PONDER] = handle_ponder,
	[REFEREE_ABORT] = handle_abort,
};

void
referee_step(struct referee *referee, const struct referee_input *input,
    struct outbox *outbox)
{
	assert(input->seat >= 0 && input->seat < referee->seat_count);
	steps[input->kind](referee, input, outbox);
	release_observers(referee, outbox);
}

void
referee_begin_time(struct referee *referee, int index, int64_t now_ns)
{
	struct referee_seat *seat = &referee->seats[index];

	seat->asked_ns = now_ns;
	seat->deadline_ns = budget_deadline_ns(&seat->budget,
	    &referee->settings.control, now_ns, referee->settings.margin_ns);
}

void
referee_put_off(struct referee *referee, int index)
{
	struct referee_seat *seat = &referee->seats[index];

	assert(seat->session.phase == SESSION_THINK && !seat->sent);
	seat->asked_ns = seat->deadline_ns = BUDGET_NEVER;
}

void
referee_sent(struct referee *referee, int index, int64_t sent_ns)
{
	struct referee_seat *seat = &referee->seats[index];

	/* What is sent behind the question gives no more time. */
	if (seat->session.phase != SESSION_THINK || seat->sent)
		return;
	seat->sent = true;
	seat->held = false;
	referee_begin_time(referee, index, sent_ns);
}

void
referee_held(struct referee *referee, int index, int64_t now_ns)
{
	struct referee_seat *seat = &referee->seats[index];

	if (seat->session.phase != SESSION_THINK || seat->held || seat->sent)
		return;
	/* The event that led to the question may be long past. */
	referee_begin_time(referee, index, now_ns);
	seat->held = true;
}

bool
referee_give_rest(
    struct referee *referee, int index, int64_t waited_ns, int64_t now_ns)
{
	struct referee_seat *seat = &referee->seats[index];
	int64_t deadline_ns =
	    budget_deadline_ns(&seat->budget, &referee->settings.control,
		seat->asked_ns, referee->settings.margin_ns);

	assert(seat->session.phase == SESSION_THINK && seat->sent);
	deadline_ns +=
	    waited_ns < REFEREE_REST_MAX_NS ? waited_ns : REFEREE_REST_MAX_NS;
	if (deadline_ns < now_ns)
		return false;
	/*
	 * Looking more often would take processor time from the bot that is to
	 * move.
	 */
	if (deadline_ns < now_ns + REST_MIN_NS)
		deadline_ns = now_ns + REST_MIN_NS;
	seat->deadline_ns = deadline_ns;
	return true;
}

void
referee_watched(
    struct referee *referee, int index, int64_t cpu_ns, int64_t wall_ns)
{
	struct referee_seat *seat = &referee->seats[index];

	/* What has ended in between may have taken its time with it. */
	seat->off_cpu_ns += cpu_ns > 0 ? cpu_ns : 0;
	seat->off_wall_ns += wall_ns;
}

void
referee_note_ponder(struct referee *referee, int index)
{
	referee->seats[index].pondered = true;
}

bool
referee_has_pondered(const struct referee_seat *seat)
{
	return seat->pondered ||
	    verdict_ponders(seat->off_cpu_ns, seat->off_wall_ns);
}

enum referee_need
referee_need(const struct referee *referee)
{
	if (referee->ended)
		return REFEREE_IS_OVER;
	if (referee->opened)
		return referee->game.phase == GAME_PACK ? REFEREE_NEEDS_PACK
							: REFEREE_NOTHING;
	for (int seat = 0; seat < referee->seat_count; seat++)
		if (!(referee->seats[seat].session.phase &
			(SESSION_IDLE | SESSION_GONE)))
			return REFEREE_NOTHING;
	return REFEREE_NEEDS_OPEN;
}

int64_t
referee_deadline_ns(const struct referee *referee)
{
	int64_t deadline_ns = BUDGET_NEVER;

	for (int seat = 0; seat < referee->seat_count; seat++)
		if (referee->seats[seat].deadline_ns < deadline_ns)
			deadline_ns = referee->seats[seat].deadline_ns;
	return deadline_ns;
}
