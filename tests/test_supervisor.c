/*
 * A supervisor ends as its bot does, and leaves nothing of it, in both ways of
 * killing all.
 *
 * All that a bot starts holds one end of a pipe: it is gone when that ends.
 */
#include "supervisor.h"

#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "child.h"

enum {
	PATIENCE_MS = 30000,
	EXIT_FAIL = 78, /* the ground could not be prepared */
	CROWD = 100
};

struct pipe_ends {
	int reader;
	int writer;
};

/* A bot, its supervisor, and what of it can be heard. */
struct bot {
	enum tree_kill tree;
	int (*play)(void);
	struct pipe_ends output; /* its stdout */
	struct pipe_ends report; /* which it closes when it begins */
	struct pipe_ends held;   /* by all that it has started */
	pid_t pid;               /* of the supervisor */
};

static struct pipe_ends
pipe_make(void)
{
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	return (struct pipe_ends){ fds[0], fds[1] };
}

static int
become(void *context)
{
	const struct bot *bot = context;

	close(bot->report.writer);
	return bot->play();
}

static int
fail_to_prepare(void *context, const char *what, int error)
{
	(void)context;
	(void)what;
	(void)error;
	return EXIT_FAIL;
}

/* The launcher, as it becomes the supervisor: its pipes are the bot's. */
static void
supervisor_run(struct bot *bot)
{
	const struct supervisor_order order = {
		.tree = bot->tree,
		.become = become,
		.fail = fail_to_prepare,
		.context = bot,
		.report_fd = bot->report.writer,
	};

	close(bot->output.reader);
	close(bot->report.reader);
	close(bot->held.reader);
	dup2(bot->output.writer, STDOUT_FILENO);
	close(bot->output.writer);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	_exit(supervise(&order));
}

static void
bot_pipes(struct bot *bot, enum tree_kill tree, int (*play)(void))
{
	*bot = (struct bot){
		.tree = tree,
		.play = play,
		.output = pipe_make(),
		.report = pipe_make(),
		.held = pipe_make(),
	};
}

static void
bot_close_writers(struct bot *bot)
{
	close(bot->output.writer);
	close(bot->report.writer);
	close(bot->held.writer);
}

static void
bot_start(struct bot *bot, enum tree_kill tree, int (*play)(void))
{
	bot_pipes(bot, tree, play);
	bot->pid = fork();
	assert_true(bot->pid >= 0);
	if (bot->pid == 0)
		supervisor_run(bot);
	bot_close_writers(bot);
}

/* Fails unless the pipe has ended or ends within a generous time. */
static void
expect_end(int reader, int patience_ms)
{
	struct pollfd wait = { .fd = reader, .events = POLLIN };
	char bytes[64];

	do {
		assert_int_equal(poll(&wait, 1, patience_ms), 1);
	} while (read(reader, bytes, sizeof(bytes)) > 0);
}

static void
expect_byte(int reader)
{
	struct pollfd wait = { .fd = reader, .events = POLLIN };
	char byte;

	assert_int_equal(poll(&wait, 1, PATIENCE_MS), 1);
	assert_int_equal(read(reader, &byte, 1), 1);
}

/* Waits until it is over; the wait status of the supervisor. */
static int
bot_finish(struct bot *bot)
{
	int status = 0;

	if (bot->pid != 0)
		assert_int_equal(waitpid(bot->pid, &status, 0), bot->pid);
	/* A supervisor that is dead has seen all of the bot dead. */
	expect_end(bot->held.reader, bot->pid != 0 ? 0 : PATIENCE_MS);
	close(bot->output.reader);
	close(bot->report.reader);
	close(bot->held.reader);
	return status;
}

static int
play_nothing(void)
{
	return 0;
}

/* The tree of a test, where this machine has it. */
static enum tree_kill
tree_of(void **state)
{
	enum tree_kill tree = *(const enum tree_kill *)*state;
	struct bot bot;
	int status;

	bot_start(&bot, tree, play_nothing);
	status = bot_finish(&bot);
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAIL) {
		print_message("# no %s for this user here\n",
		    tree == TREE_BOX ? "namespaces" : "Landlock scope");
		skip();
	}
	assert_int_equal(status, 0);
	return tree;
}

static void
say(char byte)
{
	if (write(STDOUT_FILENO, &byte, 1) != 1)
		_exit(99);
}

static int
sleep_for_ever(void)
{
	while (pause() < 0)
		continue;
	return 0;
}

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

static void
test_end_is_the_end_of_the_bot(void **state)
{
	enum tree_kill tree = tree_of(state);
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
	struct bot bot;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		int status;

		bot_start(&bot, tree, ends[i].play);
		status = bot_finish(&bot);
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

static void
test_bot_finds_no_signal_blocked_and_leads_a_session(void **state)
{
	struct bot bot;

	bot_start(&bot, tree_of(state), play_census);
	assert_int_equal(bot_finish(&bot), 0);
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
			sleep_for_ever();
		if (fork() == 0)
			_exit(9);
		_exit(0);
	}
	status = waitpid(pid, &status, 0) == pid ? 5 : 6;
	poll(NULL, 0, 20);
	return status;
}

