/*
 * The organiser's commands for a queue: `db create` makes it, `workers` lists
 * the enrolled workers, and `workers enroll`, `trust`, `quarantine`, `release`
 * and `revoke` change what a worker is allowed to do.
 */
#include <math.h>
#include <sodium.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "countof.h"
#include "option.h"
#include "report_json.h"
#include "run_remote.h"
#include "run_workers.h"
#include "shuffle.h"
#include "version.h"
#include "words.h"

/* The URL of a worker, whose role may be longer than the user. */
enum { URL_SIZE = QUEUE_URL_MAX + 2 * QUEUE_NAME_SIZE };

/* A greater difference of clocks is printed, in seconds. */
#define CLOCK_S 5.0

struct workers_settings {
	const char *store, *key;
	bool json, trusted, replace;
};

/* A queue with all its workers, sorted by name. */
struct worker_table {
	struct queue *queue;
	struct queue_worker *items; /* owned */
	int count, capacity;
	bool failed; /* there was no memory */
};

static void
on_worker(void *context, const struct queue_worker *worker)
{
	struct worker_table *table = context;

	if (ARRAY_GROW(table->items, table->count, table->capacity))
		table->failed = true;
	else
		table->items[table->count++] = *worker;
}

static void
close_workers(struct worker_table *table)
{
	table->queue->calls->close(table->queue);
	free(table->items);
}

/* Opens the queue and reads its workers. */
static enum status
open_workers(struct worker_table *table, const char *store)
{
	struct store_error error;
	enum status status;

	memset(table, 0, sizeof(*table));
	status = queue_open(&table->queue, store);
	if (status != STATUS_DONE)
		return status;
	if (table->queue->calls->workers(
		table->queue, 0, on_worker, table, &error) != QUEUE_DONE)
		status = queue_error(&error, STATUS_ENVIRONMENT);
	else if (table->failed)
		status = memory_error();
	if (status != STATUS_DONE)
		close_workers(table);
	return status;
}

/*
 * The list.
 */

static const char *
state_of(const struct queue_worker *worker)
{
	if (worker->revoked)
		return "revoked";
	if (worker->quarantined)
		return "quarantine";
	if (worker->seen_s < 0)
		return "never seen";
	return worker_is_live(worker->seen_s) ? "here" : "away";
}

/* Formats a time: `12 s`, `3 min`, `5 h` or `9 days`. */
static struct number
duration(double seconds)
{
	static const struct {
		double length;
		const char *unit;
	} units[] = { { 86400, "days" }, { 3600, "h" }, { 60, "min" } };

	for (int i = 0; i < COUNTOF(units); i++)
		if (seconds >= 2 * units[i].length)
			return number_format("%.0f %s",
			    seconds / units[i].length, units[i].unit);
	return number_format("%.0f s", seconds);
}

static void
add_row(struct text_table *rows, const struct queue_worker *worker)
{
	bool heard = worker->seen_s >= 0;

	text_table_add(rows, "%s", worker->name);
	text_table_row(
	    rows, "%s|%s", state_of(worker), worker->trusted ? "yes" : "");
	if (!heard) {
		text_table_row(rows, "|||%jd|%jd|%jd||||", worker->blocks,
		    worker->games, worker->faults);
		return;
	}
	text_table_row(rows, "%d|%s|%s|%jd|%jd|%jd|%.2f s|%s ago",
	    worker->cores,
	    worker->speed > 0 ? number_fixed(worker->speed, 2).text : "?",
	    number_fixed(worker->games_per_s, 1).text, worker->blocks,
	    worker->games, worker->faults, worker->lag_s,
	    duration(worker->seen_s).text);
	if (fabs(worker->clock_ahead_s) > CLOCK_S)
		text_table_row(rows, "%s %s",
		    duration(fabs(worker->clock_ahead_s)).text,
		    worker->clock_ahead_s > 0 ? "ahead" : "behind");
	else
		text_table_row(rows, "right");
	text_table_add(rows, "%s", worker->labels);
}

