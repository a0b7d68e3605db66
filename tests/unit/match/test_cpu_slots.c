/*
 * Bots of many matches think by turns: places, the line for them, and who needs
 * none.
 */
#include "cpu_slots.h"

#include "clock.h"
#include "test.h"

enum { MATCHES = CPU_SLOTS_GROUP + 8, LIGHT_NS = 1000, HEAVY_NS = 50000 };

static struct loop *loop;
static struct cpu_slots slots;
static struct cpu_slot_user matches[MATCHES];
static int called[2 * MATCHES], call_count; /* who was given a place, in turn */
static int leaving; /* gives it back in its call; -1: nobody */

static void
on_slot(struct cpu_slot_user *user)
{
	int match = (int)(user - matches);

	assert_int_not_equal(user->state, CPU_SLOT_WAITING);
	called[call_count++] = match;
	if (match == leaving)
		cpu_slots_leave(&slots, user);
}

static int
setup(void **state)
{
	(void)state;
	call_count = 0;
	leaving = -1;
	for (int i = 0; i < MATCHES; i++)
		matches[i] = (struct cpu_slot_user){ .on_slot = on_slot };
	return loop_open(&loop);
}

static int
teardown(void **state)
{
	(void)state;
	for (int i = 0; i < MATCHES; i++)
		cpu_slots_quit(&slots, &matches[i]);
	cpu_slots_close(&slots);
	loop_close(loop);
	return 0;
}

static void
open_places(int slot_max, int64_t light_ns)
{
	assert_int_equal(cpu_slots_open(&slots, loop, slot_max, light_ns), 0);
}

static bool
enter(int match, int64_t work_ns)
{
	return cpu_slots_enter(&slots, &matches[match], work_ns);
}

static void
leave(int match)
{
	cpu_slots_leave(&slots, &matches[match]);
}

/* So many ask one after the other, more than there are places. */
static void
crowd(int places, int count)
{
	open_places(places, 0);
	for (int i = 0; i < count; i++)
		assert_int_equal(enter(i, HEAVY_NS), i < places);
}

/* A round of the loop; so many were called so far, this one the last. */
static void
step(int count, int last)
{
	assert_int_equal(loop_step(loop, clock_now_ns()), 0);
	assert_int_equal(call_count, count);
	if (count > 0)
		assert_int_equal(called[count - 1], last);
}

TEST(test_places_are_given_in_the_order_of_asking)
{
	crowd(2, 5);
	step(0, -1);
	leave(1);
	assert_int_equal(call_count, 0);
	step(1, 2);
	leave(2);
	leave(0);
	step(3, 4);
	assert_int_equal(called[1], 3);
	step(3, 4);
}

TEST(test_bot_that_asks_again_stands_behind_those_who_wait)
{
	crowd(1, 2);
	leave(0);
	assert_false(enter(0, HEAVY_NS));
	step(1, 1);
	leave(1);
	step(2, 0);
}

TEST(test_who_is_fast_needs_no_place)
{
	open_places(1, LIGHT_NS);
	assert_true(enter(0, CPU_SLOT_UNKNOWN));
	assert_false(enter(1, CPU_SLOT_UNKNOWN));
	assert_true(enter(2, LIGHT_NS - 1));
	assert_false(enter(3, LIGHT_NS));
	assert_int_equal(slots.held_count, 1);
	assert_int_equal(slots.exempt_count, 1);
	assert_int_equal(matches[2].company, 2);
	leave(2);
	step(0, -1);
	assert_int_equal(slots.exempt_count, 0);
}

/* As many fast ones as are asked at a time, and two that wait. */
static void
fill_group(void)
{
	open_places(1, LIGHT_NS);
	for (int i = 0; i < CPU_SLOTS_GROUP; i++)
		assert_true(enter(i, 0));
	assert_false(enter(CPU_SLOTS_GROUP, 0));
	assert_false(enter(CPU_SLOTS_GROUP + 1, 0));
	step(0, -1);
}

TEST(test_fast_matches_take_turns_of_many_answers)
{
	fill_group();
	/* Its turn goes on, though others wait. */
	for (int i = 0; i < CPU_SLOTS_TURN; i++) {
		leave(0);
		assert_true(enter(0, 0));
	}
	step(0, -1);
	leave(0);
	assert_false(enter(0, 0));
	step(1, CPU_SLOTS_GROUP);
	assert_int_equal(slots.exempt_count, CPU_SLOTS_GROUP);
}

TEST(test_matches_that_are_not_asked_make_room)
{
	fill_group();
	/* Their bots think: after two looks nobody else has been asked. */
	while (call_count < 2)
		assert_int_equal(loop_step(loop, LOOP_NEVER), 0);
	assert_int_equal(called[0], CPU_SLOTS_GROUP);
	assert_int_equal(called[1], CPU_SLOTS_GROUP + 1);
	assert_int_equal(slots.exempt_count, CPU_SLOTS_GROUP + 2);
	/* Whose bot answers late comes back as everybody does. */
	leave(0);
	assert_true(enter(0, 0));
}

TEST(test_work_is_the_longest_of_late_shared_by_all_who_thought)
{
	struct cpu_slot_user alone = { .company = 1 }, many = { .company = 10 };
	int64_t work_ns;

	open_places(1, 0);
	work_ns = cpu_slot_work_ns(&alone, CPU_SLOT_UNKNOWN, 5000);
	assert_int_equal(work_ns, 5000);
	assert_int_equal(cpu_slot_work_ns(&many, work_ns, 60000), 6000);
	assert_int_equal(cpu_slot_work_ns(&alone, work_ns, 60000), 60000);
	for (int i = 0; i < 300; i++)
		work_ns = cpu_slot_work_ns(&alone, work_ns, 100);
	assert_in_range(work_ns, 100, 200);
}

TEST_EACH(setup, teardown)
