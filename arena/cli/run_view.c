/*
 * Implements run_view.h.  A document is made in memory and then written, so
 * that a failure does not destroy an older one.
 */
#include "run_view.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "command.h"
#include "run_export.h"
#include "run_facts.h"
#include "run_open.h"
#include "text_format.h"
#include "version.h"

enum { PAGE_SIZE_MAX = 5 * 1000 * 1000 }; /* bytes */

/*
 * A secret that the arena has drawn stays hidden until it is published after
 * the last deal.
 */
void
run_view_reveal(struct run_view *view)
{
	const struct store_head *head = &view->run->head;
	bool shown = !head->committed || head->secret[0] != '\0';

	view->view.seed =
	    view->setup->settings->game.packs.path == NULL && shown ? view->seed
								    : NULL;
	sodium_bin2hex(view->chain, sizeof(view->chain), view->run->chain,
	    sizeof(view->run->chain));
}

/* Appends to the time of bots whether it differs between machines. */
static void
show_clock(const struct remote_words *words, struct scopa_text *text)
{
	if (words->clock == RUN_CLOCK_SCALED)
		scopa_text_string(
		    text, ", divided by the speed of each worker");
	else if (words->clock == RUN_CLOCK_CLASS)
		scopa_text_print(
		    text, ", on workers of the class %s", words->labels);
}

void
run_view_open(struct run_view *view, const struct tournament_setup *setup,
    const struct run *run, const struct tournament *tournament)
{
	struct scopa_text rules, control, shown, shard;

	*view = (struct run_view){
		.setup = setup,
		.run = run,
		.tournament = tournament,
		.view = {
			.head = &run->head,
			.standings = &tournament->standings,
			.path = run->path,
			.state = view->state,
			.format = setup->is_gate
			    ? "gate"
			    : schedule_format_names[setup->schedule.format],
			.shard = setup->settings->shard.count > 0
			    ? view->shard
			    : NULL,
			.rules = view->rules,
			.time_control = view->time_control,
			.time_shown = view->time_shown,
			.deals = setup->play.rules.deals,
			.duplicate = setup->schedule.duplicate,
			.mixed = setup->schedule.mixed,
			.may_end_early = setup->is_gate
			    ? setup->gate.sequential
			    : setup->schedule.format == SCHEDULE_KNOCKOUT,
			.blocks_planned = setup->is_gate
			    ? setup->gate.blocks_max
			    : schedule_block_count(&setup->schedule),
			.level = setup->settings->level,
			.gate = tournament_setup_gate(setup),
			.verdict = tournament_setup_gate(setup) != NULL
			    ? &view->verdict
			    : NULL,
			.places = view->places,
			.packs = setup->settings->game.packs.path,
			.chain = view->chain,
			.suspended = tournament->suspended,
		},
	};
	scopa_text_init(&shard, view->shard, sizeof(view->shard));
	shard_format(&setup->settings->shard, &shard);
	scopa_text_init(&rules, view->rules, sizeof(view->rules));
	scopa_rules_spec(
	    &setup->play.rules.rules, setup->play.rules.preset, &rules);
	scopa_text_init(
	    &control, view->time_control, sizeof(view->time_control));
	budget_control_format(&setup->play.rules.settings.control, &control);
	scopa_text_init(&shown, view->time_shown, sizeof(view->time_shown));
	budget_control_show(&setup->play.rules.settings.control, &shown);
	show_clock(&setup->settings->remote, &shown);
	shuffle_key_format(&setup->secret, view->seed);
	run_view_reveal(view);
	if (store_state(run->store, view->state, sizeof(view->state)) < 0)
		view->state[0] = '\0';
	run_view_look_for_workers(view);
	run_view_update(view, false);
}

void
run_view_close(struct run_view *view)
{
	worker_list_release(&view->workers);
	audit_history_release(&view->audits);
	report_close(&view->view);
}

void
run_view_look_for_workers(struct run_view *view)
{
	worker_list_release(&view->workers);
	view->view.workers =
	    worker_list_read(view->run->path, &view->workers) == 0
	    ? &view->workers
	    : NULL;
	audit_history_release(&view->audits);
	view->view.audits =
	    audit_history_read(&view->audits, view->run->path) == 0
	    ? &view->audits
	    : NULL;
}

void
run_view_update(struct run_view *view, bool ended)
{
	for (int bot = 0; bot < view->setup->play.entrant_count; bot++)
		view->places[bot] =
		    schedule_place(view->tournament->schedule, bot);
	if (tournament_setup_gate(view->setup) != NULL)
		view->verdict = gate_judge(
		    &view->setup->gate, &view->tournament->standings, ended);
}

/*
 * Whether the luck of the deal affects the results, so that an estimate without
 * it (variates.h) is of use.  It is false for packs of a file, because it is
 * unknown how they were made.
 *
 * It is also false for duplicate games of a fixed number of deals: every bot
 * plays at every seat with the same packs, which cancels the luck.  In games to
 * a target some bots may need fewer deals than others, so the deals that only
 * some games have remain luck.
 */
static bool
has_luck(const struct tournament_setup *setup)
{
	return setup->settings->game.packs.path == NULL &&
	    !(setup->schedule.duplicate && setup->play.rules.deals > 0);
}

