/*
 * Finds the name that is most similar to a wrong word, for the question "did
 * you mean".
 */
#ifndef SCOPA_NEAREST_H
#define SCOPA_NEAREST_H

#include <stddef.h>

/* Longer words and names are never similar to anything. */
enum { SCOPA_NEAREST_LENGTH_MAX = 32 };

struct scopa_nearest {
	const char *word; /* the caller's bytes, without a NUL */
	size_t length;
	const char *name; /* most similar name so far; NULL: none */
	/* edits between word and name; 0: the word is the start of the name */
	size_t slips;
};

/* Starts a search for the word, which has `length` bytes. */
void scopa_nearest_init(
    struct scopa_nearest *nearest, const char *word, size_t length);

/*
 * Stores `name` if it is similar to the word and more similar than all before.
 */
void scopa_nearest_offer(struct scopa_nearest *nearest, const char *name);

#endif
