/*
 * The line of progress: its parts, how it is shortened, and the measured speed.
 */
#include "progress.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "example.h"
#include "output.h"
#include "test.h"

static struct example example;

static void
expect_line(const struct progress_facts *facts, const char *expected)
{
	struct scopa_text text = SCOPA_TEXT(PROGRESS_TEXT_SIZE);

	progress_format(facts, &text);
	assert_string_equal(text.bytes, expected);
}

TEST(test_times_are_written_in_suitable_units)
{
	static const struct {
		double seconds;
		const char *expected;
	} rows[] = { { 0, "0 s" }, { 0.1, "1 s" }, { 59, "59 s" },
		{ 59.5, "1:00" }, { 245, "4:05" }, { 3723, "1:02:03" },
		{ 2 * 86400 - 1, "47:59:59" }, { 2 * 86400, "2 days" },
		{ 1e12, "years" }, { HUGE_VAL, "years" },
		{ (double)NAN, "years" } };

	for (int i = 0; i < COUNTOF(rows); i++)
		assert_string_equal(
		    progress_time(rows[i].seconds).text, rows[i].expected);
}

TEST(test_line_of_a_new_run_has_the_number_of_blocks)
{
	struct progress_facts facts;

	example_open(&example, "scopa", 2);
	example.view.blocks_planned = 500;
	facts = progress_collect(&example.view);
	expect_line(&facts, "0% 0/500 blocks");
	example.view.blocks_planned = 0;
	facts = progress_collect(&example.view);
	expect_line(&facts, "0 blocks");
}

TEST(test_two_bots_are_distinguished_from_the_first)
{
	struct progress_facts facts;

	example_open(&example, "scopa", 2);
	example.view.blocks_planned = 300;
	example_play(&example, 0, 1, 100, 5);
	facts = progress_collect(&example.view);
	facts.games_per_s = 812.4;
	facts.seconds_left = 192;
	expect_line(&facts,
	    "33% 100/300 blocks  3:12 left  bot-1 +0.315 +-0.272 per deal"
	    "  score 57.2%  Elo +50.7 +-41.4  0.38 ms a move  812 games/s");
}

TEST(test_line_of_a_gate_has_model_and_unit)
{
	struct progress_facts facts;

	example_gate(&example);
	example_play(&example, 0, 1, 100, 5);
	example_judge(&example, false);
	assert_int_equal(example.verdict.outcome, GATE_OPEN);
	example.verdict.sprt.remaining = 100;
	facts = progress_collect(&example.view);
	facts.seconds_left = 10;
	expect_line(&facts,
	    "50% 100/1000 blocks  about 10 s left"
	    "  bot-1 +0.315 +-0.272 per deal"
	    "  LLR +0.86 of -2.94 and +2.94 (margin, nElo)"
	    "  score 57.2%  Elo +50.7 +-41.4  0.38 ms a move");
	/* The time left is unknown: there is only the limit. */
	example.verdict.sprt.remaining = -1;
	facts = progress_collect(&example.view);
	assert_true(facts.left_is_limit && facts.blocks_left == 900);
	/* More blocks are estimated than the limit allows. */
	example.verdict.sprt.remaining = 5000;
	assert_true(progress_collect(&example.view).blocks_left == 900);
	example.verdict.final = true;
	assert_true(progress_collect(&example.view).blocks_left == 0);
}

TEST(test_games_of_a_test_are_turned_into_blocks)
{
	example_gate(&example);
	example.gate.sprt.model = SPRT_BAYESIAN;
	example_play(&example, 0, 1, 10, 5);
	example_judge(&example, false);
	example.verdict.sprt.remaining = 100;
	assert_true(progress_collect(&example.view).blocks_left == 50);
	example.gate.sprt.model = SPRT_LOGISTIC;
	assert_true(progress_collect(&example.view).blocks_left == 100);
}

TEST(test_line_of_many_bots_names_the_leader)
{
	const int places[] = { 0, 1, 2 };
	struct progress_facts facts;
	struct scopa_text text = SCOPA_TEXT(PROGRESS_TEXT_SIZE);

	example_open(&example, "scopa", 3);
	example_play(&example, 0, 1, 50, -9);
	example_play(&example, 1, 2, 50, 9);
	assert_int_equal(report_compute(&example.view, 0), 0);
	facts = progress_collect(&example.view);
	progress_format(&facts, &text);
	expect_parts(text.bytes, "  bot-2 leads bot-", " per deal");
	expect_none(text.bytes, "Elo");
	/* The first by places may be behind: it has its own points. */
	example.view.places = places;
	assert_int_equal(report_compute(&example.view, 0), 0);
	facts = progress_collect(&example.view);
	text.length = 0;
	progress_format(&facts, &text);
	expect_parts(text.bytes, "  bot-1 -", " per deal  score ", "  Elo -");
	expect_none(text.bytes, "leads");
}

TEST(test_faults_are_reported_by_kind)
{
	const struct progress_facts facts = {
		.blocks = 1,
		.blocks_left = -1,
		.seconds_left = -1,
		.games_per_s = -1,
		.think_ms = -1,
		.forfeits = 3,
		.offences = { [OFFENCE_TIMEOUT] = 2, [OFFENCE_CRASH] = 1 },
		.notice = "disk full\x1b",
	};

	expect_line(
	    &facts, "disk full\\x1b  1 block  forfeits 3, timeout 2, crash 1");
}

