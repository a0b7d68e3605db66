/*
 * Implements play_game.h.
 *
 * When a person is to move, the match calls on_due().  The position is printed,
 * and a line is asked for.  on_line() does what the line says, by the state of
 * the dialogue; it ends in a move, or in the next question for a line.
 */
#include "play_game.h"

#include <assert.h>
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child_tracker.h"
#include "clock.h"
#include "countof.h"
#include "line_input.h"
#include "match_person.h"
#include "play_hint.h"
#include "play_person.h"
#include "process.h"
#include "scopa/notation.h"
#include "text_format.h"

/* Descriptors of this process beside those of the bots. */
enum { OTHER_FDS = 64 };

/* What the next line of a person is. */
enum dialogue {
	DIALOGUE_NONE,
	DIALOGUE_HANDOVER, /* any: nobody else looks at the screen */
	DIALOGUE_PLAY,     /* the number of a card, or a key */
	DIALOGUE_CAPTURE   /* the number of a capture */
};

struct play_game {
	const struct play_config *config;
	struct play_outcome *outcome;
	struct loop *loop;
	struct match *match;
	struct screen screen;
	struct person persons[SCOPA_SEATS_MAX]; /* used at seats of persons */
	int person_count;
	int front; /* the seat whose person looks at the screen, or -1 */
	int seat;  /* of the person who is asked */
	enum dialogue dialogue;
	struct scopa_move choices[SCOPA_MOVES_MAX]; /* of DIALOGUE_CAPTURE */
	int choice_count;
	struct line_input input;
	struct hint hint;
	/* Makes the next of config->moves. */
	struct loop_deadline replay;
	int replayed;
};

static FILE *
out_of(const struct play_game *game)
{
	return game->screen.canvas.file;
}

static struct person *
person_of(struct play_game *game)
{
	return &game->persons[game->seat];
}

/* Ends the game before its end.  A second call does not wait for the bots. */
static void
stop(struct play_game *game, enum status status)
{
	game->dialogue = DIALOGUE_NONE;
	hint_close(&game->hint);
	if (game->outcome->status != STATUS_DONE) {
		match_kill(game->match);
		return;
	}
	game->outcome->status = status;
	match_abort(game->match, "interrupted");
}

/* Asks the person for a line. */
static void
prompt(struct play_game *game, enum dialogue dialogue)
{
	const struct person *person = person_of(game);
	int count;

	game->dialogue = dialogue;
	switch (dialogue) {
	case DIALOGUE_NONE:
		return;
	case DIALOGUE_HANDOVER:
		fprintf(out_of(game),
		    "\n%s is to move: press Enter when nobody else looks > ",
		    person->names[game->seat]);
		break;
	case DIALOGUE_PLAY:
		count = person_choice_count(person);
		fprintf(out_of(game), "play 1");
		if (count > 1)
			fprintf(out_of(game), "-%d", count);
		fprintf(out_of(game), ", h hint, ? help > ");
		break;
	case DIALOGUE_CAPTURE:
		fprintf(out_of(game), "which, 1-%d; Enter goes back > ",
		    game->choice_count);
		break;
	}
	fflush(out_of(game));
	line_input_ask(&game->input);
}

static void
show_turn(struct play_game *game)
{
	struct person *person = person_of(game);

	game->front = game->seat;
	person_print_news(person);
	person_print_position(person);
	prompt(game, DIALOGUE_PLAY);
}

static void
make_move(struct play_game *game, const struct scopa_move *move)
{
	struct scopa_text text = SCOPA_TEXT(EVENT_SPEC_SIZE);

	scopa_text_string(&text, "move ");
	scopa_move_format(move, &text);
	game->dialogue = DIALOGUE_NONE;
	/* The next person at the terminal must not see this hand. */
	if (game->person_count > 1)
		canvas_clear(&game->screen.canvas);
	match_answer(game->match, game->seat, text.bytes);
}

/*
 * The keys.  Each prints something and asks for a line again.
 */

