/*
 * Implements practice.h.  The referee of a match judges what happens;
 * practice_settle() gives it packs, lets the other seats answer, and sends the
 * bot what is due, until nothing is left to do but to wait for the bot.
 */
#include "practice.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "match_head.h"
#include "scopa/notation.h"

enum {
	SEND_WAIT_MS = 10000,  /* for a bot that does not read its input */
	END_WAIT_MS = 1000,    /* from `quit` to the end */
	HANDS_TRIED_MAX = 1000 /* for cards that a view does not show */
};

static struct referee_input
input_of(struct practice *practice, enum referee_input_kind kind, int seat)
{
	return (struct referee_input){
		.kind = kind,
		.seat = seat,
		.now_ns = clock_now_ns(),
		.nonce = shuffle_stream_number(&practice->random),
	};
}

static void
step(struct practice *practice, const struct referee_input *input)
{
	referee_step(&practice->referee, input, &practice->outbox);
	outbox_clear_record(&practice->outbox);
}

static void
step_line(struct practice *practice, int seat, const char *line)
{
	struct referee_input input = input_of(practice, REFEREE_LINE, seat);

	input.line = line;
	input.length = strlen(line);
	step(practice, &input);
}

/* The script of the game, or NULL. */
static const struct practice_script *
script_of(const struct practice *practice)
{
	return practice->game != NULL ? practice->game->script : NULL;
}

/* The next move of the script, or NULL. */
static const struct scopa_move *
scripted_move(const struct practice *practice)
{
	const struct practice_script *script = script_of(practice);
	int next = practice->referee.game.deal.history_count;

	return script != NULL && next < script->move_count
	    ? &script->moves[next]
	    : NULL;
}

/* Whether the next move is made without a question to the bot. */
static bool
is_made_for_bot(const struct practice *practice)
{
	const struct practice_script *script = script_of(practice);
	const struct game *game = &practice->referee.game;

	if (practice->game == NULL)
		return false;
	return script != NULL ? game->deal.history_count < script->ask_from
			      : game->tally.deal_count == 0 &&
		game->deal.history_count < practice->game->skip;
}

static void
fill_head(struct practice *practice)
{
	const struct practice_game *game = practice->game;
	struct game_head *head = &practice->head;
	struct scopa_text tc;

	memset(head, 0, sizeof(*head));
	snprintf(head->match.id, sizeof(head->match.id), "m%d",
	    ++practice->game_count);
	scopa_text_init(&tc, head->match.tc, sizeof(head->match.tc));
	budget_control_format(&game->control, &tc);
	for (int seat = 0; seat < game->rules.players; seat++) {
		head->match.seeds[seat] =
		    shuffle_stream_number(&practice->random);
		if (seat == practice->seat)
			match_head_name(practice->entrant,
			    &practice->referee.seats[seat].session,
			    head->seats[seat].name);
		else
			snprintf(head->seats[seat].name,
			    sizeof(head->seats[seat].name), "seat-%d",
			    seat + 1);
	}
	head->match.has_seeds = true;
}

static void
open_game(struct practice *practice)
{
	const struct practice_game *game = practice->game;
	const struct practice_script *script = game->script;
	struct referee_input input = input_of(practice, REFEREE_OPEN, 0);

	if (script != NULL && script->head != NULL)
		practice->head = *script->head;
	else
		fill_head(practice);
	practice->opening = (struct game_opening){
		.rules = &game->rules,
		.preset = game->preset,
		.head = &practice->head,
		.dealer = game->dealer,
		.deals = game->deals,
	};
	input.opening = &practice->opening;
	step(practice, &input);
	if (script != NULL && script->tally != NULL)
		practice->referee.game.tally = *script->tally;
}

/* Ends the match without a result. */
static void
abort_game(struct practice *practice)
{
	struct referee_input input = input_of(practice, REFEREE_ABORT, 0);

	input.reason = "interrupted";
	step(practice, &input);
}

