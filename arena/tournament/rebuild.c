/*
 * Implements rebuild.h: computes the results of a run from its records again,
 * and salvages the good blocks after a damaged one.
 */
#include "rebuild.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buffers.h"
#include "countof.h"
#include "log.h"
#include "record_write.h"
#include "run.h"
#include "runner.h"
#include "summary.h"

enum { HEADING_SIZE = sizeof(RECORD_HEADING) - 1 };

/* Reports a game that is not the one that the schedule has at this place. */
static int
refuse(struct reread *reread, int64_t line, const char *why,
    struct store_error *error)
{
	reread->fault = (struct record_fault){ .line = 0 };
	record_fault_set(&reread->fault, line, "%s", why);
	store_fail(error, -EBADMSG,
	    "nothing was changed; bring the file back from a copy if there is "
	    "one",
	    "the records \"%s\", line %jd: %s", reread->path, line,
	    reread->fault.text);
	store_error_try(error, "record verify", reread->path);
	return -EBADMSG;
}

/* Reports that the file is damaged. */
static int
broken(struct reread *reread, int64_t line, const char *why,
    struct store_error *error)
{
	reread->damaged = true;
	return refuse(reread, line, why, error);
}

/* The position of the reader in the file. */
static int64_t
position(const struct reread *reread)
{
	const struct record_reader *reader = &reread->reader;
	int64_t at = lseek(reader->fd, 0, SEEK_CUR);

	at -= (int64_t)(reader->end - reader->begin);
	return reader->line_held ? at - (int64_t)reader->line_size : at;
}

/*
 * A broken game at the end of the file, without its last line, was being
 * written when the arena ended. It is damage only if games follow.
 */
static int
skip_tail(struct reread *reread, struct store_error *error)
{
	struct record_fault fault = reread->record.fault;
	int64_t line = fault.line ? fault.line : reread->record.last_line;
	bool summed = reread->record.summed;
	int status = 1;

	while (!summed && status == 1) {
		status = record_read(&reread->reader, &reread->record);
		summed = status == 1 && reread->record.summed;
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

/* Reads the next game and checks it. Returns 0 or -errno. */
static int
read_game(struct reread *reread, struct store_error *error)
{
	struct record_verdict verdict;
	int64_t expected = position(reread);
	int status = record_read(&reread->reader, &reread->record);

	if (reread->begin < 0)
		expected = HEADING_SIZE;
	if (status < 0)
		return run_fail(status, "read", reread->path, error);
	reread->more = status == 1;
	if (!reread->more)
		return 0;
	if (reread->record.fault.line > 0 || !reread->record.summed)
		return skip_tail(reread, error);
	/* Only the last line of the file can lack its line end. */
	reread->more = reread->record.bytes[reread->record.size - 1] == '\n';
	if (!reread->more)
		return 0;
	reread->begin = position(reread) - (int64_t)reread->record.size;
	if (reread->begin != expected)
		return broken(reread, reread->record.first_line,
		    "before this game there is something that is not a game "
		    "record",
		    error);
	status = record_check(reread->checker, &reread->record, NULL, &verdict);
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
	/* A game that cannot be used counts as present. */
	reread->more |= reread->status != 0;
}

/* The heading was there before the first game. */
static int
check_heading(struct reread *reread, struct store_error *error)
{
	static const char heading[] = RECORD_HEADING;
	char begin[HEADING_SIZE], hint[256];

	if (pread(reread->reader.fd, begin, sizeof(begin), 0) ==
		(ssize_t)sizeof(begin) &&
	    memcmp(begin, heading, sizeof(begin)) == 0)
		return 0;
	snprintf(hint, sizeof(hint),
	    "nothing was changed; where that line alone is damaged, make it "
	    "\"%.*s\": every game has a sum of its own, which will be checked",
	    HEADING_SIZE - 1, heading);
	record_fault_set(
	    &reread->fault, 1, "this is not the heading of records");
	store_fail(error, -EBADMSG, hint, "the records \"%s\", line 1: %s",
	    reread->path, reread->fault.text);
	store_error_try(error, "record verify", reread->path);
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
	game_record_init(&reread->record);
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
	game_record_release(&reread->record);
	close(reread->reader.fd);
	fault = reread->fault;
	memset(reread, 0, sizeof(*reread));
	reread->fault = fault;
}

int
reread_block(struct reread *reread, const struct block_plan *plan,
    struct block_result *block, struct store_error *error)
{
	struct block_place *place = &block->place;
	int64_t line = reread->record.first_line;
	char why[STORE_TEXT_SIZE];
	struct record_fault fault = { .line = 0 };
	crypto_hash_sha256_state state;
	int status;

	memset(block, 0, sizeof(*block));
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
			reread->context, plan, game, &reread->record, &fault))
			return refuse(reread, fault.line, fault.text, error);
		status = summary_read(&block->games[game], reread->record.bytes,
		    reread->record.size);
		if (status)
			return broken(reread, reread->record.first_line,
			    "this is no game of a run", error);
		/*
		 * A missing game is noticed by the number of the game that
		 * follows.
		 */
		reread->damaged |= block->games[game].game >
		    plan->index * plan->game_count + game;
		crypto_hash_sha256_update(&state,
		    (const unsigned char *)reread->record.bytes,
		    reread->record.size);
		place->size += (int64_t)reread->record.size;
		advance(reread);
	}
	if (!store_block_check(reread->head, block, why))
		return refuse(reread, line, why, error);
	crypto_hash_sha256_final(&state, place->digest);
	reread->end = place->offset + place->size;
	return 1;
}

