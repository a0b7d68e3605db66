/*
 * The page of a run, made from invented runs and facts.
 */
#include "run_facts.h"

#include <string.h>

#include "example.h"
#include "html.h"
#include "output.h"
#include "test.h"

enum { MANY = 100 };

#define HOSTILE "<img src=x>\x1b[1m\xe2\x80\xae"

/* The example of the running test. */
static struct example example;
static struct run_facts facts;
static char *page;

/*
 * Makes the page, and checks it for text that no page may have.  The writer of
 * pages itself checks that each element is closed.
 */
static void
page_make(const struct run_facts *of)
{
	assert_int_equal(report_compute(&example.view, 0), 0);
	assert_int_equal(report_html(&example.view, of, output_open()), 0);
	page = output_close();
	expect_none(page, " style=", ">nan", ">-nan", ">inf");
}

/* The page has the sections of `shown`, and none of `hidden`. */
static void
expect_sections(const char *shown, const char *hidden)
{
	for (int i = 0; i < 2; i++) {
		char copy[128], *rest = copy, *id, part[64];

		strcpy(copy, i == 0 ? shown : hidden);
		while ((id = strsep(&rest, " ")) != NULL && *id != '\0') {
			snprintf(part, sizeof(part), "<section id=\"%s\">", id);
			if (i == 0)
				expect_parts(page, part);
			else
				expect_none(page, part);
		}
	}
}

/* Facts of this many bots, with a few of each kind. */
static void
facts_make(int bots)
{
	static char record[] = "match m3\n", log[] = "err: " HOSTILE "\nend\n";
	static struct facts_margins margins[MANY] = {
		{ .low = -1, .width = 0.5, .bin_count = 4, .bins = { 1, 2, 3 } }
	};
	static struct facts_seat seats[2 * MANY] = { { 10, 20, 15 } };
	static struct facts_times times[MANY] = {
		{ .bins = { [3] = 98, [20] = 1 } }
	};
	static int64_t counts[MANY * FACTS_METRIC_MOVES] = { [2] = 4 };
	static double sums[MANY * FACTS_METRIC_MOVES] = { [2] = 10 };

	facts = (struct run_facts){
		.bot_count = bots,
		.seat_count = 2,
		.llr = { { 10, 0.5 }, { 20, 1.25 } },
		.llr_count = 2,
		.margins = margins,
		.margin_count = 1,
		.seats = seats,
		.times = times,
		.slowest = { { { 3, 1, 4 }, 0, 2500, "7Dx3C4S" } },
		.slowest_count = 1,
		.metrics = { { HOSTILE, counts, sums } },
		.metric_count = 1,
		.failures = { { .place = { 2, 1, 0 },
				  .bot = 1,
				  .kind = OFFENCE_CRASH,
				  .reason = "EXIT(1)",
				  .log = log },
		    /* The record does not say by which offence. */
		    { .place = { 4, 0, 0 }, .bot = 1 } },
		.failure_count = 2,
		.games = { { .game = 3,
		    .choice = FACTS_WIDE,
		    .record = record,
		    .size = strlen(record) } },
		.game_count = 1,
	};
}

static void
play_round(int bots)
{
	for (int a = 0; a < bots; a++)
		for (int b = a + 1; b < bots; b++)
			example_play(&example, a, b, 40, 9 * (b - a));
}

TEST(test_round_robin_is_shown)
{
	example_open(&example, "scopa", 3);
	play_round(3);
	page_make(NULL);
	expect_parts(page, "<strong>bot-1</strong> is first",
	    "tournament --config runs/example/config.ini", "10 s a move",
	    "href=\"#standings\"");
	/* The hidden sections have no facts. */
	expect_sections("standings cross sources environment",
	    "bracket llr failures games");
	expect_none(page, "href=\"#games\"");
}

