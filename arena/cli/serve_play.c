/*
 * Implements the seats of serve.h: addresses, the form of a new game, and the
 * streams of seats.
 *
 * The page of a seat gets only the lines that the arena sends to its seat, and
 * answers by a `move` line.  The lines are stored, and a page that is loaded
 * again gets all of them.  The server adds its own lines, which begin with
 * `x-`:
 *
 *     x-left MS            the time left for the open question
 *     x-hint MOVE          the move that the bot of the hints proposes; or -
 *     x-fault SEAT KIND REASON   the offence by which the game was lost
 *     x-over STATUS        the game is over: `done`; `stopped`: it can go on
 *                          later; `failed`: the machine refused something
 */
#include <errno.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "child_tracker.h"
#include "clock.h"
#include "command.h"
#include "players.h"
#include "process.h"
#include "serve.h"
#include "text_format.h"

enum {
	GAMES_MAX = 4,   /* games at once */
	TABLES_MAX = 8,  /* with games that are over and still have a page */
	OTHER_FDS = 512, /* descriptors for browsers and others than bots */
	SPEC_SIZE = 128,
	WHY_SIZE = 2048,
	NAME_SIZE = 64,
	ANSWER_SIZE = 256,
	TOKEN_SIZE = 33, /* 128 bits in hex */
	SEATS_PER_SERVER = TABLES_MAX * SCOPA_SEATS_MAX
};

#define FIELD(name) offsetof(struct serve_play_settings, name)

const struct option serve_play_options[] = {
	FLAG_OPTION("play", FIELD(enabled),
	    "Let persons play in the browser: prints one more address, which "
	    "is secret."),
	FLAG_OPTION("clock", FIELD(play.timed),
	    "Persons have the time of --tc, as bots have. Without it they have "
	    "no time limit. The page lets them choose."),
	INT_OPTION("grace", "S", FIELD(grace_s), 1, 86400,
	    "A game is stopped if the page of a person has been closed for "
	    "this time.",
	    .fallback = SERVE_GRACE_USUAL, .unit = "seconds"),
	OPTIONS_END,
};

/* The choices of time: none, the options of the command, and fixed ones. */
enum { TIME_NONE, TIME_GIVEN, TIME_COUNT = 6 };

static const char *const times[TIME_COUNT] = { NULL, NULL, "move:10", "move:30",
	"match:300+5", "match:900+10" };

/* The page of a seat that receives its lines. */
struct viewer {
	struct seat *seat; /* NULL: another page has taken over */
	struct http_stream *stream;
	size_t position; /* how many bytes of seat.lines were sent */
	unsigned question_count;
	bool begun;
};

/* A seat.  The seat of a bot has no token and no lines. */
struct seat {
	struct table *table;
	int index;
	char token[TOKEN_SIZE];
	/* All lines but questions, in memory. */
	FILE *log;
	char *lines;
	size_t size;
	/* `state`, `legal`, `go`, `x-hint` of the open question; owned */
	char *question;
	unsigned question_count;    /* changes with `question` */
	bool failed;                /* there was no memory for its lines */
	struct viewer *viewer;      /* NULL: no page is open */
	struct loop_deadline grace; /* the game stops if no page comes back */
	struct loop_deadline ready; /* answers `isready` */
};

/* A game with its pages. */
struct table {
	struct play_game game;
	struct serve_play *play;
	int number;      /* of the game, from 1 */
	int next_number; /* of the next game of these persons; 0: none yet */
	struct seat seats[SCOPA_SEATS_MAX];
};

struct serve_play {
	const struct serve_play_settings *settings;
	char path[sizeof("/play//") + TOKEN_SIZE];
	char token[TOKEN_SIZE];
	/* The bots of the form: those of the command, then built-in ones. */
	struct game_settings offer;
	char (*builtin_names)[NAME_SIZE]; /* `@greedy` */
	/* Those of the game that is asked for: too large for the stack. */
	struct play_settings asked;
	struct dispatcher_config config;
	struct game_bots bots;
	struct sandbox sandbox;
	struct play_host host;
	struct table *tables[TABLES_MAX];
	int game_count;
	bool stopping; /* the loop stops when no bot runs any more */
};

/* Draws an unpredictable token. */
static void
draw_token(char token[TOKEN_SIZE])
{
	unsigned char bytes[(TOKEN_SIZE - 1) / 2];

	randombytes_buf(bytes, sizeof(bytes));
	sodium_bin2hex(token, TOKEN_SIZE, bytes, sizeof(bytes));
}

/*
 * Compares tokens in a time that does not depend on them.  Without the right
 * token nothing replies, and so the server does as for any unknown page.
 */
static bool
token_matches(const char expected[TOKEN_SIZE], const char *token)
{
	return expected[0] != '\0' && strlen(token) == TOKEN_SIZE - 1 &&
	    sodium_memcmp(expected, token, TOKEN_SIZE - 1) == 0;
}

