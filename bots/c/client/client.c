/*
 * The client reads lines from a descriptor, gives them to the dialog and writes
 * the answers.
 *
 * input_bytes holds the bytes that were read.  Lines up to `heard` have been
 * handled; whole lines behind it wait.  While a bot thinks, stopped() reads
 * further input into the free space and searches it for `stop`, `quit` and
 * `isready`; the lines are handled after the answer.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dialog.h"
#include "now.h"

enum {
	INPUT_SIZE = 2 * (DIALOG_LINE_MAX + 1),
	OUTPUT_SIZE = 4 * DIALOG_ANSWER_MAX
};

/* The time between two checks for input while a bot thinks. */
#define LOOK_NS (NOW_NS_PER_MS / 2)

struct client {
	int input;
	int output;
	int waits_fd;  /* /proc/self/schedstat; -1: not available */
	bool skipping; /* the present line is too long and is discarded */
	bool ended;    /* input has ended or failed */
	int error;     /* 0, or -errno of the failed read */

	/*
	 * In input_bytes: the end of the lines already handled, and the end of
	 * the bytes read.
	 */
	size_t heard;
	size_t size;

	/* These three are used while the bot thinks. */
	bool stopped;
	size_t seen;     /* end of the bytes already searched for `stop` */
	int64_t look_ns; /* when to check the input again */

	struct scopa_text answer;
	struct dialog dialog;
	char output_bytes[OUTPUT_SIZE];
	char input_bytes[INPUT_SIZE];
};

static int
client_flush(struct client *client)
{
	const char *bytes = client->answer.bytes;
	size_t left = client->answer.length;

	while (left > 0) {
		ssize_t written = write(client->output, bytes, left);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		bytes += written;
		left -= (size_t)written;
	}
	scopa_text_init(&client->answer, client->output_bytes,
	    sizeof(client->output_bytes));
	return 0;
}

/* Reads once, waiting if needed, and appends the bytes to the buffer. */
static void
client_read(struct client *client)
{
	ssize_t got;

	do
		got = read(client->input, client->input_bytes + client->size,
		    sizeof(client->input_bytes) - client->size);
	while (got < 0 && errno == EINTR);
	client->ended = got <= 0;
	if (got < 0)
		client->error = -errno;
	if (got > 0)
		client->size += (size_t)got;
}

/*
 * Searches the lines that have arrived since the question.  Sets `stopped` if
 * one asks for the answer (`stop`), or shows that the arena no longer waits for
 * it.
 */