static void
practice_supply_pack(struct practice *practice)
{
	const struct game *game = &practice->referee.game;
	const struct practice_script *script = script_of(practice);
	struct referee_input input = input_of(practice, REFEREE_PACK, 0);
	struct event_pack pack = { .has_key = true };
	struct shuffle_key key;

	if (script != NULL) {
		/* The deal of the script has been played. */
		if (practice->packs_dealt == script->pack_count) {
			abort_game(practice);
			return;
		}
		input.pack = &script->packs[practice->packs_dealt++];
		step(practice, &input);
		return;
	}
	shuffle_deal_key(&practice->key, "practice",
	    (uint64_t)game->tally.deal_count + 1, (uint64_t)game->redeal_count,
	    &key);
	memcpy(pack.key, key.bytes, sizeof(pack.key));
	shuffle_pack(&key, pack.cards);
	input.pack = &pack;
	step(practice, &input);
}

static void
supply_referee(struct practice *practice)
{
	for (;;) {
		switch (referee_need(&practice->referee)) {
		case REFEREE_NOTHING:
		case REFEREE_IS_OVER:
			return;
		case REFEREE_NEEDS_OPEN:
			open_game(practice);
			break;
		case REFEREE_NEEDS_PACK:
			practice_supply_pack(practice);
			break;
		}
	}
}

/* Appends lines except those of a question. */
static void
add_events(const struct scopa_text *lines, struct scopa_text *out)
{
	const char *at = lines->bytes, *end = lines->bytes + lines->length;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t size = (size_t)(newline - at) + 1;

		if (!outbox_is_question(at))
			scopa_text_bytes(out, at, size);
		at += size;
	}
}

/* Sends the bot its lines. */
static void
send_bot(struct practice *practice, struct scopa_text *lines)
{
	const struct practice_game *game = practice->game;
	struct scopa_text *sent = &practice->rewritten;
	int64_t sent_ns = 0;
	bool is_question =
	    practice->referee.seats[practice->seat].session.phase ==
	    SESSION_THINK;
	int error;

	if (is_question && is_made_for_bot(practice)) {
		add_events(lines, &practice->pending);
		outbox_clear_seat(&practice->outbox, practice->seat);
		referee_sent(
		    &practice->referee, practice->seat, clock_now_ns());
		return;
	}
	scopa_text_init(
	    sent, practice->rewritten_bytes, sizeof(practice->rewritten_bytes));
	scopa_text_bytes(
	    sent, practice->pending.bytes, practice->pending.length);
	scopa_text_init(&practice->pending, practice->pending_bytes,
	    sizeof(practice->pending_bytes));
	if (game != NULL && game->rewrite != NULL)
		game->rewrite(lines, sent);
	else
		scopa_text_bytes(sent, lines->bytes, lines->length);
	if (game != NULL && is_question && game->on_question != NULL)
		game->on_question(game->context, &practice->referee.game);
	error = conversation_send(practice->conversation, sent->bytes,
	    sent->length, SEND_WAIT_MS * CLOCK_NS_PER_MS, &sent_ns);
	outbox_clear_seat(&practice->outbox, practice->seat);
	if (error == 0)
		referee_sent(&practice->referee, practice->seat, sent_ns);
	else if (error == -EAGAIN)
		bot_kill(practice->conversation->bot);
	if (is_question)
		bot_begin_run_wait(practice->conversation->bot);
}

static void
deliver(struct practice *practice)
{
	struct outbox *outbox = &practice->outbox;

	for (int seat = 0; seat < practice->referee.seat_count; seat++) {
		struct referee_seat *state = &practice->referee.seats[seat];

		if (!outbox->due[seat] && !state->kill)
			continue;
		if (seat != practice->seat) {
			outbox_clear_seat(outbox, seat);
			referee_sent(&practice->referee, seat, clock_now_ns());
			continue;
		}
		if (outbox->due[seat])
			send_bot(practice, &outbox->seats[seat]);
		if (state->kill)
			bot_kill(practice->conversation->bot);
		state->kill = false;
	}
}

