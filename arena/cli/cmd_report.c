/*
 * The commands report, status and watch, which show the results of a run.  They
 * only read it, so they can be used while it is played.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffers.h"
#include "clock.h"
#include "command.h"
#include "progress.h"
#include "run_compare.h"
#include "run_export.h"
#include "run_open.h"
#include "run_view.h"
#include "version.h"

/* The page, in the folder of the run. */
#define REPORT_PAGE "report.html"

/* An open run with its view. */
struct shown_run {
	struct run_opened opened;
	struct run_view view;
};

/* Opens a run; `given` NULL: the newest.  Errors are printed. */
static enum status
shown_run_open(struct shown_run *shown, const char *given)
{
	char path[PATH_MAX];
	enum status status = run_open_find(given, path);

	memset(shown, 0, sizeof(*shown));
	if (status == STATUS_DONE)
		status = run_open_whole(&shown->opened, path, ENTRANT_TO_READ);
	if (status != STATUS_DONE)
		return status;
	run_view_open(&shown->view, &shown->opened.setup, &shown->opened.run,
	    &shown->opened.tournament);
	run_view_update(&shown->view, strcmp(shown->view.state, RUN_DONE) == 0);
	/* The process that played the run has died. */
	if (strcmp(shown->view.state, RUN_RUNNING) == 0 && run_owner(path) == 0)
		snprintf(shown->view.state, sizeof(shown->view.state),
		    RUN_BROKEN_OFF);
	return STATUS_DONE;
}

static void
shown_run_close(struct shown_run *shown)
{
	run_view_close(&shown->view);
	run_open_close(&shown->opened);
}

/*
 * status and watch.
 */

struct status_settings {
	bool json, quiet, full, pairs;
};

static enum status
status_run(const void *given, char **argv)
{
	const struct status_settings *settings = given;
	struct shown_run *shown = command_memory(sizeof(*shown));
	struct run_view *view = &shown->view;
	enum status status;

	if (settings->quiet && (settings->full || settings->pairs))
		return error_exclusive(
		    "quiet", settings->full ? "full" : "pairs");
	status = shown_run_open(shown, argv[0]);
	if (status != STATUS_DONE)
		return status;
	view->view.whole = settings->pairs;
	view->full = settings->full || settings->pairs;
	status = run_view_print(view, settings->json, settings->quiet);
	if (status == STATUS_DONE && !settings->json && !settings->quiet)
		run_view_print_next(view);
	shown_run_close(shown);
	return status;
}

static const struct option status_options[] = {
	FLAG_OPTION("json", offsetof(struct status_settings, json),
	    "Print one JSON document."),
	FLAG_OPTION("quiet", offsetof(struct status_settings, quiet),
	    "Print the verdict alone."),
	FLAG_OPTION("full", offsetof(struct status_settings, full),
	    "Print all tables, and the settings of the run."),
	FLAG_OPTION("pairs", offsetof(struct status_settings, pairs),
	    "Show every pair of bots, also if there are more than 64 bots: "
	    "pages of a crosstable, or megabytes of JSON."),
	OPTIONS_END,
};

const struct command command_status = {
	.name = "status",
	.sentence = "Shows the results of a run, also while it is played.",
	.usage = "[RUN]",
	.arguments = { RUN_ARGUMENT },
	.argument_max = 1,
	.examples = { "status", "status runs/2026-11-21-101500-league --json" },
	.options = status_options,
	.settings_size = sizeof(struct status_settings),
	.run = status_run,
};

struct watch_settings {
	double seconds;
};

/* Reads the run once and prints its line of progress. */
static enum status
look(struct shown_run *shown, const char *path, struct progress *progress)
{
	const struct tournament *tournament = &shown->opened.tournament;
	enum status status = shown_run_open(shown, path);
	struct progress_facts facts;

	if (status != STATUS_DONE)
		return status;
	if (progress->interval_ns == 0)
		progress_begin(progress, STDERR_FILENO, 1, clock_now_ns(),
		    tournament->counted, tournament->standings.games);
	if (report_compute(&shown->view.view, 0) == 0) {
		facts = progress_collect(&shown->view.view);
		progress_show(progress, &facts, clock_now_ns());
	}
	shown_run_close(shown);
	return STATUS_DONE;
}

