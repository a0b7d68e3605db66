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

enum {
	OPTION_LABEL_SIZE = OPTION_PLACE_SIZE + 128,
	OPTION_PATH_SIZE = 2 * 4096 /* of a folder and a path in it */
};

/* A row, also of a table within the table. */
struct option_row {
	const struct option *option;
	size_t base; /* where in the settings its own offset counts from */
};

/* An element of a group that is being filled. */
struct option_element {
	const struct option *group;
	int index;
	char *base;
};

static void option_element_default(const struct option *group, void *element);

static bool option_element_begin(struct option_reader *reader,
    const struct option_row *row, struct option_element *element);

static bool option_element_give_key(struct option_reader *reader,
    const struct option_element *element, const struct option *key,
    const char *label, const char *value);

static bool option_line_read(
    struct option_reader *reader, int argc, char **argv);

static void option_line_scan(
    struct option_reader *reader, int argc, char **argv, const char **config);

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
option_row_at(
    const struct option *options, int count, int index, struct option_row *row)
{
	for (int i = 0; i < count; i++) {
		const struct option *option = &options[i];
		bool is_table = option->kind == OPTION_TABLE;
		int rows = is_table ? option->key_count : 1;

		if (index >= rows) {
			index -= rows;
			continue;
		}
		row->option = is_table ? &option->keys[index] : option;
		row->base = is_table ? option->offset : 0;
		assert(row->option->kind != OPTION_TABLE);
		return true;
	}
	return false;
}

/* The row of the name or alias that is `length` bytes; false: there is none. */
static bool
option_row_find(const struct option *options, int count, const char *name,
    size_t length, struct option_row *row)
{
	for (int i = 0; option_row_at(options, count, i, row); i++) {
		if (option_is_called(row->option, name, length))
			return true;
	}
	return false;
}

const struct option *
option_find(const struct option *options, int count, const char *name)
{
	struct option_row row;

	return option_row_find(options, count, name, strlen(name), &row)
	    ? row.option
	    : NULL;
}

/* Offers all names and aliases of a table. */
static void
option_guess(
    struct scopa_nearest *guess, const struct option *options, int count)
{
	struct option_row row;

