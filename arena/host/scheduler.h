/*
 * What the kernel's scheduler tells of a thread, and what it may be asked for.
 */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include <stdint.h>

/*
 * For how long a thread could have run in its life and others did, ns, as
 * /proc/PID/schedstat says (run_delay); 0 where `fd`, that file, does not tell.
 */
int64_t scheduler_wait_ns(int fd);

/*
 * The calling thread never computes for long, but is to run soon whenever it
 * wakes up: a request for the shortest slice, which Linux hears from 6.12 on.
 * What it starts is as before, so it is not asked for where the thread has a
 * priority that this would take from its children.
 */
void scheduler_hurry(void);

/*
 * The calling thread, and what it starts, does not push aside whoever runs on
 * its core when it wakes up (SCHED_BATCH).
 */
void scheduler_yield(void);

#endif
