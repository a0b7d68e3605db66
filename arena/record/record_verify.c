#include "record_verify.h"

#include <assert.h>
#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shuffle.h"

enum { QUOTE_MAX = 160 };

struct record_checker {
	struct replay *replay;
	struct record expected; /* what follows from the block */
	struct event event;     /* the line in hand */
	char canonical[EVENT_LINE_SIZE];
};

int
record_checker_open(struct record_checker **checker)
{
	struct record_checker *made = calloc(1, sizeof(*made));
	int error;

	if (!made)
		return -ENOMEM;
	error = replay_open(&made->replay);
	if (error) {
		free(made);
		return error;
	}
	record_init(&made->expected);
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
line_is(const struct record_block *block, size_t at, const char *verb)
{
	const struct record_line *line = &block->lines[at];

	return record_line_has(block, line, verb);
}

/* Whether a line is there only to be read: blank, or a comment. */
static bool
line_is_idle(const struct record_block *block, size_t at)
{
	struct words words;

	words_split(record_line_bytes(block, &block->lines[at]),
	    block->lines[at].length, &words);
	return words.count == 0;
}

/* A line whose verb is no event's. */
static void
report_unknown(const struct record_block *block, size_t at,
    const struct record_listener *listener)
{
	const struct record_line *line = &block->lines[at];
	char bytes[RECORD_FAULT_SIZE];
	struct scopa_text text;
	struct words words;

	words_split(record_line_bytes(block, line), line->length, &words);
	if (words.count == 0 || word_is(words.word[0], "legal"))
		return;
	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_text_string(&text, "skipped: no line begins with \"");
	scopa_text_bytes(&text, words.word[0].bytes,
	    words.word[0].length < 40 ? words.word[0].length : 40);
	scopa_text_string(&text, "\"");
	report(listener, line->number, bytes);
}

bool
record_check_lines(const struct record_block *block, bool lenient,
    const struct record_listener *listener, struct record_fault *fault)
{
	struct event event;

	for (size_t at = 0; at < block->line_count; at++) {
		const struct record_line *line = &block->lines[at];
		char why_bytes[RECORD_FAULT_SIZE];
		struct scopa_text why;

		scopa_text_init(&why, why_bytes, sizeof(why_bytes));
		switch (event_parse(record_line_bytes(block, line),
		    line->length, &event, &why)) {
		case EVENT_PARSED:
			if (why.length > 0)
				report(listener, line->number, why_bytes);
			break;
		case EVENT_UNKNOWN:
			report_unknown(block, at, listener);
			break;
		case EVENT_BAD:
			if (lenient)
				break;
			record_fault_set(fault, line->number, "%s", why_bytes);
			return false;
		}
	}
	return true;
}

/* Level 1: the sum is there and is that of the lines before it. */
static bool
check_sum(const struct record_block *block, struct record_fault *fault)
{
	const struct record_line *line = &block->lines[block->line_count - 1];
	unsigned char hash[EVENT_HASH_SIZE];
	struct event event;

	if (!block->summed) {
		record_fault_set(fault, block->last_line,
		    "no `sum` line ends the block: it is cut off, or is one "
		    "for `record derive`");
		return false;
	}
	if (!record_line_event(block, line, &event, fault))
		return false;
	if (event.sum.lines != (int64_t)block->line_count - 1) {
		record_fault_set(fault, line->number,
		    "lines=%lld, but there are %zu", (long long)event.sum.lines,
		    block->line_count - 1);
		return false;
	}
	crypto_hash_sha256(
	    hash, (const unsigned char *)block->bytes, line->begin);
	if (memcmp(hash, event.sum.hash, sizeof(hash)) != 0) {
		record_fault_set(fault, line->number,
		    "sha256= is not that of the lines: the block was changed");
		return false;
	}
	return true;
}

/* Takes ` t=...` out of a line: it follows from nothing. */
static size_t
copy_timeless(const char *bytes, size_t length, char *copy)
{
	size_t size = 0;

	for (size_t at = 0; at < length;) {
		if (length - at > 3 && memcmp(bytes + at, " t=", 3) == 0) {
			for (at++; at < length && bytes[at] != ' '; at++)
				;
			continue;
		}
		copy[size++] = bytes[at++];
	}
	return size;
}

static bool
same_but_time(const char *a, size_t a_length, const char *b, size_t b_length)
{
	char a_copy[EVENT_LINE_SIZE], b_copy[EVENT_LINE_SIZE];
	size_t a_size, b_size;

	if (a_length > EVENT_LINE_SIZE || b_length > EVENT_LINE_SIZE)
		return false;
	a_size = copy_timeless(a, a_length, a_copy);
	b_size = copy_timeless(b, b_length, b_copy);
	return a_size == b_size && memcmp(a_copy, b_copy, a_size) == 0;
}

/* Whether a line is the expected one, but for what is no claim. */
static bool
line_matches(struct record_checker *checker, const struct record_block *block,
    size_t at, const char *expected, size_t length)
{
	const struct record_line *line = &block->lines[at];
	const char *bytes = record_line_bytes(block, line);
	char why_bytes[RECORD_FAULT_SIZE];
	struct scopa_text why, text;

	if (line->length == length && memcmp(bytes, expected, length) == 0)
		return true;
	if (line_is(block, at, "play") || line_is(block, at, "declare"))
		if (same_but_time(bytes, line->length, expected, length))
			return true;
	/* Keys of a later version stand where we would write nothing. */
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

/* Lines that are remarks and may stand anywhere. */
static bool
is_remark(const char *bytes, size_t length)
{
	return record_line_is(bytes, length, "info") ||
	    record_line_is(bytes, length, "void") ||
	    record_line_is(bytes, length, "ponder");
}

/* A line that the block has and that is compared with nothing. */
static bool
is_skipped(
    struct record_checker *checker, const struct record_block *block, size_t at)
{
	const struct record_line *line = &block->lines[at];
	const char *bytes = record_line_bytes(block, line);
	char why_bytes[RECORD_FAULT_SIZE];
	struct scopa_text why;

	if (is_remark(bytes, line->length) || line_is_idle(block, at))
		return true;
	if (line_is(block, at, "legal"))
		return false;
	scopa_text_init(&why, why_bytes, sizeof(why_bytes));
	return event_parse(bytes, line->length, &checker->event, &why) ==
	    EVENT_UNKNOWN;
}

/* The next line of what was expected that is to be compared; its length. */
static size_t
next_expected(
    const struct record *expected, size_t *at, const char **line, bool legal)
{
	while (*at < expected->size) {
		const char *bytes = expected->bytes + *at;
		const char *end = memchr(bytes, '\n', expected->size - *at);
		size_t length = (size_t)(end - bytes);

		*at += length + 1;
		if (is_remark(bytes, length) ||
		    (!legal && record_line_is(bytes, length, "legal")))
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
	if (expected)
		record_fault_set(fault, number,
		    "this line does not follow; expected: %.*s%s",
		    length < QUOTE_MAX ? (int)length : QUOTE_MAX, expected,
		    length < QUOTE_MAX ? "" : "...");
	else
		record_fault_set(
		    fault, number, "nothing follows here: the match has ended");
	return false;
}

/* Level 2: the lines are those that follow. */
static bool
compare_lines(struct record_checker *checker, const struct record_block *block,
    struct record_fault *fault)
{
	const struct record_line *last = &block->lines[block->line_count - 1];
	const char *expected;
	size_t from = 0, length;

	for (size_t at = 0; at + 1 < block->line_count; at++) {
		if (is_skipped(checker, block, at))
			continue;
		length = next_expected(&checker->expected, &from, &expected,
		    line_is(block, at, "legal"));
		if (!expected ||
		    !line_matches(checker, block, at, expected, length))
			return blame_difference(
			    fault, block->lines[at].number, expected, length);
	}
	length = next_expected(&checker->expected, &from, &expected, false);
	if (expected)
		return blame_difference(fault, last->number, expected, length);
	return true;
}

static bool
has_legal(const struct record_block *block)
{
	for (size_t at = 0; at < block->line_count; at++)
		if (line_is(block, at, "legal"))
			return true;
	return false;
}

/* `tag event= secret=`: 1 where both are there, 0 where no secret is, or -1. */
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

/* Level 3 for one pack. */
static bool
check_pack(const struct event_pack *pack, const struct shuffle_key *secret,
    const char *event, int64_t number, struct record_fault *fault)
{
	struct shuffle_key key, deal_key;
	uint8_t cards[SCOPA_PACK_SIZE];

	memcpy(key.bytes, pack->key, sizeof(key.bytes));
	shuffle_pack(&key, cards);
	if (memcmp(cards, pack->cards, sizeof(cards)) != 0) {
		record_fault_set(
		    fault, number, "seed= does not give these cards");
		return false;
	}
	if (!secret)
		return true;
	shuffle_deal_key(secret, event, (uint64_t)pack->number,
	    (uint64_t)pack->redeal, &deal_key);
	if (memcmp(deal_key.bytes, key.bytes, sizeof(key.bytes)) != 0) {
		record_fault_set(fault, number,
		    "seed= is not the key that secret= of the `tag` gives for "
		    "event %s, deal %d, redeal %d",
		    event, pack->number, pack->redeal);
		return false;
	}
	return true;
}

/* Level 3: what is said of where the packs come from. */
static bool
check_keys(struct record_checker *checker, const struct record_block *block,
    struct record_verdict *verdict)
{
	struct shuffle_key secret;
	char name[SHUFFLE_EVENT_MAX + 1];
	int secrets = read_secret(replay_head(checker->replay), &secret, name);

	for (size_t at = 0; at < block->line_count; at++) {
		const struct record_line *line = &block->lines[at];

		if (secrets < 0 && line_is(block, at, "tag")) {
			record_fault_set(&verdict->fault, line->number,
			    "secret= must be 64 hex digits, beside event=");
			return false;
		}
		if (!line_is(block, at, "pack"))
			continue;
		record_line_event(block, line, &checker->event, NULL);
		if (!checker->event.pack.has_key)
			continue;
		if (!check_pack(&checker->event.pack,
			secrets > 0 ? &secret : NULL, name, line->number,
			&verdict->fault))
			return false;
		verdict->key_count++;
	}
	verdict->secret = secrets > 0 && verdict->key_count > 0;
	return true;
}

/* Level 2: 0 with or without a fault, or -errno. */
static int
check_replay(struct record_checker *checker, const struct record_block *block,
    struct record_fault *fault)
{
	struct replay_order order = {
		.seat = REPLAY_EVERYBODY,
		.legal = has_legal(block),
	};
	int error = replay_run(
	    checker->replay, block, &order, &checker->expected, fault);

	if (error)
		return error == -EBADMSG ? 0 : error;
	compare_lines(checker, block, fault);
	return 0;
}

/* Where a block with a wrong sum was changed, if the rules can tell. */
static int
find_change(struct record_checker *checker, const struct record_block *block,
    struct record_fault *fault)
{
	struct record_fault change = { .line = 0 };
	size_t length = strlen(fault->text);
	int error = check_replay(checker, block, &change);

	if (!error && change.line)
		snprintf(fault->text + length, sizeof(fault->text) - length,
		    "; see line %lld: %s", (long long)change.line, change.text);
	return error;
}

int
record_check(struct record_checker *checker, const struct record_block *block,
    const struct record_listener *listener, struct record_verdict *verdict)
{
	struct record_fault *fault = &verdict->fault;
	int error;

	*verdict = (struct record_verdict){ .level = 1 };
	*fault = block->fault;
	if (fault->line || block->outside ||
	    !record_check_lines(block, false, listener, fault))
		return 0;
	if (!check_sum(block, fault))
		return block->summed ? find_change(checker, block, fault) : 0;
	verdict->level = 2;
	error = check_replay(checker, block, fault);
	if (error || fault->line)
		return error;
	verdict->level = 3;
	if (!check_keys(checker, block, verdict))
		return 0;
	verdict->level = 0;
	verdict->good = true;
	return 0;
}
