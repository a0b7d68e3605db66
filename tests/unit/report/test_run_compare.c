/*
 * Comparisons of two invented runs.
 */
#include "run_compare.h"

#include <math.h>
#include <string.h>

#include "countof.h"
#include "example.h"
#include "output.h"
#include "test.h"

static struct example before, after;
static struct run_compare compare;
static const char *text;

static int
end(void **state)
{
	run_compare_close(&compare);
	return example_teardown(state);
}

/*
 * Plays rounds of two bots with luck of the packs; the first bot gets `more`
 * additional points.
 */
static void
play_rounds(struct example *example, int count, int more)
{
	for (int i = 0; i < count; i++)
		example_add(example, 0, 1, 4 + more + i % 2 + i % 7, 4 + i % 5);
}

static void
compare_runs(void)
{
	run_compare_close(&compare);
	assert_int_equal(report_compute(&before.view, 0), 0);
	assert_int_equal(report_compute(&after.view, 0), 0);
	assert_int_equal(
	    run_compare_open(&compare, &before.view, &after.view), 0);
}

static const struct compare_row *
row_of(const char *name, const char *measure)
{
	for (int i = 0; i < compare.row_count; i++)
		if (strcmp(compare.rows[i].name, name) == 0 &&
		    strcmp(compare.rows[i].measure, measure) == 0)
			return &compare.rows[i];
	fail_msg("no %s of %s", measure, name);
	return NULL;
}

static const char *
note_of(const char *label)
{
	for (int i = 0; i < compare.note_count; i++)
		if (strcmp(compare.notes[i].label, label) == 0)
			return compare.notes[i].text;
	return "";
}

static int
print_text(const struct run_compare *shown, FILE *file)
{
	const struct report_style style = { .width = 60, .wraps = true };

	return run_compare_text(shown, &style, file);
}

static void
print(int (*format)(const struct run_compare *compare, FILE *file))
{
	assert_int_equal(format(&compare, output_open()), 0);
	text = output_close();
}

/* Opens two runs of this many bots, without blocks. */
static void
open_runs(int bot_count)
{
	example_open(&before, "scopa", bot_count);
	example_open(&after, "scopa", bot_count);
}

TEST(test_same_packs_are_compared_by_round)
{
	const struct compare_row *points;
	double independent;

	open_runs(2);
	play_rounds(&before, 40, 0);
	play_rounds(&after, 40, 0);
	/* One round has another result in the second run. */
	example_add(&before, 0, 1, 4, 4);
	example_add(&after, 0, 1, 5, 4);
	compare_runs();
	points = row_of("bot-1", "points per deal");
	assert_int_equal(compare.rounds, 41);
	assert_true(fabs(points->change.value - 1.0 / 41) < 1e-9);
	independent = hypot(points->before.high - points->before.low,
	    points->after.high - points->after.low);
	assert_true(points->change.high - points->change.low < independent / 5);
	expect_parts(note_of("change"), "round by round");
}

/* Without the same packs the variances of both runs add up. */
TEST(test_other_packs_are_independent)
{
	const struct compare_row *points;

	open_runs(2);
	after.view.seed = "06";
	play_rounds(&before, 40, 0);
	play_rounds(&after, 60, 3);
	compare_runs();
	points = row_of("bot-1", "points per deal");
	assert_int_equal(compare.rounds, 0);
	assert_true(fabs(points->change.value -
			(points->after.value - points->before.value)) < 1e-9);
	assert_true(fabs(points->change.high - points->change.low -
			hypot(points->before.high - points->before.low,
			    points->after.high - points->after.low)) < 1e-9);
	expect_parts(note_of("change"), "independent");
	expect_parts(note_of("result"), "bot-1 is better: +3.");
	assert_true(row_of("bot-1", "won")->change.value > 0);
	assert_true(row_of("bot-1", "games")->change.value == 40);
}

/*
 * Runs of different length, or with a secret seed, are not compared by round.
 */
TEST(test_runs_that_are_no_pair_are_independent)
{
	for (int secret = 0; secret < 2; secret++) {
		open_runs(2);
		if (secret == 1)
			before.view.seed = after.view.seed = NULL;
		play_rounds(&before, 20, 0);
		play_rounds(&after, 30 - 10 * secret, 0);
		compare_runs();
		assert_int_equal(compare.rounds, 0);
		end(NULL);
	}
}

