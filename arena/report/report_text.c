/*
 * The text report: the verdict or the leader, the run, then the tables about
 * two bots or about all.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"
#include "report.h"
#include "run.h"
#include "sandbox.h"
#include "words.h"

enum {
	LINE_SIZE = 4096,
	LEAD_DIGITS = 2,         /* of the lead, after the point */
	COMMANDS_SHOWN_MAX = 6,  /* with more bots no command is shown */
	REPLACED_SHOWN_MAX = 20, /* replaced blocks of a worker */
	/* Lines of one kind, in a short report and in a full one. */
	LINES_SHORT_MAX = 3,
	LINES_FULL_MAX = 12
};

/* Returns the most lines of one kind. */
static int
lines_max(const struct text_page *page)
{
	return page->style->full ? LINES_FULL_MAX : LINES_SHORT_MAX;
}

/* Says how many of `count` lines are not shown. */
static void
put_rest(struct text_page *page, const char *label, int count, const char *noun)
{
	if (count > lines_max(page))
		text_line(page, label, "and %d more %s",
		    count - lines_max(page), noun);
}

/* Adds to a verdict: the test, the margin, the exit status. */
static void
put_grounds(struct text_page *page)
{
	const struct gate_verdict *verdict = page->view->verdict;
	const struct gate_config *gate = page->view->gate;
	const struct sprt *sprt = &gate->sprt;

	if (gate->sequential)
		text_put(page, LOOK_PLAIN, "model %s, %g against %g %s; ",
		    sprt_model_names[sprt->model], sprt->low, sprt->high,
		    text_unit(sprt_unit_name(sprt)));
	if (verdict->has_unbiased)
		text_put(page, LOOK_PLAIN, "%s %s median-unbiased, plain ",
		    verdict->unbiased_is_elo ? "Elo" : "margin",
		    verdict->unbiased_is_elo
			? number_elo(&verdict->unbiased).text
			: number_points(&verdict->unbiased).text);
	text_put(page, LOOK_PLAIN, "margin %s",
	    number_points_half(&verdict->margin).text);
	if (verdict->outcome != GATE_OPEN)
		text_put(page, LOOK_PLAIN, "; exit %d",
		    gate_exit_status(verdict->outcome));
}

const char *
report_mark(const struct report_view *view)
{
	static const char *const marks[2][2] = {
		{ "", ", " SANDBOX_UNBOXED },
		{ ", for analysis", ", for analysis, " SANDBOX_UNBOXED },
	};

	return marks[view->standings->analysed > 0]
		    [standings_unboxed(view->standings) > 0];
}

/* Prints the verdict in its color, the reason, and whether to doubt it. */
static void
print_verdict(struct text_page *page)
{
	static const enum look looks[] = {
		[GATE_OPEN] = LOOK_DOUBT,
		[GATE_PASS] = LOOK_GOOD,
		[GATE_REGRESSION] = LOOK_BAD,
		[GATE_INCONCLUSIVE] = LOOK_DOUBT,
	};
	const struct report_view *view = page->view;
	enum gate_outcome outcome = view->verdict->outcome;
	struct scopa_text text = SCOPA_TEXT(LINE_SIZE);

	_Static_assert(COUNTOF(looks) == GATE_OUTCOME_COUNT, "one each");
	text_label(page, "verdict");
	text_put(page, looks[outcome], "%s", gate_outcome_name(outcome));
	text_put(page, LOOK_PLAIN, ", %s against %s: %s (",
	    report_name(view, 0), report_name(view, 1), view->verdict->reason);
	put_grounds(page);
	text_put(page, LOOK_PLAIN, ")%s", report_mark(view));
	text_end(page);
	if (report_caution(view, &text))
		text_line(page, "CAUTION", "%s", text.bytes);
}

/* Prints the leader, and how sure the lead is. */
static void
print_leader(struct text_page *page)
{
	const struct report_view *view = page->view;
	const int *order = view->ratings.order;
	struct estimate gap = report_gap(view, order[0], order[1]);
	double above = report_above_next(view, 0);
	struct scopa_text places = SCOPA_TEXT(LINE_SIZE);

	if (view->standings->blocks == 0) {
		text_line(page, "result", "no block was counted");
		return;
	}
	text_label(page, "result");
	text_put(page, LOOK_BOLD, "%s", report_name(view, order[0]));
	if (report_places_say(view, &places))
		text_put(page, LOOK_PLAIN, "%s", places.bytes);
	else if (gap.value == 0)
		text_put(page, LOOK_PLAIN, " is tied with %s",
		    report_name(view, order[1]));
	else
		text_put(page, LOOK_PLAIN,
		    " is first, %s +-%s points per deal ahead of %s",
		    number_fixed(gap.value, LEAD_DIGITS).text,
		    number_half(&gap, LEAD_DIGITS).text,
		    report_name(view, order[1]));
	if (places.length == 0 && gap.value != 0 && isfinite(above))
		text_put(page, LOOK_PLAIN, " (%s likely to be stronger)",
		    number_probability(above).text);
	else if (places.length == 0 && gap.value != 0)
		text_put(page, LOOK_PLAIN, " (too few differing rounds)");
	text_put(page, LOOK_PLAIN, "%s", report_mark(view));
	text_end(page);
}

static void
print_result(struct text_page *page)
{
	if (page->view->verdict != NULL)
		print_verdict(page);
	else
		print_leader(page);
}

/*
 * Prints a line about each bot for which `put` returns true.  `noun` says which
 * bots are left out if there are too many.
 */
static void
print_bots(struct text_page *page, const char *label, const char *noun,
    bool (*put)(
	const struct report_view *view, int bot, struct scopa_text *text))
{
	int bots = 0;

	for (int bot = 0; bot < report_bot_count(page->view); bot++) {
		struct scopa_text text = SCOPA_TEXT(LINE_SIZE);

		if (put(page->view, bot, &text) && ++bots <= lines_max(page))
			text_line(page, label, "%s", text.bytes);
	}
	put_rest(page, label, bots, noun);
}

