/*
 * Implements serve_table.h.
 */
#include "serve_table.h"

#include <errno.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "command.h"
#include "match_person.h"
#include "scopa/notation.h"
#include "text_format.h"

enum { ANSWER_SIZE = 256 };

int
serve_token_draw(char token[SERVE_TOKEN_SIZE])
{
	struct shuffle_key key;
	int error = shuffle_key_draw(&key);

	if (!error)
		sodium_bin2hex(token, SERVE_TOKEN_SIZE, key.bytes,
		    (SERVE_TOKEN_SIZE - 1) / 2);
	return error;
}

bool
serve_token_is(const char expected[SERVE_TOKEN_SIZE], const char *token)
{
	return expected[0] != '\0' && strlen(token) == SERVE_TOKEN_SIZE - 1 &&
	    sodium_memcmp(expected, token, SERVE_TOKEN_SIZE - 1) == 0;
}

static void
notify(struct serve_seat *seat)
{
	if (seat->log != NULL)
		fflush(seat->log);
	seat->table->config->on_news(seat);
}

/* Adds a line of the server's own to what all persons see. */
static void __attribute__((format(printf, 2, 3)))
announce(struct serve_table *table, const char *format, ...)
{
	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++) {
		va_list arguments;

		if (table->seats[seat].log == NULL)
			continue;
		va_start(arguments, format);
		vfprintf(table->seats[seat].log, format, arguments);
		va_end(arguments);
		notify(&table->seats[seat]);
	}
}

/*
 * The question.
 */

/* Sets the open question; NULL: there is none, or no memory for it. */
static void
set_question(struct serve_seat *seat, char *question)
{
	free(seat->question);
	seat->question = question;
	seat->question_count++;
}

static void
close_question(struct serve_seat *seat)
{
	if (seat->hinting)
		hint_close(&seat->hint);
	seat->hinting = false;
	set_question(seat, NULL);
}

/* The words of a line of the question that has this verb. */
static bool
question_words(
    const struct serve_seat *seat, const char *verb, struct words *words)
{
	const char *line = seat->question;

	while (line != NULL && *line != '\0') {
		size_t length = strcspn(line, "\n");

		if (word_is(words_first(line, length), verb)) {
			words_split(line, length, words);
			return true;
		}
		line += length + (line[length] == '\n');
	}
	return false;
}

/* Whether a move is among those that are offered. */
static bool
is_offered(const struct serve_seat *seat, struct word move)
{
	const char *line = strstr(seat->question, "\nlegal ");
	struct word rest, piece;

	if (line == NULL)
		return false;
	line += strlen("\nlegal ");
	rest = (struct word){ line, strcspn(line, "\n") };
	while (word_next_piece(&rest, ' ', &piece))
		if (word_equal(piece, move) && !word_is(piece, "..."))
			return true;
	return false;
}

const char *
serve_seat_answer(struct serve_seat *seat, const char *line)
{
	struct words words, go;
	char answer[ANSWER_SIZE];

	words_split(line, strcspn(line, "\n"), &words);
	if (words.count != 3 || !word_is(words.word[0], "move") ||
	    words.line_length >= sizeof(answer))
		return "not of the form: move MOVE turn=ID";
	if (!question_words(seat, "go", &go) ||
	    !word_equal(words_find(&words, "turn"), words_find(&go, "turn")))
		return "this is no answer to the open question";
	if (!is_offered(seat, words.word[1]))
		return "this is none of the legal moves";
	snprintf(answer, sizeof(answer), "%.*s", (int)words.line_length,
	    words.word[0].bytes);
	close_question(seat);
	notify(seat);
	match_answer(seat->table->match, seat->seat, answer);
	return NULL;
}

static void
on_hint(void *context, const struct scopa_move *move)
{
	struct serve_seat *seat = context;
	char *question;
	struct scopa_text text = SCOPA_TEXT(ANSWER_SIZE);

	seat->hinting = false;
	if (move != NULL)
		scopa_move_format(move, &text);
	else
		scopa_text_string(&text, "-");
	if (asprintf(&question, "%sx-hint %s\n", seat->question, text.bytes) <
	    0)
		return;
	set_question(seat, question);
	notify(seat);
}