/*
 * The lines of a seat.
 */

/*
 * Starts the grace period of a seat without a page, or ends it.  A seat that has
 * failed has none.
 */
static void
watch_pages(struct seat *seat)
{
	struct serve_play *play = seat->table->play;
	int64_t grace_ns = play->settings->grace_s * CLOCK_NS_PER_S;

	if (seat->table->game.state != PLAY_ON ||
	    (seat->viewer != NULL && !seat->failed))
		loop_deadline_clear(&seat->grace);
	else
		loop_deadline_set(play->host.loop, &seat->grace,
		    clock_now_ns() + (seat->failed ? 0 : grace_ns));
}

/*
 * Stops the game, because there was no memory for lines that the person needs.
 * This is often called by the match, which must not end meanwhile.
 */
static void
seat_fail(struct seat *seat)
{
	if (seat->failed)
		return;
	seat->failed = true;
	seat->table->game.failure = game_setup_error(-ENOMEM);
	watch_pages(seat);
}

/* Sends new lines to the page of a seat. */
static void
notify(struct seat *seat)
{
	if (seat->log != NULL) {
		fflush(seat->log);
		if (ferror(seat->log)) {
			/* The last line that was written may lack its end. */
			while (seat->size > 0 &&
			    seat->lines[seat->size - 1] != '\n')
				seat->size--;
			seat_fail(seat);
		}
	}
	if (seat->viewer != NULL)
		http_stream_wake(seat->viewer->stream);
}

/* Adds a line of the server for all persons. */
static void __attribute__((format(printf, 2, 3)))
announce(struct table *table, const char *format, ...)
{
	for (int i = 0; i < SCOPA_SEATS_MAX; i++) {
		struct seat *seat = &table->seats[i];
		va_list arguments;

		if (seat->log == NULL)
			continue;
		va_start(arguments, format);
		vfprintf(seat->log, format, arguments);
		va_end(arguments);
		notify(seat);
	}
}

/* Sets the open question, and takes it over; NULL: there is none. */
static void
set_question(struct seat *seat, char *question)
{
	free(seat->question);
	seat->question = question;
	seat->question_count++;
}

/* Returns the line of the open question that begins with `\nVERB `, or none. */
static struct word
question_line(const struct seat *seat, const char *beginning)
{
	const char *line =
	    seat->question != NULL ? strstr(seat->question, beginning) : NULL;

	if (line == NULL)
		return (struct word){ "", 0 };
	line++;
	return (struct word){ line, strcspn(line, "\n") };
}

/* Returns whether the open question lists this move. */
static bool
is_offered(const struct seat *seat, struct word move)
{
	struct word rest = question_line(seat, "\nlegal "), piece;

	(void)word_next_piece(&rest, ' ', &piece); /* the verb */
	while (word_next_piece(&rest, ' ', &piece))
		if (word_equal(piece, move) && !word_is(piece, "..."))
			return true;
	return false;
}

/*
 * Gives the referee an answer `move MOVE turn=ID`.  Returns NULL, or the reason
 * why it was refused: it does not answer the open question, or its move is not
 * legal.
 */
static const char *
answer(struct seat *seat, const char *line)
{
	struct word go = question_line(seat, "\ngo ");
	struct words words, asked;
	char bytes[ANSWER_SIZE];

	words_split(line, strcspn(line, "\n"), &words);
	if (words.count != 3 || !word_is(words.word[0], "move") ||
	    words.line_length >= sizeof(bytes))
		return "not of the form: move MOVE turn=ID";
	words_split(go.bytes, go.length, &asked);
	if (go.length == 0 ||
	    !word_equal(words_find(&words, "turn"), words_find(&asked, "turn")))
		return "this is no answer to the open question";
	if (!is_offered(seat, words.word[1]))
		return "this is not a legal move";
	snprintf(bytes, sizeof(bytes), "%.*s", (int)words.line_length,
	    words.word[0].bytes);
	set_question(seat, NULL);
	notify(seat);
	play_game_answer(&seat->table->game, seat->index, bytes);
	return NULL;
}

/* Asks for a hint.  Returns NULL, or the reason why there is none. */
static const char *
ask_hint(struct seat *seat)
{
	struct play_game *game = &seat->table->game;
	char *state;
	int error;

	if (!game->settings.hints)
		return "this game has no hints";
	if (seat->question == NULL)
		return "there is no open question";
	if (game->hints[seat->index].child != 0)
		return NULL;
	state = strndup(seat->question, strcspn(seat->question, "\n"));
	error =
	    state == NULL ? -ENOMEM : play_hint_ask(game, seat->index, state);
	free(state);
	return error ? strerror(-error) : NULL;
}

