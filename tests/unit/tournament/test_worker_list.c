/* The list of workers in the folder of a run. */
#include "worker_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "run.h"
#include "test.h"

static const struct worker_row rows[] = {
	{ "anna", "trusted", 4, 1.25, 12.5, INT64_C(5000000000), 7, 0, 0.015,
	    0.5, -3600, "gpu,fast", "anna.example" },
	{ "bruno", "quarantined", 1, 0, 0, 0, 0, 3, 0, -1, 0, "", "" },
};

TEST(test_a_list_is_read_as_it_was_written)
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

TEST(test_text_of_others_stays_in_its_column)
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

TEST(test_a_list_that_was_damaged_is_refused)
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

		/* At the end of a line it is a shorter list. */
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

TEST_EACH(test_folder_make, test_folder_remove)
