/*
 * One parameter of a rule set at a time: the walk over scopa_params that
 * rules.c and state.c share.
 */
#ifndef PARAM_H
#define PARAM_H

#include <stddef.h>

#include "scopa/rules.h"

/* The parameter that `length` bytes name, or NULL with a sentence in `why`. */
const struct scopa_param *param_named(
    const char *bytes, size_t length, struct scopa_text *why);

/* The field of a rule set that a parameter describes. */
int16_t param_get(
    const struct scopa_param *param, const struct scopa_rules *rules);

/* Reads the field from text; false with a sentence in `why`. */
bool param_read(const struct scopa_param *param, struct scopa_rules *rules,
    const char *bytes, size_t length, struct scopa_text *why);

/* Whether the field holds a value that the parameter knows. */
bool param_known(const struct scopa_param *param, int16_t value);

/* `must be one of single, fewest, any`: what the parameter allows. */
void param_explain(const struct scopa_param *param, struct scopa_text *text);

/*
 * Says that `length` bytes are no `what`: the nearest of `count` names, or all
 * of them where none is near.
 */
void param_say_unknown(struct scopa_text *why, const char *what,
    const char *bytes, size_t length, const char *(*name_of)(int index),
    int count);

/* Foreign text between quotes: printable bytes only, shortened when long. */
void param_quote(struct scopa_text *text, const char *bytes, size_t length);

#endif
