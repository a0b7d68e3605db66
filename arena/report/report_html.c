/*
 * The page of a run: a table of sections.  Each section has a function that
 * writes it, and a function that returns whether there is something to show.
 */
#include "facts_html.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "countof.h"
#include "sandbox.h"
#include "version.h"
#include "words.h"

enum {
	CROSS_MAX = 12,   /* with more bots the crosstable is a picture */
	PAIRS_MAX = 5000, /* rows of pairs */
	TEXT_SIZE = 1024
};

const char *
report_page_name(const struct report_page *page, int position)
{
	return report_name(page->view, page->view->ratings.order[position]);
}

const struct standing *
report_page_standing(const struct report_page *page, int position)
{
	return &page->view->standings
		    ->bots[page->view->ratings.order[position]];
}

bool
report_page_has_blocks(const struct report_page *page)
{
	return page->view->standings->blocks > 0;
}

void
report_page_command(struct report_page *page, const char *command,
    const char *file, const char *rest)
{
	struct scopa_text path = SCOPA_TEXT(PATH_MAX);

	scopa_text_print(&path, "%s%s", page->view->path, file);
	html_put(page->html, "pre.command", VERSION_NAME " %s %s%s", command,
	    shell_text(path.bytes), rest);
}

void
report_page_row(struct report_page *page, int position)
{
	html_table_row(page->html);
	html_table_count(page->html, position + 1);
	html_table_name(page->html, report_page_name(page, position));
}

struct number
report_page_think(const struct standing *standing)
{
	double think_ms = report_think_ms(standing);

	return isnan(think_ms) ? (struct number){ "-" }
			       : number_fixed(think_ms, 2);
}

/* Names of all bots in order, and values [position * columns + column]. */
struct page_values {
	const char **names; /* owned */
	double *values;     /* owned */
};

/*
 * Fills the values by calling `value`, which returns NAN for an unknown one.
 * Returns false without memory.  The caller releases the values in any case.
 */
static bool
page_values_init(struct page_values *values, struct report_page *page,
    int columns,
    double (*value)(const struct report_page *page, int position, int column))
{
	size_t count = (size_t)page->count * (size_t)columns;

	values->names = calloc((size_t)page->count, sizeof(*values->names));
	values->values = calloc(count, sizeof(*values->values));
	if (values->names == NULL || values->values == NULL) {
		page->html->failed = true;
		return false;
	}
	for (int i = 0; i < page->count; i++) {
		values->names[i] = report_page_name(page, i);
		for (int column = 0; column < columns; column++)
			values->values[i * columns + column] =
			    value(page, i, column);
	}
	return true;
}

static void
page_values_release(struct page_values *values)
{
	free(values->names);
	free(values->values);
}

void
report_page_bars(struct report_page *page, const struct chart *chart,
    const char *const *columns, int column_count,
    double (*value)(const struct report_page *page, int position, int column))
{
	struct page_values values;

	if (page_values_init(&values, page, column_count, value))
		chart_bars(page->html,
		    &(struct chart_bars){
			.chart = *chart,
			.rows = values.names,
			.columns = columns,
			.row_count = page->count,
			.column_count = column_count,
			.values = values.values,
		    });
	page_values_release(&values);
}

/*
 * The result.
 */

