/*
 * The sections of the text report.
 */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "report.h"
#include "text_format.h"

void text_cell_share(struct grid *grid,
    void (*write)(struct scopa_text *text, double share), double share);
void text_cell_signed(struct grid *grid, double value, int digits);

#endif
