/*
 * The numbers of move sequences of each preset: tests/golden/perft.tsv.
 */
#include "cmd_bench.h"

#include <stdlib.h>

#include "golden.h"
#include "support.h"
#include "test.h"

enum { DEPTH_MAX = 40 };

static struct scopa_move move_buffer[DEPTH_MAX * SCOPA_MOVES_MAX];

/* RULES DEALER PACK COUNT...: the counts of 1, 2, 3 ... moves. */
static void
check_line(const struct golden *golden)
{
	const char *spec = golden->fields[0];
	int dealer = atoi(golden->fields[1]) - 1;
	struct scopa_rules rules = support_rules(spec);
	struct scopa_deal deal;

	assert_true(golden->field_count >= 4);
	assert_true(golden->field_count - 3 <= DEPTH_MAX);
	support_deal(&rules, golden->fields[2], dealer, &deal);
	for (int depth = 1; depth <= golden->field_count - 3; depth++) {
		uint64_t expected =
		    strtoull(golden->fields[2 + depth], NULL, 10);
		uint64_t count = perft_count(&rules, &deal, depth, move_buffer);

		if (count != expected)
			fail_msg("line %d: %s: perft(%d) is %llu, not %llu",
			    golden->line, spec, depth,
			    (unsigned long long)count,
			    (unsigned long long)expected);
	}
}

TEST(test_counts_of_each_preset_are_the_golden_ones)
{
	static struct golden golden;
	uint64_t seen = 0; /* a bit for each preset */

	while (golden_next(&golden, "perft.tsv")) {
		const struct scopa_preset *preset =
		    scopa_preset_find(golden.fields[0]);

		if (preset != NULL)
			seen |= UINT64_C(1) << (preset - scopa_presets);
		check_line(&golden);
	}
	for (int i = 0; i < scopa_preset_count; i++)
		if (!(seen >> i & 1))
			fail_msg("perft.tsv has no row of %s",
			    scopa_presets[i].name);
}

/* Plays the first legal moves until `play_count` cards have been played. */
static void
play_until(
    const struct scopa_rules *rules, struct scopa_deal *deal, int play_count)
{
	while (deal->play_count < play_count) {
		scopa_moves(rules, deal, move_buffer, SCOPA_MOVES_MAX);
		scopa_deal_apply(rules, deal, &move_buffer[0]);
	}
}

TEST(test_depth_0_is_one_sequence_and_sequences_beyond_the_end_do_not_count)
{
	struct scopa_rules rules = support_rules("scopa");
	struct scopa_deal deal;

	support_deal(&rules, "", 1, &deal);
	assert_int_equal(perft_count(&rules, &deal, 0, move_buffer), 1);
	play_until(&rules, &deal, 34);
	assert_true(perft_count(&rules, &deal, 2, move_buffer) >= 1);
	assert_int_equal(perft_count(&rules, &deal, 3, move_buffer), 0);
	play_until(&rules, &deal, 36);
	assert_int_equal(perft_count(&rules, &deal, 1, move_buffer), 0);
}
