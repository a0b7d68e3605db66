/*
 * What error messages look like on stderr.
 */
#include "error_message.h"

#include <errno.h>
#include <string.h>

#include "output.h"
#include "test.h"
#include "version.h"

TEST(test_messages_have_one_form_and_no_controls)
{
	char wanted[1024];

	output_stderr_begin();
	error_print("bot \"%s\" did not answer within %d s", "mybot", 10);
	error_detail("command", "./mybot.py");
	/* A command to try names the program as it was called. */
	error_detail("try", VERSION_NAME " %s", "help");
	error_detail("try", VERSION_NAME "-like things");
	error_print("%s", "a\x1b[31m\nb\x7f\xff\xc2\x9b perch\xc3\xa9");
	error_detail("bytes", "%s", "\r\t");
	snprintf(wanted, sizeof(wanted),
	    "error: bot \"mybot\" did not answer within 10 s\n"
	    "  command : ./mybot.py\n"
	    "  try     : %s help\n  try     : " VERSION_NAME "-like things\n"
	    "error: a\\x1b[31m\\x0ab\\x7f\\xff\\xc2\\x9b perch\xc3\xa9\n"
	    "  bytes   : \\x0d\\x09\n",
	    program_invocation_name);
	assert_string_equal(output_stderr_end(), wanted);
}

TEST(test_long_text_is_cut)
{
	static char text[6000];
	const char *output;

	memset(text, 'x', sizeof(text) - 1);
	output_stderr_begin();
	error_print("%s", text);
	output = output_stderr_end();
	assert_true(strlen(output) < 3000);
	assert_int_equal(output[strlen(output) - 1], '\n');
}
