/*
 * The table of commands: what every row must have, so that help, the manual
 * and reading can rely on it.
 */
#include "command.h"
#include "option.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

enum { ROWS_MAX = 100, NAMES_MAX = ROWS_MAX * (OPTION_ALIASES_MAX + 1) + 1 };

/* The rows of a command, which may have none. */
static const struct option *
options_of(const struct command *command)
{
	static const struct option none[] = { OPTIONS_END };

	return command->options != NULL ? command->options : none;
}

/* Says which row it is that fails. */
static const char *row_name;

#define ROW_ASSERT(condition)                                     \
	do {                                                      \
		if (!(condition))                                 \
			fail_msg("%s: %s", row_name, #condition); \
	} while (0)

/* A sentence begins with no blank and ends with a full stop. */
static void
check_sentence(const char *sentence)
{
	ROW_ASSERT(sentence != NULL);
	ROW_ASSERT(!isspace((unsigned char)sentence[0]));
	ROW_ASSERT(sentence[strlen(sentence) - 1] == '.');
	ROW_ASSERT(strstr(sentence, "  ") == NULL);
}

/* Lower-case words with hyphens; the name of pairs ends with a point. */
static void
check_name(const char *name)
{
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");

	ROW_ASSERT(length > 0);
	ROW_ASSERT(name[length] == '\0' || strcmp(name + length, ".") == 0);
}

/* A key of that name. */
static bool
has_key(const struct option *keys, const char *name)
{
	for (; keys->kind != OPTION_LAST; keys++)
		if (strcmp(keys->name, name) == 0)
			return true;
	return false;
}

static void
check_option(const struct option *option, size_t size)
{
	bool refused = option->kind == OPTION_REFUSED;

	row_name = option->name;
	check_name(option->name);
	check_sentence(option->sentence);
	ROW_ASSERT(option->offset < size);
	ROW_ASSERT(
	    option->kind == OPTION_FLAG || refused || option->value != NULL);
	ROW_ASSERT(option->kind != OPTION_INT || option->min < option->max);
	ROW_ASSERT(option->kind != OPTION_REAL || option->least < option->most);
	ROW_ASSERT((option->kind == OPTION_NAME) == (option->names != NULL));
	ROW_ASSERT((option->kind == OPTION_PARSED) == (option->parse != NULL));
	ROW_ASSERT((option->kind == OPTION_PAIRS) ==
	    (strchr(option->name, '.') != NULL));
	ROW_ASSERT((option->kind == OPTION_GROUP) == (option->keys != NULL));
	if (option->kind != OPTION_GROUP)
		return;
	ROW_ASSERT(option->count_offset < size);
	/* What a plain word is taken for, and what a section is called. */
	ROW_ASSERT(!option->takes_plain || option->keys->kind == OPTION_TEXT);
	ROW_ASSERT(!option->takes_arguments || option->takes_plain);
	ROW_ASSERT(
	    option->title == NULL || has_key(option->keys, option->title));
}

/* Checks rows, and those of their tables and groups. */
static void
check_options(const struct option *options, size_t size)
{
	for (int i = 0; options[i].kind != OPTION_LAST; i++) {
		const struct option *option = &options[i];

		if (option->kind != OPTION_TABLE) {
			check_option(option, size);
			if (option->kind == OPTION_GROUP)
				check_options(option->keys, option->group_size);
			continue;
		}
		row_name = "table";
		ROW_ASSERT(option->name == NULL);
		ROW_ASSERT(i > 0 || option->sentence != NULL);
		ROW_ASSERT(option->offset < size);
		for (int j = 0; option->keys[j].kind != OPTION_LAST; j++)
			ROW_ASSERT(option->keys[j].kind != OPTION_TABLE);
		check_options(option->keys, size - option->offset);
	}
}

/* The rows of a command, those of its tables included; their number. */
static int
rows_of(const struct option *options, const struct option *rows[ROWS_MAX])
{
	int count = 0;

	for (; options->kind != OPTION_LAST; options++) {
		assert_true(count < ROWS_MAX);
		if (options->kind == OPTION_TABLE)
			count += rows_of(options->keys, rows + count);
		else
			rows[count++] = options;
	}
	return count;
}

/* Names and aliases of a command's options, each only once. */
static void
check_unique(const struct command *command)
{
	const struct option *rows[ROWS_MAX];
	const char *names[NAMES_MAX] = { "help" };
	int rows_count = rows_of(options_of(command), rows), count = 1;

	for (int i = 0; i < rows_count; i++) {
		names[count++] = rows[i]->name;
		for (int j = 0; j < OPTION_ALIASES_MAX; j++)
			if (rows[i]->aliases[j] != NULL)
				names[count++] = rows[i]->aliases[j];
	}
	for (int i = 0; i < count; i++) {
		row_name = names[i];
		for (int j = 0; j < i; j++)
			ROW_ASSERT(strcmp(names[i], names[j]) != 0);
	}
}

/* Whether one of these rows is a group that arguments go to. */
static bool
takes_arguments(const struct command *command)
{
	const struct option *rows[ROWS_MAX];
	bool found = false;

	for (int i = rows_of(options_of(command), rows); i > 0; i--)
		found = found || rows[i - 1]->takes_arguments;
	return found;
}

static void
check_section(const char *name)
{
	row_name = name;
	for (const char *const *section = config_sections; *section != NULL;
	     section++) {
		if (strcmp(*section, name) == 0)
			return;
	}
	fail_msg("no section is called %s", name);
}

TEST(test_every_section_of_a_file_is_known_to_all)
{
	for (int i = 0; i < command_count; i++) {
		const struct option *rows[ROWS_MAX];
		int count = rows_of(options_of(commands[i]), rows);
		bool reads_files = false;

		for (int j = 0; j < count; j++)
			reads_files |= rows[j]->kind == OPTION_CONFIG;
		if (!reads_files)
			continue;
		check_section(commands[i]->name);
		for (int j = 0; j < count; j++)
			if (rows[j]->kind == OPTION_GROUP)
				check_section(rows[j]->name);
	}
}

TEST(test_every_row_is_whole)
{
	for (int i = 0; i < command_count; i++) {
		const struct command *command = commands[i];

		row_name = command->name;
		check_sentence(command->sentence);
		ROW_ASSERT(command->run != NULL);
		ROW_ASSERT(command->argument_max == COMMAND_ANY_COUNT ||
		    command->argument_max >= command->argument_min);
		ROW_ASSERT(
		    (command->argument_max == 0 && !takes_arguments(command)) ==
		    (command->usage == NULL));
		if (command->detail != NULL)
			check_sentence(command->detail);
		for (int j = 0; j < COMMAND_ARGUMENTS_MAX; j++)
			if (command->arguments[j].name != NULL)
				check_sentence(command->arguments[j].sentence);
		check_options(options_of(command), command->settings_size);
		check_unique(command);
	}
}

TEST(test_defaults_of_every_command_are_good)
{
	for (int i = 0; i < command_count; i++) {
		const struct command *command = commands[i];
		struct option_reader reader = {
			.options = command->options,
			.settings = calloc(1, command->settings_size + 1),
		};

		row_name = command->name;
		assert_non_null(reader.settings);
		option_defaults(&reader);
		free(reader.settings);
	}
}

TEST(test_commands_are_found_by_their_whole_name)
{
	for (int i = 0; i < command_count; i++)
		assert_ptr_equal(command_find(commands[i]->name), commands[i]);
	assert_null(command_find("bench"));
	assert_null(command_find("Match"));
	assert_null(command_find(""));
}
