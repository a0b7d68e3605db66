/*
 * Results of blocks with numbers as strange as they can be, for the tests of
 * what keeps them.
 */
#ifndef ROWS_H
#define ROWS_H

#include "store.h"

/* A run of that many bots, with so many games in a block; until the next. */
const struct store_head *rows_head(
    enum scopa_teams teams, int bot_count, int game_count);

/*
 * Any result that a block of the run can have, all numbers in their whole
 * range, and a place; everything that does not exist is zero.
 */
void rows_random(uint64_t *state, const struct store_head *head, int64_t index,
    struct block_result *block);

/*
 * The same with a record of up to `size` bytes, made up too; a skipped block
 * has none.  The size of the record.
 */
size_t rows_record(uint64_t *state, const struct store_head *head,
    int64_t index, struct block_result *block, char *record, size_t size);

/* Runs SQL on a database of results as another program would. */
void rows_meddle(const char *path, const char *sql);

/* Every byte is the same. */
bool rows_equal(const struct block_result *a, const struct block_result *b);

#endif
