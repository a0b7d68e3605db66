/*
 * Implements serve_play.h: addresses, the form of a new game, and the streams
 * of seats.
 */
#include "serve_play.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child_tracker.h"
#include "clock.h"
#include "command.h"
#include "error_message.h"
#include "html.h"
#include "json.h"
#include "players.h"
#include "process.h"
#include "serve_page.h"
#include "serve_table.h"
#include "text_format.h"

enum {
	OTHER_FDS = 512, /* beside those of bots: browsers */
	SPEC_SIZE = 128,
	WHY_SIZE = 2048,
	NAME_SIZE = 64,
	SEATS_PER_SERVER = SERVE_TABLES_MAX * SCOPA_SEATS_MAX
};

#define FIELD(name) offsetof(struct serve_play_settings, name)

const struct option serve_play_options[] = {
	FLAG_OPTION("play", FIELD(enabled),
	    "Let persons play in the browser: prints one more address, which "
	    "is secret."),
	FLAG_OPTION("clock", FIELD(clock),
	    "Persons have the time of --tc, as bots have. Without it they have "
	    "no time limit. The page lets them choose."),
	INT_OPTION("grace", "S", FIELD(grace_s), 1, 86400,
	    "How long a game waits for a person whose page was closed, until "
	    "it is stopped.",
	    .fallback = "600", .unit = "seconds"),
	OPTIONS_END,
};

/* Times that persons and bots may have; the first two are the command's. */
enum { TIME_NONE, TIME_GIVEN, TIME_COUNT = 6 };

static const char *const times[TIME_COUNT] = { NULL, NULL, "move:10", "move:30",
	"match:300+5", "match:900+10" };

struct serve_play {
	const struct serve_play_settings *settings;
	char path[sizeof("/play//") + SERVE_TOKEN_SIZE];
	char token[SERVE_TOKEN_SIZE];
	/* All bots that may be chosen: those of the command, then built-in. */
	struct play_settings *offer;
	char (*builtin_names)[NAME_SIZE]; /* `@greedy` */
	struct dispatcher_config config;
	struct game_bots bots;
	struct sandbox sandbox;
	struct serve_table_config table_config;
	struct serve_table *tables[SERVE_TABLES_MAX];
	int game_count;
	bool record_is_new;
	void (*on_stopped)(void *context);
	void *stopped_context;
};

/* The page of a seat that receives its lines. */
struct viewer {
	struct serve_seat *seat; /* NULL: another page has taken over */
	struct http_stream *stream;
	size_t position; /* of the lines that were sent */
	unsigned question_count;
	bool begun;
};

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

/* Replies with a page whose script finds this document, which is ended. */
static void
reply_page(struct http_request *request, struct json_memory *data)
{
	char *policy = html_policy(&page), *text = json_memory_end(data);
	const struct http_reply reply = { .policy = policy };
	struct document document;
	char *whole = NULL;

	if (policy != NULL && text != NULL && document_begin(&document)) {
		struct html *html = &document.html;

		if (html_page_begin(html, &page) < 0)
			html->failed = true;
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
		html_json(html, "document", text, data->size);
		html_end(html, "main");
		if (html_page_end(html, &page) < 0)
			html->failed = true;
		whole = document_end(&document);
	}
	http_reply(request, &reply, whole, whole != NULL ? document.size : 0);
	free(policy);
	free(text);
}

/* Replies with a document, which is ended. */
static void
reply_json(struct http_request *request, int status, struct json_memory *data)
{
	const struct http_reply reply = { .status = status,
		.type = "application/json" };
	char *text = json_memory_end(data);

	http_reply(request, &reply, text, data->size);
}

/* Replies that there is no memory. */
static void
reply_no_memory(struct http_request *request)
{
	http_reply(request, &(struct http_reply){ 0 }, NULL, 0);
}

