/*
 * Talking with bots: lines both ways, flaws, floods, full pipes, stderr.
 */
#include "bot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "clock.h"
#include "escape.h"
#include "test.h"
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

/* Whatever a bot does, no child and no descriptor is left. */
static int
loop_teardown(void **state)
{
	(void)state;
	loop_close(loop);
	return child_none() && child_descriptors() == descriptors_before ? 0
									 : -1;
}

/* What bot_send() answers. */
static int
send_text(const char *text)
{
	return bot_send(witness.bot, text, strlen(text), NULL);
}

TEST_WITH(test_lines_go_both_ways, loop_setup, loop_teardown)
{
	int64_t before_ns = clock_now_ns(), handed_ns = 0;

	witness_open(&witness, loop, "echo", NULL);
	assert_int_equal(send_text("usp 1\n"), 0);
	assert_int_equal(bot_send(witness.bot, "isready\n", 8, &handed_ns), 0);
	assert_int_equal(bot_waiting(witness.bot), 0);
	assert_true(handed_ns >= before_ns);
	witness_wait(&witness, "isready");
	assert_non_null(
	    strstr(witness.text, "line echo usp 1\nline echo isready\n"));
	assert_true(witness.received_ns >= handed_ns);
	assert_true(witness.received_ns <= clock_now_ns());
	assert_int_equal(send_text("quit\n"), 0);
	witness_close(&witness);
	assert_non_null(strstr(witness.text, "start\n"));
	assert_int_equal(witness_count(&witness, "start"), 1);
	assert_int_equal(witness_count(&witness, "eof"), 0);
	assert_non_null(strstr(witness.text, "exit exited with status 0\n"));
	assert_false(witness.exit.stopped);
}

/* Does it answer within a while? */
static bool
answers(int number)
{
	int64_t end_ns = clock_now_ns() + 300 * CLOCK_NS_PER_MS;
	char text[32];

	snprintf(text, sizeof(text), "line %d.\n", number);
	assert_int_equal(send_text(text), 0);
	snprintf(text, sizeof(text), "echo line %d.", number);
	while (strstr(witness.text, text) == NULL && clock_now_ns() < end_ns)
		assert_int_equal(loop_step(loop, end_ns), 0);
	return strstr(witness.text, text) != NULL;
}

TEST_WITH(test_frozen_bot_answers_once_it_is_thawed, loop_setup, loop_teardown)
{
	witness_open(&witness, loop, "echo", NULL);
	assert_int_equal(send_text("one\n"), 0);
	witness_wait(&witness, "echo one");
	for (int i = 0; i < 100; i++) {
		bot_thaw(witness.bot);
		bot_freeze(witness.bot);
	}
	/* The word takes its time. */
	for (int i = 0; i < 100 && answers(i); i++)
		assert_int_not_equal(i, 99);
	witness.text[witness.length = 0] = '\0';
	bot_thaw(witness.bot);
	witness_wait(&witness, "echo line");
	/* One that is sent away hears it. */
	bot_freeze(witness.bot);
	bot_stop(witness.bot, "quit\n", clock_now_ns() + 60 * CLOCK_NS_PER_S);
	witness_close(&witness);
	assert_string_equal(witness.exit.sentence, "exited with status 0");
	witness_open(&witness, loop, "wrapper", NULL);
	witness_wait(&witness, "boo");
	bot_freeze(witness.bot);
	witness_finish(&witness);
	assert_true(witness.exit.killed);
}

TEST_WITH(test_pieces_of_a_line_are_one_line, loop_setup, loop_teardown)
{
	witness_open(&witness, loop, "drip", "move 7Dx3C4S");
	witness_wait(&witness, "line");
	assert_non_null(strstr(witness.text, "line move 7Dx3C4S\n"));
	assert_true(bot_has_written(witness.bot));
	bot_mark(witness.bot);
	assert_false(bot_has_written(witness.bot));
	witness_finish(&witness);
}

TEST_WITH(test_burst_is_read_to_its_end, loop_setup, loop_teardown)
{
	char path[64], target[64];

	witness_open(&witness, loop, "burst", NULL);
	witness_wait(&witness, "last");
	assert_int_equal(witness.line_count, 21);
	witness_finish(&witness);
	/* The end is there before the first byte is read. */
	witness_open(&witness, loop, "burst", "close");
	snprintf(path, sizeof(path), "/proc/%d/fd/1",
	    child_of(bot_pid(witness.bot)));
	while (readlink(path, target, sizeof(target)) > 0)
		usleep(1000);
	witness_wait(&witness, "eof");
	assert_int_equal(witness.line_count, 21);
	witness_finish(&witness);
}