/* Whether the bot has answered enough. */
static bool
is_enough(const struct practice *practice)
{
	const struct practice_game *game = practice->game;

	return game->abort_after > 0 &&
	    practice->result.answer_count >= game->abort_after;
}

/*
 * Whether the game is stopped now: the bot has answered enough, or declines.
 * An open question is answered first.
 */
static bool
must_abort(const struct practice *practice)
{
	const struct practice_game *game = practice->game;

	if (game == NULL || !practice->referee.opened ||
	    practice->referee.ended)
		return false;
	if (practice_session(practice)->phase == SESSION_THINK)
		return practice->result.declined;
	return (is_enough(practice) && !game->is_abandoned) ||
	    (game->until_ns > 0 && clock_now_ns() >= game->until_ns);
}

/* Makes the move of a seat: that of the script, or a random one. */
static void
speak_move(struct practice *practice, int seat)
{
	const struct game *game = &practice->referee.game;
	const struct scopa_move *scripted = scripted_move(practice);
	struct scopa_text text = SCOPA_TEXT(EVENT_TEXT_SIZE);
	struct scopa_move move;

	if (scripted != NULL)
		move = *scripted;
	else
		scopa_move_pick(&game->rules, &game->deal,
		    shuffle_stream_number(&practice->random), &move);
	scopa_text_string(&text, "move ");
	scopa_move_format(&move, &text);
	step_line(practice, seat, text.bytes);
}

/* Lets a seat that this process plays say its next line, if there is one. */
static bool
speak(struct practice *practice)
{
	for (int seat = 0; seat < practice->referee.seat_count; seat++) {
		bool is_bot = seat == practice->seat;

		switch (practice->referee.seats[seat].session.phase) {
		case SESSION_HELLO:
			if (is_bot)
				break;
			step_line(practice, seat, "id name=seat");
			step_line(practice, seat, "uspok 1");
			return true;
		case SESSION_SETUP:
			if (is_bot)
				break;
			step_line(practice, seat, "readyok");
			return true;
		case SESSION_THINK:
			if (is_bot && !is_made_for_bot(practice))
				break;
			speak_move(practice, seat);
			return true;
		case SESSION_ABSENT:
		case SESSION_IDLE:
		case SESSION_STALE:
		case SESSION_GONE:
			break;
		}
	}
	return false;
}

/* Does everything that can be done before the bot does something. */
static void
practice_settle(struct practice *practice)
{
	for (;;) {
		supply_referee(practice);
		if (must_abort(practice)) {
			abort_game(practice);
			continue;
		}
		deliver(practice);
		if (!speak(practice))
			return;
	}
}

/* Whether the bot has a question to answer. */
static bool
is_asked(const struct practice *practice)
{
	return practice->game != NULL &&
	    practice->referee.seats[practice->seat].session.phase ==
	    SESSION_THINK;
}

/* Returns the `turn=` of a line of the bot, or a word without bytes. */
static struct word
turn_of(const struct heard *heard)
{
	struct words words;

	words_split(heard->bytes, heard->length, &words);
	return words_find(&words, "turn");
}

/* Whether a `turn=` names another question than the open one. */
static bool
is_wrong_turn(const struct practice *practice, struct word id)
{
	const char *turn_id = practice->referee.seats[practice->seat].turn_id;

	return id.bytes != NULL &&
	    (id.length != REFEREE_TURN_SIZE ||
		memcmp(id.bytes, turn_id, id.length) != 0);
}

/* Counts the turn ids of the answers. */
static void
count_turn_id(struct practice *practice, const struct heard *heard)
{
	struct word id = turn_of(heard);

	if (!is_asked(practice) ||
	    !word_is(words_first(heard->bytes, heard->length), "move"))
		return;
	if (id.bytes == NULL)
		practice->result.without_turn_id++;
	else if (is_wrong_turn(practice, id))
		practice->result.wrong_turn_id++;
}

