/*
 * Implements practice.h.  Each game is played in a match of its own, which
 * fetches the bot from the match before it.  In a match the other seats are
 * persons, in whose place this process answers between two rounds of the loop.
 */
#include "practice.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child_tracker.h"
#include "clock.h"
#include "countof.h"
#include "match_head.h"
#include "match_person.h"
#include "scopa/notation.h"

enum {
	OTHER_FDS = 64,        /* of this process beside those of the bot */
	BOT_ENTRANT = 0,       /* the others are those of the other seats */
	END_WAIT_MS = 1000,    /* from `quit` to the end */
	HANDS_TRIED_MAX = 1000 /* for cards that a view does not show */
};

static const struct referee_seat *
bot_seat(const struct practice *practice)
{
	return &practice->match->referee.seats[practice->seat];
}

const struct session *
practice_session(const struct practice *practice)
{
	return &bot_seat(practice)->session;
}

/* The next move of the script, or NULL. */
static const struct scopa_move *
scripted_move(const struct practice *practice)
{
	const struct practice_script *script = practice->game->script;
	int next = practice->match->referee.game.deal.history_count;

	return script != NULL && next < script->move_count
	    ? &script->moves[next]
	    : NULL;
}

/* Whether the next move is made without a question to the bot. */
static bool
is_made_for_bot(const struct practice *practice)
{
	const struct practice_script *script = practice->game->script;
	const struct game *game = &practice->match->referee.game;

	return script != NULL ? game->deal.history_count < script->ask_from
			      : game->tally.deal_count == 0 &&
		game->deal.history_count < practice->game->skip;
}

/*
 * What the match reports.
 */

/* Deals the packs of the script.  After them the game is aborted. */
static bool
on_pack(struct match *match, struct event_pack *pack)
{
	struct practice *practice = match->context;
	const struct practice_script *script = practice->game->script;

	if (script == NULL)
		return true;
	if (practice->packs_dealt == script->pack_count)
		return false;
	*pack = script->packs[practice->packs_dealt++];
	return true;
}

/* Writes the lines that the bot is sent in another form. */
static void
rewrite_lines(struct practice *practice, struct scopa_text *lines)
{
	struct scopa_text before = SCOPA_TEXT(OUTBOX_SEAT_SIZE);

	scopa_text_bytes(&before, lines->bytes, lines->length);
	lines->length = 0;
	practice->game->rewrite(&before, lines);
	assert(!lines->cut);
}

static bool
on_due(struct match *match, int seat, const char *lines)
{
	struct practice *practice = match->context;
	const struct practice_game *game = practice->game;
	const struct referee_seat *state = &match->referee.seats[seat];
	bool is_question =
	    state->session.phase == SESSION_THINK && !state->sent;

	(void)lines;
	if (game == NULL)
		return false;
	if (seat != practice->seat ||
	    (is_question && is_made_for_bot(practice)))
		return true;
	if (game->rewrite != NULL)
		rewrite_lines(practice, &match->outbox.seats[seat]);
	if (is_question && game->on_question != NULL)
		game->on_question(game->context, &match->referee.game);
	return false;
}

/* Whether a `turn=` names another question than the open one. */
static bool
is_wrong_turn(const struct practice *practice, struct word id)
{
	return id.bytes != NULL &&
	    (id.length != REFEREE_TURN_SIZE ||
		memcmp(id.bytes, bot_seat(practice)->turn_id, id.length) != 0);
}

/*
 * Counts the answers of the bot by their turn ids, and reports its lines while
 * its question is open.  The move of the script is judged in place of an
 * answer.  The referee drops an answer to another question, so such a line is
 * not reported.
 */