TEST_WITH(test_flawed_lines_are_told_as_such, loop_setup, loop_teardown)
{
	witness_open(&witness, loop, "say",
	    "good\\r\\nmove 7D\\0x\\ncaf\303\251\\n\033[2J\\nlast\\n");
	witness_close(&witness);
	assert_non_null(strstr(witness.text,
	    "line good\n"
	    "bad move 7D\\x00x\n"
	    "bad caf\\xC3\\xA9\n"
	    "bad \\x1B[2J\n"
	    "line last\n"
	    "exit "));
}

TEST_WITH(test_unfinished_line_does_not_count, loop_setup, loop_teardown)
{
	witness_open(&witness, loop, "say", "hello\\nmove 7D");
	assert_false(bot_has_written(witness.bot));
	witness_wait(&witness, "hello");
	bot_mark(witness.bot);
	/* It writes byte by byte. */
	while (!bot_has_written(witness.bot))
		assert_int_equal(loop_step(loop, LOOP_NEVER), 0);
	witness_close(&witness);
	assert_int_equal(witness_count(&witness, "line"), 1);
	assert_int_equal(witness.exit.unfinished, 7);
	assert_int_equal(witness.exit.code, 0);
}

TEST_WITH(
    test_endless_line_is_told_and_read_no_further, loop_setup, loop_teardown)
{
	size_t line_count, byte_count;

	witness_open(&witness, loop, "endless", NULL);
	witness_wait(&witness, "flood");
	assert_int_equal(witness_count(&witness, "long"), 1);
	bot_unsolicited(witness.bot, &line_count, &byte_count);
	assert_int_equal(line_count, 1);
	assert_true(byte_count > BOT_FLOOD_BYTES);
	assert_true(byte_count <= BOT_FLOOD_BYTES + LINE_BUFFER_SIZE);
	for (int i = 0; i < 20; i++)
		assert_int_equal(loop_step(loop, 0), 0);
	assert_int_equal(witness_count(&witness, "flood"), 1);
	witness_finish(&witness);
	assert_true(witness.exit.killed);
}

TEST_WITH(
    test_chatter_is_a_flood_and_a_mark_reads_on, loop_setup, loop_teardown)
{
	witness_open(&witness, loop, "chatter", NULL);
	witness_wait(&witness, "flood");
	assert_int_equal(witness.line_count, BOT_FLOOD_LINES);
	for (int i = 0; i < 20; i++)
		assert_int_equal(loop_step(loop, 0), 0);
	assert_int_equal(witness.line_count, BOT_FLOOD_LINES);
	witness.length = 0;
	witness.text[0] = '\0';
	bot_mark(witness.bot);
	witness_wait(&witness, "flood");
	assert_int_equal(witness.line_count, 2 * BOT_FLOOD_LINES);
	witness_finish(&witness);
}

TEST_WITH(test_wanted_lines_are_no_flood, loop_setup, loop_teardown)
{
	witness_open(&witness, loop, "chatter", NULL);
	witness.marking = true;
	while (witness.line_count < 100 * BOT_FLOOD_LINES)
		assert_int_equal(loop_step(loop, LOOP_NEVER), 0);
	assert_int_equal(witness_count(&witness, "flood"), 0);
	witness_finish(&witness);
}

TEST_WITH(test_flood_of_one_does_not_hold_up_another, loop_setup, loop_teardown)
{
	static struct witness honest;

	witness_open(&witness, loop, "chatter", NULL);
	witness.marking = true;
	witness_open(&honest, loop, "echo", NULL);
	for (int i = 0; i < 20; i++) {
		char text[32];

		snprintf(text, sizeof(text), "round %d\n", i);
		assert_int_equal(
		    bot_send(honest.bot, text, strlen(text), NULL), 0);
		text[strlen(text) - 1] = '\0';
		witness_wait(&honest, text);
	}
	witness_finish(&honest);
	witness_finish(&witness);
}

TEST_WITH(
    test_full_pipe_is_written_on_when_there_is_room, loop_setup, loop_teardown)
{
	static char bytes[200001];
	int64_t handed_ns = -1;

	memset(bytes, 'x', sizeof(bytes));
	bytes[sizeof(bytes) - 1] = '\n';
	witness_open(&witness, loop, "late-reader", NULL);
	witness_wait(&witness, "ready");
	assert_int_equal(
	    bot_send(witness.bot, bytes, sizeof(bytes), &handed_ns), -EAGAIN);
	assert_int_equal(handed_ns, -1);
	assert_true(bot_waiting(witness.bot) > 0);
	/* More may be put behind it meanwhile. */
	assert_int_equal(send_text("go\n"), -EAGAIN);
	witness_wait(&witness, "read 200004");
	assert_int_equal(witness_count(&witness, "flushed"), 1);
	assert_true(strstr(witness.text, "flushed") <
	    strstr(witness.text, "line read 200004"));
	assert_int_equal(bot_waiting(witness.bot), 0);
	assert_int_equal(bot_send(witness.bot, "", 0, &handed_ns), 0);
	assert_true(handed_ns > 0);
	witness_finish(&witness);
}

