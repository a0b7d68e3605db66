/*
 * Writing records: whole blocks, whoever else writes, whatever happens.
 */
#include "record_write.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "games.h"
#include "record_verify.h"
#include "test.h"

enum { WRITERS = 4, BLOCKS_EACH = 25 };

/* A file of its own for each test, and a record. */
struct bench {
	char path[64];
	struct record record;
	struct record_reader reader;
	struct record_block block;
	struct record_checker *checker;
};

static int
setup(void **state)
{
	struct bench *bench = calloc(1, sizeof(*bench));
	const char *folder = getenv("TMPDIR");
	int fd;

	assert_non_null(bench);
	snprintf(bench->path, sizeof(bench->path), "%s/test_record.XXXXXX",
	    folder && strlen(folder) < 40 ? folder : "/tmp");
	fd = mkstemp(bench->path);
	assert_true(fd >= 0);
	close(fd);
	record_init(&bench->record);
	record_block_init(&bench->block);
	assert_int_equal(record_checker_open(&bench->checker), 0);
	*state = bench;
	return 0;
}

static int
teardown(void **state)
{
	struct bench *bench = *state;

	unlink(bench->path);
	record_release(&bench->record);
	record_block_release(&bench->block);
	record_checker_close(bench->checker);
	free(bench);
	return 0;
}

/* What the file holds, as text; good for the next call. */
static const char *
contents(const struct bench *bench)
{
	static char bytes[1 << 16];
	int fd = open(bench->path, O_RDONLY);
	ssize_t size = read(fd, bytes, sizeof(bytes) - 1);

	assert_true(size >= 0);
	close(fd);
	bytes[size] = '\0';
	return bytes;
}

static void
add(struct bench *bench, const char *lines)
{
	assert_int_equal(record_add(&bench->record, lines, strlen(lines)), 0);
}

/* Ends the block and writes it, as the arena does behind a match. */
static int
finish(struct bench *bench, int fd)
{
	assert_int_equal(record_sum(&bench->record), 0);
	return record_file_append(fd, bench->record.bytes, bench->record.size);
}

/* Appends a block of one line. */
static void
append(struct bench *bench, const char *line)
{
	int fd = record_file_open(bench->path);

	assert_true(fd >= 0);
	add(bench, line);
	assert_int_equal(finish(bench, fd), 0);
	record_clear(&bench->record);
	close(fd);
}

/* Counts the good and the bad blocks of the file. */
static void
count_blocks(struct bench *bench, int *good, int *bad)
{
	int fd = open(bench->path, O_RDONLY);

	*good = *bad = 0;
	record_reader_init(&bench->reader, fd);
	while (record_read(&bench->reader, &bench->block) == 1) {
		struct record_verdict verdict;

		assert_int_equal(
		    record_check(bench->checker, &bench->block, NULL, &verdict),
		    0);
		if (verdict.good)
			++*good;
		else
			++*bad;
	}
	close(fd);
}

TEST_WITH(test_block_ends_with_lines_and_hash, setup, teardown)
{
	struct bench *bench = *state;
	static const char lines[] = "match m\ndeal 1\nplay 1 7D\n";
	unsigned char hash[crypto_hash_sha256_BYTES];
	char hex[2 * sizeof(hash) + 1], expected[256];

	add(bench, "match m\n");
	add(bench, "deal 1\nplay 1 7D\n");
	crypto_hash_sha256(
	    hash, (const unsigned char *)lines, sizeof(lines) - 1);
	sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash));
	snprintf(expected, sizeof(expected), "%ssum lines=3 sha256=%s\n", lines,
	    hex);
	assert_int_equal(record_sum(&bench->record), 0);
	assert_int_equal(bench->record.size, strlen(expected));
	assert_memory_equal(bench->record.bytes, expected, bench->record.size);
}

TEST_WITH(test_heading_stands_once_in_a_file, setup, teardown)
{
	struct bench *bench = *state;
	const char *text;

	append(bench, "match a\n");
	append(bench, "match b\n");
	text = contents(bench);
	assert_memory_equal(text, "%scopa-record 1\nmatch a\nsum lines=1 ", 36);
	assert_non_null(strstr(text, "\nmatch b\nsum lines=1 "));
	assert_null(strstr(text + 1, "%scopa"));
}

TEST_WITH(test_file_is_made_where_there_is_none, setup, teardown)
{
	struct bench *bench = *state;

	unlink(bench->path);
	append(bench, "match a\n");
	assert_memory_equal(contents(bench), "%scopa-record 1\nmatch a\n", 24);
}

TEST_WITH(test_path_that_cannot_be_written_is_found_on_opening, setup, teardown)
{
	assert_int_equal(record_file_open("/nonexistent/x.scopa"), -ENOENT);
	assert_int_equal(record_file_open("/"), -EISDIR);
}

