/*
 * Implements run_compare.h.  A table of measures makes rows of numbers for each
 * bot.  Each format prints these rows.
 */
#include "run_compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"
#include "html.h"
#include "report_json.h"
#include "run_export.h"

enum {
	RESULTS_MAX = 3, /* bots with their own sentence */
	DETAILED_MAX = 8 /* bots with their own tables */
};

enum measure {
	MEASURE_POINTS,
	MEASURE_ELO,
	MEASURE_SCORE,
	MEASURE_GAMES,
	MEASURE_WON,
	MEASURE_DRAWN,
	MEASURE_LOST,
	MEASURE_THINK,
	MEASURE_LONGEST,
	MEASURE_FORFEITS,
	MEASURE_OFFENCE,
	MEASURE_SOURCE,
	MEASURE_COUNT
};

/* `parts`: how many rows the measure has, if several. */
static const struct {
	const char *name;
	int digits, parts;
} measures[] = {
	[MEASURE_POINTS] = { "points per deal", 3, 1 },
	[MEASURE_ELO] = { "Elo", 1, 1 },
	[MEASURE_SCORE] = { "score", 3, 1 },
	[MEASURE_GAMES] = { "games", 0, 1 },
	[MEASURE_WON] = { "won", 0, 1 },
	[MEASURE_DRAWN] = { "drawn", 0, 1 },
	[MEASURE_LOST] = { "lost", 0, 1 },
	[MEASURE_THINK] = { "ms a move", 3, 1 },
	[MEASURE_LONGEST] = { "longest ms", 3, 1 },
	[MEASURE_FORFEITS] = { "games forfeited", 0, 1 },
	[MEASURE_OFFENCE] = { "offences, ", 0, OFFENCE_KIND_COUNT },
	[MEASURE_SOURCE] = { "margin by ", 3, SCOPA_ITEM_COUNT },
};
_Static_assert(COUNTOF(measures) == MEASURE_COUNT, "one each");

enum { ROWS_MAX = MEASURE_COUNT - 2 + OFFENCE_KIND_COUNT + SCOPA_ITEM_COUNT };

static double
value_of(
    const struct report_view *view, int bot, enum measure measure, int part)
{
	const struct standing *standing = &view->standings->bots[bot];
	struct report_source source;

	switch (measure) {
	case MEASURE_SCORE:
		return standing->score / (double)standing->games;
	case MEASURE_GAMES:
		return (double)standing->games;
	case MEASURE_WON:
		return (double)standing->results.wins;
	case MEASURE_DRAWN:
		return (double)standing->results.draws;
	case MEASURE_LOST:
		return (double)standing->results.losses;
	case MEASURE_THINK:
		return standing->decisions > 0 ? report_think_ms(standing)
					       : (double)NAN;
	case MEASURE_LONGEST:
		return (double)standing->think_longest_us / 1e3;
	case MEASURE_FORFEITS:
		return (double)standing->forfeits;
	case MEASURE_OFFENCE:
		return (double)standing->offences[part];
	case MEASURE_SOURCE:
		source = report_source_of(view, bot, (enum scopa_item)part);
		return source.own - source.others;
	case MEASURE_POINTS:
	case MEASURE_ELO:
	case MEASURE_COUNT:
		break;
	}
	return (double)NAN;
}

/* Returns points per deal or Elo, as in the short report. */
static struct estimate
estimate_of(const struct report_view *view, int bot, enum measure measure)
{
	return measure == MEASURE_POINTS ? view->ratings.points[bot]
					 : report_elo(view, bot);
}

/* Returns the difference of two independent estimates. */
static struct estimate
estimate_change(const struct estimate *before, const struct estimate *after)
{
	double half = hypot(
	    (before->high - before->low) / 2, (after->high - after->low) / 2);
	bool beyond = before->low_beyond || before->high_beyond ||
	    after->low_beyond || after->high_beyond;
	double value = after->value - before->value;

	return (struct estimate){ value, value - half, value + half, beyond,
		beyond };
}

/* Finds the points per deal of a bot in one round; false: it has none. */
static bool
round_margin(
    const struct clusters *clusters, int number, int bot, double *margin)
{
	double blocks = 0, sum = 0;

	for (int64_t i = clusters->starts[number];
	     i < clusters->starts[number + 1]; i++) {
		const struct cluster_row *row = &clusters->rows[i];

		if (row->first != bot && row->second != bot)
			continue;
		blocks += (double)row->blocks;
		sum += row->first == bot ? (double)row->margin
					 : -(double)row->margin;
	}
	*margin = sum / blocks;
	return blocks > 0;
}

