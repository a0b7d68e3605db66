/*
 * The scheduling that the arena requests for itself.
 */
#include "cpu_usage.h"

#include <linux/sched.h>
#include <linux/sched/types.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

static struct sched_attr
read_attr(void)
{
	struct sched_attr attr = { .size = SCHED_ATTR_SIZE_VER0 };

	assert_int_equal(
	    syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0), 0);
	return attr;
}

/* In a process of its own, as the request cannot be undone. */
static void
run_apart(void (*check)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		check();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
check_short_slice(void)
{
	struct sched_attr before = read_attr(), hurried;

	if (before.sched_policy != SCHED_NORMAL || before.sched_nice < 0)
		_exit(0);
	scheduler_hurry();
	hurried = read_attr();
	if (hurried.sched_nice != before.sched_nice ||
	    hurried.sched_policy != before.sched_policy)
		_exit(1);
	/* If the kernel reports slices (Linux 6.12), this one is short. */
	if (before.sched_runtime > 0 &&
	    hurried.sched_runtime >= before.sched_runtime)
		_exit(2);
	if (fork() == 0) {
		struct sched_attr child = read_attr();

		_exit(child.sched_runtime != before.sched_runtime ||
		    child.sched_flags != before.sched_flags);
	} else {
		int status;

		_exit(wait(&status) < 0 || status != 0 ? 3 : 0);
	}
}

TEST(test_children_do_not_inherit_the_short_slice)
{
	run_apart(check_short_slice);
}

static void
check_priority(void)
{
	struct sched_attr before, after;

	/* Not every user may do this. */
	if (setpriority(PRIO_PROCESS, 0, -5) < 0)
		_exit(0);
	before = read_attr();
	scheduler_hurry();
	after = read_attr();
	_exit(
	    after.sched_nice != -5 || after.sched_flags != before.sched_flags);
}

TEST(test_priority_set_by_the_user_is_not_changed)
{
	run_apart(check_priority);
}
