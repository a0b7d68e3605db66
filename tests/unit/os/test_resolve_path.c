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

static int
folder_fill(void **state)
{
	(void)state;
	folder_make(test_folder);
	assert_int_equal(mkdir(test_path("deep"), 0755), 0);
	assert_int_equal(mkdir(test_path("deep/er"), 0755), 0);
	trial_write(test_path("deep/er/file"));
	assert_int_equal(symlink("deep", test_path("one")), 0);
	assert_int_equal(symlink(test_path("one/er"), test_path("two")), 0);
	assert_int_equal(symlink("../two/file", test_path("deep/three")), 0);
	assert_int_equal(symlink("loop", test_path("loop")), 0);
	assert_int_equal(symlink("nothing", test_path("dangling")), 0);
	assert_int_equal(symlink("/", test_path("root")), 0);
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
expect_realpath(const char *path)
{
	char expected[PATH_MAX], resolved[PATH_MAX];

	assert_non_null(realpath(path, expected));
	assert_int_equal(resolve_path(path, resolved, NULL, NULL), 0);
	assert_string_equal(resolved, expected);
}

TEST_WITH(test_path_is_that_of_realpath, folder_fill, test_folder_remove)
{
	static const char *const names[] = { "", "deep/er/file", "one/er/file",
		"two/file", "deep/three", "deep/../one//er/./file", "two/../er",
		"root", "root/../usr", "one/", "deep/er/" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		expect_realpath(test_path(names[i]));
	expect_realpath("/");
	expect_realpath("/..");
	expect_realpath("/bin/sh");
}

TEST_WITH(test_relative_path_starts_in_the_working_folder, folder_fill,
    test_folder_remove)
{
	char here[PATH_MAX];

	assert_non_null(getcwd(here, sizeof(here)));
	assert_int_equal(chdir(test_path("deep")), 0);
	expect_realpath("three");
	expect_realpath(".");
	expect_realpath("../one");
	assert_int_equal(chdir(here), 0);
}

TEST_WITH(test_every_link_is_told_in_order, folder_fill, test_folder_remove)
{
	char resolved[PATH_MAX], told[TOLD_SIZE] = "";

	assert_int_equal(
	    resolve_path(test_path("deep/three"), resolved, tell, told), 0);
	assert_string_equal(told, "/three /two /one ");
}

TEST_WITH(test_what_is_not_there_has_no_path, folder_fill, test_folder_remove)
{
	char resolved[PATH_MAX] = "same";

	assert_int_equal(
	    resolve_path(test_path("dangling"), resolved, NULL, NULL), -ENOENT);
	assert_int_equal(
	    resolve_path(test_path("loop"), resolved, NULL, NULL), -ELOOP);
	assert_int_equal(
	    resolve_path(test_path("deep/er/file/x"), resolved, NULL, NULL),
	    -ENOTDIR);
	assert_string_equal(resolved, "same");
}

TEST_WITH(
    test_path_that_is_too_long_is_refused, folder_fill, test_folder_remove)
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

TEST_WITH(
    test_refusal_of_a_link_ends_the_search, folder_fill, test_folder_remove)
{
	char resolved[PATH_MAX];

	assert_int_equal(
	    resolve_path(test_path("one"), resolved, refuse, NULL), -ENOMEM);
}