static void
put_gate(struct report_page *page)
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
	struct scopa_text text = SCOPA_TEXT(TEXT_SIZE);
	struct html *html = page->html;

	_Static_assert(COUNTOF(rows) == GATE_OUTCOME_COUNT, "one each");
	html_begin(html, "p.verdict");
	html_put(html, rows[verdict->outcome].element, "%s",
	    rows[verdict->outcome].word);
	html_text(html, ": %s against %s, %s.", report_name(page->view, 0),
	    report_name(page->view, 1), verdict->reason);
	html_end(html, "p");
	html_begin(html, "p");
	if (verdict->has_unbiased && verdict->unbiased_is_elo)
		html_text(html, "Elo %s",
		    number_typeset(number_elo(&verdict->unbiased)).text);
	else if (verdict->has_unbiased)
		html_text(html, "Margin %s points per deal",
		    number_typeset(number_points(&verdict->unbiased)).text);
	html_text(html, "%s %s points per deal",
	    verdict->has_unbiased ? ", median-unbiased; plain margin"
				  : "Margin",
	    number_typeset(number_points(&verdict->margin)).text);
	if (gate->sequential)
		html_text(html,
		    ". The LLR is %s%s, the bounds are %s and %s (model %s, H0 "
		    "%g against H1 %g %s, alpha %g, beta %g)",
		    number_typeset(number_signed(verdict->sprt.llr, 2)).text,
		    verdict->sprt.certain
			? ", but nothing more is needed: the margin lies far "
			  "beyond both hypotheses"
			: "",
		    number_typeset(number_signed(verdict->sprt.lower, 2)).text,
		    number_typeset(number_signed(verdict->sprt.upper, 2)).text,
		    sprt_model_names[gate->sprt.model], gate->sprt.low,
		    gate->sprt.high, text_unit(sprt_unit_name(&gate->sprt)),
		    gate->sprt.alpha, gate->sprt.beta);
	html_text(html, ".");
	html_end(html, "p");
	if (report_caution(page->view, &text))
		html_put(html, "p.note", "Caution: %s.", text.bytes);
}

static void
put_leader(struct report_page *page)
{
	const struct report_view *view = page->view;
	const int *order = view->ratings.order;
	struct estimate gap = report_gap(view, order[0], order[1]);
	double above = report_above_next(view, 0);
	struct scopa_text places = SCOPA_TEXT(TEXT_SIZE);
	struct html *html = page->html;

	html_begin(html, "p.verdict");
	if (view->standings->blocks == 0) {
		html_text(html, "No block was counted.");
	} else if (report_places_say(view, &places)) {
		html_put(html, "strong", "%s", report_page_name(page, 0));
		html_text(html, "%s.", places.bytes);
	} else if (gap.value == 0) {
		html_put(html, "strong", "%s", report_page_name(page, 0));
		html_text(html, " is tied with %s.", report_page_name(page, 1));
	} else {
		html_put(html, "strong", "%s", report_page_name(page, 0));
		html_text(html,
		    " is first, %s \u00b1%s points per deal ahead of %s "
		    "(%s%s).",
		    number_typeset(number_fixed(gap.value, 2)).text,
		    number_half(&gap, 2).text, report_page_name(page, 1),
		    isfinite(above) ? number_probability(above).text
				    : "too few differing rounds",
		    isfinite(above) ? " likely to be stronger" : "");
	}
	html_end(html, "p");
}

/* Writes a sentence about each bot that lost games by its own offences. */
static void
put_offences(struct report_page *page)
{
	bool begun = false;

	for (int i = 0; i < page->count; i++) {
		struct scopa_text text = SCOPA_TEXT(TEXT_SIZE);

		if (!report_faults(
			page->view, page->view->ratings.order[i], &text))
			continue;
		if (!begun)
			html_begin(page->html, "ul");
		begun = true;
		html_put(page->html, "li", "%s.", text.bytes);
	}
	if (begun)
		html_end(page->html, "ul");
}

/* Writes a time control in words: `10 s a move` for `move:10s`. */
static void
put_time_control(struct report_page *page)
{
	const char *shown = text_or_none(page->view->time_shown);
	const char *colon = strchr(shown, ':');
	char bytes[TEXT_SIZE];
	size_t length = 0;

	for (const char *at = colon != NULL ? colon + 1 : shown;
	     *at != '\0' && length < sizeof(bytes) - 2; at++) {
		if (isalpha((unsigned char)*at) && length > 0 &&
		    isdigit((unsigned char)bytes[length - 1]))
			bytes[length++] = ' ';
		bytes[length++] = *at;
	}
	bytes[length] = '\0';
	if (colon != NULL)
		html_fact(page->html, "Time", "%s a %.*s", bytes,
		    (int)(colon - shown), shown);
	else
		html_fact(page->html, "Time", "%s", bytes);
}

