/*
 * The files about workers in the folder of a run, the list and the log of
 * audits: each is read as it was written, and malformed files are refused.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "run.h"
#include "run_workers.h"
#include "test.h"

static const struct worker_row rows[] = {
	{ "anna", "trusted", 4, 1.25, 12.5, INT64_C(5000000000), 7, 0, 0.015,
	    0.5, -3600, "gpu,fast", "anna.example" },
	{ "bruno", "quarantined", 1, 0, 0, 0, 0, 3, 0, -1, 0, "", "" },
};

TEST(test_list_is_read_as_it_was_written)
{
	struct worker_list list;

	assert_int_equal(worker_list_read(test_folder, &list), -ENOENT);
	assert_int_equal(
	    worker_list_write(test_folder, rows, COUNTOF(rows)), 0);
	assert_int_equal(worker_list_read(test_folder, &list), 0);
	assert_int_equal(list.count, 2);
	assert_int_equal(strlen(list.written), CLOCK_UTC_SIZE - 1);
	assert_memory_equal(&list.rows[0], &rows[0], sizeof(rows[0]));
	assert_string_equal(list.rows[1].name, "bruno");
	assert_string_equal(list.rows[1].labels, "-");
	assert_true(worker_is_live(list.rows[0].seen_s));
	assert_false(worker_is_live(list.rows[1].seen_s));
	worker_list_release(&list);

	assert_int_equal(worker_list_write(test_folder, NULL, 0), 0);
	assert_int_equal(worker_list_read(test_folder, &list), 0);
	assert_int_equal(list.count, 0);
	worker_list_release(&list);
}

TEST(test_text_of_workers_cannot_leave_its_column)
{
	struct worker_row row = rows[0];
	struct worker_list list;

	strcpy(row.host, "a\tb\nc\033[1m");
	strcpy(row.labels, "x y,\xC3\xA9");
	assert_int_equal(worker_list_write(test_folder, &row, 1), 0);
	assert_int_equal(worker_list_read(test_folder, &list), 0);
	assert_int_equal(list.count, 1);
	assert_string_equal(list.rows[0].host, "a?b?c?[1m");
	assert_string_equal(list.rows[0].labels, "x?y,??");
	worker_list_release(&list);
}

TEST(test_damaged_list_is_refused)
{
	char *text, *whole;
	struct worker_list list;

	assert_int_equal(
	    worker_list_write(test_folder, rows, COUNTOF(rows)), 0);
	assert_int_equal(
	    run_text_read(test_folder, WORKER_LIST_FILE, &whole), 0);
	text = strdup(whole);
	for (size_t cut = 1; cut <= strlen(whole); cut++) {
		char *at = text + strlen(whole) - cut;

		/* A list that is cut at the end of a line is a shorter list. */
		if (cut < strlen(whole) && at[-1] == '\n') {
			*at = '\0';
			continue;
		}
		*at = '\0';
		folder_write(test_path(WORKER_LIST_FILE), text);
		assert_int_equal(
		    worker_list_read(test_folder, &list), -EBADMSG);
	}
	free(text);
	free(whole);
}

TEST(test_list_with_a_number_out_of_range_is_refused)
{
	static const char *const numbers[] = { "nan", "inf", "-inf", "1e308" };
	struct worker_list list;
	char *text, *at;

	assert_int_equal(worker_list_write(test_folder, rows, 1), 0);
	assert_int_equal(
	    run_text_read(test_folder, WORKER_LIST_FILE, &text), 0);
	at = strstr(text, "1.250");
	assert_non_null(at);
	for (int i = 0; i < COUNTOF(numbers); i++) {
		memcpy(at, "     ", 5);
		memcpy(at + 5 - strlen(numbers[i]), numbers[i],
		    strlen(numbers[i]));
		folder_write(test_path(WORKER_LIST_FILE), text);
		assert_int_equal(
		    worker_list_read(test_folder, &list), -EBADMSG);
	}
	free(text);
}

static int
read_lines(struct audit_history *history, const char *lines)
{
	char text[1024];

	snprintf(text, sizeof(text), "# scopa-audits 1\n%s", lines);
	folder_write(test_path(AUDIT_LOG_FILE), text);
	return audit_history_read(history, test_folder);
}

TEST(test_audits_are_read_as_they_were_written)
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

TEST(test_incomplete_line_of_audits_is_ignored)
{
	struct audit_history history;

	assert_int_equal(read_lines(&history, "due\t7\ndue\t8"), 0);
	assert_int_equal(history.line_count, 1);
	assert_int_equal(history.block_count, 7);
	audit_history_release(&history);
}

/* After a loss of power there may be zeros at the end of the file. */
TEST(test_zeros_at_the_end_of_audits_are_ignored)
{
	struct audit_history history;

	assert_int_equal(read_lines(&history, "due\t7\n"), 0);
	audit_history_release(&history);
	assert_int_equal(truncate(test_path(AUDIT_LOG_FILE), 4096), 0);
	assert_int_equal(audit_history_read(&history, test_folder), 0);
	assert_int_equal(history.line_count, 1);
	audit_history_release(&history);
}

TEST(test_malformed_line_of_audits_is_refused)
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

TEST_EACH(test_folder_make, test_folder_remove)