/* The numbers of seats that a preset can have. */
static void
put_seat_counts(struct json *json, const struct scopa_preset *preset)
{
	char bytes[SPEC_SIZE], reason[WHY_SIZE];
	struct scopa_rules rules;
	struct scopa_text spec, why;

	json_array_begin(json, "seats");
	for (int seats = 2; seats <= SCOPA_SEATS_MAX; seats++) {
		scopa_text_init(&why, reason, sizeof(reason));
		scopa_text_init(&spec, bytes, sizeof(bytes));
		text_printf(&spec, "%s,players=%d", preset->name, seats);
		if (scopa_rules_parse(&rules, bytes, &why))
			json_int(json, NULL, seats);
	}
	json_array_end(json);
}

static void
put_rules(struct json *json, const char *given)
{
	json_array_begin(json, "rules");
	for (int i = 0; i < scopa_preset_count; i++) {
		const struct scopa_preset *preset = &scopa_presets[i];

		json_object_begin(json, NULL);
		json_string(json, "name", preset->name);
		json_string(json, "sentence", preset->sentence);
		json_int(json, "usual", preset->rules.players);
		json_int(json, "hand", preset->rules.hand);
		json_int(json, "target", preset->rules.target);
		put_seat_counts(json, preset);
		json_object_end(json);
	}
	json_array_end(json);
	json_string(json, "given", given);
}

/* The time of a choice, in words for the form. */
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
	for (int i = 0; i < play->offer->game.bot_count; i++) {
		const struct entrant *bot = &play->bots.entrants[i];

		json_string(
		    json, NULL, bot->name[0] ? bot->name : bot->command);
	}
	json_array_end(json);
	json_array_begin(json, "times");
	for (int i = 0; i < TIME_COUNT; i++)
		json_string(json, NULL, time_text(play, i, bytes));
	json_array_end(json);
	json_int(json, "time", settings->clock ? TIME_GIVEN : TIME_NONE);
	json_int_if(json, "seats", game->seats > 0, game->seats);
	json_int(json, "given_bots", game->bot_count);
	json_int(json, "persons", settings->play.persons);
	json_string(json, "name", settings->play.names);
	json_string(json, "hint", settings->play.hint);
	json_int(json, "grace", settings->grace_s);
}

/* The address of a seat. */
static void
put_seat_path(struct json *json, const struct serve_seat *seat)
{
	char path[sizeof("/seat//") + SERVE_TOKEN_SIZE];

	snprintf(path, sizeof(path), "/seat/%s/", seat->token);
	json_string(json, "path", path);
}

/* A game, with the address of one seat (from 0), or of all persons' (-1). */
static void
put_table(struct json *json, const struct serve_table *table, int only)
{
	const struct match_rules *rules = &table->setup.config.rules;
	struct scopa_text spec = SCOPA_TEXT(EVENT_SPEC_SIZE);

	scopa_rules_spec(&rules->rules, rules->preset, &spec);
	json_object_begin(json, NULL);
	json_int(json, "number", table->number);
	json_string(json, "rules", spec.bytes);
	json_bool(json, "over", table->state != SERVE_TABLE_PLAYING);
	json_array_begin(json, "seats");
	for (int i = 0; i < SCOPA_SEATS_MAX; i++) {
		const struct serve_seat *seat = &table->seats[i];

		if (seat->token[0] == '\0' || (only >= 0 && only != i))
			continue;
		json_object_begin(json, NULL);
		json_int(json, "seat", i + 1);
		json_string(json, "name", table->setup.names[i]);
		json_bool(json, "watched", seat->watched);
		put_seat_path(json, seat);
		json_object_end(json);
	}
	json_array_end(json);
	json_object_end(json);
}

/* Whether the request has the token of the first page; or replies. */
static bool
is_admitted(const struct serve_play *play, struct http_request *request)
{
	if (serve_token_is(play->token, http_word(request, 0)))
		return true;
	http_reply_line(request, 404, "there is no such page");
	return false;
}

