/*
 * Implements report_html.h: a function for each section of the page, in one
 * table.  A section whose function has nothing to show is left out.
 */
#include "report_html.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "countof.h"
#include "fault_text.h"
#include "sandbox.h"
#include "text_format.h"
#include "version.h"

enum {
	CHARTS_MAX = 6,    /* bots that have a chart of their own each */
	SENTENCES_MAX = 6, /* bots of which the sources of points are told */
	CROSS_MAX = 12,    /* with more bots the crosstable is a picture */
	PAIRS_MAX = 5000,  /* rows of pairs */
	CURVE_ROWS = 40,   /* of the table beside a curve */
	TEXT_SIZE = 1024
};

struct page {
	struct html *html;
	const struct report_view *view;
	const struct run_facts *facts; /* NULL: none */
	int count;                     /* of bots */
	int shown;                     /* bots that have charts */
};

static const char *
name_of(const struct page *page, int position)
{
	return report_name(page->view, page->view->ratings.order[position]);
}

static const struct standing *
standing_of(const struct page *page, int position)
{
	return &page->view->standings
		    ->bots[page->view->ratings.order[position]];
}

static bool
has_blocks(const struct page *page)
{
	return page->view->standings->blocks > 0;
}

/* A number as it is printed: with the signs for minus and plus-minus. */
static struct number
typeset(struct number number)
{
	struct number set;
	char *end = set.text;

	for (const char *byte = number.text;
	     *byte != '\0' && end < set.text + sizeof(set.text) - 4; byte++) {
		if (byte[0] == '+' && byte[1] == '-') {
			end = stpcpy(end, "\u00b1");
			byte++;
		} else if (*byte == '-') {
			end = stpcpy(end, "\u2212");
		} else {
			*end++ = *byte;
		}
	}
	*end = '\0';
	return set;
}

/*
 * Tables.
 */

/* Where a table may scroll; the label is for those who do not see it. */
static void
wide_begin(struct page *page, const char *label)
{
	html_begin(page->html, "div.wide");
	html_attribute(page->html, "role", "region");
	html_attribute(page->html, "tabindex", "0");
	html_attribute(page->html, "aria-label", "%s", label);
}

/* A heading; `^` before it: of text, which is on the left. */
static void
put_heading(struct page *page, const char *heading)
{
	bool text = *heading == '^';

	html_begin(page->html, text ? "th.text" : "th");
	html_attribute(page->html, "scope", "col");
	html_text(page->html, "%s", heading + text);
	html_end(page->html, "th");
}

/* Begins a table with headings that have | between them. */
static void
table_begin(struct page *page, const char *class, const char *caption,
    const char *headings)
{
	char bytes[TEXT_SIZE], *rest = bytes;

	wide_begin(page, caption);
	html_begin(page->html, class);
	html_put(page->html, "caption", "%s", caption);
	html_begin(page->html, "thead");
	html_begin(page->html, "tr");
	snprintf(bytes, sizeof(bytes), "%s", headings);
	while (rest != NULL)
		put_heading(page, strsep(&rest, "|"));
	html_end(page->html, "tr");
	html_end(page->html, "thead");
	html_begin(page->html, "tbody");
}

static void
table_end(struct page *page)
{
	html_end(page->html, "tbody");
	html_end(page->html, "table");
	html_end(page->html, "div");
	fputc('\n', page->html->file);
}

static void
put_cell(struct page *page, struct number number)
{
	html_put(page->html, "td", "%s", typeset(number).text);
}

static void
put_count(struct page *page, int64_t count)
{
	html_put(page->html, "td", "%jd", count);
}

/* The name at the beginning of a row. */
static void
put_row_name(struct page *page, const char *name)
{
	html_begin(page->html, "th");
	html_attribute(page->html, "scope", "row");
	html_text(page->html, "%s", name);
	html_end(page->html, "th");
}

/* Begins a row with the line and the name of a bot. */
static void
row_begin(struct page *page, int position)
{
	html_begin(page->html, "tr");
	put_count(page, position + 1);
	put_row_name(page, name_of(page, position));
}

