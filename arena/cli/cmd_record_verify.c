/*
 * record verify --fair: whether a run dealt fairly.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "countof.h"
#include "error_message.h"
#include "escape.h"
#include "fair.h"
#include "json.h"
#include "record_walk.h"
#include "report.h"
#include "run_open.h"
#include "version.h"

enum { SAFE_SIZE = 4 * STORE_ERROR_SIZE };

static bool
is_proved(const struct fair_report *report)
{
	return report->good && report->committed && report->earlier_seeds == 0;
}

static void
json_given(struct json *json, const char *key, const char *text)
{
	json_string(json, key, text[0] != '\0' ? text : NULL);
}

static void
print_json(const struct fair_report *report, const char *path)
{
	struct json json;

	json_init(&json, stdout);
	json_object_begin(&json, NULL);
	json_string(&json, "run", path);
	json_bool(&json, "consistent", report->good);
	if (report->good && !is_proved(report))
		json_null(&json, "fair");
	else
		json_bool(&json, "fair", report->good);
	json_string(&json, "file", report->file);
	if (report->line > 0)
		json_int(&json, "line", report->line);
	else
		json_null(&json, "line");
	json_given(&json, "reason", report->text);
	json_bool(&json, "committed", report->committed);
	json_bool(&json, "over", report->over);
	json_int(&json, "blocks", report->blocks);
	json_int(&json, "games", report->games);
	json_int(&json, "packs", report->packs);
	json_int(&json, "earlier_seeds", report->earlier_seeds);
	json_given(&json, "terms", report->terms);
	json_given(&json, "commitment", report->commitment);
	json_given(&json, "contributions", report->contributions);
	json_given(&json, "seed", report->secret);
	json_string(&json, "chain", report->chain);
	json_object_end(&json);
	json_finish(&json);
}

static void
print_line(const char *label, const char *text)
{
	if (text[0] != '\0')
		printf("%-7s %s\n", label, text);
}

/* Where the first difference is. */
static void
print_difference(const struct fair_report *report, const char *path)
{
	char safe[SAFE_SIZE];

	escape_bytes(
	    report->text, strlen(report->text), false, safe, sizeof(safe));
	printf("%s/%s:", path, report->file);
	if (report->line > 0)
		printf("%" PRId64 ":", report->line);
	printf(" %s\n", safe);
}

static void
print_text(const struct fair_report *report, const char *path)
{
	print_line("terms", report->terms);
	print_line("commit", report->commitment);
	print_line("mixed", report->contributions);
	print_line("seed", report->secret);
	print_line("chain", report->chain);
	if (!report->good)
		print_difference(report, path);
}

/* `2 games` */
static void
print_count(int64_t count, const char *noun)
{
	printf("%" PRId64 " %s%s", count, noun, count == 1 ? "" : "s");
}

/* Why a run that is consistent proves nothing. */
static const char *
reason_of(const struct fair_report *report, bool packs_given)
{
	if (packs_given)
		return "the packs are those of a file";
	if (!report->committed)
		return "the seed was given";
	return "the packs are those of the secret, but the seeds of bots "
	       "follow from it by the rule of an earlier version of the arena, "
	       "which may have been chosen";
}

static void
print_verdict(const struct fair_report *report, bool packs_given)
{
	if (!report->good)
		printf("NOT fair: first difference in block %lld",
		    (long long)report->blocks + 1);
	else if (is_proved(report))
		printf("fair: ");
	else
		printf("consistent, but fairness cannot be proved: %s: ",
		    reason_of(report, packs_given));
	if (report->good) {
		print_count(report->blocks, "block");
		printf(", ");
		print_count(report->games, "game");
		printf(", ");
		print_count(report->packs, "pack");
		printf("%s%s",
		    report->committed ? " of the committed secret" : "",
		    report->over ? "" : "; the run is not over");
	}
	printf("\n");
}

