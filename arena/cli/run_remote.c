/* Implements run_remote.h. */
#include "run_remote.h"

#include <errno.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "log.h"
#include "run_workers.h"
#include "utf8.h"
#include "version.h"
#include "words.h"

enum {
	/*
	 * Bytes of a deal in a record without `info`.  Most deals have less
	 * than half of it, even with six seats.
	 */
	DEAL_SIZE_MAX = 4096
};

enum status
queue_error(const struct store_error *error, enum status status)
{
	return error_status(status, error->hint, error->try, "%s", error->what);
}

enum status
queue_failure_status(int failure)
{
	/* A wrong URL, database or password, or a login without rights. */
	return failure == -EINVAL || failure == -EACCES ? STATUS_USAGE
							: STATUS_ENVIRONMENT;
}

enum status
queue_open(struct queue **queue, const char *url)
{
	struct store_error error;
	int failure;

	if (url == NULL)
		return error_status(STATUS_USAGE, NULL, NULL,
		    "--store is missing: it names the database of the queue");
	failure = queue != NULL ? queue_postgres_open(queue, url, false, &error)
				: queue_postgres_create(url, &error);
	return failure ? queue_error(&error, queue_failure_status(failure))
		       : STATUS_DONE;
}

/*
 * Returns the most deals of a game for which a job has enough keys.  With some
 * rules a deal may need several packs.  With these numbers the keys are too few
 * in one of some thousand runs.
 */
static int
deals_of_keys(const struct match_rules *rules)
{
	if (rules->packs != NULL)
		return INT_MAX;
	switch ((enum scopa_redeal)rules->rules.redeal) {
	case SCOPA_REDEAL_NONE:
		break;
	case SCOPA_REDEAL_KINGS3:
	case SCOPA_REDEAL_ACES2:
		return DEAL_KEYS_MAX / 4;
	case SCOPA_REDEAL_ACE:
		return DEAL_KEYS_MAX / 16;
	}
	return DEAL_KEYS_MAX;
}

/*
 * Returns the most deals of a game for which there are enough keys, and with
 * which all games of a block fit into one result.
 */
static int
deals_max(const struct tournament_setup *setup)
{
	int games = schedule_game_count(&setup->schedule);
	int keys = deals_of_keys(&setup->play.rules);
	int fit =
	    (RESULT_RECORD_MAX / games - REFEREE_INFO_GAME_MAX) / DEAL_SIZE_MAX;

	return keys < fit ? keys : fit;
}

/*
 * Returns the most deals that a game may have.  Each deal gives at least one
 * point, and most deals give points to several sides: 2 * target is enough.
 */
static int
deals_of_game(const struct match_rules *rules)
{
	int most = match_max_deals(rules);

	return rules->rules.target < most / 2 ? 2 * rules->rules.target : most;
}

enum status
queue_labels_check(const char *labels)
{
	struct word rest, label;

	if (labels == NULL)
		return STATUS_DONE;
	if (strlen(labels) >= QUEUE_LABELS_SIZE)
		return error_usage(NULL, "--labels: longer than %d letters",
		    QUEUE_LABELS_SIZE - 1);
	if (!utf8_is_whole(labels))
		return error_usage(NULL, "--labels: this is not UTF-8");
	rest = word_of(labels);
	while (word_next_piece(&rest, ',', &label))
		if (label.length == 0 || label.bytes[0] == ' ' ||
		    label.bytes[label.length - 1] == ' ')
			return error_usage("write them as gpu,avx2",
			    "--labels \"%s\": a label is empty, or has a "
			    "blank beside the comma",
			    labels);
	return STATUS_DONE;
}

/* Refuses settings that contradict each other. */
static enum status
check_words(const struct tournament_setup *setup)
{
	const struct remote_words *words = &setup->settings->remote;
	const struct match_rules *rules = &setup->play.rules;

	if (words->clock == RUN_CLOCK_CLASS && words->labels == NULL)
		return error_usage("name the class: --labels fast",
		    "--clock class needs workers of one class");
	if (rules->deals > deals_max(setup))
		return error_usage(NULL,
		    "--deals %d: with --store a game of these rules has %d "
		    "deals at most",
		    rules->deals, deals_max(setup));
	if (rules->deals == 0 && deals_of_game(rules) > deals_max(setup))
		return error_usage("--max-deals ends games before",
		    "--target %d: with --store a game of these rules has %d "
		    "deals at most",
		    rules->rules.target, deals_max(setup));
	return queue_labels_check(words->labels);
}

/*
 * Returns the lease of blocks, in seconds.  A worker renews it only if its
 * games go on, so it must be longer than the longest thinking time of a move.
 */