static void
put_run_facts(struct report_page *page)
{
	const struct report_view *view = page->view;
	const struct standings *standings = view->standings;
	int64_t planned = report_blocks_due(view);
	const char *of = planned == 0 ? ""
	    : view->may_end_early     ? " of at most "
				      : " of ";

	html_begin(page->html, "dl.facts");
	html_fact(page->html, "State", "%s", text_or_none(view->state));
	html_fact(page->html, "Format", "%s%s%s", text_or_none(view->format),
	    view->duplicate ? ", duplicate" : "",
	    view->mixed ? ", mixed partners" : "");
	if (view->shard != NULL)
		html_fact(page->html, "Shard", "%s", view->shard);
	html_fact(page->html, "Blocks", "%s%s%s%s%s",
	    number_grouped(standings->blocks).text, of,
	    planned > 0 ? number_grouped(planned).text : "",
	    standings->skipped > 0 ? ", skipped " : "",
	    standings->skipped > 0 ? number_grouped(standings->skipped).text
				   : "");
	html_fact(
	    page->html, "Games", "%s", number_grouped(standings->games).text);
	html_fact(
	    page->html, "Deals", "%s", number_grouped(standings->deals).text);
	html_fact(page->html, "Rules", "%s", text_or_none(view->rules));
	html_fact(page->html, "Seats", "%d in %d teams",
	    standings->rules.players, scopa_team_count(&standings->rules));
	if (view->deals > 0)
		html_fact(page->html, "Length of a game", "%d deal%s",
		    view->deals, text_plural(view->deals));
	else
		html_fact(page->html, "Length of a game", "to %d points",
		    standings->rules.target);
	put_time_control(page);
	html_end(page->html, "dl");
}

static void
put_result(struct report_page *page)
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
	report_page_command(page,
	    view->verdict != NULL ? "gate --config" : "tournament --config",
	    "/config.ini", "");
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

/*
 * Returns the value of the ranking: the rating, or for two bots the points per
 * deal, which are the same order in a plainer unit.
 */
static struct estimate
rank_value(const struct report_page *page, int position)
{
	int bot = page->view->ratings.order[position];

	return page->count > 2
	    ? report_rating(page->view, page->view->ratings.margin, bot)
	    : page->view->ratings.points[bot];
}

/*
 * Returns the end of the scale of all intervals.  It depends on the values
 * only, so that a few very wide intervals are cut.
 */
static double
interval_limit(const struct report_page *page)
{
	double limit = 0;

	for (int i = 0; i < page->count; i++)
		limit = fmax(limit, fabs(rank_value(page, i).value));
	return 1.25 * limit + 0.1;
}

/* Writes the offences of a bot: `2 timeout, 1 crash`, or `none`. */
static void
put_offence_kinds(
    struct report_page *page, const struct standing *standing, bool suspended)
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
	if (suspended)
		html_text(page->html, "; suspended");
	html_end(page->html, "td");
}

static void
put_standing(struct report_page *page, int position, double limit)
{
	const struct report_view *view = page->view;
	const struct standing *standing = report_page_standing(page, position);
	int bot = view->ratings.order[position];
	struct estimate value = rank_value(page, position);
	struct estimate elo = report_elo(view, bot);
	double above = report_above_next(view, position);
	double games = standing->games > 0 ? (double)standing->games : 1;

	report_page_row(page, position);
	html_begin(page->html, "td");
	chart_interval(page->html, &value, limit);
	html_text(
	    page->html, "%s", number_typeset(number_points_half(&value)).text);
	html_end(page->html, "td");
	if (page->count > 2)
		html_table_number(
		    page->html, number_points_half(&view->ratings.points[bot]));
	html_table_number(page->html,
	    above < 0 ? (struct number){ "" } : number_probability(above));
	html_table_number(page->html, number_elo_half(&elo));
	html_table_number(page->html, number_percent(standing->score / games));
	html_table_count(page->html, standing->results.wins);
	html_table_count(page->html, standing->results.draws);
	html_table_count(page->html, standing->results.losses);
	html_table_number(page->html, report_page_think(standing));
	html_table_number(page->html,
	    number_fixed((double)standing->think_longest_us / 1e3, 1));
	put_offence_kinds(
	    page, standing, view->suspended != NULL && view->suspended[bot]);
}

