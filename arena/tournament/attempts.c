#include "attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "infra_failure.h"

/* A run that was killed had no time to say why. */
#define REASON_KILLED "ENV_ERR"

enum {
	HEAD_SIZE = 45, /* the first line, written over again and again */
	LINE_SIZE = 128,
	TEXT_SIZE = 64 * 1024
};

/* Writes the first line.  What cannot be noted is not. */
static void
put_head(const struct attempts *attempts, const char *reason)
{
	char line[LINE_SIZE];
	ssize_t put;

	if (attempts->fd < 0)
		return;
	snprintf(line, sizeof(line), "begun %-20" PRId64 " %-16s\n",
	    attempts->begun, reason);
	put = pwrite(attempts->fd, line, HEAD_SIZE - 1, 0);
	(void)put;
}

static void
store_loss(struct attempts *attempts, const struct attempts_loss *loss)
{
	if (attempts->loss_count < ATTEMPTS_LOSSES_MAX)
		attempts->losses[attempts->loss_count++] = *loss;
}

/* Reads all that is there; false where it is none of ours. */
static bool
read_text(struct attempts *attempts, char *text, char reason[])
{
	char *line = strtok_r(text, "\n", &text);
	struct attempts_loss loss;

	if (line == NULL ||
	    sscanf(line, "begun %" SCNd64 " %15s", &attempts->begun, reason) !=
		2)
		return false;
	while ((line = strtok_r(NULL, "\n", &text)) != NULL) {
		if (sscanf(line, "lost %" SCNd64 " %" SCNd64 " %15s",
			&loss.first, &loss.last, loss.reason) != 3)
			return false;
		loss.first--;
		loss.last--;
		store_loss(attempts, &loss);
	}
	return true;
}

/* Adds the line of a loss behind the others. */
static int
put_loss(const struct attempts *attempts, const struct attempts_loss *loss)
{
	char line[LINE_SIZE];
	int length =
	    snprintf(line, sizeof(line), "lost %" PRId64 " %" PRId64 " %s\n",
		loss->first + 1, loss->last + 1, loss->reason);
	off_t end = lseek(attempts->fd, 0, SEEK_END);

	if (end < 0 ||
	    pwrite(attempts->fd, line, (size_t)length, end) != length)
		return -EIO;
	return 0;
}

static int
read_file(struct attempts *attempts, int64_t done_count)
{
	struct attempts_loss loss = { .first = done_count };
	char text[TEXT_SIZE];
	ssize_t got = pread(attempts->fd, text, sizeof(text) - 1, 0);
	int error = 0;

	if (got < 0)
		return -errno;
	text[got] = '\0';
	if (got > 0 && !read_text(attempts, text, loss.reason))
		return -EBADMSG;
	if (attempts->begun > done_count) {
		loss.last = attempts->begun - 1;
		store_loss(attempts, &loss);
		error = put_loss(attempts, &loss);
	}
	attempts->begun = done_count;
	return error;
}

int
attempts_open(struct attempts *attempts, const char *path, int64_t done_count)
{
	int error;

	*attempts = (struct attempts){ .fd = -1 };
	attempts->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (attempts->fd < 0)
		return -errno;
	error = read_file(attempts, done_count);
	if (error) {
		attempts_close(attempts);
		return error;
	}
	put_head(attempts, REASON_KILLED);
	return 0;
}

void
attempts_close(struct attempts *attempts)
{
	if (attempts->fd >= 0)
		close(attempts->fd);
	attempts->fd = -1;
}

bool
attempts_last(const char *path, char reason[ATTEMPTS_REASON_SIZE])
{
	FILE *file = fopen(path, "re");
	int64_t begun;
	bool found;

	if (file == NULL)
		return false;
	found = fscanf(file, "begun %" SCNd64 " %15s", &begun, reason) == 2;
	fclose(file);
	return found;
}

void
attempts_begin(struct attempts *attempts, struct game_spec *game)
{
	for (int i = 0; i < attempts->loss_count; i++) {
		const struct attempts_loss *loss = &attempts->losses[i];

		if (loss->first <= game->index && game->index <= loss->last)
			(void)infra_failure_note(game, loss->reason);
	}
	if (game->index < attempts->begun)
		return;
	attempts->begun = (int64_t)game->index + 1;
	put_head(attempts, REASON_KILLED);
}

void
attempts_end(struct attempts *attempts, const char *reason)
{
	if (reason == NULL)
		attempts->begun = 0;
	put_head(attempts, reason ? reason : REASON_KILLED);
}
