/*
 * In a box there is what its bot is left with, and nothing else.
 */
#include "namespaces.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "test.h"
#include "trial.h"

/* No trial's own answer. */
enum { NO_NAMESPACES = 124, PATH_SIZE = 128 };

static int
folder_fill(void **state)
{
	static const char *const folders[] = { "bot", "bot/run", "other",
		"tool" };
	static const char *const files[] = { "bot/bot", "bot/module",
		"bot/record", "bot/run/store", "other/file", "tool/tool" };

	(void)state;
	folder_make(test_folder);
	assert_int_equal(chmod(test_folder, 0755), 0);
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		assert_int_equal(mkdir(test_path(folders[i]), 0755), 0);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		trial_write(test_path(files[i]));
	assert_int_equal(symlink("bot", test_path("alias")), 0);
	return 0;
}

static char bot_name[] = "bot";
static char *no_arguments[] = { bot_name, NULL };

static struct file_policy_order
order_make(void)
{
	struct file_policy_order order = {
		.arguments = no_arguments,
		.boxed = true,
		.hidden = { test_path("bot/record"), test_path("bot/run") },
		.hidden_count = 2,
	};

	order.file = test_path("bot/bot");
	return order;
}

/* What runs in a box; an exit status. */
struct inside {
	const struct file_policy_order *order;
	int (*play)(const char *path);
	const char *path;
};

static int
first_play(const struct inside *inside, const struct file_policy *file_policy)
{
	int status = namespaces_settle(file_policy);

	if (status == -EPERM || status == -EACCES || status == -ENOSYS)
		return NO_NAMESPACES;
	trial_need(status == 0);
	return inside->play(inside->path);
}