/*
 * Checks the run in this folder, and prints what came of it: as text, its last
 * line alone, or one JSON object.  STATUS_FAILED where something differs.
 */
static enum status
record_fair(const char *path, bool json, bool quiet)
{
	static struct run_opened opened;
	static struct fair_report report;
	struct tournament_config config;
	struct fair_order order = { .path = path, .tournament = &config };
	struct store_error why;
	enum status status =
	    run_open_configuration(&opened, path, ENTRANT_TO_READ);
	int error;

	if (status != STATUS_DONE)
		return status;
	config = run_open_plan(&opened.setup);
	order.gate = opened.setup.is_gate ? &opened.setup.gate : NULL;
	order.secret = &opened.setup.secret;
	order.contributions = &opened.settings.contributions;
	order.packs_given = opened.setup.packs_path != NULL;
	error = fair_check(&order, &report, &why);
	if (error) {
		status = run_open_error(error, &why);
	} else if (json) {
		print_json(&report, path);
	} else {
		if (!quiet)
			print_text(&report, path);
		print_verdict(&report, order.packs_given);
	}
	if (status == STATUS_DONE && !report.good)
		status = STATUS_FAILED;
	else if (status == STATUS_DONE && !is_proved(&report))
		status = STATUS_UNPROVED;
	tournament_setup_close(&opened.setup);
	tournament_settings_close(&opened.settings);
	return status;
}

/*
 * record verify: whether records prove what they say.
 */

enum { VERIFY_SAFE_SIZE = 4 * RECORD_FAULT_SIZE };

struct record_verify_settings {
	bool json;
	bool quiet;
	bool fair;
};

struct record_verify_context {
	const struct record_verify_settings *settings;
	struct json json;
	int64_t good, bad;
};

static const struct option options[] = {
	{
	    .name = "fair",
	    .kind = OPTION_FLAG,
	    .sentence = "Check a run instead, named by its folder: whether it "
			"dealt fairly.",
	    .offset = offsetof(struct record_verify_settings, fair),
	},
	{
	    .name = "json",
	    .kind = OPTION_FLAG,
	    .sentence = "Print one JSON object with all blocks.",
	    .offset = offsetof(struct record_verify_settings, json),
	},
	{
	    .name = "quiet",
	    .kind = OPTION_FLAG,
	    .sentence = "Print the last line alone.",
	    .offset = offsetof(struct record_verify_settings, quiet),
	},
};

static const char *const examples[] = {
	VERSION_NAME " record verify games.scopa",
	VERSION_NAME " record verify --quiet a.scopa b.scopa",
	VERSION_NAME " record verify --fair runs/2026-11-21-101500-cup",
	NULL,
};

static void
verify_print_json(struct json *json, const struct record_visit *visit)
{
	const struct record_verdict *verdict = visit->verdict;

	json_object_begin(json, NULL);
	json_string(json, "file", visit->file);
	json_int(json, "block", visit->number);
	json_string(json, "match", visit->match);
	json_int(json, "first_line", visit->block->first_line);
	json_int(json, "last_line", visit->block->last_line);
	json_bool(json, "good", verdict->good);
	json_int(json, "keys", verdict->key_count);
	json_bool(json, "secret", verdict->secret);
	if (!verdict->good) {
		json_int(json, "level", verdict->level);
		json_int(json, "line", verdict->fault.line);
		json_string(json, "reason", verdict->fault.text);
	}
	json_object_end(json);
}

static const char *
safe_of(const char *text, char safe[VERIFY_SAFE_SIZE])
{
	escape_bytes(text, strlen(text), false, safe, VERIFY_SAFE_SIZE);
	return safe;
}

