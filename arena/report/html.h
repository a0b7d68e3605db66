/*
 * Writes pages for a browser.
 *
 * Each function that writes text escapes it, so that no name and no line of a
 * bot becomes markup: & < > " ' are written as references.  Bytes that are no
 * UTF-8, and characters of utf8_steers(), become \xNN, as in other reports.
 *
 * Names of elements may have a class: `td.number`.  The name that ends an
 * element is checked.
 */
#ifndef HTML_H
#define HTML_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "text_format.h"

enum { HTML_DEPTH_MAX = 32 };

struct html {
	FILE *file;   /* the caller's */
	int depth;    /* open elements */
	bool tagging; /* attributes can be added to the innermost element */
	bool failed;  /* there was no memory: the page is not complete */
	const char *open[HTML_DEPTH_MAX]; /* names of the open elements */
};

void html_init(struct html *html, FILE *file);

/* Begins an element; attributes may be added before its first content. */
void html_begin(struct html *html, const char *name);
/* Ends the innermost element, which has this name (without the class). */
void html_end(struct html *html, const char *name);

/* An attribute; the value is escaped. */
void html_attribute(struct html *html, const char *name, const char *format,
    ...) __attribute__((format(printf, 3, 4)));
/* Attributes that are not escaped: `x='%.1f' y='0'`; without %s. */
void html_numbers(struct html *html, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Text of the innermost element; html_lines() keeps the ends of lines. */
void html_text(struct html *html, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void html_lines(struct html *html, const char *bytes, size_t size);

/* An element with text only, and one with attributes only. */
void html_put(struct html *html, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void html_shape(struct html *html, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A JSON document for scripts: an element <script> with this id. */
void html_json(
    struct html *html, const char *id, const char *bytes, size_t size);

/*
 * Tables of a page: names on the left, numbers on the right.  A wide table
 * scrolls sideways in its own region, so that the page does not.
 */

/* Begins a <div> that may scroll; the label is for screen readers. */
void html_wide_begin(struct html *html, const char *label);

/* Begins <details> with this summary; the content is closed at first. */
void html_details_begin(struct html *html, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Text with ends of lines in <pre>. */
void html_pre(struct html *html, const char *bytes, size_t size);

/*
 * Begins a table with these headings, separated by |; the label is for screen
 * readers.  The heading of a column of text begins with ^; such a column is
 * aligned to the left.  html_table_heading() adds further headings.
 * `sortable`: readers can sort the table.
 */
void html_table_begin(
    struct html *html, const char *label, const char *headings, bool sortable);
void html_table_heading(struct html *html, const char *heading);
/* Begins the next row, to which the caller adds its cells. */
void html_table_row(struct html *html);
void html_table_end(struct html *html);

/*
 * A name and its value, in a <dl class="facts">.  Nothing is written if the
 * value is empty.
 */
void html_fact(struct html *html, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Cells: the name of a row, and numbers (number_typeset). */
void html_table_name(struct html *html, const char *name);
void html_table_number(struct html *html, struct number number);
void html_table_count(struct html *html, int64_t count);

/*
 * A page: its title, and the files of arena/report/page/ that are written into
 * it; NULL ends each list.  The page loads and runs nothing else.  With
 * `connects` its scripts may send requests to the server of the page.
 */
struct html_page {
	const char *title;
	const char *const *styles;
	const char *const *scripts;
	bool connects;
};

/*
 * The Content-Security-Policy of a page, with the hashes of its style and its
 * scripts; for free(), NULL without memory.
 */
char *html_policy(const struct html_page *page);

/*
 * Begin and end the page.  The beginning includes <body> and the link that
 * skips to the element with the id `main`, which the caller must write.  0 or
 * -ENOMEM; if html_page_begin() fails, nothing is written.
 */
int html_page_begin(struct html *html, const struct html_page *page);
int html_page_end(struct html *html, const struct html_page *page);

#endif