static void
client_look(struct client *client)
{
	const char *at = client->input_bytes + client->seen;
	const char *end = client->input_bytes + client->size;
	const char *newline;

	while ((newline = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		struct token line =
		    token_trim((struct token){ at, (size_t)(newline - at) });
		struct token word = token_next(&line);

		client->stopped |= token_is(word, "stop") ||
		    token_is(word, "quit") || token_is(word, "isready");
		at = newline + 1;
	}
	client->seen = (size_t)(at - client->input_bytes);
}

/*
 * Lines that arrive while the bot thinks stay in the buffer behind the question
 * and are handled after the answer.  A full buffer also stops the bot: further
 * lines then wait in the pipe until the bot has answered.
 */
static bool
client_stopped(void *context)
{
	struct client *client = context;
	struct pollfd watch = { .fd = client->input, .events = POLLIN };
	int64_t present_ns = now_ns();

	if (client->stopped || present_ns < client->look_ns)
		return client->stopped;
	client->look_ns = present_ns + LOOK_NS;
	while (!client->ended && client->size < sizeof(client->input_bytes) &&
	    poll(&watch, 1, 0) > 0)
		client_read(client);
	client_look(client);
	if (client->ended || client->size == sizeof(client->input_bytes))
		client->stopped = true;
	return client->stopped;
}

/*
 * Handles the line that ends before `newline`.  Returns what dialog_hear()
 * returns.
 */
static bool
client_hear_line(struct client *client, const char *newline)
{
	const char *start = client->input_bytes + client->heard;
	struct token line = { start, (size_t)(newline - start) };
	bool skipping = client->skipping;
	size_t said = client->answer.length;
	bool goes_on = true;

	client->heard += line.length + 1;
	client->seen = client->heard;
	client->stopped = false;
	client->look_ns = 0;
	client->skipping = false;
	if (!skipping && line.length <= DIALOG_LINE_MAX)
		goes_on = dialog_hear(&client->dialog, line, &client->answer);
	else
		dialog_hear_long(&client->dialog, &client->answer);
	/*
	 * The next line may be a question that waited for this answer.  Its
	 * time begins now, not when it was read.
	 */
	if (client->answer.length > said) {
		client->dialog.heard_ns = now_ns();
		client->dialog.wake_ns = 0;
	}
	return goes_on;
}

/*
 * Handles every whole line of the buffer and moves the rest to the front.
 * Returns 1 to go on, 0 to quit, or -errno.
 */
static int
client_hear(struct client *client)
{
	char *newline;

	while ((newline = memchr(client->input_bytes + client->heard, '\n',
		    client->size - client->heard)) != NULL) {
		int error = 0;

		if (!client_hear_line(client, newline))
			return 0;
		if (client->answer.length > OUTPUT_SIZE - DIALOG_ANSWER_MAX)
			error = client_flush(client);
		if (error < 0)
			return error;
	}
	client->size -= client->heard;
	memmove(client->input_bytes, client->input_bytes + client->heard,
	    client->size);
	client->heard = 0;
	if (client->size > DIALOG_LINE_MAX) {
		client->skipping = true;
		client->size = 0;
	}
	return 1;
}

/*
 * The time in ns, since the start of this process, in which it was ready to run
 * but had no processor: the second number of schedstat.  0 when the file is not
 * available.
 */
static int64_t
client_waited_ns(const struct client *client)
{
	char bytes[128] = "";
	int64_t waited_ns = 0;

	if (client->waits_fd < 0 ||
	    pread(client->waits_fd, bytes, sizeof(bytes) - 1, 0) <= 0 ||
	    sscanf(bytes, "%*d %" SCNd64, &waited_ns) != 1)
		return 0;
	return waited_ns;
}

static int
client_loop(struct client *client)
{
	for (;;) {
		int64_t asleep_ns = client_waited_ns(client), awake_ns;
		int status, error;

		client_read(client);
		if (client->ended)
			return client->error;
		awake_ns = client_waited_ns(client);
		client->dialog.heard_ns = now_ns();
		client->dialog.wake_ns = awake_ns - asleep_ns;
		status = client_hear(client);
		if (status < 0)
			return status;
		error = client_flush(client);
		if (error < 0 || status == 0)
			return error;
		pace_end(&client->dialog.pace, now_ns(),
		    client_waited_ns(client) - awake_ns);
	}
}

int
client_run(const struct builtin *builtin, int input, int output)
{
	/* The structure has long line buffers and is too large for a stack. */
	struct client *client = calloc(1, sizeof(*client));
	void *memory = calloc(1, builtin->memory_size + 1);
	int error = -ENOMEM;

	if (client == NULL || memory == NULL)
		goto free_memory;
	/* Only the search bots use the waiting time. */
	client->waits_fd = builtin->stops
	    ? open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC)
	    : -1;
	client->input = input;
	client->output = output;
	scopa_text_init(&client->answer, client->output_bytes,
	    sizeof(client->output_bytes));
	dialog_init(&client->dialog, builtin);
	client->dialog.memory = memory;
	client->dialog.stopped = client_stopped;
	client->dialog.context = client;
	error = client_loop(client);
	if (client->waits_fd >= 0)
		close(client->waits_fd);
free_memory:
	free(memory);
	free(client);
	return error == -EPIPE ? 0 : error;
}