static void help(struct play_game *game);

static void
show_hint(void *context, const struct scopa_move *move)
{
	struct play_game *game = context;
	struct person *person = person_of(game);
	struct scopa_text text = SCOPA_TEXT(EVENT_SPEC_SIZE);

	if (move == NULL) {
		fprintf(out_of(game), "  %s gave no answer\n",
		    game->config->hint_command);
	} else {
		person_move_text(person, move, &text);
		scopa_text_string(&text, "  (");
		scopa_move_format(move, &text);
		fprintf(out_of(game), "  hint of %s: %s)\n",
		    game->config->hint_command, text.bytes);
	}
	prompt(game, DIALOGUE_PLAY);
}

static void
ask_hint(struct play_game *game)
{
	int error = hint_ask(&game->hint, person_of(game)->state);

	if (error) {
		fprintf(out_of(game), "  no hint: %s\n", strerror(-error));
		prompt(game, DIALOGUE_PLAY);
	}
}

static void
show_scores(struct play_game *game)
{
	person_print_scores(person_of(game));
	prompt(game, DIALOGUE_PLAY);
}

static void
show_plays(struct play_game *game)
{
	person_print_plays(person_of(game));
	prompt(game, DIALOGUE_PLAY);
}

static void
show_position(struct play_game *game)
{
	person_print_position(person_of(game));
	prompt(game, DIALOGUE_PLAY);
}

static void
quit(struct play_game *game)
{
	stop(game, STATUS_INTERRUPTED);
}

static const struct key {
	const char *key, *sentence;
	void (*run)(struct play_game *game);
} keys[] = {
	{ "h", "a hint: what another bot would play", ask_hint },
	{ "l", "the plays of this deal, the last one at the end", show_plays },
	{ "s", "the points, and the cards that were taken", show_scores },
	{ "t", "the table and the hand once more", show_position },
	{ "q", "stops; --resume goes on later", quit },
	{ "?", "this help", help },
};

static void
help(struct play_game *game)
{
	fprintf(out_of(game),
	    "  1, 2..  plays the card of this number; if it can take in "
	    "several "
	    "ways,\n          they are listed\n"
	    "  7Dx3C4S a move as bots write it is understood, too: D denari, "
	    "C coppe,\n          S spade, B bastoni; A J Q K\n");
	for (int i = 0; i < COUNTOF(keys); i++)
		fprintf(
		    out_of(game), "  %-7s %s\n", keys[i].key, keys[i].sentence);
	prompt(game, DIALOGUE_PLAY);
}

/*
 * The lines of a person.
 */

/* The number that a line is, or 0 if it is none from 1 to 999. */
static int
number_of(const char *line)
{
	struct word word = { line, strlen(line) };
	int64_t number;

	return word_to_int(word, 1, 999, &number) ? (int)number : 0;
}

/* Says that a line cannot be used, and asks again. */
static void
refuse(struct play_game *game, const char *line, const char *why)
{
	struct scopa_text text = SCOPA_TEXT(256);

	text_sanitize(&text, line);
	fprintf(out_of(game), "  \"%s\": %s\n", text.bytes, why);
	prompt(game, game->dialogue);
}

/* Plays a card with one outcome at once, and lists several. */
static void
choose_number(struct play_game *game, const char *line)
{
	struct person *person = person_of(game);
	int count = person_moves(person, number_of(line), game->choices);

	if (count == 0) {
		refuse(game, line, "there is no card of this number");
		return;
	}
	if (count == 1) {
		make_move(game, &game->choices[0]);
		return;
	}
	game->choice_count = count;
	for (int i = 0; i < count; i++) {
		struct scopa_text text = SCOPA_TEXT(1024);

		text_printf(&text, "  %d  ", i + 1);
		person_move_text(person, &game->choices[i], &text);
		scopa_text_string(&text, "\n");
		canvas_print(&game->screen.canvas, text.bytes);
	}
	prompt(game, DIALOGUE_CAPTURE);
}