/*
 * Reports a line of the bot while its question is open.  Returns whether it is
 * an answer in place of which the script makes its move.  The referee drops an
 * answer to another question, so such a line is not reported.
 */
static bool
report_answer(struct practice *practice, const struct heard *heard)
{
	const struct practice_game *game = practice->game;
	struct word verb = words_first(heard->bytes, heard->length);
	bool is_move = word_is(verb, "move");

	if (!is_asked(practice) || (!is_move && !word_is(verb, "info")) ||
	    (is_move && is_wrong_turn(practice, turn_of(heard))))
		return false;
	if (game->on_answer != NULL)
		game->on_answer(
		    game->context, &practice->referee.game, heard->bytes);
	return is_move && scripted_move(practice) != NULL;
}

/*
 * Waits before the others go on, and measures the CPU time that the bot uses
 * meanwhile.  What it says is left in the conversation.
 */
static void
pause_before_others(struct practice *practice)
{
	int64_t began_ns = clock_now_ns();
	const struct bot *bot = practice->conversation->bot;
	int64_t cpu_ns, end_ns;
	int error = bot_cpu_usage(bot, &cpu_ns);

	poll(NULL, 0, (int)(practice->game->pause_ns / CLOCK_NS_PER_MS));
	if (error < 0 || bot_cpu_usage(bot, &end_ns) < 0)
		return;
	practice->result.pause_ns += clock_now_ns() - began_ns;
	practice->result.pause_cpu_ns += end_ns - cpu_ns;
}

/*
 * The time of the bot is up.  Returns whether it goes on, as other programs had
 * the processor meanwhile.
 */
static bool
gives_time(struct practice *practice)
{
	const struct referee_seat *seat =
	    &practice->referee.seats[practice->seat];

	return seat->session.phase == SESSION_THINK && seat->sent &&
	    referee_give_back_time(&practice->referee, practice->seat,
		bot_run_wait_ns(practice->conversation->bot, clock_now_ns()),
		clock_now_ns());
}

/* Gives the referee what the bot has done.  Returns 0 or -errno. */
static int
practice_hear(struct practice *practice, const struct heard *heard)
{
	struct referee_input input =
	    input_of(practice, REFEREE_LINE, practice->seat);
	const struct referee_seat *seat =
	    &practice->referee.seats[practice->seat];
	char reason[SESSION_REASON_SIZE];
	int32_t decision_count;

	input.line = heard->bytes;
	input.length = heard->length;
	input.read_ns = heard->read_ns;
	switch (heard->kind) {
	case HEARD_FAILURE:
		return -ENOMEM;
	case HEARD_NOTHING:
		if (gives_time(practice))
			return 0;
		input.kind = REFEREE_DEADLINE;
		break;
	case HEARD_LINE:
		input.now_ns = heard->read_ns;
		if (!practice->referee.opened)
			snprintf(practice->received, sizeof(practice->received),
			    "%s", heard->bytes);
		count_turn_id(practice, heard);
		practice->result.declined |= practice->game != NULL &&
		    strncmp(heard->bytes, "error feature", 13) == 0;
		if (!report_answer(practice, heard))
			break;
		bot_accept_output(practice->conversation->bot);
		practice->result.answer_count++;
		speak_move(practice, practice->seat);
		return 0;
	case HEARD_FLAW:
		input.kind = REFEREE_FLAW;
		input.reason = "BAD_LINE";
		break;
	case HEARD_FLOOD:
		input.kind = REFEREE_FLOOD;
		break;
	case HEARD_EOF:
		input.kind = REFEREE_EXIT;
		input.reason = "EOF";
		break;
	case HEARD_EXIT:
		/* How it has ended is no line of the bot. */
		input.length = 0;
		exit_reason_of(&practice->conversation->exit, reason);
		input.kind = REFEREE_EXIT;
		input.reason = reason;
		break;
	}
	decision_count = seat->decision_count;
	step(practice, &input);
	if (heard->kind == HEARD_LINE && practice->referee.line_expected)
		bot_accept_output(practice->conversation->bot);
	if (practice->game != NULL && seat->decision_count > decision_count) {
		practice->result.answer_count++;
		if (practice->game->pause_ns > 0)
			pause_before_others(practice);
	}
	if (heard->kind == HEARD_EOF)
		bot_kill(practice->conversation->bot);
	return 0;
}

