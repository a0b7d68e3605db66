/*
 * The text report of invented runs.
 */
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "example.h"
#include "output.h"
#include "test.h"
#include "text_format.h"

enum { WIDTH = 100, MANY = 128 };

static int
lines_wider_than(const char *lines, int width)
{
	char *copy = strdup(lines), *rest = copy, *line;
	int count = 0;

	while ((line = strsep(&rest, "\n")) != NULL)
		count += text_width(line) > width;
	free(copy);
	return count;
}

/* The example of the running test, and its report as text. */
static struct example example;
static char *text;

/* Makes the text again, and checks that all numbers are finite. */
static void
report_make(void)
{
	text = example_text(&example, WIDTH);
	example_check_finite(text);
}

TEST(test_gate_is_reported_with_verdict_first)
{
	example_gate(&example);
	example_play(&example, 0, 1, 400, 3);
	example_judge(&example, false);
	report_make();
	example_compare(text, "report_gate.txt");
}

/* The report without `full`, on a terminal with this many columns. */
static void
short_make(int width)
{
	const struct report_style style = { .width = width, .wraps = true };
	FILE *file = output_open();

	assert_int_equal(report_compute(&example.view, 0), 0);
	assert_int_equal(report_text(&example.view, &style, file), 0);
	/* Commands that can be copied are not wrapped. */
	assert_int_equal(lines_wider_than(output_text(), width), 0);
	report_text_next(&example.view, &style, file);
	text = output_close();
	example_check_finite(text);
}

/*
 * The short report is a result and one table; the complete one is printed on
 * demand.
 */
TEST(test_report_of_many_bots_is_short_or_complete)
{
	example_open(&example, "scopa", MANY);
	for (int bot = 1; bot < MANY; bot++)
		example_add(&example, bot - 1, bot, 2, 1);
	short_make(60);
	assert_int_equal(strncmp(text, "result    bot-1 is first", 24), 0);
	assert_int_equal(output_count(text, "#  name "), 1);
	expect_parts(text, "\nand 98 more bots\n");
	assert_in_range(output_count(text, "\n"), REPORT_SHORT_MAX, 50);
	report_make();
	expect_parts(text, "bot-128", "crosstable: left out");
	expect_none(text, "command");
	assert_int_equal(lines_wider_than(text, WIDTH), 0);
	assert_in_range(output_count(text, "\n"), MANY, 7 * MANY);
	example.view.whole = true;
	report_make();
	expect_none(text, "crosstable: left out");
	assert_true(output_count(text, "\n") > 9 * MANY);
}

/* Only the verdict is coloured. */
TEST(test_short_report_of_a_gate_begins_with_the_candidate)
{
	const struct report_style colored = { .color = true, .width = WIDTH };

	example_gate(&example);
	for (int i = 0; i < 400; i++)
		example_add(&example, 0, 1, i % 3, 3);
	example_judge(&example, false);
	short_make(60);
	expect_parts(text, "verdict   regression, bot-1 against bot-2: ",
	    "\n#  name           points  won  drawn  lost ",
	    "\n1  bot-1  -2.003 +-0.080    0      0   800 ",
	    "\n2  bot-2  +2.003 +-0.080  800      0     0 ");
	report_text_verdict(&example.view, &colored, output_open());
	text = output_close();
	expect_parts(text, "\033[1;31mregression\033[0m, bot-1", "; exit 1)\n");
	assert_int_equal(output_count(text, "\033"), 2);
	assert_int_equal(output_count(text, "\n"), 1);
}

/* A verdict from few blocks with a difference is marked, an open one is not. */
TEST(test_verdict_from_few_differing_blocks_is_marked)
{
	example_gate(&example);
	example.gate.sprt.minimum = 10;
	for (int i = 0; i < 9; i++)
		example_add(&example, 0, 1, 4 + i % 2, 1);
	example_judge(&example, false);
	short_make(WIDTH);
	expect_parts(text, "verdict   open");
	expect_none(text, "CAUTION");
	for (int i = 0; i < 3; i++)
		example_add(&example, 0, 1, 4 + i % 2, 1);
	example_judge(&example, false);
	short_make(WIDTH);
	expect_parts(text, "verdict   pass",
	    "\nCAUTION   the bots differed in 12 of 12 blocks: ");
	report_make();
	assert_int_equal(output_count(text, "CAUTION"), 1);
}

