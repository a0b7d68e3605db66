/*
 * How bots end: by themselves, by us, by others, with ghosts and alone; and
 * that afterwards nothing is left of them.
 */
#include "ending.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "child.h"
#include "clock.h"
#include "launcher.h"
#include "process.h"
#include "witness.h"

static struct loop *loop;
static int descriptors_before;
static struct witness witness;

static int
loop_setup(void **state)
{
	(void)state;
	descriptors_before = child_descriptors();
	return loop_open(&loop);
}

static int
loop_teardown(void **state)
{
	(void)state;
	loop_close(loop);
	return child_none() && child_descriptors() == descriptors_before ? 0
									 : -1;
}

static void
expect_exit(enum bot_end end, int code, bool killed, const char *sentence)
{
	assert_string_equal(witness.exit.sentence, sentence);
	assert_int_equal(witness.exit.end, end);
	assert_int_equal(witness.exit.code, code);
	assert_int_equal(witness.exit.killed, killed);
}

static int64_t
soon_ns(int64_t ms)
{
	return clock_now_ns() + ms * CLOCK_NS_PER_MS;
}

static void
test_exit_status_is_data(void **state)
{
	static const char *const codes[] = { "0", "3", "127", "255" };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		char sentence[64];

		witness_open(&witness, loop, "exit", codes[i]);
		witness_close(&witness);
		snprintf(sentence, sizeof(sentence), "exited with status %s",
		    codes[i]);
		expect_exit(BOT_END_EXIT, atoi(codes[i]), false, sentence);
		assert_false(witness.exit.stopped);
		assert_int_equal(witness_count(&witness, "eof"), 0);
	}
}

static void
test_signals_are_data(void **state)
{
	(void)state;
	witness_open(&witness, loop, "signal", "11");
	witness_close(&witness);
	expect_exit(
	    BOT_END_SIGNAL, SIGSEGV, false, "died of signal 11 (SIGSEGV)");
	witness_open(&witness, loop, "signal", "6");
	witness_close(&witness);
	expect_exit(
	    BOT_END_SIGNAL, SIGABRT, false, "died of signal 6 (SIGABRT)");
}

static void
test_suicide_is_not_our_kill(void **state)
{
	(void)state;
	witness_open(&witness, loop, "signal", "9");
	witness_close(&witness);
	expect_exit(
	    BOT_END_SIGNAL, SIGKILL, false, "died of signal 9 (SIGKILL)");
}

static void
test_our_kill_is_told_as_ours(void **state)
{
	(void)state;
	witness_open(&witness, loop, "sleep", NULL);
	witness_wait(&witness, "start");
	bot_kill(witness.bot);
	bot_kill(witness.bot);
	witness_close(&witness);
	expect_exit(BOT_END_SIGNAL, SIGKILL, true, "was killed by the arena");
	assert_true(witness.exit.stopped);
}

static void
test_kill_after_its_own_death_is_not_ours(void **state)
{
	(void)state;
	witness_open(&witness, loop, "exit", "3");
	assert_true(child_gone(bot_pid(witness.bot)));
	bot_kill(witness.bot);
	witness_close(&witness);
	expect_exit(BOT_END_EXIT, 3, false, "exited with status 3");
}

static void
test_data_before_death_is_read_first(void **state)
{
	(void)state;
	for (int i = 0; i < 50; i++) {
		witness_open(&witness, loop, "say", "move 7D\\n");
		/* Dead before anybody has looked. */
		if (i % 2 == 0)
			assert_true(child_gone(bot_pid(witness.bot)));
		witness_close(&witness);
		assert_non_null(strstr(
		    witness.text, "line move 7D\nexit exited with status 0\n"));
	}
}

static void
test_kind_stop_ends_with_status_0(void **state)
{
	(void)state;
	witness_open(&witness, loop, "echo", NULL);
	witness_wait(&witness, "start");
	bot_stop(witness.bot, "quit\n", soon_ns(60000));
	assert_int_equal(bot_send(witness.bot, "x\n", 2, NULL), -EPIPE);
	witness_close(&witness);
	expect_exit(BOT_END_EXIT, 0, false, "exited with status 0");
	assert_true(witness.exit.stopped);
	/* Without a farewell the end of stdin is the message. */
	witness_open(&witness, loop, "echo", NULL);
	bot_stop(witness.bot, NULL, soon_ns(60000));
	witness_close(&witness);
	expect_exit(BOT_END_EXIT, 3, false, "exited with status 3");
}