static enum status
watch_run(const void *given, char **argv)
{
	const struct watch_settings *settings = given;
	struct shown_run *shown = command_memory(sizeof(*shown));
	struct progress progress = { .interval_ns = 0 };
	char path[PATH_MAX];
	enum status status = run_open_find(argv[0], path);

	while (status == STATUS_DONE && run_owner(path) != 0) {
		status = look(shown, path, &progress);
		usleep((useconds_t)(1e6 * settings->seconds));
	}
	if (progress.interval_ns != 0)
		progress_clear(&progress);
	return status == STATUS_DONE
	    ? status_run(
		  &(struct status_settings){ 0 }, (char *[]){ path, NULL })
	    : status;
}

static const struct option watch_options[] = {
	REAL_OPTION("interval", "S", offsetof(struct watch_settings, seconds),
	    0, 3600, "The time between two looks at the run.", .fallback = "1",
	    .unit = "seconds"),
	OPTIONS_END,
};

const struct command command_watch = {
	.name = "watch",
	.sentence = "Follows a run that is being played, and shows its results "
		    "when it ends.",
	.usage = "[RUN]",
	.arguments = { RUN_ARGUMENT },
	.argument_max = 1,
	.examples = { "watch" },
	.options = watch_options,
	.settings_size = sizeof(struct watch_settings),
	.run = watch_run,
};

/*
 * report.
 */

struct report_settings {
	const char *out;
	int form;  /* enum run_view_form */
	int table; /* index of run_export_tables */
	bool json, compare;
};

/*
 * Returns the wanted form: from the option, or else from the name of the file.
 * If both are missing, a comparison is text (RUN_VIEW_AUTO).
 */
static enum run_view_form
form_of(const struct report_settings *settings)
{
	enum run_view_form form = run_view_form_of(settings->out);

	if (settings->json)
		return RUN_VIEW_JSON;
	if (settings->form != RUN_VIEW_AUTO)
		return (enum run_view_form)settings->form;
	return form == RUN_VIEW_AUTO && !settings->compare ? RUN_VIEW_HTML
							   : form;
}

/* The file to write: by default a page in the folder of the run.  NULL: stdout. */
static const char *
path_of(const struct report_settings *settings, const char *run,
    char page[PATH_MAX])
{
	if (settings->out != NULL)
		return strcmp(settings->out, "-") != 0 ? settings->out : NULL;
	if (settings->compare || form_of(settings) != RUN_VIEW_HTML)
		return NULL;
	run_path_join(page, run, REPORT_PAGE);
	return page;
}

static int
print_comparison(const struct run_compare *compare,
    const struct report_settings *settings, FILE *file)
{
	struct report_style style = { .width = REPORT_WIDTH };

	switch (form_of(settings)) {
	case RUN_VIEW_AUTO:
		if (settings->out == NULL)
			style = report_style_of(stdout);
		return run_compare_text(compare, &style, file);
	case RUN_VIEW_HTML:
		return run_compare_html(compare, file);
	case RUN_VIEW_JSON:
		return run_compare_json(compare, file);
	case RUN_VIEW_MARKDOWN:
		return run_compare_markdown(compare, file);
	case RUN_VIEW_CSV:
		return run_compare_csv(compare, file);
	}
	return 0;
}