const char *
serve_seat_hint(struct serve_seat *seat)
{
	size_t length;
	char *state;
	int error;

	if (!seat->table->hints)
		return "this game has no hints";
	if (seat->question == NULL)
		return "there is no open question";
	if (seat->hinting)
		return NULL;
	length = strcspn(seat->question, "\n");
	state = strndup(seat->question, length);
	error = state == NULL ? -ENOMEM : hint_ask(&seat->hint, state);
	free(state);
	seat->hinting = error == 0;
	return error ? strerror(-error) : NULL;
}

void
serve_seat_read(struct serve_seat *seat, size_t *position, FILE *file)
{
	fwrite(seat->lines + *position, 1, seat->size - *position, file);
	*position = seat->size;
}

void
serve_seat_ask(struct serve_seat *seat, FILE *file)
{
	const struct referee_seat *state =
	    &seat->table->match->referee.seats[seat->seat];
	int64_t left_ns = state->deadline_ns - clock_now_ns();

	if (seat->question == NULL)
		return;
	fputs(seat->question, file);
	if (state->deadline_ns != BUDGET_NEVER)
		fprintf(file, "x-left %jd\n",
		    left_ns > 0 ? left_ns / CLOCK_NS_PER_MS : 0);
}

/*
 * Pages that come and go.
 */

void
serve_seat_watch(struct serve_seat *seat, bool watched)
{
	seat->watched = watched;
	if (watched || seat->table->state != SERVE_TABLE_PLAYING)
		loop_deadline_clear(&seat->grace);
	else
		loop_deadline_set(seat->table->config->loop, &seat->grace,
		    clock_now_ns() + seat->table->config->grace_ns);
}

static void
on_grace(struct loop_deadline *deadline, int64_t now_ns)
{
	struct serve_seat *seat = deadline->context;

	(void)now_ns;
	if (seat->table->state == SERVE_TABLE_PLAYING)
		serve_table_stop(seat->table);
}

/*
 * The match.
 */

/* A person is always ready. */
static void
on_barrier(struct loop_deadline *deadline, int64_t now_ns)
{
	struct serve_seat *seat = deadline->context;

	(void)now_ns;
	if (seat->table->state == SERVE_TABLE_PLAYING)
		match_answer(seat->table->match, seat->seat, "readyok");
}

static bool
on_due(struct match *match, int index, const char *lines)
{
	struct serve_table *table = match->context;
	struct serve_seat *seat = &table->seats[index];

	if (!match_is_person(match, index))
		return false;
	while (*lines != '\0') {
		size_t length = strcspn(lines, "\n");
		struct word verb = words_first(lines, length);

		length += lines[length] == '\n';
		if (word_is(verb, "state")) {
			set_question(seat, strdup(lines));
			break;
		}
		if (word_is(verb, "isready") && match->referee.opened) {
			/* The time of the person was up. */
			close_question(seat);
			loop_deadline_set(table->config->loop, &seat->barrier,
			    clock_now_ns());
		} else {
			fwrite(lines, 1, length, seat->log);
		}
		lines += length;
	}
	notify(seat);
	return true;
}

static void
on_over(struct match *match)
{
	struct serve_table *table = match->context;
	const struct match_fault *fault = &match->fault;
	int fd = table->config->record_fd;
	int error = 0;

	table->state = SERVE_TABLE_OVER;
	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
		close_question(&table->seats[seat]);
	if (fault->seat >= 0)
		announce(table, "x-fault %d %s %s\n", fault->seat + 1,
		    offence_name(fault->kind), fault->reason);
	/* A game whose bot did not start has nothing to be recorded. */
	if (fd >= 0 && (fault->seat < 0 || fault->kind != OFFENCE_STARTUP)) {
		error = record_sum(&match->record);
		if (!error)
			error = record_file_append(
			    fd, match->record.bytes, match->record.size);
		if (error)
			(void)error_status(STATUS_ENVIRONMENT, NULL, NULL,
			    "record file \"%s\": %s",
			    table->setup.settings.record, strerror(-error));
	}
	announce(table, "x-over %s\n",
	    error                 ? "failed"
		: table->stopping ? "stopped"
				  : "done");
	match_stop(match);
}