static void
get_lobby(void *context, struct http_request *request)
{
	const struct serve_play *play = context;
	struct json_memory data;
	struct json *json = &data.json;

	if (!is_admitted(play, request))
		return;
	if (!json_memory_begin(&data)) {
		reply_no_memory(request);
		return;
	}
	json_object_begin(json, NULL);
	json_string(json, "page", "lobby");
	put_choices(play, json);
	json_array_begin(json, "games");
	for (int i = 0; i < SERVE_TABLES_MAX; i++)
		if (play->tables[i] != NULL)
			put_table(json, play->tables[i], -1);
	json_array_end(json);
	json_object_end(json);
	reply_page(request, &data);
}

/*
 * A new game.
 */

/* Ends the streams of a table and frees it. */
static void
close_table(struct serve_play *play, int index)
{
	struct serve_table *table = play->tables[index];

	for (int i = 0; table != NULL && i < SCOPA_SEATS_MAX; i++) {
		struct viewer *viewer = table->seats[i].viewer;

		if (viewer == NULL)
			continue;
		viewer->seat = NULL;
		http_stream_end(viewer->stream);
	}
	serve_table_close(table);
	play->tables[index] = NULL;
}

/* A free place for a table: one that never was used, or of the oldest game. */
static int
find_place(struct serve_play *play)
{
	int oldest = -1;

	for (int i = 0; i < SERVE_TABLES_MAX; i++) {
		struct serve_table *table = play->tables[i];

		if (table == NULL)
			return i;
		if (table->state == SERVE_TABLE_GONE &&
		    (oldest < 0 ||
			table->number < play->tables[oldest]->number))
			oldest = i;
	}
	if (oldest >= 0)
		close_table(play, oldest);
	return oldest;
}

/* Replies with a document that has one text. */
static void
reply_error(struct http_request *request, int status, const char *text)
{
	struct json_memory data;

	if (!json_memory_begin(&data)) {
		reply_no_memory(request);
		return;
	}
	json_object_begin(&data.json, NULL);
	json_string(&data.json, "error", text);
	json_object_end(&data.json);
	reply_json(request, status, &data);
}

/* Replies with the addresses of put_table(). */
static void
reply_table(
    struct http_request *request, const struct serve_table *table, int only)
{
	struct json_memory data;

	if (!json_memory_begin(&data)) {
		reply_no_memory(request);
		return;
	}
	put_table(&data.json, table, only);
	reply_json(request, 0, &data);
}

/* Begins a game.  Returns NULL if it cannot; then a reply was made. */
static struct serve_table *
begin_game(struct serve_play *play, struct http_request *request,
    const struct play_settings *settings, bool timed, bool hints)
{
	int place = play->on_stopped == NULL ? find_place(play) : -1;
	struct serve_table **table = &play->tables[place < 0 ? 0 : place];
	struct scopa_text why = SCOPA_TEXT(WHY_SIZE);
	enum status status;

	if (place < 0) {
		reply_error(request, 503,
		    "as many games are played as can be at once: end one of "
		    "them");
		return NULL;
	}
	error_copy(&why);
	status = serve_table_open(table, &play->table_config, settings, timed);
	error_copy(NULL);
	if (status != STATUS_DONE) {
		close_table(play, place);
		reply_error(request, 400, why.bytes);
		return NULL;
	}
	(*table)->hints = hints;
	(*table)->number = ++play->game_count;
	return *table;
}

/* Reads the bots of the form, numbers from 0 joined by commas. */
static bool
read_bots(const struct serve_play *play, struct word given,
    struct game_settings *game)
{
	struct word piece;

	game->bot_count = 0;
	while (word_next_piece(&given, ',', &piece)) {
		int64_t bot;

		if (game->bot_count == SCOPA_SEATS_MAX ||
		    !word_to_int(
			piece, 0, play->offer->game.bot_count - 1, &bot))
			return false;
		game->bots[game->bot_count++] = play->offer->game.bots[bot];
	}
	return game->bot_count > 0;
}