TEST(test_facts_of_the_records_are_shown)
{
	example_open(&example, "scopa", 3);
	play_round(3);
	facts_make(3);
	page_make(&facts);
	expect_sections("margins seats times metrics failures games", "");
	/* Games on the page have links. */
	expect_parts(page, "exited with status 1", "href=\"#m3.d1.p4\"",
	    "m2, deal 1<", "0.500</td>", "<td>2.500</td>");
	expect_none(page, "href=\"#m2.");
	expect_parts(page, "<td class=\"text\">not named</td>");
	/* No share of decisions takes longer than the longest one. */
	expect_parts(page, "<td>0.004</td><td>0.004</td><td>0.900</td>");
	/* Two bots without a time. */
	expect_parts(page, "<td>\u2212</td><td>\u2212</td><td>\u2212</td>");
}

TEST(test_gate_is_shown_with_its_curve)
{
	example_gate(&example);
	example_play(&example, 0, 1, 400, 3);
	example_judge(&example, false);
	facts_make(2);
	page_make(&facts);
	expect_parts(page,
	    "<strong class=\"good\">PASS</strong>: bot-1 against bot-2",
	    "H1: pass", "gate --config runs/example/config.ini",
	    " points per deal, median-unbiased; plain margin +");
	expect_sections("llr", "cross");
	expect_none(page, "the bots differed in");
}

TEST(test_verdict_from_few_differing_blocks_is_marked)
{
	example_gate(&example);
	example_play(&example, 0, 1, 12, 3);
	example_judge(&example, true);
	page_make(NULL);
	expect_parts(page, "Caution: the bots differed in ", " of 12 blocks: ");
}

/* A knockout whose final is not decided is shown only as a list. */
TEST(test_knockout_is_shown_with_its_bracket)
{
	const int places[] = { 0, 1, 2, 3 }, open[] = { -1, -1, 2, -1 };

	example_open(&example, "scopa", 4);
	example.view.format = "knockout";
	example.view.places = open;
	example_play(&example, 0, 2, 10, 5);
	page_make(NULL);
	expect_sections("bracket", "");
	expect_none(page, "id=\"bracket-chart-t\"");
	expect_parts(page,
	    "<strong>bot-1</strong> is one of the 3 bots that "
	    "are left in the knockout tournament.");
	example.view.places = places;
	example_play(&example, 0, 1, 10, 5);
	example_play(&example, 1, 3, 10, 5);
	page_make(NULL);
	expect_sections("bracket", "");
	expect_parts(page, "id=\"bracket-chart-t\"", "semi-final",
	    "<strong>bot-1</strong> has won the knockout tournament, ");
}

TEST(test_text_of_bots_cannot_become_markup)
{
	example_open(&example, "scopa", 3);
	for (int bot = 0; bot < 3; bot++)
		strcpy(example.head.bots[bot].name, HOSTILE);
	strcpy(example.head.name, "</title>" HOSTILE);
	play_round(3);
	facts_make(3);
	page_make(&facts);
	expect_none(page, "<img", "\x1b", "\xe2\x80\xae");
	expect_parts(page, "&lt;img src=x&gt;\\x1b[1m\\xe2");
}

TEST(test_page_of_many_bots_is_small)
{
	example_open(&example, "scopa", MANY);
	for (int a = 0; a + 1 < MANY; a++)
		example_play(&example, a, a + 1, 4, 1);
	facts_make(MANY);
	page_make(&facts);
	expect_parts(page, "id=\"heat-t\"", "Each pair of bots as a table");
	assert_true(strlen(page) < 1024 * 1024);
}

TEST(test_live_sections_are_those_that_change)
{
	struct html html;

	example_open(&example, "scopa", 3);
	play_round(3);
	assert_int_equal(report_compute(&example.view, 0), 0);
	html_init(&html, output_open());
	report_html_live(&example.view, NULL, &html);
	page = output_close();
	assert_int_equal(html.depth, 0);
	expect_sections("result standings", "environment");
	expect_none(page, "<html");
}

TEST_EACH(NULL, example_teardown)
