/*
 * Options of the command line: what each kind takes and what it says of the
 * rest, and which words belong to what.
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
	TEXT_OPTION("cmd", "CMD", offsetof(struct bot, command), "Command."),
	INT_OPTION("strikes", "N", offsetof(struct bot, strikes), 0, 9,
	    "Strikes.", .fallback = "3"),
	PAIRS_OPTION(
	    "option.", "NAME=V", offsetof(struct bot, options), "Option."),
	PAIRS_OPTION(
	    "env.", "K=V", offsetof(struct bot, variables), "Variable."),
	OPTIONS_END,
};

static const struct option options[] = {
	FLAG_OPTION("json", offsetof(struct settings, json), "JSON."),
	FLAG_OPTION("duplicate", offsetof(struct settings, duplicate), "Twice.",
	    .aliases = { "repeat" }, .fallback = "yes"),
	INT_OPTION("deals", "N", offsetof(struct settings, deals), 1, 100,
	    "Deals.", .aliases = { "games", "rounds" }, .fallback = "7",
	    .unit = "deals"),
	REAL_OPTION("time-margin", "S", offsetof(struct settings, margin), 0,
	    60, "Margin.", .fallback = "0.5", .unit = "seconds"),
	TEXT_OPTION("record", "FILE", offsetof(struct settings, record),
	    "Record.", .aliases = { "pgnout" }),
	NAME_OPTION("illegal", "POLICY", offsetof(struct settings, illegal),
	    policies, "Policy.", .fallback = "forfeit"),
	PARSED_OPTION(
	    "even", "N", offsetof(struct settings, even), even_parse, "Even."),
	GROUP_OPTION("bot", "KEY=VALUE...", bot_keys, sizeof(struct bot),
	    offsetof(struct settings, bots),
	    offsetof(struct settings, bot_count), "Bot.",
	    .aliases = { "engine" }, .group_max = BOTS_MAX),
	GROUP_OPTION("each", "KEY=VALUE...", bot_keys, sizeof(struct bot),
	    offsetof(struct settings, each),
	    offsetof(struct settings, each_count), "All."),
	OPTIONS_END,
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

/*
 * Values of each kind.
 */

/* One field of every kind. */
struct fields {
	bool flag;
	int64_t number;
	double real;
	int name;
};

static const struct option flag =
    FLAG_OPTION("x", offsetof(struct fields, flag), "");
static const struct option number = INT_OPTION(
    "x", "N", offsetof(struct fields, number), 1, 100, "", .unit = "deals");
static const struct option wide = INT_OPTION(
    "x", "N", offsetof(struct fields, number), INT64_MIN, INT64_MAX, "");
static const struct option real = REAL_OPTION(
    "x", "S", offsetof(struct fields, real), 0, 60, "", .unit = "seconds");
static const struct option name =
    NAME_OPTION("x", "NAME", offsetof(struct fields, name), policies, "");

static struct fields fields;
static char why_bytes[128];

static bool
value_read(const struct option *option, const char *value)
{
	struct scopa_text why;

	scopa_text_init(&why, why_bytes, sizeof(why_bytes));
	return option_value_read(
	    option, value, (char *)&fields + option->offset, &why);
}

TEST(test_values_are_read_to_the_ends_of_their_ranges)
{
	static const char *const yes[] = { "yes", "1", "true", "on" };
	static const char *const no[] = { "no", "0", "false", "off" };

	for (int i = 0; i < COUNTOF(yes); i++) {
		assert_true(value_read(&flag, yes[i]) && fields.flag);
		assert_true(value_read(&flag, no[i]) && !fields.flag);
	}
	assert_true(value_read(&number, "1") && fields.number == 1);
	assert_true(value_read(&number, "100") && fields.number == 100);
	assert_true(value_read(&wide, "9223372036854775807"));
	assert_true(fields.number == INT64_MAX);
	assert_true(value_read(&wide, "-9223372036854775808"));
	assert_true(fields.number == INT64_MIN);
	assert_true(value_read(&real, "60") && fields.real > 59.9);
	assert_true(value_read(&real, "1e-3"));
	assert_true(fields.real > 0.0009 && fields.real < 0.0011);
	assert_true(value_read(&real, ".5"));
	assert_true(value_read(&name, "disqualify") && fields.name == 2);
}

TEST(test_what_is_refused_is_not_written)
{
	static const struct {
		const struct option *option;
		const char *values[6];
		const char *what;
	} cases[] = {
		{ &flag, { "maybe", "" }, "a flag is yes or no" },
		{ &number, { "0", "101", "-3", "99999999999999999999" },
		    "out of range (1 to 100 deals)" },
		{ &wide, { "9223372036854775808" },
		    "out of range (-9223372036854775808 to "
		    "9223372036854775807)" },
		{ &number, { "1x", "", " 5", "0x5", "1.5" },
		    "not a whole number (1 to 100 deals)" },
		{ &real, { "60.1", "-1", "1e999" },
		    "out of range (0 to 60 seconds)" },
		{ &real, { "nan", "inf", "0x1p3", "5s", "" },
		    "not a number (0 to 60 seconds)" },
		{ &name, { "forfiet", "" },
		    "not one of forfeit, substitute, disqualify" },
	};
	struct fields before;

	memset(&fields, 0x55, sizeof(fields));
	memcpy(&before, &fields, sizeof(fields));
	for (int i = 0; i < COUNTOF(cases); i++) {
		for (int j = 0; j < 6 && cases[i].values[j] != NULL; j++) {
			assert_false(
			    value_read(cases[i].option, cases[i].values[j]));
			assert_string_equal(why_bytes, cases[i].what);
			assert_memory_equal(&fields, &before, sizeof(fields));
		}
	}
}

TEST(test_refused_values_are_named)
{
	assert_bad("--deals 0", "--deals 0: out of range (1 to 100 deals)", "");
	assert_bad("--even 7", "--even 7: odd", "");
	assert_bad("--illegal forfiet",
	    "--illegal forfiet: not one of forfeit, substitute, disqualify",
	    "did you mean \"forfeit\"?");
	assert_bad("--illegal zebra",
	    "--illegal zebra: not one of forfeit, substitute, disqualify", "");
}
