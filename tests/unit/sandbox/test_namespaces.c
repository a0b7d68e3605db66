/*
 * In its namespaces a bot finds the files that it may use, and nothing else: no
 * other file, no process, no network.
 */
#include "namespaces.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "folder.h"
#include "test.h"
#include "trial.h"

enum { PATH_SIZE = 128 };

static int
folder_fill(void **state)
{
	static const char *const folders[] = { "bot", "bot/run", "other",
		"tool", "here", NULL };
	static const char *const files[] = { "bot/bot", "bot/module",
		"bot/record", "bot/run/store", "other/file", "tool/tool",
		"here/file", NULL };

	(void)state;
	trial_fill(folders, files);
	return 0;
}

TEST_EACH(folder_fill, test_folder_remove)

static struct file_policy_order
order_make(void)
{
	struct file_policy_order order = {
		.arguments = trial_arguments,
		.boxed = true,
		.hidden = { test_path("bot/record"), test_path("bot/run") },
		.hidden_count = 2,
	};

	order.file = test_path("bot/bot");
	return order;
}

/* A function to run in the namespaces; it returns an exit status. */
struct inside {
	const struct file_policy_order *order; /* NULL: all files can be used */
	int (*play)(const char *path);
	const char *path;
};

static int
first_play(void *context)
{
	const struct inside *inside = context;

	return inside->play(inside->path);
}

static int
inside_play(void *context)
{
	const struct inside *inside = context;
	struct file_policy files;

	trial_need(chdir(test_path("here")) == 0);
	trial_need(inside->order == NULL ||
	    file_policy_init(&files, inside->order) == 0);
	return trial_run_boxed(
	    inside->order != NULL ? &files : NULL, first_play, context);
}

static int
play_in_box(const struct file_policy_order *order,
    int (*play)(const char *path), const char *path)
{
	struct inside inside = { order, play, path };
	int answer = trial_run(inside_play, &inside);

	if (answer == TRIAL_NO_BOX) {
		print_message("# this user may not make namespaces here\n");
		skip();
	}
	return answer;
}

/* 0, or the errno of lstat(). */
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
is_working_folder(const char *path)
{
	char here[PATH_MAX];

	return getcwd(here, sizeof(here)) != NULL && strcmp(here, path) == 0;
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

static int
size_of(const char *path)
{
	struct stat found;

	trial_need(stat(path, &found) == 0);
	return (int)found.st_size;
}

/* 0 if the file cannot be written or removed, and none be made beside it. */
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

static int
write_to(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	return fd >= 0 && write(fd, "x", 1) == 1;
}

static int
unmount(const char *path)
{
	return umount2(path, MNT_DETACH) == 0 ? 0 : errno;
}

/*
 * Paths that do not begin with a slash are relative to the folder of the test.
 */
static const struct {
	int (*play)(const char *path);
	const char *path;
	int answer;
} box[] = {
	/* Files that the bot may use exist. */
	{ look, "/usr/bin", 0 },
	{ look, "/etc/passwd", 0 },
	{ look, "/dev/null", 0 },
	{ look, "/dev/fd/0", 0 },
	{ look, "/proc/self/status", 0 },
	{ look, "/bin/sh", 0 },
	{ look, "bot/bot", 0 },
	{ trial_read, "/dev/urandom", 0 },
	{ trial_read, "bot/module", 0 },
	/* No other file exists. */
	{ look, "/var", ENOENT },
	{ look, "/sys/kernel", ENOENT },
	{ look, "/etc/shadow", ENOENT },
	{ look, "/dev/shm", ENOENT },
	{ look, "/.nothing", ENOENT },
	{ look, "other", ENOENT },
	{ look, "tool", ENOENT },
	{ look, "alias", ENOENT },
	{ look, "/../var", ENOENT },
	{ entry_count, "", 2 },
	/* The working folder is kept, and is empty. */
	{ is_working_folder, "here", 1 },
	{ entry_count, "here", 0 },
	/* Hidden files are empty. */
	{ size_of, "bot/record", 0 },
	{ look, "bot/run/store", ENOENT },
	/* Nothing can be changed or uncovered. */
	{ change, "bot/module", 0 },
	{ make_folder, "/new", EROFS },
	{ make_folder, "/tmp/new", EROFS },
	{ make_folder, "/dev/new", EROFS },
	{ unmount, "bot/record", EPERM },
	{ unmount, "/", EPERM },
	/* Devices can be written. */
	{ write_to, "/dev/null", 1 },
};

/* Whether this is a folder above the folder of the test. */
static bool
leads_to_test_folder(const char *path)
{
	char above[PATH_MAX];
	size_t length;

	if (realpath(path, above) == NULL)
		return false;
	length = strlen(above);
	return strncmp(test_folder, above, length) == 0 &&
	    test_folder[length] == '/';
}

TEST(test_bot_finds_only_the_files_that_it_may_use)
{
	const struct file_policy_order order = order_make();

	assert_true(size_of(test_path("bot/record")) > 0);
	for (size_t i = 0; i < COUNTOF(box); i++) {
		const char *path =
		    *box[i].path == '/' ? box[i].path : test_path(box[i].path);
		int answer;

		/* The folders above that of the bot exist. */
		if (box[i].play == look && leads_to_test_folder(path))
			continue;
		answer = play_in_box(&order, box[i].play, path);
		if (answer != box[i].answer)
			fail_msg("row %zu, %s: %d", i, path, answer);
	}
	assert_int_equal(access(test_path("bot/module"), F_OK), 0);
	assert_int_equal(access(test_path("bot/module.new"), F_OK), -1);
}

TEST(test_links_exist_as_links)
{
	struct file_policy_order order = order_make();

	assert_int_equal(play_in_box(&order, is_link, "/bin"), is_link("/bin"));
	order.file = test_path("alias/bot");
	assert_int_equal(play_in_box(&order, is_link, test_path("alias")), 1);
	assert_int_equal(
	    play_in_box(&order, trial_read, test_path("alias/module")), 0);
	assert_int_equal(
	    play_in_box(&order, trial_read, test_path("bot/module")), 0);
}

/*
 * What the first process in the namespaces can see, and the end of the other
 * processes.
 */

/* The number of processes in /proc except the caller. */
static int
others_seen(const char *path)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	int count = 0;

	(void)path;
	trial_need(proc != NULL);
	while ((entry = readdir(proc)) != NULL)
		count += isdigit((unsigned char)entry->d_name[0]) &&
		    atoi(entry->d_name) != getpid();
	closedir(proc);
	return count < 90 ? count : 90;
}