/*
 * Writes the open question with the time left, if there is one; or that the game
 * is over, if there was no memory to add this to the lines.
 */
static void
put_question(const struct seat *seat, FILE *file)
{
	const struct referee_seat *state =
	    &seat->table->game.match->referee.seats[seat->index];
	int64_t left_ns = state->deadline_ns - clock_now_ns();

	if (ferror(seat->log) && seat->table->game.state != PLAY_ON)
		fputs("x-over failed\n", file);
	if (seat->question == NULL)
		return;
	fputs(seat->question, file);
	if (state->deadline_ns != BUDGET_NEVER)
		fprintf(file, "x-left %jd\n",
		    left_ns > 0 ? left_ns / CLOCK_NS_PER_MS : 0);
}

static void
on_grace(struct loop_deadline *deadline, int64_t now_ns)
{
	struct seat *seat = deadline->context;

	(void)now_ns;
	if (seat->table->game.state == PLAY_ON)
		play_game_stop(&seat->table->game);
}

/* Answers `isready` for a person. */
static void
on_ready(struct loop_deadline *deadline, int64_t now_ns)
{
	struct seat *seat = deadline->context;

	(void)now_ns;
	if (seat->table->game.state == PLAY_ON)
		play_game_answer(&seat->table->game, seat->index, "readyok");
}

/*
 * Calls of the game.
 */

static void
on_lines(struct play_game *game, int index, const char *lines)
{
	struct table *table = game->owner;
	struct seat *seat = &table->seats[index];

	while (*lines != '\0') {
		size_t length = strcspn(lines, "\n");
		struct word verb = words_first(lines, length);

		length += lines[length] == '\n';
		if (word_is(verb, "state")) {
			set_question(seat, strdup(lines));
			if (seat->question == NULL)
				seat_fail(seat);
			break;
		}
		if (word_is(verb, "isready") && game->match->referee.opened) {
			/* The time of the person is up. */
			play_hint_close(game, index);
			set_question(seat, NULL);
			loop_deadline_set(
			    game->host->loop, &seat->ready, clock_now_ns());
		} else {
			fwrite(lines, 1, length, seat->log);
		}
		lines += length;
	}
	notify(seat);
}

static void
on_hint(struct play_game *game, int index, const struct scopa_move *move)
{
	struct table *table = game->owner;
	struct seat *seat = &table->seats[index];
	char *question;

	if (asprintf(&question, "%sx-hint %s\n", seat->question,
		move != NULL ? move_text(move) : "-") < 0)
		return;
	set_question(seat, question);
	notify(seat);
}

static void
on_over(struct play_game *game)
{
	struct table *table = game->owner;
	const struct match_fault *fault = &game->match->fault;

	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
		set_question(&table->seats[seat], NULL);
	if (fault->seat >= 0)
		announce(table, "x-fault %d %s %s\n", fault->seat + 1,
		    offence_name(fault->kind), fault->reason);
	if (game->record_error)
		(void)record_output_error(
		    &game->host->record, game->record_error, NULL);
	announce(table, "x-over %s\n",
	    game->record_error || game->failure ? "failed"
		: game->stopping                ? "stopped"
						: "done");
}

static bool
is_playing(const struct serve_play *play)
{
	for (int i = 0; i < TABLES_MAX; i++)
		if (play->tables[i] != NULL &&
		    play->tables[i]->game.state != PLAY_GONE)
			return true;
	return false;
}

static void
on_gone(struct play_game *game)
{
	const struct table *table = game->owner;
	const struct serve_play *play = table->play;

	if (play->stopping && !is_playing(play))
		loop_stop(play->host.loop);
}

/*
 * Pages.
 */

static const char *const page_styles[] = { "report.css", "replay.css",
	"table.css", NULL };
static const char *const page_scripts[] = { "cards.js", "report.js", "table.js",
	NULL };
static const struct html_page page = {
	.title = "Scopa: a seat at the table",
	.styles = page_styles,
	.scripts = page_scripts,
	.connects = true,
};

/* Ends the JSON, and replies with a page that has it for its script. */
static void
reply_page(struct http_request *request, struct document *data)
{
	struct document document;
	struct html *html = &document.html;
	char *text = document_end(data);

	if (document_begin_page(&document, &page)) {
		html_begin(html, "header.masthead");
		html_put(html, "h1", "Scopa");
		html_end(html, "header");
		html_begin(html, "main");
		html_attribute(html, "id", "main");
		html_begin(html, "noscript");
		html_put(html, "p",
		    "To play, this page needs scripts, which this browser does "
		    "not run here.");
		html_end(html, "noscript");
		html_json(html, "document", text, text ? data->size : 0);
		html_end(html, "main");
		html->failed |= text == NULL;
	}
	document_reply_page(&document, &page, request);
	free(text);
}

