/*
 * The command report: writes what a run has shown as one file, for a browser or
 * for other programs.  It only reads the run, so it may be used while the run
 * is played.
 *
 * A document is made in memory and then written, so that an error leaves no
 * half of it in place of an older one.
 */
#include "cmd_report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "error_message.h"
#include "run_compare.h"
#include "run_export.h"
#include "run_facts.h"
#include "run_open.h"
#include "run_play.h"
#include "version.h"

/* The file in the folder of the run that gets the page. */
#define REPORT_PAGE "report.html"

enum { PAGE_SIZE_MAX = 5 * 1000 * 1000 }; /* bytes */

enum report_form {
	REPORT_AUTO,
	REPORT_HTML,
	REPORT_JSON,
	REPORT_MARKDOWN,
	REPORT_CSV
};

static const char *const form_names[] = {
	[REPORT_AUTO] = "auto",
	[REPORT_HTML] = "html",
	[REPORT_JSON] = "json",
	[REPORT_MARKDOWN] = "md",
	[REPORT_CSV] = "csv",
	NULL,
};

struct report_settings {
	const char *out;
	int form;  /* enum report_form */
	int table; /* index of run_export_tables from 1; 0: not given */
	bool json, compare;
};

/*
 * The form that the user wants: the option, or else the end of a file name.  A
 * comparison is text without both: REPORT_AUTO.
 */
static enum report_form
form_of(const struct report_settings *settings)
{
	const char *end =
	    settings->out != NULL ? strrchr(settings->out, '.') : NULL;

	if (settings->json)
		return REPORT_JSON;
	if (settings->form != REPORT_AUTO)
		return (enum report_form)settings->form;
	for (int form = REPORT_HTML; end != NULL && form_names[form]; form++)
		if (strcmp(end + 1, form_names[form]) == 0)
			return (enum report_form)form;
	return settings->compare ? REPORT_AUTO : REPORT_HTML;
}

/* Prints the document: 0 or -errno. */
static int
print_document(const struct report_view *view, const struct run_facts *facts,
    const struct report_settings *settings, FILE *file)
{
	int table = settings->table - 1;

	switch (form_of(settings)) {
	case REPORT_AUTO:
	case REPORT_HTML:
		return report_html(view, facts, file);
	case REPORT_JSON:
		report_json(view, facts, file);
		return 0;
	case REPORT_MARKDOWN:
		run_export_markdown(view, facts, table, file);
		return 0;
	case REPORT_CSV:
		run_export_csv(view, facts, table > 0 ? table : 0, file);
		return 0;
	}
	return 0;
}

/* Prints the document into memory: 0 or -errno; *bytes is for free(). */
static int
print_bytes(const struct report_view *view, const struct run_facts *facts,
    const struct report_settings *settings, char **bytes, size_t *size)
{
	FILE *file = open_memstream(bytes, size);
	int error;

	if (file == NULL)
		return -ENOMEM;
	error = print_document(view, facts, settings, file);
	if (fclose(file) != 0 && !error)
		error = -ENOMEM;
	return error;
}

/*
 * Makes the document in memory: 0 or -errno; *bytes is for free().  A page that
 * would be too large shows fewer games.
 */
static int
make_document(struct run_view *view, const struct report_settings *settings,
    char **bytes, size_t *size, struct store_error *why)
{
	static struct run_facts facts, shown;
	int error = run_view_compute(view, why);

	if (why->what[0] != '\0')
		(void)run_view_lost(why);
	if (error)
		return error;
	error = run_facts_open(
	    &facts, &view->view, view->run, FACTS_GAME_BYTES_MAX, why);
	if (error)
		return error;
	shown = facts;
	error = print_bytes(&view->view, &shown, settings, bytes, size);
	while (!error && *size > PAGE_SIZE_MAX && shown.game_count > 0 &&
	    form_of(settings) == REPORT_HTML) {
		shown.game_count /= 2;
		free(*bytes);
		*bytes = NULL;
		error = print_bytes(&view->view, &shown, settings, bytes, size);
	}
	run_facts_close(&facts);
	return error;
}

/* Writes the bytes to a file, or to stdout if `path` is NULL. */
static enum status
put_document(const char *path, const char *bytes, size_t size)
{
	FILE *file = path != NULL ? fopen(path, "we") : stdout;
	bool written = file != NULL && fwrite(bytes, 1, size, file) == size;
	int error = written ? 0 : errno;

	/* main() looks for errors of stdout. */
	if (file == NULL || path == NULL)
		written = file != NULL;
	else if (fclose(file) != 0 && written) {
		error = errno;
		written = false;
	}
	if (written)
		return STATUS_DONE;
	return error_status(STATUS_ENVIRONMENT,
	    "name another file, or - for the standard output",
	    VERSION_NAME " report RUN -o FILE",
	    "the report \"%s\" cannot be written: %s", path, strerror(error));
}

/* Writes the document to a file; `path` NULL: to stdout. */
static enum status
write_document(struct run_view *view, const struct report_settings *settings,
    const char *path)
{
	struct store_error why = { .what = "" };
	char *bytes = NULL;
	size_t size;
	enum status status;
	int error = make_document(view, settings, &bytes, &size, &why);

	if (error && why.what[0] != '\0')
		status = run_open_error(error, &why);
	else if (error)
		status = error_status(STATUS_ENVIRONMENT, NULL, NULL,
		    "the report cannot be made: %s", strerror(-error));
	else
		status = put_document(path, bytes, size);
	free(bytes);
	return status;
}

enum status
report_write(struct run_view *view, const char *path)
{
	const struct report_settings settings = { .out = path };

	return write_document(view, &settings, path);
}

