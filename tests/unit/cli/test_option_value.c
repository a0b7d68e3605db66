/*
 * Values of options: what each kind takes, and what it says of the rest.
 */
#include "option.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

/* One field of every kind. */
struct fields {
	bool flag;
	int64_t number;
	double real;
	const char *text;
	int name;
	int even;
};

static bool
even_parse(const char *value, void *field, struct scopa_text *why)
{
	int number = atoi(value);

	if (number % 2 != 0) {
		scopa_text_string(why, "that is odd");
		return false;
	}
	*(int *)field = number;
	return true;
}

static const char *const policies[] = { "forfeit", "substitute", "disqualify",
	NULL };

static const struct option flag = { .kind = OPTION_FLAG,
	.offset = offsetof(struct fields, flag) };
static const struct option number = { .kind = OPTION_INT,
	.unit = "deals",
	.min = 1,
	.max = 100,
	.offset = offsetof(struct fields, number) };
static const struct option wide = { .kind = OPTION_INT,
	.min = INT64_MIN,
	.max = INT64_MAX,
	.offset = offsetof(struct fields, number) };
static const struct option real = { .kind = OPTION_REAL,
	.unit = "seconds",
	.min = 0,
	.max = 60,
	.offset = offsetof(struct fields, real) };
static const struct option text = { .kind = OPTION_TEXT,
	.offset = offsetof(struct fields, text) };
static const struct option name = { .kind = OPTION_NAME,
	.names = policies,
	.offset = offsetof(struct fields, name) };
static const struct option even = { .kind = OPTION_PARSED,
	.parse = even_parse,
	.offset = offsetof(struct fields, even) };

static struct fields fields;
static struct option_error error;

static bool
value_read(const struct option *option, const char *value)
{
	const struct option_target target = { option, &fields, "--x" };

	memset(&error, 0, sizeof(error));
	return option_value_read(&target, value, &error);
}

static void
assert_good(const struct option *option, const char *value)
{
	memset(&fields, 0, sizeof(fields));
	if (!value_read(option, value))
		fail_msg("%s", error.what);
}

/* Refused with this reason, and no field is touched. */
static void
assert_bad(const struct option *option, const char *value, const char *what)
{
	struct fields before;

	memset(&fields, 0x55, sizeof(fields));
	memcpy(&before, &fields, sizeof(fields));
	assert_false(value_read(option, value));
	assert_string_equal(error.what, what);
	assert_memory_equal(&fields, &before, sizeof(fields));
}

TEST(test_flags_are_yes_or_no)
{
	static const char *const yes[] = { "yes", "1", "true", "on" };
	static const char *const no[] = { "no", "0", "false", "off" };

	for (int i = 0; i < 4; i++) {
		assert_good(&flag, yes[i]);
		assert_true(fields.flag);
		fields.flag = true;
		assert_true(value_read(&flag, no[i]));
		assert_false(fields.flag);
	}
	assert_bad(&flag, "maybe", "--x maybe: a flag is yes or no");
	assert_bad(&flag, "", "--x : a flag is yes or no");
}

TEST(test_whole_numbers_keep_their_range)
{
	assert_good(&number, "1");
	assert_int_equal(fields.number, 1);
	assert_good(&number, "100");
	assert_int_equal(fields.number, 100);
	assert_bad(&number, "0", "--x 0: out of range (1 to 100 deals)");
	assert_bad(&number, "101", "--x 101: out of range (1 to 100 deals)");
	assert_bad(&number, "-3", "--x -3: out of range (1 to 100 deals)");
	assert_bad(&number, "99999999999999999999",
	    "--x 99999999999999999999: out of range (1 to 100 deals)");
}

TEST(test_greatest_whole_numbers_are_read)
{
	assert_good(&wide, "9223372036854775807");
	assert_true(fields.number == INT64_MAX);
	assert_good(&wide, "-9223372036854775808");
	assert_true(fields.number == INT64_MIN);
	assert_bad(&wide, "9223372036854775808",
	    "--x 9223372036854775808: out of range "
	    "(-9223372036854775808 to 9223372036854775807)");
}

TEST(test_what_is_no_whole_number_is_refused)
{
	assert_bad(
	    &number, "1x", "--x 1x: not a whole number (1 to 100 deals)");
	assert_bad(&number, "", "--x : not a whole number (1 to 100 deals)");
	assert_bad(
	    &number, " 5", "--x  5: not a whole number (1 to 100 deals)");
	assert_bad(
	    &number, "0x5", "--x 0x5: not a whole number (1 to 100 deals)");
	assert_bad(
	    &number, "1.5", "--x 1.5: not a whole number (1 to 100 deals)");
}

TEST(test_numbers_with_a_point_keep_their_range)
{
	assert_good(&real, "60");
	assert_true(fields.real > 59.9);
	assert_good(&real, "1e-3");
	assert_true(fields.real > 0.0009 && fields.real < 0.0011);
	assert_good(&real, ".5");
	assert_bad(&real, "60.1", "--x 60.1: out of range (0 to 60 seconds)");
	assert_bad(&real, "-1", "--x -1: out of range (0 to 60 seconds)");
	assert_bad(&real, "1e999", "--x 1e999: out of range (0 to 60 seconds)");
	assert_bad(&real, "nan", "--x nan: not a number (0 to 60 seconds)");
	assert_bad(&real, "inf", "--x inf: not a number (0 to 60 seconds)");
	assert_bad(&real, "0x1p3", "--x 0x1p3: not a number (0 to 60 seconds)");
	assert_bad(&real, "5s", "--x 5s: not a number (0 to 60 seconds)");
	assert_bad(&real, "", "--x : not a number (0 to 60 seconds)");
}

TEST(test_text_is_kept_unless_empty)
{
	static const char value[] = "out.scopa";

	assert_good(&text, value);
	assert_ptr_equal(fields.text, value);
	assert_bad(&text, "", "--x: the value is empty");
}

TEST(test_names_are_one_of_a_list)
{
	assert_good(&name, "forfeit");
	assert_int_equal(fields.name, 0);
	assert_good(&name, "disqualify");
	assert_int_equal(fields.name, 2);
	assert_bad(&name, "forfiet",
	    "--x forfiet: not one of forfeit, substitute, disqualify");
	assert_string_equal(error.hint, "did you mean \"forfeit\"?");
	assert_bad(&name, "zebra",
	    "--x zebra: not one of forfeit, substitute, disqualify");
	assert_string_equal(error.hint, "");
}

TEST(test_parse_function_gives_the_reason)
{
	assert_good(&even, "8");
	assert_int_equal(fields.even, 8);
	assert_bad(&even, "7", "--x 7: that is odd");
}
