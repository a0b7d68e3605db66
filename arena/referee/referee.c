/*
 * Implements referee.h: referee_step() handles one input, by its kind, and
 * writes the lines that follow into the outbox.
 *
 * The file has three parts; each uses only the parts above it.  Turns and
 * offences: which seat is asked, what an answer changes in the game, and
 * judge_offence, the only function that judges an offence.  The verbs of a bot:
 * a table that says which line is allowed in which phase.  The inputs: a line,
 * a deadline, the end of a process, a pack.  A late answer is judged by
 * handle_move and handle_deadline, which both call time_out_turn.
 */
#include "referee.h"

#include <assert.h>
#include <string.h>

/* Turns and offences. */

enum { MOVE_SHOWN_MAX = 64 };

enum {
	STARTING = SESSION_HELLO | SESSION_SETUP,
	LIVING = STARTING | SESSION_IDLE | SESSION_THINK
};

/* The time control of a seat. */
static const struct budget_control *
control_of(const struct referee *referee, int index)
{
	static const struct budget_control none = { .kind = BUDGET_NONE };

	return referee->seats[index].untimed ? &none
					     : &referee->settings.control;
}

/* Makes the turn id of the next decision from 64 bits of the nonce. */
static void
set_turn_id(struct referee_seat *seat, uint64_t nonce)
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
}

/* Clears the `info` of a decision, so that it is not used for another one. */
static void
clear_info(struct referee *referee)
{
	scopa_text_init(
	    &referee->info, referee->info_bytes, sizeof(referee->info_bytes));
}

/* Begins the time of a seat that was asked, or begins it again. */
static void
begin_time(struct referee *referee, int index, int64_t now_ns)
{
	struct referee_seat *seat = &referee->seats[index];

	seat->begin_ns = now_ns;
	seat->deadline_ns = budget_deadline_ns(&seat->budget,
	    control_of(referee, index), now_ns, referee->settings.margin_ns);
}

/* Asks an idle seat for its move. */
static void
ask(struct referee *referee, int index)
{
	struct referee_seat *seat = &referee->seats[index];
	const struct session_features *features = &seat->session.features;
	struct scopa_text *text = &referee->outbox->seats[index];

	if (features->state) {
		put_state(&referee->game, index, text);
		scopa_text_char(text, '\n');
	}
	if (features->legal)
		game_put_legal(&referee->game, features->declare, text);
	if (features->analysis)
		analysis_put_cards(referee->settings.analysis,
		    &referee->game.rules, &referee->game.deal, text);
	set_turn_id(seat, referee->input->nonce);
	scopa_text_string(text, "go turn=");
	scopa_text_bytes(text, seat->turn_id, sizeof(seat->turn_id));
	budget_format_go(&seat->budget, control_of(referee, index), text);
	scopa_text_char(text, '\n');
	assert(!text->cut);
	seat->session.phase = SESSION_THINK;
	seat->session.unused[0] = '\0';
	clear_info(referee);
	referee->outbox->due[index] = true;
	seat->sent = seat->blocked = false;
	seat->sent_ns = referee->input->now_ns;
	begin_time(referee, index, referee->input->now_ns);
}

static void
put_event(const struct referee *referee, const struct event *event)
{
	outbox_put_event(referee->outbox, &referee->game.rules, event);
}

/*
 * Records the bots that pondered in the game, because they were stopped for it
 * or used too much CPU time; called before the game ends.
 */
static void
record_ponderers(const struct referee *referee)
{
	for (int index = 0; index < referee->seat_count; index++) {
		const struct referee_seat *seat = &referee->seats[index];

		if (!seat->pondered &&
		    !verdict_ponders(seat->off_cpu_ns, seat->off_wall_ns))
			continue;
		put_event(referee,
		    &(struct event){
			.kind = EVENT_PONDER,
			.ponder = { .seat = index,
			    .frozen = seat->pondered,
			    .cpu_us = seat->off_cpu_ns / 1000,
			    .wall_us = seat->off_wall_ns / 1000 },
		    });
	}
}

static void
make_move(struct referee *referee, const struct scopa_move *move,
    int64_t time_us, const char *cause)
{
	struct referee_seat *seat = &referee->seats[referee->game.deal.turn];
	struct game_stamp stamp = {
		.time_us = time_us,
		.cause = cause,
	};

	seat->info_bytes += (int64_t)referee->info.length;
	if (referee->info.length > 0 &&
	    seat->info_bytes <=
		REFEREE_INFO_GAME_MAX / referee->game.rules.players)
		stamp.info = referee->info.bytes;
	game_move(&referee->game, move, &stamp);
	clear_info(referee);
}

/* The policy for a seat with so many strikes. */
static enum verdict_policy
policy_after(const struct referee *referee, int strikes)
{
	return policy_at(
	    referee->settings.policy, strikes, referee->settings.strikes_max);
}

