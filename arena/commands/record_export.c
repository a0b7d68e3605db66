/*
 * record export: games for other programs.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "complaint.h"
#include "countof.h"
#include "csv_field.h"
#include "record_json.h"
#include "record_walk.h"
#include "version.h"

enum { NAMES_SIZE = SCOPA_SEATS_MAX * (EVENT_NAME_SIZE + 1) };

struct settings {
	bool jsonl;
	bool csv;
	bool events;
	const char *match;
};

struct context {
	const struct settings *settings;
	bool headed; /* the names of the columns are printed */
};

static const struct option options[] = {
	{
	    .name = "jsonl",
	    .kind = OPTION_FLAG,
	    .sentence = "JSON Lines: an object a match.",
	    .offset = offsetof(struct settings, jsonl),
	},
	{
	    .name = "csv",
	    .kind = OPTION_FLAG,
	    .sentence = "CSV: a row for each deal and party.",
	    .offset = offsetof(struct settings, csv),
	},
	{
	    .name = "events",
	    .kind = OPTION_FLAG,
	    .sentence = "With --jsonl: an object an event.",
	    .offset = offsetof(struct settings, events),
	},
	RECORD_MATCH_OPTION(struct settings),
};

static const char *const examples[] = {
	VERSION_NAME " record export --jsonl games.scopa > games.jsonl",
	VERSION_NAME " record export --csv games.scopa > deals.csv",
	NULL,
};

static void
put_header(void)
{
	fputs("match,rules,deal,dealer,first,team,names,points,total", stdout);
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
		const char *name = scopa_item_name((enum scopa_item)item);

		printf(",%s,%s-points", name, name);
	}
	puts(",utc,event,round,game,seats,file,block");
}

/* What the rows of a match share. */
struct rows {
	struct event_match match;
	struct event_deal deal;
	char names[SCOPA_PARTIES_MAX][NAMES_SIZE]; /* joined by + */
	char seats[SCOPA_PARTIES_MAX][2 * SCOPA_SEATS_MAX + 1]; /* likewise */
	char tag[EVENT_TEXT_SIZE + 4]; /* `tag` and what it says */
	const char *file;
	int64_t block; /* which of the file, from 1 */
};

static void
add_name(struct rows *rows, const struct event_seat *seat)
{
	char *names = rows->names[seat->party];
	char *seats = rows->seats[seat->party];
	size_t length = strlen(names);

	snprintf(names + length, NAMES_SIZE - length, "%s%s",
	    length > 0 ? "+" : "", seat->name);
	length = strlen(seats);
	snprintf(seats + length, sizeof(rows->seats[0]) - length, "%s%d",
	    length > 0 ? "+" : "", seat->seat + 1);
}

/* What the tag says of this; empty where it says nothing. */
static void
put_word(const struct words *tag, const char *key)
{
	struct word word = words_find(tag, key);
	char text[EVENT_TEXT_SIZE];

	putchar(',');
	if (word.bytes == NULL || word.length >= sizeof(text))
		return;
	memcpy(text, word.bytes, word.length);
	text[word.length] = '\0';
	csv_field_put(stdout, text);
}

/* Which game this is, for whoever has several of one name. */
static void
put_origin(const struct rows *rows, int party)
{
	static const char *const keys[] = { "utc", "event", "round", "game" };
	struct words tag;

	words_split(rows->tag, strlen(rows->tag), &tag);
	for (int i = 0; i < COUNTOF(keys); i++)
		put_word(&tag, keys[i]);
	printf(",%s,", rows->seats[party]);
	csv_field_put(stdout, rows->file);
	printf(",%" PRId64 "\n", rows->block);
}

static void
put_row(const struct rows *rows, const struct event_score *score)
{
	csv_field_put(stdout, rows->match.id);
	putchar(',');
	csv_field_put(stdout, rows->match.rules);
	printf(",%d,%d,%d,%c,", rows->deal.number, rows->deal.dealer + 1,
	    rows->deal.first + 1, 'A' + score->party);
	csv_field_put(stdout, rows->names[score->party]);
	printf(",%d,%" PRId32, score->points, score->total);
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		if (score->items >> item & 1)
			printf(",%d,%d", score->quantity[item],
			    score->item_points[item]);
		else
			printf(",,");
	put_origin(rows, score->party);
}

static void
export_csv(const struct record_block *block, const char *file, int64_t number)
{
	struct rows rows = {
		.names = { "" },
		.file = file,
		.block = number,
	};
	struct event event;

	for (size_t i = 0; i < block->line_count; i++) {
		if (!record_line_event(block, &block->lines[i], &event, NULL))
			continue;
		if (event.kind == EVENT_MATCH)
			rows.match = event.match;
		else if (event.kind == EVENT_SEAT)
			add_name(&rows, &event.seat);
		else if (event.kind == EVENT_TAG)
			snprintf(rows.tag, sizeof(rows.tag), "%.*s",
			    (int)block->lines[i].length,
			    record_line_bytes(block, &block->lines[i]));
		else if (event.kind == EVENT_DEAL)
			rows.deal = event.deal;
		else if (event.kind == EVENT_SCORE)
			put_row(&rows, &event.score);
	}
}

static int
export_block(void *given, const struct record_visit *visit)
{
	struct context *context = given;

	if (context->settings->csv) {
		if (!context->headed)
			put_header();
		context->headed = true;
		export_csv(visit->block, visit->file, visit->number);
	} else if (context->settings->events) {
		record_json_events(stdout, visit->block);
	} else {
		record_json_match(stdout, visit->block);
	}
	return 0;
}

static enum status
say_usage(const char *what)
{
	complaint_say("%s", what);
	complaint_add("try", VERSION_NAME " record export --jsonl games.scopa");
	return STATUS_USAGE;
}

static enum status
export_run(const void *given, int argc, char **argv)
{
	const struct settings *settings = given;
	struct context context = { .settings = settings };
	struct record_pick pick = { .match = settings->match };
	struct record_walk walk = {
		.pick = &pick,
		.visit = export_block,
		.context = &context,
	};

	if (settings->jsonl == settings->csv)
		return say_usage(settings->csv
			? "--jsonl and --csv exclude each other"
			: "one of --jsonl and --csv is needed");
	if (settings->events && !settings->jsonl)
		return say_usage("--events goes with --jsonl only");
	return record_walk_files(&walk, argc, argv);
}

const struct command command_record_export = {
	.name = "record export",
	.sentence = "Writes games as JSON Lines or CSV.",
	.detail =
	    "Blocks that do not verify are named and left out, and the exit "
	    "status is then 1. Columns of items that the rules do not count "
	    "are empty; names of partners are joined by +. In CSV a name that "
	    "a "
	    "spreadsheet would take for a formula (= + - @) has an apostrophe "
	    "before it.",
	.usage = "--jsonl [--events] | --csv [FILE...]",
	.arguments = &record_files_argument,
	.argument_kinds = 1,
	.argument_max = COMMAND_ANY_COUNT,
	.examples = examples,
	.options = options,
	.option_count = COUNTOF(options),
	.settings_size = sizeof(struct settings),
	.run = export_run,
};
