/*
 * The command play: persons at the terminal play a game against bots.
 *
 * When a person is to move, the game calls on_lines().  The position is
 * printed, and a line is asked for.  on_line() does what the line says, by the
 * state of the dialogue; it ends in a move, or in the next question for a line.
 *
 * The record of the game also holds what --resume needs to go on with it: the
 * rules, the secret of the packs, who sits where, and all plays.
 */
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "child_tracker.h"
#include "clock.h"
#include "command.h"
#include "fault_text.h"
#include "play_game.h"
#include "play_person.h"
#include "players.h"
#include "process.h"
#include "scopa/notation.h"
#include "text_format.h"

enum {
	OTHER_FDS = 64, /* descriptors of this process beside those of bots */
	INPUT_SIZE = 4096
};

struct terminal_settings {
	struct play_settings play;
	int cards; /* enum card_style */
};

#define FIELD(name) offsetof(struct terminal_settings, name)

static const struct option terminal_options[] = {
	NAME_OPTION("cards", "it|es|fr|ascii", FIELD(cards), card_style_names,
	    "How cards are shown: Italian, Spanish or French cards, or as bots "
	    "write them.",
	    .fallback = "it"),
	TEXT_OPTION("resume", "FILE", FIELD(play.resume),
	    "Continue the last game of this record, which was stopped. All its "
	    "plays are made again, also those of the unfinished deal, and the "
	    "whole game is appended to the file. Rules, seats, names and cards "
	    "are those of the record. Built-in bots need not be named again.",
	    .is_path = true),
	OPTIONS_END,
};

static const struct option options[] = {
	TABLE_OPTION("persons", play_person_options, FIELD(play)),
	TABLE_OPTION(NULL, terminal_options, 0),
	GAME_BOT_TABLES(FIELD(play.game)),
	TABLE_OPTION("game", game_rule_options, FIELD(play.game)),
	GAME_TIME_TABLE(FIELD(play.game)),
	OPTIONS_END,
};

/* The meaning of the next line of a person. */
enum dialogue {
	DIALOGUE_NONE,
	DIALOGUE_HANDOVER, /* any: the next person is at the screen */
	DIALOGUE_PLAY,     /* the number of a card, or a key */
	DIALOGUE_CAPTURE   /* the number of a capture */
};

struct terminal {
	struct play_host host;
	struct play_game game;
	/*
	 * STATUS_DONE, or the game was stopped: STATUS_INTERRUPTED by a person,
	 * or as the input has ended; STATUS_TERMINATED by SIGTERM.
	 */
	enum status status;
	struct screen screen;
	struct person persons[SCOPA_SEATS_MAX]; /* used at seats of persons */
	int front; /* the seat whose person looks at the screen, or -1 */
	int seat;  /* of the person who is asked */
	enum dialogue dialogue;
	struct scopa_move choices[SCOPA_MOVES_MAX]; /* of DIALOGUE_CAPTURE */
	int choice_count;
	/* The input: what was read, and is not used yet. */
	struct loop_watch input;
	struct loop_deadline next_line;
	bool input_ended;
	char bytes[INPUT_SIZE];
	size_t length;
};

static struct person *
person_of(struct terminal *terminal)
{
	return &terminal->persons[terminal->seat];
}

/* Ends the game before its end.  A second call does not wait for the bots. */
static void
stop(struct terminal *terminal, enum status status)
{
	terminal->dialogue = DIALOGUE_NONE;
	if (terminal->game.state == PLAY_ON)
		terminal->status = status;
	play_game_stop(&terminal->game);
}

/*
 * Lines that a person types, or that come from a file or a pipe: one at a time,
 * and only when they are asked for.  A line that was typed ahead waits for the
 * next question.
 *
 * A terminal or a pipe is watched by the loop.  The kernel does not watch a
 * regular file, which can always be read; it is read from a deadline of the
 * loop.
 */

/* The line may be changed; NULL: the end of the input. */
static void on_line(struct terminal *terminal, char *line);