/*
 * Finds the moments of the differences by round.  Returns false if the bot
 * played some round in only one of the runs.
 */
static bool
rounds_pair(const struct run_compare *compare, const int bots[2],
    struct moments *moments)
{
	const struct clusters *one = &compare->before->ratings.fit.clusters;
	const struct clusters *two = &compare->after->ratings.fit.clusters;

	*moments = (struct moments){ 0 };
	if (one->count != two->count)
		return false;
	for (int i = 0; i < one->count; i++) {
		double low, high;
		bool played = round_margin(one, i, bots[0], &low);

		if (one->rows[one->starts[i]].cluster !=
			two->rows[two->starts[i]].cluster ||
		    played != round_margin(two, i, bots[1], &high))
			return false;
		if (played)
			moments_add(moments, high - low);
	}
	return true;
}

static bool
is_same(const char *one, const char *two)
{
	return (one == NULL) == (two == NULL) &&
	    (one == NULL || strcmp(one, two) == 0);
}

static struct scopa_text
note_begin(struct run_compare *compare, enum look look, const char *label)
{
	struct compare_note *note = &compare->notes[compare->note_count];
	struct scopa_text text;

	if (compare->note_count < COMPARE_NOTES_MAX - 1)
		compare->note_count++;
	*note = (struct compare_note){ .label = label, .look = look };
	scopa_text_init(&text, note->text, sizeof(note->text));
	return text;
}

/* The settings of a run that are compared. */
enum setting {
	SETTING_FORMAT,
	SETTING_RULES,
	SETTING_GAME,
	SETTING_SEATS,
	SETTING_TIME,
	SETTING_BLOCK,
	SETTING_VERSION,
	SETTING_SANDBOX,
	SETTING_COUNT
};

static const char *const setting_names[SETTING_COUNT] = {
	[SETTING_FORMAT] = "format",
	[SETTING_RULES] = "rules",
	[SETTING_GAME] = "a game",
	[SETTING_SEATS] = "seats",
	[SETTING_TIME] = "time",
	[SETTING_BLOCK] = "a block",
	[SETTING_VERSION] = "version",
	[SETTING_SANDBOX] = "sandbox",
};

/* Appends the value of a setting; nothing if it is unknown. */
static void
setting_format(const struct report_view *view, enum setting setting,
    struct scopa_text *text)
{
	const struct standings *standings = view->standings;
	const char *const words[SETTING_COUNT] = {
		[SETTING_FORMAT] = view->format,
		[SETTING_RULES] = view->rules,
		[SETTING_TIME] = view->time_shown,
		[SETTING_VERSION] = view->head->tool,
	};

	if (words[setting] != NULL)
		scopa_text_string(text, words[setting]);
	else if (setting == SETTING_GAME && view->deals > 0)
		text_printf(
		    text, "%d deal%s", view->deals, text_plural(view->deals));
	else if (setting == SETTING_GAME)
		text_printf(text, "to %d points", standings->rules.target);
	else if (setting == SETTING_SEATS)
		scopa_param_format(
		    scopa_param_find("teams"), &standings->rules, text);
	else if (setting == SETTING_BLOCK)
		text_printf(text, "%d game%s%s%s", view->head->game_count,
		    text_plural(view->head->game_count),
		    view->duplicate ? ", duplicate" : "",
		    view->mixed ? ", mixed partners" : "");
	else if (setting == SETTING_SANDBOX)
		for (int i = 0; i < standings->sandbox_count; i++)
			text_printf(text, "%s%s", i > 0 ? ", " : "",
			    standings->sandboxes[i].name);
}

/* Adds a note about each setting that differs between the runs. */
static void
settings_note(struct run_compare *compare)
{
	for (int i = 0; i < SETTING_COUNT; i++) {
		char bytes[2][COMPARE_NOTE_SIZE / 4];
		struct scopa_text texts[2], text;

		scopa_text_init(&texts[0], bytes[0], sizeof(bytes[0]));
		scopa_text_init(&texts[1], bytes[1], sizeof(bytes[1]));
		setting_format(compare->before, (enum setting)i, &texts[0]);
		setting_format(compare->after, (enum setting)i, &texts[1]);
		if (strcmp(bytes[0], bytes[1]) == 0)
			continue;
		text = note_begin(compare, LOOK_DOUBT, "DIFFERS");
		text_printf(&text, "%s: %s before, %s after", setting_names[i],
		    bytes[0][0] != '\0' ? bytes[0] : "unknown",
		    bytes[1][0] != '\0' ? bytes[1] : "unknown");
	}
}