/* The number of the game of a record; -1: it is no game. */
static int64_t
game_number(const struct game_record *record)
{
	struct summary summary;

	return summary_read(&summary, record->bytes, record->size) < 0
	    ? -1
	    : summary.game;
}

/* The number of the next game of the file; -1: there is none. */
static int64_t
next_game(const struct reread *reread)
{
	return reread->status || !reread->more ? -1
					       : game_number(&reread->record);
}

/* Skips games whose numbers, from 0, are below `first`.  Returns how many. */
static int64_t
reread_skip(struct reread *reread, int64_t first)
{
	int64_t game, count = 0;

	while ((game = next_game(reread)) >= 0 && game < first) {
		advance(reread);
		count++;
	}
	return count;
}

struct reread *
salvage_open(const struct run *run)
{
	struct reread *salvage = malloc(sizeof(*salvage));
	struct store_error why = { .what = "no memory" };
	int status = salvage == NULL
	    ? -ENOMEM
	    : reread_open(salvage, run->path, SALVAGE_FILE, &run->head, &why);

	if (status == 0)
		return salvage;
	free(salvage);
	if (status != -ENOENT)
		log_print(
		    LOG_WARN, "%s; its blocks are played again", why.what);
	return NULL;
}

bool
salvage_read(struct reread *salvage, const struct block_plan *plan,
    struct block_result *block)
{
	int64_t first = plan->index * plan->game_count;
	struct store_error why = { .what = "a block is not whole" };

	if (salvage == NULL)
		return false;
	/* Saved games before this one have been played again meanwhile. */
	(void)reread_skip(salvage, first);
	if (next_game(salvage) != first)
		return false;
	if (reread_block(salvage, plan, block, &why) == 1)
		return true;
	log_print(LOG_WARN, "%s: %s; its blocks are played again",
	    salvage->path, why.what);
	/* The salvaged games are not those of the schedule. */
	salvage->status = -EBADMSG;
	return false;
}

void
salvage_close(struct reread *salvage, bool kept)
{
	if (salvage == NULL)
		return;
	if (kept && next_game(salvage) < 0)
		unlink(salvage->path);
	reread_close(salvage);
	free(salvage);
}

int
salvage_blocks_add(struct salvage_blocks *blocks, int64_t number,
    const char *by, char *record, size_t size)
{
	struct salvage_block *block;

	if (ARRAY_GROW(blocks->blocks, blocks->count, blocks->capacity)) {
		free(record);
		return -ENOMEM;
	}
	block = &blocks->blocks[blocks->count++];
	*block = (struct salvage_block){ number, record, size, "" };
	snprintf(block->by, sizeof(block->by), "%s", by);
	return 0;
}

void
salvage_blocks_release(struct salvage_blocks *blocks)
{
	for (int i = 0; i < blocks->count; i++)
		free(blocks->blocks[i].record);
	free(blocks->blocks);
	*blocks = (struct salvage_blocks){ .count = 0 };
}

