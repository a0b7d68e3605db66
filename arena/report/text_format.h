/*
 * How reports write text: numbers for people, tables, lines with a label, and
 * text of bots and files, which is sanitized for a terminal or a spreadsheet.
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
 * Numbers for people.  Each function returns a struct whose text is printed by
 * %s.
 *
 * A number that is not finite is `unknown`; a number that rounds to zero has no
 * sign.  An end of an interval that lies beyond its scale is `>10000` or
 * `<-10000` for Elo, and `?` for points: there are too few results to tell.
 */

struct number {
	char text[128]; /* all digits of numbers up to 1e30 */
};

/* Formats a number, as printf does. */
struct number number_format(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* `+0.512`; number_fixed() writes no plus. */
struct number number_signed(double value, int digits);
struct number number_fixed(double value, int digits);

/* `+0.512 [+0.478, +0.546]` */
struct number number_points(const struct estimate *points);
struct number number_elo(const struct estimate *elo);

/* `+0.512 +-0.034`: with half the width of the interval. */
struct number number_points_half(const struct estimate *points);
struct number number_elo_half(const struct estimate *elo);

/* Only half the width: `0.034`. */
struct number number_half(const struct estimate *estimate, int digits);

/* `53.1%`; the share is 0..1. */
struct number number_percent(double share);

/*
 * `53.1%` for a probability of 0..1.  Near 0 and 1 it is `<0.1%` and `>99.9%`,
 * as no result is certain; NAN, which is not known, is `?`.
 */
struct number number_probability(double probability);

/* `1,000,000`; the count is not negative. */
struct number number_grouped(int64_t count);

/* Replaces `-` and `+-` by the typographic signs, which are not ASCII. */
struct number number_typeset(struct number number);

/* The text, or an empty one instead of NULL. */
static inline const char *
text_or_none(const char *text)
{
	return text != NULL ? text : "";
}

/* The unit of a test in texts for people: `points per deal`. */
const char *text_unit(const char *unit);

/* Appends formatted text, which is cut after 511 bytes. */
void text_printf(struct scopa_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * A table of text.  A column is as wide as its widest cell.
 *
 * Cells are added row by row; the first row has the headings.  A table that is
 * too wide is printed in pieces, each with the first columns again.  A name
 * that leaves no room for another column is cut in its middle.
 */

enum { TEXT_CELL_SIZE = 512 };

struct text_table {
	int column_count;
	/* columns that each piece has; the last one is aligned to the left */
	int fixed_count;
	FILE *file;  /* the cells are written to it; NULL: no memory */
	char *bytes; /* the cells, each ended by a NUL, made by `file` */
	size_t size, cell_count;
};

/*
 * An empty table, which must not be moved.  The last of the kept columns, which
 * has names, is aligned to the left.
 */
void text_table_init(
    struct text_table *table, int column_count, int fixed_count);

/* Begins a table with these headings, separated by |. */
void text_table_open(
    struct text_table *table, const char *headings, int fixed_count);

/* Adds the next cell, sanitized for a terminal (text_sanitize). */
void text_table_add(struct text_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds several cells, separated by |.  It must not be text of bots or files. */
void text_table_row(struct text_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Prints the table, whose rows must be complete, and releases it.  0; or
 * -ENOMEM if there was no memory for a cell, and then nothing is printed.
 */
int text_table_print(struct text_table *table, int width, FILE *file);

/*
 * Text from bots and files, such as names, sanitized for a terminal.
 */

/*
 * Appends the text.  Bytes that are no UTF-8, and characters of utf8_steers(),
 * become \xNN.
 */
void text_sanitize(struct scopa_text *text, const char *string);

/*
 * Cards separated by blanks (`3C 4S`; `none` if there are no cards), a move, a
 * sanitized text, and a word for a shell, in quotes if it needs them.  Each is
 * in one of a few static buffers that later calls use again.
 */
const char *cards_text(scopa_set cards, const char *none);
const char *move_text(const struct scopa_move *move);
const char *safe_text(const char *string);
const char *shell_text(const char *word);

/* Appends moves with blanks between them. */
void text_moves(
    struct scopa_text *text, const struct scopa_move *moves, int count);

/* The columns that well-formed text takes: one a character. */
int text_width(const char *string);

/* The beginning of character `number`, from 0, or the end of the text. */
const char *text_at(const char *string, int number);

/*
 * Prints lines of well-formed text, wrapped at blanks to `width` columns; a
 * wrapped line goes on in column `indent`.  Text before this column is a label:
 * the word after it is never wrapped.  A word that is wider than a line stays
 * whole.  Width 0: no wrapping.  Escape sequences of colors (ESC [ ... m) have
 * no width.
 */
void text_wrap(const char *lines, int width, int indent, FILE *file);

/* The columns of a terminal; `elsewhere` if it is no terminal. */
int text_columns(int fd, int elsewhere);

/*
 * Pages of text: lines with a label on the left, titles, tables and notes, as
 * wide as the terminal and in its colors.
 *
 * text_put() collects a line, and text_end() prints it.  All text is sanitized
 * for a terminal (text_sanitize).
 */

enum { REPORT_WIDTH = 100 }; /* columns, if the output is no terminal */

/* The form of the text. */
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
 * The style for a file.  A terminal gets its width, wrapping, and color unless
 * NO_COLOR is set or TERM is `dumb`.  Other files get REPORT_WIDTH.
 */
struct report_style report_style_of(FILE *file);

struct report_view;

enum { TEXT_LINE_SIZE = 8192 };

struct text_page {
	const struct report_view *view; /* NULL: no report */
	const struct report_style *style;
	FILE *file;
	int label_width; /* columns */
	int result;      /* the first -errno, or 0 */
	/* The line that is collected, with the escape sequences of colors. */
	struct scopa_text line;
	char bytes[TEXT_LINE_SIZE];
};

/* The meaning of a part of a line; on a terminal it has a color. */
enum look {
	LOOK_PLAIN,
	LOOK_BOLD,
	LOOK_GOOD,
	LOOK_BAD,
	LOOK_DOUBT,
	LOOK_COUNT
};

/* Begins a page; view, style and file must outlive it. */
struct text_page text_page_of(const struct report_view *view,
    const struct report_style *style, FILE *file);

/* Adds text to the line. */
void text_put(struct text_page *page, enum look look, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Begins a line with a label: `played    `. */
void text_label(struct text_page *page, const char *label);

/* Ends a line with a label.  Wrapped text goes on below its beginning. */
void text_end(struct text_page *page);

/* Ends a line without wrapping, as users copy it. */
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
 * Writes text of bots or files as one field of comma-separated values (RFC
 * 4180), in quotation marks if needed.
 *
 * Spreadsheets take a field that begins with = + - @ for a formula, which may
 * run programs or send the sheet away.  So each of these signs gets an
 * apostrophe before it at the beginning of a field, after blanks, and after
 * every character at which some program may divide fields.  Bytes that are no
 * UTF-8, and characters of utf8_steers(), become \xNN.  Numbers must be printed
 * without this function.
 */
void csv_field_put(FILE *file, const char *text);

#endif
