/*
 * Communication with bots: lines in both directions, frozen bots, full pipes,
 * stderr.
 */
#include "bot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffers.h"
#include "child.h"
#include "clock.h"
#include "kernel_text.h"
#include "loop.h"
#include "output.h"
#include "test.h"

static struct loop *loop;

/*
 * The calls for a bot are recorded as text, one line for each call:
 *
 *	start | line TEXT | bad TEXT | long | flood | flushed | eof | exit WHY
 *
 * TEXT is escaped.
 */
enum { BOT_LOG_SIZE = 64 * 1024 };

static struct bot_log {
	struct bot *bot;
	int line_count;
	int64_t received_ns; /* time of the last line */
	struct bot_exit exit;
	size_t length;
	char text[BOT_LOG_SIZE];
} bot_log;

static int
loop_setup(void **state)
{
	child_look_before(state);
	return loop_open(&loop);
}

/* After each test no child and no descriptor may be left. */
static int
loop_teardown(void **state)
{
	loop_close(loop);
	return child_look_after(state);
}

TEST_EACH(loop_setup, loop_teardown)

static void
bot_log_note(const char *word, const char *bytes, size_t length)
{
	assert_true(bot_log.length + 200 < BOT_LOG_SIZE);
	bot_log.length += (size_t)sprintf(
	    bot_log.text + bot_log.length, "%s%s", word, length > 0 ? " " : "");
	if (length > 100)
		length = 100;
	bot_log.length += escape_bytes(bytes, length, false,
	    bot_log.text + bot_log.length, BOT_LOG_SIZE - bot_log.length - 2);
	strcpy(bot_log.text + bot_log.length++, "\n");
}

static void
bot_log_on_start(struct bot *bot)
{
	(void)bot;
	bot_log_note("start", "", 0);
}

static void
bot_log_on_line(
    struct bot *bot, const char *bytes, size_t length, int64_t received_ns)
{
	(void)bot;
	assert_int_equal(strlen(bytes), length);
	bot_log.line_count++;
	bot_log.received_ns = received_ns;
	if (bot_log.line_count < 500)
		bot_log_note("line", bytes, length);
}

static void
bot_log_on_flaw(struct bot *bot, enum line_kind flaw, const char *bytes,
    size_t length, int64_t received_ns)
{
	(void)bot;
	bot_log.received_ns = received_ns;
	switch (flaw) {
	case LINE_BAD_BYTE:
		bot_log_note("bad", bytes, length);
		break;
	case LINE_TOO_LONG:
		assert_int_equal(length, LINE_SIZE_MAX);
		bot_log_note("long", "", 0);
		break;
	case LINE_FLOOD:
		assert_int_equal(length, 0);
		bot_log_note("flood", "", 0);
		break;
	case LINE_NONE:
	case LINE_WHOLE:
		fail_msg("no flaw");
	}
}

static void
bot_log_on_flushed(struct bot *bot, int64_t handed_ns)
{
	(void)bot;
	assert_true(handed_ns <= clock_now_ns());
	bot_log_note("flushed", "", 0);
}

static void
bot_log_on_eof(struct bot *bot)
{
	(void)bot;
	bot_log_note("eof", "", 0);
}

static void
bot_log_on_exit(struct bot *bot, const struct bot_exit *exit)
{
	assert_true(bot->phase == BOT_DEAD);
	bot_log.exit = *exit;
	bot_log_note("exit", exit->sentence, strlen(exit->sentence));
}

static const struct bot_events bot_log_events = {
	.on_start = bot_log_on_start,
	.on_line = bot_log_on_line,
	.on_flaw = bot_log_on_flaw,
	.on_flushed = bot_log_on_flushed,
	.on_eof = bot_log_on_eof,
	.on_exit = bot_log_on_exit,
};

/* Starts a bot that is a script. */
static void
bot_log_open(const char *script)
{
	const char *arguments[] = { "bot", "-c", script, NULL };
	const struct bot_options options = {
		.order.path = "/bin/sh",
		.order.arguments = arguments,
		.events = &bot_log_events,
	};

	memset(&bot_log, 0, sizeof(bot_log));
	assert_int_equal(bot_open(&bot_log.bot, loop, &options), 0);
	assert_true(bot_log.bot->process.pid > 0);
}

/* Runs the loop until the text contains `end`; fails after a minute. */
static void
bot_log_wait(const char *end)
{
	int64_t limit_ns = clock_now_ns() + 60 * CLOCK_NS_PER_S;

	while (strstr(bot_log.text, end) == NULL) {
		if (clock_now_ns() > limit_ns)
			fail_msg("no \"%s\" in:\n%s", end, bot_log.text);
		assert_int_equal(loop_step(loop, limit_ns), 0);
	}
}

/* Waits for the end of the bot, and closes it. */
static void
bot_log_close(void)
{
	bot_log_wait("exit ");
	bot_close(bot_log.bot);
	bot_log.bot = NULL;
}