/* Prints the bots that lost games by their own offences. */
static void
print_faults(struct text_page *page)
{
	print_bots(page, "faults", "bots that lost games so", report_faults);
}

void
report_text_verdict(const struct report_view *view,
    const struct report_style *style, FILE *file)
{
	struct text_page page = text_page_of(view, style, file);

	print_result(&page);
	print_faults(&page);
}

/* Prints how many clocks were restarted, and why. */
static void
print_void(struct text_page *page)
{
	const struct standings *standings = page->view->standings;

	if (standings->void_turns == 0)
		return;
	text_label(page, "VOID");
	text_put(page, LOOK_PLAIN,
	    "%jd clock%s restarted in %jd game%s: ", standings->void_turns,
	    text_plural(standings->void_turns), standings->void_games,
	    text_plural(standings->void_games));
	if (standings->lag_longest_ns > 0)
		text_put(page, LOOK_PLAIN,
		    "the arena itself was delayed, by up to %.3f s",
		    (double)standings->lag_longest_ns / 1e9);
	else
		text_put(page, LOOK_PLAIN,
		    "another bot computed when it was not to move");
	text_end(page);
}

static void
print_repeats(struct text_page *page)
{
	const struct standings *standings = page->view->standings;

	if (standings->repeats > 0)
		text_line(page, "REPEATED",
		    "%jd of %jd blocks repeat packs that the same bots have "
		    "met: no new evidence, left out of ratings and tests",
		    standings->repeats, standings->blocks);
}

/* Prints the folder of the run, and how much was played. */
static void
print_run(struct text_page *page)
{
	const struct report_view *view = page->view;
	const struct standings *standings = view->standings;
	/* The number before the word `block`. */
	int64_t blocks = standings->blocks;

	if (view->path != NULL)
		text_line(page, "run", "%s%s%s", view->path,
		    view->state != NULL ? ", " : "",
		    view->state != NULL ? view->state : "");
	text_label(page, "played");
	if (view->format != NULL)
		text_put(page, LOOK_PLAIN, "%s, ", view->format);
	if (view->shard != NULL)
		text_put(page, LOOK_PLAIN, "shard %s, ", view->shard);
	if (report_blocks_due(view) > 0) {
		text_put(page, LOOK_PLAIN, "%jd of %s", blocks,
		    view->may_end_early ? "at most " : "");
		blocks = report_blocks_due(view);
	}
	text_put(page, LOOK_PLAIN,
	    "%jd block%s of %d game%s%s%s, %jd game%s, %jd deal%s", blocks,
	    text_plural(blocks), view->head->game_count,
	    text_plural(view->head->game_count),
	    view->duplicate ? " (duplicate)" : "",
	    view->mixed ? " with mixed partners" : "", standings->games,
	    text_plural(standings->games), standings->deals,
	    text_plural(standings->deals));
	if (standings->skipped > 0)
		text_put(page, LOOK_PLAIN, ", %jd block%s skipped",
		    standings->skipped, text_plural(standings->skipped));
	text_end(page);
	print_repeats(page);
	if (standings->replayed > 0)
		text_line(page, "replayed",
		    "%jd game%s played again with the same cards: the table "
		    "voided of results.db says why",
		    standings->replayed, text_plural(standings->replayed));
	if (standings->max_deals_games > 0)
		text_line(page, "DRAWN",
		    "%jd game%s, as nobody had won after the most deals that "
		    "a game may have; see --max-deals",
		    standings->max_deals_games,
		    text_plural(standings->max_deals_games));
	print_void(page);
}

/* Appends how often the clock cut decisions short; false: never. */
static bool
put_cuts(const struct report_view *view, int bot, struct scopa_text *text)
{
	const struct standing *standing = &view->standings->bots[bot];

	text_printf(text,
	    "%s: %jd of %jd decisions were cut short by the clock",
	    report_name(view, bot), standing->cut_short, standing->decisions);
	return standing->cut_short > 0;
}

/* Appends how often the bot computed when not to move; false: never. */
static bool
put_ponder(const struct report_view *view, int bot, struct scopa_text *text)
{
	const struct standing *standing = &view->standings->bots[bot];

	text_printf(text,
	    "%s: %.3f s of CPU time when it was not to move, in %jd game%s",
	    report_name(view, bot), (double)standing->ponder_ns / 1e9,
	    standing->ponder_games, text_plural(standing->ponder_games));
	return standing->ponder_games > 0;
}

static void
print_clocks(struct text_page *page)
{
	print_bots(page, "CUT", "bots", put_cuts);
	print_bots(page, "PONDER", "bots", put_ponder);
}

void
report_text_remarks(const struct report_view *view, int label_width, FILE *file)
{
	const struct report_style style = { .full = true };
	struct text_page page = text_page_of(view, &style, file);

	page.label_width = label_width;
	print_repeats(&page);
	print_clocks(&page);
	print_void(&page);
}

/* Appends what may have caused an odd result of two bots. */
static void
put_cause(const struct report_view *view, int first, int second,
    struct scopa_text *text)
{
	int64_t forfeits =
	    standings_encounter(view->standings, first, second)->forfeits +
	    standings_encounter(view->standings, second, first)->forfeits;

	if (forfeits > 0)
		text_printf(text, "%jd of their games %s lost by an offence",
		    forfeits, forfeits == 1 ? "was" : "were");
	else
		scopa_text_string(
		    text, "possible collusion, or styles that suit each other");
}

