/*
 * The preflight check: the name and version of each bot, or its fault.
 */
#include "preflight.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "dispatcher_fixture.h"
#include "test.h"

static struct dispatcher_fixture *fixture;
static struct preflight_result results[DISPATCHER_ENTRANTS_MAX];

static int
setup(void **state)
{
	(void)state;
	fixture = dispatcher_fixture_open("scopa");
	return 0;
}

/* Runs the preflight check of all entrants; returns its error. */
static int
run_check(int *number)
{
	int descriptors = child_descriptors();
	int error = preflight(&fixture->config.rules, fixture->entrants,
	    fixture->config.entrant_count, results, number);

	assert_true(child_none());
	assert_int_equal(child_descriptors(), descriptors);
	assert_int_equal(dispatcher_fixture_living(fixture), 0);
	return error;
}

static void
check_all(void)
{
	int number = -1;

	assert_int_equal(run_check(&number), 0);
	assert_int_equal(number, -1);
}

TEST(test_good_bots_report_name_and_version)
{
	for (int i = 0; i < 3; i++)
		dispatcher_fixture_bot(fixture, i == 1 ? "random" : "first");
	dispatcher_fixture_script(fixture,
	    "read usp; echo 'id name=odd%1b version=1.2'; echo uspok 1; "
	    "read ready; echo readyok; read quit");
	strcpy(fixture->entrants[2].name, "mine");
	check_all();
	for (int i = 0; i < 4; i++)
		assert_int_equal(results[i].fault.seat, -1);
	assert_string_equal(results[0].name, "first");
	assert_string_equal(results[1].name, "random");
	assert_string_equal(results[2].name, "mine");
	assert_string_equal(results[3].name, "odd\\x1B");
	assert_string_equal(results[0].version, "1");
	assert_string_equal(results[3].version, "1.2");
}

TEST(test_each_bot_is_started_once_even_if_others_fail)
{
	for (int i = 0; i < 30; i++) {
		if (i % 3 == 1)
			dispatcher_fixture_script(fixture,
			    "echo $$ >>\"$1\"/starts; echo bad >&2; exit 9");
		else
			dispatcher_fixture_counted_bot(fixture);
	}
	check_all();
	assert_int_equal(dispatcher_fixture_starts(fixture), 30);
	for (int i = 0; i < 30; i++) {
		assert_int_equal(results[i].fault.seat, i % 3 == 1 ? 0 : -1);
		if (i % 3 != 1)
			continue;
		assert_string_equal(results[i].fault.reason, "HS_EXIT(9)");
		assert_string_equal(results[i].fault.stderr_tail, "bad\n");
	}
}

/*
 * Sends SIGTERM to this process after this delay, and blocks it until the
 * preflight check receives signals.
 */
static timer_t
signal_soon(int64_t delay_ms)
{
	sigset_t held;
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
		.sigev_signo = SIGTERM };
	struct itimerspec when = { .it_value.tv_nsec = delay_ms * 1000000 };
	timer_t timer;

	sigemptyset(&held);
	sigaddset(&held, SIGTERM);
	sigprocmask(SIG_BLOCK, &held, NULL);
	assert_int_equal(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
	assert_int_equal(timer_settime(timer, 0, &when, NULL), 0);
	return timer;
}

TEST(test_signal_ends_the_preflight_check)
{
	int number = -1;
	timer_t timer;

	for (int i = 0; i < 20; i++)
		dispatcher_fixture_script(fixture,
		    "trap '' TERM; echo $$ >>\"$1\"/starts; "
		    "exec sleep 1000");
	timer = signal_soon(500);
	assert_int_equal(run_check(&number), -EINTR);
	assert_int_equal(timer_delete(timer), 0);
	assert_int_equal(number, SIGTERM);
	assert_in_range(
	    dispatcher_fixture_starts(fixture), 0, PREFLIGHT_AT_ONCE);
}

/* Root has no limit of processes: from here on the user is nobody. */
static int
setup_as_nobody(void **state)
{
	enum { NOBODY = 65534 };

	if (geteuid() == 0 && setresuid(NOBODY, NOBODY, NOBODY) < 0)
		return -1;
	return setup(state);
}

static struct rlimit processes;

static void
relax(int number)
{
	(void)number;
	setrlimit(RLIMIT_NPROC, &processes);
}

TEST_WITH(test_preflight_check_waits_for_a_machine_that_refuses_for_some_time,
    setup_as_nobody, dispatcher_fixture_teardown)
{
	const struct itimerval soon = { .it_value = { .tv_usec = 600000 } };
	struct rlimit none;

	dispatcher_fixture_bot(fixture, "first");
	dispatcher_fixture_bot(fixture, "random");
	assert_int_equal(getrlimit(RLIMIT_NPROC, &processes), 0);
	none = (struct rlimit){ 1, processes.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NPROC, &none), 0);
	signal(SIGALRM, relax);
	assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
	check_all();
	signal(SIGALRM, SIG_DFL);
	assert_int_equal(results[0].fault.seat, -1);
	assert_int_equal(results[1].fault.seat, -1);
}

/* The last test: the limits of this process stay. */
TEST(test_machine_that_refuses_is_reported)
{
	struct rlimit limit = { 40, 40 };
	int number;

	dispatcher_fixture_bot(fixture, "first");
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_int_equal(run_check(&number), -EMFILE);
}

TEST_EACH(setup, dispatcher_fixture_teardown)