/* Adds to the fault what is known of the process. */
static void
add_process(struct practice *practice)
{
	const struct conversation *conversation = practice->conversation;
	struct match_fault *fault = &practice->fault;

	memcpy(fault->received, practice->received, sizeof(fault->received));
	if (conversation->ended)
		memcpy(fault->ending, conversation->exit.sentence,
		    sizeof(fault->ending));
	fault->has_no_line_end = bot_has_no_line_end(conversation->bot);
	bot_stderr(conversation->bot, fault->stderr_tail);
}

/*
 * Waits for the bot until the game is over or, without a game, until the bot is
 * ready or has failed.  Returns 0 or -errno.
 */
static int
practice_run(struct practice *practice)
{
	const struct referee *referee = &practice->referee;
	const struct session *session = &referee->seats[practice->seat].session;

	practice_settle(practice);
	while (practice->game != NULL
		? referee_need(referee) != REFEREE_IS_OVER &&
		    !(practice->game->is_abandoned && is_enough(practice))
		: !(session->phase & (SESSION_IDLE | SESSION_GONE))) {
		const struct heard *heard = conversation_next(
		    practice->conversation, referee_deadline_ns(referee));
		int error = practice_hear(practice, heard);

		if (error)
			return error;
		practice_settle(practice);
	}
	practice->ready = session->phase == SESSION_IDLE &&
	    (practice->game == NULL || !practice->game->is_abandoned);
	return 0;
}

static void
start_seat(struct practice *practice, int seat)
{
	struct referee_input input = input_of(practice, REFEREE_START, seat);

	step(practice, &input);
}

int
practice_open(struct practice **opened, const struct match_rules *rules,
    const struct entrant *entrant)
{
	struct practice *practice = calloc(1, sizeof(*practice));
	const struct session *session;
	int error;

	if (practice == NULL)
		return -ENOMEM;
	practice->entrant = entrant;
	practice->settings = rules->settings;
	practice->settings.policy = POLICY_FORFEIT;
	practice->fault.seat = -1;
	scopa_text_init(&practice->pending, practice->pending_bytes,
	    sizeof(practice->pending_bytes));
	shuffle_stream_init(&practice->random, &practice->key);
	referee_init(&practice->referee, &practice->settings, 2);
	outbox_init(&practice->outbox, 2);
	practice->referee.seats[0].options = entrant->options;
	error = conversation_open(&practice->conversation, rules, entrant);
	if (!error) {
		start_seat(practice, 0);
		error = practice_run(practice);
	}
	if (error) {
		practice_close(practice);
		return error;
	}
	session = practice_session(practice);
	if (!practice->ready) {
		match_fault_fill(&practice->fault, &practice->referee, 0,
		    session->fault, session->reason);
		add_process(practice);
	}
	*opened = practice;
	return 0;
}

void
practice_close(struct practice *practice)
{
	if (practice == NULL)
		return;
	if (practice->conversation != NULL)
		(void)conversation_stop(practice->conversation, "quit\n",
		    END_WAIT_MS * CLOCK_NS_PER_MS);
	conversation_close(practice->conversation);
	free(practice);
}

