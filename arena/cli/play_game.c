/*
 * Implements play_game.h.
 *
 * A stopped game continues from its record, which has the rules, the seats, the
 * secret of the packs and all moves.  These moves are made again before a
 * person or a bot is asked.
 */
#include "play_game.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "command.h"
#include "match_person.h"
#include "players.h"
#include "scopa/notation.h"
#include "summary.h"
#include "text_format.h"
#include "version.h"

bool
play_seats_parse(const char *text, unsigned *seats)
{
	struct word rest = { text, strlen(text) }, piece;
	unsigned parsed = 0;

	while (word_next_piece(&rest, ',', &piece)) {
		int64_t seat;

		if (!word_to_int(piece, 1, SCOPA_SEATS_MAX, &seat) ||
		    parsed & 1u << (seat - 1))
			return false;
		parsed |= 1u << (seat - 1);
	}
	if (parsed == 0)
		return false;
	*seats = parsed;
	return true;
}

static bool
parse_persons(const char *value, void *field, struct scopa_text *why)
{
	return play_seats_parse(value, field) ||
	    option_refuse(why, "expects a seat or several, such as 1,3");
}

/* Checks the names of persons; an empty one is the usual name. */
static bool
check_names(const char *value, struct scopa_text *why)
{
	struct word rest = word_of(value), piece;

	while (word_next_piece(&rest, ',', &piece))
		if (!entrant_name_fits(piece, why))
			return false;
	return true;
}

#define FIELD(name) offsetof(struct play_settings, name)

const struct option play_person_options[] = {
	PARSED_OPTION("person", "SEAT[,SEAT...]", FIELD(persons), parse_persons,
	    "The seats of persons. Seat 1 plays first in the first deal.",
	    .fallback = "1"),
	TEXT_OPTION("name", "NAME[,NAME...]", FIELD(names),
	    "The names of the persons, in the order of their seats.",
	    .check = check_names),
	TEXT_OPTION("hint", "BOT", FIELD(hint),
	    "The bot that gives hints. It is shown what the seat knows, and "
	    "has a second.",
	    .fallback = PLAY_BOT_USUAL),
	TEXT_OPTION("record", "FILE|none", FIELD(record),
	    "Append the record of the game to this file. Without "
	    "it: " PLAY_RECORD_USUAL ".",
	    .is_path = true, .is_written = true),
	OPTIONS_END,
};

enum status
play_hint_check(const struct play_settings *settings)
{
	const struct entrant_words words = { .command = settings->hint };
	struct entrant bot;
	enum status status = entrant_read(&bot, &words, ENTRANT_TO_PLAY);

	if (status != STATUS_DONE)
		error_value_line(settings->hint);
	return status;
}

/*
 * The record.
 */

const char *
play_record_path(const struct play_settings *settings)
{
	const char *path = settings->record;

	if (path == NULL)
		return PLAY_RECORD_USUAL;
	return strcmp(path, "none") == 0 ? NULL : path;
}

/*
 * Setting up: each step needs the values that the steps before it have read.
 */

int
play_person_count(const struct play_game *game)
{
	return __builtin_popcount(game->settings.persons);
}

static bool
is_person(const struct play_game *game, int seat)
{
	return game->settings.persons >> seat & 1;
}

/*
 * Names the bots of the record, if they are built in and no bots were named.
 * Bots of the same name are one bot at several seats.
 */
static enum status
name_bots(struct play_game *game)
{
	struct game_settings *settings = &game->settings.game;
	const struct event_seat *seats = game->head.game.seats;
	bool same = true;
	int count = 0;

	for (int seat = 0; seat < game->head.rules.players; seat++) {
		char *command = game->commands[count];

		if (is_person(game, seat))
			continue;
		snprintf(command, sizeof(game->commands[count]), "@%s",
		    seats[seat].name);
		if (builtin_find(command + 1) == NULL)
			return error_usage("name the bots as for a new game",
			    "--resume: \"%s\" is not built in",
			    seats[seat].name);
		settings->bots[count].command = command;
		same &= strcmp(command, game->commands[0]) == 0;
		count++;
	}
	settings->bot_count = same && count > 1 ? 1 : count;
	return STATUS_DONE;
}