static void
row_end(struct page *page)
{
	html_end(page->html, "tr");
}

static void
details_begin(struct page *page, const char *summary)
{
	html_begin(page->html, "details");
	html_put(page->html, "summary", "%s", summary);
}

/*
 * The result.
 */

static void
put_gate(struct page *page)
{
	static const struct {
		const char *element, *word;
	} rows[] = {
		[GATE_OPEN] = { "strong.doubt", "OPEN" },
		[GATE_PASS] = { "strong.good", "PASS" },
		[GATE_REGRESSION] = { "strong.bad", "REGRESSION" },
		[GATE_INCONCLUSIVE] = { "strong.doubt", "INCONCLUSIVE" },
	};
	const struct gate_verdict *verdict = page->view->verdict;
	const struct gate_config *gate = page->view->gate;
	struct html *html = page->html;

	_Static_assert(COUNTOF(rows) == GATE_OUTCOME_COUNT, "one each");
	html_begin(html, "p.verdict");
	html_put(html, rows[verdict->outcome].element, "%s",
	    rows[verdict->outcome].word);
	html_text(html, ": %s against %s, %s.", report_name(page->view, 0),
	    report_name(page->view, 1), verdict->reason);
	html_end(html, "p");
	html_begin(html, "p");
	html_text(html, "Margin %s points per deal",
	    typeset(number_points(&verdict->margin)).text);
	if (verdict->has_unbiased)
		html_text(html, "; median-unbiased %s %s",
		    typeset(verdict->unbiased_is_elo
			    ? number_elo(&verdict->unbiased)
			    : number_points(&verdict->unbiased))
			.text,
		    verdict->unbiased_is_elo ? "Elo" : "points per deal");
	if (gate->sequential)
		html_text(html,
		    ". LLR %s between the bounds %s and %s (model %s, H0 %g "
		    "against H1 %g %s, alpha %g, beta %g)",
		    typeset(number_signed(verdict->sprt.llr, 2)).text,
		    typeset(number_signed(verdict->sprt.lower, 2)).text,
		    typeset(number_signed(verdict->sprt.upper, 2)).text,
		    sprt_model_names[gate->sprt.model], gate->sprt.low,
		    gate->sprt.high, text_unit(sprt_unit_name(&gate->sprt)),
		    gate->sprt.alpha, gate->sprt.beta);
	html_text(html, ".");
	html_end(html, "p");
}

static void
put_leader(struct page *page)
{
	const struct report_view *view = page->view;
	const int *order = view->ratings.order;
	struct estimate gap = report_gap(view, order[0], order[1]);
	double above = report_above_next(view, 0);
	struct html *html = page->html;

	html_begin(html, "p.verdict");
	if (view->standings->blocks == 0) {
		html_text(html, "No block was counted.");
	} else if (gap.value == 0) {
		html_put(html, "strong", "%s", name_of(page, 0));
		html_text(html, " is tied with %s.", name_of(page, 1));
	} else {
		html_put(html, "strong", "%s", name_of(page, 0));
		html_text(html,
		    " is first, %s points per deal ahead of %s (%s%s).",
		    typeset(number_points_half(&gap)).text + 1,
		    name_of(page, 1),
		    isfinite(above) ? number_probability(above).text
				    : "too few rounds to tell",
		    isfinite(above) ? " likely to be stronger" : "");
	}
	html_end(html, "p");
}

/* How each bot has lost games by its own offences, in a sentence each. */
static void
put_offences(struct page *page)
{
	bool begun = false;

	for (int i = 0; i < page->count; i++) {
		const struct standing *standing = standing_of(page, i);
		const struct standing_forfeit *first = &standing->first_forfeit;
		char bytes[TEXT_SIZE];
		struct scopa_text why;

		if (standing->forfeits == 0)
			continue;
		if (!begun)
			html_begin(page->html, "ul");
		begun = true;
		scopa_text_init(&why, bytes, sizeof(bytes));
		fault_text_reason(
		    first->known ? offence_name(first->kind) : "not named",
		    first->reason, page->view->time_control, &why);
		html_put(page->html, "li",
		    "%s lost %jd of %jd game%s by an offence; the first, "
		    "m%jd: %s.",
		    name_of(page, i), standing->forfeits, standing->games,
		    text_plural(standing->games), first->game, bytes);
	}
	if (begun)
		html_end(page->html, "ul");
}

