/*
 * The list of files that a bot may use; test_confinement.c tests its effect.
 * Runs and records are found by their kind, in any folder.
 */
#include "file_policy.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "countof.h"
#include "folder.h"
#include "test.h"
#include "trial.h"

enum { CROWD = 300 };

static int
folder_fill(void **state)
{
	static const char *const folders[] = { "bot", "bot/parts", NULL };
	static const char *const files[] = { "bot/bot", "bot/module",
		"bot/parts/part", NULL };

	(void)state;
	trial_fill(folders, files);
	return 0;
}

TEST_EACH(folder_fill, test_folder_remove)

static struct file_policy_order
order_make(const char *file, const char *hidden)
{
	struct file_policy_order order = { .arguments = trial_arguments };

	order.file = test_path(file);
	if (hidden != NULL)
		order.hidden[order.hidden_count++] = test_path(hidden);
	return order;
}

/*
 * How often a path is in a list with this kind; relative to the folder of the
 * test.
 */
struct listed {
	enum file_policy_kind kind;
	const char *path;
	int count;
};

static void
expect_one(const struct file_policy *file_policy, const struct listed *listed)
{
	const char *path =
	    *listed->path == '/' ? listed->path : test_path(listed->path);
	int found = 0;

	for (int i = 0; i < file_policy->count; i++)
		found += file_policy->items[i].kind == listed->kind &&
		    strcmp(file_policy->items[i].path, path) == 0;
	if (found != listed->count)
		fail_msg("%s: %d times, not %d", path, found, listed->count);
}

/* Expects all rows up to the first without a path. */
static void
expect_list(const struct file_policy_order *order, const struct listed *listed)
{
	struct file_policy file_policy;

	assert_int_equal(file_policy_init(&file_policy, order), 0);
	for (; listed->path != NULL; listed++)
		expect_one(&file_policy, listed);
	/* Only files in the folder of the bot are inner ones. */
	for (int i = 0; i < file_policy.count && order->hidden_count > 0; i++)
		assert_int_equal(file_policy.items[i].inner,
		    strncmp(file_policy.items[i].path, test_path("bot/"),
			strlen(test_path("bot/"))) == 0 &&
			file_policy.items[i].kind != FILE_POLICY_HIDDEN);
	file_policy_release(&file_policy);
}

#define EXPECT_LIST(order, ...) \
	expect_list(            \
	    order, (const struct listed[]){ __VA_ARGS__, { .path = NULL } })

TEST(test_folder_is_listed_once_by_its_resolved_path)
{
	struct file_policy_order order = order_make("alias/bot", NULL);
	char here[PATH_MAX];

	order.dir = test_path("bot/parts");
	assert_non_null(getcwd(here, sizeof(here)));
	EXPECT_LIST(&order, { FILE_POLICY_READ, "bot", 1 },
	    { FILE_POLICY_READ, "bot/parts", 0 },
	    { FILE_POLICY_READ, "alias", 0 }, { FILE_POLICY_LINK, "alias", 2 },
	    { FILE_POLICY_READ, "/usr", 1 },
	    { FILE_POLICY_WRITE, "/dev/null", 1 },
	    { FILE_POLICY_FOLDER, here, 1 });
}

TEST(test_folder_with_a_hidden_file_is_listed_by_its_entries)
{
	const struct file_policy_order order =
	    order_make("bot/bot", "bot/parts/part");

	EXPECT_LIST(&order, { FILE_POLICY_READ, "bot", 0 },
	    { FILE_POLICY_LIST, "bot", 1 },
	    { FILE_POLICY_READ, "bot/module", 1 },
	    { FILE_POLICY_LIST, "bot/parts", 1 },
	    { FILE_POLICY_READ, "bot/parts/part", 0 },
	    { FILE_POLICY_HIDDEN, "bot/parts/part", 1 });
}

TEST(test_name_that_starts_with_a_hidden_name_is_not_hidden)
{
	const struct file_policy_order order = order_make("bot/bot", "bot/mod");

	EXPECT_LIST(&order, { FILE_POLICY_READ, "bot/module", 1 });
	assert_true(file_policy_is_below("/a/b", "/a"));
	assert_true(file_policy_is_below("/a", "/a"));
	assert_false(file_policy_is_below("/ab", "/a"));
	assert_false(file_policy_is_below("/", "/a"));
}

/* The first file in the arguments of a program that runs others is the bot. */
TEST(test_file_in_an_argument_is_readable_without_its_folder)
{
	char script[PATH_MAX], data[PATH_MAX], record[PATH_MAX];
	char *arguments[] = { trial_arguments[0], script, data, record, NULL };
	struct file_policy_order order = { .arguments = arguments };

	assert_int_equal(mkdir(test_path("data"), 0755), 0);
	trial_write(test_path("data/weights"));
	trial_write(test_path("data/games.scopa"));
	strcpy(script, test_path("bot/bot"));
	strcpy(data, test_path("data/weights"));
	strcpy(record, test_path("data/games.scopa"));
	/* A bot is no such program: all its arguments are data. */
	for (int is_bot = 0; is_bot < 2; is_bot++) {
		order.file = is_bot ? script : "/usr/bin/env";
		order.arguments = arguments + is_bot;
		EXPECT_LIST(&order, { FILE_POLICY_READ, "bot", 1 },
		    { FILE_POLICY_READ, data, 1 },
		    { FILE_POLICY_READ, record, 0 },
		    { FILE_POLICY_READ, "data", 0 },
		    { FILE_POLICY_LIST, "data", 0 });
	}
}

