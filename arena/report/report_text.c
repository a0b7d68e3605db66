#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "countof.h"
#include "text_format.h"
#include "text_parts.h"
#include "walls.h"

enum {
	LABEL_WIDTH = 10,
	LINE_SIZE = 4096,
	COMMANDS_SHOWN_MAX = 6 /* bots whose commands are told */
};

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

void
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

void
text_title(struct text_page *page, const char *format, ...)
{
	char raw[LINE_SIZE], bytes[LINE_SIZE];
	struct scopa_text text;
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(raw, sizeof(raw), format, arguments);
	va_end(arguments);
	scopa_text_init(&text, bytes, sizeof(bytes));
	plain_text(&text, raw);
	fputc('\n', page->file);
	text_paint(page->style, page->file, TEXT_BOLD, bytes);
	fputc('\n', page->file);
}

void
text_line(
    struct text_page *page, const char *label, const struct scopa_text *text)
{
	char bytes[LINE_SIZE];
	struct scopa_text plain;

	scopa_text_init(&plain, bytes, sizeof(bytes));
	plain_text(&plain, text->bytes);
	fprintf(page->file, "%-*s%s\n", LABEL_WIDTH, label, bytes);
}

void
text_grid(struct text_page *page, struct grid *grid)
{
	int result = grid_print(grid, page->style->width, page->file);

	if (page->result == 0)
		page->result = result;
}

