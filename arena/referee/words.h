/*
 * A line of protocol or record as words.
 *
 * Words stand apart by runs of blanks; a word that begins with `#` starts a
 * comment that ends the line.  Nothing is copied: words point into the line.
 */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "scopa/text.h"

/* The longest line has the 37 parameters of `rules`; bots get room to talk. */
enum { WORDS_MAX = 128, WORD_SECONDS_MAX = 1000000 };

struct word {
	const char *bytes; /* not ended by a NUL */
	size_t length;
};

struct words {
	struct word word[WORDS_MAX]; /* word[0] is the verb */
	int count;
	bool cut;           /* there were more words than WORDS_MAX */
	size_t line_length; /* from word[0] to the end, comment included */
};

/* Splits a line of `length` bytes. */
void words_split(const char *line, size_t length, struct words *words);

/* The first word, which may be a comment; its length is 0 where there is none. */
struct word words_first(const char *line, size_t length);

/* Splits a text of pairs alone, as of a tag: they follow an empty verb. */
void words_split_pairs(const char *text, struct words *words);

/* Inline, because most texts are constants: their length is then, too. */
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

/* Whether the word is `key=value`; `value` is then what stands behind `=`. */
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

/* Splits `key=value`; false where there is no `=` or the key is empty. */
bool word_split_pair(struct word word, struct word *key, struct word *value);

/* Whether the word is `key=value` with a key that is a word of `keys`. */
bool word_is_known(struct word word, const char *keys);

/* Whether it has only letters, digits and these marks, one at least. */
bool word_is_code(struct word word, const char *marks);

/* The value of the last word `key=...`, or a word whose bytes are NULL. */
struct word words_find(const struct words *words, const char *key);

/* A decimal number in min..max: no sign but `-`, no leading zero. */
bool word_to_int(struct word word, int64_t min, int64_t max, int64_t *number);

/* Seconds with up to nine digits after the point, as in `0.071`. */
bool word_to_us(struct word word, int64_t *time_us);

/* The value of a hex digit of either case, or -1. */
int hex_value(char digit);

/* Exactly 2 * size lower-case hex digits into bytes. */
bool word_to_hex(struct word word, uint8_t *bytes, size_t size);

/*
 * Copies a value with `%XX` decoded, ended by a NUL.  False, and nothing
 * written, where it does not fit, or a `%` is not followed by two hex digits
 * that name a byte other than NUL.
 */
bool word_decode(struct word word, char *text, size_t size);

/* Takes the next piece up to `separator` off the front of `rest`. */
bool word_next_piece(struct word *rest, char separator, struct word *piece);

/* Writes a value with the bytes that the grammar reserves as `%XX`. */
void value_encode(const char *value, struct scopa_text *text);

/* Writes `size` bytes as lower-case hex digits. */
void hex_encode(const uint8_t *bytes, size_t size, struct scopa_text *text);

#endif
