/*
 * Reading records: no content of a file stops the reader, and a faulty record
 * does not affect the records around it.
 */
#include "record_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "games.h"
#include "record_verify.h"
#include "support.h"
#include "test.h"

static struct record_reader reader;

/* Begins to read these bytes. */
static void
begin(const char *bytes, size_t size)
{
	record_reader_init_bytes(&reader, bytes, size);
}

/* The next record, which must exist. */
static const struct game_record *
next(void)
{
	assert_int_equal(record_read(&reader, &specimen.record), 1);
	return &specimen.record;
}

static void
assert_end(void)
{
	assert_int_equal(record_read(&reader, &specimen.record), 0);
}

static void
assert_fault(const struct game_record *record, int64_t line, const char *reason)
{
	assert_int_equal(record->fault.line, line);
	if (!strstr(record->fault.text, reason))
		fail_msg("\"%s\" expected, \"%s\" found", reason,
		    record->fault.text);
}

static bool
is_good(void)
{
	struct record_verdict verdict;

	assert_int_equal(
	    record_check(specimen.checker, &specimen.record, NULL, &verdict),
	    0);
	return verdict.good;
}

/* The number of good records among those that are left. */
static int
count_good(void)
{
	int good = 0, status;

	while ((status = record_read(&reader, &specimen.record)) == 1)
		good += is_good();
	assert_int_equal(status, 0);
	return good;
}

/* Two small games after a heading; `ends` are the offsets of their ends. */
static void
two_games(struct record *record, size_t ends[2])
{
	struct record one;

	record_init(&one);
	record_clear(record);
	record_add(record, RECORD_HEADING, strlen(RECORD_HEADING));
	for (int i = 0; i < 2; i++) {
		struct games_order order = {
			.spec = "scopa",
			.seed = (uint64_t)i + 1,
			.ending = "interrupted",
		};

		games_play(&order, &one);
		record_add(record, one.bytes, one.size);
		ends[i] = record->size;
	}
	record_release(&one);
}

TEST(test_records_end_with_sum_or_before_the_next)
{
	static const char text[] =
	    "%scopa-record 1\n\nmatch a\nplay\nsum\n# word\nmatch b\nplay\n"
	    "match c\n%scopa-record 1\nmatch d\nsum x";
	const struct game_record *record;

	begin(text, strlen(text));
	record = next();
	assert_int_equal(record->first_line, 3);
	assert_int_equal(record->last_line, 5);
	assert_int_equal(record->line_count, 3);
	assert_true(record->summed);
	record = next();
	assert_int_equal(record->first_line, 7);
	assert_int_equal(record->last_line, 8);
	assert_false(record->summed);
	record = next();
	assert_int_equal(record->first_line, 9);
	assert_int_equal(record->last_line, 9);
	record = next();
	assert_int_equal(record->first_line, 11);
	assert_true(record->summed);
	assert_int_equal(record->size, strlen("match d\nsum x"));
	assert_end();
}

TEST(test_line_ends_of_other_systems_are_removed)
{
	static const char text[] = "\xEF\xBB\xBFmatch a\r\nplay\r\nsum\r";
	const struct game_record *record;

	begin(text, strlen(text));
	record = next();
	assert_int_equal(record->line_count, 3);
	assert_int_equal(record->lines[0].length, 7);
	assert_int_equal(record->lines[1].length, 4);
	assert_int_equal(record->lines[2].length, 3);
	assert_int_equal(record->size, strlen("match a\r\nplay\r\nsum\r"));
	assert_int_equal(record->fault.line, 0);
}

TEST(test_lines_outside_of_records_are_one_fault)
{
	static const char text[] = "play 1\nplay 2\n\nmatch a\nsum\nrest\n";
	const struct game_record *record;

	begin(text, strlen(text));
	record = next();
	assert_true(record->outside);
	assert_fault(record, 1, "does not begin with a `match` line");
	assert_int_equal(record->last_line, 2);
	record = next();
	assert_false(record->outside);
	assert_int_equal(record->fault.line, 0);
	record = next();
	assert_fault(record, 6, "no `match` line");
	assert_int_equal(record->first_line, 6);
	assert_int_equal(record->line_count, 0);
	assert_false(record->summed);
	assert_end();
}

TEST(test_heading_of_another_version_is_a_fault)
{
	static const char text[] = "%scopa-record 2\nmatch a\nsum\n";
	begin(text, strlen(text));
	assert_fault(next(), 1, "another version");
	assert_int_equal(next()->first_line, 2);
	assert_end();
}

