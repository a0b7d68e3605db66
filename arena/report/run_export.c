/*
 * Implements run_export.h.  A table is a row of `tables`: its columns, and a
 * function that writes its cells row by row.  The put_ and export_ functions
 * write a cell in the chosen form.
 */
#include "run_export.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "countof.h"
#include "log.h"
#include "report_json.h"
#include "text_format.h"
#include "words.h"

enum { TABLE_COUNT = 14, MARKDOWN_DIGITS_MAX = 3, COLUMN_SIZE = 32 };

/* A column with `-` before its name is left out of Markdown. */
struct table {
	const char *title, *columns;
	bool in_report; /* the document of a report has these numbers */
	bool is_data;   /* for programs: left out if all tables are printed */
	void (*print)(struct export *export);
};

void
markdown_put(FILE *file, const char *string)
{
	/* A line of a log in which each byte is written as `\xff` is whole. */
	struct scopa_text text = SCOPA_TEXT(4 * LOG_LINE_SIZE);

	text_sanitize(&text, string);
	for (const char *at = text.bytes; *at != '\0'; at++) {
		if (strchr("\\`*_{}[]<>#|~&@$", *at) != NULL)
			fprintf(file, "&#%d;", *at);
		else
			putc(*at, file);
		/* A word joiner: @name would send a message to a person. */
		if (*at == '@')
			fputs("&#8288;", file);
	}
}

/*
 * Begins a cell: finds the name of its column, and prints the separator.
 * Returns false if this form leaves the column out.
 */
static bool
value_begin(struct export *export, char name[COLUMN_SIZE])
{
	struct word word;
	bool first = export->column++ == 0, hidden;

	if (first)
		export->rest = word_of(export->columns);
	if (!word_next_piece(&export->rest, '|', &word))
		word = (struct word){ "", 0 };
	hidden = word.length > 0 && *word.bytes == '-';
	snprintf(name, COLUMN_SIZE, "%.*s", (int)word.length - hidden,
	    word.bytes + hidden);
	if (export->form == EXPORT_JSON && first)
		json_object_begin(export->json, NULL);
	else if (export->form == EXPORT_CSV && !first)
		putc(',', export->file);
	else if (export->form == EXPORT_MARKDOWN && !hidden)
		fputs(first ? "| " : " | ", export->file);
	return export->form != EXPORT_MARKDOWN || !hidden;
}

/* Ends a cell, and after the last column the row. */
static void
value_end(struct export *export)
{
	static const char *const ends[] = {
		[EXPORT_MARKDOWN] = " |\n",
		[EXPORT_CSV] = "\r\n",
	};

	if (export->rest.bytes != NULL)
		return;
	export->column = 0;
	if (export->form == EXPORT_JSON)
		json_object_end(export->json);
	else
		fputs(ends[export->form], export->file);
}

void
export_text(struct export *export, const char *text)
{
	char name[COLUMN_SIZE];

	if (!value_begin(export, name))
		;
	else if (export->form == EXPORT_JSON)
		json_string(export->json, name, text);
	else if (text != NULL && export->form == EXPORT_CSV)
		csv_field_put(export->file, text);
	else if (text != NULL)
		markdown_put(export->file, text);
	value_end(export);
}

void
export_real(struct export *export, double value, int digits)
{
	char name[COLUMN_SIZE];

	if (export->form == EXPORT_MARKDOWN && digits > MARKDOWN_DIGITS_MAX)
		digits = MARKDOWN_DIGITS_MAX;
	if (!value_begin(export, name))
		;
	else if (export->form == EXPORT_JSON)
		json_real(export->json, name, value, digits);
	else if (isfinite(value))
		fputs(number_fixed(value, digits).text, export->file);
	value_end(export);
}

static void
put_int(struct export *export, int64_t value)
{
	export_real(export, (double)value, 0);
}

static void
put_name(struct export *export, int bot)
{
	export_text(export, report_name(export->view, bot));
}

void
export_estimate(
    struct export *export, const struct estimate *estimate, int digits)
{
	double low = estimate->low_beyond ? (double)NAN : estimate->low;
	double high = estimate->high_beyond ? (double)NAN : estimate->high;

	export_real(export, estimate->value, digits);
	export_real(export, low, digits);
	export_real(export, high, digits);
}

/* Writes `match`, `deal` and `play`; an unknown one is empty. */
static void
put_place(struct export *export, const struct facts_place *place)
{
	export_text(export, number_format("m%jd", place->game).text);
	export_real(export, place->deal > 0 ? place->deal : (double)NAN, 0);
	export_real(export, place->play > 0 ? place->play : (double)NAN, 0);
}