/* Ends the JSON, and replies with it. */
static void
reply_json(struct http_request *request, int status, struct document *data)
{
	const struct http_reply reply = { .status = status,
		.type = "application/json" };
	char *text = document_end(data);

	http_reply(request, &reply, text, data->size);
}

static void
reply_error(struct http_request *request, int status, const char *text)
{
	struct document data;

	if (document_begin_json(&data))
		json_string(&data.json, "error", text);
	reply_json(request, status, &data);
}

static void
put_rules(struct json *json, const char *given)
{
	json_array_begin(json, "rules");
	for (int i = 0; i < scopa_preset_count; i++) {
		const struct scopa_preset *preset = &scopa_presets[i];
		struct scopa_rules rules;

		json_object_begin(json, NULL);
		json_string(json, "name", preset->name);
		json_string(json, "sentence", preset->sentence);
		json_int(json, "usual", preset->rules.players);
		json_int(json, "hand", preset->rules.hand);
		json_int(json, "target", preset->rules.target);
		/* The numbers of seats that it can have. */
		json_array_begin(json, "seats");
		for (int seats = 2; seats <= SCOPA_SEATS_MAX; seats++) {
			struct scopa_text spec = SCOPA_TEXT(SPEC_SIZE);
			struct scopa_text why = SCOPA_TEXT(WHY_SIZE);

			text_printf(
			    &spec, "%s,players=%d", preset->name, seats);
			if (scopa_rules_parse(&rules, spec.bytes, &why))
				json_int(json, NULL, seats);
		}
		json_array_end(json);
		json_object_end(json);
	}
	json_array_end(json);
	json_string(json, "given", given);
}

/* Writes a choice of time in words for the form. */
static const char *
time_text(const struct serve_play *play, int choice, char bytes[SPEC_SIZE])
{
	const struct game_settings *game = &play->settings->play.game;
	struct entrant_control control = game->control;
	struct scopa_text why = SCOPA_TEXT(WHY_SIZE);
	struct scopa_text text;

	scopa_text_init(&text, bytes, SPEC_SIZE);
	if (times[choice] != NULL)
		(void)entrant_control_read(times[choice], &control, &why);
	if (choice == TIME_NONE)
		scopa_text_string(&text, "none");
	else
		budget_control_show(&control.control, &text);
	return bytes;
}

static void
put_choices(const struct serve_play *play, struct json *json)
{
	const struct serve_play_settings *settings = play->settings;
	const struct game_settings *game = &settings->play.game;
	char bytes[SPEC_SIZE];

	put_rules(json, game->rules);
	json_array_begin(json, "bots");
	for (int i = 0; i < play->offer.bot_count; i++) {
		const struct entrant *bot = &play->bots.entrants[i];

		json_string(
		    json, NULL, bot->name[0] ? bot->name : bot->command);
	}
	json_array_end(json);
	json_array_begin(json, "times");
	for (int i = 0; i < TIME_COUNT; i++)
		json_string(json, NULL, time_text(play, i, bytes));
	json_array_end(json);
	json_int(json, "time", settings->play.timed ? TIME_GIVEN : TIME_NONE);
	json_int_if(json, "seats", game->seats > 0, game->seats);
	json_int(json, "given_bots", game->bot_count);
	json_int(json, "persons", settings->play.persons);
	json_string(json, "name", settings->play.names);
	json_string(json, "hint", settings->play.hint);
	json_int(json, "grace", settings->grace_s);
}

/* Writes a game with the address of one seat (from 0), or of all (-1). */
static void
put_table(struct json *json, const struct table *table, int only)
{
	const struct play_game *game = &table->game;
	const struct match_rules *rules = &game->config.rules;
	struct scopa_text spec = SCOPA_TEXT(EVENT_SPEC_SIZE);

	scopa_rules_spec(&rules->rules, rules->preset, &spec);
	json_int(json, "number", table->number);
	json_string(json, "rules", spec.bytes);
	json_bool(json, "over", game->state != PLAY_ON);
	json_array_begin(json, "seats");
	for (int i = 0; i < SCOPA_SEATS_MAX; i++) {
		const struct seat *seat = &table->seats[i];
		char path[sizeof("/seat//") + TOKEN_SIZE];

		if (seat->token[0] == '\0' || (only >= 0 && only != i))
			continue;
		snprintf(path, sizeof(path), "/seat/%s/", seat->token);
		json_object_begin(json, NULL);
		json_int(json, "seat", i + 1);
		json_string(
		    json, "name", game->entrants[game->spec.entrant[i]].name);
		json_bool(json, "watched", seat->viewer != NULL);
		json_string(json, "path", path);
		json_object_end(json);
	}
	json_array_end(json);
}

/* Replies with the addresses of a game. */
static void
reply_table(struct http_request *request, const struct table *table, int only)
{
	struct document data;

	if (document_begin_json(&data))
		put_table(&data.json, table, only);
	reply_json(request, 0, &data);
}

