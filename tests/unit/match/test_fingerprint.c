/*
 * The fingerprint of a bot's file: what changes it, and what does not.
 */
#include "fingerprint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "test.h"

TEST_EACH(test_folder_enter, test_folder_leave)

static void
put(const char *path, const char *text)
{
	folder_write(path, text);
	assert_int_equal(chmod(path, 0755), 0);
}

/* Makes that of the file of a command. */
static void
make_of_command(
    struct fingerprint *fingerprint, const char *command, const char *dir)
{
	struct program program;

	memset(fingerprint, 0, sizeof(*fingerprint));
	assert_int_equal(program_parse(&program, command), PROGRAM_GOOD);
	assert_int_equal(program_resolve(&program, dir), PROGRAM_GOOD);
	fingerprint_make(fingerprint, &program, dir);
}

TEST(test_touching_a_file_does_not_change_it)
{
	const struct timespec old[2] = { { 1, 0 }, { 1, 0 } };
	struct fingerprint fingerprint;

	put("bot", "#!/bin/sh\n");
	make_of_command(&fingerprint, "./bot", NULL);
	assert_int_equal(fingerprint_check(&fingerprint), 0);
	assert_int_equal(utimensat(AT_FDCWD, "bot", old, 0), 0);
	assert_int_equal(fingerprint_check(&fingerprint), 0);
	put("twin", "#!/bin/sh\n");
	assert_int_equal(rename("twin", "bot"), 0);
	assert_int_equal(fingerprint_check(&fingerprint), 0);
}

TEST(test_other_bytes_break_it)
{
	struct fingerprint fingerprint;
	struct stat before;

	put("bot", "#!/bin/sh\n");
	make_of_command(&fingerprint, "./bot", NULL);
	assert_int_equal(stat("bot", &before), 0);
	/* As long, and as old by its own account. */
	put("other", "#!/bin/ls\n");
	assert_int_equal(
	    utimensat(AT_FDCWD, "other",
		(struct timespec[]){ before.st_atim, before.st_mtim }, 0),
	    0);
	assert_int_equal(rename("other", "bot"), 0);
	assert_int_equal(fingerprint_check(&fingerprint), -ESTALE);
	put("bot", "#!/bin/sh\n");
	assert_int_equal(fingerprint_check(&fingerprint), 0);
}

TEST(test_file_that_is_gone_or_none_is_told_apart)
{
	struct fingerprint fingerprint;

	put("bot", "#!/bin/sh\n");
	make_of_command(&fingerprint, "./bot", NULL);
	assert_int_equal(unlink("bot"), 0);
	assert_int_equal(fingerprint_check(&fingerprint), -ENOENT);
	assert_int_equal(mkfifo("bot", 0755), 0);
	assert_int_equal(fingerprint_check(&fingerprint), -ESTALE);
}

TEST(test_of_an_interpreter_the_script_is_the_file)
{
	struct fingerprint fingerprint;

	assert_int_equal(mkdir("bots", 0755), 0);
	put("bots/bot.sh", "exit 0\n");
	put("bots/log", "");
	make_of_command(&fingerprint, "sh -e bot.sh log", "bots");
	assert_string_equal(fingerprint.path, "bots/bot.sh");
	put("bots/log", "written since");
	assert_int_equal(fingerprint_check(&fingerprint), 0);
	put("bots/bot.sh", "exit 1\n");
	assert_int_equal(fingerprint_check(&fingerprint), -ESTALE);
	/* A program with a path is the bot itself, whatever it is given. */
	put("bots/bot", "#!/bin/sh\n");
	make_of_command(&fingerprint, "./bot log", "bots");
	put("bots/log", "written again");
	assert_int_equal(fingerprint_check(&fingerprint), 0);
	make_of_command(&fingerprint, "sh -c 'exit 0'", NULL);
	assert_string_equal(strrchr(fingerprint.path, '/'), "/sh");
}
