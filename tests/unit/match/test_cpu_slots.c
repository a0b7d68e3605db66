/*
 * Bots of many matches share CPU slots: the order of waiting matches, and the
 * matches that need no slot.
 */
#include "cpu_slots.h"

#include "clock.h"
#include "test.h"

enum { MATCHES = CPU_SLOTS_GROUP + 8, LIGHT_NS = 1000, HEAVY_NS = 50000 };

static struct loop *loop;
static struct cpu_slots slots;
static struct cpu_slot_user matches[MATCHES];
static int called[2 * MATCHES],
    call_count;     /* matches that were given a slot, in order */
static int leaving; /* match that leaves its slot in the callback; -1: none */

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
open_slots(int slot_max, int64_t light_ns)
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

/* `count` matches ask one after the other, more than there are slots. */
static void
crowd(int most, int count)
{
	open_slots(most, 0);
	for (int i = 0; i < count; i++)
		assert_int_equal(enter(i, HEAVY_NS), i < most);
}

/* One step of the loop; `count` matches were called so far, `last` the last. */
static void
step(int count, int last)
{
	assert_int_equal(loop_step(loop, clock_now_ns()), 0);
	assert_int_equal(call_count, count);
	if (count > 0)
		assert_int_equal(called[count - 1], last);
}

TEST(test_slots_are_given_in_the_order_of_requests)
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

TEST(test_match_that_asks_again_is_last_in_the_queue)
{
	crowd(1, 2);
	leave(0);
	assert_false(enter(0, HEAVY_NS));
	step(1, 1);
	leave(1);
	step(2, 0);
}

TEST(test_fast_match_needs_no_slot)
{
	open_slots(1, LIGHT_NS);
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

/* Fast matches for all places of the group, and two that wait. */
static void
fill_group(void)
{
	open_slots(1, LIGHT_NS);
	for (int i = 0; i < CPU_SLOTS_GROUP; i++)
		assert_true(enter(i, 0));
	assert_false(enter(CPU_SLOTS_GROUP, 0));
	assert_false(enter(CPU_SLOTS_GROUP + 1, 0));
	step(0, -1);
}

TEST(test_fast_match_leaves_the_group_after_many_answers)
{
	fill_group();
	/* Its turn continues although others wait. */
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

TEST(test_matches_whose_bots_think_long_leave_the_group)
{
	fill_group();
	/* Their bots think: in two checks no other bot was asked. */
	while (call_count < 2)
		assert_int_equal(loop_step(loop, LOOP_NEVER), 0);
	assert_int_equal(called[0], CPU_SLOTS_GROUP);
	assert_int_equal(called[1], CPU_SLOTS_GROUP + 1);
	assert_int_equal(slots.exempt_count, CPU_SLOTS_GROUP + 2);
	/* A match whose bot answers late may ask again. */
	leave(0);
	assert_true(enter(0, 0));
}

TEST(test_work_is_the_longest_recent_time_divided_by_the_bots_that_thought)
{
	struct cpu_slot_user alone = { .company = 1 }, many = { .company = 10 };
	int64_t work_ns;

	open_slots(1, 0);
	work_ns = cpu_slot_work_ns(&alone, CPU_SLOT_UNKNOWN, 5000);
	assert_int_equal(work_ns, 5000);
	assert_int_equal(cpu_slot_work_ns(&many, work_ns, 60000), 6000);
	assert_int_equal(cpu_slot_work_ns(&alone, work_ns, 60000), 60000);
	for (int i = 0; i < 300; i++)
		work_ns = cpu_slot_work_ns(&alone, work_ns, 100);
	assert_in_range(work_ns, 100, 200);
}

TEST_EACH(setup, teardown)
