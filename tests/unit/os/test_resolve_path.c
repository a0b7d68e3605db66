/*
 * The true name of a file is the one that realpath() finds, and each link on
 * the way is told.
 */
#include "resolve_path.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "test.h"
#include "trial.h"

enum { TOLD_SIZE = 1024 };

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
	assert_int_equal(mkdir(path_of("deep"), 0755), 0);
	assert_int_equal(mkdir(path_of("deep/er"), 0755), 0);
	trial_write(path_of("deep/er/file"));
	assert_int_equal(symlink("deep", path_of("one")), 0);
	assert_int_equal(symlink(path_of("one/er"), path_of("two")), 0);
	assert_int_equal(symlink("../two/file", path_of("deep/three")), 0);
	assert_int_equal(symlink("loop", path_of("loop")), 0);
	assert_int_equal(symlink("nothing", path_of("dangling")), 0);
	assert_int_equal(symlink("/", path_of("root")), 0);
	return 0;
}

static int
folder_clear(void **state)
{
	(void)state;
	folder_remove(folder);
	return 0;
}

/* Keeps the names of links, each with a blank behind it. */
static int
tell(void *context, const char *path)
{
	char *told = context;
	size_t length = strlen(told);

	snprintf(told + length, TOLD_SIZE - length, "%s ", strrchr(path, '/'));
	return 0;
}

static void
expect_truth(const char *path)
{
	char expected[PATH_MAX], resolved[PATH_MAX];

	assert_non_null(realpath(path, expected));
	assert_int_equal(resolve_path(path, resolved, NULL, NULL), 0);
	assert_string_equal(resolved, expected);
}

TEST_WITH(test_truth_is_that_of_realpath, folder_fill, folder_clear)
{
	static const char *const names[] = { "", "deep/er/file", "one/er/file",
		"two/file", "deep/three", "deep/../one//er/./file", "two/../er",
		"root", "root/../usr", "one/", "deep/er/" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		expect_truth(path_of(names[i]));
	expect_truth("/");
	expect_truth("/..");
	expect_truth("/bin/sh");
}

TEST_WITH(
    test_relative_path_starts_in_the_working_folder, folder_fill, folder_clear)
{
	char here[PATH_MAX];

	assert_non_null(getcwd(here, sizeof(here)));
	assert_int_equal(chdir(path_of("deep")), 0);
	expect_truth("three");
	expect_truth(".");
	expect_truth("../one");
	assert_int_equal(chdir(here), 0);
}

TEST_WITH(test_every_link_is_told_in_order, folder_fill, folder_clear)
{
	char resolved[PATH_MAX], told[TOLD_SIZE] = "";

	assert_int_equal(
	    resolve_path(path_of("deep/three"), resolved, tell, told), 0);
	assert_string_equal(told, "/three /two /one ");
}

TEST_WITH(test_what_is_not_there_has_no_truth, folder_fill, folder_clear)
{
	char resolved[PATH_MAX] = "same";

	assert_int_equal(
	    resolve_path(path_of("dangling"), resolved, NULL, NULL), -ENOENT);
	assert_int_equal(
	    resolve_path(path_of("loop"), resolved, NULL, NULL), -ELOOP);
	assert_int_equal(
	    resolve_path(path_of("deep/er/file/x"), resolved, NULL, NULL),
	    -ENOTDIR);
	assert_string_equal(resolved, "same");
}

TEST_WITH(test_path_that_is_too_long_is_refused, folder_fill, folder_clear)
{
	char resolved[PATH_MAX], path[PATH_MAX + 8];

	memset(path, '/', sizeof(path));
	path[PATH_MAX] = '\0';
	assert_int_equal(
	    resolve_path(path, resolved, NULL, NULL), -ENAMETOOLONG);
	path[PATH_MAX - 1] = '\0';
	assert_int_equal(resolve_path(path, resolved, NULL, NULL), 0);
	assert_string_equal(resolved, "/");
}

static int
refuse(void *context, const char *path)
{
	(void)context;
	(void)path;
	return -ENOMEM;
}

TEST_WITH(test_refusal_of_a_link_ends_the_search, folder_fill, folder_clear)
{
	char resolved[PATH_MAX];

	assert_int_equal(
	    resolve_path(path_of("one"), resolved, refuse, NULL), -ENOMEM);
}
