#include "option.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "countof.h"

enum { OPTION_PATH_SIZE = 2 * 4096 /* of a folder and a path in it */ };

/* A row, also of a table within the table. */
struct option_row {
	const struct option *option;
	size_t base; /* where in the settings its own offset counts from */
};

/* An element of a group that is being filled. */
struct option_element {
	const struct option *group;
	char *base;
};

static void line_scan(
    struct option_reader *reader, int argc, char **argv, const char **config);

static bool line_read(struct option_reader *reader, int argc, char **argv);

enum { REASON_SIZE = 256 };

bool
option_fail(struct option_error *error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(error->what, sizeof(error->what), format, arguments);
	va_end(arguments);
	return false;
}

static void *
field_of(const struct option_target *target)
{
	return (char *)target->base + target->option->offset;
}

/* `1 to 64 deals` */
static void
range_format(const struct option *option, char *text, size_t size)
{
	bool spaced = option->unit != NULL;

	snprintf(text, size, "%" PRId64 " to %" PRId64 "%s%s", option->min,
	    option->max, spaced ? " " : "", spaced ? option->unit : "");
}

static bool
flag_set(struct option_error *error, const struct option_target *target,
    const char *value)
{
	static const char *const yes[] = { "yes", "1", "true", "on" };
	static const char *const no[] = { "no", "0", "false", "off" };
	bool *field = field_of(target);

	static_assert(sizeof(yes) == sizeof(no), "a no for every yes");
	for (int i = 0; i < COUNTOF(yes); i++) {
		if (strcmp(value, yes[i]) == 0 || strcmp(value, no[i]) == 0) {
			*field = strcmp(value, yes[i]) == 0;
			return true;
		}
	}
	return option_fail(
	    error, "%s %s: a flag is yes or no", target->label, value);
}

static bool
int_set(struct option_error *error, const struct option_target *target,
    const char *value)
{
	const struct option *option = target->option;
	char range[REASON_SIZE];
	char *end;
	long long number;

	range_format(option, range, sizeof(range));
	errno = 0;
	number = strtoll(value, &end, 10);
	if (end == value || *end != '\0' || isspace((unsigned char)value[0]))
		return option_fail(error, "%s %s: not a whole number (%s)",
		    target->label, value, range);
	if (errno == ERANGE || number < option->min || number > option->max)
		return option_fail(error, "%s %s: out of range (%s)",
		    target->label, value, range);
	*(int64_t *)field_of(target) = number;
	return true;
}

static bool
real_set(struct option_error *error, const struct option_target *target,
    const char *value)
{
	const struct option *option = target->option;
	char range[REASON_SIZE];
	char *end;
	double number;

	range_format(option, range, sizeof(range));
	number = strtod(value, &end);
	/* Only digits, sign, point and exponent: no `inf`, `nan` and `0x1`. */
	if (end == value || *end != '\0' ||
	    value[strspn(value, "0123456789+-.eE")] != '\0')
		return option_fail(error, "%s %s: not a number (%s)",
		    target->label, value, range);
	if (!(number >= (double)option->min && number <= (double)option->max))
		return option_fail(error, "%s %s: out of range (%s)",
		    target->label, value, range);
	*(double *)field_of(target) = number;
	return true;
}

static bool
name_set(struct option_error *error, const struct option_target *target,
    const char *value)
{
	const struct option *option = target->option;
	char list[REASON_SIZE] = "";
	size_t length = 0;
	struct scopa_nearest guess;

	scopa_nearest_init(&guess, value, strlen(value));
	for (int i = 0; option->names[i] != NULL; i++) {
		if (strcmp(option->names[i], value) == 0) {
			*(int *)field_of(target) = i;
			return true;
		}
		scopa_nearest_offer(&guess, option->names[i]);
		if (length < sizeof(list))
			length += (size_t)snprintf(list + length,
			    sizeof(list) - length, "%s%s", i > 0 ? ", " : "",
			    option->names[i]);
	}
	if (guess.name != NULL)
		snprintf(error->hint, sizeof(error->hint),
		    "did you mean \"%s\"?", guess.name);
	return option_fail(
	    error, "%s %s: not one of %s", target->label, value, list);
}