static void
get_lobby(void *context, struct http_request *request)
{
	const struct serve_play *play = context;
	struct document data;
	struct json *json = &data.json;

	if (!token_matches(play->token, http_word(request, 0)))
		return;
	if (document_begin_json(&data)) {
		json_string(json, "page", "lobby");
		put_choices(play, json);
		json_array_begin(json, "games");
		for (int i = 0; i < TABLES_MAX; i++) {
			if (play->tables[i] == NULL)
				continue;
			json_object_begin(json, NULL);
			put_table(json, play->tables[i], -1);
			json_object_end(json);
		}
		json_array_end(json);
	}
	reply_page(request, &data);
}

/*
 * A new game.
 */

/* Ends the streams of a table and frees it. */
static void
close_table(struct serve_play *play, int index)
{
	struct table *table = play->tables[index];

	if (table == NULL)
		return;
	for (int i = 0; i < SCOPA_SEATS_MAX; i++) {
		struct viewer *viewer = table->seats[i].viewer;

		if (viewer == NULL)
			continue;
		viewer->seat = NULL;
		http_stream_end(viewer->stream);
	}
	play_game_close(&table->game);
	for (int i = 0; i < SCOPA_SEATS_MAX; i++) {
		struct seat *seat = &table->seats[i];

		free(seat->question);
		loop_deadline_close(play->host.loop, &seat->grace);
		loop_deadline_close(play->host.loop, &seat->ready);
		if (seat->log != NULL)
			fclose(seat->log);
		free(seat->lines);
	}
	free(table);
	play->tables[index] = NULL;
}

/*
 * Returns a place for a table: an unused one, or that of the oldest game whose
 * bots have ended, but not that of the table `before`.  Returns -1 if there is
 * none, or too many games are played.
 */
static int
find_place(struct serve_play *play, const struct table *before)
{
	int oldest = -1, unused = -1, playing = 0;

	for (int i = 0; i < TABLES_MAX; i++) {
		const struct table *table = play->tables[i];

		if (table == NULL) {
			if (unused < 0)
				unused = i;
		} else if (table->game.state == PLAY_ON) {
			playing++;
		} else if (table != before && table->game.state == PLAY_GONE &&
		    (oldest < 0 ||
			table->number < play->tables[oldest]->number)) {
			oldest = i;
		}
	}
	if (playing >= GAMES_MAX)
		return -1;
	if (unused >= 0)
		return unused;
	if (oldest >= 0)
		close_table(play, oldest);
	return oldest;
}

/* Prepares the seat of a person.  Returns 0 or -errno. */
static int
open_seat(struct seat *seat)
{
	struct loop *loop = seat->table->play->host.loop;
	int error;

	seat->log = memory_file_open(&seat->lines, &seat->size);
	if (seat->log == NULL)
		return -errno;
	draw_token(seat->token);
	error = loop_deadline_open(loop, &seat->grace);
	if (!error)
		error = loop_deadline_open(loop, &seat->ready);
	if (!error)
		watch_pages(seat);
	return error;
}

/* Gives bots and persons their seats and begins the game.  Prints an error. */
static enum status
open_table(struct table *table, const struct play_settings *settings)
{
	struct serve_play *play = table->play;
	enum status status =
	    play_game_open(&table->game, settings, &play->host, table);

	for (int i = 0; i < SCOPA_SEATS_MAX && status == STATUS_DONE; i++) {
		struct seat *seat = &table->seats[i];
		int error = 0;

		seat->table = table;
		seat->index = i;
		seat->grace.on_deadline = on_grace;
		seat->ready.on_deadline = on_ready;
		seat->grace.context = seat->ready.context = seat;
		if (table->game.settings.persons >> i & 1)
			error = open_seat(seat);
		if (error)
			status = game_setup_error(error);
	}
	return status == STATUS_DONE ? play_game_begin(&table->game) : status;
}

/*
 * Begins a game, which may continue that of the table `before`, or NULL.
 * Returns NULL after a failure, to which it replied.
 */
static struct table *
begin_game(struct serve_play *play, struct http_request *request,
    const struct play_settings *settings, const struct table *before)
{
	int place = play->stopping ? -1 : find_place(play, before);
	struct scopa_text why = SCOPA_TEXT(WHY_SIZE);
	struct table *table;
	enum status status;

	if (place < 0) {
		reply_error(request, 503,
		    "the greatest number of games is being played: end one of "
		    "them");
		return NULL;
	}
	table = play->tables[place] = calloc(1, sizeof(*table));
	if (table == NULL) {
		reply_error(request, 503, strerror(ENOMEM));
		return NULL;
	}
	table->play = play;
	error_copy(&why);
	status = open_table(table, settings);
	error_copy(NULL);
	if (status != STATUS_DONE) {
		close_table(play, place);
		reply_error(request, status == STATUS_ENVIRONMENT ? 503 : 400,
		    why.bytes);
		return NULL;
	}
	table->number = ++play->game_count;
	return table;
}

