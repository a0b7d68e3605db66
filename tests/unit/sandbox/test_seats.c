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
	struct seats *seats;
	unsigned user;

	assert_int_equal(seats_open(&seats, FIRST), 0);
	for (unsigned i = 0; i < SEATS_MAX; i++) {
		assert_int_equal(seats_take(seats, &user), 0);
		assert_int_equal(user, FIRST + i);
	}
	assert_int_equal(seats_take(seats, &user), -EAGAIN);
	seats_give(seats, FIRST + 5);
	assert_int_equal(seats_take(seats, &user), 0);
	assert_int_equal(user, FIRST + 5);
	seats_close(seats);
}

static int
take_two(void *context)
{
	unsigned user;

	trial_need(seats_take(context, &user) == 0);
	trial_need(seats_take(context, &user) == 0);
	return (int)(user - FIRST);
}

TEST(test_processes_share_them)
{
	struct seats *seats;
	unsigned user;

	assert_int_equal(seats_open(&seats, FIRST), 0);
	assert_int_equal(seats_take(seats, &user), 0);
	assert_int_equal(trial_run(take_two, seats), 2);
	assert_int_equal(seats_take(seats, &user), 0);
	assert_int_equal(user, FIRST + 3);
	seats_close(seats);
}

TEST(test_user_with_a_name_is_found)
{
	struct seats_claim claim;

	seats_search(0, &claim);
	assert_int_equal(claim.owner, SEATS_NAMED);
	assert_true(claim.user < SEATS_MAX);
	assert_true(strlen(claim.name) > 0);
}

static int
wait_as_user(void *context)
{
	struct seats_claim claim;

	trial_need(setresuid(FIRST + 7, FIRST + 7, FIRST + 7) == 0);
	seats_search(FIRST, &claim);
	(void)context;
	return claim.owner == SEATS_RUNNING && claim.user == FIRST + 7;
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
	struct seats_claim claim;

	seats_search(FIRST + SEATS_MAX, &claim);
	assert_int_equal(claim.owner, SEATS_FREE);
}
