/*
 * How much the machine has left for processes that are kept only because they
 * may be needed again: memory, and number of processes.
 *
 * The smallest of several answers counts: that of the machine, and those of all
 * control groups of this process, of version 1 and 2.
 */
#ifndef SPARE_H
#define SPARE_H

#include <stdint.h>

/*
 * Returns the part of the memory that is free or can be freed, 0..1; 1 if
 * unknown.  `root` is put before the paths of /proc and /sys: "" except in
 * tests.
 */
double spare_memory(const char *root);

/* Returns how many more processes may be started; INT32_MAX without a limit. */
int32_t spare_processes(const char *root);

#endif
