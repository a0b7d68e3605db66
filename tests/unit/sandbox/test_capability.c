/*
 * Privileges that were given up are gone, also for what is executed then.
 */
#include "confinement.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "test.h"
#include "trial.h"

/* Has what prints these lines of /proc/self/status a capability? */
static int
has_any(const char *command)
{
	FILE *pipe = popen(command, "re");
	char line[128];
	int lines = 0, any = 0;

	trial_need(pipe != NULL);
	while (fgets(line, sizeof(line), pipe) != NULL) {
		const char *digits = strchr(line, '\t');

		trial_need(digits != NULL);
		lines++;
		any |= strspn(digits + 1, "0") + 1 != strlen(digits + 1);
	}
	pclose(pipe);
	trial_need(lines > 0);
	return any;
}

static int
drop_and_execute(void *context)
{
	trial_need(capability_drop() == 0);
	return has_any(context);
}

TEST(test_no_capability_is_left_to_what_is_executed)
{
	char command[] = "exec grep -E 'Cap(Inh|Prm|Eff|Amb)' "
			 "/proc/self/status";

	assert_int_equal(trial_run(drop_and_execute, command), 0);
}

static int
drop_and_chroot(void *context)
{
	(void)context;
	trial_need(capability_drop() == 0);
	return chroot("/") == 0;
}

TEST(test_who_gave_them_up_has_none)
{
	assert_int_equal(trial_run(drop_and_chroot, NULL), 0);
}

static int
may_bound(void *context)
{
	(void)context;
	return prctl(PR_CAPBSET_DROP, 0, 0, 0, 0) == 0;
}

TEST(test_no_capability_can_come_back)
{
	char command[] = "exec grep CapBnd /proc/self/status";

	if (trial_run(may_bound, NULL) != 1) {
		print_message("# has none, and gains none\n");
		skip();
	}
	assert_int_equal(trial_run(drop_and_execute, command), 0);
}

static int
drop_twice(void *context)
{
	(void)context;
	return capability_drop() < 0 || capability_drop() < 0;
}

TEST(test_who_has_none_may_give_them_up)
{
	assert_int_equal(trial_run(drop_twice, NULL), 0);
}
