/*
 * What `rate` prints for people.
 */
#include <inttypes.h>

#include "rate_table.h"
#include "report_text.h"

enum { COLUMNS_MAX = 20 };

/* Which columns there are. */
struct columns {
	bool margin, clean, elo, skill, ranks, blocks, games, place, group;
};

/* What is printed, and how. */
struct page {
	const struct rate_table *table;
	const struct rate_order *order;
	enum rate_model first; /* decides the order */
	struct columns columns;
	int width;
};

static bool
has_groups(const struct rate_table *table)
{
	for (int i = 0; i < table->bot_count; i++)
		if (table->groups[i] != table->groups[0])
			return true;
	return false;
}

static struct columns
columns_of(const struct rate_table *table, enum rate_model model)
{
	bool all = model == RATE_ALL;

	return (struct columns){
		.margin = (all || model == RATE_MARGIN) && table->has_margins,
		.clean = (all || model == RATE_MARGIN) && table->has_margins &&
		    table->forfeits > 0,
		.elo = (all || model == RATE_ELO) && table->has_games,
		.skill = model == RATE_PLACKETT_LUCE ||
		    (all && table->has_skills && table->party_count > 2),
		.ranks = table->comparisons > 0 && model != RATE_PLACKETT_LUCE,
		.blocks = table->block_count > 0,
		.games = table->has_games,
		.place = table->places != NULL,
		.group = has_groups(table),
	};
}

/* The headings of the ranking; their number. */
static int
headings_fill(const struct page *page, const char *headings[COLUMNS_MAX])
{
	const struct columns *columns = &page->columns;
	int count = 0;

	headings[count++] = "#";
	headings[count++] = "name";
	if (columns->margin) {
		headings[count++] = "points";
		headings[count++] = "+-";
	}
	if (columns->clean)
		headings[count++] = "clean";
	if (columns->elo) {
		headings[count++] = "Elo";
		headings[count++] = "+-";
	}
	if (columns->skill)
		headings[count++] = "Plackett-Luce";
	headings[count++] = "LOS";
	if (columns->ranks)
		headings[count++] = "ranks";
	if (columns->place)
		headings[count++] = "place";
	if (columns->blocks)
		headings[count++] = "blocks";
	if (columns->games) {
		headings[count++] = "games";
		headings[count++] = "score";
		headings[count++] = "W/D/L";
	}
	return count;
}

