/*
 * Implements job.h, which describes the two texts.
 *
 * For each kind of line there is a function put_... that writes it, and a
 * function read_... that reads it.  A line that was read is written again and
 * compared with the text.  So one meaning has one text: no further blank, zero,
 * word or comment, no key twice, and no line of a later version.
 */
#include "job.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "buffers.h"
#include "countof.h"
#include "dispatcher.h"
#include "words.h"

enum { JOB_LINE_MAX = 48 * 1024, QUOTE_MAX = 80 };

/* The texts of a fault, and their keys. */
static const struct {
	const char *key;
	size_t offset, size;
	bool allow_lines; /* it may contain line ends and tabs */
} fault_texts[] = {
#define TEXT(key, field, lines)                                     \
	{                                                           \
		key, offsetof(struct match_fault, field),           \
		    sizeof(((struct match_fault *)0)->field), lines \
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
_Static_assert(3 * (JOB_STDERR_MAX + REFEREE_STATE_SIZE + 2048) < JOB_LINE_MAX,
    "the longest line of a fault fits");
_Static_assert(
    BLOCK_GAMES_MAX * 3 * (JOB_STDERR_MAX + REFEREE_STATE_SIZE + 2048) <
	RESULT_HEAD_MAX,
    "the longest head fits");

/* A text that is read line by line. */
struct text_reader {
	const char *at; /* after the current line */
	const char *line;
	size_t length; /* of the line, without its end */
	int number;    /* of the line, from 1 */
	struct words words;
	/* The line as it would be written, for check_line(). */
	struct scopa_text expected;
	char bytes[JOB_LINE_MAX]; /* of `expected` */
	struct scopa_text *why;
};

/* Always returns false. */
static bool
refuse(const struct text_reader *reader, const char *what, const char *wrong)
{
	scopa_text_print(
	    reader->why, "line %d: %s%s", reader->number, what, wrong);
	return false;
}

/* Goes to the next line, which must begin with `verb`. */
static bool
next_line(struct text_reader *reader, const char *verb)
{
	const char *end = strchr(reader->at, '\n');

	reader->number++;
	if (end == NULL)
		return refuse(reader, "the text ends before this line ends",
		    reader->at[0] ? "" : ", or before it begins");
	reader->line = reader->at;
	reader->length = (size_t)(end - reader->at);
	reader->at = end + 1;
	words_split(reader->line, reader->length, &reader->words);
	scopa_text_init(
	    &reader->expected, reader->bytes, sizeof(reader->bytes));
	if (reader->words.count == 0 || !word_is(reader->words.word[0], verb))
		return refuse(reader, verb, " is expected here");
	return true;
}

/* Checks that the line is as it would be written. */
static bool
check_line(const struct text_reader *reader)
{
	const struct scopa_text *expected = &reader->expected;
	size_t length = expected->length - 1;

	if (!expected->cut && reader->length == length &&
	    memcmp(reader->line, expected->bytes, length) == 0)
		return true;
	scopa_text_print(reader->why,
	    "line %d: it is not in the form of this version, which is: "
	    "%.*s%s",
	    reader->number, length < QUOTE_MAX ? (int)length : QUOTE_MAX,
	    expected->bytes, length < QUOTE_MAX ? "" : "...");
	return false;
}

/* Reads a number, by the place of its word or by its key. */
static bool
read_number(const struct text_reader *reader, int place, const char *key,
    int64_t min, int64_t max, int64_t *number)
{
	struct word word = { NULL, 0 };

	if (key != NULL)
		word = words_find(&reader->words, key);
	else if (place < reader->words.count)
		word = reader->words.word[place];
	if (word.bytes != NULL && word_to_int(word, min, max, number))
		return true;
	scopa_text_print(reader->why,
	    "line %d: %s must be a number from %jd to %jd", reader->number,
	    key != NULL ? key : "a word", min, max);
	return false;
}

/* Reads an int that counts from `first` in the text, and from 0 here. */
static bool
read_int(const struct text_reader *reader, const char *key, int first, int end,
    int *number)
{
	int64_t read;

	if (!read_number(
		reader, 0, key, first, (int64_t)end - 1 + first, &read))
		return false;
	*number = (int)(read - first);
	return true;
}

static bool
read_hex(const struct text_reader *reader, const char *key, uint8_t *bytes,
    size_t size)
{
	struct word word = words_find(&reader->words, key);

	if (word.bytes != NULL && word_to_hex(word, bytes, size))
		return true;
	return refuse(reader, key, " must be hex digits, not more nor less");
}

static bool
read_text(
    const struct text_reader *reader, const char *key, char *bytes, size_t size)
{
	struct word word = words_find(&reader->words, key);

	if (word.bytes != NULL && word_decode(word, bytes, size))
		return true;
	return refuse(reader, key, " must be a text, and not too long");
}

/*
 * Reads a list of numbers, joined by commas: `seats=` of a job, `unasked=` of a
 * result.  Returns their number; 0: the list is wrong.
 */
static int
read_list(const struct text_reader *reader, const char *key, int64_t min,
    int64_t max, int32_t numbers[SCOPA_SEATS_MAX])
{
	struct word rest = words_find(&reader->words, key), piece;
	int64_t number;
	int count = 0;

	while (word_next_piece(&rest, ',', &piece)) {
		if (count == SCOPA_SEATS_MAX ||
		    !word_to_int(piece, min, max, &number)) {
			count = 0;
			break;
		}
		numbers[count++] = (int32_t)number;
	}
	if (count == 0)
		refuse(reader, key, " must be numbers, one for each seat");
	return count;
}

/* Begins to read a text of this version, which must not be too long. */
static bool
read_heading(struct text_reader *reader, struct scopa_text *why,
    const char *text, size_t size_max, const char *verb, int version)
{
	int64_t number;

	reader->at = text;
	reader->number = 0;
	reader->why = why;
	if (strnlen(text, size_max) == size_max) {
		reader->number = 1;
		return refuse(reader, "the text is too long", "");
	}
	if (!next_line(reader, verb))
		return false;
	if (reader->words.count != 2 ||
	    !word_to_int(reader->words.word[1], 1, INT32_MAX, &number))
		return refuse(reader, "a version must follow ", verb);
	if (number != version) {
		scopa_text_print(reader->why,
		    "line 1: it is of version %jd, and this program knows "
		    "version %d",
		    number, version);
		return false;
	}
	scopa_text_print(&reader->expected, "%s %d\n", verb, version);
	return check_line(reader);
}

static bool
read_end(struct text_reader *reader)
{
	if (!next_line(reader, "end"))
		return false;
	if (reader->length != strlen("end") || reader->at[0] != '\0')
		return refuse(reader, "nothing may follow `end`", "");
	return true;
}

/*
 * Jobs.
 */

static void
put_block(const struct job *job, struct scopa_text *text)
{
	const struct game_spec *first = &job->games[0].spec;

	scopa_text_print(text,
	    "block %jd copy=%d round=%d stage=%d dealer=%d event=",
	    job->name.block, job->name.copy, first->round + 1, job->stage + 1,
	    first->dealer + 1);
	value_encode(first->event, text);
	scopa_text_print(text, " games=%d\n", job->game_count);
}

/*
 * Values that all games of a block have in common are read into the first game.
 */
static bool
read_block(const struct text_reader *reader, struct job *job)
{
	struct game_spec *first = &job->games[0].spec;

	if (!read_number(reader, 1, NULL, 0, INT64_MAX, &job->name.block) ||
	    !read_int(reader, "copy", 0, JOB_AUDIT + 1, &job->name.copy) ||
	    !read_int(reader, "round", 1, INT32_MAX, &first->round) ||
	    !read_int(reader, "stage", 1, INT32_MAX, &job->stage) ||
	    !read_int(reader, "dealer", 1, SCOPA_SEATS_MAX, &first->dealer) ||
	    !read_text(reader, "event", first->event, sizeof(first->event)) ||
	    !read_int(
		reader, "games", 0, BLOCK_GAMES_MAX + 1, &job->game_count))
		return false;
	if (job->game_count == 0)
		return refuse(reader, "a block has at least one game", "");
	return shuffle_event_valid(first->event) ||
	    refuse(reader, "event", " is not the name of an event");
}

static void
put_game(const struct job *job, int number, struct scopa_text *text)
{
	const struct job_game *game = &job->games[number];
	const struct game_spec *spec = &game->spec;

	assert(spec->rotation == number);
	scopa_text_print(
	    text, "game %d id=%jd", number + 1, (int64_t)spec->index + 1);
	for (int seat = 0; seat < job->seat_count; seat++)
		scopa_text_print(text, "%s%d", seat == 0 ? " seats=" : ",",
		    spec->entrant[seat] + 1);
	scopa_text_string(text, " nonces=");
	hex_encode(game->nonces.bytes, sizeof(game->nonces.bytes), text);
	for (int seat = 0; seat < job->seat_count; seat++) {
		uint8_t bytes[8];

		for (int i = 0; i < 8; i++)
			bytes[i] = (uint8_t)(game->seeds[seat] >> (56 - 8 * i));
		scopa_text_string(text, seat == 0 ? " seeds=" : ",");
		hex_encode(bytes, sizeof(bytes), text);
	}
	scopa_text_print(
	    text, " voided=%s\n", spec->voided[0] ? spec->voided : "-");
}

static bool
read_seeds(const struct text_reader *reader, const struct job *job,
    uint64_t seeds[SCOPA_SEATS_MAX])
{
	struct word rest = words_find(&reader->words, "seeds"), piece;
	uint8_t bytes[8];

	for (int seat = 0; seat < job->seat_count; seat++) {
		if (!word_next_piece(&rest, ',', &piece) ||
		    !word_to_hex(piece, bytes, sizeof(bytes)))
			return refuse(reader, "seeds",
			    " must be 16 hex digits for each seat");
		for (int i = 0; i < 8; i++)
			seeds[seat] = seeds[seat] << 8 | bytes[i];
	}
	return true;
}

static bool
read_voided(const struct text_reader *reader, char voided[MATCH_VOIDED_SIZE])
{
	struct word word = words_find(&reader->words, "voided");

	if (word.bytes == NULL ||
	    (!word_is(word, "-") && !word_is_code(word, "_,")) ||
	    !word_decode(word, voided, MATCH_VOIDED_SIZE))
		return refuse(
		    reader, "voided", " must be `-`, or codes and commas");
	if (word_is(word, "-"))
		voided[0] = '\0';
	return true;
}

static bool
read_game(const struct text_reader *reader, struct job *job, int number)
{
	const struct game_spec *first = &job->games[0].spec;
	struct job_game *game = &job->games[number];
	struct game_spec *spec = &game->spec;
	int64_t id;
	int count;

	spec->rotation = number;
	spec->round = first->round;
	spec->dealer = first->dealer;
	memcpy(spec->event, first->event, sizeof(spec->event));
	if (!read_number(reader, 0, "id", 1, INT32_MAX, &id))
		return false;
	spec->index = (int)(id - 1);
	count = read_list(
	    reader, "seats", 1, DISPATCHER_ENTRANTS_MAX, spec->entrant);
	if (count == 0)
		return false;
	if (number == 0)
		job->seat_count = count;
	if (count != job->seat_count || count < 2)
		return refuse(
		    reader, "seats", " must name as many bots in all games");
	for (int seat = 0; seat < count; seat++)
		spec->entrant[seat]--;
	return read_hex(reader, "nonces", game->nonces.bytes,
		   sizeof(game->nonces.bytes)) &&
	    read_seeds(reader, job, game->seeds) &&
	    read_voided(reader, spec->voided);
}

static void
put_key_counts(const struct job *job, struct scopa_text *text)
{
	scopa_text_print(text, "keys deals=%d redeals=%d\n", job->keys.deals,
	    job->keys.redeals);
}

static void
put_key(const struct job *job, int number, struct scopa_text *text)
{
	const struct shuffle_key *key = &job->keys.keys[number];

	scopa_text_print(text, "key %d %d ", number / job->keys.redeals + 1,
	    number % job->keys.redeals);
	hex_encode(key->bytes, sizeof(key->bytes), text);
	scopa_text_char(text, '\n');
}

static bool
read_keys(struct text_reader *reader, struct job *job)
{
	struct deal_keys *keys = &job->keys;

	if (!next_line(reader, "keys") ||
	    !read_int(reader, "deals", 0, DEAL_KEYS_MAX + 1, &keys->deals) ||
	    !read_int(reader, "redeals", 0, DEAL_KEYS_MAX + 1, &keys->redeals))
		return false;
	if (keys->deals * keys->redeals > DEAL_KEYS_MAX)
		return refuse(reader, "these are too many keys", "");
	put_key_counts(job, &reader->expected);
	if (!check_line(reader))
		return false;
	for (int i = 0; i < keys->deals * keys->redeals; i++) {
		if (!next_line(reader, "key"))
			return false;
		if (reader->words.count != 4 ||
		    !word_to_hex(reader->words.word[3], keys->keys[i].bytes,
			sizeof(keys->keys[i].bytes)))
			return refuse(
			    reader, "a key must be 64 hex digits", "");
		put_key(job, i, &reader->expected);
		if (!check_line(reader))
			return false;
	}
	return true;
}

void
job_write(const struct job *job, struct scopa_text *text)
{
	assert(job->game_count > 0 && job->game_count <= BLOCK_GAMES_MAX);
	scopa_text_print(text, "scopa-job %d\n", JOB_VERSION);
	put_block(job, text);
	for (int game = 0; game < job->game_count; game++)
		put_game(job, game, text);
	put_key_counts(job, text);
	for (int i = 0; i < job->keys.deals * job->keys.redeals; i++)
		put_key(job, i, text);
	scopa_text_string(text, "end\n");
}

bool
job_read(struct job *job, const char *text, struct scopa_text *why)
{
	struct text_reader reader;

	/* The array of keys is large, and most of it is not used. */
	memset(job, 0, offsetof(struct job, keys.keys));
	if (!read_heading(
		&reader, why, text, JOB_TEXT_MAX, "scopa-job", JOB_VERSION) ||
	    !next_line(&reader, "block") || !read_block(&reader, job))
		return false;
	put_block(job, &reader.expected);
	if (!check_line(&reader))
		return false;
	for (int game = 0; game < job->game_count; game++) {
		if (!next_line(&reader, "game") ||
		    !read_game(&reader, job, game))
			return false;
		put_game(job, game, &reader.expected);
		if (!check_line(&reader))
			return false;
	}
	if (job->games[0].spec.dealer >= job->seat_count)
		return refuse(&reader, "there is no seat for the dealer", "");
	return read_keys(&reader, job) && read_end(&reader);
}

/*
 * Heads of results.
 */

static void
put_result(const struct result_head *head, struct scopa_text *text)
{
	scopa_text_print(text, "block %jd copy=%d attempt=%d games=%d run=%s\n",
	    head->name.block, head->name.copy, head->name.attempt,
	    head->game_count, head->run);
}

static bool
read_result(const struct text_reader *reader, struct result_head *head)
{
	uint8_t run[JOB_RUN_ID_SIZE / 2];

	if (!read_number(reader, 1, NULL, 0, INT64_MAX, &head->name.block) ||
	    !read_int(reader, "copy", 0, JOB_AUDIT + 1, &head->name.copy) ||
	    !read_int(reader, "attempt", 0, INT32_MAX, &head->name.attempt) ||
	    !read_int(
		reader, "games", 0, BLOCK_GAMES_MAX + 1, &head->game_count) ||
	    !read_hex(reader, "run", run, sizeof(run)) ||
	    !read_text(reader, "run", head->run, sizeof(head->run)))
		return false;
	return head->game_count > 0 ||
	    refuse(reader, "a block has at least one game", "");
}

static void
put_record(const struct result_head *head, struct scopa_text *text)
{
	scopa_text_print(text, "record size=%jd sha256=", head->record_size);
	hex_encode(head->digest, sizeof(head->digest), text);
	scopa_text_char(text, '\n');
}

static bool
read_record(const struct text_reader *reader, struct result_head *head)
{
	return read_number(reader, 0, "size", 0, RESULT_RECORD_MAX,
		   &head->record_size) &&
	    read_hex(reader, "sha256", head->digest, sizeof(head->digest));
}

static void
put_result_game(
    const struct result_head *head, int number, struct scopa_text *text)
{
	scopa_text_print(text, "game %d", number + 1);
	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
		scopa_text_print(text, "%s%d", seat == 0 ? " unasked=" : ",",
		    head->games[number].unasked[seat]);
	scopa_text_char(text, '\n');
}

static bool
read_result_game(
    const struct text_reader *reader, struct result_head *head, int number)
{
	int count = read_list(
	    reader, "unasked", 0, INT32_MAX, head->games[number].unasked);

	return count == SCOPA_SEATS_MAX ||
	    (count != 0 &&
		refuse(reader, "unasked", " must be a number for each seat"));
}

/* Writes a text of a fault as printable bytes; of a long text, its end. */
static void
put_fault_text(
    const char *from, bool allow_lines, size_t size, struct scopa_text *text)
{
	char plain[BOT_STDERR_SIZE];
	size_t length = strlen(from);

	if (length > JOB_STDERR_MAX)
		from += length - JOB_STDERR_MAX;
	if (size > JOB_STDERR_MAX + 1)
		size = JOB_STDERR_MAX + 1;
	escape_bytes(from, strlen(from), allow_lines, plain, size);
	value_encode(plain, text);
}

static void
put_fault(const struct match_fault *fault, int number, struct scopa_text *text)
{
	scopa_text_print(text,
	    "fault %d seat=%d kind=%s phase=%d flaw=%d late=%d strays=%d "
	    "wrong-turns=%d",
	    number + 1, fault->seat + 1, offence_name(fault->kind),
	    (int)fault->phase, (int)fault->option_flaw, fault->late,
	    fault->stray_count, fault->wrong_turn_count);
	for (size_t i = 0; i < COUNTOF(fault_texts); i++) {
		const char *from = (const char *)fault + fault_texts[i].offset;

		if (from[0] == '\0')
			continue;
		scopa_text_print(text, " %s=", fault_texts[i].key);
		put_fault_text(from, fault_texts[i].allow_lines,
		    fault_texts[i].size, text);
	}
	scopa_text_char(text, '\n');
}

static bool
read_fault_texts(const struct text_reader *reader, struct match_fault *fault)
{
	for (size_t i = 0; i < COUNTOF(fault_texts); i++) {
		const char *key = fault_texts[i].key;
		char *to = (char *)fault + fault_texts[i].offset;

		if (words_find(&reader->words, key).bytes != NULL &&
		    !read_text(reader, key, to, fault_texts[i].size))
			return false;
	}
	return true;
}

static bool
read_fault(const struct text_reader *reader, struct match_fault *fault)
{
	struct word word = words_find(&reader->words, "kind");
	int phase, flaw, late;

	fault->kind = offence_find(word);
	if (fault->kind == OFFENCE_KIND_COUNT)
		return refuse(reader, "kind", " is not the name of an offence");
	if (!read_int(reader, "seat", 1, SCOPA_SEATS_MAX, &fault->seat) ||
	    !read_int(reader, "phase", 0, SESSION_GONE + 1, &phase) ||
	    !read_int(reader, "flaw", 0, BOT_OPTION_REFUSED + 1, &flaw) ||
	    !read_int(reader, "late", 0, 2, &late) ||
	    !read_int(reader, "strays", 0, INT32_MAX, &fault->stray_count) ||
	    !read_int(
		reader, "wrong-turns", 0, INT32_MAX, &fault->wrong_turn_count))
		return false;
	fault->phase = (enum session_phase)phase;
	fault->option_flaw = (enum bot_option_flaw)flaw;
	fault->late = late != 0;
	return read_fault_texts(reader, fault);
}

/* Reads the line of a game and, if there is one, of its fault. */
static bool
read_game_lines(
    struct text_reader *reader, struct result_head *head, int number)
{
	struct match_fault *fault = &head->games[number].fault;

	/* Most games have no fault, and its texts take most of the memory. */
	fault->seat = -1;
	if (!next_line(reader, "game") ||
	    !read_result_game(reader, head, number))
		return false;
	put_result_game(head, number, &reader->expected);
	if (!check_line(reader))
		return false;
	if (strncmp(reader->at, "fault ", strlen("fault ")) != 0)
		return true;
	memset(fault, 0, sizeof(*fault));
	if (!next_line(reader, "fault") || !read_fault(reader, fault))
		return false;
	put_fault(fault, number, &reader->expected);
	return check_line(reader);
}

void
result_head_write(const struct result_head *head, struct scopa_text *text)
{
	assert(head->game_count > 0 && head->game_count <= BLOCK_GAMES_MAX);
	scopa_text_print(text, "scopa-result %d\n", RESULT_VERSION);
	put_result(head, text);
	put_record(head, text);
	for (int game = 0; game < head->game_count; game++) {
		const struct match_fault *fault = &head->games[game].fault;

		put_result_game(head, game, text);
		if (fault->seat >= 0)
			put_fault(fault, game, text);
	}
	scopa_text_string(text, "end\n");
}

bool
result_head_read(
    struct result_head *head, const char *text, struct scopa_text *why)
{
	struct text_reader reader;

	if (!read_heading(&reader, why, text, RESULT_HEAD_MAX, "scopa-result",
		RESULT_VERSION) ||
	    !next_line(&reader, "block") || !read_result(&reader, head))
		return false;
	put_result(head, &reader.expected);
	if (!check_line(&reader) || !next_line(&reader, "record") ||
	    !read_record(&reader, head))
		return false;
	put_record(head, &reader.expected);
	if (!check_line(&reader))
		return false;
	for (int game = 0; game < head->game_count; game++)
		if (!read_game_lines(&reader, head, game))
			return false;
	return read_end(&reader);
}
