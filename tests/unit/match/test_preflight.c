/*
 * The preflight check: what each bot says of itself, or what is wrong with it.
 */
#include "preflight.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "series_fixture.h"
#include "test.h"

#define MS INT64_C(1000000)

static struct series_fixture *fixture;
static struct preflight_result rolls[DISPATCHER_ENTRANTS_MAX];

static int
setup(void **state)
{
	(void)state;
	fixture = series_fixture_open("scopa");
	return 0;
}

/* Calls all entrants; the answer of the preflight check. */
static int
call(int *number)
{
	int descriptors = child_descriptors();
	int error = preflight(&fixture->config.rules, fixture->entrants,
	    fixture->config.entrant_count, rolls, number);

	assert_true(child_none());
	assert_int_equal(child_descriptors(), descriptors);
	assert_int_equal(series_fixture_living(fixture), 0);
	return error;
}

static void
call_all(void)
{
	int number = -1;

	assert_int_equal(call(&number), 0);
	assert_int_equal(number, -1);
}

/* The fault of a script that is called alone. */
static const struct match_fault *
fault_of(const char *script)
{
	fixture->config.entrant_count = 0;
	series_fixture_script(fixture, script);
	call_all();
	assert_false(rolls[0].ready);
	assert_int_equal(rolls[0].fault.seat, 0);
	assert_int_equal(rolls[0].fault.kind, OFFENCE_STARTUP);
	return &rolls[0].fault;
}

#define HELLO "read usp; echo 'id name=odd%1b version=1.2'; "

TEST(test_good_bots_say_who_they_are)
{
	for (int i = 0; i < 3; i++)
		series_fixture_bot(fixture, i == 1 ? "random" : "first");
	series_fixture_script(
	    fixture, HELLO "echo uspok 1; read ready; echo readyok; read quit");
	strcpy(fixture->entrants[2].name, "mine");
	call_all();
	for (int i = 0; i < 4; i++) {
		assert_true(rolls[i].ready);
		assert_int_equal(rolls[i].fault.seat, -1);
	}
	assert_string_equal(rolls[0].name, "first");
	assert_string_equal(rolls[1].name, "random");
	assert_string_equal(rolls[2].name, "mine");
	assert_string_equal(rolls[3].name, "odd\\x1B");
	assert_string_equal(rolls[0].version, "1");
	assert_string_equal(rolls[3].version, "1.2");
}

TEST(test_all_bots_are_called_once_whatever_the_others_are)
{
	for (int i = 0; i < 30; i++) {
		if (i % 3 == 1)
			series_fixture_script(fixture,
			    "echo $$ >>\"$1\"/starts; echo bad >&2; exit 9");
		else
			series_fixture_counted_bot(fixture);
	}
	call_all();
	assert_int_equal(series_fixture_starts(fixture), 30);
	for (int i = 0; i < 30; i++) {
		assert_int_equal(rolls[i].ready, i % 3 != 1);
		if (i % 3 != 1)
			continue;
		assert_string_equal(rolls[i].fault.reason, "HS_EXIT(9)");
		assert_string_equal(rolls[i].fault.stderr_tail, "bad\n");
	}
}

TEST(test_a_mute_bot_is_told_by_its_silence)
{
	const struct match_fault *fault;

	fixture->config.rules.settings.startup_ns = 100 * MS;
	fault = fault_of("exec sleep 1000");
	assert_string_equal(fault->reason, "HS_TIMEOUT");
	assert_int_equal(fault->phase, SESSION_HELLO);
	assert_string_equal(fault->received, "");
	assert_string_equal(fault->ending, "");
	fixture->config.rules.settings.startup_ns = 2000 * MS;
	fault = fault_of("echo 'id name=slow'; echo uspok 1; exec sleep 1000");
	assert_string_equal(fault->reason, "HS_TIMEOUT");
	assert_int_equal(fault->phase, SESSION_SETUP);
	assert_string_equal(fault->received, "uspok 1");
}

