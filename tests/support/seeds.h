/*
 * The inputs of fuzz targets that are kept in tests/fuzz/corpus.
 *
 * Each line of NAME.txt and NAME.found.txt is one input, in which \n, \t, \r,
 * \\ and \xHH stand for bytes; each file in the folder NAME is another.
 */
#ifndef SEEDS_H
#define SEEDS_H

#include <stddef.h>
#include <stdint.h>

enum { SEEDS_SIZE_MAX = 1 << 20, SEEDS_LABEL_SIZE = 512 };

/* Hears of one input; `label` says where it stands, such as `x.txt:3`. */
struct seeds_visitor {
	void (*visit)(
	    void *context, const char *label, const uint8_t *data, size_t size);
	void *context;
};

/*
 * The bytes that a text stands for, as in NAME.txt: how many there are.
 * `decoded` has room for the length of the text, and may be the text.  Ends the
 * program where a backslash stands for nothing.
 */
size_t seeds_decode(const char *label, const char *line, uint8_t *decoded);

/*
 * Visits all inputs of a target, which lie below the folder of the sources;
 * the answer is how many there are.  Ends the program where one cannot be read.
 */
int seeds_each(const char *name, const struct seeds_visitor *visitor);

#endif
