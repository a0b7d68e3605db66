/* The clock of the bots: monotonic time in ns. */
#ifndef SCOPA_BOT_NOW_H
#define SCOPA_BOT_NOW_H

#include <stdint.h>
#include <time.h>

#define NOW_NS_PER_MS INT64_C(1000000)
#define NOW_NS_PER_S INT64_C(1000000000)

/* Returns CLOCK_MONOTONIC in ns. */
static inline int64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NOW_NS_PER_S + now.tv_nsec;
}

#endif