TEST(test_line_is_cut_between_its_parts)
{
	static const char line[] = "50% 10 blocks  Elo +21.7  x";
	static const struct {
		const char *line;
		int width;
		const char *shown;
	} rows[] = {
		{ line, 100, line },
		{ line, 27, line },
		{ line, 26, "50% 10 blocks  Elo +21.7" },
		{ line, 24, "50% 10 blocks  Elo +21.7" },
		{ line, 15, "50% 10 blocks" },
		{ line, 13, "50% 10 blocks" },
		{ line, 5, "50% 1" },
		/* If a part does not fit, shorter ones may follow. */
		{ line, 23, "50% 10 blocks  x" },
		{ line, 16, "50% 10 blocks  x" },
		{ line, 0, "" },
		{ line, -1, "" },
		/* A character is never cut. */
		{ "\xe2\x99\xa0\xe2\x99\xa0\xe2\x99\xa0", 2,
		    "\xe2\x99\xa0\xe2\x99\xa0" },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		struct scopa_text text = SCOPA_TEXT(PROGRESS_TEXT_SIZE);

		scopa_text_string(&text, rows[i].line);
		progress_clip(&text, rows[i].width);
		assert_string_equal(text.bytes, rows[i].shown);
		assert_int_equal(text.length, strlen(rows[i].shown));
	}
}

static struct progress_facts
facts_of(int64_t blocks, double left)
{
	return (struct progress_facts){
		.blocks = blocks,
		.games = 2 * blocks,
		.blocks_left = left,
		.name = "bot",
		.think_ms = -1,
	};
}

/*
 * Shows progress that many seconds after the beginning, and returns the facts.
 */
static struct progress_facts
shown_at(struct progress *progress, int seconds, int64_t blocks, double left)
{
	struct progress_facts facts = facts_of(blocks, left);

	progress_show(progress, &facts, seconds * CLOCK_NS_PER_S);
	return facts;
}

TEST(test_speed_is_measured_over_the_last_part)
{
	struct progress progress;
	struct progress_facts facts;

	progress_begin(&progress, -1, 0, 0, 1000, 2000);
	/* A slow start of 100 s, then 50 blocks per second. */
	facts = shown_at(&progress, 100, 1000, 500);
	assert_true(facts.seconds_left < 0);
	for (int second = 1; second <= 1000; second++)
		facts =
		    shown_at(&progress, 100 + second, 1000 + 50 * second, 500);
	assert_true(fabs(facts.games_per_s - 100) < 0.02);
	assert_true(fabs(facts.seconds_left - 10) < 0.01);
}

TEST(test_speed_stays_known_while_no_block_ends)
{
	struct progress progress;

	progress_begin(&progress, -1, 0, 0, 0, 0);
	shown_at(&progress, 1, 100, 100);
	assert_true(
	    fabs(shown_at(&progress, 10, 100, 100).seconds_left - 10) < 0.01);
}

/* Reads a pipe or terminal, which must have exactly these bytes. */
static void
expect_bytes(int fd, const char *expected)
{
	char bytes[4096];
	ssize_t size = read(fd, bytes, sizeof(bytes) - 1);

	assert_true(size >= 0);
	bytes[size] = '\0';
	assert_string_equal(bytes, expected);
}

TEST(test_pipe_gets_a_line_at_each_interval)
{
	struct progress progress;
	struct progress_facts facts = facts_of(0, 10);
	int fds[2];

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	progress_begin(&progress, fds[1], 0, 5, 0, 0);
	assert_int_equal(progress.interval_ns, PROGRESS_NS_ELSEWHERE);
	assert_false(progress_due(&progress, PROGRESS_NS_ELSEWHERE + 4));
	assert_true(progress_due(&progress, PROGRESS_NS_ELSEWHERE + 5));
	progress_show(&progress, &facts, PROGRESS_NS_ELSEWHERE + 5);
	assert_false(progress_due(&progress, PROGRESS_NS_ELSEWHERE + 5));
	expect_bytes(fds[0], "0% 0 blocks\n");
	progress_clear(&progress);
	close(fds[1]);
	expect_bytes(fds[0], "");
	close(fds[0]);
	progress_begin(&progress, -1, 7, 0, 0, 0);
	assert_false(progress_due(&progress, 6));
	assert_true(progress_due(&progress, 7));
}

TEST(test_line_that_takes_long_to_compute_is_rare)
{
	struct progress progress;

	progress_begin(&progress, -1, 7, 100, 0, 0);
	progress.cost_ns = 3;
	assert_false(progress_due(&progress, 100 + 3 * PROGRESS_COSTS - 1));
	assert_true(progress_due(&progress, 100 + 3 * PROGRESS_COSTS));
}

TEST(test_terminal_has_one_line_that_fits)
{
	struct progress progress;
	struct progress_facts facts = facts_of(10, 90);
	int master, terminal = output_terminal(25, &master);

	progress_begin(&progress, terminal, 0, 0, 0, 0);
	assert_int_equal(progress.interval_ns, PROGRESS_NS_TERMINAL);
	facts.notice = "stopping";
	progress_show(&progress, &facts, CLOCK_NS_PER_S);
	expect_bytes(master, "\rstopping  10% 10 blocks");
	facts.notice = NULL;
	progress_show(&progress, &facts, 2 * CLOCK_NS_PER_S);
	expect_bytes(master, "\r10% 10 blocks  18 s left");
	facts = facts_of(20, -1);
	progress_show(&progress, &facts, 2 * CLOCK_NS_PER_S);
	expect_bytes(master, "\r20 blocks  score 0.0%   ");
	progress_clear(&progress);
	expect_bytes(master, "\r                     \r");
	close(terminal);
	close(master);
}

TEST_EACH(NULL, example_teardown)