static void put_fact(struct page *page, const char *name, const char *format,
    ...) __attribute__((format(printf, 3, 4)));

/* A name and what is to be said of it; nothing where that is empty. */
static void
put_fact(struct page *page, const char *name, const char *format, ...)
{
	char bytes[2 * TEXT_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(bytes, sizeof(bytes), format, arguments);
	va_end(arguments);
	if (bytes[0] == '\0')
		return;
	html_begin(page->html, strlen(bytes) > 40 ? "div.long" : "div");
	html_put(page->html, "dt", "%s", name);
	html_put(page->html, "dd", "%s", bytes);
	html_end(page->html, "div");
}

static const char *
text_or_none(const char *text)
{
	return text != NULL ? text : "";
}

static void
put_run_facts(struct page *page)
{
	const struct report_view *view = page->view;
	const struct standings *standings = view->standings;
	const char *of = view->blocks_planned == 0 ? ""
	    : view->may_end_early                  ? " of at most "
						   : " of ";

	html_begin(page->html, "dl.facts");
	put_fact(page, "State", "%s", text_or_none(view->state));
	put_fact(page, "Format", "%s%s%s", text_or_none(view->format),
	    view->duplicate ? ", duplicate" : "",
	    view->mixed ? ", mixed partners" : "");
	if (view->blocks_planned > 0)
		put_fact(page, "Blocks", "%jd%s%jd", standings->blocks, of,
		    view->blocks_planned);
	else
		put_fact(page, "Blocks", "%jd", standings->blocks);
	put_fact(page, "Games", "%jd", standings->games);
	put_fact(page, "Deals", "%jd", standings->deals);
	put_fact(page, "Rules", "%s", text_or_none(view->rules));
	put_fact(page, "Seats", "%d in %d teams", standings->rules.players,
	    scopa_team_count(&standings->rules));
	if (view->deals > 0)
		put_fact(page, "Length of a game", "%d deal%s", view->deals,
		    text_plural(view->deals));
	else
		put_fact(page, "Length of a game", "to %d points",
		    standings->rules.target);
	put_fact(page, "Time", "%s", text_or_none(view->time_shown));
	html_end(page->html, "dl");
}

static void
put_result(struct page *page)
{
	const struct report_view *view = page->view;
	struct html *html = page->html;

	if (view->verdict != NULL)
		put_gate(page);
	else
		put_leader(page);
	put_offences(page);
	if (view->standings->analysed > 0)
		html_put(html, "p.note",
		    "For analysis: some bots may have seen all cards, so this "
		    "is not rated.");
	if (standings_unboxed(view->standings) > 0)
		html_put(html, "p.note",
		    "Unboxed: in %jd games bots had no sandbox and could do "
		    "as they liked.",
		    standings_unboxed(view->standings));
	put_run_facts(page);
	if (view->path == NULL)
		return;
	html_put(html, "h3", "The same again");
	html_put(html, "pre.command", VERSION_NAME " %s --config %s/config.ini",
	    view->verdict != NULL ? "gate" : "tournament", view->path);
	html_put(html, "p.note",
	    "The configuration names bots, rules, time and %s.",
	    view->packs != NULL      ? "the file of packs"
		: view->seed != NULL ? "the seed, so the packs are the same"
				     : "options; the seed is a secret until "
				       "the run ends");
}

/*
 * Standings.
 */

/* The greatest magnitude that the intervals need, for a common scale. */
static double
interval_limit(const struct page *page)
{
	double limit = 0.1;

	for (int bot = 0; bot < page->count; bot++) {
		struct estimate rating =
		    report_rating(page->view, page->view->ratings.margin, bot);

		limit = fmax(limit, fabs(rating.value));
		if (!rating.low_beyond && !rating.high_beyond)
			limit = fmax(
			    limit, fmax(fabs(rating.low), fabs(rating.high)));
	}
	return limit;
}

/* `2 timeout, 1 crash`, or `none`. */
static void
put_offence_kinds(struct page *page, const struct standing *standing)
{
	const char *comma = "";

	html_begin(page->html, "td.text");
	for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++) {
		if (standing->offences[kind] == 0)
			continue;
		html_text(page->html, "%s%jd %s", comma,
		    standing->offences[kind],
		    offence_name((enum offence_kind)kind));
		comma = ", ";
	}
	if (*comma == '\0')
		html_text(page->html, "none");
	html_end(page->html, "td");
}

