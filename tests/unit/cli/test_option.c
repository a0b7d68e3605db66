/*
 * Options of the command line and of a configuration file: which values each
 * kind accepts, and the messages for the others; to which bot a word belongs;
 * which of two values counts; which place an error names; and settings that are
 * written as such a file.
 */
#include "option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "golden.h"
#include "output.h"
#include "support.h"
#include "test.h"

enum { BOTS_MAX = 3, GIVEN_MAX = 40 };

struct bot {
	const char *command, *name, *dir, *read;
	int64_t strikes;
	struct option_pairs options, variables;
};

struct packs {
	const char *path;
};

struct game {
	int64_t deals;
	bool duplicate;
	const char *record;
	struct packs packs;
	int packs_count;
};

struct settings {
	bool json, quiet;
	int64_t rounds;
	double margin;
	int illegal;
	int even;         /* a parse function accepts only even numbers */
	struct game game; /* from a table within the table */
	struct bot bots[BOTS_MAX];
	int bot_count;
	struct bot each;
	int each_count;
};

static bool
even_parse(const char *value, void *field, struct scopa_text *why)
{
	int number = atoi(value);

	if (number % 2 != 0)
		return option_refuse(why, "odd");
	*(int *)field = number;
	return true;
}

static const char *const policies[] = { "forfeit", "substitute", "disqualify",
	NULL };

static const struct option bot_keys[] = {
	TEXT_OPTION("cmd", "CMD", offsetof(struct bot, command), "Command."),
	TEXT_OPTION("name", "NAME", offsetof(struct bot, name), "Name."),
	TEXT_OPTION("dir", "DIR", offsetof(struct bot, dir), "Folder.",
	    .is_path = true),
	TEXT_OPTION("read", "PATH:PATH", offsetof(struct bot, read), "Files.",
	    .is_paths = true),
	INT_OPTION("strikes", "N", offsetof(struct bot, strikes), 0, 9,
	    "Strikes.", .aliases = { "hits" }, .fallback = "3"),
	PAIRS_OPTION(
	    "option.", "NAME=V", offsetof(struct bot, options), "Option."),
	PAIRS_OPTION(
	    "env.", "K=V", offsetof(struct bot, variables), "Variable."),
	REFUSED_OPTION("proto", "there is but one."),
	OPTIONS_END,
};

static const struct option packs_keys[] = {
	TEXT_OPTION("file", "FILE", offsetof(struct packs, path), "File.",
	    .is_path = true),
	OPTIONS_END,
};

static const struct option game_rows[] = {
	INT_OPTION("deals", "N", offsetof(struct game, deals), 1, 100, "Deals.",
	    .aliases = { "games" }, .fallback = "7", .unit = "deals"),
	FLAG_OPTION("duplicate", offsetof(struct game, duplicate), "Twice.",
	    .aliases = { "repeat" }, .fallback = "yes", .implied = "2"),
	TEXT_OPTION("record", "FILE", offsetof(struct game, record), "Record.",
	    .aliases = { "pgnout" }, .is_path = true),
	GROUP_OPTION("packs", "FILE", packs_keys, sizeof(struct packs),
	    offsetof(struct game, packs), offsetof(struct game, packs_count),
	    "Packs.", .takes_plain = true),
	CONFIG_OPTION("config", "FILE", "This."),
	REFUSED_OPTION("resign", "nobody does."),
	OPTIONS_END,
};

static const struct option value_rows[] = {
	INT_OPTION("rounds", "N", offsetof(struct settings, rounds), 1, 100,
	    "Rounds.", .unit = "rounds"),
	FLAG_OPTION("quiet", offsetof(struct settings, quiet), "Quiet.",
	    .is_passing = true),
	FLAG_OPTION("json", offsetof(struct settings, json), "JSON."),
	REAL_OPTION("time-margin", "S", offsetof(struct settings, margin), 0,
	    60, "Margin.", .fallback = "0", .unit = "seconds"),
	NAME_OPTION("illegal", "POLICY", offsetof(struct settings, illegal),
	    policies, "Policy.", .fallback = "forfeit"),
	PARSED_OPTION(
	    "even", "N", offsetof(struct settings, even), even_parse, "Even."),
	GROUP_OPTION("each", "KEY=VALUE...", bot_keys, sizeof(struct bot),
	    offsetof(struct settings, each),
	    offsetof(struct settings, each_count), "All."),
	OPTIONS_END,
};

