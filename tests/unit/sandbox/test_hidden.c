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

static char folder[FOLDER_SIZE];

static const char *
path_of(const char *name)
{
	return folder_path(folder, name);
}

static int
folder_fill(void **state)
{
	(void)state;
	folder_make(folder);
	return 0;
}

static int
folder_clear(void **state)
{
	(void)state;
	folder_remove(folder);
	return 0;
}

static void
make(const char *parent, const char *first, const char *second)
{
	assert_int_equal(mkdir(path_of(parent), 0755), 0);
	folder_write(folder_path(path_of(parent), first), "");
	folder_write(folder_path(path_of(parent), second), "");
}

static bool
has(const struct hidden *hidden, const char *name)
{
	for (int i = 0; i < hidden->count; i++)
		if (strcmp(hidden->paths[i], path_of(name)) == 0)
			return true;
	return false;
}

TEST_WITH(test_folder_of_a_run_is_found_by_its_files, folder_fill, folder_clear)
{
	struct hidden hidden = { .count = 0 };

	make("announced", "config.ini", "secret");
	make("begun", "results.db", "log");
	make("no-run", "config.ini", "bot.py");
	make("secrets", "secret", "records.txt");
	assert_int_equal(mkdir(path_of("deep"), 0755), 0);
	make("deep/run", "config.ini", "records.scopa");
	assert_int_equal(hidden_find(&hidden, folder, HIDDEN_DEPTH_MAX), 0);
	assert_int_equal(hidden.count, 3);
	assert_true(has(&hidden, "announced"));
	assert_true(has(&hidden, "begun"));
	assert_true(has(&hidden, "deep/run"));
	hidden_release(&hidden);
	assert_int_equal(hidden_find(&hidden, folder, 0), 0);
	assert_int_equal(hidden.count, 0);
	assert_true(hidden_is_run(path_of("begun")));
	assert_false(hidden_is_run(path_of("no-run")));
	assert_false(hidden_is_run(path_of("missing")));
	assert_true(hidden_is_in_run(path_of("begun/log")));
	assert_true(hidden_is_in_run(path_of("begun")));
	assert_false(hidden_is_in_run(path_of("no-run/bot.py")));
}

TEST_WITH(test_record_is_found_by_name_or_heading, folder_fill, folder_clear)
{
	struct hidden hidden = { .count = 0 };

	folder_write(path_of("games.scopa"), "");
	folder_write(path_of("renamed"), "%scopa-record 1\nmatch\n");
	folder_write(path_of("text"), "%scopa-rec");
	folder_write(path_of("scopa"), "");
	assert_int_equal(symlink("text", path_of("link.scopa")), 0);
	assert_int_equal(mkdir(path_of("folder.scopa"), 0755), 0);
	folder_write(path_of("folder.scopa/old.scopa"), "");
	assert_int_equal(hidden_find(&hidden, folder, HIDDEN_DEPTH_MAX), 0);
	assert_int_equal(hidden.count, 3);
	assert_true(has(&hidden, "games.scopa"));
	assert_true(has(&hidden, "renamed"));
	assert_true(has(&hidden, "folder.scopa/old.scopa"));
	hidden_release(&hidden);
	assert_true(hidden_is_record("a/games.scopa"));
	assert_false(hidden_is_record(".scopa"));
}

TEST_WITH(
    test_bot_in_the_folder_of_a_run_keeps_its_folder, folder_fill, folder_clear)
{
	struct hidden hidden = { .count = 0 };

	folder_write(path_of("bot.py"), "");
	folder_write(path_of("config.ini"), "");
	folder_write(path_of("secret"), "");
	folder_write(path_of("results.db-wal"), "");
	assert_int_equal(hidden_find(&hidden, folder, HIDDEN_DEPTH_MAX), 0);
	assert_int_equal(hidden.count, 3);
	assert_true(has(&hidden, "config.ini"));
	assert_true(has(&hidden, "secret"));
	assert_true(has(&hidden, "results.db-wal"));
	hidden_release(&hidden);
}