/* Prints the pairs with odd results: they may have helped each other. */
static void
print_oddities(struct text_page *page)
{
	const struct report_view *view = page->view;
	int count = report_bot_count(view), shown = 0;

	for (int pair = 0; pair < count * count; pair++) {
		const struct residual *residual =
		    &view->ratings.residuals[pair];
		int first = pair / count, second = pair % count;
		struct scopa_text cause = SCOPA_TEXT(LINE_SIZE);

		/* The pair is printed once: by the bot that gained. */
		if (!residual->odd || residual->z < 0 ||
		    ++shown > lines_max(page))
			continue;
		put_cause(view, first, second, &cause);
		text_line(page, "ODD",
		    "%s made %s points per deal against %s, the other "
		    "results predict %s (%.1f standard errors): %s",
		    report_name(view, first),
		    number_signed(
			standings_encounter(view->standings, first, second)
			    ->margins.mean,
			3)
			.text,
		    report_name(view, second),
		    number_signed(residual->expected, 3).text, residual->z,
		    cause.bytes);
	}
	put_rest(page, "ODD", shown, "pairs");
}

static void
print_rules(struct text_page *page)
{
	const struct report_view *view = page->view;
	const struct scopa_rules *rules = &view->standings->rules;
	struct scopa_text text = SCOPA_TEXT(LINE_SIZE);

	scopa_param_format(scopa_param_find("teams"), rules, &text);
	text_label(page, "rules");
	if (view->rules != NULL)
		text_put(page, LOOK_PLAIN, "%s, ", view->rules);
	text_put(page, LOOK_PLAIN, "%d seats %s", rules->players, text.bytes);
	if (view->deals > 0)
		text_put(page, LOOK_PLAIN, ", %d deal%s a game", view->deals,
		    text_plural(view->deals));
	else
		text_put(page, LOOK_PLAIN, ", to %d points", rules->target);
	if (view->time_shown != NULL)
		text_put(page, LOOK_PLAIN, ", time %s", view->time_shown);
	text_end(page);
	if (view->packs != NULL)
		text_line(page, "packs", "%s", view->packs);
	else if (view->seed != NULL)
		text_line(page, "seed", "%s", view->seed);
}

/* Prints the sandbox, or `box 40 games, core 2 games` if there were several. */
static void
print_sandbox(struct text_page *page)
{
	const struct standings *standings = page->view->standings;
	int count = standings->sandbox_count;

	if (count == 0 || (count == 1 && !standings->sandboxes[0].name[0]))
		return;
	text_label(page, "sandbox");
	for (int i = 0; i < count; i++) {
		const struct standings_sandbox *sandbox =
		    &standings->sandboxes[i];

		text_put(page, LOOK_PLAIN, "%s%s", i > 0 ? ", " : "",
		    sandbox->name[0] ? sandbox->name : "unknown");
		if (count > 1)
			text_put(page, LOOK_PLAIN, " %jd game%s",
			    sandbox->games, text_plural(sandbox->games));
	}
	text_end(page);
}

/* Prints `3 of 4, 12 cores, 57.0 games/s; quarantined: luca`. */
static void
print_workers(struct text_page *page)
{
	const struct worker_list *workers = page->view->workers;
	struct worker_total total;

	if (workers == NULL)
		return;
	total = worker_list_total(workers);
	text_label(page, "workers");
	text_put(page, LOOK_PLAIN, "%d of %d, %d core%s, %.1f games/s",
	    total.live, workers->count, total.cores, text_plural(total.cores),
	    total.games_per_s);
	for (int i = 0, found = 0; i < workers->count; i++)
		if (strcmp(workers->rows[i].state, "quarantined") == 0)
			text_put(page, LOOK_BAD, "%s%s",
			    found++ == 0 ? "; quarantined: " : ", ",
			    workers->rows[i].name);
	text_end(page);
}

/* Prints which blocks of a quarantined worker were played again, and why. */
static void
print_replays(struct text_page *page)
{
	const struct audit_history *audits = page->view->audits;

	for (int i = 0; audits != NULL && i < audits->case_count; i++) {
		const struct audit_case *audit = &audits->cases[i];

		text_label(page, "replayed");
		text_put(page, LOOK_PLAIN, "%jd block%s of worker %s",
		    audit->same_count + audit->replaced_count,
		    text_plural(audit->same_count + audit->replaced_count),
		    audits->workers[audit->worker].name);
		for (int j = 0; j < audit->replaced_count; j++) {
			if (j == REPLACED_SHOWN_MAX) {
				text_put(page, LOOK_BAD, ", ...");
				break;
			}
			text_put(page, LOOK_BAD, "%s%jd",
			    j == 0 ? ", replaced " : ", ",
			    audit->replaced[j] + 1);
		}
		if (audit->left > 0)
			text_put(page, LOOK_BAD, ", %jd not yet", audit->left);
		text_put(page, LOOK_PLAIN, ": %s", audit->reason);
		text_end(page);
	}
}

/* Prints the published values of a fair run. */
static void
print_fairness(struct text_page *page)
{
	const struct store_head *head = page->view->head;

	if (head->commitment[0] != '\0')
		text_line(page, "commit", "%s", head->commitment);
	if (head->contributions[0] != '\0')
		text_line(page, "mixed", "%s", head->contributions);
	if (page->view->chain != NULL)
		text_line(page, "chain", "%s", page->view->chain);
}

static void
print_commands(struct text_page *page)
{
	const struct report_view *view = page->view;
	const struct store_head *head = view->head;

	if (head->bot_count > COMMANDS_SHOWN_MAX)
		return;
	for (int bot = 0; bot < head->bot_count; bot++) {
		const char *command = head->bots[bot].command;

		text_line(page,
		    view->verdict == NULL ? "bot"
			: bot == 0        ? "candidate"
					  : "base",
		    "%s%s%s", head->bots[bot].name,
		    command[0] != '\0' ? ": " : "", command);
	}
}

/*
 * Two bots in the text report.
 */

/* Adds a row of points per deal. */
static void
points_row(struct text_table *table, const char *label,
    const struct estimate *points, double los, int64_t blocks,
    const struct sprt_state *state)
{
	text_table_row(table, "%s|%s|%s|%jd", label, number_points(points).text,
	    number_probability(los).text, blocks);
	if (state != NULL)
		text_table_row(table, "%s", number_signed(state->llr, 2).text);
}