static int
lease_of(const struct tournament_setup *setup)
{
	const struct budget_control *control =
	    &setup->play.rules.settings.control;
	int64_t lease_s = setup->settings->remote.lease_s;
	int64_t think_s =
	    control->kind == BUDGET_NONE ? 0 : control->base_ms / 1000;

	if (lease_s == 0) {
		lease_s =
		    2 * think_s > QUEUE_LEASE_S ? 2 * think_s : QUEUE_LEASE_S;
		return lease_s < LEASE_MAX_S ? (int)lease_s : LEASE_MAX_S;
	}
	if (lease_s < think_s)
		fprintf(stderr,
		    "warning: --lease %jd: a bot may think for %jd s, and then "
		    "another worker plays its block, too\n",
		    lease_s, think_s);
	return (int)lease_s;
}

/*
 * Opens the queue of a run that has ended, to find workers that were put into
 * quarantine since then.  If the queue does not open, the results stay.
 */
static void
open_of_ended(struct run_remote *remote, const char *store)
{
	struct store_error error = { .what = "" };

	if (queue_postgres_open(&remote->queue, store, false, &error) == 0)
		return;
	remote->queue = NULL;
	fprintf(stderr,
	    "warning: the run has ended; whether one of its workers was put "
	    "into quarantine since then is not known: %s\n",
	    error.what);
}

enum status
run_remote_open(
    struct run_remote *remote, const struct tournament_setup *setup, bool ended)
{
	const char *store = setup->settings->remote.store;
	enum status status;

	memset(remote, 0, sizeof(*remote));
	remote->ended = ended;
	if (store == NULL)
		return STATUS_DONE;
	if (ended) {
		open_of_ended(remote, store);
		return STATUS_DONE;
	}
	status = check_words(setup);
	if (status == STATUS_DONE)
		status = run_spec_check(setup);
	return status == STATUS_DONE ? queue_open(&remote->queue, store)
				     : status;
}

void
run_remote_close(struct run_remote *remote)
{
	if (remote->queue == NULL)
		return;
	if (remote->checker != NULL)
		result_checker_close(remote->checker);
	run_spec_release(&remote->spec);
	salvage_blocks_release(&remote->replaced);
	remote->queue->calls->close(remote->queue);
	memset(remote, 0, sizeof(*remote));
}

enum status
run_remote_prepare(
    struct run_remote *remote, const struct tournament_setup *setup)
{
	enum status status;

	if (remote->queue == NULL)
		return STATUS_DONE;
	status = run_spec_write(&remote->spec, setup);
	return status == STATUS_DONE ? run_spec_try(&remote->spec, setup)
				     : status;
}

/*
 * Reads the id of the run in the queue, or draws one.  The seed cannot be the
 * id, as two runs may have the same seed.  The file also has the digest of the
 * files that workers are sent.  Returns 0, -ESTALE if these files have changed,
 * or another -errno.
 */
static int
read_uid(
    const char *folder, const struct run_spec *spec, char uid[JOB_RUN_ID_SIZE])
{
	unsigned char bytes[(JOB_RUN_ID_SIZE - 1) / 2];
	char line[JOB_RUN_ID_SIZE + BUNDLE_HEX_SIZE + 1];
	char digest[BUNDLE_HEX_SIZE];
	char *text;
	int error = run_text_read(folder, RUN_QUEUE, &text);

	bundle_hex(spec->digest, digest);
	if (error == -ENOENT) {
		randombytes_buf(bytes, sizeof(bytes));
		sodium_bin2hex(uid, JOB_RUN_ID_SIZE, bytes, sizeof(bytes));
		snprintf(line, sizeof(line), "%s %s\n", uid, digest);
		return run_text_replace(folder, RUN_QUEUE, line);
	}
	if (error)
		return error;
	snprintf(uid, JOB_RUN_ID_SIZE, "%s", text);
	snprintf(line, sizeof(line), "%s %s\n", uid, digest);
	if (strspn(text, "0123456789abcdef") != JOB_RUN_ID_SIZE - 1 ||
	    strlen(text) != strlen(line))
		error = -EBADMSG;
	else if (strcmp(text, line) != 0)
		error = -ESTALE;
	free(text);
	return error;
}

void
run_remote_leave(const char *folder, const char *store)
{
	struct queue_run run = { .spec = "" };
	struct store_error error = { .what = "" };
	struct queue *queue;
	enum queue_status status = QUEUE_REFUSED;
	struct scopa_text quoted = SCOPA_TEXT(PATH_MAX);
	char *text;

	if (run_text_read(folder, RUN_QUEUE, &text) != 0)
		return;
	snprintf(run.uid, sizeof(run.uid), "%s", text);
	free(text);
	if (queue_postgres_open(&queue, store, false, &error) == 0) {
		status = coordinator_end(queue, &run, true, &error);
		queue->calls->close(queue);
	}
	if (status == QUEUE_DONE)
		return;
	shell_word_format(folder, &quoted);
	fprintf(stderr,
	    "warning: the run was not removed from the queue: %s\n  hint    : "
	    "workers may play its blocks in vain until `" VERSION_NAME
	    " resume %s --store URL`, which may wait until the run has ended\n",
	    error.what, quoted.bytes);
}

/*
 * Functions for the coordinator.
 */

