/*
 * Writes the report of a run that is open to a file.
 */
#ifndef CMD_REPORT_H
#define CMD_REPORT_H

#include "run_play.h"

/*
 * Writes a page, or what the name of the file ends in (.json, .md, .csv).
 * STATUS_DONE, or another status with an error printed.
 */
enum status report_write(struct run_view *view, const char *path);

#endif
