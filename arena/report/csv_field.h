/*
 * A field of comma-separated values (RFC 4180) whose text comes from bots and files.
 *
 * Spreadsheets take a field that begins with = + - @ for a formula, which may run
 * programs or send the sheet away.  So there is an apostrophe before each of
 * these signs at the beginning of a field, behind blanks, and behind all that some
 * program may divide fields at; and what utf8_steers(), and what is no UTF-8, is
 * written as \xNN.  Numbers are not for this: they are printed as they are.
 */
#ifndef CSV_FIELD_H
#define CSV_FIELD_H

#include <stdio.h>

/* Writes a text as one field, in quotation marks where it has to be. */
void csv_field_put(FILE *file, const char *text);

#endif
