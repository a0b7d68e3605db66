#include "rate_table.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "command.h"
#include "countof.h"
#include "error_message.h"

const char *const rate_model_names[] = {
	[RATE_ALL] = "all",
	[RATE_MARGIN] = "margin",
	[RATE_ELO] = "elo",
	[RATE_PLACKETT_LUCE] = "plackett-luce",
	[RATE_MODEL_COUNT] = NULL,
};
_Static_assert(COUNTOF(rate_model_names) == RATE_MODEL_COUNT + 1,
    "every model has a name");

/* Makes a table for so many bots; 0 or -ENOMEM. */
static int
rate_table_open(struct rate_table *table, int bot_count)
{
	*table = (struct rate_table){
		.bot_count = bot_count,
		.team_count = 2,
		.bots = calloc((size_t)bot_count, sizeof(*table->bots)),
	};
	return table->bots != NULL ? 0 : -ENOMEM;
}

void
rate_table_close(struct rate_table *table)
{
	free(table->bots);
	free(table->pairs);
	rating_fit_close(&table->fit);
	free(table->errors);
	free(table->ranges);
	free(table->margins);
	free(table->clean);
	free(table->elo);
	free(table->order);
	free(table->groups);
	free(table->better);
	free(table->places);
	*table = (struct rate_table){ 0 };
}

const struct rate_pair *
rate_pair_find(const struct rate_table *table, int a, int b)
{
	for (int i = 0; i < table->pair_count; i++) {
		const struct rate_pair *pair = &table->pairs[i];

		if ((pair->first == a && pair->second == b) ||
		    (pair->first == b && pair->second == a))
			return pair;
	}
	return NULL;
}

struct estimate
rate_pair_margin(const struct rate_pair *pair, double level)
{
	return mean_estimate(&pair->margins, level);
}

struct estimate
rate_pair_score(const struct rate_pair *pair, double level)
{
	struct estimate score;

	score = pair->scores.count == 0
	    ? strength_of_trinomial(&pair->results, level).score
	    : mean_estimate(&pair->scores, level);
	score.low = fmax(score.low, 0.0);
	score.high = fmin(score.high, 1.0);
	score.low_beyond = score.high_beyond = false;
	return score;
}

struct estimate
rate_estimate(const struct rating *rating, double level)
{
	bool known = rating->freedom >= 1.0;
	double p = (1.0 + level) / 2.0, half = 0.0;

	if (known)
		half = rating->error *
		    (rating->freedom < HUGE_VAL
			    ? student_quantile(p, rating->freedom)
			    : normal_quantile(p));
	return (struct estimate){
		.value = rating->value,
		.low = rating->value - half,
		.high = rating->value + half,
		.low_beyond = !known || (rating->beyond && rating->value < 0.0),
		.high_beyond =
		    !known || (rating->beyond && rating->value >= 0.0),
	};
}

enum rate_model
rate_model_first(const struct rate_table *table, enum rate_model model)
{
	if (model != RATE_ALL)
		return model;
	return table->has_margins ? RATE_MARGIN : RATE_ELO;
}

/*
 * The variance of a game's score: that of the mean of a block, times its games.
 * Of few blocks it leans on what games on their own have, as margins do.
 */
static double
score_variance(const struct rate_pair *pair)
{
	double mean = pair->scores.mean, games, prior;

	if (pair->scores.count == 0 || !(pair->scores.squares > 0.0))
		return 0.0;
	games = (double)pair->games / (double)pair->blocks;
	prior = mean * (1.0 - mean) / games;
	return games * (RATING_PRIOR_BLOCKS * prior + pair->scores.squares) /
	    (RATING_PRIOR_BLOCKS + (double)(pair->scores.count - 1));
}

/* Of sums alone: as many degrees of freedom as blocks, less one. */
static void
freedom_guess(const struct rate_table *table, struct rating *ratings)
{
	for (int bot = 0; bot < table->bot_count; bot++)
		ratings[bot].freedom =
		    fmax((double)table->bots[bot].blocks - 1.0, 0.0);
}

