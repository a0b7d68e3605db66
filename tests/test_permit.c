/*
 * What a command needs is asked of whoever is to run it.
 */
#include "permit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "folder.h"
#include "trial.h"

enum { PATH_SIZE = 128, OTHER = 1000000001 };

static char folder[FOLDER_SIZE];
static char program[PATH_SIZE], script[PATH_SIZE];
static char *arguments[] = { program, script, NULL };

static int
folder_fill(void **state)
{
	(void)state;
	folder_make(folder);
	assert_int_equal(chmod(folder, 0755), 0);
	snprintf(program, sizeof(program), "%s/program", folder);
	snprintf(script, sizeof(script), "%s/script", folder);
	trial_write(program);
	trial_write(script);
	assert_int_equal(chmod(program, 0755), 0);
	return 0;
}

static int
folder_clear(void **state)
{
	(void)state;
	folder_remove(folder);
	return 0;
}

/* 0: nothing is refused; else the number of what is, from 1 on. */
static int
refused(void *context)
{
	struct permit permit;
	const char *file;

	(void)context;
	permit_init(&permit, program, arguments);
	if (geteuid() == 0)
		trial_need(setresuid(OTHER, OTHER, OTHER) == 0);
	file = permit_check(&permit);
	if (file == NULL)
		return 0;
	return file == program ? 1 : 2;
}

static void
test_good_files_are_good(void **state)
{
	(void)state;
	assert_int_equal(trial_run(refused, NULL), 0);
}

static void
test_program_must_be_executable(void **state)
{
	(void)state;
	assert_int_equal(chmod(program, 0644), 0);
	assert_int_equal(trial_run(refused, NULL), 1);
}

static void
test_argument_must_be_readable(void **state)
{
	(void)state;
	/* Who owns it and is not root may not either. */
	assert_int_equal(chmod(script, 0), 0);
	assert_int_equal(trial_run(refused, NULL), 2);
}

static void
test_script_must_be_readable_as_well(void **state)
{
	FILE *file = fopen(program, "we");

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_non_null(file);
	assert_true(fputs("#!/bin/sh\n", file) >= 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(trial_run(refused, NULL), 0);
	assert_int_equal(chmod(program, 0711), 0);
	assert_int_equal(trial_run(refused, NULL), 1);
}

static void
test_words_that_name_no_file_need_nothing(void **state)
{
	struct permit permit;
	char word[] = "--level", file[] = "/bin/sh", directory[] = "/";
	char *words[] = { file, word, directory, NULL };

	(void)state;
	permit_init(&permit, file, words);
	assert_int_equal(permit.needed[1], 0);
	assert_int_equal(permit.needed[2], 0);
	assert_null(permit_check(&permit));
}

#define IN_FOLDER(test) \
	cmocka_unit_test_setup_teardown(test, folder_fill, folder_clear)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_good_files_are_good),
		IN_FOLDER(test_program_must_be_executable),
		IN_FOLDER(test_argument_must_be_readable),
		IN_FOLDER(test_script_must_be_readable_as_well),
		cmocka_unit_test(test_words_that_name_no_file_need_nothing),
	};

	return cmocka_run_group_tests_name("permit", tests, NULL, NULL);
}