static bool
parsed_set(struct option_error *error, const struct option_target *target,
    const char *value)
{
	char bytes[REASON_SIZE];
	struct scopa_text why;
	void *field = field_of(target);

	scopa_text_init(&why, bytes, sizeof(bytes));
	if (target->option->parse(value, field, &why))
		return true;
	return option_fail(error, "%s %s: %s", target->label, value, bytes);
}

bool
option_value_read(const struct option_target *target, const char *value,
    struct option_error *error)
{
	switch (target->option->kind) {
	case OPTION_FLAG:
		return flag_set(error, target, value);
	case OPTION_INT:
		return int_set(error, target, value);
	case OPTION_REAL:
		return real_set(error, target, value);
	case OPTION_TEXT:
		if (value[0] == '\0')
			return option_fail(
			    error, "%s: the value is empty", target->label);
		*(const char **)field_of(target) = value;
		return true;
	case OPTION_NAME:
		return name_set(error, target, value);
	case OPTION_PARSED:
		return parsed_set(error, target, value);
	case OPTION_LAST:
	case OPTION_PAIRS:
	case OPTION_GROUP:
	case OPTION_TABLE:
	case OPTION_CONFIG:
	case OPTION_REFUSED:
		break;
	}
	/* These have other words, or no value. */
	abort();
}

/* Gives the field of a struct the default of its row, if there is one. */
static void
option_value_fall_back(const struct option *option, void *base)
{
	const struct option_target target = { option, base, option->name };
	struct option_error error;
	bool good;

	if (option->fallback == NULL)
		return;
	good = option_value_read(&target, option->fallback, &error);
	/* A default that its own row refuses is our mistake. */
	assert(good);
	(void)good;
}

static int
option_count(const struct option *options)
{
	int count = 0;

	while (options[count].kind != OPTION_LAST)
		count++;
	return count;
}

static bool
is_called(const char *called, const char *name, size_t length)
{
	return called != NULL && strncmp(called, name, length) == 0 &&
	    called[length] == '\0';
}

static bool
option_is_called(const struct option *option, const char *name, size_t length)
{
	if (is_called(option->name, name, length))
		return true;
	for (int i = 0; i < OPTION_ALIASES_MAX; i++) {
		if (is_called(option->aliases[i], name, length))
			return true;
	}
	return false;
}

/* Row number `index` of all; false behind the last. */
static bool
option_row_at(const struct option *options, int index, struct option_row *row)
{
	for (; options != NULL && options->kind != OPTION_LAST; options++) {
		bool is_table = options->kind == OPTION_TABLE;
		int rows = is_table ? option_count(options->keys) : 1;

		if (index >= rows) {
			index -= rows;
			continue;
		}
		row->option = is_table ? &options->keys[index] : options;
		row->base = is_table ? options->offset : 0;
		assert(row->option->kind != OPTION_TABLE);
		return true;
	}
	return false;
}

/* The row of the name or alias that is `length` bytes; false: there is none. */
static bool
option_row_find(const struct option *options, const char *name, size_t length,
    struct option_row *row)
{
	for (int i = 0; option_row_at(options, i, row); i++) {
		if (option_is_called(row->option, name, length))
			return true;
	}
	return false;
}

const struct option *
option_find(const struct option *options, const char *name)
{
	struct option_row row;

	return option_row_find(options, name, strlen(name), &row) ? row.option
								  : NULL;
}

/* Offers all names and aliases of a table. */
static void
option_guess(struct scopa_nearest *guess, const struct option *options)
{
	struct option_row row;

	for (int i = 0; option_row_at(options, i, &row); i++) {
		if (row.option->kind == OPTION_REFUSED)
			continue;
		scopa_nearest_offer(guess, row.option->name);
		for (int j = 0; j < OPTION_ALIASES_MAX; j++) {
			if (row.option->aliases[j] != NULL)
				scopa_nearest_offer(
				    guess, row.option->aliases[j]);
		}
	}
}

/* The hint of an unknown word: the nearest name, with what stands around it. */
static void
set_nearest_hint(struct option_reader *reader,
    const struct scopa_nearest *guess, const char *before, const char *after)
{
	if (guess->name != NULL)
		snprintf(reader->error.hint, sizeof(reader->error.hint),
		    "did you mean \"%s%s%s\"?", before, guess->name, after);
}

