#include "token.h"

#include <assert.h>
#include <string.h>

static bool
byte_is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

struct token
token_next(struct token *line)
{
	const char *at = line->bytes;
	const char *end = at + line->length;

	while (at < end && byte_is_blank(*at))
		at++;

	const char *start = at;

	while (at < end && !byte_is_blank(*at))
		at++;
	*line = (struct token){ at, (size_t)(end - at) };
	return (struct token){ start, (size_t)(at - start) };
}

/* The position of the comment, or the end. */
static const char *
comment_find(const char *start, const char *end)
{
	const char *at = start;

	while (at < end) {
		const char *mark = memchr(at, '#', (size_t)(end - at));

		if (mark == NULL)
			return end;
		if (mark == start || byte_is_blank(mark[-1]))
			return mark;
		at = mark + 1;
	}
	return end;
}

struct token
token_trim(struct token line)
{
	const char *start = line.bytes;
	const char *end = start + line.length;

	if (end > start && end[-1] == '\r')
		end--;
	end = comment_find(start, end);
	while (start < end && byte_is_blank(*start))
		start++;
	while (end > start && byte_is_blank(end[-1]))
		end--;
	return (struct token){ start, (size_t)(end - start) };
}

bool
token_is(struct token token, const char *word)
{
	size_t length = strlen(word);

	return token.length == length && memcmp(token.bytes, word, length) == 0;
}

struct token
token_value(struct token token, const char *key)
{
	size_t length = strlen(key);

	if (token.length <= length || token.bytes[length] != '=' ||
	    memcmp(token.bytes, key, length) != 0)
		return (struct token){ token.bytes, 0 };
	return (struct token){ token.bytes + length + 1,
		token.length - length - 1 };
}

struct token
token_find(struct token line, const char *key)
{
	struct token found = { line.bytes, 0 };
	struct token word = token_next(&line);

	while (word.length > 0) {
		struct token value = token_value(word, key);

		if (value.length > 0)
			found = value;
		word = token_next(&line);
	}
	return found;
}

bool
token_int(struct token token, int64_t min, int64_t max, int64_t *number)
{
	bool negative = token.length > 0 && token.bytes[0] == '-';
	size_t at = negative;
	int64_t magnitude = 0;

	assert(min <= max);
	if (at == token.length)
		return false;
	for (; at < token.length; at++) {
		int digit = token.bytes[at] - '0';

		if (digit < 0 || digit > 9 ||
		    magnitude > (INT64_MAX - digit) / 10)
			return false;
		magnitude = magnitude * 10 + digit;
	}
	if (negative)
		magnitude = -magnitude;
	if (magnitude < min || magnitude > max)
		return false;
	*number = magnitude;
	return true;
}

bool
token_copy(struct token token, char *bytes, size_t size)
{
	if (token.length >= size)
		return false;
	memcpy(bytes, token.bytes, token.length);
	bytes[token.length] = '\0';
	return true;
}