static struct number
think_number(const struct standing *standing)
{
	double think_ms = report_think_ms(standing);

	return think_ms < 0 ? (struct number){ "-" }
			    : number_fixed(think_ms, 2);
}

static void
put_standing(struct page *page, int position, double limit)
{
	const struct report_view *view = page->view;
	const struct standing *standing = standing_of(page, position);
	int bot = view->ratings.order[position];
	struct estimate rating = report_rating(view, view->ratings.margin, bot);
	struct estimate elo = report_rating(view, view->ratings.elo, bot);
	double above = report_above_next(view, position);
	double games = standing->games > 0 ? (double)standing->games : 1;

	row_begin(page, position);
	put_cell(page, number_points_half(&rating));
	html_begin(page->html, "td");
	chart_interval(page->html, &rating, limit);
	html_end(page->html, "td");
	put_cell(page,
	    above < 0 ? (struct number){ "" } : number_probability(above));
	put_cell(page, number_elo_half(&elo));
	put_cell(page, number_percent(standing->score / games));
	put_count(page, standing->results.wins);
	put_count(page, standing->results.draws);
	put_count(page, standing->results.losses);
	put_cell(page, think_number(standing));
	put_cell(
	    page, number_fixed((double)standing->think_longest_us / 1e3, 1));
	put_count(page, standing->forfeits);
	put_offence_kinds(page, standing);
	row_end(page);
}

static void
put_standings(struct page *page)
{
	const struct report_view *view = page->view;
	double limit = interval_limit(page);
	char caption[TEXT_SIZE];

	snprintf(caption, sizeof(caption),
	    "Points per deal and Elo, with intervals at %g%%; time to think "
	    "in milliseconds",
	    100 * report_level(view));
	table_begin(page, "table.sortable", caption,
	    "#|^bot|points per deal||stronger than next|Elo|score|won|drawn|"
	    "lost|ms a move|longest|forfeits|^offences");
	for (int i = 0; i < page->count; i++)
		put_standing(page, i, limit);
	table_end(page);
	html_put(page->html, "p.note",
	    "The bars show the intervals from %s to %s; the line is 0. "
	    "Stronger than next: the probability that the bot is stronger "
	    "than the one below it, by Student's t over %d round%s.",
	    typeset(number_signed(-limit, 2)).text,
	    number_signed(limit, 2).text, view->ratings.fit.clusters.count,
	    text_plural(view->ratings.fit.clusters.count));
}

/*
 * Bots against each other.
 */

static double
cross_margin(const struct page *page, int row, int column)
{
	const int *order = page->view->ratings.order;
	const struct encounter *encounter = row == column
	    ? NULL
	    : standings_encounter(
		  page->view->standings, order[row], order[column]);

	return encounter == NULL || encounter->blocks == 0
	    ? (double)NAN
	    : encounter->margins.mean;
}

/* The margin from which on the colour is strongest. */
static double
cross_limit(const struct page *page)
{
	double limit = 0;

	for (int row = 0; row < page->count; row++)
		for (int column = 0; column < page->count; column++)
			limit =
			    fmax(limit, fabs(cross_margin(page, row, column)));
	return limit;
}

