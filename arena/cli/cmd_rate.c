/*
 * The command rate: reads game records or a file of counts, and prints how
 * strong the bots are.  Ratings and tables are those of reports; the chosen
 * model decides the order.  The output is a table for people, CSV for
 * spreadsheets, or JSON for programs.
 */
#include <bsd/string.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "command.h"
#include "countof.h"
#include "json.h"
#include "record_walk.h"
#include "report_json.h"
#include "standings.h"
#include "text_format.h"
#include "tournament_setup.h"

enum rate_model {
	RATE_ALL,
	RATE_MARGIN,
	RATE_ELO,
	RATE_PLACKETT_LUCE,
	RATE_MODEL_COUNT
};

static const char *const model_names[] = {
	[RATE_ALL] = "all",
	[RATE_MARGIN] = "margin",
	[RATE_ELO] = "elo",
	[RATE_PLACKETT_LUCE] = "plackett-luce",
	[RATE_MODEL_COUNT] = NULL,
};

struct rate {
	enum rate_model model; /* as the user wants */
	/* index of the bot whose rating is fixed to `anchor_value`, or -1 */
	int anchor;
	double anchor_value;
	/* the ratings without the anchor, by which bots are compared */
	struct rating unanchored[RATING_BOTS_MAX];

	/* The results, and what follows from them. */
	bool recorded; /* they are of records, which have the order of games */
	bool has_margins, has_games;
	char rules[EVENT_SPEC_SIZE]; /* empty for a file of counts */
	/* of a file of counts: the names, the sums, and bots of two teams */
	struct regrouped results;
	struct store_head head; /* the names of the bots */
	struct report_view view;
};

/*
 * Shifts the ratings so that the anchor has its given value.  Errors and limits
 * become those of the differences to the anchor: a bot of another class may be
 * anywhere on its side of the anchor.  The margins without forfeits are shifted
 * by the same amount as the margins.  The fit gets the ratings as they were: it
 * compares two bots, which has nothing to do with the anchor.
 */
static void
anchor_set(struct rate *rate)
{
	struct report_ratings *view = &rate->view.ratings;
	struct rating *ratings = view->fit.ratings;
	const struct rating anchor = ratings[rate->anchor];
	double shift = rate->anchor_value - anchor.value;
	int count = view->fit.bot_count;

	memcpy(rate->unanchored, ratings, (size_t)count * sizeof(*ratings));
	view->fit.ratings = rate->unanchored;
	for (int bot = 0; bot < count; bot++) {
		bool is_anchor = bot == rate->anchor;

		if (ratings[bot].group != anchor.group)
			continue;
		ratings[bot].value += shift;
		ratings[bot].error = is_anchor
		    ? 0.0
		    : view->fit.errors[rate->anchor * count + bot];
		ratings[bot].freedom = is_anchor
		    ? HUGE_VAL
		    : fmin(ratings[bot].freedom, anchor.freedom);
		ratings[bot].beyond = ratings[bot].class == anchor.class ? 0
		    : ratings[bot].value >= rate->anchor_value           ? 1
									 : -1;
		if (ratings != view->margin)
			continue;
		view->clean[bot].value += shift;
		if (rate->view.standings->forfeits == 0)
			view->clean[bot] = ratings[bot];
	}
}

/*
 * The results of record files.
 */

/* Takes over the results that have been read. */
static void
results_open(struct rate *rate)
{
	const struct standings *standings = &rate->results.standings;
	const struct regroup *regroup = &rate->results.regroup;

	rate->view.standings = standings;
	rate->view.head = &rate->head;
	rate->has_margins = standings->blocks > 0;
	rate->has_games = standings->games > 0;
	rate->head.bot_count = regroup->bot_count;
	for (int bot = 0; bot < regroup->bot_count; bot++)
		strcpy(rate->head.bots[bot].name, regroup->names[bot]);
}

static enum status
records_read(struct rate *rate, char **files)
{
	const struct regroup *regroup = &rate->results.regroup;
	enum status status = regroup_files(&rate->results, NULL, files);
	struct scopa_text rules;

	if (regroup->block_count == 0 || status == STATUS_ENVIRONMENT)
		return status;
	rate->recorded = true;
	scopa_text_init(&rules, rate->rules, sizeof(rate->rules));
	scopa_rules_spec(&regroup->rules, regroup->preset, &rules);
	results_open(rate);
	return status;
}