static void
margins_rate(struct rate_table *table, bool clean, struct rating *ratings)
{
	for (int i = 0; i < table->pair_count; i++) {
		const struct rate_pair *pair = &table->pairs[i];

		table->fit.margins[i] = (struct rating_margins){
			.first = pair->first,
			.second = pair->second,
			.margins = clean ? pair->clean : pair->margins,
			.joint = pair->joint,
		};
	}
	rating_fit_margins(&table->fit, ratings);
	if (table->fit.rows == NULL)
		freedom_guess(table, ratings);
}

static void
elo_rate(struct rate_table *table, struct rating *ratings)
{
	for (int i = 0; i < table->pair_count; i++) {
		const struct rate_pair *pair = &table->pairs[i];

		table->fit.games[i] = (struct rating_games){
			.first = pair->first,
			.second = pair->second,
			.wins = pair->results.wins,
			.draws = pair->results.draws,
			.losses = pair->results.losses,
			.variance = score_variance(pair),
			.joint = pair->joint,
		};
	}
	rating_fit_elo(&table->fit, ratings);
}

/* What decides the order, by the first model. */
struct rate_table_key {
	const struct rate_table *table;
	enum rate_model model;
};

static double
value_of(const struct rate_table_key *key, int bot)
{
	switch (key->model) {
	case RATE_ALL:
	case RATE_MARGIN:
		return key->table->margins[bot].value;
	case RATE_ELO:
		return key->table->elo[bot].value;
	case RATE_PLACKETT_LUCE:
	case RATE_MODEL_COUNT:
		break;
	}
	return key->table->bots[bot].skill.mu;
}

static int
order_compare(const void *one, const void *two, void *context)
{
	const struct rate_table_key *key = context;
	const int *groups = key->table->groups;
	int a = *(const int *)one, b = *(const int *)two;
	double lead = value_of(key, a) - value_of(key, b);

	if (groups[a] != groups[b])
		return groups[a] - groups[b];
	if (lead > 0.0 || lead < 0.0)
		return lead > 0.0 ? -1 : 1;
	return a - b;
}

/* The probability that the one is stronger than the other; -1: unknown. */
static double
better_of(const struct rate_table_key *key, const struct cluster_fit *fit,
    int a, int b)
{
	const struct rate_bot *bots = key->table->bots;
	double lead = value_of(key, a) - value_of(key, b);

	if (key->model == RATE_PLACKETT_LUCE)
		return normal_distribution(
		    lead / hypot(bots[a].skill.sigma, bots[b].skill.sigma));
	return cluster_freedom(fit, a, b) >= 1.0 ? cluster_above(fit, a, b)
						 : -1.0;
}

static void
order_fill(struct rate_table *table, enum rate_model model, double level)
{
	struct rate_table_key key = { table, model };
	struct rating *ratings =
	    model == RATE_ELO ? table->elo : table->margins;
	const struct cluster_fit fit =
	    rating_fit_clusters(&table->fit, ratings);
	int count = table->bot_count;

	for (int bot = 0; bot < count; bot++) {
		table->order[bot] = bot;
		table->groups[bot] = ratings[bot].group;
	}
	qsort_r(table->order, (size_t)count, sizeof(*table->order),
	    order_compare, &key);
	for (int i = 0; i < count; i++) {
		int a = table->order[i],
		    b = i + 1 < count ? table->order[i + 1] : a;

		table->better[i] =
		    a == b || table->groups[a] != table->groups[b]
		    ? -1.0
		    : better_of(&key, &fit, a, b);
	}
	if (count > 1 && model != RATE_PLACKETT_LUCE)
		table->comparisons = ranking_ranges(&fit, level, table->ranges);
}

static int
bootstrap(struct rate_table *table, const struct rate_order *order)
{
	const struct ranking_sample sample = {
		.by_scores = order->model == RATE_ELO,
		.replicate_count = order->replicates,
		.seed = order->seed,
	};

	if (order->replicates == 0 || table->fit.clusters.count < 2 ||
	    order->model == RATE_PLACKETT_LUCE)
		return 0;
	/* Scores of blocks are drawn as margins are. */
	for (int i = 0; sample.by_scores && i < table->pair_count; i++)
		table->fit.margins[i].margins = table->pairs[i].scores;
	table->places = rating_fit_places(&table->fit, sample);
	table->replicates = order->replicates;
	return table->places != NULL ? 0 : -ENOMEM;
}