/* Where the file goes that --config names, or NULL. */
static struct config **
config_field(const struct option_reader *reader)
{
	struct option_row row;

	for (int i = 0; option_row_at(reader->options, i, &row); i++) {
		char *base = (char *)reader->settings + row.base;

		if (row.option->kind == OPTION_CONFIG)
			return (struct config **)(void *)(base +
			    row.option->offset);
	}
	return NULL;
}

/* Gives an element the defaults of its keys. */
static void
element_default(const struct option *group, void *element)
{
	struct option_row row;

	for (int i = 0; option_row_at(group->keys, i, &row); i++)
		option_value_fall_back(row.option, (char *)element + row.base);
}

void
option_defaults(struct option_reader *reader)
{
	struct option_row row;

	for (int i = 0; option_row_at(reader->options, i, &row); i++) {
		char *base = (char *)reader->settings + row.base;

		if (row.option->kind == OPTION_GROUP &&
		    row.option->group_max == 0)
			element_default(row.option, base + row.option->offset);
		option_value_fall_back(row.option, base);
	}
}

/* What an error calls the place that a value stands in. */
static void __attribute__((format(printf, 2, 3)))
label_set(struct option_reader *reader, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reader->label, sizeof(reader->label), format, arguments);
	va_end(arguments);
}

/* Reads a value, with the label set. */
static bool
option_give(struct option_reader *reader, const struct option *option,
    void *base, const char *value)
{
	const struct option_target target = { option, base, reader->label };

	if (option->kind != OPTION_REFUSED)
		return option_value_read(&target, value, &reader->error);
	/* A hint ends without the full stop of a sentence. */
	snprintf(reader->error.hint, sizeof(reader->error.hint), "%.*s",
	    (int)strlen(option->sentence) - 1, option->sentence);
	return option_fail(
	    &reader->error, "%s is not taken here", reader->label);
}

bool
option_read(struct option_reader *reader, int argc, char **argv)
{
	const char *path = NULL;

	line_scan(reader, argc, argv, &path);
	if (reader->help)
		return true;
	return (path == NULL || option_read_file(reader, path)) &&
	    line_read(reader, argc, argv);
}

void
option_release(struct option_reader *reader)
{
	struct config **config = config_field(reader);

	if (config == NULL)
		return;
	config_close(*config);
	*config = NULL;
}

/*
 * Groups: words KEY=VALUE that fill one element of an array.
 */

/* The next element; one of a group for one alone is added to. */
static bool
element_begin(struct option_reader *reader, const struct option_row *row,
    struct option_element *element)
{
	const struct option *group = row->option;
	char *base = (char *)reader->settings + row->base;
	int *count = (int *)(void *)(base + group->count_offset);

	element->group = group;
	element->base = base + group->offset;
	if (group->group_max == 0 && *count == 1)
		return true;
	/* Bots of the command line take the place of those of the file. */
	if (group->group_max > 0 && !reader->in_file && reader->file_read) {
		memset(element->base, 0, group->group_size * (size_t)*count);
		*count = 0;
		reader->file_read = false;
	}
	if (group->group_max > 0 && *count == group->group_max)
		return option_fail(&reader->error,
		    "%s%s%s is given more than %d times", reader->place,
		    reader->in_file ? "" : "--", group->name, group->group_max);
	element->base += group->group_size * (size_t)(*count)++;
	element_default(group, element->base);
	return true;
}

/* `option.NAME=VALUE` goes whole, without its prefix, into a list. */
static bool
pair_give(struct option_reader *reader, const struct option_element *element,
    const struct option *key, const char *word)
{
	struct option_pairs *pairs =
	    (struct option_pairs *)(void *)(element->base + key->offset);
	size_t length = strcspn(word, "=") + 1;
	int index = 0;

	if (word[0] == '=')
		return option_fail(&reader->error, "%s%s%s: a name is missing",
		    reader->place, key->name, word);
	while (index < pairs->count &&
	    strncmp(pairs->words[index], word, length) != 0)
		index++;
	if (index == OPTION_PAIRS_MAX)
		return option_fail(&reader->error, "%smore than %d words %s",
		    reader->place, OPTION_PAIRS_MAX, key->name);
	pairs->words[index] = word;
	if (index == pairs->count)
		pairs->count++;
	return true;
}

