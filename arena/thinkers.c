#include "thinkers.h"

#include <assert.h>

/* About how many answers ago something was lately. */
enum { LATELY = 64 };

static void
seat_next(struct loop_deadline *deadline, int64_t now_ns)
{
	struct thinkers *thinkers = deadline->context;
	struct thinker *thinker;

	(void)now_ns;
	while (thinkers->seated_count < thinkers->place_max &&
	    (thinker = TAILQ_FIRST(&thinkers->line)) != NULL) {
		TAILQ_REMOVE(&thinkers->line, thinker, link);
		thinkers->seated_count++;
		thinker->state = THINKER_SEATED;
		thinker->company =
		    thinkers->seated_count + thinkers->passing_count;
		thinker->on_place(thinker);
	}
}

int
thinkers_open(struct thinkers *thinkers, struct loop *loop, int place_max,
    int64_t light_ns)
{
	assert(place_max > 0 && light_ns >= 0);
	*thinkers = (struct thinkers){
		.loop = loop,
		.place_max = place_max,
		.light_ns = light_ns,
		.grant = { .on_deadline = seat_next, .context = thinkers },
	};
	TAILQ_INIT(&thinkers->line);
	return loop_deadline_open(loop, &thinkers->grant);
}

void
thinkers_close(struct thinkers *thinkers)
{
	if (thinkers->loop == NULL)
		return;
	assert(thinkers->seated_count == 0 && thinkers->passing_count == 0);
	assert(TAILQ_EMPTY(&thinkers->line));
	loop_deadline_close(thinkers->loop, &thinkers->grant);
	thinkers->loop = NULL;
}

bool
thinkers_enter(
    struct thinkers *thinkers, struct thinker *thinker, int64_t work_ns)
{
	if (thinker->state != THINKER_AWAY)
		return thinker->state != THINKER_WAITING;
	if (work_ns < thinkers->light_ns) {
		thinker->state = THINKER_PASSING;
		thinkers->passing_count++;
	} else if (thinkers->seated_count < thinkers->place_max &&
	    TAILQ_EMPTY(&thinkers->line)) {
		thinker->state = THINKER_SEATED;
		thinkers->seated_count++;
	} else {
		thinker->state = THINKER_WAITING;
		TAILQ_INSERT_TAIL(&thinkers->line, thinker, link);
		return false;
	}
	thinker->company = thinkers->seated_count + thinkers->passing_count;
	return true;
}

void
thinkers_leave(struct thinkers *thinkers, struct thinker *thinker)
{
	switch (thinker->state) {
	case THINKER_AWAY:
		break;
	case THINKER_WAITING:
		TAILQ_REMOVE(&thinkers->line, thinker, link);
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
