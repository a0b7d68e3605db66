#include "record_walk.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "complaint.h"
#include "escape.h"
#include "version.h"

enum { SAY_SIZE = 4 * RECORD_FAULT_SIZE };

/* Everything that one walk needs, made once. */
struct walker {
	const struct record_walk *walk;
	const char *file;
	struct record_reader *reader;
	struct record_block block;
	struct record_checker *checker; /* NULL where nothing is checked */
	struct replay *replay;
	struct record record;
};

const struct command_argument record_files_argument = { "FILE",
	"A game record; `-`, or no file at all, is standard input." };

enum status
record_walk_worse(enum status a, enum status b)
{
	return a > b ? a : b;
}

void
record_walk_say(const char *file, int64_t line, const char *text)
{
	char name[SAY_SIZE], safe[SAY_SIZE];

	escape_bytes(file, strlen(file), false, name, sizeof(name));
	escape_bytes(text, strlen(text), false, safe, sizeof(safe));
	fflush(stdout);
	fprintf(stderr, "%s:%" PRId64 ": %s\n", name, line, safe);
}

/* What was skipped is worth a word, and no more. */
static void
warn(void *context, int64_t line, const char *text)
{
	const struct walker *walker = context;
	char warning[RECORD_FAULT_SIZE + 16];

	if (walker->walk->quiet)
		return;
	snprintf(warning, sizeof(warning), "warning: %s", text);
	record_walk_say(walker->file, line, warning);
}

/* The id as it stands on the `match` line. */
static void
find_match(const struct record_block *block, char match[EVENT_ID_SIZE])
{
	struct words words;

	memcpy(match, "?", sizeof("?"));
	if (block->line_count == 0)
		return;
	words_split(record_line_bytes(block, &block->lines[0]),
	    block->lines[0].length, &words);
	if (words.count > 1 &&
	    !memchr(words.word[1].bytes, '=', words.word[1].length))
		word_decode(words.word[1], match, EVENT_ID_SIZE);
}

/*
 * Whether this block, which was checked, is to be used.  One that is bad is
 * said; the others are not.
 */
static bool
pick_take(struct record_pick *pick, const struct record_visit *visit)
{
	const struct record_verdict *verdict = visit->verdict;
	char text[RECORD_FAULT_SIZE + 32];

	if (pick->match && strcmp(pick->match, visit->match) != 0)
		return false;
	if (verdict->good) {
		pick->good++;
		return true;
	}
	pick->bad++;
	snprintf(text, sizeof(text), "skipped: V%d: %s", verdict->level,
	    verdict->fault.text);
	record_walk_say(visit->file, verdict->fault.line, text);
	return false;
}

/* The status of a walk, which was `status` so far, after its last block. */
static enum status
pick_status(const struct record_pick *pick, enum status status)
{
	if (pick->bad > 0)
		return record_walk_worse(status, STATUS_FAILED);
	if (status != STATUS_DONE || pick->good > 0 || !pick->match)
		return status;
	complaint_say("no match has the id \"%s\"", pick->match);
	complaint_add("try", VERSION_NAME " record verify FILE");
	return STATUS_FAILED;
}

static int
visit_block(struct walker *walker, int64_t number)
{
	struct record_listener listener = { warn, walker };
	struct record_verdict verdict;
	struct record_visit visit = {
		.file = walker->file,
		.number = number,
		.block = &walker->block,
		.replay = walker->replay,
		.record = &walker->record,
	};
	int error;

	find_match(&walker->block, visit.match);
	if (walker->checker) {
		error = record_check(
		    walker->checker, &walker->block, &listener, &verdict);
		if (error)
			return error;
		visit.verdict = &verdict;
	} else if (!walker->block.outside && !walker->block.fault.line) {
		record_check_lines(&walker->block, true, &listener, NULL);
	}
	if (walker->walk->pick && !pick_take(walker->walk->pick, &visit))
		return 0;
	return walker->walk->visit(walker->walk->context, &visit);
}

/* All blocks of one descriptor: 0 or -errno. */
static int
visit_blocks(struct walker *walker, int fd, int64_t *count)
{
	int status;

	record_reader_init(walker->reader, fd);
	*count = 0;
	while ((status = record_read(walker->reader, &walker->block)) == 1) {
		status = visit_block(walker, ++*count);
		if (status < 0)
			return status;
	}
	return status;
}

static enum status
say_unreadable(const char *file, int error)
{
	complaint_say("cannot read %s: %s", file, strerror(-error));
	complaint_add("hint", "give a game record, or `-` for standard input");
	return input_file_status(error);
}

static enum status
say_empty(const char *file)
{
	complaint_say("%s holds no game record",
	    strcmp(file, "-") == 0 ? "standard input" : file);
	complaint_add("hint", "a record begins with a line `match ID ...`");
	complaint_add(
	    "try", VERSION_NAME " match @greedy @random --record games.scopa");
	return STATUS_FAILED;
}

static enum status
walk_file(struct walker *walker, const char *file)
{
	bool named = strcmp(file, "-") != 0;
	int fd = named ? open(file, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	int64_t count;
	int error;

	if (fd < 0)
		return say_unreadable(file, -errno);
	walker->file = file;
	error = visit_blocks(walker, fd, &count);
	if (named)
		close(fd);
	if (error)
		return say_unreadable(file, error);
	return count == 0 ? say_empty(file) : STATUS_DONE;
}

static enum status
walk_files(struct walker *walker, int file_count, char **files)
{
	enum status status = STATUS_DONE;

	if (file_count == 0 && isatty(STDIN_FILENO)) {
		complaint_say("no file is named, and standard input is a "
			      "terminal");
		complaint_add("hint", "name a file, or give `-` to type one");
		return STATUS_USAGE;
	}
	if (file_count == 0)
		return walk_file(walker, "-");
	for (int i = 0; i < file_count; i++)
		status = record_walk_worse(status, walk_file(walker, files[i]));
	return status;
}

static int
walker_open(struct walker *walker)
{
	const struct record_walk *walk = walker->walk;

	walker->reader = malloc(sizeof(*walker->reader));
	if (!walker->reader || replay_open(&walker->replay) < 0)
		return -ENOMEM;
	if (walk->check || walk->pick)
		return record_checker_open(&walker->checker);
	return 0;
}

static void
walker_close(struct walker *walker)
{
	record_checker_close(walker->checker);
	record_release(&walker->record);
	replay_close(walker->replay);
	record_block_release(&walker->block);
	free(walker->reader);
}

enum status
record_walk_files(const struct record_walk *walk, int file_count, char **files)
{
	struct walker walker = { .walk = walk };
	enum status status;

	record_block_init(&walker.block);
	record_init(&walker.record);
	if (walker_open(&walker) < 0) {
		complaint_say("no memory");
		status = STATUS_ENVIRONMENT;
	} else {
		status = walk_files(&walker, file_count, files);
		if (walk->pick)
			status = pick_status(walk->pick, status);
	}
	walker_close(&walker);
	return status;
}