/* Returns whether rounds of the same number have the same packs. */
static bool
has_same_packs(const struct run_compare *compare)
{
	const struct report_view *before = compare->before;
	const struct report_view *after = compare->after;

	return before->seed != NULL && is_same(before->seed, after->seed) &&
	    is_same(before->head->contributions, after->head->contributions) &&
	    is_same(before->rules, after->rules) &&
	    before->deals == after->deals &&
	    before->head->game_count == after->head->game_count;
}

static int
bot_find(const struct report_view *view, const char *name)
{
	for (int bot = 0; bot < report_bot_count(view); bot++)
		if (strcmp(report_name(view, bot), name) == 0)
			return bot;
	return -1;
}

/* Returns whether a bot of the second run is another program than before. */
static bool
is_changed(const struct run_compare *compare, const char *name)
{
	int before = bot_find(compare->before, name);
	const struct store_bot *one = &compare->before->head->bots[before];
	const struct store_bot *two =
	    &compare->after->head->bots[bot_find(compare->after, name)];

	return !is_same(one->command, two->command) ||
	    !is_same(one->digest, two->digest);
}

/* Appends the names of the bots that the other run does not have. */
static void
lone_note(struct run_compare *compare, const char *when,
    const struct report_view *view, const struct report_view *other)
{
	struct scopa_text text;
	int count = 0;

	for (int bot = 0; bot < report_bot_count(view); bot++) {
		const char *name = report_name(view, bot);

		if (bot_find(other, name) >= 0)
			continue;
		if (count++ == 0) {
			text = note_begin(compare, LOOK_PLAIN, "bots");
			text_printf(&text, "only %s: ", when);
		} else {
			scopa_text_string(&text, ", ");
		}
		scopa_text_string(&text, name);
	}
}

/* Describes a run: its folder and how much was played. */
static void
run_note(struct run_compare *compare, const char *label,
    const struct report_view *view)
{
	struct scopa_text text = note_begin(compare, LOOK_PLAIN, label);

	text_printf(&text, "%s%s%s: %jd blocks, %jd games, %jd deals",
	    view->path != NULL ? view->path : view->head->name,
	    view->state != NULL ? ", " : "",
	    view->state != NULL ? view->state : "", view->standings->blocks,
	    view->standings->games, view->standings->deals);
}

static int
rows_per_bot(const struct run_compare *compare)
{
	return compare->bot_count > 0 ? compare->row_count / compare->bot_count
				      : 0;
}

/* Returns the first row of a bot. */
static const struct compare_row *
compare_bot(const struct run_compare *compare, int number)
{
	return &compare->rows[number * rows_per_bot(compare)];
}

/* Writes a sentence on each changed bot; if none changed, on the first bots. */
static void
results_note(struct run_compare *compare)
{
	int changed = 0, shown = 0;

	for (int i = 0; i < compare->bot_count; i++)
		changed += is_changed(compare, compare_bot(compare, i)->name);
	for (int i = 0; i < compare->bot_count && shown < RESULTS_MAX; i++) {
		const struct compare_row *row = compare_bot(compare, i);
		const struct estimate *change = &row->change;
		bool known = !change->low_beyond;
		bool better = known && change->low > 0;
		bool worse = known && change->high < 0;
		struct scopa_text text;

		if (changed > 0 && !is_changed(compare, row->name))
			continue;
		shown++;
		text = note_begin(compare,
		    better      ? LOOK_GOOD
			: worse ? LOOK_BAD
				: LOOK_DOUBT,
		    "result");
		text_printf(&text, "%s is %s: %s points per deal", row->name,
		    better      ? "better"
			: worse ? "worse"
			: known ? "neither clearly better nor worse"
			: change->value != 0 ? "not known to be better or worse"
					     : "unchanged",
		    number_points(change).text);
	}
}

/* Computes the numbers of a row. */
static void
row_fill(struct compare_row *row, const struct run_compare *compare,
    const int bots[2], enum measure measure, int part)
{
	struct moments rounds;

	row->is_estimate = measure <= MEASURE_ELO;
	if (!row->is_estimate) {
		row->before.value =
		    value_of(compare->before, bots[0], measure, part);
		row->after.value =
		    value_of(compare->after, bots[1], measure, part);
		row->change.value = row->after.value - row->before.value;
		return;
	}
	row->before = estimate_of(compare->before, bots[0], measure);
	row->after = estimate_of(compare->after, bots[1], measure);
	if (measure == MEASURE_POINTS && compare->rounds > 0 &&
	    rounds_pair(compare, bots, &rounds))
		row->change =
		    mean_estimate(&rounds, report_level(compare->after));
	else
		row->change = estimate_change(&row->before, &row->after);
}

