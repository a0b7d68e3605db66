#include "rebuild.h"

#include <assert.h>
#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attempts.h"
#include "chain.h"
#include "countof.h"
#include "reread.h"
#include "run_state.h"
#include "salvage.h"

#define NEW_RESULTS RUN_RESULTS ".new"

enum { BATCH_SIZE = 256, COPIES_MAX = 10000 };

/* Results on their way. */
struct rebuilding {
	const struct rebuild_order *order;
	struct rebuild_report report;
	char folder[PATH_MAX], path[PATH_MAX], new_path[PATH_MAX];
	struct store_head head;
	int lock_fd;
	struct store *old; /* or NULL: it cannot be read */
	struct store *made;
	int64_t old_count;
	unsigned char chain[STORE_DIGEST_SIZE];
	struct reread reread;
	struct tournament tournament;
	/* Blocks that are not in the store yet. */
	struct block_result batch[BATCH_SIZE];
	struct store_place places[BATCH_SIZE];
	int batch_count;
};

/* The old results, if they can be read, and what the run is. */
static int
open_old(struct rebuilding *rebuilding, struct store_error *error)
{
	struct rebuild_report *report = &rebuilding->report;
	int64_t size;
	int status = store_open(&rebuilding->old, rebuilding->path, false,
	    &rebuilding->head, error);

	if (status == 0)
		return store_extent(
		    rebuilding->old, &rebuilding->old_count, &size, error);
	if (status != -EBADMSG && status != -ENOENT)
		return status;
	report->outcome = REBUILD_ALONE;
	snprintf(
	    report->difference, sizeof(report->difference), "%s", error->what);
	if (!rebuilding->order->head)
		return status;
	rebuilding->head = *rebuilding->order->head;
	return 0;
}

/* Records and configuration may not be of one run. */
static int
check_head(const struct rebuilding *rebuilding, struct store_error *error)
{
	const struct schedule_config *schedule =
	    &rebuilding->order->tournament->schedule;
	const struct store_head *head = &rebuilding->head;

	if (head->bot_count == schedule->bot_count &&
	    head->teams == schedule->rules.teams &&
	    head->game_count == schedule_game_count(schedule))
		return 0;
	store_error_set(error,
	    "the configuration of the run \"%s\" is not the one by which it "
	    "was played: bots, teams or games of a block are others",
	    rebuilding->folder);
	store_error_hint(error,
	    "nothing was changed; %s is the configuration as it was executed",
	    RUN_CONFIG);
	return -EINVAL;
}

static void
remove_new(const struct rebuilding *rebuilding)
{
	static const char *const suffixes[] = { "", "-journal", "-wal",
		"-shm" };
	char path[PATH_MAX + 16];

	for (int i = 0; i < COUNTOF(suffixes); i++) {
		snprintf(path, sizeof(path), "%s%s", rebuilding->new_path,
		    suffixes[i]);
		unlink(path);
	}
}

static int
flush(struct rebuilding *rebuilding, struct store_error *error)
{
	int status;

	if (rebuilding->batch_count == 0)
		return 0;
	status = store_add(rebuilding->made, rebuilding->batch,
	    rebuilding->places, rebuilding->batch_count, error);
	if (!status)
		rebuilding->batch_count = 0;
	return status;
}

/*
 * The result of the next block.  1; 0 where there is none any more; -errno.
 * Blocks that are skipped leave no record: they are there as long as something
 * comes after them.
 */
static int
find_block(struct rebuilding *rebuilding, const struct block_plan *plan,
    struct block_result *block, struct store_place *place,
    struct store_error *error)
{
	struct reread *reread = &rebuilding->reread;

	if (!reread->more && plan->index >= rebuilding->old_count)
		return 0;
	if (!tournament_skips(&rebuilding->tournament, plan))
		return reread_block(reread, plan, block, place, error);
	memset(block, 0, sizeof(*block));
	memset(place, 0, sizeof(*place));
	block->plan = *plan;
	block->skipped = true;
	crypto_hash_sha256(place->digest, place->digest, 0);
	return 1;
}

/* Results end before this block, whose record is damaged. */
static void
note_bad(struct rebuilding *rebuilding, const struct block_plan *plan,
    const struct store_error *why)
{
	struct rebuild_report *report = &rebuilding->report;

	report->bad = plan->index + 1;
	snprintf(report->bad_why, sizeof(report->bad_why), "%s", why->what);
}

