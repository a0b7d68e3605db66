/*
 * Words of a line, numbers and comments.
 */
#include "token.h"

#include <string.h>

#include "test.h"

static struct token
of(const char *text)
{
	return (struct token){ text, strlen(text) };
}

static void
assert_token(struct token token, const char *text)
{
	if (!token_is(token, text))
		fail_msg("\"%.*s\" instead of \"%s\"", (int)token.length,
		    token.bytes, text);
}

TEST(test_words_are_cut_at_any_run_of_blanks)
{
	struct token line = of("  play \t 1  6Cx6D");

	assert_token(token_next(&line), "play");
	assert_token(token_next(&line), "1");
	assert_token(token_next(&line), "6Cx6D");
	assert_int_equal(token_next(&line).length, 0);
	assert_int_equal(token_next(&line).length, 0);
}

TEST(test_comment_begins_at_the_start_of_a_token_only)
{
	assert_token(token_trim(of(" go turn=a#b # now\r")), "go turn=a#b");
	assert_token(token_trim(of("a#b#c\t#")), "a#b#c");
	assert_token(token_trim(of("# all")), "");
	assert_token(token_trim(of("")), "");
	assert_token(token_trim(of("\r")), "");
	assert_token(token_trim(of("  isready  \r")), "isready");
}

TEST(test_last_of_two_equal_keys_counts)
{
	struct token line = of("m1 you=1 yourself=9 you=2 rules");

	assert_token(token_find(line, "you"), "2");
	assert_int_equal(token_find(line, "your").length, 0);
	assert_int_equal(token_find(line, "rules").length, 0);
	assert_int_equal(token_find(of(""), "you").length, 0);
}

TEST(test_numbers_are_read_whole_and_within_bounds)
{
	int64_t number = 77;

	assert_false(token_int(of(""), 0, 9, &number));
	assert_false(token_int(of("-"), -9, 9, &number));
	assert_false(token_int(of("5x"), 0, 9, &number));
	assert_false(token_int(of("10"), 0, 9, &number));
	assert_false(token_int(of("-1"), 0, 9, &number));
	assert_false(token_int(
	    of("9223372036854775808"), INT64_MIN, INT64_MAX, &number));
	assert_int_equal(number, 77);
	assert_true(token_int(of("-7"), -9, 9, &number));
	assert_int_equal(number, -7);
	assert_true(token_int(
	    of("9223372036854775807"), INT64_MIN, INT64_MAX, &number));
	assert_true(number == INT64_MAX);
}
