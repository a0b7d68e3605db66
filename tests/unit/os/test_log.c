/*
 * The log: levels, escapes, lines, and the file.
 */
#include "log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "folder.h"
#include "test.h"

static int
file_close(void **state)
{
	(void)log_close();
	return test_folder_remove(state);
}

TEST_EACH(test_folder_make, file_close)

/* Compares the file without the times at the start of its lines. */
static void
expect_log(const char *expected)
{
	char text[3 * LOG_LINE_SIZE], line[LOG_LINE_SIZE + 2];
	FILE *file = fopen(test_path("log"), "re");
	size_t put = 0;

	assert_non_null(file);
	text[0] = '\0';
	while (fgets(line, sizeof(line), file) != NULL) {
		assert_true(strlen(line) > 25);
		assert_int_equal(line[23], 'Z');
		put += (size_t)sprintf(text + put, "%s", line + 25);
	}
	fclose(file);
	assert_string_equal(text, expected);
}

TEST(test_only_wanted_levels_are_written)
{
	assert_int_equal(log_open(test_path("log"), LOG_INFO), 0);
	log_print(LOG_ERROR, "lost %d", 1);
	log_print(LOG_WARN, "slow");
	log_print(LOG_INFO, "started");
	log_print(LOG_DEBUG, "detail");
	expect_log("error lost 1\nwarn  slow\ninfo  started\n");
}

TEST(test_control_bytes_do_not_reach_the_file)
{
	assert_int_equal(log_open(test_path("log"), LOG_WARN), 0);
	log_print(LOG_WARN, "bot said \"%s\"", "\033[2J\nerror fake");
	expect_log("warn  bot said \"\\x1B[2J\\x0Aerror fake\"\n");
}

TEST(test_long_message_is_cut_to_one_line)
{
	static char long_text[2 * LOG_LINE_SIZE];
	char expected[LOG_LINE_SIZE];

	memset(long_text, 'x', sizeof(long_text) - 1);
	memset(expected, 'x', sizeof(expected));
	memcpy(expected, "warn  ", 6);
	/* A line also has 25 bytes of time and an LF. */
	strcpy(expected + LOG_LINE_SIZE - 25 - 2, "\n");
	assert_int_equal(log_open(test_path("log"), LOG_WARN), 0);
	log_print(LOG_WARN, "%s", long_text);
	expect_log(expected);
}

TEST(test_errno_is_not_changed)
{
	assert_int_equal(log_open(test_path("log"), LOG_WARN), 0);
	errno = ENOSPC;
	log_print(LOG_WARN, "full");
	assert_int_equal(errno, ENOSPC);
}

TEST(test_old_file_is_used_if_the_new_one_cannot_be_opened)
{
	assert_int_equal(log_open(test_path("log"), LOG_WARN), 0);
	assert_int_equal(log_open("/no/such/folder/log", LOG_DEBUG), -ENOENT);
	log_print(LOG_WARN, "still here");
	log_print(LOG_DEBUG, "not this");
	expect_log("warn  still here\n");
}
