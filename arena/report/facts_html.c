/*
 * Implements facts_html.h.  A section has two functions: one returns whether
 * there is something to show, the other writes it.
 */
#include "facts_html.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"
#include "fault_text.h"
#include "game_view.h"

enum { TEXT_SIZE = 1024 };

/*
 * What the records show.
 */

static bool
has_curve(const struct report_page *page)
{
	return page->facts->llr_count > 1 && page->view->verdict != NULL;
}

static void
put_curve(struct report_page *page)
{
	const struct run_facts *facts = page->facts;
	const struct sprt_state *sprt = &page->view->verdict->sprt;
	double x[FACTS_CURVE_MAX], y[FACTS_CURVE_MAX];
	const struct chart_series series = { NULL, x, y, facts->llr_count };
	const struct chart_mark bounds[] = { { sprt->upper, "H1: pass" },
		{ sprt->lower, "H0: fail" } };
	const struct chart_lines lines = {
		.chart = { "llr-chart", "LLR by blocks",
		    "The log-likelihood ratio of the test by the number of "
		    "blocks, with the two bounds at which it stops. The "
		    "table below has the numbers." },
		.x_title = "blocks",
		.y_title = "LLR",
		.series = &series,
		.series_count = 1,
		.bounds = bounds,
		.bound_count = COUNTOF(bounds),
	};

	for (int i = 0; i < facts->llr_count; i++) {
		x[i] = (double)facts->llr[i].blocks;
		y[i] = facts->llr[i].llr;
	}
	chart_lines(page->html, &lines);
}

static int64_t
bins_sum(const int64_t *bins, int count)
{
	int64_t sum = 0;

	for (int i = 0; i < count; i++)
		sum += bins[i];
	return sum;
}

/* Returns the bin with the value at this share (0 to 1); 0: no values. */
static int
bin_of_share(const int64_t *bins, int count, double share)
{
	int64_t total = bins_sum(bins, count), sum = 0;

	for (int i = 0; i < count; i++) {
		sum += bins[i];
		if (sum > 0 && (double)sum >= share * (double)total)
			return i;
	}
	return 0;
}

/* Writes a histogram with a heading.  `what` and `number` make its id. */
static void
put_histogram(struct report_page *page, struct chart_histogram *histogram,
    const char *name, const char *what, int number)
{
	char id[32], title[TEXT_SIZE];

	snprintf(id, sizeof(id), "%s-%d", what, number);
	snprintf(
	    title, sizeof(title), "%s of %s", histogram->chart.title, name);
	histogram->chart.id = id;
	histogram->chart.title = title;
	html_begin(page->html, "div");
	html_put(page->html, "h3", "%s", name);
	chart_histogram(page->html, histogram);
	html_end(page->html, "div");
}

static bool
has_margins(const struct report_page *page)
{
	return page->facts->margin_count > 0 && report_page_has_blocks(page);
}

/* Returns the margins of the bot at this position of the order, or NULL. */
static const struct facts_margins *
margins_of(const struct report_page *page, int position)
{
	const struct run_facts *facts = page->facts;

	for (int i = 0; i < facts->margin_count; i++)
		if (facts->margins[i].bot ==
		    page->view->ratings.order[position])
			return &facts->margins[i];
	return NULL;
}

/* Writes how many bots have a chart, if not all have. */
static void
put_left_out(struct report_page *page)
{
	if (page->count > page->shown)
		html_put(page->html, "p.note",
		    "The first %d of %d bots are drawn.", page->shown,
		    page->count);
}

static void
put_margins(struct report_page *page)
{
	double low = 0, high = 0; /* the range of all charts */

	html_put(page->html, "p",
	    "How often blocks ended with which margin, in points per deal; "
	    "the taller the bar, the more blocks.");
	for (int i = 0; i < page->shown; i++) {
		const struct facts_margins *margins = margins_of(page, i);

		if (margins == NULL || margins->bin_count == 0)
			continue;
		low = fmin(low, margins->low);
		high = fmax(
		    high, margins->low + margins->bin_count * margins->width);
	}
	html_begin(page->html, "div.multiples");
	for (int i = 0; i < page->shown; i++) {
		const struct facts_margins *margins = margins_of(page, i);
		struct chart_histogram histogram = {
			.chart = { NULL, "Block margins",
			    "Number of blocks by margin in points per deal. "
			    "The table below has the numbers." },
			.x_title = "points per deal",
			.axis_low = low,
			.axis_high = high,
		};

		if (margins == NULL || margins->bin_count == 0)
			continue;
		histogram.low = margins->low;
		histogram.width = margins->width;
		histogram.bins = margins->bins;
		histogram.bin_count = margins->bin_count;
		put_histogram(
		    page, &histogram, report_page_name(page, i), "margins", i);
	}
	html_end(page->html, "div");
	put_left_out(page);
}

