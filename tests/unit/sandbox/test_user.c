/*
 * Who becomes another user is that one for good, and can be signalled as such.
 */
#include "user.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "trial.h"

/* One that no other run of this test has. */
static unsigned
user_of_test(void)
{
	return 0x50000000U + (unsigned)getpid();
}

static int
become(void *context)
{
	unsigned id = *(unsigned *)context;
	gid_t groups[8];
	uid_t user, effective, saved;

	trial_need(user_become(id) == 0);
	trial_need(getresuid(&user, &effective, &saved) == 0);
	return (user != id || effective != id || saved != id) << 0 |
	    (getgid() != id || getegid() != id) << 1 |
	    (getgroups(8, groups) != 0) << 2 | (setuid(0) == 0) << 3 |
	    (access("/proc/self/uid_map", W_OK) != 0) << 4;
}

static void
skip_unless_root(void)
{
	if (geteuid() == 0)
		return;
	print_message("# only root can be another user\n");
	skip();
}

TEST(test_nothing_of_root_is_kept)
{
	unsigned id = user_of_test();

	skip_unless_root();
	assert_int_equal(trial_run(become, &id), 0);
}

static int
become_refused(void *context)
{
	unsigned id = *(unsigned *)context;

	return user_become(id) == -EPERM;
}

TEST(test_others_are_refused)
{
	unsigned id = user_of_test();

	if (geteuid() == 0)
		skip();
	assert_int_equal(trial_run(become_refused, &id), 1);
}

static pid_t
sleeper_start(unsigned id)
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		if (user_become(id) < 0 || write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

TEST(test_signal_reaches_all_of_the_user_and_no_other)
{
	unsigned id = user_of_test();
	pid_t sleepers[3], other;
	int status;

	skip_unless_root();
	other = sleeper_start(id + 0x10000000U);
	for (int i = 0; i < 3; i++)
		sleepers[i] = sleeper_start(id);
	assert_int_equal(user_signal(id, SIGKILL), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(waitpid(sleepers[i], &status, 0), sleepers[i]);
		assert_true(WIFSIGNALED(status));
	}
	/* Where there is none nobody else is hit. */
	assert_int_equal(user_signal(id, SIGKILL), 0);
	assert_int_equal(waitpid(other, &status, WNOHANG), 0);
	kill(other, SIGKILL);
	assert_int_equal(waitpid(other, &status, 0), other);
}
