/*
 * rate: how strong bots are, from games that were played.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "complaint.h"
#include "countof.h"
#include "rate_table.h"
#include "record_walk.h"
#include "version.h"

enum { REPLICATES_MAX = 1000000, ANCHOR_MAX = 1000000 };

/* Narrower intervals say nothing, wider ones are all alike. */
#define LEVEL_MIN 0.5
#define LEVEL_MAX 0.9999

struct settings {
	const char *counts;
	int model; /* enum rate_model */
	int64_t replicates;
	int64_t seed;
	double level;
	const char *anchor;
	bool json, csv;
};

static const struct option options[] = {
	{
	    .name = "counts",
	    .kind = OPTION_TEXT,
	    .value = "FILE",
	    .sentence = "Instead of records: lines FIRST SECOND WINS DRAWS "
			"LOSSES of games, or FIRST SECOND BLOCKS MEAN SD of "
			"points a deal, with a point in MEAN or SD; one kind "
			"a file.",
	    .offset = offsetof(struct settings, counts),
	},
	{
	    .name = "model",
	    .kind = OPTION_NAME,
	    .value = "MODEL",
	    .sentence = "Which ratings: of points, of wins, of places in games "
			"of several, or all that there are.",
	    .fallback = "all",
	    .names = rate_model_names,
	    .offset = offsetof(struct settings, model),
	},
	{
	    .name = "bootstrap",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Draw whole rounds, all that shares packs, N times "
			"anew, to see how sure each place is; 0 does not.",
	    .fallback = "1000",
	    .unit = "samples",
	    .min = 0,
	    .max = REPLICATES_MAX,
	    .offset = offsetof(struct settings, replicates),
	},
	{
	    .name = "seed",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Of the bootstrap: the same N gives the same numbers.",
	    .fallback = "1",
	    .min = 0,
	    .max = INT64_MAX,
	    .offset = offsetof(struct settings, seed),
	},
	{
	    .name = "level",
	    .kind = OPTION_REAL,
	    .value = "P",
	    .sentence = "How probably an interval holds the truth.",
	    .fallback = "0.95",
	    .min = 0,
	    .max = 1,
	    .offset = offsetof(struct settings, level),
	},
	{
	    .name = "anchor",
	    .kind = OPTION_TEXT,
	    .value = "NAME=VALUE",
	    .sentence =
		"The rating of this bot is VALUE, points a deal or Elo, "
		"whichever decides the order; those that results join "
		"with it follow, with errors as against it.",
	    .offset = offsetof(struct settings, anchor),
	},
	{
	    .name = "json",
	    .kind = OPTION_FLAG,
	    .sentence = "Print one JSON object.",
	    .offset = offsetof(struct settings, json),
	},
	{
	    .name = "csv",
	    .kind = OPTION_FLAG,
	    .sentence = "Print the ranking as CSV, a row a bot.",
	    .offset = offsetof(struct settings, csv),
	},
};

static const char *const examples[] = {
	VERSION_NAME " rate games.scopa",
	VERSION_NAME " rate --model elo --json monday.scopa tuesday.scopa",
	VERSION_NAME " rate --counts results.txt",
	VERSION_NAME " rate --model elo --anchor greedy=1500 --csv games.scopa",
	NULL,
};

static enum status
usage_say(const char *what, const char *hint)
{
	complaint_say("%s", what);
	complaint_add("command", VERSION_NAME " rate");
	complaint_add("hint", "%s", hint);
	complaint_add("try", VERSION_NAME " help rate");
	return STATUS_USAGE;
}

static enum status
memory_say(void)
{
	complaint_say("no memory");
	return STATUS_ENVIRONMENT;
}

/* Fills the table from records; it is closed where there is nothing in it. */
static enum status
records_read(struct rate_table *table, int file_count, char **files)
{
	struct gathered gathered;
	enum status status = gather_files(&gathered, NULL, file_count, files);

	gather_remarks_say(&gathered.gather);
	if (gathered.gather.block_count > 0 && status != STATUS_ENVIRONMENT &&
	    rate_table_gather(table, &gathered) < 0)
		status = memory_say();
	gathered_close(&gathered);
	return status;
}