static bool
has_seats(const struct report_page *page)
{
	return page->facts->seats != NULL && report_page_has_blocks(page);
}

/* Returns points per deal: the own ones less the mean of the others. */
static double
seat_value(const struct report_page *page, int position, int place)
{
	int bot = page->view->ratings.order[position];
	const struct facts_seat *seat =
	    &page->facts->seats[bot * page->facts->seat_count + place];

	return seat->deals > 0
	    ? ((double)seat->points - seat->against) / (double)seat->deals
	    : (double)NAN;
}

static void
put_seats(struct report_page *page)
{
	static const struct chart chart = { "seats-chart", "Points by seat",
		"For each bot and each seat, by when it is to play, a bar of "
		"its points less those of others, per deal. The table below "
		"has the numbers." };
	static const char *const names[] = { "first", "second", "third",
		"fourth", "fifth", "sixth" };
	const char *columns[COUNTOF(names)];
	int seats = page->facts->seat_count;

	assert(seats > 0 && seats <= COUNTOF(names));
	for (int place = 0; place < seats; place++)
		columns[place] = names[place];
	columns[seats - 1] = "dealer";
	html_put(page->html, "p",
	    "Points per deal less those of others, by seat: from the first to "
	    "play in a deal to its dealer, who plays last.");
	report_page_bars(page, &chart, columns, seats, seat_value);
}

/*
 * Time and what bots said.
 */

static bool
has_times(const struct report_page *page)
{
	return page->facts->times != NULL;
}

/* Returns the time at which a bin begins: `1.4 ms`. */
static struct number
bin_time(double bin)
{
	static const char *const units[] = { "\u00b5s", "ms", "s" };
	double time = pow(2, bin / 2);
	int unit = 0;

	for (; time >= 1000 && unit < 2; unit++)
		time /= 1000;
	return number_format("%.*f %s", time < 10, time, units[unit]);
}

/* Returns how many bins are shown: up to the last used one, at least 1. */
static int
time_bins_used(const struct report_page *page)
{
	int used = 1;

	for (int bot = 0; bot < page->count; bot++)
		for (int bin = used; bin < FACTS_TIME_BINS; bin++)
			if (page->facts->times[bot].bins[bin] > 0)
				used = bin + 1;
	return used;
}

static void
put_time_charts(struct report_page *page)
{
	/* The marks are at powers of ten.  Two bins double the time. */
	static const char *const labels[] = { "1 \u00b5s", "10 \u00b5s",
		"100 \u00b5s", "1 ms", "10 ms", "100 ms", "1 s", "10 s",
		"100 s" };
	struct chart_mark marks[COUNTOF(labels)];
	int bins = time_bins_used(page);

	for (size_t i = 0; i < COUNTOF(labels); i++)
		marks[i] =
		    (struct chart_mark){ 2 * log2(10) * (double)i, labels[i] };
	html_begin(page->html, "div.multiples");
	for (int i = 0; i < page->shown; i++) {
		int bot = page->view->ratings.order[i];
		struct chart_histogram histogram = {
			.chart = { NULL, "Time to decide",
			    "Number of decisions by the time that they took, "
			    "where two steps double the time. The table "
			    "below has the numbers." },
			.x_title = "",
			.width = 1,
			.bins = page->facts->times[bot].bins,
			.bin_count = bins,
			.marks = marks,
			.mark_count = COUNTOF(marks),
			.format = bin_time,
		};

		if (bins_sum(histogram.bins, bins) > 0)
			put_histogram(page, &histogram,
			    report_page_name(page, i), "times", i);
	}
	html_end(page->html, "div");
	put_left_out(page);
}

