/*
 * The sections of a report page that come from the records of the run.
 */
#ifndef FACTS_HTML_H
#define FACTS_HTML_H

#include "report_page.h"

extern const struct page_section section_llr, section_margins, section_seats,
    section_times, section_metrics, section_failures, section_losses,
    section_games;

#endif