/* Reads the rules: those of the command, or a preset alone. */
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

/* Reads the time.  Each bot gets it, as all of a game have the same. */
static bool
read_time(struct word given, struct game_settings *game, bool *timed)
{
	struct scopa_text why = SCOPA_TEXT(WHY_SIZE);
	int64_t choice;

	if (!word_to_int(given, 0, TIME_COUNT - 1, &choice))
		return false;
	*timed = choice != TIME_NONE;
	if (times[choice] == NULL)
		return true;
	for (int i = 0; i < game->bot_count; i++)
		game->bots[i].control.given = false;
	return entrant_control_read(times[choice], &game->control, &why);
}

/*
 * Reads the form, pairs as in
 * `rules=scopa seats=2 persons=1 bots=0 time=0 hints=1`.
 */
static bool
read_form(const struct serve_play *play, const char *body,
    struct play_settings *settings, bool *timed, bool *hints)
{
	struct game_settings *game = &settings->game;
	struct words words;
	char persons[NAME_SIZE];
	int64_t hinted;

	words_split_pairs(body, &words);
	*settings = play->settings->play;
	if (!read_bots(play, words_find(&words, "bots"), game) ||
	    !read_rules(words_find(&words, "rules"), game) ||
	    !read_time(words_find(&words, "time"), game, timed) ||
	    !word_to_int(words_find(&words, "seats"), 2, SCOPA_SEATS_MAX,
		&game->seats) ||
	    !word_to_int(words_find(&words, "hints"), 0, 1, &hinted) ||
	    words_find(&words, "persons").bytes == NULL ||
	    !word_decode(
		words_find(&words, "persons"), persons, sizeof(persons)) ||
	    !play_seats_parse(persons, &settings->persons))
		return false;
	*hints = hinted != 0;
	/* The same cards once more would be known. */
	if (play->game_count > 0)
		game->seed.given = false;
	return true;
}

static void
post_game(void *context, struct http_request *request)
{
	struct serve_play *play = context;
	struct serve_table *table = NULL;
	struct play_settings *settings;
	bool timed = false, hints = false;
	size_t size;

	if (!is_admitted(play, request))
		return;
	settings = malloc(sizeof(*settings));
	if (settings == NULL)
		reply_error(request, 503, strerror(ENOMEM));
	else if (read_form(
		     play, http_body(request, &size), settings, &timed, &hints))
		table = begin_game(play, request, settings, timed, hints);
	else
		reply_error(request, 400, "the form is not complete");
	if (table != NULL)
		reply_table(request, table, -1);
	free(settings);
}

/*
 * Seats.
 */

/* The seat whose token the address has; NULL: none, and a reply was made. */
static struct serve_seat *
find_seat(const struct serve_play *play, struct http_request *request)
{
	const char *token = http_word(request, 0);
	struct serve_seat *found = NULL;

	for (int i = 0; i < SEATS_PER_SERVER; i++) {
		struct serve_table *table = play->tables[i / SCOPA_SEATS_MAX];
		struct serve_seat *seat =
		    table != NULL ? &table->seats[i % SCOPA_SEATS_MAX] : NULL;

		if (seat != NULL && serve_token_is(seat->token, token))
			found = seat;
	}
	if (found == NULL)
		http_reply_line(request, 404, "there is no such page");
	return found;
}

static void
get_seat(void *context, struct http_request *request)
{
	const struct serve_play *play = context;
	const struct serve_seat *seat = find_seat(play, request);
	struct json_memory data;
	struct json *json = &data.json;

	if (seat == NULL)
		return;
	if (!json_memory_begin(&data)) {
		reply_no_memory(request);
		return;
	}
	json_object_begin(json, NULL);
	json_string(json, "page", "seat");
	json_int(json, "seat", seat->seat + 1);
	json_int(json, "game", seat->table->number);
	json_bool(json, "hints", seat->table->hints);
	json_string(json, "hint", play->settings->play.hint);
	json_string(json, "record", play_record_path(&play->settings->play));
	json_string(json, "program", program_invocation_name);
	json_object_end(json);
	reply_page(request, &data);
}