static void
put_standings(struct report_page *page)
{
	const struct report_view *view = page->view;
	double limit = interval_limit(page);
	char headings[TEXT_SIZE];

	snprintf(headings, sizeof(headings),
	    "#|^bot|%spoints per deal|> next|Elo|score|won|drawn|lost|mean ms|"
	    "longest|^offences",
	    page->count > 2 ? "rating|" : "");
	html_put(page->html, "p.caption",
	    "%soints per deal and Elo, with intervals at %g%%; time to think "
	    "in milliseconds.",
	    page->count > 2 ? "Rating in points per deal, p" : "P",
	    100 * report_level(view));
	html_table_begin(page->html, "Standings", headings, true);
	for (int i = 0; i < page->count; i++)
		put_standing(page, i, limit);
	html_table_end(page->html);
	html_put(page->html, "p.note",
	    "%sThe bars show intervals from %s to %s; the line is 0, and an "
	    "arrow says that more is cut. > next: the probability that the "
	    "bot is stronger than the one below it, by Student's t over %d "
	    "round%s.",
	    page->count > 2 ? "Rating: points per deal against the mean of "
			      "all bots, of all encounters at once. "
			    : "",
	    number_typeset(number_signed(-limit, 2)).text,
	    number_signed(limit, 2).text, view->ratings.fit.clusters.count,
	    text_plural(view->ratings.fit.clusters.count));
}

/*
 * Bots against each other.
 */

static double
cross_margin(const struct report_page *page, int row, int column)
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

/* Returns the margin with the strongest colour. */
static double
cross_limit(const struct report_page *page)
{
	double limit = 0;

	for (int row = 0; row < page->count; row++)
		for (int column = 0; column < page->count; column++)
			limit =
			    fmax(limit, fabs(cross_margin(page, row, column)));
	return limit;
}

static void
put_cross_pair(struct report_page *page, int row, int column, double limit)
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
	    number_typeset(number_signed(pair.margin.value, 3)).text);
	html_put(page->html, "small", "\u00b1%s, %jd",
	    number_half(&pair.margin, 3).text, pair.encounter->blocks);
	html_end(page->html, "td");
}

static void
put_cross_table(struct report_page *page)
{
	double limit = cross_limit(page);

	html_put(page->html, "p.caption",
	    "Points per deal of the row against the column, with half the "
	    "interval and the number of blocks");
	html_begin(page->html, "div.cross");
	html_table_begin(page->html, "Crosstable", "#|^bot", false);
	for (int i = 0; i < page->count; i++)
		html_table_heading(page->html, number_fixed(i + 1, 0).text);
	for (int row = 0; row < page->count; row++) {
		report_page_row(page, row);
		for (int column = 0; column < page->count; column++)
			put_cross_pair(page, row, column, limit);
	}
	html_table_end(page->html);
	html_end(page->html, "div");
}

/* Writes a table of all pairs that met, the higher bot first. */
static void
put_pairs(struct report_page *page)
{
	int rows = 0;

	html_details_begin(page->html, "Each pair of bots as a table");
	html_table_begin(page->html,
	    "Points per deal of the first against the second",
	    "^bot|^against|points per deal|LOS|blocks", true);
	for (int a = 0; a < page->count; a++) {
		for (int b = a + 1; b < page->count && rows < PAIRS_MAX; b++) {
			const int *order = page->view->ratings.order;
			struct report_pair pair;

			if (!isfinite(cross_margin(page, a, b)))
				continue;
			rows++;
			pair = report_pair_of(page->view, order[a], order[b]);
			html_table_row(page->html);
			html_table_name(page->html, report_page_name(page, a));
			html_put(page->html, "td.text", "%s",
			    report_page_name(page, b));
			html_table_number(
			    page->html, number_points_half(&pair.margin));
			html_table_number(
			    page->html, number_probability(pair.los));
			html_table_count(page->html, pair.encounter->blocks);
		}
	}
	html_table_end(page->html);
	if (rows == PAIRS_MAX)
		html_put(page->html, "p.note",
		    "Only the first %d pairs are shown.", PAIRS_MAX);
	html_end(page->html, "details");
}

