/*
 * The words of a protocol line, the options of a bot, and its `info` lines.
 *
 * A token points into the caller's line and is not terminated by a NUL.  No
 * function here allocates memory or reads the clock.
 */
#include "builtin.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "scopa/notation.h"
#include "splitmix.h"

static bool
is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

struct token
token_next(struct token *line)
{
	const char *at = line->bytes, *end = at + line->length, *start;

	while (at < end && is_blank(*at))
		at++;
	for (start = at; at < end && !is_blank(*at);)
		at++;
	*line = (struct token){ at, (size_t)(end - at) };
	return (struct token){ start, (size_t)(at - start) };
}

struct token
token_trim(struct token line)
{
	const char *start = line.bytes, *end = start + line.length;

	if (end > start && end[-1] == '\r')
		end--;
	for (const char *at = start; at < end; at++)
		if (*at == '#' && (at == start || is_blank(at[-1])))
			end = at;
	while (start < end && is_blank(*start))
		start++;
	while (end > start && is_blank(end[-1]))
		end--;
	return (struct token){ start, (size_t)(end - start) };
}

bool
token_is(struct token token, const char *word)
{
	return token.length == strlen(word) &&
	    memcmp(token.bytes, word, token.length) == 0;
}

struct token
token_find(struct token line, const char *key)
{
	struct token found = { line.bytes, 0 }, word;
	size_t skip = strlen(key) + 1;

	while ((word = token_next(&line)).length > 0)
		if (word.length > skip && word.bytes[skip - 1] == '=' &&
		    memcmp(word.bytes, key, skip - 1) == 0)
			found = (struct token){ word.bytes + skip,
				word.length - skip };
	return found;
}

bool
token_int(struct token token, int64_t min, int64_t max, int64_t *number)
{
	enum { DIGITS_SIZE = 32 };
	char bytes[DIGITS_SIZE], *end;
	long long value;

	assert(min <= max);
	if (!token_copy(token, bytes, sizeof(bytes)) ||
	    !isdigit((unsigned char)bytes[bytes[0] == '-']))
		return false;
	errno = 0;
	value = strtoll(bytes, &end, 10);
	if (errno != 0 || *end != '\0' || value < min || value > max)
		return false;
	*number = value;
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

void
builtin_options_init(int64_t *values, const struct builtin *builtin)
{
	for (int i = 0; i < builtin->option_count; i++)
		values[i] = builtin->options[i].fallback;
}

void
builtin_options_format(const struct builtin *builtin, struct scopa_text *text)
{
	for (int i = 0; i < builtin->option_count; i++) {
		const struct builtin_option *option = &builtin->options[i];
		const char *const *words = option->words;

		scopa_text_print(text, "option name=%s ", option->name);
		if (words == NULL) {
			scopa_text_print(text,
			    "type=int default=%jd min=%jd max=%jd\n",
			    (intmax_t)option->fallback, (intmax_t)option->min,
			    (intmax_t)option->max);
			continue;
		}
		scopa_text_print(text, "type=enum default=%s values=%s",
		    words[option->fallback], words[0]);
		while (*++words != NULL)
			scopa_text_print(text, "|%s", *words);
		scopa_text_print(text, "\n");
	}
}

static bool
store_value(
    const struct builtin_option *option, struct token value, int64_t *number)
{
	if (option->words == NULL)
		return token_int(value, option->min, option->max, number);
	for (int64_t i = 0; option->words[i] != NULL; i++)
		if (token_is(value, option->words[i])) {
			*number = i;
			return true;
		}
	return false;
}

const char *
builtin_option_set(int64_t *values, const struct builtin *builtin,
    struct token word, struct token *name)
{
	const char *equals = memchr(word.bytes, '=', word.length);

	*name = word;
	if (equals != NULL)
		name->length = (size_t)(equals - word.bytes);
	for (int i = 0; i < builtin->option_count; i++) {
		const struct builtin_option *option = &builtin->options[i];

		if (!token_is(*name, option->name))
			continue;
		return store_value(
			   option, token_find(word, option->name), &values[i])
		    ? NULL
		    : "option # no such value of ";
	}
	return "option # there is no option ";
}

uint64_t
builtin_seed(struct token seed)
{
	uint64_t state = seed.length;

	for (size_t i = 0; i < seed.length; i++) {
		state ^= (unsigned char)seed.bytes[i];
		state = splitmix_next(&state);
	}
	return state;
}

bool
builtin_first_legal(const struct builtin_turn *turn, struct scopa_text *answer)
{
	struct token list = { turn->legal, turn->legal_length };
	struct token move = token_next(&list);

	scopa_text_bytes(answer, move.bytes, move.length);
	return move.length > 0;
}

/*
 * A double has about 15 digits.  Beyond this limit it cannot hold three exact
 * decimals, so larger numbers are left out.
 */
static const double DECIMAL_MAX = 1e12;

void
info_init(struct info *info)
{
	scopa_text_init(&info->line, info->bytes, sizeof(info->bytes));
}

void
info_whole(struct info *info, const char *key, int64_t number)
{
	assert(number >= 0);
	scopa_text_print(&info->line, " %s=%jd", key, (intmax_t)number);
}

void
info_decimal(struct info *info, const char *key, double number)
{
	enum { THOUSAND = 1000 };
	intmax_t thousandths, rest;

	/*
	 * The condition is written so that NaN, which fails every comparison,
	 * is left out too.
	 */
	if (!(number >= -DECIMAL_MAX && number <= DECIMAL_MAX))
		return;
	thousandths = (intmax_t)(number * THOUSAND + (number < 0 ? -0.5 : 0.5));
	rest = imaxabs(thousandths);
	scopa_text_print(&info->line, " %s=%s%jd.%jd%jd%jd", key,
	    thousandths < 0 ? "-" : "", rest / THOUSAND, rest / 100 % 10,
	    rest / 10 % 10, rest % 10);
}

void
info_moves(struct info *info, const char *key, const struct scopa_move *moves,
    int count)
{
	if (count > 0)
		scopa_text_print(&info->line, " %s=", key);
	for (int i = 0; i < count; i++) {
		if (i > 0)
			scopa_text_char(&info->line, ',');
		scopa_move_format(&moves[i], &info->line);
	}
}

void
info_finish(const struct info *info, struct scopa_text *text)
{
	enum { AROUND = sizeof("info\n") - 1 };
	const struct scopa_text *line = &info->line;

	if (text != NULL && line->length > 0 && !line->cut &&
	    line->length + AROUND <= INFO_LINE_MAX + 1 &&
	    line->length + AROUND < text->size - text->length)
		scopa_text_print(text, "info%s\n", line->bytes);
}
