/*
 * What was given, as a configuration file that gives the same again.
 */
#ifndef OPTION_WRITE_H
#define OPTION_WRITE_H

#include <stdio.h>

#include "option.h"

/* A value that takes the place of what was given, if anything was. */
struct option_stand_in {
	const char *group; /* `each`; NULL: the command's own section */
	int element;       /* of the group */
	const char *name;  /* of the row or key; no pairs */
	const char *value; /* NULL: nothing is written */
};

struct option_form {
	const struct option *options;
	int option_count;
	const char *section; /* of the command */
	const struct option_memory *memory;
	const char *folder; /* that relative paths begin in; NULL: as given */
	const struct option_stand_in *stand_ins;
	int stand_in_count;
};

/* Writes all but what is of one call; defaults, too, as they may change. */
void option_write(FILE *file, const struct option_form *form);

#endif
