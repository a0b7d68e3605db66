/*
 * Helpers for arrays: the number of elements, and an array that grows.
 */
#ifndef COUNTOF_H
#define COUNTOF_H

#include <stdlib.h>

#define COUNTOF(array) ((int)(sizeof(array) / sizeof((array)[0])))

/*
 * Makes room for one more item behind `count` items of an array that the caller
 * owns.  Returns the array, which may have moved; or NULL without memory, and
 * then the old array is still valid.
 */
static inline void *
array_grow(void *items, int count, int *capacity, size_t item_size)
{
	int larger = *capacity > 0 ? 2 * *capacity : 64;
	void *grown = items;

	if (count == *capacity) {
		grown = reallocarray(items, (size_t)larger, item_size);
		if (grown != NULL)
			*capacity = larger;
	}
	return grown;
}

#endif
