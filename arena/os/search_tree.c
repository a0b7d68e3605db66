/* Implements search_tree.h. */
#include "search_tree.h"

#include <search.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *
search_tree_get(void **tree, const void *wanted, size_t size,
    int (*compare)(const void *, const void *), bool *is_new)
{
	void **found = tsearch(wanted, tree, compare), *item;
	bool added = found != NULL && *found == wanted;

	if (is_new != NULL)
		*is_new = added;
	if (!added)
		return found != NULL ? *found : NULL;
	item = malloc(size);
	if (item == NULL) {
		tdelete(wanted, tree, compare);
		return NULL;
	}
	*found = memcpy(item, wanted, size);
	return item;
}

int
search_tree_compare(const void *one, const void *other)
{
	const uint64_t *a = one, *b = other;

	return (*a > *b) - (*a < *b);
}

void
search_tree_release(void **tree)
{
	tdestroy(*tree, free);
	*tree = NULL;
}
