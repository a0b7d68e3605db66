/*
 * A supervisor ends with the status of its bot and ends all processes of the
 * bot, for each way to kill them; an order stops all processes of a bot, even
 * if it forks all the time, and another order continues them.
 */
#include "supervisor.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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

/* A bot, its supervisor, and pipes that show what it does. */
struct bot {
	enum tree_kill tree;
	int (*play)(void);
	struct pipe_ends output; /* stdout of the bot */
	struct pipe_ends report; /* closed by the bot when it begins */
	struct pipe_ends held;   /* held open by all processes of the bot */
	int channel_fd;          /* of the process that becomes the bot */
	pid_t pid;               /* process of the supervisor */
};

/*
 * One test for each kind of tree, which also checks that no process and no
 * descriptor is left.  In `cgroup` bots have a control group if one can be
 * made; if not, it is the same as `search`.
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

enum { EXIT_FAIL = 78 /* the sandbox could not be prepared */ };

static int group_fd = -1; /* folder for the control groups of bots, or -1 */

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

/* What the launcher does: it becomes the supervisor, with the bot's pipes. */
static void
run(struct bot *bot)
{
	const struct supervisor_order order = {
		.tree = bot->tree,
		/* A user that no other process has while this one is alive. */
		.user = bot->tree == TREE_USER
		    ? 0x40000000U + (unsigned)getpid()
		    : 0,
		.become = become,
		.fail = fail_to_prepare,
		.context = bot,
		.channel_fd = &bot->channel_fd,
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

	/* An order may arrive before the supervisor waits for it. */
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

/* Fails unless the pipe ends within this time. */
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

/* Waits for the end of the supervisor; returns its wait status. */
static int
finish(struct bot *bot)
{
	int status = 0;

	if (bot->pid != 0)
		assert_int_equal(waitpid(bot->pid, &status, 0), bot->pid);
	/* When the supervisor ends, all processes of the bot have ended. */
	expect_end(bot->held.reader, bot->pid != 0 ? 0 : WAIT_MS);
	close(bot->output.reader);
	close(bot->report.reader);
	close(bot->held.reader);
	return status;
}

/* Ends the bot; returns the wait status of the supervisor. */
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
		[TREE_USER] = "another user id",
		[TREE_SEARCH] = "/proc",
	};
	enum tree_kill tree = *(const enum tree_kill *)*state;
	struct bot bot;
	int status;

	start(&bot, tree, play_nothing);
	status = finish(&bot);
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAIL) {
		print_message("# this user cannot use %s here\n", needs[tree]);
		skip();
	}
	assert_int_equal(status, 0);
	return tree;
}

static void
write_byte(char byte)
{
	if (write(STDOUT_FILENO, &byte, 1) != 1)
		_exit(99);
}

static int
play_sleep(void)
{
	child_sleep();
}

TEST_EACH(set_up, tear_down)

enum { PROCESSES = 100 };

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
	/* Sanitizers handle crashes themselves. */
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

/* Grandchildren with a session of their own; one ends before the bot. */
static int
play_daemon(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		setsid();
		if (fork() == 0)
			child_sleep();
		if (fork() == 0)
			_exit(9);
		_exit(0);
	}
	status = waitpid(pid, &status, 0) == pid ? 5 : 6;
	poll(NULL, 0, 20);
	return status;
}

/* Each process forks another and ends. */
static int
play_runaway(void)
{
	pid_t pid = fork();

	if (pid == 0)
		for (int i = 0; i < 100000 && pid == 0; i++)
			pid = fork();
	return 4;
}

/* Daemons and runaways end with the bot; no signal is blocked for the bot. */
TREE_TEST(test_supervisor_ends_with_the_status_of_its_bot)
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

/* A thread and a child are one process too many. */
TEST(test_supervisor_whose_thread_or_child_is_refused_leaves_no_child)
{
	const struct rlimit limit = { 2, 2 };
	struct bot bot;
	int status;

	/* Root has no limit of processes, and others have more than these. */
	if (geteuid() != 0)
		skip();
	/* What the supervisor leaves becomes a child of this process. */
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
	pipes(&bot, TREE_SEARCH, play_sleep);
	bot.pid = fork();
	if (bot.pid == 0) {
		if (setuid(0x40000000U + (unsigned)getpid()) < 0 ||
		    setrlimit(RLIMIT_NPROC, &limit) < 0)
			_exit(99);
		run(&bot);
	}
	close_writers(&bot);
	status = finish(&bot);
	prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EXIT_FAIL);
	assert_true(child_none());
}

