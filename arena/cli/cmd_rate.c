/*
 * The command rate: computes how strong bots are from games that were played.
 *
 * Results come from game records or from a file of counts.  Ratings by margin,
 * Elo and Plackett-Luce skills are all computed; the chosen model decides the
 * order.  The output is a table for people, CSV for spreadsheets, or JSON for
 * programs.
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

/* The columns of the table for people. */
struct columns {
	bool margin, clean, elo, skill, ranks, blocks, games, place, group;
};

struct rate {
	/* The settings. */
	/* `first` is the model that decides the order */
	enum rate_model model, first;
	double level;
	int replicates; /* of the bootstrap; 0: no bootstrap */
	uint64_t seed;
	/* index of the bot whose rating is fixed to `anchor_value`, or -1 */
	int anchor;
	double anchor_value;

	/* The results: for each bot, and for each pair that met. */
	bool has_margins, has_games, has_skills;
	char rules[EVENT_SPEC_SIZE]; /* empty for a file of counts */
	/* of a file of counts: the names, the sums, and bots of two teams */
	struct regrouped results;
	const struct standings *standings; /* these are its own */
	char (*names)[EVENT_NAME_SIZE];
	int bot_count;         /* 0: there are no results */
	struct rating_fit fit; /* open once there are results */

	/*
	 * Computed from the results.  All models are always computed, as this
	 * takes almost no time.
	 */
	struct rating margins[TOURNAMENT_BOTS_MAX];
	/* like `margins`, without the games that were forfeited */
	struct rating clean[TOURNAMENT_BOTS_MAX];
	struct rating elo[TOURNAMENT_BOTS_MAX];
	/*
	 * The places that each bot may have, by the comparisons; unset if there
	 * are no comparisons.
	 */
	struct ranking_range ranges[TOURNAMENT_BOTS_MAX];
	int64_t comparisons;
	/* indices of bots, the strongest first */
	int order[TOURNAMENT_BOTS_MAX];
	/*
	 * number of the group of each bot; only bots of the same group can be
	 * compared
	 */
	int groups[TOURNAMENT_BOTS_MAX];
	/*
	 * The probability that the bot at this position is stronger than the
	 * bot at the next one; -1: unknown.
	 */
	double better[TOURNAMENT_BOTS_MAX];
	/*
	 * [bot * bot_count + place]: the probability of this place; NULL: no
	 * bootstrap
	 */
	double *places;

	/* The form of the table for people. */
	struct columns columns;
	int width;
};

/* The score of a bot against another. */
static struct estimate
pair_score(const struct encounter *met, double level)
{
	struct estimate score;

	score = met->scores.count == 0
	    ? counts_strength(trinomial_counts(&met->results), level).score
	    : mean_estimate(&met->scores, level);
	score.low = fmax(score.low, 0.0);
	score.high = fmin(score.high, 1.0);
	score.low_beyond = score.high_beyond = false;
	return score;
}

/* Turns a rating into an estimate with its interval. */
static struct estimate
rating_estimate(const struct rating *rating, double level)
{
	bool known = rating->freedom >= 1.0;
	double half = known ? rating->error *
		student_quantile((1.0 + level) / 2.0, rating->freedom)
			    : 0.0;

	return (struct estimate){
		.value = rating->value,
		.low = rating->value - half,
		.high = rating->value + half,
		.low_beyond = !known || rating->beyond < 0,
		.high_beyond = !known || rating->beyond > 0,
	};
}

/* Two bots that have met, as the fit has them. */
static const struct encounter *
met_of(const struct rate *rate, int pair)
{
	const struct rating_pair *bots = &rate->fit.pairs[pair];

	return standings_encounter(rate->standings, bots->first, bots->second);
}

static void
margins_rate(struct rate *rate, bool clean, struct rating *ratings)
{
	for (int i = 0; i < rate->fit.pair_count; i++)
		rate->fit.pairs[i].margins =
		    clean ? met_of(rate, i)->clean : met_of(rate, i)->margins;
	rate->fit.ratings = ratings;
	cluster_margin(&rate->fit);
	/*
	 * If only sums are known, the degrees of freedom are the number of
	 * blocks less one.
	 */
	for (int bot = 0; !rate->fit.clusters.rows && bot < rate->bot_count;
	     bot++)
		ratings[bot].freedom =
		    fmax((double)rate->standings->bots[bot].blocks - 1.0, 0.0);
}

