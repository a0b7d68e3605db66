/*
 * Helpers for arrays: the number of elements, and an array that grows.
 */
#ifndef COUNTOF_H
#define COUNTOF_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COUNTOF(array) ((int)(sizeof(array) / sizeof((array)[0])))

/*
 * Makes room for one more item behind `count` items of an array that the caller
 * owns, and which may move.  0; or -ENOMEM, and then nothing has changed.
 */
#define ARRAY_GROW(items, count, capacity) \
	array_grow(&(items), (count), &(capacity), sizeof(*(items)))

/* ARRAY_GROW of the array to which `*items`, of any type, points. */
static inline int
array_grow(void *items, int count, int *capacity, size_t item_size)
{
	int larger = *capacity > 0 ? 2 * *capacity : 64;
	void *array;

	if (count < *capacity)
		return 0;
	/* A pointer of another type is read and written as bytes. */
	memcpy(&array, items, sizeof(array));
	array = reallocarray(array, (size_t)larger, item_size);
	if (array == NULL)
		return -ENOMEM;
	memcpy(items, &array, sizeof(array));
	*capacity = larger;
	return 0;
}

#endif
