/*
 * Implements job.h, which describes the two texts.
 *
 * The same functions write a text and read it.  Writing appends each piece;
 * reading accepts a piece only in the form in which it is written.  So one
 * meaning has one text: no further blank, zero, word or comment, no key twice,
 * and no line of a later version.
 */
#include "job.h"

#include <assert.h>
#include <endian.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "buffers.h"
#include "countof.h"
#include "dispatcher.h"
#include "words.h"

enum { PIECE_SIZE = 128, REASON_SIZE = 256 };

/* The texts of a fault, and their keys. */
static const struct {
	const char *key;
	size_t offset, size;
	bool allow_lines; /* it may contain line ends and tabs */
} fault_texts[] = {
#define TEXT(key, field, lines)                                        \
	{                                                              \
		" " key "=", offsetof(struct match_fault, field),      \
		    sizeof(((struct match_fault *)NULL)->field), lines \
	}
	TEXT("reason", reason, false),
	TEXT("said", said, false),
	TEXT("received", received, false),
	TEXT("ending", ending, false),
	TEXT("refusal", refusal, false),
	TEXT("state", state, false),
	TEXT("turn", turn_id, false),
	TEXT("stray", stray, false),
	TEXT("allowed", allowed, false),
	TEXT("nearest", nearest, false),
	TEXT("stderr", stderr_tail, true),
#undef TEXT
};

/* A byte may be written as three, `%0a`. */
_Static_assert(
    BLOCK_GAMES_MAX * 3 * (JOB_STDERR_MAX + REFEREE_STATE_SIZE + 2048) <
	RESULT_HEAD_MAX,
    "the longest head fits");

struct codec {
	/* What is written; or why the text that is read is refused. */
	struct scopa_text *text;
	const char *begin; /* of the text that is read; NULL: one is written */
	const char *at;    /* its rest, after the pieces that were accepted */
	bool good;         /* no piece was refused */
};

static bool
is_reading(const struct codec *codec)
{
	return codec->begin != NULL;
}

/* Refuses the text at the present place, unless it was refused before. */
static void __attribute__((format(printf, 2, 3)))
refuse(struct codec *codec, const char *format, ...)
{
	char reason[REASON_SIZE];
	va_list arguments;
	int line = 1;

	if (!codec->good)
		return;
	codec->good = false;
	for (const char *at = codec->begin; at < codec->at; at++)
		line += *at == '\n';
	va_start(arguments, format);
	vsnprintf(reason, sizeof(reason), format, arguments);
	va_end(arguments);
	scopa_text_print(codec->text, "line %d: %s", line, reason);
}

/* Refuses a text that is read, unless this is true of it. */
static void
demand(struct codec *codec, bool condition, const char *reason)
{
	if (is_reading(codec) && !condition)
		refuse(codec, "%s", reason);
}

static bool
is_next(const struct codec *codec, const char *string)
{
	return strncmp(codec->at, string, strlen(string)) == 0;
}

