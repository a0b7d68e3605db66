/*
 * The page of a run for a browser: one file of HTML.
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "run_facts.h"

/*
 * Prints the page; the view is computed.  `facts` may be NULL.  0 or -ENOMEM.
 * Errors of writing are the file's: ferror.
 */
int report_html(
    const struct report_view *view, const struct run_facts *facts, FILE *file);

#endif
