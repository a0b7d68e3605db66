#include "reread.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record_write.h"
#include "run_state.h"

enum { HEADING_SIZE = sizeof(RECORD_HEADING) - 1 };

/* A game is not the one that should be there. */
static int
refuse(struct reread *reread, int64_t line, const char *why,
    struct store_error *error)
{
	reread->fault = (struct record_fault){ .line = 0 };
	record_fault_set(&reread->fault, line, "%s", why);
	store_error_set(error, "the records \"%s\", line %lld: %s",
	    reread->path, (long long)line, reread->fault.text);
	store_error_hint(error,
	    "nothing was changed; bring the file back from a copy if there is "
	    "one");
	store_error_try(error, "scopa-arena record verify %s", reread->path);
	return -EBADMSG;
}

/* The file is damaged. */
static int
broken(struct reread *reread, int64_t line, const char *why,
    struct store_error *error)
{
	reread->damaged = true;
	return refuse(reread, line, why, error);
}

/* Where in the file the reader is. */
static int64_t
position(const struct reread *reread)
{
	const struct record_reader *reader = &reread->reader;
	int64_t at = lseek(reader->fd, 0, SEEK_CUR);

	at -= (int64_t)(reader->end - reader->begin);
	return reader->line_held ? at - (int64_t)reader->line_size : at;
}

/*
 * What is broken and has no end was being written when all ended, unless games
 * come after it.
 */
static int
skip_tail(struct reread *reread, struct store_error *error)
{
	struct record_fault fault = reread->block.fault;
	int64_t line = fault.line ? fault.line : reread->block.last_line;
	bool summed = reread->block.summed;
	int status = 1;

	while (!summed && status == 1) {
		status = record_read(&reread->reader, &reread->block);
		summed = status == 1 && reread->block.summed;
	}
	if (status < 0)
		return run_fail(status, "read", reread->path, error);
	reread->more = false;
	if (summed)
		return broken(reread, line,
		    fault.line ? fault.text : "no `sum` line ends this game",
		    error);
	return 0;
}

/* Reads the next game and checks it: 0 or -errno. */
static int
read_game(struct reread *reread, struct store_error *error)
{
	struct record_verdict verdict;
	int64_t expected = position(reread);
	int status = record_read(&reread->reader, &reread->block);

	if (reread->begin < 0)
		expected = HEADING_SIZE;
	if (status < 0)
		return run_fail(status, "read", reread->path, error);
	reread->more = status == 1;
	if (!reread->more)
		return 0;
	if (reread->block.fault.line > 0 || !reread->block.summed)
		return skip_tail(reread, error);
	/* Only the end of the file can have cut off the end of its line. */
	reread->more = reread->block.bytes[reread->block.size - 1] == '\n';
	if (!reread->more)
		return 0;
	reread->begin = position(reread) - (int64_t)reread->block.size;
	if (reread->begin != expected)
		return broken(reread, reread->block.first_line,
		    "something stands before this game that is none", error);
	status = record_check(reread->checker, &reread->block, NULL, &verdict);
	if (status < 0)
		return run_fail(status, "check", reread->path, error);
	if (!verdict.good)
		return broken(
		    reread, verdict.fault.line, verdict.fault.text, error);
	return 0;
}

/* Goes on to the next game. */
static void
advance(struct reread *reread)
{
	reread->status = read_game(reread, &reread->why);
	/* What cannot be taken is there all the same. */
	reread->more |= reread->status != 0;
}

/* The heading was there before the first game. */
static int
check_heading(struct reread *reread, struct store_error *error)
{
	static const char heading[] = RECORD_HEADING;
	char begin[HEADING_SIZE];

	if (pread(reread->reader.fd, begin, sizeof(begin), 0) ==
		(ssize_t)sizeof(begin) &&
	    memcmp(begin, heading, sizeof(begin)) == 0)
		return 0;
	store_error_set(error,
	    "the records \"%s\", line 1: this is not the heading of records",
	    reread->path);
	store_error_hint(error,
	    "nothing was changed; where that line alone is damaged, make it "
	    "\"%.*s\": every game has a sum of its own, which will be checked",
	    HEADING_SIZE - 1, heading);
	store_error_try(error, "scopa-arena record verify %s", reread->path);
	reread->damaged = true;
	return -EBADMSG;
}

int
reread_open(struct reread *reread, const char *folder, const char *name,
    const struct store_head *head, struct store_error *error)
{
	struct stat file;
	int fd, status;

	memset(reread, 0, sizeof(*reread));
	reread->head = head;
	reread->begin = -1;
	reread->end = HEADING_SIZE;
	run_path_join(reread->path, folder, name);
	fd = open(reread->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return run_fail(-errno, "open", reread->path, error);
	record_reader_init(&reread->reader, fd);
	record_block_init(&reread->block);
	if (fstat(fd, &file) < 0) {
		status = run_fail(-errno, "read", reread->path, error);
		goto close_reread;
	}
	reread->size = file.st_size;
	status = record_checker_open(&reread->checker);
	if (status)
		status = run_fail(status, "read", reread->path, error);
	if (!status)
		status = check_heading(reread, error);
	if (status)
		goto close_reread;
	advance(reread);
	return 0;
close_reread:
	reread_close(reread);
	return status;
}

void
reread_close(struct reread *reread)
{
	struct record_fault fault;

	record_checker_close(reread->checker);
	record_block_release(&reread->block);
	close(reread->reader.fd);
	fault = reread->fault;
	memset(reread, 0, sizeof(*reread));
	reread->fault = fault;
}

int
reread_block(struct reread *reread, const struct block_plan *plan,
    struct block_result *block, struct store_place *place,
    struct store_error *error)
{
	int64_t line = reread->block.first_line;
	char why[STORE_TEXT_SIZE];
	struct record_fault fault = { .line = 0 };
	crypto_hash_sha256_state state;
	int status;

	memset(block, 0, sizeof(*block));
	memset(place, 0, sizeof(*place));
	block->plan = *plan;
	place->offset = reread->begin;
	crypto_hash_sha256_init(&state);
	for (int game = 0; game < plan->game_count; game++) {
		if (reread->status) {
			*error = reread->why;
			return reread->status;
		}
		if (!reread->more)
			return 0;
		if (reread->look != NULL &&
		    !reread->look(
			reread->context, plan, game, &reread->block, &fault))
			return refuse(reread, fault.line, fault.text, error);
		status = summary_read(&block->games[game], reread->block.bytes,
		    reread->block.size);
		if (status)
			return broken(reread, reread->block.first_line,
			    "this is no game of a run", error);
		/* One that is missing shows by those that follow. */
		reread->damaged |= block->games[game].game >
		    plan->index * plan->game_count + game;
		crypto_hash_sha256_update(&state,
		    (const unsigned char *)reread->block.bytes,
		    reread->block.size);
		place->size += (int64_t)reread->block.size;
		advance(reread);
	}
	if (!store_block_check(reread->head, block, why))
		return refuse(reread, line, why, error);
	crypto_hash_sha256_final(&state, place->digest);
	reread->end = place->offset + place->size;
	return 1;
}

void
reread_skip(struct reread *reread)
{
	assert(reread->more && reread->status == 0);
	advance(reread);
}

int
reread_refuse(struct reread *reread, struct store_error *error)
{
	assert(reread->more);
	if (reread->status) {
		*error = reread->why;
		return reread->status;
	}
	return refuse(reread, reread->block.first_line,
	    "no block of the schedule has this game", error);
}