static void
put_cross_heat(struct report_page *page)
{
	double limit = cross_limit(page);
	struct page_values values;

	if (page_values_init(&values, page, page->count, cross_margin))
		chart_heat(page->html,
		    &(struct chart_heat){
			.chart = { "heat", "Crosstable in colours",
			    "A square for each pair of bots: points per deal "
			    "of the row against the column, blue where the row "
			    "is ahead, orange where it is behind. The table "
			    "below has the numbers." },
			.names = values.names,
			.count = page->count,
			.values = values.values,
			.limit = limit,
		    });
	page_values_release(&values);
	html_put(page->html, "p.note",
	    "Blue: the row is ahead; orange: it is behind; strongest at %s "
	    "points per deal.",
	    number_fixed(limit, 2).text);
}

static bool
has_pairs(const struct report_page *page)
{
	return page->view->verdict == NULL && page->count > 2 &&
	    report_page_has_blocks(page);
}

static void
put_cross(struct report_page *page)
{
	if (page->count <= CROSS_MAX) {
		put_cross_table(page);
	} else {
		put_cross_heat(page);
		put_pairs(page);
	}
}

/*
 * The bracket of a knockout.
 */

enum { BRACKET_MAX = 64 }; /* with more bots there is no drawing */

static bool
has_bracket(const struct report_page *page)
{
	return report_has_bracket(page->view);
}

/* Writes the row of the match that a bot lost or has to play. */
static void
put_match(struct report_page *page, int loser)
{
	const struct report_view *view = page->view;
	int winner = report_winner_over(view, loser);
	const struct encounter *encounter;

	html_table_row(page->html);
	html_table_name(
	    page->html, report_match_name(view->places[loser]).text);
	html_put(page->html, "td.text", "%s",
	    winner < 0 ? "not played" : report_name(view, winner));
	html_put(page->html, "td.text", "%s", report_name(view, loser));
	if (winner >= 0) {
		encounter = standings_encounter(view->standings, winner, loser);
		html_table_number(
		    page->html, number_signed(encounter->margins.mean, 3));
		html_table_count(page->html, encounter->blocks);
	}
}

/* Draws the bracket if all matches are decided. */
static void
put_bracket_chart(struct report_page *page)
{
	const struct report_view *view = page->view;
	struct chart_match matches[BRACKET_MAX];
	const char *names[BRACKET_MAX];
	struct number labels[BRACKET_MAX];
	struct chart_bracket bracket = {
		.chart = { "bracket-chart", "Bracket",
		    "The winners of all matches, from the first stage at the "
		    "left to the final at the right, with their points per "
		    "deal. The table below has the matches." },
		.names = names,
		.matches = matches,
		.winner = -1,
	};

	for (int bot = 0; bot < page->count; bot++) {
		int winner = report_winner_over(view, bot);
		struct chart_match *match = &matches[bracket.match_count];

		names[bot] = report_name(view, bot);
		if (view->places[bot] == 0)
			bracket.winner = bot;
		if (view->places[bot] <= 0)
			continue;
		/* The match is not decided. */
		if (winner < 0)
			return;
		labels[bracket.match_count] = number_typeset(number_signed(
		    standings_encounter(view->standings, winner, bot)
			->margins.mean,
		    2));
		*match = (struct chart_match){ labels[bracket.match_count].text,
			winner, bot, report_match_stage(view->places[bot]) };
		if (match->stage >= bracket.stage_count)
			bracket.stage_count = match->stage + 1;
		bracket.match_count++;
	}
	if (bracket.winner >= 0 && bracket.match_count == page->count - 1)
		chart_bracket(page->html, &bracket);
}

static void
put_bracket(struct report_page *page)
{
	const int *order = page->view->ratings.order;

	if (page->count <= BRACKET_MAX)
		put_bracket_chart(page);
	html_table_begin(page->html, "Matches",
	    "^match|^winner|^loser|points per deal|blocks", false);
	for (int i = 0; i < page->count; i++)
		if (page->view->places[order[i]] > 0)
			put_match(page, order[i]);
	html_table_end(page->html);
}

