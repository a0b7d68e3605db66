#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "support.h"
#include "test.h"

/* A deal whose first seat, after the dealer, is the first of two. */
static void
start(
    const struct scopa_rules *rules, const char *cards, struct scopa_deal *deal)
{
	support_deal(rules, cards, rules->players - 1, deal);
}

/* The declarations that stand at the end of the legal moves. */
static void
assert_declarations(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const char *expected)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];
	struct scopa_text text = SCOPA_TEXT(128);
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	bool seen = false;

	for (int i = 0; i < count; i++) {
		if (moves[i].declaration == SCOPA_DECLARE_NOTHING) {
			assert_false(seen);
			continue;
		}
		if (seen)
			scopa_text_char(&text, ' ');
		scopa_move_format(&moves[i], &text);
		seen = true;
	}
	assert_string_equal(text.bytes, expected);
}

TEST(test_hands_are_declared_before_their_first_card)
{
	static struct golden golden;
	int count = 0;

	golden_open(&golden, "declarations.tsv");
	for (char **field = golden.fields; golden_next(&golden); count++) {
		char spec[64];
		struct scopa_rules rules;
		struct scopa_deal deal;

		snprintf(spec, sizeof(spec), "cirulla,declare=%s", field[0]);
		rules = support_rules(spec);
		start(&rules, field[1], &deal);
		support_plays(&rules, &deal, field[2]);
		assert_declarations(&rules, &deal, field[3]);
		if (strcmp(field[4], "-") != 0)
			assert_int_equal(support_check(&rules, &deal, field[4]),
			    SCOPA_NO_DECLARATION);
		assert_int_equal(deal.declared[0], atoi(field[5]));
		assert_int_equal(deal.declared[1], atoi(field[6]));
		assert_int_equal(deal.shown, atoi(field[7]));
		assert_int_equal(deal.turn, atoi(field[8]));
	}
	golden_close(&golden);
	assert_int_equal(count, 26);
}

TEST(test_automatic_declarations_follow_the_dealing_in_turn)
{
	struct scopa_rules rules =
	    support_rules("cirulla,teams=ABAB,declare=auto");
	struct scopa_deal deal;
	struct scopa_text text = support_text();

	/* Seat 2 is the first to play; 3, 1 and, last, 2 may declare. */
	support_deal(&rules, "4S5BQSJS 2C3S3C KDKCKS 2D5C7C 6S6B4B", 0, &deal);
	for (int i = 0; i < deal.history_count; i++) {
		scopa_text_int(&text, deal.history[i].seat + 1);
		scopa_move_format(&deal.history[i], &text);
	}
	assert_string_equal(text.bytes, "2!low3!three4!low:A");
	assert_int_equal(deal.declared[0], 10);
	assert_int_equal(deal.declared[1], 6);
	assert_int_equal(deal.shown, 1 << 1 | 1 << 2 | 1 << 3);
	assert_int_equal(deal.matta, 1);
	assert_int_equal(deal.turn, 1);
	assert_int_equal(
	    support_check(&rules, &deal, "!low"), SCOPA_NO_DECLARATION);
	assert_declarations(&rules, &deal, "");
}
