/*
 * Runs and records are found by their kind, wherever they lie.
 */
#include "file_policy.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "test.h"
#include "trial.h"

static void
make(const char *parent, const char *first, const char *second)
{
	assert_int_equal(mkdir(test_path(parent), 0755), 0);
	folder_write(folder_path(test_path(parent), first), "");
	folder_write(folder_path(test_path(parent), second), "");
}

static bool
has(const struct hidden *hidden, const char *name)
{
	for (int i = 0; i < hidden->count; i++)
		if (strcmp(hidden->paths[i], test_path(name)) == 0)
			return true;
	return false;
}

TEST_WITH(test_folder_of_a_run_is_found_by_its_files, test_folder_make,
    test_folder_remove)
{
	struct hidden hidden = { .count = 0 };

	make("announced", "config.ini", "secret");
	make("begun", "results.db", "log");
	make("no-run", "config.ini", "bot.py");
	make("secrets", "secret", "records.txt");
	assert_int_equal(mkdir(test_path("deep"), 0755), 0);
	make("deep/run", "config.ini", "records.scopa");
	assert_int_equal(
	    hidden_find(&hidden, test_folder, HIDDEN_DEPTH_MAX), 0);
	assert_int_equal(hidden.count, 3);
	assert_true(has(&hidden, "announced"));
	assert_true(has(&hidden, "begun"));
	assert_true(has(&hidden, "deep/run"));
	hidden_release(&hidden);
	assert_int_equal(hidden_find(&hidden, test_folder, 0), 0);
	assert_int_equal(hidden.count, 0);
	assert_true(hidden_is_in_run(test_path("begun/log")));
	assert_true(hidden_is_in_run(test_path("begun")));
	assert_false(hidden_is_in_run(test_path("no-run/bot.py")));
}

TEST_WITH(test_record_is_found_by_name_or_heading, test_folder_make,
    test_folder_remove)
{
	struct hidden hidden = { .count = 0 };

	folder_write(test_path("games.scopa"), "");
	folder_write(test_path("renamed"), "%scopa-record 1\nmatch\n");
	folder_write(test_path("text"), "%scopa-rec");
	folder_write(test_path("scopa"), "");
	assert_int_equal(symlink("text", test_path("link.scopa")), 0);
	assert_int_equal(mkdir(test_path("folder.scopa"), 0755), 0);
	folder_write(test_path("folder.scopa/old.scopa"), "");
	assert_int_equal(
	    hidden_find(&hidden, test_folder, HIDDEN_DEPTH_MAX), 0);
	assert_int_equal(hidden.count, 3);
	assert_true(has(&hidden, "games.scopa"));
	assert_true(has(&hidden, "renamed"));
	assert_true(has(&hidden, "folder.scopa/old.scopa"));
	hidden_release(&hidden);
}

TEST_WITH(test_bot_in_the_folder_of_a_run_keeps_its_folder, test_folder_make,
    test_folder_remove)
{
	struct hidden hidden = { .count = 0 };

	folder_write(test_path("bot.py"), "");
	folder_write(test_path("config.ini"), "");
	folder_write(test_path("secret"), "");
	folder_write(test_path("results.db-wal"), "");
	assert_int_equal(
	    hidden_find(&hidden, test_folder, HIDDEN_DEPTH_MAX), 0);
	assert_int_equal(hidden.count, 3);
	assert_true(has(&hidden, "config.ini"));
	assert_true(has(&hidden, "secret"));
	assert_true(has(&hidden, "results.db-wal"));
	hidden_release(&hidden);
}
