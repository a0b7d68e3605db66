/*
 * The table of commands: each row has a name and sentences for help and the
 * manual.  And the form of error messages on stderr.
 */
#include "command.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "option.h"
#include "output.h"
#include "test.h"
#include "version.h"

enum { ROWS_MAX = 100, NAMES_MAX = ROWS_MAX * (OPTION_ALIASES_MAX + 1) + 1 };

/* The rows of a command, which may have none. */
static const struct option *
options_of(const struct command *command)
{
	static const struct option none[] = { OPTIONS_END };

	return command->options != NULL ? command->options : none;
}

/* If an assertion fails, the message names the row. */
static const char *row_name;

#define ROW_ASSERT(condition)                                     \
	do {                                                      \
		if (!(condition))                                 \
			fail_msg("%s: %s", row_name, #condition); \
	} while (0)

/*
 * Whether a blank is missing between sentences; a full stop within a file name
 * is followed by letters, too, and is no end of a sentence.
 */
static bool
lacks_blank(const char *sentence)
{
	const char *before = NULL;

	for (; *sentence != '\0'; sentence++) {
		if (isspace((unsigned char)*sentence) || *sentence == '/')
			before = NULL;
		if (*sentence != '.' || !isalpha((unsigned char)sentence[1]))
			continue;
		if (before != NULL)
			return true;
		before = sentence;
	}
	return false;
}

/* A sentence has no blank in front, and ends with a full stop. */
static void
check_sentence(const char *sentence)
{
	ROW_ASSERT(sentence != NULL);
	ROW_ASSERT(!isspace((unsigned char)sentence[0]));
	ROW_ASSERT(sentence[strlen(sentence) - 1] == '.');
	ROW_ASSERT(strstr(sentence, "  ") == NULL);
	ROW_ASSERT(!lacks_blank(sentence));
}

/*
 * Lower-case words with hyphens; the name of an option of pairs ends with `.`.
 */
static void
check_name(const char *name)
{
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");

	ROW_ASSERT(length > 0);
	ROW_ASSERT(name[length] == '\0' || strcmp(name + length, ".") == 0);
}

/*
 * Collects the rows of a command and of the tables within it.  Returns their
 * number.
 */
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

/* No name or alias is used by two options of a command. */
static void
check_options(const struct command *command)
{
	const struct option *rows[ROWS_MAX];
	const char *names[NAMES_MAX] = { "help" };
	int rows_count = rows_of(options_of(command), rows), count = 1;

	for (int i = 0; i < rows_count; i++) {
		row_name = names[count++] = rows[i]->name;
		check_name(row_name);
		check_sentence(rows[i]->sentence);
		ROW_ASSERT(rows[i]->offset < command->settings_size);
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

TEST(test_every_row_is_complete)
{
	for (int i = 0; i < command_count; i++) {
		const struct command *command = commands[i];

		row_name = command->name;
		check_sentence(command->sentence);
		if (command->detail != NULL)
			check_sentence(command->detail);
		for (int j = 0; j < COMMAND_ARGUMENTS_MAX; j++)
			if (command->arguments[j].name != NULL)
				check_sentence(command->arguments[j].sentence);
		check_options(command);
	}
}

TEST(test_messages_have_one_form_and_no_control_characters)
{
	char wanted[1024];

	output_stderr_begin();
	error_print("bot \"%s\" did not answer within %d s", "mybot", 10);
	error_detail("command", "./mybot.py");
	/* A hint with a command names the program as it was called. */
	error_detail("try", VERSION_NAME " %s", "help");
	error_detail("try", VERSION_NAME "-like things");
	error_print("%s", "a\x1b[31m\nb\x7f\xff\xc2\x9b perch\xc3\xa9");
	error_detail("bytes", "%s", "\r\t");
	snprintf(wanted, sizeof(wanted),
	    "error: bot \"mybot\" did not answer within 10 s\n"
	    "  command : ./mybot.py\n"
	    "  try     : %s help\n  try     : " VERSION_NAME "-like things\n"
	    "error: a\\x1b[31m\\x0ab\\x7f\\xff\\xc2\\x9b perch\xc3\xa9\n"
	    "  bytes   : \\x0d\\x09\n",
	    program_invocation_name);
	assert_string_equal(output_stderr_end(), wanted);
}

TEST(test_text_is_whole_unless_it_is_longer_than_a_path_can_be)
{
	static char text[40000];
	const char *output;

	memset(text, 'x', sizeof(text) - 1);
	output_stderr_begin();
	error_print("%s", text);
	output = output_stderr_end();
	assert_in_range(strlen(output), 2 * PATH_MAX, sizeof(text) - 1);
	assert_int_equal(output[strlen(output) - 1], '\n');
}

/*
 * How help writes an option, and how it wraps lines.
 */
static const char *const policies[] = { "forfeit", "substitute", "disqualify",
	NULL };

TEST(test_options_are_written_as_they_are_typed)
{
	static const struct option keys[] = {
		FLAG_OPTION("json", 0, "S."),
		INT_OPTION("deals", "N", 0, 1, 64, "S.", .unit = "deals",
		    .fallback = "2", .aliases = { "games", "rounds" }),
		PAIRS_OPTION("option.", "NAME=V", 0, "S."),
		OPTIONS_END,
	};
	static const struct option options[] = {
		FLAG_OPTION("json", 0, "S."),
		INT_OPTION("deals", "N", 0, 1, 64, "S.", .unit = "deals",
		    .fallback = "2", .aliases = { "games", "rounds" }),
		NAME_OPTION("illegal", "POLICY", 0, policies, "S.",
		    .fallback = "forfeit"),
		FLAG_OPTION("duplicate", 0, "S.", .fallback = "yes"),
		{ .name = "bot",
		    .value = "cmd=CMD ...",
		    .kind = OPTION_GROUP,
		    .sentence = "S.",
		    .group_max = 6,
		    .keys = keys },
		OPTIONS_END,
	};
	static const struct command command = {
		.name = "play",
		.sentence = "Plays.",
		.options = options,
	};

	describe_command(output_open(), &command);
	assert_string_equal(output_close(),
	    "usage: scopa-arena play [OPTIONS]\n"
	    "\n"
	    "Plays.\n"
	    "\n"
	    "options:\n"
	    "  --json                  S.\n"
	    "  --deals N               S. (1 to 64 deals; default 2; also "
	    "-games; also\n"
	    "                          -rounds)\n"
	    "  --illegal POLICY        S. (forfeit, substitute or disqualify; "
	    "default\n"
	    "                          forfeit)\n"
	    "  --duplicate             S. (default yes, --no-duplicate takes "
	    "it back)\n"
	    "  --bot cmd=CMD ...       S. (up to 6 times)\n"
	    "    json=yes|no           S.\n"
	    "    deals=N               S. (1 to 64 deals; default 2; also "
	    "games; also\n"
	    "                          rounds)\n"
	    "    option.NAME=V         S.\n");
}

TEST(test_words_are_wrapped_after_their_indentation)
{
#define TEN "xxxxxxxxxx"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
	static const struct {
		const char *words;
		int indent, column;
		const char *lines;
	} rows[] = {
		{ "one two", 0, 0, "one two\n" },
		{ "one two", 2, 4, "  one two\n" },
		{ "  one   two ", 0, 2, "  one two\n" },
		{ "", 0, 4, "\n" },
		/* 26 + 53 characters fill a line of 79; one more begins the
		 * next. */
		{ "aaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbb c", 26,
		    26,
		    "aaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbb\n"
		    "                          c\n" },
		{ HUNDRED, 0, 4, "    " HUNDRED "\n" },
	};

	for (int i = 0; i < COUNTOF(rows); i++) {
		describe_words(output_open(), rows[i].words, rows[i].indent,
		    rows[i].column);
		assert_string_equal(output_close(), rows[i].lines);
	}
}
