/*
 * analyse: what each play of a record has lost.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "complaint.h"
#include "countof.h"
#include "critique_report.h"
#include "escape.h"
#include "version.h"

struct settings {
	const char *match;
	int64_t deal; /* 0: all */
	struct critique_settings critique;
	bool quiet;
	bool json;
};

static const struct option options[] = {
	RECORD_MATCH_OPTION(struct settings),
	{
	    .name = "deal",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Only the deal of this number.",
	    .unit = "deals",
	    .min = 1,
	    .max = 1000000,
	    .offset = offsetof(struct settings, deal),
	},
	{
	    .name = "ms",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Time for each play that is not forced.",
	    .fallback = "200",
	    .unit = "milliseconds",
	    .min = 1,
	    .max = 3600000,
	    .offset = offsetof(struct settings, critique.ms),
	},
	{
	    .name = "iterations",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "As many iterations instead, whatever time they take: "
			"the same analysis every time.",
	    .unit = "iterations",
	    .min = 4,
	    .max = SEARCH_ITERATIONS_MAX,
	    .offset = offsetof(struct settings, critique.iterations),
	},
	{
	    .name = "exact",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Solve positions with up to so many cards to go; 0: "
			"none.",
	    .fallback = "16",
	    .unit = "cards",
	    .min = 0,
	    .max = 24,
	    .offset = offsetof(struct settings, critique.exact),
	},
	{
	    .name = "seed",
	    .aliases = { "srand" },
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "What the random numbers of the searches come from.",
	    .fallback = "1",
	    .min = 0,
	    .max = INT64_MAX,
	    .offset = offsetof(struct settings, critique.seed),
	},
	{
	    .name = "quiet",
	    .kind = OPTION_FLAG,
	    .sentence = "Do not tell how far it is.",
	    .offset = offsetof(struct settings, quiet),
	},
	{
	    .name = "json",
	    .kind = OPTION_FLAG,
	    .sentence = "Print one JSON object.",
	    .offset = offsetof(struct settings, json),
	},
};

static const char *const examples[] = {
	VERSION_NAME " analyse games.scopa --ms 1000",
	VERSION_NAME " analyse games.scopa --match m3 --deal 2 --iterations "
		     "20000",
	NULL,
};

/* The work on all records. */
struct work {
	const struct settings *settings;
	struct critique *critique;
	struct critique_report report;
	bool begun; /* a match was found */
};

static void
progress_say(const struct work *work, const char *match, int number)
{
	char safe[4 * EVENT_ID_SIZE];

	if (work->settings->quiet)
		return;
	escape_bytes(match, strlen(match), false, safe, sizeof(safe));
	fflush(stdout);
	fprintf(stderr, "analyse match %s, deal %d\n", safe, number);
}

static void
begin_match(struct work *work, const struct record_visit *visit)
{
	const struct settings *settings = work->settings;

	if (!work->begun)
		critique_report_begin(
		    &work->report, settings->json, &settings->critique);
	work->begun = true;
	critique_report_match(
	    &work->report, visit->match, replay_head(visit->replay));
}

/* A deal begins: it counts for every seat. */
static int
begin_deal(struct work *work, const struct record_visit *visit, int number)
{
	const struct record_head *head = replay_head(visit->replay);
	int error = 0;

	progress_say(work, visit->match, number);
	critique_report_deal(&work->report, number);
	for (int seat = 0; seat < head->rules.players && !error; seat++)
		error = critique_add_deal(
		    work->critique, head->game.seats[seat].name);
	return error;
}

static int
judge_play(struct work *work, const struct record_visit *visit,
    const struct position *position)
{
	const struct record_head *head = replay_head(visit->replay);
	struct critique_play play;

	critique_judge(
	    work->critique, &head->rules, visit->match, position, &play);
	critique_report_play(&work->report, head, &play);
	return critique_add(
	    work->critique, head->game.seats[play.seat].name, &play);
}

static int
analyse_block(void *context, const struct record_visit *visit)
{
	struct work *work = context;
	struct positions_wish wish = { .deal = work->settings->deal };
	struct positions positions;
	int error, number = 0;

	positions_init(&positions, &wish);
	error = positions_gather(&positions, visit);
	if (!error && positions.count > 0)
		begin_match(work, visit);
	for (int i = 0; !error && i < positions.count; i++) {
		const struct position *position = &positions.items[i];

		if (position->number != number) {
			number = position->number;
			error = begin_deal(work, visit, number);
		}
		if (!error)
			error = judge_play(work, visit, position);
	}
	positions_release(&positions);
	return error;
}

static enum status
analyse_files(struct work *work, int argc, char **argv)
{
	const struct settings *settings = work->settings;
	struct record_pick pick = { .match = settings->match };
	struct record_walk walk = {
		.pick = &pick,
		.visit = analyse_block,
		.context = work,
	};
	enum status status;

	status = record_walk_files(&walk, argc, argv);
	if (work->begun)
		critique_report_end(&work->report, work->critique);
	if (work->begun || status != STATUS_DONE)
		return status;
	complaint_say("there is nothing to analyse");
	complaint_add("hint", "no play of such a deal was found");
	complaint_add("try", VERSION_NAME " record show FILE");
	return STATUS_FAILED;
}

static enum status
analyse_run(const void *given, int argc, char **argv)
{
	struct work work = { .settings = given };
	enum status status;

	if (critique_open(&work.critique, &work.settings->critique) < 0) {
		complaint_say("no memory");
		return STATUS_ENVIRONMENT;
	}
	status = analyse_files(&work, argc, argv);
	critique_close(work.critique);
	return status;
}

const struct command command_analyse = {
	.name = "analyse",
	.sentence = "Tells what each play of a record has lost.",
	.detail =
	    "@maestro judges each play from what the seat that made it knew, "
	    "and nothing else: value is what its best move was worth, in "
	    "points "
	    "of the deal more than the others have on average, and loss how "
	    "much less the move was worth that was made. A loss of half a "
	    "point is marked ?, one of a point and a half ??. Endings are "
	    "solved, too: what is then lost to one who knows all cards is luck "
	    "as well as skill.",
	.usage = "[FILE...]",
	.arguments = &record_files_argument,
	.argument_kinds = 1,
	.argument_max = COMMAND_ANY_COUNT,
	.examples = examples,
	.options = options,
	.option_count = COUNTOF(options),
	.settings_size = sizeof(struct settings),
	.run = analyse_run,
};
