/*
 * "Did you mean": the nearest of a few names to a word that is none of them.
 */
#ifndef NEAREST_H
#define NEAREST_H

#include <stddef.h>

/* Longer words and names are never near anything. */
enum { NEAREST_LENGTH_MAX = 32 };

struct nearest {
	const char *word; /* the caller's, not ended by a NUL */
	size_t length;
	const char *name; /* the nearest so far; NULL where none is near */
	size_t distance;  /* of that name, in slips of the pen */
};

void nearest_init(struct nearest *nearest, const char *word, size_t length);

/* Keeps `name` if it is near the word and nearer than all before it. */
void nearest_offer(struct nearest *nearest, const char *name);

#endif