/* The value that bots are ordered by. */
static double
strength_of(const struct rate *rate, int bot)
{
	if (rate->first == RATE_PLACKETT_LUCE)
		return rate->standings->bots[bot].skill.mu;
	return rate->first == RATE_ELO ? rate->elo[bot].value
				       : rate->margins[bot].value;
}

static int
order_compare(const void *one, const void *two, void *context)
{
	const struct rate *rate = context;
	int a = *(const int *)one, b = *(const int *)two;
	double lead = strength_of(rate, a) - strength_of(rate, b);

	if (rate->groups[a] != rate->groups[b])
		return rate->groups[a] - rate->groups[b];
	if (lead > 0.0 || lead < 0.0)
		return lead > 0.0 ? -1 : 1;
	return a - b;
}

/* The probability that bot `a` is stronger than bot `b`; -1: unknown. */
static double
better_of(const struct rate *rate, int a, int b)
{
	if (a == b || rate->groups[a] != rate->groups[b])
		return -1.0;
	if (rate->first == RATE_PLACKETT_LUCE)
		return normal_distribution(
		    (strength_of(rate, a) - strength_of(rate, b)) /
		    hypot(rate->standings->bots[a].skill.sigma,
			rate->standings->bots[b].skill.sigma));
	return cluster_freedom(&rate->fit, a, b) >= 1.0
	    ? cluster_above(&rate->fit, a, b)
	    : -1.0;
}

static void
order_fill(struct rate *rate)
{
	struct rating *ratings =
	    rate->first == RATE_ELO ? rate->elo : rate->margins;
	int count = rate->bot_count;

	rate->fit.ratings = ratings;
	for (int bot = 0; bot < count; bot++) {
		rate->order[bot] = bot;
		rate->groups[bot] = ratings[bot].group;
	}
	qsort_r(rate->order, (size_t)count, sizeof(*rate->order), order_compare,
	    rate);
	for (int i = 0; i < count; i++)
		rate->better[i] = better_of(rate, rate->order[i],
		    rate->order[i + 1 < count ? i + 1 : i]);
	if (count > 1 && rate->first != RATE_PLACKETT_LUCE)
		rate->comparisons =
		    ranking_ranges(&rate->fit, rate->level, rate->ranges);
}

/* Computes the places of the bootstrap.  0 or -ENOMEM. */
static int
bootstrap(struct rate *rate)
{
	const struct ranking_sample sample = {
		.by_scores = rate->model == RATE_ELO,
		.replicate_count = rate->replicates,
		.seed = rate->seed,
	};
	size_t bots = (size_t)rate->bot_count;

	if (rate->replicates == 0 || rate->fit.clusters.count < 2 ||
	    rate->model == RATE_PLACKETT_LUCE)
		return 0;
	/* Scores of blocks are drawn in the same way as margins. */
	for (int i = 0; sample.by_scores && i < rate->fit.pair_count; i++)
		rate->fit.pairs[i].margins = met_of(rate, i)->scores;
	rate->places = calloc(bots * bots, sizeof(*rate->places));
	if (rate->places == NULL)
		return -ENOMEM;
	ranking_places(&rate->fit, &sample, rate->places);
	return 0;
}

/*
 * Shifts the ratings of the anchor's group so that the anchor has its given
 * value.  Errors and limits become those of the differences to the anchor: a
 * bot of another class may be anywhere on its side of the anchor.  The margins
 * without forfeits are shifted by the same amount as the margins.
 */