static void
print_ranking(struct export *export)
{
	const struct report_view *view = export->view;

	for (int i = 0; i < report_bot_count(view); i++) {
		int bot = view->ratings.order[i];
		const struct standing *standing = &view->standings->bots[bot];
		struct estimate elo = report_elo(view, bot);

		put_int(export, i + 1);
		put_name(export, bot);
		export_estimate(
		    export, &view->ratings.points[bot], JSON_POINTS);
		export_estimate(export, &elo, 1);
		put_int(export, standing->results.wins);
		put_int(export, standing->results.draws);
		put_int(export, standing->results.losses);
		put_int(export, standing->games);
		put_int(export, standing->deals);
		export_real(export, standing->score / (double)standing->games,
		    JSON_SHARE);
		export_real(export, report_think_ms(standing), 3);
		export_real(
		    export, (double)standing->think_longest_us / 1e3, 3);
		put_int(export, standing->forfeits);
		for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
			put_int(export, standing->offences[kind]);
	}
}

static void
print_pairs(struct export *export)
{
	const struct report_view *view = export->view;
	int count = report_bot_count(view);

	for (int i = 0; report_shows_pairs(view) && i < count * count; i++) {
		int first = view->ratings.order[i / count];
		int second = view->ratings.order[i % count];
		struct report_pair pair;

		if (first == second ||
		    standings_encounter(view->standings, first, second)
			    ->blocks == 0)
			continue;
		pair = report_pair_of(view, first, second);
		put_name(export, first);
		put_name(export, second);
		export_estimate(export, &pair.margin, JSON_POINTS);
		put_int(export, pair.encounter->blocks);
		put_int(export, pair.encounter->games);
		put_int(export, pair.encounter->results.wins);
		put_int(export, pair.encounter->results.draws);
		put_int(export, pair.encounter->results.losses);
	}
}

static void
print_sources(struct export *export)
{
	const struct report_view *view = export->view;

	for (int i = 0; i < report_bot_count(view) * SCOPA_ITEM_COUNT; i++) {
		int bot = view->ratings.order[i / SCOPA_ITEM_COUNT];
		enum scopa_item item = (enum scopa_item)(i % SCOPA_ITEM_COUNT);
		struct report_source source = report_source_of(view, bot, item);

		if (!scopa_item_counts(&view->standings->rules, item))
			continue;
		put_name(export, bot);
		export_text(export, scopa_item_name(item));
		export_real(export, source.own, JSON_POINTS);
		export_real(export, source.others, JSON_POINTS);
	}
}

static void
print_seats(struct export *export)
{
	const struct run_facts *facts = export->facts;

	for (int i = 0; i < facts->bot_count * facts->seat_count; i++) {
		const struct facts_seat *seat = &facts->seats[i];
		double deals = (double)seat->deals;

		if (seat->deals == 0)
			continue;
		put_name(export, i / facts->seat_count);
		put_int(export, i % facts->seat_count + 1);
		put_int(export, seat->deals);
		export_real(export, (double)seat->points / deals, JSON_POINTS);
		export_real(export, seat->against / deals, JSON_POINTS);
	}
}

static void
print_margins(struct export *export)
{
	const struct run_facts *facts = export->facts;

	for (int i = 0; i < facts->margin_count; i++) {
		const struct facts_margins *margins = &facts->margins[i];

		for (int bin = 0; bin < margins->bin_count; bin++) {
			double low = margins->low + bin * margins->width;

			put_name(export, margins->bot);
			export_real(export, low, JSON_POINTS);
			export_real(export, low + margins->width, JSON_POINTS);
			put_int(export, margins->bins[bin]);
		}
	}
}

static void
print_llr(struct export *export)
{
	const struct run_facts *facts = export->facts;

	for (int i = 0; i < facts->llr_count; i++) {
		put_int(export, facts->llr[i].blocks);
		export_real(export, facts->llr[i].llr, JSON_POINTS);
	}
}

static void
print_times(struct export *export)
{
	const struct run_facts *facts = export->facts;

	for (int i = 0; i < facts->bot_count * FACTS_TIME_BINS; i++) {
		int bin = i % FACTS_TIME_BINS;
		int64_t count = facts->times[i / FACTS_TIME_BINS].bins[bin];

		if (count == 0)
			continue;
		put_name(export, i / FACTS_TIME_BINS);
		export_real(export, bin == 0 ? 0 : exp2(bin / 2.0) / 1e3, 4);
		put_int(export, count);
	}
}