/* Writes to the file that the user wants, and prints its name. */
static enum status
write_report(struct run_view *view, const struct report_settings *settings)
{
	char page[PATH_MAX];
	const char *path = settings->out;
	enum status status;

	if (path == NULL && form_of(settings) == REPORT_HTML) {
		run_path_join(page, view->run->path, REPORT_PAGE);
		path = page;
	} else if (path != NULL && strcmp(path, "-") == 0) {
		path = NULL;
	}
	status = write_document(view, settings, path);
	if (status == STATUS_DONE && path != NULL)
		printf("%s\n", path);
	return status;
}

/* A run that is open with its view. */
struct report_source_run {
	struct run_opened opened;
	struct run_view view;
};

static enum status
source_open(struct report_source_run *source, const char *given)
{
	char path[PATH_MAX];
	enum status status = run_open_find(given, path);

	if (status == STATUS_DONE)
		status = run_open_whole(&source->opened, path, ENTRANT_TO_READ);
	if (status != STATUS_DONE)
		return status;
	run_view_open(&source->view, &source->opened.setup, &source->opened.run,
	    &source->opened.tournament);
	run_view_update(
	    &source->view, strcmp(source->view.state, RUN_DONE) == 0);
	run_view_correct_state(&source->view);
	return STATUS_DONE;
}

static void
source_close(struct report_source_run *source)
{
	run_view_close(&source->view);
	run_open_close(&source->opened);
}

static int
print_comparison(const struct run_compare *compare,
    const struct report_settings *settings, FILE *file)
{
	struct report_style style = { .width = REPORT_WIDTH };

	switch (form_of(settings)) {
	case REPORT_AUTO:
		if (settings->out == NULL)
			style = report_style_of(stdout);
		return run_compare_text(compare, &style, file);
	case REPORT_HTML:
		return run_compare_html(compare, file);
	case REPORT_JSON:
		return run_compare_json(compare, file);
	case REPORT_MARKDOWN:
		return run_compare_markdown(compare, file);
	case REPORT_CSV:
		return run_compare_csv(compare, file);
	}
	return 0;
}

static enum status
compare_views(struct run_view *before, struct run_view *after,
    const struct report_settings *settings)
{
	static struct run_compare compare;
	const char *path =
	    settings->out != NULL && strcmp(settings->out, "-") != 0
	    ? settings->out
	    : NULL;
	enum status status = STATUS_DONE;
	char *bytes = NULL;
	size_t size;
	FILE *file = open_memstream(&bytes, &size);
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
	if (error)
		status = error_status(STATUS_ENVIRONMENT, NULL, NULL,
		    "the comparison cannot be made: %s", strerror(-error));
	else
		status = put_document(path, bytes, size);
	if (status == STATUS_DONE && path != NULL)
		printf("%s\n", path);
	free(bytes);
	return status;
}

static enum status
report_run(const void *given, char **argv)
{
	static struct report_source_run first, second;
	const struct report_settings *settings = given;
	bool two = argv[0] != NULL && argv[1] != NULL;
	enum status status;

	if (two != settings->compare)
		return error_status(STATUS_USAGE, NULL,
		    VERSION_NAME " report --compare BEFORE AFTER", "%s",
		    two ? "a report is of one run"
			: "a comparison is of two runs");
	status = source_open(&first, argv[0]);
	if (status != STATUS_DONE)
		return status;
	if (two) {
		status = source_open(&second, argv[1]);
		if (status == STATUS_DONE) {
			status =
			    compare_views(&first.view, &second.view, settings);
			source_close(&second);
		}
	} else {
		status = write_report(&first.view, settings);
	}
	source_close(&first);
	return status;
}

static bool
read_table(const char *value, void *field, struct scopa_text *why)
{
	int *table = field;

	for (int i = 0; run_export_tables[i] != NULL; i++) {
		if (strcmp(run_export_tables[i], value) == 0) {
			*table = i + 1;
			return true;
		}
	}
	return option_refuse(why, "there is no such table");
}

static const struct option report_options[] = {
	TEXT_OPTION("out", "FILE", offsetof(struct report_settings, out),
	    "The file that is written; - is the standard output. Without it "
	    "the "
	    "page is `" REPORT_PAGE "` in the folder of the run, and other "
	    "formats go to the standard output.",
	    .aliases = { "o" }),
	NAME_OPTION("format", "FORMAT", offsetof(struct report_settings, form),
	    form_names,
	    "A page for a browser; or its numbers as a JSON document, as "
	    "tables "
	    "of GitHub's Markdown, or as comma-separated values of one table. "
	    "auto: what the name of the file ends in, else the page.",
	    .fallback = "auto"),
	PARSED_OPTION("table", "NAME", offsetof(struct report_settings, table),
	    read_table,
	    "The table of csv (without it `ranking`) or md (without it those "
	    "for people): "
	    "ranking, pairs, sources, seats, margins, llr, times, slowest, "
	    "metrics, failures, failure_log, games, records or workers."),
	FLAG_OPTION("json", offsetof(struct report_settings, json),
	    "The same as --format json."),
	FLAG_OPTION("compare", offsetof(struct report_settings, compare),
	    "Say what has changed from one run to another: points, Elo, "
	    "results, time, faults and points by source of the bots that both "
	    "have. As text, or in another format."),
	OPTIONS_END,
};

const struct command command_report = {
	.name = "report",
	.sentence = "Writes a page that shows a run: one file for a browser.",
	.usage = "[RUN] | --compare RUN RUN",
	.arguments = { { "RUN",
	    "The folder of a run; without it, the newest below runs/." } },
	.argument_max = 2,
	.examples = { "report", "report runs/2026-11-21-101500-cup -o cup.html",
	    "report --json", "report --compare runs/before runs/after" },
	.options = report_options,
	.settings_size = sizeof(struct report_settings),
	.run = report_run,
};