static enum status
print_table(const struct worker_table *table)
{
	struct text_table rows;

	if (table->count == 0) {
		puts("no worker is enrolled");
		return STATUS_DONE;
	}
	text_table_open(&rows,
	    "worker|state|trusted|cores|speed|games/s|blocks|games|faults|lag|"
	    "seen|clock|labels",
	    1);
	for (int i = 0; i < table->count; i++)
		add_row(&rows, &table->items[i]);
	if (text_table_print(
		&rows, text_columns(STDOUT_FILENO, REPORT_WIDTH), stdout) < 0)
		return memory_error();
	return STATUS_DONE;
}

static void
print_json(const struct worker_table *table)
{
	struct json json;

	json_document_begin(&json, stdout);
	json_array_begin(&json, "workers");
	for (int i = 0; i < table->count; i++) {
		const struct queue_worker *worker = &table->items[i];
		bool heard = worker->seen_s >= 0;
		char key[SIGNING_HEX_SIZE];

		sodium_bin2hex(
		    key, sizeof(key), worker->key, sizeof(worker->key));
		json_object_begin(&json, NULL);
		json_string(&json, "name", worker->name);
		json_string(&json, "state", state_of(worker));
		json_bool(&json, "trusted", worker->trusted);
		json_string(&json, "key", key);
		json_string(&json, "host", heard ? worker->host : NULL);
		json_string(&json, "engine", heard ? worker->engine : NULL);
		json_string(&json, "labels", heard ? worker->labels : NULL);
		json_int_if(&json, "cores", heard, worker->cores);
		json_real(&json, "speed",
		    worker->speed > 0 ? worker->speed : (double)NAN, 3);
		json_real(&json, "games_per_s", worker->games_per_s, 3);
		json_int(&json, "blocks", worker->blocks);
		json_int(&json, "games", worker->games);
		json_int(&json, "faults", worker->faults);
		json_real(&json, "lag_s", worker->lag_s, 3);
		json_known(&json, "seen_s", worker->seen_s, 1);
		json_real(&json, "clock_ahead_s",
		    heard ? worker->clock_ahead_s : (double)NAN, 1);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_document_end(&json);
}

static enum status
workers_run(const void *given, char **argv)
{
	const struct workers_settings *settings = given;
	struct worker_table table;
	enum status status = open_workers(&table, settings->store);

	(void)argv;
	if (status != STATUS_DONE)
		return status;
	if (settings->json)
		print_json(&table);
	else
		status = print_table(&table);
	close_workers(&table);
	return status;
}

/*
 * Changes.
 */

static struct queue_worker *
find_worker(const struct worker_table *table, const char *name)
{
	for (int i = 0; i < table->count; i++)
		if (strcmp(table->items[i].name, name) == 0)
			return &table->items[i];
	return NULL;
}

static enum status
unknown_worker(const struct worker_table *table, const char *name)
{
	struct scopa_nearest guess;
	char hint[OPTION_HINT_SIZE] = "";

	scopa_nearest_init(&guess, name, strlen(name));
	for (int i = 0; i < table->count; i++)
		scopa_nearest_offer(&guess, table->items[i].name);
	hint_nearest(hint, &guess, "", "");
	return error_usage(hint, "no worker \"%s\" is enrolled", name);
}

static enum status
set_worker(struct queue *queue, const struct queue_worker *worker,
    const char *password)
{
	struct store_error error;

	return queue->calls->worker_set(queue, worker, password, &error) ==
		QUEUE_DONE
	    ? STATUS_DONE
	    : queue_error(&error, STATUS_ENVIRONMENT);
}

/* Draws a password, enrols the worker, and prints how to start it. */
static enum status
enroll(struct queue *queue, const struct queue_worker *worker, const char *role,
    const char *store)
{
	char password[SHUFFLE_HEX_SIZE];
	struct scopa_text url = SCOPA_TEXT(URL_SIZE);
	struct scopa_text quoted = SCOPA_TEXT(4 * URL_SIZE);
	struct shuffle_key drawn;
	int error = shuffle_key_draw(&drawn);
	enum status status;

	if (error)
		return error_status(STATUS_ENVIRONMENT, NULL, NULL,
		    "no password can be drawn: %s", strerror(-error));
	shuffle_key_format(&drawn, password);
	status = set_worker(queue, worker, password);
	if (status != STATUS_DONE)
		return status;
	queue_url_write(store, role, &url);
	shell_word_format(url.bytes, &quoted);
	printf("worker %s is enrolled%s\n", worker->name,
	    worker->trusted ? ", and is trusted" : "");
	printf("  role    : %s\n  password: %s\n", role, password);
	printf("  the password is not shown again; on the worker's machine:\n");
	printf("  PGPASSWORD=%s %s worker --store %s\n", password, VERSION_NAME,
	    quoted.bytes);
	return STATUS_DONE;
}

static enum status
enroll_run(const void *given, char **argv)
{
	const struct workers_settings *settings = given;
	struct queue_worker worker = { .trusted = settings->trusted };
	const struct queue_worker *known;
	struct worker_table table;
	char role[QUEUE_NAME_SIZE];
	enum status status;

	if (!queue_role(argv[0], role))
		return error_usage(
		    QUEUE_NAME_RULE, "\"%s\" is no name for a worker", argv[0]);
	if (settings->key == NULL)
		return error_usage("`scopa-arena worker` without --store makes "
				   "the key and shows it",
		    "--key is missing");
	if (!word_to_hex(
		word_of(settings->key), worker.key, sizeof(worker.key)))
		return error_usage("a key has 64 hex digits",
		    "--key: \"%s\" is no key", settings->key);
	status = open_workers(&table, settings->store);
	if (status != STATUS_DONE)
		return status;
	snprintf(worker.name, sizeof(worker.name), "%s", argv[0]);
	known = find_worker(&table, worker.name);
	if (known != NULL && !settings->replace)
		status = error_usage("--replace gives it another key and "
				     "password",
		    "worker \"%s\" is enrolled already", worker.name);
	else
		status = enroll(table.queue, &worker, role, settings->store);
	close_workers(&table);
	return status;
}

static void
set_revoke(struct queue_worker *worker)
{
	worker->revoked = true;
	worker->trusted = false;
}

/* Reads a worker, calls `change` with it, and writes it. */
static enum status
change_run(const void *given, const char *name,
    void (*change)(struct queue_worker *worker), const char *sentence)
{
	const struct workers_settings *settings = given;
	struct queue_worker *worker;
	struct worker_table table;
	enum status status = open_workers(&table, settings->store);

	if (status != STATUS_DONE)
		return status;
	worker = find_worker(&table, name);
	if (worker == NULL) {
		status = unknown_worker(&table, name);
	} else if (worker->revoked && change != set_revoke) {
		status = error_usage("`workers enroll NAME --replace` enrols a "
				     "worker of this name again",
		    "worker \"%s\" is revoked", name);
	} else {
		change(worker);
		status = set_worker(table.queue, worker, NULL);
	}
	if (status == STATUS_DONE)
		printf("worker %s %s\n", name, sentence);
	close_workers(&table);
	return status;
}

static void
set_trust(struct queue_worker *worker)
{
	worker->trusted = true;
}

static void
set_quarantine(struct queue_worker *worker)
{
	worker->quarantined = true;
	worker->trusted = false;
}

static void
set_release(struct queue_worker *worker)
{
	worker->quarantined = false;
}

static const struct option list_options[] = {
	STORE_OPTION(offsetof(struct workers_settings, store)),
	FLAG_OPTION("json", offsetof(struct workers_settings, json),
	    "Print one JSON document."),
	OPTIONS_END,
};

static const struct option store_options[] = {
	STORE_OPTION(offsetof(struct workers_settings, store)),
	OPTIONS_END,
};

static const struct option enroll_options[] = {
	STORE_OPTION(offsetof(struct workers_settings, store)),
	TEXT_OPTION("key", "HEX", offsetof(struct workers_settings, key),
	    "The public key of the worker, which `worker` shows: 64 hex "
	    "digits."),
	FLAG_OPTION("trusted", offsetof(struct workers_settings, trusted),
	    "Trust the worker: it may play runs for trusted workers only, "
	    "and play blocks of others again."),
	FLAG_OPTION("replace", offsetof(struct workers_settings, replace),
	    "Enrol a worker of this name again: its old key and password "
	    "become invalid."),
	OPTIONS_END,
};

const struct command command_workers = {
	.name = "workers",
	.sentence = "Lists the workers of a queue, live.",
	.examples = { "workers --store postgres://organiser@db.example/arena" },
	.options = list_options,
	.settings_size = sizeof(struct workers_settings),
	.run = workers_run,
};

/* A command that changes one worker by set_WORD(), and then prints `done`. */
#define CHANGE_COMMAND(word, done, text, more)                            \
	static enum status word##_run(const void *settings, char **argv)  \
	{                                                                 \
		return change_run(settings, argv[0], set_##word, (done)); \
	}                                                                 \
	const struct command command_workers_##word = {                   \
		.name = "workers " #word,                                 \
		.sentence = (text),                                       \
		.detail = (more),                                         \
		.usage = "NAME",                                          \
		.arguments = { { "NAME", "The name of the worker." } },   \
		.argument_min = 1,                                        \
		.argument_max = 1,                                        \
		.examples = { "workers " #word " anna --store "           \
			      "postgres://organiser@db.example/arena" },  \
		.options = store_options,                                 \
		.settings_size = sizeof(struct workers_settings),         \
		.run = word##_run,                                        \
	}

const struct command command_workers_enroll = {
	.name = "workers enroll",
	.sentence = "Enrols a worker, and prints the password of its role.",
	.usage = "NAME",
	.arguments = { { "NAME",
	    "A new name for the worker, or with --replace a known "
	    "one: " QUEUE_NAME_RULE "." } },
	.argument_min = 1,
	.argument_max = 1,
	.examples = { "workers enroll anna --key HEX --store "
		      "postgres://organiser@db.example/arena" },
	.options = enroll_options,
	.settings_size = sizeof(struct workers_settings),
	.run = enroll_run,
};

CHANGE_COMMAND(trust, "is trusted", "Trusts a worker.",
    "A trusted worker may play runs that are for trusted workers only, and "
    "plays blocks of other workers again.");
CHANGE_COMMAND(quarantine, "is in quarantine, and no longer trusted",
    "Puts a worker into quarantine.",
    "The worker gets no further blocks, and is no longer trusted. Other "
    "workers play its blocks again, also those that were counted.");
CHANGE_COMMAND(release, "is no longer in quarantine",
    "Ends the quarantine of a worker.", NULL);
CHANGE_COMMAND(revoke, "is revoked: the queue accepts nothing more from it",
    "Revokes a worker for good.",
    "The queue refuses all its calls. `workers enroll NAME --replace` enrols a "
    "worker of this name again.");

static enum status
create_run(const void *given, char **argv)
{
	const struct workers_settings *settings = given;
	enum status status = queue_open(NULL, settings->store);

	(void)argv;
	if (status == STATUS_DONE)
		puts("the queue is there");
	return status;
}

const struct command command_db_create = {
	.name = "db create",
	.sentence =
	    "Creates the queue of blocks for workers in a PostgreSQL database.",
	.detail =
	    "It creates the schema `scopa` and the group role `scopa_worker`, "
	    "whose members may only claim and finish blocks. The user must own "
	    "the database and have the right to create roles. If the queue "
	    "exists already, its functions are replaced by those of this "
	    "program, and nothing else changes.",
	.examples = { "db create --store postgres://organiser@db.example/"
		      "arena" },
	.options = store_options,
	.settings_size = sizeof(struct workers_settings),
	.run = create_run,
};
