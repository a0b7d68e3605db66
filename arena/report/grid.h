/*
 * A table of text whose columns are as wide as what stands in them.
 *
 * Cells are given in the order of reading, the line of headings first.  A table
 * that is too wide is printed in pieces, each with the first columns again.
 */
#ifndef GRID_H
#define GRID_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { GRID_CELL_SIZE = 512 };

struct grid {
	int column_count;
	int kept_count; /* columns that stand in every piece */
	uint64_t left;  /* bits: columns that are aligned to the left */
	bool failed;    /* there was no memory */
	char *bytes;    /* the cells, each with a NUL; owned */
	size_t byte_count, byte_capacity;
	size_t *cells; /* where each begins; owned */
	size_t cell_count, cell_capacity;
};

/* An empty table; `left` as above. */
void grid_init(
    struct grid *grid, int column_count, int kept_count, uint64_t left);
void grid_release(struct grid *grid);

/* Adds the next cell, made fit for a terminal (plain.h). */
void grid_cell(struct grid *grid, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Prints the table, whose lines must be whole, and releases it.  0, or -ENOMEM
 * where there was no memory for a cell: nothing is printed then.
 */
int grid_print(struct grid *grid, int width, FILE *file);

#endif
