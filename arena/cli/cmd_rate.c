/*
 * What `rate` prints for people.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "csv_field.h"
#include "error_message.h"
#include "json.h"
#include "rate_table.h"
#include "record_walk.h"
#include "report_json.h"
#include "text_format.h"
#include "version.h"

/* Which columns there are. */
struct columns {
	bool margin, clean, elo, skill, ranks, blocks, games, place, group;
};

/* What is printed, and how. */
struct rate_page {
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
		    (all && table->has_skills && table->team_count > 2),
		.ranks = table->comparisons > 0 && model != RATE_PLACKETT_LUCE,
		.blocks = table->block_count > 0,
		.games = table->has_games,
		.place = table->places != NULL,
		.group = has_groups(table),
	};
}

/* The table with its headings. */
static void
ranking_open(const struct columns *columns, struct text_table *rows)
{
	char headings[256];

	snprintf(headings, sizeof(headings), "#|name%s%s%s%s|LOS%s%s%s%s",
	    columns->margin ? "|points|+-" : "", columns->clean ? "|clean" : "",
	    columns->elo ? "|Elo|+-" : "",
	    columns->skill ? "|Plackett-Luce" : "",
	    columns->ranks ? "|ranks" : "", columns->place ? "|place" : "",
	    columns->blocks ? "|blocks" : "",
	    columns->games ? "|games|score|W/D/L" : "");
	text_table_open(rows, headings, 2);
}

