/*
 * Reading options from the command line.
 */
#include "option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

enum { BOTS_MAX = 2, WORDS_MAX = 40 };

struct bot {
	const char *command;
	int64_t strikes;
	struct option_pairs options;
	struct option_pairs variables;
};

struct settings {
	bool json;
	bool duplicate;
	int64_t deals;
	double margin;
	const char *record;
	int illegal;
	int even; /* of a parse function: only even numbers */
	struct bot bots[BOTS_MAX];
	int bot_count;
	struct bot each;
	int each_count;
};

static bool
even_parse(const char *value, void *field, struct scopa_text *why)
{
	int number = atoi(value);

	if (number % 2 != 0) {
		scopa_text_string(why, "odd");
		return false;
	}
	*(int *)field = number;
	return true;
}

static const char *const policies[] = { "forfeit", "substitute", "disqualify",
	NULL };

static const struct option bot_keys[] = {
	{ .name = "cmd",
	    .kind = OPTION_TEXT,
	    .value = "CMD",
	    .sentence = "Command.",
	    .offset = offsetof(struct bot, command) },
	{ .name = "strikes",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Strikes.",
	    .fallback = "3",
	    .min = 0,
	    .max = 9,
	    .offset = offsetof(struct bot, strikes) },
	{ .name = "option.",
	    .kind = OPTION_PAIRS,
	    .value = "NAME=V",
	    .sentence = "Option.",
	    .offset = offsetof(struct bot, options) },
	{ .name = "env.",
	    .kind = OPTION_PAIRS,
	    .value = "K=V",
	    .sentence = "Variable.",
	    .offset = offsetof(struct bot, variables) },
};

#define GROUP_OF_BOTS                                                    \
	.kind = OPTION_GROUP, .value = "KEY=VALUE...", .keys = bot_keys, \
	.key_count = 4, .group_size = sizeof(struct bot)

static const struct option options[] = {
	{ .name = "json",
	    .kind = OPTION_FLAG,
	    .sentence = "JSON.",
	    .offset = offsetof(struct settings, json) },
	{ .name = "duplicate",
	    .aliases = { "repeat" },
	    .kind = OPTION_FLAG,
	    .sentence = "Twice.",
	    .fallback = "yes",
	    .offset = offsetof(struct settings, duplicate) },
	{ .name = "deals",
	    .aliases = { "games", "rounds" },
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Deals.",
	    .fallback = "7",
	    .unit = "deals",
	    .min = 1,
	    .max = 100,
	    .offset = offsetof(struct settings, deals) },
	{ .name = "time-margin",
	    .kind = OPTION_REAL,
	    .value = "S",
	    .sentence = "Margin.",
	    .fallback = "0.5",
	    .unit = "seconds",
	    .min = 0,
	    .max = 60,
	    .offset = offsetof(struct settings, margin) },
	{ .name = "record",
	    .aliases = { "pgnout" },
	    .kind = OPTION_TEXT,
	    .value = "FILE",
	    .sentence = "Record.",
	    .offset = offsetof(struct settings, record) },
	{ .name = "illegal",
	    .kind = OPTION_NAME,
	    .value = "POLICY",
	    .sentence = "Policy.",
	    .fallback = "forfeit",
	    .names = policies,
	    .offset = offsetof(struct settings, illegal) },
	{ .name = "even",
	    .kind = OPTION_PARSED,
	    .value = "N",
	    .sentence = "Even.",
	    .parse = even_parse,
	    .offset = offsetof(struct settings, even) },
	{ .name = "bot",
	    .aliases = { "engine" },
	    .sentence = "Bot.",
	    GROUP_OF_BOTS,
	    .group_max = BOTS_MAX,
	    .offset = offsetof(struct settings, bots),
	    .count_offset = offsetof(struct settings, bot_count) },
	{ .name = "each",
	    .sentence = "All.",
	    GROUP_OF_BOTS,
	    .group_max = 1,
	    .offset = offsetof(struct settings, each),
	    .count_offset = offsetof(struct settings, each_count) },
};

/* What the last line gave. */
static struct settings settings;
static struct option_reader reader;
static char line_bytes[1024];
static char *line_words[WORDS_MAX];

/* Reads a line; words have one blank between them, `_` stands for a blank. */
static bool
line_read(const char *line, bool rest)
{
	int count = 0;
	char *left = line_bytes;

	memset(&settings, 0, sizeof(settings));
	memset(&reader, 0, sizeof(reader));
	reader.options = options;
	reader.option_count = sizeof(options) / sizeof(options[0]);
	reader.rest = rest;
	reader.settings = &settings;
	strcpy(line_bytes, line);
	while (left != NULL && *left != '\0') {
		char *word = strsep(&left, " ");

		for (char *byte = word; *byte != '\0'; byte++)
			*byte = *byte == '_' ? ' ' : *byte;
		assert_true(count < WORDS_MAX);
		line_words[count++] = word;
	}
	option_defaults(&reader);
	return option_read(&reader, count, line_words);
}