/* Reads the bots of the form, numbers from 0 joined by commas. */
static bool
read_bots(const struct serve_play *play, struct word given,
    struct game_settings *game)
{
	struct word piece;

	game->bot_count = 0;
	while (given.length > 0 && word_next_piece(&given, ',', &piece)) {
		int64_t bot;

		if (game->bot_count == SCOPA_SEATS_MAX ||
		    !word_to_int(piece, 0, play->offer.bot_count - 1, &bot))
			return false;
		game->bots[game->bot_count++] = play->offer.bots[bot];
	}
	return true;
}

/* Reads the rules: those of the command, or a preset. */
static bool
read_rules(struct word given, struct game_settings *game)
{
	if (word_is(given, game->rules))
		return true;
	for (int i = 0; i < scopa_preset_count; i++) {
		if (!word_is(given, scopa_presets[i].name))
			continue;
		game->rules = scopa_presets[i].name;
		game->teams = NULL;
		game->target = 0;
		return true;
	}
	return false;
}

/* Reads the time, which is the same for all bots of a game. */
static bool
read_time(struct word given, struct play_settings *settings)
{
	struct game_settings *game = &settings->game;
	struct scopa_text why = SCOPA_TEXT(WHY_SIZE);
	int64_t choice;

	if (!word_to_int(given, 0, TIME_COUNT - 1, &choice))
		return false;
	settings->timed = choice != TIME_NONE;
	if (times[choice] == NULL)
		return true;
	for (int i = 0; i < game->bot_count; i++)
		game->bots[i].control.given = false;
	return entrant_control_read(times[choice], &game->control, &why);
}

/*
 * Reads the form, pairs as in `rules=scopa seats=2 persons=1 bots=0 time=0
 * hints=1`.
 */
static bool
read_form(const struct serve_play *play, const char *body,
    struct play_settings *settings)
{
	struct game_settings *game = &settings->game;
	struct words words;
	char persons[NAME_SIZE];
	int64_t hinted;

	words_split_pairs(body, &words);
	*settings = play->settings->play;
	if (!read_bots(play, words_find(&words, "bots"), game) ||
	    !read_rules(words_find(&words, "rules"), game) ||
	    !read_time(words_find(&words, "time"), settings) ||
	    !word_to_int(words_find(&words, "seats"), 2, SCOPA_SEATS_MAX,
		&game->seats) ||
	    !word_to_int(words_find(&words, "hints"), 0, 1, &hinted) ||
	    !word_decode(
		words_find(&words, "persons"), persons, sizeof(persons)) ||
	    !play_seats_parse(persons, &settings->persons))
		return false;
	/* Without a bot, persons have all seats. */
	if (game->bot_count == 0 &&
	    settings->persons != (1U << game->seats) - 1)
		return false;
	settings->hints = hinted != 0;
	/* With the same seed again, persons would know the cards. */
	if (play->game_count > 0)
		game->seed.given = false;
	return true;
}

static void
post_game(void *context, struct http_request *request)
{
	struct serve_play *play = context;
	struct play_settings *settings = &play->asked;
	struct table *table = NULL;

	if (!token_matches(play->token, http_word(request, 0)))
		return;
	if (read_form(play, http_body(request), settings))
		table = begin_game(play, request, settings, NULL);
	else
		reply_error(request, 400, "the form is not complete");
	if (table != NULL)
		reply_table(request, table, -1);
}

/*
 * Seats.
 */

/* Returns the seat with the token of the address, or NULL. */
static struct seat *
find_seat(const struct serve_play *play, struct http_request *request)
{
	const char *token = http_word(request, 0);
	struct seat *found = NULL;

	for (int i = 0; i < SEATS_PER_SERVER; i++) {
		struct table *table = play->tables[i / SCOPA_SEATS_MAX];
		struct seat *seat =
		    table != NULL ? &table->seats[i % SCOPA_SEATS_MAX] : NULL;

		if (seat != NULL && token_matches(seat->token, token))
			found = seat;
	}
	return found;
}

static void
get_seat(void *context, struct http_request *request)
{
	const struct serve_play *play = context;
	const struct play_settings *settings = &play->settings->play;
	const struct seat *seat = find_seat(play, request);
	struct document data;
	struct json *json = &data.json;

	if (seat == NULL)
		return;
	if (document_begin_json(&data)) {
		json_string(json, "page", "seat");
		json_int(json, "seat", seat->index + 1);
		json_int(json, "game", seat->table->number);
		json_bool(json, "hints", seat->table->game.settings.hints);
		json_string(json, "hint", settings->hint);
		json_string(json, "record", play_record_path(settings));
		json_string(json, "program", program_invocation_name);
	}
	reply_page(request, &data);
}