static void
add_half(struct text_table *rows, const struct estimate *estimate, int digits)
{
	char bytes[NUMBER_TEXT_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	number_half(&text, estimate, digits);
	text_table_add(rows, "%s", bytes);
}

/* Of a bot that has only won (lost) the Elo is at least (at most) this. */
static void
add_elo(struct text_table *rows, const struct estimate *elo)
{
	char bytes[NUMBER_TEXT_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	if (elo->high_beyond || elo->low_beyond)
		scopa_text_char(&text, elo->high_beyond ? '>' : '<');
	number_signed(&text, elo->value, 1);
	text_table_add(rows, "%s", bytes);
	add_half(rows, elo, 1);
}

static void
add_results(struct text_table *rows, const struct rate_bot *bot)
{
	text_table_add(rows, "%" PRId64, bot->games);
	if (bot->games > 0)
		text_table_add_share(
		    rows, number_percent, bot->score / (double)bot->games);
	else
		text_table_add(rows, "%s", "-");
	text_table_add(rows, "%" PRId64 "/%" PRId64 "/%" PRId64,
	    bot->results.wins, bot->results.draws, bot->results.losses);
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
add_ranks(struct text_table *rows, const struct ranking_range *range)
{
	if (range->low == range->high)
		text_table_add(rows, "%d", range->low + 1);
	else
		text_table_add(rows, "%d-%d", range->low + 1, range->high + 1);
}

static void
ranking_row(const struct rate_page *page, struct text_table *rows, int position)
{
	const struct rate_table *table = page->table;
	const struct columns *columns = &page->columns;
	int number = table->order[position];
	const struct rate_bot *bot = &table->bots[number];
	double level = page->order->level;
	struct estimate margin = rate_estimate(&table->margins[number], level);
	struct estimate elo = rate_estimate(&table->elo[number], level);

	text_table_add(rows, "%d", position + 1);
	text_table_add(rows, "%s", bot->name);
	if (columns->margin) {
		text_table_add_number(rows, number_signed, margin.value, 3);
		add_half(rows, &margin, 3);
	}
	if (columns->clean)
		text_table_add_number(
		    rows, number_signed, table->clean[number].value, 3);
	if (columns->elo)
		add_elo(rows, &elo);
	if (columns->skill)
		text_table_add(
		    rows, "%.2f (%.2f)", bot->skill.mu, bot->skill.sigma);
	if (table->better[position] >= 0.0)
		text_table_add_share(
		    rows, number_probability, table->better[position]);
	else
		text_table_add(
		    rows, "%s", position + 1 < table->bot_count ? "?" : "");
	if (columns->ranks)
		add_ranks(rows, &table->ranges[number]);
	if (columns->place)
		text_table_add_share(rows, number_probability,
		    table->places[number * table->bot_count +
			place_of(table, position)]);
	if (columns->blocks)
		text_table_add(rows, "%" PRId64, bot->blocks);
	if (columns->games)
		add_results(rows, bot);
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
group_title(const struct rate_page *page, int begin, int end)
{
	if (page->columns.group)
		printf("%sgroup %d: %d bot%s\n", begin > 0 ? "\n" : "",
		    group_at(page->table, begin) + 1, end - begin,
		    text_plural(end - begin));
}

static void
ranking_print(const struct rate_page *page)
{
	for (int begin = 0, end; begin < page->table->bot_count; begin = end) {
		struct text_table rows;

		end = group_end(page->table, begin);
		group_title(page, begin, end);
		ranking_open(&page->columns, &rows);
		for (int i = begin; i < end; i++)
			ranking_row(page, &rows, i);
		text_table_print(&rows, page->width, stdout);
	}
}

/* What ratings are relative to. */
static const char *
gauge_of(const struct rate_page *page)
{
	return page->order->anchor >= 0 ? "0 is the mean, but for the anchor"
					: "the mean of all is 0";
}

/* What the columns mean, as far as they are there. */
static void
legend_print(const struct rate_page *page)
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
		printf("Points: margin rating, points per deal; %s.\n",
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
	if (table->fit.clusters.count > 0)
		printf(
		    "Errors take what was played with the same packs as one: "
		    "%d set%s of packs.\n",
		    table->fit.clusters.count,
		    text_plural(table->fit.clusters.count));
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
add_cross(
    const struct rate_page *page, struct text_table *rows, int row, int column)
{
	bool margins = page->first == RATE_MARGIN;
	const struct rate_pair *pair = rate_pair_find(page->table, row, column);
	char value[NUMBER_TEXT_SIZE], half[NUMBER_TEXT_SIZE];
	struct scopa_text value_text, half_text;
	struct estimate estimate;
	int64_t count = pair == NULL ? 0
	    : margins                ? pair->margins.count
				     : pair->games;

	if (row == column || count == 0) {
		text_table_add(rows, "%s", row == column ? "." : "-");
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
		number_signed(&value_text, estimate.value, 2);
	else
		number_fixed(&value_text, estimate.value, 1);
	number_half(&half_text, &estimate, margins ? 2 : 1);
	text_table_add(rows, "%s +-%s (%" PRId64 ")", value, half, count);
}

static void
cross_print(const struct rate_page *page)
{
	const struct rate_table *table = page->table;

	if (table->bot_count > REPORT_PAIRS_MAX) {
		printf("\nEach two of more than %d bots: --json has them.\n",
		    REPORT_PAIRS_MAX);
		return;
	}
	printf("\n%s of the row against the column, +- at %g%% (%s)\n",
	    page->first == RATE_MARGIN ? "points per deal" : "score in percent",
	    100.0 * page->order->level,
	    page->first == RATE_MARGIN ? "blocks" : "games");
	for (int begin = 0, end; begin < table->bot_count; begin = end) {
		struct text_table rows;

		end = group_end(table, begin);
		group_title(page, begin, end);
		text_table_init(&rows, end - begin + 2, 2);
		text_table_add(&rows, "%s", "#");
		text_table_add(&rows, "%s", "name");
		for (int i = begin; i < end; i++)
			text_table_add(&rows, "%d", i + 1);
		for (int i = begin; i < end; i++) {
			text_table_add(&rows, "%d", i + 1);
			text_table_add(
			    &rows, "%s", table->bots[table->order[i]].name);
			for (int k = begin; k < end; k++)
				add_cross(page, &rows, table->order[i],
				    table->order[k]);
		}
		text_table_print(&rows, page->width, stdout);
	}
}

void
rate_text_print(const struct rate_table *table, const struct rate_order *order)
{
	struct rate_page page = {
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
		    text_plural(table->game_count));
	if (table->has_games && table->block_count > 0)
		fputs(table->rules[0] != '\0' ? " in " : " and ", stdout);
	if (table->block_count > 0)
		printf("%" PRId64 " block%s", table->block_count,
		    text_plural(table->block_count));
	if (table->fit.rows == NULL && table->has_games)
		fputs(", read as wins, draws, losses", stdout);
	if (order->anchor >= 0)
		printf(", %s at %g", table->bots[order->anchor].name,
		    order->anchor_value);
	fputs("\n\n", stdout);
	ranking_print(&page);
	legend_print(&page);
	cross_print(&page);
}

/*
 * What `rate` prints for spreadsheets: a row a bot.
 */

/* A value and its interval; empty where they are not known. */
static void
put_estimate(bool known, const struct estimate *estimate, int digits)
{
	if (!known) {
		fputs(",,,", stdout);
		return;
	}
	printf(",%.*f,", digits, estimate->value);
	if (!estimate->low_beyond)
		printf("%.*f", digits, estimate->low);
	putchar(',');
	if (!estimate->high_beyond)
		printf("%.*f", digits, estimate->high);
}

static void
put_bot(const struct rate_table *table, const struct rate_order *order,
    int position)
{
	int number = table->order[position];
	const struct rate_bot *bot = &table->bots[number];
	const struct ranking_range *range = &table->ranges[number];
	struct estimate margin =
	    rate_estimate(&table->margins[number], order->level);
	struct estimate elo = rate_estimate(&table->elo[number], order->level);

	printf("%d,", position + 1);
	csv_field_put(stdout, bot->name);
	printf(",%d", table->groups[number] + 1);
	put_estimate(table->has_margins, &margin, 6);
	put_estimate(table->has_games, &elo, 3);
	if (table->has_skills)
		printf(",%.6f,%.6f", bot->skill.mu, bot->skill.sigma);
	else
		fputs(",,", stdout);
	putchar(',');
	if (table->better[position] >= 0.0)
		printf("%.6f", table->better[position]);
	if (table->comparisons > 0)
		printf(",%d,%d", range->low + 1, range->high + 1);
	else
		fputs(",,", stdout);
	printf(",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64
	       ",%" PRId64 "\n",
	    bot->blocks, bot->games, bot->results.wins, bot->results.draws,
	    bot->results.losses, bot->forfeits);
}

void
rate_csv_print(const struct rate_table *table, const struct rate_order *order)
{
	puts("position,name,group,points,points_low,points_high,elo,elo_low,"
	     "elo_high,mu,sigma,above_next,rank_low,rank_high,blocks,games,"
	     "wins,draws,losses,forfeits");
	for (int i = 0; i < table->bot_count; i++)
		put_bot(table, order, i);
}

/*
 * What `rate` prints for programs.
 */

enum { FORMAT_VERSION = 1 };

/* Which models the document is about. */
static bool
wants(const struct rate_order *order, enum rate_model model)
{
	return order->model == RATE_ALL || order->model == model;
}

static void
json_put_estimate(struct json *json, const char *key, bool known,
    struct estimate estimate, int digits)
{
	json_estimate(json, key, known ? &estimate : NULL, digits);
}

static void
put_places(struct json *json, const struct rate_table *table, int bot)
{
	if (table->places == NULL) {
		json_null(json, "place_probabilities");
		return;
	}
	json_array_begin(json, "place_probabilities");
	for (int place = 0; place < table->bot_count; place++)
		json_real(json, NULL,
		    table->places[bot * table->bot_count + place],
		    JSON_DIGITS_SHARE);
	json_array_end(json);
}

static void
put_skill(struct json *json, const struct skill *skill, bool known)
{
	if (!known) {
		json_null(json, "skill");
		return;
	}
	json_object_begin(json, "skill");
	json_real(json, "mu", skill->mu, JSON_DIGITS_POINTS);
	json_real(json, "sigma", skill->sigma, JSON_DIGITS_POINTS);
	json_object_end(json);
}

static void
json_put_bot(struct json *json, const struct rate_table *table,
    const struct rate_order *order, int position)
{
	int number = table->order[position];
	const struct rate_bot *bot = &table->bots[number];
	bool margins = table->has_margins && wants(order, RATE_MARGIN);

	json_object_begin(json, NULL);
	json_int(json, "position", position + 1);
	json_string(json, "name", bot->name);
	json_int(json, "group", table->groups[number] + 1);
	json_put_estimate(json, "rating", margins,
	    rate_estimate(&table->margins[number], order->level),
	    JSON_DIGITS_POINTS);
	json_put_estimate(json, "clean_rating", margins,
	    rate_estimate(&table->clean[number], order->level),
	    JSON_DIGITS_POINTS);
	json_put_estimate(json, "elo",
	    table->has_games && wants(order, RATE_ELO),
	    rate_estimate(&table->elo[number], order->level), JSON_DIGITS_ELO);
	put_skill(json, &bot->skill,
	    table->has_skills && wants(order, RATE_PLACKETT_LUCE));
	json_real(json, "above_next",
	    table->better[position] < 0.0 ? (double)NAN
					  : table->better[position],
	    JSON_DIGITS_SHARE);
	json_int_if(json, "rank_low", table->comparisons > 0,
	    table->ranges[number].low + 1);
	json_int_if(json, "rank_high", table->comparisons > 0,
	    table->ranges[number].high + 1);
	put_places(json, table, number);
	json_int(json, "blocks", bot->blocks);
	json_int(json, "games", bot->games);
	json_real(json, "score", bot->score, JSON_DIGITS_SHARE);
	json_results(json, "results", &bot->results);
	json_int(json, "forfeits", bot->forfeits);
	json_object_end(json);
}

static void
put_pair(struct json *json, const struct rate_table *table,
    const struct rate_order *order, const struct rate_pair *pair)
{
	json_object_begin(json, NULL);
	json_string(json, "name", table->bots[pair->first].name);
	json_string(json, "against", table->bots[pair->second].name);
	json_int(json, "blocks", pair->blocks);
	json_int(json, "games", pair->games);
	json_put_estimate(json, "margin", pair->margins.count > 0,
	    rate_pair_margin(pair, order->level), JSON_DIGITS_POINTS);
	json_put_estimate(json, "score", pair->games > 0,
	    rate_pair_score(pair, order->level), JSON_DIGITS_SHARE);
	json_results(json, "results", &pair->results);
	json_object_end(json);
}

void
rate_json_print(const struct rate_table *table, const struct rate_order *order)
{
	struct json json;

	json_document_begin(&json, stdout);
	json_string(&json, "format", "scopa-arena-ratings");
	json_int(&json, "version", FORMAT_VERSION);
	json_given(&json, "rules", table->rules);
	json_string(&json, "model", rate_model_names[order->model]);
	json_string(&json, "order_by",
	    rate_model_names[rate_model_first(table, order->model)]);
	json_real(&json, "level", order->level, JSON_DIGITS_SHARE);
	json_int(&json, "rounds", table->fit.clusters.count);
	json_int(&json, "comparisons", table->comparisons);
	json_int(&json, "replicates", table->replicates);
	json_int(&json, "seed", (int64_t)order->seed);
	json_int(&json, "blocks", table->block_count);
	json_int(&json, "games", table->game_count);
	json_int(&json, "forfeits", table->forfeits);
	json_array_begin(&json, "ranking");
	for (int i = 0; i < table->bot_count; i++)
		json_put_bot(&json, table, order, i);
	json_array_end(&json);
	json_array_begin(&json, "encounters");
	for (int i = 0; i < table->pair_count; i++)
		put_pair(&json, table, order, &table->pairs[i]);
	json_array_end(&json);
	json_document_end(&json);
}

/*
 * rate: how strong bots are, from games that were played.
 */

enum { REPLICATES_MAX = 1000000, ANCHOR_MAX = 1000000 };

/* Narrower intervals say nothing, wider ones are all alike. */
#define LEVEL_MIN 0.5
#define LEVEL_MAX 0.9999

struct rate_settings {
	const char *counts;
	int model; /* enum rate_model */
	int64_t replicates;
	int64_t seed;
	double level;
	const char *anchor;
	bool json, csv;
};

#define FIELD(name) offsetof(struct rate_settings, name)

static const struct option options[] = {
	TEXT_OPTION("counts", "FILE", FIELD(counts),
	    "Instead of records: lines FIRST SECOND WINS DRAWS LOSSES of "
	    "games, or FIRST SECOND BLOCKS MEAN SD of points per deal, with a "
	    "point in MEAN or SD; one kind a file."),
	NAME_OPTION("model", "MODEL", FIELD(model), rate_model_names,
	    "Which ratings: of points, of wins, of places in games of several, "
	    "or all that there are.",
	    .fallback = "all"),
	INT_OPTION("bootstrap", "N", FIELD(replicates), 0, REPLICATES_MAX,
	    "Draw whole rounds, all that shares packs, N times anew, to see "
	    "how sure each place is; 0 does not.",
	    .fallback = "1000", .unit = "samples"),
	INT_OPTION("seed", "N", FIELD(seed), 0, INT64_MAX,
	    "Of the bootstrap: the same N gives the same numbers.",
	    .fallback = "1"),
	REAL_OPTION("level", "P", FIELD(level), 0, 1,
	    "Confidence level of the intervals.", .fallback = "0.95"),
	TEXT_OPTION("anchor", "NAME=VALUE", FIELD(anchor),
	    "The rating of this bot is VALUE, points per deal or Elo, "
	    "whichever decides the order; those that results join with it "
	    "follow, with errors as against it."),
	FLAG_OPTION("json", FIELD(json), "Print one JSON object."),
	FLAG_OPTION(
	    "csv", FIELD(csv), "Print the ranking as CSV, a row a bot."),
	OPTIONS_END,
};

/* Fills the table from records; it is closed where there is nothing in it. */
static enum status
records_read(struct rate_table *table, int file_count, char **files)
{
	struct regrouped regrouped;
	enum status status = regroup_files(&regrouped, NULL, file_count, files);

	regroup_remarks_say(&regrouped.regroup);
	if (regrouped.regroup.block_count > 0 && status != STATUS_ENVIRONMENT &&
	    rate_table_regroup(table, &regrouped) < 0)
		status = memory_error();
	regrouped_close(&regrouped);
	return status;
}

/* Whether the table has what the model needs. */
static enum status
model_check(const struct rate_table *table, enum rate_model model)
{
	if (model == RATE_MARGIN && !table->has_margins)
		return error_usage("a line of margins is FIRST SECOND BLOCKS "
				   "MEAN SD, with a point in MEAN or SD",
		    "there are no margins to rate");
	if (model == RATE_ELO && !table->has_games)
		return error_usage(
		    "a line of games is FIRST SECOND WINS DRAWS LOSSES",
		    "there are no games to rate");
	if (model == RATE_PLACKETT_LUCE && !table->has_skills)
		return error_usage("for this model give records",
		    "counts do not tell the order of the games");
	return STATUS_DONE;
}

/* Reads NAME=VALUE; the name may have = in it. */
static enum status
anchor_read(
    const char *text, const struct rate_table *table, struct rate_order *order)
{
	const char *equals = text == NULL ? NULL : strrchr(text, '=');
	char *end;

	order->anchor = -1;
	if (text == NULL)
		return STATUS_DONE;
	if (order->model == RATE_PLACKETT_LUCE)
		return error_usage("mu of Plackett-Luce begins at 25",
		    "--anchor is of points or Elo");
	if (equals == NULL || equals == text || equals[1] == '\0')
		return error_usage("--anchor greedy=1500, for instance",
		    "--anchor: NAME=VALUE is expected");
	order->anchor_value = strtod(equals + 1, &end);
	if (*end != '\0' || !(fabs(order->anchor_value) <= ANCHOR_MAX))
		return error_usage("a number of at most 1000000 either way",
		    "--anchor: VALUE is not a number");
	for (int bot = 0; bot < table->bot_count; bot++)
		if (strlen(table->bots[bot].name) == (size_t)(equals - text) &&
		    memcmp(table->bots[bot].name, text,
			(size_t)(equals - text)) == 0)
			order->anchor = bot;
	if (order->anchor < 0)
		return error_usage("the names are those of the ranking",
		    "--anchor: no bot has this name");
	return STATUS_DONE;
}

static enum status
rate_run(const void *given, int argc, char **argv)
{
	const struct rate_settings *settings = given;
	struct rate_order order = {
		.model = (enum rate_model)settings->model,
		.level = settings->level,
		.replicates = (int)settings->replicates,
		.seed = (uint64_t)settings->seed,
	};
	struct rate_table table = { 0 };
	enum status status, fit;

	if (!(order.level >= LEVEL_MIN && order.level <= LEVEL_MAX))
		return error_usage(
		    "0.5 to 0.9999: 0.95 is usual", "--level is out of range");
	if (settings->json && settings->csv)
		return error_usage("give one or the other",
		    "--json and --csv exclude each other");
	if (settings->counts != NULL && argc > 0)
		return error_usage("give one or the other",
		    "--counts and record files exclude each other");
	status = settings->counts != NULL
	    ? rate_table_count(&table, settings->counts)
	    : records_read(&table, argc, argv);
	if (table.bots == NULL)
		return status;
	fit = model_check(&table, order.model);
	if (fit == STATUS_DONE)
		fit = anchor_read(settings->anchor, &table, &order);
	if (fit != STATUS_DONE)
		status = fit;
	else if (rate_compute(&table, &order) < 0)
		status = memory_error();
	else if (settings->csv)
		rate_csv_print(&table, &order);
	else if (settings->json)
		rate_json_print(&table, &order);
	else
		rate_text_print(&table, &order);
	rate_table_close(&table);
	return status;
}

const struct command command_rate = {
	.name = "rate",
	.sentence = "Rates bots by game records, or by a table of counts.",
	.detail =
	    "Games with the same packs and the same bots form a block, in "
	    "which the luck of the deal cancels out. Points a deal are rated "
	    "by least squares over all pairs, wins by Elo, games of three and "
	    "more by Plackett-Luce as well. A crosstable follows: each two, "
	    "with interval and number. Records that are bad are said and "
	    "skipped, and so are games for analysis, in which bots see all "
	    "cards; the exit status is then 1. Games with packs that the same "
	    "bots have played in the same seats are no new evidence, and "
	    "counted once; errors take all that shares its packs as one.",
	.usage = "[FILE...]",
	.arguments = { RECORD_FILES_ARGUMENT },
	.argument_max = COMMAND_ANY_COUNT,
	.examples = { "rate games.scopa",
	    "rate --model elo --json monday.scopa tuesday.scopa",
	    "rate --counts results.txt",
	    "rate --model elo --anchor greedy=1500 --csv games.scopa" },
	.options = options,
	.settings_size = sizeof(struct rate_settings),
	.run = rate_run,
};
