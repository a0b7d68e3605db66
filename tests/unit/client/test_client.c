/*
 * The bytes of a dialog: pieces, lines that are too long, readers that have
 * gone.
 */
#include "dialog.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "players.h"
#include "test.h"

/* Room in the pipes, so that one process can write all and then read all. */
enum { PIPE_SIZE = 1 << 20, OUTPUT_SIZE = 1 << 17 };

/* Pipes that keep what is written apart, as long as it fits in a page. */
struct wires {
	int input[2];
	int output[2];
};

static char output_bytes[OUTPUT_SIZE];

static void
wires_open(struct wires *wires, int flags)
{
	assert_int_equal(pipe2(wires->input, O_CLOEXEC | flags), 0);
	assert_int_equal(pipe2(wires->output, O_CLOEXEC | flags), 0);
	assert_true(fcntl(wires->input[1], F_SETPIPE_SZ, PIPE_SIZE) > 0);
	assert_true(fcntl(wires->output[1], F_SETPIPE_SZ, PIPE_SIZE) > 0);
}

static void
wires_write(struct wires *wires, const char *bytes, size_t length)
{
	assert_int_equal(write(wires->input[1], bytes, length), length);
}

/* Ends the input, lets the bot play, and closes all.  Returns its status. */
static int
wires_run(struct wires *wires, const char *name, int *writes)
{
	size_t length = 0;
	ssize_t got;
	int status;

	close(wires->input[1]);
	status =
	    client_run(builtin_find(name), wires->input[0], wires->output[1]);
	close(wires->input[0]);
	close(wires->output[1]);
	*writes = 0;
	while ((got = read(wires->output[0], output_bytes + length,
		    sizeof(output_bytes) - 1 - length)) > 0) {
		length += (size_t)got;
		++*writes;
	}
	close(wires->output[0]);
	output_bytes[length] = '\0';
	return status;
}

/* The same for input that comes in one piece, or byte by byte. */
static void
assert_answers(const char *name, const char *input, const char *expected)
{
	struct wires wires;
	int writes;

	wires_open(&wires, 0);
	wires_write(&wires, input, strlen(input));
	assert_int_equal(wires_run(&wires, name, &writes), 0);
	assert_string_equal(output_bytes, expected);
	wires_open(&wires, O_DIRECT);
	for (size_t i = 0; i < strlen(input); i++)
		wires_write(&wires, input + i, 1);
	assert_int_equal(wires_run(&wires, name, &writes), 0);
	assert_string_equal(output_bytes, expected);
}

TEST(test_whole_dialog_is_the_same_in_any_pieces)
{
	assert_answers("first",
	    "usp 1\r\nisready\nmatch m1 seats=2\n"
	    "legal AD KS\ngo turn=1\n\nplay 1 AD\n"
	    "legal 2D\r\ngo turn=2\r\nnonsense\nquit\n",
	    "id name=first version=1\nfeature position=1\nuspok 1\n"
	    "readyok\nmove AD turn=1\nmove 2D turn=2\n"
	    "error unknown # skipped nonsense\n");
}

/* A line of `length` bytes that begins with `legal AD `, and then `go`. */
static void
long_line_write(struct wires *wires, size_t length)
{
	static char line[4 * DIALOG_LINE_MAX];
	static const char start[] = "legal AD ", after[] = "\ngo turn=1\n";

	memset(line, 'x', length);
	memcpy(line, start, sizeof(start) - 1);
	wires_write(wires, line, length);
	wires_write(wires, after, sizeof(after) - 1);
}

TEST(test_longer_line_is_skipped_and_reported)
{
	static const size_t lengths[] = { DIALOG_LINE_MAX + 1,
		2 * DIALOG_LINE_MAX, 4 * DIALOG_LINE_MAX };

	for (size_t i = 0; i < COUNTOF(lengths); i++) {
		struct wires wires;
		int writes;

		wires_open(&wires, 0);
		wires_write(&wires, "legal KS\n", 9);
		long_line_write(&wires, lengths[i]);
		assert_int_equal(wires_run(&wires, "first", &writes), 0);
		assert_string_equal(output_bytes,
		    "error toolong # skipped a line over 65535 bytes\n"
		    "move KS turn=1\n");
	}
}

TEST(test_many_answers_to_one_block_all_go_out)
{
	enum { QUESTIONS = 5000 };
	struct wires wires;
	int writes;

	wires_open(&wires, 0);
	for (int i = 0; i < QUESTIONS; i++)
		wires_write(&wires, "isready\n", 8);
	assert_int_equal(wires_run(&wires, "greedy", &writes), 0);
	for (int i = 0; i < QUESTIONS; i++)
		assert_memory_equal(output_bytes + 8 * i, "readyok\n", 8);
	assert_int_equal(output_bytes[8 * QUESTIONS], '\0');
}

