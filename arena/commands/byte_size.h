/*
 * How much memory: `64K`, `16M`, `2G`, or bytes without a letter.
 */
#ifndef BYTE_SIZE_H
#define BYTE_SIZE_H

#include <stdbool.h>
#include <stdint.h>

/* The letters mean powers of 1024.  False where it is none, or too large. */
bool byte_size_parse(const char *text, int64_t *bytes);

#endif
