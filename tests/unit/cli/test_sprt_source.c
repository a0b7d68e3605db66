/*
 * Results as the command line gives them.
 */
#include "cmd_sprt.h"

#include <string.h>

#include "test.h"

TEST(test_numbers_are_read_in_their_order)
{
	struct sprt_source source = { .wdl = "3,2,1" };
	struct sprt_evidence evidence;

	assert_int_equal(sprt_source_read(&source, &evidence), STATUS_DONE);
	assert_string_equal(evidence.source, "wdl");
	assert_int_equal(evidence.pair.results.wins, 3);
	assert_int_equal(evidence.pair.results.draws, 2);
	assert_int_equal(evidence.pair.results.losses, 1);

	source = (struct sprt_source){ .penta = "1,2,3,4,1000000000000000" };
	assert_int_equal(sprt_source_read(&source, &evidence), STATUS_DONE);
	assert_string_equal(evidence.source, "penta");
	assert_int_equal(evidence.pair.pairs.counts[0], 1);
	assert_int_equal(evidence.pair.pairs.counts[4], ESTIMATE_COUNT_MAX);
	assert_true(evidence.pair.paired);

	source = (struct sprt_source){ .moments = "9,-0.5,2e0" };
	assert_int_equal(sprt_source_read(&source, &evidence), STATUS_DONE);
	assert_string_equal(evidence.source, "moments");
	assert_int_equal(evidence.pair.margins.count, 9);
	assert_true(evidence.pair.margins.mean == -0.5);
	assert_true(moments_variance(&evidence.pair.margins) == 4);
	assert_true(evidence.pair.paired);
	source.single = true;
	assert_int_equal(sprt_source_read(&source, &evidence), STATUS_DONE);
	assert_false(evidence.pair.paired);
}

TEST(test_what_is_no_result_is_refused)
{
	static const struct sprt_source bad[] = {
		{ .wdl = "1,2" },
		{ .wdl = "1,2,3,4" },
		{ .wdl = "1,2,3," },
		{ .wdl = "1,,3" },
		{ .wdl = "," },
		{ .wdl = "1,2,x" },
		{ .wdl = "1, 2, 3" },
		{ .wdl = "1,2,0x3" },
		{ .wdl = "1,2,nan" },
		{ .wdl = "1,2,inf" },
		{ .wdl = "1,2,1e999" },
		{ .wdl = "1,2,-3" },
		{ .wdl = "1,2,2.5" },
		{ .wdl = "1,2,1000000000000001" },
		{ .penta = "1,2,3,4" },
		{ .penta = "1,2,3,4,5,6" },
		{ .penta = "1,2,3,4,-5" },
		{ .moments = "10,1" },
		{ .moments = "10.5,1,1" },
		{ .moments = "10,1,-1" },
		{ .moments = "10,1000001,1" },
		{ .moments = "10,1,1000001" },
		{ .moments = "10,nan,1" },
		{ .moments = "1,1,1" },
		{ .moments = "0,1,0" },
		{ .wdl = NULL },
		{ .wdl = "1,2,3", .penta = "1,2,3,4,5" },
		{ .wdl = "1,2,3", .bot = "ada" },
		{ .moments = "10,1,1", .base = "ada" },
		{ .wdl = "1,2,3", .single = true },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct sprt_evidence evidence = { .source = "old" };

		assert_int_equal(
		    sprt_source_read(&bad[i], &evidence), STATUS_USAGE);
		assert_null(evidence.source);
	}
}
