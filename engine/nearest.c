/*
 * Similarity is measured by optimal string alignment: the number of characters
 * to insert, delete, replace, or swap with a neighbour.  A name is similar to a
 * word if the word is its beginning, or if at most one edit, or a third of the
 * word's length, separates them.
 */
#include "scopa/nearest.h"

#include <stdbool.h>
#include <string.h>

/* Shorter words are the beginning of too many names. */
enum { BEGINNING_LENGTH_MIN = 3 };

static size_t
min_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Returns the number of edits between two words (optimal string alignment).
 * The three rows of the table are those of the present and the two last
 * letters.
 */
static size_t
slips_between(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t rows[3][SCOPA_NEAREST_LENGTH_MAX + 1];
	size_t *before = rows[0], *above = rows[1], *row = rows[2];

	for (size_t j = 0; j <= b_length; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		size_t *free_row = before;

		before = above;
		above = row;
		row = free_row;
		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			size_t slip = a[i - 1] == b[j - 1] ? 0 : 1;

			row[j] = min_of(above[j - 1] + slip,
			    min_of(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				row[j] = min_of(row[j], before[j - 2] + 1);
		}
	}
	return row[b_length];
}

/* Whether the word is the beginning of a longer name. */
static bool
is_beginning(
    const struct scopa_nearest *nearest, const char *name, size_t length)
{
	return nearest->length >= BEGINNING_LENGTH_MIN &&
	    nearest->length < length &&
	    memcmp(nearest->word, name, nearest->length) == 0;
}

void
scopa_nearest_init(
    struct scopa_nearest *nearest, const char *word, size_t length)
{
	nearest->word = word;
	nearest->length = length;
	nearest->name = NULL;
	nearest->slips = 0;
}

void
scopa_nearest_offer(struct scopa_nearest *nearest, const char *name)
{
	size_t length = strlen(name), slips = 0;

	if (length > SCOPA_NEAREST_LENGTH_MAX ||
	    nearest->length > SCOPA_NEAREST_LENGTH_MAX)
		return;
	if (!is_beginning(nearest, name, length))
		slips =
		    slips_between(nearest->word, nearest->length, name, length);
	/*
	 * With more than a third of the letters wrong it is a different word.
	 */
	if (slips > 1 && slips * 3 > nearest->length)
		return;
	if (slips >= length || slips >= nearest->length)
		return;
	if (nearest->name == NULL || slips < nearest->slips) {
		nearest->name = name;
		nearest->slips = slips;
	}
}
