/*
 * Files in memory that a process has open are counted, each once.
 */
#include "hoard.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { FILE_BYTES = 3 << 20, FILES = 100 };

static int proc_fd;

static int
open_proc(void **state)
{
	(void)state;
	proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return proc_fd < 0 ? -1 : 0;
}

static int
close_proc(void **state)
{
	(void)state;
	return close(proc_fd);
}

/* A file in memory with so many bytes that are there. */
static int
open_file(int bytes)
{
	int fd = memfd_create("hoard", MFD_CLOEXEC);

	assert_true(fd >= 0);
	if (bytes > 0)
		assert_int_equal(posix_fallocate(fd, 0, bytes), 0);
	return fd;
}

static int64_t
own_bytes(void)
{
	struct hoard hoard = { .count = 0 };
	int64_t bytes;

	hoard_add(&hoard, proc_fd, getpid());
	bytes = hoard_bytes(&hoard);
	hoard_release(&hoard);
	return bytes;
}

static void
test_who_has_no_file_has_nothing(void **state)
{
	(void)state;
	assert_int_equal(own_bytes(), 0);
}

static void
test_file_counts_by_what_is_in_it(void **state)
{
	int fd = open_file(0);

	(void)state;
	assert_int_equal(ftruncate(fd, FILE_BYTES), 0);
	assert_int_equal(own_bytes(), 0);
	assert_int_equal(posix_fallocate(fd, 0, FILE_BYTES), 0);
	assert_true(own_bytes() >= FILE_BYTES);
	assert_true(own_bytes() < 2 * FILE_BYTES);
	close(fd);
	assert_int_equal(own_bytes(), 0);
}

static void
test_file_that_is_held_twice_counts_once(void **state)
{
	int fd = open_file(FILE_BYTES), again = dup(fd);
	struct hoard hoard = { .count = 0 };

	(void)state;
	hoard_add(&hoard, proc_fd, getpid());
	hoard_add(&hoard, proc_fd, getpid());
	assert_int_equal(hoard.count, 4);
	assert_true(hoard_bytes(&hoard) >= FILE_BYTES);
	assert_true(hoard_bytes(&hoard) < 2 * FILE_BYTES);
	hoard_release(&hoard);
	close(again);
	close(fd);
}

static void
test_many_files_count_all(void **state)
{
	int files[FILES];

	(void)state;
	for (int i = 0; i < FILES; i++)
		files[i] = open_file(FILE_BYTES / FILES);
	assert_true(own_bytes() >= FILE_BYTES / FILES * FILES);
	for (int i = 0; i < FILES; i++)
		close(files[i]);
}

static void
test_process_that_is_gone_has_nothing(void **state)
{
	struct hoard hoard = { .count = 0 };

	(void)state;
	hoard_add(&hoard, proc_fd, -1);
	assert_int_equal(hoard_bytes(&hoard), 0);
	hoard_release(&hoard);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_who_has_no_file_has_nothing),
		cmocka_unit_test(test_file_counts_by_what_is_in_it),
		cmocka_unit_test(test_file_that_is_held_twice_counts_once),
		cmocka_unit_test(test_many_files_count_all),
		cmocka_unit_test(test_process_that_is_gone_has_nothing),
	};

	return cmocka_run_group_tests_name(
	    "hoard", tests, open_proc, close_proc);
}