/* Who is first by places may be behind in points, as in a knockout. */
TEST(test_first_place_is_reported_without_a_false_lead)
{
	int places[] = { 1, 0, 2 };

	example_open(&example, "scopa", 3);
	example.view.format = "knockout";
	example.view.places = places;
	for (int i = 0; i < 12; i++) {
		example_add(&example, 0, 2, 5, i % 2);
		example_add(&example, 0, 1, 1, i % 2);
	}
	short_make(WIDTH);
	expect_parts(text, "result    bot-2 has won the knockout tournament\n");
	for (int i = 0; i < 60; i++)
		example_add(&example, 1, 0, 5, i % 2);
	short_make(WIDTH);
	expect_parts(text,
	    "result    bot-2 has won the knockout tournament, 3.67 points per "
	    "deal ahead of bot-1\n");
	places[0] = 0;
	example.view.format = "swiss";
	short_make(WIDTH);
	expect_parts(text, "result    bot-2 shares the first place with bot-1");
	/* Bots that may still win come before those that are out. */
	places[0] = places[1] = -1;
	places[2] = 2;
	example.view.format = "knockout";
	short_make(WIDTH);
	expect_parts(text,
	    "result    bot-2 is one of the 2 bots that are left in the "
	    "knockout tournament\n",
	    "\n3  bot-3 ");
}

/* The suggested next command depends on the state of the run. */
TEST(test_next_command_follows_from_the_state)
{
	static const char *const steps[][2] = {
		{ "done", "report" },
		{ "stopped", "report" },
		{ "running", "watch" },
		{ "announced", "resume" },
		{ "interrupted", "resume" },
		{ "broken off", "resume" },
		{ "failed", "resume" },
	};

	example_open(&example, "scopa", 2);
	example_add(&example, 0, 1, 2, 1);
	for (int i = 0; i < COUNTOF(steps); i++) {
		char line[256];

		example.view.state = steps[i][0];
		short_make(WIDTH);
		snprintf(line, sizeof(line), "\nnext      %s %s runs/example\n",
		    program_invocation_name, steps[i][1]);
		expect_parts(text, line, "status --full runs/example\n");
	}
	example.view.path = NULL;
	short_make(WIDTH);
	expect_none(text, "\nnext ");
}

/* Of many lines of one kind, only the first ones and a count are shown. */
TEST(test_faults_of_many_bots_are_counted)
{
	example_open(&example, "scopa", 8);
	for (int bot = 1; bot < 8; bot++) {
		struct block_result block =
		    example_pair(&example, 0, bot, (int[]){ 1, 0, 1, 0 });

		example_forfeit(&example, &block, 0, 1);
		example_count(&example, &block);
	}
	short_make(WIDTH);
	assert_int_equal(
	    output_count(text, "lost 1 of 2 games by an offence"), 3);
	expect_parts(text, "faults    and 4 more bots that lost games so\n");
}

TEST(test_forfeits_are_reported_with_their_bots)
{
	struct block_result block;

	example_gate(&example);
	example_play(&example, 0, 1, 40, 9);
	block = example_pair(&example, 0, 1, (int[]){ 0, 0, 2, 1 });
	example_forfeit(&example, &block, 0, 0);
	strcpy(block.games[1].sandbox, "unboxed");
	example_count(&example, &block);
	example_judge(&example, true);
	report_make();
	example_compare(text, "report_forfeit.txt");
}

TEST(test_round_robin_is_reported_in_tables)
{
	example_open(&example, "scopa", 4);
	example.view.blocks_planned = 240;
	for (int a = 0; a < 4; a++)
		for (int b = a + 1; b < 4; b++)
			example_play(&example, a, b, 40, b - a);
	report_make();
	example_compare(text, "report_roundrobin.txt");
	assert_int_equal(lines_wider_than(text, WIDTH), 0);
}

/* Six teams with rotated seats, and one suspended bot. */
TEST(test_report_of_six_teams_has_skills)
{
	const int bots[] = { 0, 1, 2, 3, 4, 5 };
	const bool suspended[6] = { [5] = true };

	example_open(&example, "scopa,players=6", 6);
	example.head.game_count = 6;
	example.view.suspended = suspended;
	for (int i = 0; i < 10; i++) {
		int32_t scores[6][SCOPA_SEATS_MAX];
		struct block_result block;

		for (int game = 0; game < 6; game++)
			for (int member = 0; member < 6; member++)
				scores[game][member] =
				    (5 - member + i * game) % (4 + game);
		block = example_block(&example, bots, 6, 6, scores);
		example_count(&example, &block);
	}
	report_make();
	example_compare(text, "report_six.txt");
}

/* One block has no interval. */
TEST(test_run_with_one_block_or_none_is_reported)
{
	example_open(&example, "scopa", 3);
	report_make();
	expect_parts(text, "no block was counted");
	expect_none(text, "ranking");
	example_close(&example);
	example_gate(&example);
	report_make();
	expect_parts(text, "open, bot-1 against bot-2");
	example.view.blocks_planned = 0;
	example_add(&example, 0, 1, 3, 1);
	report_make();
	expect_parts(text, "+2.000 [?, ?]", "won");
	expect_parts(text, ", 1 block of 2 games (duplicate), 2 games, ");
}

