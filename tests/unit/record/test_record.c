/*
 * Writing records: game records stay complete if several processes write, and
 * if calls fail.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "games.h"
#include "record_verify.h"
#include "record_write.h"
#include "test.h"

enum { WRITERS = 4, RECORDS_EACH = 25 };

/* Each test has its own file; its record is specimen.full. */
static const char *path;

static int
setup(void **state)
{
	test_folder_make(state);
	path = test_path("records");
	return games_setup(state);
}

static int
teardown(void **state)
{
	games_teardown(state);
	return test_folder_remove(state);
}

static void
add(const char *lines)
{
	assert_int_equal(record_add(&specimen.full, lines, strlen(lines)), 0);
}

/* Appends a record of one line. */
static void
append(const char *line)
{
	int fd = record_file_open(path);

	assert_true(fd >= 0);
	add(line);
	assert_int_equal(record_sum(&specimen.full), 0);
	assert_int_equal(
	    record_file_append(fd, specimen.full.bytes, specimen.full.size), 0);
	record_clear(&specimen.full);
	close(fd);
}

TEST(test_record_ends_with_lines_and_hash)
{
	static const char lines[] = "match m\ndeal 1\nplay 1 7D\n";
	unsigned char hash[crypto_hash_sha256_BYTES];
	char hex[2 * sizeof(hash) + 1], expected[256];

	add("match m\n");
	add("deal 1\nplay 1 7D\n");
	crypto_hash_sha256(
	    hash, (const unsigned char *)lines, sizeof(lines) - 1);
	sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash));
	snprintf(expected, sizeof(expected), "%ssum lines=3 sha256=%s\n", lines,
	    hex);
	assert_int_equal(record_sum(&specimen.full), 0);
	assert_int_equal(specimen.full.size, strlen(expected));
	assert_memory_equal(specimen.full.bytes, expected, specimen.full.size);
}

TEST(test_line_that_a_crash_cut_off_is_ended_before_the_next_record)
{
	folder_write(path, "%scopa-record 1\nmatch x\nplay 1");
	append("match a\n");
	assert_memory_equal(folder_read(path, NULL),
	    "%scopa-record 1\nmatch x\nplay 1\nmatch a\nsum ", 43);
}

/* Appends the record while no file may have more bytes than this. */
static int
append_limited(int fd, rlim_t size_max)
{
	struct rlimit limit, small;
	int error;

	getrlimit(RLIMIT_FSIZE, &limit);
	small = limit;
	small.rlim_cur = size_max;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &small);
	error = record_file_append(fd, specimen.full.bytes, specimen.full.size);
	setrlimit(RLIMIT_FSIZE, &limit);
	signal(SIGXFSZ, SIG_DFL);
	return error;
}

TEST(test_failed_write_does_not_change_the_file)
{
	char line[4096];
	int fd;

	append("match a\n");
	memset(line, 'x', sizeof(line));
	line[sizeof(line) - 2] = '\n';
	line[sizeof(line) - 1] = '\0';
	add(line);
	assert_int_equal(record_sum(&specimen.full), 0);
	fd = record_file_open(path);
	assert_int_equal(append_limited(fd, 1000), -EFBIG);
	assert_true(strlen(folder_read(path, NULL)) < 200);
	assert_int_equal(
	    record_file_append(fd, specimen.full.bytes, specimen.full.size), 0);
	close(fd);
	assert_true(strlen(folder_read(path, NULL)) > sizeof(line));
}

TEST(test_heading_and_record_are_written_whole_or_not_at_all)
{
	size_t size = strlen(RECORD_HEADING);
	int fd = record_file_open(path);

	add("match a\n");
	size += specimen.full.size;
	for (rlim_t most = 0; most < size; most++) {
		assert_int_equal(append_limited(fd, most), -EFBIG);
		assert_string_equal(folder_read(path, NULL), "");
	}
	assert_int_equal(append_limited(fd, size), 0);
	assert_string_equal(
	    folder_read(path, NULL), RECORD_HEADING "match a\n");
	close(fd);
}

TEST(test_only_files_of_records_are_opened_and_pipes_for_writing_alone)
{
	const char *pipe = test_path("pipe");
	int reader, fd;

	folder_write(path, "notes\n");
	assert_int_equal(record_file_open(path), -EBADMSG);
	assert_int_equal(record_file_open(test_path("no/records")), -ENOENT);
	assert_int_equal(mkfifo(pipe, 0600), 0);
	reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	fd = record_file_open(pipe);
	assert_int_equal(fcntl(fd, F_GETFL) & O_ACCMODE, O_WRONLY);
	close(fd);
	close(reader);
}

/* Writes the games of one of several writers, one by one. */
static void
write_games(int writer)
{
	for (int i = 0; i < RECORDS_EACH; i++) {
		struct games_order order = {
			.spec = "scopa",
			.seed = (uint64_t)(100 * writer + i),
			.deals = 1 + i % 3,
		};
		int fd = record_file_open(path);

		games_play(&order, &specimen.full);
		if (fd < 0 ||
		    record_file_append(
			fd, specimen.full.bytes, specimen.full.size) < 0)
			_exit(1);
		close(fd);
	}
}

TEST(test_records_of_several_programs_do_not_mix)
{
	static struct record_reader reader;
	struct record_verdict verdict;
	int count = 0, status, fd;

	for (int i = 0; i < WRITERS; i++) {
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0) {
			write_games(i);
			_exit(0);
		}
	}
	for (int i = 0; i < WRITERS; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	fd = open(path, O_RDONLY);
	record_reader_init(&reader, fd);
	for (; record_read(&reader, &specimen.record) == 1; count++) {
		assert_int_equal(record_check(specimen.checker,
				     &specimen.record, NULL, &verdict),
		    0);
		assert_true(verdict.good);
	}
	close(fd);
	assert_int_equal(count, WRITERS * RECORDS_EACH);
}

TEST(test_only_a_long_record_releases_its_memory)
{
	add("match a\n");
	record_clear(&specimen.full);
	assert_true(specimen.full.capacity > 0);
	while (specimen.full.size <= 1 << 20)
		add("# a line of a very long game\n");
	record_clear(&specimen.full);
	assert_int_equal(specimen.full.capacity, 0);
}

TEST(test_record_has_a_maximum_size)
{
	/* The memory for these sizes was not allocated, and must not be
	 * used. */
	specimen.full.size = RECORD_SIZE_MAX - 4;
	specimen.full.capacity = RECORD_SIZE_MAX;
	assert_int_equal(record_add(&specimen.full, "play\n", 5), -EFBIG);
	specimen.full.size = 0;
	specimen.full.capacity = 0;
}

TEST_EACH(setup, teardown)