/* Writes the `offence` event, with the policy that applies to the seat. */
static void
put_offence(const struct referee *referee, int index, enum offence_kind kind,
    const char *reason, struct word said, int64_t used_ns)
{
	struct event event = { .kind = EVENT_OFFENCE };
	struct event_offence *line = &event.offence;
	int strikes = referee->seats[index].strikes;
	const char *kind_name = offence_name(kind);
	const char *policy = policy_name(policy_after(referee, strikes));

	*line = (struct event_offence){
		.seat = index,
		.time_us = used_ns < 0 ? -1 : used_ns / 1000,
	};
	if (referee->settings.policy == POLICY_SUBSTITUTE)
		line->strikes = strikes;
	word_copy(said, line->said, sizeof(line->said));
	_Static_assert(SESSION_STRAY_SIZE <= sizeof(line->unused),
	    "a line that was no answer has room in the event");
	memcpy(line->unused, referee->seats[index].session.unused,
	    SESSION_STRAY_SIZE);
	memcpy(line->kind, kind_name, strlen(kind_name) + 1);
	memcpy(line->reason, reason, strlen(reason) + 1);
	memcpy(line->policy, policy, strlen(policy) + 1);
	put_event(referee, &event);
}

/* Stores the details of the offence that ends the game, for the report. */
static void
store_offence(struct referee *referee, int index, enum offence_kind kind,
    const char *reason, struct word said)
{
	struct scopa_text state;

	referee->offender = index;
	referee->offence = kind;
	memcpy(referee->offence_reason, reason, strlen(reason) + 1);
	word_copy(said, referee->offence_said, sizeof(referee->offence_said));
	scopa_text_init(
	    &state, referee->offence_state, sizeof(referee->offence_state));
	if (referee->game.phase != GAME_MOVE)
		return;
	put_state(&referee->game, index, &state);
	/* A line that was cut cannot be parsed, so it is left out. */
	if (state.cut)
		referee->offence_state[0] = '\0';
}

/*
 * Counts, records and judges an offence; no other function does.  The verdict
 * is that the arena moves for the seat, or that the seat's team forfeits the
 * game.  `reason` is one word, as in the record.  `said` is the wrong line.
 * `used_ns` is the time since the question, or -1 if no question was open.
 */
static void
judge_offence(struct referee *referee, int index, enum offence_kind kind,
    const char *reason, struct word said, int64_t used_ns)
{
	struct referee_seat *seat = &referee->seats[index];
	struct game *game = &referee->game;
	struct scopa_move move;

	assert(game->phase == GAME_MOVE || kind == OFFENCE_STARTUP);
	seat->strikes++;
	seat->offences[kind]++;
	put_offence(referee, index, kind, reason, said, used_ns);
	switch (verdict_of(referee->settings.policy, kind, seat->strikes,
	    referee->settings.strikes_max)) {
	case VERDICT_MOVE_FOR:
		scopa_moves(&game->rules, &game->deal, &move, 1);
		make_move(referee, &move, -1, offence_name(kind));
		break;
	case VERDICT_FORFEIT:
		store_offence(referee, index, kind, reason, said);
		record_ponderers(referee);
		game_forfeit(game, scopa_team_of(&game->rules, index));
		referee->ended = true;
		break;
	}
}

/*
 * Judges the end of a bot's session, with the reason that the session stored.
 */
static void
judge_ended(struct referee *referee, int index)
{
	const struct session *session = &referee->seats[index].session;

	judge_offence(referee, index, session->fault, session->reason,
	    word_of(session->said), -1);
}

/*
 * Continues the game until a bot must answer, a pack is needed or the game is
 * over.  Asks the seat to move, moves for a seat whose bot has gone, and ends a
 * decided game.
 */
static void
advance_turn(struct referee *referee)
{
	struct game *game = &referee->game;

	while (game->phase == GAME_MOVE) {
		int index = game->deal.turn;
		const struct session *session = &referee->seats[index].session;

		if (session->phase == SESSION_IDLE) {
			ask(referee, index);
			return;
		}
		if (session->phase != SESSION_GONE)
			return;
		judge_ended(referee, index);
	}
	if (game->phase == GAME_OVER && !referee->ended) {
		record_ponderers(referee);
		game_end(game);
		referee->ended = true;
	}
	for (int seat = 0; seat < referee->seat_count; seat++)
		referee->outbox->due[seat] = true;
}

/* Sends the reason why a move is illegal, to the offender only. */
static void
put_illegal(const struct referee *referee, struct word word, const char *reason,
    const char *sentence)
{
	int index = referee->input->seat;
	struct scopa_text *text = &referee->outbox->seats[index];
	int strikes = referee->seats[index].strikes + 1;

	if (word.bytes == NULL)
		word = word_of("-");
	scopa_text_print(text, "illegal %.*s reason=%s policy=%s",
	    word.length < MOVE_SHOWN_MAX ? (int)word.length : MOVE_SHOWN_MAX,
	    word.bytes, reason, policy_name(policy_after(referee, strikes)));
	if (referee->settings.policy == POLICY_SUBSTITUTE)
		scopa_text_print(text, " strikes=%d", strikes);
	scopa_text_print(text, " # %s\n", sentence);
	referee->outbox->due[index] = true;
}