static void
on_gone(struct match *match)
{
	struct serve_table *table = match->context;

	/* A game that had not begun is dropped. */
	if (table->state == SERVE_TABLE_PLAYING)
		announce(table, "x-over stopped\n");
	table->state = SERVE_TABLE_GONE;
	table->config->on_gone(table);
}

static void
on_failure(struct match *match, int error)
{
	struct serve_table *table = match->context;

	(void)game_setup_error(error);
	table->state = SERVE_TABLE_OVER;
	announce(table, "x-over failed\n");
	match_kill(match);
}

static const struct match_events match_calls = {
	.on_over = on_over,
	.on_gone = on_gone,
	.on_failure = on_failure,
	.on_due = on_due,
};

/* Prepares a seat.  Returns 0 or -errno. */
static int
open_seat(struct serve_table *table, struct serve_seat *seat, bool is_person)
{
	const struct serve_table_config *config = table->config;
	const struct play_settings *settings = &table->setup.settings;
	int error = 0;

	seat->grace.on_deadline = on_grace;
	seat->barrier.on_deadline = on_barrier;
	seat->grace.context = seat->barrier.context = seat;
	if (!is_person)
		return 0;
	seat->hint = (struct hint){
		.loop = config->loop,
		.command = settings->hint,
		.sandbox =
		    settings->game.sandbox == SANDBOX_OFF ? "off" : "auto",
		.on_hint = on_hint,
		.context = seat,
	};
	hint_open(&seat->hint);
	seat->log = open_memstream(&seat->lines, &seat->size);
	if (seat->log == NULL)
		return -errno;
	error = serve_token_draw(seat->token);
	if (!error)
		error = loop_deadline_open(config->loop, &seat->grace);
	if (!error)
		error = loop_deadline_open(config->loop, &seat->barrier);
	if (!error)
		serve_seat_watch(seat, false);
	return error;
}

/* Opens seats and match, and begins the game.  Returns 0 or -errno. */
static int
begin(struct serve_table *table, bool timed)
{
	struct play_setup *setup = &table->setup;
	int error = 0;

	for (int i = 0; i < setup->config.rules.rules.players; i++) {
		struct entrant *entrant =
		    &setup->entrants[setup->spec.entrant[i]];

		if (entrant->is_person) {
			entrant->is_timed = timed;
			entrant->observes = true;
		}
		error = open_seat(table, &table->seats[i], entrant->is_person);
		if (error)
			return error;
	}
	error = match_open(&table->match, table->config->loop,
	    &setup->config.rules, setup->entrants, &match_calls, table);
	if (!error)
		match_play(table->match, &setup->spec);
	return error;
}

enum status
serve_table_open(struct serve_table **opened,
    const struct serve_table_config *config,
    const struct play_settings *settings, bool timed)
{
	struct serve_table *table = calloc(1, sizeof(*table));
	enum status status;
	int error;

	*opened = table;
	if (table == NULL)
		return game_setup_error(-ENOMEM);
	table->config = config;
	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++) {
		table->seats[seat].table = table;
		table->seats[seat].seat = seat;
	}
	status = play_setup_open(&table->setup, settings, config->sandbox);
	if (status != STATUS_DONE)
		return status;
	error = begin(table, timed);
	return error ? game_setup_error(error) : STATUS_DONE;
}

void
serve_table_close(struct serve_table *table)
{
	struct loop *loop;

	if (table == NULL)
		return;
	loop = table->config->loop;
	match_close(table->match);
	for (int i = 0; i < SCOPA_SEATS_MAX; i++) {
		struct serve_seat *seat = &table->seats[i];

		close_question(seat);
		loop_deadline_close(loop, &seat->grace);
		loop_deadline_close(loop, &seat->barrier);
		if (seat->log != NULL)
			fclose(seat->log);
		free(seat->lines);
	}
	play_setup_close(&table->setup);
	free(table);
}

void
serve_table_stop(struct serve_table *table)
{
	if (table->state != SERVE_TABLE_PLAYING || table->stopping) {
		match_kill(table->match);
		return;
	}
	table->stopping = true;
	match_abort(table->match, "interrupted");
}
