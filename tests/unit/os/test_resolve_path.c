/*
 * The resolved path of a file is that of realpath(), and each symbolic link in
 * it is reported; the interpreter of a script and the loader of a program.
 */
#include "resolve_path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "test.h"
#include "trial.h"

enum { LINKS_SIZE = 1024 };

static int
folder_fill(void **state)
{
	static const char *const folders[] = { "deep", "deep/er", "bin", NULL };
	static const char *const files[] = { "deep/er/file", "bin/tool", NULL };

	(void)state;
	trial_fill(folders, files);
	assert_int_equal(symlink("deep", test_path("one")), 0);
	assert_int_equal(symlink(test_path("one/er"), test_path("two")), 0);
	assert_int_equal(symlink("../two/file", test_path("deep/three")), 0);
	assert_int_equal(symlink("loop", test_path("loop")), 0);
	assert_int_equal(symlink("nothing", test_path("dangling")), 0);
	assert_int_equal(symlink("/", test_path("root")), 0);
	assert_int_equal(chmod(test_path("bin/tool"), 0755), 0);
	return 0;
}

TEST_EACH(folder_fill, test_folder_remove)

/* Adds the name of a link and a blank to the text. */
static int
add_link(void *context, const char *path)
{
	char *links = context;
	size_t length = strlen(links);

	snprintf(
	    links + length, LINKS_SIZE - length, "%s ", strrchr(path, '/'));
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

TEST(test_path_is_equal_to_that_of_realpath)
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

TEST(test_relative_path_starts_in_the_working_folder)
{
	char here[PATH_MAX];

	assert_non_null(getcwd(here, sizeof(here)));
	assert_int_equal(chdir(test_path("deep")), 0);
	expect_realpath("three");
	expect_realpath(".");
	expect_realpath("../one");
	assert_int_equal(chdir("/"), 0);
	expect_realpath("bin/sh");
	expect_realpath("..");
	assert_int_equal(chdir(here), 0);
}

TEST(test_every_link_is_reported_in_order)
{
	char resolved[PATH_MAX], links[LINKS_SIZE] = "";

	assert_int_equal(
	    resolve_path(test_path("deep/three"), resolved, add_link, links),
	    0);
	assert_string_equal(links, "/three /two /one ");
}

TEST(test_missing_file_has_no_path)
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

TEST(test_path_that_is_too_long_is_refused)
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

TEST(test_error_of_the_callback_ends_the_search)
{
	char resolved[PATH_MAX];

	assert_int_equal(
	    resolve_path(test_path("one"), resolved, refuse, NULL), -ENOMEM);
}

/* The program that the kernel starts for a script. */

enum { PATH_SIZE = 128, LONG_SIZE = 1000 };

/* Writes `file` in the folder of the test; returns its path. */
static const char *
file_make(const char *bytes, size_t size)
{
	const char *path = test_path("file");
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
	return path;
}

static void
expect_interpreter(const char *text, const char *expected)
{
	char interpreter[INTERPRETER_SIZE];
	const char *path = file_make(text, strlen(text));
	bool found = interpreter_read(path, interpreter);

	assert_int_equal(found, expected != NULL);
	if (found)
		assert_string_equal(interpreter, expected);
}

TEST(test_interpreter_is_the_first_word)
{
	expect_interpreter("#!/bin/sh\n", "/bin/sh");
	expect_interpreter("#! \t/bin/sh -eu\nexit\n", "/bin/sh");
	expect_interpreter("#!/bin/sh", "/bin/sh");
	expect_interpreter("#!/bin/sh\r\n", "/bin/sh\r");
	expect_interpreter("#!\n/bin/sh\n", NULL);
	expect_interpreter("#! \n", NULL);
	expect_interpreter("#", NULL);
	expect_interpreter("", NULL);
	expect_interpreter(" #!/bin/sh\n", NULL);
}

TEST(test_line_without_an_end_is_cut)
{
	char text[LONG_SIZE], interpreter[INTERPRETER_SIZE];

	memset(text, 'x', sizeof(text));
	memcpy(text, "#!/", 3);
	assert_true(
	    interpreter_read(file_make(text, sizeof(text)), interpreter));
	assert_int_equal(strlen(interpreter), INTERPRETER_SIZE - 3);
}

TEST(test_file_that_would_block_is_not_read)
{
	char interpreter[INTERPRETER_SIZE], loader[PATH_MAX];

	assert_int_equal(mkfifo(test_path("fifo"), 0600), 0);
	assert_false(interpreter_read(test_path("fifo"), interpreter));
	assert_false(interpreter_loader(test_path("fifo"), loader));
	assert_false(interpreter_read(test_folder, interpreter));
	assert_false(interpreter_loader(test_folder, loader));
	assert_false(interpreter_read(test_path("nothing"), interpreter));
	assert_false(interpreter_loader(test_path("nothing"), loader));
}

static void
expect_command(const char *text, const char *expected)
{
	char search_path[2 * PATH_SIZE], command[PATH_MAX];
	const char *path = file_make(text, strlen(text));
	bool found;

	snprintf(search_path, sizeof(search_path), "/no/such:%s:/bin",
	    test_path("bin"));
	found = interpreter_command(path, search_path, command);
	assert_int_equal(found, expected != NULL);
	if (found)
		assert_string_equal(command, expected);
	assert_false(interpreter_command(path, "", command));
	assert_false(interpreter_command(path, NULL, command));
}

TEST(test_command_of_env_is_found_in_the_search_path)
{
	expect_command("#!/usr/bin/env tool\n", test_path("bin/tool"));
	expect_command("#!/bin/env\ttool -u\n", test_path("bin/tool"));
	expect_command(
	    "#!/usr/bin/env -S A=b tool -u\n", test_path("bin/tool"));
	expect_command("#!/usr/bin/env -iS tool\n", test_path("bin/tool"));
	expect_command("#!/usr/bin/env -S -u /some/file tool\n", NULL);
	expect_command("#!/usr/bin/env -S --unset /some/file tool\n", NULL);
	expect_command("#!/usr/bin/env no-such-tool\n", NULL);
	expect_command("#!/usr/bin/env\n", NULL);
	expect_command("#!/bin/environment tool\n", NULL);
	expect_command("#!/usr/../some/env tool\n", NULL);
	expect_command("tool\n", NULL);
}

TEST(test_env_may_name_a_file)
{
	const char *text = "#!/usr/bin/env /some/tool\n";
	char command[PATH_MAX];

	assert_true(
	    interpreter_command(file_make(text, strlen(text)), NULL, command));
	assert_string_equal(command, "/some/tool");
}

TEST(test_loader_of_a_program_is_found)
{
	char loader[PATH_MAX];

	assert_true(interpreter_loader("/proc/self/exe", loader));
	assert_int_equal(access(loader, X_OK), 0);
}

/* A program that is cut at any byte gives no loader or the right one. */
TEST(test_incomplete_program_is_read_safely)
{
	char bytes[4096], loader[PATH_MAX], whole[PATH_MAX];
	FILE *self = fopen("/proc/self/exe", "re");
	int found = 0;

	assert_non_null(self);
	assert_int_equal(fread(bytes, 1, sizeof(bytes), self), sizeof(bytes));
	assert_int_equal(fclose(self), 0);
	assert_true(interpreter_loader("/proc/self/exe", whole));
	for (size_t size = 0; size <= sizeof(bytes); size += 8) {
		if (!interpreter_loader(file_make(bytes, size), loader))
			continue;
		assert_string_equal(loader, whole);
		found++;
	}
	assert_true(found > 0);
	assert_true(found < (int)sizeof(bytes) / 8);
}