/*
 * Uses the first line that was read, or the end.  Returns false if neither has
 * come yet.
 */
static bool
use_line(struct terminal *terminal)
{
	char line[INPUT_SIZE + 1];
	const char *end = memchr(terminal->bytes, '\n', terminal->length);
	size_t length =
	    end ? (size_t)(end - terminal->bytes) : terminal->length;
	size_t used = end ? length + 1 : length;
	/* A line that fills the whole buffer is cut into pieces. */
	bool whole = end != NULL || length == sizeof(terminal->bytes) ||
	    (terminal->input_ended && length > 0);

	if (!whole && !terminal->input_ended)
		return false;
	memcpy(line, terminal->bytes, length);
	line[length] = '\0';
	terminal->length -= used;
	memmove(terminal->bytes, terminal->bytes + used, terminal->length);
	on_line(terminal, whole ? line : NULL);
	return true;
}

/* Reads once.  Any error but an interruption is taken for the end. */
static void
read_input(struct terminal *terminal)
{
	ssize_t got = read(STDIN_FILENO, terminal->bytes + terminal->length,
	    sizeof(terminal->bytes) - terminal->length);

	if (got > 0)
		terminal->length += (size_t)got;
	else if (got == 0 || (errno != EINTR && errno != EAGAIN))
		terminal->input_ended = true;
}

static void
on_input(struct loop_watch *watch, uint32_t events)
{
	struct terminal *terminal = watch->context;

	(void)events;
	read_input(terminal);
	if (terminal->input_ended ||
	    memchr(terminal->bytes, '\n', terminal->length) ||
	    terminal->length == sizeof(terminal->bytes)) {
		loop_watch_close(terminal->host.loop, watch);
		use_line(terminal);
	}
}

/* A line was asked for. */
static void
on_next_line(struct loop_deadline *deadline, int64_t now_ns)
{
	struct terminal *terminal = deadline->context;
	struct loop *loop = terminal->host.loop;
	int error;

	if (use_line(terminal))
		return;
	error = loop_watch_open(loop, &terminal->input, STDIN_FILENO, EPOLLIN);
	if (error == 0)
		return;
	if (error == -EPERM)
		read_input(terminal);
	else
		terminal->input_ended = true;
	loop_deadline_set(loop, deadline, now_ns);
}

/*
 * The dialogue.
 */

/* Asks the person for a line. */
static void
prompt(struct terminal *terminal, enum dialogue dialogue)
{
	const struct person *person = person_of(terminal);
	int count;

	terminal->dialogue = dialogue;
	switch (dialogue) {
	case DIALOGUE_NONE:
		return;
	case DIALOGUE_HANDOVER:
		printf("\n%s is to move: press Enter when nobody else looks > ",
		    person->names[terminal->seat]);
		break;
	case DIALOGUE_PLAY:
		count = person_choice_count(person);
		printf("play 1");
		if (count > 1)
			printf("-%d", count);
		printf(", h hint, ? help > ");
		break;
	case DIALOGUE_CAPTURE:
		printf(
		    "which, 1-%d; Enter goes back > ", terminal->choice_count);
		break;
	}
	fflush(stdout);
	loop_deadline_set(
	    terminal->host.loop, &terminal->next_line, clock_now_ns());
}

static void
show_turn(struct terminal *terminal)
{
	struct person *person = person_of(terminal);

	terminal->front = terminal->seat;
	person_print_news(person);
	person_print_position(person);
	prompt(terminal, DIALOGUE_PLAY);
}

static void
make_move(struct terminal *terminal, const struct scopa_move *move)
{
	terminal->dialogue = DIALOGUE_NONE;
	/* The next person at the terminal must not see this hand. */
	if (play_person_count(&terminal->game) > 1)
		canvas_clear(&terminal->screen.canvas);
	play_game_move(&terminal->game, terminal->seat, move);
}

/*
 * The keys.
 */

static void help(struct terminal *terminal);

