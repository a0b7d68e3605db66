/*
 * A supervisor ends as its bot does, and leaves nothing of it, in all ways of
 * killing all; a word to it stops all of a bot, however it forks, and another
 * lets it go on.
 */
#include "supervisor.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroup.h"
#include "child.h"
#include "clock.h"
#include "test.h"

enum { WAIT_MS = 30000 };

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

/*
 * One test of each kind of tree; they see to it that no process and no
 * descriptor is left.  In `cgroup` bots have a control group: without one it
 * is `search` once more.
 */
#define TREE_TEST(name)                 \
	static void name(void **state); \
	TREE_CASE(name, box)            \
	TREE_CASE(name, domain)         \
	TREE_CASE(name, search)         \
	TREE_CASE(name, cgroup)         \
	TREE_CASE(name, user)           \
	static void name(void **state)
#define TREE_CASE(name, kind) \
	TEST_CASE(name##_in_##kind, #name "_in_" #kind, name, NULL, NULL, &kind)

static enum tree_kill box = TREE_NAMESPACE, domain = TREE_DOMAIN,
		      search = TREE_SEARCH, cgroup = TREE_SEARCH,
		      user = TREE_USER;

enum { EXIT_FAIL = 78 /* the ground could not be prepared */ };

static int group_fd = -1; /* in which bots get a control group, or -1 */

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
run(struct bot *bot)
{
	const struct supervisor_order order = {
		.tree = bot->tree,
		/* No other process's, as long as this one lives. */
		.user = bot->tree == TREE_USER
		    ? 0x40000000U + (unsigned)getpid()
		    : 0,
		.become = become,
		.fail = fail_to_prepare,
		.context = bot,
		.report_fd = bot->report.writer,
		.end_fd = -1,
		.cgroup_fd = group_fd,
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
pipes(struct bot *bot, enum tree_kill tree, int (*play)(void))
{
	sigset_t held;

	/* A word may come before there is a supervisor. */
	sigemptyset(&held);
	sigaddset(&held, SUPERVISOR_SIGNAL);
	sigprocmask(SIG_BLOCK, &held, NULL);
	*bot = (struct bot){
		.tree = tree,
		.play = play,
		.output = pipe_make(),
		.report = pipe_make(),
		.held = pipe_make(),
	};
}

static void
close_writers(struct bot *bot)
{
	close(bot->output.writer);
	close(bot->report.writer);
	close(bot->held.writer);
}

static void
start(struct bot *bot, enum tree_kill tree, int (*play)(void))
{
	pipes(bot, tree, play);
	bot->pid = fork();
	assert_true(bot->pid >= 0);
	if (bot->pid == 0)
		run(bot);
	close_writers(bot);
}

/* Fails unless the pipe has ended or ends within this time. */
static void
expect_end(int reader, int wait_ms)
{
	struct pollfd wait = { .fd = reader, .events = POLLIN };
	char bytes[64];

	do {
		assert_int_equal(poll(&wait, 1, wait_ms), 1);
	} while (read(reader, bytes, sizeof(bytes)) > 0);
}

static void
expect_byte(int reader)
{
	struct pollfd wait = { .fd = reader, .events = POLLIN };
	char byte;

	assert_int_equal(poll(&wait, 1, WAIT_MS), 1);
	assert_int_equal(read(reader, &byte, 1), 1);
}

/* Waits until it is over; the wait status of the supervisor. */
static int
finish(struct bot *bot)
{
	int status = 0;

	if (bot->pid != 0)
		assert_int_equal(waitpid(bot->pid, &status, 0), bot->pid);
	/* A supervisor that is dead has seen all of the bot dead. */
	expect_end(bot->held.reader, bot->pid != 0 ? 0 : WAIT_MS);
	close(bot->output.reader);
	close(bot->report.reader);
	close(bot->held.reader);
	return status;
}

/* A word ends it; the wait status of the supervisor. */
static int
stop(struct bot *bot)
{
	kill(bot->pid, SIGTERM);
	return finish(bot);
}

static int
play_nothing(void)
{
	return 0;
}

static struct cgroup bots_cgroup;

static int
set_up(void **state)
{
	if (*state == &cgroup) {
		cgroup_open(&bots_cgroup);
		group_fd = bots_cgroup.fd;
	}
	return child_look_before(state);
}

static int
tear_down(void **state)
{
	int clean = child_look_after(state);

	if (*state == &cgroup)
		cgroup_close(&bots_cgroup);
	group_fd = -1;
	return clean;
}

static enum tree_kill
tree_of(void **state)
{
	static const char *const needs[] = {
		[TREE_NAMESPACE] = "namespaces",
		[TREE_DOMAIN] = "Landlock",
		[TREE_USER] = "other user",
		[TREE_SEARCH] = "/proc",
	};
	enum tree_kill tree = *(const enum tree_kill *)*state;
	struct bot bot;
	int status;

	start(&bot, tree, play_nothing);
	status = finish(&bot);
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAIL) {
		print_message("# no %s for this user here\n", needs[tree]);
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

TEST_EACH(set_up, tear_down)

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

static int
play_signals(void)
{
	sigset_t blocked;

	sigprocmask(SIG_BLOCK, NULL, &blocked);
	for (int number = 1; number < NSIG; number++)
		if (sigismember(&blocked, number) == 1)
			return number;
	return getsid(0) == getpid() ? 0 : 100;
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

/* Daemons and runaways die with it; no signal is blocked for it. */
TREE_TEST(test_end_is_the_end_of_the_bot)
{
	static const struct {
		int (*play)(void);
		int code;
		int signal;
	} ends[] = {
		{ play_exit, 37, 0 },
		{ play_kill, 0, SIGKILL },
		{ play_signal, 0, SIGSEGV },
		{ play_terminated, 0, SIGTERM },
		{ play_signals, 0, 0 },
		{ play_daemon, 5, 0 },
		{ play_runaway, 4, 0 },
	};
	enum tree_kill tree = tree_of(state);
	struct bot bot;

	for (size_t i = 0; i < COUNTOF(ends); i++) {
		int status;

		start(&bot, tree, ends[i].play);
		status = finish(&bot);
		assert_int_equal(WIFSIGNALED(status), ends[i].signal != 0);
		if (ends[i].signal != 0)
			assert_int_equal(WTERMSIG(status), ends[i].signal);
		else
			assert_int_equal(WEXITSTATUS(status), ends[i].code);
	}
}

/* Many that ignore what can be ignored, some of them stopped. */
static int
play_crowd(void)
{
	child_ignore_signals();
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

TREE_TEST(test_word_of_the_arena_ends_all)
{
	struct bot bot;
	int status;

	start(&bot, tree_of(state), play_crowd);
	expect_byte(bot.output.reader);
	status = stop(&bot);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
}

TREE_TEST(test_word_that_comes_at_once_is_heard)
{
	enum tree_kill tree = tree_of(state);

	/* However far it has come: from the fork to the bot's first step. */
	for (int i = 0; i < 50; i++) {
		struct bot bot;

		start(&bot, tree, sleep_for_ever);
		for (volatile int delay = 0; delay < i * 4000; delay++)
			continue;
		assert_true(WIFSIGNALED(stop(&bot)));
	}
}

TREE_TEST(test_death_of_the_arena_ends_all)
{
	struct bot bot;
	pid_t arena;

	pipes(&bot, tree_of(state), play_crowd);
	arena = fork();
	if (arena == 0) {
		bot.pid = fork();
		if (bot.pid == 0)
			run(&bot);
		close_writers(&bot);
		sleep_for_ever();
	}
	close_writers(&bot);
	expect_byte(bot.output.reader);
	kill(arena, SIGKILL);
	assert_int_equal(waitpid(arena, NULL, 0), arena);
	finish(&bot);
}

static int
play_close(void)
{
	say('x');
	close(STDOUT_FILENO);
	return sleep_for_ever();
}

TREE_TEST(test_pipes_end_where_the_bot_closes_them)
{
	struct bot bot;

	start(&bot, tree_of(state), play_close);
	expect_byte(bot.output.reader);
	/* Nobody else holds them, but the bot is alive. */
	expect_end(bot.output.reader, WAIT_MS);
	expect_end(bot.report.reader, WAIT_MS);
	assert_int_equal(waitpid(bot.pid, NULL, WNOHANG), 0);
	stop(&bot);
}

TREE_TEST(test_two_bots_do_not_end_each_other)
{
	enum tree_kill tree = tree_of(state);
	struct bot one, other;

	start(&one, tree, play_close);
	start(&other, tree, play_crowd);
	expect_byte(one.output.reader);
	expect_byte(other.output.reader);
	assert_true(WIFSIGNALED(stop(&other)));
	assert_int_equal(waitpid(one.pid, NULL, WNOHANG), 0);
	stop(&one);
}

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
		say('x');
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
	int64_t end_ns = clock_now_ns() + WAIT_MS * CLOCK_NS_PER_MS;

	while (clock_now_ns() < end_ns) {
		drain(reader);
		if (poll(&wait, 1, SILENCE_MS) == 0)
			return;
	}
	fail_msg("they go on");
}

static void
say_word(const struct bot *bot, enum supervisor_command word)
{
	const union sigval value = { .sival_int = (int)word };

	assert_int_equal(sigqueue(bot->pid, SUPERVISOR_SIGNAL, value), 0);
}

TREE_TEST(test_all_are_stopped_and_go_on_at_a_word)
{
	struct bot bot;

	start(&bot, tree_of(state), play_chorus);
	for (int i = 0; i < 3; i++) {
		expect_byte(bot.output.reader);
		say_word(&bot, SUPERVISOR_FREEZE);
		expect_silence(bot.output.reader);
		say_word(&bot, SUPERVISOR_THAW);
	}
	expect_byte(bot.output.reader);
	stop(&bot);
}

TREE_TEST(test_last_word_counts)
{
	struct bot bot;

	start(&bot, tree_of(state), play_chorus);
	/* The first ones come before there is anybody to be stopped. */
	for (int i = 0; i < 500; i++) {
		say_word(&bot, SUPERVISOR_THAW);
		say_word(&bot, SUPERVISOR_FREEZE);
	}
	expect_silence(bot.output.reader);
	for (int i = 0; i < 500; i++) {
		say_word(&bot, SUPERVISOR_FREEZE);
		say_word(&bot, SUPERVISOR_THAW);
	}
	drain(bot.output.reader);
	expect_byte(bot.output.reader);
	stop(&bot);
}

TREE_TEST(test_who_is_stopped_is_killed_all_the_same)
{
	enum tree_kill tree = tree_of(state);
	struct bot bot;

	start(&bot, tree, play_chorus);
	expect_byte(bot.output.reader);
	say_word(&bot, SUPERVISOR_FREEZE);
	expect_silence(bot.output.reader);
	assert_true(WIFSIGNALED(stop(&bot)));
}
