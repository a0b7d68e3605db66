/*
 * What a run remembers of its workers: what is written is read again, and what
 * nobody has written is refused.
 */
#include "audit_log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "folder.h"
#include "test.h"

TEST_EACH(test_folder_make, test_folder_remove)

static int
read_lines(struct audit_history *history, const char *lines)
{
	char text[1024];

	snprintf(text, sizeof(text), "# scopa-audits 1\n%s", lines);
	folder_write(test_path(AUDIT_LOG_FILE), text);
	return audit_history_read(history, test_folder);
}

TEST(test_what_is_written_is_read)
{
	static const struct audit_line lines[] = {
		{ .event = AUDIT_COUNTED, .block = 1, .worker = "eva" },
		{ .event = AUDIT_DUE, .block = 1 },
		{ .event = AUDIT_COMPARED,
		    .block = 1,
		    .worker = "eva",
		    .outcomes = { -1, -2, TOURNAMENT_BOTS_MAX - 1 },
		    .game_count = 3 },
		{ .event = AUDIT_QUARANTINED,
		    .worker = "eva",
		    .reason = "it\tlies" },
		{ .event = AUDIT_REPLAYED,
		    .block = 1,
		    .worker = "eva",
		    .by = "anna",
		    .replaced = true },
	};
	struct audit_history history;
	struct audit_log log;

	assert_int_equal(audit_log_open(&log, test_folder), 0);
	for (int i = 0; i < COUNTOF(lines); i++)
		audit_log_add(&log, &lines[i]);
	assert_int_equal(audit_log_sync(&log), 0);
	audit_log_close(&log);

	assert_int_equal(audit_history_read(&history, test_folder), 0);
	assert_int_equal(history.line_count, COUNTOF(lines));
	assert_int_equal(history.block_count, 2);
	assert_int_equal(history.blocks[0].worker, -1);
	assert_int_equal(
	    history.blocks[1].worker, audit_history_find(&history, "anna"));
	assert_int_equal(history.case_count, 1);
	assert_string_equal(history.cases[0].reason, "it lies");
	assert_int_equal(history.cases[0].replaced_count, 1);
	assert_int_equal(history.cases[0].replaced[0], 1);
	audit_history_release(&history);
}

TEST(test_a_line_that_is_not_whole_is_no_event)
{
	struct audit_history history;

	assert_int_equal(read_lines(&history, "due\t7\ndue\t8"), 0);
	assert_int_equal(history.line_count, 1);
	assert_int_equal(history.block_count, 7);
	audit_history_release(&history);
}

TEST(test_what_is_no_event_is_refused)
{
	static const char *const bad[] = {
		"\n",
		"due\n",
		"due\t0\n",
		"due\t+1\n",
		"due\t\n",
		"due\t1000000000000001\n",
		"due\t9223372036854775807\n",
		"due\t9223372036854775808\n",
		"due\t1\teva\n",
		"counted\t1\teva\tgood\n",
		"compared\t1\teva\ttrusted\t0\n",
		"compared\t1\teva\ttrusted\t1x\n",
		"compared\t1\teva\ttrusted\t4294967297\n",
		"quarantined\teva\n",
		"replayed\t1\teva\tanna\tsame\n",
		"resigned\teva\n",
	};
	struct audit_history history;

	for (int i = 0; i < COUNTOF(bad); i++)
		assert_int_equal(read_lines(&history, bad[i]), -EBADMSG);
}
