/*
 * The stored inputs of fuzz targets, in tests/fuzz/corpus.
 *
 * Each line of NAME.txt and NAME.found.txt is one input, in which \n, \t, \r,
 * \\ and \xHH are bytes; each file in the folder NAME is another input.
 */
#ifndef SEEDS_H
#define SEEDS_H

#include <stddef.h>
#include <stdint.h>

enum { SEEDS_SIZE_MAX = 1 << 20, SEEDS_LABEL_SIZE = 512 };

/* Called for one input; `label` is its place, such as `x.txt:3`. */
typedef void seeds_visit(const char *label, const uint8_t *data, size_t size);

/*
 * Decodes a text in the format of NAME.txt; returns the number of bytes.
 * `decoded` has space for the length of the text, and may be the text itself.
 * Ends the program at a wrong backslash.
 */
size_t seeds_decode(const char *label, const char *line, uint8_t *decoded);

/*
 * Visits all inputs of a target in the folder of the sources; returns their
 * number.  Ends the program if one cannot be read.
 */
int seeds_each(const char *name, seeds_visit *visit);

#endif
