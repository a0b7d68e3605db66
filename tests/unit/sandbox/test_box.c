/*
 * What the first process of a box sees, and what becomes of the others.
 */
#include "namespaces.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "trial.h"

/* No trial's own answer. */
enum { NO_BOX = 100 };

/* What runs in the first process of a box; an exit status. */
struct inside {
	int (*play)(const void *context);
	const void *context;
};

static int
play_inside(void *context)
{
	const struct inside *inside = context;
	int status;
	pid_t first;

	if (namespaces_make() < 0)
		return NO_BOX;
	first = fork();
	if (first == 0) {
		status = namespaces_settle(NULL);
		/* Some machines give namespaces and nothing to do in them. */
		if (status == -EPERM || status == -EACCES)
			_exit(NO_BOX);
		trial_need(status == 0);
		_exit(inside->play(inside->context));
	}
	trial_need(waitpid(first, &status, 0) == first && WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int
run_inside(int (*play)(const void *context), const void *context)
{
	struct inside inside = { play, context };
	int answer = trial_run(play_inside, &inside);

	if (answer == NO_BOX) {
		print_message("# no namespaces for this user here\n");
		skip();
	}
	return answer;
}

/* Processes in /proc but the caller. */
static int
others_seen(const void *context)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	int count = 0;

	(void)context;
	trial_need(proc != NULL);
	while ((entry = readdir(proc)) != NULL)
		count += isdigit((unsigned char)entry->d_name[0]) &&
		    atoi(entry->d_name) != getpid();
	closedir(proc);
	return count < 90 ? count : 90;
}

TEST(test_no_other_process_is_seen)
{
	assert_int_equal(run_inside(others_seen, NULL), 0);
	assert_true(others_seen(NULL) > 0);
}

static int
number_is_one(const void *context)
{
	(void)context;
	return getpid() == 1 && getppid() == 0;
}

TEST(test_child_is_the_first_process)
{
	assert_int_equal(run_inside(number_is_one, NULL), 1);
}

static int
is_same_user(const void *context)
{
	const unsigned *ids = context;

	return getuid() == ids[0] && getgid() == ids[1];
}

TEST(test_user_is_the_same_inside)
{
	const unsigned ids[] = { getuid(), getgid() };

	assert_int_equal(run_inside(is_same_user, ids), 1);
}

/* Each of these takes a capability. */
static int
may_anything(const void *context)
{
	(void)context;
	return (sethostname("box", 3) == 0) << 0 | (chroot("/") == 0) << 1 |
	    (setgid(getgid() + 1) == 0) << 2;
}

TEST(test_nothing_is_allowed_that_others_may_not)
{
	assert_int_equal(run_inside(may_anything, NULL), 0);
}

/* Interfaces that are up. */
static int
interfaces_up(const void *context)
{
	struct if_nameindex *all = if_nameindex();
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), count = 0;

	(void)context;
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
	assert_int_equal(run_inside(interfaces_up, NULL), 0);
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

static int
spaces_shared(const void *context)
{
	const ino_t *outside = context;
	int shared = 0;

	for (int i = 0; i < SPACE_COUNT; i++)
		shared |= (space_of_self(spaces[i]) == outside[i]) << i;
	return shared;
}

TEST(test_no_namespace_is_shared)
{
	ino_t outside[SPACE_COUNT];

	for (int i = 0; i < SPACE_COUNT; i++)
		outside[i] = space_of_self(spaces[i]);
	assert_int_equal(run_inside(spaces_shared, outside), 0);
	assert_int_equal(spaces_shared(outside), (1 << SPACE_COUNT) - 1);
}

/* Leaves a child behind that would live for ever. */
static int
leave_child(const void *context)
{
	(void)context;
	if (fork() == 0)
		for (;;)
			pause();
	return 0;
}

TEST(test_all_die_with_the_first_process)
{
	struct pollfd held = { .events = POLLIN };
	int fds[2];
	int answer;

	assert_int_equal(pipe(fds), 0);
	{
		struct inside inside = { leave_child, NULL };

		answer = trial_run(play_inside, &inside);
	}
	close(fds[1]);
	held.fd = fds[0];
	/* It ends when nobody holds its other end any more. */
	assert_int_equal(poll(&held, 1, 20000), 1);
	assert_true(held.revents & POLLHUP);
	close(fds[0]);
	if (answer == NO_BOX)
		skip();
}
