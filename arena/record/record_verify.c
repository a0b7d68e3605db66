/*
 * Verifies game records, level by level; record_verify.h names the levels.
 *
 * For level 2 the record is replayed, and the lines that follow from it are
 * compared with the lines of the record, one by one.  Unknown lines and thinking
 * times are not compared, because they do not follow from the rules, and of
 * remarks (`info`, `void`, `ponder`) only the place.
 */
#include "record_verify.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shuffle.h"

enum { QUOTE_MAX = 160 };

struct record_checker {
	struct replay *replay;
	struct record expected; /* the lines that follow from the record */
	struct event event;     /* the current line */
	char canonical[EVENT_LINE_SIZE];
};

int
record_checker_open(struct record_checker **checker)
{
	struct record_checker *made = calloc(1, sizeof(*made));

	if (made == NULL || replay_open(&made->replay) != 0) {
		free(made);
		return -ENOMEM;
	}
	*checker = made;
	return 0;
}

void
record_checker_close(struct record_checker *checker)
{
	if (!checker)
		return;
	record_release(&checker->expected);
	replay_close(checker->replay);
	free(checker);
}

static void
report(const struct record_listener *listener, int64_t line, const char *text)
{
	if (listener && listener->say)
		listener->say(listener->context, line, text);
}

static bool
line_is_legal(const struct game_record *record, const struct record_line *line)
{
	return record_line_is(
	    record_line_bytes(record, line), line->length, "legal");
}

/* Reports a line whose verb is unknown. */
static void
report_unknown(const struct game_record *record, const struct record_line *line,
    const struct record_listener *listener)
{
	char bytes[RECORD_FAULT_SIZE];
	struct words words;
	struct word verb;

	words_split(record_line_bytes(record, line), line->length, &words);
	if (words.count == 0 || word_is(words.word[0], "legal"))
		return;
	verb = words.word[0];
	snprintf(bytes, sizeof(bytes), "skipped: no line begins with \"%.*s\"",
	    verb.length < 40 ? (int)verb.length : 40, verb.bytes);
	report(listener, line->number, bytes);
}

bool
record_check_lines(const struct game_record *record, bool lenient,
    const struct record_listener *listener, struct record_fault *fault)
{
	struct event event;

	for (size_t at = 0; at < record->line_count; at++) {
		const struct record_line *line = &record->lines[at];
		struct scopa_text why = SCOPA_TEXT(RECORD_FAULT_SIZE);

		switch (event_parse(record_line_bytes(record, line),
		    line->length, &event, &why)) {
		case EVENT_PARSED:
			if (why.length > 0)
				report(listener, line->number, why.bytes);
			break;
		case EVENT_UNKNOWN:
			report_unknown(record, line, listener);
			break;
		case EVENT_BAD:
			if (lenient)
				break;
			return record_fault_set(
			    fault, line->number, "%s", why.bytes);
		}
	}
	return true;
}

/*
 * Level 1: the `sum` line is there, and its hash is that of the lines before
 * it.
 */
static bool
check_sum(const struct game_record *record, struct record_fault *fault)
{
	const struct record_line *line = &record->lines[record->line_count - 1];
	unsigned char hash[EVENT_HASH_SIZE];
	struct event event;

	if (!record->summed)
		return record_fault_set(fault, record->last_line,
		    "no `sum` line ends the record: it is cut off, or is one "
		    "for `record derive`");
	if (!record_line_event(record, line, &event, fault))
		return false;
	if (event.sum.lines != (int64_t)record->line_count - 1)
		return record_fault_set(fault, line->number,
		    "lines=%jd, but there are %zu", event.sum.lines,
		    record->line_count - 1);
	crypto_hash_sha256(
	    hash, (const unsigned char *)record->bytes, line->begin);
	return memcmp(hash, event.sum.hash, sizeof(hash)) == 0 ||
	    record_fault_set(fault, line->number,
		"sha256= is not that of the lines: the record was changed");
}

/* Skips a ` t=...`; the thinking time does not follow from the rules. */
static const char *
skip_time(const char *at, const char *end)
{
	while (end - at > 3 && memcmp(at, " t=", 3) == 0)
		for (at++; at < end && *at != ' '; at++)
			;
	return at;
}

/* Whether two lines are the same apart from their thinking times. */
static bool
same_but_time(const char *a, size_t a_length, const char *b, size_t b_length)
{
	const char *a_end = a + a_length, *b_end = b + b_length;

	for (;;) {
		a = skip_time(a, a_end);
		b = skip_time(b, b_end);
		if (a == a_end || b == b_end)
			return a == a_end && b == b_end;
		if (*a++ != *b++)
			return false;
	}
}

/* Whether of such a line only the place is compared. */
static bool
is_remark(enum event_kind kind)
{
	return kind == EVENT_INFO || kind == EVENT_VOID || kind == EVENT_PONDER;
}