/* The last game of a record file, as far as the walk has come. */
struct last_game {
	struct play_game *game;
	bool stopped; /* before its end */
};

static int
visit_game(void *context, const struct record_visit *visit)
{
	struct last_game *last = context;
	const struct game_record *record = visit->record;
	struct summary summary;
	int error = positions_collect(&last->game->past, visit);

	if (error)
		return error;
	last->game->head = *replay_head(visit->replay);
	last->stopped =
	    summary_read(&summary, record->bytes, record->size) == 0 &&
	    strcmp(summary.reason, "abort") == 0;
	return 0;
}

/*
 * Reads what the tag of the game says.  Returns false if something is missing.
 */
static bool
read_tag(struct play_game *game)
{
	char secret[SHUFFLE_HEX_SIZE], persons[SHUFFLE_HEX_SIZE];
	struct words words;

	words_split_pairs(game->head.game.tag, &words);
	game->settings.game.seed.given = true;
	return word_decode(
		   words_find(&words, "secret"), secret, sizeof(secret)) &&
	    word_decode(
		words_find(&words, "persons"), persons, sizeof(persons)) &&
	    shuffle_key_parse(secret, &game->settings.game.seed.key) &&
	    play_seats_parse(persons, &game->settings.persons);
}

/* Reads the game to go on with, the last one of its file, if there is one. */
static enum status
read_resume(struct play_game *game)
{
	struct play_settings *settings = &game->settings;
	struct last_game last = { .game = game };
	const char *path = settings->resume;
	char *file, *files[] = { NULL, NULL };
	enum status status;

	if (path == NULL)
		return STATUS_DONE;
	if (settings->record != NULL && strcmp(settings->record, path) != 0)
		return error_usage("leave out --record",
		    "--record %s: a game is resumed in its own file",
		    settings->record);
	file = files[0] = strdup(path);
	if (file == NULL)
		return memory_error();
	status = record_walk_good(visit_game, &last, NULL, files);
	free(file);
	if (status == STATUS_DONE && !read_tag(game))
		status = error_usage(
		    "name the file of --record of an earlier " VERSION_NAME
		    " play",
		    "\"%s\": persons did not play its last game, or its cards "
		    "came from a file of packs",
		    path);
	else if (status == STATUS_DONE && !last.stopped)
		status = error_usage("leave out --resume to begin another game",
		    "\"%s\": its last game is over", path);
	settings->record = path;
	settings->game.packs.path = NULL;
	return status == STATUS_DONE && settings->game.bot_count == 0
	    ? name_bots(game)
	    : status;
}

/* Sets the rules: those of the record, or those of the options. */
static enum status
read_rules(struct play_game *game)
{
	struct game_settings *settings = &game->settings.game;
	struct match_rules *rules = &game->config.rules;
	enum status status;

	if (game->settings.resume != NULL) {
		rules->rules = game->head.rules;
		rules->preset = game->head.preset;
		rules->deals = game->head.deals;
		rules->max_deals = game->head.game.match.max_deals;
		return STATUS_DONE;
	}
	if (settings->bot_count == 0 && play_person_count(game) == 1) {
		settings->bots[0].command = PLAY_BOT_USUAL;
		settings->bot_count = 1;
	}
	status = game_setup_rules(settings, 0, rules);
	/* A single bot may sit at several seats. */
	if (status != STATUS_DONE ||
	    (settings->bot_count == 1 &&
		play_person_count(game) < rules->rules.players &&
		game->settings.persons >> rules->rules.players == 0))
		return status;
	return game_setup_rules(
	    settings, play_person_count(game) + settings->bot_count, rules);
}

/* Checks that persons and bots fill the seats. */
static enum status
check_seats(struct play_game *game)
{
	int seats = game->config.rules.rules.players;
	int bots = game->settings.game.bot_count;
	int free_count = seats - play_person_count(game);

	if (game->settings.persons >> seats != 0)
		return error_usage("--seats N gives a game of more seats, if "
				   "the rules allow it",
		    "--person names a seat that the game does not have: it has "
		    "%d",
		    seats);
	if (bots == free_count || (bots == 1 && free_count > 0))
		return STATUS_DONE;
	error_print("%d bot%s for %d seat%s without a person", bots,
	    text_plural(bots), free_count, text_plural(free_count));
	if (free_count > 0)
		error_detail("hint",
		    "name one bot for all of them, or one for each seat");
	error_detail("try", VERSION_NAME " play --help");
	return STATUS_USAGE;
}