/* Prints the margin with forfeits and without. */
static void
print_points(struct text_page *page, const struct report_pair *pair)
{
	const struct report_view *view = page->view;
	const struct gate_verdict *verdict = view->verdict;
	bool tested = verdict != NULL && view->gate->sequential;
	struct text_table table;

	text_title(page, "points per deal of %s against %s, intervals at %g%%",
	    report_name(view, 0), report_name(view, 1),
	    100 * report_level(view));
	text_table_open(&table,
	    tested ? "|points|LOS|blocks|LLR" : "|points|LOS|blocks", 1);
	if (tested && verdict->has_unbiased && !verdict->unbiased_is_elo)
		text_table_row(&table, "  median-unbiased|%s|||",
		    number_points(&verdict->unbiased).text);
	points_row(&table, "  all blocks", &pair->margin, pair->los,
	    pair->encounter->margins.count, tested ? &verdict->sprt : NULL);
	points_row(&table, "  without forfeits", &pair->clean, pair->clean_los,
	    pair->encounter->clean.count, tested ? &verdict->clean_sprt : NULL);
	text_put_table(page, &table);
}

/* Prints the hypotheses of the test and its state. */
static void
print_sprt(struct text_page *page)
{
	static const char *const decisions[] = {
		[SPRT_CONTINUE] = "no decision yet",
		[SPRT_ACCEPT_H0] = "H0 accepted",
		[SPRT_ACCEPT_H1] = "H1 accepted",
	};
	const struct sprt *sprt = &page->view->gate->sprt;
	const struct sprt_state *state = &page->view->verdict->sprt;

	_Static_assert(COUNTOF(decisions) == SPRT_DECISION_COUNT, "one each");
	text_line(page, "sprt",
	    "model %s, H0 %g against H1 %g in %s, alpha %g, beta %g",
	    sprt_model_names[sprt->model], sprt->low, sprt->high,
	    text_unit(sprt_unit_name(sprt)), sprt->alpha, sprt->beta);
	text_label(page, "");
	text_put(page, LOOK_PLAIN, "LLR %s, bounds %s and %s: %s",
	    number_signed(state->llr, 2).text,
	    number_signed(state->lower, 2).text,
	    number_signed(state->upper, 2).text, decisions[state->decision]);
	if (state->certain)
		text_put(page, LOOK_PLAIN,
		    " at once, %.1f standard errors beyond both",
		    state->errors);
	text_end(page);
}

static void
strength_row(struct text_table *table, const char *label,
    const struct strength *strength)
{
	text_table_row(table, "%s|%s|%s|%s|%s|%jd", label,
	    number_percent(strength->score.value).text,
	    number_elo(&strength->elo).text, number_elo(&strength->nelo).text,
	    number_probability(strength->los).text, strength->count);
}

/* Prints wins and losses: by pairs of games and by single games. */
static void
print_strength(struct text_page *page, const struct report_pair *pair)
{
	struct text_table table;

	text_title(page, "wins and losses of %s against %s",
	    report_name(page->view, 0), report_name(page->view, 1));
	text_table_open(&table, "|score|Elo|nElo|LOS|count", 1);
	if (pair->encounter->paired)
		strength_row(&table, "  pairs", &pair->pairs);
	strength_row(&table,
	    pair->encounter->paired ? "  single games" : "  games",
	    &pair->games);
	text_put_table(page, &table);
}

static void
print_counts(struct text_page *page, const struct report_pair *pair)
{
	const struct encounter *encounter = pair->encounter;
	const struct report_view *view = page->view;
	const int64_t *pairs = encounter->pairs.counts;

	if (encounter->paired)
		text_line(page, "pairs",
		    "0: %jd, 1/4: %jd, 1/2: %jd, 3/4: %jd, 1: %jd", pairs[0],
		    pairs[1], pairs[2], pairs[3], pairs[4]);
	text_line(page, "games", "%jd won, %jd drawn, %jd lost",
	    encounter->results.wins, encounter->results.draws,
	    encounter->results.losses);
	text_line(page, "forfeits", "%s %jd, %s %jd of %jd games",
	    report_name(view, 0), encounter->forfeits, report_name(view, 1),
	    pair->base_forfeits, encounter->games);
	if (encounter->paired)
		text_line(page, "mirrors",
		    "%jd of %jd blocks were exact mirrors: both bots played "
		    "them alike",
		    encounter->mirrors, encounter->blocks);
}

/* Prints all tables about bot 0 against bot 1. */
static void
text_pair(struct text_page *page)
{
	struct report_pair pair = report_pair_of(page->view, 0, 1);

	print_points(page, &pair);
	if (page->view->verdict != NULL && page->view->gate->sequential)
		print_sprt(page);
	print_strength(page, &pair);
	print_counts(page, &pair);
}

/*
 * The tables of all bots in the text report.
 */

enum {
	/* With more bots a cell of the crosstable is a margin only. */
	CROSS_WHOLE_MAX = 12,
	/* With more bots only JSON has the probabilities. */
	STRONGER_MAX = 24
};

/* Adds the first two cells of a row: line and name of a bot. */
static void
add_label(
    struct text_table *table, const struct report_view *view, int position)
{
	text_table_row(table, "%d", position + 1);
	text_table_add(
	    table, "%s", report_name(view, view->ratings.order[position]));
}

/* Adds a place: `place` counts from 0; below 0: there is none. */
static void
add_place(struct text_table *table, int place)
{
	if (place < 0)
		text_table_row(table, "-");
	else
		text_table_row(table, "%d", place + 1);
}

/* The columns that only some rankings have. */
struct ranking_columns {
	bool margin, clean, points, elo, results, blocks, games;
	bool place, ranks, sure, group, skill, suspended;
	bool unknown; /* some cell is `?` */
	bool open;    /* some Elo has `>` or `<` */
};