/*
 * Checks an answer.  Returns NULL if it is a legal move, which is set in *move.
 * Otherwise returns the name of the reason, with a sentence in *sentence.
 */
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
		*sentence = "A move is written like 7D, 7Dx3C4S or !low; upper "
			    "and lower case differ.";
		return "syntax";
	case SCOPA_DUPLICATE:
		*sentence = "The move names a card twice.";
		return "duplicate";
	}
	refusal = scopa_deal_check(&game->rules, &game->deal, move);
	*sentence = scopa_refusal_sentence(refusal);
	return refusal == SCOPA_LEGAL ? NULL : scopa_refusal_name(refusal);
}

/*
 * Ends the time of the seat to move, whether its answer was right or wrong.
 * Returns the time used, in ns.
 */
static int64_t
stop_clock(struct referee *referee, int index)
{
	struct referee_seat *seat = &referee->seats[index];
	int64_t used_ns = referee->input->now_ns - seat->begin_ns;

	if (used_ns < 0)
		used_ns = 0;
	seat->session.phase = SESSION_IDLE;
	seat->deadline_ns = BUDGET_NEVER;
	budget_spend(&seat->budget, control_of(referee, index), used_ns);
	seat->decision_count++;
	seat->think_ns += used_ns;
	return used_ns;
}

/* The line of the current input; it is empty if there is none. */
static struct word
line_of(const struct referee *referee)
{
	const struct referee_input *input = referee->input;

	return input->line ? (struct word){ input->line, input->length }
			   : word_of("");
}

/*
 * Handles the answer of the seat to the open decision; word.bytes is NULL if
 * the answer has no move.
 */
static void
handle_answer(struct referee *referee, struct word word)
{
	int64_t used_ns = stop_clock(referee, referee->input->seat);
	const char *reason, *sentence;
	struct scopa_move move;

	reason = refuse_answer(&referee->game, word, &move, &sentence);
	if (reason == NULL) {
		make_move(referee, &move, used_ns / 1000, NULL);
	} else {
		referee->refusal = sentence;
		put_illegal(referee, word, reason, sentence);
		judge_offence(referee, referee->input->seat, OFFENCE_ILLEGAL,
		    reason, line_of(referee), used_ns);
	}
	advance_turn(referee);
}

/* Sends `isready` to a seat; `readyok` must come before `deadline_ns`. */
static void
ask_ready(struct referee *referee, int index, int64_t deadline_ns)
{
	struct referee_seat *seat = &referee->seats[index];

	session_ask_ready(&seat->session, &referee->outbox->seats[index]);
	seat->deadline_ns = deadline_ns;
	referee->outbox->due[index] = true;
}

/*
 * Sends `isready` to a seat that had an open decision.  Everything that the bot
 * writes before `readyok` belongs to that decision and is dropped.
 */
static void
discard_until_ready(struct referee *referee, int index)
{
	ask_ready(
	    referee, index, referee->input->now_ns + referee->settings.hang_ns);
	referee->seats[index].session.phase = SESSION_STALE;
	referee->seats[index].sent = false;
}

/* The seat to move has not answered within its time. */
static void
time_out_turn(struct referee *referee, int index)
{
	enum budget_kind kind = control_of(referee, index)->kind;
	bool bank = kind == BUDGET_MATCH || kind == BUDGET_DEAL;
	const char *reason = bank ? "FLAG" : "TIMEOUT";
	int64_t used_ns = stop_clock(referee, index);

	/* A bot that does not read has not received the question. */
	if (referee->seats[index].blocked)
		reason = "UNREAD";
	discard_until_ready(referee, index);
	judge_offence(
	    referee, index, OFFENCE_TIMEOUT, reason, word_of(""), used_ns);
	advance_turn(referee);
}

/* The verbs of a bot: which lines a seat may send, and when. */

/*
 * The seat of the current input; text_of gives the lines to be sent to its bot.
 */
static struct referee_seat *
seat_of(struct referee *referee)
{
	return &referee->seats[referee->input->seat];
}

static struct scopa_text *
text_of(struct referee *referee)
{
	return &referee->outbox->seats[referee->input->seat];
}

/* Continues an open game after the phase of a session has changed. */
static void
continue_game(struct referee *referee)
{
	if (referee->opened && !referee->ended)
		advance_turn(referee);
}

/* Ends the session of a bot.  Its lines are ignored from now on. */
static void
end_session(struct referee *referee, int index, enum offence_kind fault,
    const char *reason)
{
	struct referee_seat *seat = &referee->seats[index];

	if (seat->session.phase == SESSION_GONE)
		return;
	session_end(&seat->session, fault, reason, line_of(referee));
	seat->deadline_ns = BUDGET_NEVER;
	referee->outbox->hears[index] = false;
	continue_game(referee);
}