/* Takes the bot to its seat of a new referee, and seats the others. */
static void
seat_all(struct practice *practice, const struct practice_game *game)
{
	static const int same[SCOPA_SEATS_MAX] = { 0, 1, 2, 3, 4, 5 };
	struct referee_seat bot = practice->referee.seats[practice->seat];
	struct session_features *features;

	practice->settings.control = game->control;
	practice->seat = game->seat;
	practice->game = game;
	referee_init(
	    &practice->referee, &practice->settings, game->rules.players);
	outbox_init(&practice->outbox, game->rules.players);
	practice->referee.seats[game->seat] = bot;
	features = &practice->referee.seats[game->seat].session.features;
	features->events &= !(game->without & PRACTICE_NO_EVENTS);
	features->state &= !(game->without & PRACTICE_NO_STATE);
	features->legal &= !(game->without & PRACTICE_NO_LEGAL);
	referee_reseat(
	    &practice->referee, same, clock_now_ns(), &practice->outbox);
	for (int seat = 0; seat < game->rules.players; seat++)
		if (seat != game->seat)
			start_seat(practice, seat);
}

int
practice_play(struct practice *practice, const struct practice_game *game,
    struct practice_result *result)
{
	struct shuffle_key seed = { { 0 } };
	struct session_features wanted = practice_session(practice)->features;
	const struct session *session;
	struct referee_seat *seat;
	int errors = practice_session(practice)->error_count;
	int strays = practice_session(practice)->stray_count;
	int error;

	assert(practice->ready);
	memcpy(seed.bytes, &game->seed, sizeof(game->seed));
	practice->key = seed;
	shuffle_stream_init(&practice->random, &seed);
	practice->result = (struct practice_result){ .declined = false };
	practice->packs_dealt = 0;
	scopa_text_init(&practice->pending, practice->pending_bytes,
	    sizeof(practice->pending_bytes));
	practice->fault.seat = -1;
	seat_all(practice, game);
	error = practice_run(practice);
	practice->game = NULL;
	if (error)
		return error;
	seat = &practice->referee.seats[practice->seat];
	seat->session.features = wanted;
	session = &seat->session;
	match_fault_fill_offence(&practice->fault, &practice->referee);
	if (practice->fault.seat >= 0)
		add_process(practice);
	practice->result.error_count = session->error_count - errors;
	practice->result.stray_count = session->stray_count - strays;
	memcpy(practice->result.unused, session->stray,
	    sizeof(practice->result.unused));
	*result = practice->result;
	return 0;
}

/*
 * The cards on the table before the first play: those that plays laid are taken
 * away again, and those that were captured put back.  Captured cards that no
 * play explains were taken by the dealer at the opening.
 */
static scopa_set
opening_table(const struct scopa_view *view)
{
	scopa_set table = view->table, captured = SCOPA_SET_EMPTY;

	for (int team = 0; team < SCOPA_TEAMS_MAX; team++)
		captured |= view->captured[team];
	for (int i = view->history_count - 1; i >= 0; i--) {
		const struct scopa_move *move = &view->history[i];

		if (move->declaration != SCOPA_DECLARE_NOTHING)
			continue;
		table |= move->captured;
		table &= ~scopa_set_of(move->card);
	}
	for (int i = 0; i < view->history_count; i++) {
		const struct scopa_move *move = &view->history[i];

		if (move->declaration == SCOPA_DECLARE_NOTHING)
			captured &=
			    ~(move->captured | scopa_set_of(move->card));
	}
	return table | (captured & ~view->table);
}

/*
 * Fills a pack with the opening table, the cards that each seat has played, and
 * what it may hold now.  `unseen` has the hidden cards.  Returns false if the
 * history is not whole.
 */