static enum status
compare_views(struct run_view *before, struct run_view *after,
    const struct report_settings *settings, const char *path)
{
	static struct run_compare compare;
	enum status status;
	char *bytes = NULL;
	size_t size;
	FILE *file = memory_file_open(&bytes, &size);
	int error = file == NULL ? -ENOMEM : report_compute(&before->view, 0);

	if (!error)
		error = report_compute(&after->view, 0);
	if (!error)
		error = run_compare_open(&compare, &before->view, &after->view);
	if (!error)
		error = print_comparison(&compare, settings, file);
	run_compare_close(&compare);
	if (file != NULL && fclose(file) != 0 && !error)
		error = -ENOMEM;
	status = error ? memory_error() : document_write(path, bytes, size);
	free(bytes);
	return status;
}

static enum status
report_run(const void *given, char **argv)
{
	const struct report_settings *settings = given;
	bool two = argv[0] != NULL && argv[1] != NULL;
	struct shown_run *first = command_memory(sizeof(*first));
	struct shown_run *second = command_memory(sizeof(*second));
	char page[PATH_MAX];
	const char *path;
	enum status status;

	if (two != settings->compare)
		return error_status(STATUS_USAGE, NULL,
		    VERSION_NAME " report --compare BEFORE AFTER", "%s",
		    two ? "a report is of one run"
			: "a comparison is of two runs");
	if (settings->json && settings->form != RUN_VIEW_AUTO &&
	    settings->form != RUN_VIEW_JSON)
		return error_exclusive("json", "format");
	if (settings->table > 0 && two)
		return error_usage("leave it out: a comparison is one table",
		    "--table is of one run");
	if (settings->table > 0 && form_of(settings) < RUN_VIEW_MARKDOWN)
		return error_usage("add --format csv or --format md",
		    "--table is of a run in one of these formats");
	status = shown_run_open(first, argv[0]);
	if (status != STATUS_DONE)
		return status;
	path = path_of(settings, first->opened.run.path, page);
	if (two)
		status = shown_run_open(second, argv[1]);
	if (two && status == STATUS_DONE) {
		status =
		    compare_views(&first->view, &second->view, settings, path);
		shown_run_close(second);
	} else if (!two) {
		status = run_view_write(
		    &first->view, form_of(settings), settings->table, path);
	}
	if (status == STATUS_DONE && path != NULL)
		printf("%s\n", path);
	shown_run_close(first);
	return status;
}

static const struct option report_options[] = {
	TEXT_OPTION("out", "FILE", offsetof(struct report_settings, out),
	    "The file to write; - is the standard output. Without it the page "
	    "is `" REPORT_PAGE "` in the folder of the run, and other "
	    "formats go to the standard output.",
	    .aliases = { "o" }),
	NAME_OPTION("format", "FORMAT", offsetof(struct report_settings, form),
	    run_view_forms,
	    "html: a page for a browser. json: its numbers as a JSON document. "
	    "md: tables of GitHub's Markdown. csv: one table as "
	    "comma-separated values. auto: the format that the name of the "
	    "file ends in, else the page.",
	    .fallback = "auto"),
	NAME_OPTION("table", "NAME", offsetof(struct report_settings, table),
	    run_export_tables,
	    "The table of csv or md. auto: `ranking` for csv, the tables for "
	    "people for md.",
	    .fallback = "auto"),
	FLAG_OPTION("json", offsetof(struct report_settings, json),
	    "The same as --format json."),
	FLAG_OPTION("compare", offsetof(struct report_settings, compare),
	    "Show what has changed from the first run to the second, for the "
	    "bots that both have: points, Elo, results, time, faults, points "
	    "by source. As text, or in another format."),
	OPTIONS_END,
};

const struct command command_report = {
	.name = "report",
	.sentence = "Writes a page that shows a run: one file for a browser.",
	.usage = "[RUN] | --compare RUN RUN",
	.arguments = { RUN_ARGUMENT },
	.argument_max = 2,
	.examples = { "report",
	    "report runs/2026-11-21-101500-league -o league.html",
	    "report --json", "report --compare runs/before runs/after" },
	.options = report_options,
	.settings_size = sizeof(struct report_settings),
	.run = report_run,
};
