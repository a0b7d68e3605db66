#include "guess.h"

#include <string.h>

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Slips of the pen between two words: characters put in, left out, replaced,
 * or swapped with their neighbour (optimal string alignment).
 */
static size_t
slips_between(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t table[GUESS_LENGTH_MAX + 1][GUESS_LENGTH_MAX + 1];

	for (size_t i = 0; i <= a_length; i++)
		table[i][0] = i;
	for (size_t j = 0; j <= b_length; j++)
		table[0][j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		for (size_t j = 1; j <= b_length; j++) {
			size_t slip = a[i - 1] == b[j - 1] ? 0 : 1;
			size_t slips = least(table[i - 1][j - 1] + slip,
			    least(table[i - 1][j], table[i][j - 1]) + 1);

			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				slips = least(slips, table[i - 2][j - 2] + 1);
			table[i][j] = slips;
		}
	}
	return table[a_length][b_length];
}

void
guess_init(struct guess *guess, const char *word, size_t length)
{
	guess->word = word;
	guess->length = length;
	guess->name = NULL;
	guess->slips = 0;
}

void
guess_offer(struct guess *guess, const char *name)
{
	size_t length = strlen(name);
	size_t slips;

	if (length > GUESS_LENGTH_MAX || guess->length > GUESS_LENGTH_MAX)
		return;
	if (guess->length >= 3 && guess->length < length &&
	    memcmp(guess->word, name, guess->length) == 0)
		slips = 0;
	else
		slips = slips_between(guess->word, guess->length, name, length);
	/* More than a third of the letters wrong is another word. */
	if (slips > 1 && slips * 3 > guess->length)
		return;
	if (slips >= length || slips >= guess->length)
		return;
	if (guess->name == NULL || slips < guess->slips) {
		guess->name = name;
		guess->slips = slips;
	}
}