void
text_cell_estimate(struct grid *grid,
    void (*write)(struct scopa_text *text, const struct estimate *estimate),
    const struct estimate *estimate)
{
	char bytes[FIGURE_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	write(&text, estimate);
	grid_cell(grid, "%s", bytes);
}

void
text_cell_share(struct grid *grid,
    void (*write)(struct scopa_text *text, double share), double share)
{
	char bytes[FIGURE_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	write(&text, share);
	grid_cell(grid, "%s", bytes);
}

void
text_cell_signed(struct grid *grid, double value, int digits)
{
	char bytes[FIGURE_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	figure_signed(&text, value, digits);
	grid_cell(grid, "%s", bytes);
}

void
text_cell_number(struct grid *grid, double value, int digits)
{
	char bytes[FIGURE_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	figure_number(&text, value, digits);
	grid_cell(grid, "%s", bytes);
}

/* What stands behind a verdict: the test, the margin, the exit status. */
static void
format_grounds(const struct report_view *view, struct scopa_text *text)
{
	const struct sprt *sprt = &view->gate->sprt;

	if (view->gate->sequential)
		figure_print(text, "model %s, %g against %g %s; ",
		    sprt_model_name(sprt->model), sprt->low, sprt->high,
		    sprt_unit_name(sprt));
	if (view->verdict->has_unbiased) {
		const struct estimate *unbiased = &view->verdict->unbiased;

		if (view->verdict->unbiased_is_elo) {
			scopa_text_string(text, "Elo ");
			figure_elo(text, unbiased);
		} else {
			scopa_text_string(text, "margin ");
			figure_points(text, unbiased);
		}
		scopa_text_string(text, " median-unbiased, plain ");
	}
	scopa_text_string(text, "margin ");
	figure_points_half(text, &view->verdict->margin);
	if (view->verdict->outcome != GATE_OPEN)
		figure_print(text, "; exit %d",
		    report_exit_status(view->verdict->outcome));
}

/* What a result is not worth by itself: some bots could do as they liked. */
static const char *
mark_of(const struct report_view *view)
{
	static const char *const marks[2][2] = {
		{ "", ", " WALLS_UNBOXED },
		{ ", for analysis", ", for analysis, " WALLS_UNBOXED },
	};

	return marks[view->standings->analysed > 0]
		    [standings_unboxed(view->standings) > 0];
}

/* `pass`, in its color, and why. */
static void
print_verdict(const struct report_view *view, const struct report_style *style,
    FILE *file)
{
	static const enum text_color colors[] = {
		[GATE_OPEN] = TEXT_DOUBT,
		[GATE_PASS] = TEXT_GOOD,
		[GATE_REGRESSION] = TEXT_BAD,
		[GATE_INCONCLUSIVE] = TEXT_DOUBT,
	};
	enum gate_outcome outcome = view->verdict->outcome;
	char bytes[LINE_SIZE];
	struct scopa_text text;

	_Static_assert(COUNTOF(colors) == GATE_OUTCOME_COUNT, "a color each");
	scopa_text_init(&text, bytes, sizeof(bytes));
	plain_text(&text, report_name(view, 0));
	scopa_text_string(&text, " against ");
	plain_text(&text, report_name(view, 1));
	scopa_text_string(&text, ": ");
	plain_text(&text, view->verdict->reason);
	scopa_text_string(&text, " (");
	format_grounds(view, &text);
	scopa_text_char(&text, ')');
	fprintf(file, "%-*s", LABEL_WIDTH, "verdict");
	text_paint(style, file, colors[outcome], gate_outcome_name(outcome));
	fprintf(file, ", %s%s\n", bytes, mark_of(view));
}

/* Who is first, and how sure that is. */
static void
print_leader(const struct report_view *view, const struct report_style *style,
    FILE *file)
{
	const int *order = view->ratings.order;
	int count = report_bot_count(view);
	struct estimate gap = report_gap(view, order[0], order[1]);
	char bytes[LINE_SIZE];
	struct scopa_text text;

	fprintf(file, "%-*s", LABEL_WIDTH, "result");
	if (view->standings->blocks == 0) {
		fputs("no block was counted\n", file);
		return;
	}
	scopa_text_init(&text, bytes, sizeof(bytes));
	plain_text(&text, report_name(view, order[0]));
	text_paint(style, file, TEXT_BOLD, bytes);
	scopa_text_init(&text, bytes, sizeof(bytes));
	figure_print(&text, " is first of %d, rated ", count);
	figure_points_half(&text, &gap);
	scopa_text_string(&text, " points a deal above ");
	plain_text(&text, report_name(view, order[1]));
	if (isfinite(report_above_next(view, 0))) {
		scopa_text_string(&text, ", stronger with ");
		figure_probability(&text, report_above_next(view, 0));
	} else {
		scopa_text_string(&text, ", too few rounds");
	}
	fprintf(file, "%s%s\n", bytes, mark_of(view));
}

void
report_text_verdict(const struct report_view *view,
    const struct report_style *style, FILE *file)
{
	if (view->verdict != NULL)
		print_verdict(view, style, file);
	else
		print_leader(view, style, file);
}

/* Which folder, and how far it is. */
static void
print_run(struct text_page *page)
{
	const struct report_view *view = page->view;
	const struct standings *standings = view->standings;
	char bytes[LINE_SIZE];
	struct scopa_text text;

	if (view->path != NULL) {
		scopa_text_init(&text, bytes, sizeof(bytes));
		scopa_text_string(&text, view->path);
		if (view->state != NULL)
			figure_print(&text, ", %s", view->state);
		text_line(page, "run", &text);
	}
	scopa_text_init(&text, bytes, sizeof(bytes));
	if (view->format != NULL)
		figure_print(&text, "%s, ", view->format);
	figure_print(&text, "%lld ", (long long)standings->blocks);
	if (view->blocks_planned > 0)
		figure_print(
		    &text, "of %lld ", (long long)view->blocks_planned);
	figure_print(&text, "blocks of %d game%s%s%s", view->head->game_count,
	    view->head->game_count == 1 ? "" : "s",
	    view->duplicate ? " (duplicate)" : "",
	    view->mixed ? " with mixed partners" : "");
	figure_print(&text, ", %lld games, %lld deals",
	    (long long)standings->games, (long long)standings->deals);
	if (standings->skipped > 0)
		figure_print(&text, ", %lld blocks skipped",
		    (long long)standings->skipped);
	text_line(page, "played", &text);
	if (standings->repeats > 0) {
		scopa_text_init(&text, bytes, sizeof(bytes));
		figure_print(&text,
		    "%lld of %lld blocks repeat packs that the same bots have "
		    "met: no new evidence, left out of ratings and tests",
		    (long long)standings->repeats,
		    (long long)standings->blocks);
		text_line(page, "REPEATED", &text);
	}
	if (standings->replayed > 0) {
		scopa_text_init(&text, bytes, sizeof(bytes));
		figure_print(&text,
		    "%lld game%s played again with the same cards: the table "
		    "voided of results.db says why",
		    (long long)standings->replayed,
		    standings->replayed == 1 ? "" : "s");
		text_line(page, "replayed", &text);
	}
	if (standings->max_deals_games > 0) {
		scopa_text_init(&text, bytes, sizeof(bytes));
		figure_print(&text,
		    "%lld game%s, as nobody had won after the most deals that "
		    "a game may have; see --max-deals",
		    (long long)standings->max_deals_games,
		    standings->max_deals_games == 1 ? "" : "s");
		text_line(page, "DRAWN", &text);
	}
	if (standings->void_turns == 0)
		return;
	scopa_text_init(&text, bytes, sizeof(bytes));
	figure_print(&text, "%lld turn%s of %lld game%s timed anew: ",
	    (long long)standings->void_turns,
	    standings->void_turns == 1 ? "" : "s",
	    (long long)standings->void_games,
	    standings->void_games == 1 ? "" : "s");
	if (standings->lag_longest_ns > 0)
		figure_print(&text, "the arena was late, by up to %.3f s",
		    (double)standings->lag_longest_ns / 1e9);
	else
		scopa_text_string(
		    &text, "another bot computed when it was not to move");
	text_line(page, "VOID", &text);
}

/* Bots that thought on the time of others. */
static void
print_ponderers(struct text_page *page)
{
	const struct report_view *view = page->view;

	for (int bot = 0; bot < report_bot_count(view); bot++) {
		const struct standing *standing = &view->standings->bots[bot];
		char bytes[LINE_SIZE];
		struct scopa_text text;

		if (standing->ponder_games == 0)
			continue;
		scopa_text_init(&text, bytes, sizeof(bytes));
		figure_print(&text,
		    "%s: %.3f s of CPU time when it was not to move, in %lld "
		    "game%s",
		    report_name(view, bot), (double)standing->ponder_ns / 1e9,
		    (long long)standing->ponder_games,
		    standing->ponder_games == 1 ? "" : "s");
		text_line(page, "PONDER", &text);
	}
}

/* Bots whose clock kept them from what their options say. */
static void
print_cuts(struct text_page *page)
{
	const struct report_view *view = page->view;

	for (int bot = 0; bot < report_bot_count(view); bot++) {
		const struct standing *standing = &view->standings->bots[bot];
		char bytes[LINE_SIZE];
		struct scopa_text text;

		if (standing->cut_short == 0)
			continue;
		scopa_text_init(&text, bytes, sizeof(bytes));
		figure_print(&text,
		    "%s: %lld of %lld decisions were cut short by the clock",
		    report_name(view, bot), (long long)standing->cut_short,
		    (long long)standing->decisions);
		text_line(page, "CUT", &text);
	}
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
		char bytes[LINE_SIZE];
		struct scopa_text text;

		/* Each pair once, from the side of who had more of it. */
		if (!residual->odd || residual->z < 0)
			continue;
		scopa_text_init(&text, bytes, sizeof(bytes));
		figure_print(&text,
		    "%s made %+.3f points a deal of %s, where all other "
		    "results let expect %+.3f (%.1f standard errors): soft "
		    "play, or a matter of style",
		    report_name(view, first),
		    standings_encounter(view->standings, first, second)
			->margins.mean,
		    report_name(view, second), residual->expected, residual->z);
		text_line(page, "ODD", &text);
	}
}

static void
print_rules(struct text_page *page)
{
	const struct report_view *view = page->view;
	const struct scopa_rules *rules = &view->standings->rules;
	char bytes[LINE_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	if (view->rules != NULL)
		figure_print(&text, "%s, ", view->rules);
	figure_print(&text, "%d seats ", rules->players);
	scopa_param_format(scopa_param_find("teams"), rules, &text);
	if (view->deals > 0)
		figure_print(&text, ", %d deal%s a game", view->deals,
		    view->deals == 1 ? "" : "s");
	else
		figure_print(&text, ", to %d points", rules->target);
	if (view->time_shown != NULL)
		figure_print(&text, ", time %s", view->time_shown);
	text_line(page, "rules", &text);
	scopa_text_init(&text, bytes, sizeof(bytes));
	if (view->packs != NULL)
		figure_print(&text, "%s", view->packs);
	else if (view->seed != NULL)
		figure_print(&text, "%s", view->seed);
	if (text.length > 0)
		text_line(page, view->packs != NULL ? "packs" : "seed", &text);
}

/* `box`; of a run that went on elsewhere `box 40 games, core 2 games`. */
static void
print_walls(struct text_page *page)
{
	const struct standings *standings = page->view->standings;
	int count = standings->sandbox_count;
	char bytes[LINE_SIZE];
	struct scopa_text text;

	if (count == 0 || (count == 1 && !standings->sandboxes[0].name[0]))
		return;
	scopa_text_init(&text, bytes, sizeof(bytes));
	for (int i = 0; i < count; i++) {
		const struct standings_sandbox *sandbox =
		    &standings->sandboxes[i];

		figure_print(&text, "%s%s", i > 0 ? ", " : "",
		    sandbox->name[0] ? sandbox->name : "unknown");
		if (count > 1)
			figure_print(&text, " %lld game%s",
			    (long long)sandbox->games,
			    sandbox->games == 1 ? "" : "s");
	}
	text_line(page, "walls", &text);
}

static void
print_analysis(struct text_page *page)
{
	char bytes[LINE_SIZE];
	struct scopa_text text;

	if (page->view->standings->analysed == 0)
		return;
	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_text_string(&text, "some bots see all cards: this is not rated");
	text_line(page, "analysis", &text);
}

/* What was published before the first deal, and the chain since. */
static void
print_fairness(struct text_page *page)
{
	const struct report_view *view = page->view;
	const struct store_head *head = view->head;
	const struct {
		const char *label, *text;
	} lines[] = {
		{ "commit", head->commitment },
		{ "mixed", head->contributions },
		{ "chain", view->chain != NULL ? view->chain : "" },
	};

	for (int i = 0; i < COUNTOF(lines); i++) {
		char bytes[CONTRIBUTIONS_SIZE];
		struct scopa_text text;

		if (lines[i].text[0] == '\0')
			continue;
		scopa_text_init(&text, bytes, sizeof(bytes));
		scopa_text_string(&text, lines[i].text);
		text_line(page, lines[i].label, &text);
	}
}

static void
print_commands(struct text_page *page)
{
	const struct report_view *view = page->view;
	const struct store_head *head = view->head;
	char bytes[LINE_SIZE];
	struct scopa_text text;

	if (head->bot_count > COMMANDS_SHOWN_MAX)
		return;
	for (int bot = 0; bot < head->bot_count; bot++) {
		const char *label = view->verdict == NULL ? "bot"
		    : bot == 0                            ? "candidate"
							  : "base";

		scopa_text_init(&text, bytes, sizeof(bytes));
		scopa_text_string(&text, head->bots[bot].name);
		if (head->bots[bot].command[0] != '\0') {
			scopa_text_string(&text, ": ");
			scopa_text_string(&text, head->bots[bot].command);
		}
		text_line(page, label, &text);
	}
}

int
report_text(const struct report_view *view, const struct report_style *style,
    FILE *file)
{
	struct text_page page = { .view = view, .style = style, .file = file };

	assert(view->ratings.order != NULL);
	report_text_verdict(view, style, file);
	print_run(&page);
	print_cuts(&page);
	print_ponderers(&page);
	print_oddities(&page);
	print_rules(&page);
	print_walls(&page);
	print_analysis(&page);
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