/*
 * Points by source.
 */

/* Returns own points less those of others, with a sign: more is better. */
static double
source_gain(const struct report_page *page, int position, int item)
{
	struct report_source source = report_source_of(page->view,
	    page->view->ratings.order[position], (enum scopa_item)item);
	bool least = page->view->standings->rules.aim == SCOPA_AIM_LEAST;

	return least ? source.others - source.own : source.own - source.others;
}

/*
 * Finds the item of the greatest gain (sign -1: loss), except `without`; -1:
 * there is none.
 */
static int
find_greatest(struct report_page *page, int position, int sign, int without)
{
	int best = -1;

	for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
		double gain = sign * source_gain(page, position, item);

		if (item != without && gain >= 0.005 &&
		    report_item_counts(page->view, item) &&
		    (best < 0 ||
			gain > sign * source_gain(page, position, best)))
			best = item;
	}
	return best;
}

/* Writes ` wins by cards +0.54 per deal`, or returns false: there is none. */
static bool
put_greatest(struct report_page *page, int position, int sign, const char *verb)
{
	int best[2];

	best[0] = find_greatest(page, position, sign, -1);
	best[1] = find_greatest(page, position, sign, best[0]);
	if (best[0] < 0)
		return false;
	html_text(page->html, " %s", verb);
	for (int i = 0; i < 2 && best[i] >= 0; i++)
		html_text(page->html, "%s %s %s", i > 0 ? " and" : "",
		    scopa_item_name((enum scopa_item)best[i]),
		    number_typeset(
			number_signed(source_gain(page, position, best[i]), 2))
			.text);
	html_text(page->html, " per deal");
	return true;
}

static void
put_source_sentences(struct report_page *page)
{
	html_begin(page->html, "ul");
	for (int i = 0; i < page->shown; i++) {
		bool wins;

		html_begin(page->html, "li");
		html_put(page->html, "strong", "%s", report_page_name(page, i));
		wins = put_greatest(page, i, 1, "wins by");
		if (!put_greatest(
			page, i, -1, wins ? "and loses by" : "loses by") &&
		    !wins)
			html_text(page->html, " is even everywhere");
		html_text(page->html, ".");
		html_end(page->html, "li");
	}
	html_end(page->html, "ul");
}

static double
source_value(const struct report_page *page, int position, int column)
{
	int item = 0;

	while (!report_item_counts(page->view, item) || column-- > 0)
		item++;
	return source_gain(page, position, item);
}

static void
put_sources(struct report_page *page)
{
	static const struct chart chart = { "sources-chart", "Points by source",
		"For each bot and each source of points, a bar of its own "
		"points less those of others, per deal. The table below has "
		"the numbers." };
	const char *columns[SCOPA_ITEM_COUNT];
	int count = 0;

	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		if (report_item_counts(page->view, item))
			columns[count++] =
			    scopa_item_name((enum scopa_item)item);
	html_put(page->html, "p",
	    "Why a bot wins: its own points less those of the others, per "
	    "deal.");
	put_source_sentences(page);
	report_page_bars(page, &chart, columns, count, source_value);
}

/*
 * The page.
 */

static void
put_text_report(struct report_page *page)
{
	static const struct report_style style = { .width = REPORT_WIDTH,
		.full = true };
	char *text = NULL;
	size_t size = 0;
	FILE *file = memory_file_open(&text, &size);
	int result = -ENOMEM;

	if (file != NULL)
		result = report_text(page->view, &style, file);
	if (file != NULL && fclose(file) != 0)
		result = -ENOMEM;
	page->html->failed |= result != 0;
	if (result == 0) {
		html_put(page->html, "p",
		    "All tables, as the command status prints them.");
		html_details_begin(page->html, "The report as text");
		html_pre(page->html, text, size);
		html_end(page->html, "details");
	}
	free(text);
}

static bool
has_workers(const struct report_page *page)
{
	return page->view->workers != NULL && page->view->workers->count > 0;
}