/*
 * The results of a file of counts: each line is about two bots.
 */

enum {
	LINE_SIZE = 4096,
	FIELDS = 5,
	/* small enough that sums of counts cannot overflow */
	COUNT_MAX = 1000000000,
	VALUE_MAX = 1000000
};

/* The kind of results in a file of counts.  Its first line decides. */
enum kind { KIND_UNKNOWN, KIND_GAMES, KIND_MARGINS };

/* The columns of each kind, and first those of an order that is not accepted. */
static const char *const columns[][FIELDS] = {
	[KIND_UNKNOWN] = { "FIRST", "SECOND", "WINS", "LOSSES", "DRAWS" },
	[KIND_GAMES] = { "FIRST", "SECOND", "WINS", "DRAWS", "LOSSES" },
	[KIND_MARGINS] = { "FIRST", "SECOND", "BLOCKS", "MEAN", "SD" },
};

/* A line of the file, from the view of its first bot. */
struct counts_row {
	int first, second;
	struct trinomial results;
	struct moments margins;
};

/* The file that is being read. */
struct counts {
	const char *file;
	int64_t line;
	struct regroup *bots;    /* their names */
	struct counts_row *rows; /* owned */
	int row_count, capacity;
	char *fields[FIELDS + 1];
	enum kind kind;
};

static bool
counts_error(const struct counts *counts, const char *what, const char *why)
{
	error_print("%s:%jd: %s", counts->file, counts->line, what);
	error_detail("hint", "%s", why);
	return false;
}

static bool
count_read(const struct counts *counts, int column, int64_t *number)
{
	const char *field = counts->fields[column];
	char text[256];

	if (word_to_int(word_of(field), 0, COUNT_MAX, number))
		return true;
	snprintf(text, sizeof(text), "%s: \"%.40s\" is not a number of %s",
	    columns[counts->kind][column], field,
	    counts->kind == KIND_MARGINS ? "blocks" : "games");
	return counts_error(counts, text, "whole numbers from 0 to 1000000000");
}

static bool
value_read(const struct counts *counts, int column, double min, double *number)
{
	const char *field = counts->fields[column];
	char *end, text[256];
	double value = strtod(field, &end);

	if (*end == '\0' && end != field && isfinite(value) && value >= min &&
	    value <= VALUE_MAX) {
		*number = value;
		return true;
	}
	snprintf(text, sizeof(text),
	    "%s: \"%.40s\" is not a mean or standard deviation",
	    columns[counts->kind][column], field);
	return counts_error(counts, text,
	    "numbers such as 0.25, of at most 1000000; a standard deviation is "
	    "0 or more");
}

/* The index of the bot of this name, or -1 with an error. */
static int
bot_find(const struct counts *counts, const char *name)
{
	struct regroup *bots = counts->bots;
	int bot = regroup_bot_find(bots, name);

	if (bot >= 0)
		return bot;
	if (bots->bot_count == TOURNAMENT_BOTS_MAX) {
		counts_error(
		    counts, "more than 2000 bots", "rate fewer at a time");
		return -1;
	}
	if (strlcpy(bots->names[bots->bot_count], name, EVENT_NAME_SIZE) >=
	    EVENT_NAME_SIZE) {
		counts_error(counts, "a name is too long",
		    "names have at most 63 bytes");
		return -1;
	}
	return bots->bot_count++;
}

_Static_assert(TOURNAMENT_BOTS_MAX == 2000, "as the sentence says");

/* Reads `WINS DRAWS LOSSES` or `BLOCKS MEAN DEVIATION`. */
static bool
results_read(const struct counts *counts, struct counts_row *row)
{
	struct trinomial *results = &row->results;
	double mean, deviation;
	int64_t count;

	if (counts->kind == KIND_GAMES)
		return count_read(counts, 2, &results->wins) &&
		    count_read(counts, 3, &results->draws) &&
		    count_read(counts, 4, &results->losses);
	if (!count_read(counts, 2, &count) ||
	    !value_read(counts, 3, -VALUE_MAX, &mean) ||
	    !value_read(counts, 4, 0.0, &deviation))
		return false;
	row->margins = moments_of(count, mean, deviation);
	return true;
}