static void
on_hint(struct play_game *game, int seat, const struct scopa_move *move)
{
	struct terminal *terminal = game->owner;
	struct scopa_text text = SCOPA_TEXT(EVENT_SPEC_SIZE);

	if (move == NULL) {
		printf("  %s gave no answer\n", game->settings.hint);
	} else {
		person_move_text(&terminal->persons[seat], move, &text);
		printf("  hint of %s: %s", game->settings.hint, text.bytes);
		if (strcmp(text.bytes, move_text(move)) != 0)
			printf("  (%s)", move_text(move));
		printf("\n");
	}
	prompt(terminal, DIALOGUE_PLAY);
}

static void
ask_hint(struct terminal *terminal)
{
	int error = play_hint_ask(
	    &terminal->game, terminal->seat, person_of(terminal)->state);

	if (error) {
		printf("  no hint: %s\n", strerror(-error));
		prompt(terminal, DIALOGUE_PLAY);
	}
}

static void
quit(struct terminal *terminal)
{
	stop(terminal, STATUS_INTERRUPTED);
}

static const struct key {
	const char *key, *sentence;
	/* prints what the person asks for; NULL: `run` does what is needed */
	void (*print)(const struct person *person);
	void (*run)(struct terminal *terminal);
} keys[] = {
	{ "h", "a hint: what another bot would play", NULL, ask_hint },
	{ "l", "the plays of this deal, the last one at the end",
	    person_print_plays, NULL },
	{ "s", "the points, and the cards that were taken", person_print_scores,
	    NULL },
	{ "t", "the table and the hand once more", person_print_position,
	    NULL },
	{ "q", "stops; --resume goes on later", NULL, quit },
	{ "?", "this help", NULL, help },
};

static void
help(struct terminal *terminal)
{
	struct scopa_text text = SCOPA_TEXT(1024);

	scopa_text_string(&text,
	    "  1, 2..  plays the card of this number; if it can take in "
	    "several ways, they are listed\n"
	    "  7Dx3C4S a move as bots write it is understood, too: D denari, "
	    "C coppe, S spade, B bastoni; A J Q K\n");
	for (int i = 0; i < COUNTOF(keys); i++)
		text_printf(
		    &text, "  %-7s %s\n", keys[i].key, keys[i].sentence);
	text_wrap(text.bytes, terminal->screen.canvas.columns, 10, stdout);
	prompt(terminal, DIALOGUE_PLAY);
}

/*
 * The lines of a person.
 */

/* The number that a line is, or 0 if it is none from 1 to 999. */
static int
number_of(const char *line)
{
	int64_t number;

	return word_to_int(word_of(line), 1, 999, &number) ? (int)number : 0;
}

/* Says that a line cannot be used, and asks again. */
static void
refuse(struct terminal *terminal, const char *line, const char *why)
{
	printf("  \"%s\": %s\n", safe_text(line), why);
	prompt(terminal, terminal->dialogue);
}

/* Plays a card with one outcome at once, and lists several. */
static void
choose_number(struct terminal *terminal, const char *line)
{
	struct person *person = person_of(terminal);
	int count = person_moves(person, number_of(line), terminal->choices);

	if (count == 0) {
		refuse(terminal, line, "there is no card of this number");
		return;
	}
	if (count == 1) {
		make_move(terminal, &terminal->choices[0]);
		return;
	}
	terminal->choice_count = count;
	for (int i = 0; i < count; i++) {
		struct scopa_text text = SCOPA_TEXT(1024);

		text_printf(&text, "  %d  ", i + 1);
		person_move_text(person, &terminal->choices[i], &text);
		scopa_text_string(&text, "\n");
		canvas_print(&terminal->screen.canvas, text.bytes);
	}
	prompt(terminal, DIALOGUE_CAPTURE);
}

