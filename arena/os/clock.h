/*
 * The only reader of clocks.
 *
 * Limits are absolute times of the monotonic clock in int64 nanoseconds; the
 * wall clock is good for nothing but the text in a record or a log.
 */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

enum { CLOCK_UTC_SIZE = sizeof("2026-11-21T10:05:48.123Z") };

#define CLOCK_NS_PER_MS INT64_C(1000000)
#define CLOCK_NS_PER_S INT64_C(1000000000)

/* CLOCK_MONOTONIC: never steps, stands still while the machine sleeps. */
int64_t clock_now_ns(void);

/*
 * CLOCK_REALTIME, since 1970: for a wait that another process limits by that
 * clock, and for nothing that we limit.
 */
int64_t clock_wall_ns(void);

/* CPU time, user and system, that this process has used; without children. */
int64_t clock_cpu_ns(void);

/*
 * The same of another process, threads included: in *cpu_ns.  0, or -ESRCH
 * where there is none.
 */
int clock_process_cpu_ns(int pid, int64_t *cpu_ns);

/* The present time as RFC 3339 in UTC with milliseconds, NUL at the end. */
void clock_utc(char text[CLOCK_UTC_SIZE]);

#endif
