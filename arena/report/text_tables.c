/*
 * The tables of all bots in the text report.
 */
#include <math.h>

#include "text_parts.h"

enum {
	/* With more bots the cells of the crosstable are margins alone. */
	CROSS_WHOLE_MAX = 12,
	/* With more bots who is stronger than whom is told in JSON alone. */
	STRONGER_MAX = 24,
	RANKING_COLUMNS_MAX = 16
};

/* Line and name of a bot, as tables begin. */
static void
label_cells(struct grid *grid, const struct report_view *view, int position)
{
	grid_cell(grid, "%d", position + 1);
	grid_cell(grid, "%s", report_name(view, view->ratings.order[position]));
}

/* The probability that one bot is stronger than another, or `?`. */
static void
stronger_cell(struct grid *grid, double above)
{
	if (isnan(above))
		grid_cell(grid, "%s", "?");
	else
		text_cell_share(grid, figure_probability, above);
}

/* Which columns the ranking has beyond those that it always has. */
struct ranking_columns {
	bool place, ranks, sure, group, skill, suspended;
	bool unknown; /* who is stronger than the next, of some */
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
		.skill = scopa_party_count(&view->standings->rules) > 2,
	};

	for (int bot = 0; bot < report_bot_count(view); bot++) {
		columns.group |= view->ratings.margin[bot].group > 0;
		columns.unknown |= isnan(report_above_next(view, bot));
		columns.suspended |=
		    view->suspended != NULL && view->suspended[bot];
	}
	return columns;
}

/* The headings that there are; their number. */
static int
ranking_headings(const struct ranking_columns *columns,
    const char *headings[RANKING_COLUMNS_MAX])
{
	int count = 0;

	headings[count++] = "#";
	headings[count++] = "name";
	if (columns->place)
		headings[count++] = "place";
	headings[count++] = "rating";
	if (columns->ranks)
		headings[count++] = "ranks";
	if (columns->sure)
		headings[count++] = "place";
	headings[count++] = "> next";
	headings[count++] = "points a deal";
	headings[count++] = "score";
	headings[count++] = "won";
	headings[count++] = "drawn";
	headings[count++] = "lost";
	headings[count++] = "Elo";
	if (columns->skill)
		headings[count++] = "skill (sigma)";
	if (columns->group)
		headings[count++] = "group";
	if (columns->suspended)
		headings[count++] = "";
	return count;
}

static void
place_cell(struct grid *grid, const struct report_view *view, int bot)
{
	if (view->places[bot] < 0)
		grid_cell(grid, "%s", "-");
	else
		grid_cell(grid, "%d", view->places[bot] + 1);
}

/* `2`, or `1-3`: the places that are open. */
static void
ranks_cell(struct grid *grid, const struct report_view *view, int bot)
{
	int low = view->ratings.ranges[bot].low + 1;
	int high = view->ratings.ranges[bot].high + 1;

	if (low == high)
		grid_cell(grid, "%d", low);
	else
		grid_cell(grid, "%d-%d", low, high);
}

static void
ranking_row(struct grid *grid, const struct report_view *view, int position,
    const struct ranking_columns *columns)
{
	int bot = view->ratings.order[position];
	const struct standing *standing = &view->standings->bots[bot];
	struct estimate rating = report_rating(view, view->ratings.margin, bot);
	struct estimate elo = report_rating(view, view->ratings.elo, bot);
	double above = report_above_next(view, position);
	double games = standing->games > 0 ? (double)standing->games : 1;

	label_cells(grid, view, position);
	if (columns->place)
		place_cell(grid, view, bot);
	text_cell_estimate(grid, figure_points_half, &rating);
	if (columns->ranks)
		ranks_cell(grid, view, bot);
	if (columns->sure)
		text_cell_share(grid, figure_probability,
		    report_place_sure(view, position));
	if (above < 0)
		grid_cell(grid, "%s", "");
	else
		stronger_cell(grid, above);
	text_cell_estimate(
	    grid, figure_points_half, &view->ratings.points[bot]);
	text_cell_share(grid, figure_percent, standing->score / games);
	grid_cell(grid, "%lld", (long long)standing->results.wins);
	grid_cell(grid, "%lld", (long long)standing->results.draws);
	grid_cell(grid, "%lld", (long long)standing->results.losses);
	text_cell_estimate(grid, figure_elo_half, &elo);
	if (columns->skill)
		grid_cell(grid, "%.2f (%.2f)", standing->skill.mu,
		    standing->skill.sigma);
	if (columns->group)
		grid_cell(grid, "%d", view->ratings.margin[bot].group + 1);
	if (columns->suspended)
		grid_cell(grid, "%s", view->suspended[bot] ? "suspended" : "");
}

