/*
 * The only module that reads clocks.
 *
 * Limits are absolute times of the monotonic clock in int64 nanoseconds.  The
 * wall clock is used only for texts in records and logs.
 */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

enum { CLOCK_UTC_SIZE = sizeof("2026-11-21T10:05:48.123Z") };

#define CLOCK_NS_PER_MS INT64_C(1000000)
#define CLOCK_NS_PER_S INT64_C(1000000000)

/* CLOCK_MONOTONIC: it never jumps, and it stops while the machine sleeps. */
int64_t clock_now_ns(void);

/*
 * CLOCK_REALTIME, in nanoseconds since 1970.  Only for a wait that another
 * process limits by that clock; our own limits never use it.
 */
int64_t clock_wall_ns(void);

/*
 * Returns the CPU time, user and system, of this process without its children.
 */
int64_t clock_cpu_ns(void);

/*
 * Writes the CPU time of another process, with all its threads, to *cpu_ns.
 * Returns 0, or -ESRCH if there is no such process.
 */
int clock_process_cpu_ns(int pid, int64_t *cpu_ns);

/* Writes the present time as RFC 3339 in UTC with milliseconds, and a NUL. */
void clock_utc(char text[CLOCK_UTC_SIZE]);

#endif
