/*
 * Small files are read whole, or as far as there is place, and end with NUL.
 */
#include "kernel_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

TEST(test_whole_file_is_text_and_its_path_counts_from_the_folder)
{
	int folder_fd = open("/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char text[4096];
	ssize_t size;

	assert_true(folder_fd >= 0);
	size = kernel_text_read(folder_fd, "stat", text, sizeof(text));
	assert_true(size > 0);
	assert_int_equal(strlen(text), size);
	assert_int_equal(strtol(text, NULL, 10), getpid());
	close(folder_fd);
}

TEST(test_no_more_is_read_than_fits)
{
	char text[8] = "xxxxxxx";

	assert_int_equal(
	    kernel_text_read(AT_FDCWD, "/proc/version", text, 6), 5);
	assert_string_equal(text, "Linux");
	assert_int_equal(text[6], 'x');
}

TEST(test_what_cannot_be_read_is_reported)
{
	char text[8];

	assert_int_equal(kernel_text_read(AT_FDCWD, "/proc/self/no-such-file",
			     text, sizeof(text)),
	    -ENOENT);
	assert_int_equal(
	    kernel_text_read(AT_FDCWD, "/proc", text, sizeof(text)), -EISDIR);
}