/*
 * Whether the seat's bot has played before, and has not answered `isready` for
 * this game yet.  Chance decides whether the arena notices what the bot does
 * before or after it has sent `isready`, so both are judged alike.
 */
static bool
is_between_games(const struct referee *referee, int index)
{
	const struct referee_seat *seat = &referee->seats[index];

	return seat->replaceable && seat->session.phase == SESSION_SETUP;
}

/*
 * The process of a bot between two games has ended, or is to be killed.  The
 * game waits for REFEREE_START of a new process.
 */
static void
vacate(struct referee *referee, int index)
{
	struct referee_seat *seat = &referee->seats[index];

	seat->session.phase = SESSION_ABSENT;
	seat->deadline_ns = BUDGET_NEVER;
	seat->replaceable = false;
}

/*
 * Ends the session of a bot and marks its process to be killed.  If the bot was
 * not ready yet and `startup_reason` is not NULL, the fault is a failed startup
 * with that reason.
 */
static void
end_and_kill(struct referee *referee, int index, enum offence_kind fault,
    const char *reason, const char *startup_reason)
{
	struct referee_seat *seat = &referee->seats[index];
	bool starting = startup_reason && seat->session.phase & STARTING;

	seat->kill = true;
	end_session(referee, index, starting ? OFFENCE_STARTUP : fault,
	    starting ? startup_reason : reason);
}

/*
 * The bot has given up, or has written too much: its process is killed.  Between
 * two games another process takes its place; otherwise its session ends.
 */
static void
end_or_replace(struct referee *referee, enum offence_kind fault,
    const char *reason, const char *startup_reason)
{
	int index = referee->input->seat;

	if (!is_between_games(referee, index)) {
		end_and_kill(referee, index, fault, reason, startup_reason);
		return;
	}
	referee->seats[index].kill = true;
	vacate(referee, index);
}

static void
handle_readyok(struct referee *referee, const struct words *words)
{
	(void)words;
	session_on_readyok(&seat_of(referee)->session);
	seat_of(referee)->deadline_ns = BUDGET_NEVER;
	continue_game(referee);
}

/*
 * Whether the input was read after the open question was sent.  Of two lines
 * that were read at once, the first may be the answer to the question before.
 */
static bool
is_after_question(struct referee *referee)
{
	int64_t read_ns = referee->input->read_ns;

	return read_ns == 0 || read_ns >= seat_of(referee)->sent_ns;
}

/*
 * Whether an answer is for the open decision: it has the turn id of that
 * decision, or it has no turn id and was read after the question was sent.
 */
static bool
names_decision(struct referee *referee, const struct words *words)
{
	const struct referee_seat *seat = seat_of(referee);
	struct word id = words_find(words, "turn");

	if (id.bytes == NULL)
		return is_after_question(referee);
	return id.length == sizeof(seat->turn_id) &&
	    memcmp(id.bytes, seat->turn_id, id.length) == 0;
}

/* Stores the current line, which is no answer, for reports. */
static void
store_unused(struct referee *referee)
{
	struct session *session = &seat_of(referee)->session;

	word_copy(line_of(referee), session->unused, sizeof(session->unused));
}

static void
handle_move(struct referee *referee, const struct words *words)
{
	struct referee_seat *seat = seat_of(referee);
	struct word word = { NULL, 0 };

	if (!names_decision(referee, words)) {
		store_unused(referee);
		if (words_find(words, "turn").bytes != NULL)
			seat->session.wrong_turn_count++;
		seat->unasked_count++;
		referee->line_expected = false;
		session_error(&seat->session, ERROR_UNEXPECTED,
		    "no answer to the open decision:",
		    words->word[words->count - 1], text_of(referee));
		return;
	}
	if (words->count > 1)
		word = words->word[1];
	if (referee->input->now_ns > seat->deadline_ns)
		time_out_turn(referee, referee->input->seat);
	else
		handle_answer(referee, word);
}

/*
 * Whether a word is a decimal number, which charts can show: 3, -0.25, 1e-05.
 */
static bool
is_number(struct word word)
{
	static const char digits[] = "0123456789";
	char text[32], *at = text;
	size_t whole, part = 0, power = 1;

	if (word.length == 0 || word.length >= sizeof(text))
		return false;
	memcpy(text, word.bytes, word.length);
	text[word.length] = '\0';
	at += *at == '-' || *at == '+';
	at += whole = strspn(at, digits);
	if (*at == '.')
		at += 1 + (part = strspn(at + 1, digits));
	if (*at == 'e' || *at == 'E') {
		at++;
		at += *at == '-' || *at == '+';
		at += power = strspn(at, digits);
	}
	return whole + part > 0 && power > 0 && *at == '\0';
}

/*
 * Reports what of an `info` line counts for nothing: words that are no pairs,
 * and values that should be numbers.  The record has the whole line.
 */