/* Plays a move in the notation of the protocol. */
static void
choose_notation(struct play_game *game, const char *line)
{
	const struct person *person = person_of(game);
	struct scopa_move move;
	enum scopa_refusal refusal;

	if (scopa_move_parse(line, strlen(line), &move) != SCOPA_PARSED) {
		refuse(game, line,
		    "not a number, a key or a move; ? prints the help");
		return;
	}
	move.seat = (uint8_t)game->seat;
	refusal = scopa_deal_check(&person->rules, &person->deal, &move);
	if (refusal != SCOPA_LEGAL)
		refuse(game, line, scopa_refusal_sentence(refusal));
	else
		make_move(game, &move);
}

static void
on_play_line(struct play_game *game, const char *line)
{
	for (int i = 0; i < COUNTOF(keys); i++) {
		if (strcmp(line, keys[i].key) == 0) {
			keys[i].run(game);
			return;
		}
	}
	if (line[0] == '\0')
		prompt(game, DIALOGUE_PLAY);
	else if (line[strspn(line, "0123456789")] == '\0')
		choose_number(game, line);
	else
		choose_notation(game, line);
}

static void
on_capture_line(struct play_game *game, const char *line)
{
	int number = number_of(line);

	if (line[0] == '\0')
		prompt(game, DIALOGUE_PLAY);
	else if (strcmp(line, "q") == 0)
		quit(game);
	else if (number < 1 || number > game->choice_count)
		refuse(game, line, "none of these numbers");
	else
		make_move(game, &game->choices[number - 1]);
}

static void
on_line(void *context, const char *given)
{
	struct play_game *game = context;
	char line[LINE_INPUT_SIZE + 1];
	size_t length;

	if (given == NULL) {
		fputc('\n', out_of(game));
		quit(game);
		return;
	}
	given += strspn(given, " \t");
	length = strlen(given);
	while (length > 0 && isspace((unsigned char)given[length - 1]))
		length--;
	memcpy(line, given, length);
	line[length] = '\0';
	/* A terminal has shown the line; a file or a pipe has not. */
	if (!isatty(STDIN_FILENO)) {
		struct scopa_text text = SCOPA_TEXT(256);

		text_sanitize(&text, line);
		fprintf(out_of(game), "%s\n", text.bytes);
	}
	switch (game->dialogue) {
	case DIALOGUE_NONE:
		break;
	case DIALOGUE_HANDOVER:
		if (strcmp(line, "q") == 0)
			quit(game);
		else
			show_turn(game);
		break;
	case DIALOGUE_PLAY:
		on_play_line(game, line);
		break;
	case DIALOGUE_CAPTURE:
		on_capture_line(game, line);
		break;
	}
}

/*
 * The match.
 */

/* Makes the next move of the part that was played before. */
static void
on_replay(struct loop_deadline *deadline, int64_t now_ns)
{
	struct play_game *game = deadline->context;
	const struct play_config *config = game->config;
	const struct scopa_move *move = &config->moves[game->replayed++];
	struct scopa_text text = SCOPA_TEXT(EVENT_SPEC_SIZE);

	(void)now_ns;
	assert(move->seat == game->match->referee.game.deal.turn);
	scopa_text_string(&text, "move ");
	scopa_move_format(move, &text);
	game->screen.quiet = game->replayed < config->move_count;
	match_answer(game->match, move->seat, text.bytes);
}

static bool
on_due(struct match *match, int seat, const char *lines)
{
	struct play_game *game = match->context;
	const struct referee_seat *state = &match->referee.seats[seat];
	struct person *person = &game->persons[seat];
	bool is_person = match_is_person(match, seat);
	bool replays = state->session.phase == SESSION_THINK && !state->sent &&
	    game->replayed < game->config->move_count;

	if (is_person)
		person_hear(person, lines);
	if (replays) {
		loop_deadline_set(game->loop, &game->replay, clock_now_ns());
		return true;
	}
	if (is_person && person->asked) {
		game->seat = seat;
		if (game->front == seat || game->person_count == 1)
			show_turn(game);
		else
			prompt(game, DIALOGUE_HANDOVER);
	}
	return is_person;
}

