/*
 * The list of what a bot is left with; test_confinement.c tries what comes of it.
 */
#include "file_policy.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "test.h"
#include "trial.h"

enum { CROWD = 300 };

static int
folder_fill(void **state)
{
	(void)state;
	folder_make(test_folder);
	assert_int_equal(mkdir(test_path("bot"), 0755), 0);
	assert_int_equal(mkdir(test_path("bot/parts"), 0755), 0);
	trial_write(test_path("bot/bot"));
	trial_write(test_path("bot/module"));
	trial_write(test_path("bot/parts/part"));
	assert_int_equal(symlink("bot", test_path("alias")), 0);
	return 0;
}

static char bot_name[] = "bot";
static char *no_arguments[] = { bot_name, NULL };

static struct file_policy_order
order_make(const char *file, const char *hidden)
{
	struct file_policy_order order = { .arguments = no_arguments };

	order.file = test_path(file);
	if (hidden != NULL)
		order.hidden[order.hidden_count++] = test_path(hidden);
	return order;
}

/* How often this is in the list. */
static int
count(const struct file_policy *file_policy, enum file_policy_kind kind,
    const char *path)
{
	int found = 0;

	for (int i = 0; i < file_policy->count; i++)
		found += file_policy->items[i].kind == kind &&
		    strcmp(file_policy->items[i].path, path) == 0;
	return found;
}

TEST_WITH(test_folder_is_listed_once_by_its_true_name, folder_fill,
    test_folder_remove)
{
	struct file_policy_order order = order_make("alias/bot", NULL);
	struct file_policy file_policy;

	order.dir = test_path("bot/parts");
	assert_int_equal(file_policy_init(&file_policy, &order), 0);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_READ, test_path("bot")), 1);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_READ, test_path("bot/parts")), 0);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_READ, test_path("alias")), 0);
	assert_true(
	    count(&file_policy, FILE_POLICY_LINK, test_path("alias")) > 0);
	assert_int_equal(count(&file_policy, FILE_POLICY_READ, "/usr"), 1);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_WRITE, "/dev/null"), 1);
	file_policy_release(&file_policy);
}

TEST_WITH(test_folder_with_something_hidden_is_listed_by_entries, folder_fill,
    test_folder_remove)
{
	const struct file_policy_order order =
	    order_make("bot/bot", "bot/parts/part");
	struct file_policy file_policy;

	assert_int_equal(file_policy_init(&file_policy, &order), 0);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_READ, test_path("bot")), 0);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_LIST, test_path("bot")), 1);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_READ, test_path("bot/module")), 1);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_LIST, test_path("bot/parts")), 1);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_READ, test_path("bot/parts/part")),
	    0);
	assert_int_equal(count(&file_policy, FILE_POLICY_HIDDEN,
			     test_path("bot/parts/part")),
	    1);
	for (int i = 0; i < file_policy.count; i++)
		assert_int_equal(file_policy.items[i].inner,
		    strncmp(file_policy.items[i].path, test_path("bot/"),
			strlen(test_path("bot/"))) == 0 &&
			file_policy.items[i].kind != FILE_POLICY_HIDDEN);
	file_policy_release(&file_policy);
}

TEST_WITH(test_name_that_begins_like_a_hidden_one_is_another, folder_fill,
    test_folder_remove)
{
	const struct file_policy_order order = order_make("bot/bot", "bot/mod");
	struct file_policy file_policy;

	assert_int_equal(file_policy_init(&file_policy, &order), 0);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_READ, test_path("bot/module")), 1);
	file_policy_release(&file_policy);
	assert_true(file_policy_is_below("/a/b", "/a"));
	assert_true(file_policy_is_below("/a", "/a"));
	assert_false(file_policy_is_below("/ab", "/a"));
	assert_false(file_policy_is_below("/", "/a"));
}

