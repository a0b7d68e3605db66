/*
 * How long a bot was kept from computing, as others had the processor.
 *
 * Told by what the kernel counts of its first thread: for how long it could have
 * run and did not.  A wait that has not ended yet is not in that count: where the
 * bot wants to run just now, or waits for pages that the kernel has to fetch, up
 * to HINDRANCE_OPEN_MAX_NS of the time in which it has not run is added; and where
 * an earlier call found it ready too, and it has used no CPU time since, the time
 * between the calls as well.  What all its threads have used meanwhile is no
 * hindrance, and of a bot that has started other processes nothing is told: they
 * may be what kept it waiting.  What was stolen from all (steal.h) hinders in any
 * case, but the kernel may count it as CPU time.
 */
#ifndef HINDRANCE_H
#define HINDRANCE_H

#include <stdint.h>
#include <sys/types.h>

/* What is believed of a wait that goes on, when it is first seen. */
#define HINDRANCE_OPEN_MAX_NS INT64_C(250000000)

/* Of one bot; zeroed at first. */
struct hindrance {
	pid_t pid; /* of the bot; 0: not looked for yet, -1: not to be found */
	int schedstat_fd; /* while pid > 0; -1: the kernel does not count */
	int64_t asked_ns;
	/* When it was asked: what it had used, and for how long it had waited. */
	int64_t cpu_ns, wait_ns;
	/* Since when it is ready and has not run, and what it had used; 0: not. */
	int64_t ready_since_ns, ready_cpu_ns;
};

/*
 * The bot below this supervisor is asked now.  Takes two microseconds, the
 * first time a hundred.
 */
void hindrance_begin(struct hindrance *hindrance, pid_t supervisor);

/*
 * For how long it has been hindered since it was asked, until `now_ns`, where
 * the processor was stolen for `stolen_ns` of that.  No less than this, and no
 * more where nobody can tell.  Takes some fifty microseconds.
 */
int64_t hindrance_ns(
    struct hindrance *hindrance, int64_t now_ns, int64_t stolen_ns);

/* Descriptors that are open for it. */
int hindrance_descriptor_count(const struct hindrance *hindrance);

void hindrance_end(struct hindrance *hindrance);

#endif