/* Plays a move in the notation of the protocol. */
static void
choose_notation(struct terminal *terminal, const char *line)
{
	const struct person *person = person_of(terminal);
	struct scopa_move move;
	enum scopa_refusal refusal;

	if (scopa_move_parse(line, strlen(line), &move) != SCOPA_PARSED) {
		refuse(terminal, line,
		    "not a number, a key or a move; ? prints the help");
		return;
	}
	move.seat = (uint8_t)terminal->seat;
	refusal = scopa_deal_check(&person->rules, &person->deal, &move);
	if (refusal != SCOPA_LEGAL)
		refuse(terminal, line, scopa_refusal_sentence(refusal));
	else
		make_move(terminal, &move);
}

static void
on_play_line(struct terminal *terminal, const char *line)
{
	for (int i = 0; i < COUNTOF(keys); i++) {
		if (strcmp(line, keys[i].key) != 0)
			continue;
		if (keys[i].run != NULL) {
			keys[i].run(terminal);
		} else {
			keys[i].print(person_of(terminal));
			prompt(terminal, DIALOGUE_PLAY);
		}
		return;
	}
	if (line[0] == '\0')
		prompt(terminal, DIALOGUE_PLAY);
	else if (line[strspn(line, "0123456789")] == '\0')
		choose_number(terminal, line);
	else
		choose_notation(terminal, line);
}

static void
on_capture_line(struct terminal *terminal, const char *line)
{
	int number = number_of(line);

	if (line[0] == '\0')
		prompt(terminal, DIALOGUE_PLAY);
	else if (strcmp(line, "q") == 0)
		quit(terminal);
	else if (number < 1 || number > terminal->choice_count)
		refuse(terminal, line, "none of these numbers");
	else
		make_move(terminal, &terminal->choices[number - 1]);
}

static void
on_line(struct terminal *terminal, char *line)
{
	size_t length;

	if (line == NULL) {
		putchar('\n');
		quit(terminal);
		return;
	}
	canvas_fit(&terminal->screen.canvas);
	line += strspn(line, " \t");
	length = strlen(line);
	while (length > 0 && isspace((unsigned char)line[length - 1]))
		line[--length] = '\0';
	/* A terminal has shown the line; a file or a pipe has not. */
	if (!isatty(STDIN_FILENO))
		printf("%s\n", safe_text(line));
	switch (terminal->dialogue) {
	case DIALOGUE_NONE:
		break;
	case DIALOGUE_HANDOVER:
		if (strcmp(line, "q") == 0)
			quit(terminal);
		else
			show_turn(terminal);
		break;
	case DIALOGUE_PLAY:
		on_play_line(terminal, line);
		break;
	case DIALOGUE_CAPTURE:
		on_capture_line(terminal, line);
		break;
	}
}

/*
 * The game.
 */

static void
on_lines(struct play_game *game, int seat, const char *lines)
{
	struct terminal *terminal = game->owner;
	struct person *person = &terminal->persons[seat];

	terminal->screen.quiet = play_game_replays(game);
	person_hear(person, lines);
	if (!person->asked || terminal->screen.quiet)
		return;
	terminal->seat = seat;
	if (terminal->front == seat || play_person_count(game) == 1)
		show_turn(terminal);
	else
		prompt(terminal, DIALOGUE_HANDOVER);
}

static void
on_over(struct play_game *game)
{
	struct terminal *terminal = game->owner;

	terminal->dialogue = DIALOGUE_NONE;
}

static void
on_gone(struct play_game *game)
{
	loop_stop(game->host->loop);
}

static void
on_signal(void *context, int signal)
{
	struct terminal *terminal = context;

	putchar('\n');
	stop(terminal, (enum status)(128 + signal));
}

static void
print_head(const struct play_game *game)
{
	const struct match_rules *rules = &game->config.rules;
	struct scopa_text text = SCOPA_TEXT(EVENT_SPEC_SIZE);

	scopa_rules_spec(&rules->rules, rules->preset, &text);
	if (rules->deals > 0)
		text_printf(&text, ", %d deal%s", rules->deals,
		    text_plural(rules->deals));
	else
		text_printf(&text, ", to %d point%s", rules->rules.target,
		    text_plural(rules->rules.target));
	scopa_text_string(&text, ", time of bots ");
	budget_control_show(&rules->settings.control, &text);
	printf("%s\n", text.bytes);
	fflush(stdout);
}