/* Thinks until it is stopped; counts its decisions in its memory. */
static bool
think(const struct builtin_turn *turn, struct scopa_text *answer)
{
	int *count = (int *)turn->memory;

	while (!turn->stopped(turn->context))
		;
	scopa_text_string(answer, "AD");
	scopa_text_string(turn->info, "info nodes=");
	scopa_text_int(turn->info, ++*count);
	scopa_text_char(turn->info, '\n');
	return true;
}

static const struct builtin thinker = {
	.name = "thinker",
	.sentence = "Thinks as long as it may.",
	.need = BUILTIN_NEED_LEGAL,
	.memory_size = sizeof(int),
	.stops = true,
	.choose = think,
};

/* What the thinker says to this input; `ends`: no more comes. */
static void
assert_answers_last(struct wires *wires, bool ends, const char *expected)
{
	ssize_t got;

	if (ends)
		close(wires->input[1]);
	assert_int_equal(
	    client_run(&thinker, wires->input[0], wires->output[1]), 0);
	got = read(wires->output[0], output_bytes, sizeof(output_bytes) - 1);
	assert_true(got >= 0);
	output_bytes[got] = '\0';
	assert_string_equal(output_bytes, expected);
	close(wires->input[0]);
	if (!ends)
		close(wires->input[1]);
	close(wires->output[0]);
	close(wires->output[1]);
}

TEST(test_thinking_ends_when_it_is_to_and_what_came_with_it_is_heard)
{
	static const struct {
		const char *input;
		bool ends; /* the input, by itself */
		const char *expected;
	} cases[] = {
		{ "legal AD\ngo turn=1\nstop\nisready\n"
		  "legal AD\ngo turn=2\nplay 1 AD\n stop \r\nusp 1\nquit\n",
		    false,
		    "info nodes=1\nmove AD turn=1\nreadyok\n"
		    "info nodes=2\nmove AD turn=2\n"
		    "id name=thinker version=1\n"
		    "feature position=1 stop=1\nuspok 1\n" },
		/* Nobody wants the answer. */
		{ "legal AD\ngo turn=1\nquit\n", false,
		    "info nodes=1\nmove AD turn=1\n" },
		{ "legal AD\ngo turn=1\nisready\nquit\n", false,
		    "info nodes=1\nmove AD turn=1\nreadyok\n" },
		{ "legal AD\ngo turn=1\nlegal AD\nsto", true,
		    "info nodes=1\nmove AD turn=1\n" },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct wires wires;

		wires_open(&wires, 0);
		wires_write(&wires, cases[i].input, strlen(cases[i].input));
		assert_answers_last(&wires, cases[i].ends, cases[i].expected);
	}
}

/* What comes late, from another process, in pieces and in masses. */
TEST(test_line_that_comes_while_it_thinks_is_not_lost)
{
	enum { LINES = 30000 };
	struct wires wires;
	pid_t child;
	int status;

	wires_open(&wires, 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		wires_write(&wires, "legal AD\ngo turn=1\n", 19);
		for (int i = 0; i < LINES; i++)
			wires_write(&wires, "play 1 AD\n", 10);
		wires_write(&wires, "st", 2);
		usleep(1000);
		wires_write(&wires, "op\nisready\nquit\n", 16);
		_exit(0);
	}
	/* More than the bot has room for, and `stop` is at the end. */
	assert_answers_last(
	    &wires, true, "info nodes=1\nmove AD turn=1\nreadyok\n");
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

TEST(test_reader_that_has_gone_is_an_end)
{
	struct wires wires;

	signal(SIGPIPE, SIG_IGN);
	wires_open(&wires, 0);
	close(wires.output[0]);
	wires_write(&wires, "isready\n", 8);
	assert_int_equal(
	    client_run(builtin_find("first"), wires.input[0], wires.output[1]),
	    0);
	close(wires.input[0]);
	close(wires.input[1]);
	close(wires.output[1]);
	signal(SIGPIPE, SIG_DFL);
}

TEST(test_broken_descriptor_is_an_error)
{
	struct wires wires;

	assert_int_equal(client_run(builtin_find("first"), -1, -1), -EBADF);
	wires_open(&wires, 0);
	wires_write(&wires, "isready\n", 8);
	assert_int_equal(
	    client_run(builtin_find("first"), wires.input[0], -1), -EBADF);
	close(wires.input[0]);
	close(wires.input[1]);
	close(wires.output[0]);
	close(wires.output[1]);
}