static void
put_workers(struct report_page *page)
{
	const struct worker_list *workers = page->view->workers;

	html_put(page->html, "p.note", "As of %.10s %.8s UTC.",
	    workers->written, workers->written + 11);
	html_table_begin(page->html, "Workers on other machines",
	    "^Worker|^State|Cores|Speed|Games/s|Blocks|Games|Faults|Lag ms|"
	    "Seen s",
	    true);
	for (int i = 0; i < workers->count; i++) {
		const struct worker_row *row = &workers->rows[i];

		html_table_row(page->html);
		html_table_name(page->html, row->name);
		html_put(page->html, "td.text", "%s", row->state);
		html_table_count(page->html, row->cores);
		html_table_number(page->html, number_fixed(row->speed, 2));
		html_table_number(
		    page->html, number_fixed(row->games_per_s, 1));
		html_table_count(page->html, row->blocks);
		html_table_count(page->html, row->games);
		html_table_count(page->html, row->faults);
		html_table_number(
		    page->html, number_fixed(row->lag_s * 1e3, 1));
		html_table_number(page->html,
		    row->seen_s < 0 ? (struct number){ "never" }
				    : number_fixed(row->seen_s, 1));
	}
	html_table_end(page->html);
}

static void
put_environment(struct report_page *page)
{
	const struct report_view *view = page->view;
	const struct store_head *head = view->head;
	const struct standings *standings = view->standings;

	html_begin(page->html, "dl.facts");
	html_fact(page->html, "Played by", "%s", head->tool);
	/* Only day and minute of 2025-01-31T18:30:00Z are written. */
	if (strlen(head->created) > 16)
		html_fact(page->html, "Begun", "%.10s %.5s UTC", head->created,
		    head->created + 11);
	for (int i = 0; i < standings->sandbox_count; i++)
		html_fact(page->html, "Sandbox", "%s: %jd game%s",
		    standings->sandboxes[i].name[0]
			? standings->sandboxes[i].name
			: "unknown",
		    standings->sandboxes[i].games,
		    text_plural(standings->sandboxes[i].games));
	html_fact(page->html, "Machine", "%s", page->facts->machine);
	if (page->facts->damaged > 0)
		html_fact(page->html, "Damaged records", "%jd game%s",
		    page->facts->damaged, text_plural(page->facts->damaged));
	html_fact(
	    page->html, "Folder of the run", "%s", text_or_none(view->path));
	html_fact(page->html, "Packs", "%s", text_or_none(view->packs));
	html_fact(page->html, "Seed", "%s",
	    view->packs != NULL ? "" : text_or_none(view->seed));
	html_fact(page->html, "Commitment", "%s", head->commitment);
	html_fact(page->html, "Contributions", "%s", head->contributions);
	html_fact(page->html, "Chain of the results", "%s",
	    text_or_none(view->chain));
	html_end(page->html, "dl");
	if (view->path != NULL) {
		html_put(page->html, "h3", "How to verify this run");
		report_page_command(page, "record verify --fair", "", "");
		html_put(page->html, "p.note",
		    "It plays every game again from its record, and checks "
		    "packs, results and the chain.");
	}
}

