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

#include "test.h"
#include "ward.h"

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

WARD_TEST(test_end_is_the_end_of_the_bot)
{
	enum tree_kill tree = ward_tree(state);
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
	struct ward ward;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		int status;

		ward_start(&ward, tree, ends[i].play);
		status = ward_finish(&ward);
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
play_census(void)
{
	sigset_t blocked;

	sigprocmask(SIG_BLOCK, NULL, &blocked);
	for (int number = 1; number < NSIG; number++)
		if (sigismember(&blocked, number) == 1)
			return number;
	return getsid(0) == getpid() ? 0 : 100;
}

WARD_TEST(test_bot_finds_no_signal_blocked_and_leads_a_session)
{
	struct ward ward;

	ward_start(&ward, ward_tree(state), play_census);
	assert_int_equal(ward_finish(&ward), 0);
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
			ward_sleep();
		if (fork() == 0)
			_exit(9);
		_exit(0);
	}
	status = waitpid(pid, &status, 0) == pid ? 5 : 6;
	poll(NULL, 0, 20);
	return status;
}

WARD_TEST(test_daemons_die_with_the_bot)
{
	struct ward ward;
	int status;

	ward_start(&ward, ward_tree(state), play_daemon);
	status = ward_finish(&ward);
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

WARD_TEST(test_whoever_runs_away_dies_with_the_bot)
{
	struct ward ward;
	int status;

	ward_start(&ward, ward_tree(state), play_runaway);
	status = ward_finish(&ward);
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
		ward_sleep();
	}
	ward_say('x');
	return ward_sleep();
}

WARD_TEST(test_word_of_the_arena_ends_all)
{
	struct ward ward;
	int status;

	ward_start(&ward, ward_tree(state), play_crowd);
	ward_expect_byte(ward.output.reader);
	kill(ward.pid, SIGTERM);
	status = ward_finish(&ward);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
}

WARD_TEST(test_word_that_comes_at_once_is_heard)
{
	enum tree_kill tree = ward_tree(state);

	/* However far it has come: from the fork to the bot's first step. */
	for (int i = 0; i < 50; i++) {
		struct ward ward;

		ward_start(&ward, tree, ward_sleep);
		for (volatile int delay = 0; delay < i * 4000; delay++)
			continue;
		kill(ward.pid, SIGTERM);
		assert_true(WIFSIGNALED(ward_finish(&ward)));
	}
}

WARD_TEST(test_death_of_the_arena_ends_all)
{
	struct ward ward;
	pid_t arena;

	ward_pipes(&ward, ward_tree(state), play_crowd);
	arena = fork();
	if (arena == 0) {
		ward.pid = fork();
		if (ward.pid == 0)
			ward_run(&ward);
		ward_close_writers(&ward);
		ward_sleep();
	}
	ward_close_writers(&ward);
	ward_expect_byte(ward.output.reader);
	kill(arena, SIGKILL);
	assert_int_equal(waitpid(arena, NULL, 0), arena);
	ward_finish(&ward);
}

static int
play_close(void)
{
	ward_say('x');
	close(STDOUT_FILENO);
	return ward_sleep();
}

WARD_TEST(test_pipes_end_where_the_bot_closes_them)
{
	struct ward ward;

	ward_start(&ward, ward_tree(state), play_close);
	ward_expect_byte(ward.output.reader);
	/* Nobody else holds them, but the bot is alive. */
	ward_expect_end(ward.output.reader, WARD_PATIENCE_MS);
	ward_expect_end(ward.report.reader, WARD_PATIENCE_MS);
	assert_int_equal(waitpid(ward.pid, NULL, WNOHANG), 0);
	kill(ward.pid, SIGTERM);
	ward_finish(&ward);
}

WARD_TEST(test_two_bots_do_not_end_each_other)
{
	enum tree_kill tree = ward_tree(state);
	struct ward one, other;

	ward_start(&one, tree, play_close);
	ward_start(&other, tree, play_crowd);
	ward_expect_byte(one.output.reader);
	ward_expect_byte(other.output.reader);
	kill(other.pid, SIGTERM);
	assert_true(WIFSIGNALED(ward_finish(&other)));
	assert_int_equal(waitpid(one.pid, NULL, WNOHANG), 0);
	kill(one.pid, SIGTERM);
	ward_finish(&one);
}