static bool
fill_pack(const struct scopa_rules *rules, const struct scopa_view *view,
    const scopa_card *unseen, uint8_t pack[SCOPA_PACK_SIZE])
{
	scopa_set table = opening_table(view);
	int dealt = SCOPA_PACK_SIZE - view->deck_count;
	int at = 0, next[SCOPA_SEATS_MAX] = { 0 };
	scopa_card held[SCOPA_SEATS_MAX][SCOPA_PACK_SIZE];
	int count[SCOPA_SEATS_MAX] = { 0 };

	for (int i = 0; i < view->history_count; i++) {
		const struct scopa_move *move = &view->history[i];

		if (move->declaration == SCOPA_DECLARE_NOTHING)
			held[move->seat][count[move->seat]++] = move->card;
	}
	for (int seat = 0; seat < rules->players; seat++) {
		scopa_set known =
		    seat == view->seat ? view->hand : view->shown[seat];
		int left = view->hand_counts[seat];

		for (; known && left > 0; left--)
			held[seat][count[seat]++] = scopa_set_take(&known);
		for (; left > 0; left--)
			held[seat][count[seat]++] = *unseen++;
	}
	while (table && at < SCOPA_PACK_SIZE)
		pack[at++] = (uint8_t)scopa_set_take(&table);
	if (at != rules->table)
		return false;
	while (at < dealt) {
		for (int i = 1; i <= rules->players; i++) {
			int seat = (view->dealer + i) % rules->players;

			for (int k = 0; k < rules->hand; k++) {
				if (next[seat] == count[seat])
					return false;
				pack[at++] = (uint8_t)held[seat][next[seat]++];
			}
		}
	}
	while (at < SCOPA_PACK_SIZE)
		pack[at++] = (uint8_t)*unseen++;
	return true;
}

/* Whether this pack and the moves of the view lead to the view. */
static bool
leads_to_view(const struct scopa_rules *rules, const struct scopa_view *view,
    const uint8_t pack[SCOPA_PACK_SIZE])
{
	struct scopa_deal deal;
	struct scopa_tally tally = { .deal_count = 0 };
	struct scopa_view reached;

	if (scopa_deal_start(rules, pack, view->dealer, &deal) !=
	    SCOPA_START_PLAY)
		return false;
	while (deal.history_count < view->history_count) {
		const struct scopa_move *move =
		    &view->history[deal.history_count];

		if (scopa_deal_over(&deal) || move->seat != deal.turn ||
		    scopa_deal_check(rules, &deal, move) != SCOPA_LEGAL)
			return false;
		scopa_deal_apply(rules, &deal, move);
	}
	scopa_view_make(rules, &deal, &tally, view->seat, &reached);
	return reached.turn == view->turn && reached.table == view->table &&
	    reached.hand == view->hand &&
	    reached.history_count == view->history_count &&
	    memcmp(reached.captured, view->captured, sizeof(view->captured)) ==
	    0;
}

bool
practice_script_of_view(const struct scopa_rules *rules,
    const struct scopa_view *view, struct event_pack *pack,
    struct practice_script *script)
{
	struct shuffle_key key = { { 0 } };
	struct shuffle_stream random;
	scopa_card unseen[SCOPA_PACK_SIZE];
	struct event_pack found = { .number = view->deal_number };
	scopa_set cards = scopa_view_unseen(view);
	int count = 0;

	while (cards)
		unseen[count++] = scopa_set_take(&cards);
	shuffle_stream_init(&random, &key);
	/*
	 * A hidden hand that would have been declared at once contradicts the
	 * view, so other hands are tried.
	 */
	for (int i = 0; i < HANDS_TRIED_MAX; i++) {
		if (!fill_pack(rules, view, unseen, found.cards))
			return false;
		if (leads_to_view(rules, view, found.cards)) {
			*pack = found;
			*script = (struct practice_script){
				.packs = pack,
				.pack_count = 1,
				.moves = view->history,
				.move_count = view->history_count,
				.ask_from = view->history_count,
			};
			return true;
		}
		for (int left = count; left > 1; left--) {
			int other = shuffle_stream_below(&random, left);
			scopa_card card = unseen[left - 1];

			unseen[left - 1] = unseen[other];
			unseen[other] = card;
		}
	}
	return false;
}

const struct session *
practice_session(const struct practice *practice)
{
	return &practice->referee.seats[practice->seat].session;
}
