#include "text_format.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

void
text_sanitize(struct scopa_text *text, const char *string)
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
text_width(const char *string)
{
	int width = 0;

	/* Every byte but those that continue a character begins one. */
	for (; *string != '\0'; string++)
		width += ((unsigned char)*string & 0xc0) != 0x80;
	return width;
}

enum { POINTS_DIGITS = 3, ELO_DIGITS = 1 };

void
text_printf(struct scopa_text *text, const char *format, ...)
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
number_signed(struct scopa_text *text, double value, int digits)
{
	number_write(text, value, digits, "+");
}

void
number_fixed(struct scopa_text *text, double value, int digits)
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
		number_signed(text, estimate->low, digits);
	scopa_text_string(text, ", ");
	if (estimate->high_beyond)
		scopa_text_string(text, above);
	else
		number_signed(text, estimate->high, digits);
	scopa_text_string(text, "]");
}

/* `+21.7`, or `>10000`: Elo of nothing but wins is no number. */
static void
number_elo_value(struct scopa_text *text, double elo)
{
	if (elo >= ESTIMATE_ELO_MAX)
		text_printf(text, ">%.0f", ESTIMATE_ELO_MAX);
	else if (elo <= -ESTIMATE_ELO_MAX)
		text_printf(text, "<-%.0f", ESTIMATE_ELO_MAX);
	else
		number_signed(text, elo, ELO_DIGITS);
}

void
number_points(struct scopa_text *text, const struct estimate *points)
{
	number_signed(text, points->value, POINTS_DIGITS);
	interval_write(text, points, POINTS_DIGITS, "?", "?");
}

void
number_elo(struct scopa_text *text, const struct estimate *elo)
{
	char below[NUMBER_TEXT_SIZE], above[NUMBER_TEXT_SIZE];

	snprintf(below, sizeof(below), "<-%.0f", ESTIMATE_ELO_MAX);
	snprintf(above, sizeof(above), ">%.0f", ESTIMATE_ELO_MAX);
	number_elo_value(text, elo->value);
	interval_write(text, elo, ELO_DIGITS, below, above);
}

void
number_half(
    struct scopa_text *text, const struct estimate *estimate, int digits)
{
	if (estimate->low_beyond || estimate->high_beyond)
		scopa_text_char(text, '?');
	else
		number_fixed(
		    text, (estimate->high - estimate->low) / 2, digits);
}

void
number_points_half(struct scopa_text *text, const struct estimate *points)
{
	number_signed(text, points->value, POINTS_DIGITS);
	scopa_text_string(text, " +-");
	number_half(text, points, POINTS_DIGITS);
}

void
number_elo_half(struct scopa_text *text, const struct estimate *elo)
{
	number_elo_value(text, elo->value);
	scopa_text_string(text, " +-");
	number_half(text, elo, ELO_DIGITS);
}

/* Programs read `points a deal`, which stays. */
const char *
text_unit(const char *unit)
{
	return strcmp(unit, "points a deal") == 0 ? "points per deal" : unit;
}

void
number_percent(struct scopa_text *text, double share)
{
	number_fixed(text, 100 * share, 1);
	scopa_text_char(text, '%');
}

void
number_probability(struct scopa_text *text, double probability)
{
	if (probability > 0.999)
		scopa_text_string(text, ">99.9%");
	else if (probability < 0.001)
		scopa_text_string(text, "<0.1%");
	else
		number_percent(text, probability);
}

enum { GAP = 2 }; /* columns between two cells */

void
text_table_init(struct text_table *table, int column_count, int kept_count)
{
	assert(column_count > 0);
	assert(kept_count >= 0 && kept_count <= column_count);
	*table = (struct text_table){
		.column_count = column_count,
		.kept_count = kept_count,
	};
}

static void
text_table_release(struct text_table *table)
{
	free(table->bytes);
	free(table->cells);
	table->bytes = NULL;
	table->cells = NULL;
}

/* Room for one more cell of `size` bytes. */
static bool
text_table_grow(struct text_table *table, size_t size)
{
	if (table->byte_count + size > table->byte_capacity) {
		size_t capacity = 2 * (table->byte_count + size);
		char *bytes = realloc(table->bytes, capacity);

		if (bytes == NULL)
			return false;
		table->bytes = bytes;
		table->byte_capacity = capacity;
	}
	if (table->cell_count == table->cell_capacity) {
		size_t capacity = 2 * table->cell_count + 64;
		size_t *cells =
		    realloc(table->cells, capacity * sizeof(*cells));

		if (cells == NULL)
			return false;
		table->cells = cells;
		table->cell_capacity = capacity;
	}
	return true;
}