static void
report_info(struct referee *referee, const struct words *words)
{
	for (int i = 1; i < words->count; i++) {
		struct word word = words->word[i], key, value;

		if (!word_split_pair(word, &key, &value))
			session_error(&seat_of(referee)->session, ERROR_UNKNOWN,
			    "skipped", word, text_of(referee));
		else if ((word_is_known(word, "depth nodes value time") ||
			     strncmp(key.bytes, "m.", 2) == 0) &&
		    !is_number(value))
			session_error(&seat_of(referee)->session, ERROR_SYNTAX,
			    "no number:", word, text_of(referee));
	}
}

static void
handle_info(struct referee *referee, const struct words *words)
{
	const char *text = words->word[0].bytes + words->word[0].length;
	size_t length = words->line_length - words->word[0].length;

	for (; length > 0 && (*text == ' ' || *text == '\t'); length--)
		text++;
	if (length == 0)
		return;
	report_info(referee, words);
	if (referee->info.length + length + 16 > sizeof(referee->info_bytes))
		return;
	scopa_text_print(&referee->info, "info %d ", referee->input->seat + 1);
	scopa_text_bytes(&referee->info, text, length);
	scopa_text_char(&referee->info, '\n');
}

static void
handle_error(struct referee *referee, const struct words *words)
{
	struct referee_seat *seat = seat_of(referee);
	struct word code = { "", 0 };

	if (words->count > 1)
		code = words->word[1];
	if (word_is(code, error_code_names[ERROR_OPTION]) &&
	    session_on_option_error(&seat->session, line_of(referee))) {
		seat->deadline_ns = BUDGET_NEVER;
	} else if (word_is(code, error_code_names[ERROR_FATAL])) {
		end_or_replace(
		    referee, OFFENCE_CRASH, "FATAL", "HS_BAD(FATAL)");
	} else {
		store_unused(referee);
		/* Such lines count towards the limit of unasked lines. */
		referee->line_expected = false;
	}
}

static const struct protocol_verb {
	const char *name;
	unsigned phases; /* bits of enum session_phase in which it is allowed */
	/*
	 * The handler of the line.  A line of the handshake has `greet`, which
	 * changes only the session.
	 */
	void (*handle)(struct referee *referee, const struct words *words);
	void (*greet)(struct session *session, const struct session_line *line);
	int argument_count; /* words before the pairs */
	const char *keys;   /* keys of its pairs; NULL: not checked here */
} protocol_verbs[] = {
	{ "move", SESSION_THINK, handle_move, NULL, 1, "turn" },
	{ "info", SESSION_THINK, handle_info, NULL, 0, NULL },
	{ "readyok", SESSION_SETUP | SESSION_STALE, handle_readyok, NULL, 0,
	    "" },
	{ "id", SESSION_HELLO, NULL, session_on_id, 0,
	    "name version author url" },
	{ "option", SESSION_HELLO, NULL, session_on_option, 0,
	    "name type default min max values" },
	{ "feature", SESSION_HELLO, NULL, session_on_feature, 0, NULL },
	{ "uspok", SESSION_HELLO, NULL, session_on_uspok, 1, "" },
	{ "error", LIVING, handle_error, NULL, 0, NULL },
};

enum {
	PROTOCOL_VERB_COUNT = sizeof(protocol_verbs) / sizeof(protocol_verbs[0])
};

/*
 * Handles a line of the handshake.  A line that the session refuses counts as
 * unasked.
 */
static void
handle_greeting(struct referee *referee, const struct protocol_verb *verb,
    const struct words *words)
{
	struct referee_seat *seat = seat_of(referee);
	int error_count = seat->session.error_count;

	verb->greet(&seat->session,
	    &(struct session_line){
		.words = words,
		.options = seat->options,
		.analysis = referee->settings.analysis != NULL,
		.out = text_of(referee),
	    });
	if (seat->session.phase == SESSION_GONE)
		seat->deadline_ns = BUDGET_NEVER;
	if (seat->session.error_count != error_count)
		referee->line_expected = false;
}

/*
 * Handles a line that is allowed in this phase.  Words that its verb does not
 * have are reported.
 */
static void
handle_verb(struct referee *referee, const struct protocol_verb *verb,
    const struct words *words)
{
	referee->line_expected = true;
	for (int i = 1 + verb->argument_count; verb->keys && i < words->count;
	     i++)
		if (!word_is_known(words->word[i], verb->keys))
			session_error(&seat_of(referee)->session, ERROR_UNKNOWN,
			    "skipped", words->word[i], text_of(referee));
	if (verb->greet)
		handle_greeting(referee, verb, words);
	else
		verb->handle(referee, words);
}

/* Returns the row of a verb, or NULL. */
static const struct protocol_verb *
find_verb(struct word word)
{
	for (int i = 0; i < PROTOCOL_VERB_COUNT; i++)
		if (word_is(word, protocol_verbs[i].name))
			return &protocol_verbs[i];
	return NULL;
}