	for (int i = 0; option_row_at(options, count, i, &row); i++) {
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
option_guess_say(struct option_reader *reader,
    const struct scopa_nearest *guess, const char *before, const char *after)
{
	if (guess->name != NULL)
		snprintf(reader->error.hint, sizeof(reader->error.hint),
		    "did you mean \"%s%s%s\"?", before, guess->name, after);
}

struct option_memory *
option_memory_of(const struct option_reader *reader)
{
	struct option_row row;

	for (int i = 0;
	     option_row_at(reader->options, reader->option_count, i, &row);
	     i++) {
		if (row.option->kind == OPTION_CONFIG)
			return (struct option_memory *)(void *)((char *)reader
								    ->settings +
			    row.base + row.option->offset);
	}
	return NULL;
}

void
option_defaults(struct option_reader *reader)
{
	struct option_row row;

	for (int i = 0;
	     option_row_at(reader->options, reader->option_count, i, &row);
	     i++) {
		char *base = (char *)reader->settings + row.base;

		if (row.option->kind == OPTION_GROUP &&
		    row.option->group_max == 1)
			option_element_default(
			    row.option, base + row.option->offset);
		option_value_fall_back(row.option, base);
	}
}

/* Keeps a word as given; false with the error where there is no memory. */
static bool
option_remember(struct option_reader *reader, struct option_word word)
{
	struct option_memory *memory = option_memory_of(reader);

	if (memory == NULL)
		return true;
	if (memory->count == memory->capacity) {
		int capacity = memory->capacity * 2 + 16;
		struct option_word *words = reallocarray(
		    memory->words, (size_t)capacity, sizeof(*words));

		if (words == NULL) {
			reader->error.machine = true;
			return option_fail(&reader->error, "no memory");
		}
		memory->words = words;
		memory->capacity = capacity;
	}
	memory->words[memory->count++] = word;
	return true;
}

/* Reads a value of a row that is no group, and remembers it. */
static bool
option_give(struct option_reader *reader, const struct option_row *row,
    const char *label, const char *value)
{
	const struct option_target target = { row->option,
		(char *)reader->settings + row->base, label };

	return option_value_read(&target, value, &reader->error) &&
	    option_remember(reader,
		(struct option_word){ .option = row->option, .value = value });
}

/* Says that a word of other arenas is not taken, and why. */
static bool
option_refuse(struct option_reader *reader, const struct option *option,
    const char *label)
{
	int length = (int)strlen(option->sentence) - 1;

	/* A hint ends without the full stop of a sentence. */
	snprintf(reader->error.hint, sizeof(reader->error.hint), "%.*s", length,
	    option->sentence);
	return option_fail(&reader->error, "%s is not taken here", label);
}

bool
option_read(struct option_reader *reader, int argc, char **argv)
{
	const char *path = NULL;

	option_line_scan(reader, argc, argv, &path);
	if (reader->help)
		return true;
	return (path == NULL || option_read_file(reader, path)) &&
	    option_line_read(reader, argc, argv);
}

void
option_memory_release(struct option_memory *memory)
{
	config_close(memory->config);
	free(memory->words);
	*memory = (struct option_memory){ 0 };
}

void
option_release(struct option_reader *reader)
{
	struct option_memory *memory = option_memory_of(reader);

	if (memory != NULL)
		option_memory_release(memory);
}

/*
 * Groups: words KEY=VALUE that fill one element of an array.
 */

/*
 * Bots of the command line take the place of those of the file, as its other
 * values do.
 */
static void
file_elements_drop(struct option_reader *reader, const struct option *group,
    char *elements, int *count)
{
	struct option_memory *memory = option_memory_of(reader);
	int kept = 0, dropped;

	if (memory == NULL || reader->in_file)
		return;
	for (int i = 0; i < memory->count; i++) {
		const struct option_word *word = &memory->words[i];

		if (i >= memory->file_count || word->group != group)
			memory->words[kept++] = *word;
	}
	dropped = memory->count - kept;
	if (dropped == 0)
		return;
	memory->count = kept;
	memory->file_count -= dropped;
	memset(elements, 0, group->group_size * (size_t)*count);
	*count = 0;
}

/* Gives an element the defaults of its keys. */
static void
option_element_default(const struct option *group, void *element)
{
	for (int i = 0; i < group->key_count; i++)
		option_value_fall_back(&group->keys[i], element);
}

/* The next element; one of a group for one alone is added to. */
static bool
option_element_begin(struct option_reader *reader, const struct option_row *row,
    struct option_element *element)
{
	const struct option *group = row->option;
	char *base = (char *)reader->settings + row->base;
	int *count = (int *)(void *)(base + group->count_offset);

	element->group = group;
	element->base = base + group->offset;
	element->index = 0;
	if (group->group_max == 1 && *count == 1)
		return true;
	if (group->group_max > 1)
		file_elements_drop(reader, group, element->base, count);
	if (*count == group->group_max)
		return option_fail(&reader->error,
		    "%s%s%s is given more than %d times", reader->place,
		    reader->in_file ? "" : "--", group->name, group->group_max);
	element->index = (*count)++;
	element->base += group->group_size * (size_t)element->index;
	option_element_default(group, element->base);
	return true;
}

/* A value for one key of an element. */
static bool
option_element_give_key(struct option_reader *reader,
    const struct option_element *element, const struct option *key,
    const char *label, const char *value)
{
	const struct option_target target = { key, element->base, label };

	if (key->kind == OPTION_REFUSED)
		return option_refuse(reader, key, label);
	return option_value_read(&target, value, &reader->error) &&
	    option_remember(reader,
		(struct option_word){
		    .group = element->group,
		    .element = element->index,
		    .option = key,
		    .value = value,
		});
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
	return option_remember(reader,
	    (struct option_word){
		.group = element->group,
		.element = element->index,
		.option = key,
		.value = word,
	    });
}

/* KEY=VALUE for an element; the key has that length. */
static bool
option_element_give(struct option_reader *reader,
    const struct option_element *element, const char *word, size_t length)
{
	const struct option *group = element->group;
	const char *point = memchr(word, '.', length);
	size_t name_length =
	    point != NULL ? (size_t)(point + 1 - word) : length;
	char label[OPTION_LABEL_SIZE];
	struct scopa_nearest guess;
	struct option_row row;
	bool found = option_row_find(
	    group->keys, group->key_count, word, name_length, &row);

	if (found && point != NULL && row.option->kind == OPTION_PAIRS)
		return pair_give(reader, element, row.option, point + 1);
	if (reader->in_file)
		snprintf(label, sizeof(label), "%s%.*s", reader->place,
		    (int)length, word);
	else
		snprintf(label, sizeof(label), "--%s %.*s", group->name,
		    (int)length, word);
	if (found)
		return option_element_give_key(
		    reader, element, row.option, label, word + length + 1);
	scopa_nearest_init(&guess, word, name_length);
	option_guess(&guess, group->keys, group->key_count);
	option_guess_say(reader, &guess, "",
	    guess.name != NULL && strchr(guess.name, '.') != NULL ? "NAME="
								  : "=");
	return option_fail(&reader->error, "%s: unknown key", label);
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
option_key_length(const char *word)
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

static bool
row_find(const struct option_reader *reader, const char *name, size_t length,
    struct option_row *row)
{
	return option_row_find(
	    reader->options, reader->option_count, name, length, row);
}

/* Whether the word is an option of ours: then it is no forgotten value. */
static bool
is_option(const struct option_reader *reader, const char *word)
{
	struct option_row row;

	return word[0] == '-' &&
	    row_find(reader, name_of(word), strcspn(name_of(word), "="), &row);
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
option_line_scan(
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
		if (!row_find(reader, name, length, &row) ||
		    row.option->kind != OPTION_CONFIG)
			continue;
		if (name[length] == '=')
			*config = file_of(name + length + 1);
		else if (i + 1 < argc && !is_option(reader, argv[i + 1]))
			*config = file_of(argv[i + 1]);
	}
}

/* Whether the next word is there and no option. */
static bool
value_follows(
    const struct option_reader *reader, const struct option_cursor *cursor)
{
	return cursor->next < cursor->count &&
	    !is_option(reader, cursor->words[cursor->next]);
}

static bool
value_missing_say(struct option_reader *reader, const struct option *option)
{
	return option_fail(&reader->error, "--%s needs a value: --%s %s",
	    option->name, option->name, option->value);
}

/* A word that is not KEY=VALUE, for the first key of a group. */
static bool
plain_give(struct option_reader *reader, const struct option_element *element,
    const char *word)
{
	char label[OPTION_LABEL_SIZE];

	snprintf(label, sizeof(label), "--%s", element->group->name);
	return option_element_give_key(
	    reader, element, &element->group->keys[0], label, word);
}

/* All words of a group go into one element of its array. */
static bool
group_read(struct option_reader *reader, const struct option_row *row,
    struct option_cursor *cursor, const char *inline_word)
{
	const struct option *group = row->option;
	struct option_element element;
	const char *first = inline_word;

	if (first == NULL && value_follows(reader, cursor))
		first = cursor->words[cursor->next];
	if (group->takes_nothing && inline_word == NULL &&
	    (first == NULL || option_key_length(first) == 0))
		return option_element_begin(reader, row, &element);
	if (first == NULL && group->takes_plain)
		return value_missing_say(reader, group);
	if (first == NULL ||
	    (option_key_length(first) == 0 && !group->takes_plain &&
		inline_word == NULL))
		return option_fail(&reader->error, "--%s needs words %s",
		    group->name, group->value);
	if (option_key_length(first) == 0 && !group->takes_plain)
		return option_fail(&reader->error,
		    "--%s=%s: not of the form %s", group->name, first,
		    group->value);
	if (!option_element_begin(reader, row, &element))
		return false;
	if (inline_word == NULL)
		cursor->next++;
	if (option_key_length(first) == 0) {
		if (!plain_give(reader, &element, first))
			return false;
	} else if (!option_element_give(
		       reader, &element, first, option_key_length(first))) {
		return false;
	}
	while (cursor->next < cursor->count) {
		const char *word = cursor->words[cursor->next];
		size_t length = option_key_length(word);

		if (length == 0)
			break;
		cursor->next++;
		if (!option_element_give(reader, &element, word, length))
			return false;
	}
	return true;
}

static bool
unknown_say(struct option_reader *reader, const char *word, const char *name)
{
	size_t length = strcspn(name, "=");
	struct scopa_nearest guess;

	scopa_nearest_init(&guess, name, length);
	option_guess(&guess, reader->options, reader->option_count);
	scopa_nearest_offer(&guess, "help");
	option_guess_say(reader, &guess, "--", "");
	return option_fail(&reader->error, "unknown option \"%.*s\"",
	    (int)(length + (size_t)(name - word)), word);
}

/* An option that takes a value: behind `=`, or the next word. */
static bool
valued_read(struct option_reader *reader, const struct option_row *row,
    struct option_cursor *cursor, const char *value)
{
	char label[OPTION_LABEL_SIZE];

	snprintf(label, sizeof(label), "--%s", row->option->name);
	if (value == NULL && value_follows(reader, cursor))
		value = cursor->words[cursor->next++];
	else if (value == NULL)
		value = row->option->implied;
	if (value == NULL)
		return value_missing_say(reader, row->option);
	/* The file has been read before the line. */
	if (row->option->kind == OPTION_CONFIG)
		return true;
	return option_give(reader, row, label, value);
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
	bool found = row_find(reader, name, length, &row);
	bool reversed = !found && strncmp(name, "no-", 3) == 0;

	if (reversed)
		found = row_find(reader, name + 3, length - 3, &row) &&
		    row.option->kind == OPTION_FLAG;
	if (!found)
		return unknown_say(reader, word, name);
	if (row.option->kind == OPTION_GROUP)
		return group_read(reader, &row, cursor, value);
	if (row.option->kind == OPTION_REFUSED) {
		char label[OPTION_LABEL_SIZE];

		snprintf(label, sizeof(label), "-%.*s", (int)length, name);
		return option_refuse(reader, row.option, label);
	}
	if (reversed && value != NULL)
		return option_fail(&reader->error, "--%s takes no value", name);
	if (row.option->kind == OPTION_FLAG && value == NULL)
		value = flag_read(&row, cursor, reversed);
	return valued_read(reader, &row, cursor, value);
}

/* The group that arguments go to, if there is one. */
static bool
argument_row_find(const struct option_reader *reader, struct option_row *row)
{
	for (int i = 0;
	     option_row_at(reader->options, reader->option_count, i, row);
	     i++) {
		if (row->option->takes_arguments)
			return true;
	}
	return false;
}

static bool
argument_read(struct option_reader *reader, char *word)
{
	struct option_row row;
	struct option_element element;

	if (!argument_row_find(reader, &row)) {
		reader->arguments[reader->argument_count++] = word;
		return true;
	}
	return option_element_begin(reader, &row, &element) &&
	    plain_give(reader, &element, word);
}

/* The words of a command line. */
static bool
option_line_read(struct option_reader *reader, int argc, char **argv)
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
is_listed(const char *const *names, const char *name, size_t length)
{
	for (; names != NULL && *names != NULL; names++) {
		if (strncmp(*names, name, length) == 0 &&
		    (*names)[length] == '\0')
			return true;
	}
	return false;
}

static bool
section_unknown_say(
    struct option_reader *reader, const char *title, size_t length)
{
	struct scopa_nearest guess;
	struct option_row row;

	scopa_nearest_init(&guess, title, length);
	scopa_nearest_offer(&guess, reader->section);
	for (const char *const *name = reader->sections;
	     name != NULL && *name != NULL; name++)
		scopa_nearest_offer(&guess, *name);
	for (int i = 0;
	     option_row_at(reader->options, reader->option_count, i, &row);
	     i++) {
		if (row.option->kind == OPTION_GROUP)
			scopa_nearest_offer(&guess, row.option->name);
	}
	option_guess_say(reader, &guess, "[", "]");
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
title_read(struct option_reader *reader, const struct option_position *position,
    const char *title)
{
	const struct option *group = position->element.group;
	struct option_row key;
	char label[OPTION_LABEL_SIZE];

	if (*title == '\0')
		return true;
	if (group->title == NULL)
		return title_refuse(reader, group->name, title);
	if (!option_row_find(group->keys, group->key_count, group->title,
		strlen(group->title), &key))
		abort();
	snprintf(label, sizeof(label), "%s[%s]", reader->place, group->name);
	return option_element_give_key(
	    reader, &position->element, key.option, label, title);
}

static bool
section_read(struct option_reader *reader, struct option_position *position,
    const char *title)
{
	size_t length = strcspn(title, " \t");
	const char *rest = title + length + strspn(title + length, " \t");
	struct option_row row;

	if (strncmp(title, reader->section, length) == 0 &&
	    reader->section[length] == '\0') {
		position->in = OWN_SECTION;
		return *rest == '\0' ||
		    title_refuse(reader, reader->section, rest);
	}
	if (option_row_find(
		reader->options, reader->option_count, title, length, &row) &&
	    row.option->kind == OPTION_GROUP) {
		position->in = GROUP_SECTION;
		return option_element_begin(reader, &row, &position->element) &&
		    title_read(reader, position, rest);
	}
	position->in = OTHER_SECTION;
	return is_listed(reader->sections, title, length) ||
	    section_unknown_say(reader, title, length);
}

static bool
key_unknown_say(struct option_reader *reader, const struct config_entry *entry)
{
	struct scopa_nearest guess;
	struct option_row row;
	size_t length = entry->key_length;

	if (strncmp(entry->word, "no-", 3) == 0 &&
	    option_row_find(reader->options, reader->option_count,
		entry->word + 3, length - 3, &row) &&
	    row.option->kind == OPTION_FLAG) {
		snprintf(reader->error.hint, sizeof(reader->error.hint),
		    "write %s = no", row.option->name);
	} else {
		scopa_nearest_init(&guess, entry->word, length);
		option_guess(&guess, reader->options, reader->option_count);
		option_guess_say(reader, &guess, "", "");
	}
	return option_fail(&reader->error, "%s%.*s: unknown key", reader->place,
	    (int)length, entry->word);
}

/* A key of the command's own section. */
static bool
own_read(struct option_reader *reader, const struct config_entry *entry)
{
	struct option_row row;
	struct option_element element;
	char label[OPTION_LABEL_SIZE];

	if (!option_row_find(reader->options, reader->option_count, entry->word,
		entry->key_length, &row))
		return key_unknown_say(reader, entry);
	snprintf(label, sizeof(label), "%s%.*s", reader->place,
	    (int)entry->key_length, entry->word);
	if (row.option->kind == OPTION_REFUSED)
		return option_refuse(reader, row.option, label);
	if (row.option->kind == OPTION_CONFIG)
		return option_fail(&reader->error,
		    "%s: a file cannot name another one", label);
	if (row.option->kind != OPTION_GROUP)
		return option_give(reader, &row, label, entry->value);
	if (!row.option->takes_plain) {
		snprintf(reader->error.hint, sizeof(reader->error.hint),
		    "write a section [%s]", row.option->name);
		return option_fail(
		    &reader->error, "%s: is a group of keys", label);
	}
	return option_element_begin(reader, &row, &element) &&
	    option_element_give_key(
		reader, &element, &row.option->keys[0], label, entry->value);
}

static bool
entry_read(struct option_reader *reader, struct option_position *position,
    const struct config_entry *entry)
{
	if (entry->title != NULL)
		return section_read(reader, position, entry->title);
	switch (position->in) {
	case BEFORE_SECTIONS:
		snprintf(reader->error.hint, sizeof(reader->error.hint),
		    "begin with a line [%s]", reader->section);
		return option_fail(&reader->error,
		    "%s%.*s: stands before the first section", reader->place,
		    (int)entry->key_length, entry->word);
	case OWN_SECTION:
		return own_read(reader, entry);
	case OTHER_SECTION:
		return true;
	case GROUP_SECTION:
		break;
	}
	return option_element_give(
	    reader, &position->element, entry->word, entry->key_length);
}

bool
option_read_file(struct option_reader *reader, const char *path)
{
	struct option_memory *memory = option_memory_of(reader);
	struct option_position position = { .in = BEFORE_SECTIONS };

	assert(memory != NULL && memory->config == NULL);
	memory->config = config_open(path, &reader->error);
	if (memory->config == NULL)
		return false;
	memory->path = path;
	reader->in_file = true;
	for (int i = 0; i < memory->config->count; i++) {
		const struct config_entry *entry = &memory->config->entries[i];

		config_place(
		    path, entry->line, reader->place, sizeof(reader->place));
		if (!entry_read(reader, &position, entry))
			return false;
	}
	memory->file_count = memory->count;
	reader->in_file = false;
	reader->place[0] = '\0';
	return true;
}

/* One section that is written: the command's own, or an element of a group. */
struct option_section {
	const struct option_form *form;
	const struct option *group; /* or NULL */
	int element;
	FILE *file;
};

static bool
write_is_called(const char *one, const char *other)
{
	return one == other ||
	    (one != NULL && other != NULL && strcmp(one, other) == 0);
}

static const struct option_stand_in *
stand_in_find(const struct option_section *section, const char *name)
{
	const char *group = section->group ? section->group->name : NULL;

	for (int i = 0; i < section->form->stand_in_count; i++) {
		const struct option_stand_in *stand_in =
		    &section->form->stand_ins[i];

		if (write_is_called(stand_in->group, group) &&
		    stand_in->element == section->element &&
		    strcmp(stand_in->name, name) == 0)
			return stand_in;
	}
	return NULL;
}

static bool
is_of(const struct option_section *section, const struct option_word *word)
{
	return word->group == section->group &&
	    (word->group == NULL || word->element == section->element);
}

/* Whether two rows are of one field; offsets of tables are no others'. */
static bool
is_of_field(const struct option_section *section, const struct option *one,
    const struct option *other)
{
	return one == other ||
	    (section->group != NULL && one->offset == other->offset);
}

/* The word that counts for the field of a row, or NULL. */
static const struct option_word *
word_find(const struct option_section *section, const struct option *option)
{
	const struct option_memory *memory = section->form->memory;

	for (int i = memory->count - 1; i >= 0; i--) {
		const struct option_word *word = &memory->words[i];

		if (is_of(section, word) &&
		    is_of_field(section, word->option, option))
			return word;
	}
	return NULL;
}

/* Whether no later word has the name of this pair. */
static bool
is_last(const struct option_section *section, int index)
{
	const struct option_memory *memory = section->form->memory;
	const struct option_word *pair = &memory->words[index];
	size_t length = strcspn(pair->value, "=") + 1;

	for (int i = index + 1; i < memory->count; i++) {
		const struct option_word *word = &memory->words[i];

		if (is_of(section, word) && word->option == pair->option &&
		    strncmp(word->value, pair->value, length) == 0)
			return false;
	}
	return true;
}

/* Makes each path of a list absolute; false where there is no room. */
static bool
paths_join(char joined[OPTION_PATH_SIZE], const char *folder, const char *paths)
{
	size_t put = 0;

	for (const char *rest = paths; *rest != '\0';) {
		size_t length = strcspn(rest, ":");
		bool own = rest[0] == '/' || length == 0;
		int added = snprintf(joined + put, OPTION_PATH_SIZE - put,
		    "%s%s%s%.*s", put > 0 ? ":" : "", own ? "" : folder,
		    own ? "" : "/", (int)length, rest);

		put += (size_t)added;
		if (put >= OPTION_PATH_SIZE)
			return false;
		rest += length + (rest[length] == ':');
	}
	return put > 0;
}

static void
value_print(const struct option_section *section, const struct option *option,
    const char *value)
{
	const char *folder = section->form->folder;
	char path[OPTION_PATH_SIZE];

	if (option->is_path && folder != NULL && value[0] != '/') {
		int length =
		    snprintf(path, sizeof(path), "%s/%s", folder, value);

		if (length < OPTION_PATH_SIZE)
			value = path;
	}
	if (option->is_paths && folder != NULL &&
	    paths_join(path, folder, value))
		value = path;
	config_print(section->file, option->name, value);
}

/* The pairs of a key, in the order given. */
static void
pairs_print(const struct option_section *section, const struct option *option)
{
	const struct option_memory *memory = section->form->memory;

	for (int i = 0; i < memory->count; i++) {
		const struct option_word *word = &memory->words[i];
		char key[OPTION_PATH_SIZE];
		size_t length = strcspn(word->value, "=");

		if (!is_of(section, word) || word->option != option ||
		    !is_last(section, i))
			continue;
		snprintf(key, sizeof(key), "%s%.*s", option->name, (int)length,
		    word->value);
		config_print(section->file, key, word->value + length + 1);
	}
}

/* The value of a row, NULL where it has none: as given, or what stands in. */
static const char *
value_find(const struct option_section *section, const struct option *option)
{
	const struct option_stand_in *stand_in =
	    stand_in_find(section, option->name);
	const struct option_word *word = word_find(section, option);

	if (stand_in != NULL)
		return stand_in->value;
	if (word == NULL)
		return option->fallback;
	return word->option == option ? word->value : NULL;
}

static bool
is_written(const struct option *option)
{
	return option->kind != OPTION_CONFIG &&
	    option->kind != OPTION_REFUSED && !option->is_passing;
}

/* The command's own section, in the order of its table. */
static void
own_write(const struct option_section *section)
{
	const struct option_form *form = section->form;
	struct option_row row;

	fprintf(section->file, "[%s]\n", form->section);
	for (int i = 0;
	     option_row_at(form->options, form->option_count, i, &row); i++) {
		const char *value;

		if (row.option->kind == OPTION_GROUP || !is_written(row.option))
			continue;
		value = value_find(section, row.option);
		if (value != NULL)
			value_print(section, row.option, value);
	}
}

/* The key that the title of a section says, or NULL: it is written. */
static const struct option *
title_print(const struct option_section *section)
{
	const struct option *group = section->group;
	const struct option *key = NULL;
	const char *title = NULL;

	if (group->title != NULL) {
		key = option_find(group->keys, group->key_count, group->title);
		title = value_find(section, key);
	}
	if (title != NULL && config_title_fits(title)) {
		fprintf(section->file, "\n[%s %s]\n", group->name, title);
		return key;
	}
	fprintf(section->file, "\n[%s]\n", group->name);
	return NULL;
}

/* One element of a group. */
static void
element_write(const struct option_section *section)
{
	const struct option *group = section->group;
	const struct option *title = title_print(section);

	for (int i = 0; i < group->key_count; i++) {
		const struct option *key = &group->keys[i];
		const char *value;

		if (key == title || !is_written(key))
			continue;
		if (key->kind == OPTION_PAIRS) {
			pairs_print(section, key);
			continue;
		}
		value = value_find(section, key);
		if (value != NULL)
			value_print(section, key, value);
	}
}

/* One more than the highest element of a group that has a word. */
static int
element_count(const struct option_form *form, const struct option *group)
{
	int count = 0;

	for (int i = 0; i < form->memory->count; i++) {
		const struct option_word *word = &form->memory->words[i];

		if (word->group == group && word->element >= count)
			count = word->element + 1;
	}
	for (int i = 0; i < form->stand_in_count; i++) {
		const struct option_stand_in *stand_in = &form->stand_ins[i];

		if (write_is_called(stand_in->group, group->name) &&
		    stand_in->element >= count && stand_in->value != NULL)
			count = stand_in->element + 1;
	}
	return count;
}

void
option_write(FILE *file, const struct option_form *form)
{
	struct option_section section = { .form = form, .file = file };
	struct option_row row;

	own_write(&section);
	for (int i = 0;
	     option_row_at(form->options, form->option_count, i, &row); i++) {
		int count;

		if (row.option->kind != OPTION_GROUP || !is_written(row.option))
			continue;
		section.group = row.option;
		count = element_count(form, row.option);
		for (section.element = 0; section.element < count;
		     section.element++)
			element_write(&section);
		section.element = 0;
	}
}
