/*
 * How reports write text: numbers as people read them, tables, lines with a
 * label, and text of others made fit for a terminal or a spreadsheet.
 */
#ifndef TEXT_FORMAT_H
#define TEXT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "estimate.h"
#include "scopa/notation.h"
#include "scopa/text.h"
#include "words.h" /* text_plural() */

_Static_assert(_Generic((int64_t)0, intmax_t : 1, default : 0),
    "reports print an int64_t by %jd");

/*
 * Numbers as people read them, as values whose text is printed by %s.
 *
 * What is not finite is written `unknown`, and what rounds to zero has no sign.
 * The end of an interval that lies beyond its scale is `>10000` or `<-10000`
 * of Elo and `?` of points: too few results say nothing of it.
 */

struct number {
	char text[128]; /* all digits of numbers up to 1e30 */
};

/* Whatever the format says. */
struct number number_format(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* `+0.512`; or without the plus. */
struct number number_signed(double value, int digits);
struct number number_fixed(double value, int digits);

/* `+0.512 [+0.478, +0.546]` */
struct number number_points(const struct estimate *points);
struct number number_elo(const struct estimate *elo);

/* `+0.512 +-0.034`: with half the width of the interval. */
struct number number_points_half(const struct estimate *points);
struct number number_elo_half(const struct estimate *elo);

/* Half the width alone: `0.034`. */
struct number number_half(const struct estimate *estimate, int digits);

/* `53.1%` of a share of 0..1. */
struct number number_percent(double share);

/*
 * The same of a probability, which is never called certain: `>99.9%`; `?` of
 * NAN, which nothing is known of.
 */
struct number number_probability(double probability);

/* `1,000,000`: not negative. */
struct number number_grouped(int64_t count);

/* With the signs for minus and plus-minus, as print has them: not ASCII. */
struct number number_typeset(struct number number);

/* The unit of a test as text has it: `points per deal`. */
const char *text_unit(const char *unit);

/* Appends formatted text; what goes beyond 511 bytes is cut. */
void text_printf(struct scopa_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * A table of text whose columns are as wide as what stands in them.
 *
 * Cells are given in the order of reading, the line of headings first.  A table
 * that is too wide is printed in pieces, each with the first columns again, and
 * names that leave no room for a column beside them lose their middle.
 */

enum { TEXT_CELL_SIZE = 512 };

struct text_table {
	int column_count;
	/* columns that stand in every piece; the last is left */
	int fixed_count;
	FILE *file;  /* of the cells; NULL: there was no memory */
	char *bytes; /* the cells, each with a NUL, as `file` has them */
	size_t size, cell_count;
};

/*
 * An empty table, which must not be moved.  The last of the kept columns, which
 * has names, is aligned to the left.
 */
void text_table_init(
    struct text_table *table, int column_count, int fixed_count);

/* A table with these headings, which have | between them. */
void text_table_open(
    struct text_table *table, const char *headings, int fixed_count);

/* Adds the next cell, made fit for a terminal (text_sanitize). */
void text_table_add(struct text_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds several cells, which have | between them: no text of others. */
void text_table_row(struct text_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

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

/*
 * Cards with blanks between them (`3C 4S`; `none` stands for no cards at all),
 * a move, and a text that was made fit for a terminal: each in one of a few
 * static buffers that later calls use again.
 */
const char *cards_text(scopa_set cards, const char *none);
const char *move_text(const struct scopa_move *move);
const char *safe_text(const char *string);

/* Appends moves with blanks between them. */
void text_moves(
    struct scopa_text *text, const struct scopa_move *moves, int count);

/* The columns that well-formed text takes: one a character. */
int text_width(const char *string);

/* Where its character of this number, from 0, begins; or its end. */
const char *text_at(const char *string, int number);

/*
 * Prints lines of well-formed text, wrapped at blanks to lines of this width
 * that go on in the column `indent`; what stands before that column is a label,
 * which keeps its first word.  A word that is wider stays whole.  Width 0: not
 * wrapped.  Escape sequences of colors (ESC [ ... m) take no column.
 */
void text_wrap(const char *lines, int width, int indent, FILE *file);

/* The columns of a terminal; the other number where it is not a terminal. */
int text_columns(int fd, int elsewhere);

/*
 * Pages of text: lines with a label on the left, titles, tables and notes below
 * them, as wide as the terminal and in its colors.
 *
 * A line is collected by text_put() and printed by its end.  All text is made
 * fit for a terminal (text_sanitize).
 */

enum { REPORT_WIDTH = 100 }; /* columns where there is no terminal */

/* How text is to look. */
struct report_style {
	bool color;
	int width;  /* columns; wider tables are printed in pieces */
	bool wraps; /* lines with a label are wrapped, too */
	/*
	 * All tables.  Otherwise the result, faults, the run, and one table of
	 * the first REPORT_SHORT_MAX bots.
	 */
	bool full;
};

/*
 * What suits a file: of a terminal its width, wrapping, and color unless
 * NO_COLOR is set or TERM is `dumb`.  Elsewhere REPORT_WIDTH alone.
 */
struct report_style report_style_of(FILE *file);

struct report_view;

enum { TEXT_LINE_SIZE = 8192 };

struct text_page {
	const struct report_view *view; /* of a report; the caller's */
	const struct report_style *style;
	FILE *file;
	int label_width; /* columns */
	int result;      /* the first -errno, or 0 */
	/* The line that is collected, with the escape sequences of colors. */
	struct scopa_text line;
	char bytes[TEXT_LINE_SIZE];
};

/* How text is printed where there are colors. */
enum look {
	LOOK_PLAIN,
	LOOK_BOLD,
	LOOK_GOOD,
	LOOK_BAD,
	LOOK_DOUBT,
	LOOK_COUNT
};

/* An empty page; view, style and file must outlive it. */
struct text_page text_page_of(const struct report_view *view,
    const struct report_style *style, FILE *file);

/* Adds text to the line. */
void text_put(struct text_page *page, enum look look, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Begins a line with a label: `played    `. */
void text_label(struct text_page *page, const char *label);

/* Ends such a line: what is too wide for a terminal goes on below its text. */
void text_end(struct text_page *page);

/* Ends a line that is to be copied, which is not wrapped. */
void text_end_whole(struct text_page *page);

/* A line with a label and a text. */
void text_line(struct text_page *page, const char *label, const char *format,
    ...) __attribute__((format(printf, 3, 4)));

/* A line of its own, in bold type, with an empty one before it. */
void text_title(struct text_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A sentence below a table. */
void text_note(struct text_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints and releases a table. */
void text_put_table(struct text_page *page, struct text_table *table);

/*
 * Writes such a text as one field of comma-separated values (RFC 4180), in
 * quotation marks where it has to be.
 *
 * Spreadsheets take a field that begins with = + - @ for a formula, which may
 * run programs or send the sheet away. So there is an apostrophe before each of
 * these signs at the beginning of a field, behind blanks, and behind all that
 * some program may divide fields at; and what utf8_steers(), and what is no
 * UTF-8, is written as \xNN. Numbers are not for this: they are printed as they
 * are.
 */
void csv_field_put(FILE *file, const char *text);

#endif
