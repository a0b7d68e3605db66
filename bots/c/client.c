#include "client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dialog.h"

enum {
	INPUT_SIZE = 2 * (DIALOG_LINE_MAX + 1),
	OUTPUT_SIZE = 4 * DIALOG_ANSWER_MAX
};

struct client {
	int input;
	int output;
	bool skipping;     /* within a line that is too long */
	size_t input_size; /* bytes in `input_bytes` */
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

/*
 * Hears every whole line of the buffer and keeps the rest for later.  Returns
 * 1 to go on, 0 to quit, or -errno.
 */
static int
client_hear(struct client *client)
{
	const char *at = client->input_bytes;
	const char *end = at + client->input_size;
	const char *newline;

	while ((newline = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		struct token line = { at, (size_t)(newline - at) };
		int error = 0;

		at = newline + 1;
		if (client->skipping || line.length > DIALOG_LINE_MAX)
			dialog_hear_long(&client->dialog, &client->answer);
		else if (!dialog_hear(&client->dialog, line, &client->answer))
			return 0;
		client->skipping = false;
		if (client->answer.length > OUTPUT_SIZE - DIALOG_ANSWER_MAX)
			error = client_flush(client);
		if (error < 0)
			return error;
	}
	client->input_size = (size_t)(end - at);
	if (client->input_size > DIALOG_LINE_MAX) {
		client->skipping = true;
		client->input_size = 0;
	}
	memmove(client->input_bytes, at, client->input_size);
	return 1;
}

static int
client_loop(struct client *client)
{
	for (;;) {
		ssize_t got = read(client->input,
		    client->input_bytes + client->input_size,
		    sizeof(client->input_bytes) - client->input_size);
		int status, error;

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			return 0;
		client->input_size += (size_t)got;
		status = client_hear(client);
		if (status < 0)
			return status;
		error = client_flush(client);
		if (error < 0 || status == 0)
			return error;
	}
}

int
client_run(const struct builtin *builtin, int input, int output)
{
	/* Too large for a stack, since lines may be long. */
	struct client *client = calloc(1, sizeof(*client));
	int error;

	if (client == NULL)
		return -ENOMEM;
	client->input = input;
	client->output = output;
	scopa_text_init(&client->answer, client->output_bytes,
	    sizeof(client->output_bytes));
	dialog_init(&client->dialog, builtin);
	error = client_loop(client);
	free(client);
	return error == -EPIPE ? 0 : error;
}