/* Counts a row for its first bot against the second. */
static void
row_count(struct standings *standings, const struct counts_row *row)
{
	const struct trinomial *results = &row->results;
	int64_t games = results->wins + results->draws + results->losses;
	struct standing *bot = &standings->bots[row->first];
	struct encounter *met =
	    standings_encounter(standings, row->first, row->second);

	bot->games += games;
	bot->score += (double)results->wins + (double)results->draws / 2.0;
	bot->blocks += row->margins.count;
	trinomial_add(&bot->results, results);
	met->games += games;
	met->blocks += row->margins.count;
	trinomial_add(&met->results, results);
	met->margins = moments_join(met->margins, row->margins);
	met->clean = met->margins;
	standings->games += games;
	standings->blocks += row->margins.count;
}

/* Counts all rows, each for both of its bots.  0 or -ENOMEM. */
static int
rows_count(const struct counts *counts, struct standings *standings)
{
	if (standings_open(standings, &scopa_presets[0].rules,
		counts->bots->bot_count) < 0)
		return -ENOMEM;
	for (int i = 0; i < counts->row_count; i++) {
		const struct counts_row *row = &counts->rows[i];
		struct counts_row turned = {
			.first = row->second,
			.second = row->first,
			.results = { .wins = row->results.losses,
			    .draws = row->results.draws,
			    .losses = row->results.wins },
			.margins = row->margins,
		};

		turned.margins.mean *= -1;
		row_count(standings, row);
		row_count(standings, &turned);
	}
	/* Each row was counted twice. */
	standings->games /= 2;
	standings->blocks /= 2;
	return 0;
}

/*
 * Checks that all lines of the file have one kind; a line of the other kind is
 * taken for a mistake.  MEAN or SD of a line of margins has a decimal point; a
 * line of numbers of games has none.
 */
static bool
kind_check(struct counts *counts)
{
	bool points = strchr(counts->fields[3], '.') != NULL ||
	    strchr(counts->fields[4], '.') != NULL;
	enum kind kind = points ? KIND_MARGINS : KIND_GAMES;

	if (counts->kind == KIND_UNKNOWN)
		counts->kind = kind;
	if (counts->kind == kind)
		return true;
	return points
	    ? counts_error(counts,
		  "a number with a point, where the lines before have games",
		  "numbers of games are whole: `FIRST SECOND WINS DRAWS "
		  "LOSSES`")
	    : counts_error(counts,
		  "no number has a point, where the lines before have margins",
		  "write MEAN or SD with a point: `FIRST SECOND BLOCKS MEAN "
		  "SD`");
}

/*
 * Whether a line is a heading with names of columns, in upper or lower case.
 * *kind gets the kind of the results.
 */
static bool
is_header(const struct counts *counts, enum kind *kind)
{
	for (int i = 0; i < COUNTOF(columns); i++) {
		int same = 0;

		while (same < FIELDS &&
		    strcasecmp(counts->fields[same], columns[i][same]) == 0)
			same++;
		if (same == FIELDS) {
			*kind = (enum kind)i;
			return true;
		}
	}
	return false;
}

/* Checks the columns of a heading: they give the kind of all lines. */
static bool
header_check(struct counts *counts, enum kind kind)
{
	if (kind == KIND_UNKNOWN)
		return counts_error(counts, "the columns are in another order",
		    "`FIRST SECOND WINS DRAWS LOSSES`: change the order of "
		    "the numbers, too");
	if (counts->kind != KIND_UNKNOWN && counts->kind != kind)
		return counts_error(counts,
		    kind == KIND_MARGINS
			? "a heading of margins, where the lines before have "
			  "games"
			: "a heading of games, where the lines before have "
			  "margins",
		    "give each kind a file of its own");
	counts->kind = kind;
	return true;
}

static bool
line_read(struct counts *counts, char *line)
{
	char *rest = NULL, *field = strtok_r(line, " \t\r\n", &rest);
	struct counts_row row = { 0 };
	enum kind kind;
	int count = 0;

	while (field != NULL && count <= FIELDS && field[0] != '#') {
		counts->fields[count++] = field;
		field = strtok_r(NULL, " \t\r\n", &rest);
	}
	if (count == 0)
		return true;
	if (count != FIELDS)
		return counts_error(counts,
		    count < FIELDS ? "not five words: there are too few"
				   : "not five words: there are too many",
		    "`FIRST SECOND WINS DRAWS LOSSES`, or `FIRST SECOND BLOCKS "
		    "MEAN SD` with a point in MEAN or SD");
	if (is_header(counts, &kind))
		return header_check(counts, kind);
	if (!kind_check(counts))
		return false;
	row.first = bot_find(counts, counts->fields[0]);
	row.second = row.first < 0 ? -1 : bot_find(counts, counts->fields[1]);
	if (row.second < 0)
		return false;
	if (row.first == row.second)
		return counts_error(counts, "a bot against itself",
		    "two different names are needed");
	if (!results_read(counts, &row))
		return false;
	counts->rows[counts->row_count++] = row;
	return true;
}