TEST_WITH(test_line_that_a_crash_cut_off_is_ended_first, setup, teardown)
{
	struct bench *bench = *state;
	int fd = open(bench->path, O_WRONLY);

	assert_int_equal(write(fd, "%scopa-record 1\nmatch x\nplay 1", 30), 30);
	close(fd);
	append(bench, "match a\n");
	assert_memory_equal(contents(bench),
	    "%scopa-record 1\nmatch x\nplay 1\nmatch a\nsum ", 43);
}

TEST_WITH(test_step_takes_the_outbox, setup, teardown)
{
	struct bench *bench = *state;
	struct outbox *outbox = calloc(1, sizeof(*outbox));
	struct event event = { .kind = EVENT_ENDDEAL, .number = 3 };
	struct scopa_rules rules = { .players = 2 };

	assert_non_null(outbox);
	outbox_init(outbox, 0);
	outbox_put_event(outbox, &rules, &event);
	assert_int_equal(record_step(&bench->record, outbox), 0);
	assert_int_equal(outbox->record.length, 0);
	assert_int_equal(record_step(&bench->record, outbox), 0);
	assert_int_equal(bench->record.size, 10);
	assert_memory_equal(bench->record.bytes, "enddeal 3\n", 10);
	free(outbox);
}

TEST_WITH(test_failed_write_leaves_the_file_as_it_was, setup, teardown)
{
	struct bench *bench = *state;
	struct rlimit limit, small;
	char line[4096];
	int fd, error;

	append(bench, "match a\n");
	memset(line, 'x', sizeof(line));
	line[sizeof(line) - 2] = '\n';
	line[sizeof(line) - 1] = '\0';
	add(bench, line);
	fd = record_file_open(bench->path);
	getrlimit(RLIMIT_FSIZE, &limit);
	small = limit;
	small.rlim_cur = 1000;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &small);
	error = finish(bench, fd);
	setrlimit(RLIMIT_FSIZE, &limit);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(error, -EFBIG);
	assert_true(strlen(contents(bench)) < 200);
	assert_int_equal(
	    record_file_append(fd, bench->record.bytes, bench->record.size), 0);
	close(fd);
	assert_true(strlen(contents(bench)) > sizeof(line));
}

TEST_WITH(test_descriptor_that_is_none_is_an_error, setup, teardown)
{
	struct bench *bench = *state;

	add(bench, "match a\n");
	assert_int_equal(finish(bench, -1), -EBADF);
}

/* A writer among others: its games, one by one. */
static void
write_games(struct bench *bench, int writer)
{
	for (int i = 0; i < BLOCKS_EACH; i++) {
		struct games_order order = {
			.spec = "scopa",
			.seed = (uint64_t)(100 * writer + i),
			.deals = 1 + i % 3,
		};
		int fd = record_file_open(bench->path);

		games_play(&order, &bench->record);
		if (fd < 0 ||
		    record_file_append(
			fd, bench->record.bytes, bench->record.size) < 0)
			_exit(1);
		close(fd);
	}
}

TEST_WITH(test_blocks_of_several_programs_do_not_mix, setup, teardown)
{
	struct bench *bench = *state;
	int good, bad, status;

	for (int i = 0; i < WRITERS; i++) {
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0) {
			write_games(bench, i);
			_exit(0);
		}
	}
	for (int i = 0; i < WRITERS; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	count_blocks(bench, &good, &bad);
	assert_int_equal(good, WRITERS * BLOCKS_EACH);
	assert_int_equal(bad, 0);
}

TEST_WITH(test_pipe_takes_blocks_as_a_file_does, setup, teardown)
{
	struct bench *bench = *state;
	char bytes[256];
	int ends[2];
	ssize_t size;

	assert_int_equal(pipe(ends), 0);
	add(bench, "match a\n");
	assert_int_equal(finish(bench, ends[1]), 0);
	size = read(ends[0], bytes, sizeof(bytes));
	assert_true(size > 30);
	assert_memory_equal(bytes, "%scopa-record 1\nmatch a\nsum ", 28);
	close(ends[0]);
	close(ends[1]);
}

TEST_WITH(
    test_long_block_leaves_its_memory_when_it_is_forgotten, setup, teardown)
{
	struct bench *bench = *state;
	size_t kept;

	add(bench, "match a\n");
	kept = bench->record.capacity;
	record_clear(&bench->record);
	assert_int_equal(bench->record.capacity, kept);
	while (bench->record.size < 3 << 20)
		add(bench, "play 1 7Dx3C4S\n");
	record_clear(&bench->record);
	assert_int_equal(bench->record.capacity, 0);
	assert_int_equal(bench->record.size, 0);
	assert_int_equal(bench->record.line_count, 0);
	add(bench, "match b\n");
	assert_int_equal(bench->record.size, 8);
}

TEST_WITH(test_block_has_a_limit, setup, teardown)
{
	struct bench *bench = *state;

	/* The memory behind the limit is not there, and not touched. */
	bench->record.size = RECORD_BLOCK_SIZE_MAX - 4;
	bench->record.capacity = RECORD_BLOCK_SIZE_MAX;
	assert_int_equal(record_add(&bench->record, "play\n", 5), -EFBIG);
	bench->record.size = 0;
	bench->record.capacity = 0;
}
