/*
 * Splits lines into words and reads the values of words.  No function
 * allocates; a word points into its line.
 */
#include "words.h"

#include <string.h>

/* Called for every byte; the first comparison is false for most bytes. */
static bool
is_blank(char byte)
{
	return byte <= ' ' && (byte == ' ' || byte == '\t');
}

void
words_split(const char *line, size_t length, struct words *words)
{
	size_t at = 0;

	words->count = 0;
	words->cut = false;
	words->line_length = 0;
	for (;;) {
		struct word word;

		while (at < length && is_blank(line[at]))
			at++;
		if (at == length || line[at] == '#')
			return;
		word.bytes = line + at;
		while (at < length && !is_blank(line[at]))
			at++;
		word.length = (size_t)(line + at - word.bytes);
		if (words->count == WORDS_MAX) {
			words->cut = true;
			return;
		}
		if (words->count == 0)
			words->line_length =
			    (size_t)(line + length - word.bytes);
		words->word[words->count++] = word;
	}
}

struct word
words_first(const char *line, size_t length)
{
	struct word word = { line, 0 };

	for (; length > 0 && is_blank(*word.bytes); length--)
		word.bytes++;
	while (word.length < length && !is_blank(word.bytes[word.length]))
		word.length++;
	return word;
}

void
words_split_pairs(const char *text, struct words *words)
{
	words_split(text, strlen(text), words);
	words->cut |= words->count == WORDS_MAX;
	words->count -= words->count == WORDS_MAX;
	memmove(&words->word[1], &words->word[0],
	    (size_t)words->count * sizeof(words->word[0]));
	words->word[0] = (struct word){ text, 0 };
	words->count++;
}

bool
word_split_pair(struct word word, struct word *key, struct word *value)
{
	const char *sign = memchr(word.bytes, '=', word.length);

	if (!sign || sign == word.bytes)
		return false;
	key->bytes = word.bytes;
	key->length = (size_t)(sign - word.bytes);
	value->bytes = sign + 1;
	value->length = word.length - key->length - 1;
	return true;
}

bool
word_is_known(struct word word, const char *keys)
{
	struct word rest = { keys, strlen(keys) }, key, value, piece;

	if (!word_split_pair(word, &key, &value))
		return false;
	while (word_next_piece(&rest, ' ', &piece))
		if (word_equal(piece, key))
			return true;
	return false;
}

bool
word_is_code(struct word word, const char *marks)
{
	for (size_t i = 0; i < word.length; i++) {
		char byte = word.bytes[i];

		if (!(byte >= 'a' && byte <= 'z') &&
		    !(byte >= 'A' && byte <= 'Z') &&
		    !(byte >= '0' && byte <= '9') &&
		    (byte == '\0' || strchr(marks, byte) == NULL))
			return false;
	}
	return word.length > 0;
}

struct word
words_find(const struct words *words, const char *key)
{
	size_t length = strlen(key);

	/* The last one counts, so the search begins at the end. */
	for (int i = words->count - 1; i > 0; i--) {
		struct word word = words->word[i];

		if (word.length > length && word.bytes[length] == '=' &&
		    memcmp(word.bytes, key, length) == 0)
			return (struct word){ word.bytes + length + 1,
				word.length - length - 1 };
	}
	return (struct word){ NULL, 0 };
}

bool
word_to_int(struct word word, int64_t min, int64_t max, int64_t *number)
{
	size_t at = word.length > 0 && word.bytes[0] == '-';
	int64_t sign = at == 1 ? -1 : 1, result = 0;

	/* There is one way to write each number: neither 01 nor -0. */
	if (word.length == at || (word.length > 1 && word.bytes[at] == '0'))
		return false;
	for (; at < word.length; at++) {
		if (word.bytes[at] < '0' || word.bytes[at] > '9' ||
		    __builtin_mul_overflow(result, 10, &result) ||
		    __builtin_add_overflow(
			result, sign * (word.bytes[at] - '0'), &result))
			return false;
	}
	if (result < min || result > max)
		return false;
	*number = result;
	return true;
}

