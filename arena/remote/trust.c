/* Implements trust.h. */
#include "trust.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"
#include "runner.h"
#include "words.h"

/*
 * Greatest number of audits at one time that come from earlier calls or are
 * replays.
 */
enum { LOADED_MAX = TRUST_AUDITS_MAX / 2 };

/* Adds a line to the log of the run. */
static void
note(struct trust *trust, const struct audit_line *line)
{
	if (trust->log.fd >= 0)
		audit_log_add(&trust->log, line);
}

/* Drops what is due of this block (-1: none), and of this worker (or NULL). */
static void
drop_dues(struct trust *trust, int64_t block, const char *worker)
{
	int kept = 0;

	for (int i = 0; i < trust->due_count; i++) {
		const struct trust_due *due = &trust->dues[i];

		if (due->number == block ||
		    (worker != NULL && strcmp(due->worker, worker) == 0))
			trust->replay_count -= due->is_replay;
		else
			trust->dues[kept++] = *due;
	}
	trust->due_count = kept;
}

void
trust_note_counted(
    struct trust *trust, int64_t block, const char *worker, bool trusted)
{
	struct audit_line line = {
		.event = AUDIT_COUNTED,
		.block = block,
		.worker = worker,
		.trusted = trusted,
	};

	note(trust, &line);
	/* No audit of an earlier play of the block is due any more. */
	drop_dues(trust, block, NULL);
	if (block >= trust->logged)
		trust->logged = block + 1;
}

int
trust_sync(struct trust *trust)
{
	return trust->log.fd < 0 ? 0 : audit_log_sync(&trust->log);
}

/*
 * Audits.
 */

struct audit_finding
trust_count(struct trust *trust, const struct planned_block *block,
    const struct accepted *accepted)
{
	struct audit_copy copy = planned_block_copy(block, accepted);

	return trust->audit == NULL
	    ? (struct audit_finding){ .verdict = AUDIT_FINE }
	    : audit_count(trust->audit, &copy);
}

bool
trust_wants_audit(const struct trust *trust, const struct planned_block *block)
{
	return trust->audit != NULL && trust->copy_count < TRUST_AUDITS_MAX &&
	    audit_chosen(trust->audit, block->number, block->accepted->worker);
}

void
trust_begin_audit(struct trust *trust, const struct planned_block *block)
{
	struct planned_block *audited = malloc(sizeof(*audited));

	if (audited == NULL)
		return;
	*audited = *block;
	audited->to_put = true;
	audited->accepted->uses++;
	trust->copies[trust->copy_count++] = audited;
	note(trust,
	    &(struct audit_line){ .event = AUDIT_DUE, .block = block->number });
}

int
trust_find(const struct trust *trust, int64_t number)
{
	for (int i = 0; i < trust->copy_count; i++)
		if (trust->copies[i]->number == number)
			return i;
	return -1;
}

void
trust_drop(struct trust *trust, int place)
{
	struct planned_block *block = trust->copies[place];

	trust->replay_count -= block->is_replay;
	accepted_drop(block->accepted);
	free(block);
	trust->copies[place] = trust->copies[--trust->copy_count];
}

/* Judges the second copy of a block that is audited. */
static struct audit_finding
compare_copies(struct trust *trust, const struct audit_copy *first,
    const struct audit_copy *again)
{
	struct audit_finding finding =
	    audit_compare(trust->audit, first, again);
	struct audit_line line = {
		.event = AUDIT_COMPARED,
		.block = first->block,
		.worker = first->worker,
		.trusted = first->trusted,
		.game_count = first->game_count,
	};

	memcpy(line.outcomes, finding.outcomes, sizeof(line.outcomes));
	note(trust, &line);
	return finding;
}

/*
 * Replays.
 */

/* Stores a block that came out otherwise for trust_replace(). */
static int
store_replay(struct trust *trust, const struct audit_copy *again)
{
	size_t size = 0, at = 0;
	char *record;

	for (int i = 0; i < again->game_count; i++)
		size += again->record_sizes[i];
	record = malloc(size);
	if (record == NULL)
		return -ENOMEM;
	for (int i = 0; i < again->game_count; i++) {
		memcpy(record + at, again->records[i], again->record_sizes[i]);
		at += again->record_sizes[i];
	}
	return salvage_blocks_add(
	    trust->config.replaced, again->block, again->worker, record, size);
}

