/*
 * Control groups: made if this user may make them, and removed afterwards; all
 * processes in a group are stopped and killed with it.
 */
#include "cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "kernel_text.h"
#include "test.h"

static struct cgroup cgroup;

static int
open_group(void **state)
{
	child_look_before(state);
	cgroup_open(&cgroup);
	return 0;
}

static int
close_group(void **state)
{
	cgroup_close(&cgroup);
	return child_look_after(state);
}

TEST_EACH(open_group, close_group)

/* Skips the test, with the reason, if there is no control group. */
static void
need_group(void)
{
	if (cgroup.fd >= 0)
		return;
	assert_string_not_equal(cgroup.why, "");
	print_message("# %s\n", cgroup.why);
	skip();
}

TEST(test_group_is_made_and_removed)
{
	char path[PATH_MAX + CGROUP_NAME_SIZE];

	need_group();
	snprintf(path, sizeof(path), "%s/%s", cgroup.base, cgroup.name);
	assert_int_equal(access(path, F_OK), 0);
	assert_int_equal(cgroup.limited, cgroup.why[0] == '\0');
	/* Its process runs: the next arena does not remove it. */
	cgroup_close(&cgroup);
	cgroup_open(&cgroup);
	assert_int_equal(access(path, F_OK), 0);
	cgroup_close(&cgroup);
	assert_int_equal(access(path, F_OK), -1);
	/* Closing it again has no effect. */
	cgroup_close(&cgroup);
}

/*
 * Folders in place of groups: they are recognized and removed in the same way,
 * and need no hierarchy in which this user may write.
 */
static char groups[] = "/tmp/test-cgroup.XXXXXX";
static int groups_fd;