/* Kills the bot if it still runs, and closes it. */
static void
bot_log_finish(void)
{
	bot_kill(bot_log.bot);
	bot_log_close();
}

/* Sends this text; returns the result of bot_send(). */
static int
send_text(const char *text)
{
	return bot_send(bot_log.bot, text, strlen(text), NULL);
}

/* Answers each line with this line, until `quit`; fails without a `quit`. */
static const char echo[] = "while read -r line && [ \"$line\" != quit ]\n"
			   "do echo \"echo $line\"; done\n"
			   "[ \"$line\" = quit ] || exit 3\n";

TEST(test_lines_are_sent_and_received)
{
	int64_t before_ns = clock_now_ns(), handed_ns = 0;

	bot_log_open(echo);
	assert_int_equal(send_text("usp 1\n"), 0);
	assert_int_equal(bot_send(bot_log.bot, "isready\n", 8, &handed_ns), 0);
	assert_true(handed_ns >= before_ns);
	bot_log_wait("isready");
	assert_non_null(
	    strstr(bot_log.text, "line echo usp 1\nline echo isready\n"));
	assert_true(bot_log.received_ns >= handed_ns);
	assert_true(bot_log.received_ns <= clock_now_ns());
	assert_int_equal(send_text("quit\n"), 0);
	bot_log_close();
	assert_non_null(strstr(bot_log.text, "start\n"));
	assert_int_equal(output_count(bot_log.text, "start"), 1);
	assert_int_equal(output_count(bot_log.text, "eof"), 0);
	assert_non_null(strstr(bot_log.text, "exit exited with status 0\n"));
}

/* Whether the bot answers within 300 ms. */
static bool
answers(int number)
{
	int64_t end_ns = clock_now_ns() + 300 * CLOCK_NS_PER_MS;
	char text[32];

	bot_accept_output(bot_log.bot);
	snprintf(text, sizeof(text), "line %d.\n", number);
	assert_int_equal(send_text(text), 0);
	snprintf(text, sizeof(text), "echo line %d.", number);
	while (strstr(bot_log.text, text) == NULL && clock_now_ns() < end_ns)
		assert_int_equal(loop_step(loop, end_ns), 0);
	return strstr(bot_log.text, text) != NULL;
}

TEST(test_frozen_bot_answers_after_it_is_thawed)
{
	bot_log_open(echo);
	assert_int_equal(send_text("one\n"), 0);
	bot_log_wait("echo one");
	for (int i = 0; i < 100; i++) {
		bot_freeze(bot_log.bot, false);
		bot_freeze(bot_log.bot, true);
	}
	/*
	 * The supervisor may have to wait for a core before it stops the bot.
	 */
	for (int i = 0; answers(i); i++) {
		assert_int_not_equal(i, 5000);
		bot_log.text[bot_log.length = 0] = '\0';
		usleep(1000);
	}
	assert_int_equal(output_count(bot_log.text, "flood"), 0);
	bot_log.text[bot_log.length = 0] = '\0';
	bot_freeze(bot_log.bot, false);
	bot_log_wait("echo line");
	/* A frozen bot that is stopped receives `quit`. */
	bot_freeze(bot_log.bot, true);
	bot_stop(bot_log.bot, "quit\n", clock_now_ns() + 60 * CLOCK_NS_PER_S);
	bot_log_close();
	assert_string_equal(bot_log.exit.sentence, "exited with status 0");
	/* A wrapper that continues beside a child that writes. */
	bot_log_open("while echo boo; do :; done & exec sleep 99");
	bot_log_wait("boo");
	bot_freeze(bot_log.bot, true);
	bot_log_finish();
	assert_true(bot_log.exit.killed);
}

static void
await_state(pid_t pid, char state)
{
	int64_t end_ns = clock_now_ns() + 30 * CLOCK_NS_PER_S;
	struct process_stat stat;

	do {
		assert_true(clock_now_ns() < end_ns);
		usleep(1000);
		assert_true(process_stat_read(AT_FDCWD, pid, &stat));
	} while (stat.state != state);
}

/* A process that has not stopped yet may continue the others. */
TEST(test_frozen_bot_that_computes_is_frozen_again)
{
	struct bot_watch watch;
	pid_t pid = 0;

	bot_log_open("echo pid $$.; while :; do :; done");
	bot_log_wait("pid ");
	assert_int_equal(
	    sscanf(strstr(bot_log.text, "pid "), "pid %d.", &pid), 1);
	bot_freeze(bot_log.bot, true);
	await_state(pid, 'T');
	assert_int_equal(bot_watch_begin(bot_log.bot, &watch), 0);
	usleep(50000);
	assert_int_equal(bot_watch_read(bot_log.bot, true, &watch), 0);
	assert_false(watch.escapes);
	kill(pid, SIGCONT);
	do {
		usleep(50000);
		assert_int_equal(bot_watch_read(bot_log.bot, true, &watch), 0);
	} while (!watch.escapes);
	await_state(pid, 'T');
	bot_log_finish();
}