TEST(test_a_crash_is_told_with_the_last_words)
{
	const struct match_fault *fault;

	fault = fault_of("i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); "
			 "echo \"word $i\" >&2; done; kill -SEGV $$");
	assert_string_equal(fault->reason, "HS_CRASH(11)");
	assert_non_null(strstr(fault->ending, "11"));
	assert_non_null(strstr(fault->stderr_tail, "word 2000\n"));
	assert_null(strstr(fault->stderr_tail, "word 1\n"));
}

TEST(test_a_handshake_that_is_wrong_is_told_with_what_was_received)
{
	const struct match_fault *fault;

	fault = fault_of(HELLO "echo uspok 2; read line");
	assert_string_equal(fault->reason, "HS_BAD(VERSION)");
	assert_string_equal(fault->received, "uspok 2");
	assert_string_equal(rolls[0].name, "odd\\x1B");
	fault = fault_of("printf '\\001\\377\\n'; read line");
	assert_string_equal(fault->reason, "HS_BAD");
	fault = fault_of("exec yes babble");
	assert_true(strncmp(fault->reason, "HS_BAD", 6) == 0);
	assert_string_equal(fault->received, "babble");
}

TEST(test_an_option_that_a_bot_does_not_have_is_told)
{
	static const char *const options[] = { "depth=3", NULL };

	series_fixture_bot(fixture, "first");
	fixture->entrants[0].options = options;
	call_all();
	assert_false(rolls[0].ready);
	assert_string_equal(rolls[0].fault.reason, "HS_BAD(OPTION)");
	assert_non_null(strstr(rolls[0].fault.said, "depth"));
}

TEST(test_a_program_that_cannot_be_run_is_told)
{
	series_fixture_bot(fixture, "first");
	strcpy(fixture->entrants[0].program.path, "/no/such/bot");
	call_all();
	assert_false(rolls[0].ready);
	assert_string_equal(rolls[0].fault.reason, "EXEC_FAIL(ENOENT)");
	assert_string_equal(rolls[0].name, "bot");
}

/* SIGTERM for this process, in so many milliseconds. */
static timer_t
signal_soon(int64_t delay_ms)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
		.sigev_signo = SIGTERM };
	struct itimerspec when = { .it_value.tv_nsec = delay_ms * 1000000 };
	timer_t timer;

	assert_int_equal(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
	assert_int_equal(timer_settime(timer, 0, &when, NULL), 0);
	return timer;
}

TEST(test_a_signal_ends_it)
{
	int number = -1;
	timer_t timer;

	for (int i = 0; i < 20; i++)
		series_fixture_script(fixture,
		    "trap '' TERM; echo $$ >>\"$1\"/starts; "
		    "exec sleep 1000");
	timer = signal_soon(500);
	assert_int_equal(call(&number), -EINTR);
	assert_int_equal(timer_delete(timer), 0);
	assert_int_equal(number, SIGTERM);
	assert_in_range(series_fixture_starts(fixture), 0, PREFLIGHT_AT_ONCE);
}

/* Root has as many processes as it likes: from here on it is nobody. */
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

TEST_WITH(test_a_machine_that_refuses_for_a_while_is_waited_for,
    setup_as_nobody, series_fixture_teardown)
{
	const struct itimerval soon = { .it_value = { .tv_usec = 600000 } };
	struct rlimit none;

	series_fixture_bot(fixture, "first");
	series_fixture_bot(fixture, "random");
	assert_int_equal(getrlimit(RLIMIT_NPROC, &processes), 0);
	none = (struct rlimit){ 1, processes.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NPROC, &none), 0);
	signal(SIGALRM, relax);
	assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
	call_all();
	signal(SIGALRM, SIG_DFL);
	assert_true(rolls[0].ready && rolls[1].ready);
}

/* The last test: limits of a process are for ever. */
TEST(test_a_machine_that_refuses_is_told)
{
	struct rlimit limit = { 40, 40 };
	int number;

	series_fixture_bot(fixture, "first");
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_int_equal(call(&number), -EMFILE);
}

TEST_ROLE(series_fixture_is_role, series_fixture_role)

TEST_EACH(setup, series_fixture_teardown)
