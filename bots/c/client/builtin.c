#include "builtin.h"

#include <assert.h>
#include <string.h>

#include "splitmix.h"

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
value_take(
    const struct builtin_option *option, struct token value, int64_t *number)
{
	const char *list = option->words;

	if (list == NULL)
		return token_int(value, option->min, option->max, number);
	for (int64_t i = 0; *list != '\0'; i++) {
		struct token word = word_take(&list);

		if (word.length == value.length &&
		    memcmp(word.bytes, value.bytes, word.length) == 0) {
			*number = i;
			return true;
		}
	}
	return false;
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
		const char *list = option->words;

		scopa_text_string(text, "option name=");
		scopa_text_string(text, option->name);
		if (list == NULL) {
			scopa_text_string(text, " type=int default=");
			scopa_text_int(text, option->fallback);
			scopa_text_string(text, " min=");
			scopa_text_int(text, option->min);
			scopa_text_string(text, " max=");
			scopa_text_int(text, option->max);
		} else {
			struct token word = word_take(&list);

			for (int64_t j = 0; j < option->fallback; j++)
				word = word_take(&list);
			scopa_text_string(text, " type=enum default=");
			scopa_text_bytes(text, word.bytes, word.length);
			scopa_text_string(text, " values=");
			scopa_text_string(text, option->words);
		}
		scopa_text_char(text, '\n');
	}
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