static void
put_method(struct report_page *page)
{
	static const char *const paragraphs[] = {
		"A block is the same packs, played until each of the bots that "
		"meet has had every seat, so that the luck of the deal "
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

static const struct page_section *const sections[] = {
	&(const struct page_section){
	    "result", "Result", NULL, put_result, true },
	&(const struct page_section){ "standings", "Standings",
	    report_page_has_blocks, put_standings, true },
	&(const struct page_section){
	    "cross", "Each against each", has_pairs, put_cross, true },
	&(const struct page_section){
	    "bracket", "Bracket", has_bracket, put_bracket, true },
	&section_llr,
	&section_margins,
	&(const struct page_section){ "sources", "Points by source",
	    report_page_has_blocks, put_sources, false },
	&section_seats,
	&section_times,
	&section_metrics,
	&section_failures,
	&section_losses,
	&section_games,
	&(const struct page_section){
	    "workers", "Workers", has_workers, put_workers, true },
	&(const struct page_section){
	    "text", "As text", NULL, put_text_report, false },
	&(const struct page_section){
	    "environment", "Environment", NULL, put_environment, false },
	&(const struct page_section){
	    "method", "How numbers are computed", NULL, put_method, false },
};

/* Returns whether the section is written; `live`: the page follows a run. */
static bool
is_shown(const struct report_page *page, const struct page_section *section,
    bool live)
{
	return (section->live || !live) &&
	    (section->has == NULL || section->has(page));
}

static void
put_sections(struct report_page *page, bool live)
{
	struct html *html = page->html;

	for (size_t i = 0; i < COUNTOF(sections); i++) {
		if (!is_shown(page, sections[i], live))
			continue;
		html_begin(html, "section");
		html_attribute(html, "id", "%s", sections[i]->id);
		html_put(html, "h2", "%s", sections[i]->title);
		sections[i]->put(page);
		html_end(html, "section");
		fputc('\n', html->file);
	}
}

static void
put_contents(struct report_page *page)
{
	struct html *html = page->html;

	html_begin(html, "nav.contents");
	html_attribute(html, "aria-label", "Contents");
	html_begin(html, "ol");
	for (size_t i = 0; i < COUNTOF(sections); i++) {
		if (!is_shown(page, sections[i], false))
			continue;
		html_begin(html, "li");
		html_begin(html, "a");
		html_attribute(html, "href", "#%s", sections[i]->id);
		html_text(html, "%s", sections[i]->title);
		html_end(html, "a");
		html_end(html, "li");
	}
	html_end(html, "ol");
	html_end(html, "nav");
}

static void
put_masthead(struct report_page *page)
{
	const struct store_head *head = page->view->head;
	struct html *html = page->html;

	html_begin(html, "header.masthead");
	html_put(html, "p.kicker", "Scopa Arena \u00b7 report of a %s",
	    head->command);
	/* Without --name a run has the name of its command. */
	if (strcmp(head->name, head->command) != 0)
		html_put(html, "h1", "%s", head->name);
	else if (page->count == 2)
		html_put(html, "h1", "%s against %s",
		    report_name(page->view, 0), report_name(page->view, 1));
	else
		html_put(html, "h1", "%d bots, %s", page->count,
		    text_or_none(page->view->format));
	html_end(html, "header");
}

static struct report_page
page_of(const struct report_view *view, const struct run_facts *facts,
    struct html *html)
{
	static const struct run_facts none;
	int count = report_bot_count(view);

	assert(view->ratings.order != NULL);
	return (struct report_page){
		.html = html,
		.view = view,
		.facts = facts != NULL ? facts : &none,
		.count = count,
		.shown = count < REPORT_PAGE_BOTS ? count : REPORT_PAGE_BOTS,
	};
}

void
report_html_live(const struct report_view *view, const struct run_facts *facts,
    struct html *html)
{
	struct report_page page = page_of(view, facts, html);

	put_sections(&page, true);
}

/* Opens the file of `analyse` in the folder of the run; NULL: none. */
static struct play_losses *
open_losses(const struct report_view *view)
{
	struct play_losses *losses = NULL;
	char path[PATH_MAX];

	if (view->path != NULL &&
	    snprintf(path, sizeof(path), "%s/" RUN_ANALYSIS, view->path) <
		(int)sizeof(path) &&
	    play_losses_open(&losses, path) < 0)
		return NULL;
	return losses;
}

int
report_html(
    const struct report_view *view, const struct run_facts *facts, FILE *file)
{
	static const char *const styles[] = { "report.css", "replay.css",
		NULL };
	static const char *const scripts[] = { "cards.js", "replay.js",
		"report.js", NULL };
	struct html html;
	struct report_page page = page_of(view, facts, &html);
	bool games = section_games.has(&page);
	const struct html_page shell = {
		.title = view->head->name,
		.styles = styles,
		/* The last two scripts replay games. */
		.scripts = games ? scripts : scripts + COUNTOF(scripts) - 2,
	};

	html_init(&html, file);
	if (html_page_begin(&html, &shell) < 0)
		return -ENOMEM;
	page.losses = open_losses(view);
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
	play_losses_close(page.losses);
	return html_page_end(&html, &shell);
}
