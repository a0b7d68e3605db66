/*
 * Failures of the machine: games are played again, and the arena backs off.
 */
#include "infra_failure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "child.h"
#include "clock.h"
#include "dispatcher_fixture.h"
#include "output.h"
#include "test.h"

enum { TICK_MS = 50, NOBODY = 65534 };

static struct dispatcher_fixture *fixture;

/* The records of the games of this script against a built-in bot. */
static char *
records_of(const char *script)
{
	char *records;

	fixture = dispatcher_fixture_open("scopa");
	dispatcher_fixture_script(fixture, script);
	dispatcher_fixture_bot(fixture, "first");
	for (int i = 0; i < 3; i++)
		dispatcher_fixture_pair(fixture, 0, 1);
	dispatcher_fixture_play_all(fixture);
	for (int i = 0; i < 3; i++)
		assert_int_equal(fixture->results[i].result.fault_entrant, -1);
	records = dispatcher_fixture_records(fixture);
	dispatcher_fixture_close(fixture);
	return records;
}

/* Removes a word from a text that has it once. */
static void
cut(char *text, const char *word)
{
	char *at = strstr(text, word);

	assert_non_null(at);
	memmove(at, at + strlen(word), strlen(at + strlen(word)) + 1);
	assert_null(strstr(text, word));
}

/* In the first game a daemon is started and the supervisor is killed, once. */
TEST(test_game_of_a_lost_supervisor_is_played_again)
{
	char *honest = records_of("exec \"$0\" bot first");
	char *lost = records_of("exec \"$0\" bot first; ");

	assert_string_equal(honest, lost);
	free(lost);
	lost = records_of("if [ ! -e \"$1\"/starts ]; then "
			  "setsid sh -c 'echo $$ >>\"$1\"/starts; "
			  "exec sleep 1000' sh \"$1\" & "
			  "until [ -s \"$1\"/starts ]; do sleep 0.01; done; "
			  "kill -s KILL $PPID; sleep 1000; fi; "
			  "exec \"$0\" bot first");
	cut(lost, " voided=BOX_ERR");
	assert_string_equal(honest, lost);
	free(honest);
	free(lost);
}

static __rlimit_resource_t scarce;
static struct rlimit plenty;
static int scarce_ticks; /* for so long nothing can be started */

/* Sets the limit of the worker, which starts the bots, to almost nothing. */
static void
tighten(struct dispatcher_fixture *given, struct dispatcher *dispatcher)
{
	struct rlimit limit;
	int worker = child_of(getpid());

	(void)dispatcher;
	if (given->counter++ > 0)
		return;
	assert_int_equal(prlimit(worker, scarce, NULL, &plenty), 0);
	limit = plenty;
	limit.rlim_cur = 1;
	assert_int_equal(prlimit(worker, scarce, &limit, NULL), 0);
}

static void
relax(struct dispatcher *dispatcher, void *context)
{
	struct dispatcher_fixture *given = context;

	(void)dispatcher;
	if (given->counter > 0 && given->counter++ == scarce_ticks)
		assert_int_equal(
		    prlimit(child_of(getpid()), scarce, &plenty, NULL), 0);
}

/* Four bots that are started one after the other. */
static void
open_scarce(__rlimit_resource_t resource)
{
	scarce = resource;
	fixture = dispatcher_fixture_open("scopa");
	for (int i = 0; i < 4; i++)
		dispatcher_fixture_bot(fixture, i % 2 ? "first" : "random");
	dispatcher_fixture_round_robin(fixture, 1);
	fixture->config.tick_ns = TICK_MS * CLOCK_NS_PER_MS;
	fixture->after_result = tighten;
}

static void
expect_a_pause(__rlimit_resource_t resource)
{
	bool refused = false;

	/* On a busy machine it may take long until anything is refused. */
	for (scarce_ticks = 20; !refused; scarce_ticks *= 2) {
		char *records;

		open_scarce(resource);
		fixture->calls.on_tick = relax;
		dispatcher_fixture_play_all(fixture);
		for (int i = 0; i < fixture->result_count; i++)
			assert_int_equal(
			    fixture->results[i].result.fault_entrant, -1);
		records = dispatcher_fixture_records(fixture);
		refused = strstr(records, " voided=ENV_ERR") != NULL;
		free(records);
		dispatcher_fixture_close(fixture);
	}
}

