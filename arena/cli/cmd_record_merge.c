/*
 * record merge: the good blocks of several files in one.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "error_message.h"
#include "record_walk.h"
#include "version.h"

struct record_merge_settings {
	const char *out; /* NULL: standard output */
};

/* A set of blocks by their hashes: open addressing, half full at most. */
struct record_merge_seen {
	uint8_t (*hashes)[EVENT_HASH_SIZE];
	bool *used;
	size_t count;
	size_t capacity; /* 0, or a power of two */
};

struct record_merge_context {
	struct record_pick pick;
	struct record_merge_seen seen;
	FILE *file;
	int64_t twice; /* blocks that were there before */
};

#define FIELD(name) offsetof(struct record_merge_settings, name)

static const struct option options[] = {
	TEXT_OPTION("out", "FILE", FIELD(out),
	    "Write this file, at once and whole when all is read; it may be "
	    "one of those that are merged. Without it: standard output.",
	    .aliases = { "o" }),
	OPTIONS_END,
};

/* The place of a hash, or the free place where it belongs. */
static size_t
seen_place(
    const struct record_merge_seen *seen, const uint8_t hash[EVENT_HASH_SIZE])
{
	size_t place;

	memcpy(&place, hash, sizeof(place));
	place &= seen->capacity - 1;
	while (seen->used[place] &&
	    memcmp(seen->hashes[place], hash, EVENT_HASH_SIZE) != 0)
		place = (place + 1) & (seen->capacity - 1);
	return place;
}

static void
seen_release(struct record_merge_seen *seen)
{
	free(seen->hashes);
	free(seen->used);
}

/* Makes the set twice as large: 0 or -ENOMEM. */
static int
seen_grow(struct record_merge_seen *seen)
{
	struct record_merge_seen larger = {
		.count = seen->count,
		.capacity = seen->capacity ? 2 * seen->capacity : 64,
	};

	larger.hashes = calloc(larger.capacity, sizeof(*larger.hashes));
	larger.used = calloc(larger.capacity, sizeof(*larger.used));
	if (!larger.hashes || !larger.used) {
		seen_release(&larger);
		return -ENOMEM;
	}
	for (size_t i = 0; i < seen->capacity; i++) {
		size_t place;

		if (!seen->used[i])
			continue;
		place = seen_place(&larger, seen->hashes[i]);
		larger.used[place] = true;
		memcpy(larger.hashes[place], seen->hashes[i], EVENT_HASH_SIZE);
	}
	seen_release(seen);
	*seen = larger;
	return 0;
}

/* 1 where the hash is new and was added, 0 where it was there; -ENOMEM. */
static int
seen_add(struct record_merge_seen *seen, const uint8_t hash[EVENT_HASH_SIZE])
{
	size_t place;

	if (2 * (seen->count + 1) > seen->capacity && seen_grow(seen) < 0)
		return -ENOMEM;
	place = seen_place(seen, hash);
	if (seen->used[place])
		return 0;
	seen->used[place] = true;
	memcpy(seen->hashes[place], hash, EVENT_HASH_SIZE);
	seen->count++;
	return 1;
}

/* The hash on the `sum` line of a good block. */
static void
find_hash(const struct record_block *block, uint8_t hash[EVENT_HASH_SIZE])
{
	const struct record_line *line = &block->lines[block->line_count - 1];
	struct event event;

	record_line_event(block, line, &event, NULL);
	memcpy(hash, event.sum.hash, EVENT_HASH_SIZE);
}

static int
merge_block(void *given, const struct record_visit *visit)
{
	struct record_merge_context *context = given;
	const struct record_block *block = visit->block;
	uint8_t hash[EVENT_HASH_SIZE];
	int new;

	find_hash(block, hash);
	new = seen_add(&context->seen, hash);
	if (new < 0)
		return new;
	if (new == 0) {
		context->twice++;
		return 0;
	}
	if (context->seen.count == 1)
		fputs(RECORD_HEADING, context->file);
	fwrite(block->bytes, 1, block->size, context->file);
	if (block->bytes[block->size - 1] != '\n')
		fputc('\n', context->file);
	return 0;
}