/* KEY=VALUE for an element; the key has that length. */
static bool
element_give(struct option_reader *reader, const struct option_element *element,
    const char *word, size_t length)
{
	const struct option *group = element->group;
	const char *point = memchr(word, '.', length);
	size_t name_length =
	    point != NULL ? (size_t)(point + 1 - word) : length;
	struct scopa_nearest guess;
	struct option_row row;
	bool found = option_row_find(group->keys, word, name_length, &row);

	if (found && row.option->kind == OPTION_PAIRS)
		return pair_give(reader, element, row.option, point + 1);
	if (reader->in_file)
		label_set(reader, "%s%.*s", reader->place, (int)length, word);
	else
		label_set(reader, "--%s %.*s", group->name, (int)length, word);
	if (found)
		return option_give(reader, row.option, element->base + row.base,
		    word + length + 1);
	scopa_nearest_init(&guess, word, name_length);
	option_guess(&guess, group->keys);
	set_nearest_hint(reader, &guess, "",
	    guess.name != NULL && strchr(guess.name, '.') != NULL ? "NAME="
								  : "=");
	return option_fail(&reader->error, "%s: unknown key", reader->label);
}

/*
 * Options on the command line.
 */

/* The words of a command line, and where we are among them. */
struct option_cursor {
	char **words;
	int count;
	int next;
};

/* The length of the key of `key=...` or `prefix.NAME=...`, or 0. */
static size_t
key_length(const char *word)
{
	size_t length = 0;

	if (!isalpha((unsigned char)word[0]))
		return 0;
	while (isalnum((unsigned char)word[length]) || word[length] == '-' ||
	    word[length] == '_')
		length++;
	/* What stands behind a prefix is the bot's own name for it. */
	if (word[length] == '.')
		length += strcspn(word + length, "= \t\n\v\f\r");
	return word[length] == '=' ? length : 0;
}

/* The name in a word that begins with one dash or two. */
static const char *
name_of(const char *word)
{
	return word + (word[1] == '-' ? 2 : 1);
}

/* Whether the word is an option of ours: then it is no forgotten value. */
static bool
is_option(const struct option_reader *reader, const char *word)
{
	struct option_row row;

	return word[0] == '-' &&
	    option_row_find(reader->options, name_of(word),
		strcspn(name_of(word), "="), &row);
}

/* What other arenas write before the name of a file. */
static const char *
file_of(const char *value)
{
	static const char key[] = "file=";

	return strncmp(value, key, strlen(key)) == 0 ? value + strlen(key)
						     : value;
}

/*
 * What must be known of a command line before it is read: whether it asks for
 * help, and the value of the last --config, if any.
 */
static void
line_scan(
    struct option_reader *reader, int argc, char **argv, const char **config)
{
	for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *name = name_of(argv[i]);
		size_t length = strcspn(name, "=");
		struct option_row row;

		if (argv[i][0] != '-' || argv[i][1] == '\0') {
			if (reader->rest)
				return;
			continue;
		}
		if (strcmp(argv[i], "-h") == 0 || strcmp(name, "help") == 0) {
			reader->help = true;
			return;
		}
		if (!option_row_find(reader->options, name, length, &row) ||
		    row.option->kind != OPTION_CONFIG)
			continue;
		if (name[length] == '=')
			*config = file_of(name + length + 1);
		else if (i + 1 < argc && !is_option(reader, argv[i + 1]))
			*config = file_of(argv[i + 1]);
	}
}

/* The next word, if it is there and no option; or NULL. */
static const char *
value_next(
    const struct option_reader *reader, const struct option_cursor *cursor)
{
	const char *word =
	    cursor->next < cursor->count ? cursor->words[cursor->next] : NULL;

	return word == NULL || is_option(reader, word) ? NULL : word;
}

static bool
fail_missing_value(struct option_reader *reader, const struct option *option)
{
	return option_fail(&reader->error, "--%s needs a value: --%s %s",
	    option->name, option->name, option->value);
}