/* Goes through the schedule as long as there are records. */
static int
make_blocks(struct rebuilding *rebuilding, struct store_error *error)
{
	struct rebuild_report *report = &rebuilding->report;
	struct block_plan plan;
	int status = 0;

	while (
	    tournament_next(&rebuilding->tournament, &plan) == SCHEDULE_BLOCK) {
		int at = rebuilding->batch_count;
		struct block_result *block = &rebuilding->batch[at];

		status = find_block(
		    rebuilding, &plan, block, &rebuilding->places[at], error);
		if (status == -EBADMSG && rebuilding->reread.damaged) {
			note_bad(rebuilding, &plan, error);
			return flush(rebuilding, error);
		}
		if (status <= 0)
			break;
		chain_add(
		    rebuilding->chain, block, rebuilding->places[at].digest);
		memcpy(rebuilding->places[at].chain, rebuilding->chain,
		    sizeof(rebuilding->chain));
		status = tournament_take(&rebuilding->tournament, block);
		if (status)
			return run_fail(
			    status, "rebuild", rebuilding->folder, error);
		report->blocks++;
		report->games += block->skipped ? 0 : plan.game_count;
		rebuilding->batch_count++;
		if (rebuilding->batch_count == BATCH_SIZE)
			status = flush(rebuilding, error);
		if (status)
			break;
	}
	if (status == 0 && rebuilding->reread.more)
		return reread_refuse(&rebuilding->reread, error);
	return status ? status : flush(rebuilding, error);
}

/* The state of a run without anything to play; NULL: there is something. */
static const char *
find_end(struct rebuilding *rebuilding)
{
	const struct rebuild_order *order = rebuilding->order;
	const struct schedule_config *schedule = &order->tournament->schedule;
	struct tournament *tournament = &rebuilding->tournament;
	struct block_plan plan;

	if (rebuilding->report.bad > 0)
		return NULL;
	if (order->gate != NULL &&
	    gate_judge(order->gate, &tournament->standings, false).final)
		return RUN_DONE;
	if (tournament->planned == tournament->taken &&
	    tournament_next(tournament, &plan) == SCHEDULE_END)
		return RUN_DONE;
	return schedule->bot_count - tournament->suspended_count <
		schedule_bot_count(schedule)
	    ? RUN_STOPPED
	    : NULL;
}

/* How a run stands that has no results any more and is not over. */
static const char *
guess_state(const struct rebuilding *rebuilding)
{
	char reason[ATTEMPTS_REASON_SIZE];
	char path[PATH_MAX];

	run_path_join(path, rebuilding->folder, ATTEMPTS_FILE);
	if (!attempts_last(path, reason))
		return rebuilding->report.blocks > 0 ? RUN_INTERRUPTED
						     : RUN_ANNOUNCED;
	/* Nobody had the time to say more than that it was on. */
	return strcmp(reason, ATTEMPTS_ABORTED) == 0 ? RUN_INTERRUPTED
						     : RUN_RUNNING;
}

/*
 * A run is over when nothing is left to play and, where its seed is a secret,
 * this was shown: only then it has come to its end.
 */
static int
set_state(
    struct rebuilding *rebuilding, const char *end, struct store_error *error)
{
	bool secret = rebuilding->head.committed;
	const char *shown = rebuilding->order->shown;
	char was[STORE_STATE_SIZE] = "";
	const char *state = was;

	if (rebuilding->old &&
	    store_state(rebuilding->old, was, sizeof(was)) < 0)
		was[0] = '\0';
	if (end == NULL &&
	    (strcmp(was, RUN_DONE) == 0 || strcmp(was, RUN_STOPPED) == 0))
		state = RUN_INTERRUPTED;
	else if (was[0] == '\0' && end != NULL && (!secret || shown != NULL))
		state = end;
	else if (was[0] == '\0')
		state = guess_state(rebuilding);
	if (!rebuilding->old && state == end && secret) {
		int status = store_set_secret(rebuilding->made, shown, error);

		if (status)
			return status;
	}
	return store_set_state(rebuilding->made, state, error);
}