static enum status
lines_read(struct counts *counts, FILE *file)
{
	static const char byte_order_mark[] = "\xEF\xBB\xBF";
	char line[LINE_SIZE];

	while (fgets(line, sizeof(line), file) != NULL) {
		bool marked = counts->line++ == 0 &&
		    strncmp(line, byte_order_mark, 3) == 0;

		if (strlen(line) == sizeof(line) - 1 &&
		    line[sizeof(line) - 2] != '\n') {
			counts_error(counts, "the line is too long",
			    "a line has five words");
			return STATUS_USAGE;
		}
		if (ARRAY_GROW(
			counts->rows, counts->row_count, counts->capacity))
			return game_setup_error(-ENOMEM);
		if (!line_read(counts, marked ? line + 3 : line))
			return STATUS_USAGE;
	}
	return ferror(file)
	    ? error_status(input_file_status(-errno), NULL, NULL,
		  "cannot read %s: %s", counts->file, strerror(errno))
	    : STATUS_DONE;
}

/* Reads a file of counts; `-` is standard input.  Errors are printed. */
static enum status
counts_read(struct rate *rate, const char *file)
{
	bool named = strcmp(file, "-") != 0;
	struct standings *standings = &rate->results.standings;
	struct counts counts = { .file = file, .bots = &rate->results.regroup };
	FILE *stream = named ? fopen(file, "re") : stdin;
	enum status status;

	if (stream == NULL)
		return error_status(input_file_status(-errno),
		    "give a file of lines `FIRST SECOND WINS DRAWS LOSSES`",
		    NULL, "cannot read %s: %s", file, strerror(errno));
	regroup_init(counts.bots, NULL, NULL);
	status = lines_read(&counts, stream);
	if (status == STATUS_DONE && counts.row_count > 0 &&
	    rows_count(&counts, standings) < 0)
		status = memory_error();
	else if (status == STATUS_DONE &&
	    standings->games + standings->blocks == 0)
		status = error_usage(
		    "a line for two bots: `FIRST SECOND WINS DRAWS LOSSES`",
		    "%s holds no results", file);
	if (status == STATUS_DONE)
		results_open(rate);
	free(counts.rows);
	if (named)
		fclose(stream);
	return status;
}

/* Prints the results for people.  0 or -ENOMEM. */
static int
text_print(const struct rate *rate)
{
	const struct standings *standings = rate->view.standings;
	const struct report_style style = report_style_of(stdout);

	printf("%s%s", rate->rules, rate->recorded ? ": " : "");
	if (rate->has_games)
		printf("%jd game%s", standings->games,
		    text_plural(standings->games));
	if (rate->has_games && rate->has_margins)
		fputs(rate->recorded ? " in " : " and ", stdout);
	if (rate->has_margins)
		printf("%jd block%s", standings->blocks,
		    text_plural(standings->blocks));
	if (!rate->recorded && rate->has_games)
		fputs(", read as wins, draws, losses", stdout);
	if (rate->anchor >= 0)
		printf(", %s at %g",
		    safe_text(report_name(&rate->view, rate->anchor)),
		    rate->anchor_value);
	putchar('\n');
	return report_text_ranking(&rate->view, &style, stdout);
}

/*
 * The output for spreadsheets: a row for each bot.
 */

/* Prints a value and its interval as columns; they are empty if not known. */
static void
put_estimate(bool known, struct estimate estimate, int digits)
{
	if (!known) {
		fputs(",,,", stdout);
		return;
	}
	printf(",%s,", number_fixed(estimate.value, digits).text);
	if (!estimate.low_beyond)
		fputs(number_fixed(estimate.low, digits).text, stdout);
	putchar(',');
	if (!estimate.high_beyond)
		fputs(number_fixed(estimate.high, digits).text, stdout);
}