bool
word_to_us(struct word word, int64_t *time_us)
{
	struct word whole, rest = word, part = { "", 0 };
	int64_t seconds, unit = 100000, parts_us = 0;

	if (!word_next_piece(&rest, '.', &whole) ||
	    !word_to_int(whole, 0, WORD_SECONDS_MAX, &seconds))
		return false;
	if (rest.bytes)
		part = rest;
	for (size_t i = 0; i < part.length; i++, unit /= 10) {
		if (part.bytes[i] < '0' || part.bytes[i] > '9' || i == 9)
			return false;
		parts_us += (part.bytes[i] - '0') * unit;
	}
	*time_us = seconds * 1000000 + parts_us;
	return true;
}

int
hex_value(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}

bool
word_to_hex(struct word word, uint8_t *bytes, size_t size)
{
	if (word.length != 2 * size)
		return false;
	for (size_t i = 0; i < word.length; i++)
		if (hex_value(word.bytes[i]) < 0 ||
		    (word.bytes[i] >= 'A' && word.bytes[i] <= 'F'))
			return false;
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(16 * hex_value(word.bytes[2 * i]) +
		    hex_value(word.bytes[2 * i + 1]));
	return true;
}

void
word_copy(struct word word, char *text, size_t size)
{
	if (word.length >= size)
		word.length = size - 1;
	memcpy(text, word.bytes, word.length);
	text[word.length] = '\0';
}

/*
 * The byte at *at, which is advanced after it; -1 if its escape is wrong.  As
 * in URLs, the digits of `%XX` may be of either case.
 */
static int
decode_byte(struct word word, size_t *at)
{
	int byte = (unsigned char)word.bytes[(*at)++];
	int high, low;

	if (byte != '%')
		return byte;
	if (word.length - *at < 2)
		return -1;
	high = hex_value(word.bytes[(*at)++]);
	low = hex_value(word.bytes[(*at)++]);
	return high < 0 || low < 0 || high + low == 0 ? -1 : high << 4 | low;
}

bool
word_decode(struct word word, char *text, size_t size)
{
	size_t length = 0;

	for (size_t at = 0; at < word.length; length++)
		if (decode_byte(word, &at) < 0 || length + 1 >= size)
			return false;
	length = 0;
	for (size_t at = 0; at < word.length;)
		text[length++] = (char)decode_byte(word, &at);
	text[length] = '\0';
	return true;
}

bool
word_next_piece(struct word *rest, char separator, struct word *piece)
{
	const char *end;

	if (rest->bytes == NULL)
		return false;
	end = memchr(rest->bytes, separator, rest->length);
	*piece = *rest;
	if (end) {
		piece->length = (size_t)(end - rest->bytes);
		rest->length -= piece->length + 1;
		rest->bytes = end + 1;
	} else {
		*rest = (struct word){ NULL, 0 };
	}
	return true;
}

void
hex_encode(const uint8_t *bytes, size_t size, struct scopa_text *text)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < size; i++) {
		scopa_text_char(text, digits[bytes[i] >> 4]);
		scopa_text_char(text, digits[bytes[i] & 15]);
	}
}

void
value_encode(const char *value, struct scopa_text *text)
{
	for (size_t i = 0; value[i]; i++) {
		uint8_t byte = (uint8_t)value[i];

		if (byte > 0x20 && byte < 0x7F && byte != '%' &&
		    (byte != '#' || i > 0)) {
			scopa_text_char(text, value[i]);
		} else {
			scopa_text_char(text, '%');
			hex_encode(&byte, 1, text);
		}
	}
}

void
shell_word_format(const char *word, struct scopa_text *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP"
				    "QRSTUVWXYZ0123456789@%_+=:,./-";
	/* Double quotes are easier to read around a single one. */
	bool single =
	    strpbrk(word, "\"$`\\!") != NULL || strchr(word, '\'') == NULL;

	if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
		scopa_text_string(text, word);
		return;
	}
	scopa_text_char(text, single ? '\'' : '"');
	for (; *word != '\0'; word++)
		if (*word == '\'' && single)
			scopa_text_string(text, "'\\''");
		else
			scopa_text_char(text, *word);
	scopa_text_char(text, single ? '\'' : '"');
}