static void
anchor_set(struct rate *rate, struct rating *ratings)
{
	const struct rating anchor = ratings[rate->anchor];
	double shift = rate->anchor_value - anchor.value;

	for (int bot = 0; bot < rate->bot_count; bot++) {
		bool is_anchor = bot == rate->anchor;

		if (ratings[bot].group != anchor.group)
			continue;
		ratings[bot].value += shift;
		ratings[bot].error = is_anchor
		    ? 0.0
		    : rate->fit.errors[rate->anchor * rate->bot_count + bot];
		ratings[bot].freedom = is_anchor
		    ? HUGE_VAL
		    : fmin(ratings[bot].freedom, anchor.freedom);
		ratings[bot].beyond = ratings[bot].class == anchor.class ? 0
		    : ratings[bot].value >= rate->anchor_value           ? 1
									 : -1;
		if (ratings == rate->margins)
			rate->clean[bot].value += shift;
	}
}

/*
 * Computes all ratings. model_check() must have found what the model needs.  0
 * or -ENOMEM.
 */
static int
rate_compute(struct rate *rate)
{
	bool by_elo = rate->first == RATE_ELO;

	rating_fit_pairs(&rate->fit, rate->standings);
	margins_rate(rate, true, rate->clean);
	/*
	 * The fit keeps the errors of its last model, so the model that decides
	 * the order is computed last.
	 */
	if (by_elo)
		margins_rate(rate, false, rate->margins);
	rate->fit.ratings = rate->elo;
	cluster_elo(&rate->fit);
	if (!by_elo)
		margins_rate(rate, false, rate->margins);
	order_fill(rate);
	if (rate->anchor >= 0)
		anchor_set(rate, by_elo ? rate->elo : rate->margins);
	/*
	 * The errors of clusters count what was forfeited, so the ratings
	 * without it have no interval of their own.  If nothing was forfeited,
	 * they are the same.
	 */
	for (int bot = 0; bot < rate->bot_count; bot++) {
		if (rate->standings->forfeits == 0)
			rate->clean[bot] = rate->margins[bot];
		else
			rate->clean[bot].freedom = 0.0;
	}
	return bootstrap(rate);
}

/*
 * The results of record files.
 */

/* Takes over the results that have been read.  0 or -ENOMEM. */
static int
results_open(struct rate *rate)
{
	const struct standings *standings = &rate->results.standings;
	size_t count = (size_t)rate->results.regroup.bot_count;

	rate->standings = standings;
	rate->names = rate->results.regroup.names;
	rate->has_margins = standings->blocks > 0;
	rate->has_games = standings->games > 0;
	if (rating_fit_open(&rate->fit, (int)count, count * (count - 1) / 2,
		standings->rows, standings->row_count) < 0)
		return -ENOMEM;
	rate->bot_count = (int)count;
	return 0;
}