/* Compares a block of a quarantined worker with its replay. */
static int
judge_replay(struct trust *trust, const struct audit_copy *first,
    const struct audit_copy *again, bool *settle)
{
	struct audit_line line = {
		.event = AUDIT_REPLAYED,
		.block = first->block,
		.worker = first->worker,
		.by = again->worker,
	};
	char where[STORE_TEXT_SIZE];

	*settle = audit_agree(first, again, where);
	if (!*settle) {
		speaker_say(&trust->config.speaker, false,
		    "block %" PRId64 " of worker `%s` is replaced: %s",
		    first->block + 1, first->worker, where);
		return store_replay(trust, again);
	}
	note(trust, &line);
	return 0;
}

int
trust_judge(struct trust *trust, int place, struct accepted *again,
    struct audit_finding *finding, bool *settle)
{
	const struct planned_block *block = trust->copies[place];
	struct audit_copy first = planned_block_copy(block, block->accepted);
	struct audit_copy second = planned_block_copy(block, again);
	int error = 0;

	*finding = (struct audit_finding){ .verdict = AUDIT_FINE };
	*settle = true;
	if (block->is_replay)
		error = judge_replay(trust, &first, &second, settle);
	else
		*finding = compare_copies(trust, &first, &second);
	trust_drop(trust, place);
	return error;
}

static int
add_due(struct trust *trust, int64_t number, bool is_replay,
    const struct audit_block *block, const char *worker)
{
	struct trust_due *due;

	if (ARRAY_GROW(trust->dues, trust->due_count, trust->due_capacity))
		return -ENOMEM;
	due = &trust->dues[trust->due_count++];
	*due = (struct trust_due){
		.number = number,
		.is_replay = is_replay,
		.trusted = block->trusted,
	};
	snprintf(due->worker, sizeof(due->worker), "%s", worker);
	trust->replay_count += is_replay;
	return 0;
}

/* Plans to play all counted blocks of a worker again. */
static int
add_replays(struct trust *trust, const struct audit_history *history,
    int worker, const char *reason)
{
	const struct audit_worker *its = &history->workers[worker];
	struct audit_line line = {
		.event = AUDIT_QUARANTINED,
		.worker = its->name,
		.reason = reason,
	};
	bool is_new = false;
	int64_t count = 0;
	int error = 0;

	for (int64_t i = 0; i < history->block_count && !error; i++) {
		const struct audit_block *block = &history->blocks[i];

		if (block->worker != worker)
			continue;
		/* An earlier call may have logged this quarantine. */
		is_new |= block->line > its->quarantine_line;
		error = add_due(trust, i, true, block, its->name);
		count++;
	}
	if (is_new)
		note(trust, &line);
	if (count > 0)
		speaker_say(&trust->config.speaker, true,
		    "%" PRId64 " block%s of worker `%s` that %s counted %s "
		    "played again by trusted workers",
		    count, text_plural(count), its->name,
		    count == 1 ? "was" : "were", count == 1 ? "is" : "are");
	return error;
}

static int
find_replayed(const struct trust *trust, const char *worker)
{
	int i = trust->replayed_count;

	while (--i >= 0 && strcmp(trust->replayed[i], worker) != 0)
		continue;
	return i;
}

/* Drops the blocks of this worker that wait to be played once more. */
static void
drop_worker(struct trust *trust, const char *worker)
{
	for (int i = trust->copy_count - 1; i >= 0; i--)
		if (strcmp(trust->copies[i]->accepted->worker, worker) == 0)
			trust_drop(trust, i);
	drop_dues(trust, -1, worker);
}