/* All models are always worked out: it takes no time. */
static int
results_open(struct rate_table *table)
{
	size_t count = (size_t)table->bot_count;

	table->margins = calloc(count, sizeof(*table->margins));
	table->clean = calloc(count, sizeof(*table->clean));
	table->elo = calloc(count, sizeof(*table->elo));
	table->order = calloc(count, sizeof(*table->order));
	table->groups = calloc(count, sizeof(*table->groups));
	table->better = calloc(count, sizeof(*table->better));
	table->ranges = calloc(count, sizeof(*table->ranges));
	table->errors = calloc(count * count, sizeof(*table->errors));
	return table->margins != NULL && table->clean != NULL &&
		table->elo != NULL && table->order != NULL &&
		table->groups != NULL && table->better != NULL &&
		table->ranges != NULL && table->errors != NULL
	    ? 0
	    : -ENOMEM;
}

/*
 * Shifts the group of the anchor, and the errors become those of the differences
 * to it.  Of margins, those without forfeits move alike.
 */
static void
anchor_set(struct rate_table *table, const struct rate_order *order,
    struct rating *ratings)
{
	const struct rating anchor = ratings[order->anchor];
	double shift = order->anchor_value - anchor.value;

	for (int bot = 0; bot < table->bot_count; bot++) {
		if (ratings[bot].group != anchor.group)
			continue;
		ratings[bot].value += shift;
		ratings[bot].error = bot == order->anchor
		    ? 0.0
		    : table->errors[order->anchor * table->bot_count + bot];
		ratings[bot].freedom = bot == order->anchor
		    ? HUGE_VAL
		    : fmin(ratings[bot].freedom, anchor.freedom);
		ratings[bot].beyond &= bot != order->anchor;
		if (ratings == table->margins)
			table->clean[bot].value += shift;
	}
}

int
rate_compute(struct rate_table *table, const struct rate_order *order)
{
	enum rate_model first = rate_model_first(table, order->model);

	assert(order->level > 0.0 && order->level < 1.0);
	if (results_open(table) < 0)
		return -ENOMEM;
	table->fit.errors = table->errors;
	table->fit.pair_count = table->pair_count;
	margins_rate(table, true, table->clean);
	/* The one that decides the order comes last: its errors stay. */
	if (first == RATE_ELO) {
		margins_rate(table, false, table->margins);
		elo_rate(table, table->elo);
	} else {
		elo_rate(table, table->elo);
		margins_rate(table, false, table->margins);
	}
	order_fill(table, first, order->level);
	if (order->anchor >= 0)
		anchor_set(table, order,
		    first == RATE_ELO ? table->elo : table->margins);
	return bootstrap(table, order);
}

/*
 * The table of `rate` from the blocks of record files.
 */

static struct rate_pair
pair_of(const struct encounter *encounter, int first, int second)
{
	return (struct rate_pair){
		.first = first,
		.second = second,
		.blocks = encounter->blocks,
		.games = encounter->games,
		.margins = encounter->margins,
		.clean = encounter->clean,
		.scores = encounter->scores,
		.joint = encounter->company,
		.results = encounter->results,
	};
}

static void
standings_copy(struct rate_table *table, const struct standings *standings,
    const struct regroup *regroup)
{
	for (int i = 0; i < table->bot_count; i++) {
		const struct standing *standing = &standings->bots[i];
		struct rate_bot *bot = &table->bots[i];

		memcpy(bot->name, regroup->names[i], sizeof(bot->name));
		bot->blocks = standing->blocks;
		bot->games = standing->games;
		bot->forfeits = standing->forfeits;
		bot->results = standing->results;
		bot->score = standing->score;
		bot->skill = standing->skill;
	}
	for (int a = 0; a < table->bot_count; a++) {
		for (int b = a + 1; b < table->bot_count; b++) {
			const struct encounter *encounter =
			    standings_encounter(standings, a, b);

			if (encounter->blocks > 0)
				table->pairs[table->pair_count++] =
				    pair_of(encounter, a, b);
		}
	}
	table->game_count = standings->games;
	table->block_count = standings->blocks;
	table->forfeits = standings->forfeits;
}

