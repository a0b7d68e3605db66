/*
 * The processor cores that this process may use, and how to stay on one.
 */
#ifndef CORES_H
#define CORES_H

#include <stdbool.h>
#include <stddef.h>

enum { CORES_MAX = 1024 };

struct cores {
	int count;
	short ids[CORES_MAX]; /* as the kernel numbers them */
};

/* Those that the process may use, in rising order.  0 or -errno. */
int cores_allowed(struct cores *cores);

/* Reads `0,2-5`, each core once.  False, and nothing written, otherwise. */
bool cores_parse(const char *text, struct cores *cores);

/* Writes them as cores_parse() reads them; what does not fit is cut. */
void cores_format(const struct cores *cores, char *text, size_t size);

bool cores_have(const struct cores *cores, int id);

/* Keeps the process, and what it starts from now on, on a core.  0 or -errno. */
int cores_pin(int id);

/*
 * Claims a core among the programs that ask by this function: until the
 * descriptor is closed nobody else is given it.  A descriptor that the caller
 * closes, -EADDRINUSE where it is claimed already, or another -errno.
 */
int cores_claim(int id);

#endif
