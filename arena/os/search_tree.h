/*
 * Sets of items that are found by a key: trees of tsearch(3) that own their
 * items.  A tree is NULL at first, and is searched by tfind(3).
 */
#ifndef SEARCH_TREE_H
#define SEARCH_TREE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The item with the key of `wanted`; if there is none, a copy of `wanted` is
 * added, and *is_new (which may be NULL) is true.  NULL: no memory.
 */
void *search_tree_get(void **tree, const void *wanted, size_t size,
    int (*compare)(const void *, const void *), bool *is_new);

/* Compares items that begin with a uint64_t, which is their key. */
int search_tree_compare(const void *one, const void *other);

/* Frees the items; the tree is NULL then. */
void search_tree_release(void **tree);

#endif