int
rate_table_regroup(struct rate_table *table, const struct regrouped *regrouped)
{
	const struct regroup *regroup = &regrouped->regroup;
	const struct standings *standings = &regrouped->standings;
	size_t count = (size_t)regroup->bot_count;
	size_t pair_max = count * (count - 1) / 2;
	struct scopa_text rules;

	if (rate_table_open(table, regroup->bot_count) < 0)
		return -ENOMEM;
	table->pairs = calloc(pair_max + 1, sizeof(*table->pairs));
	if (table->pairs == NULL ||
	    rating_fit_open(&table->fit, regroup->bot_count, pair_max,
		standings->rows, standings->row_count) < 0) {
		rate_table_close(table);
		return -ENOMEM;
	}
	table->has_margins = table->has_games = table->has_skills = true;
	table->team_count = scopa_team_count(&regroup->rules);
	scopa_text_init(&rules, table->rules, sizeof(table->rules));
	scopa_rules_spec(&regroup->rules, regroup->preset, &rules);
	standings_copy(table, standings, regroup);
	return 0;
}

/*
 * The table of `rate` from a file of counts: a line for two bots.
 */

enum {
	LINE_SIZE = 4096,
	FIELDS = 5,
	COUNT_MAX = 1000000000, /* so that sums of them never overflow */
	VALUE_MAX = 1000000
};

/* What the lines of a file are about: the first one decides. */
enum kind { KIND_UNKNOWN, KIND_GAMES, KIND_MARGINS };

/* What is being read. */
struct counts {
	const char *file;
	int64_t line;
	struct rate_table *table;
	int pair_capacity;
	/* [first * TOURNAMENT_BOTS_MAX + second]: where a pair is, from 1; 0:
	 * nowhere yet. */
	int32_t *places;
	char *fields[FIELDS + 1];
	int field_count;
	enum kind kind;
};

static void
fields_split(struct counts *counts, char *line)
{
	char *rest = NULL;
	char *field = strtok_r(line, " \t\r\n", &rest);

	counts->field_count = 0;
	while (
	    field != NULL && counts->field_count <= FIELDS && field[0] != '#') {
		counts->fields[counts->field_count++] = field;
		field = strtok_r(NULL, " \t\r\n", &rest);
	}
}

static bool
counts_error(const struct counts *counts, const char *what, const char *why)
{
	error_print("%s:%" PRId64 ": %s", counts->file, counts->line, what);
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
	    "numbers such as 0.25, of at most 1000000; a standard deviation "
	    "is 0 or more");
}

/* The number of the bot of this name, or -1 with an error. */
static int
bot_find(const struct counts *counts, const char *name)
{
	struct rate_table *table = counts->table;

	for (int i = 0; i < table->bot_count; i++)
		if (strcmp(table->bots[i].name, name) == 0)
			return i;
	if (table->bot_count == TOURNAMENT_BOTS_MAX) {
		counts_error(
		    counts, "more than 2000 bots", "rate fewer at a time");
		return -1;
	}
	if (strlen(name) >= EVENT_NAME_SIZE) {
		counts_error(counts, "a name is too long",
		    "names have at most 63 bytes");
		return -1;
	}
	table->bots[table->bot_count] =
	    (struct rate_bot){ .skill = SKILL_START };
	memcpy(table->bots[table->bot_count].name, name, strlen(name) + 1);
	return table->bot_count++;
}

_Static_assert(TOURNAMENT_BOTS_MAX == 2000, "as the sentence says");

/* Room for one more pair. */
static bool
pairs_reserve(struct counts *counts)
{
	struct rate_table *table = counts->table;
	int capacity = 2 * counts->pair_capacity + 64;
	struct rate_pair *pairs;

	if (table->pair_count < counts->pair_capacity)
		return true;
	pairs =
	    reallocarray(table->pairs, (size_t)capacity, sizeof(*table->pairs));
	if (pairs == NULL)
		return false;
	table->pairs = pairs;
	counts->pair_capacity = capacity;
	return true;
}

/*
 * The pair of two bots, with *swapped where b comes first; NULL without
 * memory.
 */
