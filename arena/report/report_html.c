/*
 * Implements report_html.h.
 */
#include "report_html.h"

int
report_html(
    const struct report_view *view, const struct run_facts *facts, FILE *file)
{
	(void)view;
	(void)facts;
	fputs("<!doctype html><html lang=\"en\"><title>scopa-arena</title>\n",
	    file);
	return 0;
}
