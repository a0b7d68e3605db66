/*
 * Sins of time: a bot that comes late, or thinks when it is not its turn.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "sin.h"

enum { WORD_BASE = 10 };

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
};

const size_t sins_of_time_count = SIN_COUNTOF(sins_of_time);
