/*
 * Who is told how the loop keeps time: now and then that it lives, and when it
 * was away for so long that nothing it measured meanwhile is to be trusted.
 *
 * A process that was stopped, or that found no core to run on, wakes up to
 * deadlines that it had no chance to meet; see loop.h, where the pulses are
 * beaten.
 */
#ifndef PULSE_H
#define PULSE_H

#include <stdint.h>

#include <bsd/sys/queue.h>

/* A loop that is away for longer than this is late. */
#define PULSE_LATE_NS INT64_C(250000000)

/* How often a loop that has a deadline wakes up, if only to see that it can. */
#define PULSE_BEAT_NS INT64_C(50000000)

/* One who is told; the caller's storage. */
struct pulse {
	/* About every PULSE_BEAT_NS.  NULL is allowed. */
	void (*on_beat)(struct pulse *pulse, int64_t now_ns);
	/*
	 * The loop was away for `lag_ns`, until `now_ns`.  What was ready then
	 * has been told, deadlines have not.  NULL is allowed.
	 */
	void (*on_late)(struct pulse *pulse, int64_t now_ns, int64_t lag_ns);
	void *context;
	TAILQ_ENTRY(pulse) link;
};

/* Those of one loop. */
struct pulse_list {
	TAILQ_HEAD(pulse_head, pulse) pulses;
	struct pulse *next; /* to be told, while they are */
	int64_t beat_ns;    /* of the next beat */
};

void pulse_list_init(struct pulse_list *list);

/* Calls may add and remove pulses, their own included. */
void pulse_add(struct pulse_list *list, struct pulse *pulse);
void pulse_remove(struct pulse_list *list, struct pulse *pulse);

/* Tells all of a round that began at `now_ns`, `lag_ns` late. */
void pulse_tell(struct pulse_list *list, int64_t now_ns, int64_t lag_ns);

#endif