static int
check(void *context, const struct job *job, const struct queue_result *result,
    struct result_checked *checked, struct scopa_text *why)
{
	const struct run_remote *remote = context;

	return result_check(remote->checker, job, result, checked, why);
}

static int64_t
durable(void *context)
{
	const struct run_remote *remote = context;

	return remote->folder->block_count;
}

static const char *
state_of(const struct queue_worker *worker)
{
	return worker->revoked    ? "revoked"
	    : worker->quarantined ? "quarantined"
	    : worker->trusted     ? "trusted"
				  : "enrolled";
}

static struct worker_row
row_of(const struct queue_worker *worker)
{
	struct worker_row row = {
		.cores = worker->cores,
		.speed = worker->speed,
		.games_per_s = worker->games_per_s,
		.blocks = worker->blocks,
		.games = worker->games,
		.faults = worker->faults,
		.lag_s = worker->lag_s,
		.seen_s = worker->seen_s,
		.clock_ahead_s = worker->clock_ahead_s,
	};

	snprintf(row.name, sizeof(row.name), "%s", worker->name);
	snprintf(row.state, sizeof(row.state), "%s", state_of(worker));
	snprintf(row.labels, sizeof(row.labels), "%s", worker->labels);
	snprintf(row.host, sizeof(row.host), "%s", worker->host);
	return row;
}

static void
on_workers(void *context, const struct queue_worker *workers, int count)
{
	struct run_remote *remote = context;
	struct worker_row *rows = calloc((size_t)count + 1, sizeof(*rows));
	struct worker_list list = { .rows = rows };
	struct worker_total total;
	int error = -ENOMEM;

	for (; rows != NULL && list.count < count; list.count++)
		rows[list.count] = row_of(&workers[list.count]);
	total = worker_list_total(&list);
	remote->worker_count = total.live;
	remote->core_count = total.cores;
	/* The queue has forgotten the workers of a run that has ended. */
	if (count == 0 && remote->ended)
		error = 0;
	else if (rows != NULL)
		error = worker_list_write(remote->folder->path, rows, count);
	if (error && remote->listed)
		log_print(LOG_WARN, "%s/" WORKER_LIST_FILE ": %s",
		    remote->folder->path, strerror(-error));
	remote->listed = error == 0;
	free(rows);
}

enum status
run_remote_start(struct run_remote *remote,
    const struct tournament_setup *setup, struct run *run,
    struct speaker speaker)
{
	const struct remote_words *words = &setup->settings->remote;
	int error;

	if (remote->queue == NULL)
		return STATUS_DONE;
	remote->folder = run;
	remote->listed = true;
	remote->run = (struct queue_run){
		.trusted_only = words->trusted_only,
		.lease_s = lease_of(setup),
		.spec = remote->spec.text,
	};
	snprintf(remote->run.name, sizeof(remote->run.name), "%s", setup->name);
	snprintf(
	    remote->run.engine, sizeof(remote->run.engine), "%s", engine_id());
	snprintf(remote->run.labels, sizeof(remote->run.labels), "%s",
	    words->labels ? words->labels : "");
	error = read_uid(run->path, &remote->spec, remote->run.uid);
	if (error == -ESTALE)
		return error_status(STATUS_USAGE,
		    "put the old files back, or begin a new run: results of "
		    "two bots must not be mixed",
		    NULL,
		    "the files that workers are sent have changed since the "
		    "run began");
	if (error)
		return error_status(STATUS_ENVIRONMENT,
		    "it has the name of the run in the queue; without it the "
		    "run gets a new name, and only the blocks that workers "
		    "play now are lost",
		    NULL, "\"%s/" RUN_QUEUE "\" cannot be used: %s", run->path,
		    strerror(-error));
	error = result_checker_open(&remote->checker, remote->run.uid,
	    &setup->play, words->clock == RUN_CLOCK_SCALED);
	if (error)
		return game_setup_error(error);
	remote->config = (struct coordinator_config){
		.queue = remote->queue,
		.run = &remote->run,
		.bundles = remote->spec.bundles,
		.bundle_count = remote->spec.bundle_count,
		.block_games = run->head.game_count,
		.window_max = COORDINATOR_WINDOW_MAX,
		.audit_rate = words->audit_rate,
		.folder = run,
		.replaced = &remote->replaced,
		.check = check,
		.durable = durable,
		.on_workers = on_workers,
		.context = remote,
		.speaker = speaker,
	};
	return STATUS_DONE;
}

void
run_remote_end(struct run_remote *remote, bool over)
{
	struct store_error error = { .what = "" };

	if (remote->queue == NULL ||
	    coordinator_end(remote->queue, &remote->run, over, &error) ==
		QUEUE_DONE)
		return;
	log_print(LOG_WARN, "the end could not be stored in the queue: %s",
	    error.what);
	error_print("the queue could not be informed that the run has %s: %s",
	    over ? "ended" : "stopped", error.what);
	error_detail("hint", "workers continue to play the blocks in it");
	error_try("resume", remote->folder->path);
}
