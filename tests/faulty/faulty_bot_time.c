/*
 * Misbehaviours of time: a bot that answers late, or thinks when it is not its
 * turn.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "faulty_bot.h"

enum {
	WORD_BASE = 10,
	HOGS = 40, /* default, if the command line has no number */
	HOGS_A_SESSION =
	    2, /* processes in each session, if the bot may make sessions */
	CROWD_S = 3,
	MS_PER_S = 1000,
	NS_PER_MS = 1000000
};

/* Answers after the number of milliseconds on its command line. */
FAULTY_ACTION(answer_after)
{
	faulty_sleep_ms((int)strtol(bot->word, NULL, WORD_BASE));
	return FAULTY_HONESTLY;
}

static void *
think_on(void *context)
{
	(void)context;
	faulty_spin_for_ever();
}

/* Answers at once, and a thread continues to compute in all turns. */
FAULTY_ACTION(ponder)
{
	pthread_t thread;

	pthread_create(&thread, NULL, think_on, NULL);
	return FAULTY_HONESTLY;
}

/*
 * The same in children that compute for a short time, one after the other. As
 * SIGCHLD is ignored, nobody reaps them, and the kernel forgets their CPU time.
 */
FAULTY_ACTION(ponder_unseen)
{
	if (fork() != 0)
		return FAULTY_HONESTLY;
	signal(SIGCHLD, SIG_IGN);
	for (;;) {
		if (fork() == 0) {
			for (volatile int i = 0; i < 1000000; i++)
				;
			_exit(0);
		}
		wait(NULL);
	}
}

/* Uses this number of milliseconds of CPU time for each answer. */
FAULTY_ACTION(compute_for)
{
	long need_ms = strtol(bot->word, NULL, WORD_BASE), used_ms;
	struct timespec begin, now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	do {
		for (volatile int i = 0; i < 10000; i++)
			;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
		used_ms = (now.tv_sec - begin.tv_sec) * MS_PER_S +
		    (now.tv_nsec - begin.tv_nsec) / NS_PER_MS;
	} while (used_ms < need_ms);
	return FAULTY_HONESTLY;
}

/*
 * Starts busy processes, one with a busy thread, as orphans in a session of
 * their own.
 */
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
		faulty_spin_for_ever();
	}
	_exit(0);
}

/* Answers at once, and leaves many processes that are always busy. */
FAULTY_ACTION(hog)
{
	int count = (int)strtol(bot->word, NULL, WORD_BASE);

	if (count <= 0)
		count = HOGS;
	for (; count > 0; count -= HOGS_A_SESSION)
		leave_hogs(count < HOGS_A_SESSION ? count : HOGS_A_SESSION);
	return FAULTY_HONESTLY;
}

/*
 * Answers too late, after it has competed with its own processes for the core.
 */
FAULTY_ACTION(crowd)
{
	time_t begin_s = time(NULL);

	for (int i = 0; i < HOGS; i += HOGS_A_SESSION)
		leave_hogs(HOGS_A_SESSION);
	while (time(NULL) < begin_s + CROWD_S)
		continue;
	return FAULTY_HONESTLY;
}

const struct misbehaviour misbehaviours_of_time[] = {
	{ FAULTY_ROW("F061", "sleeps", FAULTY_AT_TURN, FAULTY_SLEEPS) },
	{ FAULTY_ROW("F061", "computes", FAULTY_AT_TURN, FAULTY_SPINS) },
	FAULTY_TURN("F061", "crowds", crowd),
	/* If it is continued, it does not answer either. */
	{ FAULTY_ROW("F062", "stops", FAULTY_AT_TURN, FAULTY_SLEEPS),
	    .signal = SIGSTOP },
	FAULTY_TURN("F063", "answers-after", answer_after),
	FAULTY_TURN("F065", "ponders", ponder),
	FAULTY_TURN("F065", "ponders-unseen", ponder_unseen),
	FAULTY_TURN("F065", "computes-for", compute_for),
	FAULTY_AT("F079", "hogs", FAULTY_AT_MOVED, hog),
	{ .id = NULL },
};