/* Prints the result of a game that is over. */
static void
print_result(const struct play_game *game)
{
	const struct scopa_rules *rules = &game->config.rules.rules;
	const struct summary *summary = &game->match->reading.summary;
	struct scopa_text text = SCOPA_TEXT(1024);

	for (int team = 0; team < scopa_team_count(rules); team++) {
		scopa_text_string(&text, team > 0 ? ", " : "");
		play_team_text(rules, summary->names, team, &text);
		text_printf(&text, " %d", summary->scores[team]);
	}
	scopa_text_string(&text, ": ");
	if (summary->winner == SCOPA_TEAM_NONE) {
		scopa_text_string(&text, "drawn");
	} else {
		scopa_text_string(&text, "the winner is ");
		play_team_text(rules, summary->names, summary->winner, &text);
	}
	printf("\nresult  %s%s\n", text.bytes,
	    strcmp(summary->reason, "forfeit") == 0 ? ", by forfeit" : "");
}

/* Prints the offence by which the game was lost. */
static void
print_fault(const struct play_game *game)
{
	const struct match_fault *fault = &game->match->fault;
	const char *hint = entrant_end_hint(fault, &game->config.rules);

	printf("fault   %s: %s\n",
	    game->match->reading.summary.names[fault->seat],
	    fault_text_reason(offence_name(fault->kind), fault->reason, NULL));
	fault_text_print(fault, stdout);
	if (hint != NULL)
		printf("  %-8s: %s\n", "hint", hint);
}

/*
 * Whether --resume finds the bots by their names in the record: they are built
 * in and have no options.
 */
static bool
bots_are_recorded(const struct play_game *game)
{
	const struct game_settings *settings = &game->settings.game;
	const struct summary *summary = &game->match->reading.summary;

	for (int i = 0; i < settings->bot_count; i++)
		if (game->bots.words[i].options.count > 0)
			return false;
	for (int seat = 0; seat < game->config.rules.rules.players; seat++)
		if ((game->settings.persons >> seat & 1) == 0 &&
		    builtin_find(summary->names[seat]) == NULL)
			return false;
	return true;
}

/* Prints how the game, which was stopped, can be continued. */
static void
print_resume(const struct play_game *game)
{
	const struct command_line_option resume = { "resume",
		play_record_path(&game->settings) };

	if (game->settings.game.packs.path != NULL) {
		printf("--resume cannot continue this game: its cards are of a "
		       "file of packs\n");
	} else if (bots_are_recorded(game)) {
		next_print("play --resume", resume.value, "");
	} else {
		printf("next    ");
		command_line_print(&resume, 1);
		printf("\n");
	}
}

/* Prints the result and what to do next.  Returns the exit status. */
static enum status
print_end(const struct terminal *terminal)
{
	const struct play_game *game = &terminal->game;
	const struct match_fault *fault = &game->match->fault;

	if (game->failure != STATUS_DONE)
		return game->failure;
	if (fault->seat >= 0 && fault->kind == OFFENCE_STARTUP)
		return entrant_error(
		    &game->entrants[game->spec.entrant[fault->seat]],
		    game->match->reading.summary.names[fault->seat], fault,
		    &game->config.rules);
	if (terminal->status == STATUS_DONE)
		print_result(game);
	else
		printf("\nstopped\n");
	if (fault->seat >= 0)
		print_fault(game);
	if (game->record_error)
		return record_output_error(
		    &game->host->record, game->record_error, NULL);
	if (game->recorded && terminal->status == STATUS_DONE)
		next_print(
		    "record show", play_record_path(&game->settings), "");
	else if (game->recorded)
		print_resume(game);
	return terminal->status;
}

/* Opens everything that the game needs.  Returns 0 or -errno. */
static int
open_terminal(struct terminal *terminal)
{
	struct loop **loop = &terminal->host.loop;
	int error = process_make_room(SCOPA_SEATS_MAX, OTHER_FDS);

	if (!error)
		error = child_tracker_adopt();
	if (!error)
		error = loop_open(loop);
	if (!error)
		error = loop_signals(*loop, on_signal, terminal);
	return error ? error : loop_deadline_open(*loop, &terminal->next_line);
}