static enum status
say_unwritable(const char *path, int error)
{
	error_print("cannot write %s: %s", path, strerror(error));
	error_detail("hint", "nothing was changed there");
	return STATUS_ENVIRONMENT;
}

/* Merges into context->file; STATUS_DONE and _FAILED: it is worth keeping. */
static enum status
merge_files(struct record_merge_context *context, int file_count, char **files)
{
	struct record_walk walk = {
		.pick = &context->pick,
		.visit = merge_block,
		.context = context,
	};
	enum status status = record_walk_files(&walk, file_count, files);

	seen_release(&context->seen);
	return status;
}

/* A name beside the file that it is to become, and owned by the caller. */
static char *
name_beside(const char *path)
{
	char *name;

	if (asprintf(&name, "%s.XXXXXX", path) < 0)
		return NULL;
	return name;
}

/* The rights that a new file would have here. */
static mode_t
usual_mode(const char *path)
{
	struct stat status;
	mode_t mask;

	if (stat(path, &status) == 0)
		return status.st_mode & 07777;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

/* Makes what was written to `name` the file at `path`, or takes it away. */
static enum status
put_in_place(FILE *file, const char *name, const char *path)
{
	bool failed = fflush(file) != 0 || ferror(file) ||
	    fchmod(fileno(file), usual_mode(path)) < 0 ||
	    fsync(fileno(file)) < 0;
	int error = failed ? errno : 0;

	if (fclose(file) != 0 && error == 0)
		error = errno;
	if (error == 0 && rename(name, path) < 0)
		error = errno;
	if (error == 0)
		return STATUS_DONE;
	unlink(name);
	return say_unwritable(path, error);
}

/* Merges into a file that is there whole, or not at all. */
static enum status
merge_to(struct record_merge_context *context, const char *path, int file_count,
    char **files)
{
	char *name = name_beside(path);
	int fd = name ? mkostemp(name, O_CLOEXEC) : -1;
	enum status status;

	context->file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!context->file) {
		status = say_unwritable(path, errno);
		if (fd >= 0)
			goto close_fd;
		goto free_name;
	}
	status = merge_files(context, file_count, files);
	if (status <= STATUS_FAILED && context->pick.good > 0) {
		status = record_walk_worse(
		    status, put_in_place(context->file, name, path));
		goto free_name;
	}
	fclose(context->file);
	unlink(name);
	goto free_name;
close_fd:
	close(fd);
	unlink(name);
free_name:
	free(name);
	return status;
}

/* Where the blocks go: not over a device, and through a link to its end. */
static enum status
merge_out(struct record_merge_context *context, const char *path,
    int file_count, char **files)
{
	char *real = realpath(path, NULL);
	struct stat status;
	enum status done;

	if (real && stat(real, &status) == 0 && !S_ISREG(status.st_mode)) {
		error_print("cannot write %s: it is no file", path);
		error_detail("hint", "without -o the output is printed");
		free(real);
		return STATUS_USAGE;
	}
	done = merge_to(context, real ? real : path, file_count, files);
	free(real);
	return done;
}

static enum status
merge_run(const void *given, int argc, char **argv)
{
	const struct record_merge_settings *settings = given;
	struct record_merge_context context = { .file = stdout };
	enum status status;

	status = settings->out ? merge_out(&context, settings->out, argc, argv)
			       : merge_files(&context, argc, argv);
	if (status > STATUS_FAILED)
		return status;
	fprintf(stderr,
	    "merged: %" PRId64 ", the same again: %" PRId64 ", bad: %" PRId64
	    "\n",
	    context.pick.good - context.twice, context.twice, context.pick.bad);
	return status;
}

const struct command command_record_merge = {
	.name = "record merge",
	.sentence = "Writes the good blocks of several records into one.",
	.detail =
	    "Each block is verified. Blocks that are the same to the byte are "
	    "written once, in the order in which they are first found. Bad "
	    "ones are left out and named, and the exit status is then 1.",
	.usage = "FILE... [-o FILE]",
	.arguments = { RECORD_FILES_ARGUMENT },
	.argument_min = 1,
	.argument_max = COMMAND_ANY_COUNT,
	.examples = { "record merge monday.scopa tuesday.scopa -o all.scopa" },
	.options = options,
	.settings_size = sizeof(struct record_merge_settings),
	.run = merge_run,
};