static void
test_daemons_die_with_the_bot(void **state)
{
	struct bot bot;
	int status;

	bot_start(&bot, tree_of(state), play_daemon);
	status = bot_finish(&bot);
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

static void
test_whoever_runs_away_dies_with_the_bot(void **state)
{
	struct bot bot;
	int status;

	bot_start(&bot, tree_of(state), play_runaway);
	status = bot_finish(&bot);
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
		sleep_for_ever();
	}
	say('x');
	return sleep_for_ever();
}

static void
test_word_of_the_arena_ends_all(void **state)
{
	struct bot bot;
	int status;

	bot_start(&bot, tree_of(state), play_crowd);
	expect_byte(bot.output.reader);
	kill(bot.pid, SIGTERM);
	status = bot_finish(&bot);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
}

static void
test_word_that_comes_at_once_is_heard(void **state)
{
	enum tree_kill tree = tree_of(state);

	/* However far it has come: from the fork to the bot's first step. */
	for (int i = 0; i < 50; i++) {
		struct bot bot;

		bot_start(&bot, tree, sleep_for_ever);
		for (volatile int delay = 0; delay < i * 4000; delay++)
			continue;
		kill(bot.pid, SIGTERM);
		assert_true(WIFSIGNALED(bot_finish(&bot)));
	}
}

static void
test_death_of_the_arena_ends_all(void **state)
{
	struct bot bot;
	pid_t arena;

	bot_pipes(&bot, tree_of(state), play_crowd);
	arena = fork();
	if (arena == 0) {
		bot.pid = fork();
		if (bot.pid == 0)
			supervisor_run(&bot);
		bot_close_writers(&bot);
		sleep_for_ever();
	}
	bot_close_writers(&bot);
	expect_byte(bot.output.reader);
	kill(arena, SIGKILL);
	assert_int_equal(waitpid(arena, NULL, 0), arena);
	bot_finish(&bot);
}

static int
play_close(void)
{
	say('x');
	close(STDOUT_FILENO);
	return sleep_for_ever();
}

static void
test_pipes_end_where_the_bot_closes_them(void **state)
{
	struct bot bot;

	bot_start(&bot, tree_of(state), play_close);
	expect_byte(bot.output.reader);
	/* Nobody else holds them, but the bot is alive. */
	expect_end(bot.output.reader, PATIENCE_MS);
	expect_end(bot.report.reader, PATIENCE_MS);
	assert_int_equal(waitpid(bot.pid, NULL, WNOHANG), 0);
	kill(bot.pid, SIGTERM);
	bot_finish(&bot);
}

static void
test_two_bots_do_not_end_each_other(void **state)
{
	enum tree_kill tree = tree_of(state);
	struct bot one, other;

	bot_start(&one, tree, play_close);
	bot_start(&other, tree, play_crowd);
	expect_byte(one.output.reader);
	expect_byte(other.output.reader);
	kill(other.pid, SIGTERM);
	assert_true(WIFSIGNALED(bot_finish(&other)));
	assert_int_equal(waitpid(one.pid, NULL, WNOHANG), 0);
	kill(one.pid, SIGTERM);
	bot_finish(&one);
}

static int descriptors_before;

static int
count_before(void **state)
{
	(void)state;
	descriptors_before = child_descriptors();
	return 0;
}

static int
count_after(void **state)
{
	(void)state;
	return child_none() && child_descriptors() == descriptors_before ? 0
									 : -1;
}

static enum tree_kill box = TREE_BOX, domain = TREE_DOMAIN;

#define IN(test, kind)                                                     \
	{                                                                  \
#test "_in_" #kind, test, count_before, count_after, &kind \
	}
#define IN_BOTH(test) IN(test, box), IN(test, domain)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		IN_BOTH(test_end_is_the_end_of_the_bot),
		IN_BOTH(test_bot_finds_no_signal_blocked_and_leads_a_session),
		IN_BOTH(test_daemons_die_with_the_bot),
		IN_BOTH(test_whoever_runs_away_dies_with_the_bot),
		IN_BOTH(test_word_of_the_arena_ends_all),
		IN_BOTH(test_word_that_comes_at_once_is_heard),
		IN_BOTH(test_death_of_the_arena_ends_all),
		IN_BOTH(test_pipes_end_where_the_bot_closes_them),
		IN_BOTH(test_two_bots_do_not_end_each_other),
	};

	return cmocka_run_group_tests_name("supervisor", tests, NULL, NULL);
}
