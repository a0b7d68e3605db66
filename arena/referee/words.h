/*
 * A line of the protocol or of a record, split into words.
 *
 * Words are separated by blanks.  A word that begins with `#` starts a comment,
 * which goes to the end of the line.  Words point into the line; nothing is
 * copied.  Below: how values, hex digits, words of a shell and plurals are
 * written.
 */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "scopa/text.h"

/*
 * The longest line is `rules`, with 37 parameters; bots may write longer lines.
 */
enum { WORDS_MAX = 128, WORD_SECONDS_MAX = 1000000 };

struct word {
	const char *bytes; /* without a NUL */
	size_t length;
};

struct words {
	struct word word[WORDS_MAX]; /* word[0] is the verb */
	int count;
	bool cut; /* the line had more words than WORDS_MAX */
	/* Bytes from word[0] to the end, with the comment. */
	size_t line_length;
};

/* Splits a line of `length` bytes, which must live as long as the words. */
void words_split(const char *line, size_t length, struct words *words);

/* The first word, which may be a comment.  Its length is 0 if there is none. */
struct word words_first(const char *line, size_t length);

/*
 * Splits a text that has only pairs, as that of a tag.  Its first pair is
 * word[1]; word[0] is empty.
 */
void words_split_pairs(const char *text, struct words *words);

/* A whole text as a word. */
static inline struct word
word_of(const char *text)
{
	return (struct word){ text, strlen(text) };
}

/*
 * Inline, because `text` is mostly a constant, whose length is then constant,
 * too.
 */
static inline bool
word_is(struct word word, const char *text)
{
	size_t length = strlen(text);

	return word.length == length && memcmp(word.bytes, text, length) == 0;
}

static inline bool
word_equal(struct word a, struct word b)
{
	return a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}

/*
 * Whether the word is `key=value`; if so, *value is set to the text after `=`.
 */
static inline bool
word_is_pair(struct word word, const char *key, struct word *value)
{
	size_t length = strlen(key);

	if (word.length <= length || word.bytes[length] != '=' ||
	    memcmp(word.bytes, key, length) != 0)
		return false;
	value->bytes = word.bytes + length + 1;
	value->length = word.length - length - 1;
	return true;
}

/* Splits `key=value`.  Returns false if there is no `=` or the key is empty. */
bool word_split_pair(struct word word, struct word *key, struct word *value);

/* Whether the word is `key=value` and the key is one of the words of `keys`. */
bool word_is_known(struct word word, const char *keys);

/*
 * Whether the word has only letters, digits and bytes of `marks`, and at least
 * one of them.
 */
bool word_is_code(struct word word, const char *marks);

/* The value of the last word `key=...`; its bytes are NULL if there is none. */
struct word words_find(const struct words *words, const char *key);

/*
 * Reads a decimal number in min..max, without `+` and leading zeros, and not
 * -0. Returns false if the word is not such a number.
 */
bool word_to_int(struct word word, int64_t min, int64_t max, int64_t *number);

/*
 * Reads seconds with up to nine digits after the point, as `0.071`, into
 * microseconds.  Returns false if the word has another form.
 */
bool word_to_us(struct word word, int64_t *time_us);

/* The value of a hex digit of either case, or -1. */
int hex_value(char digit);

/*
 * Reads exactly 2 * size lower-case hex digits into `bytes`.  Returns false for
 * any other word.
 */
bool word_to_hex(struct word word, uint8_t *bytes, size_t size);

/* Copies at most size - 1 bytes of a word, unchanged, and adds a NUL. */
void word_copy(struct word word, char *text, size_t size);

/*
 * Copies a value with `%XX` decoded, and adds a NUL.  Returns false and writes
 * nothing if the value does not fit, or if a `%` is not followed by two hex
 * digits of a byte other than NUL.
 */
bool word_decode(struct word word, char *text, size_t size);

/*
 * Sets *piece to the part of *rest before the next `separator` and removes it
 * from *rest.  Returns false if nothing is left; rest->bytes is NULL after the
 * last piece.
 */
bool word_next_piece(struct word *rest, char separator, struct word *piece);

/* Writes a value; bytes that the grammar reserves are written as `%XX`. */
void value_encode(const char *value, struct scopa_text *text);

/* Writes `size` bytes as lower-case hex digits. */
void hex_encode(const uint8_t *bytes, size_t size, struct scopa_text *text);

/* Appends a word as a shell reads it: in quotes if it needs them. */
void shell_word_format(const char *word, struct scopa_text *text);

/* The ending of a noun for so many things: `s`, or nothing for one. */
static inline const char *
text_plural(int64_t count)
{
	return count == 1 ? "" : "s";
}

#endif
