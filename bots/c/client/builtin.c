#include "builtin.h"

#include <assert.h>
#include <string.h>

#include "splitmix.h"

static const char *const bool_words[] = { "false", "true" };

/* The next word of a list with vertical bars between; length 0: no more. */
static struct token
word_take(const char **list)
{
	size_t length = strcspn(*list, "|");
	struct token word = { *list, length };

	*list += length;
	if (**list == '|')
		++*list;
	return word;
}

static bool
word_equals(struct token one, struct token other)
{
	return one.length == other.length &&
	    memcmp(one.bytes, other.bytes, one.length) == 0;
}

static bool
enum_take(
    const struct builtin_option *option, struct token value, int64_t *number)
{
	const char *list = option->words;
	struct token word = word_take(&list);

	for (int64_t i = 0; word.length > 0; i++) {
		if (word_equals(word, value)) {
			*number = i;
			return true;
		}
		word = word_take(&list);
	}
	return false;
}

static bool
value_take(
    const struct builtin_option *option, struct token value, int64_t *number)
{
	switch (option->type) {
	case BUILTIN_INT:
		return token_int(value, option->min, option->max, number);
	case BUILTIN_BOOL:
		if (!token_is(value, bool_words[0]) &&
		    !token_is(value, bool_words[1]))
			return false;
		*number = token_is(value, bool_words[1]);
		return true;
	case BUILTIN_ENUM:
		return enum_take(option, value, number);
	}
	return false;
}

void
builtin_option_write(
    const struct builtin_option *option, int64_t value, struct scopa_text *text)
{
	const char *list = option->words;
	struct token word;

	switch (option->type) {
	case BUILTIN_INT:
		scopa_text_int(text, value);
		break;
	case BUILTIN_BOOL:
		scopa_text_string(text, bool_words[value != 0]);
		break;
	case BUILTIN_ENUM:
		word = word_take(&list);
		for (int64_t i = 0; i < value; i++)
			word = word_take(&list);
		assert(word.length > 0);
		scopa_text_bytes(text, word.bytes, word.length);
		break;
	}
}

void
builtin_options_init(int64_t *values, const struct builtin *builtin)
{
	for (int i = 0; i < builtin->option_count; i++)
		values[i] = builtin->options[i].fallback;
}

static void
option_state(const struct builtin_option *option, struct scopa_text *text)
{
	static const char *const types[] = {
		[BUILTIN_INT] = "int",
		[BUILTIN_BOOL] = "bool",
		[BUILTIN_ENUM] = "enum",
	};

	scopa_text_string(text, "option name=");
	scopa_text_string(text, option->name);
	scopa_text_string(text, " type=");
	scopa_text_string(text, types[option->type]);
	scopa_text_string(text, " default=");
	builtin_option_write(option, option->fallback, text);
	if (option->type == BUILTIN_INT) {
		scopa_text_string(text, " min=");
		scopa_text_int(text, option->min);
		scopa_text_string(text, " max=");
		scopa_text_int(text, option->max);
	} else if (option->type == BUILTIN_ENUM) {
		scopa_text_string(text, " values=");
		scopa_text_string(text, option->words);
	}
	scopa_text_char(text, '\n');
}

void
builtin_options_format(const struct builtin *builtin, struct scopa_text *text)
{
	for (int i = 0; i < builtin->option_count; i++)
		option_state(&builtin->options[i], text);
}

int
builtin_option_find(const struct builtin *builtin, struct token name)
{
	for (int i = 0; i < builtin->option_count; i++)
		if (token_is(name, builtin->options[i].name))
			return i;
	return -1;
}

enum builtin_option_result
builtin_option_set(int64_t *values, const struct builtin *builtin,
    struct token word, struct token *name)
{
	const char *equals = memchr(word.bytes, '=', word.length);
	const struct builtin_option *option;
	int index;

	*name = word;
	if (equals != NULL)
		name->length = (size_t)(equals - word.bytes);
	index = builtin_option_find(builtin, *name);
	if (index < 0)
		return BUILTIN_OPTION_UNKNOWN;
	option = &builtin->options[index];
	return value_take(
		   option, token_value(word, option->name), &values[index])
	    ? BUILTIN_OPTION_SET
	    : BUILTIN_OPTION_REFUSED;
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

	if (move.length == 0)
		return false;
	scopa_text_bytes(answer, move.bytes, move.length);
	return true;
}
