/*
 * record verify --fair: whether a run dealt fairly.
 */
#ifndef RECORD_FAIR_H
#define RECORD_FAIR_H

#include <stdbool.h>

#include "status.h"

/*
 * Checks the run in this folder, and prints what came of it: as text, its last
 * line alone, or one JSON object.  STATUS_FAILED where something differs.
 */
enum status record_fair(const char *path, bool json, bool quiet);

#endif
