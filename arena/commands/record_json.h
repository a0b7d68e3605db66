/*
 * Records as JSON Lines: a match or an event a line.
 */
#ifndef RECORD_JSON_H
#define RECORD_JSON_H

#include <stdio.h>

#include "record_read.h"

/* Writes a whole block, which must be good, as one object and a line end. */
void record_json_match(FILE *file, const struct record_block *block);

/* Writes every event of such a block as one object and a line end. */
void record_json_events(FILE *file, const struct record_block *block);

#endif