/* Writes the place of a play: a link if the page has the game. */
static void
put_place(struct report_page *page, const struct facts_place *place)
{
	bool shown = false;

	for (int i = 0; i < page->facts->game_count; i++)
		shown |= page->facts->games[i].game == place->game;
	html_begin(page->html, "td.text");
	if (shown) {
		html_begin(page->html, "a");
		/* An unknown deal or play (0) links to the first one. */
		html_attribute(page->html, "href", "#m%jd.d%d.p%d", place->game,
		    place->deal + (place->deal == 0),
		    place->play + (place->play == 0));
	}
	html_text(page->html, "m%jd", place->game);
	if (place->deal > 0)
		html_text(page->html, ", deal %d", place->deal);
	if (place->play > 0)
		html_text(page->html, ", play %d", place->play);
	if (shown)
		html_end(page->html, "a");
	html_end(page->html, "td");
}

static void
put_slowest(struct report_page *page)
{
	const struct run_facts *facts = page->facts;

	if (facts->slowest_count == 0)
		return;
	html_details_begin(page->html, "The slowest decisions");
	html_table_begin(
	    page->html, "The slowest decisions", "^bot|ms|^move|^where", true);
	for (int i = 0; i < facts->slowest_count; i++) {
		const struct facts_slow *slow = &facts->slowest[i];

		html_table_row(page->html);
		html_table_name(page->html, report_name(page->view, slow->bot));
		html_table_number(
		    page->html, number_fixed((double)slow->time_us / 1e3, 3));
		html_put(page->html, "td.text", "%s", slow->move);
		put_place(page, &slow->place);
	}
	html_table_end(page->html);
	html_end(page->html, "details");
}

/*
 * Returns the time in ms within which this share of decisions came: the end of
 * its bin, but not more than the longest time.
 */
static struct number
time_of_share(const int64_t *bins, double share, int64_t longest_us)
{
	int bin = bin_of_share(bins, FACTS_TIME_BINS, share);
	/* The last bin has no end. */
	double end_us =
	    bin < FACTS_TIME_BINS - 1 ? pow(2, (bin + 1) / 2.0) : HUGE_VAL;

	if (bins_sum(bins, FACTS_TIME_BINS) == 0)
		return (struct number){ "-" };
	return number_fixed(fmin(end_us, (double)longest_us) / 1e3, 3);
}

static void
put_times(struct report_page *page)
{
	static const double shares[] = { 0.5, 0.9, 0.99 };

	put_time_charts(page);
	html_put(page->html, "p.caption",
	    "In milliseconds: the mean, the time within which this share of "
	    "decisions came, and the longest.");
	html_table_begin(page->html, "Time to decide",
	    "#|^bot|decisions|mean|median|90%|99%|longest", true);
	for (int i = 0; i < page->count; i++) {
		const struct standing *standing = report_page_standing(page, i);
		const int64_t *bins =
		    page->facts->times[page->view->ratings.order[i]].bins;

		report_page_row(page, i);
		html_table_count(page->html, standing->decisions);
		html_table_number(page->html, report_page_think(standing));
		for (size_t j = 0; j < COUNTOF(shares); j++)
			html_table_number(page->html,
			    time_of_share(
				bins, shares[j], standing->think_longest_us));
		html_table_number(page->html,
		    standing->decisions == 0
			? (struct number){ "-" }
			: number_fixed(
			      (double)standing->think_longest_us / 1e3, 3));
	}
	html_table_end(page->html);
	put_slowest(page);
}

static bool
has_metrics(const struct report_page *page)
{
	return page->facts->metric_count > 0;
}

/* Returns the mean of a metric per decision; NAN: it was not reported. */
static double
metric_at(const struct report_page *page, const struct facts_metric *metric,
    int position, int move)
{
	int at =
	    page->view->ratings.order[position] * FACTS_METRIC_MOVES + move;

	return metric->count[at] > 0
	    ? metric->sum[at] / (double)metric->count[at]
	    : (double)NAN;
}

/*
 * Finds the bots that reported the metric, in order.  Returns how many: at most
 * REPORT_PAGE_BOTS.
 */
static int
find_speakers(const struct report_page *page, const struct facts_metric *metric,
    int speakers[REPORT_PAGE_BOTS])
{
	int count = 0;

	for (int i = 0; i < page->count && count < REPORT_PAGE_BOTS; i++)
		for (int move = 0; move < FACTS_METRIC_MOVES; move++)
			if (isfinite(metric_at(page, metric, i, move))) {
				speakers[count++] = i;
				break;
			}
	return count;
}

