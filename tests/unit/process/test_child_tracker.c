/*
 * Unknown children of this process, such as orphans, are found and ended, and
 * open descriptors are counted.
 */
#include "child_tracker.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "test.h"
#include "trial.h"

static int
settle(void **state)
{
	(void)state;
	return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

static int
check_none(void **state)
{
	(void)state;
	child_tracker_clear();
	return child_none() ? 0 : -1;
}

TEST_EACH(settle, check_none)

/* Starts a grandchild that becomes a child of this process. */
static void
start_orphan(bool lives)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		if (fork() == 0)
			while (lives)
				pause();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

TEST(test_unknown_children_are_distinguished_from_known_ones)
{
	pid_t own = trial_start(NULL, NULL), other = trial_start(NULL, NULL);

	assert_int_equal(child_tracker_strangers(), 2);
	assert_int_equal(child_tracker_add(own), 0);
	assert_int_equal(child_tracker_add(other), 0);
	assert_int_equal(child_tracker_strangers(), 0);
	start_orphan(true);
	assert_int_equal(child_tracker_strangers(), 1);
	assert_int_equal(child_tracker_sweep(), 1);
	assert_int_equal(child_tracker_strangers(), 0);
	/* The known children are still alive. */
	assert_int_equal(waitpid(own, NULL, WNOHANG), 0);
	child_tracker_remove(own);
	assert_int_equal(child_tracker_strangers(), 1);
	assert_int_equal(child_tracker_sweep(), 1);
	assert_int_equal(waitpid(other, NULL, WNOHANG), 0);
	child_tracker_remove(other);
	assert_int_equal(child_tracker_sweep(), 1);
}

TEST(test_only_dead_unknown_children_are_reaped)
{
	pid_t own = trial_start(NULL, NULL);
	siginfo_t info;

	assert_int_equal(child_tracker_add(own), 0);
	start_orphan(true);
	start_orphan(false);
	kill(own, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)own, &info, WEXITED | WNOWAIT), 0);
	for (int i = 0; i < 5000 && child_tracker_strangers() > 1; i++) {
		usleep(1000);
		child_tracker_reap();
	}
	assert_int_equal(child_tracker_strangers(), 1);
	/* The end of a known child can still be waited for. */
	assert_int_equal(waitpid(own, NULL, WNOHANG), own);
	child_tracker_remove(own);
	assert_int_equal(child_tracker_sweep(), 1);
}

TEST(test_descriptors_are_counted)
{
	int before = child_tracker_descriptors(), fd;

	assert_int_equal(before, child_descriptors());
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	assert_int_equal(child_tracker_descriptors(), before + 1);
	close(fd);
	assert_int_equal(child_tracker_descriptors(), before);
}
