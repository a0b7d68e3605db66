#include "text_format.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

void
plain_text(struct scopa_text *text, const char *string)
{
	size_t left = strlen(string);

	while (left > 0) {
		uint32_t character;
		size_t length = utf8_read(string, left, &character);
		char escape[8];

		if (length > 0 && !utf8_steers(character)) {
			/* A character is there as a whole or not at all. */
			if (length >= text->size - text->length) {
				text->cut = true;
				return;
			}
			scopa_text_bytes(text, string, length);
		} else {
			length = 1;
			snprintf(escape, sizeof(escape), "\\x%02x",
			    (unsigned char)string[0]);
			scopa_text_string(text, escape);
		}
		string += length;
		left -= length;
	}
}

int
plain_width(const char *string)
{
	int width = 0;

	/* Every byte but those that continue a character begins one. */
	for (; *string != '\0'; string++)
		width += ((unsigned char)*string & 0xc0) != 0x80;
	return width;
}

enum { POINTS_DIGITS = 3, ELO_DIGITS = 1 };

void
figure_print(struct scopa_text *text, const char *format, ...)
{
	char bytes[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(bytes, sizeof(bytes), format, arguments);
	va_end(arguments);
	scopa_text_string(text, bytes);
}

/* Whether the number is written with a digit that is not 0. */
static bool
is_seen(const char *number)
{
	return strpbrk(number, "123456789") != NULL;
}

static void
number_write(
    struct scopa_text *text, double value, int digits, const char *plus)
{
	char bytes[400]; /* the largest double has 309 digits */

	if (!isfinite(value)) {
		scopa_text_string(text, "unknown");
		return;
	}
	snprintf(bytes, sizeof(bytes), "%.*f", digits, fabs(value));
	if (is_seen(bytes))
		scopa_text_string(text, value < 0 ? "-" : plus);
	scopa_text_string(text, bytes);
}

void
figure_signed(struct scopa_text *text, double value, int digits)
{
	number_write(text, value, digits, "+");
}

void
figure_number(struct scopa_text *text, double value, int digits)
{
	number_write(text, value, digits, "");
}

/* `[+0.478, +0.546]`, with the words for ends that were clamped. */
static void
interval_write(struct scopa_text *text, const struct estimate *estimate,
    int digits, const char *below, const char *above)
{
	scopa_text_string(text, " [");
	if (estimate->low_beyond)
		scopa_text_string(text, below);
	else
		figure_signed(text, estimate->low, digits);
	scopa_text_string(text, ", ");
	if (estimate->high_beyond)
		scopa_text_string(text, above);
	else
		figure_signed(text, estimate->high, digits);
	scopa_text_string(text, "]");
}

/* `+21.7`, or `>10000`: Elo of nothing but wins is no number. */
static void
figure_elo_value(struct scopa_text *text, double elo)
{
	if (elo >= ESTIMATE_ELO_MAX)
		figure_print(text, ">%.0f", ESTIMATE_ELO_MAX);
	else if (elo <= -ESTIMATE_ELO_MAX)
		figure_print(text, "<-%.0f", ESTIMATE_ELO_MAX);
	else
		figure_signed(text, elo, ELO_DIGITS);
}

void
figure_points(struct scopa_text *text, const struct estimate *points)
{
	figure_signed(text, points->value, POINTS_DIGITS);
	interval_write(text, points, POINTS_DIGITS, "beyond", "beyond");
}

void
figure_elo(struct scopa_text *text, const struct estimate *elo)
{
	char below[FIGURE_SIZE], above[FIGURE_SIZE];

	snprintf(below, sizeof(below), "<-%.0f", ESTIMATE_ELO_MAX);
	snprintf(above, sizeof(above), ">%.0f", ESTIMATE_ELO_MAX);
	figure_elo_value(text, elo->value);
	interval_write(text, elo, ELO_DIGITS, below, above);
}

void
figure_half(
    struct scopa_text *text, const struct estimate *estimate, int digits)
{
	if (estimate->low_beyond || estimate->high_beyond)
		scopa_text_string(text, "beyond");
	else
		figure_number(
		    text, (estimate->high - estimate->low) / 2, digits);
}

void
figure_points_half(struct scopa_text *text, const struct estimate *points)
{
	figure_signed(text, points->value, POINTS_DIGITS);
	scopa_text_string(text, " +-");
	figure_half(text, points, POINTS_DIGITS);
}

void
figure_elo_half(struct scopa_text *text, const struct estimate *elo)
{
	figure_elo_value(text, elo->value);
	scopa_text_string(text, " +-");
	figure_half(text, elo, ELO_DIGITS);
}

void
figure_percent(struct scopa_text *text, double share)
{
	figure_number(text, 100 * share, 1);
	scopa_text_char(text, '%');
}

void
figure_probability(struct scopa_text *text, double probability)
{
	if (probability > 0.999)
		scopa_text_string(text, ">99.9%");
	else if (probability < 0.001)
		scopa_text_string(text, "<0.1%");
	else
		figure_percent(text, probability);
}

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

static void
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