static void
put_metric(struct report_page *page, int number)
{
	const struct facts_metric *metric = &page->facts->metrics[number];
	struct chart_series series[REPORT_PAGE_BOTS];
	double x[FACTS_METRIC_MOVES], y[REPORT_PAGE_BOTS][FACTS_METRIC_MOVES];
	int speakers[REPORT_PAGE_BOTS];
	int count = find_speakers(page, metric, speakers);
	char id[32], title[TEXT_SIZE];
	const struct chart_lines lines = {
		.chart = { id, title,
		    "The mean of what bots said by the number of their play "
		    "in a deal. The table below has the numbers." },
		.small = true,
		.x_title = "play of the seat",
		.y_title = "",
		.series = series,
		.series_count = count,
	};

	if (count == 0)
		return;
	snprintf(id, sizeof(id), "metric-%d", number);
	snprintf(title, sizeof(title), "Mean of %s by play", metric->key);
	for (int move = 0; move < FACTS_METRIC_MOVES; move++)
		x[move] = move + 1;
	for (int i = 0; i < count; i++) {
		series[i] =
		    (struct chart_series){ report_page_name(page, speakers[i]),
			    x, y[i], FACTS_METRIC_MOVES };
		for (int move = 0; move < FACTS_METRIC_MOVES; move++)
			y[i][move] = metric_at(page, metric, speakers[i], move);
	}
	html_begin(page->html, "div");
	html_put(page->html, "h3", "%s", metric->key);
	chart_lines(page->html, &lines);
	html_end(page->html, "div");
}

static void
put_metrics(struct report_page *page)
{
	html_put(page->html, "p",
	    "Means of what bots said of their own plays, by the number of the "
	    "play of a seat in a deal.");
	html_begin(page->html, "div.multiples");
	for (int i = 0; i < page->facts->metric_count; i++)
		put_metric(page, i);
	html_end(page->html, "div");
	if (page->facts->metrics_left_out)
		html_put(page->html, "p.note", "Further keys are left out.");
}

/*
 * Games that were lost, and games in full.
 */

static bool
has_failures(const struct report_page *page)
{
	return page->facts->failure_count > 0;
}

static void
put_failure(struct report_page *page, const struct facts_failure *failure)
{
	bool known = failure->reason[0] != '\0';
	const char *kind = known ? offence_name(failure->kind) : "not named";
	const char *why =
	    fault_text_reason(kind, failure->reason, page->view->time_control);

	html_table_row(page->html);
	html_table_name(page->html, report_name(page->view, failure->bot));
	html_put(page->html, "td.text", "%s", kind);
	put_place(page, &failure->place);
	html_begin(page->html, "td.text.lines");
	if (failure->log != NULL) {
		html_details_begin(page->html, "%s", why);
		html_pre(page->html, failure->log, strlen(failure->log));
		html_end(page->html, "details");
	} else {
		html_text(page->html, "%s", why);
	}
	html_end(page->html, "td");
}

static void
put_failures(struct report_page *page)
{
	const struct run_facts *facts = page->facts;
	struct scopa_text rest = SCOPA_TEXT(96);

	html_put(page->html, "p",
	    "Games that a bot lost by its own offence: %jd of %jd. What "
	    "happened opens the position, its output and the command that "
	    "shows it again.",
	    page->view->standings->forfeits, page->view->standings->games);
	html_table_begin(page->html, "Games that were lost by an offence",
	    "^bot|^kind|^where|^what happened", true);
	for (int i = 0; i < facts->failure_count; i++)
		put_failure(page, &facts->failures[i]);
	html_table_end(page->html);
	if (page->view->standings->forfeits > facts->failure_count)
		html_put(page->html, "p.note", "The first %d are shown.",
		    facts->failure_count);
	if (page->view->path != NULL) {
		html_put(page->html, "p.note",
		    "To see the answer of a bot there now:");
		scopa_text_print(&rest, " --match m%jd --deal %d --bot BOT",
		    facts->failures[0].place.game,
		    facts->failures[0].place.deal > 0
			? facts->failures[0].place.deal
			: 1);
		report_page_command(
		    page, "replay", "/records.scopa", rest.bytes);
	}
}

/*
 * What plays have lost, and games in full.
 */