/* Returns whether these rules use this part of a measure. */
static bool
part_counts(const struct run_compare *compare, enum measure measure, int part)
{
	enum scopa_item item = (enum scopa_item)part;

	return measure != MEASURE_SOURCE ||
	    scopa_item_counts(&compare->before->standings->rules, item) ||
	    scopa_item_counts(&compare->after->standings->rules, item);
}

/* Adds the rows of a bot: its index is bots[0] before and bots[1] after. */
static void
rows_add(struct run_compare *compare, const int bots[2])
{
	for (int i = 0; i < MEASURE_COUNT; i++)
		for (int part = 0; part < measures[i].parts; part++) {
			enum measure measure = (enum measure)i;
			struct compare_row *row =
			    &compare->rows[compare->row_count];

			if (!part_counts(compare, measure, part))
				continue;
			*row = (struct compare_row){
				.name = report_name(compare->after, bots[1]),
				.digits = measures[i].digits,
			};
			snprintf(row->measure, sizeof(row->measure), "%s%s",
			    measures[i].name,
			    measure == MEASURE_OFFENCE
				? offence_name((enum offence_kind)part)
				: measure == MEASURE_SOURCE
				? scopa_item_name((enum scopa_item)part)
				: "");
			row_fill(row, compare, bots, measure, part);
			compare->row_count++;
		}
}

/* Finds the bot at a place of the second ranking; false: new in that run. */
static bool
bots_of(const struct run_compare *compare, int place, int bots[2])
{
	bots[1] = compare->after->ratings.order[place];
	bots[0] =
	    bot_find(compare->before, report_name(compare->after, bots[1]));
	return bots[0] >= 0;
}

/* Says how the runs were paired, and which bots changed. */
static void
notes_add(struct run_compare *compare)
{
	struct scopa_text text;
	int changed = 0;

	settings_note(compare);
	if (compare->bot_count < report_bot_count(compare->after) ||
	    compare->bot_count < report_bot_count(compare->before)) {
		text = note_begin(compare, LOOK_DOUBT, "DIFFERS");
		scopa_text_string(
		    &text, "bots: points and Elo are against other opponents");
	}
	results_note(compare);
	for (int i = 0; i < compare->bot_count; i++) {
		const char *name = compare_bot(compare, i)->name;

		if (!is_changed(compare, name))
			continue;
		if (changed++ == 0)
			text = note_begin(compare, LOOK_PLAIN, "programs");
		text_printf(
		    &text, "%s%s", changed > 1 ? ", " : "changed: ", name);
	}
	run_note(compare, "before", compare->before);
	run_note(compare, "after", compare->after);
	lone_note(compare, "before", compare->before, compare->after);
	lone_note(compare, "after", compare->after, compare->before);
	text = note_begin(compare, LOOK_PLAIN, "change");
	if (compare->rounds > 0)
		text_printf(&text,
		    "points are compared round by round, as both runs have "
		    "the same packs in %jd round%s; Elo as if they were "
		    "independent",
		    compare->rounds, text_plural(compare->rounds));
	else
		scopa_text_string(&text,
		    "the runs count as independent: their variances add up");
}

int
run_compare_open(struct run_compare *compare, const struct report_view *before,
    const struct report_view *after)
{
	int count = report_bot_count(after), bots[2];
	struct moments rounds;

	*compare = (struct run_compare){ .before = before, .after = after };
	compare->rows =
	    calloc((size_t)count * ROWS_MAX, sizeof(*compare->rows));
	if (compare->rows == NULL)
		return -ENOMEM;
	if (has_same_packs(compare))
		compare->rounds = after->ratings.fit.clusters.count;
	for (int i = 0; i < count; i++)
		if (compare->rounds > 0 && bots_of(compare, i, bots) &&
		    !rounds_pair(compare, bots, &rounds))
			compare->rounds = 0;
	for (int i = 0; i < count; i++)
		if (bots_of(compare, i, bots)) {
			rows_add(compare, bots);
			compare->bot_count++;
		}
	notes_add(compare);
	return 0;
}

void
run_compare_close(struct run_compare *compare)
{
	free(compare->rows);
	compare->rows = NULL;
}

/*
 * The formats.
 */