/* Its first part exists, but is not the script. */
TEST(test_argument_that_is_no_whole_list_is_skipped)
{
	char option[PATH_MAX], script[PATH_MAX];
	char *arguments[] = { trial_arguments[0], option, script, NULL };
	const struct file_policy_order order = { .file = "/usr/bin/env",
		.arguments = arguments };

	assert_int_equal(mkdir(test_path("data"), 0755), 0);
	trial_write(test_path("data/note"));
	trial_write(test_path("bot/old.scopa"));
	snprintf(option, sizeof(option), "%s:opt", test_path("data/note"));
	strcpy(script, test_path("bot/bot"));
	EXPECT_LIST(&order, { FILE_POLICY_LIST, "bot", 1 },
	    { FILE_POLICY_READ, "bot/module", 1 },
	    { FILE_POLICY_HIDDEN, "bot/old.scopa", 1 },
	    { FILE_POLICY_READ, "data/note", 0 },
	    { FILE_POLICY_READ, "data", 0 });
}

TEST(test_link_beside_programs_leads_to_no_other_place)
{
	struct file_policy_order order;

	assert_int_equal(mkdir(test_path("secret"), 0755), 0);
	assert_int_equal(mkdir(test_path("bot/bin"), 0755), 0);
	assert_int_equal(mkdir(test_path("bot/lib"), 0755), 0);
	assert_int_equal(symlink("lib", test_path("bot/lib64")), 0);
	assert_int_equal(symlink("../secret", test_path("bot/share")), 0);
	trial_write(test_path("bot/bin/bot"));
	order = order_make("bot/bin/bot", NULL);
	EXPECT_LIST(&order, { FILE_POLICY_READ, "bot/bin", 1 },
	    { FILE_POLICY_READ, "bot/lib", 1 },
	    { FILE_POLICY_LINK, "bot/lib64", 1 },
	    { FILE_POLICY_READ, "secret", 0 });
}

TEST(test_runs_and_records_are_hidden_by_kind)
{
	const struct file_policy_order order = order_make("bot/bot", NULL);

	assert_int_equal(mkdir(test_path("bot/runs"), 0755), 0);
	assert_int_equal(mkdir(test_path("bot/runs/one"), 0755), 0);
	trial_write(test_path("bot/runs/one/results.db"));
	trial_write(test_path("bot/old.scopa"));
	EXPECT_LIST(&order, { FILE_POLICY_READ, "bot", 0 },
	    { FILE_POLICY_LIST, "bot", 1 },
	    { FILE_POLICY_READ, "bot/module", 1 },
	    { FILE_POLICY_HIDDEN, "bot/runs/one", 1 },
	    { FILE_POLICY_HIDDEN, "bot/old.scopa", 1 },
	    { FILE_POLICY_READ, "bot/runs/one", 0 },
	    { FILE_POLICY_READ, "bot/old.scopa", 0 });
}

TEST(test_runs_and_records_beside_an_interpreter_are_hidden)
{
	char text[PATH_MAX + 8];
	struct file_policy_order order;

	assert_int_equal(mkdir(test_path("tools"), 0755), 0);
	assert_int_equal(mkdir(test_path("tools/run"), 0755), 0);
	assert_int_equal(symlink("/bin/sh", test_path("tools/sh")), 0);
	trial_write(test_path("tools/run/results.db"));
	trial_write(test_path("tools/old.scopa"));
	snprintf(text, sizeof(text), "#!%s\n", test_path("tools/sh"));
	folder_write(test_path("bot/bot"), text);
	order = order_make("bot/bot", NULL);
	EXPECT_LIST(&order, { FILE_POLICY_LIST, "tools", 1 },
	    { FILE_POLICY_READ, "tools", 0 },
	    { FILE_POLICY_HIDDEN, "tools/run", 1 },
	    { FILE_POLICY_HIDDEN, "tools/old.scopa", 1 });
	/* The same without a script. */
	order = order_make("tools/sh", NULL);
	EXPECT_LIST(&order, { FILE_POLICY_READ, "tools", 0 },
	    { FILE_POLICY_HIDDEN, "tools/run", 1 });
}

