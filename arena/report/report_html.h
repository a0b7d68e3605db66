/*
 * The page of a run for a browser: one file that needs no other, readable and
 * printable without scripts.
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "html.h"
#include "run_facts.h"

/*
 * Prints the page; the view is computed.  `facts` may be NULL, and parts of it
 * empty: a section without data is left out.  0 or -ENOMEM.  Errors of writing
 * are the file's: ferror.
 */
int report_html(
    const struct report_view *view, const struct run_facts *facts, FILE *file);

/*
 * Only the sections that change while a run is played, for a page that follows
 * it: each is an element <section> with its id.
 */
void report_html_live(const struct report_view *view,
    const struct run_facts *facts, struct html *html);

#endif
