/*
 * "Did you mean": the nearest of a few names to a word that is none of them.
 */
#ifndef GUESS_H
#define GUESS_H

#include <stddef.h>

/* Longer words are near nothing. */
enum { GUESS_LENGTH_MAX = 32 };

struct guess {
	const char *word; /* the caller's */
	size_t length;
	const char *name; /* the nearest so far; NULL where none is near */
	size_t slips;     /* between the two; 0 where one begins the other */
};

/* The first `length` bytes of `word` are what was typed. */
void guess_init(struct guess *guess, const char *word, size_t length);

/* Keeps `name` if it is near the word and nearer than all before it. */
void guess_offer(struct guess *guess, const char *name);

#endif