static void
assert_good(const char *line)
{
	if (!line_read(line, false))
		fail_msg("%s: %s", line, reader.error.what);
}

static void
assert_bad(const char *line, const char *what, const char *hint)
{
	assert_false(line_read(line, false));
	assert_string_equal(reader.error.what, what);
	assert_string_equal(reader.error.hint, hint);
}

TEST(test_defaults_come_from_the_rows)
{
	assert_good("");
	assert_false(settings.json);
	assert_true(settings.duplicate);
	assert_int_equal(settings.deals, 7);
	assert_true(settings.margin > 0.49 && settings.margin < 0.51);
	assert_null(settings.record);
	assert_int_equal(settings.illegal, 0);
	assert_int_equal(settings.bot_count, 0);
	assert_int_equal(reader.argument_count, 0);
}

TEST(test_every_way_to_write_an_option_is_the_same)
{
	static const char *const lines[] = { "--deals 12", "-deals 12",
		"--deals=12", "-deals=12", "--games 12", "-rounds=12" };

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_good(lines[i]);
		assert_int_equal(settings.deals, 12);
	}
}

TEST(test_kinds_read_their_values)
{
	assert_good("--time-margin 2.25 --record out.scopa --illegal "
		    "disqualify --even 8 --json");
	assert_true(settings.margin > 2.24 && settings.margin < 2.26);
	assert_string_equal(settings.record, "out.scopa");
	assert_int_equal(settings.illegal, 2);
	assert_int_equal(settings.even, 8);
	assert_true(settings.json);
}

TEST(test_flags_are_taken_back)
{
	assert_good("--no-duplicate");
	assert_false(settings.duplicate);
	assert_good("-repeat=no");
	assert_false(settings.duplicate);
	assert_good("--duplicate=no --duplicate");
	assert_true(settings.duplicate);
	assert_good("--json=yes");
	assert_true(settings.json);
	assert_bad("--json=maybe", "--json maybe: a flag is yes or no", "");
	assert_bad("--no-json=yes", "--no-json=yes takes no value", "");
}

TEST(test_flag_does_not_take_the_next_word)
{
	assert_good("--json no");
	assert_true(settings.json);
	assert_int_equal(reader.argument_count, 1);
	assert_string_equal(reader.arguments[0], "no");
}

TEST(test_last_value_counts)
{
	assert_good("--deals 5 --record a --deals 6 --record b");
	assert_int_equal(settings.deals, 6);
	assert_string_equal(settings.record, "b");
}

TEST(test_arguments_are_what_is_no_option)
{
	assert_good("@greedy --deals 5 ./bot_--fast - --json @first");
	assert_int_equal(reader.argument_count, 4);
	assert_string_equal(reader.arguments[0], "@greedy");
	assert_string_equal(reader.arguments[1], "./bot --fast");
	assert_string_equal(reader.arguments[2], "-");
	assert_string_equal(reader.arguments[3], "@first");
	assert_true(settings.json);
}

TEST(test_two_dashes_end_the_options)
{
	assert_good("--deals 5 -- --json -- x");
	assert_false(settings.json);
	assert_int_equal(reader.argument_count, 3);
	assert_string_equal(reader.arguments[0], "--json");
	assert_string_equal(reader.arguments[1], "--");
}

TEST(test_rest_after_the_first_argument_is_not_ours)
{
	assert_true(line_read("--deals 5 name --json --bogus", true));
	assert_int_equal(settings.deals, 5);
	assert_false(settings.json);
	assert_int_equal(reader.argument_count, 3);
	assert_string_equal(reader.arguments[2], "--bogus");
}

TEST(test_help_stops_reading)
{
	assert_good("--help --bogus");
	assert_true(reader.help);
	assert_good("-h");
	assert_true(reader.help);
	assert_good("-help");
	assert_true(reader.help);
	assert_good("--deals 5");
	assert_false(reader.help);
}

