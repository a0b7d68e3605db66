/*
 * How much CPU time a process has used, with all that it has started.
 */
#ifndef EFFORT_H
#define EFFORT_H

#include <stdint.h>
#include <sys/types.h>

/* Processes of one tree that are looked at; others are left out. */
enum { EFFORT_PROCESSES_MAX = 256 };

/*
 * User and system time of the process, its threads, its children and theirs,
 * the dead ones as far as their parents have reaped them.  Two readings tell
 * how much was used in between, to about 10 ms where something has ended.  What
 * has left the tree, because its parent has died and nobody in it takes over
 * orphans, is not seen; nor are children where the kernel does not name them
 * (CONFIG_PROC_CHILDREN).  0, or -ESRCH where the process has ended.
 *
 * Takes about ten microseconds a process.
 */
int effort_read(pid_t pid, int64_t *cpu_ns);

#endif