static void
on_over(struct match *match)
{
	struct play_game *game = match->context;
	struct play_outcome *outcome = game->outcome;
	struct record *record = &match->record;

	game->dialogue = DIALOGUE_NONE;
	outcome->fault = match->fault;
	outcome->summary = match->reading.summary;
	/* A game whose bot did not start has nothing to be recorded. */
	if (game->config->record_fd >= 0 &&
	    (match->fault.seat < 0 || match->fault.kind != OFFENCE_STARTUP)) {
		int error = record_sum(record);

		if (!error)
			error = record_file_append(game->config->record_fd,
			    record->bytes, record->size);
		outcome->record_error = error;
		outcome->recorded = error == 0;
	}
	match_stop(match);
}

static void
on_gone(struct match *match)
{
	struct play_game *game = match->context;

	loop_stop(game->loop);
}

static void
on_failure(struct match *match, int error)
{
	struct play_game *game = match->context;

	game->outcome->error = error;
	match_kill(match);
}

static const struct match_events match_calls = {
	.on_over = on_over,
	.on_gone = on_gone,
	.on_failure = on_failure,
	.on_due = on_due,
};

static void
on_signal(void *context, int signal)
{
	struct play_game *game = context;

	fputc('\n', out_of(game));
	stop(game, (enum status)(128 + signal));
}

/* Opens everything that the game needs.  Returns 0 or -errno. */
static int
open_game(struct play_game *game)
{
	const struct play_config *config = game->config;
	int error = process_make_room(SCOPA_SEATS_MAX, OTHER_FDS);

	if (!error)
		error = child_tracker_adopt();
	if (!error)
		error = loop_open(&game->loop);
	if (!error)
		error = loop_signals(game->loop, on_signal, game);
	if (!error)
		error = loop_deadline_open(game->loop, &game->replay);
	if (!error)
		error = line_input_open(&game->input, game->loop, STDIN_FILENO);
	if (error)
		return error;
	game->hint.loop = game->loop;
	hint_open(&game->hint);
	return match_open(&game->match, game->loop, config->rules,
	    config->entrants, &match_calls, game);
}

static void
close_game(struct play_game *game)
{
	if (game->loop == NULL)
		return;
	match_close(game->match);
	if (game->hint.loop != NULL)
		hint_close(&game->hint);
	if (game->input.loop != NULL)
		line_input_close(&game->input);
	loop_deadline_close(game->loop, &game->replay);
	loop_close(game->loop);
	child_tracker_settle();
}

void
play_game(const struct play_config *config, struct play_outcome *outcome)
{
	static struct play_game game;
	int error;

	game = (struct play_game){
		.config = config,
		.outcome = outcome,
		.front = -1,
		.input = { .on_line = on_line, .context = &game },
		.hint = {
			.command = config->hint_command,
			.sandbox = config->hint_sandbox,
			.on_hint = show_hint,
			.context = &game,
		},
		.replay = { .on_deadline = on_replay, .context = &game },
	};
	*outcome = (struct play_outcome){ .fault = { .seat = -1 } };
	canvas_init(&game.screen.canvas, stdout, config->style, config->color);
	game.screen.quiet = config->move_count > 0;
	for (int seat = 0; seat < config->rules->rules.players; seat++) {
		person_init(&game.persons[seat], &game.screen, seat);
		game.person_count +=
		    config->entrants[config->spec->entrant[seat]].is_person;
	}
	/* A terminal that is closed ends the input, which stops the game. */
	signal(SIGHUP, SIG_IGN);
	error = open_game(&game);
	if (!error) {
		match_play(game.match, config->spec);
		error = loop_run(game.loop);
	}
	if (error)
		outcome->error = error;
	close_game(&game);
}
