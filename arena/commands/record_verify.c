/*
 * record verify: whether records prove what they say.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "complaint.h"
#include "countof.h"
#include "escape.h"
#include "json.h"
#include "record_fair.h"
#include "record_walk.h"
#include "version.h"

enum { SAFE_SIZE = 4 * RECORD_FAULT_SIZE };

struct settings {
	bool json;
	bool quiet;
	bool fair;
};

struct context {
	const struct settings *settings;
	struct json json;
	int64_t good, bad;
};

static const struct option options[] = {
	{
	    .name = "fair",
	    .kind = OPTION_FLAG,
	    .sentence = "Check a run instead, named by its folder: whether it "
			"dealt fairly.",
	    .offset = offsetof(struct settings, fair),
	},
	{
	    .name = "json",
	    .kind = OPTION_FLAG,
	    .sentence = "Print one JSON object with all blocks.",
	    .offset = offsetof(struct settings, json),
	},
	{
	    .name = "quiet",
	    .kind = OPTION_FLAG,
	    .sentence = "Print the last line alone.",
	    .offset = offsetof(struct settings, quiet),
	},
};

static const char *const examples[] = {
	VERSION_NAME " record verify games.scopa",
	VERSION_NAME " record verify --quiet a.scopa b.scopa",
	VERSION_NAME " record verify --fair runs/2026-11-21-101500-cup",
	NULL,
};

static void
print_json(struct json *json, const struct record_visit *visit)
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
safe_of(const char *text, char safe[SAFE_SIZE])
{
	escape_bytes(text, strlen(text), false, safe, SAFE_SIZE);
	return safe;
}

static void
print_text(const struct record_visit *visit)
{
	const struct record_verdict *verdict = visit->verdict;
	char file[SAFE_SIZE], match[SAFE_SIZE], reason[SAFE_SIZE];

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
	struct context *context = given;

	if (visit->verdict->good)
		context->good++;
	else
		context->bad++;
	if (context->settings->json)
		print_json(&context->json, visit);
	else if (!context->settings->quiet)
		print_text(visit);
	return 0;
}

/* --fair RUN */
static enum status
verify_run_folder(const struct settings *settings, int argc, char **argv)
{
	if (argc == 1)
		return record_fair(argv[0], settings->json, settings->quiet);
	complaint_say("--fair checks one run, but %d are named", argc);
	complaint_add("hint", "a run is named by its folder");
	complaint_add("try", VERSION_NAME " record verify --fair RUN");
	return STATUS_USAGE;
}

static enum status
verify_run(const void *given, int argc, char **argv)
{
	struct context context = { .settings = given };
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
	.settings_size = sizeof(struct settings),
	.run = verify_run,
};
