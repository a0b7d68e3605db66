#include "option.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "option_parts.h"

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

bool
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

bool
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

void
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

void
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

bool
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
	word.source = reader->source;
	memory->words[memory->count++] = word;
	return true;
}

bool
option_give(struct option_reader *reader, const struct option_row *row,
    const char *label, const char *value)
{
	const struct option_target target = { row->option,
		(char *)reader->settings + row->base, label };

	return option_value_read(&target, value, &reader->error) &&
	    option_remember(reader,
		(struct option_word){ .option = row->option, .value = value });
}

bool
option_refuse(struct option_reader *reader, const struct option *option,
    const char *label)
{
	int length = (int)strlen(option->sentence) - 1;

	/* A hint ends without the full stop of a sentence. */
	snprintf(reader->error.hint, sizeof(reader->error.hint), "%.*s", length,
	    option->sentence);
	return option_fail(&reader->error, "%s is not taken here", label);
}

/* `startup-ms` is SCOPA_ARENA_STARTUP_MS. */
static void
variable_format(const char *name, char variable[OPTION_LABEL_SIZE])
{
	int length =
	    snprintf(variable, OPTION_LABEL_SIZE, "SCOPA_ARENA_%s", name);

	assert(length < OPTION_LABEL_SIZE);
	for (char *byte = variable; *byte != '\0'; byte++)
		*byte = *byte == '-' ? '_' : (char)toupper(*byte);
}

/* The value of an option's variable; an empty one was taken back. */
static const char *
variable_find(const struct option *option, char label[OPTION_LABEL_SIZE])
{
	const char *value;

	variable_format(option->name, label);
	value = getenv(label);
	return value != NULL && value[0] != '\0' ? value : NULL;
}

/* A group that is one value, as a variable can be. */
static bool
is_value(const struct option *option)
{
	if (option->kind == OPTION_GROUP)
		return option->takes_plain && option->group_max == 1;
	return option->kind != OPTION_CONFIG && option->kind != OPTION_REFUSED;
}

static bool
environment_read(struct option_reader *reader)
{
	struct option_row row;

	reader->source = OPTION_ENVIRONMENT;
	for (int i = 0;
	     option_row_at(reader->options, reader->option_count, i, &row);
	     i++) {
		char label[OPTION_LABEL_SIZE];
		const char *value;
		struct option_element element;

		if (!is_value(row.option))
			continue;
		value = variable_find(row.option, label);
		if (value == NULL)
			continue;
		if (row.option->kind != OPTION_GROUP) {
			if (!option_give(reader, &row, label, value))
				return false;
			continue;
		}
		if (!option_element_begin(reader, &row, &element) ||
		    !option_element_give_key(
			reader, &element, &row.option->keys[0], label, value))
			return false;
	}
	return true;
}

/* The file that the environment names, or NULL. */
static const char *
environment_config(const struct option_reader *reader)
{
	struct option_row row;
	char label[OPTION_LABEL_SIZE];

	for (int i = 0;
	     option_row_at(reader->options, reader->option_count, i, &row);
	     i++) {
		if (row.option->kind == OPTION_CONFIG)
			return variable_find(row.option, label);
	}
	return NULL;
}

bool
option_read(struct option_reader *reader, int argc, char **argv)
{
	const char *path = NULL;

	option_line_scan(reader, argc, argv, &path);
	if (reader->help)
		return true;
	if (path == NULL)
		path = environment_config(reader);
	return (path == NULL || option_read_file(reader, path)) &&
	    environment_read(reader) && option_line_read(reader, argc, argv);
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
