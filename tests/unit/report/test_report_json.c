/*
 * The report as a JSON document.
 */
#include "report.h"

#include <string.h>

#include "example.h"
#include "folder.h"
#include "output.h"
#include "test.h"

enum { REPLICATES = 50, MANY = 128 };

/* The example of the running test, and its document. */
static struct example example;
static char *document; /* with ' instead of " */

/* Makes the document, and checks that all numbers are finite. */
static void
document_make(int replicates)
{
	assert_int_equal(report_compute(&example.view, replicates), 0);
	report_json(&example.view, NULL, output_open());
	document = output_close();
	/* One document, on one line. */
	assert_string_equal(strchr(document, '\n'), "\n");
	example_check_finite(document);
	for (char *at = document; *at != '\0'; at++)
		*at = *at == '"' ? '\'' : *at;
}

/* Members whose name is a kind of offence or an item. */
static bool
is_named_elsewhere(const char *key)
{
	for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
		if (strcmp(key, offence_name((enum offence_kind)kind)) == 0)
			return true;
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		if (strcmp(key, scopa_item_name((enum scopa_item)item)) == 0)
			return true;
	return false;
}

/* Every member of the document is described in the page of formats. */
static void
check_documented(void)
{
	const char *page = folder_read(folder_source("docs/formats.md"), NULL);
	const char *at = document;
	int seen = 0;

	while ((at = strchr(at, '\'')) != NULL) {
		const char *end = strchr(at + 1, '\'');
		char key[64], quoted[64], estimate[64];
		int length = (int)(end - at - 1);

		assert_non_null(end);
		at++;
		if (end[1] != ':' || length >= 60) {
			at = end + 1;
			continue;
		}
		snprintf(key, sizeof(key), "%.*s", length, at);
		snprintf(quoted, sizeof(quoted), "`%.60s`", key);
		snprintf(estimate, sizeof(estimate), "\"%.60s\":", key);
		if (!is_named_elsewhere(key) && strstr(page, quoted) == NULL &&
		    strstr(page, estimate) == NULL)
			fail_msg("%s is not in formats.md", key);
		seen++;
		at = end + 1;
	}
	assert_true(seen > 50);
}

TEST(test_document_of_a_gate_has_all_parts_of_the_verdict)
{
	example_gate(&example);
	example_play(&example, 0, 1, 400, 3);
	example_judge(&example, false);
	document_make(0);
	expect_parts(document,
	    "{'format':'scopa-arena-report','version':1,"
	    "'run':{'command':'gate','name':'example',"
	    "'tool':'scopa-arena/0.0.0','created':'2026-01-02T03:04:05Z',"
	    "'path':'runs/example','state':'done','format':'gate',"
	    "'rules':'scopa','seats':2,'teams':'AB','deals':1,'target':null,"
	    "'tc':'move:10000','seed':'05','packs':null,",
	    "'level':0.950000,'totals':{'blocks':400,",
	    "'replayed':0,'void_turns':0,'void_games':0,'lag_ms_longest':0.000,"
	    "'sandbox':{'box':800},'unboxed':false,'analysis':0},",
	    "'gate':{'verdict':'pass','reason':'H1 ",
	    "'final':true,'exit':0,'candidate':'bot-1','base':'bot-2',"
	    "'sequential':true,'model':'margin','unit':'nElo','h0':0.000000,"
	    "'h1':10.000000,'alpha':0.050000,'beta':0.050000,'minimum':30,"
	    "'llr':3.8",
	    "'decision':'H1','certain':false,'remaining':",
	    "'unbiased':{'value':0.36", "'unbiased_unit':'points a deal',",
	    "'margin':{'value':0.373750,'low':0.2",
	    "'pentanomial':[39,67,127,70,97],",
	    "'sides':{'hand':{'results':{'wins':190,'draws':90,'losses':120},"
	    "'points':{'value':0.475000,",
	    "'by':'errors','rounds':400,'comparisons':1,'replicates':0,",
	    "'place_probabilities':null", "'variates':[]}\n");
	assert_int_equal(output_count(document, "'against':"), 1);
	check_documented();
}

TEST(test_document_of_a_gate_by_interval_has_no_test)
{
	example_gate(&example);
	example.gate.sequential = false;
	/* The candidate is the worse of the two, and is still the first. */
	example_play(&example, 0, 1, 100, -9);
	example_judge(&example, true);
	document_make(0);
	expect_parts(document, "'verdict':'regression'", "'exit':1,",
	    "'sequential':false,'model':null,", "'llr':null,",
	    "{'name':'bot-1','against':'bot-2','blocks':");
}

