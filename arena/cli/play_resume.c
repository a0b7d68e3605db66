/*
 * Implements play_resume.h.
 */
#include "play_resume.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "record_walk.h"
#include "version.h"

/* The game that was visited last. */
struct last_game {
	struct play_resume *resume;
	struct positions positions;
	bool stopped;
};

/* Whether the game was stopped before its end. */
static bool
is_stopped(const struct record_block *block)
{
	for (size_t i = 0; i < block->line_count; i++)
		if (block->lines[i].kind == EVENT_ABORT)
			return true;
	return false;
}

static int
visit_game(void *context, const struct record_visit *visit)
{
	struct last_game *last = context;
	int error = positions_gather(&last->positions, visit);

	if (error)
		return error;
	last->resume->head = *replay_head(visit->replay);
	last->stopped = is_stopped(visit->block);
	return 0;
}

bool
play_seats_parse(const char *text, unsigned *seats)
{
	struct word rest = { text, strlen(text) }, piece;
	unsigned parsed = 0;

	while (word_next_piece(&rest, ',', &piece)) {
		int64_t seat;

		if (!word_to_int(piece, 1, SCOPA_SEATS_MAX, &seat) ||
		    parsed & 1u << (seat - 1))
			return false;
		parsed |= 1u << (seat - 1);
	}
	if (parsed == 0)
		return false;
	*seats = parsed;
	return true;
}

/* Reads what the tag of the game says.  Returns false if something is missing. */
static bool
read_tag(struct play_resume *resume)
{
	char secret[SHUFFLE_HEX_SIZE], persons[SHUFFLE_HEX_SIZE];
	struct words words;

	words_split_pairs(resume->head.game.tag, &words);
	return words_find(&words, "secret").bytes != NULL &&
	    words_find(&words, "persons").bytes != NULL &&
	    word_decode(words_find(&words, "secret"), secret, sizeof(secret)) &&
	    word_decode(
		words_find(&words, "persons"), persons, sizeof(persons)) &&
	    shuffle_key_parse(secret, &resume->secret) &&
	    play_seats_parse(persons, &resume->persons);
}

/* Takes the moves out of the positions. */
static enum status
read_moves(struct play_resume *resume, const struct positions *positions)
{
	resume->moves =
	    calloc((size_t)positions->count + 1, sizeof(*resume->moves));
	if (resume->moves == NULL)
		return memory_error();
	for (int i = 0; i < positions->count; i++) {
		resume->moves[i] = positions->items[i].move;
		resume->moves[i].seat = positions->items[i].deal.turn;
	}
	resume->move_count = positions->count;
	return STATUS_DONE;
}

enum status
play_resume_read(struct play_resume *resume, const char *path)
{
	struct last_game last = { .resume = resume };
	char *file = strdup(path);
	char *files[] = { file, NULL };
	enum status status = file == NULL
	    ? memory_error()
	    : record_walk_good(visit_game, &last, NULL, files);

	free(file);
	if (status == STATUS_DONE && !read_tag(resume))
		status = error_usage(
		    "name the file of --record of an earlier " VERSION_NAME
		    " play",
		    "\"%s\": persons did not play its last game, or its cards "
		    "came from a file of packs",
		    path);
	else if (status == STATUS_DONE && !last.stopped)
		status = error_usage("leave --resume away to begin another one",
		    "\"%s\": its last game is over", path);
	if (status == STATUS_DONE)
		status = read_moves(resume, &last.positions);
	free(last.positions.items);
	return status;
}

void
play_resume_release(struct play_resume *resume)
{
	free(resume->moves);
}
