/*
 * How reports write text: numbers as people read them, tables, and text of
 * others made fit for a terminal.
 */
#ifndef TEXT_FORMAT_H
#define TEXT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "estimate.h"
#include "scopa/text.h"

/*
 * Numbers as people read them.
 *
 * What is not finite is written `unknown`, and what rounds to zero has no sign.
 * The end of an interval that lies beyond its scale is `>10000` or `<-10000`
 * of Elo and `?` of points: too few results say nothing of it.
 */

enum { NUMBER_TEXT_SIZE = 128 };

/* Appends formatted text; what goes beyond 511 bytes is cut. */
void text_printf(struct scopa_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* `+0.512`; or without the plus. */
void number_signed(struct scopa_text *text, double value, int digits);
void number_fixed(struct scopa_text *text, double value, int digits);

/* `+0.512 [+0.478, +0.546]` */
void number_points(struct scopa_text *text, const struct estimate *points);
void number_elo(struct scopa_text *text, const struct estimate *elo);

/* `+0.512 +-0.034`: with half the width of the interval. */
void number_points_half(struct scopa_text *text, const struct estimate *points);
void number_elo_half(struct scopa_text *text, const struct estimate *elo);

/* Half the width alone: `0.034`. */
void number_half(
    struct scopa_text *text, const struct estimate *estimate, int digits);

/* What makes a noun of so many things a plural: `s` or nothing. */
static inline const char *
text_plural(int64_t count)
{
	return count == 1 ? "" : "s";
}

/* The unit of a test as text has it: `points per deal`. */
const char *text_unit(const char *unit);

/* `53.1%` of a share of 0..1. */
void number_percent(struct scopa_text *text, double share);

/* The same of a probability, which is never called certain: `>99.9%`. */
void number_probability(struct scopa_text *text, double probability);

/*
 * A table of text whose columns are as wide as what stands in them.
 *
 * Cells are given in the order of reading, the line of headings first.  A table
 * that is too wide is printed in pieces, each with the first columns again.
 */

enum { TEXT_CELL_SIZE = 512 };

struct text_table {
	int column_count;
	int kept_count; /* columns that stand in every piece; the last is left */
	bool failed;    /* there was no memory */
	char *bytes;    /* the cells, each with a NUL; owned */
	size_t byte_count, byte_capacity;
	size_t *cells; /* where each begins; owned */
	size_t cell_count, cell_capacity;
};

/*
 * An empty table.  The last of the kept columns, which has names, is aligned to
 * the left.
 */
void text_table_init(
    struct text_table *table, int column_count, int kept_count);

/* A table with these headings, which have | between them. */
void text_table_open(
    struct text_table *table, const char *headings, int kept_count);

/* Adds the next cell, made fit for a terminal (text_sanitize). */
void text_table_add(struct text_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The next cell: what one of the functions of numbers writes. */
void text_table_add_estimate(struct text_table *table,
    void (*write)(struct scopa_text *text, const struct estimate *estimate),
    const struct estimate *estimate);
void text_table_add_share(struct text_table *table,
    void (*write)(struct scopa_text *text, double share), double share);
void text_table_add_number(struct text_table *table,
    void (*write)(struct scopa_text *text, double value, int digits),
    double value, int digits);

/*
 * Prints the table, whose lines must be whole, and releases it.  0, or -ENOMEM
 * where there was no memory for a cell: nothing is printed then.
 */
int text_table_print(struct text_table *table, int width, FILE *file);

/*
 * Text from bots and files, such as names, made fit for a terminal.
 */

/* Appends it with what utf8_steers(), and what is no UTF-8, as \xNN. */
void text_sanitize(struct scopa_text *text, const char *string);

/* The columns that well-formed text takes: one a character. */
int text_width(const char *string);

#endif