TEST(test_elo_of_all_wins_has_no_upper_end)
{
	example_gate(&example);
	for (int i = 0; i < 100; i++)
		example_add(&example, 0, 1, 3, i % 3);
	example_judge(&example, true);
	report_make();
	expect_parts(text, ">10000", "100.0%", ">99.9%");
	expect_none(text, "10000.0");
}

TEST(test_bots_that_never_met_are_not_compared)
{
	example_open(&example, "scopa", 4);
	example_play(&example, 0, 1, 10, 9);
	example_play(&example, 2, 3, 10, 9);
	report_make();
	/* For bots of different groups, the report does not claim a probability
	 * of 50.0%. */
	expect_parts(text, "group", "cannot be compared", "  ?  ");
}

/* The longest possible names, with characters of three bytes. */
TEST(test_long_names_keep_columns_straight)
{
	char *first, *second;

	example_open(&example, "scopa", 3);
	example.head.bots[0].name[0] = '\0';
	for (int i = 0; i < 20; i++)
		strcat(example.head.bots[0].name, "\xe2\x99\xa0");
	memset(example.head.bots[1].name, 'n', EVENT_NAME_SIZE - 1);
	example_add(&example, 0, 1, 2, 1);
	example_add(&example, 1, 2, 2, 1);
	report_make();
	/* All lines except the sentence that names the first bot. */
	assert_int_equal(lines_wider_than(strchr(text, '\n') + 1, WIDTH), 0);
	/* Both rows of the first table have the same width. */
	first = strstr(text, "\n1  ");
	assert_non_null(first);
	second = strchr(first + 1, '\n');
	*second = '\0';
	*strchr(second + 1, '\n') = '\0';
	assert_int_equal(text_width(first + 1), text_width(second + 1));
}

TEST(test_text_of_bots_cannot_control_the_terminal)
{
	struct block_result block;

	example_open(&example, "scopa", 2);
	strcpy(example.head.bots[0].name, "a\x1b[2Jb\xff");
	example.head.bots[0].command = "./bot \x1b]0;title\x07";
	example.view.path = "runs/\x1b[1m";
	block = example_pair(&example, 0, 1, (int[]){ 1, 0, 1, 0 });
	example_forfeit(&example, &block, 0, 1);
	strcpy(block.games[0].offence_reason, "\x1b[31m\xe2\x80\xae");
	strcpy(block.games[0].sandbox, "\x1b[2J");
	example_count(&example, &block);
	report_make();
	expect_none(text, "\x1b", "\x07", "\xff", "\xe2\x80\xae");
	expect_parts(text, "a\\x1b[2Jb\\xff", "\\x1b[31m\\xe2\\x80\\xae\n");
	short_make(WIDTH);
	expect_none(text, "\x1b");
	expect_parts(text, "status --full 'runs/\\x1b[1m'\n");
}

TEST(test_corrected_margins_are_shown_beside_plain_ones)
{
	const struct report_variate variate = {
		.bot = 1,
		.reference = "greedy",
		.blocks = 40,
		.estimate = {
			.plain = { .value = 0.5, .low = 0.1, .high = 0.9 },
			.corrected = { .value = 0.4, .low = 0.2, .high = 0.6 },
			.coefficient = 0.75,
			.variance_ratio = 4,
		},
	};

	example_open(&example, "scopa", 2);
	example_add(&example, 0, 1, 2, 1);
	example.view.variates = &variate;
	example.view.variate_count = 1;
	report_make();
	expect_parts(text,
	    "bot-2  +0.500 +-0.400  +0.400 +-0.200"
	    "            4.00       +0.750      40     greedy\n");
}

static void
expect_style(FILE *file, bool color, int width)
{
	struct report_style style = report_style_of(file);

	assert_int_equal(style.color, color);
	assert_int_equal(style.width, width);
}

TEST(test_style_follows_from_the_file)
{
	int master;
	FILE *terminal = fdopen(output_terminal(132, &master), "r+");
	FILE *null = fopen("/dev/null", "we");

	assert_non_null(terminal);
	assert_non_null(null);
	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	expect_style(terminal, true, 132);
	expect_style(null, false, REPORT_WIDTH);
	setenv("NO_COLOR", "", 1);
	expect_style(terminal, true, 132);
	setenv("NO_COLOR", "1", 1);
	expect_style(terminal, false, 132);
	unsetenv("NO_COLOR");
	setenv("TERM", "dumb", 1);
	expect_style(terminal, false, 132);
	fclose(terminal);
	fclose(null);
	close(master);
}

TEST_EACH(NULL, example_teardown)