/* As at an interpreter of the bot, or at a program of PATH. */
TEST(test_runs_and_records_beside_a_folder_of_programs_are_hidden)
{
	static const char *const folders[] = { "bot/bin", "bot/lib",
		"bot/lib/run", "bot/share", "bot/share/deep" };
	static const char *const files[] = { "bot/bin/bot", "bot/lib/module",
		"bot/lib/run/results.db", "bot/share/deep/old.scopa" };
	struct file_policy_order order;

	for (int i = 0; i < COUNTOF(folders); i++)
		assert_int_equal(mkdir(test_path(folders[i]), 0755), 0);
	for (int i = 0; i < COUNTOF(files); i++)
		trial_write(test_path(files[i]));
	for (int is_path = 0; is_path < 2; is_path++) {
		order = order_make(
		    is_path ? "bot/parts/part" : "bot/bin/bot", NULL);
		order.search_path = is_path ? test_path("bot/bin") : NULL;
		EXPECT_LIST(&order, { FILE_POLICY_READ, "bot/lib/module", 1 },
		    { FILE_POLICY_HIDDEN, "bot/lib/run", 1 },
		    { FILE_POLICY_LIST, "bot/share", 1 },
		    { FILE_POLICY_READ, "bot/share", 0 },
		    { FILE_POLICY_HIDDEN, "bot/share/deep/old.scopa", 1 });
	}
}

TEST(test_list_contains_all_entries_of_a_large_folder)
{
	struct file_policy_order order;

	for (int i = 0; i < CROWD; i++) {
		char name[32];

		snprintf(name, sizeof(name), "bot/%d", i);
		trial_write(test_path(name));
	}
	order = order_make("bot/bot", "bot/bot");
	EXPECT_LIST(&order, { FILE_POLICY_READ, "bot/0", 1 },
	    { FILE_POLICY_READ, "bot/150", 1 },
	    { FILE_POLICY_READ, "bot/299", 1 });
}

static void
make(const char *parent, const char *first, const char *second)
{
	assert_int_equal(mkdir(test_path(parent), 0755), 0);
	folder_write(folder_path(test_path(parent), first), "");
	folder_write(folder_path(test_path(parent), second), "");
}

/* These three are hidden, and nothing else. */
static void
expect_hidden(const char *const names[3])
{
	struct hidden hidden = { .count = 0 };

	assert_int_equal(
	    hidden_find(&hidden, test_folder, HIDDEN_DEPTH_MAX), 0);
	assert_int_equal(hidden.count, 3);
	for (int i = 0; i < 3; i++) {
		bool found = false;

		for (int k = 0; k < hidden.count; k++)
			found |=
			    strcmp(hidden.paths[k], test_path(names[i])) == 0;
		if (!found)
			fail_msg("%s is not hidden", names[i]);
	}
	hidden_release(&hidden);
}

TEST(test_folder_of_a_run_is_recognized_by_its_files)
{
	struct hidden hidden = { .count = 0 };

	make("announced", "config.ini", "secret");
	make("begun", "results.db", "log");
	make("no-run", "config.ini", "bot.py");
	make("secrets", "secret", "records.txt");
	assert_int_equal(mkdir(test_path("deep"), 0755), 0);
	make("deep/run", "config.ini", "records.scopa");
	expect_hidden(
	    (const char *const[]){ "announced", "begun", "deep/run" });
	assert_int_equal(hidden_find(&hidden, test_folder, 0), 0);
	assert_int_equal(hidden.count, 0);
	hidden_release(&hidden);
	assert_true(hidden_is_in_run(test_path("begun/log")));
	assert_true(hidden_is_in_run(test_path("begun")));
	assert_false(hidden_is_in_run(test_path("no-run/bot.py")));
}

TEST(test_folder_is_searched_again_only_if_deeper)
{
	struct hidden hidden = { .count = 0 };

	make("run", "config.ini", "secret");
	assert_int_equal(hidden_find(&hidden, test_folder, 0), 0);
	assert_int_equal(hidden.count, 0);
	assert_int_equal(hidden_find(&hidden, test_folder, 1), 0);
	assert_int_equal(hidden.count, 1);
	make("later", "config.ini", "secret");
	assert_int_equal(hidden_find(&hidden, test_folder, 0), 0);
	assert_int_equal(hidden_find(&hidden, test_folder, 1), 0);
	assert_int_equal(hidden.count, 1);
	hidden_release(&hidden);
}

TEST(test_record_is_recognized_by_its_name_or_first_line)
{
	folder_write(test_path("games.scopa"), "");
	folder_write(test_path("renamed"), "%scopa-record 1\nmatch\n");
	folder_write(test_path("text"), "%scopa-rec");
	folder_write(test_path("scopa"), "");
	assert_int_equal(symlink("text", test_path("link.scopa")), 0);
	assert_int_equal(mkdir(test_path("folder.scopa"), 0755), 0);
	folder_write(test_path("folder.scopa/old.scopa"), "");
	expect_hidden((const char *const[]){
	    "games.scopa", "renamed", "folder.scopa/old.scopa" });
}

TEST(test_only_files_of_the_run_are_hidden_if_the_bot_is_in_its_folder)
{
	folder_write(test_path("bot.py"), "");
	folder_write(test_path("config.ini"), "");
	folder_write(test_path("secret"), "");
	folder_write(test_path("results.db-wal"), "");
	expect_hidden(
	    (const char *const[]){ "config.ini", "secret", "results.db-wal" });
}
