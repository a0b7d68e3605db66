/*
 * How the text reports write: lines with a label on the left, titles, tables
 * and notes below them, as wide as the terminal and in its colors.
 *
 * A line is collected by text_put() and printed by its end.  All text is made
 * fit for a terminal (text_sanitize).
 */
#ifndef TEXT_PAGE_H
#define TEXT_PAGE_H

#include "report.h"
#include "text_format.h"

enum { TEXT_LINE_SIZE = 8192 };

struct text_page {
	const struct report_view *view; /* the caller's; may be NULL */
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

#endif
