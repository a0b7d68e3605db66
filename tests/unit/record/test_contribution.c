/*
 * What entrants give to the secret: read, put in order, mixed.
 */
#include "shuffle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

static bool
add(struct contributions *contributions, const char *text)
{
	struct scopa_text why = SCOPA_TEXT(256);
	bool added;

	added = contributions_add(contributions, text, &why);
	assert_int_equal(added, why.length == 0);
	return added;
}

static void
expect_written(const struct contributions *contributions, const char *expected)
{
	char text[CONTRIBUTIONS_SIZE];

	contributions_write(contributions, text);
	assert_string_equal(text, expected);
}

TEST(test_order_of_giving_does_not_matter)
{
	struct contributions one = { 0 }, other = { 0 };

	assert_true(add(&one, "bob=deadbeef"));
	assert_true(add(&one, "alice=00112233"));
	assert_true(add(&one, "alice-2=7"));
	assert_true(add(&other, "alice-2=7|bob=DEADBEEF|alice=00112233"));
	/* By bytes, so that sort(1) in the C locale does the same. */
	expect_written(&one, "alice-2=7|alice=00112233|bob=deadbeef");
	expect_written(&other, "alice-2=7|alice=00112233|bob=deadbeef");
}

TEST(test_bad_contributions_are_refused_and_change_nothing)
{
	static const char *const bad[] = { "", "alice", "=00",
		"alice=", "alice=0g", "al ice=00", "alice=00|", "|alice=00",
		"dora=00|dora=01", "bob=01", "alice=00|bob=02", "al\x7f=0",
		"alice=0 ", "alice==0" };
	struct contributions contributions = { 0 };

	assert_true(add(&contributions, "bob=deadbeef"));
	for (int i = 0; i < COUNTOF(bad); i++) {
		assert_false(add(&contributions, bad[i]));
		expect_written(&contributions, "bob=deadbeef");
	}
}

TEST(test_limits_are_reached_and_not_passed)
{
	static struct contributions contributions;
	char text[CONTRIBUTION_SIZE + 8], all[CONTRIBUTIONS_SIZE];
	int length;

	length = snprintf(text, sizeof(text), "%064d=", 0);
	memset(text + length, 'f', CONTRIBUTION_HEX_MAX + 1);
	text[length + CONTRIBUTION_HEX_MAX + 1] = '\0';
	assert_false(add(&contributions, text));
	snprintf(text, sizeof(text), "%065d=0", 0);
	assert_false(add(&contributions, text));
	for (int i = 0; i < CONTRIBUTIONS_MAX; i++) {
		length = snprintf(text, sizeof(text), "%064d=", i);
		memset(text + length, 'f', CONTRIBUTION_HEX_MAX);
		text[length + CONTRIBUTION_HEX_MAX] = '\0';
		assert_true(add(&contributions, text));
	}
	assert_false(add(&contributions, "one-more=0"));
	assert_int_equal(contributions.count, CONTRIBUTIONS_MAX);
	contributions_write(&contributions, all);
	assert_int_equal(strlen(all), CONTRIBUTIONS_SIZE - 1);
}
