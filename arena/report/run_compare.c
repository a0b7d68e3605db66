/*
 * Implements run_compare.h.  Each bot has the same rows of numbers, which each
 * format prints.
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
	SHOWN_MAX = 127, /* bytes of a setting in a note */
	RESULTS_MAX = 3, /* bots with their own sentence */
	DETAILED_MAX = 8 /* bots with their own tables */
};

/* The most rows of a bot; rows_add() adds them. */
enum { ROWS_MAX = 10 + OFFENCE_KIND_COUNT + SCOPA_ITEM_COUNT };

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

/*
 * Finds the points per deal of a bot in one round.  Returns the number of its
 * blocks.
 */
static double
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
	return blocks;
}

/*
 * Finds the moments of the differences by round.  Returns false if the bot
 * played some round in only one of the runs, or not the same number of blocks
 * in each round: then their mean is not the difference of the two margins.
 */
static bool
rounds_pair(const struct run_compare *compare, const int bots[2],
    struct moments *moments)
{
	const struct clusters *one = &compare->before->ratings.fit.clusters;
	const struct clusters *two = &compare->after->ratings.fit.clusters;

	double each = 0;

	*moments = (struct moments){ 0 };
	if (one->count != two->count)
		return false;
	for (int i = 0; i < one->count; i++) {
		double low, high;
		double blocks = round_margin(one, i, bots[0], &low);

		if (one->rows[one->starts[i]].cluster !=
			two->rows[two->starts[i]].cluster ||
		    blocks != round_margin(two, i, bots[1], &high) ||
		    (each > 0 && blocks > 0 && blocks != each))
			return false;
		if (blocks > 0) {
			moments_add(moments, high - low);
			each = blocks;
		}
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

static const char *const setting_names[] = { "format", "rules", "a game",
	"seats", "time", "a block", "version", "sandbox" };

/* The settings of a run in words, by their names; empty: unknown. */
struct settings {
	const char *texts[COUNTOF(setting_names)];
	char seats[COMPARE_NOTE_SIZE], sandboxes[COMPARE_NOTE_SIZE];
	struct number length, block;
};

static void
settings_format(struct settings *settings, const struct report_view *view)
{
	const struct standings *standings = view->standings;
	struct scopa_text seats, sandboxes;

	scopa_text_init(&seats, settings->seats, sizeof(settings->seats));
	scopa_text_init(
	    &sandboxes, settings->sandboxes, sizeof(settings->sandboxes));
	scopa_param_format(
	    scopa_param_find("teams"), &standings->rules, &seats);
	for (int i = 0; i < standings->sandbox_count; i++)
		text_printf(&sandboxes, "%s%s", i > 0 ? ", " : "",
		    standings->sandboxes[i].name);
	settings->length = view->deals > 0
	    ? number_format("%d deal%s", view->deals, text_plural(view->deals))
	    : number_format("to %d points", standings->rules.target);
	settings->block = number_format("%d game%s%s%s", view->head->game_count,
	    text_plural(view->head->game_count),
	    view->duplicate ? ", duplicate" : "",
	    view->mixed ? ", mixed partners" : "");
	memcpy(settings->texts,
	    (const char *const[]){ text_or_none(view->format),
		text_or_none(view->rules), settings->length.text,
		settings->seats, text_or_none(view->time_shown),
		settings->block.text, view->head->tool, settings->sandboxes },
	    sizeof(settings->texts));
}

/*
 * Returns the length of what two long texts have in common, up to a comma; 0 if
 * they are short.
 */
static size_t
setting_alike(const char *one, const char *two)
{
	size_t alike = 0;

	if (strlen(one) <= SHOWN_MAX && strlen(two) <= SHOWN_MAX)
		return 0;
	while (one[alike] != '\0' && one[alike] == two[alike])
		alike++;
	while (alike > 0 && one[alike - 1] != ',')
		alike--;
	return alike;
}

/* Adds the words of a setting without their beginning. */
static void
setting_put(struct scopa_text *text, const char *words, size_t left_out)
{
	const char *shown = words + left_out;

	text_printf(text, "%s%.*s%s", left_out > 0 ? "..." : "", SHOWN_MAX,
	    *words != '\0' ? shown : "unknown",
	    strlen(shown) > SHOWN_MAX ? "..." : "");
}

/* Adds a note about each setting that differs between the runs. */
static void
settings_note(struct run_compare *compare)
{
	struct settings before, after;

	settings_format(&before, compare->before);
	settings_format(&after, compare->after);
	for (size_t i = 0; i < COUNTOF(setting_names); i++) {
		const char *one = before.texts[i], *two = after.texts[i];
		size_t alike = setting_alike(one, two);
		struct scopa_text text;

		if (strcmp(one, two) == 0)
			continue;
		text = note_begin(compare, LOOK_DOUBT, "DIFFERS");
		text_printf(&text, "%s: ", setting_names[i]);
		setting_put(&text, one, alike);
		scopa_text_string(&text, " before, ");
		setting_put(&text, two, alike);
		scopa_text_string(&text, " after");
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

/* Adds a row of a bot, whose measure has these values. */
static struct compare_row *
row_add(struct run_compare *compare, const char *name, const char *measure,
    int digits, double before, double after)
{
	struct compare_row *row = &compare->rows[compare->row_count++];

	*row = (struct compare_row){
		.name = name,
		.digits = digits,
		.before.value = before,
		.after.value = after,
		.change = { .value = after - before,
		    .low_beyond = true,
		    .high_beyond = true },
	};
	snprintf(row->measure, sizeof(row->measure), "%s", measure);
	return row;
}

/* Adds a row with intervals, as if the two runs were independent. */
static struct compare_row *
estimate_add(struct run_compare *compare, const char *name, const char *measure,
    int digits, const struct estimate values[2])
{
	struct compare_row *row = row_add(compare, name, measure, digits, 0, 0);

	row->is_estimate = true;
	row->before = values[0];
	row->after = values[1];
	row->change = estimate_change(&values[0], &values[1]);
	return row;
}

/* Adds points per deal and Elo, as in the short report. */
static void
estimates_add(struct run_compare *compare, const char *name, const int bots[2])
{
	const struct report_view *before = compare->before;
	const struct report_view *after = compare->after;
	const struct estimate points[] = { before->ratings.points[bots[0]],
		after->ratings.points[bots[1]] };
	const struct estimate elo[] = { report_elo(before, bots[0]),
		report_elo(after, bots[1]) };
	struct compare_row *row =
	    estimate_add(compare, name, "points per deal", 3, points);
	struct moments rounds;

	if (compare->rounds > 0 && rounds_pair(compare, bots, &rounds))
		row->change = mean_estimate(&rounds, report_level(after));
	estimate_add(compare, name, "Elo", 1, elo);
}

/* Adds the margins by the sources of points that count in one of the runs. */
static void
sources_add(struct run_compare *compare, const char *name, const int bots[2])
{
	const struct report_view *before = compare->before;
	const struct report_view *after = compare->after;

	for (int i = 0; i < SCOPA_ITEM_COUNT; i++) {
		enum scopa_item item = (enum scopa_item)i;
		struct report_source one =
		    report_source_of(before, bots[0], item);
		struct report_source two =
		    report_source_of(after, bots[1], item);

		if (scopa_item_counts(&before->standings->rules, item) ||
		    scopa_item_counts(&after->standings->rules, item))
			row_add(compare, name,
			    number_format("margin by %s", scopa_item_name(item))
				.text,
			    3, one.own - one.others, two.own - two.others);
	}
}

/* Adds the rows of a bot: its index is bots[0] before and bots[1] after. */
static void
rows_add(struct run_compare *compare, const int bots[2])
{
	const char *name = report_name(compare->after, bots[1]);
	const struct standing *one = &compare->before->standings->bots[bots[0]];
	const struct standing *two = &compare->after->standings->bots[bots[1]];

	estimates_add(compare, name, bots);
	row_add(compare, name, "score", 3, one->score / (double)one->games,
	    two->score / (double)two->games);
	row_add(
	    compare, name, "games", 0, (double)one->games, (double)two->games);
	row_add(compare, name, "won", 0, (double)one->results.wins,
	    (double)two->results.wins);
	row_add(compare, name, "drawn", 0, (double)one->results.draws,
	    (double)two->results.draws);
	row_add(compare, name, "lost", 0, (double)one->results.losses,
	    (double)two->results.losses);
	row_add(compare, name, "ms a move", 3, report_think_ms(one),
	    report_think_ms(two));
	row_add(compare, name, "longest ms", 3,
	    (double)one->think_longest_us / 1e3,
	    (double)two->think_longest_us / 1e3);
	row_add(compare, name, "games forfeited", 0, (double)one->forfeits,
	    (double)two->forfeits);
	for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
		row_add(compare, name,
		    number_format(
			"offences, %s", offence_name((enum offence_kind)kind))
			.text,
		    0, (double)one->offences[kind],
		    (double)two->offences[kind]);
	sources_add(compare, name, bots);
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
		for (int i = 0; i < piece.count; i++) {
			const struct compare_row *row =
			    &compare->rows[piece.first + i * piece.step];

			if (row_is_empty(row))
				continue;
			html_table_row(&html);
			html_table_name(
			    &html, number < 2 ? row->name : row->measure);
			html_table_number(&html, row_number(row, &row->before));
			html_table_number(&html, row_number(row, &row->after));
			html_table_number(&html, row_number(row, &row->change));
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

/* The columns of rows for programs. */
static const char export_columns[] =
    "name|measure|before|after|change|low|high";

static void
rows_export(const struct run_compare *compare, struct export *export)
{
	for (int i = 0; i < compare->row_count; i++) {
		const struct compare_row *row = &compare->rows[i];

		export_text(export, row->name);
		export_text(export, row->measure);
		export_real(export, row->before.value, JSON_POINTS);
		export_real(export, row->after.value, JSON_POINTS);
		export_estimate(export, &row->change, JSON_POINTS);
	}
}

int
run_compare_csv(const struct run_compare *compare, FILE *file)
{
	struct export export = {
		.form = EXPORT_CSV,
		.file = file,
		.columns = export_columns,
	};

	export_headings(&export, false);
	rows_export(compare, &export);
	return 0;
}

int
run_compare_json(const struct run_compare *compare, FILE *file)
{
	struct json json;
	struct export rows = {
		.form = EXPORT_JSON,
		.json = &json,
		.columns = export_columns,
	};

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
	rows_export(compare, &rows);
	json_array_end(&json);
	json_document_end(&json);
	return 0;
}
