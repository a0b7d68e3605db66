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
#include "trial.h"

static struct sched_attr
read_attr(void)
{
	struct sched_attr attr = { .size = SCHED_ATTR_SIZE_VER0 };

	assert_int_equal(
	    syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0), 0);
	return attr;
}

/* These checks run in a process of their own: no request can be undone. */
static int
check_short_slice(void *context)
{
	struct sched_attr before = read_attr(), hurried;
	int status;

	(void)context;
	if (before.sched_policy != SCHED_NORMAL || before.sched_nice < 0)
		return 0;
	scheduler_hurry();
	hurried = read_attr();
	if (hurried.sched_nice != before.sched_nice ||
	    hurried.sched_policy != before.sched_policy)
		return 1;
	/* If the kernel reports slices (Linux 6.12), this one is short. */
	if (before.sched_runtime > 0 &&
	    hurried.sched_runtime >= before.sched_runtime)
		return 2;
	if (fork() == 0) {
		struct sched_attr child = read_attr();

		_exit(child.sched_runtime != before.sched_runtime ||
		    child.sched_flags != before.sched_flags);
	}
	return wait(&status) < 0 || status != 0 ? 3 : 0;
}

TEST(test_children_do_not_inherit_the_short_slice)
{
	assert_int_equal(trial_run(check_short_slice, NULL), 0);
}

static int
check_priority(void *context)
{
	struct sched_attr before, after;

	(void)context;
	/* Not every user may do this. */
	if (setpriority(PRIO_PROCESS, 0, -5) < 0)
		return 0;
	before = read_attr();
	scheduler_hurry();
	after = read_attr();
	return after.sched_nice != -5 ||
	    after.sched_flags != before.sched_flags;
}

TEST(test_priority_set_by_the_user_is_not_changed)
{
	assert_int_equal(trial_run(check_priority, NULL), 0);
}