/* Whether the ranking shows the ratings of this model. */
static bool
shows_model(const struct report_view *view, enum report_order model)
{
	return view->order == model || !view->one_model;
}

static struct ranking_columns
ranking_columns(const struct report_view *view)
{
	const struct standings *standings = view->standings;
	const struct rating *ratings = view->ratings.fit.ratings;
	bool margin =
	    standings->blocks > 0 && shows_model(view, REPORT_BY_MARGIN);
	struct ranking_columns columns = {
		.margin = margin,
		.clean = margin && view->pooled && standings->forfeits > 0,
		.points = margin && view->ratings.fit.clusters.count > 0,
		.elo = standings->games > 0 && shows_model(view, REPORT_BY_ELO),
		.results = standings->games > 0,
		.blocks = view->pooled && standings->blocks > 0,
		.games = view->pooled && standings->games > 0,
		.place = report_has_places(view),
		.sure =
		    view->ratings.places != NULL && !report_has_places(view),
		.ranks =
		    view->ratings.comparisons > 1 && !report_has_places(view),
		.skill = view->order == REPORT_BY_SKILL ||
		    (scopa_team_count(&standings->rules) > 2 &&
			!view->one_model),
	};

	for (int bot = 0; bot < report_bot_count(view); bot++) {
		columns.group |= ratings[bot].group > 0;
		columns.unknown |= isnan(report_above_next(view, bot)) ||
		    report_rating(view, ratings, bot).low_beyond;
		columns.open |= columns.elo && view->ratings.elo[bot].beyond;
		columns.suspended |=
		    view->suspended != NULL && view->suspended[bot];
	}
	return columns;
}

/* Adds how strong a bot is, as far as margins tell, and how certain it is. */
static void
add_rating(struct text_table *table, const struct report_view *view,
    int position, const struct ranking_columns *columns)
{
	int bot = view->ratings.order[position];
	const struct ranking_range *range = &view->ratings.ranges[bot];
	struct estimate rating = report_rating(view, view->ratings.margin, bot);
	double above = report_above_next(view, position);
	int count = report_bot_count(view);

	if (columns->margin)
		text_table_row(table, "%s", number_points_half(&rating).text);
	if (columns->clean)
		text_table_row(table, "%s",
		    number_signed(view->ratings.clean[bot].value, 3).text);
	if (columns->ranks && range->low == range->high)
		text_table_row(table, "%d", range->low + 1);
	else if (columns->ranks)
		text_table_row(table, "%d-%d", range->low + 1, range->high + 1);
	if (columns->sure)
		text_table_row(table, "%s",
		    number_probability(
			view->ratings.places[bot * count +
			    report_place_in_group(view, position)])
			.text);
	text_table_row(
	    table, "%s", above < 0 ? "" : number_probability(above).text);
	if (columns->points)
		text_table_row(table, "%s",
		    number_points_half(&view->ratings.points[bot]).text);
}

/* Adds Elo; `>` and `<` say on which side nothing limits it. */
static void
add_elo(struct text_table *table, const struct report_view *view, int bot)
{
	struct estimate elo = report_rating(view, view->ratings.elo, bot);
	int beyond = view->ratings.elo[bot].beyond;

	text_table_row(table, "%s%s",
	    fabs(elo.value) >= ESTIMATE_ELO_MAX ? ""
		: beyond > 0                    ? ">"
		: beyond < 0                    ? "<"
						: "",
	    number_elo_half(&elo).text);
}

static void
ranking_row(struct text_table *table, const struct report_view *view,
    int position, const struct ranking_columns *columns)
{
	int bot = view->ratings.order[position];
	const struct standing *standing = &view->standings->bots[bot];
	double games = standing->games > 0 ? (double)standing->games : 1;

	add_label(table, view, position);
	if (columns->place)
		add_place(table, view->places[bot]);
	add_rating(table, view, position, columns);
	if (columns->results)
		text_table_row(table, "%s|%jd|%jd|%jd",
		    number_percent(standing->score / games).text,
		    standing->results.wins, standing->results.draws,
		    standing->results.losses);
	if (columns->elo)
		add_elo(table, view, bot);
	if (columns->skill)
		text_table_row(table, "%.2f (%.2f)", standing->skill.mu,
		    standing->skill.sigma);
	if (columns->blocks)
		text_table_row(table, "%jd", standing->blocks);
	if (columns->games)
		text_table_row(table, "%jd", standing->games);
	if (columns->group)
		text_table_row(
		    table, "%d", view->ratings.fit.ratings[bot].group + 1);
	if (columns->suspended)
		text_table_row(
		    table, "%s", view->suspended[bot] ? "suspended" : "");
}

/* Explains the columns that need it. */
static void
ranking_notes(struct text_page *page, const struct ranking_columns *columns)
{
	const struct report_view *view = page->view;
	int rounds = view->ratings.fit.clusters.count;

	if (rounds > 0 && view->order != REPORT_BY_SKILL)
		text_note(page,
		    "+-, > next: by Student's t over %d round%s, as encounters "
		    "of a round share their packs",
		    rounds, text_plural(rounds));
	if (columns->clean)
		text_note(page,
		    "clean: the rating without blocks that have a forfeit "
		    "(%jd game%s forfeited)",
		    view->standings->forfeits,
		    view->standings->forfeits == 1 ? " was" : "s were");
	if (columns->unknown)
		text_note(page,
		    "?: too few blocks or rounds to tell, results that never "
		    "varied, or none that join the two");
	if (columns->open)
		text_note(page,
		    "Elo with > or <: no result limits it on this side, as "
		    "after nothing but wins, or losses");
	if (columns->ranks)
		text_note(page,
		    "ranks: the places that stay open when all %jd "
		    "comparisons hold at once at %g%% (Tukey's range; +- and "
		    "> next are for one bot or pair at a time)",
		    view->ratings.comparisons, 100 * report_level(view));
	if (columns->sure)
		text_note(page,
		    "place: how often this place came out of %d resamplings "
		    "of the rounds",
		    view->ratings.replicates);
	if (columns->group)
		text_note(page,
		    "group: no chain of results joins bots of different "
		    "groups, so they cannot be compared");
}

