/*
 * No two bots have one user, in whichever process they were started, and no
 * user of a bot is anybody else.
 */
#include "seats.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "trial.h"

enum { FIRST = 1000000000 };

static void
test_users_follow_one_another(void **state)
{
	struct seats *seats;
	unsigned user;

	(void)state;
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

static void
test_processes_share_them(void **state)
{
	struct seats *seats;
	unsigned user;

	(void)state;
	assert_int_equal(seats_open(&seats, FIRST), 0);
	assert_int_equal(seats_take(seats, &user), 0);
	assert_int_equal(trial_run(take_two, seats), 2);
	assert_int_equal(seats_take(seats, &user), 0);
	assert_int_equal(user, FIRST + 3);
	seats_close(seats);
}

static void
test_user_with_a_name_is_found(void **state)
{
	struct seats_claim claim;

	(void)state;
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

static void
test_user_of_a_process_is_found(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		print_message("# only root can be another user\n");
		skip();
	}
	assert_int_equal(trial_run(wait_as_user, NULL), 1);
}

static void
test_nobody_has_large_numbers(void **state)
{
	struct seats_claim claim;

	(void)state;
	seats_search(FIRST + SEATS_MAX, &claim);
	assert_int_equal(claim.owner, SEATS_FREE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_users_follow_one_another),
		cmocka_unit_test(test_processes_share_them),
		cmocka_unit_test(test_user_with_a_name_is_found),
		cmocka_unit_test(test_user_of_a_process_is_found),
		cmocka_unit_test(test_nobody_has_large_numbers),
	};

	return cmocka_run_group_tests_name("seats", tests, NULL, NULL);
}
