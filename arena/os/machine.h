/*
 * What the machine gives to this process: the processor cores that it may use,
 * and how to bind a process to one core; how much memory is free, and how many
 * more processes there may be.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CORES_MAX = 1024, CORES_TEXT_SIZE = CORES_MAX * sizeof("1023,") };

struct cores {
	int count;
	short ids[CORES_MAX]; /* the numbers that the kernel gives them */
};

/*
 * Finds the cores that the process may use, in rising order.  Returns 0 or
 * -errno.
 */
int cores_allowed(struct cores *cores);

/*
 * Parses a list such as `0,2-5` in which each core stands once.  Returns false,
 * and writes nothing, if the text is anything else.
 */
bool cores_parse(const char *text, struct cores *cores);

/*
 * Writes the cores in the form that cores_parse() reads.  A text that does not
 * fit is cut.
 */
void cores_format(const struct cores *cores, char *text, size_t size);

bool cores_have(const struct cores *cores, int id);

/*
 * Binds this process, and all that it starts later, to a core.  Returns 0 or
 * -errno.
 */
int cores_pin(int id);

/* The cores from before cores_pin(); NULL if this process was not pinned. */
const struct cores *cores_before_pin(void);

/*
 * Lets this thread, and all that it starts later, run on these cores.  Returns
 * 0 or -errno.
 */
int cores_use(const struct cores *cores);

/*
 * Claims a core among all programs that use this function: until the descriptor
 * is closed, no other claim of that core succeeds.  Returns a descriptor that
 * the caller closes, -EADDRINUSE if the core is claimed already, or another
 * -errno.
 */
int cores_claim(int id);

/*
 * Limits: how much memory and how many processes are left, so that processes
 * that may be needed again can be kept; and how many cores can be busy.  The
 * smallest of several answers counts: that of the machine, and those of all
 * control groups of this process, of version 1 and 2.  `root` is put before the
 * paths of /proc and /sys: "" except in tests.
 */

/*
 * Returns the part of the memory that is free or can be freed, 0..1; 1 if
 * unknown.
 */
double machine_memory_left(const char *root);

/*
 * Returns how many more processes may be started; INT32_MAX without a limit.
 * The limit of the user counts whole (`ulimit -u`): the processes that the user
 * has are not subtracted.
 */
int32_t machine_processes_left(const char *root);

/*
 * Returns how many of the allowed cores this process and its children can keep
 * busy: all, or fewer if the CPU quota of a control group pays only for fewer
 * (rounded down, but at least 1).
 */
int machine_cores(const char *root, const struct cores *allowed);

/*
 * Returns the CPU time in seconds after which the system kills a process
 * (`ulimit -H -t`); 0: there is no limit.
 */
int64_t machine_cpu_limit_s(void);

/*
 * Returns what users can do if this -errno says that a file cannot grow; NULL
 * for others.
 */
const char *machine_room_hint(int error);

#endif
