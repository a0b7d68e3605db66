/*
 * The commands status and watch: print how far a run is.  They only read the
 * run, so they may be used while it is played.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "command.h"
#include "error_message.h"
#include "progress.h"
#include "run_open.h"
#include "run_play.h"
#include "version.h"

struct status_settings {
	bool json, quiet, full, pairs;
};

static enum status
print_status(const char *path, const struct status_settings *settings)
{
	static struct run_opened opened;
	static struct run_view view;
	enum status status = run_open_whole(&opened, path, ENTRANT_TO_READ);

	if (status != STATUS_DONE)
		return status;
	run_view_open(&view, &opened.setup, &opened.run, &opened.tournament);
	run_view_update(&view, strcmp(view.state, RUN_DONE) == 0);
	run_view_correct_state(&view);
	view.view.whole = settings->pairs;
	view.full = settings->full || settings->pairs;
	status = run_view_print(&view, settings->json, settings->quiet);
	if (status == STATUS_DONE && !settings->json && !settings->quiet)
		run_view_print_next(&view);
	run_view_close(&view);
	run_open_close(&opened);
	return status;
}

static enum status
status_run(const void *given, char **argv)
{
	const struct status_settings *settings = given;
	char path[PATH_MAX];
	enum status status = run_open_find(argv[0], path);

	return status == STATUS_DONE ? print_status(path, settings) : status;
}

static const struct option status_options[] = {
	FLAG_OPTION("json", offsetof(struct status_settings, json),
	    "Print one JSON document."),
	FLAG_OPTION("quiet", offsetof(struct status_settings, quiet),
	    "Print the verdict alone."),
	FLAG_OPTION("full", offsetof(struct status_settings, full),
	    "Print all tables, and what the run was played with."),
	FLAG_OPTION("pairs", offsetof(struct status_settings, pairs),
	    "Show each two bots, too, where there are more than 64: pages "
	    "of a crosstable, or megabytes of JSON."),
	OPTIONS_END,
};

const struct command command_status = {
	.name = "status",
	.sentence = "Shows the results of a run, live or not.",
	.usage = "[RUN]",
	.arguments = { { "RUN",
	    "The folder of a run; without it, the newest below runs/." } },
	.argument_max = 1,
	.examples = { "status", "status runs/2026-11-21-101500-cup --json" },
	.options = status_options,
	.settings_size = sizeof(struct status_settings),
	.run = status_run,
};

struct watch_settings {
	double seconds;
};

/* Reads the run once and prints its line of progress. */
static enum status
look(const char *path, struct progress *progress)
{
	static struct run_opened opened;
	static struct run_view view;
	struct progress_facts facts;
	enum status status = run_open_whole(&opened, path, ENTRANT_TO_READ);

	if (status != STATUS_DONE)
		return status;
	run_view_open(&view, &opened.setup, &opened.run, &opened.tournament);
	if (progress->interval_ns == 0)
		progress_begin(progress, STDERR_FILENO, 1, clock_now_ns(),
		    opened.tournament.taken, opened.tournament.standings.games);
	if (report_compute(&view.view, 0) == 0) {
		facts = progress_collect(&view.view);
		progress_show(progress, &facts, clock_now_ns());
	}
	run_view_close(&view);
	run_open_close(&opened);
	return STATUS_DONE;
}

static enum status
watch_run(const void *given, char **argv)
{
	const struct watch_settings *settings = given;
	struct progress progress = { .interval_ns = 0 };
	char path[PATH_MAX];
	enum status status = run_open_find(argv[0], path);

	while (status == STATUS_DONE && run_owner(path) != 0) {
		status = look(path, &progress);
		usleep((useconds_t)(1e6 * settings->seconds));
	}
	if (progress.interval_ns != 0)
		progress_clear(&progress);
	return status == STATUS_DONE
	    ? print_status(path, &(struct status_settings){ 0 })
	    : status;
}

static const struct option watch_options[] = {
	REAL_OPTION("interval", "S", offsetof(struct watch_settings, seconds),
	    0, 3600, "How long to wait between two looks.", .fallback = "1",
	    .unit = "seconds"),
	OPTIONS_END,
};

const struct command command_watch = {
	.name = "watch",
	.sentence = "Follows a run that is being played, and shows its results "
		    "when it ends.",
	.usage = "[RUN]",
	.arguments = { { "RUN",
	    "The folder of a run; without it, the newest below runs/." } },
	.argument_max = 1,
	.examples = { "watch" },
	.options = watch_options,
	.settings_size = sizeof(struct watch_settings),
	.run = watch_run,
};
