/*
 * Files in memory that a process has open are counted, each once.
 */
#include "tree.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test.h"

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
	int fd = memfd_create("usage", MFD_CLOEXEC);

	assert_true(fd >= 0);
	if (bytes > 0)
		assert_int_equal(posix_fallocate(fd, 0, bytes), 0);
	return fd;
}

static int64_t
own_bytes(void)
{
	struct memfd_usage memfd_usage = { .count = 0 };
	int64_t bytes;

	memfd_usage_add(&memfd_usage, proc_fd, getpid());
	bytes = memfd_usage_bytes(&memfd_usage);
	memfd_usage_release(&memfd_usage);
	return bytes;
}

TEST(test_who_has_no_file_has_nothing)
{
	assert_int_equal(own_bytes(), 0);
}

TEST(test_file_counts_by_what_is_in_it)
{
	int fd = open_file(0);

	assert_int_equal(ftruncate(fd, FILE_BYTES), 0);
	assert_int_equal(own_bytes(), 0);
	assert_int_equal(posix_fallocate(fd, 0, FILE_BYTES), 0);
	assert_true(own_bytes() >= FILE_BYTES);
	assert_true(own_bytes() < 2 * FILE_BYTES);
	close(fd);
	assert_int_equal(own_bytes(), 0);
}

TEST(test_file_that_is_held_twice_counts_once)
{
	int fd = open_file(FILE_BYTES), again = dup(fd);
	struct memfd_usage memfd_usage = { .count = 0 };

	memfd_usage_add(&memfd_usage, proc_fd, getpid());
	memfd_usage_add(&memfd_usage, proc_fd, getpid());
	assert_int_equal(memfd_usage.count, 4);
	assert_true(memfd_usage_bytes(&memfd_usage) >= FILE_BYTES);
	assert_true(memfd_usage_bytes(&memfd_usage) < 2 * FILE_BYTES);
	memfd_usage_release(&memfd_usage);
	close(again);
	close(fd);
}

TEST(test_many_files_count_all)
{
	int files[FILES];

	for (int i = 0; i < FILES; i++)
		files[i] = open_file(FILE_BYTES / FILES);
	assert_true(own_bytes() >= FILE_BYTES / FILES * FILES);
	for (int i = 0; i < FILES; i++)
		close(files[i]);
}

TEST(test_process_that_is_gone_has_nothing)
{
	struct memfd_usage memfd_usage = { .count = 0 };

	memfd_usage_add(&memfd_usage, proc_fd, -1);
	assert_int_equal(memfd_usage_bytes(&memfd_usage), 0);
	memfd_usage_release(&memfd_usage);
}

TEST_GROUP(open_proc, close_proc)
