/*
 * Writes weights as the source of policy_table.c or policy_model.c.
 */
#ifndef SCOPA_TUNE_POLICY_WRITE_H
#define SCOPA_TUNE_POLICY_WRITE_H

#include <stdio.h>

#include "policy.h"

/*
 * Writes the tables of all families to `file`, as the array `name`; `command` is
 * what has made them.  Errors are left in the stream (ferror).
 */
void policy_write(FILE *file, const char *name,
    const struct policy_table tables[POLICY_FAMILY_COUNT], const char *command);

#endif