static const char *
on_line(struct match *match, int seat, const char *line)
{
	struct practice *practice = match->context;
	const struct practice_game *game = practice->game;
	struct word verb = words_first(line, strlen(line)), id;
	bool is_move = word_is(verb, "move");
	struct scopa_text text;
	struct words words;

	if (game == NULL)
		return line;
	practice->result.declined |= strncmp(line, "error feature", 13) == 0;
	if (match->referee.seats[seat].session.phase != SESSION_THINK ||
	    (!is_move && !word_is(verb, "info")))
		return line;
	words_split(line, strlen(line), &words);
	id = words_find(&words, "turn");
	practice->result.without_turn_id += is_move && id.bytes == NULL;
	if (is_move && is_wrong_turn(practice, id)) {
		practice->result.wrong_turn_id++;
		return line;
	}
	if (game->on_answer != NULL)
		game->on_answer(game->context, &match->referee.game, line);
	if (!is_move || scripted_move(practice) == NULL)
		return line;
	scopa_text_init(&text, practice->line, sizeof(practice->line));
	scopa_text_string(&text, "move ");
	scopa_move_format(scripted_move(practice), &text);
	return practice->line;
}

static void
on_traffic(struct bot *bot, const struct bot_traffic *traffic)
{
	const struct player *player = bot->context;
	struct practice *practice = player->match->context;

	transcript_add_traffic(&practice->transcript, traffic);
}

/* The game is over, the bot was greeted, or it has ended. */
static void
on_end(struct match *match)
{
	struct practice *practice = match->context;
	const char *ending = match->players[practice->seat]->ending;

	practice->is_over = true;
	if (ending[0])
		transcript_add_note(&practice->transcript, ending);
	else if (strstr(match->fault.reason, "EOF") != NULL)
		transcript_add_note(
		    &practice->transcript, "its stdout is closed");
}

static void
on_failure(struct match *match, int error)
{
	struct practice *practice = match->context;

	practice->error = error;
}

static const struct match_events match_calls = {
	.on_over = on_end,
	.on_greeted = on_end,
	.on_gone = on_end,
	.on_failure = on_failure,
	.on_due = on_due,
	.on_line = on_line,
	.on_pack = on_pack,
	.on_traffic = on_traffic,
};

/*
 * How a game goes on.
 */

/* The answers of the bot itself. */
static int
answer_count(const struct practice *practice)
{
	return bot_seat(practice)->decision_count - practice->made_count;
}

/* Whether the bot has answered enough. */
static bool
is_enough(const struct practice *practice)
{
	return practice->game->abort_after > 0 &&
	    answer_count(practice) >= practice->game->abort_after;
}

/*
 * Whether the game is stopped now: the bot has answered enough, or declines.
 * An open question is answered first.
 */
static bool
must_abort(const struct practice *practice)
{
	const struct practice_game *game = practice->game;
	const struct referee *referee = &practice->match->referee;

	if (!referee->opened || referee->ended)
		return false;
	if (practice_session(practice)->phase == SESSION_THINK)
		return practice->result.declined;
	return is_enough(practice) ||
	    (game->until_ns > 0 && clock_now_ns() >= game->until_ns);
}

/*
 * If the bot has answered, waits before the others go on, and measures the CPU
 * time that the bot uses meanwhile.
 */
static void
pause_before_others(struct practice *practice)
{
	const struct bot *bot = practice->match->players[practice->seat]->bot;
	struct bot_watch watch;

	if (answer_count(practice) == practice->pause_count ||
	    practice->game->pause_ns == 0 || bot == NULL)
		return;
	practice->pause_count = answer_count(practice);
	if (bot_watch_begin(bot, &watch) < 0)
		return;
	poll(NULL, 0, (int)(practice->game->pause_ns / CLOCK_NS_PER_MS));
	if (bot_watch_read(bot, false, &watch) < 0)
		return;
	practice->result.pause_ns += watch.read_ns - watch.since_ns;
	practice->result.pause_cpu_ns += watch.used_ns;
}

