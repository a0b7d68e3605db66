/*
 * Two bots in the text report.
 */
#include "countof.h"
#include "text_parts.h"

enum { LINE_SIZE = 1024 };

/* A row of points a deal. */
static void
points_row(struct grid *grid, const char *label, const struct estimate *points,
    double los, int64_t blocks, const struct sprt_state *state)
{
	grid_cell(grid, "%s", label);
	text_cell_estimate(grid, figure_points, points);
	text_cell_share(grid, figure_probability, los);
	grid_cell(grid, "%lld", (long long)blocks);
	if (state != NULL)
		text_cell_signed(grid, state->llr, 2);
}

/* The margin, with forfeits and without. */
static void
print_points(struct text_page *page, const struct report_pair *pair)
{
	const struct report_view *view = page->view;
	const struct gate_verdict *verdict = view->verdict;
	bool tested = verdict != NULL && view->gate->sequential;
	int columns = tested ? 5 : 4;
	struct grid grid;

	text_title(page, "points a deal of %s against %s, intervals at %g%%",
	    report_name(view, 0), report_name(view, 1),
	    100 * report_level(view));
	grid_init(&grid, columns, 1, 1);
	grid_cell(&grid, "%s", "");
	grid_cell(&grid, "%s", "points");
	grid_cell(&grid, "%s", "LOS");
	grid_cell(&grid, "%s", "blocks");
	if (tested)
		grid_cell(&grid, "%s", "LLR");
	if (tested && verdict->has_unbiased && !verdict->unbiased_is_elo) {
		grid_cell(&grid, "%s", "  median-unbiased");
		text_cell_estimate(&grid, figure_points, &verdict->unbiased);
		for (int i = 2; i < columns; i++)
			grid_cell(&grid, "%s", "");
	}
	points_row(&grid, "  all blocks", &pair->margin, pair->los,
	    pair->encounter->margins.count, tested ? &verdict->sprt : NULL);
	points_row(&grid, "  without forfeits", &pair->clean, pair->clean_los,
	    pair->encounter->clean.count, tested ? &verdict->clean_sprt : NULL);
	text_grid(page, &grid);
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
	char bytes[LINE_SIZE];
	struct scopa_text text;

	if (!verdict->is_rare || verdict->moments.count < SPRT_DIFFERING_MIN)
		return;
	scopa_text_init(&text, bytes, sizeof(bytes));
	figure_print(&text,
	    "the bots differed in %lld of %lld blocks: with fewer than %d, "
	    "errors may be more frequent than alpha and beta "
	    "(model=betting holds always)",
	    (long long)verdict->differing, (long long)verdict->moments.count,
	    SPRT_DIFFERING_MIN);
	text_line(page, "CAUTION", &text);
}

/* What the test asks, and how far it is. */
static void
print_sprt(struct text_page *page)
{
	const struct sprt *sprt = &page->view->gate->sprt;
	const struct sprt_state *state = &page->view->verdict->sprt;
	char bytes[LINE_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	figure_print(&text, "model %s, H0 %g against H1 %g in %s",
	    sprt_model_name(sprt->model), sprt->low, sprt->high,
	    sprt_unit_name(sprt));
	figure_print(&text, ", alpha %g, beta %g", sprt->alpha, sprt->beta);
	text_line(page, "sprt", &text);
	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_text_string(&text, "LLR ");
	figure_signed(&text, state->llr, 2);
	scopa_text_string(&text, ", bounds ");
	figure_signed(&text, state->lower, 2);
	scopa_text_string(&text, " and ");
	figure_signed(&text, state->upper, 2);
	figure_print(&text, ": %s", decisions[state->decision]);
	if (state->certain)
		figure_print(&text,
		    " at once, %.1f standard errors beyond both",
		    state->errors);
	text_line(page, "", &text);
	print_caution(page);
}

static void
strength_row(
    struct grid *grid, const char *label, const struct strength *strength)
{
	grid_cell(grid, "%s", label);
	text_cell_share(grid, figure_percent, strength->score.value);
	text_cell_estimate(grid, figure_elo, &strength->elo);
	text_cell_estimate(grid, figure_elo, &strength->nelo);
	text_cell_share(grid, figure_probability, strength->los);
	grid_cell(grid, "%lld", (long long)strength->count);
}

/* Wins and losses: by pairs of games, and by games on their own. */
static void
print_strength(struct text_page *page, const struct report_pair *pair)
{
	static const char *const headings[] = { "", "score", "Elo", "nElo",
		"LOS", "count" };
	enum { COLUMNS = sizeof(headings) / sizeof(*headings) };
	struct grid grid;

	text_title(page, "wins and losses of %s against %s",
	    report_name(page->view, 0), report_name(page->view, 1));
	grid_init(&grid, COLUMNS, 1, 1);
	for (int i = 0; i < COLUMNS; i++)
		grid_cell(&grid, "%s", headings[i]);
	if (pair->encounter->paired)
		strength_row(&grid, "  pairs", &pair->pairs);
	strength_row(&grid,
	    pair->encounter->paired ? "  games, as if on their own" : "  games",
	    &pair->games);
	text_grid(page, &grid);
}

static void
print_counts(struct text_page *page, const struct report_pair *pair)
{
	static const char *const scores[] = { "0", "1/4", "1/2", "3/4", "1" };
	const struct encounter *encounter = pair->encounter;
	const struct report_view *view = page->view;
	char bytes[LINE_SIZE];
	struct scopa_text text;

	if (encounter->paired) {
		scopa_text_init(&text, bytes, sizeof(bytes));
		for (int i = 0; i < 5; i++)
			figure_print(&text, "%s%s: %lld", i > 0 ? ", " : "",
			    scores[i], (long long)encounter->pairs.counts[i]);
		text_line(page, "pairs", &text);
	}
	scopa_text_init(&text, bytes, sizeof(bytes));
	figure_print(&text, "%lld won, %lld drawn, %lld lost",
	    (long long)encounter->results.wins,
	    (long long)encounter->results.draws,
	    (long long)encounter->results.losses);
	text_line(page, "games", &text);
	scopa_text_init(&text, bytes, sizeof(bytes));
	figure_print(&text, "%s %lld, ", report_name(view, 0),
	    (long long)encounter->forfeits);
	figure_print(&text, "%s %lld of %lld games", report_name(view, 1),
	    (long long)pair->base_forfeits, (long long)encounter->games);
	text_line(page, "forfeits", &text);
	if (!encounter->paired)
		return;
	scopa_text_init(&text, bytes, sizeof(bytes));
	figure_print(&text,
	    "%lld of %lld blocks went the same way whoever sat "
	    "where",
	    (long long)encounter->mirrors, (long long)encounter->blocks);
	text_line(page, "mirrors", &text);
}

void
text_pair(struct text_page *page)
{
	struct report_pair pair = report_pair_of(page->view, 0, 1);

	print_points(page, &pair);
	if (page->view->verdict != NULL && page->view->gate->sequential)
		print_sprt(page);
	print_strength(page, &pair);
	print_counts(page, &pair);
}