/* The phase of a bot; one whose `go` is not sent yet has no question. */
static unsigned
phase_of(const struct referee_seat *seat)
{
	return seat->session.phase == SESSION_THINK &&
		seat->sent_ns == BUDGET_NEVER
	    ? SESSION_IDLE
	    : seat->session.phase;
}

/*
 * Judges a line by the phase of its bot: handles it, or answers with an `error`
 * line.  Lines of a bot whose session is stale or gone are dropped.
 */
static void
handle_line(struct referee *referee)
{
	const struct referee_input *input = referee->input;
	struct session *session = &seat_of(referee)->session;
	unsigned phase = phase_of(seat_of(referee));
	const struct protocol_verb *verb;
	struct words words; /* filled by words_split */

	referee->line_expected = false;
	if (session->phase == SESSION_GONE || session->phase == SESSION_ABSENT)
		return;
	words_split(input->line, input->length, &words);
	if (words.count == 0)
		return;
	verb = find_verb(words.word[0]);
	if (verb != NULL && verb->phases & phase) {
		handle_verb(referee, verb, &words);
		return;
	}
	if (verb != NULL && verb->handle == handle_move &&
	    phase == SESSION_IDLE)
		seat_of(referee)->unasked_count++;
	if (phase == SESSION_STALE) {
		/* Lines of its last turn are no flood. */
		referee->line_expected =
		    verb != NULL && verb->phases & SESSION_THINK;
		return;
	}
	if (verb != NULL) {
		session_error(session, ERROR_UNEXPECTED,
		    "not now:", words.word[0], text_of(referee));
	} else {
		seat_of(referee)->stray_count++;
		session_on_stray(
		    session, line_of(referee), words.word[0], text_of(referee));
	}
}

const char *
referee_verb(int index)
{
	return index < PROTOCOL_VERB_COUNT ? protocol_verbs[index].name : NULL;
}

/* The inputs of referee_step. */

/* The least extension of a deadline. */
#define EXTENSION_MIN_NS INT64_C(500000)

