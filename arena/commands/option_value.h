/*
 * The value of one option: from text into the field of a struct.
 */
#ifndef OPTION_VALUE_H
#define OPTION_VALUE_H

#include "option.h"

/* Where a value goes, and what an error calls the place it came from. */
struct option_target {
	const struct option *option;
	void *base;        /* the struct that the offset counts from */
	const char *label; /* `--deals`, `SCOPA_ARENA_DEALS` */
};

/* Says in `error` what is wrong; always false. */
bool option_fail(struct option_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Reads a value of any kind but pairs and groups.  False with the error, and
 * nothing written, where the row refuses it.
 */
bool option_value_read(const struct option_target *target, const char *value,
    struct option_error *error);

/* Gives the field of a struct the default of its row, if there is one. */
void option_value_fall_back(const struct option *option, void *base);

#endif
