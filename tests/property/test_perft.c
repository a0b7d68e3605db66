/*
 * Numbers of move sequences of every preset, tests/golden/perft.tsv.
 */
#include "cmd_bench.h"

#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "pack_file.h"
#include "support.h"
#include "test.h"

enum { DEPTH_MAX = 40 };

static struct scopa_move *room;

static int
room_open(void **state)
{
	(void)state;
	room = calloc(DEPTH_MAX, SCOPA_MOVES_MAX * sizeof(*room));
	return room == NULL;
}

static int
room_close(void **state)
{
	(void)state;
	free(room);
	return 0;
}

/* A deal of a whole pack, as files of packs have it. */
static void
deal_start(const struct scopa_rules *rules, const char *cards, int dealer,
    struct scopa_deal *deal)
{
	uint8_t pack[SCOPA_PACK_SIZE];
	struct scopa_text why = support_text();

	assert_int_equal(
	    pack_file_line_read(cards, strlen(cards), pack, &why), 1);
	assert_int_equal(
	    scopa_deal_start(rules, pack, dealer, deal), SCOPA_START_PLAY);
}

/* RULES DEALER PACK COUNT...: the counts of 1, 2, 3 moves and on. */
static void
check_line(const struct golden *golden)
{
	const char *spec = golden->fields[0];
	int dealer = atoi(golden->fields[1]) - 1;
	struct scopa_rules rules = support_rules(spec);
	struct scopa_deal deal;

	assert_true(golden->field_count >= 4);
	assert_true(golden->field_count - 3 <= DEPTH_MAX);
	deal_start(&rules, golden->fields[2], dealer, &deal);
	for (int depth = 1; depth <= golden->field_count - 3; depth++) {
		uint64_t expected =
		    strtoull(golden->fields[2 + depth], NULL, 10);
		uint64_t count = perft_count(&rules, &deal, depth, room);

		if (count != expected)
			fail_msg("line %d: %s: perft %d is %llu, not %llu",
			    golden->line, spec, depth,
			    (unsigned long long)count,
			    (unsigned long long)expected);
	}
}

TEST(test_golden_counts_hold_for_every_preset)
{
	struct golden golden;
	int presets = 0;

	golden_open(&golden, "perft.tsv");
	while (golden_next(&golden)) {
		if (scopa_preset_find(golden.fields[0]) != NULL)
			presets++;
		check_line(&golden);
	}
	golden_close(&golden);
	assert_true(presets >= scopa_preset_count);
}

/* Plays the first legal moves until so many cards have been played. */
static void
play_until(
    const struct scopa_rules *rules, struct scopa_deal *deal, int play_count)
{
	while (deal->play_count < play_count) {
		scopa_moves(rules, deal, room, SCOPA_MOVES_MAX);
		scopa_deal_apply(rules, deal, &room[0]);
	}
}

TEST(test_no_move_is_one_sequence_and_the_end_cuts_others_short)
{
	struct scopa_rules rules = support_rules("scopa");
	struct scopa_deal deal;

	support_deal(&rules, "", 1, &deal);
	assert_int_equal(perft_count(&rules, &deal, 0, room), 1);
	play_until(&rules, &deal, 34);
	assert_true(perft_count(&rules, &deal, 2, room) >= 1);
	assert_int_equal(perft_count(&rules, &deal, 3, room), 0);
	play_until(&rules, &deal, 36);
	assert_int_equal(perft_count(&rules, &deal, 1, room), 0);
}

TEST_GROUP(room_open, room_close)
