/*
 * Control groups: made where this user may, and gone afterwards; all that is
 * in one is stopped and killed with it.
 */
#include "cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "cage.h"
#include "child.h"

static struct cgroup cgroup;
static int descriptors_before;

static int
open_group(void **state)
{
	(void)state;
	descriptors_before = child_descriptors();
	cgroup_open(&cgroup);
	return 0;
}

static int
close_group(void **state)
{
	(void)state;
	cgroup_close(&cgroup);
	return child_none() && child_descriptors() == descriptors_before ? 0
									 : -1;
}

/* What this test needs, or a word why it is not there. */
static void
need_group(void)
{
	if (cgroup.fd >= 0)
		return;
	assert_string_not_equal(cgroup.why, "");
	print_message("# %s\n", cgroup.why);
	skip();
}

static void
name_own(char path[PATH_MAX + 32])
{
	snprintf(
	    path, PATH_MAX + 32, "%s/scopa-arena.%d", cgroup.base, getpid());
}

static void
test_group_is_there_and_gone_again(void **state)
{
	char path[PATH_MAX + 32];

	(void)state;
	need_group();
	name_own(path);
	assert_int_equal(access(path, F_OK), 0);
	assert_int_equal(cgroup.limited, cgroup.why[0] == '\0');
	cgroup_close(&cgroup);
	assert_int_equal(access(path, F_OK), -1);
	/* A second time it is none. */
	cgroup_close(&cgroup);
}

static void
test_what_a_dead_arena_has_left_is_removed(void **state)
{
	char path[PATH_MAX + 64];
	pid_t dead = fork();

	(void)state;
	if (dead == 0)
		_exit(0);
	assert_int_equal(waitpid(dead, NULL, 0), dead);
	need_group();
	snprintf(path, sizeof(path), "%s/scopa-arena.%d", cgroup.base, dead);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(
	    path, sizeof(path), "%s/scopa-arena.%d/bot.7", cgroup.base, dead);
	assert_int_equal(mkdir(path, 0700), 0);
	cgroup_close(&cgroup);
	cgroup_open(&cgroup);
	snprintf(path, sizeof(path), "%s/scopa-arena.%d", cgroup.base, dead);
	assert_int_equal(access(path, F_OK), -1);
}

/* Writes a byte now and then, by ever another process. */
static _Noreturn void
run_away(const struct cage *cage, int fd)
{
	if (cage_enter(cage) < 0)
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

static void
test_all_in_a_cage_are_held_and_killed(void **state)
{
	struct pollfd wait = { .events = POLLIN };
	struct cage cage;
	int fds[2];
	char byte;

	(void)state;
	need_group();
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
	assert_int_equal(cage_open(&cage, cgroup.fd, 64 << 20), 0);
	assert_int_equal(cage.limited, cgroup.limited);
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	wait.fd = fds[0];
	if (fork() == 0)
		run_away(&cage, fds[1]);
	close(fds[1]);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(poll(&wait, 1, 20000), 1);
		cage_hold(&cage, true);
		assert_true(is_silent(fds[0]));
		cage_hold(&cage, false);
	}
	assert_false(cage_over_memory(&cage));
	cage_hold(&cage, true);
	cage_close(&cage);
	/* Nobody is left who could write. */
	while (poll(&wait, 1, 20000) == 1 && read(fds[0], &byte, 1) > 0)
		continue;
	assert_int_equal(read(fds[0], &byte, 1), 0);
	while (waitpid(-1, NULL, 0) > 0)
		continue;
	assert_int_equal(faccessat(cgroup.fd, cage.name, F_OK, 0), -1);
	close(fds[0]);
	prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
}

/* How a process in a cage ends that takes 96 MiB. */
static int
end_of_eater(const struct cage *cage)
{
	const size_t size = (size_t)96 << 20;
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (memory == MAP_FAILED || cage_enter(cage) < 0)
			_exit(1);
		memset(memory, 1, size);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

/* What all bots together may have, which the arena itself leaves open. */
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

static void
test_memory_of_a_cage_is_limited(void **state)
{
	struct cage cage;
	int status;

	(void)state;
	need_limits();
	assert_int_equal(cage_open(&cage, cgroup.fd, 64 << 20), 0);
	status = end_of_eater(&cage);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
	assert_true(cage_over_memory(&cage));
	cage_close(&cage);
}

static void
test_lack_of_memory_above_is_not_the_limit(void **state)
{
	struct cage cage;
	int status;

	(void)state;
	need_limits();
	assert_int_equal(cage_open(&cage, cgroup.fd, 512 << 20), 0);
	limit_all("67108864");
	status = end_of_eater(&cage);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
	assert_false(cage_over_memory(&cage));
	cage_close(&cage);
}

static void
test_cage_is_refused_outside_of_a_group(void **state)
{
	int folder = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct cage cage;

	(void)state;
	assert_true(cage_open(&cage, folder, 0) < 0);
	close(folder);
}

#define GROUP_TEST(test) \
	cmocka_unit_test_setup_teardown(test, open_group, close_group)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		GROUP_TEST(test_group_is_there_and_gone_again),
		GROUP_TEST(test_what_a_dead_arena_has_left_is_removed),
		GROUP_TEST(test_all_in_a_cage_are_held_and_killed),
		GROUP_TEST(test_memory_of_a_cage_is_limited),
		GROUP_TEST(test_lack_of_memory_above_is_not_the_limit),
		GROUP_TEST(test_cage_is_refused_outside_of_a_group),
	};

	return cmocka_run_group_tests_name("cgroup", tests, NULL, NULL);
}