/* A word that is not KEY=VALUE, for the first key of a group. */
static bool
plain_give(struct option_reader *reader, const struct option_element *element,
    const char *word)
{
	label_set(reader, "--%s", element->group->name);
	return option_give(
	    reader, &element->group->keys[0], element->base, word);
}

/* All words of a group go into one element of its array. */
static bool
group_read(struct option_reader *reader, const struct option_row *row,
    struct option_cursor *cursor, const char *inline_word)
{
	const struct option *group = row->option;
	struct option_element element;
	const char *word =
	    inline_word != NULL ? inline_word : value_next(reader, cursor);
	size_t length = word != NULL ? key_length(word) : 0;

	if (length == 0 && group->takes_nothing && inline_word == NULL)
		return element_begin(reader, row, &element);
	if (length == 0 && !group->takes_plain)
		return inline_word == NULL
		    ? option_fail(&reader->error, "--%s needs words %s",
			  group->name, group->value)
		    : option_fail(&reader->error, "--%s=%s: not of the form %s",
			  group->name, word, group->value);
	if (word == NULL)
		return fail_missing_value(reader, group);
	if (!element_begin(reader, row, &element))
		return false;
	cursor->next += inline_word == NULL;
	if (length == 0 ? !plain_give(reader, &element, word)
			: !element_give(reader, &element, word, length))
		return false;
	for (; cursor->next < cursor->count; cursor->next++) {
		word = cursor->words[cursor->next];
		length = key_length(word);
		if (length == 0)
			break;
		if (!element_give(reader, &element, word, length))
			return false;
	}
	return true;
}

static bool
fail_unknown_option(
    struct option_reader *reader, const char *word, const char *name)
{
	size_t length = strcspn(name, "=");
	struct scopa_nearest guess;

	scopa_nearest_init(&guess, name, length);
	option_guess(&guess, reader->options);
	scopa_nearest_offer(&guess, "help");
	set_nearest_hint(reader, &guess, "--", "");
	return option_fail(&reader->error, "unknown option \"%.*s\"",
	    (int)(length + (size_t)(name - word)), word);
}

/* An option that takes a value: behind `=`, or the next word. */
static bool
valued_read(struct option_reader *reader, const struct option_row *row,
    struct option_cursor *cursor, const char *value)
{
	if (value == NULL) {
		value = value_next(reader, cursor);
		cursor->next += value != NULL;
	}
	if (value == NULL)
		value = row->option->implied;
	if (value == NULL)
		return fail_missing_value(reader, row->option);
	/* The file has been read before the line. */
	if (row->option->kind == OPTION_CONFIG)
		return true;
	label_set(reader, "--%s", row->option->name);
	return option_give(
	    reader, row->option, (char *)reader->settings + row->base, value);
}

/* A flag without a value, and the word that may follow and says no more. */
static const char *
flag_read(
    const struct option_row *row, struct option_cursor *cursor, bool reversed)
{
	const char *filler = row->option->implied;

	if (filler != NULL && cursor->next < cursor->count &&
	    strcmp(cursor->words[cursor->next], filler) == 0)
		cursor->next++;
	return reversed ? "no" : "yes";
}

/* One option and what belongs to it. */
static bool
word_read(struct option_reader *reader, struct option_cursor *cursor,
    const char *word)
{
	const char *name = name_of(word);
	size_t length = strcspn(name, "=");
	const char *value = name[length] == '=' ? name + length + 1 : NULL;
	struct option_row row;
	bool found = option_row_find(reader->options, name, length, &row);
	bool reversed = !found && strncmp(name, "no-", 3) == 0;

	if (reversed)
		found = option_row_find(
			    reader->options, name + 3, length - 3, &row) &&
		    row.option->kind == OPTION_FLAG;
	if (!found)
		return fail_unknown_option(reader, word, name);
	if (row.option->kind == OPTION_GROUP)
		return group_read(reader, &row, cursor, value);
	if (row.option->kind == OPTION_REFUSED) {
		label_set(reader, "-%.*s", (int)length, name);
		return option_give(reader, row.option, NULL, NULL);
	}
	if (reversed && value != NULL)
		return option_fail(&reader->error, "--%s takes no value", name);
	if (row.option->kind == OPTION_FLAG && value == NULL)
		value = flag_read(&row, cursor, reversed);
	return valued_read(reader, &row, cursor, value);
}

