/*
 * CPU slots, with one queue for slots and one queue for the group of fast bots.
 *
 * cpu_slots_enter() gives a slot or a place in the group at once, or puts the
 * match into a queue. When a slot or a place becomes free, the deadline `grant`
 * is set, and grant_next() serves both queues from the loop. While a match
 * waits for the group, the deadline `look` removes members that have not asked.
 *
 * Invariants: held_count is at most slot_max, group_count is at most
 * CPU_SLOTS_GROUP, and a match is in at most one queue.
 */
#include "cpu_slots.h"

#include <assert.h>

#include "clock.h"

/* Each answer lowers the old estimate of a bot's work by 1/LATELY. */
enum { LATELY = 64 };

static void
group_join(struct cpu_slots *slots, struct cpu_slot_user *user)
{
	TAILQ_INSERT_TAIL(&slots->group, user, group_link);
	slots->group_count++;
	user->grouped = user->asked = true;
	user->answers = CPU_SLOTS_TURN;
}

static void
group_leave(struct cpu_slots *slots, struct cpu_slot_user *user)
{
	TAILQ_REMOVE(&slots->group, user, group_link);
	slots->group_count--;
	user->grouped = false;
	if (!TAILQ_EMPTY(&slots->light_queue))
		loop_deadline_set(slots->loop, &slots->grant, 0);
}

static void
occupy_slot(struct cpu_slots *slots, struct cpu_slot_user *user,
    enum cpu_slot_state state)
{
	user->state = state;
	if (state == CPU_SLOT_HELD)
		slots->held_count++;
	else
		slots->exempt_count++;
	user->company = slots->held_count + slots->exempt_count;
}

static void
grant_next(struct loop_deadline *deadline, int64_t now_ns)
{
	struct cpu_slots *slots = deadline->context;
	struct cpu_slot_user *user;

	(void)now_ns;
	while (slots->held_count < slots->slot_max &&
	    (user = TAILQ_FIRST(&slots->queue)) != NULL) {
		TAILQ_REMOVE(&slots->queue, user, link);
		occupy_slot(slots, user, CPU_SLOT_HELD);
		user->on_slot(user);
	}
	while (slots->group_count < CPU_SLOTS_GROUP &&
	    (user = TAILQ_FIRST(&slots->light_queue)) != NULL) {
		TAILQ_REMOVE(&slots->light_queue, user, link);
		group_join(slots, user);
		occupy_slot(slots, user, CPU_SLOT_EXEMPT);
		user->on_slot(user);
	}
}

static void
set_look(struct cpu_slots *slots, int64_t now_ns)
{
	loop_deadline_set(slots->loop, &slots->look,
	    now_ns + CPU_SLOTS_IDLE_MS * CLOCK_NS_PER_MS);
}

/* A match that has not asked since the last look leaves the group. */
static void
look_round(struct loop_deadline *deadline, int64_t now_ns)
{
	struct cpu_slots *slots = deadline->context;
	struct cpu_slot_user *user, *next;

	TAILQ_FOREACH_SAFE (user, &slots->group, group_link, next) {
		if (!user->asked)
			group_leave(slots, user);
		user->asked = false;
	}
	if (!TAILQ_EMPTY(&slots->light_queue))
		set_look(slots, now_ns);
}

int
cpu_slots_open(
    struct cpu_slots *slots, struct loop *loop, int slot_max, int64_t light_ns)
{
	int error;

	assert(slot_max > 0 && light_ns >= 0);
	*slots = (struct cpu_slots){
		.loop = loop,
		.slot_max = slot_max,
		.light_ns = light_ns,
		.grant = { .on_deadline = grant_next, .context = slots },
		.look = { .on_deadline = look_round, .context = slots },
	};
	TAILQ_INIT(&slots->queue);
	TAILQ_INIT(&slots->light_queue);
	TAILQ_INIT(&slots->group);
	error = loop_deadline_open(loop, &slots->grant);
	return error ? error : loop_deadline_open(loop, &slots->look);
}

void
cpu_slots_close(struct cpu_slots *slots)
{
	if (slots->loop == NULL)
		return;
	assert(slots->held_count == 0 && slots->exempt_count == 0);
	assert(TAILQ_EMPTY(&slots->queue) && TAILQ_EMPTY(&slots->light_queue) &&
	    TAILQ_EMPTY(&slots->group));
	loop_deadline_close(slots->loop, &slots->grant);
	loop_deadline_close(slots->loop, &slots->look);
	slots->loop = NULL;
}

/*
 * Whether a match of fast bots is in the group and may ask, or can join it. If
 * not, the caller puts the match into light_queue.
 */
static bool
group_admits(struct cpu_slots *slots, struct cpu_slot_user *user)
{
	bool alone = TAILQ_EMPTY(&slots->light_queue);

	if (user->grouped && (user->answers > 0 || alone)) {
		user->answers--;
		user->asked = true;
		return true;
	}
	if (!user->grouped && alone && slots->group_count < CPU_SLOTS_GROUP) {
		group_join(slots, user);
		return true;
	}
	if (alone)
		set_look(slots, clock_now_ns());
	return false;
}

static void
join_queue(struct cpu_slots *slots, struct cpu_slot_user *user, bool light)
{
	user->state = CPU_SLOT_WAITING;
	user->light = light;
	TAILQ_INSERT_TAIL(
	    light ? &slots->light_queue : &slots->queue, user, link);
	/*
	 * The match has used its turn in the group, or its bot is not fast any
	 * more. The match that has waited longest takes its place.
	 */
	if (user->grouped)
		group_leave(slots, user);
}

bool
cpu_slots_enter(
    struct cpu_slots *slots, struct cpu_slot_user *user, int64_t work_ns)
{
	bool light = work_ns < slots->light_ns;

	if (user->state != CPU_SLOT_AWAY)
		return user->state != CPU_SLOT_WAITING;
	if (light && group_admits(slots, user)) {
		occupy_slot(slots, user, CPU_SLOT_EXEMPT);
	} else if (!light && slots->held_count < slots->slot_max &&
	    TAILQ_EMPTY(&slots->queue)) {
		occupy_slot(slots, user, CPU_SLOT_HELD);
	} else {
		join_queue(slots, user, light);
		return false;
	}
	return true;
}

void
cpu_slots_leave(struct cpu_slots *slots, struct cpu_slot_user *user)
{
	switch (user->state) {
	case CPU_SLOT_AWAY:
		break;
	case CPU_SLOT_WAITING:
		TAILQ_REMOVE(user->light ? &slots->light_queue : &slots->queue,
		    user, link);
		break;
	case CPU_SLOT_HELD:
		slots->held_count--;
		if (!TAILQ_EMPTY(&slots->queue))
			loop_deadline_set(slots->loop, &slots->grant, 0);
		break;
	case CPU_SLOT_EXEMPT:
		slots->exempt_count--;
		break;
	}
	user->state = CPU_SLOT_AWAY;
}

void
cpu_slots_quit(struct cpu_slots *slots, struct cpu_slot_user *user)
{
	cpu_slots_leave(slots, user);
	if (user->grouped)
		group_leave(slots, user);
}

int64_t
cpu_slot_work_ns(
    const struct cpu_slot_user *user, int64_t work_ns, int64_t used_ns)
{
	int64_t own_ns = user->company > 1 ? used_ns / user->company : used_ns;

	if (work_ns == CPU_SLOT_UNKNOWN)
		return own_ns;
	work_ns -= work_ns / LATELY;
	return own_ns > work_ns ? own_ns : work_ns;
}
