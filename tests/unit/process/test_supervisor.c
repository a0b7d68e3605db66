/*
 * A supervisor ends as its bot does, and leaves nothing of it, in all ways of
 * killing all.
 */
#include "supervisor.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "supervised_child.h"
#include "test.h"

enum { CROWD = 100 };

static int
play_exit(void)
{
	return 37;
}

static int
play_kill(void)
{
	raise(SIGKILL);
	return 0;
}

static int
play_signal(void)
{
	/* Sanitizers have an idea of their own about crashes. */
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
	return 0;
}

static int
play_terminated(void)
{
	raise(SIGTERM);
	return 0;
}

SUPERVISED_CHILD_TEST(test_end_is_the_end_of_the_bot)
{
	enum tree_kill tree = supervised_child_tree(state);
	const struct {
		int (*play)(void);
		int code;
		int signal;
	} ends[] = {
		{ play_exit, 37, 0 },
		{ play_kill, 0, SIGKILL },
		{ play_signal, 0, SIGSEGV },
		{ play_terminated, 0, SIGTERM },
	};
	struct supervised_child child;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		int status;

		supervised_child_start(&child, tree, ends[i].play);
		status = supervised_child_finish(&child);
		if (ends[i].signal == 0) {
			assert_true(WIFEXITED(status));
			assert_int_equal(WEXITSTATUS(status), ends[i].code);
		} else {
			assert_true(WIFSIGNALED(status));
			assert_int_equal(WTERMSIG(status), ends[i].signal);
		}
	}
}

static int
play_child_tracker(void)
{
	sigset_t blocked;

	sigprocmask(SIG_BLOCK, NULL, &blocked);
	for (int number = 1; number < NSIG; number++)
		if (sigismember(&blocked, number) == 1)
			return number;
	return getsid(0) == getpid() ? 0 : 100;
}

SUPERVISED_CHILD_TEST(test_bot_finds_no_signal_blocked_and_leads_a_session)
{
	struct supervised_child child;

	supervised_child_start(
	    &child, supervised_child_tree(state), play_child_tracker);
	assert_int_equal(supervised_child_finish(&child), 0);
}

/* Grandchildren in a session of their own; one ends before the bot does. */
static int
play_daemon(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		setsid();
		if (fork() == 0)
			supervised_child_sleep();
		if (fork() == 0)
			_exit(9);
		_exit(0);
	}
	status = waitpid(pid, &status, 0) == pid ? 5 : 6;
	poll(NULL, 0, 20);
	return status;
}

SUPERVISED_CHILD_TEST(test_daemons_die_with_the_bot)
{
	struct supervised_child child;
	int status;

	supervised_child_start(
	    &child, supervised_child_tree(state), play_daemon);
	status = supervised_child_finish(&child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 5);
}

/* Each forks another and ends: nobody can catch up with it. */
static int
play_runaway(void)
{
	pid_t pid = fork();

	if (pid == 0)
		for (int i = 0; i < 100000 && pid == 0; i++)
			pid = fork();
	return 4;
}

SUPERVISED_CHILD_TEST(test_whoever_runs_away_dies_with_the_bot)
{
	struct supervised_child child;
	int status;

	supervised_child_start(
	    &child, supervised_child_tree(state), play_runaway);
	status = supervised_child_finish(&child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 4);
}

/* Many that ignore what can be ignored, some of them stopped. */
static int
play_crowd(void)
{
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_IGN);
	for (int i = 0; i < CROWD; i++) {
		if (fork() != 0)
			continue;
		setsid();
		if (i % 4 == 0)
			raise(SIGSTOP);
		supervised_child_sleep();
	}
	supervised_child_say('x');
	return supervised_child_sleep();
}

SUPERVISED_CHILD_TEST(test_word_of_the_arena_ends_all)
{
	struct supervised_child child;
	int status;

	supervised_child_start(
	    &child, supervised_child_tree(state), play_crowd);
	supervised_child_expect_byte(child.output.reader);
	kill(child.pid, SIGTERM);
	status = supervised_child_finish(&child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
}

SUPERVISED_CHILD_TEST(test_word_that_comes_at_once_is_heard)
{
	enum tree_kill tree = supervised_child_tree(state);

	/* However far it has come: from the fork to the bot's first step. */
	for (int i = 0; i < 50; i++) {
		struct supervised_child child;

		supervised_child_start(&child, tree, supervised_child_sleep);
		for (volatile int delay = 0; delay < i * 4000; delay++)
			continue;
		kill(child.pid, SIGTERM);
		assert_true(WIFSIGNALED(supervised_child_finish(&child)));
	}
}

SUPERVISED_CHILD_TEST(test_death_of_the_arena_ends_all)
{
	struct supervised_child child;
	pid_t arena;

	supervised_child_pipes(
	    &child, supervised_child_tree(state), play_crowd);
	arena = fork();
	if (arena == 0) {
		child.pid = fork();
		if (child.pid == 0)
			supervised_child_run(&child);
		supervised_child_close_writers(&child);
		supervised_child_sleep();
	}
	supervised_child_close_writers(&child);
	supervised_child_expect_byte(child.output.reader);
	kill(arena, SIGKILL);
	assert_int_equal(waitpid(arena, NULL, 0), arena);
	supervised_child_finish(&child);
}

static int
play_close(void)
{
	supervised_child_say('x');
	close(STDOUT_FILENO);
	return supervised_child_sleep();
}

SUPERVISED_CHILD_TEST(test_pipes_end_where_the_bot_closes_them)
{
	struct supervised_child child;

	supervised_child_start(
	    &child, supervised_child_tree(state), play_close);
	supervised_child_expect_byte(child.output.reader);
	/* Nobody else holds them, but the bot is alive. */
	supervised_child_expect_end(
	    child.output.reader, SUPERVISED_CHILD_WAIT_MS);
	supervised_child_expect_end(
	    child.report.reader, SUPERVISED_CHILD_WAIT_MS);
	assert_int_equal(waitpid(child.pid, NULL, WNOHANG), 0);
	kill(child.pid, SIGTERM);
	supervised_child_finish(&child);
}

SUPERVISED_CHILD_TEST(test_two_bots_do_not_end_each_other)
{
	enum tree_kill tree = supervised_child_tree(state);
	struct supervised_child one, other;

	supervised_child_start(&one, tree, play_close);
	supervised_child_start(&other, tree, play_crowd);
	supervised_child_expect_byte(one.output.reader);
	supervised_child_expect_byte(other.output.reader);
	kill(other.pid, SIGTERM);
	assert_true(WIFSIGNALED(supervised_child_finish(&other)));
	assert_int_equal(waitpid(one.pid, NULL, WNOHANG), 0);
	kill(one.pid, SIGTERM);
	supervised_child_finish(&one);
}