static enum status
records_read(struct rate *rate, char **files)
{
	const struct regroup *regroup = &rate->results.regroup;
	enum status status = regroup_files(&rate->results, NULL, files);
	struct scopa_text rules;

	if (regroup->block_count == 0 || status == STATUS_ENVIRONMENT)
		return status;
	rate->has_skills = true;
	scopa_text_init(&rules, rate->rules, sizeof(rate->rules));
	scopa_rules_spec(&regroup->rules, regroup->preset, &rules);
	return results_open(rate) < 0 ? memory_error() : status;
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
count_read(const struct counts *counts, const char *what, const char *field,
    int64_t *number)
{
	struct word word = { field, strlen(field) };
	char text[256];

	if (word_to_int(word, 0, COUNT_MAX, number))
		return true;
	snprintf(text, sizeof(text), "%s: \"%.40s\" is not a number of %s",
	    what, field, strcmp(what, "BLOCKS") == 0 ? "blocks" : "games");
	return counts_error(counts, text, "whole numbers from 0 to 1000000000");
}

static bool
value_read(const struct counts *counts, const char *what, const char *field,
    double min, double *number)
{
	char *end, text[256];
	double value;

	errno = 0;
	value = strtod(field, &end);
	if (*end == '\0' && end != field && isfinite(value) && value >= min &&
	    value <= VALUE_MAX) {
		*number = value;
		return true;
	}
	snprintf(text, sizeof(text),
	    "%s: \"%.40s\" is not a mean or standard deviation", what, field);
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
		return count_read(
			   counts, "WINS", counts->fields[2], &results->wins) &&
		    count_read(
			counts, "DRAWS", counts->fields[3], &results->draws) &&
		    count_read(
			counts, "LOSSES", counts->fields[4], &results->losses);
	if (!count_read(counts, "BLOCKS", counts->fields[2], &count) ||
	    !value_read(counts, "MEAN", counts->fields[3], -VALUE_MAX, &mean) ||
	    !value_read(counts, "SD", counts->fields[4], 0.0, &deviation))
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
	static const struct {
		/* KIND_UNKNOWN: columns in an order that is not accepted */
		enum kind kind;
		const char *names[FIELDS];
	} headers[] = {
		{ KIND_GAMES,
		    { "first", "second", "wins", "draws", "losses" } },
		{ KIND_MARGINS, { "first", "second", "blocks", "mean", "sd" } },
		{ KIND_UNKNOWN,
		    { "first", "second", "wins", "losses", "draws" } },
	};

	for (int i = 0; i < COUNTOF(headers); i++) {
		int same = 0;

		while (same < FIELDS &&
		    strcasecmp(counts->fields[same], headers[i].names[same]) ==
			0)
			same++;
		if (same == FIELDS) {
			*kind = headers[i].kind;
			return true;
		}
	}
	return false;
}

static bool
line_read(struct counts *counts, char *line)
{
	char *rest = NULL, *field = strtok_r(line, " \t\r\n", &rest);
	struct counts_row row = { 0 };
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
	if (is_header(counts, &counts->kind))
		return counts->kind != KIND_UNKNOWN ||
		    counts_error(counts, "the columns are in another order",
			"`FIRST SECOND WINS DRAWS LOSSES`: change the order of "
			"the numbers, too");
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
	if (ferror(file)) {
		enum status status = input_file_status(-errno);

		error_print(
		    "cannot read %s: %s", counts->file, strerror(errno));
		return status;
	}
	return STATUS_DONE;
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

	if (stream == NULL) {
		status = input_file_status(-errno);
		error_print("cannot read %s: %s", file, strerror(errno));
		error_detail("hint",
		    "give a file of lines `FIRST SECOND WINS DRAWS LOSSES`");
		return status;
	}
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
	if (status == STATUS_DONE && results_open(rate) < 0)
		status = memory_error();
	free(counts.rows);
	if (named)
		fclose(stream);
	return status;
}

/*
 * The output for people.
 */

static void
columns_choose(struct rate *rate)
{
	bool all = rate->model == RATE_ALL;
	bool margin = (all || rate->model == RATE_MARGIN) && rate->has_margins;
	bool group = false;

	for (int i = 0; i < rate->bot_count; i++)
		group |= rate->groups[i] != rate->groups[0];
	rate->columns = (struct columns){
		.margin = margin,
		.clean = margin && rate->standings->forfeits > 0,
		.elo = (all || rate->model == RATE_ELO) && rate->has_games,
		.skill = rate->model == RATE_PLACKETT_LUCE ||
		    (all && rate->has_skills &&
			scopa_team_count(&rate->standings->rules) > 2),
		.ranks =
		    rate->comparisons > 0 && rate->model != RATE_PLACKETT_LUCE,
		.blocks = rate->standings->blocks > 0,
		.games = rate->has_games,
		.place = rate->places != NULL,
		.group = group,
	};
}

/*
 * Adds a value and half the width of its interval.  If the results set no limit
 * above (below) it, the value is only a lower (upper) limit.
 */
static void
add_estimate(struct text_table *rows, const struct estimate *estimate,
    int digits, int beyond)
{
	const char *end = beyond > 0 ? ">" : beyond < 0 ? "<" : "";

	text_table_row(rows, "%s%s +-%s", end,
	    number_signed(estimate->value, digits).text,
	    number_half(estimate, digits).text);
}

/*
 * Adds the row of a position in the order; `place` is the position within the
 * group of the bot.
 */
static void
ranking_row(
    const struct rate *rate, struct text_table *rows, int position, int place)
{
	const struct columns *columns = &rate->columns;
	int number = rate->order[position];
	const struct standing *bot = &rate->standings->bots[number];
	const struct ranking_range *range = &rate->ranges[number];
	struct estimate margin =
	    rating_estimate(&rate->margins[number], rate->level);
	struct estimate elo = rating_estimate(&rate->elo[number], rate->level);

	text_table_add(rows, "%d", position + 1);
	text_table_add(rows, "%s", rate->names[number]);
	if (columns->margin)
		add_estimate(rows, &margin, 3, 0);
	if (columns->clean)
		text_table_row(rows, "%s",
		    number_signed(rate->clean[number].value, 3).text);
	if (columns->elo)
		add_estimate(rows, &elo, 1, rate->elo[number].beyond);
	if (columns->skill)
		text_table_add(
		    rows, "%.2f (%.2f)", bot->skill.mu, bot->skill.sigma);
	if (rate->better[position] >= 0.0)
		text_table_row(rows, "%s",
		    number_probability(rate->better[position]).text);
	else
		text_table_add(rows, "%s",
		    position + 1 < rate->bot_count &&
			    rate->groups[rate->order[position + 1]] ==
				rate->groups[number]
			? "?"
			: "");
	if (columns->ranks && range->low == range->high)
		text_table_add(rows, "%d", range->low + 1);
	else if (columns->ranks)
		text_table_add(rows, "%d-%d", range->low + 1, range->high + 1);
	if (columns->place)
		text_table_row(rows, "%s",
		    number_probability(
			rate->places[number * rate->bot_count + place])
			.text);
	if (columns->blocks)
		text_table_add(rows, "%jd", bot->blocks);
	if (columns->games)
		text_table_row(rows, "%jd|%s|%jd/%jd/%jd", bot->games,
		    bot->games > 0
			? number_percent(bot->score / (double)bot->games).text
			: "-",
		    bot->results.wins, bot->results.draws, bot->results.losses);
}

/*
 * Returns the position after the last bot of the group that begins at `begin`.
 * Prints a title if there are several groups.
 */
static int
group_begin(const struct rate *rate, int begin)
{
	int group = rate->groups[rate->order[begin]], end = begin + 1;

	while (end < rate->bot_count && rate->groups[rate->order[end]] == group)
		end++;
	if (rate->columns.group)
		printf("%sgroup %d: %d bot%s\n", begin > 0 ? "\n" : "",
		    group + 1, end - begin, text_plural(end - begin));
	return end;
}

/* Returns 0 or -ENOMEM, as the other functions that print tables. */
static int
ranking_print(const struct rate *rate)
{
	const struct columns *columns = &rate->columns;
	char headings[256];
	int error = 0;

	snprintf(headings, sizeof(headings), "#|name%s%s%s%s|LOS%s%s%s%s",
	    columns->margin ? "|points" : "", columns->clean ? "|clean" : "",
	    columns->elo ? "|Elo" : "", columns->skill ? "|Plackett-Luce" : "",
	    columns->ranks ? "|ranks" : "", columns->place ? "|place" : "",
	    columns->blocks ? "|blocks" : "",
	    columns->games ? "|games|score|won/drawn/lost" : "");
	for (int begin = 0, end; begin < rate->bot_count && error == 0;
	     begin = end) {
		struct text_table rows;

		end = group_begin(rate, begin);
		text_table_open(&rows, headings, 2);
		for (int i = begin; i < end; i++)
			ranking_row(rate, &rows, i, i - begin);
		error = text_table_print(&rows, rate->width, stdout);
	}
	return error;
}

/* Explains those columns that the table has. */
static void
legend_print(const struct rate *rate)
{
	const struct columns *columns = &rate->columns;
	const char *gauge = rate->anchor >= 0
	    ? "0 is the mean, but for the anchor"
	    : "the mean of all is 0";
	int sets = rate->fit.clusters.count;

	printf("\n+- at %g%%. LOS: stronger than the next one, by the errors "
	       "of %s.\n",
	    100.0 * rate->level,
	    rate->first == RATE_MARGIN    ? "the points"
		: rate->first == RATE_ELO ? "the Elo"
					  : "Plackett-Luce");
	if (columns->margin)
		printf("Points: margin rating, points per deal; %s.\n", gauge);
	if (columns->clean)
		printf("Clean: the same without blocks that have a forfeit "
		       "(%jd game%s forfeited).\n",
		    rate->standings->forfeits,
		    rate->standings->forfeits == 1 ? " was" : "s were");
	if (columns->elo)
		printf("Elo: by expected scores, as Ordo does; %s. `>` and "
		       "`<`: no limit above, or below, as after nothing but "
		       "wins, or losses.\n",
		    gauge);
	if (columns->skill)
		puts("Plackett-Luce: mu (sigma), in the order of the games; 25 "
		     "(8.33) at first.");
	if (columns->place)
		printf("Place: how many of %d samples of the sets of packs, by "
		       "%s, give the place.\n",
		    rate->replicates,
		    rate->model == RATE_ELO ? "score" : "points");
	if (columns->ranks && rate->comparisons == 1)
		puts("Ranks: what the comparison of the two leaves open "
		     "(Tukey's range).");
	else if (columns->ranks)
		printf("Ranks: what stays open when all %jd comparisons hold "
		       "at once (Tukey's range).\n",
		    rate->comparisons);
	if (sets > 0)
		printf("Errors take what was played with the same packs as "
		       "one: %d set%s of packs.\n",
		    sets, text_plural(sets));
	if (columns->group)
		puts("Groups: no chain of games joins them, so their ratings "
		     "cannot be compared; each has a mean of 0 of its own.");
}

/* Adds the result of the row's bot against the column's bot. */
static void
add_cross(const struct rate *rate, struct text_table *rows, int row, int column)
{
	bool margins = rate->first == RATE_MARGIN;
	const struct encounter *met = row == column
	    ? NULL
	    : standings_encounter(rate->standings, row, column);
	struct estimate own;
	int64_t count = met == NULL ? 0
	    : margins               ? met->margins.count
				    : met->games;

	if (count == 0) {
		text_table_add(rows, "%s", row == column ? "." : "-");
		return;
	}
	if (margins) {
		own = mean_estimate(&met->margins, rate->level);
		text_table_row(
		    rows, "%s (%jd)", number_points_half(&own).text, count);
		return;
	}
	own = pair_score(met, rate->level);
	own.low *= 100.0;
	own.high *= 100.0;
	text_table_row(rows, "%s +-%s (%jd)",
	    number_fixed(100.0 * own.value, 1).text, number_half(&own, 1).text,
	    count);
}

static int
cross_print(const struct rate *rate)
{
	bool margins = rate->first == RATE_MARGIN;
	int error = 0;

	if (rate->bot_count > REPORT_PAIRS_MAX) {
		printf("\nEach two of more than %d bots: --json has them.\n",
		    REPORT_PAIRS_MAX);
		return 0;
	}
	printf("\n%s of the row against the column, +- at %g%% (%s)\n",
	    margins ? "points per deal" : "score in percent",
	    100.0 * rate->level, margins ? "blocks" : "games");
	for (int begin = 0, end; begin < rate->bot_count && error == 0;
	     begin = end) {
		struct text_table rows;

		end = group_begin(rate, begin);
		text_table_init(&rows, end - begin + 2, 2);
		text_table_add(&rows, "%s", "#");
		text_table_add(&rows, "%s", "name");
		for (int i = begin; i < end; i++)
			text_table_add(&rows, "%d", i + 1);
		for (int i = begin; i < end; i++) {
			text_table_add(&rows, "%d", i + 1);
			text_table_add(
			    &rows, "%s", rate->names[rate->order[i]]);
			for (int k = begin; k < end; k++)
				add_cross(rate, &rows, rate->order[i],
				    rate->order[k]);
		}
		error = text_table_print(&rows, rate->width, stdout);
	}
	return error;
}

static int
text_print(struct rate *rate)
{
	bool ruled = rate->rules[0] != '\0';
	int error;

	columns_choose(rate);
	rate->width = report_style_of(stdout).width;
	printf("%s%s", rate->rules, ruled ? ": " : "");
	if (rate->has_games)
		printf("%jd game%s", rate->standings->games,
		    text_plural(rate->standings->games));
	if (rate->has_games && rate->standings->blocks > 0)
		fputs(ruled ? " in " : " and ", stdout);
	if (rate->standings->blocks > 0)
		printf("%jd block%s", rate->standings->blocks,
		    text_plural(rate->standings->blocks));
	if (rate->fit.clusters.rows == NULL && rate->has_games)
		fputs(", read as wins, draws, losses", stdout);
	if (rate->anchor >= 0)
		printf(", %s at %g", rate->names[rate->anchor],
		    rate->anchor_value);
	fputs("\n\n", stdout);
	error = ranking_print(rate);
	if (error)
		return error;
	legend_print(rate);
	return cross_print(rate);
}

/*
 * The output for spreadsheets: a row for each bot.
 */

/* Prints a value and its interval as columns; they are empty if not known. */
static void
put_estimate(bool known, const struct rating *rating, double level, int digits)
{
	struct estimate estimate = rating_estimate(rating, level);

	if (!known) {
		fputs(",,,", stdout);
		return;
	}
	printf(",%.*f,", digits, estimate.value);
	if (!estimate.low_beyond)
		printf("%.*f", digits, estimate.low);
	putchar(',');
	if (!estimate.high_beyond)
		printf("%.*f", digits, estimate.high);
}

static void
csv_print(const struct rate *rate)
{
	puts("position,name,group,points,points_low,points_high,elo,elo_low,"
	     "elo_high,mu,sigma,above_next,rank_low,rank_high,blocks,games,"
	     "wins,draws,losses,forfeits");
	for (int i = 0; i < rate->bot_count; i++) {
		int number = rate->order[i];
		const struct standing *bot = &rate->standings->bots[number];

		printf("%d,", i + 1);
		csv_field_put(stdout, rate->names[number]);
		printf(",%d", rate->groups[number] + 1);
		put_estimate(
		    rate->has_margins, &rate->margins[number], rate->level, 6);
		put_estimate(
		    rate->has_games, &rate->elo[number], rate->level, 3);
		if (rate->has_skills)
			printf(",%.6f,%.6f,", bot->skill.mu, bot->skill.sigma);
		else
			fputs(",,,", stdout);
		if (rate->better[i] >= 0.0)
			printf("%.6f", rate->better[i]);
		if (rate->comparisons > 0)
			printf(",%d,%d", rate->ranges[number].low + 1,
			    rate->ranges[number].high + 1);
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
	int number = rate->order[position];
	const struct standing *bot = &rate->standings->bots[number];
	bool all = rate->model == RATE_ALL;
	bool margins = rate->has_margins && (all || rate->model == RATE_MARGIN);
	bool known = rate->comparisons > 0;

	json_object_begin(json, NULL);
	json_int(json, "position", position + 1);
	json_string(json, "name", rate->names[number]);
	json_int(json, "group", rate->groups[number] + 1);
	put_rating(json, "rating", margins,
	    rating_estimate(&rate->margins[number], rate->level), JSON_POINTS);
	put_rating(json, "clean_rating", margins,
	    rating_estimate(&rate->clean[number], rate->level), JSON_POINTS);
	put_rating(json, "elo",
	    rate->has_games && (all || rate->model == RATE_ELO),
	    rating_estimate(&rate->elo[number], rate->level), JSON_ELO);
	if (rate->has_skills && (all || rate->model == RATE_PLACKETT_LUCE))
		json_skill(json, &bot->skill);
	else
		json_null(json, "skill");
	json_known(json, "above_next", rate->better[position], JSON_SHARE);
	json_int_if(json, "rank_low", known, rate->ranges[number].low + 1);
	json_int_if(json, "rank_high", known, rate->ranges[number].high + 1);
	json_reals(json, "place_probabilities",
	    rate->places != NULL ? rate->places + number * rate->bot_count
				 : NULL,
	    rate->bot_count, JSON_SHARE);
	json_int(json, "blocks", bot->blocks);
	json_int(json, "games", bot->games);
	json_real(json, "score", bot->score, JSON_SHARE);
	json_results(json, "results", &bot->results);
	json_int(json, "forfeits", bot->forfeits);
	json_object_end(json);
}

static void
put_pair(struct json *json, const struct rate *rate, int index)
{
	const struct rating_pair *pair = &rate->fit.pairs[index];
	const struct encounter *met = met_of(rate, index);

	json_object_begin(json, NULL);
	json_string(json, "name", rate->names[pair->first]);
	json_string(json, "against", rate->names[pair->second]);
	json_int(json, "blocks", met->blocks);
	json_int(json, "games", met->games);
	put_rating(json, "margin", met->margins.count > 0,
	    mean_estimate(&met->margins, rate->level), JSON_POINTS);
	put_rating(json, "score", met->games > 0, pair_score(met, rate->level),
	    JSON_SHARE);
	json_results(json, "results", &met->results);
	json_object_end(json);
}

static void
json_print(const struct rate *rate)
{
	struct json json;

	json_document_begin(&json, stdout);
	json_string(&json, "format", "scopa-arena-ratings");
	json_int(&json, "version", FORMAT_VERSION);
	json_given(&json, "rules", rate->rules);
	json_string(&json, "model", model_names[rate->model]);
	json_string(&json, "order_by", model_names[rate->first]);
	json_real(&json, "level", rate->level, JSON_SHARE);
	json_int(&json, "rounds", rate->fit.clusters.count);
	json_int(&json, "comparisons", rate->comparisons);
	json_int(&json, "replicates", rate->places ? rate->replicates : 0);
	json_int(&json, "seed", (int64_t)rate->seed);
	json_int(&json, "blocks", rate->standings->blocks);
	json_int(&json, "games", rate->standings->games);
	json_int(&json, "forfeits", rate->standings->forfeits);
	json_array_begin(&json, "ranking");
	for (int i = 0; i < rate->bot_count; i++)
		put_bot(&json, rate, i);
	json_array_end(&json);
	json_array_begin(&json, "encounters");
	for (int i = 0; i < rate->fit.pair_count; i++)
		put_pair(&json, rate, i);
	json_array_end(&json);
	json_document_end(&json);
}

enum { REPLICATES_MAX = 1000000, ANCHOR_MAX = 1000000 };

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
	    "Shift the ratings so that this bot has VALUE, in points per deal "
	    "or Elo, whichever decides the order. Bots without a chain of "
	    "games to it keep theirs. Errors are those of the difference to "
	    "this bot."),
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
	if (rate->model == RATE_PLACKETT_LUCE && !rate->has_skills)
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
		return error_usage("a number of at most 1000000 either way",
		    "--anchor: VALUE is not a number");
	for (int bot = 0; bot < rate->bot_count; bot++)
		if (strlen(rate->names[bot]) == length &&
		    memcmp(rate->names[bot], text, length) == 0)
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
	rate->first = rate->model;
	if (rate->model == RATE_ALL)
		rate->first = rate->has_margins ? RATE_MARGIN : RATE_ELO;
	if (rate_compute(rate) < 0)
		return memory_error();
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
	static struct rate rate;
	enum status status, printed;

	rate.model = (enum rate_model)settings->model;
	rate.level = settings->level;
	rate.replicates = (int)settings->replicates;
	rate.seed = (uint64_t)settings->seed;
	rate.anchor = -1;
	if (settings->json && settings->csv)
		return error_usage("give one or the other",
		    "--json and --csv exclude each other");
	if (settings->counts != NULL && argv[0] != NULL)
		return error_usage("give one or the other",
		    "--counts and record files exclude each other");
	status = settings->counts != NULL ? counts_read(&rate, settings->counts)
					  : records_read(&rate, argv);
	if (rate.bot_count > 0) {
		printed = rate_print(&rate, settings);
		status = printed != STATUS_DONE ? printed : status;
	}
	rating_fit_close(&rate.fit);
	regrouped_close(&rate.results);
	free(rate.places);
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