static int
inside_play(void *context)
{
	const struct inside *inside = context;
	struct file_policy file_policy;
	int status;
	pid_t first;

	trial_need(file_policy_init(&file_policy, inside->order) == 0);
	if (namespaces_make() < 0)
		return NO_NAMESPACES;
	first = fork();
	if (first == 0)
		_exit(first_play(inside, &file_policy));
	file_policy_release(&file_policy);
	trial_need(waitpid(first, &status, 0) == first && WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int
play_in_box(const struct file_policy_order *order,
    int (*play)(const char *path), const char *path)
{
	struct inside inside = { order, play, path };
	int answer = trial_run(inside_play, &inside);

	if (answer == NO_NAMESPACES) {
		print_message("# no root of its own for this user here\n");
		skip();
	}
	return answer;
}

/* 0, or the errno of looking for it. */
static int
look(const char *path)
{
	struct stat found;

	return lstat(path, &found) == 0 ? 0 : errno;
}

static int
is_link(const char *path)
{
	struct stat found;

	return lstat(path, &found) == 0 && S_ISLNK(found.st_mode);
}

static int
entry_count(const char *path)
{
	DIR *open_folder = opendir(path);
	int count = 0;

	trial_need(open_folder != NULL);
	while (readdir(open_folder) != NULL)
		count++;
	closedir(open_folder);
	return count - 2;
}

TEST_WITH(test_what_is_left_is_there, folder_fill, test_folder_remove)
{
	const struct file_policy_order order = order_make();
	const char *const there[] = { "/usr/bin", "/etc/passwd", "/dev/null",
		"/dev/fd/0", "/proc/self/status", test_path("bot/bot"),
		test_path("bot/module") };

	for (size_t i = 0; i < sizeof(there) / sizeof(there[0]); i++)
		assert_int_equal(play_in_box(&order, look, there[i]), 0);
	assert_int_equal(play_in_box(&order, trial_read, "/dev/urandom"), 0);
	assert_int_equal(
	    play_in_box(&order, trial_read, test_path("bot/module")), 0);
}

TEST_WITH(test_nothing_else_is_there, folder_fill, test_folder_remove)
{
	const struct file_policy_order order = order_make();
	const char *const gone[] = { "/var", "/sys/kernel", "/etc/shadow",
		"/dev/shm", "/.nothing", test_path("other"), test_path("tool"),
		test_path("alias") };

	for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++)
		assert_int_equal(play_in_box(&order, look, gone[i]), ENOENT);
	assert_int_equal(play_in_box(&order, entry_count, test_folder), 1);
}

TEST_WITH(test_links_of_the_system_stay_links, folder_fill, test_folder_remove)
{
	const struct file_policy_order order = order_make();

	assert_int_equal(play_in_box(&order, is_link, "/bin"), is_link("/bin"));
	assert_int_equal(play_in_box(&order, look, "/bin/sh"), 0);
}

TEST_WITH(test_link_to_the_program_is_there, folder_fill, test_folder_remove)
{
	struct file_policy_order order = order_make();

	order.file = test_path("alias/bot");
	assert_int_equal(play_in_box(&order, is_link, test_path("alias")), 1);
	assert_int_equal(
	    play_in_box(&order, trial_read, test_path("alias/module")), 0);
	assert_int_equal(
	    play_in_box(&order, trial_read, test_path("bot/module")), 0);
}

static int
size_of(const char *path)
{
	struct stat found;

	trial_need(stat(path, &found) == 0);
	return (int)found.st_size;
}

TEST_WITH(test_what_is_hidden_is_empty, folder_fill, test_folder_remove)
{
	const struct file_policy_order order = order_make();

	assert_true(size_of(test_path("bot/record")) > 0);
	assert_int_equal(
	    play_in_box(&order, size_of, test_path("bot/record")), 0);
	assert_int_equal(
	    play_in_box(&order, look, test_path("bot/run/store")), ENOENT);
	assert_int_equal(play_in_box(&order, look, test_path("bot/module")), 0);
}

/* Neither made, nor written, nor removed. */
static int
change(const char *path)
{
	char new_file[PATH_SIZE];
	int fd;

	snprintf(new_file, sizeof(new_file), "%s.new", path);
	fd = open(new_file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd >= 0 || errno != EROFS)
		return 1;
	if (open(path, O_WRONLY | O_CLOEXEC) >= 0 || errno != EROFS)
		return 2;
	return unlink(path) == 0 ? 3 : 0;
}

static int
make_folder(const char *path)
{
	return mkdir(path, 0700) == 0 ? 0 : errno;
}

TEST_WITH(test_nothing_can_be_changed, folder_fill, test_folder_remove)
{
	const struct file_policy_order order = order_make();

	assert_int_equal(
	    play_in_box(&order, change, test_path("bot/module")), 0);
	assert_int_equal(play_in_box(&order, make_folder, "/new"), EROFS);
	assert_int_equal(play_in_box(&order, make_folder, "/tmp/new"), EROFS);
	assert_int_equal(play_in_box(&order, make_folder, "/dev/new"), EROFS);
	assert_int_equal(access(test_path("bot/module"), F_OK), 0);
	assert_int_equal(access(test_path("bot/module.new"), F_OK), -1);
}

static int
write_to(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	return fd >= 0 && write(fd, "x", 1) == 1;
}

TEST_WITH(test_devices_can_be_written, folder_fill, test_folder_remove)
{
	const struct file_policy_order order = order_make();

	assert_int_equal(play_in_box(&order, write_to, "/dev/null"), 1);
}

static int
unmount(const char *path)
{
	return umount2(path, MNT_DETACH) == 0 ? 0 : errno;
}

TEST_WITH(test_nothing_is_below_the_root_or_can_be_uncovered, folder_fill,
    test_folder_remove)
{
	const struct file_policy_order order = order_make();

	assert_int_equal(play_in_box(&order, look, "/../var"), ENOENT);
	assert_int_equal(
	    play_in_box(&order, unmount, test_path("bot/record")), EPERM);
	assert_int_equal(play_in_box(&order, unmount, "/"), EPERM);
}

static int
compare_here(const char *path)
{
	char here[PATH_MAX];

	return getcwd(here, sizeof(here)) != NULL && strcmp(here, path) == 0;
}

static int
inside_other(void *context)
{
	trial_need(chdir(test_path("other")) == 0);
	return inside_play(context);
}

TEST_WITH(
    test_working_folder_stays_and_is_empty, folder_fill, test_folder_remove)
{
	const struct file_policy_order order = order_make();
	struct inside inside = { &order, compare_here, test_path("other") };
	int answer = trial_run(inside_other, &inside);

	if (answer == NO_NAMESPACES)
		skip();
	assert_int_equal(answer, 1);
	inside.play = entry_count;
	assert_int_equal(trial_run(inside_other, &inside), 0);
}

static int
first_process(const char *path)
{
	char number[16] = "";

	(void)path;
	return readlink("/proc/self", number, sizeof(number) - 1) > 0 &&
	    atoi(number) == 1;
}

TEST_WITH(test_processes_are_those_of_the_box, folder_fill, test_folder_remove)
{
	const struct file_policy_order order = order_make();

	if (play_in_box(&order, entry_count, "/proc") == 0)
		skip();
	assert_int_equal(play_in_box(&order, first_process, NULL), 1);
}

/* What is wrong with the scratch folder, once something is in it. */
static int
fill_scratch(const char *path)
{
	struct stat found;

	trial_need(path != NULL && stat(path, &found) == 0);
	if (entry_count(path) != 0 || (found.st_mode & 0777) != 0700)
		return 1;
	trial_need(mkdir(FILE_POLICY_PLACE "/folder", 0700) == 0);
	trial_write(FILE_POLICY_PLACE "/folder/file");
	if (trial_read(FILE_POLICY_PLACE "/folder/file") != 0)
		return 2;
	trial_write("/dev/shm/memory");
	if (trial_read(FILE_POLICY_PLACE "/memory") != 0)
		return 3;
	return mkdir("/run/other", 0700) == 0 || errno != EROFS ? 4 : 0;
}

TEST_WITH(test_scratch_folder_is_new_and_can_be_filled, folder_fill,
    test_folder_remove)
{
	struct file_policy_order order = order_make();

	assert_int_equal(play_in_box(&order, look, FILE_POLICY_PLACE), ENOENT);
	order.scratch_kib = 64;
	for (int i = 0; i < 2; i++)
		assert_int_equal(
		    play_in_box(&order, fill_scratch, FILE_POLICY_PLACE), 0);
}

static int
overfill_scratch(const char *path)
{
	static const char page[4096];
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	int count = 0;

	trial_need(fd >= 0);
	while (count < 100 && write(fd, page, sizeof(page)) == sizeof(page))
		count++;
	return count;
}

TEST_WITH(test_scratch_folder_holds_its_size, folder_fill, test_folder_remove)
{
	struct file_policy_order order = order_make();

	order.scratch_kib = 64;
	assert_int_equal(
	    play_in_box(&order, overfill_scratch, FILE_POLICY_PLACE "/file"),
	    16);
}