static void
close_terminal(struct terminal *terminal)
{
	struct loop *loop = terminal->host.loop;

	play_game_close(&terminal->game);
	record_output_close(&terminal->host.record);
	if (loop == NULL)
		return;
	loop_watch_close(loop, &terminal->input);
	loop_deadline_close(loop, &terminal->next_line);
	loop_close(loop);
	child_tracker_end_orphans();
}

/* Plays the game that was set up. */
static enum status
play(struct terminal *terminal)
{
	struct play_game *game = &terminal->game;
	enum status status = record_output_open(
	    &terminal->host.record, play_record_path(&game->settings));
	int error;

	if (status != STATUS_DONE)
		return status;
	print_head(game);
	for (int seat = 0; seat < game->config.rules.rules.players; seat++)
		person_init(&terminal->persons[seat], &terminal->screen, seat);
	/* A terminal that is closed ends the input, which stops the game. */
	signal(SIGHUP, SIG_IGN);
	error = open_terminal(terminal);
	if (error)
		return game_setup_error(error);
	status = play_game_begin(game);
	if (status != STATUS_DONE)
		return status;
	error = loop_run(terminal->host.loop);
	return error ? game_setup_error(error) : print_end(terminal);
}

/* A game that is resumed has its names. */
static enum status
check_names(const struct play_settings *settings)
{
	struct word rest = word_of(settings->names ? settings->names : "");
	struct word piece;
	int names = 0, persons = __builtin_popcount(settings->persons);

	while (word_next_piece(&rest, ',', &piece))
		names++;
	return names <= persons || settings->resume != NULL
	    ? STATUS_DONE
	    : error_usage("--person names the seats of persons",
		  "%d names for %d person%s", names, persons,
		  text_plural(persons));
}

static enum status
play_run(const void *given, char **argv)
{
	struct terminal *terminal = command_memory(sizeof(*terminal));
	const struct terminal_settings *settings = given;
	enum status status = check_names(&settings->play);

	(void)argv;
	if (status == STATUS_DONE)
		status = play_hint_check(&settings->play);
	if (status != STATUS_DONE)
		return status;
	terminal->host = (struct play_host){
		.record.fd = -1,
		.on_lines = on_lines,
		.on_hint = on_hint,
		.on_over = on_over,
		.on_gone = on_gone,
	};
	terminal->front = -1;
	terminal->input = (struct loop_watch){
		.on_ready = on_input,
		.context = terminal,
		.fd = -1,
	};
	terminal->next_line = (struct loop_deadline){
		.on_deadline = on_next_line,
		.context = terminal,
	};
	canvas_init(&terminal->screen.canvas, (enum card_style)settings->cards);
	status = play_game_open(
	    &terminal->game, &settings->play, &terminal->host, terminal);
	if (status == STATUS_DONE)
		status = play(terminal);
	close_terminal(terminal);
	return status;
}

const struct command command_play = {
	.name = "play",
	.sentence = "Lets you play against bots in the terminal.",
	.detail = "Type the number of a card to play it, ? for help. If there "
		  "are several persons, the program asks for the next person "
		  "before it shows a hand. You have no time limit. Ctrl-C, q "
		  "or the end of the input stops the game with exit status "
		  "130, and --resume continues it.",
	.usage = "[BOT...]",
	.arguments = { BOT_ARGUMENT(
	    ": one for each seat without a person, or one for all of them. "
	    "Without it " PLAY_BOT_USUAL ", if there is one person.") },
	.argument_max = 0, /* bots are read by the option --bot */
	.examples = { "play", "play @greedy --rules cirulla --cards es",
	    "play @maestro --rules scopone --person 1,3 --name anna,bruno",
	    "play --resume play.scopa" },
	.options = options,
	.settings_size = sizeof(struct terminal_settings),
	.run = play_run,
};