static void
put_cross_cell(struct page *page, int row, int column, double limit)
{
	const int *order = page->view->ratings.order;
	struct report_pair pair;
	char element[8];

	if (!isfinite(cross_margin(page, row, column))) {
		html_put(page->html, "td", "%s", row == column ? "" : "\u2013");
		return;
	}
	pair = report_pair_of(page->view, order[row], order[column]);
	snprintf(element, sizeof(element), "td.%s",
	    chart_level(pair.margin.value, limit));
	html_begin(page->html, element);
	html_text(page->html, "%s",
	    typeset(number_signed(pair.margin.value, 3)).text);
	html_put(page->html, "small", "\u00b1%s, %jd",
	    number_half(&pair.margin, 3).text, pair.encounter->blocks);
	html_end(page->html, "td");
}

static void
put_cross_table(struct page *page)
{
	double limit = cross_limit(page);
	char headings[TEXT_SIZE] = "#|^bot";
	size_t length = strlen(headings);

	for (int i = 0; i < page->count; i++)
		length += (size_t)snprintf(
		    headings + length, sizeof(headings) - length, "|%d", i + 1);
	table_begin(page, "table.cross",
	    "Points per deal of the row against the column, with half the "
	    "interval and the number of blocks",
	    headings);
	for (int row = 0; row < page->count; row++) {
		row_begin(page, row);
		for (int column = 0; column < page->count; column++)
			put_cross_cell(page, row, column, limit);
		row_end(page);
	}
	table_end(page);
}

/* All pairs that met, the higher bot first. */
static void
put_pairs(struct page *page)
{
	int rows = 0;

	details_begin(page, "Each pair of bots as a table");
	table_begin(page, "table.sortable",
	    "Points per deal of the first against the second",
	    "^bot|^against|points per deal|LOS|blocks");
	for (int a = 0; a < page->count; a++) {
		for (int b = a + 1; b < page->count && rows < PAIRS_MAX; b++) {
			const int *order = page->view->ratings.order;
			struct report_pair pair;

			if (!isfinite(cross_margin(page, a, b)))
				continue;
			rows++;
			pair = report_pair_of(page->view, order[a], order[b]);
			html_begin(page->html, "tr");
			put_row_name(page, name_of(page, a));
			html_put(page->html, "td.text", "%s", name_of(page, b));
			put_cell(page, number_points_half(&pair.margin));
			put_cell(page, number_probability(pair.los));
			put_count(page, pair.encounter->blocks);
			row_end(page);
		}
	}
	table_end(page);
	if (rows == PAIRS_MAX)
		html_put(page->html, "p.note",
		    "Only the first %d pairs are shown.", PAIRS_MAX);
	html_end(page->html, "details");
}

/* Names in the order of the ranking and room for numbers; both for free(). */
static const char **
names_make(const struct page *page)
{
	const char **names = calloc((size_t)page->count, sizeof(*names));

	for (int i = 0; names != NULL && i < page->count; i++)
		names[i] = name_of(page, i);
	if (names == NULL)
		page->html->failed = true;
	return names;
}

static double *
values_make(const struct page *page, int columns)
{
	double *values =
	    calloc((size_t)page->count * (size_t)columns, sizeof(*values));

	if (values == NULL)
		page->html->failed = true;
	return values;
}

static void
put_cross_heat(struct page *page)
{
	const char **names = names_make(page);
	double *values = values_make(page, page->count);
	struct chart_heat heat = {
		.chart = { "heat", "Crosstable in colours",
		    "A square for each two bots: points per deal of the row "
		    "against the column, blue where the row is ahead, orange "
		    "where it is behind. The table below has the numbers." },
		.names = names,
		.count = page->count,
		.values = values,
		.limit = cross_limit(page),
	};

	for (int i = 0; values != NULL && i < page->count * page->count; i++)
		values[i] =
		    cross_margin(page, i / page->count, i % page->count);
	if (names != NULL && values != NULL) {
		wide_begin(page, heat.chart.title);
		chart_heat(page->html, &heat);
		html_end(page->html, "div");
		html_put(page->html, "p.note",
		    "Blue: the row is ahead; orange: it is behind; strongest "
		    "at %s points per deal.",
		    number_fixed(heat.limit, 2).text);
	}
	free(names);
	free(values);
}