/* Prints the ranking with its notes. */
static void
text_ranking(struct text_page *page)
{
	const struct report_view *view = page->view;
	struct ranking_columns columns = ranking_columns(view);
	static const char *const orders[] = {
		[REPORT_BY_MARGIN] = "points per deal",
		[REPORT_BY_ELO] = "Elo",
		[REPORT_BY_SKILL] = "skill (Plackett-Luce)",
	};
	struct text_table table;
	char headings[256];

	text_title(page, "ranking by %s, intervals at %g%%",
	    orders[view->order], 100 * report_level(view));
	snprintf(headings, sizeof(headings),
	    "#|name%s%s%s%s%s|> next%s%s%s%s%s%s%s%s",
	    columns.place ? "|place" : "", columns.margin ? "|rating" : "",
	    columns.clean ? "|clean" : "", columns.ranks ? "|ranks" : "",
	    columns.sure ? "|place" : "",
	    columns.points ? "|points per deal" : "",
	    columns.results ? "|score|won|drawn|lost" : "",
	    columns.elo ? "|Elo" : "", columns.skill ? "|skill (sigma)" : "",
	    columns.blocks ? "|blocks" : "", columns.games ? "|games" : "",
	    columns.group ? "|group" : "", columns.suspended ? "|" : "");
	text_table_open(&table, headings, 2);
	for (int i = 0; i < report_bot_count(view); i++)
		ranking_row(&table, view, i, &columns);
	text_put_table(page, &table);
	ranking_notes(page, &columns);
}

/*
 * The table of the short report.
 */

/* Adds a row: points against the other bot, or the rating in a ranking. */
static void
short_row(struct text_table *table, const struct report_view *view, int bot,
    const struct ranking_columns *columns)
{
	const struct standing *standing = &view->standings->bots[bot];
	struct estimate points = report_bot_count(view) == 2
	    ? report_pair_of(view, bot, 1 - bot).margin
	    : report_rating(view, view->ratings.margin, bot);
	struct estimate elo = report_elo(view, bot);

	text_table_add(table, "%s", report_name(view, bot));
	if (columns->place)
		add_place(table, view->places[bot]);
	text_table_row(table, "%s|%jd|%jd|%jd|%s",
	    number_points_half(&points).text, standing->results.wins,
	    standing->results.draws, standing->results.losses,
	    number_elo_half(&elo).text);
	if (columns->suspended)
		text_table_row(
		    table, "%s", view->suspended[bot] ? "suspended" : "");
}

static void
text_short(struct text_page *page)
{
	const struct report_view *view = page->view;
	struct ranking_columns columns = ranking_columns(view);
	int count = report_bot_count(view);
	int shown = count < REPORT_SHORT_MAX ? count : REPORT_SHORT_MAX;
	char headings[128];
	struct text_table table;

	text_title(page, "points per deal%s and Elo, intervals at %g%%",
	    count > 2 ? " (rating)" : "", 100 * report_level(view));
	snprintf(headings, sizeof(headings), "#|name%s|%s|won|drawn|lost|Elo%s",
	    columns.place ? "|place" : "", count > 2 ? "rating" : "points",
	    columns.suspended ? "|" : "");
	text_table_open(&table, headings, 2);
	for (int i = 0; i < shown; i++) {
		text_table_row(&table, "%d", i + 1);
		/* In a gate the candidate is always first. */
		short_row(&table, view,
		    view->verdict != NULL ? i : view->ratings.order[i],
		    &columns);
	}
	text_put_table(page, &table);
	if (shown < count)
		text_note(page, "and %d more bots", count - shown);
	if (columns.group)
		text_note(page,
		    "some bots cannot be compared: no chain of results joins "
		    "them");
}

/* The bracket of a knockout. */

static void
add_match(struct text_table *table, const struct report_view *view, int loser)
{
	int winner = report_winner_over(view, loser);
	const struct encounter *encounter;
	struct number match = report_match_name(view->places[loser]);

	if (winner < 0) {
		text_table_add(table, "%s: %s did not play", match.text,
		    report_name(view, loser));
		text_table_row(table, "|");
		return;
	}
	encounter = standings_encounter(view->standings, winner, loser);
	text_table_add(table, "%s: %s beat %s", match.text,
	    report_name(view, winner), report_name(view, loser));
	text_table_row(table, "%jd|%s", encounter->blocks,
	    number_signed(encounter->margins.mean, 3).text);
}

static void
text_bracket(struct text_page *page)
{
	const struct report_view *view = page->view;
	struct text_table table;

	if (!report_has_bracket(view))
		return;
	text_title(page, "bracket: matches that are decided");
	text_table_open(&table, "match|blocks|points per deal", 1);
	for (int i = 0; i < report_bot_count(view); i++)
		if (view->places[view->ratings.order[i]] > 0)
			add_match(&table, view, view->ratings.order[i]);
	text_put_table(page, &table);
}

/* Adds a cell: the margin of bot a against bot b. */
static void
add_cross(
    struct text_table *table, const struct report_view *view, int a, int b)
{
	const struct encounter *encounter =
	    standings_encounter(view->standings, a, b);
	struct moments margins = report_margins(view, a, b);
	struct estimate margin = mean_estimate(&margins, report_level(view));

	if (encounter->blocks == 0)
		text_table_row(table, "-");
	else if (report_bot_count(view) > CROSS_WHOLE_MAX)
		text_table_row(
		    table, "%s", number_signed(margin.value, 2).text);
	else
		text_table_row(table, "%s (%jd)",
		    number_points_half(&margin).text, encounter->blocks);
}

