/*
 * The role `launch`, started by hand from a shell; the environment of a bot.
 */
#include "launcher.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file_policy.h"
#include "test.h"

static char self[4096];

/*
 * Expects this output of a command of the shell, in which $A is this program.
 */
static void
expect_output(const char *command, int status, const char *expected)
{
	char text[4096];
	size_t length;
	FILE *pipe;
	int found;

	setenv("A", self, 1);
	pipe = popen(command, "re");
	assert_non_null(pipe);
	length = fread(text, 1, sizeof(text) - 1, pipe);
	text[length] = '\0';
	found = pclose(pipe);
	assert_string_equal(text, expected);
	assert_true(WIFEXITED(found));
	assert_int_equal(WEXITSTATUS(found), status);
}

TEST(test_launcher_becomes_the_program)
{
	expect_output("\"$A\" launch /bin/sh -c 'echo \"$0 $1\"; exit 7' a b",
	    7, "a b\n");
	expect_output("\"$A\" launch --as=me /bin/sh -c 'echo $0'", 0, "me\n");
	expect_output(
	    "\"$A\" launch --dir=/usr -- /bin/sh -c pwd", 0, "/usr\n");
}

TEST(test_environment_is_clean)
{
	expect_output("env -i X=1 \"$A\" launch /usr/bin/env | sort", 0,
	    "HOME=/\nLANG=C.UTF-8\nPATH=/usr/local/bin:/usr/bin:/bin\n"
	    "PYTHONUNBUFFERED=1\n");
	expect_output("env -i PATH=/bin LANG=C HOME=/root TMPDIR=/tmp SECRET=x "
		      "\"$A\" launch /usr/bin/env | sort",
	    0, "HOME=/root\nLANG=C\nPATH=/bin\nPYTHONUNBUFFERED=1\n");
	/* Entries for the bot override all others. */
	expect_output("env -i PATH=/bin LANG=C HOME=/root SCOPA_BOT_KEY=v "
		      "SCOPA_BOT_PYTHONUNBUFFERED= SCOPA_BOT_HOME=/own "
		      "\"$A\" launch /usr/bin/env | sort",
	    0, "HOME=/own\nKEY=v\nLANG=C\nPATH=/bin\nPYTHONUNBUFFERED=\n");
}

TEST(test_failures_are_reported_on_stderr)
{
	expect_output("\"$A\" launch /no/such/bot 2>&1", LAUNCHER_EXIT_FAILED,
	    "error: /no/such/bot does not exist\n");
	expect_output("\"$A\" launch --dir=/no/dir /bin/true 2>&1",
	    LAUNCHER_EXIT_FAILED,
	    "error: /no/dir: No such file or directory\n");
	expect_output("\"$A\" launch --frob /bin/true 2>&1",
	    LAUNCHER_EXIT_FAILED, "error: --frob: Invalid argument\n");
	expect_output("\"$A\" launch --parent=x /bin/true 2>&1",
	    LAUNCHER_EXIT_FAILED, "error: --parent=x: Invalid argument\n");
	expect_output("\"$A\" launch 2>&1", LAUNCHER_EXIT_FAILED,
	    "error: usage: scopa-arena launch [--dir=DIR] [--as=NAME] "
	    "[--parent=PID] [--report=FD] FILE [ARGUMENT..]\n");
}

TEST(test_launcher_whose_parent_has_died_starts_nothing)
{
	expect_output("\"$A\" launch --parent=1 /bin/echo started 2>&1",
	    LAUNCHER_EXIT_FAILED, "");
}

static void
expect_entry(const struct environment *environment, const char *name,
    const char *expected)
{
	const char *value = environment_value(environment->entries, name);

	assert_non_null(value);
	assert_string_equal(value, expected);
}

TEST(test_scratch_folder_is_home_unless_the_user_sets_another)
{
	struct environment environment;

	setenv("HOME", "/home", 1);
	setenv("TMPDIR", "/of/the/user", 1);
	environment_init(&environment, true);
	expect_entry(&environment, "HOME=", FILE_POLICY_PLACE);
	expect_entry(&environment, "TMPDIR=", FILE_POLICY_PLACE);
	setenv("SCOPA_BOT_HOME", "/own", 1);
	environment_init(&environment, true);
	expect_entry(&environment, "HOME=", "/own");
	expect_entry(&environment, "TMPDIR=", FILE_POLICY_PLACE);
	unsetenv("SCOPA_BOT_HOME");
}

static int
file_setup(void **state)
{
	(void)state;
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return -1;
	return 0;
}

TEST_GROUP(file_setup, NULL)