/* An argument: of the group that arguments go to, if there is one. */
static bool
argument_read(struct option_reader *reader, char *word)
{
	struct option_row row;
	struct option_element element;

	for (int i = 0; option_row_at(reader->options, i, &row); i++)
		if (row.option->takes_arguments)
			return element_begin(reader, &row, &element) &&
			    plain_give(reader, &element, word);
	reader->arguments[reader->argument_count++] = word;
	return true;
}

/* The words of a command line. */
static bool
line_read(struct option_reader *reader, int argc, char **argv)
{
	struct option_cursor cursor = { argv, argc, 0 };
	bool ended = false;

	reader->place[0] = '\0';
	reader->arguments = argv;
	reader->argument_count = 0;
	while (cursor.next < cursor.count) {
		char *word = cursor.words[cursor.next++];

		if (ended || word[0] != '-' || word[1] == '\0') {
			if (!argument_read(reader, word))
				return false;
			ended = ended || reader->rest;
		} else if (strcmp(word, "--") == 0) {
			ended = true;
		} else if (!word_read(reader, &cursor, word)) {
			return false;
		}
	}
	return true;
}

/*
 * Options in a configuration file.
 */

/* Where in the file we are. */
struct option_position {
	enum { BEFORE_SECTIONS, OWN_SECTION, OTHER_SECTION, GROUP_SECTION } in;
	struct option_element element; /* of GROUP_SECTION */
};

static bool
fail_unknown_section(
    struct option_reader *reader, const char *title, size_t length)
{
	struct scopa_nearest guess;
	struct option_row row;

	scopa_nearest_init(&guess, title, length);
	scopa_nearest_offer(&guess, reader->section);
	for (int i = 0; reader->sections && reader->sections[i]; i++)
		scopa_nearest_offer(&guess, reader->sections[i]);
	for (int i = 0; option_row_at(reader->options, i, &row); i++)
		if (row.option->kind == OPTION_GROUP)
			scopa_nearest_offer(&guess, row.option->name);
	set_nearest_hint(reader, &guess, "[", "]");
	return option_fail(
	    &reader->error, "%sunknown section [%s]", reader->place, title);
}

static bool
title_refuse(
    struct option_reader *reader, const char *section, const char *title)
{
	return option_fail(&reader->error, "%s[%s] takes no name: \"%s\"",
	    reader->place, section, title);
}

/* The title of `[bot TITLE]` is the value of one of its keys. */
static bool
title_read(struct option_reader *reader, const struct option_element *element,
    const char *title)
{
	const struct option *group = element->group;

	if (*title == '\0')
		return true;
	if (group->title == NULL)
		return title_refuse(reader, group->name, title);
	label_set(reader, "%s[%s]", reader->place, group->name);
	return option_give(reader, option_find(group->keys, group->title),
	    element->base, title);
}

static bool
section_read(struct option_reader *reader, struct option_position *position,
    const char *title)
{
	size_t length = strcspn(title, " \t");
	const char *rest = title + length + strspn(title + length, " \t");
	struct option_row row;

	if (is_called(reader->section, title, length)) {
		position->in = OWN_SECTION;
		return *rest == '\0' ||
		    title_refuse(reader, reader->section, rest);
	}
	if (option_row_find(reader->options, title, length, &row) &&
	    row.option->kind == OPTION_GROUP) {
		position->in = GROUP_SECTION;
		return element_begin(reader, &row, &position->element) &&
		    title_read(reader, &position->element, rest);
	}
	position->in = OTHER_SECTION;
	for (int i = 0; reader->sections && reader->sections[i]; i++)
		if (is_called(reader->sections[i], title, length))
			return true;
	return fail_unknown_section(reader, title, length);
}

