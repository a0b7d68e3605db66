/*
 * A wall clock that is wrong: a library that is loaded before the arena
 * (LD_PRELOAD).  CLOCK_AHEAD has the seconds by which it is ahead; of several
 * numbers, each reading takes the next one.  The monotonic clock is right.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int
clock_gettime(clockid_t clock, struct timespec *now)
{
	static char *next;
	int answer = (int)syscall(SYS_clock_gettime, clock, now);

	if (clock != CLOCK_REALTIME)
		return answer;
	if (next == NULL || *next == '\0')
		next = getenv("CLOCK_AHEAD");
	now->tv_sec += strtol(next, &next, 10);
	return answer;
}

int
gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	struct timespec precise;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &precise);
	now->tv_sec = precise.tv_sec;
	now->tv_usec = precise.tv_nsec / 1000;
	return 0;
}

time_t
time(time_t *now)
{
	struct timespec precise;

	clock_gettime(CLOCK_REALTIME, &precise);
	if (now)
		*now = precise.tv_sec;
	return precise.tv_sec;
}