/* What the columns mean that are not plain numbers. */
static void
ranking_notes(struct text_page *page, const struct ranking_columns *columns)
{
	const struct report_view *view = page->view;

	fprintf(page->file,
	    "+-, > next: by Student's t over %d round%s, as encounters of a "
	    "round share their packs\n",
	    view->ratings.clusters, view->ratings.clusters == 1 ? "" : "s");
	if (columns->unknown)
		fputs("?: nothing is known of it, as rounds are too few or no "
		      "results join the two\n",
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

void
text_ranking(struct text_page *page)
{
	const struct report_view *view = page->view;
	struct ranking_columns columns = ranking_columns(view);
	const char *headings[RANKING_COLUMNS_MAX];
	int column_count = ranking_headings(&columns, headings);
	struct grid grid;

	text_title(page, "ranking by points a deal, intervals at %g%%",
	    100 * report_level(view));
	grid_init(&grid, column_count, 2, 2);
	for (int i = 0; i < column_count; i++)
		grid_cell(&grid, "%s", headings[i]);
	for (int i = 0; i < report_bot_count(view); i++)
		ranking_row(&grid, view, i, &columns);
	text_grid(page, &grid);
	ranking_notes(page, &columns);
	if (columns.group)
		fputs("group: no chain of results joins bots of different "
		      "groups, so they cannot be compared\n",
		    page->file);
}

/* Headings of a table of bots against bots: the lines of the ranking. */
static void
matrix_begin(struct grid *grid, const struct report_view *view)
{
	int count = report_bot_count(view);

	grid_init(grid, count + 2, 2, 2);
	grid_cell(grid, "%s", "#");
	grid_cell(grid, "%s", "name");
	for (int i = 0; i < count; i++)
		grid_cell(grid, "%d", i + 1);
}

static void
cross_cell(struct grid *grid, const struct report_view *view, int a, int b)
{
	char bytes[FIGURE_SIZE];
	const struct encounter *encounter;
	struct scopa_text text;
	struct estimate margin;

	if (a == b) {
		grid_cell(grid, "%s", ".");
		return;
	}
	encounter = standings_encounter(view->standings, a, b);
	if (encounter->blocks == 0) {
		grid_cell(grid, "%s", "-");
		return;
	}
	if (report_bot_count(view) > CROSS_WHOLE_MAX) {
		text_cell_signed(grid, encounter->margins.mean, 2);
		return;
	}
	margin = mean_estimate(&encounter->margins, report_level(view));
	scopa_text_init(&text, bytes, sizeof(bytes));
	figure_points_half(&text, &margin);
	grid_cell(grid, "%s (%lld)", bytes, (long long)encounter->blocks);
}

void
text_cross(struct text_page *page)
{
	const struct report_view *view = page->view;
	const int *order = view->ratings.order;
	int count = report_bot_count(view);
	struct grid grid;

	if (!report_tells_pairs(view)) {
		text_title(page,
		    "crosstable: left out of more than %d bots; status --pairs "
		    "has it",
		    REPORT_PAIRS_MAX);
		return;
	}
	text_title(page,
	    "crosstable: points a deal of the row against the "
	    "column%s",
	    count > CROSS_WHOLE_MAX ? "" : " (blocks)");
	matrix_begin(&grid, view);
	for (int row = 0; row < count; row++) {
		label_cells(&grid, view, row);
		for (int column = 0; column < count; column++)
			cross_cell(&grid, view, order[row], order[column]);
	}
	text_grid(page, &grid);
}

void
text_stronger(struct text_page *page)
{
	const struct report_view *view = page->view;
	const int *order = view->ratings.order;
	int count = report_bot_count(view);
	struct grid grid;

	if (count > STRONGER_MAX || count < 3)
		return;
	text_title(page,
	    "probability that the row is stronger than the column, each of "
	    "%lld pairs by itself",
	    (long long)view->ratings.comparisons);
	matrix_begin(&grid, view);
	for (int row = 0; row < count; row++) {
		label_cells(&grid, view, row);
		for (int column = 0; column < count; column++)
			if (row == column)
				grid_cell(&grid, "%s", ".");
			else
				stronger_cell(&grid,
				    view->ratings.above[order[row] * count +
					order[column]]);
	}
	text_grid(page, &grid);
}

/* Shares of games won, drawn and lost on one side. */
static void
side_cells(struct grid *grid, const struct trinomial *results)
{
	int64_t games = results->wins + results->draws + results->losses;
	double count = games > 0 ? (double)games : 1;

	text_cell_share(grid, figure_percent, (double)results->wins / count);
	text_cell_share(grid, figure_percent, (double)results->draws / count);
	text_cell_share(grid, figure_percent, (double)results->losses / count);
}

/* The line of all bots: what the side is worth in itself. */
static void
sides_of_all(struct grid *grid, const struct report_view *view)
{
	grid_cell(grid, "%s", "");
	grid_cell(grid, "%s", "all");
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
		side_cells(grid, &all.results);
		text_cell_signed(grid, all.margins.mean, 3);
	}
}

void
text_sides(struct text_page *page)
{
	static const char *const headings[] = { "#", "name", "hand: won",
		"drawn", "lost", "points a deal", "deck: won", "drawn", "lost",
		"points a deal" };
	enum { COLUMNS = sizeof(headings) / sizeof(*headings) };
	const struct report_view *view = page->view;
	struct grid grid;

	/* Where a game has several deals everybody deals. */
	if (view->deals != 1)
		return;
	text_title(page,
	    "games as the hand, which plays against the dealer, and as the "
	    "deck, the dealer's party");
	grid_init(&grid, COLUMNS, 2, 2);
	for (int i = 0; i < COLUMNS; i++)
		grid_cell(&grid, "%s", headings[i]);
	for (int i = 0; i < report_bot_count(view); i++) {
		const struct standing *standing =
		    &view->standings->bots[view->ratings.order[i]];

		label_cells(&grid, view, i);
		for (int side = 0; side < STANDING_SIDE_COUNT; side++) {
			struct estimate margin = mean_estimate(
			    &standing->sides[side].margins, report_level(view));

			side_cells(&grid, &standing->sides[side].results);
			text_cell_estimate(&grid, figure_points_half, &margin);
		}
	}
	sides_of_all(&grid, view);
	text_grid(page, &grid);
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
	const struct report_view *view = page->view;
	int columns = 3;
	struct grid grid;

	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		columns += counts(view, item);
	grid_init(&grid, columns, 2, 2);
	grid_cell(&grid, "%s", "#");
	grid_cell(&grid, "%s", "name");
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		if (counts(view, item))
			grid_cell(&grid, "%s",
			    scopa_item_name((enum scopa_item)item));
	grid_cell(&grid, "%s", "total");
	for (int i = 0; i < report_bot_count(view); i++) {
		double total = 0;

		label_cells(&grid, view, i);
		for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
			struct report_source source = report_source_of(view,
			    view->ratings.order[i], (enum scopa_item)item);
			double value = difference ? source.own - source.others
						  : source.own;

			if (!counts(view, item))
				continue;
			total += value;
			if (difference)
				text_cell_signed(&grid, value, 3);
			else
				text_cell_number(&grid, value, 3);
		}
		if (difference)
			text_cell_signed(&grid, total, 3);
		else
			text_cell_number(&grid, total, 3);
	}
	text_grid(page, &grid);
}