static int
play_crowd(void)
{
	child_crowd(PROCESSES);
	write_byte('x');
	child_sleep();
}

TREE_TEST(test_early_sigterm_ends_the_bot)
{
	enum tree_kill tree = tree_of(state);

	/* At any moment from the fork to the first step of the bot. */
	for (int i = 0; i < 50; i++) {
		struct bot bot;

		start(&bot, tree, play_sleep);
		for (volatile int delay = 0; delay < i * 4000; delay++)
			continue;
		assert_true(WIFSIGNALED(stop(&bot)));
	}
}

TREE_TEST(test_death_of_the_arena_ends_all_processes_of_the_bot)
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
		child_sleep();
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
	write_byte('x');
	close(STDOUT_FILENO);
	child_sleep();
}

TREE_TEST(test_pipe_that_the_bot_closes_ends)
{
	struct bot bot;

	start(&bot, tree_of(state), play_close);
	expect_byte(bot.output.reader);
	/* No other process holds them, and the bot is still alive. */
	expect_end(bot.output.reader, WAIT_MS);
	expect_end(bot.report.reader, WAIT_MS);
	assert_int_equal(waitpid(bot.pid, NULL, WNOHANG), 0);
	stop(&bot);
}

TREE_TEST(test_sigterm_ends_all_processes_of_one_bot)
{
	enum tree_kill tree = tree_of(state);
	struct bot one, other;
	int status;

	start(&one, tree, play_close);
	start(&other, tree, play_crowd);
	expect_byte(one.output.reader);
	expect_byte(other.output.reader);
	status = stop(&other);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
	assert_int_equal(waitpid(one.pid, NULL, WNOHANG), 0);
	stop(&one);
}

/* All processes write without end, and some fork all the time. */
static int
play_writers(void)
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
		write_byte('x');
		poll(NULL, 0, 1);
		if (runs_away && fork() > 0)
			_exit(0);
	}
}

/* After this time without a byte, all processes are considered stopped. */
enum { SILENCE_MS = 300 };

static void
drain(int reader)
{
	struct pollfd wait = { .fd = reader, .events = POLLIN };
	char bytes[512];

	/* Not without end if they write as fast as this reads. */
	for (int i = 0; i < 1000 && poll(&wait, 1, 0) == 1; i++)
		assert_true(read(reader, bytes, sizeof(bytes)) > 0);
}

/* An order takes some time; then no process writes. */
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
	fail_msg("the processes still write");
}

static void
send_order(const struct bot *bot, enum supervisor_command word)
{
	const union sigval value = { .sival_int = (int)word };

	assert_int_equal(sigqueue(bot->pid, SUPERVISOR_SIGNAL, value), 0);
}

TREE_TEST(test_order_stops_all_processes_and_another_continues_them)
{
	struct bot bot;

	start(&bot, tree_of(state), play_writers);
	for (int i = 0; i < 3; i++) {
		expect_byte(bot.output.reader);
		send_order(&bot, SUPERVISOR_FREEZE);
		expect_silence(bot.output.reader);
		send_order(&bot, SUPERVISOR_THAW);
	}
	expect_byte(bot.output.reader);
	/* Stopped processes are killed, too. */
	send_order(&bot, SUPERVISOR_FREEZE);
	expect_silence(bot.output.reader);
	assert_true(WIFSIGNALED(stop(&bot)));
}

TREE_TEST(test_last_order_counts)
{
	struct bot bot;

	start(&bot, tree_of(state), play_writers);
	/* The first orders arrive before there is any process to stop. */
	for (int i = 0; i < 500; i++) {
		send_order(&bot, SUPERVISOR_THAW);
		send_order(&bot, SUPERVISOR_FREEZE);
	}
	expect_silence(bot.output.reader);
	for (int i = 0; i < 500; i++) {
		send_order(&bot, SUPERVISOR_FREEZE);
		send_order(&bot, SUPERVISOR_THAW);
	}
	drain(bot.output.reader);
	expect_byte(bot.output.reader);
	stop(&bot);
}