static struct rate_pair *
pair_find(struct counts *counts, int a, int b, bool *swapped)
{
	struct rate_table *table = counts->table;
	int first = a < b ? a : b, second = a < b ? b : a;
	int32_t *place = &counts->places[first * TOURNAMENT_BOTS_MAX + second];

	*swapped = a > b;
	if (*place == 0) {
		if (!pairs_reserve(counts))
			return NULL;
		table->pairs[table->pair_count++] =
		    (struct rate_pair){ .first = first, .second = second };
		*place = table->pair_count;
	}
	return &table->pairs[*place - 1];
}

static void
results_add(struct rate_bot *bot, const struct trinomial *results)
{
	bot->games += results->wins + results->draws + results->losses;
	bot->score += (double)results->wins + (double)results->draws / 2.0;
	bot->results.wins += results->wins;
	bot->results.draws += results->draws;
	bot->results.losses += results->losses;
}

/* `FIRST SECOND WINS DRAWS LOSSES` */
static bool
games_take(struct counts *counts, struct rate_pair *pair, bool swapped)
{
	struct rate_table *table = counts->table;
	struct trinomial own, other;
	int64_t games;

	if (!count_read(counts, "WINS", counts->fields[2], &own.wins) ||
	    !count_read(counts, "DRAWS", counts->fields[3], &own.draws) ||
	    !count_read(counts, "LOSSES", counts->fields[4], &own.losses))
		return false;
	games = own.wins + own.draws + own.losses;
	if (swapped) {
		int64_t wins = own.wins;

		own.wins = own.losses;
		own.losses = wins;
	}
	other = (struct trinomial){ own.losses, own.draws, own.wins };
	pair->games += games;
	pair->results.wins += own.wins;
	pair->results.draws += own.draws;
	pair->results.losses += own.losses;
	results_add(&table->bots[pair->first], &own);
	results_add(&table->bots[pair->second], &other);
	table->game_count += games;
	table->has_games |= games > 0;
	return true;
}

/* `FIRST SECOND BLOCKS MEAN DEVIATION` */
static bool
margins_take(struct counts *counts, struct rate_pair *pair, bool swapped)
{
	struct rate_table *table = counts->table;
	struct moments margins;
	double mean, deviation;
	int64_t count;

	if (!count_read(counts, "BLOCKS", counts->fields[2], &count) ||
	    !value_read(counts, "MEAN", counts->fields[3], -VALUE_MAX, &mean) ||
	    !value_read(counts, "SD", counts->fields[4], 0.0, &deviation))
		return false;
	margins = moments_of(count, swapped ? -mean : mean, deviation);
	pair->margins = moments_join(pair->margins, margins);
	pair->clean = pair->margins;
	pair->blocks += count;
	table->bots[pair->first].blocks += count;
	table->bots[pair->second].blocks += count;
	table->block_count += count;
	table->has_margins |= count > 0;
	return true;
}

/* Margins have a point in MEAN or SD; numbers of games have none. */
static enum kind
kind_of(const struct counts *counts)
{
	return strchr(counts->fields[3], '.') != NULL ||
		strchr(counts->fields[4], '.') != NULL
	    ? KIND_MARGINS
	    : KIND_GAMES;
}

/* One file, one kind: a line that looks like the other is a slip. */
static bool
kind_check(struct counts *counts)
{
	enum kind kind = kind_of(counts);

	if (counts->kind == KIND_UNKNOWN)
		counts->kind = kind;
	if (counts->kind == kind)
		return true;
	return kind == KIND_MARGINS
	    ? counts_error(counts,
		  "a number with a point, where the lines before have games",
		  "numbers of games are whole: `FIRST SECOND WINS DRAWS "
		  "LOSSES`")
	    : counts_error(counts,
		  "no number has a point, where the lines before have margins",
		  "write MEAN or SD with a point: `FIRST SECOND BLOCKS MEAN "
		  "SD`");
}

/* The names of the columns, in whatever case, may stand in a line. */
static bool
is_header(const struct counts *counts, const char *const *names)
{
	for (int i = 0; i < FIELDS; i++)
		if (strcasecmp(counts->fields[i], names[i]) != 0)
			return false;
	return true;
}

