/*
 * In a box there is what its bot is left with, and nothing else: no file, no
 * process, no network.
 */
#include "namespaces.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
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
		"tool", NULL };
	static const char *const files[] = { "bot/bot", "bot/module",
		"bot/record", "bot/run/store", "other/file", "tool/tool",
		NULL };

	(void)state;
	trial_fill(folders, files);
	assert_int_equal(symlink("bot", test_path("alias")), 0);
	return 0;
}

TEST_EACH(folder_fill, test_folder_remove)

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
	const struct file_policy_order *order; /* NULL: all files are left */
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

	trial_need(inside->order == NULL ||
	    file_policy_init(&file_policy, inside->order) == 0);
	if (namespaces_make() < 0)
		return NO_NAMESPACES;
	first = fork();
	if (first == 0)
		_exit(first_play(
		    inside, inside->order != NULL ? &file_policy : NULL));
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

TEST(test_what_is_left_is_there)
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

TEST(test_nothing_else_is_there)
{
	const struct file_policy_order order = order_make();
	const char *const gone[] = { "/var", "/sys/kernel", "/etc/shadow",
		"/dev/shm", "/.nothing", test_path("other"), test_path("tool"),
		test_path("alias") };

	for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++)
		assert_int_equal(play_in_box(&order, look, gone[i]), ENOENT);
	assert_int_equal(play_in_box(&order, entry_count, test_folder), 1);
}

TEST(test_links_of_the_system_stay_links)
{
	const struct file_policy_order order = order_make();

	assert_int_equal(play_in_box(&order, is_link, "/bin"), is_link("/bin"));
	assert_int_equal(play_in_box(&order, look, "/bin/sh"), 0);
}

TEST(test_link_to_the_program_is_there)
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

TEST(test_what_is_hidden_is_empty)
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

TEST(test_nothing_can_be_changed)
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

TEST(test_devices_can_be_written)
{
	const struct file_policy_order order = order_make();

	assert_int_equal(play_in_box(&order, write_to, "/dev/null"), 1);
}

static int
unmount(const char *path)
{
	return umount2(path, MNT_DETACH) == 0 ? 0 : errno;
}

TEST(test_nothing_is_below_the_root_or_can_be_uncovered)
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

TEST(test_working_folder_stays_and_is_empty)
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

/*
 * What the first process of a box sees, and what becomes of the others.
 */

/* Processes in /proc but the caller. */
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

TEST(test_no_other_process_is_seen)
{
	const struct file_policy_order order = order_make();

	assert_int_equal(play_in_box(NULL, others_seen, NULL), 0);
	assert_int_equal(play_in_box(&order, others_seen, NULL), 0);
	assert_true(others_seen(NULL) > 0);
}

static int
number_is_one(const char *path)
{
	(void)path;
	return getpid() == 1 && getppid() == 0;
}

TEST(test_child_is_the_first_process)
{
	assert_int_equal(play_in_box(NULL, number_is_one, NULL), 1);
}

static uid_t outer_user;
static gid_t outer_group;

static int
is_same_user(const char *path)
{
	(void)path;
	return getuid() == outer_user && getgid() == outer_group;
}

TEST(test_user_is_the_same_inside)
{
	outer_user = getuid();
	outer_group = getgid();
	assert_int_equal(play_in_box(NULL, is_same_user, NULL), 1);
}

/* Each of these takes a capability. */
static int
may_anything(const char *path)
{
	(void)path;
	return (sethostname("box", 3) == 0) << 0 | (chroot("/") == 0) << 1 |
	    (setgid(getgid() + 1) == 0) << 2;
}

TEST(test_nothing_is_allowed_that_others_may_not)
{
	assert_int_equal(play_in_box(NULL, may_anything, NULL), 0);
}

/* Interfaces that are up. */
static int
interfaces_up(const char *path)
{
	struct if_nameindex *all = if_nameindex();
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), count = 0;

	(void)path;
	trial_need(all != NULL && fd >= 0);
	for (size_t i = 0; all[i].if_index != 0; i++) {
		struct ifreq request = { 0 };

		snprintf(request.ifr_name, sizeof(request.ifr_name), "%s",
		    all[i].if_name);
		trial_need(ioctl(fd, SIOCGIFFLAGS, &request) == 0);
		count += (request.ifr_flags & IFF_UP) != 0;
	}
	if_freenameindex(all);
	close(fd);
	return count;
}

TEST(test_no_network_is_up)
{
	assert_int_equal(play_in_box(NULL, interfaces_up, NULL), 0);
}

/* The namespace of each kind differs from the one outside. */
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

TEST(test_no_namespace_is_shared)
{
	for (int i = 0; i < SPACE_COUNT; i++)
		outside[i] = space_of_self(spaces[i]);
	assert_int_equal(play_in_box(NULL, spaces_shared, NULL), 0);
	assert_int_equal(spaces_shared(NULL), (1 << SPACE_COUNT) - 1);
}

/* Leaves a child behind that would live for ever. */
static int
leave_child(const char *path)
{
	(void)path;
	if (fork() == 0)
		for (;;)
			pause();
	return 0;
}

TEST(test_all_die_with_the_first_process)
{
	struct inside inside = { NULL, leave_child, NULL };
	struct pollfd held = { .events = POLLIN };
	int fds[2], answer;

	assert_int_equal(pipe(fds), 0);
	answer = trial_run(inside_play, &inside);
	close(fds[1]);
	held.fd = fds[0];
	/* It ends when nobody holds its other end any more. */
	assert_int_equal(poll(&held, 1, 20000), 1);
	assert_true(held.revents & POLLHUP);
	close(fds[0]);
	if (answer == NO_NAMESPACES)
		skip();
}