/* Of what a program that runs others is given, the first file is the bot. */
TEST_WITH(test_argument_that_names_a_file_opens_it_alone, folder_fill,
    test_folder_remove)
{
	char script[PATH_MAX], data[PATH_MAX], record[PATH_MAX];
	char *arguments[] = { bot_name, script, data, record, NULL };
	struct file_policy_order order = { .arguments = arguments };
	struct file_policy file_policy;

	assert_int_equal(mkdir(test_path("data"), 0755), 0);
	trial_write(test_path("data/weights"));
	trial_write(test_path("data/beside"));
	trial_write(test_path("data/games.scopa"));
	strcpy(script, test_path("bot/bot"));
	strcpy(data, test_path("data/weights"));
	strcpy(record, test_path("data/games.scopa"));
	order.file = "/usr/bin/env";
	assert_int_equal(file_policy_init(&file_policy, &order), 0);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_READ, test_path("bot")), 1);
	assert_int_equal(count(&file_policy, FILE_POLICY_READ, data), 1);
	assert_int_equal(count(&file_policy, FILE_POLICY_READ, record), 0);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_READ, test_path("data")), 0);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_LIST, test_path("data")), 0);
	file_policy_release(&file_policy);
	/* A bot is no such program: all that it is given is data. */
	order.file = script;
	arguments[1] = data;
	arguments[2] = record;
	arguments[3] = NULL;
	assert_int_equal(file_policy_init(&file_policy, &order), 0);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_READ, test_path("bot")), 1);
	assert_int_equal(count(&file_policy, FILE_POLICY_READ, data), 1);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_READ, test_path("data")), 0);
	file_policy_release(&file_policy);
}

TEST_WITH(
    test_runs_and_records_are_hidden_by_kind, folder_fill, test_folder_remove)
{
	const struct file_policy_order order = order_make("bot/bot", NULL);
	struct file_policy file_policy;

	assert_int_equal(mkdir(test_path("bot/runs"), 0755), 0);
	assert_int_equal(mkdir(test_path("bot/runs/one"), 0755), 0);
	trial_write(test_path("bot/runs/one/results.db"));
	trial_write(test_path("bot/old.scopa"));
	assert_int_equal(file_policy_init(&file_policy, &order), 0);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_READ, test_path("bot")), 0);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_LIST, test_path("bot")), 1);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_READ, test_path("bot/module")), 1);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_READ, test_path("bot/old.scopa")),
	    0);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_READ, test_path("bot/runs/one")),
	    0);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_HIDDEN, test_path("bot/runs/one")),
	    1);
	assert_int_equal(
	    count(&file_policy, FILE_POLICY_HIDDEN, test_path("bot/old.scopa")),
	    1);
	file_policy_release(&file_policy);
}

TEST_WITH(test_working_folder_is_listed, folder_fill, test_folder_remove)
{
	const struct file_policy_order order = order_make("bot/bot", NULL);
	struct file_policy file_policy;
	char here[PATH_MAX];

	assert_non_null(getcwd(here, sizeof(here)));
	assert_int_equal(file_policy_init(&file_policy, &order), 0);
	assert_int_equal(count(&file_policy, FILE_POLICY_FOLDER, here), 1);
	file_policy_release(&file_policy);
}

TEST_WITH(test_list_has_room_for_all, folder_fill, test_folder_remove)
{
	struct file_policy_order order;
	struct file_policy file_policy;
	char name[32];

	for (int i = 0; i < CROWD; i++) {
		snprintf(name, sizeof(name), "bot/%d", i);
		trial_write(test_path(name));
	}
	order = order_make("bot/bot", "bot/bot");
	assert_int_equal(file_policy_init(&file_policy, &order), 0);
	for (int i = 0; i < CROWD; i++) {
		snprintf(name, sizeof(name), "bot/%d", i);
		assert_int_equal(
		    count(&file_policy, FILE_POLICY_READ, test_path(name)), 1);
	}
	file_policy_release(&file_policy);
}