static void
test_what_waits_is_written_before_the_end(void **state)
{
	static char bytes[150000];

	(void)state;
	memset(bytes, 'x', sizeof(bytes));
	witness_open(&witness, loop, "late-reader", NULL);
	witness_wait(&witness, "ready");
	assert_int_equal(
	    bot_send(witness.bot, bytes, sizeof(bytes), NULL), -EAGAIN);
	bot_stop(witness.bot, "quit\n", soon_ns(60000));
	witness_close(&witness);
	expect_exit(BOT_END_EXIT, 0, false, "exited with status 0");
}

static void
test_slow_reader_is_killed_with_its_input_waiting(void **state)
{
	static char bytes[200000];

	(void)state;
	memset(bytes, 'x', sizeof(bytes));
	witness_open(&witness, loop, "sip", NULL);
	witness_wait(&witness, "start");
	assert_int_equal(
	    bot_send(witness.bot, bytes, sizeof(bytes), NULL), -EAGAIN);
	bot_stop(witness.bot, "quit\n", soon_ns(30));
	assert_true(bot_waiting(witness.bot) > 0);
	witness_close(&witness);
	expect_exit(BOT_END_SIGNAL, SIGKILL, true, "was killed by the arena");
	assert_int_equal(witness_count(&witness, "flushed"), 0);
}

static void
test_stubborn_bot_is_killed_after_the_grace(void **state)
{
	int64_t kill_ns;

	(void)state;
	witness_open(&witness, loop, "stubborn", NULL);
	witness_wait(&witness, "stubborn");
	kill_ns = soon_ns(50);
	bot_stop(witness.bot, "quit\n", kill_ns);
	/* A later word does not give it more time, an earlier one less. */
	bot_stop(witness.bot, "quit\n", soon_ns(3600000));
	witness_close(&witness);
	expect_exit(BOT_END_SIGNAL, SIGKILL, true, "was killed by the arena");
	assert_true(witness.exit.exited_ns >= kill_ns);
	witness_open(&witness, loop, "stubborn", NULL);
	witness_wait(&witness, "stubborn");
	bot_stop(witness.bot, "quit\n", soon_ns(3600000));
	bot_stop(witness.bot, "quit\n", soon_ns(10));
	witness_close(&witness);
	expect_exit(BOT_END_SIGNAL, SIGKILL, true, "was killed by the arena");
}

static void
test_stopped_process_is_killed(void **state)
{
	(void)state;
	witness_open(&witness, loop, "stop", NULL);
	witness_wait(&witness, "stopping");
	bot_stop(witness.bot, "quit\n", soon_ns(30));
	witness_close(&witness);
	expect_exit(BOT_END_SIGNAL, SIGKILL, true, "was killed by the arena");
}

static void
test_flood_on_quit_ends_with_the_grace(void **state)
{
	(void)state;
	witness_open(&witness, loop, "flood-on-quit", "4000");
	witness_wait(&witness, "waiting");
	bot_stop(witness.bot, "quit\n", soon_ns(50));
	witness_close(&witness);
	expect_exit(BOT_END_SIGNAL, SIGKILL, true, "was killed by the arena");
	assert_int_equal(witness.line_count, 1);
	assert_int_equal(witness_count(&witness, "flood"), 0);
}

static void
test_silence_after_stop_within_a_line(void **state)
{
	(void)state;
	witness_open(&witness, loop, "say-and-sleep", "one\\ntwo\\nthree\\n");
	witness.stopping = true;
	witness_wait(&witness, "line one");
	bot_kill(witness.bot);
	witness_close(&witness);
	assert_int_equal(witness.line_count, 1);
}

static void
test_many_stubborn_bots_stop_at_once(void **state)
{
	enum { BOTS = 20 };
	static struct witness many[BOTS];
	int64_t kill_ns;

	(void)state;
	for (size_t i = 0; i < BOTS; i++)
		witness_open(&many[i], loop, "stubborn", NULL);
	for (size_t i = 0; i < BOTS; i++)
		witness_wait(&many[i], "stubborn");
	kill_ns = soon_ns(100);
	for (size_t i = 0; i < BOTS; i++) {
		many[i].closing = i % 2 == 0;
		bot_stop(many[i].bot, "quit\n", kill_ns);
	}
	for (size_t i = 0; i < BOTS; i++) {
		if (many[i].closing)
			witness_wait(&many[i], "exit ");
		else
			witness_close(&many[i]);
		assert_null(many[i].bot);
		assert_true(many[i].exit.killed);
		assert_true(many[i].exit.exited_ns >= kill_ns);
	}
}

static int
ghost_pid(void)
{
	const char *found = strstr(witness.text, "ghost ");

	assert_non_null(found);
	return atoi(found + 6);
}

static void
test_death_is_told_though_a_child_holds_stdout(void **state)
{
	(void)state;
	witness_open(&witness, loop, "ghost", "silent");
	witness_close(&witness);
	expect_exit(BOT_END_EXIT, 0, false, "exited with status 0");
	assert_int_equal(witness_count(&witness, "line"), 1);
	assert_true(child_gone(ghost_pid()));
}