static void
half_cell(struct grid *grid, const struct estimate *estimate, int digits)
{
	char bytes[FIGURE_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	figure_half(&text, estimate, digits);
	grid_cell(grid, "%s", bytes);
}

/* Of a bot that has only won (lost) the Elo is at least (at most) this. */
static void
elo_cells(struct grid *grid, const struct estimate *elo)
{
	char bytes[FIGURE_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	if (elo->high_beyond || elo->low_beyond)
		scopa_text_char(&text, elo->high_beyond ? '>' : '<');
	figure_signed(&text, elo->value, 1);
	grid_cell(grid, "%s", bytes);
	half_cell(grid, elo, 1);
}

static void
results_cells(struct grid *grid, const struct rate_bot *bot)
{
	grid_cell(grid, "%" PRId64, bot->games);
	if (bot->games > 0)
		text_cell_share(
		    grid, figure_percent, bot->score / (double)bot->games);
	else
		grid_cell(grid, "%s", "-");
	grid_cell(grid, "%" PRId64 "/%" PRId64 "/%" PRId64, bot->results.wins,
	    bot->results.draws, bot->results.losses);
}

/* The place of a position, within its group. */
static int
place_of(const struct rate_table *table, int position)
{
	int place = 0;

	for (int i = 0; i < position; i++)
		place += table->groups[table->order[i]] ==
		    table->groups[table->order[position]];
	return place;
}

/* `2`, or `1-3`: the places that are open. */
static void
ranks_cell(struct grid *grid, const struct ranking_range *range)
{
	if (range->low == range->high)
		grid_cell(grid, "%d", range->low + 1);
	else
		grid_cell(grid, "%d-%d", range->low + 1, range->high + 1);
}

static void
ranking_row(const struct page *page, struct grid *grid, int position)
{
	const struct rate_table *table = page->table;
	const struct columns *columns = &page->columns;
	int number = table->order[position];
	const struct rate_bot *bot = &table->bots[number];
	double level = page->order->level;
	struct estimate margin = rate_estimate(&table->margins[number], level);
	struct estimate elo = rate_estimate(&table->elo[number], level);

	grid_cell(grid, "%d", position + 1);
	grid_cell(grid, "%s", bot->name);
	if (columns->margin) {
		text_cell_signed(grid, margin.value, 3);
		half_cell(grid, &margin, 3);
	}
	if (columns->clean)
		text_cell_signed(grid, table->clean[number].value, 3);
	if (columns->elo)
		elo_cells(grid, &elo);
	if (columns->skill)
		grid_cell(grid, "%.2f (%.2f)", bot->skill.mu, bot->skill.sigma);
	if (table->better[position] >= 0.0)
		text_cell_share(
		    grid, figure_probability, table->better[position]);
	else
		grid_cell(
		    grid, "%s", position + 1 < table->bot_count ? "?" : "");
	if (columns->ranks)
		ranks_cell(grid, &table->ranges[number]);
	if (columns->place)
		text_cell_share(grid, figure_probability,
		    table->places[number * table->bot_count +
			place_of(table, position)]);
	if (columns->blocks)
		grid_cell(grid, "%" PRId64, bot->blocks);
	if (columns->games)
		results_cells(grid, bot);
}

/* The group that stands at a position; positions of a group follow each other. */
static int
group_at(const struct rate_table *table, int position)
{
	return table->groups[table->order[position]];
}

/* The position after the last one of the group that begins here. */
static int
group_end(const struct rate_table *table, int begin)
{
	int end = begin + 1;

	while (end < table->bot_count &&
	    group_at(table, end) == group_at(table, begin))
		end++;
	return end;
}

/* Above each table where there are several. */
static void
group_title(const struct page *page, int begin, int end)
{
	if (page->columns.group)
		printf("%sgroup %d: %d bot%s\n", begin > 0 ? "\n" : "",
		    group_at(page->table, begin) + 1, end - begin,
		    end - begin == 1 ? "" : "s");
}

static void
ranking_print(const struct page *page)
{
	const char *headings[COLUMNS_MAX];
	int count = headings_fill(page, headings);

	for (int begin = 0, end; begin < page->table->bot_count; begin = end) {
		struct grid grid;

		end = group_end(page->table, begin);
		group_title(page, begin, end);
		grid_init(&grid, count, 2, 2);
		for (int i = 0; i < count; i++)
			grid_cell(&grid, "%s", headings[i]);
		for (int i = begin; i < end; i++)
			ranking_row(page, &grid, i);
		grid_print(&grid, page->width, stdout);
	}
}

/* What ratings are relative to. */
static const char *
gauge_of(const struct page *page)
{
	return page->order->anchor >= 0 ? "0 is the mean, but for the anchor"
					: "the mean of all is 0";
}

/* What the columns mean, as far as they are there. */
static void
legend_print(const struct page *page)
{
	const struct rate_table *table = page->table;
	const struct columns *columns = &page->columns;

	printf("\n+- at %g%%. LOS: stronger than the next one, by the errors "
	       "of %s.\n",
	    100.0 * page->order->level,
	    page->first == RATE_MARGIN    ? "the points"
		: page->first == RATE_ELO ? "the Elo"
					  : "Plackett-Luce");
	if (columns->margin)
		printf("Points: margin rating, points a deal; %s.\n",
		    gauge_of(page));
	if (columns->clean)
		printf("Clean: the same without blocks that have a forfeit "
		       "(%" PRId64 " games were forfeited).\n",
		    table->forfeits);
	if (columns->elo)
		printf(
		    "Elo: by expected scores, as Ordo does; %s. `>` and `<`: "
		    "nothing but wins, or losses.\n",
		    gauge_of(page));
	if (columns->skill)
		puts("Plackett-Luce: mu (sigma), in the order of the games; "
		     "25 (8.33) at first.");
	if (columns->place)
		printf("Place: how many of %d samples of whole blocks, by %s, "
		       "give the place.\n",
		    table->replicates,
		    page->order->model == RATE_ELO ? "score" : "points");
	if (columns->ranks)
		printf("Ranks: what stays open when all %" PRId64
		       " comparisons hold at once (Tukey's range).\n",
		    table->comparisons);
	if (table->clusters.count > 0)
		printf(
		    "Errors take what was played with the same packs as one: "
		    "%d set%s of packs.\n",
		    table->clusters.count,
		    table->clusters.count == 1 ? "" : "s");
	if (columns->group)
		puts("Groups: no chain of games joins them, so their ratings "
		     "cannot be compared; each has a mean of 0 of its own.");
}

static struct estimate
turned(struct estimate estimate, double sum)
{
	return (struct estimate){
		.value = sum - estimate.value,
		.low = sum - estimate.high,
		.high = sum - estimate.low,
		.low_beyond = estimate.high_beyond,
		.high_beyond = estimate.low_beyond,
	};
}

/* The row's bot against the column's. */
static void
cross_cell(const struct page *page, struct grid *grid, int row, int column)
{
	bool margins = page->first == RATE_MARGIN;
	const struct rate_pair *pair = rate_pair_find(page->table, row, column);
	char value[FIGURE_SIZE], half[FIGURE_SIZE];
	struct scopa_text value_text, half_text;
	struct estimate estimate;
	int64_t count = pair == NULL ? 0
	    : margins                ? pair->margins.count
				     : pair->games;

	if (row == column || count == 0) {
		grid_cell(grid, "%s", row == column ? "." : "-");
		return;
	}
	estimate = margins ? rate_pair_margin(pair, page->order->level)
			   : rate_pair_score(pair, page->order->level);
	if (pair->first != row)
		estimate = turned(estimate, margins ? 0.0 : 1.0);
	if (!margins) {
		estimate.value *= 100.0;
		estimate.low *= 100.0;
		estimate.high *= 100.0;
	}
	scopa_text_init(&value_text, value, sizeof(value));
	scopa_text_init(&half_text, half, sizeof(half));
	if (margins)
		figure_signed(&value_text, estimate.value, 2);
	else
		figure_number(&value_text, estimate.value, 1);
	figure_half(&half_text, &estimate, margins ? 2 : 1);
	grid_cell(grid, "%s +-%s (%" PRId64 ")", value, half, count);
}

static void
cross_print(const struct page *page)
{
	const struct rate_table *table = page->table;

	if (table->bot_count > REPORT_PAIRS_MAX) {
		printf("\nEach two of more than %d bots: --json has them.\n",
		    REPORT_PAIRS_MAX);
		return;
	}
	printf("\n%s of the row against the column, +- at %g%% (%s)\n",
	    page->first == RATE_MARGIN ? "points a deal" : "score in percent",
	    100.0 * page->order->level,
	    page->first == RATE_MARGIN ? "blocks" : "games");
	for (int begin = 0, end; begin < table->bot_count; begin = end) {
		struct grid grid;

		end = group_end(table, begin);
		group_title(page, begin, end);
		grid_init(&grid, end - begin + 2, 2, 2);
		grid_cell(&grid, "%s", "#");
		grid_cell(&grid, "%s", "name");
		for (int i = begin; i < end; i++)
			grid_cell(&grid, "%d", i + 1);
		for (int i = begin; i < end; i++) {
			grid_cell(&grid, "%d", i + 1);
			grid_cell(
			    &grid, "%s", table->bots[table->order[i]].name);
			for (int k = begin; k < end; k++)
				cross_cell(page, &grid, table->order[i],
				    table->order[k]);
		}
		grid_print(&grid, page->width, stdout);
	}
}

void
rate_text_print(const struct rate_table *table, const struct rate_order *order)
{
	struct page page = {
		.table = table,
		.order = order,
		.first = rate_model_first(table, order->model),
		.columns = columns_of(table, order->model),
		.width = report_style_of(stdout).width,
	};

	if (table->rules[0] != '\0')
		printf("%s: ", table->rules);
	if (table->has_games)
		printf("%" PRId64 " game%s", table->game_count,
		    table->game_count == 1 ? "" : "s");
	if (table->has_games && table->block_count > 0)
		fputs(table->rules[0] != '\0' ? " in " : " and ", stdout);
	if (table->block_count > 0)
		printf("%" PRId64 " block%s", table->block_count,
		    table->block_count == 1 ? "" : "s");
	if (table->rows == NULL && table->has_games)
		fputs(", read as wins, draws, losses", stdout);
	if (order->anchor >= 0)
		printf(", %s at %g", table->bots[order->anchor].name,
		    order->anchor_value);
	fputs("\n\n", stdout);
	ranking_print(&page);
	legend_print(&page);
	cross_print(&page);
}
