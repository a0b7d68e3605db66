/*
 * What error messages look like on stderr.
 */
#include "error_message.h"
#include "test.h"
#include "version.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OUTPUT_SIZE = 8192 };

static FILE *capture_file;
static int capture_kept;

/* Sends stderr to a file of no name until capture_end. */
static void
capture_begin(void)
{
	fflush(stderr);
	capture_file = tmpfile();
	assert_non_null(capture_file);
	capture_kept = dup(STDERR_FILENO);
	assert_true(dup2(fileno(capture_file), STDERR_FILENO) >= 0);
}

static char output[OUTPUT_SIZE];

static void
capture_end(void)
{
	size_t length;

	fflush(stderr);
	assert_true(dup2(capture_kept, STDERR_FILENO) >= 0);
	close(capture_kept);
	rewind(capture_file);
	length = fread(output, 1, OUTPUT_SIZE - 1, capture_file);
	output[length] = '\0';
	fclose(capture_file);
}

TEST(test_messages_have_one_form_and_no_controls)
{
	char wanted[OUTPUT_SIZE];

	capture_begin();
	error_print("bot \"%s\" did not answer within %d s", "mybot", 10);
	error_detail("command", "./mybot.py");
	/* A command to try names the program as it was called. */
	error_detail("try", VERSION_NAME " %s", "help");
	error_detail("try", VERSION_NAME "-like things");
	error_print("%s", "a\x1b[31m\nb\x7f\xff\xc2\x9b perch\xc3\xa9");
	error_detail("bytes", "%s", "\r\t");
	capture_end();
	snprintf(wanted, sizeof(wanted),
	    "error: bot \"mybot\" did not answer within 10 s\n"
	    "  command : ./mybot.py\n"
	    "  try     : %s help\n  try     : " VERSION_NAME "-like things\n"
	    "error: a\\x1b[31m\\x0ab\\x7f\\xff\\xc2\\x9b perch\xc3\xa9\n"
	    "  bytes   : \\x0d\\x09\n",
	    program_invocation_name);
	assert_string_equal(output, wanted);
}

TEST(test_long_text_is_cut)
{
	static char text[6000];

	memset(text, 'x', sizeof(text) - 1);
	capture_begin();
	error_print("%s", text);
	capture_end();
	assert_true(strlen(output) < 3000);
	assert_int_equal(output[strlen(output) - 1], '\n');
}