/*
 * Whether a line is the expected one, apart from thinking times and unknown
 * keys.  Clears *plain if it has such keys.
 */
static bool
line_matches(struct record_checker *checker, const struct game_record *record,
    const struct record_line *line, const char *expected, size_t length,
    bool *plain)
{
	const char *bytes = record_line_bytes(record, line);
	char why_bytes[RECORD_FAULT_SIZE];
	struct scopa_text why, text;

	if (is_remark(line->kind)) {
		*plain = *plain && line->kind == EVENT_INFO;
		return record_line_is(expected, length, event_name(line->kind));
	}
	if (line->length == length && memcmp(bytes, expected, length) == 0)
		return true;
	if ((line->kind == EVENT_PLAY || line->kind == EVENT_DECLARE) &&
	    same_but_time(bytes, line->length, expected, length))
		return true;
	/*
	 * Keys of a later version are ignored: the line is written again
	 * without them and compared.
	 */
	*plain = false;
	scopa_text_init(&why, why_bytes, sizeof(why_bytes));
	scopa_text_init(&text, checker->canonical, sizeof(checker->canonical));
	if (event_parse(bytes, line->length, &checker->event, &why) !=
		EVENT_PARSED ||
	    why.length == 0)
		return false;
	event_format(&checker->event, &text);
	return text.length == length &&
	    memcmp(text.bytes, expected, length) == 0;
}

/* Whether this line of the record is compared with nothing. */
static bool
is_skipped(const struct game_record *record, const struct record_line *line)
{
	return line->kind == EVENT_KIND_COUNT && !line_is_legal(record, line);
}

/*
 * Sets *line to the next expected line that is to be compared, or to NULL after
 * the last one.  Returns its length.
 */
static size_t
next_expected(
    const struct record *expected, size_t *at, const char **line, bool legal)
{
	while (*at < expected->size) {
		const char *bytes = expected->bytes + *at;
		const char *end = memchr(bytes, '\n', expected->size - *at);
		size_t length = (size_t)(end - bytes);

		*at += length + 1;
		if (!legal && record_line_is(bytes, length, "legal"))
			continue;
		*line = bytes;
		return length;
	}
	*line = NULL;
	return 0;
}

static bool
blame_difference(struct record_fault *fault, int64_t number,
    const char *expected, size_t length)
{
	if (!expected)
		return record_fault_set(
		    fault, number, "nothing follows here: the match has ended");
	return record_fault_set(fault, number,
	    "this line does not follow; expected: %.*s%s",
	    length < QUOTE_MAX ? (int)length : QUOTE_MAX, expected,
	    length < QUOTE_MAX ? "" : "...");
}

/*
 * Level 2: the lines of the record are the expected ones.  Sets *plain if these
 * lines, and `info`, are all that there is: then each of them is an event, and
 * has no unknown key.
 */
static bool
compare_lines(struct record_checker *checker, const struct game_record *record,
    bool *plain, struct record_fault *fault)
{
	const struct record_line *last = &record->lines[record->line_count - 1];
	const char *expected;
	size_t from = 0, length;

	*plain = true;
	for (const struct record_line *line = record->lines; line < last;
	     line++) {
		if (is_skipped(record, line)) {
			*plain = false;
			continue;
		}
		length = next_expected(&checker->expected, &from, &expected,
		    line_is_legal(record, line));
		if (!expected ||
		    !line_matches(
			checker, record, line, expected, length, plain))
			return blame_difference(
			    fault, line->number, expected, length);
	}
	length = next_expected(&checker->expected, &from, &expected, false);
	if (expected)
		return blame_difference(fault, last->number, expected, length);
	return true;
}

static bool
has_legal(const struct game_record *record)
{
	for (size_t at = 0; at < record->line_count; at++)
		if (line_is_legal(record, &record->lines[at]))
			return true;
	return false;
}

/*
 * Reads `tag event= secret=`.  Returns 1 if both are valid, 0 if there is no
 * secret, or -1 if one of them is invalid.
 */
static int
read_secret(
    const struct record_head *head, struct shuffle_key *secret, char *event)
{
	struct words words;
	struct word word;

	words_split_pairs(head->game.tag, &words);
	word = words_find(&words, "secret");
	if (!word.bytes)
		return 0;
	if (!word_to_hex(word, secret->bytes, sizeof(secret->bytes)))
		return -1;
	word = words_find(&words, "event");
	if (!word.bytes || !word_decode(word, event, SHUFFLE_EVENT_MAX + 1) ||
	    !shuffle_event_valid(event))
		return -1;
	return 1;
}

/*
 * Level 3 for one pack: its key gives its cards, and the secret gives its key.
 */