/*
 * Names a person, by number and seat: as in the record, by one of the names of
 * --name, or `you`.
 */
static void
name_person(const struct play_game *game, int number, int seat,
    char name[EVENT_NAME_SIZE])
{
	const struct play_settings *settings = &game->settings;
	int persons = play_person_count(game);
	int at = (settings->name_offset + number) % persons;
	struct word names = word_of(text_or_none(settings->names));
	struct word piece = { "", 0 };

	while (at-- >= 0)
		if (!word_next_piece(&names, ',', &piece))
			piece.length = 0;
	if (settings->resume != NULL)
		memcpy(name, game->head.game.seats[seat].name, EVENT_NAME_SIZE);
	else if (piece.length > 0)
		snprintf(name, EVENT_NAME_SIZE, "%.*s", (int)piece.length,
		    piece.bytes);
	else if (persons == 1)
		snprintf(name, EVENT_NAME_SIZE, PLAY_NAME_USUAL);
	else
		snprintf(name, EVENT_NAME_SIZE, "person-%d", seat + 1);
}

/* Reads the bots, and gives each bot and person a seat. */
static enum status
read_bots(struct play_game *game)
{
	const struct game_settings *settings = &game->settings.game;
	const struct plan plan = {
		.rules = &game->config.rules.rules,
		.entrant_count = game->config.rules.rules.players,
		.rounds = 1,
	};
	int persons = 0, bots = 0;
	enum status status = game_setup_bots(
	    settings, NULL, ENTRANT_TO_PLAY, &game->bots, &game->config);

	if (status != STATUS_DONE)
		return status;
	game->spec = plan_game(&plan, 0);
	for (int i = 0; i < settings->bot_count; i++)
		game->entrants[play_person_count(game) + i] =
		    game->bots.entrants[i];
	for (int seat = 0; seat < plan.rules->players; seat++) {
		struct entrant *entrant = &game->entrants[persons];

		if (!is_person(game, seat)) {
			game->spec.entrant[seat] = play_person_count(game) +
			    (settings->bot_count == 1 ? 0 : bots++);
			continue;
		}
		entrant->is_person = true;
		entrant->is_timed = game->settings.timed;
		entrant->observes = game->host->observes;
		name_person(game, persons, seat, entrant->name);
		game->spec.entrant[seat] = persons++;
	}
	return STATUS_DONE;
}

static enum status
read_packs(struct play_game *game)
{
	const struct game_settings *settings = &game->settings.game;
	enum status status = game_setup_secret(settings, &game->config.rules);

	return status == STATUS_DONE
	    ? game_setup_packs(settings, &game->packs, &game->config.rules)
	    : status;
}

static enum status
read_sandbox(struct play_game *game)
{
	enum status status;

	if (game->host->sandbox != NULL) {
		game->config.rules.sandbox = game->host->sandbox;
		return STATUS_DONE;
	}
	status = game_setup_sandbox(&game->settings.game,
	    play_record_path(&game->settings), &game->sandbox, &game->config);
	if (status == STATUS_DONE)
		entrants_warn(game->bots.entrants, game->config.entrant_count,
		    game->config.rules.sandbox);
	return status;
}

static enum status (*const steps[])(struct play_game *game) = {
	read_resume,
	read_rules,
	check_seats,
	read_bots,
	read_packs,
	read_sandbox,
};

enum status
play_game_open(struct play_game *game, const struct play_settings *settings,
    const struct play_host *host, void *owner)
{
	enum status status = STATUS_DONE;

	memset(game, 0, sizeof(*game));
	game->settings = *settings;
	game->host = host;
	game->owner = owner;
	for (int i = 0; i < COUNTOF(steps) && status == STATUS_DONE; i++)
		status = steps[i](game);
	game->config.rules.unrecorded =
	    play_record_path(&game->settings) == NULL;
	return status;
}