int
run_view_compute(struct run_view *view, struct store_error *lost)
{
	struct variates *variates = &view->variates;
	int error = report_compute(&view->view, REPORT_REPLICATES);

	lost->what[0] = '\0';
	if (error || !has_luck(view->setup))
		return error;
	variates_init(variates, &view->setup->play.rules.rules,
	    view->setup->play.rules.deals);
	if (variates_read(variates, view->run, lost) == 0) {
		variates_estimate(variates, view->setup->settings->level);
		view->view.variates = variates->rows;
		view->view.variate_count = variates->row_count;
	}
	variates_close(variates);
	return 0;
}

/* Prints that records could not be read. */
static enum status
report_lost(const struct store_error *lost)
{
	error_print("%s", lost->what);
	error_detail("lost", "the estimate without the luck of the deal");
	return STATUS_ENVIRONMENT;
}

static struct report_style
style_of(const struct run_view *view)
{
	struct report_style style = report_style_of(stdout);

	style.full = view->full;
	return style;
}

void
run_view_print_next(const struct run_view *view)
{
	const struct report_style style = style_of(view);

	report_text_next(&view->view, &style, stdout);
}

enum status
run_view_print(struct run_view *view, bool json, bool quiet)
{
	const struct report_style style = style_of(view);
	struct store_error lost = { .what = "" };
	bool whole = json || (view->full && !quiet);
	int error = whole ? run_view_compute(view, &lost)
			  : report_compute(&view->view, REPORT_REPLICATES);

	if (!error && json)
		report_json(&view->view, NULL, stdout);
	else if (!error && quiet)
		report_text_verdict(&view->view, &style, stdout);
	else if (!error)
		error = report_text(&view->view, &style, stdout);
	if (error)
		return memory_error();
	return lost.what[0] != '\0' ? report_lost(&lost) : STATUS_DONE;
}

/*
 * Documents.
 */

const char *const run_view_forms[] = {
	[RUN_VIEW_AUTO] = "auto",
	[RUN_VIEW_HTML] = "html",
	[RUN_VIEW_JSON] = "json",
	[RUN_VIEW_MARKDOWN] = "md",
	[RUN_VIEW_CSV] = "csv",
	NULL,
};

enum run_view_form
run_view_form_of(const char *path)
{
	const char *end = path != NULL ? strrchr(path, '.') : NULL;

	for (int form = RUN_VIEW_HTML; end != NULL && run_view_forms[form];
	     form++)
		if (strcmp(end + 1, run_view_forms[form]) == 0)
			return (enum run_view_form)form;
	return RUN_VIEW_AUTO;
}

/* Prints the document into memory.  Returns 0 or -errno. */
static int
print_document(const struct report_view *view, const struct run_facts *facts,
    struct run_document *document)
{
	FILE *file = memory_file_open(&document->bytes, &document->size);
	int table = document->table, error = 0;

	if (file == NULL)
		return -ENOMEM;
	switch (document->form) {
	case RUN_VIEW_AUTO:
	case RUN_VIEW_HTML:
		error = report_html(view, facts, file);
		break;
	case RUN_VIEW_JSON:
		report_json(view, facts, file);
		break;
	case RUN_VIEW_MARKDOWN:
		error = run_export_markdown(view, facts, table, file);
		break;
	case RUN_VIEW_CSV:
		run_export_csv(view, facts, table, file);
		break;
	}
	if (fclose(file) != 0 && !error)
		error = -ENOMEM;
	if (error) {
		free(document->bytes);
		document->bytes = NULL;
	}
	return error;
}

/* If a page is too large, it is made again with fewer games. */
int
run_view_document(struct run_view *view, struct run_document *document,
    struct store_error *why)
{
	static struct run_facts facts, shown;
	int error;

	if (view->state[0] == '\0')
		return store_fail(
		    why, -EIO, "", "the state of the run cannot be read");
	error = run_facts_open(
	    &facts, &view->view, view->run, document->game_bytes_max, why);
	if (error)
		return error;
	shown = facts;
	error = print_document(&view->view, &shown, document);
	while (!error && document->size > PAGE_SIZE_MAX &&
	    shown.game_count > 0 && document->form <= RUN_VIEW_HTML) {
		shown.game_count /= 2;
		free(document->bytes);
		error = print_document(&view->view, &shown, document);
	}
	run_facts_close(&facts);
	return error;
}

enum status
document_write(const char *path, const char *bytes, size_t size)
{
	struct output_file output;
	enum status status;
	int error;

	if (path == NULL) {
		/* main() checks stdout for errors. */
		fwrite(bytes, 1, size, stdout);
		return STATUS_DONE;
	}
	status = refuse_file_of_run(path);
	if (status != STATUS_DONE)
		return status;
	error = output_file_open(&output, path);
	if (!error) {
		fwrite(bytes, 1, size, output.file);
		error = output_file_commit(&output);
		output_file_close(&output);
	}
	if (!error)
		return STATUS_DONE;
	return error_status(STATUS_ENVIRONMENT,
	    "name another file, or - for the standard output",
	    VERSION_NAME " report RUN -o FILE",
	    "the report \"%s\" cannot be written: %s", path, strerror(-error));
}

enum status
run_view_write(
    struct run_view *view, enum run_view_form form, int table, const char *path)
{
	struct run_document document = {
		.form = form,
		.table = table,
		.game_bytes_max = FACTS_GAME_BYTES_MAX,
	};
	struct store_error lost, why = { .what = "" };
	enum status status;
	int error = run_view_compute(view, &lost);

	if (lost.what[0] != '\0')
		(void)report_lost(&lost);
	if (!error)
		error = run_view_document(view, &document, &why);
	status = error ? run_open_error(error, &why)
		       : document_write(path, document.bytes, document.size);
	free(document.bytes);
	return status;
}
