/*
 * Tables of a page: names on the left, figures on the right.  A table may
 * scroll sideways in a region of its own, so that the page never does.
 */
#ifndef HTML_TABLE_H
#define HTML_TABLE_H

#include "html.h"
#include "text_format.h"

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

#endif