/*
 * The match.
 */

bool
play_game_replays(const struct play_game *game)
{
	return game->replayed < game->past.count;
}

void
play_game_answer(struct play_game *game, int seat, const char *line)
{
	play_hint_close(game, seat);
	match_answer(game->match, seat, line);
}

void
play_game_move(struct play_game *game, int seat, const struct scopa_move *move)
{
	char line[EVENT_SPEC_SIZE];

	snprintf(line, sizeof(line), "move %s", move_text(move));
	play_game_answer(game, seat, line);
}

/* Makes the next move of the part that was played before. */
static void
on_replay(struct loop_deadline *deadline, int64_t now_ns)
{
	struct play_game *game = deadline->context;
	const struct position *past = &game->past.items[game->replayed++];

	(void)now_ns;
	assert(past->deal.turn == game->match->referee.game.deal.turn);
	play_game_move(game, past->deal.turn, &past->move);
}

static bool
on_due(struct match *match, int seat, const char *lines)
{
	struct play_game *game = match->context;
	const struct referee_seat *state = &match->referee.seats[seat];
	bool replays = state->session.phase == SESSION_THINK && !state->sent &&
	    play_game_replays(game);

	if (is_person(game, seat))
		game->host->on_lines(game, seat, lines);
	if (replays)
		loop_deadline_set(
		    game->host->loop, &game->replay, clock_now_ns());
	return replays || is_person(game, seat);
}

static void
close_hints(struct play_game *game)
{
	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
		play_hint_close(game, seat);
}

static void
end(struct play_game *game)
{
	game->state = PLAY_OVER;
	close_hints(game);
	game->host->on_over(game);
}

static void
on_over(struct match *match)
{
	struct play_game *game = match->context;
	struct record *record = &match->record;
	int fd = game->host->record.fd;

	/* A game whose bot did not start has nothing to be recorded. */
	if (fd >= 0 &&
	    (match->fault.seat < 0 || match->fault.kind != OFFENCE_STARTUP)) {
		game->record_error = record_sum(record);
		if (game->record_error == 0)
			game->record_error =
			    record_file_append(fd, record->bytes, record->size);
		game->recorded = game->record_error == 0;
	}
	end(game);
	match_stop(match);
}

static void
on_gone(struct match *match)
{
	struct play_game *game = match->context;

	/* A game that had not begun is dropped. */
	if (game->state == PLAY_ON)
		end(game);
	game->state = PLAY_GONE;
	game->host->on_gone(game);
}

static void
on_failure(struct match *match, int error)
{
	struct play_game *game = match->context;

	game->failure = game_setup_error(error);
	end(game);
	match_kill(match);
}

static const struct match_events match_calls = {
	.on_over = on_over,
	.on_gone = on_gone,
	.on_failure = on_failure,
	.on_due = on_due,
};

static void on_hint_output(struct loop_watch *watch, uint32_t events);

enum status
play_game_begin(struct play_game *game)
{
	struct loop *loop = game->host->loop;
	int error;

	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++) {
		struct play_hint *hint = &game->hints[seat];

		hint->game = game;
		hint->seat = seat;
		hint->watch = (struct loop_watch){
			.on_ready = on_hint_output,
			.context = hint,
			.fd = -1,
		};
	}
	game->replay.on_deadline = on_replay;
	game->replay.context = game;
	error = loop_deadline_open(loop, &game->replay);
	if (!error)
		error = match_open(&game->match, loop, &game->config.rules,
		    game->entrants, &match_calls, game);
	if (error)
		return game_setup_error(error);
	match_play(game->match, &game->spec);
	return STATUS_DONE;
}

void
play_game_stop(struct play_game *game)
{
	close_hints(game);
	if (game->state != PLAY_ON || game->stopping) {
		match_kill(game->match);
		return;
	}
	game->stopping = true;
	match_abort(game->match);
}

void
play_game_close(struct play_game *game)
{
	match_close(game->match);
	close_hints(game);
	loop_deadline_close(game->host->loop, &game->replay);
	if (game->config.rules.sandbox == &game->sandbox)
		sandbox_close(&game->sandbox);
	pack_file_close(&game->packs);
	game_bots_release(&game->bots);
	free(game->past.items);
}