/* Whether the output has the values of this model. */
static bool
model_known(const struct rate *rate, enum rate_model model)
{
	const bool known[] = {
		[RATE_MARGIN] = rate->has_margins,
		[RATE_ELO] = rate->has_games,
		[RATE_PLACKETT_LUCE] = rate->recorded,
	};

	return known[model] &&
	    (rate->model == RATE_ALL || rate->model == model);
}

static void
csv_print(const struct rate *rate)
{
	const struct report_view *view = &rate->view;
	const struct report_ratings *ratings = &view->ratings;

	puts("position,name,group,points,points_low,points_high,elo,elo_low,"
	     "elo_high,mu,sigma,above_next,rank_low,rank_high,blocks,games,"
	     "wins,draws,losses,forfeits");
	for (int i = 0; i < report_bot_count(view); i++) {
		int number = ratings->order[i];
		const struct standing *bot = &view->standings->bots[number];
		double above = report_above_next(view, i);

		printf("%d,", i + 1);
		csv_field_put(stdout, report_name(view, number));
		printf(",%d", ratings->fit.ratings[number].group + 1);
		put_estimate(model_known(rate, RATE_MARGIN),
		    report_rating(view, ratings->margin, number), 6);
		put_estimate(model_known(rate, RATE_ELO),
		    report_rating(view, ratings->elo, number), 3);
		if (model_known(rate, RATE_PLACKETT_LUCE))
			printf(",%.6f,%.6f,", bot->skill.mu, bot->skill.sigma);
		else
			fputs(",,,", stdout);
		if (above >= 0.0)
			printf("%.6f", above);
		if (ratings->comparisons > 0)
			printf(",%d,%d", ratings->ranges[number].low + 1,
			    ratings->ranges[number].high + 1);
		else
			fputs(",,", stdout);
		printf(",%jd,%jd,%jd,%jd,%jd,%jd\n", bot->blocks, bot->games,
		    bot->results.wins, bot->results.draws, bot->results.losses,
		    bot->forfeits);
	}
}

/*
 * The output for programs.
 */

enum { FORMAT_VERSION = 1 };

static void
put_rating(struct json *json, const char *key, bool known,
    struct estimate estimate, int digits)
{
	json_estimate(json, key, known ? &estimate : NULL, digits);
}

static void
put_bot(struct json *json, const struct rate *rate, int position)
{
	const struct report_view *view = &rate->view;
	const struct report_ratings *ratings = &view->ratings;
	int number = ratings->order[position], count = report_bot_count(view);
	const struct standing *bot = &view->standings->bots[number];
	bool margins = model_known(rate, RATE_MARGIN);
	bool known = ratings->comparisons > 0;

	json_object_begin(json, NULL);
	json_int(json, "position", position + 1);
	json_string(json, "name", report_name(view, number));
	json_int(json, "group", ratings->fit.ratings[number].group + 1);
	put_rating(json, "rating", margins,
	    report_rating(view, ratings->margin, number), JSON_POINTS);
	put_rating(json, "clean_rating", margins,
	    report_rating(view, ratings->clean, number), JSON_POINTS);
	put_rating(json, "elo", model_known(rate, RATE_ELO),
	    report_rating(view, ratings->elo, number), JSON_ELO);
	if (model_known(rate, RATE_PLACKETT_LUCE))
		json_skill(json, &bot->skill);
	else
		json_null(json, "skill");
	json_known(
	    json, "above_next", report_above_next(view, position), JSON_SHARE);
	json_int_if(json, "rank_low", known, ratings->ranges[number].low + 1);
	json_int_if(json, "rank_high", known, ratings->ranges[number].high + 1);
	json_reals(json, "place_probabilities",
	    ratings->places != NULL ? ratings->places + number * count : NULL,
	    count, JSON_SHARE);
	json_int(json, "blocks", bot->blocks);
	json_int(json, "games", bot->games);
	json_real(json, "score", bot->score, JSON_SHARE);
	json_results(json, "results", &bot->results);
	json_int(json, "forfeits", bot->forfeits);
	json_object_end(json);
}

