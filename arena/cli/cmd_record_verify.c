/*
 * record verify --fair: whether a run dealt fairly.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "error_message.h"
#include "fair.h"
#include "record_walk.h"
#include "report_json.h"
#include "run_open.h"
#include "text_format.h"
#include "version.h"

enum { SAFE_SIZE = 4 * STORE_ERROR_SIZE };

static bool
is_proved(const struct fair_report *report)
{
	return report->good && report->committed && report->earlier_seeds == 0;
}

static void
print_json(const struct fair_report *report, const char *path)
{
	struct json json;

	json_document_begin(&json, stdout);
	json_string(&json, "run", path);
	json_bool(&json, "consistent", report->good);
	if (report->good && !is_proved(report))
		json_null(&json, "fair");
	else
		json_bool(&json, "fair", report->good);
	json_string(&json, "file", report->file);
	json_int_if(&json, "line", report->line > 0, report->line);
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
	json_document_end(&json);
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

	printf("%s/%s:", path, report->file);
	if (report->line > 0)
		printf("%" PRId64 ":", report->line);
	printf(" %s\n", safe_text(report->text, safe, sizeof(safe)));
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
	printf("%" PRId64 " %s%s", count, noun, text_plural(count));
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
	order.packs_given = opened.settings.game.packs.path != NULL;
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

#define FIELD(name) offsetof(struct record_verify_settings, name)

static const struct option options[] = {
	FLAG_OPTION("fair", FIELD(fair),
	    "Check a run instead, named by its folder: whether it dealt "
	    "fairly."),
	FLAG_OPTION(
	    "json", FIELD(json), "Print one JSON object with all blocks."),
	FLAG_OPTION("quiet", FIELD(quiet), "Print the last line alone."),
	OPTIONS_END,
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

static void
verify_print_text(const struct record_visit *visit)
{
	const struct record_verdict *verdict = visit->verdict;
	char file[VERIFY_SAFE_SIZE], match[VERIFY_SAFE_SIZE],
	    reason[VERIFY_SAFE_SIZE];

	safe_text(visit->file, file, sizeof(file));
	safe_text(visit->match, match, sizeof(match));
	if (!verdict->good) {
		printf("%s:%" PRId64 ": block %" PRId64
		       ", match %s: bad: V%d: %s\n",
		    file, verdict->fault.line, visit->number, match,
		    verdict->level,
		    safe_text(verdict->fault.text, reason, sizeof(reason)));
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
		json_document_begin(&context.json, stdout);
		json_array_begin(&context.json, "blocks");
	}
	status = record_walk_files(&walk, argc, argv);
	if (context.settings->json) {
		json_array_end(&context.json);
		json_int(&context.json, "good", context.good);
		json_int(&context.json, "bad", context.bad);
		json_document_end(&context.json);
	} else if (context.good + context.bad > 0) {
		printf("%" PRId64 " block%s: %" PRId64 " good, %" PRId64
		       " bad\n",
		    context.good + context.bad,
		    text_plural(context.good + context.bad), context.good,
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
	.arguments = { RECORD_FILES_ARGUMENT },
	.argument_max = COMMAND_ANY_COUNT,
	.examples = { "record verify games.scopa",
	    "record verify --quiet a.scopa b.scopa",
	    "record verify --fair runs/2026-11-21-101500-cup" },
	.options = options,
	.settings_size = sizeof(struct record_verify_settings),
	.run = verify_run,
};
