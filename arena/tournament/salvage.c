#include "salvage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log.h"
#include "record_write.h"
#include "run_state.h"
#include "summary.h"

struct salvage {
	struct store_head head;
	struct reread reread;
	bool useful; /* its blocks are those of the schedule */
};

/* The blocks on their way from the records to the file. */
struct salvaging {
	FILE *text;
	char *bytes; /* of the text; owned */
	size_t size;
	int game_count; /* of a block */
	int64_t next;   /* the game that would go on with the present block */
	char *block;    /* the games of the present block; owned */
	size_t block_size, block_capacity;
	int64_t saved;
	struct salvage_damages damages;
};

/* Adds a game to the present block: 0 or -ENOMEM. */
static int
add_game(struct salvaging *salvaging, const struct record_block *record)
{
	size_t size = salvaging->block_size + record->size;

	if (size > salvaging->block_capacity) {
		char *grown = realloc(salvaging->block, 2 * size);

		if (grown == NULL)
			return -ENOMEM;
		salvaging->block = grown;
		salvaging->block_capacity = 2 * size;
	}
	memcpy(salvaging->block + salvaging->block_size, record->bytes,
	    record->size);
	salvaging->block_size = size;
	salvaging->next++;
	if (salvaging->next % salvaging->game_count != 0)
		return 0;
	fwrite(salvaging->block, 1, size, salvaging->text);
	salvaging->block_size = 0;
	salvaging->saved++;
	return 0;
}

/* Takes a good game, if it begins a block or goes on with one. */
static int
take_game(struct salvaging *salvaging, const struct record_block *record)
{
	struct summary summary;

	if (summary_read(&summary, record->bytes, record->size) < 0 ||
	    summary.game < salvaging->next)
		return 0;
	if (summary.game != salvaging->next) {
		/* The block before it has a gap. */
		salvaging->block_size = 0;
		if (summary.game % salvaging->game_count != 0)
			return 0;
		salvaging->next = summary.game;
	}
	return add_game(salvaging, record);
}

/*
 * Whether the record of a game is whole and proves what it says; or -errno.  Of
 * one that is not, `fault` is set.
 */
static int
is_good(struct record_checker *checker, const struct record_block *record,
    struct record_fault *fault)
{
	struct record_verdict verdict;
	int status;

	*fault = record->fault;
	if (fault->line > 0)
		return 0;
	if (!record->summed || record->bytes[record->size - 1] != '\n') {
		record_fault_set(
		    fault, record->last_line, "no `sum` line ends this game");
		return 0;
	}
	status = record_check(checker, record, NULL, &verdict);
	if (status < 0)
		return status;
	*fault = verdict.fault;
	return verdict.good;
}

static void
note_damage(struct salvaging *salvaging, const struct record_block *record,
    const struct record_fault *fault)
{
	struct salvage_damages *damages = &salvaging->damages;
	struct salvage_damage *damage;
	struct summary summary;

	if (damages->count++ >= SALVAGE_DAMAGES_MAX)
		return;
	damage = &damages->damages[damages->count - 1];
	*damage = (struct salvage_damage){ .fault = *fault };
	if (summary_read(&summary, record->bytes, record->size) == 0)
		damage->block = summary.game / salvaging->game_count + 1;
}

static int
take_games(struct salvaging *salvaging, int fd)
{
	struct record_reader *reader = malloc(sizeof(*reader));
	struct record_checker *checker = NULL;
	struct record_block block;
	struct record_fault fault;
	int status = reader ? record_checker_open(&checker) : -ENOMEM;
	bool cut_off = false;

	record_block_init(&block);
	if (status == 0)
		record_reader_init(reader, fd);
	while (status == 0) {
		int good;

		status = record_read(reader, &block);
		if (status <= 0)
			break;
		good = is_good(checker, &block, &fault);
		if (good == 0)
			note_damage(salvaging, &block, &fault);
		cut_off = good == 0 && !block.summed;
		status = good < 0 ? good
		    : good        ? take_game(salvaging, &block)
				  : 0;
	}
	/* The first damage has games behind it. */
	if (cut_off && salvaging->damages.count > 1)
		salvaging->damages.count--;
	record_block_release(&block);
	record_checker_close(checker);
	free(reader);
	return status;
}