static void
put_pair(struct json *json, const struct report_view *view, int index)
{
	const struct rating_pair *pair = &view->ratings.fit.pairs[index];
	const struct encounter *met =
	    standings_encounter(view->standings, pair->first, pair->second);
	struct moments margins =
	    report_margins(view, pair->first, pair->second);

	json_object_begin(json, NULL);
	json_string(json, "name", report_name(view, pair->first));
	json_string(json, "against", report_name(view, pair->second));
	json_int(json, "blocks", met->blocks);
	json_int(json, "games", met->games);
	put_rating(json, "margin", met->margins.count > 0,
	    mean_estimate(&margins, view->level), JSON_POINTS);
	put_rating(
	    json, "score", met->games > 0, report_score(view, met), JSON_SHARE);
	json_results(json, "results", &met->results);
	json_object_end(json);
}

static void
json_print(const struct rate *rate)
{
	static const enum rate_model orders[] = {
		[REPORT_BY_MARGIN] = RATE_MARGIN,
		[REPORT_BY_ELO] = RATE_ELO,
		[REPORT_BY_SKILL] = RATE_PLACKETT_LUCE,
	};
	const struct report_view *view = &rate->view;
	struct json json;

	json_document_begin(&json, stdout);
	json_string(&json, "format", "scopa-arena-ratings");
	json_int(&json, "version", FORMAT_VERSION);
	json_given(&json, "rules", rate->rules);
	json_string(&json, "model", model_names[rate->model]);
	json_string(&json, "order_by", model_names[orders[view->order]]);
	json_real(&json, "level", view->level, JSON_SHARE);
	json_int(&json, "rounds", view->ratings.fit.clusters.count);
	json_int(&json, "comparisons", view->ratings.comparisons);
	json_int(&json, "replicates", view->ratings.replicates);
	json_int(&json, "seed", (int64_t)view->bootstrap_seed);
	json_int(&json, "blocks", view->standings->blocks);
	json_int(&json, "games", view->standings->games);
	json_int(&json, "forfeits", view->standings->forfeits);
	json_array_begin(&json, "ranking");
	for (int i = 0; i < report_bot_count(view); i++)
		put_bot(&json, rate, i);
	json_array_end(&json);
	json_array_begin(&json, "encounters");
	for (int i = 0; i < view->ratings.fit.pair_count; i++)
		put_pair(&json, view, i);
	json_array_end(&json);
	json_document_end(&json);
}

enum {
	REPLICATES_MAX = 1000000,
	/* Far from ESTIMATE_ELO_MAX, where the scale of ratings ends. */
	ANCHOR_MAX = 5000
};

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
	    "Rate counts instead of records. The lines of FILE are FIRST "
	    "SECOND WINS DRAWS LOSSES, in games; or FIRST SECOND BLOCKS MEAN "
	    "SD, in points per deal, with a decimal point in MEAN or SD. One "
	    "file has one kind of lines."),
	NAME_OPTION("model", "MODEL", FIELD(model), model_names,
	    "The ratings to compute. margin: of points per deal. elo: of wins. "
	    "plackett-luce: of places in games of three and more bots. all: "
	    "those that the games allow.",
	    .fallback = "all"),
	INT_OPTION("bootstrap", "N", FIELD(replicates), 0, REPLICATES_MAX,
	    "Resample whole rounds (all games that share packs) N times, to "
	    "estimate how sure each place is. 0: do not.",
	    .fallback = "1000", .unit = "samples"),
	INT_OPTION("seed", "N", FIELD(seed), 0, INT64_MAX,
	    "The seed of the bootstrap: the same N gives the same numbers.",
	    .fallback = "1"),
	LEVEL_OPTION(FIELD(level)),
	TEXT_OPTION("anchor", "NAME=VALUE", FIELD(anchor),
	    "Shift the ratings so that this bot has VALUE (-5000 to 5000), in "
	    "points per deal or Elo, whichever decides the order. Bots without "
	    "a chain of games to it keep theirs. Errors are those of the "
	    "difference to this bot."),
	FLAG_OPTION("json", FIELD(json), "Print one JSON object."),
	FLAG_OPTION(
	    "csv", FIELD(csv), "Print the ranking as CSV, a row a bot."),
	OPTIONS_END,
};

/*
 * Checks that the results are sufficient for the model.  STATUS_USAGE with an
 * error printed if not.
 */
