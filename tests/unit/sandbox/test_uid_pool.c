/*
 * No two bots have one user, in whichever process they were started, and no
 * user of a bot is anybody else.
 */
#include "user.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "trial.h"

enum { FIRST = 1000000000 };

TEST(test_users_follow_one_another)
{
	struct uid_pool *uid_pool;
	unsigned user;

	assert_int_equal(uid_pool_open(&uid_pool, FIRST), 0);
	for (unsigned i = 0; i < UID_POOL_MAX; i++) {
		assert_int_equal(uid_pool_take(uid_pool, &user), 0);
		assert_int_equal(user, FIRST + i);
	}
	assert_int_equal(uid_pool_take(uid_pool, &user), -EAGAIN);
	uid_pool_give(uid_pool, FIRST + 5);
	assert_int_equal(uid_pool_take(uid_pool, &user), 0);
	assert_int_equal(user, FIRST + 5);
	uid_pool_close(uid_pool);
}

static int
take_two(void *context)
{
	unsigned user;

	trial_need(uid_pool_take(context, &user) == 0);
	trial_need(uid_pool_take(context, &user) == 0);
	return (int)(user - FIRST);
}

TEST(test_processes_share_them)
{
	struct uid_pool *uid_pool;
	unsigned user;

	assert_int_equal(uid_pool_open(&uid_pool, FIRST), 0);
	assert_int_equal(uid_pool_take(uid_pool, &user), 0);
	assert_int_equal(trial_run(take_two, uid_pool), 2);
	assert_int_equal(uid_pool_take(uid_pool, &user), 0);
	assert_int_equal(user, FIRST + 3);
	uid_pool_close(uid_pool);
}

TEST(test_user_with_a_name_is_found)
{
	struct uid_pool_claim claim;

	uid_pool_search(0, &claim);
	assert_int_equal(claim.owner, UID_POOL_NAMED);
	assert_true(claim.user < UID_POOL_MAX);
	assert_true(strlen(claim.name) > 0);
}

static int
wait_as_user(void *context)
{
	struct uid_pool_claim claim;

	trial_need(setresuid(FIRST + 7, FIRST + 7, FIRST + 7) == 0);
	uid_pool_search(FIRST, &claim);
	(void)context;
	return claim.owner == UID_POOL_RUNNING && claim.user == FIRST + 7;
}

TEST(test_user_of_a_process_is_found)
{
	if (geteuid() != 0) {
		print_message("# only root can be another user\n");
		skip();
	}
	assert_int_equal(trial_run(wait_as_user, NULL), 1);
}

TEST(test_nobody_has_large_numbers)
{
	struct uid_pool_claim claim;

	uid_pool_search(FIRST + UID_POOL_MAX, &claim);
	assert_int_equal(claim.owner, UID_POOL_FREE);
}
