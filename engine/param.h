/*
 * What the reader of the `state` line shares with that of rules.
 */
#ifndef PARAM_H
#define PARAM_H

#include <stddef.h>

#include "scopa/rules.h"

/* Reads the field from text; false with a sentence in `why`. */
bool param_read(const struct scopa_param *param, struct scopa_rules *rules,
    const char *bytes, size_t length, struct scopa_text *why);

/* ` (not "BYTES")`: what stood where something else must. */
void param_refuse(struct scopa_text *why, const char *bytes, size_t length);

#endif
