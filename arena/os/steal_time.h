/*
 * Steal time: for how long nobody could compute here, as whoever runs this
 * machine had its processor.
 *
 * A virtual machine that is not run for some milliseconds mostly cannot know:
 * its kernel counts them as CPU time of the process that would have run.  But a
 * timer that was to wake us meanwhile is late, and by more than we have
 * computed or waited for others.  So there is a beat while somebody minds, and
 * one that is late tells of the core on which we are, which is that of the bots
 * where workers keep to theirs.
 */
#ifndef STEAL_H
#define STEAL_H

#include <stdbool.h>
#include <stdint.h>

#include "loop.h"

enum { STEAL_SPANS_MAX = 16 };

/* From when until when. */
struct steal_span {
	int64_t begin_ns, end_ns;
};

/* Of one loop.  Zeroed ones are closed. */
struct steal {
	struct loop *loop;
	struct loop_deadline beat;
	int schedstat_fd;  /* our own; -1: the kernel does not count */
	int64_t minded_ns; /* until when somebody minds */
	int64_t due_ns;    /* when the next beat is */
	int64_t awake_ns;  /* when the last one was, */
	int64_t cpu_ns;    /* what we had computed by then, */
	int64_t wait_ns;   /* and for how long we had waited for others */
	bool crowded;
	int64_t window_ns;      /* since when we count how crowded it is, */
	int64_t window_wait_ns; /* and for how long we had waited then */
	unsigned int count;     /* of spans, ever */
	struct steal_span spans[STEAL_SPANS_MAX]; /* the last ones, in turn */
};

/* There is nothing to tell where the kernel does not count.  0 or -errno. */
int steal_open(struct steal *steal, struct loop *loop);

void steal_close(struct steal *steal);

/*
 * Somebody minds from now on, for up to two seconds.  Until then the loop wakes
 * up 500 times a second, which takes about a quarter percent of its core, and
 * less often where others keep it waiting.
 */
void steal_mind(struct steal *steal, int64_t now_ns);

/*
 * For how long the processor was stolen since `since_ns`, while somebody
 * minded, in the last STEAL_SPANS_MAX thefts of half a millisecond or more.
 * A theft is taken to have begun 2 ms before the beat that is late by it, for so
 * far apart beats are where it is not crowded.
 */
int64_t steal_ns(struct steal *steal, int64_t since_ns);

#endif
