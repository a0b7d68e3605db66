#include "cpu_slots.h"

#include <assert.h>

#include "clock.h"

/* About how many answers ago something was lately. */
enum { LATELY = 64 };

static void
group_join(struct thinkers *thinkers, struct thinker *thinker)
{
	TAILQ_INSERT_TAIL(&thinkers->group, thinker, group_link);
	thinkers->group_count++;
	thinker->grouped = thinker->asked = true;
	thinker->answers = THINKERS_TURN;
}

static void
group_leave(struct thinkers *thinkers, struct thinker *thinker)
{
	TAILQ_REMOVE(&thinkers->group, thinker, group_link);
	thinkers->group_count--;
	thinker->grouped = false;
	if (!TAILQ_EMPTY(&thinkers->light_line))
		loop_deadline_set(thinkers->loop, &thinkers->grant, 0);
}

static void
begin_thought(struct thinkers *thinkers, struct thinker *thinker,
    enum thinker_state state)
{
	thinker->state = state;
	if (state == THINKER_SEATED)
		thinkers->seated_count++;
	else
		thinkers->passing_count++;
	thinker->company = thinkers->seated_count + thinkers->passing_count;
}

static void
grant_next(struct loop_deadline *deadline, int64_t now_ns)
{
	struct thinkers *thinkers = deadline->context;
	struct thinker *thinker;

	(void)now_ns;
	while (thinkers->seated_count < thinkers->place_max &&
	    (thinker = TAILQ_FIRST(&thinkers->line)) != NULL) {
		TAILQ_REMOVE(&thinkers->line, thinker, link);
		begin_thought(thinkers, thinker, THINKER_SEATED);
		thinker->on_place(thinker);
	}
	while (thinkers->group_count < THINKERS_GROUP &&
	    (thinker = TAILQ_FIRST(&thinkers->light_line)) != NULL) {
		TAILQ_REMOVE(&thinkers->light_line, thinker, link);
		group_join(thinkers, thinker);
		begin_thought(thinkers, thinker, THINKER_PASSING);
		thinker->on_place(thinker);
	}
}

static void
set_look(struct thinkers *thinkers, int64_t now_ns)
{
	loop_deadline_set(thinkers->loop, &thinkers->look,
	    now_ns + THINKERS_IDLE_MS * CLOCK_NS_PER_MS);
}

/* Who was not asked since the last look makes room for others. */
static void
look_round(struct loop_deadline *deadline, int64_t now_ns)
{
	struct thinkers *thinkers = deadline->context;
	struct thinker *thinker, *next;

	TAILQ_FOREACH_SAFE (thinker, &thinkers->group, group_link, next) {
		if (!thinker->asked)
			group_leave(thinkers, thinker);
		thinker->asked = false;
	}
	if (!TAILQ_EMPTY(&thinkers->light_line))
		set_look(thinkers, now_ns);
}

int
thinkers_open(struct thinkers *thinkers, struct loop *loop, int place_max,
    int64_t light_ns)
{
	int error;

	assert(place_max > 0 && light_ns >= 0);
	*thinkers = (struct thinkers){
		.loop = loop,
		.place_max = place_max,
		.light_ns = light_ns,
		.grant = { .on_deadline = grant_next, .context = thinkers },
		.look = { .on_deadline = look_round, .context = thinkers },
	};
	TAILQ_INIT(&thinkers->line);
	TAILQ_INIT(&thinkers->light_line);
	TAILQ_INIT(&thinkers->group);
	error = loop_deadline_open(loop, &thinkers->grant);
	return error ? error : loop_deadline_open(loop, &thinkers->look);
}

void
thinkers_close(struct thinkers *thinkers)
{
	if (thinkers->loop == NULL)
		return;
	assert(thinkers->seated_count == 0 && thinkers->passing_count == 0);
	assert(TAILQ_EMPTY(&thinkers->line) &&
	    TAILQ_EMPTY(&thinkers->light_line) &&
	    TAILQ_EMPTY(&thinkers->group));
	loop_deadline_close(thinkers->loop, &thinkers->grant);
	loop_deadline_close(thinkers->loop, &thinkers->look);
	thinkers->loop = NULL;
}

/* Whether a table of fast bots is of the group, or can be. */
static bool
group_admits(struct thinkers *thinkers, struct thinker *thinker)
{
	bool alone = TAILQ_EMPTY(&thinkers->light_line);

	if (thinker->grouped && (thinker->answers > 0 || alone)) {
		thinker->answers--;
		thinker->asked = true;
		return true;
	}
	if (!thinker->grouped && alone &&
	    thinkers->group_count < THINKERS_GROUP) {
		group_join(thinkers, thinker);
		return true;
	}
	if (alone)
		set_look(thinkers, clock_now_ns());
	return false;
}

static void
stand_in_line(struct thinkers *thinkers, struct thinker *thinker, bool light)
{
	thinker->state = THINKER_WAITING;
	thinker->light = light;
	TAILQ_INSERT_TAIL(
	    light ? &thinkers->light_line : &thinkers->line, thinker, link);
	/* Whose turn is over makes room for who has waited longest. */
	if (thinker->grouped)
		group_leave(thinkers, thinker);
}

bool
thinkers_enter(
    struct thinkers *thinkers, struct thinker *thinker, int64_t work_ns)
{
	bool light = work_ns < thinkers->light_ns;

	if (thinker->state != THINKER_AWAY)
		return thinker->state != THINKER_WAITING;
	if (light && group_admits(thinkers, thinker)) {
		begin_thought(thinkers, thinker, THINKER_PASSING);
	} else if (!light && thinkers->seated_count < thinkers->place_max &&
	    TAILQ_EMPTY(&thinkers->line)) {
		begin_thought(thinkers, thinker, THINKER_SEATED);
	} else {
		stand_in_line(thinkers, thinker, light);
		return false;
	}
	return true;
}

void
thinkers_leave(struct thinkers *thinkers, struct thinker *thinker)
{
	switch (thinker->state) {
	case THINKER_AWAY:
		break;
	case THINKER_WAITING:
		TAILQ_REMOVE(
		    thinker->light ? &thinkers->light_line : &thinkers->line,
		    thinker, link);
		break;
	case THINKER_SEATED:
		thinkers->seated_count--;
		if (!TAILQ_EMPTY(&thinkers->line))
			loop_deadline_set(thinkers->loop, &thinkers->grant, 0);
		break;
	case THINKER_PASSING:
		thinkers->passing_count--;
		break;
	}
	thinker->state = THINKER_AWAY;
}

void
thinkers_quit(struct thinkers *thinkers, struct thinker *thinker)
{
	thinkers_leave(thinkers, thinker);
	if (thinker->grouped)
		group_leave(thinkers, thinker);
}

int64_t
thinker_work_ns(const struct thinker *thinker, int64_t work_ns, int64_t used_ns)
{
	int64_t own_ns =
	    thinker->company > 1 ? used_ns / thinker->company : used_ns;

	if (work_ns == THINKER_UNKNOWN)
		return own_ns;
	work_ns -= work_ns / LATELY;
	return own_ns > work_ns ? own_ns : work_ns;
}
