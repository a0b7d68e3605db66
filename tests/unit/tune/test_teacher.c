/*
 * The teacher: worlds that fit, results as they are counted, values that tell
 * good moves from bad ones, and lessons that add up.
 */
#include "teacher.h"

#include "lesson.h"
#include "sample.h"
#include "scopa/scopa.h"
#include "support.h"
#include "test.h"

enum { WORLDS = 100 };

static const struct teacher teacher = { .tables = policy_tables, .worlds = 40 };

/* Seat 0 can take the settebello, or lay it before a seven. */
static void
settebello_fill(const struct scopa_rules *rules, struct scopa_deal *deal)
{
	support_position(rules, "7SQC", "7DKS", deal);
	support_hold(deal, "7BJD");
	deal->dealt = SCOPA_PACK_SIZE;
}

TEST(test_worlds_fit_what_is_known)
{
	const struct scopa_rules rules = support_rules("cirulla");
	uint64_t random = 1;

	for (int i = 0; i < WORLDS; i++) {
		struct scopa_deal deal, world;
		int seat;

		teacher_deal(&rules, &random, &deal);
		teacher_world(&rules, &deal, &random, &world);
		seat = deal.turn;
		assert_int_equal(world.turn, seat);
		assert_true(world.hands[seat] == deal.hands[seat]);
		assert_true(world.table == deal.table);
		assert_int_equal(scopa_set_count(world.hands[!seat]), 3);
		assert_true(
		    !(world.hands[!seat] & (deal.table | deal.hands[seat])));
	}
}

TEST(test_the_better_move_has_the_greater_value)
{
	const struct scopa_rules rules = support_rules("scopa");
	struct scopa_move moves[SCOPA_MOVES_MAX];
	struct scopa_deal deal;
	double values[SCOPA_MOVES_MAX];
	uint64_t random = 3;
	int count;

	settebello_fill(&rules, &deal);
	count = scopa_moves(&rules, &deal, moves, SCOPA_MOVES_MAX);
	assert_int_equal(count, 2);
	assert_int_equal(moves[0].card, support_card("7D"));
	teacher_values(&teacher, &rules, &deal, moves, count, &random, values);
	assert_true(values[0] > values[1]);
}

TEST(test_results_are_points_over_the_others)
{
	const struct scopa_rules rules = support_rules("scopa,players=3");
	const struct scopa_rules least = support_rules("perdere,players=3");
	struct scopa_deal deal = { .turn = SCOPA_SEAT_NONE,
		.winner = SCOPA_TEAM_NONE,
		.scopas = { 3, 1, 2 } };

	assert_near(teacher_result(&rules, &deal, 0), 1.5, 1e-9);
	assert_near(teacher_result(&rules, &deal, 2), 0, 1e-9);
	assert_near(teacher_result(&least, &deal, 0), -1.5, 1e-9);
}

TEST(test_lessons_add_up)
{
	struct lessons lessons = { 0 };
	uint64_t random = 4;
	int held_out = 0;

	for (int family = 0; family < POLICY_FAMILY_COUNT; family++) {
		struct teacher quick = teacher;

		quick.worlds = 2;
		teacher_teach(
		    &quick, (enum policy_family)family, 11, &random, &lessons);
	}
	assert_true(lessons.count > 100);
	for (size_t i = 0; i < lessons.count; i++) {
		const struct lesson *lesson = &lessons.items[i];
		double total = 0;

		assert_true(lesson->count > 1);
		assert_in_range(lesson->phase, 0, POLICY_PHASE_COUNT - 1);
		for (int move = 0; move < lesson->count; move++)
			total +=
			    (double)
				lessons.targets[lesson->first + (size_t)move];
		assert_near(total, 1, 1e-4);
		held_out += lesson->held_out;
	}
	assert_true(held_out > 0 && (size_t)held_out < lessons.count / 2);
	lessons_close(&lessons);
}
