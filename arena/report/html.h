/*
 * Writes pages for a browser.
 *
 * Text is escaped by whatever function writes it, so that no name and no line
 * of a bot becomes a part of the page: & < > " ' are written as references, and
 * what utf8_steers(), and what is no UTF-8, as \xNN, as in other reports.
 *
 * Names of elements may have a class: `td.number`.  An element is ended by its
 * name, which is checked.
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
	bool tagging; /* the tag of the innermost takes attributes yet */
	bool failed;  /* there was no memory: the page is not whole */
	const char *open[HTML_DEPTH_MAX]; /* their names */
};

void html_init(struct html *html, FILE *file);

/* Begins an element, to which attributes may be added until it has content. */
void html_begin(struct html *html, const char *name);
/* Ends the innermost element, which has this name (without the class). */
void html_end(struct html *html, const char *name);

/* An attribute; the value is escaped. */
void html_attribute(struct html *html, const char *name, const char *format,
    ...) __attribute__((format(printf, 3, 4)));
/* Attributes as they are written: `x='%.1f' y='0'`; no %s may be in it. */
void html_numbers(struct html *html, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Text of the innermost element; html_lines() keeps the ends of lines. */
void html_text(struct html *html, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void html_lines(struct html *html, const char *bytes, size_t size);

/* An element with nothing but text, and one with nothing but attributes. */
void html_put(struct html *html, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void html_shape(struct html *html, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A JSON document for scripts: an element <script> with this id. */
void html_json(
    struct html *html, const char *id, const char *bytes, size_t size);

/*
 * Tables of a page: names on the left, figures on the right.  A table may
 * scroll sideways in a region of its own, so that the page never does.
 */

/* Begins a <div> that may scroll; the label is for screen readers. */
void html_wide_begin(struct html *html, const char *label);

/* Begins <details> with this summary, in which something may be read. */
void html_details_begin(struct html *html, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Text with ends of lines in <pre>. */
void html_pre(struct html *html, const char *bytes, size_t size);

/*
 * Begins a table with these headings, which have | between them; the label is
 * for screen readers.  The heading of a column of text begins with ^, and
 * stands on the left.  More headings may follow, one each, before
 * html_table_rows().  With `sortable` people may sort it.
 */
void html_table_begin(
    struct html *html, const char *label, const char *headings, bool sortable);
void html_table_heading(struct html *html, const char *heading);
void html_table_rows(struct html *html);
void html_table_end(struct html *html);

/*
 * A name and what is to be said of it, in a <dl class="facts">; nothing where
 * that is empty.
 */
void html_fact(struct html *html, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Cells: the name of a row, and figures (number_typeset). */
void html_table_name(struct html *html, const char *name);
void html_table_number(struct html *html, struct number number);
void html_table_count(struct html *html, int64_t count);

/*
 * A page: what it is called, and the files of arena/report/page/ that it has.
 * Both lists end with NULL.  All are written into it, and nothing else may run
 * or be loaded; with `connects` its scripts may ask the server that it is from.
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
 * Begins the page, up to and with <body> and the link that skips to `main`,
 * which the caller gives as an id to an element; and ends it.  0 or -ENOMEM;
 * where the page cannot begin, nothing is written.
 */
int html_page_begin(struct html *html, const struct html_page *page);
int html_page_end(struct html *html, const struct html_page *page);

#endif