static void
print_slowest(struct export *export)
{
	const struct run_facts *facts = export->facts;

	for (int i = 0; i < facts->slowest_count; i++) {
		const struct facts_slow *slow = &facts->slowest[i];

		put_place(export, &slow->place);
		put_name(export, slow->bot);
		export_text(export, slow->move);
		export_real(export, (double)slow->time_us / 1e3, 3);
	}
}

static void
print_metrics(struct export *export)
{
	const struct run_facts *facts = export->facts;

	for (int key = 0; key < facts->metric_count; key++) {
		const struct facts_metric *metric = &facts->metrics[key];
		int count = facts->bot_count * FACTS_METRIC_MOVES;

		for (int i = 0; i < count; i++) {
			if (metric->count[i] == 0)
				continue;
			export_text(export, metric->key);
			put_name(export, i / FACTS_METRIC_MOVES);
			put_int(export, i % FACTS_METRIC_MOVES + 1);
			put_int(export, metric->count[i]);
			export_real(export,
			    metric->sum[i] / (double)metric->count[i],
			    JSON_POINTS);
		}
	}
}

static void
print_failures(struct export *export)
{
	const struct run_facts *facts = export->facts;

	for (int i = 0; i < facts->failure_count; i++) {
		const struct facts_failure *failure = &facts->failures[i];
		bool known = failure->reason[0] != '\0';

		put_place(export, &failure->place);
		put_name(export, failure->bot);
		export_text(export, known ? offence_name(failure->kind) : NULL);
		export_text(export, known ? failure->reason : NULL);
	}
}

/* Writes a row for each line of the log of a failure. */
static void
print_log(struct export *export)
{
	const struct run_facts *facts = export->facts;

	for (int i = 0; i < facts->failure_count; i++) {
		const struct facts_failure *failure = &facts->failures[i];
		const char *at = failure->log != NULL ? failure->log : "";
		struct number match =
		    number_format("m%jd", failure->place.game);
		char line[LOG_LINE_SIZE];

		while (*at != '\0') {
			size_t length = strcspn(at, "\n");

			snprintf(line, sizeof(line), "%.*s", (int)length, at);
			export_text(export, match.text);
			put_name(export, failure->bot);
			export_text(export, line);
			at += length + (at[length] == '\n');
		}
	}
}

static void
print_games(struct export *export)
{
	static const char *const choices[] = {
		[FACTS_FAULT] = "fault",
		[FACTS_WIDE] = "wide",
		[FACTS_RANDOM] = "random",
	};
	const struct run_facts *facts = export->facts;

	for (int i = 0; i < facts->game_count; i++) {
		export_text(
		    export, number_format("m%jd", facts->games[i].game).text);
		export_text(export, choices[facts->games[i].choice]);
	}
}

/* Writes the row about the records as a whole. */
static void
print_records(struct export *export)
{
	const struct run_facts *facts = export->facts;

	put_int(export, facts->damaged);
	export_text(export, facts->machine[0] != '\0' ? facts->machine : NULL);
	export_text(export, facts->metrics_left_out ? "yes" : "no");
}

/* Returns NULL for `-`, which the list of workers has for unknown text. */
static const char *
text_of(const char *text)
{
	return strcmp(text, "-") == 0 ? NULL : text;
}

/* Writes the workers on other machines. */
static void
print_workers(struct export *export)
{
	const struct worker_list *workers = export->view->workers;

	for (int i = 0; workers != NULL && i < workers->count; i++) {
		const struct worker_row *row = &workers->rows[i];

		export_text(export, row->name);
		export_text(export, row->state);
		put_int(export, row->cores);
		export_real(export, row->speed, 3);
		export_real(export, row->games_per_s, 3);
		put_int(export, row->blocks);
		put_int(export, row->games);
		put_int(export, row->faults);
		export_real(export, row->lag_s, 3);
		export_real(
		    export, row->seen_s < 0 ? (double)NAN : row->seen_s, 3);
		export_real(export, row->clock_ahead_s, 3);
		export_text(export, text_of(row->labels));
		export_text(export, text_of(row->host));
	}
}

const char *const run_export_tables[] = { "auto", "ranking", "pairs", "sources",
	"seats", "margins", "llr", "times", "slowest", "metrics", "failures",
	"failure_log", "games", "records", "workers", NULL };