/* Takes a line that names columns; *wrong where they are not in our order. */
static bool
header_take(struct counts *counts, bool *wrong)
{
	static const char *const games[FIELDS] = { "first", "second", "wins",
		"draws", "losses" };
	static const char *const margins[FIELDS] = { "first", "second",
		"blocks", "mean", "sd" };
	static const char *const other[FIELDS] = { "first", "second", "wins",
		"losses", "draws" };

	*wrong = is_header(counts, other);
	if (is_header(counts, games))
		counts->kind = KIND_GAMES;
	else if (is_header(counts, margins))
		counts->kind = KIND_MARGINS;
	else
		return *wrong;
	return true;
}

static bool
line_take(struct counts *counts)
{
	struct rate_pair *pair;
	bool swapped, wrong;
	int first, second;

	if (counts->field_count == 0)
		return true;
	if (counts->field_count != FIELDS)
		return counts_error(counts,
		    counts->field_count < FIELDS
			? "not five words: there are too few"
			: "not five words: there are too many",
		    "`FIRST SECOND WINS DRAWS LOSSES`, or `FIRST SECOND BLOCKS "
		    "MEAN SD` with a point in MEAN or SD");
	if (header_take(counts, &wrong))
		return !wrong ||
		    counts_error(counts, "the columns are in another order",
			"`FIRST SECOND WINS DRAWS LOSSES`: change the order of "
			"the numbers, too");
	if (!kind_check(counts))
		return false;
	first = bot_find(counts, counts->fields[0]);
	second = first < 0 ? -1 : bot_find(counts, counts->fields[1]);
	if (second < 0)
		return false;
	if (first == second)
		return counts_error(counts, "a bot against itself",
		    "two different names are needed");
	pair = pair_find(counts, first, second, &swapped);
	if (pair == NULL)
		return counts_error(counts, "no memory", "rate fewer bots");
	return counts->kind == KIND_MARGINS
	    ? margins_take(counts, pair, swapped)
	    : games_take(counts, pair, swapped);
}

static enum status
lines_take(struct counts *counts, FILE *file)
{
	char line[LINE_SIZE];

	while (fgets(line, sizeof(line), file) != NULL) {
		counts->line++;
		if (strlen(line) == sizeof(line) - 1 &&
		    line[sizeof(line) - 2] != '\n') {
			counts_error(counts, "the line is too long",
			    "a line has five words");
			return STATUS_USAGE;
		}
		fields_split(counts, line);
		if (!line_take(counts))
			return STATUS_USAGE;
	}
	if (ferror(file)) {
		enum status status = input_file_status(-errno);

		error_print(
		    "cannot read %s: %s", counts->file, strerror(errno));
		return status;
	}
	if (counts->table->has_games || counts->table->has_margins)
		return STATUS_DONE;
	return error_usage(
	    "a line for two bots: `FIRST SECOND WINS DRAWS LOSSES`",
	    "%s holds no results", counts->file);
}

enum status
rate_table_count(struct rate_table *table, const char *file)
{
	bool named = strcmp(file, "-") != 0;
	struct counts counts = { .file = file, .table = table };
	FILE *stream = named ? fopen(file, "re") : stdin;
	enum status status;

	if (stream == NULL) {
		status = input_file_status(-errno);
		error_print("cannot read %s: %s", file, strerror(errno));
		error_detail("hint",
		    "give a file of lines `FIRST SECOND WINS DRAWS LOSSES`");
		return status;
	}
	status = STATUS_ENVIRONMENT;
	if (rate_table_open(table, TOURNAMENT_BOTS_MAX) < 0)
		goto close_stream;
	counts.places =
	    calloc((size_t)TOURNAMENT_BOTS_MAX * TOURNAMENT_BOTS_MAX,
		sizeof(*counts.places));
	if (counts.places == NULL)
		goto close_stream;
	table->bot_count = 0;
	status = lines_take(&counts, stream);
	if (status == STATUS_DONE &&
	    rating_fit_open(&table->fit, table->bot_count,
		(size_t)table->pair_count, NULL, 0) < 0)
		status = memory_error();
close_stream:
	if (status == STATUS_ENVIRONMENT && counts.places == NULL)
		memory_error();
	free(counts.places);
	if (status != STATUS_DONE)
		rate_table_close(table);
	if (named)
		fclose(stream);
	return status;
}
