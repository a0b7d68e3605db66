/*
 * A test program that starts bots is its own launcher and its own bots: each
 * kind of bot is a role of the program.
 */
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>

#define CHILD_ROLE "child"

/*
 * The first lines of main(): `if (child_is(argc, argv)) return child_run(..)`.
 */
bool child_is(int argc, char **argv);

/* Plays the launcher or `child ROLE [ARGUMENT]`; an exit status. */
int child_run(int argc, char **argv);

/* The descriptors that this process has open. */
int child_descriptors(void);

/* Has this process no child, dead or alive? */
bool child_none(void);

/*
 * For cmocka, before and after a test: the latter fails where a child is left,
 * or another number of descriptors is open.
 */
int child_look_before(void **state);
int child_look_after(void **state);

/*
 * The one child of a process; waits a while until it has one.  0: it has not.
 */
int child_of(int pid);

/* Ignores all signals that a process can ignore. */
void child_ignore_signals(void);

#endif
