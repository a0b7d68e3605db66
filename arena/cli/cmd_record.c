/*
 * The commands `record verify`, `record derive` and `record redact`.  They
 * check game records, or write records made from others.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "command.h"
#include "countof.h"
#include "fair.h"
#include "record_walk.h"
#include "report_json.h"
#include "run_open.h"
#include "text_format.h"
#include "version.h"

/*
 * record verify --fair: checks whether a run has dealt fairly.
 */

static bool
is_proved(const struct fair_report *report)
{
	return report->good && report->committed && report->earlier_seeds == 0;
}

static void
fair_print_json(const struct fair_report *report, const char *path)
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
fair_print_text(const struct fair_report *report, const char *path)
{
	const struct {
		const char *label, *text;
	} lines[] = {
		{ "terms", report->terms },
		{ "commit", report->commitment },
		{ "mixed", report->contributions },
		{ "seed", report->secret },
		{ "chain", report->chain },
	};

	for (int i = 0; i < COUNTOF(lines); i++)
		if (lines[i].text[0] != '\0')
			printf("%-7s %s\n", lines[i].label, lines[i].text);
	if (report->good)
		return;
	printf("%s/%s:", path, report->file);
	if (report->line > 0)
		printf("%" PRId64 ":", report->line);
	printf(" %s\n", safe_text(report->text));
}

/* The reason why a run without any contradiction still proves nothing. */
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
fair_print_verdict(const struct fair_report *report, bool packs_given)
{
	if (!report->good) {
		printf("NOT fair: first difference in block %" PRId64 "\n",
		    report->blocks + 1);
		return;
	}
	if (is_proved(report))
		printf("fair: ");
	else
		printf("consistent, but fairness cannot be proved: %s: ",
		    reason_of(report, packs_given));
	printf("%" PRId64 " block%s, %" PRId64 " game%s, %" PRId64
	       " pack%s%s%s\n",
	    report->blocks, text_plural(report->blocks), report->games,
	    text_plural(report->games), report->packs,
	    text_plural(report->packs),
	    report->committed ? " of the committed secret" : "",
	    report->over ? "" : "; the run is not over");
}

/*
 * Checks the run in a folder and prints the result: as text, only its last line
 * if `quiet`, or one JSON object.  STATUS_FAILED if something differs.
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
	order.gate = tournament_setup_gate(&opened.setup);
	order.secret = &opened.setup.secret;
	order.contributions = &opened.settings.contributions;
	order.packs_given = opened.settings.game.packs.path != NULL;
	error = fair_check(&order, &report, &why);
	if (error) {
		status = run_open_error(error, &why);
	} else if (json) {
		fair_print_json(&report, path);
	} else {
		if (!quiet)
			fair_print_text(&report, path);
		fair_print_verdict(&report, order.packs_given);
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
 * record verify: checks whether records prove what they say.
 */

struct verify_settings {
	bool json, quiet, verbose, fair;
};

struct verify {
	const struct verify_settings *settings;
	struct json json;
};

#define FIELD(name) offsetof(struct verify_settings, name)

static const struct option verify_options[] = {
	FLAG_OPTION("fair", FIELD(fair),
	    "Check a run instead, named by its folder: whether it dealt "
	    "fairly."),
	FLAG_OPTION(
	    "json", FIELD(json), "Print one JSON object with all blocks."),
	FLAG_OPTION("quiet", FIELD(quiet), "Print the last line alone."),
	FLAG_OPTION("verbose", FIELD(verbose),
	    "Print a line for each block, not only for those that are bad."),
	OPTIONS_END,
};

#undef FIELD

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

	printf("%s:%" PRId64 ": block %" PRId64 ", match %s: ",
	    safe_text(visit->file),
	    verdict->good ? visit->block->first_line : verdict->fault.line,
	    visit->number, safe_text(visit->match));
	if (verdict->good)
		printf("good: V1 V2%s\n",
		    verdict->key_count == 0 ? ""
			: verdict->secret   ? " V3"
					    : " V3 (keys)");
	else
		printf("bad: V%d: %s\n", verdict->level,
		    safe_text(verdict->fault.text));
}

static int
verify_block(void *context, const struct record_visit *visit)
{
	struct verify *verify = context;

	if (verify->settings->json)
		verify_print_json(&verify->json, visit);
	else if (verify->settings->verbose ||
	    (!verify->settings->quiet && !visit->verdict->good))
		verify_print_text(visit);
	return 0;
}

/* Runs `record verify --fair RUN`. */
static enum status
verify_run_folder(const struct verify_settings *settings, char **argv)
{
	int count = 0;

	while (argv[count] != NULL)
		count++;
	if (count == 1)
		return record_fair(argv[0], settings->json, settings->quiet);
	return error_status(STATUS_USAGE, "a run is named by its folder",
	    VERSION_NAME " record verify --fair RUN",
	    "--fair checks one run, but %d are named", count);
}

