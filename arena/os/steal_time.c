#include "steal_time.h"

#include <fcntl.h>
#include <unistd.h>

#include "clock.h"
#include "cpu_usage.h"

#define BEAT_NS (2 * CLOCK_NS_PER_MS)

/*
 * Where we wait in line for a third of the time, others have so much to do that
 * beats would be in their way; a bot waits longer for each that comes before it.
 * Judged by what was waited in the last window.
 */
#define CROWDED_PART 3
#define WINDOW_NS (64 * CLOCK_NS_PER_MS)
#define RARE_BEAT_NS (64 * CLOCK_NS_PER_MS)

#define MINDED_NS (2 * CLOCK_NS_PER_S)

/* Timers are late by a little less than that by themselves. */
#define THEFT_MIN_NS (CLOCK_NS_PER_MS / 2)

/*
 * More than this we neither compute nor wait in line from one beat to the next:
 * the kernel has a look at who runs each few milliseconds.
 */
#define OWN_MAX_NS (5 * CLOCK_NS_PER_MS)

static bool
is_beating(const struct steal *steal)
{
	return steal->beat.deadline_ns != LOOP_NEVER;
}

/* Whether it is crowded, from what we have waited in this window. */
static void
look_around(struct steal *steal, int64_t now_ns)
{
	int64_t window_ns = now_ns - steal->window_ns;

	if (window_ns < WINDOW_NS)
		return;
	steal->crowded =
	    CROWDED_PART * (steal->wait_ns - steal->window_wait_ns) > window_ns;
	steal->window_ns = now_ns;
	steal->window_wait_ns = steal->wait_ns;
}

/* Takes note of how things stand, for the next beat. */
static void
set_beat(struct steal *steal, int64_t now_ns)
{
	steal->awake_ns = now_ns;
	steal->cpu_ns = clock_cpu_ns();
	steal->wait_ns = scheduler_wait_ns(steal->schedstat_fd);
	look_around(steal, now_ns);
	steal->due_ns = now_ns + (steal->crowded ? RARE_BEAT_NS : BEAT_NS);
	loop_deadline_set(steal->loop, &steal->beat, steal->due_ns);
}

/*
 * What we have done since the last beat ourselves, or waited, was no theft; but
 * who computes or waits when the machine stands still is told so of all that.
 */
static void
look(struct steal *steal, int64_t now_ns)
{
	int64_t own_ns = clock_cpu_ns() - steal->cpu_ns +
	    scheduler_wait_ns(steal->schedstat_fd) - steal->wait_ns;
	int64_t begin_ns;

	if (own_ns > OWN_MAX_NS)
		own_ns = OWN_MAX_NS;
	if (now_ns - steal->due_ns - own_ns < THEFT_MIN_NS)
		return;
	/* It has begun after the last beat, and after a rare one long after. */
	begin_ns = steal->awake_ns + own_ns;
	if (begin_ns < steal->due_ns - BEAT_NS)
		begin_ns = steal->due_ns - BEAT_NS;
	steal->spans[steal->count++ % STEAL_SPANS_MAX] = (struct steal_span){
		.begin_ns = begin_ns,
		.end_ns = now_ns,
	};
}

static void
on_heartbeat(struct loop_deadline *deadline, int64_t round_ns)
{
	struct steal *steal = deadline->context;
	int64_t now_ns = clock_now_ns();

	(void)round_ns;
	look(steal, now_ns);
	if (now_ns < steal->minded_ns)
		set_beat(steal, now_ns);
}

int
steal_open(struct steal *steal, struct loop *loop)
{
	int error;

	*steal = (struct steal){
		.loop = loop,
		.beat = { .on_deadline = on_heartbeat, .context = steal },
		.schedstat_fd =
		    open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC),
	};
	error = loop_deadline_open(loop, &steal->beat);
	if (error)
		steal_close(steal);
	return error;
}

void
steal_close(struct steal *steal)
{
	if (steal->loop == NULL)
		return;
	loop_deadline_close(steal->loop, &steal->beat);
	if (steal->schedstat_fd >= 0)
		close(steal->schedstat_fd);
	steal->loop = NULL;
}

void
steal_mind(struct steal *steal, int64_t now_ns)
{
	if (steal->schedstat_fd < 0)
		return;
	steal->minded_ns = now_ns + MINDED_NS;
	if (!is_beating(steal))
		set_beat(steal, now_ns);
}

int64_t
steal_ns(struct steal *steal, int64_t since_ns)
{
	int64_t now_ns = clock_now_ns(), stolen_ns = 0;

	/* The beat that tells may yet be to come. */
	if (is_beating(steal) && now_ns > steal->due_ns) {
		look(steal, now_ns);
		set_beat(steal, now_ns);
	}
	for (unsigned int i = 0; i < steal->count && i < STEAL_SPANS_MAX; i++) {
		struct steal_span span = steal->spans[i];

		if (span.begin_ns < since_ns)
			span.begin_ns = since_ns;
		if (span.end_ns > span.begin_ns)
			stolen_ns += span.end_ns - span.begin_ns;
	}
	return stolen_ns;
}
