#include "grid.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"

enum { GAP = 2 }; /* columns between two cells */

void
grid_init(struct grid *grid, int column_count, int kept_count, uint64_t left)
{
	assert(column_count > 0);
	assert(kept_count >= 0 && kept_count <= column_count);
	*grid = (struct grid){
		.column_count = column_count,
		.kept_count = kept_count,
		.left = left,
	};
}

void
grid_release(struct grid *grid)
{
	free(grid->bytes);
	free(grid->cells);
	grid->bytes = NULL;
	grid->cells = NULL;
}

/* Room for one more cell of `size` bytes. */
static bool
grid_grow(struct grid *grid, size_t size)
{
	if (grid->byte_count + size > grid->byte_capacity) {
		size_t capacity = 2 * (grid->byte_count + size);
		char *bytes = realloc(grid->bytes, capacity);

		if (bytes == NULL)
			return false;
		grid->bytes = bytes;
		grid->byte_capacity = capacity;
	}
	if (grid->cell_count == grid->cell_capacity) {
		size_t capacity = 2 * grid->cell_count + 64;
		size_t *cells = realloc(grid->cells, capacity * sizeof(*cells));

		if (cells == NULL)
			return false;
		grid->cells = cells;
		grid->cell_capacity = capacity;
	}
	return true;
}

void
grid_cell(struct grid *grid, const char *format, ...)
{
	char raw[GRID_CELL_SIZE], bytes[GRID_CELL_SIZE];
	struct scopa_text text;
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(raw, sizeof(raw), format, arguments);
	va_end(arguments);
	scopa_text_init(&text, bytes, sizeof(bytes));
	plain_text(&text, raw);
	if (grid->failed || !grid_grow(grid, text.length + 1)) {
		grid->failed = true;
		return;
	}
	grid->cells[grid->cell_count++] = grid->byte_count;
	memcpy(grid->bytes + grid->byte_count, bytes, text.length + 1);
	grid->byte_count += text.length + 1;
}

static const char *
cell_at(const struct grid *grid, size_t row, int column)
{
	size_t cell = row * (size_t)grid->column_count + (size_t)column;

	return grid->bytes + grid->cells[cell];
}

static int
column_width(const struct grid *grid, int column)
{
	size_t rows = grid->cell_count / (size_t)grid->column_count;
	int most = 0;

	for (size_t row = 0; row < rows; row++) {
		int width = plain_width(cell_at(grid, row, column));

		if (width > most)
			most = width;
	}
	return most;
}

static bool
is_left(const struct grid *grid, int column)
{
	return column < 64 && (grid->left >> column & 1) != 0;
}

/* A line of a piece; *pending blanks stand before the next cell. */
static void
cell_print(const struct grid *grid, size_t row, int column, int width,
    int *pending, FILE *file)
{
	const char *cell = cell_at(grid, row, column);
	int blanks = width - plain_width(cell);

	if (!is_left(grid, column))
		*pending += blanks;
	/* No line ends in blanks. */
	if (*cell != '\0') {
		fprintf(file, "%*s%s", *pending, "", cell);
		*pending = 0;
	} else {
		*pending += width - blanks;
	}
	if (is_left(grid, column))
		*pending += blanks;
	*pending += GAP;
}

/* The kept columns, and those of first..end-1. */
static void
piece_print(
    const struct grid *grid, const int *widths, int first, int end, FILE *file)
{
	size_t rows = grid->cell_count / (size_t)grid->column_count;

	for (size_t row = 0; row < rows; row++) {
		int pending = 0;

		for (int column = 0; column < grid->kept_count; column++)
			cell_print(
			    grid, row, column, widths[column], &pending, file);
		for (int column = first; column < end; column++)
			cell_print(
			    grid, row, column, widths[column], &pending, file);
		fputc('\n', file);
	}
}

static void
pieces_print(const struct grid *grid, const int *widths, int width, FILE *file)
{
	int kept = 0;
	int first = grid->kept_count;

	for (int column = 0; column < grid->kept_count; column++)
		kept += widths[column] + GAP;
	do {
		int end = first;
		int used = kept;

		/* One column at least, however wide it is. */
		while (end < grid->column_count &&
		    (end == first || used + widths[end] <= width)) {
			used += widths[end] + GAP;
			end++;
		}
		if (first > grid->kept_count)
			fputc('\n', file);
		piece_print(grid, widths, first, end, file);
		first = end;
	} while (first < grid->column_count);
}

int
grid_print(struct grid *grid, int width, FILE *file)
{
	size_t columns = (size_t)grid->column_count;
	int *widths = calloc(columns, sizeof(*widths));
	bool failed = grid->failed || widths == NULL;

	assert(failed || grid->cell_count % columns == 0);
	if (!failed) {
		for (int column = 0; column < grid->column_count; column++)
			widths[column] = column_width(grid, column);
		pieces_print(grid, widths, width, file);
	}
	free(widths);
	grid_release(grid);
	return failed ? -ENOMEM : 0;
}