static enum status
verify_run(const void *given, char **argv)
{
	struct verify verify = { .settings = given };
	struct json *json = &verify.json;
	struct record_walk walk = {
		.kind = WALK_CHECKED,
		.quiet = verify.settings->quiet,
		.takes_empty = true,
		.visit = verify_block,
		.context = &verify,
	};
	enum status status;

	if (verify.settings->fair)
		return verify_run_folder(verify.settings, argv);
	if (verify.settings->json) {
		json_document_begin(json, stdout);
		json_array_begin(json, "blocks");
	}
	status = record_walk_files(&walk, argv);
	if (verify.settings->json) {
		json_array_end(json);
		json_int(json, "good", walk.good);
		json_int(json, "bad", walk.bad);
		json_document_end(json);
	} else if (walk.good + walk.bad > 0 || status == STATUS_DONE) {
		printf("%" PRId64 " block%s: %" PRId64 " good, %" PRId64
		       " bad\n",
		    walk.good + walk.bad, text_plural(walk.good + walk.bad),
		    walk.good, walk.bad);
	}
	return status;
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
	    "record verify --verbose a.scopa b.scopa",
	    "record verify --fair runs/2026-11-21-101500-league" },
	.options = verify_options,
	.settings_size = sizeof(struct verify_settings),
	.run = verify_run,
};

/*
 * record derive: writes full records, made from records that hold only
 * decisions.  `record redact` writes what one seat was sent.
 */

struct replay_settings {
	bool legal;   /* for derive */
	int64_t seat; /* for redact: from 1; 0: not given */
	const char *match;
};

struct replay_work {
	struct replay_order order;
	/* bad: matches that cannot be replayed, or that lack the wanted seat */
	int64_t good, bad;
};

#define FIELD(name) offsetof(struct replay_settings, name)

static const struct option derive_options[] = {
	FLAG_OPTION("legal", FIELD(legal),
	    "Before each play, a line with all moves that were legal."),
	OPTIONS_END,
};

static const struct option redact_options[] = {
	INT_OPTION(
	    "seat", "N", FIELD(seat), 1, SCOPA_SEATS_MAX, "The seat, from 1."),
	RECORD_MATCH_OPTION(struct replay_settings),
	OPTIONS_END,
};

static int
replay_block(void *context, const struct record_visit *visit)
{
	struct replay_work *work = context;
	bool whole = work->order.seat == REPLAY_EVERYBODY;
	struct record_fault fault = visit->block->fault;
	int error = fault.line ? -EBADMSG
			       : replay_run(visit->replay, visit->block,
				     &work->order, visit->record, &fault);

	if (!error && whole)
		error = record_sum(visit->record);
	if (error == -EBADMSG) {
		work->bad++;
		record_walk_say(visit->file, fault.line, "%s", fault.text);
		return 0;
	}
	if (error)
		return error;
	if (work->good++ == 0 && whole)
		fputs(RECORD_HEADING, stdout);
	fwrite(visit->record->bytes, 1, visit->record->size, stdout);
	return 0;
}

static enum status
derive_run(const void *given, char **argv)
{
	const struct replay_settings *settings = given;
	struct replay_work work = {
		.order = { .seat = REPLAY_EVERYBODY, .legal = settings->legal },
	};
	struct record_walk walk = {
		.kind = WALK_ALL,
		.visit = replay_block,
		.context = &work,
	};
	enum status status = record_walk_files(&walk, argv);

	if (work.bad == 0)
		return status;
	error_print("%" PRId64 " of %" PRId64 " blocks could not be derived",
	    work.bad, work.good + work.bad);
	error_detail("hint", "they were skipped; the lines above say why");
	return status == STATUS_DONE ? STATUS_FAILED : status;
}

static enum status
redact_run(const void *given, char **argv)
{
	const struct replay_settings *settings = given;
	struct replay_work work = { .order.seat = (int)settings->seat - 1 };
	enum status status;

	if (settings->seat == 0)
		return error_status(STATUS_USAGE, NULL,
		    VERSION_NAME " record redact --seat 1 games.scopa",
		    "--seat is missing");
	status = record_walk_good(replay_block, &work, settings->match, argv);
	return status == STATUS_DONE && work.bad > 0 ? STATUS_FAILED : status;
}

const struct command command_record_derive = {
	.name = "record derive",
	.sentence =
	    "Writes the full record of a game from what was decided in it.",
	.detail =
	    "A block needs a line `match ID rules=`, and for each deal a line "
	    "`deal N`, its `play` and `declare` lines, and either its `pack` "
	    "or its `table` and `give` lines. Everything else is worked out. "
	    "A block that cannot be is skipped, and FILE:LINE: REASON is "
	    "printed on standard error; the exit status is then 1.",
	.usage = "[FILE]",
	.arguments = { RECORD_FILES_ARGUMENT },
	.argument_max = 1,
	.examples = { "record derive minimal.scopa > full.scopa",
	    "record derive --legal - < minimal.scopa" },
	.options = derive_options,
	.settings_size = sizeof(struct replay_settings),
	.run = derive_run,
};

const struct command command_record_redact = {
	.name = "record redact",
	.sentence = "Prints the event lines that one seat was sent.",
	.detail =
	    "Each block is verified first; what is printed is what the seat "
	    "heard of that match, other hands as ??.",
	.usage = "--seat N [FILE...]",
	.arguments = { RECORD_FILES_ARGUMENT },
	.argument_max = COMMAND_ANY_COUNT,
	.examples = { "record redact --seat 2 games.scopa" },
	.options = redact_options,
	.settings_size = sizeof(struct replay_settings),
	.run = redact_run,
};