/* Returns a number of a row in a form for people. */
static struct number
row_number(const struct compare_row *row, const struct estimate *value)
{
	bool change = value == &row->change;

	if (!row->is_estimate && isnan(value->value))
		return (struct number){ "-" };
	if (!row->is_estimate)
		return (change ? number_signed : number_fixed)(
		    value->value, row->digits);
	if (change)
		return (row->digits > 1 ? number_points : number_elo)(value);
	return (row->digits > 1 ? number_points_half : number_elo_half)(value);
}

/* Returns whether a row has only zeros. */
static bool
row_is_empty(const struct compare_row *row)
{
	return !row->is_estimate && row->digits == 0 &&
	    row->before.value == 0 && row->after.value == 0;
}

/* The rows of one table: of one measure, or all other rows of one bot. */
struct piece {
	int first, step, count;
	const char *heading;
};

/*
 * Finds the piece at an index: 0 and 1 are estimates, then there is one for
 * each bot.  Returns false after the last one.
 */
static bool
piece_of(const struct run_compare *compare, int number, struct piece *piece)
{
	int per_bot = rows_per_bot(compare), bot = number - 2;

	if (number < 2) {
		*piece = (struct piece){ number, per_bot, compare->bot_count,
			number == 0 ? "Points per deal" : "Elo" };
		return compare->bot_count > 0;
	}
	if (bot >= compare->bot_count || compare->bot_count > DETAILED_MAX)
		return false;
	*piece = (struct piece){ bot * per_bot + 2, 1, per_bot - 2,
		compare_bot(compare, bot)->name };
	return true;
}

int
run_compare_text(const struct run_compare *compare,
    const struct report_style *style, FILE *file)
{
	struct text_page page = text_page_of(NULL, style, file);
	struct piece piece;

	for (int i = 0; i < compare->note_count; i++) {
		const struct compare_note *note = &compare->notes[i];

		text_label(&page, note->label);
		text_put(&page, note->look, "%s", note->text);
		text_end(&page);
	}
	for (int number = 0; piece_of(compare, number, &piece); number++) {
		struct text_table table;

		text_title(&page, "%s%s", piece.heading,
		    number < 2 ? ", with intervals" : "");
		text_table_open(&table,
		    number < 2 ? "bot|before|after|change"
			       : "measure|before|after|change",
		    1);
		for (int i = 0; i < piece.count; i++) {
			const struct compare_row *row =
			    &compare->rows[piece.first + i * piece.step];

			if (row_is_empty(row))
				continue;
			text_table_add(&table, "%s",
			    number < 2 ? row->name : row->measure);
			text_table_row(&table, "%s|%s|%s",
			    row_number(row, &row->before).text,
			    row_number(row, &row->after).text,
			    row_number(row, &row->change).text);
		}
		text_put_table(&page, &table);
	}
	if (compare->bot_count > DETAILED_MAX)
		text_note(&page, "--format csv has more of each bot");
	return page.result;
}

int
run_compare_html(const struct run_compare *compare, FILE *file)
{
	static const char *const styles[] = { "report.css", NULL };
	static const char *const scripts[] = { "report.js", NULL };
	static const char *const looks[] = { "li", "li", "li.good", "li.bad",
		"li.doubt" };
	const struct html_page shell = {
		.title = "Comparison of two runs",
		.styles = styles,
		.scripts = scripts,
	};
	struct html html;
	struct piece piece;

	_Static_assert(COUNTOF(looks) == LOOK_COUNT, "a class each");
	html_init(&html, file);
	if (html_page_begin(&html, &shell) < 0)
		return -ENOMEM;
	html_begin(&html, "header.masthead");
	html_put(&html, "p.kicker", "Scopa Arena");
	html_put(&html, "h1", "%s", shell.title);
	html_end(&html, "header");
	html_begin(&html, "main");
	html_attribute(&html, "id", "main");
	html_begin(&html, "ul");
	for (int i = 0; i < compare->note_count; i++) {
		const struct compare_note *note = &compare->notes[i];

		html_put(&html, looks[note->look], "%s: %s", note->label,
		    note->text);
	}
	html_end(&html, "ul");
	for (int number = 0; piece_of(compare, number, &piece); number++) {
		html_put(&html, "h2", "%s", piece.heading);
		html_table_begin(&html, piece.heading,
		    number < 2 ? "^bot|before|after|change"
			       : "^measure|before|after|change",
		    number < 2);
		html_table_rows(&html);
		for (int i = 0; i < piece.count; i++) {
			const struct compare_row *row =
			    &compare->rows[piece.first + i * piece.step];

			if (row_is_empty(row))
				continue;
			html_begin(&html, "tr");
			html_table_name(
			    &html, number < 2 ? row->name : row->measure);
			html_table_number(&html, row_number(row, &row->before));
			html_table_number(&html, row_number(row, &row->after));
			html_table_number(&html, row_number(row, &row->change));
			html_end(&html, "tr");
		}
		html_table_end(&html);
	}
	html_end(&html, "main");
	return html_page_end(&html, &shell);
}