static void
viewer_fill(void *context, FILE *file)
{
	struct viewer *viewer = context;
	const struct seat *seat = viewer->seat;
	char *text = NULL;
	size_t size = 0;
	FILE *lines;

	if (seat == NULL) {
		http_event(file, "replaced", "");
		return;
	}
	lines = memory_file_open(&text, &size);
	if (lines == NULL) {
		http_stream_end(viewer->stream);
		return;
	}
	fwrite(seat->lines + viewer->position, 1, seat->size - viewer->position,
	    lines);
	viewer->position = seat->size;
	if (viewer->question_count != seat->question_count) {
		viewer->question_count = seat->question_count;
		put_question(seat, lines);
	}
	if (fclose(lines) != 0)
		http_stream_end(viewer->stream);
	else if (size > 0 || !viewer->begun)
		http_event(file, viewer->begun ? NULL : "start", text);
	viewer->begun = true;
	free(text);
}

static void
viewer_close(void *context)
{
	struct viewer *viewer = context;

	if (viewer->seat != NULL) {
		viewer->seat->viewer = NULL;
		watch_pages(viewer->seat);
	}
	free(viewer);
}

static void
get_events(void *context, struct http_request *request)
{
	static const struct http_stream_calls calls = { viewer_fill,
		viewer_close };
	struct seat *seat = find_seat(context, request);
	struct viewer *viewer, *before;

	if (seat == NULL)
		return;
	viewer = calloc(1, sizeof(*viewer));
	if (viewer == NULL) {
		reply_error(request, 503, strerror(ENOMEM));
		return;
	}
	if (http_stream_open(request, &calls, viewer, &viewer->stream) < 0) {
		free(viewer);
		return;
	}
	viewer->seat = seat;
	viewer->question_count = seat->question_count - 1;
	before = seat->viewer;
	if (before != NULL) {
		before->seat = NULL;
		http_stream_end(before->stream);
	}
	seat->viewer = viewer;
	watch_pages(seat);
}

/* Replies to a request of a person; `why` (or NULL): it was refused. */
static void
reply_done(struct http_request *request, const char *why)
{
	const struct http_reply reply = { .type = "application/json" };

	if (why != NULL)
		reply_error(request, 409, why);
	else
		http_reply(request, &reply, strdup("{}\n"), strlen("{}\n"));
}

static void
post_move(void *context, struct http_request *request)
{
	struct seat *seat = find_seat(context, request);

	if (seat != NULL)
		reply_done(request, answer(seat, http_body(request)));
}

static void
post_hint(void *context, struct http_request *request)
{
	struct seat *seat = find_seat(context, request);

	if (seat != NULL)
		reply_done(request, ask_hint(seat));
}

static void
post_stop(void *context, struct http_request *request)
{
	struct seat *seat = find_seat(context, request);

	if (seat == NULL)
		return;
	if (seat->table->game.state == PLAY_ON)
		play_game_stop(&seat->table->game);
	reply_done(request, NULL);
}

/*
 * The next game of the same persons and bots.  All move on by one seat, so that
 * another seat begins.
 */
static void
rotate(struct play_settings *settings, int seat_count)
{
	struct game_settings *game = &settings->game;
	unsigned last = settings->persons >> (seat_count - 1) & 1;
	int persons = __builtin_popcount(settings->persons);
	int bots = game->bot_count;

	/* The person at the last seat becomes the first one. */
	if (last)
		settings->name_offset =
		    (settings->name_offset + persons - 1) % persons;
	settings->persons =
	    (settings->persons << 1 | last) & ((1u << seat_count) - 1);
	if (!last && bots > 1) {
		struct entrant_words moved = game->bots[bots - 1];

		memmove(game->bots + 1, game->bots,
		    (size_t)(bots - 1) * sizeof(*game->bots));
		game->bots[0] = moved;
	}
	game->seed.given = false;
}

/* Returns the table of a game, or NULL. */
static struct table *
find_table(const struct serve_play *play, int number)
{
	for (int i = 0; i < TABLES_MAX; i++)
		if (play->tables[i] != NULL &&
		    play->tables[i]->number == number)
			return play->tables[i];
	return NULL;
}

/* The first person who asks begins the next game, and the others join it. */
static void
post_again(void *context, struct http_request *request)
{
	struct serve_play *play = context;
	struct play_settings *settings = &play->asked;
	struct seat *seat = find_seat(play, request);
	struct table *table, *next;
	int place;

	if (seat == NULL)
		return;
	table = seat->table;
	if (table->game.state == PLAY_ON) {
		reply_error(request, 409, "the game is not over");
		return;
	}
	place = (seat->index + 1) % table->game.config.rules.rules.players;
	next = find_table(play, table->next_number);
	if (next != NULL) {
		reply_table(request, next, place);
		return;
	}
	*settings = table->game.settings;
	rotate(settings, table->game.config.rules.rules.players);
	next = begin_game(play, request, settings, table);
	if (next == NULL)
		return;
	table->next_number = next->number;
	reply_table(request, next, place);
}