void
text_table_add(struct text_table *table, const char *format, ...)
{
	char raw[TEXT_CELL_SIZE], bytes[TEXT_CELL_SIZE];
	struct scopa_text text;
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(raw, sizeof(raw), format, arguments);
	va_end(arguments);
	scopa_text_init(&text, bytes, sizeof(bytes));
	text_sanitize(&text, raw);
	if (table->failed || !text_table_grow(table, text.length + 1)) {
		table->failed = true;
		return;
	}
	table->cells[table->cell_count++] = table->byte_count;
	memcpy(table->bytes + table->byte_count, bytes, text.length + 1);
	table->byte_count += text.length + 1;
}

void
text_table_open(struct text_table *table, const char *headings, int kept_count)
{
	int column_count = 1;

	for (const char *at = headings; *at != '\0'; at++)
		column_count += *at == '|';
	text_table_init(table, column_count, kept_count);
	for (int i = 0; i < column_count; i++) {
		int length = (int)strcspn(headings, "|");

		text_table_add(table, "%.*s", length, headings);
		headings += length + 1;
	}
}

static const char *
cell_at(const struct text_table *table, size_t row, int column)
{
	size_t cell = row * (size_t)table->column_count + (size_t)column;

	return table->bytes + table->cells[cell];
}

static int
column_width(const struct text_table *table, int column)
{
	size_t rows = table->cell_count / (size_t)table->column_count;
	int most = 0;

	for (size_t row = 0; row < rows; row++) {
		int width = text_width(cell_at(table, row, column));

		if (width > most)
			most = width;
	}
	return most;
}

/* A line of a piece; *pending blanks stand before the next cell. */
static void
cell_print(const struct text_table *table, size_t row, int column, int width,
    int *pending, FILE *file)
{
	const char *cell = cell_at(table, row, column);
	int blanks = width - text_width(cell);
	bool is_left = column == table->kept_count - 1;

	if (!is_left)
		*pending += blanks;
	/* No line ends in blanks. */
	if (*cell != '\0') {
		fprintf(file, "%*s%s", *pending, "", cell);
		*pending = 0;
	} else {
		*pending += width - blanks;
	}
	if (is_left)
		*pending += blanks;
	*pending += GAP;
}

/* The kept columns, and those of first..end-1. */
static void
piece_print(const struct text_table *table, const int *widths, int first,
    int end, FILE *file)
{
	size_t rows = table->cell_count / (size_t)table->column_count;

	for (size_t row = 0; row < rows; row++) {
		int pending = 0;

		for (int column = 0; column < table->kept_count; column++)
			cell_print(
			    table, row, column, widths[column], &pending, file);
		for (int column = first; column < end; column++)
			cell_print(
			    table, row, column, widths[column], &pending, file);
		fputc('\n', file);
	}
}

static void
pieces_print(
    const struct text_table *table, const int *widths, int width, FILE *file)
{
	int kept = 0;
	int first = table->kept_count;

	for (int column = 0; column < table->kept_count; column++)
		kept += widths[column] + GAP;
	do {
		int end = first;
		int used = kept;

		/* One column at least, however wide it is. */
		while (end < table->column_count &&
		    (end == first || used + widths[end] <= width)) {
			used += widths[end] + GAP;
			end++;
		}
		if (first > table->kept_count)
			fputc('\n', file);
		piece_print(table, widths, first, end, file);
		first = end;
	} while (first < table->column_count);
}

int
text_table_print(struct text_table *table, int width, FILE *file)
{
	size_t columns = (size_t)table->column_count;
	int *widths = calloc(columns, sizeof(*widths));
	bool failed = table->failed || widths == NULL;

	assert(failed || table->cell_count % columns == 0);
	if (!failed) {
		for (int column = 0; column < table->column_count; column++)
			widths[column] = column_width(table, column);
		pieces_print(table, widths, width, file);
	}
	free(widths);
	text_table_release(table);
	return failed ? -ENOMEM : 0;
}

void
text_table_add_estimate(struct text_table *table,
    void (*write)(struct scopa_text *text, const struct estimate *estimate),
    const struct estimate *estimate)
{
	char bytes[NUMBER_TEXT_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	write(&text, estimate);
	text_table_add(table, "%s", bytes);
}

void
text_table_add_share(struct text_table *table,
    void (*write)(struct scopa_text *text, double share), double share)
{
	char bytes[NUMBER_TEXT_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	write(&text, share);
	text_table_add(table, "%s", bytes);
}

void
text_table_add_number(struct text_table *table,
    void (*write)(struct scopa_text *text, double value, int digits),
    double value, int digits)
{
	char bytes[NUMBER_TEXT_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	write(&text, value, digits);
	text_table_add(table, "%s", bytes);
}
