/*
 * The sections of the text report.
 */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "report.h"
#include "text_format.h"

void text_table_add_share(struct text_table *table,
    void (*write)(struct scopa_text *text, double share), double share);
void text_table_add_signed(struct text_table *table, double value, int digits);

#endif