TEST(test_rules_give_what_the_head_of_a_record_lacks)
{
	static const char text[] = "match a rules=scopa,players=4\nsum\n";
	static struct record_head head;
	const struct event_match *match = &head.game.match;
	struct record_fault fault = { .line = 0 };

	begin(text, strlen(text));
	assert_true(record_head_read(next(), &head, &fault));
	assert_int_equal(match->seats, 4);
	assert_int_equal(match->teams, head.rules.teams);
	assert_int_equal(match->target, 11);
	assert_string_equal(match->tc, "none");
	assert_string_equal(head.game.seats[3].name, "seat4");
	assert_int_equal(head.game.seats[3].team, 3);
	assert_false(head.target_said);
}

TEST(test_input_that_cannot_be_read_is_an_error)
{
	int fd = open("/", O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	record_reader_init(&reader, fd);
	assert_int_equal(record_read(&reader, &specimen.record), -EISDIR);
	close(fd);
}

TEST(test_bytes_that_are_no_text_are_a_fault_of_their_record)
{
	static const struct {
		const char *text;
		size_t size;
		int line;
		const char *reason;
	} rows[] = {
		{ "match a\nx\0y\nsum\nmatch b\n", 24, 2, "byte 0x00" },
		{ "match a\n\033[2J\nsum\nmatch b\n", 25, 2, "byte 0x1B" },
		{ "match a\n\xC3\xA9\nsum\nmatch b\n", 23, 2, "%C3" },
		{ "match a\nx\ry\nsum\nmatch b\n", 24, 2, "byte 0x0D" },
	};
	for (size_t i = 0; i < COUNTOF(rows); i++) {
		begin(rows[i].text, rows[i].size);
		assert_fault(next(), rows[i].line, rows[i].reason);
		assert_int_equal(next()->first_line, 4);
		assert_end();
	}
	begin("match a # \xC3\xA9\n", 13);
	assert_int_equal(next()->fault.line, 0);
}

TEST(test_longest_line_is_read_and_a_longer_one_refused)
{
	static char text[RECORD_LINE_SIZE_MAX + 64];
	size_t size;

	for (int more = 0; more < 2; more++) {
		size = (size_t)sprintf(text, "match a\n");
		memset(text + size, 'x', RECORD_LINE_SIZE_MAX + 1);
		size += (size_t)(RECORD_LINE_SIZE_MAX + more);
		size += (size_t)sprintf(text + size, "\r\nsum\nmatch b\nsum\n");
		begin(text, size);
		next();
		assert_true(specimen.record.summed);
		if (more == 0) {
			assert_int_equal(specimen.record.fault.line, 0);
			assert_int_equal(specimen.record.lines[1].length,
			    RECORD_LINE_SIZE_MAX);
		} else {
			assert_fault(&specimen.record, 2, "longer than 65535");
		}
		assert_int_equal(next()->fault.line, 0);
		assert_end();
	}
}

TEST(test_record_that_is_too_large_is_skipped)
{
	static const char text[] =
	    "match a\nplay 1 7D\nplay 2 7C\nsum\nmatch b\nsum\n";
	begin(text, strlen(text));
	reader.record_size_max = 20;
	assert_fault(next(), 3, "larger than 20 bytes");
	assert_true(specimen.record.summed);
	assert_int_equal(next()->fault.line, 0);
	assert_end();
}

TEST(test_records_before_a_cut_stay_good)
{
	struct record record;
	size_t ends[2];

	record_init(&record);
	two_games(&record, ends);
	for (size_t size = 0; size <= record.size; size++) {
		/* A record is complete without its last line end. */
		int whole = (size + 1 >= ends[0]) + (size + 1 >= ends[1]);

		begin(record.bytes, size);
		assert_int_equal(count_good(), whole);
	}
	record_release(&record);
}

TEST(test_records_around_a_changed_byte_stay_good)
{
	static const char changes[] = { '\0', '\n', ' ', '#', '7', '\xFF' };
	size_t heading = strlen(RECORD_HEADING), ends[2];
	struct record record;

	record_init(&record);
	two_games(&record, ends);
	for (size_t at = 0; at < record.size; at++) {
		char kept = record.bytes[at];

		record.bytes[at] = changes[at % sizeof(changes)];
		/* A change of the line end between two records affects both. */
		if (record.bytes[at] != kept && at + 1 != ends[0] &&
		    at + 1 != heading && at + 1 != ends[1]) {
			begin(record.bytes, record.size);
			assert_int_equal(count_good(), at < heading ? 2 : 1);
		}
		record.bytes[at] = kept;
	}
	record_release(&record);
}

TEST_EACH(games_setup, games_teardown)