/* The supervisor keeps its time to kill all processes of the bot. */
TEST(test_stop_of_a_killed_bot_changes_nothing)
{
	int64_t force_ns;

	bot_log_open("exec sleep 99");
	bot_log_wait("start");
	bot_kill(bot_log.bot);
	force_ns = bot_log.bot->deadline.deadline_ns;
	bot_stop(bot_log.bot, "quit\n", clock_now_ns());
	assert_int_equal(bot_log.bot->deadline.deadline_ns, force_ns);
	bot_log_close();
	assert_true(bot_log.exit.killed);
}

/* Much more than one read returns. */
#define BURST "printf '%0999d\\n' $(seq 20); echo last; exec sleep 99"

TEST(test_burst_of_lines_is_read_to_its_end)
{
	char path[64], target[64];

	bot_log_open(BURST);
	bot_log_wait("last");
	assert_int_equal(bot_log.line_count, 21);
	bot_log_finish();
	/* Stdout is closed before its first byte is read. */
	bot_log_open(BURST " >&-");
	snprintf(path, sizeof(path), "/proc/%d/fd/1",
	    child_of(bot_log.bot->process.pid));
	while (readlink(path, target, sizeof(target)) > 0)
		usleep(1000);
	bot_log_wait("eof");
	assert_int_equal(bot_log.line_count, 21);
	bot_log_finish();
}

/*
 * From a pipe in this mode, pipe(2), a read returns the bytes of one write, even
 * if there are more.
 */
TEST(test_packets_are_read_to_the_last_one)
{
	char path[64];
	int fd;

	bot_log_open("exec sleep 99");
	snprintf(path, sizeof(path), "/proc/%d/fd/1",
	    child_of(bot_log.bot->process.pid));
	fd = open(path, O_WRONLY | O_CLOEXEC);
	assert_int_equal(fcntl(fd, F_SETFL, O_DIRECT), 0);
	assert_int_equal(write(fd, "one\n", 4), 4);
	assert_int_equal(write(fd, "two\n", 4), 4);
	close(fd);
	bot_log_wait("two");
	assert_int_equal(bot_log.line_count, 2);
	bot_log_finish();
}

TEST(test_rest_for_a_full_pipe_is_written_when_the_bot_reads)
{
	static char bytes[200001];
	int64_t handed_ns = -1;

	memset(bytes, 'x', sizeof(bytes));
	bytes[sizeof(bytes) - 1] = '\n';
	bot_log_open("trap go=1 USR1; echo ready\n"
		     "until [ \"$go\" ]; do sleep 0.01; done\n"
		     "echo read $(head -c 200004 | wc -c); exec sleep 99");
	bot_log_wait("ready");
	assert_int_equal(
	    bot_send(bot_log.bot, bytes, sizeof(bytes), &handed_ns), -EAGAIN);
	assert_int_equal(handed_ns, -1);
	/* More lines may be sent meanwhile. */
	assert_int_equal(send_text("go\n"), -EAGAIN);
	kill(child_of(bot_log.bot->process.pid), SIGUSR1);
	bot_log_wait("read 200004");
	assert_int_equal(output_count(bot_log.text, "flushed"), 1);
	assert_true(strstr(bot_log.text, "flushed") <
	    strstr(bot_log.text, "line read 200004"));
	assert_int_equal(bot_send(bot_log.bot, "", 0, &handed_ns), 0);
	assert_true(handed_ns > 0);
	bot_log_finish();
}

/*
 * Starts a bot that writes 64 MiB of what a script prints and a last line to
 * stderr.  Expects `length` bytes of it, or up to `more` more, that end so.
 */
static void
expect_noise(const char *script, size_t length, size_t more, const char *end)
{
	static const char beginning[] = "[cut]\n";
	char whole[256], text[BOT_STDERR_SIZE];

	snprintf(whole, sizeof(whole),
	    "%s | head -c 67108864 >&2\n"
	    "printf '\\033[2Jlast\\n' >&2; echo done; exec sleep 99",
	    script);
	bot_log_open(whole);
	bot_log_wait("line done");
	/* The last bytes may still be in the pipe. */
	for (int i = 0; i < 3; i++)
		assert_int_equal(loop_step(loop, 0), 0);
	bot_stderr(bot_log.bot, text);
	assert_in_range(strlen(text), length, length + more);
	assert_memory_equal(text, beginning, strlen(beginning));
	assert_string_equal(text + strlen(text) - strlen(end), end);
	bot_log_finish();
	assert_int_equal(output_count(bot_log.text, "bad"), 0);
}

TEST(test_stderr_is_read_and_its_end_is_stored)
{
	/* One byte is escaped to four. */
	expect_noise("yes 0123456", BOT_STDERR_SIZE / 2 + 3, 0,
	    "\n0123456\n\\x1B[2Jlast\n");
	/* Escapes that make it long leave room for less of the end. */
	expect_noise("tr '\\0' '\\033' </dev/zero", BOT_STDERR_SIZE / 2,
	    BOT_STDERR_SIZE / 2 - 1, "\\x1B\\x1B[2Jlast\n");
}