static void
viewer_fill(void *context, FILE *file)
{
	struct viewer *viewer = context;
	char *text = NULL;
	size_t size = 0;
	FILE *lines;

	if (viewer->seat == NULL) {
		http_event(file, "replaced", NULL, "");
		return;
	}
	lines = open_memstream(&text, &size);
	if (lines == NULL)
		return;
	serve_seat_read(viewer->seat, &viewer->position, lines);
	if (viewer->question_count != viewer->seat->question_count) {
		viewer->question_count = viewer->seat->question_count;
		serve_seat_ask(viewer->seat, lines);
	}
	if (fclose(lines) == 0 && (size > 0 || !viewer->begun))
		http_event(file, viewer->begun ? NULL : "start", NULL, text);
	viewer->begun = true;
	free(text);
}

static void
viewer_close(void *context)
{
	struct viewer *viewer = context;

	if (viewer->seat != NULL) {
		viewer->seat->viewer = NULL;
		serve_seat_watch(viewer->seat, false);
	}
	free(viewer);
}

static void
get_events(void *context, struct http_request *request)
{
	static const struct http_stream_calls calls = { viewer_fill,
		viewer_close };
	struct serve_seat *seat = find_seat(context, request);
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
	serve_seat_watch(seat, true);
}

/* Replies to what a person asks for; `why`: it was refused. */
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
	struct serve_seat *seat = find_seat(context, request);
	size_t size;

	if (seat != NULL)
		reply_done(request,
		    serve_seat_answer(seat, http_body(request, &size)));
}

static void
post_hint(void *context, struct http_request *request)
{
	struct serve_seat *seat = find_seat(context, request);

	if (seat != NULL)
		reply_done(request, serve_seat_hint(seat));
}

static void
post_stop(void *context, struct http_request *request)
{
	struct serve_seat *seat = find_seat(context, request);

	if (seat == NULL)
		return;
	if (seat->table->state == SERVE_TABLE_PLAYING)
		serve_table_stop(seat->table);
	reply_done(request, NULL);
}

/*
 * The next game at the same table: everybody goes on by one seat, so that
 * another one begins.
 */