static int
number_is_one(const char *path)
{
	(void)path;
	return getpid() == 1 && getppid() == 0;
}

static uid_t outer_user;
static gid_t outer_group;

static int
is_same_user(const char *path)
{
	(void)path;
	return getuid() == outer_user && getgid() == outer_group;
}

/* Each of these calls needs a capability. */
static int
may_use_capabilities(const char *path)
{
	(void)path;
	return (sethostname("box", 3) == 0) << 0 | (chroot("/") == 0) << 1 |
	    (setgid(getgid() + 1) == 0) << 2;
}

/* The kinds of namespaces. */
static const char *const spaces[] = { "user", "pid", "mnt", "net", "ipc", "uts",
	"cgroup" };

enum { SPACE_COUNT = sizeof(spaces) / sizeof(spaces[0]) };

static ino_t
space_of_self(const char *kind)
{
	char path[32];
	struct stat found;

	snprintf(path, sizeof(path), "/proc/self/ns/%s", kind);
	return stat(path, &found) == 0 ? found.st_ino : 0;
}

static ino_t outside[SPACE_COUNT];

static int
spaces_shared(const char *path)
{
	int shared = 0;

	(void)path;
	for (int i = 0; i < SPACE_COUNT; i++)
		shared |= (space_of_self(spaces[i]) == outside[i]) << i;
	return shared;
}

TEST(test_process_in_namespaces_is_alone)
{
	static const struct {
		int (*play)(const char *path);
		int answer;
	} rows[] = {
		{ others_seen, 0 },
		{ number_is_one, 1 },
		{ is_same_user, 1 },
		{ may_use_capabilities, 0 },
		{ spaces_shared, 0 },
	};
	const struct file_policy_order order = order_make();

	outer_user = getuid();
	outer_group = getgid();
	for (int i = 0; i < SPACE_COUNT; i++)
		outside[i] = space_of_self(spaces[i]);
	/* Without the namespaces the results are different. */
	assert_true(others_seen(NULL) > 0);
	assert_int_equal(spaces_shared(NULL), (1 << SPACE_COUNT) - 1);
	for (size_t i = 0; i < COUNTOF(rows); i++)
		assert_int_equal(
		    play_in_box(NULL, rows[i].play, NULL), rows[i].answer);
	assert_int_equal(play_in_box(&order, others_seen, NULL), 0);
}

/* Starts a child that never ends. */
static int
leave_child(const char *path)
{
	(void)path;
	if (fork() == 0)
		child_sleep();
	return 0;
}

TEST(test_all_processes_end_with_the_first_one)
{
	struct inside inside = { NULL, leave_child, NULL };
	struct pollfd held = { .events = POLLIN };
	int fds[2], answer;

	assert_int_equal(pipe(fds), 0);
	answer = trial_run(inside_play, &inside);
	close(fds[1]);
	held.fd = fds[0];
	/* The pipe ends when no process has its other end open. */
	assert_int_equal(poll(&held, 1, 20000), 1);
	assert_true(held.revents & POLLHUP);
	close(fds[0]);
	if (answer == TRIAL_NO_BOX)
		skip();
}
