/*
 * The options of a bot: their lines, and the values that are taken.
 */
#include "builtin.h"

#include <string.h>

#include "test.h"

static const struct builtin_option options[] = {
	{ .name = "depth", .fallback = 4, .min = -1, .max = 9 },
	{ .name = "calm", .type = BUILTIN_BOOL },
	{ .name = "style",
	    .type = BUILTIN_ENUM,
	    .fallback = 2,
	    .words = "calm|wild|wilder" },
};

static const struct builtin bot = {
	.name = "bot",
	.options = options,
	.option_count = 3,
};

static int64_t values[3];

static enum builtin_option_result
take(const char *word)
{
	struct token name;

	return builtin_option_set(
	    values, &bot, (struct token){ word, strlen(word) }, &name);
}

TEST(test_options_are_stated_with_their_types)
{
	char bytes[512];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	builtin_options_format(&bot, &text);
	assert_string_equal(bytes,
	    "option name=depth type=int default=4 min=-1 max=9\n"
	    "option name=calm type=bool default=false\n"
	    "option name=style type=enum default=wilder "
	    "values=calm|wild|wilder\n");
}

TEST(test_values_are_taken_by_their_types)
{
	static const struct {
		const char *word;
		int index;
		int64_t value;
	} cases[] = {
		{ "depth=-1", 0, -1 },
		{ "depth=9", 0, 9 },
		{ "calm=true", 1, 1 },
		{ "calm=false", 1, 0 },
		{ "style=calm", 2, 0 },
		{ "style=wild", 2, 1 },
		{ "style=wilder", 2, 2 },
	};

	builtin_options_init(values, &bot);
	assert_int_equal(values[0], 4);
	assert_int_equal(values[1], 0);
	assert_int_equal(values[2], 2);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(take(cases[i].word), BUILTIN_OPTION_SET);
		assert_int_equal(values[cases[i].index], cases[i].value);
	}
}

TEST(test_what_is_no_value_changes_nothing)
{
	static const char *const words[] = { "depth=10", "depth=", "depth",
		"depth=4x", "calm=1", "calm=", "calm", "style=", "style",
		"style=wil", "style=wildest", "style=calm|wild", "style=0" };

	builtin_options_init(values, &bot);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_int_equal(take(words[i]), BUILTIN_OPTION_REFUSED);
	assert_int_equal(take("Depth=4"), BUILTIN_OPTION_UNKNOWN);
	assert_int_equal(take("dept=4"), BUILTIN_OPTION_UNKNOWN);
	assert_int_equal(take(""), BUILTIN_OPTION_UNKNOWN);
	assert_int_equal(values[0], 4);
	assert_int_equal(values[1], 0);
	assert_int_equal(values[2], 2);
}
