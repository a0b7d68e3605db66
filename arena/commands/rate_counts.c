/*
 * The table of `rate` from a file of counts: a line for two bots.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "command.h"
#include "complaint.h"
#include "rate_table.h"

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
counts_complain(const struct counts *counts, const char *what, const char *why)
{
	complaint_say("%s:%" PRId64 ": %s", counts->file, counts->line, what);
	complaint_add("hint", "%s", why);
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
	return counts_complain(
	    counts, text, "whole numbers from 0 to 1000000000");
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
	return counts_complain(counts, text,
	    "numbers such as 0.25, of at most 1000000; a standard deviation "
	    "is 0 or more");
}

/* The number of the bot of this name, or -1 with a complaint. */
static int
bot_find(const struct counts *counts, const char *name)
{
	struct rate_table *table = counts->table;

	for (int i = 0; i < table->bot_count; i++)
		if (strcmp(table->bots[i].name, name) == 0)
			return i;
	if (table->bot_count == TOURNAMENT_BOTS_MAX) {
		counts_complain(
		    counts, "more than 2000 bots", "rate fewer at a time");
		return -1;
	}
	if (strlen(name) >= EVENT_NAME_SIZE) {
		counts_complain(counts, "a name is too long",
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
 * The pair of two bots, where *swapped tells that b comes first; NULL without
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
	    ? counts_complain(counts,
		  "a number with a point, where the lines before have games",
		  "numbers of games are whole: `FIRST SECOND WINS DRAWS "
		  "LOSSES`")
	    : counts_complain(counts,
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
		return counts_complain(counts,
		    counts->field_count < FIELDS
			? "not five words: there are too few"
			: "not five words: there are too many",
		    "`FIRST SECOND WINS DRAWS LOSSES`, or `FIRST SECOND BLOCKS "
		    "MEAN SD` with a point in MEAN or SD");
	if (header_take(counts, &wrong))
		return !wrong ||
		    counts_complain(counts, "the columns are in another order",
			"`FIRST SECOND WINS DRAWS LOSSES`: change the order of "
			"the numbers, too");
	if (!kind_check(counts))
		return false;
	first = bot_find(counts, counts->fields[0]);
	second = first < 0 ? -1 : bot_find(counts, counts->fields[1]);
	if (second < 0)
		return false;
	if (first == second)
		return counts_complain(counts, "a bot against itself",
		    "two different names are needed");
	pair = pair_find(counts, first, second, &swapped);
	if (pair == NULL)
		return counts_complain(counts, "no memory", "rate fewer bots");
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
			counts_complain(counts, "the line is too long",
			    "a line has five words");
			return STATUS_USAGE;
		}
		fields_split(counts, line);
		if (!line_take(counts))
			return STATUS_USAGE;
	}
	if (ferror(file)) {
		enum status status = input_file_status(-errno);

		complaint_say(
		    "cannot read %s: %s", counts->file, strerror(errno));
		return status;
	}
	if (counts->table->has_games || counts->table->has_margins)
		return STATUS_DONE;
	complaint_say("%s holds no results", counts->file);
	complaint_add(
	    "hint", "a line for two bots: `FIRST SECOND WINS DRAWS LOSSES`");
	return STATUS_USAGE;
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
		complaint_say("cannot read %s: %s", file, strerror(errno));
		complaint_add("hint",
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
close_stream:
	if (status == STATUS_ENVIRONMENT && counts.places == NULL)
		complaint_say("no memory");
	free(counts.places);
	if (status != STATUS_DONE)
		rate_table_close(table);
	if (named)
		fclose(stream);
	return status;
}