static void
expect_an_end(__rlimit_resource_t resource, int error)
{
	struct dispatcher_outcome outcome;

	open_scarce(resource);
	fixture->config.backoff_limit_ns = CLOCK_NS_PER_S;
	outcome = dispatcher_fixture_play(fixture);
	assert_int_equal(outcome.end, DISPATCHER_FAILED);
	assert_int_equal(outcome.detail, error);
	assert_true(fixture->result_count >= 1);
}

TEST(test_series_waits_if_descriptors_are_scarce)
{
	expect_a_pause(RLIMIT_NOFILE);
}

TEST(test_series_ends_if_descriptors_stay_scarce)
{
	expect_an_end(RLIMIT_NOFILE, -EMFILE);
}

/* For the last tests only: root has no limit of processes. */
static void
give_up_root(void)
{
	if (geteuid() == 0 && setresuid(NOBODY, NOBODY, NOBODY) < 0)
		skip();
}

TEST(test_series_waits_if_processes_are_scarce)
{
	give_up_root();
	expect_a_pause(RLIMIT_NPROC);
}

TEST(test_series_ends_if_processes_stay_scarce)
{
	give_up_root();
	output_stderr_begin();
	expect_an_end(RLIMIT_NPROC, -EAGAIN);
	expect_parts(output_stderr_end(), "no more processes (ulimit -u)");
}

enum { PAUSE_NS = BACKOFF_PAUSE_MS * 1000000 };

TEST(test_backoff_halves_the_matches_and_adds_them_again_one_by_one)
{
	struct backoff backoff;
	int64_t now_ns = 1;

	backoff_init(&backoff, 64, 0);
	assert_true(backoff_allows(&backoff, 63, now_ns));
	assert_false(backoff_allows(&backoff, 64, now_ns));
	assert_true(backoff_begin(&backoff, 50, now_ns));
	assert_false(backoff_allows(&backoff, 0, now_ns));
	now_ns += PAUSE_NS;
	assert_true(backoff_allows(&backoff, 24, now_ns));
	assert_false(backoff_allows(&backoff, 25, now_ns));
	for (int i = 25; i < 64; i++) {
		backoff_ease(&backoff);
		assert_true(backoff_allows(&backoff, i, now_ns));
		assert_false(backoff_allows(&backoff, i + 1, now_ns));
	}
	backoff_ease(&backoff);
	assert_false(backoff_allows(&backoff, 64, now_ns));
}

TEST(test_backoff_always_allows_one_match)
{
	struct backoff backoff;

	backoff_init(&backoff, 8, 0);
	for (int i = 0; i < 10; i++)
		assert_true(backoff_begin(&backoff, i % 3, 1));
	assert_true(backoff_allows(&backoff, 0, 1 + PAUSE_NS));
	assert_false(backoff_allows(&backoff, 1, 1 + PAUSE_NS));
}

TEST(test_backoff_ends_when_nothing_has_succeeded)
{
	struct backoff backoff;

	backoff_init(&backoff, 2, CLOCK_NS_PER_S);
	assert_true(backoff_begin(&backoff, 1, 1));
	assert_true(backoff_begin(&backoff, 1, CLOCK_NS_PER_S));
	assert_false(backoff_begin(&backoff, 1, CLOCK_NS_PER_S + 1));
	backoff_ease(&backoff);
	assert_true(backoff_begin(&backoff, 1, 2 * CLOCK_NS_PER_S));
	backoff_init(&backoff, 2, 0);
	assert_true(backoff_begin(&backoff, 1, 1));
	assert_true(
	    backoff_begin(&backoff, 1, BACKOFF_LIMIT_S * CLOCK_NS_PER_S));
	assert_false(
	    backoff_begin(&backoff, 1, 1 + BACKOFF_LIMIT_S * CLOCK_NS_PER_S));
}

TEST(test_backoff_is_for_temporary_failures_only)
{
	assert_true(infra_failure_may_pass(-EAGAIN));
	assert_true(infra_failure_may_pass(-EMFILE));
	assert_true(infra_failure_may_pass(-EOWNERDEAD));
	assert_false(infra_failure_may_pass(-EBADMSG));
	assert_false(infra_failure_may_pass(-E2BIG));
	assert_false(infra_failure_may_pass(-ENOENT));
}

TEST_EACH(NULL, dispatcher_fixture_teardown)
