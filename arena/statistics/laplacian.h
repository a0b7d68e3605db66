/*
 * Networks of bots: who is tied to whom, and how firmly.
 *
 * The equations of ratings have a graph Laplacian as their matrix.  Taking a
 * bot out of the network leaves each two of its neighbours tied by the product
 * of their ties to it over the sum of all its ties (the star becomes a mesh).
 * This is Gaussian elimination without any subtraction, so that ties which
 * differ by many orders of magnitude lose no digits.
 */
#ifndef LAPLACIAN_H
#define LAPLACIAN_H

#include <stdint.h>

enum { LAPLACIAN_SIZE_MAX = 2000 };

struct laplacian {
	int size;
	double *ties; /* the caller's, size * size: factors once it is solved */
	double pivots[LAPLACIAN_SIZE_MAX];  /* 0: the last one of its group */
	int16_t groups[LAPLACIAN_SIZE_MAX]; /* of each, numbered from 0 */
	int group_count;
	int16_t group_sizes[LAPLACIAN_SIZE_MAX];
};

/*
 * Takes `ties`, symmetric and 0 or more (the diagonal is not looked at), and
 * turns them into factors.  Whoever is joined by a chain of ties is of one
 * group; groups are numbered in the order of their first members.
 */
void laplacian_init(struct laplacian *laplacian, double *ties, int size);

/*
 * Solves L x = b with mean 0 in each group; `values` holds b, whose sum in each
 * group must be 0, and then x.
 */
void laplacian_solve(const struct laplacian *laplacian, double *values);

/* The pseudo-inverse of L, size * size. */
void laplacian_invert(const struct laplacian *laplacian, double *inverse);

#endif