static void
test_ghosts_that_talk_on_are_not_heard_for_long(void **state)
{
	(void)state;
	witness_open(&witness, loop, "ghost", "loud");
	witness.marking = true;
	witness_close(&witness);
	expect_exit(BOT_END_EXIT, 0, false, "exited with status 0");
	assert_true(child_gone(ghost_pid()));
}

static void
test_kill_reaches_the_children_of_a_wrapper(void **state)
{
	(void)state;
	witness_open(&witness, loop, "wrapper", "silent");
	witness_wait(&witness, "ghost");
	witness_finish(&witness);
	expect_exit(BOT_END_SIGNAL, SIGKILL, true, "was killed by the arena");
	assert_true(child_gone(ghost_pid()));
}

static void
test_living_bot_can_be_closed(void **state)
{
	int pid;

	(void)state;
	witness_open(&witness, loop, "stubborn", NULL);
	witness_wait(&witness, "stubborn");
	pid = bot_pid(witness.bot);
	bot_close(witness.bot);
	bot_close(NULL);
	assert_true(child_gone(pid));
	assert_int_equal(witness_count(&witness, "exit"), 0);
	/* And one that has not even begun. */
	witness_open(&witness, loop, "sleep", NULL);
	bot_close(witness.bot);
}

static void
test_cost_of_a_bot_is_told(void **state)
{
	const char *arguments[] = { "sh", "-c",
		"i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done", NULL };

	(void)state;
	witness_open_file(&witness, loop, "/bin/sh", arguments);
	witness_close(&witness);
	assert_true(witness.exit.user_ns + witness.exit.system_ns > 0);
	assert_true(witness.exit.rss_max_bytes > 100000);
}

/* The words for ends that a test cannot bring about. */
static void
test_fault_of_the_machine_is_never_the_bots(void **state)
{
	struct launcher_report report = { LAUNCHER_EXECUTE, ENOMEM, "no room" };
	const struct process_end end = { .code = LAUNCHER_EXIT_FAILED };

	(void)state;
	witness.exit = (struct bot_exit){ .killed = true };
	bot_exit_describe(&witness.exit, &end, &report, 0);
	expect_exit(BOT_END_HOST, ENOMEM, false, "no room");
	report.error = ENOEXEC;
	bot_exit_describe(&witness.exit, &end, &report, 0);
	expect_exit(BOT_END_EXEC, ENOEXEC, false, "no room");
	report.step = LAUNCHER_PREPARE;
	bot_exit_describe(&witness.exit, &end, &report, 0);
	expect_exit(BOT_END_HOST, ENOEXEC, false, "no room");
	bot_exit_describe(&witness.exit, &end, NULL, ECHILD);
	expect_exit(BOT_END_HOST, ECHILD, false,
	    "could not be served any longer: No child processes");
}

#define WITH_LOOP(test) \
	cmocka_unit_test_setup_teardown(test, loop_setup, loop_teardown)

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		WITH_LOOP(test_exit_status_is_data),
		WITH_LOOP(test_signals_are_data),
		WITH_LOOP(test_suicide_is_not_our_kill),
		WITH_LOOP(test_our_kill_is_told_as_ours),
		WITH_LOOP(test_kill_after_its_own_death_is_not_ours),
		WITH_LOOP(test_data_before_death_is_read_first),
		WITH_LOOP(test_kind_stop_ends_with_status_0),
		WITH_LOOP(test_what_waits_is_written_before_the_end),
		WITH_LOOP(test_slow_reader_is_killed_with_its_input_waiting),
		WITH_LOOP(test_stubborn_bot_is_killed_after_the_grace),
		WITH_LOOP(test_stopped_process_is_killed),
		WITH_LOOP(test_flood_on_quit_ends_with_the_grace),
		WITH_LOOP(test_silence_after_stop_within_a_line),
		WITH_LOOP(test_many_stubborn_bots_stop_at_once),
		WITH_LOOP(test_death_is_told_though_a_child_holds_stdout),
		WITH_LOOP(test_ghosts_that_talk_on_are_not_heard_for_long),
		WITH_LOOP(test_kill_reaches_the_children_of_a_wrapper),
		WITH_LOOP(test_living_bot_can_be_closed),
		WITH_LOOP(test_cost_of_a_bot_is_told),
		cmocka_unit_test(test_fault_of_the_machine_is_never_the_bots),
	};

	if (child_is(argc, argv))
		return child_run(argc, argv);
	return cmocka_run_group_tests_name("ending", tests, NULL, NULL);
}
