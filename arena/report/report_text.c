/*
 * The text report: the verdict or the leader, the run, then the tables of two
 * bots or of all.
 */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "countof.h"
#include "report.h"
#include "sandbox.h"
#include "text_format.h"

enum {
	LABEL_WIDTH = 10,
	LINE_SIZE = 4096,
	LEAD_DIGITS = 2,       /* of what the first is ahead */
	COMMANDS_SHOWN_MAX = 6 /* bots whose commands are shown */
};

/* What a section is printed with. */
struct text_page {
	const struct report_view *view;
	const struct report_style *style;
	FILE *file;
	int label_width;
	int result;             /* the first -errno, or 0 */
	struct scopa_text line; /* being written, in `bytes` */
	char bytes[LINE_SIZE];
};

enum text_color {
	TEXT_BOLD,
	TEXT_GOOD,
	TEXT_BAD,
	TEXT_DOUBT,
	TEXT_COLOR_COUNT
};

static void text_title(struct text_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void text_say(struct text_page *page, const char *label,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

struct report_style
report_style_of(FILE *file)
{
	struct report_style style = { .width = REPORT_WIDTH };
	const char *term = getenv("TERM"), *plain = getenv("NO_COLOR");
	struct winsize size;
	int fd = fileno(file);

	if (fd < 0 || !isatty(fd))
		return style;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		style.width = size.ws_col;
	style.color = (plain == NULL || *plain == '\0') && term != NULL &&
	    strcmp(term, "dumb") != 0;
	return style;
}

/* A word in color, where there is color. */
static void
text_paint(const struct report_style *style, FILE *file, enum text_color color,
    const char *word)
{
	static const char *const codes[] = {
		[TEXT_BOLD] = "1",
		[TEXT_GOOD] = "1;32",
		[TEXT_BAD] = "1;31",
		[TEXT_DOUBT] = "1;33",
	};

	_Static_assert(COUNTOF(codes) == TEXT_COLOR_COUNT, "a code a color");
	if (style->color)
		fprintf(file, "\033[%sm%s\033[0m", codes[color], word);
	else
		fputs(word, file);
}

/* Begins the text of a line. */
static struct scopa_text *
text_begin(struct text_page *page)
{
	scopa_text_init(&page->line, page->bytes, sizeof(page->bytes));
	return &page->line;
}

/* An empty line and the title of a section, with a line end. */
static void
text_title(struct text_page *page, const char *format, ...)
{
	char raw[LINE_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(raw, sizeof(raw), format, arguments);
	va_end(arguments);
	text_sanitize(text_begin(page), raw);
	fputc('\n', page->file);
	text_paint(page->style, page->file, TEXT_BOLD, page->bytes);
	fputc('\n', page->file);
}

/* `label     ` and the text, which is made fit for a terminal, as a line. */
static void
text_line(struct text_page *page, const char *label)
{
	char bytes[LINE_SIZE];
	struct scopa_text safe;

	scopa_text_init(&safe, bytes, sizeof(bytes));
	text_sanitize(&safe, page->bytes);
	fprintf(page->file, "%-*s%s\n", page->label_width, label, bytes);
}

/* The same of a text that one format gives. */
static void
text_say(struct text_page *page, const char *label, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(page->bytes, sizeof(page->bytes), format, arguments);
	va_end(arguments);
	text_line(page, label);
}

/* Prints and releases a table. */
static void
text_rows(struct text_page *page, struct text_table *table)
{
	int result = text_table_print(table, page->style->width, page->file);

	if (page->result == 0)
		page->result = result;
}

/* What stands behind a verdict: the test, the margin, the exit status. */
static void
format_grounds(const struct report_view *view, struct scopa_text *text)
{
	const struct sprt *sprt = &view->gate->sprt;

	if (view->gate->sequential)
		text_printf(text, "model %s, %g against %g %s; ",
		    sprt_model_name(sprt->model), sprt->low, sprt->high,
		    text_unit(sprt_unit_name(sprt)));
	if (view->verdict->has_unbiased) {
		const struct estimate *unbiased = &view->verdict->unbiased;

		if (view->verdict->unbiased_is_elo) {
			scopa_text_string(text, "Elo ");
			number_elo(text, unbiased);
		} else {
			scopa_text_string(text, "margin ");
			number_points(text, unbiased);
		}
		scopa_text_string(text, " median-unbiased, plain ");
	}
	scopa_text_string(text, "margin ");
	number_points_half(text, &view->verdict->margin);
	if (view->verdict->outcome != GATE_OPEN)
		text_printf(text, "; exit %d",
		    report_exit_status(view->verdict->outcome));
}

/* What a result is not worth by itself: some bots could do as they liked. */
static const char *
mark_of(const struct report_view *view)
{
	static const char *const marks[2][2] = {
		{ "", ", " SANDBOX_UNBOXED },
		{ ", for analysis", ", for analysis, " SANDBOX_UNBOXED },
	};

	return marks[view->standings->analysed > 0]
		    [standings_unboxed(view->standings) > 0];
}

/* `pass`, in its color, and why. */
static void
print_verdict(struct text_page *page)
{
	static const enum text_color colors[] = {
		[GATE_OPEN] = TEXT_DOUBT,
		[GATE_PASS] = TEXT_GOOD,
		[GATE_REGRESSION] = TEXT_BAD,
		[GATE_INCONCLUSIVE] = TEXT_DOUBT,
	};
	const struct report_view *view = page->view;
	enum gate_outcome outcome = view->verdict->outcome;
	struct scopa_text *text = text_begin(page);

	_Static_assert(COUNTOF(colors) == GATE_OUTCOME_COUNT, "a color each");
	text_sanitize(text, report_name(view, 0));
	scopa_text_string(text, " against ");
	text_sanitize(text, report_name(view, 1));
	scopa_text_string(text, ": ");
	text_sanitize(text, view->verdict->reason);
	scopa_text_string(text, " (");
	format_grounds(view, text);
	scopa_text_char(text, ')');
	fprintf(page->file, "%-*s", page->label_width, "verdict");
	text_paint(page->style, page->file, colors[outcome],
	    gate_outcome_name(outcome));
	fprintf(page->file, ", %s%s\n", page->bytes, mark_of(view));
}

/* The leader, and how sure that is. */
static void
print_leader(struct text_page *page)
{
	const struct report_view *view = page->view;
	const int *order = view->ratings.order;
	struct estimate gap = report_gap(view, order[0], order[1]);
	struct scopa_text *text = text_begin(page);

	fprintf(page->file, "%-*s", page->label_width, "result");
	if (view->standings->blocks == 0) {
		fputs("no block was counted\n", page->file);
		return;
	}
	text_sanitize(text, report_name(view, order[0]));
	text_paint(page->style, page->file, TEXT_BOLD, page->bytes);
	text = text_begin(page);
	if (gap.value == 0) {
		scopa_text_string(text, " is tied with ");
		text_sanitize(text, report_name(view, order[1]));
	} else {
		scopa_text_string(text, " is first, ");
		number_fixed(text, gap.value, LEAD_DIGITS);
		scopa_text_string(text, " +-");
		number_half(text, &gap, LEAD_DIGITS);
		scopa_text_string(text, " points per deal ahead of ");
		text_sanitize(text, report_name(view, order[1]));
		if (isfinite(report_above_next(view, 0))) {
			scopa_text_string(text, " (");
			number_probability(text, report_above_next(view, 0));
			scopa_text_string(text, " likely to be stronger)");
		} else {
			scopa_text_string(text, " (too few rounds to tell)");
		}
	}
	fprintf(page->file, "%s%s\n", page->bytes, mark_of(view));
}

static void
print_result(struct text_page *page)
{
	if (page->view->verdict != NULL)
		print_verdict(page);
	else
		print_leader(page);
}

void
report_text_verdict(const struct report_view *view,
    const struct report_style *style, FILE *file)
{
	struct text_page page = {
		.view = view,
		.style = style,
		.file = file,
		.label_width = LABEL_WIDTH,
	};

	print_result(&page);
}

/* Clocks that began anew, and why. */
static void
print_void(struct text_page *page)
{
	const struct standings *standings = page->view->standings;
	struct scopa_text *text = text_begin(page);

	if (standings->void_turns == 0)
		return;
	text_printf(text, "%lld clock%s restarted in %lld game%s: ",
	    (long long)standings->void_turns,
	    text_plural(standings->void_turns),
	    (long long)standings->void_games,
	    text_plural(standings->void_games));
	if (standings->lag_longest_ns > 0)
		text_printf(text,
		    "the arena itself was delayed, by up to %.3f s",
		    (double)standings->lag_longest_ns / 1e9);
	else
		scopa_text_string(
		    text, "another bot computed when it was not to move");
	text_line(page, "VOID");
}

/* Which folder, and how far it is. */
static void
print_run(struct text_page *page)
{
	const struct report_view *view = page->view;
	const struct standings *standings = view->standings;
	struct scopa_text *text;

	if (view->path != NULL)
		text_say(page, "run", "%s%s%s", view->path,
		    view->state != NULL ? ", " : "",
		    view->state != NULL ? view->state : "");
	text = text_begin(page);
	if (view->format != NULL)
		text_printf(text, "%s, ", view->format);
	text_printf(text, "%lld ", (long long)standings->blocks);
	if (view->blocks_planned > 0)
		text_printf(text, "of %lld ", (long long)view->blocks_planned);
	text_printf(text, "blocks of %d game%s%s%s", view->head->game_count,
	    text_plural(view->head->game_count),
	    view->duplicate ? " (duplicate)" : "",
	    view->mixed ? " with mixed partners" : "");
	text_printf(text, ", %lld games, %lld deals",
	    (long long)standings->games, (long long)standings->deals);
	if (standings->skipped > 0)
		text_printf(text, ", %lld blocks skipped",
		    (long long)standings->skipped);
	text_line(page, "played");
	if (standings->repeats > 0)
		text_say(page, "REPEATED",
		    "%lld of %lld blocks repeat packs that the same bots have "
		    "met: no new evidence, left out of ratings and tests",
		    (long long)standings->repeats,
		    (long long)standings->blocks);
	if (standings->replayed > 0)
		text_say(page, "replayed",
		    "%lld game%s played again with the same cards: the table "
		    "voided of results.db says why",
		    (long long)standings->replayed,
		    text_plural(standings->replayed));
	if (standings->max_deals_games > 0)
		text_say(page, "DRAWN",
		    "%lld game%s, as nobody had won after the most deals that "
		    "a game may have; see --max-deals",
		    (long long)standings->max_deals_games,
		    text_plural(standings->max_deals_games));
	print_void(page);
}

/* Bots whose clock was too short for what their options ask. */
static void
print_cuts(struct text_page *page)
{
	for (int bot = 0; bot < report_bot_count(page->view); bot++) {
		const struct standing *standing =
		    &page->view->standings->bots[bot];

		if (standing->cut_short > 0)
			text_say(page, "CUT",
			    "%s: %lld of %lld decisions were cut short by the "
			    "clock",
			    report_name(page->view, bot),
			    (long long)standing->cut_short,
			    (long long)standing->decisions);
	}
}

/* Bots that computed when they were not to move. */
static void
print_ponderers(struct text_page *page)
{
	for (int bot = 0; bot < report_bot_count(page->view); bot++) {
		const struct standing *standing =
		    &page->view->standings->bots[bot];

		if (standing->ponder_games > 0)
			text_say(page, "PONDER",
			    "%s: %.3f s of CPU time when it was not to move, "
			    "in %lld game%s",
			    report_name(page->view, bot),
			    (double)standing->ponder_ns / 1e9,
			    (long long)standing->ponder_games,
			    text_plural(standing->ponder_games));
	}
}

void
report_text_remarks(const struct report_view *view, int label_width, FILE *file)
{
	struct text_page page = {
		.view = view,
		.file = file,
		.label_width = label_width,
	};

	print_cuts(&page);
	print_ponderers(&page);
	print_void(&page);
}

/* Pairs that may have helped each other. */
static void
print_oddities(struct text_page *page)
{
	const struct report_view *view = page->view;
	int count = report_bot_count(view);

	for (int pair = 0; pair < count * count; pair++) {
		const struct residual *residual =
		    &view->ratings.residuals[pair];
		int first = pair / count, second = pair % count;

		/* Each pair once, from the side of the bot that had more of it. */
		if (!residual->odd || residual->z < 0)
			continue;
		text_say(page, "ODD",
		    "%s made %+.3f points per deal against %s, the other "
		    "results predict %+.3f (%.1f standard errors): possible "
		    "collusion, or styles that suit each other",
		    report_name(view, first),
		    standings_encounter(view->standings, first, second)
			->margins.mean,
		    report_name(view, second), residual->expected, residual->z);
	}
}

static void
print_rules(struct text_page *page)
{
	const struct report_view *view = page->view;
	const struct scopa_rules *rules = &view->standings->rules;
	struct scopa_text *text = text_begin(page);

	if (view->rules != NULL)
		text_printf(text, "%s, ", view->rules);
	text_printf(text, "%d seats ", rules->players);
	scopa_param_format(scopa_param_find("teams"), rules, text);
	if (view->deals > 0)
		text_printf(text, ", %d deal%s a game", view->deals,
		    text_plural(view->deals));
	else
		text_printf(text, ", to %d points", rules->target);
	if (view->time_shown != NULL)
		text_printf(text, ", time %s", view->time_shown);
	text_line(page, "rules");
	if (view->packs != NULL)
		text_say(page, "packs", "%s", view->packs);
	else if (view->seed != NULL)
		text_say(page, "seed", "%s", view->seed);
}

/* `box`; of a run that went on elsewhere `box 40 games, core 2 games`. */
static void
print_sandbox(struct text_page *page)
{
	const struct standings *standings = page->view->standings;
	int count = standings->sandbox_count;
	struct scopa_text *text = text_begin(page);

	if (count == 0 || (count == 1 && !standings->sandboxes[0].name[0]))
		return;
	for (int i = 0; i < count; i++) {
		const struct standings_sandbox *sandbox =
		    &standings->sandboxes[i];

		text_printf(text, "%s%s", i > 0 ? ", " : "",
		    sandbox->name[0] ? sandbox->name : "unknown");
		if (count > 1)
			text_printf(text, " %lld game%s",
			    (long long)sandbox->games,
			    text_plural(sandbox->games));
	}
	text_line(page, "sandbox");
}

/* What was published before the first deal, and the chain since. */
static void
print_fairness(struct text_page *page)
{
	const struct store_head *head = page->view->head;

	if (head->commitment[0] != '\0')
		text_say(page, "commit", "%s", head->commitment);
	if (head->contributions[0] != '\0')
		text_say(page, "mixed", "%s", head->contributions);
	if (page->view->chain != NULL)
		text_say(page, "chain", "%s", page->view->chain);
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

		text_say(page,
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

/* A row of points per deal. */
static void
points_row(struct text_table *table, const char *label,
    const struct estimate *points, double los, int64_t blocks,
    const struct sprt_state *state)
{
	text_table_add(table, "%s", label);
	text_table_add_estimate(table, number_points, points);
	text_table_add_share(table, number_probability, los);
	text_table_add(table, "%lld", (long long)blocks);
	if (state != NULL)
		text_table_add_number(table, number_signed, state->llr, 2);
}

/* The margin, with forfeits and without. */
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
	if (tested && verdict->has_unbiased && !verdict->unbiased_is_elo) {
		text_table_add(&table, "%s", "  median-unbiased");
		text_table_add_estimate(
		    &table, number_points, &verdict->unbiased);
		for (int i = 2; i < table.column_count; i++)
			text_table_add(&table, "%s", "");
	}
	points_row(&table, "  all blocks", &pair->margin, pair->los,
	    pair->encounter->margins.count, tested ? &verdict->sprt : NULL);
	points_row(&table, "  without forfeits", &pair->clean, pair->clean_los,
	    pair->encounter->clean.count, tested ? &verdict->clean_sprt : NULL);
	text_rows(page, &table);
}

static const char *const decisions[] = {
	[SPRT_CONTINUE] = "no decision yet",
	[SPRT_ACCEPT_H0] = "H0 accepted",
	[SPRT_ACCEPT_H1] = "H1 accepted",
};
_Static_assert(COUNTOF(decisions) == SPRT_DECISION_COUNT, "a text each");

/* What a test by moments may not have seen. */
static void
print_caution(struct text_page *page)
{
	const struct gate_verdict *verdict = page->view->verdict;

	if (!verdict->is_rare || verdict->moments.count < SPRT_DIFFERING_MIN)
		return;
	text_say(page, "CAUTION",
	    "the bots differed in %lld of %lld blocks: with fewer than %d, "
	    "errors may be more frequent than alpha and beta "
	    "(model=betting holds always)",
	    (long long)verdict->differing, (long long)verdict->moments.count,
	    SPRT_DIFFERING_MIN);
}

/* What the test asks, and how far it is. */
static void
print_sprt(struct text_page *page)
{
	const struct sprt *sprt = &page->view->gate->sprt;
	const struct sprt_state *state = &page->view->verdict->sprt;
	struct scopa_text *text;

	text_say(page, "sprt",
	    "model %s, H0 %g against H1 %g in %s, alpha %g, beta %g",
	    sprt_model_name(sprt->model), sprt->low, sprt->high,
	    text_unit(sprt_unit_name(sprt)), sprt->alpha, sprt->beta);
	text = text_begin(page);
	scopa_text_string(text, "LLR ");
	number_signed(text, state->llr, 2);
	scopa_text_string(text, ", bounds ");
	number_signed(text, state->lower, 2);
	scopa_text_string(text, " and ");
	number_signed(text, state->upper, 2);
	text_printf(text, ": %s", decisions[state->decision]);
	if (state->certain)
		text_printf(text, " at once, %.1f standard errors beyond both",
		    state->errors);
	text_line(page, "");
	print_caution(page);
}

static void
strength_row(struct text_table *table, const char *label,
    const struct strength *strength)
{
	text_table_add(table, "%s", label);
	text_table_add_share(table, number_percent, strength->score.value);
	text_table_add_estimate(table, number_elo, &strength->elo);
	text_table_add_estimate(table, number_elo, &strength->nelo);
	text_table_add_share(table, number_probability, strength->los);
	text_table_add(table, "%lld", (long long)strength->count);
}

/* Wins and losses: by pairs of games, and by games on their own. */
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
	text_rows(page, &table);
}

static void
print_counts(struct text_page *page, const struct report_pair *pair)
{
	const struct encounter *encounter = pair->encounter;
	const struct report_view *view = page->view;
	const int64_t *pairs = encounter->pairs.counts;

	if (encounter->paired)
		text_say(page, "pairs",
		    "0: %lld, 1/4: %lld, 1/2: %lld, 3/4: %lld, 1: %lld",
		    (long long)pairs[0], (long long)pairs[1],
		    (long long)pairs[2], (long long)pairs[3],
		    (long long)pairs[4]);
	text_say(page, "games", "%lld won, %lld drawn, %lld lost",
	    (long long)encounter->results.wins,
	    (long long)encounter->results.draws,
	    (long long)encounter->results.losses);
	text_say(page, "forfeits", "%s %lld, %s %lld of %lld games",
	    report_name(view, 0), (long long)encounter->forfeits,
	    report_name(view, 1), (long long)pair->base_forfeits,
	    (long long)encounter->games);
	if (encounter->paired)
		text_say(page, "mirrors",
		    "%lld of %lld blocks were exact mirrors: both bots played "
		    "them alike",
		    (long long)encounter->mirrors,
		    (long long)encounter->blocks);
}

/* Two bots: all that can be said of bot 0 against bot 1. */
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
	/* With more bots the cells of the crosstable are margins alone. */
	CROSS_WHOLE_MAX = 12,
	/* With more bots JSON alone says which bot is stronger. */
	STRONGER_MAX = 24
};

/* A table of bots; the headings from the third on are to follow. */
static void
table_begin(struct text_table *table, int column_count)
{
	text_table_init(table, column_count, 2);
	text_table_add(table, "%s", "#");
	text_table_add(table, "%s", "name");
}

/* Line and name of a bot, as rows begin. */
static void
add_label(
    struct text_table *table, const struct report_view *view, int position)
{
	text_table_add(table, "%d", position + 1);
	text_table_add(
	    table, "%s", report_name(view, view->ratings.order[position]));
}

/* The probability that one bot is stronger than another, or `?`. */
static void
add_stronger(struct text_table *table, double above)
{
	if (isnan(above))
		text_table_add(table, "%s", "?");
	else
		text_table_add_share(table, number_probability, above);
}

/* Which columns the ranking has beyond those that it always has. */
struct ranking_columns {
	bool place, ranks, sure, group, skill, suspended;
	bool unknown; /* some cell is `?` */
};

static struct ranking_columns
ranking_columns(const struct report_view *view)
{
	struct ranking_columns columns = {
		.place = report_has_places(view),
		.sure =
		    view->ratings.places != NULL && !report_has_places(view),
		.ranks =
		    view->ratings.comparisons > 1 && !report_has_places(view),
		.skill = scopa_team_count(&view->standings->rules) > 2,
	};

	for (int bot = 0; bot < report_bot_count(view); bot++) {
		columns.group |= view->ratings.margin[bot].group > 0;
		columns.unknown |= isnan(report_above_next(view, bot)) ||
		    report_rating(view, view->ratings.margin, bot).low_beyond;
		columns.suspended |=
		    view->suspended != NULL && view->suspended[bot];
	}
	return columns;
}

/* The table with the headings that there are. */
static void
ranking_open(struct text_table *table, const struct ranking_columns *columns)
{
	char headings[256];

	snprintf(headings, sizeof(headings),
	    "#|name%s|rating%s%s|> next|points per deal|score|won|drawn|lost|"
	    "Elo%s%s%s",
	    columns->place ? "|place" : "", columns->ranks ? "|ranks" : "",
	    columns->sure ? "|place" : "",
	    columns->skill ? "|skill (sigma)" : "",
	    columns->group ? "|group" : "", columns->suspended ? "|" : "");
	text_table_open(table, headings, 2);
}

static void
add_place(struct text_table *table, const struct report_view *view, int bot)
{
	if (view->places[bot] < 0)
		text_table_add(table, "%s", "-");
	else
		text_table_add(table, "%d", view->places[bot] + 1);
}

/* `2`, or `1-3`: the places that are open. */
static void
add_ranks(struct text_table *table, const struct report_view *view, int bot)
{
	int low = view->ratings.ranges[bot].low + 1;
	int high = view->ratings.ranges[bot].high + 1;

	if (low == high)
		text_table_add(table, "%d", low);
	else
		text_table_add(table, "%d-%d", low, high);
}

static void
ranking_row(struct text_table *table, const struct report_view *view,
    int position, const struct ranking_columns *columns)
{
	int bot = view->ratings.order[position];
	const struct standing *standing = &view->standings->bots[bot];
	struct estimate rating = report_rating(view, view->ratings.margin, bot);
	struct estimate elo = report_rating(view, view->ratings.elo, bot);
	double above = report_above_next(view, position);
	double games = standing->games > 0 ? (double)standing->games : 1;

	add_label(table, view, position);
	if (columns->place)
		add_place(table, view, bot);
	text_table_add_estimate(table, number_points_half, &rating);
	if (columns->ranks)
		add_ranks(table, view, bot);
	if (columns->sure)
		text_table_add_share(table, number_probability,
		    report_place_sure(view, position));
	if (above < 0)
		text_table_add(table, "%s", "");
	else
		add_stronger(table, above);
	text_table_add_estimate(
	    table, number_points_half, &view->ratings.points[bot]);
	text_table_add_share(table, number_percent, standing->score / games);
	text_table_add(table, "%lld", (long long)standing->results.wins);
	text_table_add(table, "%lld", (long long)standing->results.draws);
	text_table_add(table, "%lld", (long long)standing->results.losses);
	text_table_add_estimate(table, number_elo_half, &elo);
	if (columns->skill)
		text_table_add(table, "%.2f (%.2f)", standing->skill.mu,
		    standing->skill.sigma);
	if (columns->group)
		text_table_add(
		    table, "%d", view->ratings.margin[bot].group + 1);
	if (columns->suspended)
		text_table_add(
		    table, "%s", view->suspended[bot] ? "suspended" : "");
}

/* What the columns mean that are not plain numbers. */
static void
ranking_notes(struct text_page *page, const struct ranking_columns *columns)
{
	const struct report_view *view = page->view;

	fprintf(page->file,
	    "+-, > next: by Student's t over %d round%s, as encounters of a "
	    "round share their packs\n",
	    view->ratings.clusters, text_plural(view->ratings.clusters));
	if (columns->unknown)
		fputs("?: too few blocks or rounds to tell, or no results "
		      "that join the two\n",
		    page->file);
	if (columns->ranks)
		fprintf(page->file,
		    "ranks: the places that stay open when all %lld "
		    "comparisons hold at once at %g%%\n"
		    "(Tukey's range; +- and > next are for one bot or pair "
		    "at a time)\n",
		    (long long)view->ratings.comparisons,
		    100 * report_level(view));
	if (columns->sure)
		fprintf(page->file,
		    "place: how often this place came out of %d resamplings "
		    "of the rounds\n",
		    view->ratings.replicates);
}

/* Tables of all bots. */
static void
text_ranking(struct text_page *page)
{
	const struct report_view *view = page->view;
	struct ranking_columns columns = ranking_columns(view);
	struct text_table table;

	text_title(page, "ranking by points per deal, intervals at %g%%",
	    100 * report_level(view));
	ranking_open(&table, &columns);
	for (int i = 0; i < report_bot_count(view); i++)
		ranking_row(&table, view, i, &columns);
	text_rows(page, &table);
	ranking_notes(page, &columns);
	if (columns.group)
		fputs("group: no chain of results joins bots of different "
		      "groups, so they cannot be compared\n",
		    page->file);
}

/* Headings of a table of bots against bots: the lines of the ranking. */
static void
matrix_begin(struct text_table *table, const struct report_view *view)
{
	int count = report_bot_count(view);

	table_begin(table, count + 2);
	for (int i = 0; i < count; i++)
		text_table_add(table, "%d", i + 1);
}

static void
add_cross(
    struct text_table *table, const struct report_view *view, int a, int b)
{
	char bytes[NUMBER_TEXT_SIZE];
	const struct encounter *encounter;
	struct scopa_text text;
	struct estimate margin;

	if (a == b) {
		text_table_add(table, "%s", ".");
		return;
	}
	encounter = standings_encounter(view->standings, a, b);
	if (encounter->blocks == 0) {
		text_table_add(table, "%s", "-");
		return;
	}
	if (report_bot_count(view) > CROSS_WHOLE_MAX) {
		text_table_add_number(
		    table, number_signed, encounter->margins.mean, 2);
		return;
	}
	margin = mean_estimate(&encounter->margins, report_level(view));
	scopa_text_init(&text, bytes, sizeof(bytes));
	number_points_half(&text, &margin);
	text_table_add(table, "%s (%lld)", bytes, (long long)encounter->blocks);
}

static void
text_cross(struct text_page *page)
{
	const struct report_view *view = page->view;
	const int *order = view->ratings.order;
	int count = report_bot_count(view);
	struct text_table table;

	if (!report_shows_pairs(view)) {
		text_title(page,
		    "crosstable: left out of more than %d bots; status --pairs "
		    "has it",
		    REPORT_PAIRS_MAX);
		return;
	}
	text_title(page,
	    "crosstable: points per deal of the row against the "
	    "column%s",
	    count > CROSS_WHOLE_MAX ? "" : " (blocks)");
	matrix_begin(&table, view);
	for (int row = 0; row < count; row++) {
		add_label(&table, view, row);
		for (int column = 0; column < count; column++)
			add_cross(&table, view, order[row], order[column]);
	}
	text_rows(page, &table);
}

static void
text_stronger(struct text_page *page)
{
	const struct report_view *view = page->view;
	const int *order = view->ratings.order;
	int count = report_bot_count(view);
	struct text_table table;

	if (count > STRONGER_MAX || count < 3)
		return;
	text_title(page,
	    "probability that the row is stronger than the column, each of "
	    "%lld pairs by itself",
	    (long long)view->ratings.comparisons);
	matrix_begin(&table, view);
	for (int row = 0; row < count; row++) {
		add_label(&table, view, row);
		for (int column = 0; column < count; column++)
			if (row == column)
				text_table_add(&table, "%s", ".");
			else
				add_stronger(&table,
				    view->ratings.above[order[row] * count +
					order[column]]);
	}
	text_rows(page, &table);
}

/* Shares of games won, drawn and lost on one side. */
static void
add_sides(struct text_table *table, const struct trinomial *results)
{
	const int64_t counts[] = { results->wins, results->draws,
		results->losses };
	int64_t games = results->wins + results->draws + results->losses;

	for (int i = 0; i < COUNTOF(counts); i++)
		text_table_add_share(table, number_percent,
		    games > 0 ? (double)counts[i] / (double)games : 0);
}

/* The line of all bots: what the side is worth in itself. */
static void
sides_of_all(struct text_table *table, const struct report_view *view)
{
	text_table_add(table, "%s", "");
	text_table_add(table, "%s", "all");
	for (int side = 0; side < STANDING_SIDE_COUNT; side++) {
		struct standing_deals all = { 0 };

		for (int bot = 0; bot < report_bot_count(view); bot++) {
			const struct standing_deals *deals =
			    &view->standings->bots[bot].sides[side];

			all.results.wins += deals->results.wins;
			all.results.draws += deals->results.draws;
			all.results.losses += deals->results.losses;
			all.margins = moments_join(all.margins, deals->margins);
		}
		add_sides(table, &all.results);
		text_table_add_number(
		    table, number_signed, all.margins.mean, 3);
	}
}

static void
text_sides(struct text_page *page)
{
	const struct report_view *view = page->view;
	struct text_table table;

	/* Where a game has several deals everybody deals. */
	if (view->deals != 1)
		return;
	text_title(page,
	    "games as the hand, which plays against the dealer, and as the "
	    "deck, the dealer's party");
	text_table_open(&table,
	    "#|name|hand: won|drawn|lost|points per deal|deck: won|drawn|lost|"
	    "points per deal",
	    2);
	for (int i = 0; i < report_bot_count(view); i++) {
		const struct standing *standing =
		    &view->standings->bots[view->ratings.order[i]];

		add_label(&table, view, i);
		for (int side = 0; side < STANDING_SIDE_COUNT; side++) {
			struct estimate margin = mean_estimate(
			    &standing->sides[side].margins, report_level(view));

			add_sides(&table, &standing->sides[side].results);
			text_table_add_estimate(
			    &table, number_points_half, &margin);
		}
	}
	sides_of_all(&table, view);
	text_rows(page, &table);
}

static bool
counts(const struct report_view *view, int item)
{
	/* All coins win the match, but make no points. */
	return item != SCOPA_ITEM_ALL_COINS &&
	    scopa_item_counts(&view->standings->rules, (enum scopa_item)item);
}

static void
source_table(struct text_page *page, bool difference)
{
	void (*write)(struct scopa_text * text, double value, int digits) =
	    difference ? number_signed : number_fixed;
	const struct report_view *view = page->view;
	int columns = 3;
	struct text_table table;

	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		columns += counts(view, item);
	table_begin(&table, columns);
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		if (counts(view, item))
			text_table_add(&table, "%s",
			    scopa_item_name((enum scopa_item)item));
	text_table_add(&table, "%s", "total");
	for (int i = 0; i < report_bot_count(view); i++) {
		double total = 0;

		add_label(&table, view, i);
		for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
			struct report_source source = report_source_of(view,
			    view->ratings.order[i], (enum scopa_item)item);
			double value =
			    source.own - (difference ? source.others : 0);

			if (!counts(view, item))
				continue;
			total += value;
			text_table_add_number(&table, write, value, 3);
		}
		text_table_add_number(&table, write, total, 3);
	}
	text_rows(page, &table);
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
	table_begin(&table, 6 + OFFENCE_KIND_COUNT);
	text_table_add(&table, "%s", "games");
	text_table_add(&table, "%s", "forfeited");
	for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
		text_table_add(
		    &table, "%s", offence_name((enum offence_kind)kind));
	text_table_add(&table, "%s", "ms a move");
	text_table_add(&table, "%s", "longest");
	for (int i = 0; i < report_bot_count(view); i++) {
		const struct standing *standing =
		    &view->standings->bots[view->ratings.order[i]];
		double think_ms = report_think_ms(standing);

		add_label(&table, view, i);
		text_table_add(&table, "%lld", (long long)standing->games);
		text_table_add(&table, "%lld", (long long)standing->forfeits);
		for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
			text_table_add(&table, "%lld",
			    (long long)standing->offences[kind]);
		if (think_ms < 0)
			text_table_add(&table, "%s", "-");
		else
			text_table_add_number(
			    &table, number_fixed, think_ms, 3);
		text_table_add_number(&table, number_fixed,
		    (double)standing->think_longest_us / 1e3, 3);
	}
	text_rows(page, &table);
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

		text_table_add(&table, "%s", report_name(view, variate->bot));
		text_table_add_estimate(
		    &table, number_points_half, &variate->estimate.plain);
		text_table_add_estimate(
		    &table, number_points_half, &variate->estimate.corrected);
		text_table_add_number(
		    &table, number_fixed, variate->estimate.variance_ratio, 2);
		text_table_add_number(
		    &table, number_signed, variate->estimate.coefficient, 3);
		text_table_add(&table, "%lld", (long long)variate->blocks);
		text_table_add(&table, "%s", variate->reference);
	}
	text_rows(page, &table);
}

int
report_text(const struct report_view *view, const struct report_style *style,
    FILE *file)
{
	struct text_page page = {
		.view = view,
		.style = style,
		.file = file,
		.label_width = LABEL_WIDTH,
	};

	assert(view->ratings.order != NULL);
	print_result(&page);
	print_run(&page);
	print_cuts(&page);
	print_ponderers(&page);
	print_oddities(&page);
	print_rules(&page);
	print_sandbox(&page);
	if (view->standings->analysed > 0)
		text_say(&page, "analysis",
		    "some bots see all cards: this is not rated");
	print_fairness(&page);
	print_commands(&page);
	if (view->standings->blocks > 0) {
		if (report_bot_count(view) == 2)
			text_pair(&page);
		if (view->verdict == NULL) {
			text_ranking(&page);
			text_cross(&page);
			text_stronger(&page);
		}
		text_sides(&page);
		text_sources(&page);
		text_variates(&page);
	}
	text_conduct(&page);
	return page.result;
}
