/*
 * The role `launch` as it is called by hand, from a shell.
 */
#include "launcher.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "child.h"

static char self[4096];

/* What a shell prints for a command, in which $A is this program. */
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

static void
test_program_takes_its_place(void **state)
{
	(void)state;
	expect_output("\"$A\" launch /bin/sh -c 'echo \"$0 $1\"; exit 7' a b",
	    7, "a b\n");
	expect_output("\"$A\" launch --as=me /bin/sh -c 'echo $0'", 0, "me\n");
	expect_output(
	    "\"$A\" launch --dir=/usr -- /bin/sh -c pwd", 0, "/usr\n");
}

static void
test_environment_is_clean(void **state)
{
	(void)state;
	expect_output("env -i X=1 \"$A\" launch /usr/bin/env | sort", 0,
	    "HOME=/\nLANG=C.UTF-8\nPATH=/usr/local/bin:/usr/bin:/bin\n"
	    "PYTHONUNBUFFERED=1\n");
	expect_output("env -i PATH=/bin LANG=C HOME=/root SCOPA_BOT_KEY=v "
		      "SCOPA_BOT_PYTHONUNBUFFERED= "
		      "\"$A\" launch /usr/bin/env | sort",
	    0, "HOME=/root\nKEY=v\nLANG=C\nPATH=/bin\nPYTHONUNBUFFERED=\n");
}

static void
test_failures_are_told_on_stderr(void **state)
{
	(void)state;
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

static void
test_orphan_does_not_start(void **state)
{
	(void)state;
	expect_output("\"$A\" launch --parent=1 /bin/echo started 2>&1",
	    LAUNCHER_EXIT_FAILED, "");
}

static void
test_open_descriptors_are_not_handed_on(void **state)
{
	(void)state;
	expect_output("\"$A\" launch /bin/sh -c 'echo >&9' 9>&1 2>/dev/null || "
		      "echo closed",
	    0, "closed\n");
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_program_takes_its_place),
		cmocka_unit_test(test_environment_is_clean),
		cmocka_unit_test(test_failures_are_told_on_stderr),
		cmocka_unit_test(test_orphan_does_not_start),
		cmocka_unit_test(test_open_descriptors_are_not_handed_on),
	};
	ssize_t length;

	if (child_is(argc, argv))
		return child_run(argc, argv);
	length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (length < 0)
		return 1;
	return cmocka_run_group_tests_name("launcher", tests, NULL, NULL);
}
