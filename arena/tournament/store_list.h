/*
 * Lists in a column of the store: JSON, so that other tools can take them apart
 * (`json_each`), in exactly one form, so that equal values are equal texts.
 */
#ifndef STORE_LIST_H
#define STORE_LIST_H

#include "scopa/text.h"

/* `[1,2]` */
void store_list_write(
    struct scopa_text *text, const int64_t *numbers, int count);

/* `{"cards":1}`: what is not 0, by name. */
void store_tally_write(struct scopa_text *text, const int32_t *numbers,
    int count, const char *(*name)(int index));

/*
 * Each moves *at behind what it has read; false where that is not there.  Lists
 * have exactly `count` numbers, each within min..max.
 */
bool store_list_read(
    const char **at, int64_t *numbers, int count, int64_t min, int64_t max);
bool store_tally_read(const char **at, int32_t *numbers, int count,
    const char *(*name)(int index));

/* Takes one byte. */
bool store_byte_read(const char **at, char byte);

#endif
