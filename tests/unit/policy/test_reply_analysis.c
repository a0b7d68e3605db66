/*
 * What moves leave to the others.
 */
#include "reply_analysis.h"

#include <math.h>
#include <string.h>

#include "scopa/scopa.h"
#include "support.h"
#include "test.h"

static struct scopa_rules rules;
static struct scopa_deal deal;
static struct scopa_view view;
static struct reply_context context;
static struct reply_analysis replies;

/* Seat 0 of two has the move; seat 1 holds `other`, which it knows. */
static void
look(const char *spec, const char *table, const char *hand, const char *other,
    const char *move_text)
{
	struct scopa_move move = { .seat = 0 };

	rules = support_rules(spec);
	support_position(&rules, table, hand, &deal);
	support_hold(&deal, other);
	support_view(&rules, &deal, 0, &view);
	assert_int_equal(scopa_move_parse(move_text, strlen(move_text), &move),
	    SCOPA_PARSED);
	reply_context_init(&context, &rules, &view, &deal);
	reply_analysis_make(&context, &move, &replies);
}

TEST(test_cards_that_take_and_sweep_are_found)
{
	/* The hidden cards are all with seat 1: what it holds is certain. */
	look("scopa", "3C4S", "KDQD", "7SJS", "KD");
	assert_int_equal(replies.takers, support_set("7S"));
	assert_int_equal(replies.sweepers, SCOPA_SET_EMPTY);
	assert_true(replies.taken[0] > 0 && replies.swept[0] == 0);
	assert_true(fabs(replies.idle[0]) < 0.001);
	look("scopa", "3C4S", "ADQD", "JSKC", "AD");
	assert_int_equal(replies.sweepers, support_set("JS"));
	assert_true(replies.swept[0] > 0.99);
	look("quindici", "3C4S", "ADQD", "JS7C", "AD");
	assert_int_equal(replies.sweepers, support_set("7C"));
}

TEST(test_table_that_was_swept_leaves_nothing)
{
	look("scopa", "3C4S", "7DQD", "JS7C", "7Dx3C4S");
	assert_true(replies.effect.scopa);
	assert_int_equal(replies.takers, SCOPA_SET_EMPTY);
	assert_true(replies.taken[0] == 0 && replies.idle[0] == 1);
}

TEST(test_own_hand_is_looked_at_last)
{
	look("scopa", "3C4S", "KDKS", "JSQC", "KD");
	assert_true(replies.idle[0] == 1);
	assert_true(replies.taken[1] > 0 && replies.idle[1] == 0);
	assert_true(reply_analysis_chance(
			&context, &replies, 0, support_card("KS")) == 1);
	assert_true(reply_analysis_chance(
			&context, &replies, 0, support_card("KD")) == 0);
}

TEST(test_sweeps_that_do_not_score_are_none)
{
	look("frac", "3C4S", "ADQD", "JSKC", "AD");
	assert_int_equal(replies.sweepers, SCOPA_SET_EMPTY);
	look("assi", "3C4S", "KDQD", "ASKC", "QD");
	assert_int_equal(replies.sweepers, support_set("AS"));
	look("assi-noscopa", "3C4S", "KDQD", "ASKC", "QD");
	assert_int_equal(replies.sweepers, SCOPA_SET_EMPTY);
}