TEST(test_unknown_option_is_named_with_the_nearest)
{
	assert_bad("--deasl 5", "unknown option \"--deasl\"",
	    "did you mean \"--deals\"?");
	assert_bad("-recrod=x", "unknown option \"-recrod\"",
	    "did you mean \"--record\"?");
	assert_bad("--pgnuot x", "unknown option \"--pgnuot\"",
	    "did you mean \"--pgnout\"?");
	assert_bad(
	    "--hepl", "unknown option \"--hepl\"", "did you mean \"--help\"?");
	assert_bad("--zebra", "unknown option \"--zebra\"", "");
	assert_bad("--no-record", "unknown option \"--no-record\"",
	    "did you mean \"--record\"?");
	assert_bad("--no-", "unknown option \"--no-\"", "");
	assert_bad("---deals 5", "unknown option \"---deals\"",
	    "did you mean \"--deals\"?");
}

TEST(test_missing_value_is_missed)
{
	assert_bad("--deals", "--deals needs a value: --deals N", "");
	assert_bad(
	    "--record --json", "--record needs a value: --record FILE", "");
	assert_bad(
	    "--record -pgnout=x", "--record needs a value: --record FILE", "");
	assert_bad("--record=", "--record: the value is empty", "");
	assert_good("--record --strange-name");
	assert_string_equal(settings.record, "--strange-name");
}

TEST(test_groups_fill_one_element_each)
{
	assert_good("--bot cmd=./a_-x strikes=1 --json -engine cmd=@b "
		    "option.Depth=3 option.Style=a=b env.PATH=/bin name");
	assert_int_equal(settings.bot_count, 2);
	assert_string_equal(settings.bots[0].command, "./a -x");
	assert_int_equal(settings.bots[0].strikes, 1);
	assert_int_equal(settings.bots[0].options.count, 0);
	assert_string_equal(settings.bots[1].command, "@b");
	assert_int_equal(settings.bots[1].strikes, 3);
	assert_int_equal(settings.bots[1].options.count, 2);
	assert_string_equal(settings.bots[1].options.words[0], "Depth=3");
	assert_string_equal(settings.bots[1].options.words[1], "Style=a=b");
	assert_string_equal(settings.bots[1].variables.words[0], "PATH=/bin");
	assert_int_equal(reader.argument_count, 1);
	assert_string_equal(reader.arguments[0], "name");
	assert_true(settings.json);
}

TEST(test_group_may_begin_behind_an_equals_sign)
{
	assert_good("--bot=cmd=@a strikes=2");
	assert_string_equal(settings.bots[0].command, "@a");
	assert_int_equal(settings.bots[0].strikes, 2);
	assert_bad("--bot=@a", "--bot=@a: not of the form KEY=VALUE...", "");
}

TEST(test_single_group_is_added_to)
{
	assert_good("--each strikes=5 --each option.A=1");
	assert_int_equal(settings.each_count, 1);
	assert_int_equal(settings.each.strikes, 5);
	assert_int_equal(settings.each.options.count, 1);
}

TEST(test_bad_groups_are_refused)
{
	assert_bad("--bot", "--bot needs words KEY=VALUE...", "");
	assert_bad("--bot @a", "--bot needs words KEY=VALUE...", "");
	assert_bad("--bot cmd=a --bot cmd=b --engine cmd=c",
	    "--bot is given more than 2 times", "");
	assert_bad("--bot cmd=a sterikes=1", "--bot sterikes: unknown key",
	    "did you mean \"strikes=\"?");
	assert_bad("--bot cmd=", "--bot cmd: the value is empty", "");
	assert_bad("--each strikes=x",
	    "--each strikes x: not a whole number (0 to 9)", "");
	assert_bad("--bot cmd=a optoin.X=1", "--bot optoin.X: unknown key",
	    "did you mean \"option.NAME=\"?");
	assert_bad("--bot option.=1", "option.=1: a name is missing", "");
}

TEST(test_pairs_of_a_group_are_limited)
{
	char line[1024] = "--each";

	for (int i = 0; i < OPTION_PAIRS_MAX; i++)
		snprintf(line + strlen(line), 16, " option.A%d=1", i);
	assert_good(line);
	assert_int_equal(settings.each.options.count, OPTION_PAIRS_MAX);
	assert_null(settings.each.options.words[OPTION_PAIRS_MAX]);
	strcat(line, " option.A=1");
	assert_bad(line, "more than 32 words option.", "");
}

TEST(test_environment_gives_no_value)
{
	setenv("SCOPA_ARENA_DEALS", "33", 1);
	assert_good("");
	assert_int_not_equal(settings.deals, 33);
	unsetenv("SCOPA_ARENA_DEALS");
}

TEST(test_options_are_found_by_name_and_alias)
{
	const int count = sizeof(options) / sizeof(options[0]);

	assert_ptr_equal(option_find(options, count, "deals"), &options[2]);
	assert_ptr_equal(option_find(options, count, "rounds"), &options[2]);
	assert_null(option_find(options, count, "deal"));
	assert_null(option_find(options, count, ""));
}