TEST(test_document_of_a_tournament_has_all_bots_in_order)
{
	const int places[] = { 2, 0, 1 };
	const bool suspended[] = { true, false, false };
	const struct report_variate variate = { .reference = "greedy",
		.blocks = 9 };

	example_open(&example, "scopa,players=3", 3);
	example.view.deals = 0;
	example.view.places = places;
	example.view.suspended = suspended;
	example.view.variates = &variate;
	example.view.variate_count = 1;
	for (int i = 0; i < 10; i++) {
		const int bots[] = { 0, 1, 2 };
		int32_t scores[3][SCOPA_SEATS_MAX] = { { i % 5, 2, 1 },
			{ 1, 2, i % 5 }, { 0, 3, 2 } };
		struct block_result block =
		    example_block(&example, bots, 3, 3, scores);

		if (i == 4)
			example_forfeit(&example, &block, 1, 2);
		example_count(&example, &block);
	}
	document_make(REPLICATES);
	expect_parts(document, "'deals':null,'target':11,",
	    "'gate':null,'ranking':[{'position':1,'place':1,'name':'bot-2',",
	    "{'position':3,'place':3,'name':'bot-1'");
	assert_int_equal(output_count(document, "'suspended':true"), 1);
	assert_int_equal(output_count(document, "'against':"), 3);
	expect_parts(document, "'timeout':1,");
	assert_int_equal(output_count(document, "'sides':null,"), 3);
	expect_parts(document, "'by_pairs':null",
	    "'by':'errors','rounds':10,'comparisons':3,'replicates':50,"
	    "'matrix':[[null,",
	    "'variates':[{'name':'bot-1','reference':'greedy','blocks':9,"
	    "'plain':");
	check_documented();
}

/*
 * All games of a round have the same packs, and the hand wins them by as many
 * points as the round has.  So twelve games are no more than four.
 */
TEST(test_sides_have_intervals_by_rounds)
{
	static const int pairs[][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };

	example_open(&example, "scopa", 3);
	for (int i = 0; i < 12; i++) {
		const int *pair = pairs[i % 3];
		int hand = i / 3;
		/* The first seat deals. */
		struct block_result block = example_pair(
		    &example, pair[0], pair[1], (int[]){ 0, hand, hand, 0 });

		block.plan.round = i / 3;
		example_count(&example, &block);
	}
	document_make(0);
	assert_int_equal(
	    output_count(document,
		"'sides':{'hand':{'results':{'wins':6,'draws':2,"
		"'losses':0},'points':{'value':1.500000,"
		"'low':-0.554260,'high':3.554260,'beyond':'none'}},"
		"'deck':{'results':{'wins':0,'draws':2,'losses':6},"
		"'points':{'value':-1.500000,"
		"'low':-3.554260,'high':0.554260,'beyond':"
		"'none'}}},"),
	    3);
}

/* Of four bots three meet in each block, so two of them twice in a round. */
TEST(test_encounters_in_larger_blocks_have_intervals_by_rounds)
{
	static const int left_out[] = { 3, 2, 1, 0 };

	example_open(&example, "scopa,players=3", 4);
	for (int i = 0; i < 16; i++) {
		int32_t scores[3][SCOPA_SEATS_MAX] = { { 0 } };
		struct block_result block;
		int bots[3], count = 0;

		for (int bot = 0; bot < 4; bot++)
			if (bot != left_out[i % 4])
				bots[count++] = bot;
		/* The first bot wins by as many points as the round has. */
		for (int game = 0; bots[0] == 0 && game < 3; game++)
			scores[game][0] = i / 4;
		block = example_block(&example, bots, 3, 3, scores);
		block.plan.round = i / 4;
		example_count(&example, &block);
	}
	document_make(0);
	assert_int_equal(output_count(document,
			     "'blocks':8,'repeated':0,'clean_blocks':8,"
			     "'games':24,'margin':{'value':1.500000,"
			     "'low':-0.554260,'high':3.554260,"),
	    3);
	assert_int_equal(output_count(document,
			     "'clean_margin':{'value':1.500000,"
			     "'low':-0.554260,'high':3.554260,"),
	    3);
}

/* A bot that was soon suspended does not prevent that rounds are resampled. */
TEST(test_places_are_resampled_without_a_suspended_bot)
{
	bool suspended[] = { false, false, false };

	example_open(&example, "scopa", 3);
	example.view.suspended = suspended;
	example_play(&example, 0, 1, 40, 3);
	example_play(&example, 1, 2, 2, 9);
	document_make(REPLICATES);
	expect_parts(document, "'replicates':0,");
	suspended[2] = true;
	document_make(REPLICATES);
	expect_parts(document, "'replicates':50,");
	/* Samples say little about the places of that bot itself. */
	expect_parts(document, "'place_probabilities':[null,null,null]");
	assert_int_equal(output_count(document, ":[null,null,null]"), 1);
	check_documented();
}

TEST(test_values_beyond_the_scale_are_marked)
{
	example_open(&example, "scopa", 2);
	example_add(&example, 0, 1, 3, 0);
	document_make(REPLICATES);
	expect_parts(
	    document, "'points':{'value':3.000000,", "'beyond':'both'}");
	assert_int_equal(output_count(document, "e+"), 0);
}

TEST(test_run_without_blocks_has_a_document)
{
	example_open(&example, "scopa", MANY);
	document_make(REPLICATES);
	expect_parts(document, "'encounters':[]", "'think_ms_mean':null",
	    "'rating':{'value':0.000000,'low':-10000.000000,"
	    "'high':10000.000000,'beyond':'both'}");
	assert_int_equal(output_count(document, "'position':"), MANY);
}

TEST_EACH(NULL, example_teardown)