static enum status
model_check(const struct rate *rate)
{
	if (rate->model == RATE_MARGIN && !rate->has_margins)
		return error_usage("a line of margins is FIRST SECOND BLOCKS "
				   "MEAN SD, with a point in MEAN or SD",
		    "there are no margins to rate");
	if (rate->model == RATE_ELO && !rate->has_games)
		return error_usage(
		    "a line of games is FIRST SECOND WINS DRAWS LOSSES",
		    "there are no games to rate");
	if (rate->model == RATE_PLACKETT_LUCE && !rate->recorded)
		return error_usage("for this model give records",
		    "counts do not have the order of the games");
	return STATUS_DONE;
}

/* Reads NAME=VALUE.  The name itself may contain `=`. */
static enum status
anchor_read(const char *text, struct rate *rate)
{
	const char *equals = strrchr(text, '=');
	size_t length = equals == NULL ? 0 : (size_t)(equals - text);
	char *end;

	if (rate->model == RATE_PLACKETT_LUCE)
		return error_usage("mu of Plackett-Luce begins at 25",
		    "--anchor is of points or Elo");
	if (length == 0 || equals[1] == '\0')
		return error_usage("--anchor greedy=1500, for instance",
		    "--anchor: NAME=VALUE is expected");
	rate->anchor_value = strtod(equals + 1, &end);
	if (*end != '\0' || !(fabs(rate->anchor_value) <= ANCHOR_MAX))
		return error_usage(NULL,
		    "--anchor: VALUE must be a number from -%d to %d",
		    ANCHOR_MAX, ANCHOR_MAX);
	for (int bot = 0; bot < rate->head.bot_count; bot++)
		if (strlen(rate->head.bots[bot].name) == length &&
		    memcmp(rate->head.bots[bot].name, text, length) == 0)
			rate->anchor = bot;
	if (rate->anchor < 0)
		return error_usage("the names are those of the ranking",
		    "--anchor: no bot has this name");
	return STATUS_DONE;
}

static enum status
rate_print(struct rate *rate, const struct rate_settings *settings)
{
	enum status status = model_check(rate);

	if (status == STATUS_DONE && settings->anchor != NULL)
		status = anchor_read(settings->anchor, rate);
	if (status != STATUS_DONE)
		return status;
	if (rate->model == RATE_PLACKETT_LUCE)
		rate->view.order = REPORT_BY_SKILL;
	else if (rate->model == RATE_ELO || !rate->has_margins)
		rate->view.order = REPORT_BY_ELO;
	if (report_compute(&rate->view, (int)settings->replicates) < 0)
		return memory_error();
	if (rate->anchor >= 0)
		anchor_set(rate);
	if (settings->csv)
		csv_print(rate);
	else if (settings->json)
		json_print(rate);
	else if (text_print(rate) < 0)
		return memory_error();
	return STATUS_DONE;
}

static enum status
rate_run(const void *given, char **argv)
{
	const struct rate_settings *settings = given;
	struct rate *rate = command_memory(sizeof(*rate));
	enum status status, printed;

	rate->model = (enum rate_model)settings->model;
	rate->anchor = -1;
	rate->view.pooled = true;
	rate->view.one_model = rate->model != RATE_ALL;
	rate->view.level = settings->level;
	rate->view.bootstrap_seed = (uint64_t)settings->seed;
	if (settings->json && settings->csv)
		return error_exclusive("json", "csv");
	if (settings->counts != NULL && argv[0] != NULL)
		return error_usage("give one or the other",
		    "--counts and record files exclude each other");
	status = settings->counts != NULL ? counts_read(rate, settings->counts)
					  : records_read(rate, argv);
	if (rate->head.bot_count > 0) {
		printed = rate_print(rate, settings);
		status = printed != STATUS_DONE ? printed : status;
	}
	report_close(&rate->view);
	regrouped_close(&rate->results);
	return status;
}

const struct command command_rate = {
	.name = "rate",
	.sentence = "Rates bots by game records, or by a table of counts.",
	.detail =
	    "Games with the same packs and the same bots form a block, in "
	    "which the luck of the deal cancels out. Points per deal are rated "
	    "by least squares over all pairs, wins by Elo, and games of three "
	    "and more bots by Plackett-Luce, too. A crosstable shows each "
	    "pair, with interval and number of games. Bad records are named "
	    "and skipped, and so are games for analysis, in which bots see all "
	    "cards; the exit status is then 1. Games with packs that the same "
	    "bots have played in the same seats before are no new evidence, "
	    "and are counted once. Standard errors treat all games that share "
	    "packs as one sample.",
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
