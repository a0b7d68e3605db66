/*
 * Counts the children and the open descriptors of this process, to find leaks,
 * and kills children that it should not have.
 *
 * A process that adopts orphans (PR_SET_CHILD_SUBREAPER) gets children that it
 * has not started.  This module knows which children it has started; the others
 * are called strangers.
 */
#ifndef CHILD_TRACKER_H
#define CHILD_TRACKER_H

#include <sys/types.h>

/* A child was started (returns 0 or -ENOMEM), or was reaped. */
int child_tracker_add(pid_t child);
void child_tracker_remove(pid_t child);

/* Forgets all children. For a process that has just been forked. */
void child_tracker_clear(void);

/*
 * From now on this process adopts the orphans below it. The first process of a
 * container does so anyway. A process that may have strangers among its
 * children already, which it must not kill, does not. Returns 0 or -errno.
 */
int child_tracker_adopt(void);

/*
 * Kills strangers if child_tracker_adopt() has made this process adopt them.
 * The first process of a container also gets orphans of other processes, and
 * only reaps dead ones.
 */
void child_tracker_end_orphans(void);

/*
 * Returns the number of strangers, dead or alive, among the children of the
 * calling thread; 0 if the kernel does not list children; or -errno.
 */
int child_tracker_strangers(void);

/*
 * Kills the strangers and all processes below them, and reaps them. Returns as
 * tree_kill_all().
 */
int child_tracker_sweep(void);

/* Reaps dead strangers. */
void child_tracker_reap(void);

/* Returns the number of open descriptors of this process, or -errno. */
int child_tracker_descriptors(void);

#endif