static int
compare(struct rebuilding *rebuilding, struct store_error *error)
{
	struct rebuild_report *report = &rebuilding->report;
	char difference[STORE_TEXT_SIZE];
	int same;

	report->tail = rebuilding->reread.size - rebuilding->reread.end;
	if (!rebuilding->old) {
		report->gained = report->blocks;
		return 0;
	}
	same =
	    store_compare(rebuilding->old, rebuilding->made, difference, error);
	/* Damage that quick_check does not see may come to light here. */
	if (same == -EBADMSG) {
		report->outcome = REBUILD_ALONE;
		snprintf(report->difference, sizeof(report->difference), "%s",
		    error->what);
		return 0;
	}
	if (same < 0)
		return same;
	report->outcome = same ? REBUILD_IDENTICAL : REBUILD_DIFFERENT;
	if (!same)
		snprintf(report->difference, sizeof(report->difference), "%s",
		    difference);
	if (report->blocks > rebuilding->old_count)
		report->gained = report->blocks - rebuilding->old_count;
	else
		report->lost = rebuilding->old_count - report->blocks;
	return 0;
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
	chain_begin(&rebuilding->head, rebuilding->chain);
	remove_new(rebuilding);
	status = store_create(
	    &rebuilding->made, rebuilding->new_path, &rebuilding->head, error);
	if (status)
		goto close_tournament;
	status = make_blocks(rebuilding, error);
	if (!status)
		status = compare(rebuilding, error);
	/* To look for an end may plan a block, and so comes last. */
	if (!status)
		status = set_state(rebuilding, find_end(rebuilding), error);
	/* All that is new must be in the one file that will be moved. */
	if (!status)
		status = store_checkpoint(rebuilding->made, error);
	store_close(rebuilding->made);
	rebuilding->made = NULL;
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

/* A name for what is kept of a file: `results.db.old`, `results.db.old-2`... */
static void
name_kept(
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
 * Saves what follows a damaged block, and a copy of the damaged records: who
 * goes on with the run cuts them off behind the last result.
 */
static int
save_blocks(struct rebuilding *rebuilding, struct store_error *error)
{
	struct rebuild_report *report = &rebuilding->report;
	char path[PATH_MAX];
	int status = salvage_write(rebuilding->folder, report->bad,
	    rebuilding->head.game_count, &report->saved, &report->damages,
	    error);

	if (status)
		return status;
	run_path_join(path, rebuilding->folder, RUN_RECORDS);
	name_kept(rebuilding, RUN_RECORDS, report->bad_kept);
	status = run_file_copy(path, report->bad_kept);
	return status ? run_fail(status, "copy", path, error) : 0;
}

/*
 * The new results take the place of the old ones.  A log of the old ones must
 * never stand beside the new file, so both go before it comes; a crash between
 * leaves a run without results, of which the next rebuild makes a whole one.
 */
static int
replace(struct rebuilding *rebuilding, struct store_error *error)
{
	bool any = access(rebuilding->path, F_OK) == 0;
	char beside[PATH_MAX + 8];
	int status;

	name_kept(rebuilding, RUN_RESULTS, rebuilding->report.kept);
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

	if (!status)
		status = check_head(rebuilding, error);
	if (!status)
		status = make_results(rebuilding, error);
	store_close(rebuilding->old);
	if (!status && report->bad > 0)
		status = save_blocks(rebuilding, error);
	if (!status &&
	    (report->outcome != REBUILD_IDENTICAL || report->gained > 0 ||
		report->lost > 0))
		status = replace(rebuilding, error);
	remove_new(rebuilding);
	return status;
}

int
rebuild(const struct rebuild_order *order, struct rebuild_report *report,
    struct store_error *error)
{
	struct rebuilding *rebuilding = calloc(1, sizeof(*rebuilding));
	int status;

	if (!rebuilding)
		return run_fail(-ENOMEM, "rebuild", order->path, error);
	rebuilding->order = order;
	status = run_path_set(rebuilding->folder, order->path, error);
	if (status)
		goto free_rebuilding;
	run_path_join(rebuilding->path, rebuilding->folder, RUN_RESULTS);
	run_path_join(rebuilding->new_path, rebuilding->folder, NEW_RESULTS);
	/* Without records there is nothing to lock. */
	status = run_records_find(rebuilding->folder, error);
	if (!status)
		status = run_lock(rebuilding->folder, error);
	if (status < 0)
		goto free_rebuilding;
	rebuilding->lock_fd = status;
	status = rebuild_locked(rebuilding, error);
	run_unlock(rebuilding->lock_fd);
	if (!status)
		*report = rebuilding->report;
free_rebuilding:
	free(rebuilding);
	return status;
}