static const struct http_route routes[] = {
	{ "GET", "/play/:/", get_lobby },
	{ "POST", "/play/:/game", post_game },
	{ "GET", "/seat/:/", get_seat },
	{ "GET", "/seat/:/events", get_events },
	{ "POST", "/seat/:/move", post_move },
	{ "POST", "/seat/:/hint", post_hint },
	{ "POST", "/seat/:/stop", post_stop },
	{ "POST", "/seat/:/again", post_again },
	{ NULL, NULL, NULL },
};

/*
 * Opening and closing.
 */

/* Lists the bots of the command, then the other built-in bots. */
static enum status
offer_bots(struct serve_play *play)
{
	struct game_settings *game = &play->offer;
	int given = play->settings->play.game.bot_count;

	play->builtin_names =
	    calloc((size_t)builtin_count, sizeof(*play->builtin_names));
	if (play->builtin_names == NULL)
		return game_setup_error(-ENOMEM);
	*game = play->settings->play.game;
	for (int i = 0; i < builtin_count; i++) {
		char *name = play->builtin_names[i];
		bool listed = builtins[i].sees_all ||
		    game->bot_count == TOURNAMENT_BOTS_MAX;

		snprintf(name, NAME_SIZE, "@%s", builtins[i].name);
		for (int bot = 0; bot < given; bot++)
			listed |= strcmp(game->bots[bot].command, name) == 0 &&
			    game->bots[bot].name == NULL;
		if (!listed)
			game->bots[game->bot_count++] =
			    (struct entrant_words){ .command = name };
	}
	return STATUS_DONE;
}

/* Reads rules and bots, and sets up the sandbox that all games share. */
static enum status
read_game(struct serve_play *play)
{
	const struct play_settings *settings = &play->settings->play;
	enum status status =
	    game_setup_rules(&settings->game, 0, &play->config.rules);

	if (status == STATUS_DONE)
		status = play_hint_check(settings);
	if (status == STATUS_DONE)
		status = offer_bots(play);
	if (status == STATUS_DONE)
		status = game_setup_bots(&play->offer, NULL, ENTRANT_TO_PLAY,
		    &play->bots, &play->config);
	if (status == STATUS_DONE)
		status = game_setup_sandbox(&settings->game,
		    play_record_path(settings), &play->sandbox, &play->config);
	if (status == STATUS_DONE)
		entrants_warn(play->bots.entrants, play->config.entrant_count,
		    play->config.rules.sandbox);
	return status;
}

enum status
serve_play_open(struct serve_play **opened,
    const struct serve_play_settings *settings, struct loop *loop,
    struct http *http)
{
	struct serve_play *play = calloc(1, sizeof(*play));
	enum status status;
	int error;

	*opened = play;
	if (play == NULL)
		return game_setup_error(-ENOMEM);
	play->settings = settings;
	draw_token(play->token);
	error = process_make_room(SEATS_PER_SERVER, OTHER_FDS);
	if (!error)
		error = child_tracker_adopt();
	if (error)
		return game_setup_error(error);
	snprintf(play->path, sizeof(play->path), "/play/%s/", play->token);
	status = read_game(play);
	if (status != STATUS_DONE)
		return status;
	play->host = (struct play_host){
		.loop = loop,
		.sandbox = play->config.rules.sandbox,
		.observes = true,
		.on_lines = on_lines,
		.on_hint = on_hint,
		.on_over = on_over,
		.on_gone = on_gone,
	};
	status = record_output_open(
	    &play->host.record, play_record_path(&settings->play));
	if (status == STATUS_DONE)
		http_serve(http, routes, play);
	return status;
}

void
serve_play_close(struct serve_play *play)
{
	if (play == NULL)
		return;
	for (int i = 0; i < TABLES_MAX; i++)
		close_table(play, i);
	record_output_close(&play->host.record);
	if (play->config.rules.sandbox != NULL)
		sandbox_close(&play->sandbox);
	game_bots_release(&play->bots);
	free(play->builtin_names);
	child_tracker_end_orphans();
	free(play);
}

const char *
serve_play_path(const struct serve_play *play)
{
	return play->path;
}

void
serve_play_stop(struct serve_play *play)
{
	play->stopping = true;
	for (int i = 0; i < TABLES_MAX; i++)
		if (play->tables[i] != NULL &&
		    play->tables[i]->game.state != PLAY_GONE)
			play_game_stop(&play->tables[i]->game);
	if (!is_playing(play))
		loop_stop(play->host.loop);
}