/* Adds a cell: the score of bot a against bot b. */
static void
add_score(
    struct text_table *table, const struct report_view *view, int a, int b)
{
	const struct encounter *encounter =
	    standings_encounter(view->standings, a, b);
	struct estimate score = report_score(view, encounter);

	if (encounter->games == 0) {
		text_table_row(table, "-");
		return;
	}
	score.low *= 100;
	score.high *= 100;
	text_table_row(table, "%s +-%s (%jd)", number_percent(score.value).text,
	    number_half(&score, 1).text, encounter->games);
}

static void
add_stronger(
    struct text_table *table, const struct report_view *view, int a, int b)
{
	text_table_row(
	    table, "%s", number_probability(report_above(view, a, b)).text);
}

/* Prints a table of bots against bots, in the order of the ranking. */
static void
put_matrix(struct text_page *page,
    void (*add)(
	struct text_table *table, const struct report_view *view, int a, int b))
{
	const struct report_view *view = page->view;
	const int *order = view->ratings.order;
	int count = report_bot_count(view);
	struct text_table table;

	text_table_init(&table, count + 2, 2);
	text_table_row(&table, "#|name");
	for (int i = 0; i < count; i++)
		text_table_row(&table, "%d", i + 1);
	for (int row = 0; row < count; row++) {
		add_label(&table, view, row);
		for (int column = 0; column < count; column++)
			if (row == column)
				text_table_row(&table, ".");
			else
				add(&table, view, order[row], order[column]);
	}
	text_put_table(page, &table);
}

static void
text_cross(struct text_page *page)
{
	const struct report_view *view = page->view;
	bool by_score =
	    view->order != REPORT_BY_MARGIN && view->standings->games > 0;

	if (!report_shows_pairs(view)) {
		text_title(page,
		    "crosstable: left out of more than %d bots; %s has it",
		    REPORT_PAIRS_MAX,
		    view->pooled ? "--json" : "status --pairs");
		return;
	}
	text_title(page, "crosstable: %s of the row against the column%s",
	    by_score ? "score" : "points per deal",
	    by_score                                       ? " (games)"
		: report_bot_count(view) > CROSS_WHOLE_MAX ? ""
							   : " (blocks)");
	put_matrix(page, by_score ? add_score : add_cross);
}

static void
text_stronger(struct text_page *page)
{
	int count = report_bot_count(page->view);

	if (count > STRONGER_MAX || count < 3)
		return;
	text_title(page,
	    "probability that the row is stronger than the column, each of "
	    "%jd pairs by itself",
	    page->view->ratings.comparisons);
	put_matrix(page, add_stronger);
}

/* Adds the shares of games won, drawn and lost on one side, and the points. */
static void
add_side(struct text_table *table, const struct trinomial *results,
    struct number points)
{
	int64_t games = results->wins + results->draws + results->losses;
	double whole = games > 0 ? (double)games : 1;

	text_table_row(table, "%s|%s|%s|%s",
	    number_percent((double)results->wins / whole).text,
	    number_percent((double)results->draws / whole).text,
	    number_percent((double)results->losses / whole).text, points.text);
}

/* Adds the row of all bots, which says what a side is worth. */
static void
sides_of_all(struct text_table *table, const struct report_view *view)
{
	text_table_row(table, "|all");
	for (int side = 0; side < STANDING_SIDE_COUNT; side++) {
		struct standing_deals all = { 0 };

		for (int bot = 0; bot < report_bot_count(view); bot++) {
			const struct standing_deals *deals =
			    &view->standings->bots[bot].sides[side];

			trinomial_add(&all.results, &deals->results);
			all.margins = moments_join(all.margins, deals->margins);
		}
		add_side(
		    table, &all.results, number_signed(all.margins.mean, 3));
	}
}

static void
text_sides(struct text_page *page)
{
	const struct report_view *view = page->view;
	struct text_table table;

	if (view->ratings.sides[STANDING_HAND] == NULL)
		return;
	text_title(page,
	    "games as the hand, which plays against the dealer, and as the "
	    "deck, the dealer's team");
	text_table_open(&table,
	    "#|name|hand: won|drawn|lost|points per deal|deck: won|drawn|lost|"
	    "points per deal",
	    2);
	for (int i = 0; i < report_bot_count(view); i++) {
		int bot = view->ratings.order[i];
		const struct standing *standing = &view->standings->bots[bot];

		add_label(&table, view, i);
		for (int side = 0; side < STANDING_SIDE_COUNT; side++)
			add_side(&table, &standing->sides[side].results,
			    number_points_half(
				&view->ratings.sides[side][bot]));
	}
	sides_of_all(&table, view);
	text_put_table(page, &table);
}

static void
source_table(struct text_page *page, bool difference)
{
	struct number (*format)(double value, int digits) =
	    difference ? number_signed : number_fixed;
	const struct report_view *view = page->view;
	int columns = 3;
	struct text_table table;

	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		columns += report_item_counts(view, item);
	text_table_init(&table, columns, 2);
	text_table_row(&table, "#|name");
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		if (report_item_counts(view, item))
			text_table_row(&table, "%s",
			    scopa_item_name((enum scopa_item)item));
	text_table_row(&table, "total");
	for (int i = 0; i < report_bot_count(view); i++) {
		double total = 0;

		add_label(&table, view, i);
		for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
			struct report_source source = report_source_of(view,
			    view->ratings.order[i], (enum scopa_item)item);
			double value =
			    source.own - (difference ? source.others : 0);

			if (!report_item_counts(view, item))
				continue;
			total += value;
			text_table_row(&table, "%s", format(value, 3).text);
		}
		text_table_row(&table, "%s", format(total, 3).text);
	}
	text_put_table(page, &table);
}

static void
text_sources(struct text_page *page)
{
	const char *least = page->view->standings->rules.aim == SCOPA_AIM_LEAST
	    ? " (fewer are better)"
	    : "";

	text_title(page, "points per deal by source%s", least);
	source_table(page, false);
	text_title(page, "difference to opponents, by source%s", least);
	source_table(page, true);
}

