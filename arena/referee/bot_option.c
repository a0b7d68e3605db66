/*
 * Types of options that a bot declares: int, bool, enum, string, button.
 *
 * The table `types` has a row for each type: whether a declaration of this type
 * is consistent, which values it allows, and how these are described to the
 * user.
 */
#include "bot_option.h"

#include <string.h>

/* Size of the longest value of an enum that a user can be asked to write. */
enum { ENUM_VALUE_SIZE = 256 };

/*
 * Reads the number of an optional pair.  Returns false if the value is not a
 * number; without the pair, *number is left as it is.
 */
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

/* The values of a bool or an enum, separated by `|`. */
static struct word
values_of(const struct words *words)
{
	static const struct word of_bool = { "true|false", 10 };

	return word_is(words_find(words, "type"), "bool")
	    ? of_bool
	    : words_find(words, "values");
}

static bool
enum_is_sound(const struct words *words)
{
	struct word rest = values_of(words), piece;
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
	struct word rest = values_of(words), piece;
	char bytes[ENUM_VALUE_SIZE];

	while (word_next_piece(&rest, '|', &piece))
		if (word_decode(piece, bytes, sizeof(bytes)) &&
		    strcmp(bytes, value) == 0)
			return true;
	return false;
}

/*
 * Writes a value as the user writes it; a value with unprintable bytes stays
 * escaped.
 */
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
	struct word rest = values_of(words), piece;
	const char *before = "one of ";

	while (word_next_piece(&rest, '|', &piece)) {
		scopa_text_string(text, before);
		put_enum_value(piece, text);
		before = ", ";
	}
}

static bool
button_allows(const struct words *words, const char *value)
{
	(void)words;
	return strcmp(value, "-") == 0;
}

/* A NULL is_sound accepts every declaration, a NULL allows every value. */
static const struct option_type {
	const char *name;
	bool (*is_sound)(const struct words *words);
	bool (*allows)(const struct words *words, const char *value);
	const char *allowed; /* the description; NULL: `describe` writes it */
	void (*describe)(const struct words *words, struct scopa_text *text);
} types[] = {
	{ "int", int_is_sound, int_allows, NULL, int_describe },
	{ "bool", enum_is_sound, enum_allows, "true or false", NULL },
	{ "enum", enum_is_sound, enum_allows, NULL, enum_describe },
	{ "string", NULL, NULL, "any text", NULL },
	{ "button", NULL, button_allows, "-, as the option is a button", NULL },
};

/* The type of an option, or NULL if the type is missing or unknown. */
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

	return type != NULL && word_is_code(words_find(words, "name"), "-_.") &&
	    (type->is_sound == NULL || type->is_sound(words));
}

bool
bot_option_allows(const struct words *words, const char *value)
{
	const struct option_type *type = type_of(words);

	return type != NULL &&
	    (type->allows == NULL || type->allows(words, value));
}

void
bot_option_describe(const struct words *words, struct scopa_text *text)
{
	const struct option_type *type = type_of(words);

	if (type != NULL && type->allowed)
		scopa_text_string(text, type->allowed);
	else if (type != NULL)
		type->describe(words, text);
}
