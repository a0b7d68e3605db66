#include "run_view.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "complaint.h"

static void
fill_texts(struct run_view *view, const struct tournament_setup *setup)
{
	struct scopa_text text;

	scopa_text_init(&text, view->rules, sizeof(view->rules));
	scopa_rules_spec(&setup->rules.rules, setup->rules.preset, &text);
	scopa_text_init(&text, view->time_control, sizeof(view->time_control));
	budget_control_format(&setup->rules.settings.control, &text);
	scopa_text_init(&text, view->time_shown, sizeof(view->time_shown));
	budget_control_show(&setup->rules.settings.control, &text);
	shuffle_key_format(&setup->secret, view->seed);
}

void
run_view_open(struct run_view *view, const struct tournament_setup *setup,
    const struct run *run, const struct tournament *tournament)
{
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
			    : schedule_format_name(setup->schedule.format),
			.rules = view->rules,
			.time_control = view->time_control,
			.time_shown = view->time_shown,
			.deals = setup->rules.deals,
			.duplicate = setup->schedule.duplicate,
			.mixed = setup->schedule.mixed,
			.blocks_planned = setup->is_gate
			    ? setup->gate.blocks_max
			    : schedule_block_count(&setup->schedule),
			.level = setup->level,
			.gate = setup->is_gate ? &setup->gate : NULL,
			.verdict = setup->is_gate ? &view->verdict : NULL,
			.places = view->places,
			.suspended = tournament->suspended,
		},
	};
	fill_texts(view, setup);
	view->view.packs = setup->packs_path;
	view->view.chain = view->chain;
	run_view_tell(view);
	if (store_state(run->store, view->state, sizeof(view->state)) < 0)
		view->state[0] = '\0';
	run_view_update(view, false);
}

/*
 * A secret that was drawn is the organiser's until the last deal, though his
 * configuration has it from the beginning.
 */
void
run_view_tell(struct run_view *view)
{
	const struct store_head *head = &view->run->head;
	bool shown = !head->committed || head->secret[0] != '\0';

	view->view.seed =
	    view->setup->packs_path == NULL && shown ? view->seed : NULL;
	sodium_bin2hex(view->chain, sizeof(view->chain), view->run->chain,
	    sizeof(view->run->chain));
}

void
run_view_close(struct run_view *view)
{
	report_close(&view->view);
}

void
run_view_update(struct run_view *view, bool ended)
{
	for (int bot = 0; bot < view->setup->entrant_count; bot++)
		view->places[bot] =
		    schedule_place(view->tournament->schedule, bot);
	if (view->setup->is_gate)
		view->verdict = gate_judge(
		    &view->setup->gate, &view->tournament->standings, ended);
}

/*
 * Whether deals may have been worth more to one bot than to another, and how
 * much is to be expected: nobody knows it of packs that were not drawn.
 *
 * A duplicate block cancels it all, with all bots at all seats for so many
 * deals; the reference bot, too, makes nothing of it who sits next to whom.
 * But games to a target end sooner for some, and the deals that only some of
 * the games have are luck.
 */
static bool
has_luck(const struct tournament_setup *setup)
{
	return setup->packs_path == NULL &&
	    !(setup->schedule.duplicate && setup->rules.deals > 0);
}

static int
fill_variates(struct run_view *view, struct store_error *error)
{
	struct variates *variates = &view->variates;
	int status;

	if (!has_luck(view->setup))
		return 0;
	variates_init(
	    variates, &view->setup->rules.rules, view->setup->rules.deals);
	status = variates_read(variates, view->run, error);
	if (status != 0)
		return status;
	variates_estimate(variates, view->setup->level);
	view->view.variates = variates->rows;
	view->view.variate_count = variates->row_count;
	return 0;
}

enum status
run_view_print(struct run_view *view, bool json, bool quiet)
{
	struct report_style style = report_style_of(stdout);
	int error = report_compute(&view->view, REPORT_REPLICATES);
	struct store_error why = { .what = "" };
	int unread = quiet ? 0 : fill_variates(view, &why);

	if (!error && json)
		report_json(&view->view, stdout);
	else if (!error && quiet)
		report_text_verdict(&view->view, &style, stdout);
	else if (!error)
		error = report_text(&view->view, &style, stdout);
	if (error) {
		complaint_say(
		    "the report cannot be made: %s", strerror(-error));
		return STATUS_ENVIRONMENT;
	}
	if (unread) {
		complaint_say("%s", why.what);
		complaint_add(
		    "lost", "the estimate without the luck of the deal");
		return STATUS_ENVIRONMENT;
	}
	return STATUS_DONE;
}