int
run_compare_markdown(const struct run_compare *compare, FILE *file)
{
	struct piece piece;

	fputs("## Comparison of two runs\n\n", file);
	for (int i = 0; i < compare->note_count; i++) {
		fprintf(file, "- %s: ", compare->notes[i].label);
		markdown_put(file, compare->notes[i].text);
		putc('\n', file);
	}
	for (int number = 0; piece_of(compare, number, &piece); number++) {
		fputs("\n### ", file);
		markdown_put(file, piece.heading);
		fputs("\n\n| | before | after | change |\n"
		      "| --- | --- | --- | --- |\n",
		    file);
		for (int i = 0; i < piece.count; i++) {
			const struct compare_row *row =
			    &compare->rows[piece.first + i * piece.step];

			if (row_is_empty(row))
				continue;
			fputs("| ", file);
			markdown_put(
			    file, number < 2 ? row->name : row->measure);
			fprintf(file, " | %s | %s | %s |\n",
			    row_number(row, &row->before).text,
			    row_number(row, &row->after).text,
			    row_number(row, &row->change).text);
		}
	}
	return 0;
}

/* A row has the numbers `before`, `after`, `change`, `low`, `high`. */
enum { NUMBER_COUNT = 5 };

static const char *const number_names[NUMBER_COUNT] = { "before", "after",
	"change", "low", "high" };

static void
row_numbers(const struct compare_row *row, double numbers[NUMBER_COUNT])
{
	bool has_ends = row->is_estimate && !row->change.low_beyond;

	numbers[0] = row->before.value;
	numbers[1] = row->after.value;
	numbers[2] = row->change.value;
	numbers[3] = has_ends ? row->change.low : (double)NAN;
	numbers[4] = has_ends ? row->change.high : (double)NAN;
}

int
run_compare_csv(const struct run_compare *compare, FILE *file)
{
	fputs("name,measure", file);
	for (int i = 0; i < NUMBER_COUNT; i++)
		fprintf(file, ",%s", number_names[i]);
	fputs("\r\n", file);
	for (int i = 0; i < compare->row_count; i++) {
		double numbers[NUMBER_COUNT];

		row_numbers(&compare->rows[i], numbers);
		csv_field_put(file, compare->rows[i].name);
		putc(',', file);
		csv_field_put(file, compare->rows[i].measure);
		for (int column = 0; column < NUMBER_COUNT; column++) {
			putc(',', file);
			if (isfinite(numbers[column]))
				fprintf(
				    file, "%.*f", JSON_POINTS, numbers[column]);
		}
		fputs("\r\n", file);
	}
	return 0;
}

int
run_compare_json(const struct run_compare *compare, FILE *file)
{
	struct json json;

	json_document_begin(&json, file);
	json_string(&json, "format", "scopa-arena-comparison");
	json_int(&json, "version", 1);
	json_object_begin(&json, "before");
	json_run(&json, compare->before);
	json_object_end(&json);
	json_object_begin(&json, "after");
	json_run(&json, compare->after);
	json_object_end(&json);
	json_real(&json, "level", report_level(compare->after), JSON_SHARE);
	json_int(&json, "paired_rounds", compare->rounds);
	json_array_begin(&json, "notes");
	for (int i = 0; i < compare->note_count; i++) {
		json_object_begin(&json, NULL);
		json_string(&json, "label", compare->notes[i].label);
		json_string(&json, "text", compare->notes[i].text);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_array_begin(&json, "rows");
	for (int i = 0; i < compare->row_count; i++) {
		double numbers[NUMBER_COUNT];

		row_numbers(&compare->rows[i], numbers);
		json_object_begin(&json, NULL);
		json_string(&json, "name", compare->rows[i].name);
		json_string(&json, "measure", compare->rows[i].measure);
		for (int n = 0; n < NUMBER_COUNT; n++)
			json_real(
			    &json, number_names[n], numbers[n], JSON_POINTS);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_document_end(&json);
	return 0;
}
