#include "bot_option.h"

#include <string.h>

/* The longest value of an enum that a user can be asked to write. */
enum { ENUM_VALUE_SIZE = 256 };

static const char button_press[] = "-";

static bool
is_name(struct word word)
{
	if (word.bytes == NULL || word.length == 0)
		return false;
	for (size_t i = 0; i < word.length; i++) {
		char byte = word.bytes[i];

		if (!(byte >= 'a' && byte <= 'z') &&
		    !(byte >= 'A' && byte <= 'Z') &&
		    !(byte >= '0' && byte <= '9') && byte != '-' &&
		    byte != '_' && byte != '.')
			return false;
	}
	return true;
}

/* The number of a pair that may be left out; false where it is none. */
static bool
read_number(const struct words *words, const char *key, int64_t *number)
{
	struct word word = words_find(words, key);

	return word.bytes == NULL ||
	    word_to_int(word, INT64_MIN, INT64_MAX, number);
}

static bool
read_limits(const struct words *words, int64_t *min, int64_t *max)
{
	*min = INT64_MIN;
	*max = INT64_MAX;
	return read_number(words, "min", min) &&
	    read_number(words, "max", max) && *min <= *max;
}

static bool
int_is_sound(const struct words *words)
{
	int64_t min, max, fallback;

	if (!read_limits(words, &min, &max))
		return false;
	fallback = min;
	return read_number(words, "default", &fallback) && fallback >= min &&
	    fallback <= max;
}

static bool
int_allows(const struct words *words, const char *value)
{
	struct word word = { value, strlen(value) };
	int64_t min, max, number;

	return read_limits(words, &min, &max) &&
	    word_to_int(word, min, max, &number);
}

static void
int_describe(const struct words *words, struct scopa_text *text)
{
	int64_t min, max;

	scopa_text_string(text, "a whole number");
	if (!read_limits(words, &min, &max))
		return;
	if (min != INT64_MIN && max != INT64_MAX)
		scopa_text_print(text, " from %jd to %jd", min, max);
	else if (min != INT64_MIN)
		scopa_text_print(text, " of at least %jd", min);
	else if (max != INT64_MAX)
		scopa_text_print(text, " of at most %jd", max);
}

static bool
bool_is_sound(const struct words *words)
{
	struct word fallback = words_find(words, "default");

	return fallback.bytes == NULL || word_is(fallback, "true") ||
	    word_is(fallback, "false");
}

static bool
bool_allows(const struct words *words, const char *value)
{
	(void)words;
	return strcmp(value, "true") == 0 || strcmp(value, "false") == 0;
}

static void
bool_describe(const struct words *words, struct scopa_text *text)
{
	(void)words;
	scopa_text_string(text, "true or false");
}

static bool
enum_is_sound(const struct words *words)
{
	struct word rest = words_find(words, "values"), piece;
	struct word fallback = words_find(words, "default");
	bool sound = rest.bytes != NULL, found = fallback.bytes == NULL;

	while (word_next_piece(&rest, '|', &piece)) {
		sound &= piece.length > 0;
		found = found || word_equal(piece, fallback);
	}
	return sound && found;
}

static bool
enum_allows(const struct words *words, const char *value)
{
	struct word rest = words_find(words, "values"), piece;
	char bytes[ENUM_VALUE_SIZE];

	while (word_next_piece(&rest, '|', &piece))
		if (word_decode(piece, bytes, sizeof(bytes)) &&
		    strcmp(bytes, value) == 0)
			return true;
	return false;
}

/* As the user writes it; escaped where it would not print. */
static void
put_enum_value(struct word piece, struct scopa_text *text)
{
	char bytes[ENUM_VALUE_SIZE];
	bool prints = word_decode(piece, bytes, sizeof(bytes));

	for (size_t i = 0; prints && bytes[i] != '\0'; i++)
		prints = bytes[i] >= ' ' && bytes[i] <= '~';
	if (prints)
		scopa_text_string(text, bytes);
	else
		scopa_text_bytes(text, piece.bytes, piece.length);
}

static void
enum_describe(const struct words *words, struct scopa_text *text)
{
	struct word rest = words_find(words, "values"), piece;
	const char *before = "one of ";

	while (word_next_piece(&rest, '|', &piece)) {
		scopa_text_string(text, before);
		put_enum_value(piece, text);
		before = ", ";
	}
}

static bool
text_is_sound(const struct words *words)
{
	(void)words;
	return true;
}

static bool
string_allows(const struct words *words, const char *value)
{
	(void)words;
	(void)value;
	return true;
}

static void
string_describe(const struct words *words, struct scopa_text *text)
{
	(void)words;
	scopa_text_string(text, "any text");
}

static bool
button_allows(const struct words *words, const char *value)
{
	(void)words;
	return strcmp(value, button_press) == 0;
}

static void
button_describe(const struct words *words, struct scopa_text *text)
{
	(void)words;
	scopa_text_string(text, button_press);
	scopa_text_string(text, ", as the option is a button");
}

static const struct option_type {
	const char *name;
	bool (*is_sound)(const struct words *words);
	bool (*allows)(const struct words *words, const char *value);
	void (*describe)(const struct words *words, struct scopa_text *text);
} types[] = {
	{ "int", int_is_sound, int_allows, int_describe },
	{ "bool", bool_is_sound, bool_allows, bool_describe },
	{ "enum", enum_is_sound, enum_allows, enum_describe },
	{ "string", text_is_sound, string_allows, string_describe },
	{ "button", text_is_sound, button_allows, button_describe },
};

/* NULL: it has none that is known. */
static const struct option_type *
type_of(const struct words *words)
{
	struct word type = words_find(words, "type");

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (type.bytes && word_is(type, types[i].name))
			return &types[i];
	return NULL;
}

bool
bot_option_is_sound(const struct words *words)
{
	const struct option_type *type = type_of(words);

	return type != NULL && is_name(words_find(words, "name")) &&
	    type->is_sound(words);
}

bool
bot_option_allows(const struct words *words, const char *value)
{
	const struct option_type *type = type_of(words);

	return type != NULL && type->allows(words, value);
}

void
bot_option_describe(const struct words *words, struct scopa_text *text)
{
	const struct option_type *type = type_of(words);

	if (type != NULL)
		type->describe(words, text);
}