static bool
has_losses(const struct report_page *page)
{
	return page->losses != NULL &&
	    play_losses_sums(page->losses)->count > 0;
}

/* Returns the sums of a bot, or NULL. */
static const struct loss_sum *
losses_of(const struct report_page *page, int position)
{
	const struct loss_sums *sums = play_losses_sums(page->losses);

	for (int i = 0; i < sums->count; i++)
		if (strcmp(sums->items[i].name,
			report_page_name(page, position)) == 0)
			return &sums->items[i];
	return NULL;
}

static double
mean_loss(const struct loss_tally *tally)
{
	return tally->plays > 0 ? tally->loss / (double)tally->plays
				: (double)NAN;
}

static double
phase_loss(const struct report_page *page, int position, int phase)
{
	const struct loss_sum *sum = losses_of(page, position);

	return sum != NULL ? mean_loss(&sum->phases[phase][LOSS_BY_SEAT])
			   : (double)NAN;
}

static void
put_losses(struct report_page *page)
{
	static const struct chart chart = { "losses-chart", "Loss per play",
		"For each bot and each third of a deal, a bar of the points "
		"that a play has lost on average. The table below has the "
		"numbers." };

	html_put(page->html, "p",
	    "Points that a play has lost against the best one, by what its "
	    "seat could see, for each third of a deal: as the command analyse "
	    "has judged the plays of this run.");
	report_page_bars(
	    page, &chart, loss_phase_names, LOSS_PHASE_COUNT, phase_loss);
	html_table_begin(page->html, "Losses",
	    "#|^bot|plays|loss per play|mistakes|blunders|solved plays|"
	    "loss per solved play",
	    true);
	for (int i = 0; i < page->count; i++) {
		const struct loss_sum *sum = losses_of(page, i);
		struct loss_tally all[LOSS_KIND_COUNT];

		if (sum == NULL)
			continue;
		loss_sum_all(sum, all);
		report_page_row(page, i);
		html_table_count(page->html, all[LOSS_BY_SEAT].plays);
		html_table_number(
		    page->html, number_fixed(mean_loss(&all[LOSS_BY_SEAT]), 3));
		html_table_count(
		    page->html, all[LOSS_BY_SEAT].marks[LOSS_MISTAKE]);
		html_table_count(
		    page->html, all[LOSS_BY_SEAT].marks[LOSS_BLUNDER]);
		html_table_count(page->html, all[LOSS_BY_SOLVER].plays);
		html_table_number(page->html,
		    number_fixed(mean_loss(&all[LOSS_BY_SOLVER]), 3));
	}
	html_table_end(page->html);
}

static bool
has_games(const struct report_page *page)
{
	return page->facts->game_count > 0;
}

static void
put_games(struct report_page *page)
{
	static const char *const reasons[] = {
		[FACTS_FAULT] = "With an offence.",
		[FACTS_WIDE] = "One of the widest margins.",
		[FACTS_RANDOM] = "Chosen at random.",
	};
	const struct run_facts *facts = page->facts;

	html_put(page->html, "p",
	    "%d of %jd games in full: those with an offence first, then the "
	    "widest margins, then some at random.",
	    facts->game_count, page->view->standings->games);
	for (int i = 0; i < facts->game_count; i++) {
		const struct facts_game *game = &facts->games[i];
		const struct game_view_source source = {
			.record = game->record,
			.size = game->size,
			.losses = page->losses,
			.why = reasons[game->choice],
		};

		if (game_view_html(&source, page->html) < 0)
			page->html->failed = true;
	}
}

const struct page_section section_llr = { "llr", "The test over time",
	has_curve, put_curve, true };
const struct page_section section_margins = { "margins", "Margins of blocks",
	has_margins, put_margins, false };
const struct page_section section_seats = { "seats", "Points by seat",
	has_seats, put_seats, false };
const struct page_section section_times = { "times", "Time to decide",
	has_times, put_times, false };
const struct page_section section_metrics = { "metrics", "What bots said",
	has_metrics, put_metrics, false };
const struct page_section section_failures = { "failures",
	"Games lost by offences", has_failures, put_failures, false };
const struct page_section section_losses = { "losses", "Loss per play",
	has_losses, put_losses, false };
const struct page_section section_games = { "games", "Games", has_games,
	put_games, false };
