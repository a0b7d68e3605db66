/* Functions of rules.c that the parser of the `state` line uses too. */
#ifndef PARAM_H
#define PARAM_H

#include <stddef.h>

#include "scopa/rules.h"

/*
 * Parses the value of a parameter.  On failure returns false with a sentence in
 * `why` and leaves *rules unchanged.
 */
bool param_read(const struct scopa_param *param, struct scopa_rules *rules,
    const char *bytes, size_t length, struct scopa_text *why);

/* Appends ` (not "BYTES")`: the wrong text. */
void param_refuse(struct scopa_text *why, const char *bytes, size_t length);

#endif
