/*
 * "Did you mean": the nearest of a few names to a word that is none of them.
 */
#ifndef SUGGEST_H
#define SUGGEST_H

#include <stddef.h>

/* Longer words and names are never near anything. */
enum { SCOPA_SUGGEST_LENGTH_MAX = 32 };

struct scopa_suggestion {
	const char *word; /* the caller's, not ended by a NUL */
	size_t length;
	const char *name; /* the nearest so far; NULL where none is near */
	size_t distance;  /* of that name, in slips of the pen */
};

void scopa_suggestion_init(
    struct scopa_suggestion *suggestion, const char *word, size_t length);

/* Keeps `name` if it is near the word and nearer than all before it. */
void scopa_suggestion_offer(
    struct scopa_suggestion *suggestion, const char *name);

#endif