/*
 * Hints.
 */

/* The child ends, and its output is closed. */
static void
finish_hint(struct play_hint *hint)
{
	int fd = hint->watch.fd;

	loop_watch_close(hint->game->host->loop, &hint->watch);
	close(fd);
	while (waitpid(hint->child, NULL, 0) < 0 && errno == EINTR)
		continue;
	hint->child = 0;
}

void
play_hint_close(struct play_game *game, int seat)
{
	struct play_hint *hint = &game->hints[seat];

	if (hint->child == 0)
		return;
	kill(hint->child, SIGTERM);
	finish_hint(hint);
}

/* Reads the answer, which is one line with a move. */
static void
on_hint_output(struct loop_watch *watch, uint32_t events)
{
	struct play_hint *hint = watch->context;
	struct scopa_move move;
	ssize_t got = read(watch->fd, hint->answer + hint->length,
	    sizeof(hint->answer) - hint->length);
	size_t length;
	bool parsed;

	(void)events;
	if (got < 0 && errno == EINTR)
		return;
	if (got > 0) {
		hint->length += (size_t)got;
		if (hint->length < sizeof(hint->answer))
			return;
	}
	finish_hint(hint);
	length = hint->length;
	while (length > 0 && hint->answer[length - 1] == '\n')
		length--;
	parsed = scopa_move_parse(hint->answer, length, &move) == SCOPA_PARSED;
	hint->game->host->on_hint(
	    hint->game, hint->seat, parsed ? &move : NULL);
}

/*
 * Puts the position into a file without a name.  The arguments of a process can
 * be read by others, such as bots without a sandbox.  Returns a descriptor or
 * -errno.
 */
static int
make_state_file(const char *state)
{
	int fd = memfd_create("state", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (dprintf(fd, "%s\n", state) < 0 || lseek(fd, 0, SEEK_SET) < 0) {
		int error = -errno;

		close(fd);
		return error;
	}
	return fd;
}

/*
 * Starts the child, with these descriptors as its standard input and output.
 * It gets the signals that the event loop of this process reads or ignores.
 * Returns 0 or -errno.
 */
static int
start_hint(struct play_hint *hint, int input, int output)
{
	const struct play_settings *settings = &hint->game->settings;
	const char *const words[] = { program_invocation_name, "ask",
		settings->hint, "--state", "-", "--quiet", "--tc", "move:1",
		"--sandbox",
		settings->game.sandbox == SANDBOX_OFF ? "off" : "auto", NULL };
	/* posix_spawn() takes texts that are not constant, and changes none. */
	char *arguments[COUNTOF(words)];
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, standard;
	int error;

	memcpy(arguments, words, sizeof(arguments));
	sigemptyset(&none);
	sigemptyset(&standard);
	sigaddset(&standard, SIGPIPE);
	/* The calls whose results are ignored cannot fail. */
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &standard);
	posix_spawnattr_setflags(
	    &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&files);
	error = posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(
		    &files, output, STDOUT_FILENO);
	if (!error)
		error = posix_spawn_file_actions_addopen(
		    &files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (!error)
		error = posix_spawn(&hint->child, "/proc/self/exe", &files,
		    &attributes, arguments, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	if (error)
		hint->child = 0;
	return -error;
}

int
play_hint_ask(struct play_game *game, int seat, const char *state)
{
	struct play_hint *hint = &game->hints[seat];
	int ends[2], error, input = make_state_file(state);

	if (input < 0)
		return input;
	error = pipe2(ends, O_CLOEXEC) < 0 ? -errno : 0;
	if (error)
		goto close_input;
	hint->length = 0;
	error =
	    loop_watch_open(game->host->loop, &hint->watch, ends[0], EPOLLIN);
	if (!error) {
		error = start_hint(hint, input, ends[1]);
		if (error)
			loop_watch_close(game->host->loop, &hint->watch);
	}
	if (error)
		close(ends[0]);
	close(ends[1]);
close_input:
	close(input);
	return error;
}