static void
rotate(struct play_settings *settings, int seat_count)
{
	struct game_settings *game = &settings->game;
	unsigned last = settings->persons >> (seat_count - 1) & 1;
	int bots = game->bot_count;

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

/* The table of a game, or NULL. */
static struct serve_table *
find_table(const struct serve_play *play, int number)
{
	for (int i = 0; i < SERVE_TABLES_MAX; i++)
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
	struct serve_seat *seat = find_seat(play, request);
	struct serve_table *table, *next;
	struct play_settings *settings;
	int place, number;

	if (seat == NULL)
		return;
	table = seat->table;
	if (table->state == SERVE_TABLE_PLAYING) {
		reply_error(request, 409, "the game is not over");
		return;
	}
	number = table->number;
	place = (seat->seat + 1) % table->setup.config.rules.rules.players;
	next = find_table(play, table->next_number);
	if (next != NULL) {
		reply_table(request, next, place);
		return;
	}
	settings = malloc(sizeof(*settings));
	if (settings == NULL) {
		reply_error(request, 503, strerror(ENOMEM));
		return;
	}
	*settings = table->setup.settings;
	rotate(settings, table->setup.config.rules.rules.players);
	/* This may take the place of the table. */
	next = begin_game(play, request, settings,
	    table->setup.entrants[0].is_timed, table->hints);
	table = find_table(play, number);
	if (next != NULL && table != NULL)
		table->next_number = next->number;
	if (next != NULL)
		reply_table(request, next, place);
	free(settings);
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

static void
on_news(struct serve_seat *seat)
{
	struct viewer *viewer = seat->viewer;

	if (viewer != NULL)
		http_stream_wake(viewer->stream);
}

static bool
is_playing(const struct serve_play *play)
{
	for (int i = 0; i < SERVE_TABLES_MAX; i++)
		if (play->tables[i] != NULL &&
		    play->tables[i]->state != SERVE_TABLE_GONE)
			return true;
	return false;
}

static void
on_gone(struct serve_table *table)
{
	const struct serve_play *play = table->config->context;

	if (play->on_stopped != NULL && !is_playing(play))
		play->on_stopped(play->stopped_context);
}

/* Lists the bots of the command, and the built-in ones that are not there. */
static enum status
offer_bots(struct serve_play *play)
{
	struct game_settings *game;
	int given;

	play->offer = malloc(sizeof(*play->offer));
	play->builtin_names =
	    calloc((size_t)builtin_count, sizeof(*play->builtin_names));
	if (play->offer == NULL || play->builtin_names == NULL)
		return game_setup_error(-ENOMEM);
	*play->offer = play->settings->play;
	game = &play->offer->game;
	given = game->bot_count;
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
		status = offer_bots(play);
	if (status == STATUS_DONE)
		status = game_setup_bots(&play->offer->game, NULL,
		    ENTRANT_TO_PLAY, &play->bots, &play->config);
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
	const char *record = play_record_path(&settings->play);
	struct serve_play *play = calloc(1, sizeof(*play));
	enum status status;
	int error;

	*opened = play;
	if (play == NULL)
		return game_setup_error(-ENOMEM);
	play->settings = settings;
	play->table_config.record_fd = -1;
	error = serve_token_draw(play->token);
	if (!error)
		error = process_make_room(SEATS_PER_SERVER, OTHER_FDS);
	if (!error)
		error = child_tracker_adopt();
	if (error)
		return game_setup_error(error);
	snprintf(play->path, sizeof(play->path), "/play/%s/", play->token);
	status = read_game(play);
	if (status != STATUS_DONE)
		return status;
	play->record_is_new = record != NULL && access(record, F_OK) != 0;
	play->table_config = (struct serve_table_config){
		.loop = loop,
		.sandbox = play->config.rules.sandbox,
		.grace_ns = settings->grace_s * CLOCK_NS_PER_S,
		.on_news = on_news,
		.on_gone = on_gone,
		.context = play,
	};
	status =
	    play_record_open(&settings->play, &play->table_config.record_fd);
	if (status == STATUS_DONE)
		http_serve(http, routes, play);
	return status;
}

void
serve_play_close(struct serve_play *play)
{
	const char *record;

	if (play == NULL)
		return;
	record = play_record_path(&play->settings->play);
	for (int i = 0; i < SERVE_TABLES_MAX; i++)
		close_table(play, i);
	if (play->table_config.record_fd >= 0) {
		/* No new file is left where there was no game. */
		if (play->record_is_new &&
		    lseek(play->table_config.record_fd, 0, SEEK_END) == 0)
			unlink(record);
		close(play->table_config.record_fd);
	}
	if (play->config.rules.sandbox != NULL)
		sandbox_close(&play->sandbox);
	game_bots_release(&play->bots);
	free(play->offer);
	free(play->builtin_names);
	child_tracker_settle();
	free(play);
}

const char *
serve_play_path(const struct serve_play *play)
{
	return play->path;
}

bool
serve_play_stop(
    struct serve_play *play, void (*on_stopped)(void *context), void *context)
{
	if (!is_playing(play))
		return false;
	for (int i = 0; i < SERVE_TABLES_MAX; i++)
		if (play->tables[i] != NULL &&
		    play->tables[i]->state != SERVE_TABLE_GONE)
			serve_table_stop(play->tables[i]);
	play->on_stopped = on_stopped;
	play->stopped_context = context;
	return is_playing(play);
}