static bool
has_pairs(const struct page *page)
{
	return page->view->verdict == NULL && page->count > 2 &&
	    has_blocks(page);
}

static void
put_cross(struct page *page)
{
	if (page->count <= CROSS_MAX) {
		put_cross_table(page);
	} else {
		put_cross_heat(page);
		put_pairs(page);
	}
}

/*
 * Points by source.
 */

static bool
counts(const struct page *page, int item)
{
	/* All coins win the match, but make no points. */
	return item != SCOPA_ITEM_ALL_COINS &&
	    scopa_item_counts(
		&page->view->standings->rules, (enum scopa_item)item);
}

/* Own points less those of others; more is better, whatever the rules say. */
static double
source_gain(const struct page *page, int position, int item)
{
	struct report_source source = report_source_of(page->view,
	    page->view->ratings.order[position], (enum scopa_item)item);
	bool least = page->view->standings->rules.aim == SCOPA_AIM_LEAST;

	return least ? source.others - source.own : source.own - source.others;
}

/* ` cards +0.54 and coins +0.35`: the two items with the greatest gain. */
static void
put_greatest(struct page *page, int position, int sign)
{
	int best[2] = { -1, -1 };

	for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
		double gain = sign * source_gain(page, position, item);

		if (!counts(page, item) || gain < 0.005)
			continue;
		if (best[0] < 0 ||
		    gain > sign * source_gain(page, position, best[0])) {
			best[1] = best[0];
			best[0] = item;
		} else if (best[1] < 0 ||
		    gain > sign * source_gain(page, position, best[1])) {
			best[1] = item;
		}
	}
	for (int i = 0; i < 2 && best[i] >= 0; i++)
		html_text(page->html, "%s %s %s", i > 0 ? " and" : "",
		    scopa_item_name((enum scopa_item)best[i]),
		    typeset(
			number_signed(source_gain(page, position, best[i]), 2))
			.text);
	if (best[0] < 0)
		html_text(page->html, " nothing");
}

static void
put_source_sentences(struct page *page)
{
	html_begin(page->html, "ul");
	for (int i = 0; i < page->count && i < SENTENCES_MAX; i++) {
		html_begin(page->html, "li");
		html_put(page->html, "strong", "%s", name_of(page, i));
		html_text(page->html, " gains most by");
		put_greatest(page, i, 1);
		html_text(page->html, " a deal, and loses most by");
		put_greatest(page, i, -1);
		html_text(page->html, ".");
		html_end(page->html, "li");
	}
	html_end(page->html, "ul");
}

/* The table: own points, and those of others below them. */
static void
put_source_table(struct page *page)
{
	char headings[TEXT_SIZE] = "#|^bot";
	size_t length = strlen(headings);

	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		if (counts(page, item))
			length += (size_t)snprintf(headings + length,
			    sizeof(headings) - length, "|%s|others",
			    scopa_item_name((enum scopa_item)item));
	details_begin(page, "Own points and those of others as a table");
	table_begin(page, "table.sortable",
	    "Points per deal by source: its own, and the mean of the others",
	    headings);
	for (int i = 0; i < page->count; i++) {
		row_begin(page, i);
		for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
			struct report_source source = report_source_of(
			    page->view, page->view->ratings.order[i],
			    (enum scopa_item)item);

			if (!counts(page, item))
				continue;
			put_cell(page, number_fixed(source.own, 3));
			put_cell(page, number_fixed(source.others, 3));
		}
		row_end(page);
	}
	table_end(page);
	html_end(page->html, "details");
}