static void __attribute__((format(printf, 2, 3)))
code_print(struct codec *codec, const char *format, ...)
{
	char piece[PIECE_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(piece, sizeof(piece), format, arguments);
	va_end(arguments);
	if (!is_reading(codec))
		scopa_text_string(codec->text, piece);
	else if (!is_next(codec, piece))
		refuse(codec, "\"%s\" is expected here", piece);
	else if (codec->good)
		codec->at += strlen(piece);
}

static void
code_line_end(struct codec *codec)
{
	demand(codec, !is_reading(codec) || *codec->at == '\n',
	    "the line should end here");
	code_print(codec, "\n");
}

/*
 * Reads what stands after `before`, up to one of these bytes; after a refusal,
 * nothing.
 */
static struct word
read_value(struct codec *codec, const char *before, const char *ends)
{
	struct word value = { codec->at, 0 };

	code_print(codec, "%s", before);
	if (codec->good) {
		value = (struct word){ codec->at, strcspn(codec->at, ends) };
		codec->at += value.length;
	}
	return value;
}

static void
code_number(struct codec *codec, const char *before, int64_t *number,
    int64_t min, int64_t max)
{
	if (!is_reading(codec))
		code_print(codec, "%s%jd", before, *number);
	else if (!word_to_int(
		     read_value(codec, before, " ,\n"), min, max, number))
		refuse(codec, "a number from %jd to %jd must follow \"%s\"",
		    min, max, before);
}

/* An int that counts from `first` to `max` in the text, and from 0 here. */
static void
code_int(struct codec *codec, const char *before, int *number, int first,
    int64_t max)
{
	int64_t counted = (int64_t)*number + first;

	code_number(codec, before, &counted, first, max);
	if (is_reading(codec))
		*number = (int)(counted - first);
}

static void
code_hex(struct codec *codec, const char *before, uint8_t *bytes, size_t size)
{
	if (!is_reading(codec)) {
		code_print(codec, "%s", before);
		hex_encode(bytes, size, codec->text);
	} else if (!word_to_hex(
		       read_value(codec, before, " ,\n"), bytes, size)) {
		refuse(codec, "%zu hex digits must follow \"%s\"", 2 * size,
		    before);
	}
}

/* Writes a text as printable bytes; of a long text, its end. */
static void
put_text(
    const char *from, bool allow_lines, size_t size, struct scopa_text *text)
{
	char plain[JOB_STDERR_MAX + 1];
	size_t length = strlen(from);

	if (length > JOB_STDERR_MAX)
		from += length - JOB_STDERR_MAX;
	escape_bytes(from, strlen(from), allow_lines, plain,
	    size < sizeof(plain) ? size : sizeof(plain));
	value_encode(plain, text);
}

/* A text that is not empty, in a field of `size` bytes. */
static void
code_text(struct codec *codec, const char *before, char *field, size_t size,
    bool allow_lines)
{
	struct scopa_text again = SCOPA_TEXT(3 * JOB_STDERR_MAX + 1);
	struct word value;

	if (!is_reading(codec)) {
		code_print(codec, "%s", before);
		put_text(field, allow_lines, size, codec->text);
		return;
	}
	value = read_value(codec, before, " \n");
	if (word_decode(value, field, size))
		put_text(field, allow_lines, size, &again);
	demand(codec, value.length > 0 && word_is(value, again.bytes),
	    "this is not how a text is written, or it is too long");
}

/* The first line. */
static void
code_heading(
    struct codec *codec, const char *begin, size_t size_max, int64_t version)
{
	int64_t found = version;

	if (is_reading(codec) && strnlen(codec->begin, size_max) == size_max)
		refuse(codec, "the text is too long");
	code_number(codec, begin, &found, 1, INT32_MAX);
	if (found != version)
		refuse(codec,
		    "it is of version %jd, and this program knows version %jd",
		    found, version);
	code_line_end(codec);
}

/* The last line; true: the text was written, or is good. */
static bool
code_end(struct codec *codec)
{
	code_print(codec, "end");
	code_line_end(codec);
	demand(codec, !is_reading(codec) || *codec->at == '\0',
	    "nothing may follow `end`");
	return codec->good;
}

static void
code_game_count(struct codec *codec, int *count)
{
	code_int(codec, " games=", count, 0, BLOCK_GAMES_MAX);
	demand(codec, *count > 0, "a block has at least one game");
}

/*
 * Jobs.
 */

/* The bots of a game.  All games of a block have as many seats. */
static void
code_seats(struct codec *codec, struct job *job, int *entrant)
{
	int count = 0;

	do {
		code_int(codec, count == 0 ? " seats=" : ",", &entrant[count],
		    1, DISPATCHER_ENTRANTS_MAX);
		count++;
	} while (count < SCOPA_SEATS_MAX &&
	    (is_reading(codec) ? is_next(codec, ",")
			       : count < job->seat_count));
	if (is_reading(codec) && entrant == job->games[0].spec.entrant)
		job->seat_count = count;
	demand(codec, count == job->seat_count && count >= 2,
	    "all games must have the same number of seats");
}

static void
code_seed(struct codec *codec, const char *before, uint64_t *seed)
{
	uint64_t bytes = htobe64(*seed);

	code_hex(codec, before, (uint8_t *)&bytes, sizeof(bytes));
	if (is_reading(codec))
		*seed = be64toh(bytes);
}

/* Why earlier attempts are void: codes with commas, or `-`. */
static void
code_voided(struct codec *codec, char voided[MATCH_VOIDED_SIZE])
{
	struct word value;

	if (!is_reading(codec)) {
		code_print(
		    codec, " voided=%s", voided[0] != '\0' ? voided : "-");
		return;
	}
	value = read_value(codec, " voided=", " \n");
	demand(codec,
	    (word_is(value, "-") || word_is_code(value, "_,")) &&
		word_decode(value, voided, MATCH_VOIDED_SIZE),
	    "`-`, or codes and commas must follow \" voided=\"");
	if (word_is(value, "-"))
		voided[0] = '\0';
}

static void
code_game(struct codec *codec, struct job *job, int number)
{
	const struct game_spec *first = &job->games[0].spec;
	struct job_game *game = &job->games[number];
	struct game_spec *spec = &game->spec;
	int64_t id = (int64_t)spec->index + 1;

	if (is_reading(codec)) {
		spec->rotation = number;
		spec->round = first->round;
		spec->dealer = first->dealer;
		memmove(spec->event, first->event, sizeof(spec->event));
	}
	assert(spec->rotation == number);
	code_print(codec, "game %d", number + 1);
	code_number(codec, " id=", &id, 1, INT32_MAX);
	if (is_reading(codec))
		spec->index = (int)(id - 1);
	code_seats(codec, job, spec->entrant);
	demand(codec, spec->dealer < job->seat_count,
	    "there is no seat for the dealer");
	code_hex(
	    codec, " nonces=", game->nonces.bytes, sizeof(game->nonces.bytes));
	for (int seat = 0; seat < job->seat_count; seat++)
		code_seed(
		    codec, seat == 0 ? " seeds=" : ",", &game->seeds[seat]);
	code_voided(codec, spec->voided);
	code_line_end(codec);
}

static void
code_keys(struct codec *codec, struct deal_keys *keys)
{
	code_int(codec, "keys deals=", &keys->deals, 0, DEAL_KEYS_MAX);
	code_int(codec, " redeals=", &keys->redeals, 0, DEAL_KEYS_MAX);
	demand(codec, keys->deals * keys->redeals <= DEAL_KEYS_MAX,
	    "these are too many keys");
	code_line_end(codec);
	for (int i = 0; codec->good && i < keys->deals * keys->redeals; i++) {
		code_print(codec, "key %d %d", i / keys->redeals + 1,
		    i % keys->redeals);
		code_hex(codec, " ", keys->keys[i].bytes,
		    sizeof(keys->keys[i].bytes));
		code_line_end(codec);
	}
}

static bool
code_job(struct codec *codec, struct job *job)
{
	struct game_spec *first = &job->games[0].spec;

	code_heading(codec, "scopa-job ", JOB_TEXT_MAX, JOB_VERSION);
	code_number(codec, "block ", &job->name.block, 0, INT64_MAX);
	code_int(codec, " copy=", &job->name.copy, 0, JOB_AUDIT);
	code_int(codec, " round=", &first->round, 1, INT32_MAX);
	code_int(codec, " stage=", &job->stage, 1, INT32_MAX);
	code_int(codec, " dealer=", &first->dealer, 1, SCOPA_SEATS_MAX);
	code_text(codec, " event=", first->event, sizeof(first->event), false);
	demand(codec, shuffle_event_valid(first->event),
	    "this cannot be the name of an event");
	code_game_count(codec, &job->game_count);
	code_line_end(codec);
	for (int game = 0; codec->good && game < job->game_count; game++)
		code_game(codec, job, game);
	code_keys(codec, &job->keys);
	return code_end(codec);
}

void
job_write(const struct job *job, struct scopa_text *text)
{
	struct codec codec = { .text = text, .good = true };

	assert(job->game_count > 0 && job->game_count <= BLOCK_GAMES_MAX);
	/* Writing changes nothing. */
	code_job(&codec, (struct job *)(uintptr_t)job);
}

bool
job_read(struct job *job, const char *text, struct scopa_text *why)
{
	struct codec codec = { why, text, text, true };

	/* The array of keys is large, and most of it is not used. */
	memset(job, 0, offsetof(struct job, keys.keys));
	return code_job(&codec, job);
}

/*
 * Heads of results.
 */

static void
code_kind(struct codec *codec, enum offence_kind *kind)
{
	if (!is_reading(codec)) {
		code_print(codec, " kind=%s", offence_name(*kind));
		return;
	}
	*kind = offence_find(read_value(codec, " kind=", " \n"));
	demand(codec, *kind != OFFENCE_KIND_COUNT,
	    "the name of an offence must follow \" kind=\"");
}

static void
code_fault(struct codec *codec, struct match_fault *fault, int number)
{
	int phase = (int)fault->phase, flaw = (int)fault->option_flaw;
	int late = fault->late;

	code_print(codec, "fault %d", number + 1);
	code_int(codec, " seat=", &fault->seat, 1, SCOPA_SEATS_MAX);
	code_kind(codec, &fault->kind);
	code_int(codec, " phase=", &phase, 0, SESSION_GONE);
	code_int(codec, " flaw=", &flaw, 0, BOT_OPTION_REFUSED);
	code_int(codec, " late=", &late, 0, 1);
	code_int(codec, " strays=", &fault->stray_count, 0, INT32_MAX);
	code_int(
	    codec, " wrong-turns=", &fault->wrong_turn_count, 0, INT32_MAX);
	if (is_reading(codec)) {
		fault->phase = (enum session_phase)phase;
		fault->option_flaw = (enum bot_option_flaw)flaw;
		fault->late = late != 0;
	}
	for (size_t i = 0; i < COUNTOF(fault_texts); i++) {
		char *field = (char *)fault + fault_texts[i].offset;

		if (is_reading(codec) ? is_next(codec, fault_texts[i].key)
				      : field[0] != '\0')
			code_text(codec, fault_texts[i].key, field,
			    fault_texts[i].size, fault_texts[i].allow_lines);
	}
	code_line_end(codec);
}

/* The line of a game and, if there is one, of its fault. */
static void
code_result(struct codec *codec, struct result_game *game, int number)
{
	struct match_fault *fault = &game->fault;

	code_print(codec, "game %d", number + 1);
	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
		code_int(codec, seat == 0 ? " unasked=" : ",",
		    &game->unasked[seat], 0, INT32_MAX);
	code_line_end(codec);
	if (!is_reading(codec)) {
		if (fault->seat >= 0)
			code_fault(codec, fault, number);
		return;
	}
	/* Most games have no fault, and its texts take most of the memory. */
	fault->seat = -1;
	if (!is_next(codec, "fault "))
		return;
	memset(fault, 0, sizeof(*fault));
	code_fault(codec, fault, number);
}

static bool
code_head(struct codec *codec, struct result_head *head)
{
	uint8_t run[JOB_RUN_ID_SIZE / 2];

	code_heading(codec, "scopa-result ", RESULT_HEAD_MAX, RESULT_VERSION);
	code_number(codec, "block ", &head->name.block, 0, INT64_MAX);
	code_int(codec, " copy=", &head->name.copy, 0, JOB_AUDIT);
	code_int(codec, " attempt=", &head->name.attempt, 0, INT32_MAX);
	code_game_count(codec, &head->game_count);
	code_text(codec, " run=", head->run, sizeof(head->run), false);
	demand(codec, word_to_hex(word_of(head->run), run, sizeof(run)),
	    "the identifier of a run must be 32 hex digits");
	code_line_end(codec);
	code_number(
	    codec, "record size=", &head->record_size, 0, RESULT_RECORD_MAX);
	code_hex(codec, " sha256=", head->digest, sizeof(head->digest));
	code_line_end(codec);
	for (int game = 0; codec->good && game < head->game_count; game++)
		code_result(codec, &head->games[game], game);
	return code_end(codec);
}

void
result_head_write(const struct result_head *head, struct scopa_text *text)
{
	struct codec codec = { .text = text, .good = true };

	assert(head->game_count > 0 && head->game_count <= BLOCK_GAMES_MAX);
	/* Writing changes nothing. */
	code_head(&codec, (struct result_head *)(uintptr_t)head);
}

bool
result_head_read(
    struct result_head *head, const char *text, struct scopa_text *why)
{
	struct codec codec = { why, text, text, true };

	head->run[0] = '\0';
	return code_head(&codec, head);
}