static bool
fail_unknown_key(struct option_reader *reader, const struct config_entry *entry)
{
	struct scopa_nearest guess;
	struct option_row row;
	size_t length = entry->key_length;

	if (strncmp(entry->word, "no-", 3) == 0 &&
	    option_row_find(
		reader->options, entry->word + 3, length - 3, &row) &&
	    row.option->kind == OPTION_FLAG) {
		snprintf(reader->error.hint, sizeof(reader->error.hint),
		    "write %s = no", row.option->name);
	} else {
		scopa_nearest_init(&guess, entry->word, length);
		option_guess(&guess, reader->options);
		set_nearest_hint(reader, &guess, "", "");
	}
	return option_fail(&reader->error, "%s: unknown key", reader->label);
}

/* A key of the command's own section, with its label set. */
static bool
own_read(struct option_reader *reader, const struct config_entry *entry)
{
	struct option_row row;
	struct option_element element;

	if (!option_row_find(
		reader->options, entry->word, entry->key_length, &row))
		return fail_unknown_key(reader, entry);
	if (row.option->kind == OPTION_CONFIG)
		return option_fail(&reader->error,
		    "%s: a file cannot name another one", reader->label);
	if (row.option->kind != OPTION_GROUP)
		return option_give(reader, row.option,
		    (char *)reader->settings + row.base, entry->value);
	if (!row.option->takes_plain) {
		snprintf(reader->error.hint, sizeof(reader->error.hint),
		    "write a section [%s]", row.option->name);
		return option_fail(
		    &reader->error, "%s: is a group of keys", reader->label);
	}
	return element_begin(reader, &row, &element) &&
	    option_give(
		reader, &row.option->keys[0], element.base, entry->value);
}

static bool
entry_read(struct option_reader *reader, struct option_position *position,
    const struct config_entry *entry)
{
	if (entry->title != NULL)
		return section_read(reader, position, entry->title);
	label_set(reader, "%s%.*s", reader->place, (int)entry->key_length,
	    entry->word);
	switch (position->in) {
	case BEFORE_SECTIONS:
		snprintf(reader->error.hint, sizeof(reader->error.hint),
		    "begin with a line [%s]", reader->section);
		return option_fail(&reader->error,
		    "%s: stands before the first section", reader->label);
	case OWN_SECTION:
		return own_read(reader, entry);
	case OTHER_SECTION:
		return true;
	case GROUP_SECTION:
		break;
	}
	return element_give(
	    reader, &position->element, entry->word, entry->key_length);
}

bool
option_read_file(struct option_reader *reader, const char *path)
{
	struct config **config = config_field(reader);
	struct option_position position = { .in = BEFORE_SECTIONS };

	assert(config != NULL && *config == NULL);
	*config = config_open(path, &reader->error);
	if (*config == NULL)
		return false;
	reader->in_file = true;
	for (int i = 0; i < (*config)->count; i++) {
		const struct config_entry *entry = &(*config)->entries[i];

		config_place(
		    path, entry->line, reader->place, sizeof(reader->place));
		if (!entry_read(reader, &position, entry))
			return false;
	}
	reader->in_file = false;
	reader->file_read = true;
	reader->place[0] = '\0';
	return true;
}

/*
 * Settings as a configuration file.
 */

/* What is written, and where it comes from. */
struct option_writer {
	FILE *file;
	const char *folder; /* that relative paths begin in, or NULL */
};

static bool
is_written(const struct option *option)
{
	return option->kind != OPTION_CONFIG &&
	    option->kind != OPTION_REFUSED && !option->is_passing;
}

/* A path, or several with colons between them, from any folder. */
static void
paths_format(const struct option_writer *writer, const struct option *option,
    const char *paths, struct scopa_text *text)
{
	while (*paths != '\0') {
		size_t length =
		    option->is_paths ? strcspn(paths, ":") : strlen(paths);

		if (text->length > 0)
			scopa_text_char(text, ':');
		if (paths[0] != '/' && length > 0) {
			scopa_text_string(text, writer->folder);
			scopa_text_char(text, '/');
		}
		scopa_text_bytes(text, paths, length);
		paths += length + (paths[length] == ':');
	}
}

static void
real_format(double number, struct scopa_text *text)
{
	char bytes[32];

	snprintf(bytes, sizeof(bytes), "%.15g", number);
	if (strtod(bytes, NULL) < number || strtod(bytes, NULL) > number)
		snprintf(bytes, sizeof(bytes), "%.17g", number);
	scopa_text_string(text, bytes);
}