#define BOT_GROUP(...)                                                       \
	GROUP_OPTION("bot", "KEY=VALUE...", bot_keys, sizeof(struct bot),    \
	    offsetof(struct settings, bots),                                 \
	    offsetof(struct settings, bot_count), "Bot.",                    \
	    .aliases = { "engine" }, .title = "name", .group_max = BOTS_MAX, \
	    __VA_ARGS__)

/*
 * A command whose bots are words KEY=VALUE, and one that also accepts bots as
 * plain words.
 */
static const struct option strict[] = {
	TABLE_OPTION("values", value_rows, 0),
	TABLE_OPTION("game", game_rows, offsetof(struct settings, game)),
	BOT_GROUP(.takes_plain = false),
	OPTIONS_END,
};
static const struct option plain[] = {
	TABLE_OPTION("values", value_rows, 0),
	TABLE_OPTION("game", game_rows, offsetof(struct settings, game)),
	BOT_GROUP(.takes_plain = true, .takes_arguments = true),
	OPTIONS_END,
};

/* What line_read() has read last. */
static struct settings settings;
static struct option_reader reader;
static char line_bytes[1024], path[FOLDER_SIZE + 16];
static char *line_words[GIVEN_MAX];

static int
reset(void **state)
{
	(void)state;
	config_close(reader.config);
	memset(&reader, 0, sizeof(reader));
	return 0;
}

/* Reads the words of a line, and % as the path of the file. */
static bool
line_read(const struct option *options, const char *line, bool rest)
{
	int count;

	reset(NULL);
	memset(&settings, 0, sizeof(settings));
	reader = (struct option_reader){
		.options = options,
		.rest = rest,
		.settings = &settings,
		.section = "cup",
	};
	strcpy(path, test_path("t.ini"));
	strcpy(line_bytes, line);
	count = golden_words(line_bytes, line_words, GIVEN_MAX);
	for (int i = 0; i < count; i++)
		if (strcmp(line_words[i], "%") == 0)
			line_words[i] = path;
	return option_read(&reader, line_words);
}

/* Writes the settings as a file that gives the same settings. */
static char *
settings_write(void)
{
	option_write(output_open(), &reader, "/home of");
	return output_close();
}

/*
 * What was given: the lines of that file except those of defaults, with `|`
 * between them, and behind them each argument with `+` before it.
 */
static const char *
given(void)
{
	static const char defaults[] = "|[cup]|time-margin = 0|"
				       "illegal = forfeit|deals = 7|"
				       "duplicate = yes||";
	static char all[1024];
	char *left = settings_write(), *line;

	all[0] = '\0';
	while ((line = strsep(&left, "\n")) != NULL) {
		char whole[256];

		snprintf(whole, sizeof(whole), "|%s|", line);
		if (strstr(defaults, whole) == NULL)
			sprintf(all + strlen(all), "%s%s",
			    all[0] == '\0' ? "" : "|", line);
	}
	for (int i = 0; i < reader.argument_count; i++)
		sprintf(all + strlen(all), "+%s", reader.arguments[i]);
	return all;
}

/* Fails unless the line is accepted and gives this. */
static void
assert_given(const struct option *options, const char *line, const char *gives)
{
	if (!line_read(options, line, false))
		fail_msg("%s: %s", line, reader.error.what);
	if (strcmp(given(), gives) != 0)
		fail_msg("%s: %s instead of %s", line, given(), gives);
}

TEST(test_words_after_the_first_argument_are_no_options)
{
	assert_true(line_read(strict, "--deals 5 name --json --bogus", true));
	assert_string_equal(given(), "deals = 5+name+--json+--bogus");
}

TEST(test_help_ends_the_reading_of_options)
{
	static const char *const lines[] = { "--help --bogus", "-h", "-help",
		"--deals 5" };

	for (int i = 0; i < COUNTOF(lines); i++) {
		assert_true(line_read(strict, lines[i], false));
		assert_int_equal(reader.help, i < 3);
	}
}

static void
assert_bad(const char *line, const char *what, const char *hint)
{
	assert_false(line_read(strict, line, false));
	assert_string_equal(reader.error.what, what);
	assert_string_equal(reader.error.hint, hint);
}

/* The file is refused, and the message is its path and this reason. */
static void
assert_file_bad(const char *text, const char *what, const char *hint)
{
	folder_write(test_path("t.ini"), text);
	assert_false(line_read(plain, "--config %", false));
	assert_memory_equal(reader.error.what, path, strlen(path));
	assert_string_equal(reader.error.what + strlen(path), what);
	assert_string_equal(reader.error.hint, hint);
}