/* The seat that this process answers for now; -1: none. */
static int
seat_to_answer(const struct practice *practice)
{
	const struct referee *referee = &practice->match->referee;

	for (int seat = 0; seat < referee->seat_count; seat++)
		if (referee->seats[seat].session.phase == SESSION_THINK &&
		    (seat != practice->seat || is_made_for_bot(practice)))
			return seat;
	return -1;
}

/* Makes the move of a seat: that of the script, or a random one. */
static void
answer(struct practice *practice, int seat)
{
	const struct game *game = &practice->match->referee.game;
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
	practice->made_count += seat == practice->seat;
	match_answer(practice->match, seat, text.bytes);
}

/*
 * Does the next thing that can be done before the bot does something.  Returns
 * false if there is none.
 */
static bool
play_on(struct practice *practice)
{
	int seat = seat_to_answer(practice);

	if (is_enough(practice) && practice->game->is_abandoned) {
		practice->is_over = true;
	} else if (must_abort(practice)) {
		match_abort(practice->match);
	} else if (seat >= 0) {
		pause_before_others(practice);
		answer(practice, seat);
	} else {
		return false;
	}
	return true;
}

/* Whether a bot that has declined a game is not yet ready for the next one. */
static bool
is_getting_ready(const struct practice *practice)
{
	return practice->result.declined &&
	    practice_session(practice)->phase == SESSION_STALE;
}

/* Waits for the loop.  An error that the match reports meanwhile stays. */
static void
wait_for_event(struct practice *practice)
{
	int error = loop_step(practice->loop, LOOP_NEVER);

	if (error)
		practice->error = error;
}

/*
 * Waits for the bot until the game is over, the bot was greeted, or it has
 * ended.  Returns 0 or -errno.
 */
static int
practice_run(struct practice *practice)
{
	while ((!practice->is_over || is_getting_ready(practice)) &&
	    !practice->error) {
		if (practice->is_over || practice->game == NULL ||
		    !play_on(practice))
			wait_for_event(practice);
		if (practice->transcript.failed)
			practice->error = -ENOMEM;
	}
	return practice->error;
}

/*
 * Opens a match for a game, whose bot comes from the match before it.  Returns
 * 0 or -errno.
 */
static int
open_match(struct practice *practice, const struct practice_game *game)
{
	struct match_rules *rules =
	    &practice->rules[++practice->game_count % COUNTOF(practice->rules)];
	struct match *match;
	int error;

	*rules = *practice->given;
	rules->rules = game->rules;
	rules->preset = game->preset;
	rules->deals = game->deals;
	rules->max_deals = 0;
	rules->settings.control = game->control;
	rules->settings.policy = POLICY_FORFEIT;
	memset(&rules->root_key, 0, sizeof(rules->root_key));
	memcpy(rules->root_key.bytes, &game->seed, sizeof(game->seed));
	rules->unrecorded = rules->ponder = rules->gives_back_always = true;
	rules->no_ponder = false;
	rules->settings.one_process = true;
	rules->grace_ns = END_WAIT_MS * CLOCK_NS_PER_MS;
	error = match_open(&match, practice->loop, rules, practice->entrants,
	    &match_calls, practice);
	if (error)
		return error;
	if (practice->match != NULL)
		(void)match_fetch(
		    match, game->seat, BOT_ENTRANT, practice->match);
	match_close(practice->match);
	practice->match = match;
	practice->seat = game->seat;
	practice->is_over = false;
	return 0;
}

int
practice_open(struct practice **opened, const struct match_rules *rules,
    const struct entrant *entrant)
{
	struct practice *practice = calloc(1, sizeof(*practice));
	struct practice_game greeting = {
		.rules.players = 2,
		.control = rules->settings.control,
	};
	int error;

	if (practice == NULL)
		return -ENOMEM;
	practice->given = rules;
	practice->entrants[BOT_ENTRANT] = *entrant;
	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++) {
		struct entrant *other = &practice->entrants[1 + seat];

		other->is_person = other->is_timed = true;
		snprintf(other->name, sizeof(other->name), "seat-%d", seat + 1);
	}
	transcript_init(&practice->transcript);
	error = process_make_room(1, OTHER_FDS);
	if (!error)
		error = child_tracker_adopt();
	if (!error)
		error = loop_open(&practice->loop);
	if (!error)
		error = open_match(practice, &greeting);
	if (!error) {
		match_greet(practice->match, BOT_ENTRANT);
		error = practice_run(practice);
	}
	if (error)
		practice_close(practice);
	else
		*opened = practice;
	return error;
}