TEST_WITH(test_bot_that_never_reads_meets_a_bound, loop_setup, loop_teardown)
{
	static char line[4000];
	size_t sent = 0;
	int status;

	memset(line, 'x', sizeof(line));
	line[sizeof(line) - 1] = '\n';
	witness_open(&witness, loop, "sleep", NULL);
	while ((status = bot_send(witness.bot, line, sizeof(line), NULL)) !=
	    -ENOBUFS) {
		sent += sizeof(line);
		assert_true(status == 0 || status == -EAGAIN);
	}
	assert_true(sent > BOT_OUT_SIZE);
	assert_true(sent < BOT_OUT_SIZE + 1100000);
	witness_finish(&witness);
}

TEST_WITH(test_closed_stdin_is_told_to_the_sender, loop_setup, loop_teardown)
{
	witness_open(&witness, loop, "close", "0");
	witness_wait(&witness, "closing");
	for (int status = 0; status != -EPIPE;) {
		status = send_text("go\n");
		assert_int_equal(loop_step(loop, 0), 0);
	}
	assert_int_equal(bot_waiting(witness.bot), 0);
	assert_false(bot_dead(witness.bot));
	witness_finish(&witness);
}

TEST_WITH(test_closed_stdout_is_told_while_it_lives, loop_setup, loop_teardown)
{
	int64_t closed_ns;

	witness_open(&witness, loop, "close", "1");
	witness_wait(&witness, "closing");
	closed_ns = witness.received_ns;
	witness_wait(&witness, "eof");
	assert_true(clock_now_ns() - closed_ns >=
	    BOT_EOF_GRACE_MS * CLOCK_NS_PER_MS / 2);
	assert_int_equal(witness_count(&witness, "exit"), 0);
	bot_mark(witness.bot);
	witness_finish(&witness);
	assert_int_equal(witness_count(&witness, "eof"), 1);
}

TEST_WITH(test_stderr_is_drained_and_its_end_kept, loop_setup, loop_teardown)
{
	static char tail[BOT_STDERR_SIZE + sizeof(BOT_STDERR_CUT)];
	char shown[64];
	size_t length;

	witness_open(&witness, loop, "noise", NULL);
	witness_wait(&witness, "line done");
	/* The last bytes may still be in the pipe. */
	for (int i = 0; i < 3; i++)
		assert_int_equal(loop_step(loop, 0), 0);
	length = bot_stderr(witness.bot, tail, sizeof(tail));
	assert_int_equal(length, sizeof(tail) - 1);
	assert_memory_equal(tail, BOT_STDERR_CUT, strlen(BOT_STDERR_CUT));
	assert_memory_equal(tail + length - 18, "\n0123456\n\033[2Jlast\n", 18);
	length = bot_stderr(witness.bot, tail, 19);
	escape_bytes(tail, length, true, shown, sizeof(shown));
	assert_string_equal(shown, "[cut]\n456\n\\x1B[2Jlast\n");
	witness_finish(&witness);
	assert_int_equal(witness_count(&witness, "bad"), 0);
}

TEST_WITH(test_stderr_outlives_the_bot, loop_setup, loop_teardown)
{
	const char *arguments[] = { "sh", "-c", "echo Traceback >&2; exit 1",
		NULL };
	char tail[64];

	witness_open_file(&witness, loop, "/bin/sh", arguments);
	witness_wait(&witness, "exit exited with status 1");
	assert_int_equal(bot_stderr(witness.bot, tail, sizeof(tail)), 10);
	assert_memory_equal(tail, "Traceback\n", 10);
	witness_close(&witness);
}

TEST_WITH(test_bot_that_does_not_start_is_told_once, loop_setup, loop_teardown)
{
	const char *arguments[] = { "bot", NULL };

	witness_open_file(&witness, loop, "/no/such/bot", arguments);
	(void)send_text("usp 1\n");
	witness_close(&witness);
	assert_string_equal(witness.text, "exit bot does not exist\n");
	assert_int_equal(witness.exit.end, BOT_END_EXEC);
	assert_int_equal(witness.exit.code, ENOENT);
	assert_false(witness.exit.killed);
}

TEST_ROLE(child_is, child_run)