static int
open_groups(void **state)
{
	child_look_before(state);
	if (mkdtemp(groups) == NULL)
		return -1;
	groups_fd = open(groups, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return groups_fd < 0 ? -1 : 0;
}

/* The folder must be empty. */
static int
close_groups(void **state)
{
	int status = rmdir(groups);

	close(groups_fd);
	snprintf(groups, sizeof(groups), "/tmp/test-cgroup.XXXXXX");
	return status == 0 ? child_look_after(state) : -1;
}

static bool
is_there(const char *name)
{
	return faccessat(groups_fd, name, F_OK, 0) == 0;
}

/* The pid of a process that has ended. */
static pid_t
dead_process(void)
{
	pid_t dead = fork();

	if (dead == 0)
		_exit(0);
	assert_int_equal(waitpid(dead, NULL, 0), dead);
	return dead;
}

/* The group of an arena with this pid, with the group of a bot in it. */
static void
make_left(int base_fd, char name[CGROUP_NAME_SIZE], pid_t pid)
{
	char below[2 * CGROUP_NAME_SIZE];

	snprintf(name, CGROUP_NAME_SIZE, "scopa-arena.%d.1", pid);
	assert_int_equal(mkdirat(base_fd, name, 0700), 0);
	snprintf(below, sizeof(below), "%s/bot.7", name);
	assert_int_equal(mkdirat(base_fd, below, 0700), 0);
}

static void
remove_left(const char *name)
{
	char below[2 * CGROUP_NAME_SIZE];

	snprintf(below, sizeof(below), "%s/bot.7", name);
	assert_int_equal(unlinkat(groups_fd, below, AT_REMOVEDIR), 0);
	assert_int_equal(unlinkat(groups_fd, name, AT_REMOVEDIR), 0);
}

TEST_WITH(
    test_only_groups_of_dead_arenas_are_removed, open_groups, close_groups)
{
	static const char *const others[] = { "scopa-arena.", "scopa-arena.x.1",
		"scopa-arena.1", "scopa-arena.0.1x", "other.0.1" };
	char name[CGROUP_NAME_SIZE], own[2 * CGROUP_NAME_SIZE];

	for (size_t i = 0; i < COUNTOF(others); i++)
		assert_int_equal(mkdirat(groups_fd, others[i], 0700), 0);
	make_left(groups_fd, name, dead_process());
	snprintf(own, sizeof(own), "%s.self", name);
	assert_int_equal(mkdirat(groups_fd, own, 0700), 0);
	cgroup_sweep(groups_fd);
	assert_false(is_there(name));
	assert_false(is_there(own));
	/* Also without the group of its bots. */
	assert_int_equal(mkdirat(groups_fd, own, 0700), 0);
	/* This process has the pid, and was started later. */
	make_left(groups_fd, name, getpid());
	cgroup_sweep(groups_fd);
	assert_false(is_there(own));
	assert_false(is_there(name));
	for (size_t i = 0; i < COUNTOF(others); i++)
		assert_int_equal(
		    unlinkat(groups_fd, others[i], AT_REMOVEDIR), 0);
}

/* A child that locks a folder until `go_fd` is closed. */
static pid_t
start_holder(const char *name, int *go_fd)
{
	char byte;
	int ready[2], go[2];
	pid_t child;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	assert_int_equal(pipe2(go, O_CLOEXEC), 0);
	child = fork();
	if (child == 0) {
		int fd = openat(groups_fd, name, O_RDONLY | O_DIRECTORY);

		close(go[1]);
		if (fd < 0 || flock(fd, LOCK_EX) < 0 ||
		    write(ready[1], "", 1) != 1)
			_exit(1);
		/* Waits for the end of the pipe, and then some time. */
		if (read(go[0], &byte, 1) == 0)
			poll(NULL, 0, 100);
		_exit(0);
	}
	close(ready[1]);
	close(go[0]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	*go_fd = go[1];
	return child;
}

TEST_WITH(test_locked_group_is_not_removed, open_groups, close_groups)
{
	char name[CGROUP_NAME_SIZE];
	int go_fd;
	pid_t holder;

	make_left(groups_fd, name, dead_process());
	holder = start_holder(name, &go_fd);
	cgroup_sweep(groups_fd);
	assert_true(is_there(name));
	/* The next arena waits for a process that is about to end. */
	close(go_fd);
	cgroup_sweep(groups_fd);
	assert_int_equal(waitpid(holder, NULL, 0), holder);
	if (is_there(name)) {
		remove_left(name);
		fail_msg("the group of %s was not removed", name);
	}
}

/* Locks a folder, and later makes another one, locked, in its place. */
static void
replace_locked(const char *name, int ready_fd, int go_fd)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
	int old = openat(groups_fd, name, flags);
	char byte;

	if (flock(old, LOCK_EX) < 0 || write(ready_fd, "", 1) != 1)
		_exit(1);
	/* Until the sweep waits for the lock. */
	poll(NULL, 0, 100);
	if (unlinkat(groups_fd, name, AT_REMOVEDIR) < 0 ||
	    mkdirat(groups_fd, name, 0700) < 0 ||
	    flock(openat(groups_fd, name, flags), LOCK_EX) < 0)
		_exit(1);
	close(old);
	_exit(read(go_fd, &byte, 1) == 0 ? 0 : 1);
}

TEST_WITH(
    test_group_made_again_while_locking_is_kept, open_groups, close_groups)
{
	char name[CGROUP_NAME_SIZE], byte;
	int ready[2], go[2], status;
	bool kept;
	pid_t child;

	snprintf(name, sizeof(name), "scopa-arena.%d.1", dead_process());
	assert_int_equal(mkdirat(groups_fd, name, 0700), 0);
	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	assert_int_equal(pipe2(go, O_CLOEXEC), 0);
	child = fork();
	if (child == 0) {
		close(go[1]);
		replace_locked(name, ready[1], go[0]);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	cgroup_sweep(groups_fd);
	kept = is_there(name);
	for (int i = 0; i < 2; i++) {
		close(go[1 - i]);
		close(ready[i]);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_true(kept);
	assert_int_equal(unlinkat(groups_fd, name, AT_REMOVEDIR), 0);
}

TEST(test_limit_of_descriptors_is_named)
{
	struct rlimit before, few;

	need_group();
	cgroup_close(&cgroup);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = 16;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	cgroup_open(&cgroup);
	setrlimit(RLIMIT_NOFILE, &before);
	assert_int_equal(cgroup.fd, -1);
	assert_non_null(strstr(cgroup.why, strerror(EMFILE)));
}

/* Processes of a bot of a dead arena are killed and the group is removed. */
TEST(test_processes_left_in_a_group_are_killed)
{
	char name[CGROUP_NAME_SIZE], path[2 * CGROUP_NAME_SIZE];
	pid_t owner = dead_process(), child;
	int base_fd, status;

	need_group();
	base_fd = open(cgroup.base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(base_fd >= 0);
	make_left(base_fd, name, owner);
	snprintf(path, sizeof(path), "%s/cgroup.kill", name);
	status = faccessat(base_fd, path, F_OK, 0);
	snprintf(path, sizeof(path), "%s/bot.7/cgroup.procs", name);
	child = fork();
	if (child == 0) {
		if (kernel_text_write(base_fd, path, "0") < 0)
			_exit(1);
		if (status < 0)
			_exit(0);
		child_sleep();
	}
	if (status < 0)
		print_message("# this kernel has no cgroup.kill\n");
	else
		while (
		    kernel_text_read(base_fd, path, (char[64]){ 0 }, 64) == 0)
			poll(NULL, 0, 1);
	cgroup_sweep(base_fd);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(faccessat(base_fd, name, F_OK, 0), -1);
	close(base_fd);
}

/* Writes a byte every 2 ms, always from another process. */
static _Noreturn void
run_away(const struct bot_cgroup *bot_cgroup, int fd)
{
	if (bot_cgroup_enter(bot_cgroup) < 0)
		_exit(1);
	for (;;) {
		if (write(fd, "x", 1) != 1 || fork() > 0)
			_exit(0);
		poll(NULL, 0, 2);
	}
}

static bool
is_silent(int fd)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	char bytes[4096];

	for (int i = 0; i < 100; i++) {
		while (read(fd, bytes, sizeof(bytes)) > 0)
			continue;
		if (poll(&wait, 1, 300) == 0)
			return true;
	}
	return false;
}

TEST(test_all_processes_in_a_bot_cgroup_are_stopped_and_killed)
{
	struct pollfd wait = { .events = POLLIN };
	struct bot_cgroup bot_cgroup;
	int fds[2];
	char byte;

	need_group();
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
	assert_int_equal(bot_cgroup_open(&bot_cgroup, cgroup.fd, 64 << 20), 0);
	assert_int_equal(bot_cgroup.limited, cgroup.limited);
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	wait.fd = fds[0];
	if (fork() == 0)
		run_away(&bot_cgroup, fds[1]);
	close(fds[1]);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(poll(&wait, 1, 20000), 1);
		bot_cgroup_freeze(&bot_cgroup, true);
		assert_true(is_silent(fds[0]));
		bot_cgroup_freeze(&bot_cgroup, false);
	}
	assert_false(bot_cgroup_over_memory(&bot_cgroup));
	bot_cgroup_freeze(&bot_cgroup, true);
	bot_cgroup_close(&bot_cgroup);
	/* No process is left that could write. */
	while (poll(&wait, 1, 20000) == 1 && read(fds[0], &byte, 1) > 0)
		continue;
	assert_int_equal(read(fds[0], &byte, 1), 0);
	while (waitpid(-1, NULL, 0) > 0)
		continue;
	assert_int_equal(faccessat(cgroup.fd, bot_cgroup.name, F_OK, 0), -1);
	close(fds[0]);
	prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
}

/* The wait status of a process in the bot cgroup that uses 96 MiB. */
static int
end_of_eater(const struct bot_cgroup *bot_cgroup)
{
	const size_t size = (size_t)96 << 20;
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (memory == MAP_FAILED || bot_cgroup_enter(bot_cgroup) < 0)
			_exit(1);
		memset(memory, 1, size);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

/* Sets a limit for all bots together, which the arena itself does not. */
static void
limit_all(const char *bytes)
{
	int fd = openat(cgroup.fd, "memory.max", O_WRONLY | O_CLOEXEC);
	ssize_t size = (ssize_t)strlen(bytes);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, (size_t)size), size);
	close(fd);
	fd = openat(cgroup.fd, "memory.swap.max", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	assert_int_equal(write(fd, "0", 1), 1);
	close(fd);
}

static void
need_limits(void)
{
	need_group();
	if (cgroup.limited)
		return;
	print_message("# %s\n", cgroup.why);
	skip();
}

/* Lack of memory in the parent group is not the limit of the bot. */
TEST(test_memory_of_a_bot_cgroup_is_limited)
{
	need_limits();
	for (int in_parent = 0; in_parent < 2; in_parent++) {
		struct bot_cgroup bot_cgroup;
		int status;

		assert_int_equal(bot_cgroup_open(&bot_cgroup, cgroup.fd,
				     (in_parent ? 512 : 64) << 20),
		    0);
		if (in_parent)
			limit_all("67108864");
		status = end_of_eater(&bot_cgroup);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGKILL);
		assert_int_equal(
		    bot_cgroup_over_memory(&bot_cgroup), !in_parent);
		bot_cgroup_close(&bot_cgroup);
	}
}

TEST(test_bot_cgroup_is_refused_outside_of_a_group)
{
	int folder = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct bot_cgroup bot_cgroup;

	assert_true(bot_cgroup_open(&bot_cgroup, folder, 0) < 0);
	close(folder);
}