void
practice_close(struct practice *practice)
{
	if (practice == NULL)
		return;
	practice->game = NULL;
	practice->is_over = false;
	if (practice->match != NULL && practice->error == 0) {
		match_stop(practice->match);
		(void)practice_run(practice);
	}
	match_close(practice->match);
	loop_close(practice->loop);
	child_tracker_end_orphans();
	transcript_release(&practice->transcript);
	free(practice);
}

/*
 * Whether the bot can play.  It may have ended since it was ready, even by a line
 * that was read together with the last one; then the match gets the fault.
 */
static bool
is_ready(struct practice *practice)
{
	const struct referee_seat *seat = bot_seat(practice);
	const struct session *session = &seat->session;

	/* A bot that is to be killed has a fault when it has ended. */
	while (seat->kill && session->phase == SESSION_IDLE && !practice->error)
		wait_for_event(practice);
	if (session->phase == SESSION_IDLE)
		return true;
	match_fault_fill(&practice->match->fault, &practice->match->referee,
	    practice->seat, session->fault, session->reason);
	return false;
}

int
practice_play(struct practice *practice, const struct practice_game *game,
    struct practice_result *result)
{
	const struct practice_script *script = game->script;
	struct game_spec spec = {
		.index = practice->game_count - 1,
		.dealer = game->dealer,
		.event = "practice",
		.head = script != NULL ? script->head : NULL,
		.tally = script != NULL ? script->tally : NULL,
	};
	struct session *session;
	struct session_features wanted;
	int errors, strays, error;

	*result = (struct practice_result){ .declined = false };
	if (!is_ready(practice))
		return practice->error;
	error = open_match(practice, game);
	if (error)
		return error;
	practice->result = (struct practice_result){ .declined = false };
	practice->packs_dealt = practice->made_count = 0;
	practice->pause_count = 0;
	shuffle_stream_init(
	    &practice->random, &practice->match->rules->root_key);
	session = &practice->match->referee.seats[game->seat].session;
	assert(session->phase == SESSION_IDLE);
	errors = session->error_count;
	strays = session->stray_count;
	wanted = session->features;
	session->features.events &= !(game->without & PRACTICE_NO_EVENTS);
	session->features.state &= !(game->without & PRACTICE_NO_STATE);
	session->features.legal &= !(game->without & PRACTICE_NO_LEGAL);
	for (int seat = 0; seat < game->rules.players; seat++)
		spec.entrant[seat] =
		    seat == game->seat ? BOT_ENTRANT : 1 + seat;
	practice->game = game;
	match_play(practice->match, &spec);
	error = practice_run(practice);
	practice->game = NULL;
	if (error)
		return error;
	session->features = wanted;
	practice->result.answer_count = answer_count(practice);
	practice->result.error_count = session->error_count - errors;
	practice->result.stray_count = session->stray_count - strays;
	memcpy(practice->result.unused, session->stray,
	    sizeof(practice->result.unused));
	*result = practice->result;
	return 0;
}

void
practice_stderr(const struct practice *practice, char text[BOT_STDERR_SIZE])
{
	const struct player *player = practice->match->players[practice->seat];

	if (player->bot != NULL)
		bot_stderr(player->bot, text);
	else
		memcpy(text, player->stderr_tail, BOT_STDERR_SIZE);
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
	    reached.hand == view->hand && reached.matta == view->matta &&
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
