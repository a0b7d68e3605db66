/*
 * What this process is answerable for, by the kernel's count: its children, and
 * its descriptors.
 *
 * A process that takes over orphans (PR_SET_CHILD_SUBREAPER) gets children that
 * it has not started.  This module knows which children it has started.
 */
#ifndef CHILD_TRACKER_H
#define CHILD_TRACKER_H

#include <stddef.h>
#include <sys/types.h>

/* A child was started: 0 or -ENOMEM; or was reaped. */
int child_tracker_add(pid_t child);
void child_tracker_remove(pid_t child);

/* Nobody is known: in a process that has just been forked. */
void child_tracker_clear(void);

/*
 * From now on orphans below this process come to it, unless it has strangers for
 * children already, which are somebody's.  0 or -errno.
 */
int child_tracker_adopt(void);

/*
 * Kills strangers if they can only be orphans; the first process of a container
 * is given those of others, and reaps the dead.
 */
void child_tracker_settle(void);

/* Strangers among the children, dead or alive; 0 where the kernel does not
 * tell; or -errno. */
int child_tracker_strangers(void);

/* Kills them and all below them, and reaps them; as tree_kill_all(). */
int child_tracker_sweep(void);

/* Reaps those that are dead and leaves the others alone. */
void child_tracker_reap(void);

/* Open descriptors of this process, or -errno. */
int child_tracker_descriptors(void);

#endif
