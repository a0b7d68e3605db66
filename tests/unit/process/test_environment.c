/*
 * A bot is given its own entries and a few of ours, and nothing else.
 */
#include "launcher.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file_policy.h"
#include "test.h"

static int
clear(void **state)
{
	static const char *const names[] = { "PATH", "LANG", "HOME", "TMPDIR",
		"SECRET", "SCOPA_BOT_HOME", "SCOPA_BOT_LEVEL" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
	return 0;
}

static void
expect_entry(const struct environment *environment, const char *name,
    const char *expected)
{
	const char *value = environment_value(environment->entries, name);

	if (expected == NULL)
		assert_null(value);
	else
		assert_string_equal(value, expected);
}

TEST_WITH(test_nothing_is_needed, clear, NULL)
{
	struct environment environment;

	environment_init(&environment, false);
	assert_int_equal(environment.count, 4);
	assert_null(environment.entries[4]);
	expect_entry(&environment, "PATH=", "/usr/local/bin:/usr/bin:/bin");
	expect_entry(&environment, "HOME=", "/");
	expect_entry(&environment, "TMPDIR=", NULL);
}

TEST_WITH(test_three_entries_are_the_users, clear, NULL)
{
	struct environment environment;

	setenv("PATH", "/path", 1);
	setenv("LANG", "it_IT", 1);
	setenv("HOME", "/home", 1);
	setenv("TMPDIR", "/secret", 1);
	setenv("SECRET", "secret", 1);
	environment_init(&environment, false);
	assert_int_equal(environment.count, 4);
	expect_entry(&environment, "PATH=", "/path");
	expect_entry(&environment, "LANG=", "it_IT");
	expect_entry(&environment, "HOME=", "/home");
	expect_entry(&environment, "PYTHONUNBUFFERED=", "1");
}

TEST_WITH(test_own_entries_come_before_all, clear, NULL)
{
	struct environment environment;

	setenv("HOME", "/home", 1);
	setenv("SCOPA_BOT_HOME", "/own", 1);
	setenv("SCOPA_BOT_LEVEL", "7", 1);
	for (int scratch = 0; scratch < 2; scratch++) {
		environment_init(&environment, scratch);
		expect_entry(&environment, "HOME=", "/own");
		expect_entry(&environment, "LEVEL=", "7");
		assert_int_equal(environment.count, 5 + (size_t)scratch);
	}
}

TEST_WITH(test_scratch_folder_is_home, clear, NULL)
{
	struct environment environment;

	setenv("HOME", "/home", 1);
	environment_init(&environment, true);
	expect_entry(&environment, "HOME=", FILE_POLICY_PLACE);
	expect_entry(&environment, "TMPDIR=", FILE_POLICY_PLACE);
}

TEST_WITH(test_no_more_entries_than_fit, clear, NULL)
{
	struct environment environment;
	char name[64];

	for (int i = 0; i < LAUNCHER_ENVIRONMENT_MAX + 10; i++) {
		snprintf(name, sizeof(name), "SCOPA_BOT_NAME_%d", i);
		setenv(name, "", 1);
	}
	environment_init(&environment, true);
	assert_int_equal(
	    environment.count, LAUNCHER_ENVIRONMENT_MAX + ENVIRONMENT_OURS);
	assert_null(environment.entries[environment.count]);
}