int
trust_replay(struct trust *trust, const char *worker, const char *reason)
{
	struct audit_history history;
	int index, error;

	if (find_replayed(trust, worker) >= 0)
		return 0;
	drop_worker(trust, worker);
	if (ARRAY_GROW(trust->replayed, trust->replayed_count,
		trust->replayed_capacity))
		return -ENOMEM;
	snprintf(trust->replayed[trust->replayed_count++], QUEUE_NAME_SIZE,
	    "%s", worker);
	if (trust->audit != NULL)
		audit_forget(trust->audit, worker);
	if (trust->log.fd < 0)
		return 0;
	error = audit_history_read(&history, trust->config.run->path);
	if (error)
		return error;
	index = audit_history_find(&history, worker);
	if (index >= 0)
		error = add_replays(trust, &history, index, reason);
	audit_history_release(&history);
	return error;
}

void
trust_release(struct trust *trust, const char *worker)
{
	int place = find_replayed(trust, worker);

	if (place < 0)
		return;
	memmove(trust->replayed[place],
	    trust->replayed[--trust->replayed_count], QUEUE_NAME_SIZE);
	drop_worker(trust, worker);
}

/* Reads a block that is due, and adds it to `copies`.  1, 0 or -errno. */
static int
load_due(
    struct trust *trust, const struct trust_due *due, struct store_error *error)
{
	struct planned_block *block = malloc(sizeof(*block));
	int status = block == NULL
	    ? store_fail(error, -ENOMEM, "", "no memory")
	    : planned_block_load(block, trust->config.run, due->number,
		  due->worker, due->trusted, error);

	if (status != 1) {
		free(block);
		return status;
	}
	block->to_put = true;
	block->is_replay = due->is_replay;
	trust->replay_count += due->is_replay;
	trust->copies[trust->copy_count++] = block;
	return 1;
}

int
trust_load(struct trust *trust, int64_t durable, struct store_error *error)
{
	int kept = 0, loaded = 0, status = 0;

	for (int i = 0; i < trust->due_count; i++) {
		struct trust_due due = trust->dues[i];

		if (trust->copy_count >= LOADED_MAX || due.number >= durable ||
		    status < 0) {
			trust->dues[kept++] = due;
			continue;
		}
		trust->replay_count -= due.is_replay;
		status = load_due(trust, &due, error);
		loaded += status > 0;
	}
	trust->due_count = kept;
	return status < 0 ? status : loaded;
}

/*
 * Reads the log of the run.
 */

struct recalling {
	struct trust *trust;
	void (*found)(void *context, const struct audit_finding *finding,
	    const char *worker);
	void *context;
	struct audit_history history;
	int line;
	/* A block of the run without its records. */
	struct game_result games[BLOCK_GAMES_MAX];
	const struct game_result *pointers[BLOCK_GAMES_MAX];
};

/* Whether this line about a worker stands before its last quarantine. */
static bool
is_forgotten(const struct recalling *recalling, int worker, int line)
{
	return line < recalling->history.workers[worker].quarantine_line;
}

static struct audit_copy
recall_copy(struct recalling *recalling, const struct block_result *block,
    const char *worker, bool trusted)
{
	for (int i = 0; i < block->plan.game_count; i++) {
		struct game_spec spec = runner_game(&block->plan, i);

		recalling->games[i].summary = block->games[i];
		memcpy(recalling->games[i].entrant, spec.entrant,
		    sizeof(spec.entrant));
		recalling->pointers[i] = &recalling->games[i];
	}
	return (struct audit_copy){
		.worker = worker,
		.trusted = trusted,
		.block = block->plan.index,
		.game_count = block->plan.game_count,
		.games = recalling->pointers,
	};
}

static int
recall_block(void *context, const struct block_result *block)
{
	struct recalling *recalling = context;
	const struct audit_history *history = &recalling->history;
	int64_t number = block->plan.index;
	const struct audit_block *known;
	struct audit_finding finding;
	struct audit_copy copy;
	const char *worker;

	if (number >= history->block_count)
		return 1;
	known = &history->blocks[number];
	if (known->worker < 0 || block->skipped ||
	    is_forgotten(recalling, known->worker, known->line))
		return 0;
	worker = history->workers[known->worker].name;
	copy = recall_copy(recalling, block, worker, known->trusted);
	finding = audit_count(recalling->trust->audit, &copy);
	recalling->found(recalling->context, &finding, worker);
	return known->due
	    ? add_due(recalling->trust, number, false, known, worker)
	    : 0;
}

