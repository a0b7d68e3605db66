/*
 * What a command needs is asked of whoever is to run it.
 */
#include "program.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "test.h"
#include "trial.h"

enum { PATH_SIZE = 128, OTHER = 1000000001 };

static char program[PATH_SIZE], script[PATH_SIZE];
static char *arguments[] = { program, script, NULL };

static int
folder_fill(void **state)
{
	(void)state;
	folder_make(test_folder);
	assert_int_equal(chmod(test_folder, 0755), 0);
	snprintf(program, sizeof(program), "%s/program", test_folder);
	snprintf(script, sizeof(script), "%s/script", test_folder);
	trial_write(program);
	trial_write(script);
	assert_int_equal(chmod(program, 0755), 0);
	return 0;
}

/* 0: nothing is refused; else the number of what is, from 1 on. */
static int
refused(void *context)
{
	struct access_check access_check;
	const char *file;

	(void)context;
	access_check_init(&access_check, program, arguments);
	if (geteuid() == 0)
		trial_need(setresuid(OTHER, OTHER, OTHER) == 0);
	file = access_check_run(&access_check);
	if (file == NULL)
		return 0;
	return file == program ? 1 : 2;
}

TEST_WITH(test_good_files_are_good, folder_fill, test_folder_remove)
{
	assert_int_equal(trial_run(refused, NULL), 0);
}

TEST_WITH(test_program_must_be_executable, folder_fill, test_folder_remove)
{
	assert_int_equal(chmod(program, 0644), 0);
	assert_int_equal(trial_run(refused, NULL), 1);
}

TEST_WITH(test_argument_must_be_readable, folder_fill, test_folder_remove)
{
	/* Who owns it and is not root may not either. */
	assert_int_equal(chmod(script, 0), 0);
	assert_int_equal(trial_run(refused, NULL), 2);
}

TEST_WITH(test_script_must_be_readable_as_well, folder_fill, test_folder_remove)
{
	FILE *file = fopen(program, "we");

	if (geteuid() != 0)
		skip();
	assert_non_null(file);
	assert_true(fputs("#!/bin/sh\n", file) >= 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(trial_run(refused, NULL), 0);
	assert_int_equal(chmod(program, 0711), 0);
	assert_int_equal(trial_run(refused, NULL), 1);
}

TEST(test_words_that_name_no_file_need_nothing)
{
	struct access_check access_check;
	char word[] = "--level", file[] = "/bin/sh", directory[] = "/";
	char *words[] = { file, word, directory, NULL };

	access_check_init(&access_check, file, words);
	assert_int_equal(access_check.needed[1], 0);
	assert_int_equal(access_check.needed[2], 0);
	assert_null(access_check_run(&access_check));
}