static void
put_sources(struct page *page)
{
	const char **names = names_make(page);
	double *values = values_make(page, SCOPA_ITEM_COUNT + 1);
	const char *columns[SCOPA_ITEM_COUNT + 1];
	struct chart_bars bars = {
		.chart = { "sources", "Points by source",
		    "For each bot and each source of points, a bar of its own "
		    "points less those of others, per deal. The table below "
		    "has the numbers." },
		.rows = names,
		.columns = columns,
		.row_count = page->count,
		.values = values,
		.digits = 2,
	};

	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		if (counts(page, item))
			columns[bars.column_count++] =
			    scopa_item_name((enum scopa_item)item);
	columns[bars.column_count++] = "total";
	for (int i = 0; values != NULL && i < page->count; i++) {
		double *row = values + i * bars.column_count, total = 0;

		for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
			if (!counts(page, item))
				continue;
			*row = source_gain(page, i, item);
			total += *row++;
		}
		*row = total;
	}
	html_put(page->html, "p",
	    "Why a bot wins: its own points less those of the others, per "
	    "deal.");
	put_source_sentences(page);
	if (names != NULL && values != NULL) {
		wide_begin(page, bars.chart.title);
		chart_bars(page->html, &bars);
		html_end(page->html, "div");
	}
	put_source_table(page);
	free(names);
	free(values);
}

/*
 * The page.
 */

static void
put_text_report(struct page *page)
{
	static const struct report_style style = { .width = REPORT_WIDTH };
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	int result = -ENOMEM;

	if (file != NULL)
		result = report_text(page->view, &style, file);
	if (file != NULL && fclose(file) != 0)
		result = -ENOMEM;
	page->html->failed |= result != 0;
	if (result == 0) {
		html_put(page->html, "p",
		    "All tables, as the command status prints them.");
		details_begin(page, "The report as text");
		html_begin(page->html, "pre");
		html_attribute(page->html, "tabindex", "0");
		html_lines(page->html, text, size);
		html_end(page->html, "pre");
		html_end(page->html, "details");
	}
	free(text);
}

static void
put_environment(struct page *page)
{
	const struct report_view *view = page->view;
	const struct store_head *head = view->head;
	const struct standings *standings = view->standings;

	html_begin(page->html, "dl.facts");
	put_fact(page, "Played by", "%s", head->tool);
	put_fact(page, "Begun", "%s", head->created);
	for (int i = 0; i < standings->sandbox_count; i++)
		put_fact(page, "Sandbox", "%s: %jd game%s",
		    standings->sandboxes[i].name[0]
			? standings->sandboxes[i].name
			: "unknown",
		    standings->sandboxes[i].games,
		    text_plural(standings->sandboxes[i].games));
	put_fact(page, "Folder of the run", "%s", text_or_none(view->path));
	put_fact(page, "Packs", "%s", text_or_none(view->packs));
	put_fact(page, "Seed", "%s",
	    view->packs != NULL ? "" : text_or_none(view->seed));
	put_fact(page, "Commitment", "%s", head->commitment);
	put_fact(page, "Contributions", "%s", head->contributions);
	put_fact(page, "Chain of the results", "%s", text_or_none(view->chain));
	html_end(page->html, "dl");
	if (view->path != NULL) {
		html_put(page->html, "h3", "How to verify this run");
		html_put(page->html, "pre.command",
		    VERSION_NAME " record verify --fair %s", view->path);
		html_put(page->html, "p.note",
		    "It plays every game again from its record, and checks "
		    "packs, results and the chain.");
	}
}

static void
put_method(struct page *page)
{
	static const char *const paragraphs[] = {
		"A block is the same packs, played once with every way of "
		"seating the bots that meet, so that the luck of the deal "
		"cancels out. It is the unit of all statistics.",
		"Points per deal are a bot's own points less the mean of its "
		"opponents'. Ratings fit all encounters at once; their "
		"intervals are by Student's t over rounds, as encounters of a "
		"round share their packs.",
		"Elo is logistic, of games won, drawn and lost. LOS is the "
		"probability that the margin is above 0. An interval that "
		"ends in ? has no end yet: there are too few results.",
	};

	for (size_t i = 0; i < COUNTOF(paragraphs); i++)
		html_put(page->html, "p", "%s", paragraphs[i]);
}

