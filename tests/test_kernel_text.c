/*
 * Small files are read whole, or as far as there is place, and end with NUL.
 */
#include "kernel_text.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void
test_whole_file_is_text(void **state)
{
	char text[4096];
	ssize_t size =
	    kernel_text_read(AT_FDCWD, "/proc/self/stat", text, sizeof(text));

	(void)state;
	assert_true(size > 0);
	assert_int_equal(strlen(text), size);
	assert_int_equal(strtol(text, NULL, 10), getpid());
}

static void
test_path_counts_from_the_folder(void **state)
{
	int folder_fd = open("/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char text[4096];

	(void)state;
	assert_true(folder_fd >= 0);
	assert_true(
	    kernel_text_read(folder_fd, "stat", text, sizeof(text)) > 0);
	assert_int_equal(strtol(text, NULL, 10), getpid());
	close(folder_fd);
}

static void
test_no_more_is_read_than_fits(void **state)
{
	char text[8] = "xxxxxxx";

	(void)state;
	assert_int_equal(
	    kernel_text_read(AT_FDCWD, "/proc/version", text, 6), 5);
	assert_string_equal(text, "Linux");
	assert_int_equal(text[6], 'x');
}

static void
test_what_cannot_be_read_is_told(void **state)
{
	char text[8];

	(void)state;
	assert_int_equal(kernel_text_read(AT_FDCWD, "/proc/self/no-such-file",
			     text, sizeof(text)),
	    -ENOENT);
	assert_int_equal(
	    kernel_text_read(AT_FDCWD, "/proc", text, sizeof(text)), -EISDIR);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole_file_is_text),
		cmocka_unit_test(test_path_counts_from_the_folder),
		cmocka_unit_test(test_no_more_is_read_than_fits),
		cmocka_unit_test(test_what_cannot_be_read_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
