/*
 * What the machine has left for processes that are only kept because they may
 * be needed again: memory, and processes.
 *
 * The smallest answer counts, of the machine's and of all control groups that
 * this process is in, of version 1 or 2.
 */
#ifndef SPARE_H
#define SPARE_H

#include <stdint.h>

/*
 * The part of the memory that is free or can be made so, 0..1; 1 where nothing
 * tells.  `root` goes before the paths of /proc and /sys: "" but in tests.
 */
double spare_memory(const char *root);

/* How many more processes may be started; INT32_MAX where nothing limits it. */
int32_t spare_processes(const char *root);

#endif
