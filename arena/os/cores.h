/*
 * The processor cores that this process may use, and how to bind a process to
 * one core.
 */
#ifndef CORES_H
#define CORES_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