/* The tables, in the order of run_export_tables. */
static const struct table tables[] = {
	{ "Ranking",
	    "position|name|points|points_low|points_high|elo|elo_low|elo_high|"
	    "wins|draws|losses|games|-deals|-score|think_ms|"
	    "-think_ms_longest|forfeits|-illegal|-timeout|-crash|-protocol|"
	    "-startup",
	    true, false, print_ranking },
	{ "Pairs of bots",
	    "name|against|margin|margin_low|margin_high|blocks|games|wins|"
	    "draws|losses",
	    true, false, print_pairs },
	{ "Points by source, per deal", "name|item|own|others", true, false,
	    print_sources },
	{ "Points per deal by place in the deal",
	    "name|place|deals|points|against", false, false, print_seats },
	{ "Margins of blocks, in points per deal", "name|low|high|count", false,
	    true, print_margins },
	{ "The test after so many blocks", "blocks|llr", false, true,
	    print_llr },
	{ "Thinking times", "name|ms_low|count", false, true, print_times },
	{ "The slowest decisions", "match|deal|play|name|move|ms", false, true,
	    print_slowest },
	{ "What bots said of their plays", "key|name|play|count|mean", false,
	    true, print_metrics },
	{ "Games lost by offences (up to 50)",
	    "match|deal|play|name|kind|reason", false, false, print_failures },
	{ "How they were lost", "match|name|line", false, true, print_log },
	{ "Games in full on the page", "match|choice", false, true,
	    print_games },
	{ "Records", "damaged|machine|metrics_left_out", false, true,
	    print_records },
	{ "Workers on other machines",
	    "name|state|cores|speed|games_per_s|blocks|games|faults|lag_s|"
	    "seen_s|-clock_ahead_s|-labels|-host",
	    false, false, print_workers },
};
_Static_assert(COUNTOF(tables) == TABLE_COUNT &&
	COUNTOF(run_export_tables) == TABLE_COUNT + 2,
    "a name a table");

/* The line is printed as if it were a row of text. */
void
export_headings(struct export *export, bool rule)
{
	struct word rest = word_of(export->columns), word;

	while (word_next_piece(&rest, '|', &word)) {
		char name[COLUMN_SIZE];

		if (value_begin(export, name))
			fputs(rule ? "---" : name, export->file);
		value_end(export);
	}
}

/* Prints the name of the run, and its result in a sentence.  0 or -ENOMEM. */
static int
print_result(const struct report_view *view, FILE *file)
{
	const struct report_style style = { .width = REPORT_WIDTH };
	char *bytes = NULL, *next, *line;
	size_t size = 0;
	FILE *lines = memory_file_open(&bytes, &size);

	if (lines == NULL)
		return -ENOMEM;
	report_text_verdict(view, &style, lines);
	if (fclose(lines) != 0) {
		free(bytes);
		return -ENOMEM;
	}
	fputs("## ", file);
	markdown_put(file, view->head->name);
	fputs("\n\n", file);
	next = bytes;
	while ((line = strsep(&next, "\n")) != NULL) {
		markdown_put(file, line);
		putc('\n', file);
	}
	free(bytes);
	return 0;
}

int
run_export_markdown(const struct report_view *view,
    const struct run_facts *facts, int table, FILE *file)
{
	struct export export = {
		.form = EXPORT_MARKDOWN,
		.view = view,
		.facts = facts,
	};

	int error = table == 0 ? print_result(view, file) : 0;

	for (int i = 0; i < TABLE_COUNT && error == 0; i++) {
		char *bytes = NULL;
		size_t size = 0;

		if (table > 0 ? table != i + 1 : tables[i].is_data)
			continue;
		/* A table without rows is left out. */
		export.file = memory_file_open(&bytes, &size);
		if (export.file == NULL)
			return -ENOMEM;
		export.columns = tables[i].columns;
		tables[i].print(&export);
		error = fclose(export.file) == 0 ? 0 : -ENOMEM;
		export.file = file;
		if (error == 0 && size > 0) {
			fprintf(file, "### %s\n\n", tables[i].title);
			export_headings(&export, false);
			export_headings(&export, true);
			fwrite(bytes, 1, size, file);
			putc('\n', file);
		}
		free(bytes);
	}
	return error;
}

void
run_export_csv(const struct report_view *view, const struct run_facts *facts,
    int table, FILE *file)
{
	const struct table *wanted = &tables[table > 0 ? table - 1 : 0];
	struct export export = {
		.form = EXPORT_CSV,
		.view = view,
		.facts = facts,
		.file = file,
		.columns = wanted->columns,
	};

	export_headings(&export, false);
	wanted->print(&export);
}

void
run_export_json(struct json *json, const struct report_view *view,
    const struct run_facts *facts)
{
	struct export export = {
		.form = EXPORT_JSON,
		.view = view,
		.facts = facts,
		.json = json,
	};

	for (int i = 0; i < TABLE_COUNT; i++) {
		if (tables[i].in_report)
			continue;
		json_array_begin(json, run_export_tables[i + 1]);
		export.columns = tables[i].columns;
		tables[i].print(&export);
		json_array_end(json);
	}
}
