/*
 * What help says of an option, and how it fits its lines.
 */
#include "command.h"

#include <string.h>

#include "output.h"
#include "test.h"

static const char *const policies[] = { "forfeit", "substitute", "disqualify",
	NULL };

static void
assert_described(
    const struct option *option, bool key, const char *name, const char *detail)
{
	char bytes[256];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	describe_option(option, key, &text);
	assert_string_equal(bytes, name);
	scopa_text_init(&text, bytes, sizeof(bytes));
	describe_option_detail(option, key, &text);
	assert_string_equal(bytes, detail);
}

TEST(test_options_are_written_as_they_are_typed)
{
	const struct option flag = { .name = "json", .kind = OPTION_FLAG };
	const struct option number = { .name = "deals",
		.kind = OPTION_INT,
		.value = "N",
		.unit = "deals",
		.min = 1,
		.max = 64,
		.fallback = "2",
		.aliases = { "games", "rounds" } };
	const struct option name = { .name = "illegal",
		.kind = OPTION_NAME,
		.value = "POLICY",
		.names = policies,
		.fallback = "forfeit" };
	const struct option pairs = {
		.name = "option.", .value = "NAME=V", .kind = OPTION_PAIRS
	};
	const struct option group = { .name = "bot",
		.value = "cmd=CMD ...",
		.kind = OPTION_GROUP,
		.group_max = 6 };
	const struct option on = {
		.name = "duplicate", .kind = OPTION_FLAG, .fallback = "yes"
	};

	assert_described(&flag, false, "--json", "");
	assert_described(&flag, true, "json=yes|no", "");
	assert_described(&number, false, "--deals N",
	    "1 to 64 deals; default 2; also -games; also -rounds");
	assert_described(&number, true, "deals=N",
	    "1 to 64 deals; default 2; also games; also rounds");
	assert_described(&name, false, "--illegal POLICY",
	    "forfeit, substitute or disqualify; default forfeit");
	assert_described(&pairs, true, "option.NAME=V", "");
	assert_described(&group, false, "--bot cmd=CMD ...", "up to 6 times");
	assert_described(&on, false, "--duplicate",
	    "default yes, --no-duplicate takes it back");
}

static void
assert_words(const char *words, int indent, int column, const char *expected)
{
	describe_words(output_open(), words, indent, column);
	assert_string_equal(output_close(), expected);
}

TEST(test_words_are_wrapped_at_their_column)
{
	char long_word[101];
	char expected[120];

	assert_words("one two", 0, 0, "one two\n");
	assert_words("one two", 2, 4, "  one two\n");
	assert_words("  one   two ", 0, 2, "  one two\n");
	assert_words("", 0, 4, "\n");
	/* 26 + 53 characters fill a line of 79; one more begins the next. */
	assert_words("aaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbb c",
	    26, 26,
	    "aaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbb\n"
	    "                          c\n");
	memset(long_word, 'x', 100);
	long_word[100] = '\0';
	snprintf(expected, sizeof(expected), "    %s\n", long_word);
	assert_words(long_word, 0, 4, expected);
}