TEST(test_lines_and_files_are_read_or_refused)
{
	static struct golden golden;
	int count = 0;

	for (char **field = golden.fields; golden_next(&golden, "options.tsv");
	     count++) {
		const char *kind = field[0];

		if (strcmp(kind, "given") == 0) {
			assert_given(strict, field[2], field[1]);
		} else if (strcmp(kind, "bad") == 0) {
			assert_bad(field[2], field[3], field[1]);
		} else if (strcmp(kind, "file") == 0) {
			folder_write(test_path("t.ini"), field[3]);
			assert_given(plain, field[2], field[1]);
		} else {
			assert_string_equal(kind, "badfile");
			assert_file_bad(field[2], field[3], field[1]);
		}
	}
	assert_int_equal(count, 122);
}

TEST(test_empty_line_gives_the_defaults)
{
	assert_given(strict, "", "");
	assert_string_equal(settings_write(),
	    "[cup]\ntime-margin = 0\nillegal = forfeit\ndeals = 7\n"
	    "duplicate = yes\n");
	/* Flags without a section are not written. */
	assert_true(line_read(strict, "--even 8", false));
	assert_int_equal(settings.even, 8);
}

TEST(test_empty_word_is_an_argument)
{
	char *empty = strdup(""), *words[] = { empty, NULL };

	assert_true(line_read(strict, "", false));
	/* A sanitizer finds a read after the end of the word. */
	assert_true(option_read(&reader, words));
	assert_int_equal(reader.argument_count, 1);
	assert_string_equal(reader.arguments[0], "");
	free(empty);
}

TEST(test_pairs_of_a_group_are_limited)
{
	char line[1024] = "--each";

	for (int i = 0; i < OPTION_PAIRS_MAX; i++)
		snprintf(line + strlen(line), 16, " option.A%d=1", i);
	assert_true(line_read(strict, line, false));
	assert_int_equal(settings.each.options.count, OPTION_PAIRS_MAX);
	assert_null(settings.each.options.words[OPTION_PAIRS_MAX]);
	strcat(line, " option.A=1");
	assert_bad(line, "more than 32 words option.", "");
}

TEST(test_settings_are_read_from_the_named_file)
{
	char line[256];

	folder_write(test_path("t.ini"), "[cup]\ndeals = 21\n");
	snprintf(line, sizeof(line), "--config=%s", test_path("t.ini"));
	assert_given(plain, line, "deals = 21");
	snprintf(line, sizeof(line), "-config file=%s", test_path("t.ini"));
	assert_given(plain, line, "deals = 21");
}

TEST(test_text_of_any_length_is_written)
{
	static char record[20000];

	memset(record, 'x', sizeof(record) - 1);
	assert_true(line_read(plain, "", false));
	settings.game.record = record;
	expect_parts(settings_write(), record);
}

/*
 * Configuration files that are refused as a whole.
 */

static void
assert_unreadable(const char *bytes, size_t size, const char *what)
{
	FILE *file = fopen(test_path("t.ini"), "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(line_read(plain, "--config %", false), what == NULL);
	if (what != NULL)
		expect_parts(reader.error.what, what);
}

TEST(test_files_that_cannot_be_read_are_named)
{
	static const char zeroes[] = "[match]\n\0deals = 3\n";
	char *large = malloc(CONFIG_SIZE_MAX + 1), line[256];

	assert_non_null(large);
	assert_unreadable(zeroes, sizeof(zeroes) - 1, "this is no text");
	memset(large, '\n', CONFIG_SIZE_MAX + 1);
	assert_unreadable(large, CONFIG_SIZE_MAX + 1, "too large");
	assert_unreadable(large, CONFIG_SIZE_MAX, NULL);
	free(large);
	assert_bad("--config no/such.ini",
	    "config file \"no/such.ini\": No such file or directory", "");
	snprintf(line, sizeof(line), "--config %s", test_folder);
	assert_false(line_read(strict, line, false));
	expect_parts(reader.error.what, "Is a directory");
}

TEST(test_long_paths_are_shortened_at_their_beginning)
{
	char line[1024] = "--config ";

	folder_write(test_path("t.ini"), "[cup\n");
	strcat(line, test_folder);
	for (int i = 0; i < 100; i++)
		strcat(line, "/.");
	strcat(line, "/t.ini");
	assert_false(line_read(plain, line, false));
	assert_memory_equal(reader.error.what, ".../.", 5);
	expect_parts(reader.error.what, "/./t.ini:1: neither a section nor");
}

static int
end(void **state)
{
	reset(state);
	return test_folder_remove(state);
}

TEST_GROUP(test_folder_make, end)
