/*
 * What another process of the same user can read of one that keeps private.
 */
#include "user.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

enum { NOBODY = 65534 };

/* Root may read everything, so that it looks as somebody else. */
static void
become_nobody(void)
{
	if (getuid() != 0)
		return;
	if (setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
	    setresuid(NOBODY, NOBODY, NOBODY) < 0)
		_exit(125);
	/* A change of the user has made it private already. */
	prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

/* Bits of what a child of the commit_retry can open of it. */
enum { READS_MEMORY = 1, READS_ENVIRONMENT = 2, READS_DESCRIPTORS = 4 };

static int
look(pid_t commit_retry)
{
	static const char *const parts[] = { "mem", "environ", "fd" };
	char path[64];
	int seen = 0;

	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "/proc/%d/%s", (int)commit_retry,
		    parts[i]);
		if (open(path, O_RDONLY | O_CLOEXEC) >= 0)
			seen |= 1 << i;
	}
	return seen;
}

/* A process that keeps private, or does not, and one that looks at it. */
static int
seen_of(bool private)
{
	int status, ready[2];
	char byte;
	pid_t commit_retry, looker;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	commit_retry = fork();
	if (commit_retry == 0) {
		become_nobody();
		if (private && no_dump_begin() < 0)
			_exit(125);
		(void)!write(ready[1], "", 1);
		for (;;)
			pause();
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	looker = fork();
	if (looker == 0) {
		become_nobody();
		_exit(look(commit_retry));
	}
	assert_int_equal(waitpid(looker, &status, 0), looker);
	kill(commit_retry, SIGKILL);
	assert_int_equal(waitpid(commit_retry, NULL, 0), commit_retry);
	close(ready[0]);
	close(ready[1]);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

TEST(test_nothing_can_be_read_of_it)
{
	/* Without it all of this is open, on a machine that allows it. */
	if (seen_of(false) !=
	    (READS_MEMORY | READS_ENVIRONMENT | READS_DESCRIPTORS))
		skip();
	assert_int_equal(seen_of(true), 0);
}

TEST(test_what_it_forks_is_private_too_until_the_end)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		pid_t inner;

		if (no_dump_begin() < 0)
			_exit(125);
		inner = fork();
		if (inner == 0)
			_exit(prctl(PR_GET_DUMPABLE) * 2 +
			    (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1));
		if (waitpid(inner, &status, 0) != inner || status != 0)
			_exit(1);
		no_dump_end();
		_exit(prctl(PR_GET_DUMPABLE) == 1 ? 0 : 2);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}
