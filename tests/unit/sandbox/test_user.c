/*
 * A process that becomes another user cannot become root again, and can be
 * signalled as this user; users of bots; processes that cannot be read.
 */
#include "user.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "trial.h"

/* A user that no other run of this test has. */
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

TEST(test_process_has_no_privilege_of_root_after_the_change)
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

TEST(test_change_of_user_without_root_is_refused)
{
	unsigned id = user_of_test();

	if (geteuid() == 0)
		skip();
	assert_int_equal(trial_run(become_refused, &id), 1);
}

static int
become_user(void *context)
{
	return user_become(*(unsigned *)context);
}

TEST(test_signal_reaches_all_processes_of_the_user_and_no_other)
{
	unsigned id = user_of_test(), other_id = id + 0x10000000U;
	pid_t sleepers[3], other;
	int status;

	skip_unless_root();
	other = trial_start(become_user, &other_id);
	for (int i = 0; i < 3; i++)
		sleepers[i] = trial_start(become_user, &id);
	assert_int_equal(user_signal(id, SIGKILL), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(waitpid(sleepers[i], &status, 0), sleepers[i]);
		assert_true(WIFSIGNALED(status));
	}
	/* If the user has no process, no other process gets the signal. */
	assert_int_equal(user_signal(id, SIGKILL), 0);
	assert_int_equal(waitpid(other, &status, WNOHANG), 0);
	kill(other, SIGKILL);
	assert_int_equal(waitpid(other, &status, 0), other);
}

/*
 * No two bots have the same user, even if different processes start them, and
 * no user of a bot has any other use.
 */
enum { FIRST = 1000000000 };

static int
reserve_two(void *context)
{
	unsigned user;

	trial_need(uid_pool_reserve(context, &user) == 0);
	trial_need(uid_pool_reserve(context, &user) == 0);
	return (int)(user - FIRST);
}

TEST(test_users_are_reserved_in_order_by_all_processes)
{
	struct uid_pool *uid_pool;
	unsigned user;

	assert_int_equal(uid_pool_open(&uid_pool, FIRST), 0);
	assert_int_equal(trial_run(reserve_two, uid_pool), 1);
	for (unsigned i = 2; i < UID_POOL_MAX; i++) {
		assert_int_equal(uid_pool_reserve(uid_pool, &user), 0);
		assert_int_equal(user, FIRST + i);
	}
	assert_int_equal(uid_pool_reserve(uid_pool, &user), -EAGAIN);
	uid_pool_give(uid_pool, FIRST + 5);
	assert_int_equal(uid_pool_reserve(uid_pool, &user), 0);
	assert_int_equal(user, FIRST + 5);
	uid_pool_close(uid_pool);
}

TEST(test_user_with_a_name_is_found_and_a_large_one_is_free)
{
	struct uid_pool_claim claim;

	assert_int_equal(uid_pool_search(0, &claim), 0);
	assert_int_equal(claim.owner, UID_POOL_NAMED);
	assert_true(claim.user < UID_POOL_MAX);
	assert_true(strlen(claim.name) > 0);
	assert_int_equal(uid_pool_search(FIRST + UID_POOL_MAX, &claim), 0);
	assert_int_equal(claim.owner, UID_POOL_FREE);
}

static int
wait_as_user(void *context)
{
	struct uid_pool_claim claim;

	trial_need(setresuid(FIRST + 7, FIRST + 7, FIRST + 7) == 0);
	trial_need(uid_pool_search(FIRST, &claim) == 0);
	(void)context;
	return claim.owner == UID_POOL_RUNNING && claim.user == FIRST + 7;
}

TEST(test_user_of_a_process_is_found)
{
	skip_unless_root();
	assert_int_equal(trial_run(wait_as_user, NULL), 1);
}

/*
 * What other processes of the same user can read of a process after
 * no_dump_begin().
 */
enum { NOBODY = 65534 };

/* Root may read everything, so the test runs as another user. */
static void
become_nobody(void)
{
	trial_need(getuid() != 0 || user_become(NOBODY) == 0);
}

/* A bit for each file of a private process that can be opened. */
enum { READS_MEMORY = 1, READS_ENVIRONMENT = 2, READS_DESCRIPTORS = 4 };

static int
look(void *context)
{
	static const char *const parts[] = { "mem", "environ", "fd" };
	const pid_t *private_pid = context;
	char path[64];
	int seen = 0;

	become_nobody();
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "/proc/%d/%s", (int)*private_pid,
		    parts[i]);
		if (open(path, O_RDONLY | O_CLOEXEC) >= 0)
			seen |= 1 << i;
	}
	return seen;
}

static int
become_nobody_in_private(void *context)
{
	const bool *private = context;

	become_nobody();
	return *private ? no_dump_begin() : 0;
}

/* What a process can read of another one, which is private or not. */
static int
seen_of(bool private)
{
	pid_t private_pid = trial_start(become_nobody_in_private, &private);
	int seen = trial_run(look, &private_pid);

	kill(private_pid, SIGKILL);
	assert_int_equal(waitpid(private_pid, NULL, 0), private_pid);
	return seen;
}

TEST(test_nothing_of_a_private_process_can_be_read)
{
	/*
	 * If the process is not private, all this can be read, on most
	 * machines.
	 */
	if (seen_of(false) !=
	    (READS_MEMORY | READS_ENVIRONMENT | READS_DESCRIPTORS))
		skip();
	assert_int_equal(seen_of(true), 0);
}

TEST(test_children_of_a_private_process_are_private_too)
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