void
referee_init(struct referee *referee, const struct referee_settings *settings,
    int seat_count)
{
	assert(seat_count >= 2 && seat_count <= SCOPA_SEATS_MAX);
	memset(referee, 0, sizeof(*referee));
	referee->settings = *settings;
	referee->seat_count = seat_count;
	referee->offender = REFEREE_SEAT_NONE;
	clear_info(referee);
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

	referee->outbox = outbox;
	memcpy(before, referee->seats, sizeof(before));
	referee->opened = referee->ended = false;
	referee->offender = REFEREE_SEAT_NONE;
	for (int index = 0; index < referee->seat_count; index++) {
		struct referee_seat *seat = &referee->seats[index];
		const struct referee_seat *old = &before[from[index]];

		*seat = (struct referee_seat){
			.session = old->session,
			.options = old->options,
			.untimed = old->untimed,
			.deadline_ns = old->deadline_ns,
			.kill = old->kill,
		};
		if (seat->session.phase == SESSION_GONE)
			seat->session.phase = SESSION_ABSENT;
		if (seat->session.phase != SESSION_IDLE)
			continue;
		seat->replaceable = !referee->settings.one_process;
		ask_ready(
		    referee, index, now_ns + referee->settings.startup_ns);
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
start_seat(struct referee *referee)
{
	struct referee_seat *seat = seat_of(referee);

	session_start(
	    &seat->session, referee->settings.arena, text_of(referee));
	seat->kill = false;
	seat->deadline_ns =
	    referee->input->now_ns + referee->settings.startup_ns;
	referee->outbox->due[referee->input->seat] = true;
}

/* Writes the `void` event: the time of the seat began again. */
static void
put_void(struct referee *referee, int index, int64_t lag_ns, int by)
{
	put_event(referee,
	    &(struct event){
		.kind = EVENT_VOID,
		.void_turn = { .seat = index,
		    .lag_us = lag_ns / 1000,
		    .by = by },
	    });
}

static void
open_game(struct referee *referee)
{
	assert(referee_need(referee) == REFEREE_NEEDS_OPEN);
	referee->opened = true;
	for (int index = 0; index < referee->seat_count; index++) {
		struct referee_seat *seat = &referee->seats[index];

		referee->outbox->hears[index] = seat->session.features.events &&
		    seat->session.phase != SESSION_GONE;
		budget_start_match(&seat->budget, control_of(referee, index));
	}
	game_open(&referee->game, referee->input->opening, referee->outbox);
	/* Written before any offence, because an offence may end the game. */
	for (int index = 0; index < referee->seat_count; index++) {
		int64_t lag_ns = referee->seats[index].start_lag_ns;

		if (lag_ns > 0)
			put_void(referee, index, lag_ns, 0);
	}
	/*
	 * A bot that was ready and has ended since is judged when it is to move,
	 * as if the others had been ready at once.
	 */
	for (int index = 0; index < referee->seat_count; index++) {
		const struct session *session = &referee->seats[index].session;

		if (session->phase == SESSION_GONE &&
		    session->fault == OFFENCE_STARTUP && !referee->ended)
			judge_ended(referee, index);
	}
	if (referee->ended)
		advance_turn(referee);
}

static void
handle_pack(struct referee *referee)
{
	assert(referee_need(referee) == REFEREE_NEEDS_PACK);
	if (game_deal(&referee->game, referee->input->pack) != SCOPA_START_PLAY)
		return;
	for (int seat = 0; seat < referee->seat_count; seat++)
		budget_start_deal(
		    &referee->seats[seat].budget, control_of(referee, seat));
	advance_turn(referee);
}

/* If the bot was not ready yet, the reason `EXIT(3)` becomes `HS_EXIT(3)`. */
static void
handle_exit(struct referee *referee)
{
	const struct referee_input *input = referee->input;
	struct scopa_text reason = SCOPA_TEXT(SESSION_REASON_SIZE);
	enum session_phase phase = seat_of(referee)->session.phase;

	/* Absent: this process was killed between two games. */
	if (phase == SESSION_ABSENT || is_between_games(referee, input->seat)) {
		vacate(referee, input->seat);
		return;
	}
	if (!(phase & STARTING)) {
		end_session(referee, input->seat, OFFENCE_CRASH, input->reason);
		return;
	}
	scopa_text_print(&reason, "%s%s",
	    strncmp(input->reason, "EXEC_FAIL", 9) == 0 ? "" : "HS_",
	    input->reason);
	end_session(referee, input->seat, OFFENCE_STARTUP, reason.bytes);
}

/*
 * Handles bytes that are not a valid line.  This is an offence if an answer or
 * a line of the handshake was expected.
 */
static void
handle_flaw(struct referee *referee)
{
	const struct referee_input *input = referee->input;
	struct session *session = &seat_of(referee)->session;
	static const struct word no_word = { "", 0 };

	/* The bytes are no answer to a question, and are only reported. */
	if (session->phase == SESSION_IDLE ||
	    is_between_games(referee, input->seat) ||
	    (session->phase == SESSION_THINK && !is_after_question(referee))) {
		session_error(session, ERROR_TOOLONG,
		    "too long, or bytes that are no printable ASCII", no_word,
		    text_of(referee));
	} else if (session->phase == SESSION_THINK) {
		judge_offence(referee, input->seat, OFFENCE_PROTOCOL,
		    input->reason, line_of(referee),
		    stop_clock(referee, input->seat));
		advance_turn(referee);
	} else if (session->phase & STARTING) {
		end_and_kill(
		    referee, input->seat, OFFENCE_STARTUP, "", "HS_BAD");
	}
}

static void
handle_flood(struct referee *referee)
{
	end_or_replace(referee, OFFENCE_PROTOCOL, "FLOOD", "HS_BAD");
}

static void
handle_deadline(struct referee *referee)
{
	int64_t now_ns = referee->input->now_ns;
	unsigned due = 0;

	/*
	 * A time-out of one seat may cause a question to another seat.  That
	 * seat has just been asked, so it is not late.
	 */
	for (int index = 0; index < referee->seat_count; index++)
		if (referee->seats[index].deadline_ns <= now_ns)
			due |= 1u << index;
	for (int index = 0; index < referee->seat_count; index++) {
		const struct referee_seat *seat = &referee->seats[index];

		if (!(due & 1u << index) || seat->deadline_ns > now_ns)
			continue;
		if (seat->session.phase == SESSION_THINK)
			time_out_turn(referee, index);
		else
			end_and_kill(referee, index, OFFENCE_CRASH, "HANG",
			    "HS_TIMEOUT");
	}
}

/*
 * The arena, and perhaps the whole machine, was stopped for a time.  So the
 * time that a bot has used since its question is unknown.  Every time that
 * began before the lag begins again.  The question is not sent again, because
 * the bot has it already.
 */
static void
handle_lag(struct referee *referee)
{
	const struct referee_settings *settings = &referee->settings;
	int64_t now_ns = referee->input->now_ns;
	int64_t lag_ns = referee->input->lag_ns;

	for (int index = 0; index < referee->seat_count; index++) {
		struct referee_seat *seat = &referee->seats[index];
		bool starting = seat->session.phase & STARTING;
		int64_t limit_ns =
		    starting ? settings->startup_ns : settings->hang_ns;

		if (seat->session.phase == SESSION_THINK) {
			if (seat->begin_ns >= now_ns)
				continue;
			begin_time(referee, index, now_ns);
		} else if (starting || seat->session.phase == SESSION_STALE) {
			if (seat->deadline_ns - limit_ns >= now_ns)
				continue;
			seat->deadline_ns = now_ns + limit_ns;
		} else {
			continue;
		}
		if (referee->opened && !referee->ended)
			put_void(referee, index, lag_ns, 0);
		else if (lag_ns > seat->start_lag_ns)
			seat->start_lag_ns = lag_ns;
	}
}

/* Another bot kept this bot from computing, so its time begins again. */
static void
handle_void(struct referee *referee)
{
	const struct referee_input *input = referee->input;

	assert(referee->opened && !referee->ended);
	assert(seat_of(referee)->session.phase == SESSION_THINK);
	begin_time(referee, input->seat, input->now_ns);
	put_void(referee, input->seat, 0, input->by + 1);
}

/*
 * Kills a bot that computes in the time of others and could not be stopped in
 * another way.
 */
static void
handle_ponder(struct referee *referee)
{
	end_and_kill(
	    referee, referee->input->seat, OFFENCE_PROTOCOL, "PONDER", NULL);
}

static void
handle_abort(struct referee *referee)
{
	if (!referee->opened || referee->ended)
		return;
	record_ponderers(referee);
	game_abort(&referee->game, referee->input->reason);
	referee->ended = true;
	for (int index = 0; index < referee->seat_count; index++)
		if (referee->seats[index].session.phase == SESSION_THINK)
			discard_until_ready(referee, index);
	advance_turn(referee);
}

/*
 * Marks the lines of bots that have the feature `observe`, and of bots that are
 * starting, to be sent at once.
 */
static void
release_observers(const struct referee *referee)
{
	for (int index = 0; index < referee->seat_count; index++) {
		const struct session *session = &referee->seats[index].session;

		if (referee->outbox->seats[index].length > 0 &&
		    (session->features.observe || session->phase & STARTING))
			referee->outbox->due[index] = true;
	}
}

static void (*const handlers[])(struct referee *referee) = {
	[REFEREE_START] = start_seat,
	[REFEREE_OPEN] = open_game,
	[REFEREE_PACK] = handle_pack,
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
	referee->input = input;
	referee->outbox = outbox;
	handlers[input->kind](referee);
	release_observers(referee);
}

void
referee_postpone_go(struct referee *referee, int index)
{
	struct referee_seat *seat = &referee->seats[index];

	assert(seat->session.phase == SESSION_THINK && !seat->sent);
	seat->sent_ns = seat->begin_ns = seat->deadline_ns = BUDGET_NEVER;
}

void
referee_sent(
    struct referee *referee, int index, int64_t sent_ns, int64_t delay_ns)
{
	struct referee_seat *seat = &referee->seats[index];

	/* Lines that are sent after the question do not extend the time. */
	if (seat->sent)
		return;
	if (seat->session.phase == SESSION_STALE) {
		seat->sent = true;
		seat->deadline_ns = sent_ns + referee->settings.hang_ns;
	}
	if (seat->session.phase != SESSION_THINK)
		return;
	/*
	 * If the bot had left no room for the question, its time runs already:
	 * it could otherwise think first and make room later.
	 */
	if (!seat->blocked)
		begin_time(referee, index, sent_ns + delay_ns);
	seat->sent = true;
	seat->blocked = false;
	seat->sent_ns = sent_ns;
}

void
referee_blocked(struct referee *referee, int index, int64_t now_ns)
{
	struct referee_seat *seat = &referee->seats[index];

	if (seat->session.phase != SESSION_THINK || seat->blocked || seat->sent)
		return;
	/* The input that led to the question may be long ago. */
	seat->sent_ns = now_ns;
	begin_time(referee, index, now_ns);
	seat->blocked = true;
}

bool
referee_give_back_time(
    struct referee *referee, int index, int64_t waited_ns, int64_t now_ns)
{
	struct referee_seat *seat = &referee->seats[index];
	int64_t deadline_ns =
	    budget_deadline_ns(&seat->budget, control_of(referee, index),
		seat->begin_ns, referee->settings.margin_ns);

	assert(seat->session.phase == SESSION_THINK && seat->sent);
	deadline_ns += waited_ns < REFEREE_EXTENSION_MAX_NS
	    ? waited_ns
	    : REFEREE_EXTENSION_MAX_NS;
	if (deadline_ns < now_ns)
		return false;
	/*
	 * A later check is enough: more frequent checks would take processor
	 * time from the bot to move.
	 */
	if (deadline_ns < now_ns + EXTENSION_MIN_NS)
		deadline_ns = now_ns + EXTENSION_MIN_NS;
	seat->deadline_ns = deadline_ns;
	return true;
}

void
referee_add_ponder_usage(
    struct referee *referee, int index, int64_t cpu_ns, int64_t wall_ns)
{
	struct referee_seat *seat = &referee->seats[index];

	/*
	 * `cpu_ns` can be negative if a process of the bot has ended and its
	 * time is no longer counted.
	 */
	seat->off_cpu_ns += cpu_ns > 0 ? cpu_ns : 0;
	seat->off_wall_ns += wall_ns;
}

void
referee_note_ponder(struct referee *referee, int index)
{
	referee->seats[index].pondered = true;
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