static void
verify_print_text(const struct record_visit *visit)
{
	const struct record_verdict *verdict = visit->verdict;
	char file[VERIFY_SAFE_SIZE], match[VERIFY_SAFE_SIZE],
	    reason[VERIFY_SAFE_SIZE];

	safe_of(visit->file, file);
	safe_of(visit->match, match);
	if (!verdict->good) {
		printf("%s:%" PRId64 ": block %" PRId64
		       ", match %s: bad: V%d: %s\n",
		    file, verdict->fault.line, visit->number, match,
		    verdict->level, safe_of(verdict->fault.text, reason));
		return;
	}
	printf("%s:%" PRId64 ": block %" PRId64 ", match %s: good: V1 V2%s\n",
	    file, visit->block->first_line, visit->number, match,
	    verdict->key_count == 0 ? ""
		: verdict->secret   ? " V3"
				    : " V3 (keys)");
}

static int
verify_block(void *given, const struct record_visit *visit)
{
	struct record_verify_context *context = given;

	if (visit->verdict->good)
		context->good++;
	else
		context->bad++;
	if (context->settings->json)
		verify_print_json(&context->json, visit);
	else if (!context->settings->quiet)
		verify_print_text(visit);
	return 0;
}

/* --fair RUN */
static enum status
verify_run_folder(
    const struct record_verify_settings *settings, int argc, char **argv)
{
	if (argc == 1)
		return record_fair(argv[0], settings->json, settings->quiet);
	error_print("--fair checks one run, but %d are named", argc);
	error_detail("hint", "a run is named by its folder");
	error_detail("try", VERSION_NAME " record verify --fair RUN");
	return STATUS_USAGE;
}

static enum status
verify_run(const void *given, int argc, char **argv)
{
	struct record_verify_context context = { .settings = given };
	struct record_walk walk = {
		.check = true,
		.quiet = context.settings->quiet,
		.visit = verify_block,
		.context = &context,
	};
	enum status status;

	if (context.settings->fair)
		return verify_run_folder(context.settings, argc, argv);
	if (context.settings->json) {
		json_init(&context.json, stdout);
		json_object_begin(&context.json, NULL);
		json_array_begin(&context.json, "blocks");
	}
	status = record_walk_files(&walk, argc, argv);
	if (context.settings->json) {
		json_array_end(&context.json);
		json_int(&context.json, "good", context.good);
		json_int(&context.json, "bad", context.bad);
		json_object_end(&context.json);
		json_finish(&context.json);
	} else if (context.good + context.bad > 0) {
		printf("%" PRId64 " block%s: %" PRId64 " good, %" PRId64
		       " bad\n",
		    context.good + context.bad,
		    context.good + context.bad == 1 ? "" : "s", context.good,
		    context.bad);
	}
	return context.bad > 0 ? record_walk_worse(status, STATUS_FAILED)
			       : status;
}

const struct command command_record_verify = {
	.name = "record verify",
	.sentence = "Checks that game records prove what they say.",
	.detail =
	    "V1: the syntax of every line and the sum of each block. V2: the "
	    "game is replayed, and every line that follows from the cards and "
	    "the plays must be there, byte for byte. V3: where a pack names "
	    "its key, the key gives the pack, and where the record tells the "
	    "secret, the secret gives the key. Exits with 1 where a block is "
	    "bad. With --fair all that can be proved of a run: its terms, the "
	    "commitment to its secret, what was contributed, every key and "
	    "pack, that no block of the schedule is missing, and the chain of "
	    "its results; the first difference is named with file and line, "
	    "which is exit 1. A run whose seed or packs were given may be "
	    "consistent, but whoever gave them knew the packs: fairness cannot "
	    "be proved, which is exit 6. So it is where the packs are those "
	    "of the secret, but the seeds of bots follow from it by the rule "
	    "of an earlier version, which may have been chosen.",
	.usage = "[FILE...]",
	.arguments = &record_files_argument,
	.argument_kinds = 1,
	.argument_max = COMMAND_ANY_COUNT,
	.examples = examples,
	.options = options,
	.option_count = COUNTOF(options),
	.settings_size = sizeof(struct record_verify_settings),
	.run = verify_run,
};
