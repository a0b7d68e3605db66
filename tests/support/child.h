/*
 * A test program is also the launcher and the built-in bots that it starts; its
 * other bots are scripts.
 */
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>

/* Whether this process has such a role: then main() returns child_run(). */
bool child_is(int argc, char **argv);

/* Runs the launcher or `bot BUILTIN`; returns an exit status. */
int child_run(int argc, char **argv);

/* The number of open descriptors of this process. */
int child_descriptors(void);

/* Whether this process has no child, dead or alive. */
bool child_none(void);

/*
 * For cmocka, before and after a test: the latter fails if a child is left, or
 * if the number of open descriptors has changed.
 */
int child_look_before(void **state);
int child_look_after(void **state);

/* The only child of a process; waits some time for one.  0: there is none. */
int child_of(int pid);

/* Sleeps until a signal ends the process. */
_Noreturn void child_sleep(void);

/*
 * Starts so many processes that ignore all signals they can, like this process
 * from now on, each with a session of its own.  Some of them are orphans, and
 * some are stopped.
 */
void child_crowd(int count);

#endif