static void
text_conduct(struct text_page *page)
{
	const struct report_view *view = page->view;
	struct text_table table;

	text_title(page, "games, offences and time to think");
	text_table_init(&table, 6 + OFFENCE_KIND_COUNT, 2);
	text_table_row(&table, "#|name|games|forfeited");
	for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
		text_table_row(
		    &table, "%s", offence_name((enum offence_kind)kind));
	text_table_row(&table, "ms a move|longest");
	for (int i = 0; i < report_bot_count(view); i++) {
		const struct standing *standing =
		    &view->standings->bots[view->ratings.order[i]];
		double think_ms = report_think_ms(standing);

		add_label(&table, view, i);
		text_table_row(
		    &table, "%jd|%jd", standing->games, standing->forfeits);
		for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
			text_table_row(&table, "%jd", standing->offences[kind]);
		text_table_row(&table, "%s|%s",
		    isnan(think_ms) ? "-" : number_fixed(think_ms, 3).text,
		    number_fixed((double)standing->think_longest_us / 1e3, 3)
			.text);
	}
	text_put_table(page, &table);
}

/* Prints a table of the workers on other machines, if there are any. */
static void
text_workers(struct text_page *page)
{
	const struct worker_list *workers = page->view->workers;
	struct text_table table;

	if (workers == NULL || workers->count == 0)
		return;
	text_title(
	    page, "workers on other machines, as of %s", workers->written);
	text_table_open(&table,
	    "name|state|cores|speed|games/s|blocks|games|faults|lag ms|seen s",
	    1);
	for (int i = 0; i < workers->count; i++) {
		const struct worker_row *row = &workers->rows[i];

		text_table_add(&table, "%s", row->name);
		text_table_add(&table, "%s", row->state);
		text_table_row(&table, "%jd|%.2f|%.1f|%jd|%jd|%jd|%.1f|%s",
		    row->cores, row->speed, row->games_per_s, row->blocks,
		    row->games, row->faults, row->lag_s * 1e3,
		    row->seen_s < 0 ? "never"
				    : number_fixed(row->seen_s, 1).text);
	}
	text_put_table(page, &table);
}

static void
text_variates(struct text_page *page)
{
	const struct report_view *view = page->view;
	struct text_table table;

	if (view->variate_count == 0)
		return;
	text_title(page,
	    "points per deal, and corrected for what the deal alone "
	    "is worth, intervals at %g%%",
	    100 * report_level(view));
	text_table_open(&table,
	    "name|plain|corrected|variance ratio|coefficient|blocks|reference",
	    1);
	for (int i = 0; i < view->variate_count; i++) {
		const struct report_variate *variate = &view->variates[i];
		const struct variate_estimate *estimate = &variate->estimate;

		text_table_add(&table, "%s", report_name(view, variate->bot));
		text_table_row(&table, "%s|%s|%s|%s|%jd",
		    number_points_half(&estimate->plain).text,
		    number_points_half(&estimate->corrected).text,
		    number_fixed(estimate->variance_ratio, 2).text,
		    number_signed(estimate->coefficient, 3).text,
		    variate->blocks);
		text_table_add(&table, "%s", variate->reference);
	}
	text_put_table(page, &table);
}

/* Prints the tables of a full report. */
static void
text_full(struct text_page *page)
{
	const struct report_view *view = page->view;

	if (report_bot_count(view) == 2)
		text_pair(page);
	if (view->verdict == NULL) {
		text_ranking(page);
		text_bracket(page);
		text_cross(page);
		text_stronger(page);
	}
	text_sides(page);
	text_sources(page);
	text_variates(page);
}

/* Prints a command to copy: it is not wrapped. */
static void
put_command(struct text_page *page, const char *label, const char *command)
{
	text_label(page, label);
	text_put(page, LOOK_PLAIN, "%s %s %s", program_invocation_name, command,
	    shell_text(page->view->path));
	text_end_whole(page);
}

int
report_text(const struct report_view *view, const struct report_style *style,
    FILE *file)
{
	struct text_page page = text_page_of(view, style, file);

	assert(view->ratings.order != NULL);
	print_result(&page);
	print_faults(&page);
	print_run(&page);
	print_clocks(&page);
	print_oddities(&page);
	print_workers(&page);
	print_replays(&page);
	if (view->standings->analysed > 0)
		text_line(&page, "analysis",
		    "some bots see all cards: this is not rated");
	if (style->full) {
		print_rules(&page);
		print_sandbox(&page);
		print_fairness(&page);
		print_commands(&page);
	}
	if (view->standings->blocks > 0)
		(style->full ? text_full : text_short)(&page);
	if (style->full)
		text_conduct(&page);
	if (style->full)
		text_workers(&page);
	return page.result;
}

int
report_text_ranking(const struct report_view *view,
    const struct report_style *style, FILE *file)
{
	struct text_page page = text_page_of(view, style, file);

	text_ranking(&page);
	text_cross(&page);
	return page.result;
}

void
report_text_next(const struct report_view *view,
    const struct report_style *style, FILE *file)
{
	static const char *const steps[][2] = {
		{ RUN_RUNNING, "watch" },
		{ RUN_ANNOUNCED, "resume" },
		{ RUN_INTERRUPTED, "resume" },
		{ RUN_BROKEN_OFF, "resume" },
		{ RUN_FAILED, "resume" },
	};
	struct text_page page = text_page_of(view, style, file);
	const char *command = "report";

	if (view->path == NULL || view->state == NULL)
		return;
	for (int i = 0; i < COUNTOF(steps); i++)
		if (strcmp(view->state, steps[i][0]) == 0)
			command = steps[i][1];
	fputc('\n', file);
	put_command(&page, "next", command);
	if (!style->full)
		put_command(&page, "more", "status --full");
}