static int
recall_comparison(void *context, const struct audit_line *line)
{
	struct recalling *recalling = context;
	const struct run *run = recalling->trust->config.run;
	struct audit_finding finding;
	struct block_result block;
	struct store_error error;
	struct audit_copy copy;
	char *record;
	int worker;

	recalling->line++;
	if (line->event != AUDIT_COMPARED || line->block >= run->block_count)
		return 0;
	worker = audit_history_find(&recalling->history, line->worker);
	if (is_forgotten(recalling, worker, recalling->line) ||
	    run_block_read(run, line->block, &block, &record, &error) != 0)
		return 0;
	free(record);
	if (block.skipped || block.plan.game_count != line->game_count)
		return 0;
	copy = recall_copy(recalling, &block, line->worker, line->trusted);
	finding = audit_repeat(recalling->trust->audit, &copy, line->outcomes);
	recalling->found(recalling->context, &finding, line->worker);
	return 0;
}

/* Repeats the audit: first the counted blocks, then the comparisons. */
static int
recall(struct recalling *recalling)
{
	struct trust *trust = recalling->trust;
	struct run *run = trust->config.run;
	struct store_error why;
	int error = audit_log_open(&trust->log, run->path);

	if (!error)
		error = audit_history_read(&recalling->history, run->path);
	if (error)
		return error;
	trust->logged = recalling->history.block_count;
	if (trust->audit != NULL)
		error = store_walk_from(
		    run->store, 0, recall_block, recalling, &why);
	if (trust->audit != NULL && error >= 0)
		error = audit_log_read(run->path, recall_comparison, recalling);
	audit_history_release(&recalling->history);
	return error < 0 ? error : 0;
}

int
trust_open(struct trust *trust, const struct trust_config *config,
    void (*found)(
	void *context, const struct audit_finding *finding, const char *worker),
    void *context)
{
	struct recalling *recalling;
	int error = 0;

	*trust = (struct trust){ .config = *config, .log.fd = -1 };
	if (config->audit.rate > 0)
		error = audit_open(&trust->audit, &config->audit);
	if (error || config->run == NULL)
		return error;
	recalling = calloc(1, sizeof(*recalling));
	if (recalling == NULL) {
		error = -ENOMEM;
	} else {
		recalling->trust = trust;
		recalling->found = found;
		recalling->context = context;
		error = recall(recalling);
		free(recalling);
	}
	if (error)
		trust_close(trust);
	return error;
}

void
trust_close(struct trust *trust)
{
	while (trust->copy_count > 0)
		trust_drop(trust, 0);
	audit_close(trust->audit);
	audit_log_close(&trust->log);
	free(trust->dues);
	free(trust->replayed);
	*trust = (struct trust){ .log.fd = -1 };
}

/* Logs the workers whose blocks were replaced. */
static int
note_replaced(const struct run *run, const struct salvage_blocks *replaced)
{
	struct audit_history history;
	struct audit_log log;
	int error = audit_history_read(&history, run->path);

	if (error)
		return error;
	error = audit_log_open(&log, run->path);
	for (int i = 0; !error && i < replaced->count; i++) {
		const struct salvage_block *block = &replaced->blocks[i];
		int worker = block->number < history.block_count
		    ? history.blocks[block->number].worker
		    : -1;
		struct audit_line line = {
			.event = AUDIT_REPLAYED,
			.block = block->number,
			.by = block->by,
			.replaced = true,
		};

		/* The line of this block was lost because memory was short. */
		if (worker < 0)
			continue;
		line.worker = history.workers[worker].name;
		audit_log_add(&log, &line);
	}
	if (!error) {
		error = audit_log_sync(&log);
		audit_log_close(&log);
	}
	audit_history_release(&history);
	return error;
}

int
trust_replace(
    struct run *run, struct salvage_blocks *replaced, struct store_error *error)
{
	int status = salvage_replace(run, replaced, error);

	if (status)
		return status;
	status = note_replaced(run, replaced);
	return status ? run_fail(status, "write to", run->path, error) : 0;
}
