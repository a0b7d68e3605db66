/*
 * "Did you mean": the nearest of a few names to a word that is none of them.
 */
#ifndef SCOPA_NEAREST_H
#define SCOPA_NEAREST_H

#include <stddef.h>

/* Longer words and names are near nothing. */
enum { SCOPA_NEAREST_LENGTH_MAX = 32 };

struct scopa_nearest {
	const char *word; /* the caller's, not ended by a NUL */
	size_t length;
	const char *name; /* the nearest so far; NULL where none is near */
	size_t slips; /* of the pen between the two; 0: it begins the name */
};

/* The first `length` bytes of `word` are what was typed. */
void scopa_nearest_init(
    struct scopa_nearest *nearest, const char *word, size_t length);

/* Keeps `name` if it is near the word and nearer than all before it. */
void scopa_nearest_offer(struct scopa_nearest *nearest, const char *name);

#endif