/* A value as it is read; nothing where it is none and has no default. */
static void
value_format(const struct option_writer *writer, const struct option *option,
    const void *field, struct scopa_text *text)
{
	bool always = option->fallback != NULL;
	const char *words;

	switch (option->kind) {
	case OPTION_FLAG:
		if (always || *(const bool *)field)
			scopa_text_string(
			    text, *(const bool *)field ? "yes" : "no");
		return;
	case OPTION_INT:
		if (always || *(const int64_t *)field != 0)
			scopa_text_int(text, *(const int64_t *)field);
		return;
	case OPTION_REAL:
		real_format(*(const double *)field, text);
		return;
	case OPTION_TEXT:
		words = *(const char *const *)field;
		if (words == NULL)
			return;
		if (writer->folder != NULL &&
		    (option->is_path || option->is_paths))
			paths_format(writer, option, words, text);
		else
			scopa_text_string(text, words);
		return;
	case OPTION_NAME:
		scopa_text_string(text, option->names[*(const int *)field]);
		return;
	case OPTION_PARSED:
		if (option->format != NULL)
			option->format(field, text);
		return;
	case OPTION_LAST:
	case OPTION_PAIRS:
	case OPTION_GROUP:
	case OPTION_TABLE:
	case OPTION_CONFIG:
	case OPTION_REFUSED:
		break;
	}
	abort();
}

static void
pairs_write(const struct option_writer *writer, const struct option *option,
    const struct option_pairs *pairs)
{
	for (int i = 0; i < pairs->count; i++) {
		const char *word = pairs->words[i];
		size_t length = strcspn(word, "=");
		char key[OPTION_PATH_SIZE];

		snprintf(key, sizeof(key), "%s%.*s", option->name, (int)length,
		    word);
		config_print(writer->file, key, word + length + 1);
	}
}

/* The line of a row that is no group, or none. */
static void
value_write(const struct option_writer *writer, const struct option *option,
    const char *base)
{
	const void *field = base + option->offset;
	char bytes[OPTION_PATH_SIZE];
	struct scopa_text text;

	if (!is_written(option))
		return;
	if (option->kind == OPTION_PAIRS) {
		pairs_write(writer, option, field);
		return;
	}
	scopa_text_init(&text, bytes, sizeof(bytes));
	value_format(writer, option, field, &text);
	/* A text has no limit, but its path cannot be made longer then. */
	assert(!text.cut || option->kind == OPTION_TEXT);
	if (text.length > 0)
		config_print(writer->file, option->name,
		    text.cut ? *(const char *const *)field : bytes);
}

/* One element of a group, its title being one of its keys. */
static void
element_write(const struct option_writer *writer, const struct option *group,
    const char *element)
{
	const struct option *titled = NULL;
	struct option_row row;
	const char *title = NULL;

	if (group->title != NULL) {
		titled = option_find(group->keys, group->title);
		assert(titled != NULL);
		title = *(const char *const *)(const void *)(element +
		    titled->offset);
	}
	if (title != NULL && config_title_fits(title)) {
		fprintf(writer->file, "\n[%s %s]\n", group->name, title);
	} else {
		fprintf(writer->file, "\n[%s]\n", group->name);
		titled = NULL;
	}
	for (int i = 0; option_row_at(group->keys, i, &row); i++)
		if (row.option != titled)
			value_write(writer, row.option, element + row.base);
}

void
option_write(FILE *file, const struct option_reader *reader, const char *folder)
{
	const struct option_writer writer = { file, folder };
	const char *settings = reader->settings;
	struct option_row row;

	fprintf(file, "[%s]\n", reader->section);
	for (int i = 0; option_row_at(reader->options, i, &row); i++)
		if (row.option->kind != OPTION_GROUP)
			value_write(&writer, row.option, settings + row.base);
	for (int i = 0; option_row_at(reader->options, i, &row); i++) {
		const char *base = settings + row.base;
		const struct option *group = row.option;
		int count;

		if (group->kind != OPTION_GROUP)
			continue;
		count =
		    *(const int *)(const void *)(base + group->count_offset);
		for (int element = 0; element < count; element++)
			element_write(&writer, group,
			    base + group->offset +
				(size_t)element * group->group_size);
	}
}
