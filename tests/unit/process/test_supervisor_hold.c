/*
 * A word to the supervisor stops all of a bot, however it forks, and another
 * lets it go on; in all ways of killing all.
 */
#include "supervisor.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "supervised_child.h"
#include "test.h"

/* Everybody writes without end, and some fork on and on. */
static int
play_chorus(void)
{
	bool runs_away = false;

	signal(SIGCONT, SIG_IGN);
	for (int i = 0; i < 3; i++) {
		runs_away = i % 2 == 0;
		if (fork() == 0) {
			setsid();
			break;
		}
		runs_away = false;
	}
	for (;;) {
		supervised_child_say('x');
		poll(NULL, 0, 1);
		if (runs_away && fork() > 0)
			_exit(0);
	}
}

/* How long the arena must hear nothing to take them all for stopped. */
enum { SILENCE_MS = 300 };

static void
drain(int reader)
{
	struct pollfd wait = { .fd = reader, .events = POLLIN };
	char bytes[512];

	/* Not for ever, where they write as fast as it is read. */
	for (int i = 0; i < 1000 && poll(&wait, 1, 0) == 1; i++)
		assert_true(read(reader, bytes, sizeof(bytes)) > 0);
}

/* A word takes its time to be obeyed; then there is silence. */
static void
expect_silence(int reader)
{
	struct pollfd wait = { .fd = reader, .events = POLLIN };
	int64_t end_ns =
	    clock_now_ns() + SUPERVISED_CHILD_WAIT_MS * CLOCK_NS_PER_MS;

	while (clock_now_ns() < end_ns) {
		drain(reader);
		if (poll(&wait, 1, SILENCE_MS) == 0)
			return;
	}
	fail_msg("they go on");
}

static void
say_word(const struct supervised_child *child, enum supervisor_command word)
{
	const union sigval value = { .sival_int = (int)word };

	assert_int_equal(sigqueue(child->pid, SUPERVISOR_SIGNAL, value), 0);
}

SUPERVISED_CHILD_TEST(test_all_are_stopped_and_go_on_at_a_word)
{
	struct supervised_child child;

	supervised_child_start(
	    &child, supervised_child_tree(state), play_chorus);
	for (int i = 0; i < 3; i++) {
		supervised_child_expect_byte(child.output.reader);
		say_word(&child, SUPERVISOR_FREEZE);
		expect_silence(child.output.reader);
		say_word(&child, SUPERVISOR_THAW);
	}
	supervised_child_expect_byte(child.output.reader);
	kill(child.pid, SIGTERM);
	supervised_child_finish(&child);
}

SUPERVISED_CHILD_TEST(test_last_word_counts)
{
	struct supervised_child child;

	supervised_child_start(
	    &child, supervised_child_tree(state), play_chorus);
	/* The first ones come before there is anybody to be stopped. */
	for (int i = 0; i < 500; i++) {
		say_word(&child, SUPERVISOR_THAW);
		say_word(&child, SUPERVISOR_FREEZE);
	}
	expect_silence(child.output.reader);
	for (int i = 0; i < 500; i++) {
		say_word(&child, SUPERVISOR_FREEZE);
		say_word(&child, SUPERVISOR_THAW);
	}
	drain(child.output.reader);
	supervised_child_expect_byte(child.output.reader);
	kill(child.pid, SIGTERM);
	supervised_child_finish(&child);
}

SUPERVISED_CHILD_TEST(test_who_is_stopped_is_killed_all_the_same)
{
	enum tree_kill tree = supervised_child_tree(state);
	struct supervised_child child;

	supervised_child_start(&child, tree, play_chorus);
	supervised_child_expect_byte(child.output.reader);
	say_word(&child, SUPERVISOR_FREEZE);
	expect_silence(child.output.reader);
	kill(child.pid, SIGTERM);
	assert_true(WIFSIGNALED(supervised_child_finish(&child)));
}
