/*
 * Implements clock.h with clock_gettime(2): CLOCK_MONOTONIC for limits,
 * CLOCK_REALTIME for texts, and the CPU clocks of processes.
 */
#include "clock.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <time.h>

static int64_t
clock_read_ns(clockid_t id)
{
	struct timespec time;
	int status = clock_gettime(id, &time);

	assert(status == 0);
	(void)status;
	return time.tv_sec * CLOCK_NS_PER_S + time.tv_nsec;
}

int64_t
clock_now_ns(void)
{
	return clock_read_ns(CLOCK_MONOTONIC);
}

int64_t
clock_cpu_ns(void)
{
	return clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

int
clock_process_cpu_ns(int pid, int64_t *cpu_ns)
{
	struct timespec time;
	clockid_t id;

	if (clock_getcpuclockid(pid, &id) != 0 || clock_gettime(id, &time) < 0)
		return -ESRCH;
	*cpu_ns = time.tv_sec * CLOCK_NS_PER_S + time.tv_nsec;
	return 0;
}

int64_t
clock_wall_ns(void)
{
	return clock_read_ns(CLOCK_REALTIME);
}

void
clock_utc(char text[CLOCK_UTC_SIZE])
{
	int64_t now_ns = clock_wall_ns();
	time_t now_s = (time_t)(now_ns / CLOCK_NS_PER_S);
	unsigned now_ms = (unsigned)(now_ns / CLOCK_NS_PER_MS % 1000);
	struct tm parts;
	size_t length;

	gmtime_r(&now_s, &parts);
	assert(parts.tm_year >= 70 && parts.tm_year < 8100);
	length = strftime(text, CLOCK_UTC_SIZE, "%FT%T", &parts);
	snprintf(text + length, CLOCK_UTC_SIZE - length, ".%03uZ", now_ms);
}