static const struct section {
	const char *id, *title;
	bool (*has)(const struct page *page); /* NULL: it is always there */
	void (*put)(struct page *page);
	bool live; /* it changes while the run is played */
} sections[] = {
	{ "result", "Result", NULL, put_result, true },
	{ "standings", "Standings", has_blocks, put_standings, true },
	{ "cross", "Each against each", has_pairs, put_cross, true },
	{ "sources", "Points by source", has_blocks, put_sources, false },
	{ "text", "As text", NULL, put_text_report, false },
	{ "environment", "Environment", NULL, put_environment, false },
	{ "method", "How numbers are computed", NULL, put_method, false },
};

static bool
section_is_there(const struct page *page, const struct section *section)
{
	return section->has == NULL || section->has(page);
}

static void
put_sections(struct page *page, bool live)
{
	for (size_t i = 0; i < COUNTOF(sections); i++) {
		if (!section_is_there(page, &sections[i]) ||
		    (live && !sections[i].live))
			continue;
		html_begin(page->html, "section");
		html_attribute(page->html, "id", "%s", sections[i].id);
		html_put(page->html, "h2", "%s", sections[i].title);
		sections[i].put(page);
		html_end(page->html, "section");
		fputc('\n', page->html->file);
	}
}

static void
put_contents(struct page *page)
{
	struct html *html = page->html;

	html_begin(html, "nav.contents");
	html_attribute(html, "aria-label", "Contents");
	html_begin(html, "ol");
	for (size_t i = 0; i < COUNTOF(sections); i++) {
		if (!section_is_there(page, &sections[i]))
			continue;
		html_begin(html, "li");
		html_begin(html, "a");
		html_attribute(html, "href", "#%s", sections[i].id);
		html_text(html, "%s", sections[i].title);
		html_end(html, "a");
		html_end(html, "li");
	}
	html_end(html, "ol");
	html_end(html, "nav");
}

static void
put_masthead(struct page *page)
{
	const struct store_head *head = page->view->head;
	struct html *html = page->html;

	html_begin(html, "header.masthead");
	html_put(html, "p.kicker", "Scopa Arena \u00b7 report of a %s",
	    head->command);
	html_put(html, "h1", "%s",
	    head->name[0] != '\0' ? head->name : head->command);
	html_end(html, "header");
}

static struct page
page_of(const struct report_view *view, const struct run_facts *facts,
    struct html *html)
{
	int count = report_bot_count(view);

	return (struct page){
		.html = html,
		.view = view,
		.facts = facts,
		.count = count,
		.shown = count < CHARTS_MAX ? count : CHARTS_MAX,
	};
}

void
report_html_live(const struct report_view *view, const struct run_facts *facts,
    struct html *html)
{
	struct page page = page_of(view, facts, html);

	put_sections(&page, true);
}

int
report_html(
    const struct report_view *view, const struct run_facts *facts, FILE *file)
{
	static const char *const styles[] = { "report.css", NULL };
	static const char *const scripts[] = { "report.js", NULL };
	const struct html_page shell = {
		.title = view->head->name,
		.styles = styles,
		.scripts = scripts,
	};
	struct html html;
	struct page page = page_of(view, facts, &html);

	assert(view->ratings.order != NULL);
	html_init(&html, file);
	if (html_page_begin(&html, &shell) < 0)
		return -ENOMEM;
	put_masthead(&page);
	html_begin(&html, "div.layout");
	put_contents(&page);
	html_begin(&html, "main");
	html_attribute(&html, "id", "main");
	put_sections(&page, false);
	html_end(&html, "main");
	html_end(&html, "div");
	html_put(&html, "footer", "%s, %s", view->head->tool,
	    text_or_none(view->path));
	return html_page_end(&html, &shell);
}
