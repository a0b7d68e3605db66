/*
 * Which sums the cards of a table have, where no two have the same value.
 *
 * The values of such a table are a mask: bit i is for the value i + 1.
 */
#ifndef SCOPA_SUMS_TABLE_H
#define SCOPA_SUMS_TABLE_H

#include <stdint.h>

enum { SUMS_EXTRA_COUNT = 1024, SUMS_FIRST_COUNT = 2048 };

/*
 * By the values of the table: how many sets total 1, 2, ... 10 beyond the first
 * one, a nibble each from the lowest; at most nine.
 */
extern const uint64_t sums_extra[SUMS_EXTRA_COUNT];

/*
 * At 2^v + m, for the values m of the table up to v: the first set, in canonical
 * order, that totals v, as all four cards of each of its values; 0: there is none.
 */
extern const uint64_t sums_first[SUMS_FIRST_COUNT];

#endif