void
text_sources(struct text_page *page)
{
	const char *least = page->view->standings->rules.aim == SCOPA_AIM_LEAST
	    ? " (fewer are better)"
	    : "";

	text_title(page, "points a deal by source%s", least);
	source_table(page, false);
	text_title(page, "the same less the mean of the opponents%s", least);
	source_table(page, true);
}

void
text_conduct(struct text_page *page)
{
	const struct report_view *view = page->view;
	struct grid grid;

	text_title(page, "games, offences and time to think");
	grid_init(&grid, 6 + OFFENCE_KIND_COUNT, 2, 2);
	grid_cell(&grid, "%s", "#");
	grid_cell(&grid, "%s", "name");
	grid_cell(&grid, "%s", "games");
	grid_cell(&grid, "%s", "forfeited");
	for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
		grid_cell(&grid, "%s", offence_name((enum offence_kind)kind));
	grid_cell(&grid, "%s", "ms a move");
	grid_cell(&grid, "%s", "longest");
	for (int i = 0; i < report_bot_count(view); i++) {
		const struct standing *standing =
		    &view->standings->bots[view->ratings.order[i]];
		double think_ms = report_think_ms(standing);

		label_cells(&grid, view, i);
		grid_cell(&grid, "%lld", (long long)standing->games);
		grid_cell(&grid, "%lld", (long long)standing->forfeits);
		for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
			grid_cell(
			    &grid, "%lld", (long long)standing->offences[kind]);
		if (think_ms < 0)
			grid_cell(&grid, "%s", "-");
		else
			text_cell_number(&grid, think_ms, 3);
		text_cell_number(
		    &grid, (double)standing->think_longest_us / 1e3, 3);
	}
	text_grid(page, &grid);
}

void
text_variates(struct text_page *page)
{
	static const char *const headings[] = { "name", "plain", "corrected",
		"variance ratio", "coefficient", "blocks", "reference" };
	enum { COLUMNS = sizeof(headings) / sizeof(*headings) };
	const struct report_view *view = page->view;
	struct grid grid;

	if (view->variate_count == 0)
		return;
	text_title(page,
	    "points a deal, and corrected for what the deal alone "
	    "is worth, intervals at %g%%",
	    100 * report_level(view));
	grid_init(&grid, COLUMNS, 1, 1);
	for (int i = 0; i < COLUMNS; i++)
		grid_cell(&grid, "%s", headings[i]);
	for (int i = 0; i < view->variate_count; i++) {
		const struct report_variate *variate = &view->variates[i];

		grid_cell(&grid, "%s", report_name(view, variate->bot));
		text_cell_estimate(
		    &grid, figure_points_half, &variate->estimate.plain);
		text_cell_estimate(
		    &grid, figure_points_half, &variate->estimate.corrected);
		text_cell_number(&grid, variate->estimate.variance_ratio, 2);
		text_cell_signed(&grid, variate->estimate.coefficient, 3);
		grid_cell(&grid, "%lld", (long long)variate->blocks);
		grid_cell(&grid, "%s", variate->reference);
	}
	text_grid(page, &grid);
}