TEST(test_differences_of_the_runs_are_reported_first)
{
	open_runs(3);
	after.view.time_shown = "match:60s+100ms";
	strcpy(after.head.tool, "scopa-arena/9.0.0");
	strcpy(after.head.bots[2].name, "newcomer");
	strcpy(after.head.bots[1].digest, "other");
	for (int i = 0; i < 12; i++) {
		example_add(&before, i % 3, (i + 1) % 3, 3, i % 4);
		example_add(&after, i % 3, (i + 1) % 3, 3, i % 4);
	}
	compare_runs();
	print(print_text);
	assert_int_equal(
	    strncmp(text, "DIFFERS   time: move:10s before", 31), 0);
	expect_parts(text, "\nDIFFERS   version: scopa-arena/0.0.0 before,",
	    "\nDIFFERS   bots: points and Elo are against other",
	    "\nresult    bot-2 is unchanged: ", "\nprograms  changed: bot-2\n",
	    "\nbots      only before: bot-3\n",
	    "\nbots      only after: newcomer\n");
	expect_none(text, "\nresult    bot-1");
}

/* Plays a round in both runs; the second one has additional points. */
static void
play_round(int round, int before_count, int after_count, int points)
{
	for (int i = 0; i < before_count + after_count; i++) {
		bool is_after = i >= before_count;
		struct example *example = is_after ? &after : &before;
		int own = 4 + round % 3 + (is_after ? points : 0);
		struct block_result block = example_pair(
		    example, 0, 1, (int[]){ own, 4, own + i % 2, 4 });

		block.plan.round = round;
		example_count(example, &block);
	}
}

/* The change is the difference of the two means, whatever a round counts. */
TEST(test_rounds_with_unequal_numbers_of_blocks_are_no_pair)
{
	static const struct {
		int first, second, added, rounds;
	} rows[] = { { 2, 2, 0, 12 }, { 1, 4, 0, 0 }, { 2, 2, 1, 0 } };

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		open_runs(2);
		for (int round = 0; round < 12; round++) {
			int count = round % 2 ? rows[i].second : rows[i].first;

			play_round(
			    round, count, count + rows[i].added, 1 + round % 2);
		}
		compare_runs();
		assert_int_equal(compare.rounds, rows[i].rounds);
		for (int n = 0; n < compare.row_count; n++) {
			const struct compare_row *row = &compare.rows[n];

			assert_true(isnan(row->change.value) ||
			    fabs(row->change.value - row->after.value +
				row->before.value) < 1e-6);
		}
		end(NULL);
	}
}

/* Long rules that differ only at their end do so, and their ends are shown. */
TEST(test_long_settings_are_compared_whole)
{
	static char rules[2][300];

	open_runs(2);
	for (int i = 0; i < 2; i++) {
		memset(rules[i], 'x', 200);
		snprintf(rules[i] + 200, 100, ",target=21%d", i);
	}
	before.view.rules = rules[0];
	after.view.rules = rules[1];
	compare_runs();
	assert_string_equal(note_of("DIFFERS"),
	    "rules: ...target=210 before, ...target=211 after");
}

TEST(test_runs_without_a_common_bot_are_reported)
{
	open_runs(2);
	strcpy(after.head.bots[0].name, "x");
	strcpy(after.head.bots[1].name, "y");
	play_rounds(&before, 10, 0);
	compare_runs();
	assert_int_equal(compare.row_count, 0);
	print(print_text);
	expect_parts(text, "only after: x, y");
	print(run_compare_json);
	expect_parts(text, "\"rows\":[]");
}

TEST(test_runs_without_blocks_have_no_numbers)
{
	open_runs(2);
	compare_runs();
	print(print_text);
	example_check_finite(text);
	print(run_compare_csv);
	example_check_finite(text);
	print(run_compare_json);
	expect_none(text, "nan");
}

/* A name cannot be a formula, markup or a sequence for the terminal. */
TEST(test_names_are_text_in_every_format)
{
	static const char name[] = "=<b>|`\x1b[31m\xe2\x80\xae";
	static const struct {
		int (*format)(const struct run_compare *shown, FILE *file);
		const char *shown, *hidden;
	} formats[] = {
		{ print_text, "=<b>|`\\x1b[31m\\xe2\\x80\\xae is ", NULL },
		{ run_compare_csv, "\"'=<b>|", NULL },
		{ run_compare_markdown, "", "<b>" },
		{ run_compare_markdown, "", "`" },
		{ run_compare_html, "=&lt;b&gt;|", "<b>" },
		{ run_compare_json, "", NULL },
	};

	open_runs(2);
	strcpy(before.head.bots[0].name, name);
	strcpy(after.head.bots[0].name, name);
	play_rounds(&before, 10, 0);
	play_rounds(&after, 10, 1);
	compare_runs();
	for (int i = 0; i < COUNTOF(formats); i++) {
		print(formats[i].format);
		expect_none(text, "\x1b", "\xe2\x80\xae");
		expect_parts(text, formats[i].shown);
		if (formats[i].hidden != NULL)
			expect_none(text, formats[i].hidden);
	}
}

TEST_EACH(NULL, end)