static int
compare_blocks(const void *a, const void *b)
{
	const struct salvage_block *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

/* The blocks of a run on their way to the file of salvaged blocks. */
struct replacing {
	const struct run *run;
	const struct salvage_block *next, *end;
	FILE *file;
};

/* Copies the record of a block, or that of the one that replaces it. */
static int
copy_block(void *context, const struct block_result *block)
{
	struct replacing *replacing = context;
	const struct block_place *place = &block->place;
	size_t size = (size_t)place->size;
	char *bytes;
	int status;

	if (replacing->next < replacing->end &&
	    replacing->next->number == block->plan.index) {
		const struct salvage_block *next = replacing->next++;

		return fwrite(next->record, 1, next->size, replacing->file) ==
			next->size
		    ? 0
		    : -errno;
	}
	if (block->skipped)
		return 0;
	bytes = malloc(size);
	status = bytes == NULL ? -ENOMEM
			       : run_read_at(replacing->run->records_fd, bytes,
				     place->size, place->offset);
	if (!status && fwrite(bytes, 1, size, replacing->file) != size)
		status = -errno;
	free(bytes);
	return status;
}

int
salvage_replace(
    struct run *run, struct salvage_blocks *blocks, struct store_error *error)
{
	int64_t first;
	struct replacing replacing = {
		.run = run,
		.next = blocks->blocks,
		.end = blocks->blocks + blocks->count,
	};
	char path[PATH_MAX], part[PATH_MAX];
	int status;

	qsort(blocks->blocks, (size_t)blocks->count, sizeof(*blocks->blocks),
	    compare_blocks);
	first = blocks->blocks[0].number;
	run_path_join(path, run->path, SALVAGE_FILE);
	run_path_join(part, run->path, SALVAGE_FILE ".new");
	replacing.file = fopen(part, "we");
	if (replacing.file == NULL)
		return run_fail(-errno, "save blocks in", part, error);
	error->what[0] = '\0';
	status = fputs(RECORD_HEADING, replacing.file) < 0 ? -errno : 0;
	if (!status)
		status = store_walk_from(
		    run->store, first, copy_block, &replacing, error);
	if (!status &&
	    (fflush(replacing.file) != 0 || fsync(fileno(replacing.file)) < 0))
		status = -errno;
	fclose(replacing.file);
	if (!status && rename(part, path) < 0)
		status = -errno;
	if (!status)
		status = run_folder_sync(run->path);
	if (status) {
		unlink(part);
		return error->what[0] != '\0'
		    ? status
		    : run_fail(status, "save blocks in", path, error);
	}
	return run_cut(run, first, error);
}

#define NEW_RESULTS RUN_RESULTS ".new"

enum { BATCH_SIZE = 256, COPIES_MAX = 10000 };

/* The rebuilding of the results of a run. */
struct rebuilding {
	const struct rebuild_order *order;
	struct rebuild_report report;
	char folder[PATH_MAX], path[PATH_MAX], new_path[PATH_MAX];
	struct store_head head;
	struct store *old; /* NULL: it cannot be read */
	struct store *made;
	int64_t old_count;
	unsigned char chain[STORE_DIGEST_SIZE];
	struct reread reread;
	struct tournament tournament;
	/* Blocks that are not in the store yet. */
	struct block_result batch[BATCH_SIZE];
	int batch_count;
};

/* Opens the old results, if they can be read, and finds the head. */
static int
open_old(struct rebuilding *rebuilding, struct store_error *error)
{
	struct rebuild_report *report = &rebuilding->report;
	struct block_place last;
	int status = store_open(&rebuilding->old, rebuilding->path, false,
	    &rebuilding->head, error);

	if (status == 0)
		return store_end(
		    rebuilding->old, &rebuilding->old_count, &last, error);
	if (status != -EBADMSG && status != -ENOENT && status != -ESTALE)
		return status;
	report->outcome = REBUILD_ALONE;
	memcpy(report->difference, error->what, sizeof(report->difference));
	if (!rebuilding->order->head)
		return status;
	rebuilding->head = *rebuilding->order->head;
	return 0;
}

static int
flush(struct rebuilding *rebuilding, struct store_error *error)
{
	int status;

	if (rebuilding->batch_count == 0)
		return 0;
	status = store_add(rebuilding->made, rebuilding->batch,
	    rebuilding->batch_count, error);
	if (!status)
		rebuilding->batch_count = 0;
	return status;
}

/* Counts the next block of the schedule, and adds it.  0 or -errno. */
static int
add_block(struct rebuilding *rebuilding, struct store_error *error)
{
	struct rebuild_report *report = &rebuilding->report;
	struct block_result *block =
	    &rebuilding->batch[rebuilding->batch_count];
	int status;

	store_chain_add(rebuilding->chain, block);
	memcpy(
	    block->place.chain, rebuilding->chain, sizeof(block->place.chain));
	status = tournament_add(&rebuilding->tournament, block);
	if (status)
		return run_fail(status, "rebuild", rebuilding->folder, error);
	report->blocks++;
	report->games += block->skipped ? 0 : block->plan.game_count;
	rebuilding->batch_count++;
	return rebuilding->batch_count < BATCH_SIZE ? 0
						    : flush(rebuilding, error);
}

/*
 * Goes through the schedule as long as there are records. Skipped blocks have
 * no records. They count if a later block has records.
 */
static int
make_blocks(struct rebuilding *rebuilding, struct store_error *error)
{
	struct rebuild_report *report = &rebuilding->report;
	struct tournament *tournament = &rebuilding->tournament;
	struct reread *reread = &rebuilding->reread;
	struct block_plan plan;
	int status = 0;

	while (!status &&
	    tournament_next(tournament, &plan) == SCHEDULE_BLOCK &&
	    (reread->more || plan.index < rebuilding->old_count)) {
		struct block_result *block =
		    &rebuilding->batch[rebuilding->batch_count];

		if (tournament_skips(tournament, &plan)) {
			*block = (struct block_result){ .plan = plan,
				.skipped = true };
			crypto_hash_sha256(
			    block->place.digest, block->place.digest, 0);
		} else {
			status = reread_block(reread, &plan, block, error);
			/* The records end. */
			if (status == 0)
				break;
		}
		if (status >= 0)
			status = add_block(rebuilding, error);
		else if (status == -EBADMSG && reread->damaged)
			report->bad = plan.index + 1;
	}
	/* Results end before a block whose record is damaged. */
	if (report->bad > 0) {
		memcpy(report->bad_why, error->what, sizeof(report->bad_why));
		return flush(rebuilding, error);
	}
	if (status)
		return status;
	if (!reread->more)
		return flush(rebuilding, error);
	if (!reread->status)
		return refuse(reread, reread->record.first_line,
		    "no block of the schedule has this game", error);
	*error = reread->why;
	return reread->status;
}

/* The state of a run that has ended; NULL: further blocks may count. */
static const char *
state_of_end(
    const struct tournament *tournament, const struct gate_config *gate)
{
	switch (tournament_find_end(tournament, gate)) {
	case TOURNAMENT_GOES_ON:
		break;
	case TOURNAMENT_DESERTED:
		return RUN_STOPPED;
	case TOURNAMENT_DECIDED:
		return RUN_DONE;
	}
	return NULL;
}

/* The state of a run that has no block left to play; NULL: it has one. */
static const char *
find_end(struct rebuilding *rebuilding)
{
	struct tournament *tournament = &rebuilding->tournament;
	const char *state = state_of_end(tournament, rebuilding->order->gate);
	struct block_plan plan;

	if (rebuilding->report.bad > 0)
		return NULL;
	if (state != NULL)
		return state;
	return tournament->planned == tournament->counted &&
		tournament_next(tournament, &plan) == SCHEDULE_END
	    ? RUN_DONE
	    : NULL;
}

/*
 * The state of a run that has lost its results and is not over.  The first line
 * of the file of attempts (runner.h) says why the run was stopped last.
 */
static const char *
guess_state(const struct rebuilding *rebuilding)
{
	char path[PATH_MAX], reason[ATTEMPTS_REASON_SIZE];
	int64_t begun;
	bool known;
	FILE *file;

	run_path_join(path, rebuilding->folder, ATTEMPTS_FILE);
	file = fopen(path, "re");
	known = file != NULL &&
	    fscanf(file, "begun %" SCNd64 " %15s", &begun, reason) == 2;
	if (file != NULL)
		fclose(file);
	if (!known)
		return rebuilding->report.blocks > 0 ? RUN_INTERRUPTED
						     : RUN_ANNOUNCED;
	/* The run was killed, so that its state is still `running`. */
	return strcmp(reason, ATTEMPTS_ABORTED) == 0 ? RUN_INTERRUPTED
						     : RUN_RUNNING;
}

/*
 * A run is over when nothing is left to play and, if its seed is a secret, the
 * seed was shown: that is the last step of a run.
 */
static int
set_state(
    struct rebuilding *rebuilding, const char *end, struct store_error *error)
{
	bool secret = rebuilding->head.committed;
	const char *shown = rebuilding->order->shown;
	char was[STORE_STATE_SIZE] = "";
	const char *state = was;
	int status = rebuilding->old
	    ? store_state(rebuilding->old, was, sizeof(was))
	    : 0;

	/* A state that cannot be read stays empty. */
	if (status == -ENOMEM)
		return run_fail(status, "check", rebuilding->folder, error);
	if (end == NULL &&
	    (strcmp(was, RUN_DONE) == 0 || strcmp(was, RUN_STOPPED) == 0))
		state = RUN_INTERRUPTED;
	else if (was[0] == '\0' && end != NULL && (!secret || shown != NULL))
		state = end;
	else if (was[0] == '\0')
		state = guess_state(rebuilding);
	if (!rebuilding->old && state == end && secret) {
		status = store_set_secret(rebuilding->made, shown, error);
		if (status)
			return status;
	}
	return store_set_state(rebuilding->made, state, error);
}

/* For a walk that only finds out whether all rows can be read. */
static int
accept_block(void *context, const struct block_result *block)
{
	(void)context;
	(void)block;
	return 0;
}

static int
compare(struct rebuilding *rebuilding, struct store_error *error)
{
	struct rebuild_report *report = &rebuilding->report;
	int same;

	report->tail = rebuilding->reread.size - rebuilding->reread.end;
	if (!rebuilding->old) {
		report->gained = report->blocks;
		return 0;
	}
	/* Reading may find damage that quick_check does not find. */
	same = store_walk_from(rebuilding->old, 0, accept_block, NULL, error);
	if (same == 0)
		same = store_compare(rebuilding->old, rebuilding->made,
		    report->difference, error);
	if (same == -EBADMSG) {
		report->outcome = REBUILD_ALONE;
		memcpy(report->difference, error->what,
		    sizeof(report->difference));
		return 0;
	}
	if (same < 0)
		return same;
	report->outcome = same ? REBUILD_IDENTICAL : REBUILD_DIFFERENT;
	if (report->blocks > rebuilding->old_count)
		report->gained = report->blocks - rebuilding->old_count;
	else
		report->lost = rebuilding->old_count - report->blocks;
	return 0;
}

/* A free name for a copy of a file: `results.db.old`, `results.db.old-2`... */
static void
backup_name(
    const struct rebuilding *rebuilding, const char *file, char kept[PATH_MAX])
{
	char name[64];

	snprintf(name, sizeof(name), "%s.old", file);
	for (int copy = 2; copy < COPIES_MAX; copy++) {
		run_path_join(kept, rebuilding->folder, name);
		if (access(kept, F_OK) < 0)
			return;
		snprintf(name, sizeof(name), "%s.old-%d", file, copy);
	}
}

/*
 * Whether the record of a game is whole and good; or -errno.  If it is not
 * good, `fault` is set.
 */
static int
is_good(struct record_checker *checker, const struct game_record *record,
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

/* The blocks that are copied from the records to SALVAGE_FILE. */
struct salvaging {
	FILE *text;
	int64_t next;     /* the next game of the present block */
	long block_begin; /* of the present block in the text */
};

/* Copies a good game if it begins a block or continues the present one. */
static void
add_good_game(struct salvaging *salvaging, const struct game_record *record,
    int game_count, int64_t *salvaged)
{
	int64_t game = game_number(record);

	if (game < salvaging->next)
		return;
	if (game != salvaging->next) {
		/* The block before lacks a game. */
		fseek(salvaging->text, salvaging->block_begin, SEEK_SET);
		if (game % game_count != 0)
			return;
		salvaging->next = game;
	}
	fwrite(record->bytes, 1, record->size, salvaging->text);
	salvaging->next++;
	if (salvaging->next % game_count != 0)
		return;
	salvaging->block_begin = ftell(salvaging->text);
	++*salvaged;
}

/*
 * Copies all blocks after the bad one whose games are there and good.  Notes
 * the broken games of the whole file, except a last one that was cut off.
 */
static int
read_good_games(struct rebuilding *rebuilding, struct salvaging *salvaging)
{
	struct rebuild_report *report = &rebuilding->report;
	struct salvage_damages *damages = &report->damages;
	struct reread *reread = &rebuilding->reread;
	struct game_record *record = &reread->record;
	int game_count = rebuilding->head.game_count, status;
	bool cut_off = false;

	if (lseek(reread->reader.fd, 0, SEEK_SET) < 0)
		return -errno;
	record_reader_init(&reread->reader, reread->reader.fd);
	while ((status = record_read(&reread->reader, record)) > 0) {
		struct record_fault fault;
		int64_t game = game_number(record);

		status = is_good(reread->checker, record, &fault);
		if (status < 0)
			return status;
		cut_off = status == 0 && !record->summed;
		if (status > 0)
			add_good_game(
			    salvaging, record, game_count, &report->salvaged);
		else if (damages->count++ < SALVAGE_DAMAGES_MAX)
			damages->damages[damages->count - 1] =
			    (struct salvage_damage){
				    .block =
					game < 0 ? 0 : game / game_count + 1,
				    .fault = fault,
			    };
	}
	/* There are games after the first damage. */
	if (cut_off && damages->count > 1)
		damages->count--;
	return status;
}

/*
 * Saves what follows a damaged block, and a copy of the damaged records:
 * `resume` cuts the records off after the last result.
 */
static int
save_blocks(struct rebuilding *rebuilding, struct store_error *error)
{
	struct rebuild_report *report = &rebuilding->report;
	const char *records = rebuilding->reread.path;
	struct salvaging salvaging = {
		.next = report->bad * rebuilding->head.game_count,
	};
	char path[PATH_MAX], *bytes = NULL;
	size_t size;
	int status;
	bool failed;

	salvaging.text = memory_file_open(&bytes, &size);
	if (salvaging.text == NULL)
		return run_fail(-ENOMEM, "save blocks of", records, error);
	fputs(RECORD_HEADING, salvaging.text);
	salvaging.block_begin = ftell(salvaging.text);
	status = read_good_games(rebuilding, &salvaging);
	/* An incomplete block is left out. */
	fseek(salvaging.text, salvaging.block_begin, SEEK_SET);
	failed = ferror(salvaging.text) != 0;
	if ((fclose(salvaging.text) != 0 || failed) && !status)
		status = -ENOMEM;
	run_path_join(path, rebuilding->folder, SALVAGE_FILE);
	if (!status && report->salvaged > 0) {
		bytes[salvaging.block_begin] = '\0';
		status =
		    run_text_replace(rebuilding->folder, SALVAGE_FILE, bytes);
	} else if (!status && unlink(path) < 0 && errno != ENOENT) {
		status = -errno;
	}
	free(bytes);
	if (status)
		return run_fail(status, "save blocks of", records, error);
	backup_name(rebuilding, RUN_RECORDS, report->bad_backup);
	status = run_file_copy(records, report->bad_backup);
	return status ? run_fail(status, "copy", records, error) : 0;
}

/* Makes the new results beside the old ones. */
static int
make_results(struct rebuilding *rebuilding, struct store_error *error)
{
	int status = reread_open(&rebuilding->reread, rebuilding->folder,
	    RUN_RECORDS, &rebuilding->head, error);

	if (status)
		return status;
	status = tournament_open(
	    &rebuilding->tournament, rebuilding->order->tournament);
	if (status) {
		run_fail(status, "rebuild", rebuilding->folder, error);
		goto close_reread;
	}
	store_chain_begin(&rebuilding->head, rebuilding->chain);
	store_remove(rebuilding->new_path);
	status = store_create(
	    &rebuilding->made, rebuilding->new_path, &rebuilding->head, error);
	if (status)
		goto close_tournament;
	status = make_blocks(rebuilding, error);
	if (!status)
		status = compare(rebuilding, error);
	/* Looking for the end may plan another block, so it is done last. */
	if (!status)
		status = set_state(rebuilding, find_end(rebuilding), error);
	/*
	 * Everything must be in the database file itself, because only that
	 * file is moved.
	 */
	if (!status)
		status = store_checkpoint(rebuilding->made, error);
	store_close(rebuilding->made);
	if (!status && rebuilding->report.bad > 0)
		status = save_blocks(rebuilding, error);
close_tournament:
	tournament_close(&rebuilding->tournament);
close_reread:
	reread_close(&rebuilding->reread);
	return status;
}

/* Moves a file with this suffix aside, if there is one. */
static int
move_aside(const struct rebuilding *rebuilding, const char *suffix)
{
	char from[PATH_MAX + 8], to[PATH_MAX + 8];

	snprintf(from, sizeof(from), "%s%s", rebuilding->path, suffix);
	snprintf(to, sizeof(to), "%s%s", rebuilding->report.kept, suffix);
	return rename(from, to) < 0 && errno != ENOENT ? -errno : 0;
}

/*
 * The new results replace the old ones. The old write-ahead log must never
 * stand beside the new file, so the old files are moved away first. A crash in
 * between leaves a run without results, which the next rebuild repairs.
 */
static int
replace(struct rebuilding *rebuilding, struct store_error *error)
{
	bool any = access(rebuilding->path, F_OK) == 0;
	char beside[PATH_MAX + 8];
	int status;

	backup_name(rebuilding, RUN_RESULTS, rebuilding->report.kept);
	status = move_aside(rebuilding, "");
	if (!status)
		status = move_aside(rebuilding, "-wal");
	snprintf(beside, sizeof(beside), "%s-shm", rebuilding->path);
	unlink(beside);
	if (!status)
		status = run_folder_sync(rebuilding->folder);
	if (!status && rename(rebuilding->new_path, rebuilding->path) < 0)
		status = -errno;
	if (!status)
		status = run_folder_sync(rebuilding->folder);
	if (!any)
		rebuilding->report.kept[0] = '\0';
	return status ? run_fail(status, "replace", rebuilding->path, error)
		      : 0;
}

static int
rebuild_locked(struct rebuilding *rebuilding, struct store_error *error)
{
	const struct rebuild_report *report = &rebuilding->report;
	int status = open_old(rebuilding, error);

	/* The records may belong to another run than the configuration. */
	if (!status &&
	    !tournament_fits(rebuilding->order->tournament, &rebuilding->head))
		status = store_fail(error, -EINVAL,
		    "nothing was changed; " RUN_CONFIG
		    " is the configuration as it was executed",
		    "the configuration of the run \"%s\" is not the one by "
		    "which it was played: bots, teams or games of a block are "
		    "others",
		    rebuilding->folder);
	if (!status)
		status = make_results(rebuilding, error);
	store_close(rebuilding->old);
	if (!status &&
	    (report->outcome != REBUILD_IDENTICAL || report->gained > 0 ||
		report->lost > 0))
		status = replace(rebuilding, error);
	store_remove(rebuilding->new_path);
	return status;
}

int
rebuild(const struct rebuild_order *order, struct rebuild_report *report,
    struct store_error *error)
{
	struct rebuilding *rebuilding = calloc(1, sizeof(*rebuilding));
	int status, lock_fd = -1;

	if (!rebuilding)
		return run_fail(-ENOMEM, "rebuild", order->path, error);
	rebuilding->order = order;
	status = run_path_set(rebuilding->folder, order->path, error);
	run_path_join(rebuilding->path, rebuilding->folder, RUN_RESULTS);
	run_path_join(rebuilding->new_path, rebuilding->folder, NEW_RESULTS);
	/* Without records there is nothing to lock. */
	if (!status)
		status = run_records_find(rebuilding->folder, error);
	if (!status)
		status = lock_fd = run_lock(rebuilding->folder, error);
	if (lock_fd >= 0) {
		status = rebuild_locked(rebuilding, error);
		run_unlock(lock_fd);
	}
	if (!status)
		*report = rebuilding->report;
	free(rebuilding);
	return status;
}

/*
 * Joining the shards of a run.
 *
 * A machine that plays a shard sees only its own results, so it suspends a bot
 * no earlier than a machine that plays all blocks.  So the shards have each
 * block that the joined run needs, and maybe more.
 */

enum { COMMIT_BLOCKS = 512 };

/* The joined run while it is made. */
struct joining {
	const struct shard_order *order;
	struct shard_report report;
	struct tournament tournament;
	struct reread *shards; /* the records of each; owned */
	int opened;            /* number of open shards */
};

/* Copies the record of a block from its shard to the joined run. */
static int
copy_record(struct joining *joining, const struct block_plan *plan,
    struct block_result *block, struct store_error *error)
{
	int index = shard_of(plan->index, joining->order->count);
	struct reread *shard = &joining->shards[index];
	struct run *run = joining->order->run;
	const struct block_place *place = &block->place;
	int64_t first = plan->index * plan->game_count;
	int status;
	char *room;

	joining->report.left_out += reread_skip(shard, first);
	status = reread_block(shard, plan, block, error);
	if (status == 0) {
		store_fail(error, -ENODATA, "",
		    "shard %d/%d, the run \"%s\", is not over: it lacks block "
		    "%jd",
		    index + 1, joining->order->count,
		    joining->order->paths[index], plan->index + 1);
		store_error_try(error, "resume", joining->order->paths[index]);
		return -ENODATA;
	}
	if (status < 0)
		return status;
	room = run_record_reserve(run, (size_t)place->size);
	status = room == NULL
	    ? -ENOMEM
	    : run_read_at(shard->reader.fd, room, place->size, place->offset);
	return status ? run_fail(status, "read", shard->path, error) : 0;
}

/* Adds the next block of the schedule to the joined run. */
static int
join_block(struct joining *joining, const struct block_plan *plan,
    struct store_error *error)
{
	struct run *run = joining->order->run;
	struct block_result block = { .plan = *plan };
	int status = 0;

	block.skipped = tournament_skips(&joining->tournament, plan);
	if (!block.skipped)
		status = copy_record(joining, plan, &block, error);
	if (status)
		return status;
	status = run_add(run, &block);
	if (!status)
		status = tournament_add(&joining->tournament, &block);
	if (status)
		return run_fail(status, "join", run->path, error);
	joining->report.blocks++;
	joining->report.games += block.skipped ? 0 : plan->game_count;
	return run->pending_count < COMMIT_BLOCKS ? 0 : run_commit(run, error);
}

static int
join_blocks(struct joining *joining, struct store_error *error)
{
	struct run *run = joining->order->run;
	struct tournament *tournament = &joining->tournament;
	const char *state = NULL;
	struct block_plan plan;
	int status = 0;

	while (!status && state == NULL) {
		if (tournament_next(tournament, &plan) != SCHEDULE_BLOCK) {
			state = RUN_DONE;
			break;
		}
		status = join_block(joining, &plan, error);
		state = state_of_end(tournament, joining->order->gate);
	}
	joining->report.state = state;
	if (!status)
		status = run_commit(run, error);
	return status ? status : store_set_state(run->store, state, error);
}

int
shard_join(const struct shard_order *order, struct shard_report *report,
    struct store_error *error)
{
	struct joining joining = { .order = order };
	int status = tournament_open(&joining.tournament, order->tournament);

	if (status)
		return run_fail(status, "join", order->run->path, error);
	joining.shards = calloc((size_t)order->count, sizeof(struct reread));
	if (joining.shards == NULL)
		status = run_fail(-ENOMEM, "join", order->run->path, error);
	for (; !status && joining.opened < order->count; joining.opened++) {
		status = reread_open(&joining.shards[joining.opened],
		    order->paths[joining.opened], RUN_RECORDS,
		    &order->run->head, error);
		if (status)
			break;
	}
	if (!status)
		status = join_blocks(&joining, error);
	for (int i = 0; i < joining.opened; i++) {
		joining.report.left_out +=
		    reread_skip(&joining.shards[i], INT64_MAX);
		reread_close(&joining.shards[i]);
	}
	free(joining.shards);
	tournament_close(&joining.tournament);
	if (!status)
		*report = joining.report;
	return status;
}
