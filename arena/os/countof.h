/*
 * Helpers for arrays: the number of elements, and an array that grows.
 */
#ifndef COUNTOF_H
#define COUNTOF_H

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define COUNTOF(array) ((int)(sizeof(array) / sizeof((array)[0])))

/*
 * Makes room for `needed` items, and for more if it must grow, in an array that
 * the caller owns, and which may move: `*items` is its pointer of any type.  0;
 * or -ENOMEM, and then nothing has changed.
 */
static inline int
array_make_room(void *items, size_t *capacity, size_t needed, size_t item_size)
{
	size_t larger = *capacity > 0 ? 2 * *capacity : 64;
	void *array;

	if (needed <= *capacity)
		return 0;
	if (larger < needed)
		larger = needed;
	/* A pointer of another type is read and written as bytes. */
	memcpy(&array, items, sizeof(array));
	array = reallocarray(array, larger, item_size);
	if (array == NULL)
		return -ENOMEM;
	memcpy(items, &array, sizeof(array));
	*capacity = larger;
	return 0;
}

/* Makes room for one more item after `count` items; the same otherwise. */
#define ARRAY_GROW(items, count, capacity) \
	array_grow(&(items), (count), &(capacity), sizeof(*(items)))

static inline int
array_grow(void *items, int count, int *capacity, size_t item_size)
{
	size_t room = (size_t)*capacity;
	int status =
	    array_make_room(items, &room, (size_t)count + 1, item_size);

	*capacity = room < INT_MAX ? (int)room : INT_MAX;
	return status;
}

#endif