static bool
check_pack(const struct event_pack *pack, const struct shuffle_key *secret,
    const char *event, int64_t number, struct record_fault *fault)
{
	struct shuffle_key key, deal_key;
	uint8_t cards[SCOPA_PACK_SIZE];

	memcpy(key.bytes, pack->key, sizeof(key.bytes));
	shuffle_pack(&key, cards);
	if (memcmp(cards, pack->cards, sizeof(cards)) != 0)
		return record_fault_set(
		    fault, number, "seed= does not give these cards");
	if (!secret)
		return true;
	shuffle_deal_key(secret, event, (uint64_t)pack->number,
	    (uint64_t)pack->redeal, &deal_key);
	return memcmp(deal_key.bytes, key.bytes, sizeof(key.bytes)) == 0 ||
	    record_fault_set(fault, number,
		"seed= is not the key that secret= of the `tag` gives for "
		"event %s, deal %d, redeal %d",
		event, pack->number, pack->redeal);
}

/*
 * Level 3: the packs follow from the keys and the secret that the record names.
 * If one pack has a key, or the record the secret, each pack has its key.
 */
static bool
check_keys(struct record_checker *checker, const struct game_record *record,
    struct record_verdict *verdict)
{
	struct shuffle_key secret;
	char name[SHUFFLE_EVENT_MAX + 1];
	int secrets = read_secret(replay_head(checker->replay), &secret, name);
	int64_t keyless = 0;

	for (size_t at = 0; at < record->line_count; at++) {
		const struct record_line *line = &record->lines[at];

		if (secrets < 0 && line->kind == EVENT_TAG)
			return record_fault_set(&verdict->fault, line->number,
			    "secret= must be 64 hex digits, beside event=");
		if (line->kind != EVENT_PACK)
			continue;
		record_line_event(record, line, &checker->event, NULL);
		if (!checker->event.pack.has_key) {
			keyless = line->number;
			continue;
		}
		if (!check_pack(&checker->event.pack,
			secrets > 0 ? &secret : NULL, name, line->number,
			&verdict->fault))
			return false;
		verdict->key_count++;
	}
	verdict->secret = secrets > 0 && verdict->key_count > 0;
	if (keyless > 0 && (secrets > 0 || verdict->key_count > 0))
		return record_fault_set(&verdict->fault, keyless,
		    "seed= is missing: each pack must have its key if one has, "
		    "or if the record has the secret");
	return true;
}

/*
 * Level 2.  Returns 0, with a fault if a line is wrong, or -errno.  *plain: see
 * compare_lines().
 */
static int
check_replay(struct record_checker *checker, const struct game_record *record,
    bool *plain, struct record_fault *fault)
{
	struct replay_order order = {
		.seat = REPLAY_EVERYBODY,
		.legal = has_legal(record),
	};
	int error = replay_run(
	    checker->replay, record, &order, &checker->expected, fault);

	if (error)
		return error == -EBADMSG ? 0 : error;
	compare_lines(checker, record, plain, fault);
	return 0;
}

/*
 * The sum of a record is wrong: adds the line that was changed, if the rules
 * show it.
 */
static void
add_change(const struct record_fault *change, struct record_fault *fault)
{
	size_t length = strlen(fault->text);

	if (change->line)
		snprintf(fault->text + length, sizeof(fault->text) - length,
		    "; see line %jd: %s", change->line, change->text);
}

/*
 * If the input has ended within a game, its last line may be half a line and
 * the lines after it are missing.  A fault at the end then says only that.
 */
static void
explain_end(const struct game_record *record, struct record_fault *fault)
{
	if (!record->ended || fault->line < record->last_line)
		return;
	for (size_t at = 0; at < record->line_count; at++)
		if (record->lines[at].kind == EVENT_ENDMATCH)
			return;
	fault->line = 0;
	record_fault_set(fault, record->last_line,
	    "the file ends in the middle of a game: it is cut off, or is one "
	    "for `record derive`");
}

int
record_check(struct record_checker *checker, const struct game_record *record,
    const struct record_listener *listener, struct record_verdict *verdict)
{
	struct record_fault *fault = &verdict->fault;
	struct record_fault replayed = { .line = 0 };
	bool plain = false;
	int error;

	*verdict = (struct record_verdict){ .level = 1 };
	*fault = record->fault;
	if (fault->line || record->outside) {
		explain_end(record, fault);
		return 0;
	}
	/*
	 * The replay comes first, because it shows of most records that their
	 * lines are events, and costs less than to read every line.
	 */
	error = check_replay(checker, record, &plain, &replayed);
	if ((error || replayed.line || !plain) &&
	    !record_check_lines(record, false, listener, fault)) {
		explain_end(record, fault);
		return 0;
	}
	if (!check_sum(record, fault)) {
		if (record->summed)
			add_change(&replayed, fault);
		else
			explain_end(record, fault);
		return record->summed ? error : 0;
	}
	verdict->level = 2;
	*fault = replayed;
	if (error || fault->line)
		return error;
	verdict->level = 3;
	if (!check_keys(checker, record, verdict))
		return 0;
	verdict->level = 0;
	verdict->good = true;
	return 0;
}