/* Puts the text in its place; one without a block is no file. */
static int
put_file(const struct salvaging *salvaging, const char *folder)
{
	char path[PATH_MAX];

	if (salvaging->saved > 0)
		return run_text_put(folder, SALVAGE_FILE, salvaging->bytes);
	run_path_join(path, folder, SALVAGE_FILE);
	return unlink(path) < 0 && errno != ENOENT ? -errno : 0;
}

int
salvage_write(const char *folder, int64_t from, int game_count, int64_t *saved,
    struct salvage_damages *damages, struct store_error *error)
{
	struct salvaging salvaging = {
		.game_count = game_count,
		.next = from * game_count,
	};
	char path[PATH_MAX];
	int fd, status;

	run_path_join(path, folder, RUN_RECORDS);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return run_fail(-errno, "open", path, error);
	salvaging.text = open_memstream(&salvaging.bytes, &salvaging.size);
	if (salvaging.text == NULL) {
		close(fd);
		return run_fail(-ENOMEM, "read", path, error);
	}
	fputs(RECORD_HEADING, salvaging.text);
	status = take_games(&salvaging, fd);
	if (fclose(salvaging.text) != 0 && status == 0)
		status = -ENOMEM;
	if (status == 0)
		status = put_file(&salvaging, folder);
	close(fd);
	free(salvaging.block);
	free(salvaging.bytes);
	if (status)
		return run_fail(status, "save blocks of", path, error);
	*saved = salvaging.saved;
	*damages = salvaging.damages;
	return 0;
}

struct salvage *
salvage_open(const struct run *run)
{
	struct salvage *salvage = malloc(sizeof(*salvage));
	struct store_error why = { .what = "no memory" };
	int status = -ENOMEM;

	if (salvage != NULL) {
		salvage->head = run->head;
		status = reread_open(&salvage->reread, run->path, SALVAGE_FILE,
		    &salvage->head, &why);
	}
	if (status == 0) {
		salvage->useful = true;
		return salvage;
	}
	free(salvage);
	if (status != -ENOENT)
		log_print(
		    LOG_WARN, "%s; its blocks are played again", why.what);
	return NULL;
}

static void
give_up(struct salvage *salvage, const char *why)
{
	log_print(LOG_WARN, "%s: %s; its blocks are played again",
	    salvage->reread.path, why);
	salvage->useful = false;
}

/* The number of the next game of the file; -1 where there is none. */
static int64_t
next_game(const struct reread *reread)
{
	struct summary summary;

	if (reread->status || !reread->more ||
	    summary_read(&summary, reread->block.bytes, reread->block.size) < 0)
		return -1;
	return summary.game;
}

bool
salvage_take(struct salvage *salvage, const struct block_plan *plan,
    struct block_result *block, struct store_place *place)
{
	int64_t first = plan->index * plan->game_count;
	struct reread *reread;
	struct store_error why;
	int64_t game;
	int status;

	if (salvage == NULL || !salvage->useful)
		return false;
	reread = &salvage->reread;
	/* Those before it have been played since. */
	while ((game = next_game(reread)) >= 0 && game < first)
		reread_skip(reread);
	if (game != first)
		return false;
	status = reread_block(reread, plan, block, place, &why);
	if (status == 1)
		return true;
	give_up(salvage, status < 0 ? why.what : "a block is not whole");
	return false;
}

int
salvage_read(
    const struct salvage *salvage, const struct store_place *place, char *bytes)
{
	int64_t done = 0;

	while (done < place->size) {
		ssize_t got = pread(salvage->reread.reader.fd, bytes + done,
		    (size_t)(place->size - done), place->offset + done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? -errno : -EIO;
		done += got;
	}
	return 0;
}

void
salvage_close(struct salvage *salvage, bool kept)
{
	if (salvage == NULL)
		return;
	if (kept && (!salvage->useful || next_game(&salvage->reread) < 0))
		unlink(salvage->reread.path);
	reread_close(&salvage->reread);
	free(salvage);
}
