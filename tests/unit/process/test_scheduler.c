/*
 * What the scheduler is asked for.
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

/* In a process of its own, for what is asked for stays. */
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
expect_a_hurry_of_its_own(void)
{
	struct sched_attr before = read_attr(), hurried;

	if (before.sched_policy != SCHED_NORMAL || before.sched_nice < 0)
		_exit(0);
	scheduler_hurry();
	hurried = read_attr();
	if (hurried.sched_nice != before.sched_nice ||
	    hurried.sched_policy != before.sched_policy)
		_exit(1);
	/* Where the kernel tells of slices (Linux 6.12) this is a short one. */
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

TEST(test_children_do_not_inherit_the_hurry)
{
	run_apart(expect_a_hurry_of_its_own);
}

static void
expect_priority_to_stay(void)
{
	struct sched_attr before, after;

	/* Only some may. */
	if (setpriority(PRIO_PROCESS, 0, -5) < 0)
		_exit(0);
	before = read_attr();
	scheduler_hurry();
	after = read_attr();
	_exit(
	    after.sched_nice != -5 || after.sched_flags != before.sched_flags);
}

TEST(test_priority_is_left_to_children)
{
	run_apart(expect_priority_to_stay);
}