/* Whether the table has what the model needs. */
static enum status
model_check(const struct rate_table *table, enum rate_model model)
{
	if (model == RATE_MARGIN && !table->has_margins)
		return usage_say("there are no margins to rate",
		    "a line of margins is FIRST SECOND BLOCKS MEAN SD, with a "
		    "point in MEAN or SD");
	if (model == RATE_ELO && !table->has_games)
		return usage_say("there are no games to rate",
		    "a line of games is FIRST SECOND WINS DRAWS LOSSES");
	if (model == RATE_PLACKETT_LUCE && !table->has_skills)
		return usage_say("counts do not tell the order of the games",
		    "for this model give records");
	return STATUS_DONE;
}

/* Reads NAME=VALUE; the name may have = in it. */
static enum status
anchor_read(
    const char *text, const struct rate_table *table, struct rate_order *order)
{
	const char *equals = text == NULL ? NULL : strrchr(text, '=');
	char *end;

	order->anchor = -1;
	if (text == NULL)
		return STATUS_DONE;
	if (order->model == RATE_PLACKETT_LUCE)
		return usage_say("--anchor is of points or Elo",
		    "mu of Plackett-Luce begins at 25");
	if (equals == NULL || equals == text || equals[1] == '\0')
		return usage_say("--anchor: NAME=VALUE is expected",
		    "--anchor greedy=1500, for instance");
	order->anchor_value = strtod(equals + 1, &end);
	if (*end != '\0' || !(fabs(order->anchor_value) <= ANCHOR_MAX))
		return usage_say("--anchor: VALUE is not a number",
		    "a number of at most 1000000 either way");
	for (int bot = 0; bot < table->bot_count; bot++)
		if (strlen(table->bots[bot].name) == (size_t)(equals - text) &&
		    memcmp(table->bots[bot].name, text,
			(size_t)(equals - text)) == 0)
			order->anchor = bot;
	if (order->anchor < 0)
		return usage_say("--anchor: no bot has this name",
		    "the names are those of the ranking");
	return STATUS_DONE;
}

static enum status
rate_run(const void *given, int argc, char **argv)
{
	const struct settings *settings = given;
	struct rate_order order = {
		.model = (enum rate_model)settings->model,
		.level = settings->level,
		.replicates = (int)settings->replicates,
		.seed = (uint64_t)settings->seed,
	};
	struct rate_table table = { 0 };
	enum status status, fit;

	if (!(order.level >= LEVEL_MIN && order.level <= LEVEL_MAX))
		return usage_say(
		    "--level is out of range", "0.5 to 0.9999: 0.95 is usual");
	if (settings->json && settings->csv)
		return usage_say("--json and --csv exclude each other",
		    "give one or the other");
	if (settings->counts != NULL && argc > 0)
		return usage_say("--counts and record files exclude each other",
		    "give one or the other");
	status = settings->counts != NULL
	    ? rate_table_count(&table, settings->counts)
	    : records_read(&table, argc, argv);
	if (table.bots == NULL)
		return status;
	fit = model_check(&table, order.model);
	if (fit == STATUS_DONE)
		fit = anchor_read(settings->anchor, &table, &order);
	if (fit != STATUS_DONE)
		status = fit;
	else if (rate_compute(&table, &order) < 0)
		status = memory_say();
	else if (settings->csv)
		rate_csv_print(&table, &order);
	else if (settings->json)
		rate_json_print(&table, &order);
	else
		rate_text_print(&table, &order);
	rate_table_close(&table);
	return status;
}

const struct command command_rate = {
	.name = "rate",
	.sentence = "Rates bots by game records, or by a table of counts.",
	.detail =
	    "Games with the same packs and the same bots form a block, in "
	    "which the luck of the deal cancels out. Points a deal are rated "
	    "by least squares over all pairs, wins by Elo, games of three and "
	    "more by Plackett-Luce as well. A crosstable follows: each two, "
	    "with interval and number. Records that are bad are said and "
	    "skipped, and so are games for analysis, in which bots see all "
	    "cards; the exit status is then 1. Games with packs that the same "
	    "bots have played in the same seats are no new evidence, and "
	    "counted once; errors take all that shares its packs as one.",
	.usage = "[FILE...]",
	.arguments = &record_files_argument,
	.argument_kinds = 1,
	.argument_max = COMMAND_ANY_COUNT,
	.examples = examples,
	.options = options,
	.option_count = COUNTOF(options),
	.settings_size = sizeof(struct settings),
	.run = rate_run,
};
