/*
 * Sins of time: a bot that comes late, or thinks when it is not its turn.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sin.h"

enum {
	WORD_BASE = 10,
	HOGS = 40,          /* unless its command line says another number */
	HOGS_A_SESSION = 2, /* where it may have sessions of its own */
	MS_PER_S = 1000,
	NS_PER_MS = 1000000
};

static enum sin_course
stop_itself(struct sinner *sinner)
{
	(void)sinner;
	raise(SIGSTOP);
	/* Whoever wakes it up gets no answer either. */
	sin_sleep_for_ever();
}

/* So many milliseconds as its command line says. */
static enum sin_course
answer_after(struct sinner *sinner)
{
	sin_sleep_ms((int)strtol(sinner->word, NULL, WORD_BASE));
	return SIN_HONESTLY;
}

static void *
think_on(void *context)
{
	(void)context;
	sin_spin_for_ever();
}

/* It answers at once, and its thread goes on thinking whoever is to move. */
static enum sin_course
ponder(struct sinner *sinner)
{
	pthread_t thread;

	(void)sinner;
	pthread_create(&thread, NULL, think_on, NULL);
	return SIN_HONESTLY;
}

/* Needs so many milliseconds of a core for each answer. */
static enum sin_course
compute_for(struct sinner *sinner)
{
	long need_ms = strtol(sinner->word, NULL, WORD_BASE), used_ms;
	struct timespec begin, now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	do {
		for (volatile int i = 0; i < 10000; i++)
			;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
		used_ms = (now.tv_sec - begin.tv_sec) * MS_PER_S +
		    (now.tv_nsec - begin.tv_nsec) / NS_PER_MS;
	} while (used_ms < need_ms);
	return SIN_HONESTLY;
}

/* Out of its parent's sight, in a session of its own, with a busy thread. */
static void
leave_hogs(int count)
{
	pid_t child = fork();
	pthread_t thread;

	if (child != 0) {
		waitpid(child, NULL, 0);
		return;
	}
	(void)setsid();
	for (int i = 0; i < count; i++) {
		if (fork() != 0)
			continue;
		if (i == 0)
			pthread_create(&thread, NULL, think_on, NULL);
		sin_spin_for_ever();
	}
	_exit(0);
}

/* It moves at once, and leaves many processes that are always busy. */
static enum sin_course
hog(struct sinner *sinner)
{
	int count = (int)strtol(sinner->word, NULL, WORD_BASE);

	if (count <= 0)
		count = HOGS;
	for (; count > 0; count -= HOGS_A_SESSION)
		leave_hogs(count < HOGS_A_SESSION ? count : HOGS_A_SESSION);
	return SIN_HONESTLY;
}

const struct sin sins_of_time[] = {
	SIN_TURN("F061", "sleeps", sin_sleep_on),
	SIN_TURN("F061", "computes", sin_spin_on),
	SIN_TURN("F062", "stops", stop_itself),
	SIN_TURN("F063", "answers-after", answer_after),
	{ .id = "F064",
	    .name = "answers-slowly",
	    .moment = SIN_AT_TURNS,
	    .commit = answer_after },
	SIN_TURN("F065", "ponders", ponder),
	{ .id = "F065",
	    .name = "computes-for",
	    .moment = SIN_AT_TURNS,
	    .commit = compute_for },
	{ .id = "F079", .name = "hogs", .moment = SIN_AT_MOVED, .commit = hog },
};

const size_t sins_of_time_count = SIN_COUNTOF(sins_of_time);
