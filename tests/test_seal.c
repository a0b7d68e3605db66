/*
 * The seal on a bot's file: what breaks it, and what does not.
 */
#include "seal.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "folder.h"

static char folder[FOLDER_SIZE];

static int
folder_open(void **state)
{
	(void)state;
	folder_make(folder);
	return chdir(folder);
}

static int
folder_close(void **state)
{
	(void)state;
	if (chdir("/") < 0)
		return -1;
	folder_remove(folder);
	return 0;
}

static void
put(const char *path, const char *text)
{
	folder_write(path, text);
	assert_int_equal(chmod(path, 0755), 0);
}

/* Seals the file of a command. */
static void
seal_command(struct seal *seal, const char *command, const char *dir)
{
	struct program program;

	memset(seal, 0, sizeof(*seal));
	assert_int_equal(program_parse(&program, command), PROGRAM_GOOD);
	assert_int_equal(program_resolve(&program, dir), PROGRAM_GOOD);
	seal_make(seal, &program, dir);
}

static void
test_nothing_sealed_is_nothing_broken(void **state)
{
	struct seal seal = { .path = "" };

	(void)state;
	assert_int_equal(seal_check(&seal), 0);
}

static void
test_touching_a_file_does_not_change_it(void **state)
{
	const struct timespec old[2] = { { 1, 0 }, { 1, 0 } };
	struct seal seal;

	(void)state;
	put("bot", "#!/bin/sh\n");
	seal_command(&seal, "./bot", NULL);
	assert_int_equal(seal_check(&seal), 0);
	assert_int_equal(utimensat(AT_FDCWD, "bot", old, 0), 0);
	assert_int_equal(seal_check(&seal), 0);
	put("twin", "#!/bin/sh\n");
	assert_int_equal(rename("twin", "bot"), 0);
	assert_int_equal(seal_check(&seal), 0);
}

static void
test_other_bytes_break_it(void **state)
{
	struct seal seal;
	struct stat before;

	(void)state;
	put("bot", "#!/bin/sh\n");
	seal_command(&seal, "./bot", NULL);
	assert_int_equal(stat("bot", &before), 0);
	/* As long, and as old by its own account. */
	put("other", "#!/bin/ls\n");
	assert_int_equal(
	    utimensat(AT_FDCWD, "other",
		(struct timespec[]){ before.st_atim, before.st_mtim }, 0),
	    0);
	assert_int_equal(rename("other", "bot"), 0);
	assert_int_equal(seal_check(&seal), -ESTALE);
	put("bot", "#!/bin/sh\n");
	assert_int_equal(seal_check(&seal), 0);
}

static void
test_file_that_is_gone_or_none_is_told_apart(void **state)
{
	struct seal seal;

	(void)state;
	put("bot", "#!/bin/sh\n");
	seal_command(&seal, "./bot", NULL);
	assert_int_equal(unlink("bot"), 0);
	assert_int_equal(seal_check(&seal), -ENOENT);
	assert_int_equal(mkfifo("bot", 0755), 0);
	assert_int_equal(seal_check(&seal), -ESTALE);
}

static void
test_of_an_interpreter_the_script_is_sealed(void **state)
{
	struct seal seal;

	(void)state;
	assert_int_equal(mkdir("bots", 0755), 0);
	put("bots/bot.sh", "exit 0\n");
	put("bots/log", "");
	seal_command(&seal, "sh -e bot.sh log", "bots");
	assert_string_equal(seal.path, "bots/bot.sh");
	put("bots/log", "written since");
	assert_int_equal(seal_check(&seal), 0);
	put("bots/bot.sh", "exit 1\n");
	assert_int_equal(seal_check(&seal), -ESTALE);
	/* A program with a path is the bot itself, whatever it is given. */
	put("bots/bot", "#!/bin/sh\n");
	seal_command(&seal, "./bot log", "bots");
	put("bots/log", "written again");
	assert_int_equal(seal_check(&seal), 0);
	seal_command(&seal, "sh -c 'exit 0'", NULL);
	assert_string_equal(strrchr(seal.path, '/'), "/sh");
}

#define IN_FOLDER(test) \
	cmocka_unit_test_setup_teardown(test, folder_open, folder_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_sealed_is_nothing_broken),
		IN_FOLDER(test_touching_a_file_does_not_change_it),
		IN_FOLDER(test_other_bytes_break_it),
		IN_FOLDER(test_file_that_is_gone_or_none_is_told_apart),
		IN_FOLDER(test_of_an_interpreter_the_script_is_sealed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
